"""Rays without end: germs enclose, hypotheses hold for every t, forged rays refute nothing."""

import dataclasses
from math import isqrt

import pytest
import sympy
from flint import arb, fmpq
from sympy import Abs, Max, Min, exp, log, sqrt

from boundcheck import Claim, Source, witness
from boundcheck.arithmetic import precision, to_ball
from boundcheck.checker import germs
from boundcheck.checker.along import Along
from boundcheck.checker.germs import NoGerm, constant, multiplied, of_terms, raised, times
from boundcheck.checker.growing import law
from boundcheck.checker.judge import Place
from boundcheck.checker.ray import Ray
from boundcheck.checker.rays import as_extra, from_extra, stays
from boundcheck.checks.base import Task, budget_named
from boundcheck.checks.trend import run
from boundcheck.claim import UpToConstant
from boundcheck.errors import WitnessError
from boundcheck.expressions import index, indicator, parameter, world
from boundcheck.library import Library
from boundcheck.search.rays import fitted
from boundcheck.worlds import Family, Integer, Real, Vector, doublings

PLACE = Source("A", 2024, "Example").at("1")
q, r, s = (parameter(name, Real(0, None)) for name in "qrs")
n = parameter("n", Integer(1, searched=10**6))
small = parameter("small", Real(0, 1, open_low=True, open_high=True))
d = world("d", Integer(1, 3))
v, i = world("v", Vector(d)), index("i", d)
ray = Ray({"q": fmpq(3), "r": fmpq(2), "s": fmpq(5)}, {"q": fmpq(2), "r": fmpq(1)}, {"r": fmpq(-1)})
EXPRESSIONS = [
    q + r, q - r, q * r - s, q / r, sqrt(q) + r, (q + 1) ** 3 - q, log(q), log(1 + q * r) / s,
    q * log(q) ** 2 - r, Max(q, r * s), Min(q, r * s), Abs(s - q), exp(-q),
    q**3 * exp(-sqrt(q) / 9), exp(-log(q)), exp(1 / r), 1 / (1 + q),
    sympy.tanh(s / q), sympy.tanh(-r / q**2) * q, sympy.tanh(log(q) / q),
    sympy.tanh(-sqrt(q)), sympy.tanh(q / log(7 + q)),
    sqrt(q + r * s) / log(7 + r), q**2 - (q * r) ** 2, (r + 1) ** sympy.Rational(3, 2),
]  # fmt: skip


def claim_of(relation, *given, families=()):
    return Claim(source=PLACE, statement=UpToConstant(relation), given=given, families=families)


@pytest.mark.parametrize("expr", EXPRESSIONS)
@pytest.mark.parametrize("octaves", [0, 1, 2, 7, 30, 200])
def test_a_germ_encloses_the_value_far_out_and_near(expr, octaves):
    claim = claim_of(expr <= q + r + s)
    with precision(640):
        germ = Along(claim, ray).germ(expr)
        value = to_ball(Place(claim, ray.at(octaves)).value(expr))
        t, logs = arb(2) ** octaves, 1 + octaves * arb(2).log()
        scale = t ** arb(germ.power) * logs ** arb(germ.logs)
        # A value of the ball: their difference may not be certain to leave it.
        assert (germ.ball * scale).overlaps(value), (germ, value)
        if germ.terms is not None:
            exact = sum((arb(c) * t ** arb(p) for p, c in germ.terms.items()), arb(0))
            assert exact.overlaps(value)


def test_a_logarithm_near_one_falls_as_what_is_beside_one():
    claim = Claim(PLACE, UpToConstant(1 <= log(1 / small)))
    along = Along(claim, Ray({"small": fmpq(2, 3)}, {"small": fmpq(-1)}, {"small": fmpq(1)}))
    with precision(640):
        germ = along.germ(log(1 / small))
        assert germ.power == -1 and germ.ball > 0
        for octaves in (0, 1, 5, 40):
            t = fmpq(2) ** octaves
            assert (germ.ball / arb(t)).contains(-(arb(1 - fmpq(1, 3) / t).log()))


def test_the_minimum_of_what_is_positive_keeps_its_order():
    falling = germs.raised(germs.of_terms({fmpq(1): fmpq(2)}), fmpq(-1))
    least = germs.smallest([germs.constant(fmpq(1)), falling])
    assert least.power == -1 and least.ball.contains(arb("0.5")) and least.ball > 0


def test_what_has_no_rule_has_no_germ():
    claim = claim_of(exp(q) <= r)
    for expr in (exp(q), q**r, sympy.floor(q), log(3 - r), sqrt(q - 5)):
        with pytest.raises(NoGerm):
            Along(claim, ray).germ(expr)


