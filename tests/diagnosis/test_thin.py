"""What laws with ever less weight on an atom say of a factor."""

from types import SimpleNamespace

import pytest
from flint import fmpq
from sympy import Abs, exp, sqrt

from boundcheck import Claim, Holds, Source
from boundcheck.checks.base import budget_named
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.thin import fails_alone, thinned
from boundcheck.diagnosis.trial import Bench
from boundcheck.expressions import greatest, least, parameter
from boundcheck.setting import Setting
from boundcheck.settings.scalar_laws import (
    E,
    k,
    law,
    p,
    relative_entropy,
    total_variation,
    values,
)
from boundcheck.worlds import Real

WORK = Source("Folklore", 1900, "Divergences")
HALF = fmpq(1, 2)
q, r = law("q"), law("r")
POSITIVE = [least(q[k], k) > 0, least(r[k], k) > 0]
MIDDLE = relative_entropy(p, q) + relative_entropy(q, r)


@pytest.mark.parametrize(("relation", "least_factor", "most"), [
    (relative_entropy(p, r) <= MIDDLE, 100, 1000),
    (total_variation(p, r) <= (total_variation(p, q) + total_variation(q, r)) / 2, 0, 2),
])  # fmt: skip
def test_thin_atoms_tell_what_no_factor_bounds_from_what_one_does(relation, least_factor, most):
    claim = Claim(WORK.at("1"), Holds(relation), given=POSITIVE)
    start = {"K": 2, "p": (fmpq(1), fmpq(0)), "r": (HALF, HALF), "q": (fmpq(2, 3), fmpq(1, 3))}
    found = SimpleNamespace(outcome="refuted", witness=None)
    case = Case("a/b:c", claim, found, Bench("a/b:c", budget_named("quick")))
    case._met = [{name: start[name] for name in claim.fields}]
    factor, endless = thinned(case)
    assert least_factor <= factor <= most and endless == (least_factor > 0)
    for world in case.killers:
        assert not Setting(claim, world).misfit()
        assert Setting(claim, world).decide(relation) is False


def test_thin_atoms_keep_to_the_hypotheses():
    """Of laws a factor e^epsilon apart the divergence is at most epsilon^2 / 2."""
    epsilon = parameter("epsilon", Real(0, None, open_low=True))
    near = [greatest(p[k] / q[k], k) <= exp(epsilon), greatest(q[k] / p[k], k) <= exp(epsilon)]
    relation = relative_entropy(p, q) <= epsilon**2 / 4
    claim = Claim(WORK.at("1"), Holds(relation), given=[*POSITIVE[:1], least(p[k], k) > 0, *near])
    found = SimpleNamespace(outcome="refuted", witness=None)
    case = Case("a/b:c", claim, found, Bench("a/b:c", budget_named("quick")))
    start = {"K": 2, "p": (fmpq(5, 8), fmpq(3, 8)), "q": (fmpq(3, 8), fmpq(5, 8))}
    case._met = [{"epsilon": fmpq(13, 24), **start}]
    assert thinned(case)[0] <= 2


def test_without_laws_there_is_nothing_to_thin():
    case = SimpleNamespace(claim=SimpleNamespace(fields={}))
    assert thinned(case) == (0, False)


def test_a_variable_that_is_large_on_one_light_atom_refutes_moments():
    X = values()[k]
    half = E(sqrt(Abs(X))) ** 2
    claim = Claim(WORK.at("2"), Holds(E(Abs(X)) <= half))
    found = SimpleNamespace(outcome="refuted", witness=None)
    case = Case("a/b:c", claim, found, Bench("a/b:c", budget_named("quick")))
    case._met = [{"K": 2, "p": (HALF, HALF), "x": (fmpq(1), fmpq(0))}]
    assert fails_alone(case, Claim(WORK.at("2"), Holds(E(Abs(X)) <= 4 * half)))
    assert not fails_alone(case, Claim(WORK.at("2"), Holds(half <= E(Abs(X)))))
