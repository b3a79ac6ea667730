"""Bounded features bound both kernels and relate sup norm and RKHS norms.

Setting    features, real or complex, |phi(x, w)| <= R; k and k_M their kernels.
Claim      |k| <= R^2 and |k_M| <= R^2; R ||f|| >= sup |f| in H and in H_M; R = 1 for
           features C e^{i w x} of a kernel with k(x, x) = 1.
"""

from flint import fmpq
from sympy import And, Eq, Le, symbols

from boundcheck import Claim, Holds
from boundcheck.exact import square_root
from boundcheck.quantities.losses import largest
from boundcheck.quantities.minimisers import frequencies
from boundcheck.quantities.operators import column, diagonal, entries
from boundcheck.worlds import (
    Choice,
    Counts,
    Integer,
    Real,
    Space,
    Vector,
    Weights,
    complex_feature_worlds,
)

from . import ARXIV, M, R

bound_k, bound_k_M = symbols("bound_k bound_k_M", real=True)
supremum, norm, supremum_M, norm_M = symbols("supremum norm supremum_M norm_M", real=True)
largest_feature = symbols("largest_feature", real=True)


def parts(phi, psi, weights):
    """Real and imaginary part of the kernel of weighted complex features."""
    middle = diagonal(tuple(weights))
    real = phi * middle * phi.transpose() + psi * middle * psi.transpose()
    return real, psi * middle * phi.transpose() - phi * middle * psi.transpose()


def modulus(a, b):
    """|a + i b|."""
    return square_root(a * a + b * b)


def largest_modulus(real, imaginary):
    """Largest modulus of the entries of a complex matrix."""
    return largest(modulus(a, b) for a, b in zip(entries(real), entries(imaginary), strict=True))


def kernel_bound(phi, psi, weights):
    """sup |k(x, y)| over the points."""
    return largest_modulus(*parts(phi, psi, weights))


def element(phi, psi, weights, a, b):
    """The function sum_x (a + i b)_x k(., x): real part, imaginary part, squared norm."""
    real, imaginary = parts(phi, psi, weights)
    n = phi.nrows()
    u, v = column(a[:n]), column(b[:n])
    re, im = real * u - imaginary * v, imaginary * u + real * v
    return re, im, (u.transpose() * re + v.transpose() * im)[0, 0]


def supremum_of(phi, psi, weights, a, b):
    """sup |f| over the points."""
    re, im, _ = element(phi, psi, weights, a, b)
    return largest_modulus(re, im)


def norm_of(phi, psi, weights, a, b):
    """RKHS norm."""
    return square_root(element(phi, psi, weights, a, b)[2])


printed = Claim(
    source=ARXIV.at("Section 3.1, Assumption 2 and what follows"),
    statement=Holds(
        And(
            Le(bound_k, R**2), Le(bound_k_M, R**2),
            Le(supremum, R * norm), Le(supremum_M, R * norm_M),
        )
    ),
    given=[R > 0, largest_feature <= R],
    worlds=complex_feature_worlds().and_fields(a=Vector(3, searched=(-2, 2)),
        b=Vector(3, searched=(-2, 2))),
    parameters={M: Integer(1, searched=3), R: Real(0, None)},
    draw=Counts("counts", "tau", "M"),
    measure={
        largest_feature: lambda phi, psi: largest_modulus(phi, psi),
        bound_k: lambda phi, psi, tau: kernel_bound(phi, psi, tau),
        bound_k_M: lambda phi, psi, counts: kernel_bound(phi, psi, frequencies(counts)),
        supremum: lambda phi, psi, tau, a, b: supremum_of(phi, psi, tau, a, b),
        norm: lambda phi, psi, tau, a, b: norm_of(phi, psi, tau, a, b),
        supremum_M: lambda phi, psi, counts, a, b: supremum_of(
            phi, psi, frequencies(counts), a, b
        ),
        norm_M: lambda phi, psi, counts, a, b: norm_of(phi, psi, frequencies(counts), a, b),
    },
    uses=("yashima2021/random_features:printed",),
    reading="the modulus of the kernel where features are complex",
    cost=4,
)  # fmt: skip

feature_size, diagonal_value = symbols("feature_size diagonal_value", real=True)


def fourier_feature(scale, s):
    """|C e^{i w x}| with cos(w x), sin(w x) from the tangent s of half the angle."""
    return scale * modulus((1 - s * s) / (1 + s * s), 2 * s / (1 + s * s))


fourier = Claim(
    source=ARXIV.at("Section 3.1, after Assumption 2"),
    statement=Holds(Le(feature_size, 1)),
    given=[Eq(diagonal_value, 1)],
    worlds=Space(
        K=Integer(1, searched=3),
        tau=Weights("K"),
        tangents=Vector("K", searched=(-20, 20)),
        scale=Choice((fmpq(1, 2), fmpq(1), fmpq(2))),
    ),
    measure={
        feature_size: lambda scale, tangents: largest(
            fourier_feature(scale, s) for s in tangents
        ),
        diagonal_value: lambda scale, tau, tangents: sum(
            (w * fourier_feature(scale, s) ** 2 for w, s in zip(tau, tangents, strict=True)),
            fmpq(0),
        ),
    },
    uses=("yashima2021/random_features:fourier",),
    reading="the kernel is normalised, k(x, x) = 1, as the Gaussian kernel is",
)
