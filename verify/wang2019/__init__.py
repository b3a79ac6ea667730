"""Wang 2019: out-of-sample bound for random feature ridge regression. Words of the paper.

The setting `random_features` has points, features, training sets and both predictions; here are
the three terms of the proof of Theorem 1.
"""

from sympy import Expr

from boundcheck import Source
from boundcheck.expressions import inner, named, outer
from boundcheck.settings.random_features import Regression, fixed

NOTES = Source(
    "Wang", 2019, "Simple and almost assumption-free out-of-sample bound for random feature mapping"
)

# Section 4.4, for a fixed training set.
_gap = (fixed.K_ - fixed.K) * fixed.alpha
Delta_2 = named("Delta_2", inner(_gap, _gap), r"\Delta_2")


def Delta_1(x: Expr, at: Regression = fixed) -> Expr:
    """R~ k~' k~'^T R~ with R~ = (K~ + n lambda I)^-1."""
    return named("Delta_1", outer(at.R_ * at.k_(x), at.R_ * at.k_(x)), r"\Delta_1")


def Delta_3(x: Expr) -> Expr:
    """[(k~' - k')^T alpha]^2."""
    return named("Delta_3", inner(fixed.k_(x) - fixed.k(x), fixed.alpha) ** 2, r"\Delta_3")
