"""Numbers next to the ends of their domains, where statements with logarithms fail."""

import pytest
from flint import fmpq, fmpq_mat
from sympy import exp, log

from boundcheck import Claim, Holds, Source, engine, verify
from boundcheck.errors import WitnessError
from boundcheck.expressions import index, operator_norm, parameter, total
from boundcheck.search.ends import OCTAVES, OF_MATRICES, ends, places
from boundcheck.search.enlarging import numbers
from boundcheck.settings.matrices import A
from boundcheck.worlds import Integer, Real

PLACE = Source("Nobody", 2000, "Ends").at("1")
anything, x = parameter("x", Real(None, None)), parameter("x", Real(-1, None, open_low=True))
share = parameter("q", Real(0, 1, open_low=True, open_high=True))
FAR = {
    "next to a hypothesis": (log(1 + anything) >= anything - 32 * anything**2, [anything > -1]),
    "next to a domain": (log(1 + x) >= x - 32 * x**2, []),
    "next to an upper end": (-log(1 - share) <= 40, []),
    "far out": (log(exp(x) + 2) <= 10**9, []),
}


@pytest.mark.parametrize("name", FAR)
def test_what_fails_next_to_an_end_only_is_refuted(name):
    relation, given = FAR[name]
    assert verify("a/b:c", Claim(PLACE, Holds(relation), given=given)).outcome == "refuted"


def test_ends_are_those_of_the_domain_and_of_linear_hypotheses():
    claim = Claim(PLACE, Holds(anything <= 5), given=[2 * anything < 3, 1 - anything <= 4])
    assert ends(claim, "x") == ([fmpq(-3)], [fmpq(3, 2)])
    inside = list(places(claim, "x", {}))
    assert all(-3 < place < fmpq(3, 2) for place in inside)
    assert min(inside) < -3 + fmpq(1, 2**500)


def test_beside_matrices_numbers_stay_short():
    claim = Claim(PLACE, Holds(operator_norm(A) <= x + 1))
    beside = {"d": 1, "A": fmpq_mat(1, 1, [1])}
    assert len(list(places(claim, "x", beside))) == 2 * OF_MATRICES < len(OCTAVES) * 2


def test_a_refutation_that_its_recheck_does_not_confirm_is_none(monkeypatch):
    def refuses(*args):
        raise WitnessError("not confirmed")

    claim = Claim(PLACE, Holds(x <= 5))
    assert verify("a/b:c", claim).outcome == "refuted"
    monkeypatch.setattr("boundcheck.witness.confirm_of", refuses)
    found = verify("a/b:c", claim)
    assert found.outcome == "undecided"
    assert any("its re-check says: not confirmed" in item.detail for item in found.evidence)
    assert engine.CERTIFIED == ("malformed", "refuted")


size, whole = parameter("n", Integer(1, searched=40)), parameter("k", Integer(1, searched=60))
level = parameter("y", Real(0, None))
FAR_INTEGERS = {
    "a logarithm": (log(size) <= level, [level >= 44]),
    "of a logarithm": (log(log(size + 2)) <= whole, [whole >= 5]),
    "below an exponential": (size <= 2**whole, [whole >= 60]),
}


@pytest.mark.parametrize("name", FAR_INTEGERS)
def test_integers_that_are_numbers_only_go_as_far_as_real_ones(name):
    relation, given = FAR_INTEGERS[name]
    assert verify("a/b:c", Claim(PLACE, Holds(relation), given=given)).outcome == "refuted"


def test_a_number_of_things_stays():
    claim = Claim(PLACE, Holds(operator_norm(A) <= size + total(1, index("i", whole))))
    assert numbers(claim) == ["n"]
