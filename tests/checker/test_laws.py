"""Laws of repeated worlds: against values at several sizes, and what may not be concluded."""

from fractions import Fraction

import numpy
import pytest
from flint import fmpq, fmpq_mat
from sympy import Abs, Eq, Max, Rational, exp, log, sqrt

from boundcheck import Claim, Source, UpToConstant
from boundcheck.arithmetic import PRECISIONS, precision, sign
from boundcheck.checker import laws as rules
from boundcheck.checker.judge import Place, is_admissible
from boundcheck.checker.laws import BLOCKS, COPIES, MOVES, ZEROS, Laws, NoLaw
from boundcheck.checker.repetition import (
    Growth,
    fails_without_end,
    growth,
    repeated,
    scalings,
    squares,
)
from boundcheck.checks.base import Task, budget_named
from boundcheck.checks.trend import run
from boundcheck.errors import WitnessError
from boundcheck.exact import add, multiply, value_of
from boundcheck.expressions import (
    average,
    define,
    determinant,
    diagonal,
    eigenvalues,
    entrywise,
    form,
    frobenius_norm,
    greatest,
    identity,
    index,
    indicator,
    inner,
    largest_eigenvalue,
    largest_entry,
    least,
    matrix_rank,
    matrix_root,
    mean,
    norm,
    operator_norm,
    outcome,
    outer,
    parameter,
    row,
    smallest_eigenvalue,
    solution,
    spectral_radius,
    table,
    total,
    trace,
    transpose,
    world,
)
from boundcheck.quantities.rkhs import squared_norm_of_values
from boundcheck.witness import confirm, seal
from boundcheck.worlds import (
    Family,
    Gram,
    Increasing,
    Integer,
    Matrix,
    Real,
    Signs,
    Symmetric,
    Vector,
    Weights,
    doublings,
)

PLACE = Source("A", 2000, "T").at("here")
n = world("n", Integer(1, searched=3))
A, B, S = world("A", Gram(n)), world("B", Matrix(n, n)), world("S", Symmetric(n))
x, y, p = world("x", Vector(n)), world("y", Vector(n)), world("p", Weights(n, zeros=True))
t = parameter("t", Real(0, None, open_low=True))
i, j = index("i", n), index("j", n)
SCALARS = [
    n * t, trace(B), frobenius_norm(B), operator_norm(B), spectral_radius(A), norm(B * x),
    largest_entry(B - S), matrix_rank(A), matrix_rank(trace(A) * B), sqrt(n) * largest_entry(A * B),
    largest_eigenvalue(S), smallest_eigenvalue(S), smallest_eigenvalue(A), inner(x, y), form(S, x),
    norm(x) ** 3 / sqrt(n),
    trace(outer(x, y)), trace(A * B * A), trace(entrywise(A, S)), trace(matrix_root(A)),
    norm(table(x[i] * y[i], i)), trace(B + S), trace(transpose(B) * B), Abs(trace(B)),
    Max(norm(x), t),
    trace(A + identity(n)), norm(solution(identity(n) + A, x)), total(x[i] * y[i], i),
    total(B[i, j] * x[i], i, j), total(B[i, i], i), total(x[i] * y[j], i, j),
    greatest(B[i, i] ** 2, i), greatest(Abs(x[i]), i), least(Abs(B[i, j]), i, j), least(x[i], i),
    mean(x[i] ** 2, i, p), mean(indicator(Abs(x[i]) >= t), i, p), norm(table(x[i] * p[i], i)),
    total(x[i] * A, i)[j, j] * 0 + trace(total(x[i] * A, i)), exp(-t) * norm(x), log(1 + t * t),
    trace(B * B), trace(S**3 * B), trace((A + identity(n)) ** -1 * A), trace(diagonal(x) * B),
    greatest(norm(row(B, i)), i), total(norm(row(B, i)) ** 2, i),
    trace(table(x[i] * x[j], i, j)), trace(define("shown", norm(x) ** 2) * B),
    total(Abs(eigenvalues(S)[i]), i), total(eigenvalues(S)[i] * eigenvalues(A)[i], i),
    greatest(eigenvalues(S)[i] ** 2, i), total(Abs(eigenvalues(S)[i] - x[j]), i, j),
    squared_norm_of_values(A + identity(n), x), squared_norm_of_values((A + identity(n)) * n, x),
]  # fmt: skip


