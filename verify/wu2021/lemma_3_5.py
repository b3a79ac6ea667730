"""Lemma 3.5: the reproducing kernel is unique.

Setting    a space of functions on N points with basis B (N x r) and Gram matrix G of the basis;
           any candidate kernel k + D with columns of D in the space.
Claim      if k + D reproduces too, that is <f, D(., x)> = 0 for all f and x, then D = 0; and the
           kernel does not depend on the basis from which it is built.
"""

from flint import fmpq
from sympy import And, Eq, Implies, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.operators import identity
from boundcheck.quantities.rkhs import orthonormal_kernel, reproducing_kernel
from boundcheck.worlds import Custom, Derived, Gram, Integer, Matrix, Space

from . import NOTES

defect, difference = symbols("defect difference", real=True)
kernel, other_kernel = symbols("kernel other_kernel", commutative=False)


def independent_functions(source, earlier):
    """N x r with independent columns: a unit triangle on top of arbitrary rows."""
    size, rank = earlier["N"], earlier["r"]
    table = Matrix("N", "r").build(source, earlier)
    for i in range(rank):
        for j in range(rank):
            if j >= i:
                table[i, j] = fmpq(int(i == j))
    assert table.rank() == rank <= size
    return table


def are_independent(value, world):
    return Matrix("N", "r").admits(value, world) and value.rank() == world["r"]


def plus_identity(raw):
    return raw + identity(raw.nrows())


def reproducing_defect(inner, change):
    """sum of <b_j, D(., x)>^2 over basis functions and points; zero iff k + D reproduces."""
    return sum((value**2 for value in (inner * change).entries()), fmpq(0))


def kernel_difference(basis, change):
    """sum of D(x, x')^2."""
    return sum((value**2 for value in (basis * change).entries()), fmpq(0))


worlds = Space(
    N=Integer(1, searched=4),
    r=Integer(1, "N"),
    basis=Custom(independent_functions, are_independent),
    raw=Gram("r"),
    inner=Derived(plus_identity),
    change=Matrix("r", "N"),
)

printed = Claim(
    source=NOTES.at("Lemma 3.5"),
    statement=Holds(
        And(Implies(difference > 0, defect > 0), Eq(kernel, other_kernel))
    ),
    worlds=worlds,
    measure={
        defect: reproducing_defect,
        difference: kernel_difference,
        kernel: lambda basis, inner: reproducing_kernel(basis, inner),
        other_kernel: lambda basis, inner: orthonormal_kernel(basis, inner),
    },
    uses=("wu2021/lemma_3_2:printed",),
    reading="in finite dimension; a second kernel differs from the first by functions of the space",
    cost=0.8,
)
