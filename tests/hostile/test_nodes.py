"""Nodes that a prover takes for numbers: without a value somewhere, of sizes that do not fit, of a
name or a field that another node or symbol has. Each false statement here was once proved.

Search, and with it the samples that proofs are held against, looks where they are true.
"""

import pytest
from flint import fmpq, fmpq_mat
from sympy import Abs, Eq, Ge, Gt, Integer as Whole, Le, Rational

from boundcheck import Claim, Expected, Holds, Source
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.checks.means import enclosure
from boundcheck.checks.proof import run
from boundcheck.checks.proofs.certified import stated_problems
from boundcheck.checks.proofs.definite import regular
from boundcheck.checks.proofs.operations import flat
from boundcheck.checks.proofs.places import NoSum
from boundcheck.errors import MalformedStatement, Undefined
from boundcheck.expressions import (
    average,
    define,
    diagonal,
    form,
    frobenius_norm,
    greatest,
    identity,
    index,
    inner,
    largest_eigenvalue,
    largest_entry,
    multiplied,
    norm,
    ones,
    operator_norm,
    outcome,
    parameter,
    primitive,
    row,
    solution,
    supremum,
    table,
    total,
    variable,
    world,
)
from boundcheck.expressions.algebra import matrix_root
from boundcheck.setting import Setting
from boundcheck.settings.scalar_laws import E, k, p, smallest, values
from boundcheck.worlds import (
    Gram,
    Indices,
    Integer,
    Matrix,
    Real,
    Signs,
    Symmetric,
    Vector,
    Weights,
)
from boundcheck.worlds.composed import Index

PLACE = Source("A", 2024, "Example").at("1")
POLE = Rational(12345, 67891)  # what no sample meets
NEAR = (0, 1)
n, m = world("n", Integer(1, searched=1)), world("m", Integer(1, searched=1))
i, law = index("i", n), world("law", Weights(n))
v, A, B = world("v", Vector(n, searched=NEAR)), world("A", Matrix(n, n)), world("B", Matrix(m, m))
Phi, K = world("Phi", Matrix(n, m)), world("K", Gram(n))
S = world("S", Symmetric(n, searched=NEAR))
a, above = parameter("a", Real(None, None)), parameter("l", Real(0, None, open_low=True))
near = parameter("b", Real(None, None, searched=NEAR))
place, z = parameter("j", Integer(0, searched=0)), variable("z")
drawn = outcome("V", Indices("V", law, m))
ONE = identity(Whole(1))


def at_least_zero(expr):
    return Ge(expr, 0, evaluate=False)


def prove(relation, **fields):
    claim = Claim(source=PLACE, statement=Holds(relation), **fields)
    return run(Task("a/b:c", claim, BUDGETS["quick"]))


VALUELESS = {
    "a norm of a vector with a pole": norm(table(1 / (v[i] - POLE), i)) >= 0,
    "a norm of a diagonal with a pole": operator_norm(diagonal(table(1 / (v[i] - POLE), i))) >= 0,
    "a supremum of what a pole divides": supremum(Abs(z - 1) / (a - POLE) ** 2, (z, 0, 1)) >= 0,
    "a supremum over an empty interval": supremum(
        Abs(z), (z, 0, 1 - above * Rational(1, 10**9))) >= 0,
    "an average of what a pole divides": average(1 / (v[drawn[0]] - POLE) ** 2, drawn) >= 0,
    "an entry beyond the end": total(law[i] * v[i] ** 2, i) + v[place] ** 2 >= 0,
    "a row beyond the end": norm(row(Phi, place)) >= 0,
    "an inverse at an eigenvalue": operator_norm((A - POLE * identity(n)) ** -1) >= 0,
    "a solution at an eigenvalue": norm(solution(A - POLE * identity(n), v)) >= 0,
    "a root of a symmetric matrix": operator_norm(matrix_root(S)) >= 0,
    "an equation with such a root": Eq(
        (matrix_root(S) + identity(n)) ** -1 * matrix_root(S),
        matrix_root(S) * (matrix_root(S) + identity(n)) ** -1),
    "an identity of a size below zero": operator_norm(
        identity(world("low", Integer(-3, searched=3)))) >= 0,
    "an eigenvalue of any matrix": Eq(
        largest_eigenvalue(A) * total(law[i], i), largest_eigenvalue(A)),
}  # fmt: skip
MISFITS = {
    "identities of each other's size": Eq(
        (Phi.T * Phi + above * identity(n)) ** -1 * Phi.T,
        Phi.T * (Phi * Phi.T + above * identity(m)) ** -1),
    "a sum of a matrix and its transpose": Eq(
        (Phi + Phi.T) * (Phi + Phi.T),
        Phi * Phi + Phi * Phi.T + Phi.T * Phi + Phi.T * Phi.T),
    "a sum of matrices of two sizes": Eq((A + B) * (A - B), A * A - A * B + B * A - B * B),
    "an identity of size one": Eq(ONE * A * A.T, A * A.T),
    "an identity of size one before a vector": inner(v, ONE * v) <= inner(v, v),
    "an identity of size one in a form": form(A, v) <= inner(v, ONE * (A * v)),
    "ones of size one": inner(v, ones(Whole(1))) ** 2 <= n * inner(v, v),
}  # fmt: skip