def values(rng, size=2):
    def number():
        return fmpq(int(rng.integers(-3, 4)), 2)

    def square(half):
        return half * half.transpose()

    free = [fmpq_mat(size, size, [number() for _ in range(size**2)]) for _ in range(3)]
    return {"n": size, "A": square(free[0]), "B": free[1], "S": free[2] + free[2].transpose(),
            "x": tuple(number() for _ in range(size)), "y": tuple(number() for _ in range(size)),
            "p": (fmpq(1, 3), fmpq(2, 3)), "t": fmpq(1)}  # fmt: skip


def claim_of(relation, **more):
    return Claim(PLACE, UpToConstant(relation), **more)


SCALED = {"x": Fraction(-1), "S": Fraction(1), "A": Fraction(2), "t": Fraction(1, 2)}


@pytest.mark.parametrize("scales", [{}, SCALED], ids=["alone", "times powers"])
@pytest.mark.parametrize("move", MOVES)
def test_laws_are_what_values_do(move, scales):
    """Every expression with a law, at some times the size of four worlds: gaps of balls of 640
    bits that straddle zero are below 10^-150, where a wrong power of N is off by a factor 1.4."""
    known, rng = 0, numpy.random.default_rng(5)
    worlds = [values(rng) for _ in range(4)]
    for expr in SCALARS:
        claim = claim_of(expr <= t + n + trace(A + B + S) + norm(x) + norm(y) + norm(p))
        found = Laws(claim, "n", move, scales)
        try:
            power = found.power(claim.statement.relation.lhs)
        except NoLaw:
            continue
        known += 1
        for world_of in worlds:
            with precision(PRECISIONS[-1]):
                first = Place(claim, world_of)
                if any(sign(first.value(each)) * wanted < 0 for each, wanted in found.signs):
                    continue
                for times in squares(scales):
                    larger = repeated(claim, world_of, "n", move, times, scales)
                    later = Place(claim, larger)
                    factor = value_of(times ** Rational(power), first)
                    side = claim.statement.relation.lhs
                    gap = add(later.value(side), -multiply(factor, first.value(side)))
                    assert sign(gap) in (0, None), (expr, move, power, times)
    fewer = 14 if scales else 0  # sums of what grows differently
    assert known >= {BLOCKS: 46, COPIES: 44, ZEROS: 44}[move] - fewer


MORE = (
    operator_norm(B) <= largest_entry(B), trace(A) <= operator_norm(A) * sqrt(matrix_rank(A)),
    trace(A) ** 2 <= trace(A * A) * sqrt(n), operator_norm(S) <= greatest(norm(row(S, i)), i),
    trace(A * (A + t * identity(n)) ** -1) <= operator_norm(A) / t,
    total(Abs(eigenvalues(S)[i]), i) <= frobenius_norm(S),
)  # fmt: skip


effective = trace(A * (A + t * identity(n)) ** -1)
R = parameter("R", Real(0, None))
WITH_POWERS = {
    "an effective dimension": (effective <= 1 / sqrt(t), [trace(A) <= 1]),
    "a radius of a Euclidean ball": (total(Abs(x[i]), i) <= R, [norm(x) <= R]),
    "a square of a bound": (norm(x) <= R**2 * sqrt(n), [greatest(Abs(x[i]), i) <= R]),
}
TRUE_OF_ALL_SCALES = {
    "an effective dimension": (effective <= 1 / t, [trace(A) <= 1]),
    "a number above one": (effective <= 1 / sqrt(t), [trace(A) <= 1, t >= 1]),
    "a bounded vector": (norm(x) <= R * sqrt(n), [greatest(Abs(x[i]), i) <= R]),
    "a radius that is bounded": (total(x[i] ** 2, i) <= R, [norm(x) <= R, R <= 1]),
}


