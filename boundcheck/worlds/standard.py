"""The standard spaces of worlds. Extend one with `.and_fields(...)`; all sizes are small.

Field names: rho point weights (n), phi features (n x K), tau feature weights (K), gram kernel
matrix (n x n), eta label probabilities P(Y=1|x) (n), y labels, noise and noise_weights a noise law.
"""

from __future__ import annotations

from boundcheck.worlds.composed import NoiseLaws
from boundcheck.worlds.fields import (
    Gram,
    Integer,
    Matrix,
    Probabilities,
    Symmetric,
    Vector,
    Weights,
)
from boundcheck.worlds.space import Space


def feature_worlds(points: int = 3, features: int = 3, bound: int | str = 1) -> Space:
    """n points with weights rho, K features with weights tau, any phi; searched to `bound`."""
    return Space(
        n=Integer(1, searched=points),
        K=Integer(1, searched=features),
        rho=Weights("n"),
        tau=Weights("K"),
        phi=Matrix("n", "K", searched=(_negative(bound), bound)),
    )


def gram_matrices(points: int = 4, scale: int | str | None = None) -> Space:
    """n points with a positive semi-definite kernel matrix of any rank."""
    return Space(n=Integer(1, searched=points), gram=Gram("n", scale))


def regression_worlds(points: int = 4, bound: int | str = 1) -> Space:
    """A kernel matrix on n points with responses y in [-bound, bound]."""
    return gram_matrices(points).and_fields(y=Vector("n", _negative(bound), bound))


def noisy_regression_worlds(points: int = 3, atoms: int = 3, noise: int | str = 1) -> Space:
    """Regression worlds with point weights and a finite noise law, centred or not, any skew."""
    return regression_worlds(points).and_fields(
        rho=Weights("n"),
        J=Integer(1, searched=atoms),
        noise=Vector("J", _negative(noise), noise),
        noise_weights=Weights("J"),
    )


def heteroscedastic_worlds(points: int = 3, noise: int | str = 1) -> Space:
    """Regression worlds whose noise law depends on the point, centred or not, often skewed."""
    return regression_worlds(points).and_fields(
        rho=Weights("n"), noise_laws=NoiseLaws("n", 2, noise)
    )


def classification_worlds(points: int = 3, features: int = 3) -> Space:
    """Feature worlds with label probabilities eta in [0, 1], often next to 0, 1/2 or 1."""
    return feature_worlds(points, features).and_fields(eta=Probabilities("n"))


def scalar_laws(atoms: int = 4, low: int | str = 0, high: int | str = 1) -> Space:
    """A random variable on finitely many atoms: values x with weights p, zeros allowed."""
    return Space(
        K=Integer(1, searched=atoms), x=Vector("K", low, high), p=Weights("K", zeros=True)
    )


def symmetric_matrices(size: int = 3, bound: int | str = 1) -> Space:
    """Two symmetric d x d matrices A, B with entries in [-bound, bound]."""
    return Space(
        d=Integer(1, searched=size),
        A=Symmetric("d", _negative(bound), bound),
        B=Symmetric("d", _negative(bound), bound),
    )


def _negative(bound: int | str) -> int | str:
    if isinstance(bound, int):
        return -bound
    return f"-{bound}"
