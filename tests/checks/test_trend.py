"""Growth along families: what refutes, what only grows, and what could not have been refuted."""

from dataclasses import replace

import pytest
from flint import fmpq
from sympy import And, Implies, Max, Rational, log, sqrt, symbols

from boundcheck import Claim, Expected, Source, UpToConstant, WithProbability
from boundcheck.certify import certify, exclude
from boundcheck.checker.rays import from_extra
from boundcheck.checks import order, trend
from boundcheck.checks.base import Task, budget_named
from boundcheck.checks.curves import Point, drawn, judge, needed_constants
from boundcheck.checks.order import FASTER, SMALLER
from boundcheck.encoding import decode
from boundcheck.quantities import quantity
from boundcheck.setting import Setting
from boundcheck.verdict import Evidence
from boundcheck.worlds import Family, Integer, Real, Sampled, Space, Vector, doublings

PLACE = Source("A", 2000, "T").at("here")
x, y, n, value = symbols("x y n value", real=True)


def test_a_family_whose_right_side_vanishes_is_refuted():
    """Only the family has such a world; a constant found along others would say nothing of it."""
    fine = Family("x grows", lambda size: {"x": fmpq(size), "y": fmpq(1)}, doublings(1, 7))
    vanishing = Family("y is zero", lambda size: {"x": fmpq(1), "y": fmpq(0)}, doublings(1, 7))
    claim = Claim(
        source=PLACE, statement=UpToConstant(x <= (x + 1) * y), families=(vanishing, fine),
        parameters={x: Real(0, None), y: Real(0, None)},
    )  # fmt: skip
    found = trend.run(Task("k", claim, budget_named("quick")))
    assert (found.outcome, found.kind) == ("refuted", "exact")


def test_a_family_of_a_file_hides_no_growth_along_another():
    """Left over right is bounded along M = N, and grows as N^(1/3) where M is N^(2/3)."""
    same = Family("M = N", lambda size: {"x": fmpq(size), "y": fmpq(size)}, doublings(4, 8))
    claim = Claim(
        source=PLACE, statement=UpToConstant(x * y**2 <= x**2 + y**3 + x * y), families=(same,),
        parameters={x: Real(1, None), y: Real(1, None)},
    )  # fmt: skip
    found = trend.run(Task("k", claim, budget_named("quick")))
    assert (found.outcome, found.kind) == ("refuted", "trend")


def test_wider_limits_are_no_growth():
    """Lower limits that grow as the draws spread less, about one constant that does not."""
    settings = [(size, Setting(None, {})) for size in doublings(1, 8)]
    spread = [Point(size, 1 - 0.9 / size, here, 1 + 0.9 / size) for size, here in settings]
    loose = [Point(size, 0.01 * size, here, 2.0) for size, here in settings]
    sharp = [Point(size, 1.0 * size, here, 1.1 * size) for size, here in settings]
    assert not judge(spread)[0] and not judge(loose)[0]
    assert judge(sharp)[0]


@quantity(estimator=lambda u, n: u * n)
def scaled(u, n):
    return u * n


def test_sampled_growth_is_found_and_sampled_constancy_is_not():
    draw = Sampled(("u",), lambda look, rng, size: {"u": rng.random(size)})
    for right, outcome in ((1, "undecided"), (n, "supported")):
        claim = Claim(
            source=PLACE, statement=UpToConstant(WithProbability("1/2", value <= right)),
            parameters={n: Integer(1, searched=256)}, measure={value: scaled}, draw=draw,
            families=(Family("n grows", lambda size: {"n": size}, doublings(1, 8)),),
        )  # fmt: skip
        found = trend.run(Task("k", claim, budget_named("quick"), alpha=1e-6))
        assert found.outcome == outcome, found.detail


@quantity(estimator=lambda u, n: u * n, bounds=lambda n: (0, n))
def bounded(u, n):
    return u * n


@quantity(estimator=lambda u, n: u * n + 1e-3, bounds=lambda n: (0, n + 1))
def biased(u, n):
    return u * n


def test_sampled_means_grow_or_do_not():
    draw = Sampled(("u",), lambda look, rng, size: {"u": rng.random(size)})
    for rule, right, outcome in (
        (bounded, 1, "undecided"), (bounded, n, "supported"), (scaled, 1, "undecided"),
        (biased, 1, "undecided"),
    ):  # fmt: skip
        claim = Claim(
            source=PLACE, statement=UpToConstant(Expected(value <= right)),
            parameters={n: Integer(1, searched=256)}, measure={value: rule}, draw=draw,
            families=(Family("n grows", lambda size: {"n": size}, doublings(1, 8)),),
        )  # fmt: skip
        task = Task("k", claim, budget_named("quick"), alpha=1e-6)
        found = trend.run(task)
        assert found.outcome == outcome, found.detail
        points, _ = needed_constants(task, claim.families[0])
        for point in points:
            # The mean is n / 2; the limits hold it, but with probability 1e-6.
            assert point.value <= (point.size / 2 if right == 1 else 0.5) <= point.upper