@pytest.mark.parametrize("name", WITH_POWERS)
def test_what_fails_as_values_shrink_while_a_world_is_repeated_is_refuted(name):
    relation, given = WITH_POWERS[name]
    claim = claim_of(relation, given=given)
    found = run(Task("k", claim, budget_named("quick"), 0))
    assert found.outcome == "refuted" and found.kind == "trend"
    document = seal(found.witness.as_json())
    assert "no constant serves" in str(confirm(document, {"k": claim}))
    scales = document["extra"]["scales"]
    assert scales
    for forged in ({}, {**scales, "A": "2"}, {name: "1" for name in scales}, {"nobody": "1"}):
        if forged != scales:
            with pytest.raises(WitnessError):
                other = {**document["extra"], "scales": forged}
                confirm(seal({**document, "extra": other}), {"k": claim})


@pytest.mark.parametrize("name", TRUE_OF_ALL_SCALES)
def test_no_scale_refutes_a_true_statement(name):
    relation, given = TRUE_OF_ALL_SCALES[name]
    claim = claim_of(relation, given=given)
    assert not any(growth(claim, "n", move, scales)
                   for move in MOVES for scales in scalings(claim, "n"))  # fmt: skip


def test_a_larger_side_that_is_negative_keeps_no_hypothesis():
    claim = claim_of(total(Abs(x[i]), i) <= norm(x), given=[-t <= -norm(x)])
    tenth = fmpq(1, 10)  # t >= norm(x) holds two and three times as long, not for ever
    assert growth(claim, "n", BLOCKS) is not None
    start = {"n": 2, "x": (tenth, tenth), "t": fmpq(1)}
    assert fails_without_end(claim, start, "n", BLOCKS) is None


def test_values_are_scaled_inside_their_domains_only():
    low, high = Fraction(-1), Fraction(1)
    above, share = parameter("above", Real(1, None)), parameter("share", Real(0, 1))
    under = world("under", Vector(n, None, share))
    claim = claim_of(norm(x) <= above + share + under[0] + t + norm(p))
    powers = {name: {power for scales in scalings(claim, "n") if {*scales} == {name}
                     for power in scales.values()} for name in claim.fields}  # fmt: skip
    assert {name for name, found in powers.items() if found} == {"x", "t", "above"}
    assert low in powers["t"] and high in powers["t"]
    assert min(powers["above"]) > 0
    alone = claim_of(norm(x) <= above + share)
    assert {power for scales in scalings(alone, "n") for name, power in scales.items()
            if name == "share"} == {low, low / 2, 2 * low}  # fmt: skip


UNORDERED = (
    total(eigenvalues(S)[i] * x[i], i), total(eigenvalues(S)[i] * B[i, i], i),
    greatest(eigenvalues(S)[i] - x[i], i), norm(table(eigenvalues(S)[i], i)),
    total(Abs(eigenvalues(S)[i]) * norm(row(B, i)), i),
)


@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize("expr", UNORDERED)
def test_eigenvalues_in_their_order_have_no_law_beside_other_entries(expr, move):
    # Of N blocks eigenvalues come as a, a, b, b, where the entries of a vector are x, y, x, y.
    claim = claim_of(expr <= t + n + trace(A + B) + norm(x))
    with pytest.raises(NoLaw):
        Laws(claim, "n", move).power(claim.statement.relation.lhs)


@pytest.mark.parametrize("relation", MORE)
def test_entries_and_ranks_are_outgrown(relation):
    found = run(Task("k", claim_of(relation), budget_named("quick"), 0))
    assert found.outcome == "refuted" and found.kind == "trend"


