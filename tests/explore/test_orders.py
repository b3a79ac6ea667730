"""Orders changed by a power or a hypothesis, where the families of a statement show nothing."""

import math
from types import SimpleNamespace

import pytest
import sympy
from flint import fmpq
from sympy import symbols

from boundcheck import Claim
from boundcheck.checks.base import budget_named
from boundcheck.claim import UpToConstant
from boundcheck.diagnosis.trial import Bench
from boundcheck.explore import sharpen
from boundcheck.explore.halving import GLANCE, judged
from boundcheck.explore.orders import OCTAVES, curves, followed, settles
from boundcheck.library import load_library
from boundcheck.search.beginnings import simple_worlds
from boundcheck.verdict import Verdict
from boundcheck.worlds import Family, Integer, Real, doublings

from .conftest import PLACE

t, n, rho = symbols("t n rho", real=True)
SIZES = {t: Integer(1, searched=100), n: Integer(1, searched=100)}


def order(relation, given):
    return Claim(
        PLACE, UpToConstant(relation), given=given,
        parameters={**SIZES, rho: Real(1, None, searched=(1, 100))},
        families=(Family("n grows", lambda size: {"t": 1, "n": size, "rho": 1}, doublings(1, 8)),),
    )  # fmt: skip


def test_a_hypothesis_that_every_family_obeys_is_needed():
    found = sharpen(order(t <= n, [t <= n]), kinds=("exponent", "hypothesis"))
    assert found.needed == (t <= n,) and not found.superfluous


def test_an_exponent_that_every_family_leaves_alone_is_not_sharpened():
    # Along the family rho is 1, whose powers are all alike.
    claim = order(rho * t <= rho * n, [t <= n])
    bracket = next(b for b in sharpen(claim).brackets if b.knob.beside == rho)
    assert not bracket.sharper and bracket.lower < 1


@pytest.mark.parametrize(("key", "fails"), [
    # n^(1/6) overtakes log(n)^2 beyond 10^25 only.
    pytest.param("wang2019/intro_bound:repaired", "1/sqrt(n)", marks=pytest.mark.long),
    ("yashima2021/complexity:printed", "n"),
])  # fmt: skip
def test_no_exponent_of_the_library_is_called_sharper_by_its_families(key, fails):
    found = sharpen(load_library(None, [key])[key], label=key, kinds=("exponent", "hypothesis"))
    assert not any(b.sharper for b in found.brackets) and not found.superfluous
    assert all(b.lower is not None for b in found.brackets if str(b.knob.beside) == fails)


def test_orders_of_draws_are_supported_along_their_families_alone():
    key = "wu2021/theorem_4_3:repaired_rate"
    claim = load_library(None, [key])[key]
    work = SimpleNamespace(bench=Bench(key, budget_named("quick")))
    stood = Verdict(key, "supported", "", None, 0.0, None, False, None, (), 0.0)
    shares = []
    work.judged = lambda claim, purpose, share: shares.append(share) or stood
    assert "families alone" in judged(work, claim, "exponent").doubt
    assert shares == [GLANCE]  # nothing that stands would be called supported


def bases(key):
    claim = load_library(None, [key])[key]
    return claim, simple_worlds(Bench(key, budget_named("quick")).task(claim, "curves"))[:3]


@pytest.mark.parametrize("key", [
    "wang2019/intro_bound:repaired", "yashima2021/complexity:comparison", "wang2019/cost:repaired",
    "yashima2021/gamma_trade_off:arxiv",  # whose constant may depend on numbers that would move
    "livni2017/theorem_1:part_2",
])  # fmt: skip
def test_statements_that_stand_do_along_every_curve(key):
    claim, worlds = bases(key)
    found = followed(claim, worlds)
    assert found.rising is None and found.tried > 5


def test_what_is_refuted_rises_along_some_curve():
    claim, worlds = bases("wang2019/intro_bound:printed")
    assert "n = " in followed(claim, worlds).rising.words


def test_curves_go_to_every_end_and_along_logarithms():
    delta = sympy.Symbol("delta", real=True)
    claim = Claim(PLACE, UpToConstant(n <= t), parameters={
        n: Integer(1, None, searched=9), delta: Real(0, 1, open_low=True, open_high=True),
        t: Real(None, None),
    })  # fmt: skip
    base = {"n": 2, "delta": fmpq(1, 2), "t": 3}
    told = {curve.words for curve in curves(claim, [base])}
    assert {"n = t", "delta = t^-1", "delta = 1 - t^-1", "t = t^-1"} <= told
    assert "delta = t^-1, n = log t" in told and "n = t, t = t^2" in told


def test_what_settles_is_told_from_what_grows_slowly():
    assert settles([1 / k for k in OCTAVES]) and settles([-float("inf")] * len(OCTAVES))
    assert not settles([k / 1000 for k in OCTAVES])
    assert not settles([math.log(math.log(k)) for k in OCTAVES])


def test_what_no_curve_moves_is_doubted_where_it_is_watched():
    # mu has one value, so that every exponent of it would do.
    mu = sympy.Symbol("mu", real=True)
    claim = Claim(PLACE, UpToConstant(t <= n * mu), given=[t <= n],
                  parameters={**SIZES, mu: Real(1, 1)})  # fmt: skip
    stood = Verdict("a/b:c", "supported", "", None, 0.0, None, False, None, (), 0.0)
    work = SimpleNamespace(bench=Bench("a/b:c", budget_named("quick")),
                           judged=lambda claim, purpose, share=1.0: stood)  # fmt: skip
    assert "no curve that was tried moves mu" in judged(work, claim, "exponent", mu).doubt
    assert not judged(work, claim, "exponent", t).doubt
