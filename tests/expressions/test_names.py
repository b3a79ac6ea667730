"""Names for parts: shown, and seen through."""

import pytest
import sympy

from boundcheck import Claim, Holds, Source
from boundcheck.errors import MalformedStatement
from boundcheck.expressions import (
    algebra,
    average,
    define,
    form,
    frobenius_norm,
    index,
    indicator,
    inner,
    named,
    row,
    supremum,
    table,
    total,
    trace,
    transpose,
    world,
)
from boundcheck.expressions.names import seen_through
from boundcheck.expressions.nodes import Apply, Average, Primitive, nodes
from boundcheck.setting import Setting
from boundcheck.worlds import Gram, Matrix, Tuples

PLACE = Source("A", 2020, "T").at("1")


def test_a_name_is_shown_and_its_body_computed(s, settings):
    z = named("z", s.x[s.i] ** 2, r"\\zeta_i")
    claim = Claim(PLACE, Holds(total(s.rho[s.i] * z, s.i) >= 0))
    assert "zeta" in sympy.latex(claim.statement.relation)
    world = {name: settings[0][name] for name in ("n", "rho", "x")}
    value = Setting(claim, world).evaluate(claim.statement.relation.lhs)
    assert value == sum(p * x**2 for p, x in zip(world["rho"], world["x"], strict=True))


def test_a_named_matrix_is_measured_once_under_its_name(s):
    claim = Claim(PLACE, Holds(sympy.Eq(named("G", s.phi * s.phi.T, "G"), s.gram)))
    assert {symbol.name for symbol in claim.measure} == {"G"}


def test_parts_that_are_shown_alike_stay_apart(s, settings):
    first, second = (total(named("z", s.x[s.i] + k), s.i) for k in (0, 1))
    claim = Claim(PLACE, Holds(first <= second))
    world = {name: settings[0][name] for name in ("n", "x")}
    at = Setting(claim, world)
    assert at.evaluate(claim.statement.relation.rhs - claim.statement.relation.lhs) == world["n"]


@pytest.mark.parametrize("name, degrees", [
    (p.name, p.degrees) for p in vars(algebra).values() if isinstance(p, Primitive) and p.degrees
])  # fmt: skip
def test_numbers_drawn_out_leave_the_value(s, settings, name, degrees):
    from boundcheck import exact

    operands = {
        "entry": (s.x, 0), "transpose": (s.phi,), "diagonal": (s.x,), "trace": (s.gram,),
        "inner": (s.x, s.y), "form": (s.gram, s.x), "outer": (s.x, s.y),
        "entrywise": (s.gram, s.gram), "block": (s.gram, s.sample, s.sample),
        "pick": (s.x, s.sample), "row": (s.phi, 1), "column": (s.x,),
    }[name]  # fmt: skip
    scaled = [
        (place + 2) * each if place < len(degrees) and degrees[place] else each
        for place, each in enumerate(operands)
    ]
    node = getattr(algebra, name)(*scaled)
    assert seen_through(node) != node
    look = settings[0].__getitem__
    assert exact.compiled(seen_through(node))(look) == exact.compiled(node)(look)


def test_roots_of_sizes_cancel(s):
    scaled = s.phi / sympy.sqrt(s.t)
    assert seen_through(scaled * transpose(scaled)) == s.phi * transpose(s.phi) / s.t
    assert seen_through(inner(row(s.phi, 0) / sympy.sqrt(s.t), s.tau / sympy.sqrt(s.t))) == (
        inner(row(s.phi, 0), s.tau) / s.t
    )


def test_the_norm_of_a_matrix_of_rank_one_is_exact(s, settings):
    from boundcheck import exact
    from boundcheck.expressions import operator_norm, outer

    square = seen_through(operator_norm(named("z", outer(s.x, s.x))))
    x = settings[0]["x"]
    assert exact.compiled(square)(settings[0].__getitem__) == sum(value**2 for value in x)
    mixed = operator_norm(outer(-2 * s.x, s.y))
    look = settings[0].__getitem__
    assert exact.compiled(seen_through(mixed))(look).overlaps(exact.compiled(mixed)(look))


