"""Factorials and binomials of what grows: laws of false claims, none of true ones."""

from math import comb

import pytest
from flint import fmpq
from sympy import E, Integer, Rational, Symbol, binomial, exp, factorial, log, pi, sqrt

from boundcheck import Claim, Source
from boundcheck.arithmetic import precision
from boundcheck.checker.along import Along
from boundcheck.checker.germs import NoGerm
from boundcheck.checker.growing import law
from boundcheck.checker.ray import Ray
from boundcheck.checker.stirling import T, _ball, _of_factorial, _terms, least_growth
from boundcheck.claim import UpToConstant
from boundcheck.expressions import parameter
from boundcheck.worlds import Integer as Whole, Real

PLACE = Source("A", 2024, "Example").at("1")
n, k = (parameter(name, Whole(1, searched=9)) for name in "nk")
x = parameter("x", Real(0, None, open_low=True))
RAYS = [
    Ray({"n": 1, "k": 1, "x": fmpq(1)}, {"n": fmpq(1)}, {}),
    Ray({"n": 2, "k": 1, "x": fmpq(1, 3)}, {"n": fmpq(1), "k": fmpq(1)}, {}),
    Ray({"n": 4, "k": 3, "x": fmpq(3)}, {"n": fmpq(2), "k": fmpq(1), "x": fmpq(-1)}, {}),
]  # fmt: skip
FALSE = [
    binomial(2 * n, n) <= 4**n / n, factorial(n) <= (n / E) ** n, n**n * n <= factorial(n) * exp(n),
    binomial(3 * n, n) <= Rational(27, 4) ** n / n, factorial(n) <= 100**n,
    factorial(2 * n) <= factorial(n) ** 2 * 4**n / n ** Rational(2, 3), 2**n <= binomial(n, k),
    factorial(n) * exp(n) <= n**n * n ** Rational(1, 3), factorial(n) <= n**k,
    4**n <= n ** Rational(1, 3) * binomial(2 * n, n), binomial(2 * n, n) <= n ** (sqrt(n) + 9),
]  # fmt: skip
TRUE = [
    binomial(2 * n, n) <= 4**n / sqrt(n), factorial(n) <= sqrt(n) * (n / E) ** n,
    n**n * sqrt(n) <= factorial(n) * exp(n), binomial(3 * n, n) <= Rational(27, 4) ** n / sqrt(n),
    factorial(n) <= n**n, factorial(2 * n) <= factorial(n) ** 2 * 4**n / sqrt(n),
    binomial(n, k) <= 2**n, sqrt(n) * binomial(2 * n, n) <= 4**n,
    4**n <= 2 * n * binomial(2 * n, n),
    factorial(n) / sqrt(2 * pi * n) <= exp(n * log(n) - n), n**n <= factorial(n) * exp(n),
    factorial(n) ** 2 <= factorial(2 * n), (-1) ** n * factorial(n) <= n**n,
    -factorial(n) <= 1, factorial(n) * x <= n**n * x,
]  # fmt: skip


def laws(relation):
    claim = Claim(PLACE, UpToConstant(relation))
    for ray in RAYS:
        here = {name: ray.start[name] for name in claim.fields}
        powers = {name: power for name, power in ray.powers.items() if name in here}
        if powers:
            yield law(claim, Ray(here, powers, {}))


@pytest.mark.parametrize("relation", FALSE, ids=str)
def test_false_orders_have_a_law(relation):
    assert any(laws(relation))


@pytest.mark.parametrize("relation", TRUE, ids=str)
def test_true_orders_have_none(relation):
    assert not any(laws(relation))


@pytest.mark.parametrize("relation", TRUE, ids=str)
def test_true_orders_are_not_seen_to_grow(relation):
    claim = Claim(PLACE, UpToConstant(relation))
    for ray in RAYS:
        here = {name: ray.start[name] for name in claim.fields}
        powers = {name: power for name, power in ray.powers.items() if name in here}
        with pytest.raises(NoGerm):
            least_growth(Along(claim, Ray(here, powers, {})), claim.statement.relation)


