"""Families found by the machine: what rises is found, what cannot move stays, nothing is forged."""

from dataclasses import replace

import pytest
from flint import fmpq, fmpq_mat
from sympy import And, Max, exp, log, sqrt, symbols

from boundcheck import Claim, Source, UpToConstant, witness
from boundcheck.checks import trend
from boundcheck.checks.base import Task, budget_named
from boundcheck.checks.invariance import side_ratio
from boundcheck.errors import Undecided
from boundcheck.expressions import define, greatest, index, total, world
from boundcheck.search import pushes
from boundcheck.search.beginnings import simple_worlds, starts
from boundcheck.search.effort import Effort
from boundcheck.search.pushed_values import Push
from boundcheck.search.pushes import Motion, distinct, found
from boundcheck.setting import Setting
from boundcheck.settings import classes
from boundcheck.settings.rkhs import K, Q, i, n as points, rademacher_complexity
from boundcheck.verdict import Evidence
from boundcheck.worlds import Choice, Derived, Increasing, Integer, Real, Space, Vector, Weights

n, x, delta = symbols("n x delta", real=True)
PLACE = Source("A", 2000, "T").at("here")
FIELDS = {
    n: Integer(1, searched=9), x: Real(0, None, open_low=True, searched=(1, 2)),
    delta: Real(0, 1, open_low=True, open_high=True),
}  # fmt: skip


def run(statement, **more):
    claim = Claim(**{
        "source": PLACE, "statement": statement, "parameters": FIELDS, "given": [delta * n >= 0],
    } | more)  # fmt: skip
    task = Task("k", claim, budget_named("quick"))
    return claim, task, trend.run(task)


def test_false_orders_fall_without_a_declared_family():
    for relation in (
        sqrt(n) * x <= x, n * x <= n * sqrt(x) + 1, 1 <= log(1 / delta),
        n <= Max(1, n * (1 - delta)),
    ):  # fmt: skip
        claim, _, found = run(UpToConstant(relation))
        assert (found.outcome, found.kind) == ("refuted", "trend"), (relation, found.detail)
        assert witness.confirm(_document(found), {"k": claim})


def test_growth_too_slow_for_one_world_falls_by_its_law():
    """log(1/delta) would need delta = exp(-10^6); exp(-n delta) is beyond floats at any size."""
    for relation in (log(1 / delta) <= 1, exp(-n * delta**2 / 2) <= exp(-n * delta)):
        claim, _, found = run(UpToConstant(relation))
        assert (found.outcome, found.kind) == ("refuted", "trend"), (relation, found.detail)
        assert witness.confirm(_document(found), {"k": claim})


def _document(found):
    return witness.seal(found.witness.as_json())


def test_true_orders_are_not_accused():
    for relation in (x * n <= (x + 1) * n, x / (1 + x) <= 1, delta <= 1, n <= n + x):
        # Nor supported: pushed parameters are too few families for that.
        assert run(UpToConstant(relation))[2].outcome == "undecided"


def test_pushes_keep_the_hypotheses_and_what_the_constant_may_depend_on():
    claim, task, _ = run(UpToConstant(n * x <= 1, depends=("x",)), given=[And(n >= 1, x <= n)])
    families = found(task).families
    assert families and all("x " not in family.name for family in families)
    for family in families:
        assert Setting(claim, family.at(64)).failed_hypothesis() is None


def test_exponents_are_found_that_no_small_set_holds():
    """x^2 y <= x^3 + y^2 fails only between y = x and y = x^2, most at y = x^(3/2)."""
    y = symbols("y", real=True)
    fields = {each: Real(0, None, open_low=True) for each in (x, y)}
    found = run(UpToConstant(x**2 * y <= x**3 + y**2), parameters=fields, given=[])[2]
    assert (found.outcome, found.kind) == ("refuted", "trend"), found.detail
    assert "x grows as N^2, y grows as N^3" in found.detail or "x grows as N^3, y" in found.detail


def test_a_power_is_found_that_no_motion_begins_with():
    """The left side is nothing below z = x^5."""
    z = symbols("z", real=True)
    fields = {each: Real(0, None, open_low=True) for each in (x, z)}
    relation = x * Max(0, 1 - x**5 / z) <= 1
    claim, _, made = run(UpToConstant(relation), parameters=fields, given=[])
    assert (made.outcome, made.kind) == ("refuted", "trend"), made.detail
    assert witness.confirm(_document(made), {"k": claim})


