"""Sections 1 and 1.1: the feature maps written out.

Setting    basis functions phi_1, phi_2, ... , n points, m features, coefficients b in R^m and the
           model f(x; b) = sum_{j <= m} b_j phi_j(x).
Claim      f(x; b) = <b, Phi(x)> with Phi(x) = (phi_1(x), ..., phi_n(x)) in R^m; and, as a special
           case of a general feature space, with Phi(x) = (phi(x_1), ..., phi(x_n)) in R^m.
Repair     Phi(x) = (phi_1(x), ..., phi_m(x)).
"""

from flint import fmpq
from sympy import And, Eq, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.operators import dot
from boundcheck.quantities.rkhs import row
from boundcheck.worlds import Derived, Integer, Matrix, Space, Vector

from . import NOTES

model, first, general, mended = symbols("model first general mended", real=True)


def classical_model(b, m, at_x):
    """sum_{j <= m} b_j phi_j(x)."""
    return sum((b[j] * at_x[j] for j in range(m)), fmpq(0))


def first_map(b, n, at_x):
    """<b, (phi_1(x), ..., phi_n(x))>."""
    return dot(b, at_x[:n])


def general_map(b, table):
    """<b, (phi(x_1), ..., phi(x_n))> for one function phi, the first."""
    return dot(b, tuple(table[i, 0] for i in range(table.nrows())))


def mended_map(b, m, at_x):
    """<b, (phi_1(x), ..., phi_m(x))>."""
    return dot(b, at_x[:m])


def functions_available(n, m):
    return max(n, m)


shared = {
    "worlds": Space(
        n=Integer(1, searched=3),
        m=Integer(1, searched=3),
        available=Derived(functions_available),
        table=Matrix("n", "available"),
        at_x=Derived(lambda table: row(table, 0)),
        b=Vector("m", -1, 1),
    ),
    "measure": {
        model: classical_model, first: first_map, general: general_map, mended: mended_map,
    },
    "cost": 0.3,
}  # fmt: skip

printed = Claim(
    source=NOTES.at("Section 1 and Section 1.1, feature maps"),
    statement=Holds(And(Eq(model, first), Eq(model, general))),
    reading="x is one of the sample points; the phi without index is the first basis function",
    **shared,
)

repaired = Claim(
    source=NOTES.at("Section 1, feature map, repaired"),
    statement=Holds(Eq(model, mended)),
    **shared,
)