FALSE = {
    BLOCKS: claim_of(trace(A) <= frobenius_norm(A)),
    COPIES: claim_of(operator_norm(B) <= greatest(Abs(B[i, j]), i, j)),
    ZEROS: claim_of(largest_eigenvalue(A) <= trace(A) / n),
}


@pytest.mark.parametrize("move", MOVES)
def test_growth_refutes_and_its_witness_is_confirmed(move):
    claim = FALSE[move]
    found = run(Task("k", claim, budget_named("quick"), 0))
    assert found.outcome == "refuted" and found.kind == "trend" and found.witness is not None
    document = seal(found.witness.as_json())
    assert "no constant serves for every N" in str(confirm(document, {"k": claim}))
    other = {**document["extra"], "move": BLOCKS if move != BLOCKS else ZEROS}
    with pytest.raises(WitnessError, match=r"no law says|recorded"):
        confirm(seal({**document, "extra": other}), {"k": claim})


def test_what_grows_faster_than_powers_of_logarithms_is_refuted():
    for relation in (
        trace(A * (A + t * identity(n)) ** -1) <= log(1 + trace(A) / t),
        trace(A) <= (n**Rational(1, 3) * log(1 + n) + sqrt(log(n))) * (1 + operator_norm(A)),
        total(Abs(x[i]), i) <= Max(t, log(1 + norm(x))) * (1 + norm(x)),
    ):
        claim = claim_of(relation)
        found = run(Task("k", claim, budget_named("quick"), 0))
        assert (found.outcome, found.kind) == ("refuted", "trend"), (relation, found.detail)
        assert "but for logarithms" in found.detail
        assert confirm(seal(found.witness.as_json()), {"k": claim})


def test_what_logarithms_may_hide_is_no_law():
    assert not grows(n * norm(x) <= norm(x) * (n - log(1 + n)))
    assert not grows(n * norm(x) <= sqrt(n) * norm(x) * log(exp(n)))
    assert not grows(n * norm(x) <= n * norm(x) / log(1 + n))  # below the line
    assert not grows(n * norm(x) <= norm(x) * (log(1 + n) - n) ** 2 / n)
    assert not grows(norm(x) <= norm(x) * log(1 + n))
    assert not grows(n * norm(x) <= norm(x) * sqrt(log(1 + n) - 2))  # no value at first
    assert not grows(n * norm(x) <= norm(x) * sqrt(log(9 / n)))  # nor far out
    assert grows(n * norm(x) <= norm(x) * sqrt(log(9 + n)))
    claim = claim_of(trace(A) <= sqrt(log(trace(A))) + log(B[0, 0] + trace(A)))
    low = {"n": 1, "A": fmpq_mat(1, 1, [fmpq(1, 2)]), "B": fmpq_mat(1, 1, [0])}
    wide = {**low, "A": fmpq_mat(1, 1, [2])}
    less = {**wide, "B": fmpq_mat(1, 1, [-1])}
    assert growth(claim, "n", BLOCKS) is None  # an entry, which no blocks multiply
    claim = claim_of(trace(A) <= sqrt(log(trace(A))) + log(trace(B) + trace(A)))
    assert growth(claim, "n", BLOCKS)[0].slow
    seen = [fails_without_end(claim, each, "n", BLOCKS) for each in (low, less, wide)]
    assert seen[:2] == [None, None] and seen[2] is not None


def test_determinants_of_blocks_are_powers():
    for relation in (
        log(determinant(A + identity(n))) <= log(1 + trace(A)),
        log(determinant(A + identity(n))) <= operator_norm(A),
        n * determinant(A) ** (1 / n) <= operator_norm(A),
    ):
        found = run(Task("k", claim_of(relation), budget_named("quick"), 0))
        assert (found.outcome, found.kind) == ("refuted", "trend"), (relation, found.detail)
        assert confirm(seal(found.witness.as_json()), {"k": claim_of(relation)})
    assert not grows(log(determinant(A + identity(n))) <= n * log(1 + trace(A) / n))
    assert not grows(determinant(A) ** (1 / n) <= trace(A) / n)
    assert not grows(n * determinant(A) <= operator_norm(A))  # falls or grows by itself
    assert not grows(n * determinant(A) ** (1 / n**2) <= operator_norm(A))
    assert not grows(n * log(determinant(n * A)) <= trace(A))  # no power of N says how


