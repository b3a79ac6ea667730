"""Failing worlds that move along a law reach any part of a range."""

from dataclasses import replace
from types import SimpleNamespace

from flint import fmpq
from sympy import Rational, sqrt

from boundcheck import Claim, Holds, Source
from boundcheck.checks.base import budget_named
from boundcheck.claim import Rescaling
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.scales import fails_along, fails_scaled
from boundcheck.diagnosis.trial import Bench
from boundcheck.expressions import index, parameter, total, world
from boundcheck.worlds import Integer, Real, Vector, Weights

HERE = Source("Folklore", 1900, "Statements").at("1")
x, y, eps = (parameter(name, Real(0, None, searched=(0, 4))) for name in ("x", "y", "eps"))
a, b = (parameter(name, Real(0, None, open_low=True)) for name in "ab")
n = parameter("n", Integer(1, searched=6))
i = index("i", n)


def case_of(claim, **failing):
    found = SimpleNamespace(outcome="refuted", witness=None)
    case = Case("a/b:c", claim, found, Bench("a/b:c", budget_named("quick")))
    case._met = [failing]
    return case


def test_what_scales_fails_at_every_size_of_its_numbers():
    """x y <= x^2 + y^2 / 8 fails wherever y = 2 x, however small both are."""
    claim = Claim(HERE, Holds(x * y <= x**2 + y**2 / 8))
    case = case_of(claim, x=fmpq(1), y=fmpq(2))
    for part, fails in ((x <= Rational(1, 10**6), True), (x >= 10**6, True), (y <= x, False)):
        assert fails_scaled(case, replace(claim, given=(part,))) is fails


def test_arrays_scale_with_the_numbers_beside_them():
    """|v[0]| <= t |v[1]| fails for v = (2, 1), t = 1 and, v alone multiplied, nowhere else;
    |v[0]| <= t fails with all of them multiplied."""
    t, v = parameter("t", Real(0, None, searched=(0, 4))), world("v", Vector(2))
    found = SimpleNamespace(outcome="refuted", witness=None)
    for relation, fails in ((abs(v[0]) <= t, True), (abs(v[0]) <= t * abs(v[1]), False)):
        claim = Claim(HERE, Holds(relation))
        case = Case("a/b:c", claim, found, Bench("a/b:c", budget_named("quick")))
        case._met = [{"t": fmpq(1), "v": (fmpq(2), fmpq(1))}]
        assert fails_scaled(case, replace(claim, given=(t >= 10**6,))) is fails


def test_laws_stay_where_the_units_of_a_claim_move_the_rest():
    """sum p v <= t fails for p = (1/2, 1/2), v = (2, 1), t = 1, and for all v and t in proportion;
    the weights cannot be multiplied."""
    weights, v = world("p", Weights(n)), world("v", Vector(n), units={"value": 1})
    claim = Claim(HERE, Holds(total(weights[i] * v[i], i) <= x))
    case = case_of(claim, n=2, p=(fmpq(1, 2),) * 2, v=(fmpq(2), fmpq(1)), x=fmpq(1))
    assert fails_scaled(case, replace(claim, given=(x >= 10**6,)))


def test_rescalings_of_a_claim_are_taken_together():
    """x <= y with y <= 1.5 z fails at (2, 1, 1), and in proportion; x alone leaves a hypothesis."""
    z = parameter("z", Real(0, None, searched=(0, 4)))
    units = (Rescaling("x and y", {"x": 1, "y": 1}), Rescaling("z", {"z": 1}))
    weights = world("p", Weights(n))
    claim = Claim(HERE, Holds(x * weights[0] <= y), given=[y <= 2 * z, z <= 2 * y],
                  rescalings=units)  # fmt: skip
    case = case_of(claim, n=1, p=(fmpq(1),), x=fmpq(2), y=fmpq(1), z=fmpq(1))
    assert fails_scaled(case, replace(claim, given=(*claim.given, x >= 10**6)))


def test_failures_that_move_together_reach_any_size():
    claim = Claim(HERE, Holds(x <= a + b**2), given=[x <= a + b * sqrt(x)])
    case = case_of(claim, a=fmpq(2), b=fmpq(1), x=fmpq(4))
    far = a >= 10**9
    assert fails_along(case, replace(claim, given=[*claim.given, far]), "a", fmpq(10**9))
    held = Claim(HERE, Holds(x <= 10 * a), parameters=claim.parameters)
    case = case_of(held, a=fmpq(1), b=fmpq(1), x=fmpq(11))
    assert not fails_along(case, replace(held, given=[far, x <= 100]), "a", fmpq(10**9))


def test_failures_follow_a_number_towards_zero():
    """n eps^2 <= 1 + eps fails for n = 4, eps = 2/3, and near any eps > 0 for larger n."""
    claim = Claim(HERE, Holds(n * eps**2 <= 1 + eps))
    case = case_of(claim, n=4, eps=fmpq(2, 3))
    near = Rational(1, 10)
    assert fails_along(case, replace(claim, given=(eps <= near,)), "eps", fmpq(1, 10))
    held = (eps <= near, n <= 30)
    assert not fails_along(case, replace(claim, given=held), "eps", fmpq(1, 10))


def test_a_size_takes_equal_copies_with_it():
    """eps (v_1 + ... + v_n) <= 1 with v_i <= 1 fails for n = 2, and near any eps for larger n."""
    v = world("v", Vector(n, 0, 1))
    claim = Claim(HERE, Holds(eps * total(v[i], i) <= 1))
    case = case_of(claim, n=2, v=(fmpq(1), fmpq(1)), eps=fmpq(9, 10))
    part = replace(claim, given=(eps <= Rational(1, 10),))
    assert fails_along(case, part, "eps", fmpq(1, 10))
    far = replace(claim, given=(eps <= Rational(1, 10**6),))
    assert not fails_along(case, far, "eps", fmpq(1, 10**6))  # 10^6 copies are not made
