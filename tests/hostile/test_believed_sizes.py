"""What was once believed without being shown: of sizes, empty sums, code, masses, and letters.

Each statement is false, or has no value, at a number that no sample of worlds meets.
"""

import json

import pytest
from flint import fmpq
from sympy import Eq, Implies, Ne, Or, Product, Rational, Sum, Symbol, sqrt

from boundcheck import Claim, Expected, Holds, Source, WithProbability
from boundcheck.certificates import document
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.checks.proof import run, unsuitable
from boundcheck.checks.proofs.attempt import Attempt
from boundcheck.errors import Undefined, WitnessError
from boundcheck.expressions import (
    average,
    define,
    determinant,
    form,
    greatest,
    identity,
    index,
    indicator,
    norm,
    operator_norm,
    outcome,
    outer,
    parameter,
    table,
    total,
    trace,
    transpose,
    world,
)
from boundcheck.expressions.algebra import entry
from boundcheck.worlds import (
    Counts,
    Derived,
    Gram,
    Indices,
    Integer,
    Matrix,
    Real,
    Tuples,
    Vector,
    Weights,
)
from boundcheck.worlds.composed import Index
from boundcheck.worlds.kinds import SemidefiniteHermitian

PLACE = Source("A", 2024, "Example").at("1")
big = parameter("big", Real(None, None, searched=(0, 1)))
RARE = Eq(big, Rational(12345, 67891))
x = parameter("x", Real(None, None, searched=(1, 5)))
n, m = world("n", Integer(1, searched=2)), world("m", Integer(1, searched=2))
A, B, C, D = (world(name, Matrix(n, n)) for name in "ABCD")
two, pair = world("two", Matrix(2, 2)), world("pair", Vector(2))
u = world("u", Vector(n))
H, big_A, big_C = (world("H", SemidefiniteHermitian(n)), world("bigA", Matrix(m, m)),
                   world("bigC", Matrix(m, m)))  # fmt: skip


def outcome_of(relation, given, **rest):
    form = relation if isinstance(relation, WithProbability) else Holds(relation)
    claim = Claim(PLACE, form, given=[Or(given, RARE)], **rest)
    return run(Task("a/b:c", claim, BUDGETS["quick"])).outcome


def square(number):
    return number**2 + x**2 >= 2 * x * number


@pytest.mark.parametrize("number", [
    trace(A + two), determinant(A + two), operator_norm(A * two), norm(A * pair), norm(u + pair),
])  # fmt: skip
def test_a_number_is_no_size_by_name(number):
    assert outcome_of(square(number), Eq(n, 2)) != "proved"


def test_a_field_in_the_place_of_another_has_its_own_size():
    words = Eq(A * (B + C) * u, A * B * u + A * C * u)
    assert outcome_of(words, Eq(n, m)) == "proved"
    assert outcome_of(words, Eq(n, m), domains={B: Matrix("m", "m")}) != "proved"
    assert outcome_of(square(norm(A * u)), Eq(n, m), domains={u: Vector("m")}) != "proved"


@pytest.mark.parametrize("words", [
    Eq(H * (big_A + big_C), H * big_A + H * big_C),
    Eq((H + identity(m)) ** -1 * (H * big_A + big_A), big_A),
])  # fmt: skip
def test_a_hermitian_matrix_of_complex_numbers_is_twice_as_large(words):
    assert outcome_of(words, Eq(m, 2 * n)) != "proved"


def test_an_empty_sum_has_a_value_where_its_closed_form_has_none():
    """At n = 0, a = -1 both sides are 0."""
    a, size, k = parameter("a", Real(None, None)), world("n", Integer(0, searched=3)), Symbol("k")
    terms = Sum(1 / ((k + a) * (k + a + 1)), (k, 1, size))
    claim = Claim(PLACE, Holds(Implies(Eq(size, 0), terms + (a + 1) ** 2 > 0)))
    assert run(Task("a/b:c", claim, BUDGETS["quick"])).outcome != "proved"


def test_masses_that_are_no_law_give_no_probability():
    masses = world("masses", Vector(n, searched=(0, 1)))
    i = index("i", n)
    drawn = outcome("U", Indices("U", masses, world("s", Integer(1, searched=1))))
    level = WithProbability(Rational(9, 10), square(u[drawn[0]]))
    assert outcome_of(level, Eq(total(masses[i], i), 1)) != "proved"


def test_code_may_have_no_value():
    def measured(big):
        if big == fmpq(12345, 67891):
            raise Undefined("none there")
        return big

    q = Symbol("q", real=True)
    claim = Claim(PLACE, Holds(square(q)), measure={q: measured},
                  parameters={Symbol("big", real=True): Real(None, None, searched=(0, 1)),
                              Symbol("x", real=True): Real(None, None)})  # fmt: skip
    assert unsuitable(claim)[1] == "Python code"
    assert run(Task("a/b:c", claim, BUDGETS["quick"])).outcome != "proved"


@pytest.mark.parametrize("size, given", [
    (parameter("length", Real(1, 3)), lambda size: Eq(size, 1)),
    (define("h", n / 2), lambda size: Eq(n, 2)),
    (world("k", Integer(-3, searched=3)), lambda size: size >= 0),
])  # fmt: skip
def test_the_size_of_an_index_is_a_size(size, given):
    whole = total(x**2, index("j", size))
    assert outcome_of(square(whole), given(size)) != "proved"


ODD = Rational(12345, 67891)
SELDOM = Eq(big**5 + big**3 + big, ODD**5 + ODD**3 + ODD)
single = {"searched": (1, 1)}
b, b_ = world("b", Vector(2, **single)), world("b_", Vector(2, **single))
b_1 = parameter("b_1", Real(None, None, searched=(0, 1)))
top, w = world("max", Vector(2, **single)), world("w", Vector(n, **single))
l = index("l", n)
K = world("K", Gram(n))


