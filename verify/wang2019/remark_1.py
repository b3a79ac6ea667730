"""Remark 1: size of the right side of Theorem 1.

Setting    K a kernel matrix (n x n), y any targets, lambda > 0.
Claim      ||K^(1/2) (K + n lambda I)^-1 y||^2 <= ||y||^2 / (4 n lambda), with equality if some
           singular value equals n lambda and its singular vector u satisfies u^T y = ||y||.
Order      under the condition of Theorem 1 on lambda and for bounded targets this is O(sqrt(n)).

For a unit vector u, u^T y = ||y|| means y = ||y|| u. So the kernel matrices of the second half are
n lambda on y and any kernel matrix across it.
"""

from sympy import And, Eq, Implies, sqrt

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.expressions import column as as_column, form, identity, inner, largest_entry, outer
from boundcheck.quantities import operators
from boundcheck.settings.rkhs import K, n, penalty, responses
from boundcheck.worlds import Family
from boundcheck.worlds.fields import as_rational

from . import NOTES

y = responses()
length = inner(y, y)
along = outer(y, y) / length
across = identity(n) - along
matched = n * penalty * along + across * K * across


def right_side(K):
    """||K^(1/2) (K + n lambda I)^-1 y||^2."""
    return form(K, (K + n * penalty * identity(n)) ** -1 * y)


printed = Claim(
    NOTES.at("Remark 1"),
    Holds(
        And(
            right_side(K) <= length / (4 * n * penalty),
            Implies(length > 0, Eq(right_side(matched), length / (4 * n * penalty))),
        )
    ),
    reading="The order O(sqrt(n)) is the claim `order`.",
)


def spread(size):
    """Points without correlation, K = I, targets of both signs."""
    return _at(size, operators.identity(size), tuple((-1) ** i for i in range(size)))


def at_ridge(size):
    """The worst kernel matrix for lambda: y a singular vector to the singular value n lambda."""
    ones = operators.column((1,) * size)
    return _at(size, ones * ones.transpose() * _root(size), (1,) * size)


def _root(size):
    return as_rational(f"1/{int(size**0.5)}", {})


def _at(size, gram, y):
    return {"n": size, "K": gram, "y": y, "lambda": _root(size)}


SIZES = (4, 9, 16, 36, 64, 144)
order = Claim(
    NOTES.at("Remark 1"),
    UpToConstant(right_side(K) <= sqrt(n)),
    given=[penalty >= 1 / sqrt(n), largest_entry(as_column(y)) <= 1],
    families=(
        Family("n grows, K = I, lambda = n^(-1/2)", spread, SIZES),
        Family("n grows, K at the ridge, lambda = n^(-1/2)", at_ridge, SIZES),
    ),
    uses=("wang2019/remark_1:printed",),
    reading="The order needs lambda of the order n^(-1/2), which Theorem 1 asks for, and bounded "
    "targets, as in Section 6.1; both are taken as meant.",
    cost=8.0,
)
