"""Section 6.1: bandwidths from the interpoint distances of the data.

Setting    data x_1..x_n; all n^2 pairs count, as printed.
Claim      sigma = sqrt((1/n^2) sum_ij ||x_i - x_j||_2^2) for RBF and
           (1/n^2) sum_ij ||x_i - x_j||_1 for Laplace are average interpoint distances: within the
           range of the distances, the second one their arithmetic mean.
Arithmetic mean  the first one is not the arithmetic mean of the Euclidean distances.
"""

from sympy import Abs, And, Eq, sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import greatest, index, indicator, inner, row, total, world
from boundcheck.worlds import Integer, Matrix

from . import NOTES

n, d = world("n", Integer(1, searched=5)), world("d", Integer(1, searched=3))
x = world("x", Matrix(n, d), units={"point": 1}, says="The data, one row a point.")
i, j, k = index("i", n), index("j", n), index("k", d)
gap = row(x, i) - row(x, j)
square, absolute = inner(gap, gap), total(Abs(x[i, k] - x[j, k]), k)
sigma_rbf = sqrt(total(square, i, j) / n**2)
sigma_laplace = total(absolute, i, j) / n**2
mean_euclidean = total(sqrt(square), i, j) / n**2
mean_of_pairs = 2 * total(indicator(j < i) * absolute, i, j) / n**2

printed = Claim(
    NOTES.at("Section 6.1"),
    Holds(
        And(
            mean_euclidean <= sigma_rbf,
            sigma_rbf <= sqrt(greatest(square, i, j)),
            Eq(sigma_laplace, mean_of_pairs),
        )
    ),
    reading="The text bases the choice on the average distance; a quadratic mean is one way to "
    "average. The claim `arithmetic_mean` takes the word strictly.",
)
arithmetic_mean = Claim(NOTES.at("Section 6.1"), Holds(Eq(sigma_rbf, mean_euclidean)))
