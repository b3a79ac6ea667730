"""Names that mean two things: a bound one beside a free one, one that a prover makes for itself.

What is told by a name alone was once computed, and proved, of another symbol of that name.
"""

import pytest
from sympy import Abs, Eq, Implies, Ne, Product, Sum, Symbol, floor

from boundcheck import Claim, Holds, Source
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.checks.proof import run
from boundcheck.checks.proofs.definitions import cases
from boundcheck.checks.proofs.rows import Row, Rows
from boundcheck.engine import verify
from boundcheck.errors import MalformedStatement
from boundcheck.expressions import (
    average,
    define,
    determinant,
    greatest,
    identity,
    index,
    infimum,
    named,
    outcome,
    parameter,
    supremum,
    total,
    trace,
    variable,
    world,
)
from boundcheck.worlds import (
    Choice,
    Gram,
    Indices,
    Integer,
    Matrix,
    Real,
    Symmetric,
    Vector,
    Weights,
)

PLACE = Source("A", 2024, "Example").at("1")
x, large = parameter("x", Real(None, None)), parameter("large", Real(None, None))
RARE = large >= 10**40
N, M = world("N", Integer(1, searched=3)), world("M", Integer(1, searched=3))
a, b = world("a", Vector(N, 0)), world("b", Vector(M, 0))
at_a, at_b = index("l", N), index("l", M)
z, other_z = variable("z"), variable("z")
place, mass = parameter("m", Integer(1, 2)), world("p", Weights(N))
drawn = outcome("i", Indices("i", mass, place))
k = Symbol("k", integer=True)
CAPTURED = {
    "an index by another index": total(total(a[at_a] * b[at_b], at_b), at_a),
    "two indices of one sum": total(a[at_a] * b[at_b], at_a, at_b),
    "a parameter by an index": total(a[(here := index("x", N))] * x, here),
    "a parameter by an index, under a name": total(
        a[(same := index("x", N))] * named("h", x + 1), same),
    "a law by an index": total(average(a[drawn[0]], drawn), index("p", N)),
    "a size by an index": greatest(total(a[at_a], at_a), index("N", 3)),
    "an outcome by a parameter": average(a[drawn[0]] * parameter("i", Real(0, 1)), drawn),
    "a variable of a supremum": supremum(infimum(z - other_z, (other_z, 0, 1)), (z, 0, 2)),
    "a parameter by a variable": supremum(x * (mine := variable("x")), (mine, 0, 1)),
    "a parameter by an index of a series": Sum(x * Symbol("x"), (Symbol("x"), 1, 3)),
    "a node over the index of a series": Sum(total(a[at_a] * k, at_a), (k, 1, 3)),
    "a node over a parameter that a product binds": Product(total(a[at_a] * x, at_a), (x, 1, 3)),
}  # fmt: skip


@pytest.mark.parametrize("name", CAPTURED)
def test_a_captured_name_is_refused(name):
    for side in (CAPTURED[name], define("side", CAPTURED[name])):
        with pytest.raises(MalformedStatement, match=r"another symbol|series of SymPy"):
            Claim(source=PLACE, statement=Holds(Eq(side, 6 * x)))


def test_names_that_do_not_meet_may_recur():
    apart = total(a[at_a], at_a) + total(b[at_b], at_b) + Sum(k, (k, 1, 3))
    claim = Claim(source=PLACE, statement=Holds(apart >= 6))
    verdict = verify("mine/it", claim, controls=False)
    assert verdict.outcome in ("proved", "supported"), str(verdict)


w, two, three = world("w", Vector(6)), index("l", 2), index("l", 3)
n = world("n", Integer(1, searched=3))
G, A, taken = world("G", Gram(n)), world("A", Symmetric(n)), world("Z0", Symmetric(n))
rank = world("rank of G", Integer(1, searched=3))
v, p, r = world("v", Vector(n)), index("p", n), index("r", rank)
TWINS = {
    "sums that are written alike": Eq(
        define("two", x + total(w[two], two)), define("three", x + total(w[three], three))),
    "sums that are written alike in one formula": Eq(
        define("gap", x + total(w[two], two) - total(w[three], three)), x),
    "sums of two sizes that are written alike": Eq(
        define("one", x + total(x**2, index("l", N))),
        define("other", x + total(x**2, index("l", M)))),
    "a parameter called like a sum": Eq(
        define("two", x + total(w[two], two)), x + parameter("(total(w[l], l))", Real(0, 1))),
    "a matrix called like a root": Eq(trace(G), total(
        world("root of G", Matrix(n, rank))[p, r] ** 2, p, r)),
    "a definition called like a root": Eq(trace(G), total(
        define("root of G", world("H", Matrix(n, rank)))[p, r] ** 2, p, r)),
    "a parameter called like an entry": greatest(v[p], p) >= parameter("v[i1]", Real(None, None)),
    "a matrix called like an inverse": Eq((G + identity(n)) ** -1, taken),
}  # fmt: skip


@pytest.mark.parametrize("name", TWINS)
def test_a_name_of_the_prover_is_no_name_of_the_claim(name):
    relation = TWINS[name]
    if relation.lhs.is_commutative:
        relation = Implies(RARE, relation)
    found = run(Task("a/b:c", Claim(source=PLACE, statement=Holds(relation)), BUDGETS["quick"]))
    assert found.outcome != "proved", found.detail
    assert "sampled world" not in found.detail and "not its definition" not in found.detail


def test_letters_of_the_prover_are_unused():
    relation = TWINS["a matrix called like a root"]
    knowledge = next(cases(Claim(source=PLACE, statement=Holds(relation))))
    assert knowledge.sums.unused("root of G") == "root of G'"
    assert knowledge.sums.unused("root of F") == "root of F"
    rows = Rows(taken={"v[i1]"})
    assert [rows.entry(Row(name, "n"), "i1").name for name in "vw"] == ["v[i1]'", "w[i1]"]


def test_a_regular_matrix_is_not_the_inverse_of_another():
    claim = Claim(source=PLACE, statement=Holds(Eq(A**-1, taken)), given=[Ne(determinant(A), 0)])
    assert run(Task("a/b:c", claim, BUDGETS["quick"])).outcome != "proved"


TAKEN = {  # more than a field says, and a field that says it
    "positive": (Real(-2, 2), Real("1/2", 2)), "negative": (Real(-2, 0), Real(-2, "w")),
    "nonnegative": (Real(None, 2), Integer(0, 9)), "nonzero": (Integer(0, 9), Choice((1, 2))),
    "integer": (Real(0, 2), Choice((0, 3))), "even": (Integer(0, 9), None),
    "prime": (Integer(2, 9), None),
}  # fmt: skip


@pytest.mark.parametrize("word", TAKEN)
def test_sympy_takes_no_more_of_a_symbol_than_its_field_promises(word):
    """|x| + y >= 0 was refuted at x = -1, where SymPy had written x for |x| of a positive x."""
    x, y, w = Symbol("x", **{word: True}), Symbol("y", real=True), Symbol("w", real=True)
    wide, narrow = TAKEN[word]
    rest = {y: Real(0, None), w: Real(-1, 0, open_high=True)}
    with pytest.raises(MalformedStatement, match=f"x is declared {word}, which its field"):
        Claim(PLACE, Holds(Abs(x) + y + w >= floor(x)), parameters={**rest, x: wide})
    if narrow is not None:
        Claim(PLACE, Holds(Abs(x) + y + w >= floor(x)), parameters={**rest, x: narrow})
