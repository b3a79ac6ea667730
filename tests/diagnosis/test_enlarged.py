"""What mends a statement at small sizes is put to larger worlds."""

from types import SimpleNamespace

import sympy

from boundcheck import Claim, Holds, Source
from boundcheck.checks.base import budget_named
from boundcheck.diagnosis import enlarged
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.enlarged import fails_enlarged
from boundcheck.diagnosis.trial import Bench
from boundcheck.settings.scalar_laws import E, k, values

WORK = Source("Folklore", 1900, "Statements")
X = values()[k]


def stated(relation):
    return Claim(source=WORK.at("1"), statement=Holds(relation))


def failing(relation):
    found = SimpleNamespace(outcome="refuted", witness=None)
    return Case("a/b:c", stated(relation), found, Bench("a/b:c", budget_named("quick")))


def test_a_constant_that_serves_few_atoms_fails_for_many():
    case = failing(E(sympy.Abs(X)) * 2 <= sympy.sqrt(E(X**2)))
    assert not fails_enlarged(case, stated(E(sympy.Abs(X)) <= sympy.sqrt(E(X**2))))
    many = failing(E(X**2) <= E(sympy.Abs(X)) ** 2)
    assert fails_enlarged(many, stated(E(X**2) <= 30 * E(sympy.Abs(X)) ** 2))


def test_a_world_too_dear_for_one_change_is_not_looked_at_again(monkeypatch):
    case = failing(E(X**2) <= E(sympy.Abs(X)) ** 2)
    looks = []

    def dear(calls, work):
        looks.append(calls)

    monkeypatch.setattr(enlarged, "at_most", dear)
    assert not fails_enlarged(case, stated(E(X**2) <= 30 * E(sympy.Abs(X)) ** 2))
    first = len(looks)
    assert not fails_enlarged(case, stated(E(X**2) <= 31 * E(sympy.Abs(X)) ** 2))
    assert first == len(looks) == enlarged.DEAR + 1
