"""Plans against optima known by hand, and what no plan can do."""

import json
import math

import pytest
import sympy
from flint import arb, fmpq
from sympy import And, Implies, Rational, exp, log, sqrt, symbols

from boundcheck import Claim, Holds
from boundcheck.claim import Expected, UpToConstant, WithProbability
from boundcheck.errors import InvalidArgument, UnknownSymbol
from boundcheck.explore import plan, require, rounding
from boundcheck.explore.composing import composed
from boundcheck.expressions import define, norm, outcome, parameter, world
from boundcheck.worlds import Indices, Integer, Real, Space, Vector, Weights

from .conftest import PLACE

n, M, T = symbols("n M T", real=True)
lam, eps, delta, gap, risk = symbols("lambda epsilon delta gap risk", real=True)
POSITIVE = Real(0, None, open_low=True)
UNIT = Real(0, 1, open_low=True, open_high=True)
COUNT = Integer(1, searched=9)


def ridge(**changes):
    """lambda + 1 / (lambda sqrt n) <= eps: least n at lambda = eps / 2, where n = 16 / eps^4."""
    fields = {
        "source": PLACE, "statement": Holds(risk <= eps),
        "given": [lam + 1 / (lam * sqrt(n)) <= eps],
        "parameters": {n: COUNT, lam: POSITIVE, eps: POSITIVE, risk: Real(0, None)},
    }  # fmt: skip
    return Claim(**{**fields, **changes})


def features():
    """gap <= sqrt(log(1/delta) / M) with probability 1 - delta."""
    return Claim(
        source=PLACE, statement=WithProbability(1 - delta, gap <= sqrt(log(1 / delta) / M)),
        given=[And(delta > 0, delta < 1)],
        parameters={M: COUNT, delta: UNIT, gap: Real(0, None)},
    )  # fmt: skip


def learning():
    """If the gap is at most eps, T >= 4 log(1/delta) / eps iterations are enough."""
    return Claim(
        source=PLACE, statement=WithProbability(1 - delta, risk <= 2 * eps),
        given=[gap <= eps, T >= 4 * log(1 / delta) / eps, And(delta > 0, delta < 1)],
        parameters={T: COUNT, delta: UNIT, eps: POSITIVE, gap: Real(0, None),
                    risk: Real(0, None)},
    )  # fmt: skip


@pytest.mark.parametrize(("bound", "told"), [
    (1 / n + n / 100, r"= 0\.2 at n = 10;"), (lam + 1 / (lam * 16), r"= 0\.5\d* at lambda = 0\.2"),
    ((n - 70_000)**2 / 10 + n / 70_000, r"= 1 at n = 7e\+04;"),
])  # fmt: skip
def test_the_best_that_is_reached_is_where_the_bound_is_least(bound, told):
    """The plain size was named, where the bound was five times as large."""
    claim = Claim(PLACE, Holds(risk <= bound), parameters={
        n: COUNT, lam: POSITIVE, risk: Real(0, None)})  # fmt: skip
    with pytest.raises(InvalidArgument, match=f"no plan was found .* best reached is .* {told}"):
        plan({"a": claim}, "rhs <= 0.1", "n")


def test_the_regularisation_is_chosen():
    found = plan({"a:printed": ridge()}, given={"epsilon": "0.1"})
    best = 16 * 10**4
    assert best <= found.sizes["n"] <= 1.01 * best
    assert float(found.chosen["lambda"]) == pytest.approx(0.05, rel=0.03)
    assert found.rates["epsilon"]["n"] == pytest.approx(-4, abs=0.05)
    assert found.rates["epsilon"]["lambda"] == pytest.approx(1, abs=0.06)
    assert json.loads(json.dumps(found.as_json()))["sizes"]["n"] == str(found.sizes["n"])


def test_a_plan_is_admissible_and_each_size_the_least():
    found = plan({"a:printed": ridge()}, given={"epsilon": "0.1"}, rates=False)
    at = float(found.chosen["lambda"])
    count = found.sizes["n"]
    assert at + 1 / (at * math.sqrt(count)) <= 0.1 < at + 1 / (at * math.sqrt(count - 1))
    assert found.lower["n"] == ridge().given[0] and "lower fails" in str(found)


