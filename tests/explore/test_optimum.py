"""Certificates of plans: bounds below every admissible cost, near the best one."""

import itertools
import math

import mpmath
import numpy
import pytest
import sympy
from flint import fmpq
from mpmath import iv
from sympy import sqrt, symbols

from boundcheck import Claim, Holds
from boundcheck.explore import plan
from boundcheck.explore.enclosure import certainly_fails, enclosure, ends
from boundcheck.explore.optimum import Minimum
from boundcheck.explore.ranges import Range
from boundcheck.explore.stationary import stationary
from boundcheck.worlds import Integer, Real, Space, Vector

from .conftest import PLACE

x, y, n, M, lam, eps, risk, top = symbols("x y n M lambda epsilon risk top", real=True)
POSITIVE = Range(low=fmpq(0), open_low=True)
COUNT = Range(low=fmpq(1), whole=True)


@pytest.mark.parametrize("text", [
    "x**2/y - x*y", "sqrt(x)*log(y)", "Max(x, 1/y)*Min(x, y)", "exp(-x)*y**3", "x**y",
    "(x - y)**2", "Abs(x - 2*y)**Rational(-1, 3)", "floor(x) + ceiling(y)", "y**Rational(-3, 2)*pi",
    "Piecewise((x, x < 1), (y, True))",
])  # fmt: skip
def test_every_value_lies_in_the_enclosure(text):
    expr = sympy.sympify(text, locals={"x": x, "y": y})
    rng = numpy.random.default_rng(len(text))
    for _ in range(20):
        low = [float(v) for v in rng.uniform(0.1, 3, 2)]
        high = [a + float(w) for a, w in zip(low, rng.exponential(1, 2), strict=True)]
        box = {k: iv.mpf([a, b]) for k, a, b in zip("xy", low, high, strict=True)}
        start, end = ends(enclosure(expr, box))
        for _ in range(5):
            at = [a + float(rng.uniform()) * (b - a) for a, b in zip(low, high, strict=True)]
            value = mpmath.mpf(str(expr.subs({x: at[0], y: at[1]}).evalf(20)))
            # Twenty digits are far finer than 1e-12; a wrong branch is off by far more.
            assert start - 1e-12 * abs(value) <= value <= end + 1e-12 * abs(value)


def test_unbounded_boxes_and_unknown_names():
    far = {"x": iv.mpf([1, mpmath.inf]), "y": iv.mpf([0, 1])}
    assert ends(enclosure(1 / y + x, far)) == (2, mpmath.inf)
    assert ends(enclosure(x * y, far))[0] == 0
    assert certainly_fails(1 / x > 1, far) and not certainly_fails(x <= lam, far)
    assert not certainly_fails(sympy.gamma(x) < 0, far)


def test_a_negative_base_has_powers_with_a_whole_exponent():
    """(-5)^1 was taken to have no value, and so to meet nothing."""
    box = {"x": iv.mpf([2, 6]), "n": iv.mpf([1, mpmath.inf])}
    assert not certainly_fails((1 - x) ** n <= -4, {**box, "x": iv.mpf([0, 6])})
    assert not certainly_fails((1 - x) ** n <= -4, box)


def ridge_minimum(best, start="1/20"):
    """lambda + 1 / (lambda sqrt n) <= 1/10 has its least n, 160000, at lambda = 1/20."""
    return Minimum(
        [lam + 1 / (lam * sqrt(n)) <= sympy.Rational(1, 10)], n, {"lambda": POSITIVE},
        {"n": COUNT}, fmpq(best), {"lambda": fmpq(*map(int, start.split("/")))}, work=15_000,
    )  # fmt: skip


def test_the_optimum_is_certified():
    found = ridge_minimum(160_000).certified()
    assert 1 <= found.factor < 1.1 and 160_000 / 1.1 < found.least <= 160_000
    assert "cheaper by more than a factor" in str(found)


def test_a_dear_plan_is_not_certified_as_cheap():
    found = ridge_minimum(320_000, "1/50").certified()
    assert found.least <= 160_000 and found.factor >= 2


def test_no_admissible_values_of_two_sizes_cost_less():
    conditions = [M >= 3 / lam, n * lam**2 >= 4, lam <= 2, M + n >= 7]
    found = Minimum(conditions, M * n, {"lambda": POSITIVE}, {"M": COUNT, "n": COUNT},
                    fmpq(10), {"lambda": fmpq(3, 2)}, work=15_000).certified()  # fmt: skip
    cheapest = min(
        a * b for a, b in itertools.product(range(1, 30), repeat=2)
        if any(a >= 3 / r and b * r * r >= 4 and a + b >= 7 for r in numpy.linspace(0.05, 2, 400))
    )  # fmt: skip
    assert found.least <= cheapest <= 10 and found.least > cheapest / 2


def test_a_plan_says_how_much_cheaper_anything_can_be():
    claim = Claim(
        source=PLACE, statement=Holds(risk <= eps), given=[lam + 1 / (lam * sqrt(n)) <= eps],
        parameters={n: Integer(1, searched=9), lam: Real(0, None, open_low=True),
                    eps: Real(0, None, open_low=True), risk: Real(0, None)},
    )  # fmt: skip
    found = plan({"a:printed": claim}, given={"epsilon": "0.1"})
    assert found.optimum.factor < 1.05 and "optimum  nothing admissible is" in str(found)
    assert found.as_json()["optimum"]["factor"] == found.optimum.factor
    assert found.formulas["lambda"] == n ** sympy.Rational(-1, 4)
    assert float(found.chosen["lambda"]) == pytest.approx(160_000**-0.25, rel=1e-3)


