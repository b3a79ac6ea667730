"""Growth along families: exact where the right side vanishes, with limits where draws decide."""

from flint import fmpq
from sympy import symbols

from boundcheck import Claim, Expected, Source, UpToConstant, WithProbability
from boundcheck.checks import trend
from boundcheck.checks.base import Task, budget_named
from boundcheck.quantities import quantity
from boundcheck.setting import Setting
from boundcheck.worlds import Family, Integer, Real, Sampled, doublings

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


def test_wider_limits_are_no_growth():
    """Lower limits that grow as the draws spread less, about one constant that does not."""
    settings = [(size, Setting(None, {})) for size in doublings(1, 8)]
    spread = [trend.Point(size, 1 - 0.9 / size, here, 1 + 0.9 / size) for size, here in settings]
    loose = [trend.Point(size, 0.01 * size, here, 2.0) for size, here in settings]
    sharp = [trend.Point(size, 1.0 * size, here, 1.1 * size) for size, here in settings]
    assert not trend.judge(spread)[0] and not trend.judge(loose)[0]
    assert trend.judge(sharp)[0]


@quantity(estimator=lambda u, n: u * n)
def scaled(u, n):
    return u * n


def test_sampled_growth_is_found_and_sampled_constancy_is_not():
    draw = Sampled(("u",), lambda look, rng, size: {"u": rng.random(size)})
    for right, outcome in ((1, "refuted"), (n, "supported")):
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
        (bounded, 1, "refuted"), (bounded, n, "supported"), (scaled, 1, "undecided"),
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
        points, _ = trend.needed_constants(task, claim.families[0])
        for point in points:
            # The mean is n / 2; the limits hold it, but with probability 1e-6.
            assert point.value <= (point.size / 2 if right == 1 else 0.5) <= point.upper