def test_conclusions_feed_conditions_and_failures_add_up():
    joint = composed({"a:printed": features(), "b:printed": learning()})
    assert joint.shares == ("delta_1", "delta_2") and len(joint.links) == 1
    assert joint.links[0].source == "a:printed"
    found = plan({"a:printed": features(), "b:printed": learning()}, None, "M * T",
                 {"epsilon": "0.1", "failure": "0.1"}, rates=False)  # fmt: skip
    shares = [float(found.chosen[name]) for name in joint.shares]
    assert sum(shares) <= 0.1 + 1e-12
    # M = 100 log(1/d1), T = 40 log(1/d2): the product is least at equal shares.
    assert shares[0] == pytest.approx(0.05, rel=0.1)
    assert found.sizes["M"] == math.ceil(100 * math.log(1 / shares[0]))
    assert found.sizes["T"] == math.ceil(40 * math.log(1 / shares[1]))
    assert "gap <= epsilon by a:printed" in str(found)


def test_plans_in_a_circle_are_refused():
    there = Claim(source=PLACE, statement=Holds(gap <= 2 * risk), given=[risk <= eps],
                  parameters={gap: POSITIVE, risk: POSITIVE, eps: POSITIVE})  # fmt: skip
    back = Claim(source=PLACE, statement=Holds(risk <= 2 * gap), given=[gap <= eps],
                 parameters={gap: POSITIVE, risk: POSITIVE, eps: POSITIVE})  # fmt: skip
    with pytest.raises(InvalidArgument, match="a plan in a circle"):
        plan({"a:printed": there, "b:printed": back})


def test_one_name_for_two_things_is_refused():
    def measured(rule, **more):
        return Claim(source=PLACE, statement=Holds(gap <= eps), worlds=Space(v=Vector(2)),
                     parameters={eps: POSITIVE}, measure={gap: rule}, **more)  # fmt: skip

    first, second = measured(lambda v: v[0] ** 2), measured(lambda v: v[1] ** 2, given=[gap <= 1])
    with pytest.raises(InvalidArgument, match="gap is one thing in a:b and another in c:d"):
        composed({"a:b": first, "c:d": second})
    again = measured(lambda v: v[0] ** 2, given=[gap <= 1])
    assert composed({"a:b": first, "c:d": again}).links[0].source == "a:b"


def test_a_target_that_no_plan_meets_comes_with_the_best_reached():
    # The bound 1/4 + 1/n never falls below 1/4.
    claim = ridge(statement=Holds(risk <= sympy.Rational(1, 4) + 1 / n), given=[n >= 2],
                  parameters={n: COUNT, risk: Real(0, None)})  # fmt: skip
    with pytest.raises(InvalidArgument, match=r"no plan was found .* best reached is .* = 0\.25"):
        plan({"a:printed": claim}, "rhs <= 0.2")
    assert plan({"a:printed": claim}, "rhs <= 0.26", rates=False).sizes["n"] == 100


def test_the_least_accuracy_is_the_end_of_a_condition_on_a_size():
    # n >= 4 / eps^2 leaves eps >= 2 / sqrt(n), though eps is nowhere the larger side alone.
    claim = ridge(given=[n >= 4 / eps**2])
    found = plan({"a:printed": claim}, None, "epsilon", {"n": 1000})
    assert float(found.sizes["epsilon"]) == pytest.approx(2 / 1000**0.5, rel=1e-9)
    assert found.optimum is not None and found.optimum.least


def test_the_best_bound_for_a_budget():
    claim = ridge(statement=Holds(risk <= lam + 1 / (lam * sqrt(n))), given=[lam > 0],
                  parameters={n: COUNT, lam: POSITIVE, risk: Real(0, None)})  # fmt: skip
    found = plan({"a:printed": claim}, None, "lambda + 1/(lambda*sqrt(n))", {"n": 10**4})
    assert float(found.cost_value) == pytest.approx(0.2, rel=1e-3)
    assert float(found.chosen["lambda"]) == pytest.approx(0.1, rel=0.03)


def test_ends_of_the_search_are_no_choices():
    # The least n is 101 as long as lambda <= 1/10 - 1/sqrt(101) = 0.000496...
    claim = ridge(given=[lam + 1 / sqrt(n) <= eps])
    found = plan({"a:printed": claim}, given={"epsilon": "0.1"})
    assert found.sizes == {"n": 101} and found.alike == {"lambda": "smaller"}
    assert 0.000490 < float(found.chosen["lambda"]) <= 0.1 - 101**-0.5
    assert "every smaller one costs the same" in str(found)
    assert "lambda" not in found.rates["epsilon"]


