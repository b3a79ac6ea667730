"""Claims compared, bounds that say nothing, rates."""

import json

import pytest
import sympy
from sympy import Max, Min, Rational, log, sqrt

from boundcheck import Claim, Holds
from boundcheck.claim import WithProbability
from boundcheck.errors import InvalidArgument
from boundcheck.explore import (
    active_branch,
    closed_form,
    compare,
    elasticity,
    leading_exponent,
    same_rate,
    vacuity,
)
from boundcheck.expressions import define, index, parameter, total
from boundcheck.library import load_library, shipped_root
from boundcheck.setting import sides
from boundcheck.worlds import Integer, Real

from .conftest import OTHER, M, R, T, delta, features, gamma, iterations, lam, m, n, norm, ridge, xi

x, y = sympy.symbols("x y", real=True)


def test_a_claim_is_the_same_as_itself(made):
    found = compare(made["iterations"], iterations(source=OTHER))
    assert found.same and "state the same" in str(found) and not found.differences


def test_a_changed_constant_in_a_condition_is_found_and_located():
    other = features(given=[16 * (R / xi) ** 4 * log(2 / delta) <= M, R > 0], source=OTHER)
    found = compare(features(), other, names=("first", "second"))
    assert not found.same and len(found.only_first) == len(found.only_second) == 1
    assert found.differences and found.differences[0].what.startswith("the condition")
    assert json.loads(json.dumps(found.as_json()))["first"] == "first"


def test_a_changed_level_and_bound_are_located():
    base = iterations()
    level = iterations(statement=WithProbability(1 - 2 * delta, base.statement.relation))
    found = compare(base, level)
    assert found.levels == (1 - delta, 1 - 2 * delta)
    assert found.differences[0].what == "the probability"
    looser = ridge(statement=Holds(ridge().statement.relation.lhs <= 8 / n))
    assert compare(ridge(), looser).differences[0].what == "the right side"


def test_the_ratio_of_right_sides():
    small, large = sides(features().statement.relation)
    found = compare(features(), features(statement=Holds(small <= 3 * large)))
    assert found.ratio == 3


def test_reversed_relations_are_the_same():
    assert compare(ridge(), ridge(statement=Holds(
        ridge().statement.relation.rhs >= ridge().statement.relation.lhs))).same  # fmt: skip


def test_vacuity_names_the_size_from_which_a_bound_says_something():
    values = {"gamma": 500, "lambda": "0.001", "delta": 0.3, "t": 12_000, "T": 12_000, "norm": 1}
    found = vacuity(iterations(given=[lam > 0]), values)
    assert found.feasible and found.vacuous and found.bound > 1.99
    # 2 exp(-a (1000 + t)) < 1 from t = log 2 / a - 1000 on, a = 1e-6 log(4)^2 / 36864.
    from math import ceil, log as ln

    assert found.thresholds["t"].answer == ceil(ln(2) * 36864e6 / ln(4) ** 2 - 1000)
    assert "beats it" in str(found) and json.dumps(found.as_json())


def test_hypotheses_that_cannot_be_met_are_named():
    values = {"gamma": 500, "lambda": "0.001", "delta": 0.3, "T": 12_000, "norm": 1}
    found = vacuity(iterations(), values)
    assert not found.feasible and "Max" in str(found.failing[0])


def test_active_branches():
    expr = Max(x**2, 3) + Min(y, 1 / y)
    assert active_branch(expr, {x: 1, y: 2}) == 3 + 1 / y
    assert active_branch(Max(Min(x, y), 2 * x), {x: 1, y: 5}) == 2 * x


def test_elasticities_are_expressions():
    assert elasticity(Max(x**3, 1), x, {x: 2}) == 3
    assert sympy.simplify(elasticity(x * log(x), x) - 1 - 1 / log(x)) == 0


@pytest.mark.parametrize(
    ("expr", "to", "answer"),
    [
        (3 * x**2 + x, sympy.oo, (2, 0)),
        (3 * x**2 + x, 0, (1, 0)),
        (sqrt(x) * log(x) ** 3, sympy.oo, (Rational(1, 2), 3)),
        (Max(x ** Rational(4, 3), x * log(x)), sympy.oo, (Rational(4, 3), 0)),
        (1 / (x**-3 + x), 0, (3, 0)),
        (log(1 / x), 0, (0, 1)),
    ],
)
def test_leading_exponents(expr, to, answer):
    assert leading_exponent(expr, x, to) == answer


