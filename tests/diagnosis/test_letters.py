"""Changes of one letter, place or threshold inside one part of a statement."""

import pytest
from sympy import Eq, Symbol, exp, symbols

from boundcheck import Claim, Holds, Source
from boundcheck.diagnosis import diagnose
from boundcheck.diagnosis.hypotheses import hypotheses
from boundcheck.diagnosis.letters import (
    inside_measured,
    letters,
    lost_sizes_beside,
    mean_of_exponential,
    scaled_determinants,
    turned_within,
)
from boundcheck.diagnosis.trial import nearly_enough
from boundcheck.errors import MalformedStatement
from boundcheck.expressions import determinant, index, indicator, norm, parameter, total, world
from boundcheck.library import Library
from boundcheck.settings.matrices import square
from boundcheck.settings.scalar_laws import E, P, k, values
from boundcheck.verdict import Evidence, Verdict
from boundcheck.worlds import Integer, Vector

n = world("n", Integer(1, searched=4))
x, y, z = (world(name, Vector(n)) for name in "xyz")
i = index("i", n)
s, t, a, b = symbols("s t a b", real=True)
one, two = Symbol("one", real=True), Symbol("two", real=True)


def test_an_equation_that_holds_nowhere_is_stated_as_it_is_printed():
    """SymPy makes false of it, which the refusal says how to avoid."""
    many, few = parameter("N", Integer(2, searched=30)), parameter("m", Integer(1, 30))
    left, right = (many - few) / (many - 1), 1 - few / (many - 1)
    with pytest.raises(MalformedStatement, match=r"Eq\(lhs, rhs, evaluate=False\)"):
        Holds(Eq(left, right))
    claim = Claim(Source("A", 2000, "T").at("1"), Holds(Eq(left, right, evaluate=False)),
                  given=[few <= many])  # fmt: skip
    found = diagnose("a/b:c", Library(None, {"a/b:c": claim}))
    assert found.repairs[0].edit == "m - 1 for m"


@pytest.mark.parametrize(("low", "offered"), [(0, False), (None, True), (-1, True)])
def test_no_mean_of_zero_is_asked_of_what_is_nowhere_negative(low, offered):
    v = values(low, 1)[k]
    claim = Claim(Source("A", 2000, "T").at("1"), Holds(E(v**2) <= E(v)))
    words = {item.words for item in hypotheses(claim)}
    assert ("the hypothesis that x has mean zero" in words) is offered


def test_what_holds_in_nearly_enough_worlds_may_stand():
    """Projectors of few rows are few: 181 of 200 were met, and a true repair was lost."""
    def verdict(decided, outcome="supported", told="undecided"):
        numbers = {"decided": decided, "needed": 200}
        seen = (Evidence("enumeration", outcome, "", numbers=numbers),)
        return Verdict("a/b:c", told, "", None, 0.0, None, False, None, seen, 0.0)

    assert nearly_enough(verdict(181)) and nearly_enough(verdict(100))
    assert not nearly_enough(verdict(99)) and not nearly_enough(verdict(200))
    assert not nearly_enough(verdict(181, "undecided"))
    assert not nearly_enough(verdict(181, told="supported"))


def nodes(changes):
    return [change.node for change in changes]


def test_one_letter_of_one_norm_is_changed():
    bodies = {one: norm(x - y), two: norm(y - z)}
    assert set(nodes(inside_measured(one, bodies))) == {norm(x - z), norm(z - y)}
    assert nodes(inside_measured(one, {one: norm(x), two: norm(y)})) == []


def test_the_place_of_an_entry_moves_by_one():
    assert nodes(inside_measured(one, {one: x[1]})) == [x[0], x[2]]
    assert nodes(inside_measured(one, {one: x[0]})) == [x[1]]
    assert nodes(inside_measured(one, {one: total(x[i], i)})) == []


def test_an_event_has_twice_or_half_its_threshold():
    v = values()[k]
    assert nodes(inside_measured(one, {one: P(v >= t)})) == [P(v >= 2 * t), P(v >= t / 2)]
    assert nodes(inside_measured(one, {one: P(v >= 2)})) == []
    assert nodes(inside_measured(one, {one: total(indicator(x[i] > y[i]), i)})) == []


@pytest.mark.parametrize(("product", "elsewhere", "first"), [
    (s * a / b, b / a, 2.0), (s * a / b, a + b, 2.1), (-s * a / b, 1 - b / a, 2.0),
])  # fmt: skip
def test_a_ratio_in_a_product_is_turned_sooner_where_it_is_printed(product, elsewhere, first):
    found = {change.node: change.cost for change in turned_within(product, elsewhere <= t)}
    assert found[product * b**2 / a**2] == pytest.approx(first)


def test_a_ratio_alone_is_changed_elsewhere():
    assert nodes(turned_within(a / b, a <= t)) == []


def test_a_number_beside_a_determinant_has_the_size_as_exponent():
    bodies = {one: determinant(square("M")), two: norm(x)}
    assert nodes(scaled_determinants(s * one, bodies, [n])) == [s**n * one]
    assert nodes(scaled_determinants(s * two, bodies, [n])) == []
    assert s**n * one in nodes(letters(s * one, bodies, Eq(a, s * one), [n]))
    assert s**n * one not in nodes(letters(s * one, bodies, a <= s * one, [n]))


def test_the_mean_of_an_exponential_beside_other_terms():
    v = values()[k]
    assert nodes(mean_of_exponential(exp(one - t), {one: E(v)})) == [E(exp(v)) * exp(-t)]
    assert nodes(mean_of_exponential(exp(one), {one: E(v)})) == []
    assert nodes(mean_of_exponential(exp(2 * one - t), {one: E(v)})) == []


@pytest.mark.parametrize(("relation", "found"), [
    (a >= s + t, [a >= s + t - n]), (a <= s + t, [a <= s + t + n]), (a <= s * t, []),
    (a <= s + n, []), (Eq(a, s + t), []),
])  # fmt: skip
def test_a_size_may_be_lost_beside_a_bound(relation, found):
    assert nodes(lost_sizes_beside(relation, [n])) == found