def test_the_law_of_a_motion_is_tried_from_every_world():
    """What rises fastest has no law; the same motion of a smaller world, or one in more words,
    may have one."""
    search = found(task_of(n * x <= n + 1, parameters={**FIELDS, kind: Choice(range(3))}))
    names = [family.name for family in search.others]
    assert search.families and len(names) > len({*names})


def test_growth_begins_where_search_needed_the_largest_constant():
    """One world in a million: the others say nothing of how it goes on."""
    claim = Claim(PLACE, UpToConstant(n * Max(0, x - 10**6) <= x), parameters={
        n: FIELDS[n], x: Real(0, None, searched=(1, 2))})  # fmt: skip
    said = {"n": "3", "x": "4000001/1"}
    seen = Evidence("enumeration", None, "", numbers={"world": said, "constant": 2.25})
    task = Task("k", claim, budget_named("quick"), seen=(seen,))
    assert starts(task)[-1]["x"] > 10**6 and len(starts(task)) > len(simple_worlds(task))
    made = trend.run(task)
    assert (made.outcome, made.kind) == ("refuted", "trend"), made.detail


def test_a_bound_that_bursts_where_a_hypothesis_ends_is_found():
    """1/(4 - x^2) for x^2 < 4: no power of N leads there, the end itself has to be found."""
    claim, _, found = run(
        UpToConstant(1 / (4 - x**2) <= 1), parameters={x: Real(0, None)}, given=[x**2 < 4]
    )
    assert (found.outcome, found.kind) == ("refuted", "trend"), found.detail
    assert "x rises to where a hypothesis ends it" in found.detail
    assert witness.confirm(_document(found), {"k": claim})


def test_growth_towards_an_end_that_is_no_ratio_is_said_and_not_decided():
    found = run(
        UpToConstant(1 / (2 - x**2) <= 1), parameters={x: Real(0, None)}, given=[x**2 < 2]
    )[2]
    assert found.outcome == "undecided" and found.numbers["growing"]
    assert "x rises to where a hypothesis ends it" in found.detail


def test_a_hypothesis_moves_a_parameter_as_far_as_it_asks():
    """Search looks at n up to 9; the growing worlds need n >= 2^40, which the domain admits."""
    claim, task, made = run(UpToConstant(x <= 1), given=[n >= x**2])
    assert (made.outcome, made.kind) == ("refuted", "trend"), made.detail
    assert witness.confirm(_document(made), {"k": claim})
    assert all(family.at(2**40)["n"] >= 2**80 for family in found(task).families[:1])


def test_variants_of_one_motion_do_not_take_the_place_of_others():
    """Rows are (rise, motion, world): the fast growth of a size, with and without a push that adds
    nothing, and a slower push of a number."""
    lone, other = (Push(name, f"{name} grows as {{power}}", None) for name in ("x", "y"))
    growing = ("n", "repeat")
    rows = [
        (3.0, Motion((), growing), {}), (3.0, Motion(((lone, 1),), growing), {}),
        (3.0, Motion(((other, 1),), growing), {}), (2.0, Motion((), ("m", "repeat")), {}),
        (1.0, Motion(((lone, 1),)), {}), (1.0, Motion(((lone, 1), (other, 1))), {}),
        (1.5, Motion(((lone, 2), (other, 1))), {}),
    ]  # fmt: skip
    assert [row[1].words for row in distinct(rows)] == [
        "n grows by equal copies", "m grows by equal copies", "x grows as N^2, y grows as N",
        "x grows as N",
    ]  # fmt: skip


def test_a_rare_atom_is_found():
    """The kurtosis of a law has no bound: one atom of weight 1/N."""
    K = world("K", Integer(1, searched=4))
    p, v, atom = world("p", Weights(K)), world("v", Vector(K)), index("k", K)
    fourth, second = (define(f"moment_{r}", total(p[atom] * v[atom] ** r, atom)) for r in (4, 2))
    claim, _, found = run(UpToConstant(fourth <= second**2), parameters={}, given=[])
    assert (found.outcome, found.kind) == ("refuted", "trend"), found.detail
    assert "p[0] moves as c t^-1" in found.detail
    assert witness.confirm(_document(found), {"k": claim})


def test_a_constant_that_falls_to_zero_is_not_followed():
    points = [trend.Point(2, 1.0, None, 1.0), trend.Point(4, 0.0, None, 0.0)]
    assert trend._missing_doublings(points) is None