def test_what_has_no_best_value_is_said():
    # A cost that falls with lambda as far as one looks has no least lambda.
    claim = ridge(given=[1 / sqrt(n) <= eps])
    found = plan({"a:printed": claim}, None, "n*(1 + lambda)", {"epsilon": "0.1"}, rates=False)
    assert found.ends == {"lambda": "smaller"} and "no best value" in str(found)
    assert not found.chosen and not found.alike


def counted():
    """T >= 4 / eps rounds on at least T points."""
    return ridge(given=[T >= 4 / eps, n >= T],
                 parameters={n: COUNT, eps: POSITIVE, T: COUNT, risk: Real(0, None)})  # fmt: skip


def test_a_symbol_given_beside_what_defines_it_has_the_value_that_it_makes():
    # A step is made by delta: 1/2 at delta = 1/4.
    claim = ridge(given=[n >= gap / eps, And(delta > 0, delta < 1)],
                  parameters={n: COUNT, eps: POSITIVE, delta: UNIT, risk: Real(0, None)},
                  measure={gap: lambda delta: 2 * delta})  # fmt: skip
    given = {"epsilon": "0.1", "delta": "0.25"}
    assert plan({"a:printed": claim}, given={**given, "gap": "0.5"}, rates=False).sizes["n"] == 5
    with pytest.raises(InvalidArgument, match=r"gap = 3, but delta = 1/4 make it 1/2; drop --set"):
        plan({"a:printed": claim}, given={**given, "gap": 3})
    del given["delta"]
    assert plan({"a:printed": claim}, given={**given, "gap": 3}, rates=False).sizes["n"] == 30


@pytest.mark.parametrize(("keys", "given", "text"), [
    ({"a:printed": ridge()}, {"epsilon": "0.1", "lamda": 1}, "unknown symbol lamda; the nearest"),
    ({"a:printed": ridge()}, {"epsilon": "0.1", "n": 5, "lambda": 1}, "no size is free"),
    ({"a:printed": ridge()}, {"epsilon": "0.1", "lambda": 1}, r"no plan was found .* best reached "
     r"is .* = 1 against 0\.1 at n"),
    ({"a:printed": counted()}, {"epsilon": "0.1", "T": 9}, r"T >= 4/epsilon fails at .*; change"),
    (["classical/markov:printed"] * 2, {}, "is named twice"),
])  # fmt: skip
def test_wrong_plans_end_in_one_line(keys, given, text):
    with pytest.raises(InvalidArgument, match=text) as caught:
        plan(keys, given=given)
    assert "\n" not in str(caught.value)


def test_statements_of_the_library_are_planned():
    found = plan("livni2017/theorem_1:mean_regret", None, "m*T", {"epsilon": "0.1", "B": 2})
    assert found.sizes["T"] == 17_778  # 400 B^2 / (9 eps^2), rounded up
    assert found.rates["epsilon"]["T"] == pytest.approx(-2, abs=0.01)
    # n is a size of the world there, and no condition has it alone on a side.
    given = {"epsilon": "0.5", "Q": 1, "sigma": "0.5", "delta": "0.1"}
    found = plan("wu2021/theorem_4_3:accuracy", None, "n", given, rates=False)
    assert 9_000 < found.sizes["n"] < 10_000 and 0.1 < float(found.chosen["lambda"]) < 0.2


def test_worked_plans_stand_beside_what_was_used():
    from boundcheck.explore.plans_page import PAGE, section
    from boundcheck.figures import companion
    from boundcheck.library import load_library

    worked = companion(load_library(None), "livni2017", "_plan").WORKED[0]
    text = section(worked)
    assert "| T | 17,778 | 200 |" in text and "binds" in text
    assert text in PAGE.read_text()  # the committed page is what comes out


@pytest.mark.parametrize("sample", [16, 10**4, 10**12])
def test_the_best_bound_for_a_sample_is_the_other_way_round(sample):
    # lambda + 1 / (lambda sqrt n) is least at lambda = n^(-1/4), where it is 2 n^(-1/4).
    found = plan({"ridge": ridge()}, minimise="epsilon", given={"n": sample})
    assert 1 <= float(found.cost_value) / (2 * sample**-0.25) < 1.001
    assert found.optimum.factor < 1.02


