"""Sections 1 and 1.1: the feature maps written out.

Setting    basis functions phi_1, phi_2, ... , n points, m features, coefficients b in R^m and the
           model f(x; b) = sum_{j <= m} b_j phi_j(x).
Repair     Phi(x) = (phi_1(x), ..., phi_m(x)).
"""

from sympy import And, Eq

from boundcheck import Claim, Holds
from boundcheck.expressions import index, inner, table, total, world
from boundcheck.worlds import Derived, Integer, Matrix, Vector

from . import NOTES

n = world("n", Integer(1, searched=3), says="Number of points.")
m = world("m", Integer(1, searched=3), says="Number of features.")
most = world("most", Derived(lambda n, m: max(n, m)), rank=0, needs=(n, m))
phi = world("phi", Matrix(n, most), says="phi[i, j] is phi_j(x_i), for as many j as are written.")
b = world("b", Vector(m))
i, j, over_features = index("i", n), index("j", n), index("j", m)
model = total(b[over_features] * phi[0, over_features], over_features)

printed = Claim(
    NOTES.at("Section 1 and Section 1.1, feature maps"),
    Holds(
        And(
            Eq(model, inner(b, table(phi[0, j], j))),
            Eq(model, inner(b, table(phi[i, 0], i))),
        )
    ),
    reading="x is one of the sample points; the phi without index is the first basis function",
    cost=0.3,
)
repaired = Claim(
    NOTES.at("Section 1, feature map, repaired"),
    Holds(Eq(model, inner(b, table(phi[0, over_features], over_features)))),
    cost=0.3,
)
