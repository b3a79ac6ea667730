"""The dimension that scikit-learn's johnson_lindenstrauss_min_dim returns.

Setting    n points, a Gaussian random projection to k = floor(4 log n / (eps^2 / 2 - eps^3 / 3))
           dimensions, as the function computes it; a pair is distorted by more than a factor
           1 - eps or 1 + eps with the probability of a chi-square tail.
"""

from sympy import floor, log

from boundcheck import Claim, Holds
from boundcheck.expressions import define, parameter
from boundcheck.settings.continuous import chi_square_tail
from boundcheck.worlds import Integer, Real

from . import SKLEARN

HERE = SKLEARN.at("random_projection.johnson_lindenstrauss_min_dim")
READ = "that k dimensions suffice is read as its usual proof: the union bound over pairs"
n = parameter("n", Integer(2, wide=True, searched=10**9), says="Number of points.")
eps = parameter("eps", Real(0, 1, open_low=True, open_high=True), says="Distortion.")


def failures(factor):
    """Pairs times the probability that the projection distorts one."""
    k = floor(factor * log(n) / (eps**2 / 2 - eps**3 / 3))
    too_long, shorter = chi_square_tail(k, k * (1 + eps)), 1 - chi_square_tail(k, k * (1 - eps))
    return n * (n - 1) / 2 * (too_long + shorter)


printed = Claim(HERE, Holds(define("failures", failures(4)) < 1), reading=READ)
half = Claim(HERE, Holds(define("failures", failures(2)) < 1), reading=READ)
