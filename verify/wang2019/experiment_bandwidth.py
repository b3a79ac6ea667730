"""Section 6.1: bandwidths from the interpoint distances of the data.

Setting    data x_1..x_n; all n^2 pairs count, as printed.
Claim      sigma = sqrt((1/n^2) sum_ij ||x_i - x_j||_2^2) for RBF and
           (1/n^2) sum_ij ||x_i - x_j||_1 for Laplace are average interpoint distances: within the
           range of the distances, the second one their arithmetic mean.
Arithmetic mean  the first one is not the arithmetic mean of the Euclidean distances.
"""

from flint import fmpq
from sympy import And, Eq, symbols

from boundcheck import Claim, Holds
from boundcheck.exact import square_root
from boundcheck.worlds import Integer, Matrix, Space

from . import NOTES

sigma_rbf, sigma_laplace = symbols("sigma_rbf sigma_laplace", real=True)
mean_euclidean, mean_absolute = symbols("mean_euclidean mean_absolute", real=True)
largest_euclidean = symbols("largest_euclidean", real=True)


def _pairs(points, term):
    rows, cols = points.nrows(), points.ncols()
    return [
        sum((term(points[i, k] - points[j, k]) for k in range(cols)), fmpq(0))
        for i in range(rows)
        for j in range(rows)
    ]


def rbf_bandwidth(points):
    """Root mean square of the Euclidean distances of all pairs."""
    squares = _pairs(points, lambda gap: gap**2)
    return square_root(sum(squares, fmpq(0)) / len(squares))


def laplace_bandwidth(points):
    """Mean l1 distance of all pairs."""
    distances = _pairs(points, abs)
    return sum(distances, fmpq(0)) / len(distances)


def euclidean_distances(points):
    """Euclidean distances of all pairs."""
    return [square_root(value) for value in _pairs(points, lambda gap: gap**2)]


def mean_distance(points):
    """Arithmetic mean of the Euclidean distances of all pairs."""
    distances = euclidean_distances(points)
    return sum(distances[1:], distances[0]) / len(distances)


def largest_distance(points):
    """Largest Euclidean distance."""
    return square_root(max(_pairs(points, lambda gap: gap**2)))


def mean_absolute_distance(points):
    """Arithmetic mean of the l1 distances, from ordered pairs of distinct points."""
    size, total = points.nrows(), fmpq(0)
    for i in range(size):
        for j in range(i):
            total += 2 * sum(abs(points[i, k] - points[j, k]) for k in range(points.ncols()))
    return total / size**2


WORLDS = Space(n=Integer(1, searched=5), d=Integer(1, searched=3), points=Matrix("n", "d"))

printed = Claim(
    source=NOTES.at("Section 6.1"),
    statement=Holds(
        And(
            mean_euclidean <= sigma_rbf,
            sigma_rbf <= largest_euclidean,
            Eq(sigma_laplace, mean_absolute),
        )
    ),
    worlds=WORLDS,
    measure={
        sigma_rbf: rbf_bandwidth, sigma_laplace: laplace_bandwidth,
        mean_euclidean: mean_distance, largest_euclidean: largest_distance,
        mean_absolute: mean_absolute_distance,
    },
    reading="The text bases the choice on the average distance; a quadratic mean is one way to "
    "average. The claim `arithmetic_mean` takes the word strictly.",
)  # fmt: skip

arithmetic_mean = Claim(
    source=NOTES.at("Section 6.1"),
    statement=Holds(Eq(sigma_rbf, mean_euclidean)),
    worlds=WORLDS,
    measure={sigma_rbf: rbf_bandwidth, mean_euclidean: mean_distance},
)