def test_what_has_no_formula_is_left_out_and_named():
    claim = Claim(
        source=PLACE, statement=Holds(risk <= eps), given=[n >= top * lam, n >= 7, lam >= 1],
        parameters={n: Integer(1, searched=9), lam: Real(0, None), eps: Real(0, None),
                    risk: Real(0, None)},
        worlds=Space(phi=Vector(2)),
        measure={top: lambda lambda_, phi: abs(phi[0]) + lambda_ if lambda_ > 3 else 2},
    )  # fmt: skip
    found = plan({"a:printed": claim}, minimise="n", given={"phi": (1, 2)})
    assert found.sizes["n"] == 7 and found.optimum.factor == 1


def test_stationary_points_are_where_the_derivative_vanishes():
    relation = 3 * lam**2 * eps + risk / (lam * sqrt(n)) <= top
    found = stationary(relation, lam)
    values = {eps: 2, risk: 5, n: 7}
    slope = sympy.diff(relation.lhs, lam).subs(values).subs(lam, found.subs(values))
    assert abs(float(slope)) < 1e-9
    assert stationary(lam + lam**2 <= top, lam) is None
    assert stationary(sympy.exp(lam) + 1 / lam <= top, lam) is None
    assert not math.isnan(float(found.subs(values)))


def test_a_size_is_not_raised_for_ever(monkeypatch):
    # Each slice of an endless range fails, while nothing is certain of the whole.
    asked = []

    def fails(self, name, box):
        asked.append(box[name])
        assert len(asked) < 20_000
        return box[name][1] < mpmath.inf

    monkeypatch.setattr(Minimum, "_fails", fails)
    made = ridge_minimum(160_000)
    assert made._galloped("n", {"n": (mpmath.mpf(1), mpmath.inf)}) < mpmath.inf
    assert len(asked) < 200


def test_a_size_with_no_whole_number_left_is_no_plan_of_a_box():
    # m >= log(10) / lambda and n >= 100 / lambda with lambda <= 1: m = 3, n = 100 at lambda = 1.
    m, R, delta = symbols("m R delta", real=True)
    free = {s: Real(0, None, open_low=True) for s in (lam, eps, R)}
    features = Claim(
        source=PLACE, statement=Holds(sympy.exp(-m * lam) <= delta),
        given=[m >= sympy.log(1 / delta) / lam],
        parameters={m: Integer(1, searched=100), lam: free[lam],
                    delta: Real(0, 1, open_low=True, open_high=True)},
    )  # fmt: skip
    ridge = Claim(
        source=PLACE, statement=Holds(R / sqrt(n * lam) <= eps),
        given=[lam * n * eps**2 >= R**2, lam <= R**2],
        parameters={n: Integer(1, searched=100), **free},
    )  # fmt: skip
    claims = {"a:features": features, "a:ridge": ridge}
    found = plan(claims, minimise="m*n", given={"epsilon": "0.1", "delta": "0.1", "R": 1})
    assert (found.sizes["m"], found.sizes["n"]) == (3, 100) and found.optimum.factor == 1


def signed(conditions=(), given=None, minimise="M - n", **fields):
    claim = Claim(
        source=PLACE, statement=Holds(x <= 1), given=list(conditions),
        parameters={M: Integer(1, None, searched=50), n: Integer(1, None, searched=50),
                    x: Real(0, 1), **fields},
    )  # fmt: skip
    return plan({"a/b:c": claim}, minimise=minimise, given=given)


def test_a_cost_of_either_sign_is_compared_linearly():
    # M >= n^2 / 4 and n <= 10: M - n is least, -1, at n = 2 (M = 1) or n = 3 and 4 less than that:
    # ceil(9/4) - 3 = 0 and 4 - 4 = 0.
    found = signed([M >= n**2 / 4, n <= 10])
    assert (found.cost_value, found.sizes["M"], found.chosen["n"]) == (-1, 1, 2)
    assert found.optimum.least <= -1 and found.optimum.factor in (1, math.inf)
    assert "not certified" not in str(found.optimum)


def test_how_much_less_a_signed_cost_may_be_is_told():
    # lambda - 5 + 1 / (lambda sqrt n) at n = 10^4 is least at lambda = 1/10: -4.8.
    found = Minimum(
        [], lam - 5 + 1 / (100 * lam), {"lambda": POSITIVE}, {}, fmpq(-47, 10),
        {"lambda": fmpq(1, 5)}, work=15_000,
    ).certified()  # fmt: skip
    assert -4.9 <= found.least <= -4.8 and 0.1 <= found.gap < 0.2
    assert "costs less by more than 0.1" in str(found)


def test_a_cost_that_falls_without_end_has_no_best_value():
    found = signed([M >= 2], minimise="M - n")
    assert found.ends == {"n": "larger"} and found.sizes == {"M": 2}
    assert "not certified" in str(found.optimum)


def test_a_slack_beyond_floats_is_told_as_a_power_of_ten():
    claim = Claim(source=PLACE, statement=Holds(x <= 1), given=[M >= 2, sympy.exp(-1000 * M) <= 1],
                  parameters={M: Integer(1, None, searched=50), x: Real(0, 1)})  # fmt: skip
    found = plan({"a/b:c": claim}, given={"M": 2}, minimise="M", rates=False)
    far = [step for step in found.steps if step.relation.has(sympy.exp)]
    # exp(2000) is 10^868.6.
    assert [(step.shown, step.power) for step in far] == [("10^868", 868)]
    assert "inf" not in str(found) and "inf" not in str(found.as_json()).lower()