def test_numbers_alone_need_a_law():
    moved = ray_of({"q": 1})
    for grows in (q**2 <= q, q <= log(1 + q), q - 3 <= sqrt(q), log(q + r) ** 2 <= log(s + q)):
        claim = claim_of(sympy.And(grows, r + s + small <= q))
        assert law(claim, moved), grows
    for stays_below in (q <= q + 1, q * Max(0, 1 - log(q + 1) / 100) <= 1, 5 * q <= q + r,
                        log(q + 1) <= q, q * Max(0, 1 - q / 100) <= 1):  # fmt: skip
        claim = claim_of(sympy.And(stays_below, r + s + small <= q))
        assert stays(claim, moved) and not law(claim, moved), stays_below


def test_conditions_and_premises_must_stay():
    moved = ray_of({"q": 1})
    for part in (q * indicator(q <= 9) <= r, sympy.Implies(q <= 9, q <= r)):
        assert not stays(claim_of(sympy.And(part, s + small <= q)), moved), part
    for part in (q * indicator(q >= 1) <= r, sympy.Implies(r <= 3, q <= r)):
        assert stays(claim_of(sympy.And(part, s + small <= q)), moved), part


def test_a_hypothesis_must_hold_wherever_an_unknown_number_is():
    claim, moved = claim_of(q <= r + small, q * (s - 1) >= 0), ray_of({"q": 1})
    assert stays(claim, moved) and stays(claim, moved, {"s": arb(2).union(arb(3))})
    assert not stays(claim, moved, {"s": arb(0).union(arb(2))})


STAYING = [
    (q <= s * r**2, {"q": 2, "r": 1}), (q <= r**4, {"q": 4, "r": 1}), (q * r >= 1, {"q": 1}),
    (log(1 + q) <= 5 * s * (1 + r), {"q": 3, "r": 1}), (q - r <= q, {"q": 1}), (s <= 3, {"q": 1}),
    (sqrt(q) >= r, {"q": 2, "r": 1}), (sympy.Ne(q, 0), {"q": 1}), (q * small <= 5, {"q": -1}),
]  # fmt: skip
LEAVING = [
    (q <= 10**30, {"q": 1}), (q <= r**4, {"q": 5, "r": 1}), (r <= 10**9 * s, {"r": 1}),
    (log(q + 1) <= 40, {"q": 1}), (q * r >= 1, {"q": -1}), (s <= 3, {"s": 1}),
    (sympy.Eq(q, r), {"q": 1, "r": 1}), (sympy.Ne(q, 10**6), {"q": 1}), (q * small <= 5, {"q": 1}),
    (q - r <= 0, {"q": 1}), (exp(q) >= 1, {"q": 1}),
]  # fmt: skip


def ray_of(powers):
    start = {"q": fmpq(1), "r": fmpq(1), "s": fmpq(1), "small": fmpq(1, 2)}
    return Ray(start, {name: fmpq(power) for name, power in powers.items()}, {})


@pytest.mark.parametrize(("given", "powers"), STAYING)
def test_hypotheses_that_hold_for_ever_are_certified(given, powers):
    assert stays(claim_of(q + r + s + small <= q, given), ray_of(powers))


@pytest.mark.parametrize(("given", "powers"), LEAVING)
def test_hypotheses_that_end_are_not(given, powers):
    assert not stays(claim_of(q + r + s + small <= q, given), ray_of(powers))


def test_domains_end_rays_too():
    claim = claim_of(q + small <= r + s)
    assert stays(claim, ray_of({"small": -1})) and not stays(claim, ray_of({"small": 1}))
    below = dataclasses.replace(ray_of({"small": -1}), ends={"small": fmpq(1)})
    assert stays(claim, below)
    beyond = dataclasses.replace(ray_of({"small": -1}), ends={"small": fmpq(2)})
    assert not stays(claim, beyond)
    whole = Ray({"n": 4, "q": fmpq(1)}, {"n": fmpq(1)}, {})
    counted = claim_of(n <= q)
    assert stays(counted, whole)
    assert not stays(counted, dataclasses.replace(whole, powers={"n": fmpq(-1)}))
    named = world("named", Real(0, q))
    start = {"q": fmpq(4), "r": fmpq(1), "named": fmpq(2)}
    for power in (1, -1):  # a domain that reads what moves
        assert not stays(claim_of(named + q <= r), Ray(start, {"q": fmpq(power)}, {}))


def test_what_the_constant_depends_on_does_not_move():
    free = Claim(source=PLACE, statement=UpToConstant(q * r <= r))
    bound = Claim(source=PLACE, statement=UpToConstant(q * r <= r, depends=("q",)))
    moved = Ray({"q": fmpq(1), "r": fmpq(1)}, {"q": fmpq(1)}, {})
    assert stays(free, moved) and not stays(bound, moved)