def test_a_cost_that_only_falls_has_no_best_value():
    claim = ridge(given=[1 / sqrt(n) <= eps], statement=Holds(lam <= eps + risk))
    found = plan({"ridge": claim}, minimise="lambda*epsilon", given={"n": 100, "epsilon": 1})
    assert found.ends == {"lambda": "smaller"} and "no best value was found" in str(found)


@pytest.mark.parametrize("given, cost, sizes", [
    ([n > 1 / eps], "n", {"n": 11}),
    ([1 / eps < n], "n", {"n": 11}),
    ([n >= 1 / eps], "n", {"n": 10}),
    ([n > 1 / eps, M > n], "n*M", {"n": 11, "M": 12}),
])  # fmt: skip
def test_strict_conditions_are_met_beyond_their_ends(given, cost, sizes):
    claim = ridge(given=given, statement=Holds(risk <= n * M),
                  parameters={n: COUNT, M: COUNT, eps: POSITIVE, risk: Real(0, None)})  # fmt: skip
    found = plan({"ridge": claim}, minimise=cost, given={"epsilon": "1/10"})
    assert {name: found.sizes[name] for name in sizes} == sizes


def test_a_real_size_is_beyond_a_strict_condition_by_a_little():
    claim = ridge(given=[lam > 1 / eps], statement=Holds(risk <= lam))
    found = plan({"ridge": claim}, minimise="lambda", given={"epsilon": "1/10"})
    assert 0 < {**found.sizes, **found.chosen}["lambda"] - 10 < fmpq(1, 10**6)


def samples(**changes):
    """2 / sqrt(m) + 2 / sqrt(n) + eps, with probability 1 - 2 exp(-eps^2 m n / (2 (m + n)))."""
    bound = 2 / sqrt(M) + 2 / sqrt(n) + eps
    level = 1 - 2 * sympy.exp(-(eps**2) * M * n / (2 * (M + n)))
    fields = {"source": PLACE, "statement": WithProbability(level, risk <= bound),
              "parameters": {M: COUNT, n: COUNT, eps: POSITIVE, risk: Real(0, None)}}  # fmt: skip
    return Claim(**{**fields, **changes})


def test_sizes_that_serve_only_together_are_raised_together():
    # 2 / sqrt(m) + 2 / sqrt(n) <= 1/5 needs more than 100 of each; the least product is at 400.
    found = plan({"a:b": samples()}, "rhs <= 0.3", "M * n", {"epsilon": "0.1"}, rates=False)
    assert dict(found.sizes) == {"M": 400, "n": 400} and found.confidence is None
    found = plan({"a:b": samples()}, "rhs <= 0.3", "M + 4 * n", {"epsilon": "0.1"}, rates=False)
    best = min(m + 4 * math.ceil((2 / (0.2 - 2 / math.sqrt(m))) ** 2) for m in range(101, 5000))
    assert best <= int(found.cost_value) <= 1.01 * best


def test_sizes_of_which_one_must_be_larger_are_raised_together():
    """1 / n + 1 / m <= 1/10 with m >= n log(n + 1): doubled together they never meet the second."""
    claim = Claim(PLACE, Holds(1 / n + 1 / M <= risk), given=[M >= n * sympy.log(n + 1)],
                  parameters={M: COUNT, n: COUNT, risk: Real(0, None)})  # fmt: skip
    found = plan({"a:b": claim}, "lhs <= 1/10", "M * n", rates=False)
    best = min((m * k, m, k) for k in range(11, 100) for m in range(11, 500)
               if 10 * (m + k) <= m * k and m >= k * math.log(k + 1))
    assert (int(found.cost_value), *dict(found.sizes).values()) == best == (532, 38, 14)


def test_a_level_that_nobody_gave_is_not_planned_away():
    found = plan({"a:b": samples()}, "rhs <= 0.3", "M * n", rates=False)
    assert found.confidence == sympy.Rational(9, 10) and found.level >= 0.9
    assert "not given; use --set, or --target on level" in str(found)
    given = plan({"a:b": samples()}, "level >= 0.5", "M * n", {"epsilon": "0.1"}, rates=False)
    assert given.confidence is None and 0.5 <= given.level < 0.6
    share = plan({"a:b": features()}, "rhs <= 0.1", rates=False)
    assert float(share.chosen["delta"]) == pytest.approx(0.1, rel=1e-6)


