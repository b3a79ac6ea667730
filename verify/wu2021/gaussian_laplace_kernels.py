"""Section 2: the Gaussian and the Laplace kernel are kernels in every dimension.

Setting    points in R^d, any coefficients a, sigma > 0.
Claim      sum_ij a_i a_j exp(-||x_i - x_j||^2 / 2) >= 0 and
           sum_ij a_i a_j exp(-||x_i - x_j|| / sigma) >= 0.
"""

from flint import fmpq
from sympy import And, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.rkhs import gaussian_form, laplace_form
from boundcheck.worlds import Custom, Integer, Matrix, Real, Space, Vector

from . import NOTES, sigma

gaussian, laplace = symbols("gaussian laplace", real=True)


def coefficients(source, earlier):
    """Free, or close to the eigenvector of the least eigenvalue of one of the two matrices."""
    import numpy

    kind = source.choice(("free", "gaussian", "laplace"))
    if kind == "free":
        return Vector("N", -1, 1).build(source, earlier)
    points = numpy.array([[float(v) for v in row] for row in earlier["points"].tolist()])
    gaps = ((points[:, None] - points[None]) ** 2).sum(axis=-1)
    exponents = -gaps / 2 if kind == "gaussian" else -numpy.sqrt(gaps) / float(earlier["sigma"])
    least = numpy.linalg.eigh(numpy.exp(exponents))[1][:, 0]
    return tuple(fmpq(round(float(v) * 2**40), 2**40) for v in least)


printed = Claim(
    source=NOTES.at("Section 2, Gaussian and Laplace kernels"),
    statement=Holds(And(gaussian >= 0, laplace >= 0)),
    given=[sigma > 0],
    worlds=Space(
        N=Integer(1, searched=8), d=Integer(1, searched=4),
        points=Matrix("N", "d", searched=(-2, 2)),
        sigma=Real(0, None, open_low=True), a=Custom(coefficients, Vector("N")),
    ),
    measure={gaussian: gaussian_form, laplace: laplace_form},
    reading="sigma is a length scale, so positive",
    cost=2.0,
)  # fmt: skip
