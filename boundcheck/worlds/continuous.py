"""Continuous randomness: random Fourier and sign features, infinite-layer networks.

They are worlds without enumeration: a `FeatureLaw` samples feature parameters, evaluates the
features on points, and knows the kernel that their products have as mean.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from boundcheck.encoding import nearest_float
from boundcheck.worlds.drawn import reach_of
from boundcheck.worlds.draws import Look, Sampled


@dataclass(frozen=True)
class FeatureLaw:
    """A law of random features phi(x; theta) on points of R^d, with mean kernel.

    Args:
        name: in words.
        parameters: (rng, shape, d, scale) -> directions, float64 (*shape, d).
        features: (x (n, d), directions (..., s, d), phases (..., s)) -> float64 (..., n, s).
        kernel: (x (n, d), z (m, d), scale) -> E phi(x) phi(z), float64 (n, m).
        bound: largest |phi|, or None if unbounded.
    """

    name: str
    parameters: Callable[[Any, tuple[int, ...], int, float], Any]
    features: Callable[[Any, Any, Any], Any]
    kernel: Callable[[Any, Any, float], Any]
    bound: float | None

    def sample(
        self, rng: Any, shape: tuple[int, ...], d: int, scale: float = 1.0
    ) -> tuple[Any, Any]:
        """Directions (*shape, d) and phases (*shape,), uniform on [0, 2 pi]."""
        return self.parameters(rng, shape, d, scale), rng.uniform(0, 2 * math.pi, shape)

    def draw(self, points: str, number: str, scale: str | None = None) -> Sampled:
        """The draw of feature tables phi (size, n, s) on the points of a world.

        Args: points: name of the n x d matrix of points; number: of features s; scale: its name.
        """

        def rule(look: Look, rng: Any, size: int) -> dict[str, Any]:
            x = _table(look(points))
            width = 1.0 if scale is None else float(nearest_float(look(scale)))
            shape = (size, int(fmpq(look(number))))
            directions, phases = self.sample(rng, shape, x.shape[1], width)
            most = abs(directions).max(axis=(1, 2), initial=0) * abs(x).sum(1).max(initial=0)
            phi = self.features(x, directions, phases)
            return {"phi": phi, reach_of("phi"): 2 * math.pi + most}

        return Sampled(("phi",), rule, over=f"the {self.name}")


def _table(matrix: Any) -> Any:
    import numpy

    rows = [[nearest_float(entry) for entry in row] for row in matrix.tolist()]
    return numpy.array(rows, dtype=float)


def _gaussian(rng: Any, shape: tuple[int, ...], d: int, scale: float) -> Any:
    return rng.standard_normal((*shape, d)) / scale


def _cauchy(rng: Any, shape: tuple[int, ...], d: int, scale: float) -> Any:
    return rng.standard_cauchy((*shape, d)) / scale


def _sphere(rng: Any, shape: tuple[int, ...], d: int, scale: float) -> Any:
    import numpy

    direction = rng.standard_normal((*shape, d))
    return direction / numpy.linalg.norm(direction, axis=-1, keepdims=True)


def _projected(x: Any, directions: Any) -> Any:
    """x . w for every point and direction, (..., n, s)."""
    import numpy

    return x @ numpy.swapaxes(directions, -1, -2)


def _cosine(x: Any, directions: Any, phases: Any) -> Any:
    import numpy

    return math.sqrt(2) * numpy.cos(_projected(x, directions) + phases[..., None, :])


def _sign(x: Any, directions: Any, phases: Any) -> Any:
    import numpy

    return numpy.where(_projected(x, directions) >= 0, 1.0, -1.0)


def _relu(x: Any, directions: Any, phases: Any) -> Any:
    import numpy

    return math.sqrt(2) * numpy.maximum(_projected(x, directions), 0.0)


def _step(x: Any, directions: Any, phases: Any) -> Any:
    return math.sqrt(2) * (_projected(x, directions) > 0)


def _differences(x: Any, z: Any) -> Any:
    return x[:, None, :] - z[None, :, :]


def _gaussian_kernel(x: Any, z: Any, scale: float) -> Any:
    import numpy

    return numpy.exp(-(_differences(x, z) ** 2).sum(-1) / (2 * scale**2))


def _laplace_kernel(x: Any, z: Any, scale: float) -> Any:
    import numpy

    return numpy.exp(-abs(_differences(x, z)).sum(-1) / scale)


def _angle(x: Any, z: Any) -> Any:
    import numpy

    lengths = numpy.linalg.norm(x, axis=1)[:, None] * numpy.linalg.norm(z, axis=1)[None, :]
    return numpy.arccos(numpy.clip(x @ z.T / lengths, -1, 1)), lengths


def _sign_kernel(x: Any, z: Any, scale: float) -> Any:
    return 1 - 2 * _angle(x, z)[0] / math.pi


def _step_kernel(x: Any, z: Any, scale: float) -> Any:
    return 1 - _angle(x, z)[0] / math.pi


def _relu_kernel(x: Any, z: Any, scale: float) -> Any:
    import numpy

    angle, lengths = _angle(x, z)
    shape = numpy.sin(angle) + (math.pi - angle) * numpy.cos(angle)
    return lengths * shape / (math.pi * scale**2)


# Rahimi and Recht, NIPS 2007: the spectral measure of exp(-|x|_1 / s) is a product of Cauchy laws.
GAUSSIAN_FOURIER = FeatureLaw(
    "Gaussian random Fourier features", _gaussian, _cosine, _gaussian_kernel, math.sqrt(2)
)
LAPLACE_FOURIER = FeatureLaw(
    "Laplace random Fourier features", _cauchy, _cosine, _laplace_kernel, math.sqrt(2)
)
# Williamson and Shmoys, The Design of Approximation Algorithms, Lemma 6.7: P(signs differ) is
# the angle over pi, in any dimension.
SIGNS = FeatureLaw("random sign features", _sphere, _sign, _sign_kernel, 1.0)
# Cho and Saul, NIPS 2009: arc-cosine kernels, the means over infinitely wide layers.
STEP_LAYER = FeatureLaw(
    "infinite layer of threshold units", _gaussian, _step, _step_kernel, math.sqrt(2)
)
RELU_LAYER = FeatureLaw("infinite layer of rectifiers", _gaussian, _relu, _relu_kernel, None)
LAWS = (GAUSSIAN_FOURIER, LAPLACE_FOURIER, SIGNS, STEP_LAYER, RELU_LAYER)