def test_the_bound_is_a_cost():
    found = plan({"a:b": samples()}, None, "rhs", {"M": 400, "n": 400}, rates=False)
    # The least epsilon with 2 exp(-100 eps^2) <= 1/10 is 0.1731.
    assert float(found.cost_value) == pytest.approx(0.3731, rel=0.01)


def test_the_least_size_there_is_is_told_as_such():
    found = plan({"a:b": samples()}, "rhs <= 9", "M * n", {"epsilon": 1}, rates=False)
    assert found.floor == {"M", "n"} and "(the least there is)" in str(found)
    assert all(relation is None for relation in found.lower.values())


def test_how_far_somebody_looked_is_no_plan():
    with pytest.raises(InvalidArgument, match=r"no least value that was found: .* near to 0 as"):
        plan({"a:b": samples(statement=Holds(risk <= eps))}, None, "epsilon", {"M": 2, "n": 2})


def test_a_cost_of_a_billion_bits_is_shown():
    assert str(rounding.number(arb(10**9).exp())).endswith("e+434294481")
    assert rounding.number(arb("1.5")) == sympy.Float(1.5, 20)
    assert rounding.number(arb("inf")) == sympy.oo


def bounding(statement, *given, **fields):
    """A statement about the gap and M, with other fields by name."""
    known = {M: COUNT, gap: POSITIVE, **{symbols(n, real=True): f for n, f in fields.items()}}
    return Claim(PLACE, statement, given=list(given), parameters=known)


def resting(*given, level=None, **fields):
    """risk <= 2 epsilon if the gap is at most epsilon, or what is given instead."""
    relation = risk <= 2 * eps
    known = {eps: POSITIVE, gap: POSITIVE, risk: Real(0, None),
             **{symbols(n, real=True): f for n, f in fields.items()}}  # fmt: skip
    form = Holds(relation) if level is None else WithProbability(level, relation)
    return Claim(PLACE, form, given=list(given) or [gap <= eps], parameters=known)


def planned(first, second, **given):
    given = {"epsilon": "0.1", **given}
    return plan({"a:p": first, "b:p": second}, None, "M", given, rates=False)


def test_a_plan_lies_in_the_domains_of_all_statements():
    first = bounding(Holds(gap <= 1 / (M * lam)), **{"lambda": Real(0, 1, open_low=True)})
    found = planned(first, resting(gap <= eps, lam >= 0, **{"lambda": POSITIVE}))
    assert found.sizes == {"M": 10} and found.chosen == {"lambda": 1}


def test_objects_of_one_name_have_one_domain():
    def over(low, high):
        field = Vector(2, low, high)
        return {"worlds": Space(v=field), "measure": {gap: lambda v: v[0] ** 2}}

    def pair(high):
        first = Claim(PLACE, Holds(gap <= 1 / M), parameters={M: COUNT}, **over(0, 1))
        second = Claim(PLACE, Holds(risk <= eps), given=[gap <= eps],
                       parameters={eps: POSITIVE, risk: POSITIVE}, **over(0, high))  # fmt: skip
        return {"a:b": first, "c:d": second}

    assert composed(pair(1)).links[0].source == "a:b"
    with pytest.raises(InvalidArgument, match=r"v is Vector, .* in a:b and Vector, .* in c:d"):
        composed(pair(2))


def test_one_share_beside_a_level_without_one_is_part_of_a_failure():
    last = resting(level=1 - exp(-T), T=COUNT)
    found = plan({"a:p": root(1 - delta), "b:p": last}, None, "M * T", {"epsilon": "0.1"},
                 rates=False)  # fmt: skip
    assert float(found.level) >= 0.9 and found.assumed["failure"] == fmpq(1, 10)
    # T = 3 leaves 0.0502 to delta, where 100 log(1/delta) is below 300; T = 4 costs 4 * 251.
    assert found.sizes == {"M": 300, "T": 3}


