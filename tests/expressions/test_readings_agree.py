"""One expression, two readings: exact values and floats over a batch are the same numbers."""

import math

import numpy
import pytest
import sympy
from flint import arb, arb_mat, fmpq, fmpq_mat

from boundcheck import exact
from boundcheck.errors import ShapeMismatch, Undefined
from boundcheck.expressions import (
    above,
    algebra,
    average,
    beside,
    block,
    blocks,
    column,
    determinant,
    diagonal,
    direct_sum,
    eigenvalues,
    entry,
    entrywise,
    exponential,
    form,
    frobenius_norm,
    greatest,
    identity,
    index,
    inner,
    joined,
    largest_eigenvalue,
    largest_entry,
    least,
    least_principal_minor,
    matrix_rank,
    matrix_root,
    mean,
    multiplied,
    named,
    norm,
    ones,
    operator_norm,
    outer,
    pick,
    probability,
    row,
    smallest_eigenvalue,
    solution,
    spectral_radius,
    supremum,
    table,
    total,
    trace,
    transpose,
    zeros,
)  # fmt: skip
from boundcheck.expressions.batch import NoBatch, compiled
from boundcheck.expressions.nodes import PRIMITIVES, Indicator, primitive
from boundcheck.worlds.space import float_value

CASES = {
    "entry": lambda s: s.phi[1, 0] * s.x[2],
    "sum": lambda s: total(s.rho[s.i] * s.phi[s.i, s.k] ** 2, s.i, s.k),
    "empty product": lambda s: multiplied(s.rho[s.i] + 1, s.i),
    "greatest": lambda s: greatest(sympy.Abs(s.phi[s.i, s.k]), s.i, s.k),
    "least": lambda s: least(s.x[s.i] - s.y[s.i], s.i),
    "nested": lambda s: total(s.rho[s.i] * greatest(s.phi[s.i, s.k] * s.t, s.k), s.i),
    "mean": lambda s: mean((s.x[s.i] - mean(s.x[s.j], s.j, s.rho)) ** 2, s.i, s.rho),
    "table": lambda s: trace(table(s.x[s.i] * s.y[s.j], s.i, s.j)),
    "words": lambda s: trace(s.phi * diagonal(s.tau) * s.phi.T * diagonal(s.rho) * 2 / s.t),
    "vector": lambda s: inner(s.gram * s.x + s.t * s.y, s.x),
    "form": lambda s: form(s.gram, s.x + s.y) - form(s.gram, s.x),
    "inverse": lambda s: trace(s.gram * (s.gram + s.t * identity(s.n)) ** -1),
    "solution": lambda s: norm(solution(s.gram + s.t * identity(s.n), s.x)),
    "solutions": lambda s: trace(solution(s.gram + s.t * identity(s.n), s.phi) * s.phi.T),
    "norms": lambda s: operator_norm(s.phi) + frobenius_norm(s.phi) + norm(s.phi.T * s.x),
    "spectrum": lambda s: largest_eigenvalue(s.gram) - smallest_eigenvalue(s.gram),
    "eigenvalues": lambda s: inner(eigenvalues(s.gram), s.rho),
    "radius": lambda s: spectral_radius(s.phi * diagonal(s.tau) * s.phi.T * diagonal(s.rho)),
    "largest entry": lambda s: largest_entry(s.phi),
    "determinant": lambda s: determinant(s.gram + identity(s.n)),
    "principal minor": lambda s: least_principal_minor(s.gram - s.t * identity(s.n)),
    "outer": lambda s: trace(outer(s.x, s.y) * s.gram),
    "entrywise": lambda s: trace(entrywise(s.gram, s.gram) * outer(ones(s.n), s.x)),
    "column": lambda s: trace(transpose(column(s.x)) * s.gram * column(s.y)),
    "exponential": lambda s: trace(exponential(s.gram)),
    "root": lambda s: trace(matrix_root(s.gram) * s.gram),
    "block": lambda s: trace(block(s.gram, s.sample, s.sample)),
    "pick": lambda s: norm(pick(s.x, s.sample)),
    "row": lambda s: inner(row(s.phi, 1), row(s.phi, s.sample[0])),
    "signs": lambda s: average(norm(s.gram * s.signs), s.signs),
    "counts": lambda s: average(sympy.Abs(s.counts[0] / s.M - s.tau[0]), s.counts),
    "sample": lambda s: average(sympy.Max(s.x[s.sample[0]], s.x[s.sample[1]]), s.sample),
    "supremum": lambda s: supremum(s.x[s.sample[0]] * s.y[s.sample[1]], s.sample),
    "average of matrices": lambda s: trace(
        average(outer(pick(s.x, s.sample), pick(s.y, s.sample)), s.sample)),
    "direct sum": lambda s: operator_norm(direct_sum(s.gram, zeros(s.M)) + identity(s.n + s.M)),
    "direct sum of rectangles": lambda s: frobenius_norm(direct_sum(s.phi, s.phi)),
    "above": lambda s: operator_norm(above(s.phi, s.phi.T * s.gram * s.phi)),
    "beside": lambda s: operator_norm(beside(s.gram, outer(s.x, s.y))),
    "joined": lambda s: norm(joined(s.x + s.y, ones(s.K)) - joined(s.tau, s.x)),
    "rank": lambda s: matrix_rank(s.phi) + matrix_rank(outer(s.x, s.y)),
    "named": lambda s: average(named("z", s.x[s.sample[0]]) ** 2, s.sample),
    "probability": lambda s: probability(s.x[s.sample[0]] <= s.y[s.sample[1]], s.sample),
    "indicator": lambda s: total(s.rho[s.i] * Indicator(s.x[s.i] >= 0), s.i),
    "piecewise": lambda s: sympy.Piecewise((s.t, s.t < 1), (s.t**2, True)),
    "functions": lambda s: sum(f(s.t) for f in (
        sympy.exp, sympy.log, sympy.Abs, sympy.sign, sympy.sin, sympy.cos, sympy.atan, sympy.sinh,
        sympy.cosh, sympy.tanh, sympy.gamma, sympy.erf, sympy.sqrt, sympy.ceiling,
        sympy.floor)),
    "inverse functions": lambda s: (
        sympy.acos(s.rho[0]) + sympy.asin(s.rho[1]) + sympy.tan(s.rho[0])),
    "counting": lambda s: sympy.factorial(s.n) + sympy.binomial(s.n, 2) * sympy.Min(s.t, 1),
    "series": lambda s: sympy.Sum(1 / sympy.Symbol("m") ** 2, (sympy.Symbol("m"), 1, s.n)),
    "powers": lambda s: (s.t + 1) ** s.t + s.t ** sympy.Rational(1, 3) + 2**s.t,
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_exact_and_batch_are_the_same(name, s, settings):
    expr = CASES[name](s)
    used = {symbol.name for symbol in expr.free_symbols}
    values = [exact.to_float(exact.compiled(expr)(lambda n, w=world: w[n])) for world in settings]
    stacked = {n: numpy.array([float_value(world[n]) for world in settings]) for n in settings[0]}
    with numpy.errstate(all="ignore"):
        floats = numpy.broadcast_to(compiled(expr)(stacked.__getitem__), (len(settings),))
    # Values are of order one to 10^3 with condition numbers below 10^4: 1e-9 is 10^3 roundings.
    numpy.testing.assert_allclose(floats, values, rtol=1e-9, atol=1e-9)
    assert used <= set(settings[0])


@pytest.mark.parametrize("made", [
    trace, determinant, spectral_radius, exponential, matrix_root, largest_eigenvalue,
    smallest_eigenvalue, eigenvalues, least_principal_minor])
@pytest.mark.parametrize("rows, cols", [(1, 2), (2, 1), (3, 2)])
def test_what_a_square_matrix_alone_has_is_refused_of_others(made, rows, cols):
    matrix = fmpq_mat(rows, cols, [place + 1 for place in range(rows * cols)])
    for each in (matrix, arb_mat(matrix)):
        with pytest.raises(ShapeMismatch, match=f"{rows} x {cols}"):
            made(each)


def test_forms_and_solutions_fit_their_matrix():
    matrix, vector = fmpq_mat(3, 2, [1, 2, 3, 4, 5, 6]), (fmpq(1), fmpq(2))
    for made in (form, solution):
        with pytest.raises(ShapeMismatch, match="3 x 2"):
            made(matrix, vector)


@pytest.mark.parametrize("made", [identity, ones, zeros])
def test_nothing_has_fewer_than_no_rows(made):
    """Of size 0 it is empty; of size -1 it has no value, as a list of -1 numbers has none."""
    assert not (made(0) if made is ones else made(0).entries())
    with pytest.raises(ShapeMismatch, match="a block of -1 rows"):
        made(-1)


def test_a_table_of_fewer_than_no_rows_has_no_value():
    places = [index(name, sympy.Symbol("d")) for name in "ij"]
    square = exact.compiled(table(sum(places), *places))
    assert square({"d": 2}.__getitem__) == fmpq_mat(2, 2, [0, 1, 1, 2])
    with pytest.raises(ShapeMismatch, match="a block of -1 rows"):
        square({"d": -1}.__getitem__)


@pytest.mark.parametrize("number", [2, fmpq(1, 2), arb(2).sqrt()])
def test_a_number_has_no_transpose(number):
    with pytest.raises(ShapeMismatch, match="transpose of a number"):
        transpose(number)
    assert transpose((number,)).ncols() == 1


def test_every_primitive_of_the_algebra_is_compared(s):
    compared = " ".join(str(sympy.srepr(case(s))) for case in CASES.values())
    missing = [
        token
        for token in PRIMITIVES
        if token.startswith((algebra.__name__, blocks.__name__)) and token not in compared
    ]
    assert missing == []


def test_one_world_alone_needs_no_batch_axis(s, settings):
    world = {n: float_value(value) for n, value in settings[0].items()}
    expr = CASES["words"](s) * CASES["signs"](s)
    got = compiled(expr)(world.__getitem__)
    assert float(got) == pytest.approx(
        exact.to_float(exact.compiled(expr)(lambda n: settings[0][n])), rel=1e-9
    )


def test_a_node_is_computed_once_per_scope(s, settings):
    calls = []

    @primitive(batch=None)
    def counted(x):
        calls.append(1)
        return x

    from boundcheck.expressions.scope import Scope, unknown

    expr = total(counted(s.t) * s.x[s.i] + counted(s.x[s.i]), s.i)
    exact.compiled(expr)(Scope(unknown, settings[0]))
    assert len(calls) == 1 + 3  # once outside, once for each index


@pytest.mark.parametrize("reading", [exact.compiled, compiled])
def test_in_a_double_sum_a_node_is_computed_once_for_what_enters_it(s, settings, reading):
    calls = []

    def marked(x):
        calls.append(1)
        return x

    counted = primitive(batch=marked, facts=())(marked)
    other = index("other", s.i.meaning.size)
    expr = total(counted(s.x[other]) * s.x[s.i] * counted(s.t), s.i, other)
    world = settings[0]
    if reading is compiled:
        world = {n: float_value(value) for n, value in world.items()}
    found = reading(expr)(world.__getitem__)
    x, t = settings[0]["x"], settings[0]["t"]
    assert float(exact.to_float(found) if reading is exact.compiled else found) == pytest.approx(
        float(sum(x, fmpq(0)) ** 2 * t)
    )
    assert len(calls) == 3 + 1  # of 9 pairs


def test_without_a_batch_form_the_primitive_is_named(s):
    @primitive()
    def opaque(x):
        return x

    with pytest.raises(NoBatch, match="opaque"):
        compiled(opaque(s.t) + 1)


def test_bound_names_do_not_leak(s, settings):
    inner_sum = total(s.x[s.i], s.i)
    expr = total(inner_sum * s.x[s.i], s.i)  # the same index bound twice
    x = settings[0]["x"]
    assert exact.compiled(expr)(settings[0].__getitem__) == sum(x, fmpq(0)) ** 2


@pytest.mark.parametrize("place", [3, -1])
def test_what_is_not_there_has_no_value(place):
    with pytest.raises(Undefined, match=f"the entry {place} of 3"):
        entry((1, 2, 3), place)
    with pytest.raises(Undefined, match=f"the entry {place} of 1"):
        entry(fmpq_mat(2, 1), 0, place)


def test_numbers_out_of_a_float_s_range_are_infinite_not_a_crash():
    huge = sympy.Rational(-(10**400), 3)
    assert compiled(huge)({}.get) == -math.inf
    assert compiled(1 / huge)({}.get) == 0