@pytest.mark.parametrize("relation", [
    Implies(SELDOM, b[0] * b_1 <= b_[0] * b_1),
    Implies(SELDOM, greatest(w[l], l) <= top[0]),
    Eq(transpose(A) * u, define("A.T", transpose(A) + indicator(RARE) * B) * u),
])  # fmt: skip
def test_letters_of_proofs_have_names_of_their_own(relation):
    assert run(Task("a/b:c", Claim(PLACE, Holds(relation)), BUDGETS["quick"])).outcome != "proved"


def test_a_hypothesis_gives_a_letter_no_name():
    """At u = (1), w = (-12345/67891) nothing has an inverse."""
    ridge = outer(u, w) + ODD * identity(n)
    claim = Claim(PLACE, Holds(Eq(ridge**-1 * (outer(u, w) * A + ODD * A), A)),
                  given=[trace(define("outer(u, w)", K)) >= 0])  # fmt: skip
    assert run(Task("a/b:c", claim, BUDGETS["quick"])).outcome != "proved"


def test_a_certificate_of_a_claim_without_worlds_shows_nothing():
    z = parameter("z", Real(0, 1))
    claim = Claim(PLACE, Holds(z <= 3), given=[z * x > 2, z * x < 1])
    task = Task("a/b:c", claim, BUDGETS["quick"])
    proof = Attempt(task).prove()
    made = document.certificate(
        task.key, claim, proof.constant, [case.as_json() for case in proof.certified]
    )
    with pytest.raises(WitnessError, match="no worlds of the claim"):
        document.recheck(json.loads(json.dumps(made)), claim)


@pytest.mark.parametrize("relation", [b_1**25 >= 0, b_1**-25 > 0, b_1**-27 >= 0])
def test_a_large_odd_power_has_the_sign_of_its_base(relation):
    claim = Claim(PLACE, Holds(Implies(SELDOM, relation)))
    assert run(Task("a/b:c", claim, BUDGETS["quick"])).outcome != "proved"


def test_a_large_even_power_is_not_negative():
    claim = Claim(PLACE, Holds(Implies(b_1 > 1, b_1**26 >= 1)))
    assert run(Task("a/b:c", claim, BUDGETS["quick"])).outcome == "proved"


i, j = index("i", n), index("j", n)


@pytest.mark.parametrize("relation, given", [
    (Eq(trace(table(sqrt(u[i] - u[j]), i, j)), 0), []),
    (Eq(entry(table(1 / u[i], i), 0) * u[0], 1), [Ne(u[0], 0)]),
])  # fmt: skip
def test_entries_that_are_not_read_need_values_too(relation, given):
    claim = Claim(PLACE, Holds(relation), given=[*given, Or(Eq(n, 1), RARE)])
    assert run(Task("a/b:c", claim, BUDGETS["quick"])).outcome != "proved"


def test_an_entry_at_a_drawn_place_is_drawn():
    """At v = u = (0, 1) and p = (1/2, 1/2) the left side is 1/2 and the right 1/4."""
    p, s = world("p", Weights(n)), world("s", Integer(1, searched=2))
    drawn = outcome("V", Indices("V", p, s))
    a = index("a", s)
    mean, both = total(p[i] * u[i], i), total(u[drawn[a]], a)
    for factor in (w[drawn[0]], indicator(w[drawn[0]] >= x)):
        rare = indicator(RARE) * factor
        claim = Claim(PLACE, Expected(Eq(rare * both, rare * s * mean)))
        assert run(Task("a/b:c", claim, BUDGETS["quick"])).outcome != "proved"


def test_a_quadratic_form_is_of_a_square_matrix():
    wide = world("W", Matrix(m, n))
    assert outcome_of(square(form(wide, u)), Eq(n, m)) != "proved"


def test_a_field_in_code_may_hold_anything():
    odd = world("odd", Derived(lambda n: n if n < 10**6 else (1, 2)), rank=0, needs=(n,))
    assert unsuitable(Claim(PLACE, Holds(square(odd))))[1] == "Python code"


def test_a_draw_is_no_constant_in_its_own_mean():
    """At n = 2, s = 1, p = (1/2, 1/2) the left sides are 1/2 and the right ones 1/4."""
    p, s = world("p", Weights(n)), world("s", Integer(1, searched=2))
    places = world("X", Tuples(s, Index(n)))
    drawn, counts = outcome("V", Indices("V", p, s)), outcome("N", Counts("N", p, s))
    for number, over in ((drawn[0], drawn), (counts[places[0]], counts)):
        equal = Eq(indicator(RARE) * average(number**2, over),
                   indicator(RARE) * average(number, over) ** 2)  # fmt: skip
        assert run(Task("a/b:c", Claim(PLACE, Holds(equal)), BUDGETS["quick"])).outcome != "proved"


def test_a_place_that_two_sequences_follow_is_no_crash():
    one, two = world("X", Tuples(n, Index(n))), world("Y", Tuples(n, Index(n)))
    twice = u[one[two[i]]]
    claim = Claim(PLACE, Holds(total(twice, i) ** 2 <= n * total(twice**2, i)))
    assert run(Task("a/b:c", claim, BUDGETS["quick"])).outcome is None


def test_a_product_of_any_number_has_any_sign():
    k = Symbol("k", integer=True)
    claim = Claim(PLACE, Holds(Implies(SELDOM, Product(b_1, (k, 1, n)) >= 0)))
    assert run(Task("a/b:c", claim, BUDGETS["quick"])).outcome != "proved"