def test_a_strict_condition_is_met_strictly():
    assert planned(bounding(Holds(gap <= 1 / M)), resting(gap < eps)).sizes == {"M": 11}
    assert planned(bounding(Holds(gap < 1 / M)), resting(gap < eps)).sizes == {"M": 10}


def test_premises_of_a_conclusion_are_asked():
    first = bounding(Holds(Implies(lam >= 3, gap <= lam / M)), **{"lambda": POSITIVE})
    assert planned(first, resting()).sizes == {"M": 30}


def root(level):
    return bounding(WithProbability(level, gap <= sqrt(log(1 / delta) / M)), delta=UNIT)


def test_what_holds_with_a_probability_makes_nothing_sure():
    found = planned(root(1 - delta), resting())
    assert found.sizes == {"M": 231} and float(found.level) == pytest.approx(0.9)
    average = Claim(PLACE, Expected(risk <= 2 * eps), given=[gap <= eps],
                    parameters={eps: POSITIVE, gap: POSITIVE, risk: POSITIVE})  # fmt: skip
    with pytest.raises(InvalidArgument, match="b:p is about expectations"):
        planned(root(1 - delta), average)


def test_failures_of_every_form_add_up():
    later = resting(gap <= eps, log(1 / delta) <= 5, level=1 - delta, delta=UNIT)
    found = planned(root(1 - 2 * delta), later, failure="0.1")
    one, two = (float(found.chosen[name]) for name in ("delta_1", "delta_2"))
    assert one + two <= 0.1 + 1e-12 and two >= math.exp(-5)
    assert found.sizes["M"] == math.ceil(100 * math.log(2 / one))
    assert float(found.level) == pytest.approx(0.9, abs=1e-3)
    certain = bounding(WithProbability(Rational(9, 10), gap <= 1 / M))
    found = planned(certain, later, failure="0.2")
    assert found.sizes == {"M": 10} and float(found.chosen["delta_2"]) <= 0.1
    assert float(found.level) >= 0.8


def test_a_level_that_is_no_failure_probability_keeps_its_number():
    first = bounding(WithProbability(1 - 1 / T, gap <= log(T) / M), T=COUNT)
    later = resting(gap <= eps, T <= 40, level=1 - delta, delta=UNIT, T=COUNT)
    found = plan({"a:p": first, "b:p": later}, None, "M * T",
                 {"epsilon": "0.1", "failure": "0.1"}, rates=False)  # fmt: skip
    share, rounds = float(found.chosen["delta_2"]), found.sizes["T"]
    assert share + 1 / rounds <= 0.1 and found.sizes["M"] >= 10 * math.log(rounds)


SAID = {
    "elsewhere": (Holds(gap <= 1 / M), resting(gap <= eps, M >= 4 / gap, M=COUNT)),
    "from below": (Holds(gap <= 1 / M), resting(gap <= eps, gap >= eps / 2)),
    "up to a constant": (UpToConstant(gap <= 1 / M), resting()),
    "in the conclusion": (Holds(gap <= 1 / M), Claim(
        PLACE, Holds(risk <= 2 * gap), given=[eps <= 1],
        parameters={gap: POSITIVE, risk: POSITIVE, eps: POSITIVE})),
}  # fmt: skip


@pytest.mark.parametrize("name", SAID)
def test_what_a_statement_bounds_is_no_choice(name):
    statement, later = SAID[name]
    with pytest.raises(InvalidArgument, match="a:p bounds gap"):
        planned(bounding(statement), later)


def test_what_a_statement_bounds_from_below_is_no_choice():
    count, gap_ = parameter("M", COUNT), parameter("gap", POSITIVE)
    first = Claim(PLACE, Holds(gap_ >= 1 / count))
    later = Claim(PLACE, Holds(risk <= 2 * gap_),
                  parameters={risk: Real(0, None), gap_: POSITIVE})  # fmt: skip
    with pytest.raises(InvalidArgument, match="a:p bounds gap"):
        composed({"a:p": first, "b:p": later})
    within = Claim(PLACE, Holds(define("error", norm(world("v", Vector(2)))) <= gap_))
    composed({"a:p": within, "b:p": later})  # of what is measured, a threshold is chosen
    width, high = parameter("width", POSITIVE), parameter("high", POSITIVE)
    below = Claim(PLACE, Holds(width <= high))
    composed({"a:p": below, "b:p": Claim(PLACE, Holds(risk <= high),
              parameters={risk: Real(0, None), high: POSITIVE})})  # fmt: skip


