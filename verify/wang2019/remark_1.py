"""Remark 1: size of the right side of Theorem 1.

Setting    K a kernel matrix (n x n), y any targets, lambda > 0.
Claim      ||K^(1/2) (K + n lambda I)^-1 y||^2 <= ||y||^2 / (4 n lambda), with equality if some
           singular value equals n lambda and its singular vector u satisfies u^T y = ||y||.
Order      under the condition of Theorem 1 on lambda and for bounded targets this is O(sqrt(n)).
"""

from flint import fmpq, fmpq_mat
from sympy import And, Eq, Implies, sqrt, symbols

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.quantities.operators import column, dot, entries, identity
from boundcheck.quantities.ridge import ridge_norm, ridge_solution
from boundcheck.worlds import Choice, Custom, Derived, Family, Gram, Integer, Real, Space, Vector

from . import NOTES, n, norm, ridge

length, apart, largest = symbols("length apart largest", real=True)


def right_side(gram, y, lambda_):
    """||K^(1/2) (K + n lambda I)^-1 y||^2."""
    return ridge_norm(gram, ridge_solution(gram, y, lambda_))


def squared_length(y):
    """||y||^2."""
    return dot(y, y)


def misalignment(gram, y, lambda_):
    """||K y - n lambda y||^2, zero iff K y = n lambda y.

    For a unit vector u, u^T y = ||y|| means y = ||y|| u; so a singular vector u to the singular
    value n lambda with this property exists iff K y = n lambda y, for y other than zero.
    """
    size = gram.nrows()
    gap = (gram - identity(size) * (size * fmpq(lambda_))) * column(y)
    return dot(entries(gap), entries(gap))


def largest_target(y):
    """max |y_i|."""
    return max(abs(value) for value in y)


def _spectrum_at_y(free, y, kind, value):
    """A kernel matrix: free, or with y among its singular vectors to the singular value `value`."""
    weight = dot(y, y)
    if kind == "free" or not weight:
        return free
    along = column(y) * column(y).transpose() / weight
    across = identity(len(y)) - along
    return along * value + across * free * across


def _ridge(source, earlier):
    """lambda: free, or with n lambda on the chosen singular value."""
    at = source.choice(("free", "matched"))
    free = Real(0, None, open_low=True).build(source, earlier)
    return earlier["value"] / earlier["n"] if at == "matched" else free


WORLDS = Space(
    n=Integer(1, searched=4),
    free=Gram("n", 2),
    y=Vector("n", -2, 2),
    value=Real(0, 4),
    kind=Choice(("free", "singular vector")),
    gram=Derived(_spectrum_at_y),
    **{"lambda": Custom(_ridge, Real(0, None))},
)


printed = Claim(
    source=NOTES.at("Remark 1"),
    statement=Holds(
        And(
            norm <= length / (4 * n * ridge),
            Implies(Eq(apart, 0), Eq(norm, length / (4 * n * ridge))),
        )
    ),
    given=[ridge > 0],
    worlds=WORLDS,
    measure={norm: right_side, length: squared_length, apart: misalignment},
    reading="The order O(sqrt(n)) is the claim `order`.",
)


def _spread(size):
    """Points without correlation: K = I, targets of both signs."""
    return _at(size, identity(size), tuple((-1) ** i for i in range(size)))


def _matched(size):
    """The worst kernel matrix for lambda: y a singular vector to the singular value n lambda."""
    values = (fmpq(1),) * size
    root = fmpq(1, int(fmpq(size).sqrt()))
    gram = fmpq_mat(size, size, [root] * size**2)
    return _at(size, gram, values)


def _at(size, gram, y):
    root = fmpq(1, int(fmpq(size).sqrt()))
    return {"n": size, "gram": gram, "y": y, "lambda": root}


order = Claim(
    source=NOTES.at("Remark 1"),
    statement=UpToConstant(norm <= sqrt(n)),
    given=[ridge >= 1 / sqrt(n), largest <= 1],
    worlds=Space(
        n=Integer(1, searched=4),
        gram=Gram("n", 2),
        y=Vector("n", -1, 1),
        **{"lambda": Real(0, None, open_low=True)},
    ),
    measure={norm: right_side, largest: largest_target},
    families=(
        Family("n grows, K = I, lambda = n^(-1/2)", _spread, (4, 9, 16, 36, 64, 144)),
        Family("n grows, K at the ridge, lambda = n^(-1/2)", _matched, (4, 9, 16, 36, 64, 144)),
    ),
    reading="The order needs lambda of the order n^(-1/2), which Theorem 1 asks for, and bounded "
    "targets, as in Section 6.1; both are taken as meant.",
    cost=8.0,
)
