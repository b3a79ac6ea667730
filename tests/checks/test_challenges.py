"""Mutants of the checks that do not search: what each must notice, and what tells that it does."""

from dataclasses import replace

import pytest
import sympy
from flint import fmpq
from sympy import And, Implies, log, symbols

from boundcheck import Claim, Holds, Source
from boundcheck.checks import challenges, definedness, invariance
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.checks.challenges import BELOW, DIVISOR, LOGARITHM, OPPOSITE, UNIT
from boundcheck.claim import Rescaling, UpToConstant
from boundcheck.engine import verify
from boundcheck.verdict import Evidence
from boundcheck.worlds import Integer, Real, Space, Vector, Weights

PLACE = Source("Test", 2026, "Challenges").at("here")
norm, mean, x, y = symbols("norm mean x y", real=True)
BY_S = Rescaling("features by s", {"v": 1})


def square(v):
    return sum((entry**2 for entry in v), fmpq(0))


def average(v, rho):
    return sum((a * b for a, b in zip(v, rho, strict=True)), fmpq(0))


def homogeneous(statement=None, **fields):
    return Claim(
        source=PLACE, statement=statement or Holds(mean**2 <= norm), rescalings=(BY_S,),
        worlds=Space(n=Integer(1, searched=3), v=Vector("n"), rho=Weights("n")),
        measure={norm: square, mean: average}, **fields,
    )  # fmt: skip


def numbers(relation, *given):
    return Claim(source=PLACE, statement=Holds(relation), given=given,
                 parameters={x: Real(0, None), y: Real(0, None)})  # fmt: skip


def rows(claim, check, slacks=(None,), constant=1):
    given = {"slacks": list(slacks), "constant": constant}
    return challenges.rows(Task("a/b:c", claim, BUDGETS["quick"]), check, given)


def told(found):
    return [(row["mutant"], row["part"], row["caught"], row["owed"]) for row in found]


def test_every_comparison_without_a_value_is_found():
    found = rows(numbers(And(x <= x + y, log(1 + x) <= x, evaluate=False)), definedness.NAME)
    assert told(found) == [(name, part, True, True) for part in (0, 1)
                           for name in (DIVISOR, LOGARITHM)]  # fmt: skip


def test_a_comparison_whose_premise_never_holds_is_a_survivor():
    claim = numbers(Implies(x < 0, x <= y))
    assert told(rows(claim, definedness.NAME)) == [
        (DIVISOR, 0, False, True), (LOGARITHM, 0, False, True)]  # fmt: skip


def test_a_check_of_definedness_that_sees_nothing_is_told(monkeypatch):
    monkeypatch.setattr(definedness, "why_undefined", lambda *_: "")
    assert not any(row["caught"] for row in rows(numbers(x <= x + y), definedness.NAME))


@pytest.mark.parametrize("wrapped", [Holds, UpToConstant])
def test_a_lost_unit_is_found_on_the_orbit(wrapped):
    claim = homogeneous(wrapped(mean**2 <= norm))
    assert told(rows(claim, invariance.NAME)) == [(UNIT, 0, True, True)]


def test_an_invariance_check_that_does_not_move_is_told(monkeypatch):
    monkeypatch.setattr(invariance, "rescaled", lambda setting, *_: setting)
    ((name, _, caught, owed),) = told(rows(homogeneous(), invariance.NAME))
    assert (name, caught, owed) == (UNIT, False, True)


def test_a_unit_that_mends_the_sides_is_noticed_too():
    """The sides of 1 <= 2/x change unlike; with a number of the unit of x they would not."""
    claim = replace(numbers(1 <= 2 / x, x > 0, x <= 2), rescalings=(Rescaling("x by s", {"x": 1}),))
    assert told(rows(claim, invariance.NAME)) == [(UNIT, 0, True, True)]


def test_a_unit_that_no_world_can_tell_is_not_owed():
    assert told(rows(homogeneous(Holds(0 * mean <= norm)), invariance.NAME)) == []
    silent = homogeneous(Holds(mean - mean**2 / mean <= norm), given=[norm > 0])
    held = homogeneous(given=[sympy.Eq(norm, 1)])  # every change of scale leaves the hypothesis
    assert not any(row["owed"] for claim in (silent, held) for row in rows(claim, invariance.NAME))


def test_what_was_proved_has_no_proof_of_its_opposite_nor_of_less_than_a_world_attains():
    found = rows(numbers(x * y <= (x**2 + y**2) / 2), "proof", [1.0])
    assert told(found) == [(OPPOSITE, 0, True, True), (BELOW, 0, True, True)]


def test_a_prover_that_proves_anything_is_told():
    found = rows(numbers(x <= y, x > 1, x < 1), "proof", [1.0])  # of no value at all
    assert [(row["caught"], row["owed"]) for row in found] == [(False, True), (False, True)]


def test_nothing_is_asked_of_the_prover_where_it_proved_nothing():
    assert rows(numbers(x <= x + y), "proof", constant=None) == []


def test_rows_stand_with_the_other_mutants_of_a_claim():
    found = verify("a/b:c", numbers(x * y <= (x**2 + y**2) / 2))
    kinds = [row["mutant"] for item in found.evidence for row in item.numbers.get("mutants", [])]
    assert found.outcome == "proved" and {DIVISOR, LOGARITHM, OPPOSITE, BELOW} <= set(kinds)
    assert found.parts[0]["control"] is True and found.parts[0]["slack"] == 1.0


def test_a_check_that_fails_on_its_mutants_is_a_fault_of_the_claim(monkeypatch):
    def failing(*_):
        raise RuntimeError("no such thing")

    monkeypatch.setattr(challenges, "rows", failing)
    assert verify("a/b:c", numbers(x <= x + y)).fault is not None


def test_what_other_checks_notice_supports_no_claim(monkeypatch):
    """A comparison that no search refutes when reversed stays undecided."""
    monkeypatch.setattr("boundcheck.checks.controls._searched", lambda *_: Evidence("", None, ""))
    claim = homogeneous()
    assert verify("a/b:c", claim).outcome == "undecided"
