"""True statements over vectors, matrices and laws whose size may be zero."""

import numpy
import pytest
from flint import fmpq_mat

from boundcheck import Claim, Expected, Holds, Source
from boundcheck.engine import verify
from boundcheck.errors import InvalidArgument, Undefined
from boundcheck.expressions import (
    determinant,
    frobenius_norm,
    index,
    inner,
    largest_eigenvalue,
    largest_entry,
    matrix_root,
    operator_norm,
    outcome,
    parameter,
    smallest_eigenvalue,
    spectral_radius,
    total,
    trace,
    world,
)
from boundcheck.expressions.nodes import PRIMITIVES
from boundcheck.search.growth import MOVES, Immovable, grown
from boundcheck.worlds import (
    Counts,
    Gram,
    Index,
    Integer,
    Matrix,
    Space,
    Symmetric,
    Vector,
    Weights,
)
from boundcheck.worlds.sources import Coordinates

PLACE = Source("A", 2024, "Example").at("1")
N = world("N", Integer(0, searched=3))
M = parameter("M", Integer(0, searched=3))
i = index("i", N)
a, p, t = world("a", Vector(N)), world("p", Weights(N)), world("t", Index(N))
A, G = world("A", Matrix(N, 2)), world("G", Gram(N))
counts = outcome("counts", Counts("counts", p, M))
TRUE = {
    "a vector": Holds(total(a[i], i) ** 2 <= N * inner(a, a)),
    "a matrix": Holds(operator_norm(A) <= frobenius_norm(A)),
    "a kernel matrix": Holds(determinant(G) >= 0),
    "a root": Holds(trace(matrix_root(G)) ** 2 <= N * trace(G)),
    "a law": Holds(total(p[i] * a[i], i) ** 2 <= total(p[i] * a[i] ** 2, i)),
    "a draw": Expected(total(counts[i] * a[i], i) <= M * total(p[i] * a[i], i)),
    "a place": Holds(a[t] ** 2 <= inner(a, a)),
}


@pytest.mark.parametrize("name", TRUE)
def test_a_size_of_zero_breaks_nothing(name):
    verdict = verify("mine/it", Claim(PLACE, TRUE[name]), controls=False)
    assert verdict.outcome == "supported", str(verdict)


@pytest.mark.parametrize("field", [Weights("n"), Index("n")])
def test_there_is_no_law_and_no_place_of_no_atoms(field):
    with pytest.raises(InvalidArgument, match="size 0"):
        Space(n=Integer(0, 0), f=field).build(Coordinates((0.5,) * 9))


@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize("field", [Vector("n"), Matrix("n", "n"), Symmetric("n")])
def test_what_is_empty_does_not_grow(field, move):
    fields = {"n": Integer(0, searched=2), "f": field}
    empty = () if isinstance(field, Vector) else fmpq_mat(0, 0)
    with pytest.raises(Immovable):
        grown(fields, {"n": 0, "f": empty}, "n", move, 2)


@pytest.mark.parametrize("norm", [operator_norm, frobenius_norm, spectral_radius, largest_entry])
def test_what_is_empty_has_size_zero_in_both_readings(norm):
    batch = PRIMITIVES[norm.token.name].batch
    assert norm.value(fmpq_mat(0, 0)) == 0
    assert list(batch(numpy.zeros((3, 0, 0)))) == [0, 0, 0]


@pytest.mark.parametrize("extreme", [largest_eigenvalue, smallest_eigenvalue])
def test_there_is_no_extreme_eigenvalue_of_nothing(extreme):
    with pytest.raises(Undefined, match="without rows"):
        extreme.value(fmpq_mat(0, 0))
    assert numpy.isinf(PRIMITIVES[extreme.token.name].batch(numpy.zeros((3, 0, 0)))).all()