def task_of(relation, **more):
    claim = Claim(PLACE, UpToConstant(relation), **more)
    return Task("k", claim, budget_named("quick"))


kind = symbols("kind", real=True)


def test_growth_begins_in_worlds_of_every_kind_and_of_short_numbers():
    task = task_of(x <= n + kind, parameters={
        n: FIELDS[n], x: Real(0, None, searched=(10**9, 10**9 + 1)), kind: Choice(range(5)),
    })  # fmt: skip
    worlds = simple_worlds(task)
    assert {world["kind"] for world in worlds} == set(range(5))
    assert max(world["x"] for world in worlds) <= 8
    apart = Space(v=Increasing(2, 0, "1/16"))  # quarters of it would be equal
    second = symbols("second", real=True)
    task = task_of(x <= n * second, parameters={n: FIELDS[n], x: Real(0, None, searched=(9, 10))},
                   worlds=apart, measure={second: lambda v: v[1]})  # fmt: skip
    assert {world["x"] for world in simple_worlds(task)} == {8}


@pytest.mark.long
def test_worlds_with_too_many_outcomes_to_average_are_passed_over(monkeypatch):
    """An average over signs doubles with every point: 2^16 of them, a hundred times over, took
    minutes; growth is then seen at smaller sizes."""
    bound = Q * sqrt(greatest(K[i, i], i)) / sqrt(points)
    claim = Claim(PLACE, UpToConstant(rademacher_complexity(K, Q) <= bound))
    seen = set()

    def watched(setting):
        seen.add(int(setting("n")))
        return side_ratio(setting)

    monkeypatch.setattr(pushes, "side_ratio", watched)
    found(Task("k", claim, replace(budget_named("quick"), share=0.25)))
    assert 8 in seen
    assert max(seen) < 16


def test_what_is_averaged_counts_with_all_of_its_outcomes():
    claim = Claim(PLACE, UpToConstant(rademacher_complexity(K, Q) <= Q * sqrt(points)))
    world = {"n": 10, "Q": fmpq(1), "K": fmpq_mat(10, 10, [fmpq(1)] * 100)}
    assert Effort(claim, inside=10**6)(world) == 2**10 * 102 * 10
    assert Effort(claim, inside=100)(world) == 100 * 102 * 10
    assert Effort(claim)(world, assessed=False) == 102 * 10
    width = rademacher_complexity(K, Q)
    asked = Claim(PLACE, UpToConstant(width <= Q * sqrt(points)), given=[width <= Q])
    assert Effort(asked, inside=10**6)(world, assessed=False) == 2**10 * 102 * 10


def test_averages_cost_more_where_probabilities_are_long_and_nothing_where_they_are_too_many():
    claim = Claim(PLACE, UpToConstant(classes.E(classes.deviation(classes.F)) <= 1))
    world = {"H": 1, "Z": 2, "F": fmpq_mat([[0, 1]]), "m": 1000, "p": (fmpq(1, 2), fmpq(1, 2))}
    effort, long = Effort(claim), {**world, "p": (fmpq(3, 2**20), 1 - fmpq(3, 2**20))}
    (draw, _) = effort.averages[0]
    assert draw.digits(world.__getitem__) == 2000  # two for each half
    assert effort.of_averages(world) == 1001 * 2 * 7 * 2
    assert effort.of_averages(long) > 10 * effort.of_averages(world)
    # Nor is such an average evaluated: its sum would take minutes and gigabytes.
    dear = {**long, "Z": 3, "p": (fmpq(3, 2**20), fmpq(1, 7), 1 - fmpq(1, 7) - fmpq(3, 2**20))}
    dear |= {"F": fmpq_mat([[0, 1, 1]]), "m": 800}
    assert draw.count(dear.__getitem__) < 400_000
    assert effort.of_averages(dear) == 0
    with pytest.raises(Undecided, match="enumerated"):
        Setting(claim, dear).evaluate(classes.E(classes.deviation(classes.F)))


def test_no_rule_is_asked_for_an_array_of_millions():
    """A number of steps may go on without end, the table of their coefficients may not."""
    asked = []

    def coefficients(steps):
        asked.append(int(steps))
        return (fmpq(1),) * min(int(steps), 1000)

    steps = world("steps", Integer(1, searched=4))
    h = world("h", Derived(coefficients), rank=1, needs=(steps,))
    claim = Claim(PLACE, UpToConstant(h[0] <= 1 / steps))
    found(Task("a/b:c", claim, budget_named("quick")))
    assert max(asked) <= pushes.LONGEST