ONE = {"n": 1, "A": fmpq_mat(1, 1, [1]), "x": (fmpq(1),), "t": fmpq(1)}


def grows(relation, *given, **domains):
    claim = claim_of(relation, given=list(given), domains=domains)
    return any(growth(claim, "n", move) for move in MOVES)


def test_true_statements_do_not_grow():
    assert not grows(trace(A) <= sqrt(n) * frobenius_norm(A))
    assert not grows(total(Abs(x[i]), i) <= sqrt(n) * norm(x))
    assert not grows(operator_norm(B) <= frobenius_norm(B))
    assert not grows(largest_eigenvalue(A) <= trace(A))


@pytest.mark.parametrize("relation", [
    inner(x, x) <= norm(transpose(x) * x) + log(n),
    norm(x) <= operator_norm(transpose(x)) + log(n),
    form(A, x) <= norm(transpose(x) * A * x) + log(n),
])  # fmt: skip
def test_a_row_is_no_matrix_of_blocks(relation):
    """Logarithms keep the larger side from a second look at two and three times the size."""
    assert not grows(relation)
    assert not grows(inner(x, x) <= t, operator_norm(transpose(x)) <= t)  # up to a size beyond that


@pytest.mark.parametrize("body", [exp(x[i] ** 2), 1 + x[i] ** 2, indicator(x[i] <= 0), x[i] ** 0])
def test_what_zeros_add_to_is_no_sum_that_stays(body):
    """Logarithms keep the larger side from a second look at two and three times the size."""
    claim = claim_of(n * norm(p) <= log(1 + n) + total(body, i))
    assert growth(claim, "n", ZEROS) is None
    with pytest.raises(NoLaw):
        Laws(claim, "n", ZEROS).power(total(body, i))


def test_what_ends_growth_is_seen():
    wide = total(Abs(x[i]), i) <= norm(x)
    assert grows(wide) and grows(wide, norm(x) <= 2 * norm(x)) and grows(wide, t <= 1)
    assert not grows(wide, n <= 10) and not grows(wide, norm(x) <= 1)
    assert not grows(wide, Eq(norm(x), 1)) and not grows(wide, norm(x) * t >= n)
    assert grows(wide, norm(x) * t <= n)  # goes on to hold: its larger side grows faster
    few, up = world("n", Integer(1, 20)), world("n", Integer(1, searched=3))
    for size, field in ((few, Vector(few)), (up, Increasing(up))):
        z, k = world("z", field), index("k", size)
        assert not grows(total(Abs(z[k]), k) <= norm(z))
    wide, far = world("wide", Matrix(up, 3)), world("far", Vector(up, 1, 2))
    assert not grows(frobenius_norm(wide) <= operator_norm(wide))
    k = index("k", up)
    assert not grows(greatest(far[k], k) <= norm(far) / sqrt(up))
    tall = world("tall", Vector(up, "low", None))
    low = world("low", Integer(1, searched=3))
    assert grows(total(tall[k], k) <= norm(tall) * low)


def test_a_wrong_law_is_not_believed(monkeypatch):
    claim = claim_of(trace(A) <= sqrt(n) * frobenius_norm(A))
    world_of = {name: ONE[name] for name in ("n", "A")}
    assert is_admissible(claim, world_of)
    wrong = {**rules.PRIMITIVES, "frobenius_norm": rules._gains(0, 0)}
    monkeypatch.setattr(rules, "PRIMITIVES", wrong)
    assert growth(claim, "n", BLOCKS)[0] == Growth(Fraction(1), Fraction(1, 2), False)
    assert fails_without_end(claim, world_of, "n", BLOCKS) is None