@pytest.mark.parametrize("name", VALUELESS)
def test_a_node_that_may_have_no_value_is_not_taken_for_a_number(name):
    found = prove(VALUELESS[name])
    assert found.outcome is None, found.detail


@pytest.mark.parametrize("name", MISFITS)
def test_matrices_that_need_not_fit_are_no_words(name):
    found = prove(MISFITS[name])
    assert found.outcome is None, found.detail


def test_an_identity_of_a_number_is_no_unit_of_products_and_shifts():
    """Whatever else refuses its claims: it may be smaller than what it stands beside."""
    fields = {"K": Gram("n")}
    assert flat([ONE, A])[1] == [ONE, A] and flat([identity(n), A])[1] == [A]
    assert regular(fields, K + identity(n)) == [Gt(1, 0, evaluate=False)]
    with pytest.raises(NoSum, match="not seen to be"):
        regular(fields, K + ONE)


x = values()
signs = outcome("signs", Signs("signs", m))
V = outcome("U", Indices("U", p, m))
spot = world("spot", Index(n))
VALUED = {
    "entries below their sizes": norm(table(1 / (1 + v[i] ** 2), i)) + Abs(v[spot]) >= 0,
    "a least value": smallest(x) <= E(x[k]),
    "a regular inverse": operator_norm((K + above * identity(n)) ** -1) >= 0,
    "a regular system": norm(solution(K + above * identity(n), v)) >= 0,
    "a root of a Gram matrix": operator_norm(matrix_root(K)) >= 0,
    "a supremum over an interval": supremum(Abs(z) / above, (z, 0, above)) >= 0,
    "a supremum over a draw": supremum(Abs(x[V[0]]), V) >= 0,
    "an average": average(v[drawn[0]] ** 2, drawn) <= total(law[i] * v[i] ** 2, i),
    "signs": average((signs[0] + signs[m - 1]) ** 2, signs) + a >= a,
    "norms": largest_entry(Phi) + frobenius_norm(Phi) >= 0,
    "matrices that fit": Eq(
        (Phi.T * Phi + above * identity(m)) ** -1 * Phi.T,
        Phi.T * (Phi * Phi.T + above * identity(n)) ** -1),
}  # fmt: skip


@pytest.mark.parametrize("name", VALUED)
def test_a_node_that_has_a_value_may_be_taken_for_a_number(name):
    found = prove(VALUED[name])
    assert found.outcome == "proved", found.detail


def test_a_greatest_value_over_an_index_that_may_be_empty_is_no_number():
    none = world("none", Integer(0, searched=1))
    w, each = world("w", Vector(none)), index("each", none)
    assert prove(at_least_zero(norm(table(greatest(w[each], each) + v[i], i)))).outcome is None


@pytest.mark.parametrize("name", ["node0", "node1"])
def test_a_parameter_is_not_taken_for_a_node(name):
    own = parameter(name, Real(None, None, searched=NEAR))
    assert prove(total(law[i] * v[i] * own, i) >= 0).outcome is None


def shadowing(name):
    """Primitives of a user, called as those of the language and equal to them at size one."""
    known = {
        "entry": primitive(ranks=(1,))(_entry),
        "identity": primitive(ranks=(0,), rank=2)(_identity),
        "transpose": primitive(ranks=(2,), rank=2, shape=lambda a: a[::-1])(_transpose),
    }  # fmt: skip
    return known[name]


def _entry(array, at):
    return abs(array[0]) if len(array) == 1 else fmpq(-1)


def _identity(size):
    return fmpq_mat(int(size), int(size), [1] * int(size) ** 2)


def _transpose(matrix):
    return matrix


def _single(vector):
    if len(vector) > 1:
        raise Undefined("more than one entry")
    return vector


