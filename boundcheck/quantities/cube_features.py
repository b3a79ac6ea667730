"""Random Fourier features on the vertices of the cube [-1, 1]^d, in closed form.

Points are uniform on {-1, 1}^d, g_x = sqrt(2) cos(w^T x + beta) with beta uniform and w of
independent entries of one symmetric law, given by its characteristic function phi at 2 and 4. The
integral operator T of the kernel is diagonal in the products chi_S(x) = prod_{i in S} x_i, with
eigenvalue a^|S| b^(d - |S|), a = E sin^2, b = E cos^2 of one entry. Targets are y(x) = x_1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from math import comb
from typing import Any

from flint import fmpq

from boundcheck.exact import exponential, square_root
from boundcheck.expressions import primitive
from boundcheck.expressions.lazy_imports import numpy


def characteristic(kind: str, d: int, t: int) -> Any:
    """E cos(t w_i) for the kernels of Section 6.1 of Wang (2019), at their average bandwidths.

    "RBF": exp(-t^2 / (2 sigma^2)) with sigma^2 = 2 d, the mean squared distance of two vertices;
    "Laplace": exp(-t / sigma) with sigma = d, their mean l1 distance.
    """
    return exponential(-fmpq(t * t, 4 * d) if kind == "RBF" else -fmpq(t, d))


def moments(at_2: Any, at_4: Any) -> tuple[Any, Any, Any, Any, Any]:
    """E sin^2, cos^2, sin^4, sin^2 cos^2, cos^4 of an entry with phi(2), phi(4)."""
    return (
        (1 - at_2) / 2,
        (1 + at_2) / 2,
        (3 - 4 * at_2 + at_4) / 8,
        (1 - at_4) / 8,
        (3 + 4 * at_2 + at_4) / 8,
    )


def linear_norm(at_2: Any, d: int, ridge: Any) -> Any:
    """||K^(1/2) (K + n ridge I)^-1 y||^2 = mu / (mu + ridge)^2, mu the eigenvalue of x_1."""
    mu = (1 - at_2) / 2 * ((1 + at_2) / 2) ** (d - 1)
    return mu / (mu + ridge) ** 2


def leading_difference(at_2: Any, at_4: Any, d: int, ridge: Any) -> Any:
    """lim s E (f~ - f)^2 as s grows, the training set all of the cube, equally often.

    f~ - f = ridge (T + ridge)^-1 (T~ - T) (T + ridge)^-1 y up to higher orders in 1/s, and T~ is a
    mean of s independent operators g g^T. With <g, x_1>^2 = 2 sin^2(beta) sin^2(w_1) prod cos^2,
    and for chi_S the same with |S| sines, sin^2(beta) for odd |S| and cos^2(beta) for even |S|.
    """
    sin2, cos2, sin4, both, cos4 = moments(at_2, at_4)
    mu = sin2 * cos2 ** (d - 1)
    total = 0 * mu
    for size in range(d + 1):
        phase = 3 if size % 2 else 1  # twice the mean of sin^4, or of sin^2 cos^2, times 4
        spread = 0 * mu
        if size:
            spread += sin4 * both ** (size - 1) * cos4 ** (d - size) * comb(d - 1, size - 1)
        if size < d:
            spread += both ** (size + 1) * cos4 ** (d - 1 - size) * comb(d - 1, size)
        spread = spread * phase / 2 - (mu**2 if size == 1 else 0)
        total += spread * (ridge / (sin2**size * cos2 ** (d - size) + ridge)) ** 2
    return total / (mu + ridge) ** 2


def cube_ridge(c: Any, n: int) -> Any:
    """c / sqrt(n)."""
    return c / square_root(n)


def _in_floats(rule: Callable[[float, float, int, float], float]) -> Callable[..., Any]:
    """A rule of phi(2), phi(4), d and the ridge as a function of arrays."""
    def batch(kind: str, d: Any, n: Any, c: Any) -> Any:
        def phi(d: float, t: int) -> float:
            return math.exp(-t * t / (4 * d) if kind == "RBF" else -t / d)

        arrays = numpy.broadcast_arrays(*(numpy.asarray(part, float) for part in (d, n, c)))
        found = [
            rule(phi(d, 2), phi(d, 4), int(d), c / math.sqrt(n))
            for d, n, c in zip(*(part.ravel() for part in arrays), strict=True)
        ]  # fmt: skip
        return numpy.array(found).reshape(arrays[0].shape)

    return batch


@primitive(
    batch=_in_floats(lambda at_2, _, d, ridge: linear_norm(at_2, d, ridge)),
    facts=("nonnegative",), units="none",
    latex=r"\left\|K^{{1/2}}(K+n\lambda I_n)^{{-1}}y\right\|_2^2",
)
def cube_norm(kind: str, d: Any, n: Any, c: Any) -> Any:
    """`linear_norm` at ridge c / sqrt(n)."""
    return linear_norm(characteristic(kind, int(d), 2), int(d), cube_ridge(c, n))


@primitive(
    batch=_in_floats(leading_difference), facts=("nonnegative",), units="none",
    latex=r"\lim_{{s}}s\,\mathbb{{E}}\left[(\tilde{{f}}_\lambda-f_\lambda)^2\right]",
)
def cube_difference(kind: str, d: Any, n: Any, c: Any) -> Any:
    """`leading_difference` at ridge c / sqrt(n)."""
    at_2, at_4 = characteristic(kind, int(d), 2), characteristic(kind, int(d), 4)
    return leading_difference(at_2, at_4, int(d), cube_ridge(c, n))