def test_a_sign_that_a_law_wants_is_looked_at():
    """The largest eigenvalue of -1 beside zeros is 0 and does not shrink with trace(A)/n."""
    claim = claim_of(-largest_eigenvalue(S) <= -largest_eigenvalue(S) / n)
    assert growth(claim, "n", ZEROS) is not None
    assert fails_without_end(claim, {"n": 1, "S": fmpq_mat(1, 1, [-1])}, "n", ZEROS) is None
    assert fails_without_end(claim, {"n": 1, "S": fmpq_mat(1, 1, [1])}, "n", ZEROS) is None


def test_nothing_grows_from_zero():
    claim = claim_of(total(Abs(x[i]), i) <= norm(x))
    assert fails_without_end(claim, {"n": 1, "x": (fmpq(1),)}, "n", BLOCKS) is not None
    assert fails_without_end(claim, {"n": 1, "x": (fmpq(0),)}, "n", BLOCKS) is None


def one_function(value, size=lambda size: size):
    """Families of one function on more and more points, or of a longer one each time."""
    return Family("N points", lambda number: {
        "n": size(number), "x": (value(number),) * size(number)}, doublings(1, 6))  # fmt: skip


def dependent(*families, depends=("x",)):
    statement = UpToConstant(norm(x) ** 2 <= 1, depends=depends)
    return Claim(PLACE, statement, families=families)


def test_one_function_seen_at_more_points_refutes_what_may_depend_on_it():
    found = run(Task("mine/it", dependent(one_function(lambda _: fmpq(1))), budget_named("quick")))
    assert found.outcome == "refuted" and found.witness.extra["move"] == BLOCKS
    document = seal(found.witness.as_json())
    claim = dependent(one_function(lambda _: fmpq(1)))
    assert "confirmed" in str(confirm(document, {"mine/it": claim}))


@pytest.mark.parametrize("family", [
    one_function(lambda size: fmpq(size)), one_function(lambda _: fmpq(1), lambda size: 2 * size),
    one_function(lambda size: fmpq(1 if size < 3 else 2)),
])
def test_other_families_show_no_function_at_more_points(family):
    world = {"n": 1, "x": (fmpq(1),)}
    claim = dependent(family)
    assert fails_without_end(claim, world, "n", BLOCKS, family) is None
    assert fails_without_end(claim, world, "n", BLOCKS) is None


@pytest.mark.parametrize("move", [COPIES, ZEROS])
def test_other_moves_are_no_function_at_more_points(move):
    claim = dependent(one_function(lambda _: fmpq(1)))
    assert growth(claim, "n", BLOCKS) and growth(claim, "n", move) is None
    assert growth(dependent(depends=("n", "x")), "n", BLOCKS) is None


def test_a_mean_over_signs_of_forms_has_a_law_where_blocks_have_one_row():
    xi = outcome("xi", Signs("xi", n))
    mean_root = average(sqrt(form(A, xi)), xi)
    claim = Claim(PLACE, UpToConstant(mean_root <= sqrt(operator_norm(A))))
    one, two = ({"n": size, "A": fmpq_mat(size, size, [int(i % (size + 1) == 0)
                for i in range(size**2)])} for size in (1, 2))  # fmt: skip
    assert fails_without_end(claim, one, "n", BLOCKS) == Growth(Fraction(1, 2), Fraction(0), False)
    assert fails_without_end(claim, two, "n", BLOCKS) is None
    assert growth(claim, "n", COPIES) is None
    true = Claim(PLACE, UpToConstant(mean_root <= sqrt(trace(A))))
    assert growth(true, "n", BLOCKS) is None
    other = average(Abs(inner(xi, y)), xi)
    assert growth(Claim(PLACE, UpToConstant(other <= greatest(Abs(y[i]), i))), "n", BLOCKS) is None
