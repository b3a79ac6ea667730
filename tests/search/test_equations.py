"""Worlds are moved onto the equations among the hypotheses, in numbers that are not special."""

from dataclasses import replace

import numpy
import pytest
from flint import fmpq, fmpq_mat, fmpq_poly
from sympy import Eq, Symbol

from boundcheck import Claim, Holds, Source
from boundcheck.engine import verify
from boundcheck.errors import Broken
from boundcheck.expressions import frobenius_norm, inner, norm, parameter, trace
from boundcheck.search.admissible import Candidates
from boundcheck.search.rational import polynomial_through, rational_roots, solutions
from boundcheck.settings.matrices import semidefinite, square, symmetric, u
from boundcheck.settings.scalar_laws import Cov, E, Var, k, median, values
from boundcheck.verdict import Evidence, conclude
from boundcheck.worlds import Increasing, Matrix, Real, Space, Tuples

PLACE = Source("Test", 2026, "Equations").at("here")
x, y = values(), values(name="y")
X, Y = x[k], y[k]
A, B, P, S = symmetric("A"), symmetric("B"), square("P"), semidefinite("S")
s, t = (parameter(name, Real(1, None, open_low=True)) for name in "st")
SKEW = E((X - E(X)) ** 3)


def claim(relation, *given):
    return Claim(PLACE, Holds(relation), given=given)


def found(tested, count=200):
    candidates, rng = Candidates(tested), numpy.random.default_rng(0)
    drawn = [candidates.random(rng) for _ in range(count)]
    return [world for world in drawn if world is not None and world.solved], candidates


@pytest.mark.parametrize(("equations", "least"), [
    ([Eq(E(X), 0)], 60),
    ([Eq(Cov(X, Y), 0)], 60),
    ([Eq(E(X**2), 1)], 60),
    ([Eq(E(X**2), 1), Eq(E(X), 0)], 20),
    ([Eq(SKEW, 0)], 12),
    ([SKEW >= 0, SKEW <= 0], 12),
    ([Eq(inner(u, u), 1)], 60),
    ([Eq(norm(u), 1)], 60),
    ([Eq(A * B, B * A)], 40),
    ([Eq(trace(S), 1)], 60),
    ([Eq(frobenius_norm(A), 1)], 60),
    ([Eq(1 / s + 1 / t, 1)], 60),
], ids=str)  # fmt: skip
def test_random_worlds_are_moved_onto_equations(equations, least):
    worlds, candidates = found(claim(E(X) ** 2 <= E(X**2), *equations))
    assert len(worlds) >= least and candidates.equations.missed >= len(worlds)
    for world in worlds:
        assert world.setting.failed_hypothesis() is None
        again = candidates.decode(world.vector)
        assert again is not None and again.setting.values == world.setting.values


def test_what_holds_of_symmetric_laws_only_is_refuted():
    verdict = verify("a/b:c", claim(median(x) <= E(X), SKEW >= 0, Eq(SKEW, 0)))
    assert verdict.outcome == "refuted" and verdict.kind == "exact"


def test_what_follows_from_an_equation_is_still_refuted_when_it_is_too_much():
    held = Eq(Cov(X, Y), 0)
    assert verify("a/b:c", claim(Eq(Var(X + Y), Var(X) + Var(Y)), held)).outcome == "proved"
    assert verify("a/b:c", claim(E(X**2 * Y**2) <= E(X**2) * E(Y**2), held)).outcome == "refuted"


def test_an_equation_that_nothing_solves_is_said_and_keeps_a_claim_from_support(monkeypatch):
    tested = claim(median(x) <= E(X), Eq(SKEW, 0))
    monkeypatch.setattr("boundcheck.search.equations.Equations._moved", lambda *_: iter(()))
    verdict = verify("a/b:c", tested)
    assert verdict.outcome == "undecided" and "by chance" in verdict.summary


def test_a_definition_is_not_to_blame_where_it_is_asked_beyond_its_domain():
    """Places of a law that coincide have no slope; it is a quantity with a hypothesis of its own
    that asks for it there."""

    def slopes(places, heights):
        (first, second), row = places[0], heights.tolist()[0]
        return (row[1] - row[0]) / (second - first)

    slope = Symbol("slope", real=True)
    tested = Claim(PLACE, Holds(slope <= 1), given=[Eq(slope, 0)],
                   worlds=Space(places=Tuples(1, Increasing(2)), heights=Matrix(1, 2)),
                   measure={slope: slopes})  # fmt: skip
    candidates, flat = Candidates(tested), fmpq_mat(1, 2, [0, 0])
    assert candidates.from_values({"places": ((fmpq(1), fmpq(1)),), "heights": flat}) is None
    assert candidates.from_values({"places": ((fmpq(1), fmpq(2)),), "heights": flat}) is not None

    def broken(places, heights):
        raise ZeroDivisionError

    defect = Candidates(replace(tested, measure={slope: broken}))
    with pytest.raises(Broken, match="ZeroDivisionError"):
        defect.from_values({"places": ((fmpq(1), fmpq(2)),), "heights": flat})


def test_a_few_worlds_on_an_equation_are_not_enough():
    def concluded(solved):
        numbers = {"tested": 500, "equations": {"Eq(m, 0)": solved}}
        return conclude("a/b:c", [Evidence("enumeration", "supported", "", numbers=numbers)], 0.0)

    assert concluded(8).outcome == "supported"
    assert concluded(7).outcome == "undecided" and "Eq(m, 0)" in concluded(7).summary


def test_what_every_world_meets_is_no_equation_to_solve():
    tested = claim(E(X) ** 2 <= E(X**2), Eq(Var(X), E((X - E(X)) ** 2)))
    worlds, candidates = found(tested, 40)
    assert not worlds and not candidates.equations.missed


def test_steps_of_a_linear_system_solve_it():
    rows, asked = [[fmpq(1), fmpq(2), fmpq(0)], [fmpq(2), fmpq(4), fmpq(0)]], [fmpq(3), fmpq(6)]
    steps = list(solutions(rows, asked))
    assert steps[0] == [fmpq(3, 5), fmpq(6, 5), 0] and [3, 0, 0] in steps
    assert not list(solutions(rows, [fmpq(3), fmpq(5)]))


def test_a_polynomial_is_told_once_one_value_more_fits():
    cubic = fmpq_poly([1, 0, -2, 3])
    points = [cubic(fmpq(step)) for step in range(6)]
    assert polynomial_through(points[:4]) is None and polynomial_through(points[:5]) == cubic
    assert rational_roots(fmpq_poly([0, -1, 0, 4])) == [0, fmpq(-1, 2), fmpq(1, 2)]
