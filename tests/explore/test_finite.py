"""Symbols that take one of finitely many values: answers are among them, and prove themselves."""

import itertools
import json
import random

import pytest
from flint import fmpq
from sympy import And, Eq, Or, Rational, log, sqrt, symbols

from boundcheck import Claim, Holds
from boundcheck.errors import InvalidArgument
from boundcheck.explore import plan, require, sharpen
from boundcheck.explore.conditions import System
from boundcheck.explore.finite import MOST, ways
from boundcheck.explore.ranges import Range
from boundcheck.worlds import Choice, Integer, Real, Space

from .conftest import PLACE

q, h, n, m, B, x, y, eps = symbols("q h n m B x y epsilon", real=True)
POSITIVE = Real(0, None, open_low=True)
PRIMES = (2, 3, 5, 7, 11)
SHARES = (Rational(1, 3), Rational(1, 2), Rational(3, 4))
FIELDS = {
    q: Choice((5, 2, 3, 11, 7, 3)), h: Choice(SHARES), n: Integer(1, searched=50), B: POSITIVE,
    x: Real(0, None), y: Real(0, 1), eps: POSITIVE,
}  # fmt: skip


def asked(*given, statement=None, **fields):
    return Claim(PLACE, Holds(x >= 0) if statement is None else statement, given=given,
                 parameters={**FIELDS, **{symbols(k, real=True): f for k, f in fields.items()}})


@pytest.mark.parametrize(("bound", "answer", "fails", "admits"), [
    (10, 5, "at 3, the next one below", "{5, 7, 11}"),
    (1, 2, "one below", "{2, 3, 5, 7, 11}"),
    (121, 11, "at 7, the next one below", None),
])  # fmt: skip
def test_a_requirement_is_one_of_the_values(bound, answer, fails, admits):
    need = require(asked(q**2 >= B), "q", {B: bound})
    assert need.answer == answer and need.trials[0].holds
    assert (need.trials[1].holds, need.trials[1].label) == (False, fails)
    assert fails in need.proof and (admits is None or f"admits   {admits}" in str(need))
    assert not need.sensitivity  # a value that jumps has no rate


def test_intervals_of_a_finite_set_are_its_values():
    need = require(asked(q**2 >= B), "q", {B: 10})
    assert need.intervals == tuple((fmpq(p), fmpq(p)) for p in (5, 7, 11))
    told = json.loads(json.dumps(need.as_json()))
    assert told["range"] == "{2, 3, 5, 7, 11}" and told["intervals"] == [["5", "5"], ["7", "7"],
                                                                         ["11", "11"]]
    assert need.formula == sqrt(B) and need.binding == (q**2 >= B,)
    assert require(asked(q**2 >= B), "q", {B: 1}).binding == ()


def test_no_value_is_invented_where_none_will_do():
    with pytest.raises(InvalidArgument, match=r"no q meets .* one of \{2, 3, 5, 7, 11\}; change"):
        require(asked(q**2 >= B), "q", {B: 150})
    with pytest.raises(InvalidArgument, match=r"reached is B = 150 against 121 at q = 11"):
        plan({"a": asked(q**2 >= B)}, "x <= 9", "q", {B: 150, x: 1})


def test_gaps_are_told():
    need = require(asked((q - 4)**2 >= B), "q", {B: 2})
    assert str(need).splitlines()[0].endswith("q at least 2, but not every one")
    assert "admits   {2, 7, 11}" in str(need)
    assert require(asked((q - 4)**2 <= B), "q", {B: 2}, sense="greatest").answer == 5


def test_fractions_are_chosen_exactly():
    need = require(asked(h > B), "h", {B: "1/2"})
    assert need.answer == Rational(3, 4) and not need.strict
    assert "at 0.5, the next one below" in str(need)
    assert require(asked(h >= B), "h", {B: "1/2"}).answer == Rational(1, 2)
    assert require(asked(h <= B), "h", {B: "0.6"}, sense="greatest").answer == Rational(1, 2)


def test_a_single_value_proves_itself_on_both_sides():
    need = require(asked(Eq(q, B)), "q", {B: 5})
    assert (need.sense, need.answer) == ("exactly", 5)
    assert [t.holds for t in need.trials] == [True, False, False]
    with pytest.raises(InvalidArgument, match=r"no q meets Eq\(q, B\)|no q meets q = B"):
        require(asked(Eq(q, B)), "q", {B: 6})


def test_what_is_given_and_what_is_assumed_lie_in_the_set():
    with pytest.raises(InvalidArgument, match=r"q = 4 is outside \{2, .*\}; give --set q=2"):
        require(asked(q**2 >= B), "B", {q: 4})
    need = require(asked(q**2 >= B, n * q >= 30), "n", {B: 10})
    assert need.assumed["q"] in PRIMES and need.answer * need.assumed["q"] >= 30
    need = require(asked(q**2 >= B), "B", {q: 3})
    assert need.answer == 9 and not need.sensitivity


def test_a_hypothesis_narrows_the_set():
    claim = asked(q >= 3, q <= 10, q * n >= B)
    assert str(System(claim).ranges["q"]) == "{3, 5, 7}"
    assert require(claim, "q", {B: 1, n: 1}).answer == 3
    with pytest.raises(InvalidArgument, match="no q lies in"):
        System(asked(q >= 8, q <= 10))
    listed = asked(Or(Eq(n, 4), Eq(n, 9)), n * x >= B)
    assert require(listed, "n", {B: 6, x: 1}).answer == 9