SIZES = doublings(1, 8)


def upward(statement, rule=lambda size: {"n": size}, sizes=SIZES, **more):
    return Claim(
        source=PLACE, statement=statement, families=(Family("n grows", rule, sizes),),
        **{"parameters": {n: Integer(1, searched=9)}, **more},
    )  # fmt: skip


def outcome(claim):
    found = trend.run(Task("k", claim, budget_named("quick")))
    return found.outcome, found


@pytest.mark.parametrize("statement", [
    UpToConstant(n <= n / 2 + 10**4), UpToConstant(n <= n / 10**5 + 10**7),
    UpToConstant(10**8 * n / (n + 10**8) <= 1), UpToConstant(log(n) <= n ** Rational(1, 16)),
])  # fmt: skip
def test_no_true_statement_is_refuted_however_long_its_ratio_grows(statement):
    """n <= C (n/2 + 10^4) serves with C = 2, and its ratio doubles with n for a long time."""
    assert outcome(upward(statement))[0] != "refuted"


def test_growth_is_certified_by_the_law_of_both_sides():
    verdict, found = outcome(upward(UpToConstant(n <= sqrt(n))))
    assert (verdict, found.kind) == ("refuted", "trend")
    ray, _ = from_extra(found.witness.extra, {"n": decode(found.witness.values["n"])})
    assert ray.powers == {"n": 1}
    assert found.witness.shown == {"law": "left / right grows at least as t^(1/2)"}


def test_a_world_of_a_family_refutes_where_its_right_side_leaves_no_constant():
    left = upward(UpToConstant(n <= Max(0, 9 - n)))
    verdict, found = outcome(left)
    assert (verdict, found.kind) == ("refuted", "exact") and found.witness.values["n"] == "16"


def test_growth_that_worlds_cannot_follow_stays_undecided():
    """Each size is a vector of that many numbers: 10^12 of them cannot be held."""
    worlds = Space(N=Integer(1, searched=3), v=Vector("N"))
    total = symbols("total", real=True)
    claim = upward(
        UpToConstant(total <= sqrt(symbols("N", real=True))), worlds=worlds, parameters={},
        rule=lambda size: {"N": size, "v": (fmpq(1),) * size},
        measure={total: lambda v: sum(v, fmpq(0))},
    )
    verdict, found = outcome(claim)
    assert verdict == "undecided" and found.numbers["growing"]
    assert "no constant below 11.3136 serves" in found.detail  # sqrt(128)


def test_a_constant_that_may_depend_on_a_parameter_is_no_growth():
    """n <= C(y) holds with C(y) = y; along a family with y fixed, n <= C(y) fails."""
    fields = {n: Integer(1, searched=9), y: Real(0, None)}
    both = upward(
        UpToConstant(n <= 1, depends=("y",)), lambda size: {"n": 1, "y": fmpq(size)},
        parameters=fields, given=[n <= y],
    )
    assert outcome(both)[0] != "refuted"
    fixed = upward(
        UpToConstant(n <= 1, depends=("y",)), lambda size: {"n": size, "y": fmpq(1)},
        parameters=fields,
    )
    assert outcome(fixed)[0] == "refuted"


def test_supported_means_that_a_smaller_order_would_have_been_refuted():
    verdict, found = outcome(upward(UpToConstant(n <= 3 * n)))
    assert verdict == "supported" and found.numbers["control"] == "n^1/4"
    still = upward(UpToConstant(n <= 3 * n), lambda size: {"n": 2}, doublings(1, 8))
    assert outcome(still)[0] == "undecided"  # 2^4 is nothing


def test_growth_by_a_small_power_is_noticed_of_every_comparison():
    other = symbols("m", real=True)
    claim = upward(
        UpToConstant(And(n <= 3 * n, other <= n)), lambda size: {"n": size, "m": fmpq(1)},
        parameters={n: Integer(1, searched=9), other: Real(0, 1)},
    )  # fmt: skip
    verdict, found = outcome(claim)
    rows = {row["relation"]: row for row in found.numbers["parts"]}
    # The first ratio is 1/3 at every size, the second falls like 1/size: times the size it is 1.
    assert rows["n <= 3*n"]["growth noticed"] == "size^1/4" and verdict == "undecided"
    assert rows["m <= n"]["growth noticed"] is None and not rows["m <= n"]["control"]
    assert "growth of m <= n like the size would not have been noticed" in found.detail
    caught = {(row["relation"], row["mutant"]): row["caught"] for row in found.numbers["mutants"]}
    assert caught == {("n <= 3*n", FASTER): True, ("n <= 3*n", SMALLER): True,
                      ("m <= n", FASTER): False, ("m <= n", SMALLER): True}  # fmt: skip


