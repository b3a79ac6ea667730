"""A solver that gives up while its model is read costs the countermodel, not the check."""

import sympy
import z3

from boundcheck import Claim, Holds, Source
from boundcheck.checks.proofs import countermodel
from boundcheck.engine import verify
from boundcheck.worlds import Real

x = sympy.Symbol("x", real=True)


def test_a_model_that_cannot_be_read_is_none(monkeypatch):
    def ended(*_):
        raise z3.Z3Exception("canceled")

    monkeypatch.setattr(countermodel, "value_of", ended)
    claim = Claim(
        Source("Test", 2000, "Squares").at("1"), Holds(x**2 <= x), parameters={x: Real(0, 3)}
    )
    verdict = verify("mine/square:printed", claim, controls=False)
    assert verdict.outcome == "refuted" and verdict.fault is None


def test_alternatives_are_refuted_where_none_holds_and_never_proved():
    """No search in magnitudes meets a number that only one point of the line has."""
    place = Source("A", 2000, "T").at("here")
    domain = {x: Real(0, None)}
    split = sympy.Or(x < sympy.Rational(127, 31), x > sympy.Rational(127, 31))
    found = verify("k", Claim(place, Holds(split), parameters=domain))
    assert found.outcome == "refuted" and "127/31" in found.summary
    whole = sympy.Or(x < 3, x > 2, evaluate=False)
    assert verify("k", Claim(place, Holds(whole), parameters=domain)).outcome == "supported"
