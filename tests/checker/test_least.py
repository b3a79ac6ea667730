"""Numbers as small as hypotheses let them be: laws of false claims, none of true ones."""

import pytest
from flint import fmpq
from sympy import Abs, Max, exp, log, sqrt

from boundcheck import Claim, Source
from boundcheck.checker.least import AtLeast
from boundcheck.checker.spreads import Spread, as_extra, from_extra, law_of, said
from boundcheck.checker.writing import Unwritten
from boundcheck.claim import UpToConstant
from boundcheck.expressions import average, define, index, outcome, parameter, total, world
from boundcheck.search.spreads import at_hypotheses
from boundcheck.worlds import Counts, Integer, Real, Weights

PLACE = Source("A", 2024, "Example").at("1")
a, m = (parameter(name, Real(2, None)) for name in "am")
n, d = (parameter(name, Integer(1, searched=50)) for name in "nd")
eps = parameter("eps", Real(0, 1, open_low=True))
lam = parameter("lam", Real(0, None, open_low=True))
START = {"a": fmpq(3), "m": fmpq(40), "n": 60, "d": 2, "eps": fmpq(1, 2), "lam": fmpq(9)}
ENOUGH = m >= 2 * a * log(a)
FALSE = [
    (a * log(m) ** 2 <= m, [ENOUGH]), (a * sqrt(log(a)) * log(m) <= m, [ENOUGH]),
    (m <= a * sqrt(log(a)), [ENOUGH]), (d * log(n + 1) <= n, [n > d]),
    (d / n <= eps**2, [n * 1 >= d / eps]), (sqrt(1 / n) * log(n + 1) <= eps, [n >= 1 / eps**2]),
    (exp(d) <= n, [n >= d**3 + d]), (lam <= sqrt(d), [lam >= d * log(d + 1)]),
    (1 / eps <= m, [m >= log(1 / eps), m >= sqrt(1 / eps)]),
]  # fmt: skip
TRUE = [
    (a * log(m) <= m, [ENOUGH]), (a * log(a) <= m, [ENOUGH]), (m <= m * log(a), [ENOUGH]),
    (d <= n, [n > d]), (d / n <= eps, [n * 1 >= d / eps]), (1 / n <= eps**2, [n >= 1 / eps**2]),
    (log(n) <= sqrt(n), [n >= d**3 + d]), (sqrt(d) <= lam, [lam >= d * log(d + 1)]),
    (m <= a * log(a), [ENOUGH, m <= a**2]), (a * log(m) ** 2 <= m, [ENOUGH, m >= a**2]),
    (a * log(m) ** 2 <= m, [ENOUGH, Abs(m - a**3) <= a]),
    (a * log(m) ** 2 <= m, [ENOUGH, m + a >= a**3]),
    (sqrt(1 / eps) <= m, [m >= log(1 / eps), m >= sqrt(1 / eps)]),
    (log(1 / eps) <= n, [n >= Max(log(1 / eps), 1)]),
]  # fmt: skip


def claim_of(relation, given, **more):
    return Claim(PLACE, UpToConstant(relation), given=given, **more)


def spreads(claim):
    world = {name: START[name] for name in claim.fields}
    yield from at_hypotheses(claim, world)


@pytest.mark.parametrize(("relation", "given"), FALSE)
def test_false_orders_have_a_law(relation, given):
    claim = claim_of(relation, given)
    assert any(law_of(claim, spread) for spread in spreads(claim))


@pytest.mark.parametrize(("relation", "given"), TRUE)
def test_true_orders_have_none(relation, given):
    claim = claim_of(relation, given)
    for spread in spreads(claim):
        assert not law_of(claim, spread), spread


def test_a_witness_says_which_number_is_the_least():
    claim = claim_of(*FALSE[0])
    spread = next(spreads(claim))
    assert from_extra(as_extra(spread), spread.start) == spread
    assert said(spread) == (
        "a moves as c t^1; m is the least whole number that hypotheses allow")


@pytest.mark.parametrize(("given", "more"), [
    ([ENOUGH, m <= a**9], {}), ([ENOUGH, m * a >= a**2], {}), ([a >= 2], {}),
    ([m >= 2 + m / 9 * log(a)], {}), ([ENOUGH], {"domains": {m: Real(2, 10**9)}}),
])  # fmt: skip
def test_of_what_more_is_asked_is_not_written_out(given, more):
    claim = claim_of(a * log(m) ** 2 <= m, given, **more)
    start = {name: START[name] for name in claim.fields}
    with pytest.raises(Unwritten):
        assert AtLeast(claim, Spread(start, {"a": (fmpq(1), fmpq(0))}, least="m")).claim


def test_a_limit_that_reads_the_number_behind_a_name_is_none():
    share = define("share", m * a / 100)  # so that a is at most 100
    claim = claim_of(a <= 1, [m >= share + a / 10**6])
    found = list(at_hypotheses(claim, {"a": fmpq(3), "m": fmpq(2)}))
    assert found and not any(law_of(claim, spread) for spread in found)


def test_what_the_constant_depends_on_is_no_least_number():
    claim = Claim(PLACE, UpToConstant(a * log(m) ** 2 <= m, depends=("m",)), given=[ENOUGH])
    start = {name: START[name] for name in claim.fields}
    assert not law_of(claim, Spread(start, {"a": (fmpq(1), fmpq(0))}, least="m"))


@pytest.mark.parametrize("condition", [
    n >= sqrt(100 - a), n > log(50 - a), n >= a + sqrt(20 - a),
])  # fmt: skip
def test_a_hypothesis_without_a_value_at_large_sizes_ends_there(condition):
    claim = claim_of(a <= 1, [condition])
    assert list(spreads(claim)) and not any(law_of(claim, each) for each in spreads(claim))


counts = outcome("counts", Counts("counts", world("p", Weights(2)), n))
SHARES = (fmpq(1, 2),) * 2
OF_SIZE = [total(1 + 0 * a + lam, index("i", n)), average(counts[0] + counts[1], counts),
           average((counts[0] - counts[1]) ** 2, counts)]  # fmt: skip


@pytest.mark.parametrize("size", OF_SIZE)
def test_sizes_and_draws_follow_the_least_number(size):
    # With n = 2 at both places that are looked at in full, and above log(a) / 100 ever after.
    claim = claim_of(log(a) <= size, [n >= log(a) / 100])
    world_ = {name: (START | {"p": SHARES, "n": 2})[name] for name in claim.fields}
    assert not law_of(claim, Spread(world_, {"a": (fmpq(1), fmpq(0))}, least="n"))


def test_draws_of_the_least_number_have_a_law():
    claim = claim_of(log(a) ** 2 <= OF_SIZE[1], [n >= log(a) / 100])
    world_ = {name: (START | {"p": SHARES, "n": 2})[name] for name in claim.fields}
    assert law_of(claim, Spread(world_, {"a": (fmpq(1), fmpq(0))}, least="n"))