def test_a_primitive_that_may_have_no_value_is_not_taken_for_a_number():
    partial = primitive(ranks=(1,), rank=1)(_single)
    assert prove(norm(partial(v)) >= 0).outcome is None


def test_a_primitive_of_a_user_is_none_of_the_language():
    one, turned = shadowing("identity"), shadowing("transpose")
    positive = world("w", Vector(n, low=0, searched=NEAR))
    square = world("C", Matrix(n, n))
    for relation in (
        at_least_zero(multiplied(shadowing("entry")(positive, i), i)),
        norm(one(n) * v) <= norm(v),
        Eq(one(n) * A * A.T, A * A.T),
        Eq(turned(A * square), turned(square) * turned(A)),
    ):
        found = prove(relation)
        assert found.outcome is None, found.detail


GRAM_WORDS = Eq((K + identity(n)) ** -1 * K, K * (K + identity(n)) ** -1)
POSITIVE = world("w", Vector(n, low=0))
REPLACED = {
    "a vector": (at_least_zero(multiplied(POSITIVE[i], i)), {POSITIVE: Vector(n, searched=NEAR)}),
    "a parameter": (
        total(law[i] * above * v[i] ** 2, i) * total(law[i] * v[i] ** 4, i) >= 0,
        {above: Real(None, None, searched=NEAR)}),
    "a matrix": (GRAM_WORDS, {K: Symmetric(n, searched=NEAR)}),
}  # fmt: skip


@pytest.mark.parametrize("name", REPLACED)
def test_the_field_of_the_claim_is_believed_and_not_that_of_the_symbol(name):
    relation, domains = REPLACED[name]
    assert prove(relation).outcome == "proved"
    assert prove(relation, domains=domains).outcome is None


def test_a_rule_in_the_place_of_a_definition_is_not_read_as_the_definition():
    product = define("P", Phi * Phi.T)

    def other(v):
        return fmpq_mat(len(v), len(v), [1 if len(v) < 9 else -1] * len(v) ** 2)

    assert prove(form(product, v) >= 0).outcome == "proved"
    assert prove(form(product, v) >= 0, measure={product: other}).outcome is None


def test_a_field_is_known_by_its_class_and_not_by_its_name():
    class Weights(Vector):
        """Any vector."""

    free = world("w", Weights(n, searched=NEAR))
    assert prove(at_least_zero(multiplied(free[i], i))).outcome is None


def test_a_certificate_states_no_problem_of_a_node_without_value():
    claim = Claim(source=PLACE, statement=Holds(VALUELESS["a root of a symmetric matrix"]))
    assert [ways for _, ways in stated_problems(claim, 1)] == [[]]


def test_what_a_user_declares_bounds_no_mean():
    """A draw of rare large losses looks bounded: a test would refute what is true."""
    told = define("h", v[drawn[0]], facts=("probability",))
    claim = Claim(source=PLACE, statement=Expected(Le(told, 1)))
    values = {"n": 1, "m": 1, "law": (fmpq(1),), "v": (fmpq(-9),)}
    assert enclosure(Setting(claim, values), told) is None


def test_the_field_of_the_claim_bounds_a_mean():
    other = world("w", Weights(n))
    share = define("q", other[drawn[0]])
    values = {"n": 1, "m": 1, "law": (fmpq(1),), "w": (fmpq(1),)}
    claim = Claim(source=PLACE, statement=Expected(Le(share, 1)))
    assert enclosure(Setting(claim, values), share) == (0.0, 1.0)
    claim = Claim(source=PLACE, statement=Expected(Le(share, 1)), domains={other: Vector(n)})
    assert enclosure(Setting(claim, values), share) is None


def test_a_number_that_sympy_left_of_a_product_is_no_missing_value():
    """(K + I)^-1 (K + I) = I is true; SymPy writes 1 for the product, which is no matrix."""
    regular = world("R", Gram(n, regular=True))
    with pytest.raises(MalformedStatement, match="SymPy writes 1 where a matrix meets its inverse"):
        Claim(PLACE, Holds(Eq(regular**-1 * regular, identity(n))))
    stated = Claim(PLACE, Holds(Eq(solution(regular, regular), identity(n))))
    assert run(Task("a/b:c", stated, BUDGETS["quick"])).outcome != "malformed"
    Claim(PLACE, Holds(Eq(regular - regular**2 / 2, 0)))  # a matrix of zeros


@pytest.mark.parametrize("operand", [3 * A[0, 0, 0], A[0, 0, 0]])
def test_an_operand_of_any_rank_is_refused_in_words(operand):
    with pytest.raises(MalformedStatement, match="it takes a vector"):
        norm(operand)