def test_the_power_of_a_law_is_told():
    assert next(laws(FALSE[0])) == "left / right grows at least as t^(1/2)"
    assert next(laws(FALSE[4])) == "log(left / right) grows at least as t log(t)"


@pytest.mark.parametrize("number", [1, 2, 3, 10, 60])
def test_logarithms_of_factorials_lie_between(number):
    low, high = (_ball(each.subs(T, number)) for each in _of_factorial(3 * T))
    exact = _ball(log(factorial(Integer(3 * number))))
    assert low < exact < high
    assert high - low <= Rational(1, 35 * number)
    assert _of_factorial(Integer(number))[0] == log(factorial(number))


def test_a_large_number_that_stays_has_no_factorial_written_out():
    low, high = _of_factorial(Integer(1001))
    exact = log(factorial(Integer(1001)))
    with precision(640):
        assert _ball(low) < _ball(exact) < _ball(high)
    low, high = _of_factorial(Integer(10) ** 12)  # of 10^13 digits
    assert 0 < high - low <= Rational(1, 10**12)


def test_numbers_that_are_no_powers_have_no_factorial():
    for number in (-T, 1 - T, T / 2, 1 / T, log(T), T * log(T), Integer(-1), T - 3):
        with pytest.raises(NoGerm):
            _of_factorial(number)
    assert _terms(log(4 * T) * T - 2 * T * log(2)) == {(1, 1): 1}
    with pytest.raises(NoGerm):
        _terms(log(1 + T))
    with pytest.raises(NoGerm):
        _ball(Symbol("y"))


def test_numbers_with_another_end_have_no_law_here():
    claim = Claim(PLACE, UpToConstant(FALSE[0]))
    ray = Ray({"n": 3}, {"n": fmpq(1)}, {"n": fmpq(2)})
    assert not law(claim, ray)
    assert Along(claim, ray).moves(claim.statement.relation.lts)


@pytest.mark.parametrize("left", [0, 1, 3])
def test_of_a_binomial_few_of_which_are_left_the_product_is_followed(left):
    claim = Claim(PLACE, UpToConstant(log(binomial(n, k)) <= k * log(n / k)), given=[k <= n])
    ray = Ray({"n": left + 1, "k": 1}, {"n": fmpq(1), "k": fmpq(1)}, {"k": fmpq(-left)})
    along = Along(claim, ray)
    germ = along.germ(binomial(n, k))
    for octaves in range(5):
        world = ray.at(octaves)
        terms = [c * fmpq(2) ** int(octaves * power) for power, c in germ.terms.items()]
        assert sum(terms, fmpq(0)) == comb(world["n"], world["k"])
    assert germ.power == left
    assert law(claim, ray) == ("left / right grows at least as log(t)" if left else "")
    true = Claim(PLACE, UpToConstant(log(binomial(n, k)) <= k * log(E * n / k)), given=[k <= n])
    assert not law(true, ray)


def test_no_binomial_of_less_than_nothing_or_of_many_is_written_out():
    m = parameter("m", Whole(-9, searched=9))
    for start, moving, form in (
        ({"m": -3}, {"m": fmpq(1)}, binomial(m, m - 1)), ({"x": fmpq(3)}, {"x": fmpq(1)},
        binomial(x, x - 1)), ({"n": 12, "k": 1}, {"n": fmpq(1)}, binomial(n, n / 2)),
        ({"n": 20}, {"n": fmpq(1)}, binomial(n, 9)),
    ):  # fmt: skip
        claim = Claim(PLACE, UpToConstant(form <= 1))
        with pytest.raises(NoGerm):
            Along(claim, Ray({name: start[name] for name in claim.fields}, moving, {})).germ(form)
