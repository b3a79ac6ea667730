"""Assumption 1 and Section 3.1: two kinds of features that satisfy it.

Setting    E_v psi(x; v) psi(x'; v) = kappa(x, x') and psi^2 <= b almost surely.
Claim      b = 2 for random Fourier features sqrt(2) cos(w^T x + beta) of a translation invariant
           kernel, b = 1 for random sign features with the angular kernel.
Worlds     finite symmetric spectral measures; phases on a regular grid of at least three points,
           whose mean of products of cosines is that of the uniform phase.
"""

from flint import arb, fmpq
from sympy import And, Eq, asin, cos, pi, symbols

from boundcheck import Claim, Expected
from boundcheck.quantities.features import circle_patterns
from boundcheck.worlds import Integer, Listed, Real, Space, Vector, Weights

from . import NOTES

product, kernel, square = symbols("product kernel square", real=True)
sign_product, sign_square, turn = symbols("sign_product sign_square turn", real=True)


def cosine_law(tau, grid):
    """Frequency index and phase, in turns."""
    return [
        (fmpq(weight) / grid, {"frequency": k, "phase": fmpq(step, grid)})
        for k, weight in enumerate(tau)
        for step in range(grid)
    ]


def _cosine(turns):
    return (2 * arb.pi() * turns).cos()


def cosine_product(frequencies, frequency, phase, x, z):
    """psi(x) psi(z) = 2 cos(w x + beta) cos(w z + beta)."""
    w = frequencies[frequency]
    return 2 * _cosine(w * x + phase) * _cosine(w * z + phase)


def stationary_kernel(frequencies, tau, x, z):
    """sum_k tau_k cos(w_k (x - z))."""
    terms = [
        fmpq(p) * _cosine(w * (x - z)) for w, p in zip(frequencies, tau, strict=True)
    ]
    return sum(terms, arb(0))


def cosine_square(frequencies, x):
    """max over frequencies and phases of psi(x)^2, at the phase that turns w x back to zero."""
    turned = [w * x - w * x for w in frequencies]
    return max((2 * _cosine(turn) ** 2 for turn in turned), key=float)


def sign_law_product(turn):
    """E_v sgn(x^T v) sgn(x'^T v)."""
    return sum(weight * first * second for weight, (first, second) in circle_patterns((0, turn)))


def sign_law_square(turn):
    """max over v of sgn(x^T v)^2."""
    return max(first**2 for _, (first, _) in circle_patterns((0, turn)))


printed = Claim(
    source=NOTES.at("Assumption 1 and the text before it"),
    statement=Expected(
        And(
            Eq(product, kernel),
            square <= 2,
            Eq(sign_product, 2 / pi * asin(cos(2 * pi * turn))),
            sign_square <= 1,
        )
    ),
    worlds=Space(
        J=Integer(1, searched=3),
        frequencies=Vector("J", -3, 3),
        tau=Weights("J"),
        grid=Integer(3, searched=6),
        x=Real(-2, 2),
        z=Real(-2, 2),
    ),
    parameters={turn: Real(0, 1)},
    measure={
        product: cosine_product, kernel: stationary_kernel, square: cosine_square,
        sign_product: sign_law_product, sign_square: sign_law_square,
    },
    draw=Listed(("frequency", "phase"), cosine_law, over="the features"),
    reading="With the angular kernel that makes the sign feature unbiased (Section 5); the one of "
    "Section 3.2 is judged by angular_kernel.",
    cost=3.0,
)  # fmt: skip
