"""Bounded features bound both kernels and relate sup norm and RKHS norms.

Setting    features, real or complex, |phi(x, w)| <= R; k and k_M their kernels.
"""

from sympy import And, Eq, Le

from boundcheck import Claim, Holds
from boundcheck.expressions import greatest, mean, named, world
from boundcheck.settings.averaged_sgd import K, M, R, counts, i, k_th, tau
from boundcheck.settings.complex_features import (
    Complex,
    coefficients,
    features,
    kernel,
    largest_modulus,
    rkhs_norm,
    supremum,
)
from boundcheck.worlds import Real, Vector

from . import ARXIV

a = coefficients("a")


def bounds(k, latex, space):
    """Largest |k|, largest |f| and the norm of f, any function of the RKHS."""
    f, sup = rf"f\in\mathcal{{{space}}}", r"\sup_x|f(x)|"
    return (
        named(f"sup |{latex}|", largest_modulus(k), rf"\sup_{{x,y}}|{latex}(x,y)|"),
        named(f"sup |f|, f in {space}", supremum(k * a), rf"{sup}_{{{f}}}"),
        named(f"||f||_{space}", rkhs_norm(k, a), rf"\|f\|_{{\mathcal{{{space}}}}}"),
    )


top, sup, norm = bounds(kernel(tau), "k", "H")
top_M, sup_M, norm_M = bounds(kernel(counts / M), "k_M", "H_M")

printed = Claim(
    ARXIV.at("Section 3.1, Assumption 2 and what follows"),
    Holds(And(Le(top, R**2), Le(top_M, R**2), Le(sup, R * norm), Le(sup_M, R * norm_M))),
    given=[R > 0, largest_modulus(features, i, k_th) <= R],
    uses=("yashima2021/random_features:printed",),
    reading="the modulus of the kernel where features are complex",
    cost=4,
)

scale = world("scale", Real(0, None, open_low=True), latex="C'")
s = world("s", Vector(K, searched=(-20, 20)), says="Tangents of half the angles w x.")
half = 1 + s[k_th] ** 2
feature = Complex(scale * (1 - s[k_th] ** 2) / half, scale * 2 * s[k_th] / half)

fourier = Claim(
    ARXIV.at("Section 3.1, after Assumption 2"),
    Holds(Le(greatest(feature.modulus, k_th), 1)),
    given=[Eq(mean((feature * feature.conj).re, k_th, tau), 1)],
    uses=("yashima2021/random_features:fourier",),
    reading="the kernel is normalised, k(x, x) = 1, as the Gaussian kernel is; every angle but pi "
    "has a tangent of its half",
)