def test_what_holds_in_expectation_meets_no_condition_on_an_outcome():
    count = parameter("M", COUNT)
    law, v = world("U", Weights(2)), world("v", Vector(2))
    drawn = outcome("Y", Indices("Y", law, parameter("s", COUNT)))
    value = define("gap", v[drawn[0]])
    first = Claim(PLACE, Expected(value <= 1 / count))
    later = Claim(PLACE, Holds(risk <= 2 * eps), given=[value <= eps],
                  parameters={eps: POSITIVE, risk: Real(0, None)})  # fmt: skip
    assert not composed({"a:p": first, "b:p": later}).links


def test_a_failure_probability_in_a_definition_has_no_share():
    chance, count = parameter("delta", UNIT), parameter("M", COUNT)
    gap_, eps_ = parameter("gap", POSITIVE), parameter("epsilon", POSITIVE)
    first = Claim(PLACE, WithProbability(
        1 - chance, gap_ <= define("bound", sqrt(log(1 / chance) / count))))  # fmt: skip
    later = Claim(PLACE, WithProbability(1 - chance, gap_ <= 2 * eps_), given=[gap_ <= eps_])
    with pytest.raises(InvalidArgument, match="delta stands in definitions of a:p"):
        composed({"a:p": first, "b:p": later})


def test_a_failure_probability_that_is_shared_out_is_not_given():
    """It was taken and not read: the plan failed ten times as often as was said."""
    with pytest.raises(UnknownSymbol, match=r"unknown symbol delta; .* failure"):
        plan({"a:p": features(), "b:p": learning()}, None, "M * T",
             {"epsilon": "0.1", "delta": "0.01"}, rates=False)  # fmt: skip


@pytest.mark.parametrize("size", [20, -20])
def test_a_best_value_beyond_the_magnitudes_tried_first_is_one(size):
    """It was said that there is none, the smaller the better, beside its formula."""
    claim = ridge(given=[eps >= 1 + 10**size * lam + sympy.Rational(10) ** -size / lam])
    found = plan({"ridge": claim}, minimise="epsilon", rates=False)
    assert not found.ends and float(found.chosen["lambda"]) == pytest.approx(10.0**-size, rel=0.01)
    assert float(found.cost_value) == pytest.approx(3, rel=1e-3)


def test_a_value_below_which_a_condition_asks_for_more_has_no_plateau():
    """Every smaller one was said to cost the same; at 10^-30 it is 10^10."""
    claim = ridge(given=[n >= 100 + 10**6 * lam, n >= sympy.Rational(1, 10**20) / lam])
    found = plan({"ridge": claim}, given={"epsilon": 1}, rates=False)
    assert found.sizes == {"n": 101} and not found.alike and not found.ends


def test_sizes_beyond_memory_are_no_defect():
    def asks(least):
        return {"a:p": ridge(given=[n >= least])}

    found = plan(asks(exp(exp(1 / eps))), given={"epsilon": "0.1"})  # at half of it: e^(e^20)
    assert found.sizes["n"].bit_length() == math.ceil(math.exp(10) / math.log(2))
    for least in (2 ** (1 / eps**6), exp(exp(exp(1 / eps)))):
        with pytest.raises(InvalidArgument, match=r"too large to tell|no values were found"):
            plan(asks(least), given={"epsilon": "0.01"})
    assert int(math.log10(math.e) * math.exp(10)) + 1 == len(found.as_json()["sizes"]["n"])
    needed = require(asks(exp(exp(1 / eps)))["a:p"], "epsilon", {"n": 1000})
    assert float(needed.answer) == pytest.approx(1 / math.log(math.log(1000)), rel=1e-6)


def test_a_simple_number_near_the_best_that_was_found_costs_less():
    """At 0.06662... another round was asked for; at 1/15 the bound is 1/10 exactly."""
    claim = ridge(given=[lam + 1 / (lam**2 * T) <= Rational(1, 10)],
                  parameters={T: COUNT, lam: POSITIVE, eps: POSITIVE, risk: Real(0, None)})
    found = plan({"a": claim}, minimise="T", given={"epsilon": 1}, rates=False)
    assert (found.sizes["T"], found.chosen["lambda"]) == (6750, fmpq(1, 15))