def test_names_are_no_numbers():
    claim = asked(q**2 >= B, kind=Choice(("a", "b")))
    assert System(claim).ranges["kind"].items is None and System(claim).plain("kind") == "a"
    with pytest.raises(InvalidArgument, match="is a name, not a number"):
        require(claim, "kind", {B: 1})
    assert System(claim, {"kind": "b"}).values == {"kind": "b"}
    for wrong in (4, "c"):
        with pytest.raises(InvalidArgument, match=f"kind = {wrong} is none of a, b; give --set"):
            System(claim, {"kind": wrong})


@pytest.mark.parametrize("seed", range(6))
def test_plans_are_the_cheapest_of_all(seed):
    rng = random.Random(seed)
    a, b, top = (Rational(rng.randint(1, 9), rng.randint(1, 5)) for _ in range(3))
    claim = asked(statement=Holds(y <= a / q + b / n), h=Choice(SHARES))
    target = Rational(rng.randint(20, 90), 100) * top / 3 + a / 11
    cost = [q * n, q + n, q**2 + 3 * n][seed % 3]
    best = min(cost.subs({q: p, n: k}) for p, k in itertools.product(PRIMES, range(1, 400))
               if a / p + b / k <= target)  # fmt: skip
    found = plan({"a": claim}, f"rhs <= {target}", str(cost))
    assert found.cost_value == best and found.sizes["q"] in PRIMES
    assert found.optimum.factor == 1
    lower = [v for v in PRIMES if v < found.sizes["q"]]
    assert bool(lower) is (found.lower["q"] is not None) and bool(lower) is ("q" not in found.floor)


def test_a_free_value_is_one_of_the_set():
    """h + 1 / (h n) is least at h = n^(-1/2); with h of the set two values of it admit n = 8."""
    claim = asked(statement=Holds(y <= h + 1 / (h * n)))
    found = plan({"a": claim}, "rhs <= 3/4", "n")
    assert min((k, share) for k in range(1, 200) for share in SHARES
               if share + 1 / (share * k) <= Rational(3, 4)) == (8, Rational(1, 3))  # fmt: skip
    assert found.sizes["n"] == 8 and found.chosen["h"] in (fmpq(1, 3), fmpq(1, 2))
    assert found.optimum.factor == 1 and "h" not in found.ends and "h" not in found.alike


def test_costs_may_count_fractions_of_a_set():
    found = plan({"a": asked(h * n >= 7)}, minimise="h**2 * n")
    best = min(share**2 * k for k in range(1, 50) for share in SHARES if share * k >= 7)
    assert found.cost_value == best


def test_rates_hold_what_jumps():
    found = plan({"a": asked(n * q >= B, q**2 >= B)}, minimise="n * q**3", given={B: 100})
    assert found.sizes == {"q": 11, "n": 10} and set(found.rates["B"]) == {"n"}


def test_many_ways_are_searched_and_not_all_tried():
    many = Range(whole=True, items=tuple(fmpq(k * k) for k in range(1, MOST + 9)))
    assert list(ways({"m": many}, ["m"])) == [{}]
    squares = Choice([k * k for k in range(1, MOST + 9)])
    found = plan({"a": asked(m * n >= B, n <= 3, m=squares)}, minimise="m", given={B: 300})
    assert found.sizes["m"] == 100 and found.optimum.factor < 1.01


def test_statements_compose_in_the_sets_of_all():
    one = asked(q * n >= B)
    other = Claim(PLACE, Holds(x >= 0), given=[q >= 1], parameters={
        q: Choice((3, 7, 8)), x: Real(0, None)})  # fmt: skip
    found = plan({"a": one, "b": other}, minimise="q", given={B: 40, n: 10})
    assert found.sizes["q"] == 7
    whole = Claim(PLACE, Holds(x >= 0), given=[q >= 1], parameters={
        q: Integer(1, searched=9), x: Real(0, None)})  # fmt: skip
    assert plan({"a": whole, "b": one}, minimise="q", given={B: 40, n: 10}).sizes["q"] == 5


def test_worlds_have_finite_sets_too():
    claim = Claim(PLACE, Holds(x <= 1), given=[x >= log(q)], worlds=Space(q=Choice(PRIMES)),
                  parameters={x: Real(0, None)})  # fmt: skip
    need = require(claim, "q", {x: 2})
    assert (need.sense, need.answer) == ("greatest", 7)
    assert "at 11, the next one above" in need.proof
    assert require(claim, "q", {x: 2}, sense="least").answer == 2


@pytest.mark.parametrize("seed", range(8))
def test_requirements_are_those_of_all_values(seed):
    rng = random.Random(seed)
    items = sorted({Rational(rng.randint(-20, 40), rng.randint(1, 4)) for _ in range(7)})
    relation = [q**2 - 3 * q >= B, q * 2 <= B, And(q > B, q**2 < 900), (q - 2) * (q - 7) <= B][
        seed % 4]  # fmt: skip
    bound = rng.randint(1, 12)
    met = [item for item in items if relation.subs({B: bound, q: item})]
    claim = asked(relation, q=Choice(items))
    for sense, end in (("least", min), ("greatest", max)):
        if not met:
            with pytest.raises(InvalidArgument):
                require(claim, "q", {B: bound}, sense=sense)
            continue
        need = require(claim, "q", {B: bound}, sense=sense)
        assert need.answer == end(met) and need.trials[0].holds is True
        assert need.trials[1].holds is False


def test_a_sharper_constant_is_judged_on_the_set():
    """On the integers (q - 4)(q - 6) is at least -1; on these it is never below that either."""
    found = sharpen(asked(statement=Holds((4 - q) * (q - 6) <= 5)), budget="brief",
                    kinds=("factor",))  # fmt: skip
    assert found.brackets[0].best == 1