def test_sizes_too_near_to_each_other_notice_nothing():
    verdict, found = outcome(upward(UpToConstant(n <= 3 * n), sizes=range(10, 18)))
    assert verdict == "undecided" and "sizes 10 to 17, growth like the size is not told" in (
        found.detail)  # fmt: skip


def test_a_test_that_calls_bounded_ratios_growing_supports_nothing(monkeypatch):
    points, _ = needed_constants(Task("k", upward(UpToConstant(n <= 3 * n)), budget_named("quick")),
                                 upward(UpToConstant(n <= 3 * n)).families[0])  # fmt: skip
    assert order.tells_apart(points)
    monkeypatch.setattr(order, "judge", lambda points: (True, ""))
    assert not order.tells_apart(points)
    verdict, found = outcome(upward(UpToConstant(n <= 3 * n)))
    assert verdict == "undecided" and "is not told from a ratio" in found.detail


def test_a_comparison_never_decided_along_a_family_is_an_untested_part():
    claim = upward(UpToConstant(And(n <= 3 * n, Implies(n < 0, n <= 1))))
    rows = {row["relation"]: row["untested"] for row in outcome(claim)[1].numbers["parts"]}
    assert rows == {"n <= 3*n": False, "n <= 1": True}


def test_a_conjunction_is_supported_only_if_each_part_could_fail():
    easy = symbols("m", real=True)
    claim = upward(
        UpToConstant(And(n <= 3 * n, easy <= 1)), lambda size: {"n": size, "m": fmpq(0)},
        parameters={n: Integer(1, searched=9), easy: Real(0, 1)},
    )
    assert outcome(claim)[0] == "undecided"


def test_the_constant_said_to_be_enough_is_that_of_every_world_seen():
    claim = upward(UpToConstant(n <= 3 * n))
    seen = Evidence("enumeration", None, "", numbers={"constant": 7.5, "excluded": [15, 2]})
    found = trend.run(Task("k", claim, budget_named("quick"), seen=(seen,)))
    assert found.numbers["constant"] == 7.5 and "no constant below 7.5 serves" in found.detail


def test_exclusion_is_exact_on_both_sides_of_the_constant():
    claim = Claim(
        source=PLACE, statement=UpToConstant(x <= y),
        parameters={x: Real(0, None), y: Real(0, None)},
    )  # fmt: skip
    here = Setting(claim, {"x": fmpq(7), "y": fmpq(2)})
    assert exclude(here, fmpq(349, 100)) and not exclude(here, fmpq(7, 2))
    for right, violated in ((fmpq(1, 9), False), (fmpq(0), True)):
        assert certify(Setting(claim, {"x": fmpq(7), "y": right}))[0] is violated


def test_outcomes_are_drawn_once_for_claims_that_differ_in_their_sides():
    """Another world, stream or number of draws, and another draw, are drawn anew."""
    calls = []

    def law(look, rng, size):
        calls.append(look("n"))
        return {"u": rng.random(size) * look("n")}

    def setting(right, draw, **values):
        claim = Claim(
            source=PLACE, statement=UpToConstant(WithProbability("1/2", value <= right)),
            parameters={n: Integer(1, searched=9)}, measure={value: scaled}, draw=draw,
        )  # fmt: skip
        return Setting(claim, values)

    draw, place = Sampled(("u",), law), setting(n, Sampled(("u",), law), n=3)
    task = Task("k", place.claim, budget_named("quick"))
    first = drawn(task, setting(n, draw, n=3), "a", 5)
    assert drawn(task, setting(n**2, draw, n=3), "a", 5) is first and calls == [3]
    for changed in ((setting(n, draw, n=4), "a", 5), (setting(n, draw, n=3), "b", 5),
                    (setting(n, draw, n=3), "a", 6), (place, "a", 5)):  # fmt: skip
        assert drawn(task, *changed) is not first
    assert calls == [3, 4, 3, 3, 3]


def test_controls_reach_sizes_beyond_floats():
    points = [Point(1 << octaves, 2.0, None, 2.0) for octaves in range(0, 1400, 50)]
    assert order.tells_apart(points)
    assert order._least_growth([("far", points)]) is not None


def test_short_trials_end_before_a_size_that_takes_too_much():
    claim = upward(UpToConstant(n <= 3 * n))
    whole = Task("k", claim, budget_named("quick"))
    every, _ = needed_constants(whole, claim.families[0])
    budget = replace(whole.budget, share=1e-6)
    few, problem = needed_constants(replace(whole, budget=budget), claim.families[0])
    assert not few and every and "takes too much for a short trial" in problem
    budget = replace(whole.budget, share=0.5)
    half, _ = needed_constants(replace(whole, budget=budget), claim.families[0])
    assert [point[:2] for point in half] == [point[:2] for point in every]