def test_the_inverse_of_a_product_is_not_taken_factor_by_factor(s, settings):
    from boundcheck import exact

    gram = s.phi.T * s.phi  # of rectangular factors, which have no inverses
    look = settings[0].__getitem__
    inverse = exact.compiled(seen_through(named("G", gram) ** -1 * gram))(look)
    size = settings[0]["K"]
    assert [inverse[i, j] for i in range(size) for j in range(size)] == [
        int(i == j) for i in range(size) for j in range(size)
    ]


def test_an_average_refuses_what_is_measured_outside_of_it(s):
    outside = define("outside", s.x[s.sample[0]])
    with pytest.raises(MalformedStatement, match="outside, which is measured"):
        average(outside**2, s.sample)


def test_a_supremum_leaves_out_what_cannot_happen(s, settings):
    from flint import fmpq

    from boundcheck import exact

    node = supremum(s.x[s.sample[0]], s.sample)
    world = {**settings[0], "rho": (fmpq(1), fmpq(0), fmpq(0)), "x": (fmpq(1), fmpq(2), fmpq(3))}
    assert exact.compiled(node)(world.__getitem__) == 1
    assert isinstance(node, Average) and "sup" in sympy.latex(node)


def test_compound_operands_stand_in_brackets(s):
    assert sympy.latex(form(s.gram, s.x + s.y)).count("left(") == 2
    assert sympy.latex(form(s.gram, s.x)).count("left(") == 0
    assert isinstance(form(s.gram, s.x), Apply)


def test_a_sum_weighted_by_a_law_is_shown_as_an_expectation(s):
    assert "mathbb{E}" in sympy.latex(total(s.rho[s.i] * s.x[s.i], s.i))
    assert "mathbb{E}" not in sympy.latex(total(s.y[s.i] * s.x[s.i], s.i))


def test_a_mean_of_an_indicator_is_shown_as_a_probability(s):
    event = s.rho[s.i] * indicator(s.x[s.i] >= 1)
    shown = sympy.latex(total(event, s.i))
    assert "mathbb{P}" in shown and "mathbf{1}" not in shown


def test_a_sum_of_matrices_is_shown_as_a_sum_and_its_terms_in_brackets(s):
    matrices = world("A", Tuples(3, Gram(2)))
    i = index("i", 3)
    shown = sympy.latex(total(matrices[i] - s.gram, i))
    assert r"\sum_{i} \left(" in shown and "[" not in shown
    assert sympy.latex(table(s.x[s.i], s.i)) == r"\left[{x}_{i}\right]_{i}"


def test_nodes_of_a_conjunction_come_in_one_order_in_every_process():
    """SymPy keeps its parts in the order of hashes, which differ: fingerprints must not."""
    for k in range(20):  # by chance all of them were in order with probability 2^-20
        A = world(f"A_{k}", Matrix(2, 2))
        parts = [frobenius_norm(A) > 0, trace(A) > 0]
        found = list(nodes(sympy.And(*parts)))
        wanted = [each for part in sorted(parts, key=sympy.srepr) for each in nodes(part)]
        assert found == wanted


def test_names_of_the_language_have_their_types_where_they_are_loaded_from():
    """They load when used; readers of types are told of each where it stands."""
    import ast
    from importlib import import_module
    from pathlib import Path

    from boundcheck import expressions

    tree = ast.parse(Path(expressions.__file__).read_text())
    told = {
        node.module
        for block in tree.body if isinstance(block, ast.If)
        for node in block.body if isinstance(node, ast.ImportFrom)
    }  # fmt: skip
    assert told == {f"boundcheck.expressions.{home}" for home in expressions._HOMES.values()}
    for name, home in expressions._HOMES.items():
        module = import_module(f"boundcheck.expressions.{home}")
        assert getattr(expressions, name) is vars(module)[name] and not name.startswith("_")
