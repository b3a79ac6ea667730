"""The number that a bound should have had, found from worlds."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
import sympy
from sympy import Abs, log

from boundcheck import Claim, Expected, Holds, Source
from boundcheck.checks.base import budget_named
from boundcheck.diagnosis.asked import asked
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.screen import Candidate
from boundcheck.diagnosis.sharp import _plain, sharpened
from boundcheck.diagnosis.tighter import tighter_first
from boundcheck.diagnosis.trial import Bench
from boundcheck.expressions import frobenius_norm, inner, norm, outcome, parameter, world
from boundcheck.settings.matrices import square
from boundcheck.settings.scalar_laws import Var, k, largest, smallest, values
from boundcheck.worlds import Choice, Integer, Real, Signs, Vector

WORK = Source("Folklore", 1900, "Statements")
x = parameter("x", Real(None, None))
y = parameter("y", Real(0, None))
xs = values()
X = xs[k]
M, N = square("M"), square("N")
n = world("n", Integer(1, searched=4))
m, j = parameter("m", Integer(1, searched=12)), sympy.Symbol("j", integer=True)
a, xi = world("a", Vector(n)), outcome("xi", Signs("xi", n))
RANGE = largest(xs) - smallest(xs)


def failing(statement, *given):
    form = statement if isinstance(statement, Expected) else Holds(statement)
    claim = Claim(source=WORK.at("1"), statement=form, given=given)
    failed = SimpleNamespace(outcome="refuted", witness=None)
    return Case("a/b:c", claim, failed, Bench("a/b:c", budget_named("quick")))


def found(statement):
    return {item.words: item for item in sharpened(failing(statement))}


SHARP = {
    "a fraction": (Var(X) <= RANGE**2 / 5, "1/4 for 1/5"),
    "a plain number that worlds come near to": (log(1 + y) >= y - y**2 / 3, "1/2 for 1/3"),
    "a root on the left": (Expected(sympy.Rational(3, 4) * norm(a) <= Abs(inner(a, xi))),
                           "sqrt(2)/2 for 3/4"),
}  # fmt: skip


@pytest.mark.parametrize("name", SHARP)
def test_a_number_is_what_some_world_attains(name):
    statement, words = SHARP[name]
    items = found(statement)
    assert words in items and items[words].cost < 2.3
    assert items[words].kind == "constant"


def test_a_number_that_no_world_attains_is_only_near():
    items = found(sympy.Rational(27, 20) * y * sympy.exp(-y) <= sympy.Rational(1, 4))
    assert items["1/2 for 1/4"].cost > 2.3  # the least is 27/(20 e) = 0.497


def test_a_root_that_a_pair_of_matrices_attains_is_a_number():
    items = found(frobenius_norm(M * N - N * M) <= frobenius_norm(M) * frobenius_norm(N))
    assert {*items} == {"sqrt(2) for the factor 1"}


GROWING = {
    "no number": x**2 <= x**4 / 2 - 1,
    "no inequality": sympy.Eq(x**2, 2 * x, evaluate=False),
    "a bound that falls behind": y**2 <= 3 * y,
}  # fmt: skip


@pytest.mark.parametrize("name", GROWING)
def test_what_no_number_mends_has_none(name):
    assert not found(GROWING[name])


def test_a_number_that_makes_a_power_of_one_is_none():
    assert not found(2**m <= m**3 + 2)


def test_plain_numbers_come_before_those_that_are_only_near():
    quarter = sympy.Rational(1, 5)
    assert _plain(quarter, 1.25, 1.0) == sympy.Rational(1, 4)
    assert _plain(quarter, 1.2499, 1.0) == sympy.Rational(1, 4)
    assert _plain(sympy.S.One, 2**0.5, 1.0) == sympy.sqrt(2)
    assert _plain(sympy.Integer(4), 0.75, 1.0) == 3
    assert _plain(sympy.S.One, 13.7, 1.0) is None
    assert _plain(sympy.S.One, 4.9, 1.0) is None  # 7 sqrt(2)/2 is near, and not plain enough
    assert _plain(quarter, 1.25, 1.3) is None  # what has been refuted is not enough


def test_a_few_given_numbers_tell_no_number():
    few = parameter("few", Choice((2, 3, 5)))
    claim = Claim(WORK.at("1"), Holds(sympy.Rational(9, 10) ** few >= 1))
    failed = SimpleNamespace(outcome="refuted", witness=None)
    assert not list(sharpened(Case("a/b:c", claim, failed, Bench("a/b:c", budget_named("quick")))))


def test_a_number_that_makes_the_sides_multiples_of_one_another_says_nothing():
    delta = parameter("delta", Real(0, 1, open_low=True, open_high=True))
    assert "1 for 2" not in found(sympy.log(2 / delta) <= 2 * sympy.log(1 / delta))


L, eta = (parameter(name, Real(0, None, open_low=True)) for name in ("L", "eta"))


def test_a_hypothesis_asks_for_the_number_beyond_which_worlds_fail():
    """One step of gradient descent on L x^2 / 2, which grows from eta = 2 / L on."""
    (item,) = asked(failing((1 - eta * L) ** 2 <= 1, eta <= 3 / L))
    assert item.words == "the hypothesis eta <= 2/L" and item.kind == "constant"
    assert not list(asked(failing((1 - eta * L) ** 2 <= 1, eta <= 2 / L)))
    assert not list(asked(failing(eta * L <= -1, eta <= 3 / L)))


@pytest.mark.long
def test_a_short_number_that_is_only_near_comes_before_a_longer_one_that_says_less():
    """2 for 3/2 in sum of 1 / sqrt(k) <= 3/2 sqrt(n), which 2 n for n mends too."""
    case = failing(sympy.Sum(1 / sympy.sqrt(j), (j, 1, m)) <= sympy.Rational(3, 2) * sympy.sqrt(m))
    bounds = {"2 for 3/2": 2 * sympy.sqrt(m), "2*n for n": 3 * sympy.sqrt(2 * m) / 2}
    relation = case.claim.statement.relation
    claims = (replace(case.claim, statement=Holds(relation.lhs <= bound))
              for bound in bounds.values())  # fmt: skip
    near, longer = (Candidate(words, "constant", cost, claim, near=cost == 2.6)
                    for words, claim, cost in zip(bounds, claims, (2.6, 2.3), strict=True))
    assert [item.words for item in tighter_first(case, [longer, near])] == [*bounds]