def test_exponential_growth_is_no_power():
    with pytest.raises(InvalidArgument):
        leading_exponent(sympy.exp(sqrt(x)), x)


def test_the_short_display_follows_or_not():
    full = Max(8 / (3 * x**2), 32 / x**4) * log(2 / x)
    assert same_rate(full, log(1 / x) / x**4, x, 0)
    assert not same_rate(full, 1 / x**4, x, 0)


def test_closed_forms():
    assert closed_form(3 * sqrt(x) >= y, x) == y**2 / 9
    assert closed_form(log(x / y) >= 2, x) == y * sympy.exp(2)
    assert closed_form(sympy.cos(x) >= y, x) is None
    root = closed_form(gamma / ((2 * gamma + T) * (T + 1)) <= m, T)
    point = {gamma: 7, m: Rational(1, 1000)}
    value = root.subs(point)
    assert sympy.simplify((gamma / ((2 * gamma + T) * (T + 1)) - m).subs({**point, T: value})) == 0
    assert norm not in root.free_symbols


def test_statements_apart_by_strictness_alone_say_so():
    x, y = sympy.symbols("x y", real=True)
    fields = {x: Real(None, None), y: Real(None, None)}
    loose, strict, turned, other = (
        Claim("a page", Holds(relation), parameters=fields)
        for relation in (x <= y, x < y, y > x, x < y + 1)
    )
    words = "differ only where both sides are equal"
    assert words in str(compare(loose, strict)) and words in str(compare(loose, turned))
    assert words not in str(compare(strict, turned)) and words not in str(compare(loose, other))


def halved(n):
    return n // 2


def doubled(n):
    return 2 * n


def about(low, high, *, searched=5, code=halved, power=2):
    n = parameter("n", Integer(low, high, searched=searched))
    h, f = define("h", n**power), sympy.Symbol("f", real=True)
    return Claim("a page", Holds(f <= h + n), measure={f: code})


@pytest.mark.parametrize(("other", "name", "texts"), [
    (about(0, None), "n", ("integer, at least 1", "integer, at least 0")),
    (about(1, 7), "n", ("integer, at least 1", "integer from 1 to 7")),
    (about(1, None, code=doubled), "f", ("halved", "doubled")),
    (about(1, None, power=3), "h", ("n**2", "n**3")),
])  # fmt: skip
def test_claims_with_other_domains_or_definitions_do_not_state_the_same(other, name, texts):
    found = compare(about(1, None), other, names=("one", "two"))
    assert not found.same and found.meant == ((name, *texts),)
    lines = str(found).splitlines()
    assert f"- where  {name}: {texts[0]}" in lines and f"+ where  {name}: {texts[1]}" in lines
    assert found.as_json()["meanings"] == [[name, *texts]]


def test_where_search_looks_is_no_difference():
    assert compare(about(1, None), about(1, None, searched=9)).same


def test_functions_of_one_name_that_do_other_things_differ():
    other = about(1, None, code=lambda n: n)
    found = compare(about(1, None, code=lambda n: n + 1), other)
    assert found.meant == (("f", "<lambda>", "<lambda>, by another definition"),)


def test_a_sum_over_more_terms_is_another_sum():
    n = parameter("n", Integer(1, searched=5))
    sums = [total(1 / (q + 1), q) for q in (index("q", n), index("q", n + 1))]
    first, second = (Claim("a page", Holds(each <= n)) for each in sums)
    assert not compare(first, second).same and compare(first, first).same


def test_equations_are_the_same_in_either_order():
    fields = {x: Real(None, None), y: Real(None, None)}
    first, second = (
        Claim("a page", Holds(sympy.Eq(a, b)), given=[sympy.Eq(a**3, b**3)], parameters=fields)
        for a, b in ((x, y), (y, x))
    )
    assert compare(first, second).same


def test_what_has_no_name_is_shown_as_printed():
    library = load_library(shipped_root(), ["classical/markov:strict", "classical/weyl:average"])
    found = compare(library["classical/markov:strict"], library["classical/weyl:average"])
    assert found.symbols == (("t",), ("d",))
    assert "‖B‖_F*t/(sqrt(d)*sum_k(p[k]*x[k]))" in str(found)