# Whole runs.

GROWING = Family("q = N^2, r = N", lambda size: {"q": size**2, "r": size}, doublings(1, 8))


def verdict_of(claim):
    return run(Task("a/b:c", claim, budget_named("quick")))


def library_of(claim):
    library = Library.__new__(Library)
    object.__setattr__(library, "claims", {"a/b:c": claim})
    return library


def test_growth_under_hypotheses_that_couple_is_refuted_along_a_ray_and_confirmed():
    claim = claim_of(q <= r, q <= r**2, families=[GROWING])
    found = verdict_of(claim)
    assert (found.outcome, found.kind) == ("refuted", "trend")
    document = witness.seal(found.witness.as_json())
    assert "for ever" not in str(witness.confirm(document, library_of(claim)))


def test_a_forged_ray_confirms_nothing():
    claim = claim_of(q <= r, q <= r**2, q <= 10**40, families=[GROWING])
    assert verdict_of(claim).outcome == "undecided"
    honest = verdict_of(claim_of(q <= r, q <= r**2, families=[GROWING])).witness
    for change in ({}, {"ray": {"q": ["1", "0"], "r": ["1", "0"]}}, {"scale": "2^4"}):
        document = witness.seal({
            **honest.as_json(), "fingerprint": claim.fingerprint(),
            "extra": {**honest.as_json()["extra"], **change},
        })  # fmt: skip
        with pytest.raises(WitnessError):
            witness.confirm(document, library_of(claim))


def test_a_world_that_excludes_some_constants_is_no_witness():
    claim = claim_of(q <= r, q <= r**2, families=[GROWING])
    document = verdict_of(claim).witness.as_json()
    for kept in ((), ("ray", "scale"), ("family",)):
        extra = {name: document["extra"][name] for name in kept}
        forged = {**document, "shown": {"constant excluded": "9"}, "extra": extra}
        with pytest.raises(WitnessError, match="excludes some constants refutes no statement"):
            witness.confirm(witness.seal(forged), library_of(claim))


def test_a_ray_is_read_back_from_its_witness():
    extra = as_extra(ray, 6)
    assert from_extra(extra, ray.at(6)) == (ray, 6)
    with pytest.raises(ValueError, match="no ray"):
        from_extra({**extra, "scale": "2^0"}, ray.at(6))


@pytest.mark.parametrize(("change", "said"), [
    ({"ray": {"q": ["1e999999999", "0"]}}, "both fractions"), ({"ray": 5}, "names its numbers"),
    ({"ray": {"q": ["100000", "0"]}}, "more than"), ({"scale": "2^10000000000"}, "no ray"),
    ({"ray": {"q": ["8", "0"]}, "scale": "2^9999999"}, "octaves"),
    ({"ray": {"q": ["1", "0", "0"]}}, "both fractions"), ({"ray": {"q": "10"}}, "both fractions"),
    ({"ray": {"q": ["1", "9" * 5000]}}, "both fractions"),
])  # fmt: skip
def test_a_ray_that_no_memory_holds_is_refused_before_it_is_computed(change, said):
    with pytest.raises(ValueError, match=said):
        from_extra({**as_extra(ray, 6), **change}, ray.at(6))


# Laws of what grows slowly, or faster than every power.


def peaked(rest):
    """Above one only if the rest falls like exp(-q^2), behind a case that holds."""
    found = exp(-q * sqrt(q) / 8) * (2 ** (-(q**2)) + rest) ** (-s / (8 * s + 1))
    return sympy.Piecewise((0, sympy.Eq(q, 0)), (found, True))


