"""Functions of numbers at vectors and matrices, refused in one line before any world is drawn."""

import pytest
from sympy import Abs, Integer as Whole, Rational, floor

from boundcheck import Claim, Holds, Source, verify
from boundcheck.errors import MalformedStatement
from boundcheck.expressions import identity, parameter, solution, trace, world
from boundcheck.worlds import Gram, Integer, Matrix, Real, Vector

PLACE = Source("A", 2024, "E").at("1")
d = world("d", Integer(1, searched=3))
v, A, G = world("v", Vector(d)), world("A", Matrix(d, d)), world("G", Gram(2))
x, n = parameter("x", Real(None, None)), parameter("n", Integer(1, searched=3))


@pytest.mark.parametrize(("relation", "told"), [
    (Abs(v) <= 1, r"Abs\(v\) is a function of a number at a vector; write norm"),
    (Abs(A * v) <= 1, "at a vector"),
    (floor(v) <= 1, r"floor\(v\) is a function of a number at a vector"),
    (v**2 <= 1, r"v\*\*2 is a power of a vector; write inner\(v, v\)"),
    (trace(A**x) <= 1, r"A\*\*x is a power of a matrix that is no whole number"),
    (trace(A ** Rational(1, 2)) <= 1, "write matrix_root"),
])  # fmt: skip
def test_a_function_of_numbers_takes_no_vector(relation, told):
    with pytest.raises(MalformedStatement, match=told):
        Claim(PLACE, Holds(relation))


@pytest.mark.parametrize("relation", [
    trace(A**n) <= 1, trace(A**2) <= 1, Abs(v[0]) <= 1, v[0] ** x <= 1,
])  # fmt: skip
def test_numbers_among_them_are_taken(relation):
    assert Claim(PLACE, Holds(relation)).fields


def test_a_matrix_of_plain_size_says_how_it_is_written():
    with pytest.raises(MalformedStatement, match=r"write plain sizes .* identity\(Integer\(2\)\)"):
        solution(G, identity(2))
    assert Claim(PLACE, Holds(trace(solution(G, identity(Whole(2)))) >= 0)).fields


def test_a_name_that_ends_in_a_stroke_is_that_of_its_symbol():
    strength = parameter("lambda_", Real(0, None, open_low=True))
    claim = Claim(PLACE, Holds(trace(strength * A) <= 1))
    assert verify("a/b:c", claim, budget="brief").outcome == "refuted"
