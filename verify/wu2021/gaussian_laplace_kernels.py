"""Section 2: the Gaussian and the Laplace kernel are kernels in every dimension.

Setting    points in R^d, any coefficients a, sigma > 0.
Claim      sum_ij a_i a_j exp(-||x_i - x_j||^2 / 2) >= 0 and
           sum_ij a_i a_j exp(-||x_i - x_j|| / sigma) >= 0.
"""

from sympy import And, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.rkhs import gaussian_form, laplace_form
from boundcheck.worlds import Integer, Matrix, Real, Space, Vector

from . import NOTES, sigma

gaussian, laplace = symbols("gaussian laplace", real=True)

printed = Claim(
    source=NOTES.at("Section 2, Gaussian and Laplace kernels"),
    statement=Holds(And(gaussian >= 0, laplace >= 0)),
    given=[sigma > 0],
    worlds=Space(
        N=Integer(1, 5), d=Integer(1, 4), points=Matrix("N", "d", -2, 2), a=Vector("N", -1, 1)
    ),
    parameters={sigma: Real(0, None, open_low=True)},
    measure={gaussian: gaussian_form, laplace: laplace_form},
    reading="sigma is a length scale, so positive",
    cost=1.5,
)