OUTGROWN = [
    (log(q + 1) <= 1, {"q": 1}), (q * log(q + 1) <= q, {"q": 1}),
    (log(1 / small) + sqrt(log(1 / small)) <= sqrt(log(1 / small)), {"small": -1}),
    (log(q + 1) <= 1 + log(1 + log(q + 1)), {"q": 1}), (exp(q) - 1 <= q, {"q": 1}),
    (n * small <= 1 - (1 - small) ** n, {"n": 1}),
    (exp(-n * small**2 / 2) <= exp(-n * small), {"n": 1}),
    (2**q - q <= q**5, {"q": 1}), (exp(2 * q) <= exp(q) * (1 + q), {"q": 1}),
    (peaked(4 / (1 + 1 / q) ** (2 * q**3)) <= 1, {"q": 1}),
]  # fmt: skip
BOUNDED = [
    (log(q + 1) <= log(q + 2), {"q": 1}), (log(q**3 + 7) <= log(q + 1), {"q": 1}),
    (log(1 + log(q + 1)) <= 1 + log(1 + log(1 + log(q + 1))), {"q": 1}),  # true of no constant
    (1 - (1 - small) ** n <= n * small, {"n": 1}), (exp(q) - 1 <= exp(q), {"q": 1}),
    (exp(q) + q <= exp(q) - 1, {"q": 1}), (exp(-q) * q**9 <= 1, {"q": 1}),
    (log(exp(q) + q**2) <= q, {"q": 1}), (exp(sqrt(q)) <= exp(q), {"q": 1}),
    ((1 + 1 / (1 + q)) ** q <= 1, {"q": 1}), (sympy.Implies(q <= 0, q**2 <= q), {"q": 1}),
    (q * (1 - q / (1 + q)) <= 1, {"q": 1}), (log(1 + 1 / q) * q <= 1, {"q": 1}),
    (peaked(4 / (1 + 1 / q) ** (2 * q)) <= 1, {"q": 1}), (peaked(exp(-q)) <= 1, {"q": 1}),
    (sympy.Piecewise((exp(q), q <= 10**6), (1, True)) <= 1, {"q": 1}),
]  # fmt: skip


def world_of(relation, powers):
    claim = claim_of(sympy.And(relation, r + s + small + n <= q + n))
    start = {"q": fmpq(1), "r": fmpq(1), "s": fmpq(1), "small": fmpq(1, 2), "n": 3}
    return claim, Ray(start, {name: fmpq(power) for name, power in powers.items()}, {})


@pytest.mark.parametrize(("relation", "powers"), OUTGROWN)
def test_what_outgrows_every_multiple_has_a_law(relation, powers):
    assert law(*world_of(relation, powers))


@pytest.mark.parametrize(("relation", "powers"), BOUNDED)
def test_what_stays_within_a_multiple_has_no_law(relation, powers):
    assert not law(*world_of(relation, powers))


def test_a_law_is_confirmed_and_a_forged_one_is_not():
    growing = Family("q = N", lambda size: {"q": size}, doublings(1, 8))
    claim = claim_of(log(1 + q) <= 1, families=[growing])
    found = verdict_of(claim)
    assert (found.outcome, found.kind) == ("refuted", "trend")
    document = witness.seal(found.witness.as_json())
    assert "whole ray" in str(witness.confirm(document, library_of(claim)))
    bounded = claim_of(log(1 + q) <= log(2 + q), families=[growing])
    assert verdict_of(bounded).outcome != "refuted"
    forged = witness.seal({**found.witness.as_json(), "fingerprint": bounded.fingerprint()})
    with pytest.raises(WitnessError):
        witness.confirm(forged, library_of(bounded))


def test_zero_has_no_order_whatever_it_multiplies():
    root = raised(of_terms({fmpq(1): fmpq(2)}), fmpq(1, 2))
    for zero in (constant(fmpq(0)), constant(arb(0))):
        assert multiplied(zero, root).terms == multiplied(root, zero).terms == {}
    assert constant(arb(0, 1e-30)).terms is None  # what may be zero keeps its order
    assert law(*world_of(small <= (q - r) * sqrt(n) + 1 / n, {"n": 1}))
    assert not law(*world_of(small <= (q - r + s) * sqrt(n) + 1 / n, {"n": 1}))


def test_products_of_enclosures_keep_their_sign():
    product = times(arb(1).union(arb(47)), arb(0).union(arb(1)))
    assert product.lower() > -1e-6 and product.contains(arb(0)) and product.contains(arb(47))


def test_numbers_that_rise_otherwise_have_a_ray_of_their_own():
    slow = Family("q = sqrt(log N)", lambda size: {
        "q": isqrt(size.bit_length() - 1), "r": 1, "s": 1, "small": fmpq(1, 2), "n": 3,
    }, tuple(2 ** (k * k) for k in range(2, 9)))  # fmt: skip
    claim = claim_of(sympy.And(peaked(exp(-(q**2))) <= 1, r + s + small + n <= q + n))
    rays = list(fitted(claim, slow))
    assert [found.powers for found in rays] == [{"q": 1}]
    assert law(claim, rays[0])


def test_growth_after_a_dip_is_followed_far_out():
    dip = q * (q - 80) ** 2 <= q * v[0] ** 2
    family = Family("q grows", lambda N: {"q": N, "r": N, "d": 1, "v": (1,)}, doublings(1, 8))
    assert verdict_of(claim_of(dip, r >= q, families=(family,))).outcome == "refuted"


def test_a_power_whose_digits_fill_the_memory_is_a_ball():
    found = germs.raised(germs.constant(fmpq(3, 2)), fmpq(10**9))
    assert found.terms is None
    assert found.ball > 10**100
