"""Degenerate worlds from which growth begins."""

from flint import fmpq
from sympy import Max, Rational, symbols

from boundcheck import Claim, Source, UpToConstant, verify
from boundcheck.checks.base import Task, budget_named
from boundcheck.expressions import define, index, parameter, total, world
from boundcheck.search.beginnings import BASES, rebuilt, simple_worlds
from boundcheck.search.pushed_values import Push
from boundcheck.search.pushes import Motion, distinct, found
from boundcheck.worlds import Derived, Integer, Matrix, Real, Vector, Weights

PLACE = Source("A", 2000, "T").at("here")
K, n = world("K", Integer(1, searched=4)), world("n", Integer(1, searched=9))
p, v, k = world("p", Weights(K)), world("v", Vector(K)), index("k", K)
twice = world("twice", Derived(lambda p: tuple(2 * weight for weight in p)), rank=1, needs=(p,))
mean, size = define("mean", total(p[k] * v[k], k)), define("size", total(twice[k], k))


def beginnings(statement, given=()):
    claim = Claim(PLACE, UpToConstant(statement), given=list(given))
    return simple_worlds(Task("k", claim, budget_named("quick")))


def test_growth_begins_where_a_law_is_certain_and_where_a_function_is_nothing():
    worlds = beginnings(mean <= n * size)
    certain = [each for each in worlds if 1 in each["p"] and len(each["p"]) > 1]
    assert len(certain) == 1
    assert set(certain[0]["twice"]) == {0, 2}  # what is computed of the law follows
    assert any(not any(each["v"]) and each["n"] == 1 and 1 not in each["p"] for each in worlds)


def test_growth_begins_where_the_left_side_is_more_than_nothing():
    """Nine in ten worlds say nothing of the order of a bound; simpler numbers may not undo it."""
    x = parameter("x", Real(0, 1))
    worlds = beginnings(Max(10 * x - 9, 0) * mean**2 <= n * size)
    telling = [each for each in worlds if each["x"] > Rational(9, 10)]
    assert len(telling) >= BASES


def test_hypotheses_are_met_by_degenerate_worlds_or_they_are_left_out():
    worlds = beginnings(mean <= n * size, given=[total(p[k] ** 2, k) < 1, total(v[k] ** 2, k) > 0])
    assert worlds and all(1 not in each["p"] and any(each["v"]) for each in worlds)


def test_growth_begins_at_matrices_of_constant_rows_with_numbers_at_their_ends():
    A, b = world("A", Matrix(K, 3)), index("b", 3)
    slope = parameter("slope", Real(0, None))
    worlds = beginnings(total(A[k, b], k, b) <= slope)
    level = [each for each in worlds if each["slope"] == 0]
    assert any(
        all(each["A"][i, 0] == each["A"][i, j] for i in range(each["K"]) for j in range(3))
        for each in level
    )  # fmt: skip


def test_computed_values_are_made_anew():
    fields = {"p": Weights(2), "twice": Derived(lambda p: 2 * p[0])}
    assert rebuilt(fields, {"p": (fmpq(1, 4), fmpq(3, 4)), "twice": 7})["twice"] == fmpq(1, 2)


def test_of_the_same_motion_the_world_with_fewest_outcomes_is_followed():
    """The first row of a rank goes on as a family; others in the same words do not take its
    place, however often the search is run."""
    grows = Motion(((Push("n", "n grows as {power}", lambda value, power: value * power), 1),))
    rows = [(0.5, grows, {"n": place}) for place in range(4)]
    assert distinct(rows) == rows[:1]
    x = symbols("x", real=True)
    task = Task("k", Claim(PLACE, UpToConstant(x * x <= x), parameters={x: Real(0, None)}),
                budget_named("quick"))  # fmt: skip
    assert [family.name for family in found(task).families] == ["x grows as N"]


def test_a_left_side_that_is_never_positive_needs_no_constant():
    """The root of the least constant seen, -1, was a complex number."""
    found = verify("a/b:c", Claim(PLACE, UpToConstant(-n <= 1)))
    assert found.outcome == "proved" and not any(item.fault for item in found.evidence)
