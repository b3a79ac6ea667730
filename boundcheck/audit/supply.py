"""Which symbol of a claim stands for what of the data: one rule per name and kind of field.

A subsample is a finite world: its rows are the points, with equal weights; random Fourier features
of a kernel are its features. What no rule supplies is asked for by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from flint import fmpq

from boundcheck.claim import Claim
from boundcheck.errors import InvalidArgument
from boundcheck.worlds.composed import Derived
from boundcheck.worlds.fields import Choice, Integer, Real, number_at
from boundcheck.worlds.sources import Coordinates
from boundcheck.worlds.space import float_value

if TYPE_CHECKING:
    from boundcheck.audit.request import AuditRequest
    from boundcheck.worlds.data import DataWorld

ATOMS = 24  # features that make the law of the features of a world
INSIDE = 0.999  # features that have to lie inside (-1, 1)


@dataclass
class Subsample:
    """Rows of the data with what is computed from them.

    Args: x: (n, d) in [-1, 1]; y: (n,) in [-1, 1]; sigma: bandwidth; ridge: lambda.
    """

    x: Any
    y: Any
    kernel: str
    sigma: float
    ridge: float
    rng: Any

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.y)

    @cached_property
    def gram(self) -> Any:
        """Kernel matrix, (n, n)."""
        return self.gram_of(self.kernel)

    def gram_of(self, kernel: str) -> Any:
        """The kernel matrix of a kernel at this bandwidth."""
        from boundcheck.experiments.kernel_ridge import kernel_block

        found = kernel_block(self.x, self.x, kernel, self.sigma)
        return (found + found.T) / 2

    @cached_property
    def features(self) -> Any:
        """ATOMS random Fourier features sqrt(2) cos(a x + b), (n, ATOMS)."""
        import numpy

        from boundcheck.experiments.feature_ridge import cosines, frequencies

        a, b = frequencies(self.rng, self.kernel, self.x.shape[1], ATOMS, self.sigma)
        return numpy.asarray(2**0.5 * cosines(self.x, a, b), dtype=float)

    @cached_property
    def dual(self) -> Any:
        """(K + n lambda I)^-1 y, (n,)."""
        import numpy

        return numpy.linalg.solve(self.gram + self.n * self.ridge * numpy.eye(self.n), self.y)

    @cached_property
    def fitted(self) -> Any:
        """Values of kernel ridge regression on the rows, (n,)."""
        return self.gram @ self.dual


def subsamples(request: AuditRequest, world: DataWorld, rows: int) -> list[Subsample]:
    """Independent subsamples of so many rows, or all, each without replacement."""
    import numpy

    from boundcheck.experiments.kernel_ridge import bandwidth

    parts = []
    for own in numpy.random.default_rng([request.seed, 11]).spawn(request.repeats):
        chosen = numpy.sort(own.choice(len(world.y), min(rows, len(world.y)), replace=False))
        x, y = world.x[chosen], world.y[chosen]
        sigma = max(bandwidth(x, request.kernel, own), 1e-12)
        parts.append(Subsample(x, y, request.kernel, sigma, request.lambda_, own))
    return parts


def uniform(size: int) -> tuple[fmpq, ...]:
    """Equal weights."""
    return (fmpq(1, size),) * size


Rule = Callable[[Subsample, Any], Any]


def _between(values: Any, field: Any) -> Any:
    """Numbers of [-1, 1] moved into the interval of a field, as far as it has ends."""
    low, high = (float_value(number_at(getattr(field, name, None))) for name in ("low", "high"))
    if low is not None:
        return low + values + 1 if high is None else low + (values + 1) / 2 * (high - low)
    return values if high is None else high - 1 + values


def _half(high: bool) -> Rule:
    """Equal weights on the rows above, or not above, the median of the target."""

    def rule(data: Subsample, field: Any) -> Any:
        import numpy

        chosen = (data.y > numpy.median(data.y)) == high
        count = max(int(chosen.sum()), 1)
        return tuple(fmpq(int(c), count) for c in chosen)

    return rule


def _slices(data: Subsample, field: Any) -> Any:
    """Absolute losses |y - x_k| / 2 of the columns as experts, in the order of the rows."""
    return abs(data.x - data.y[:, None]) / 2


def _patterns(data: Subsample, field: Any) -> Any:
    """Which rows each column puts above its median."""
    import numpy

    return (data.x > numpy.median(data.x, axis=0)).T.astype(float)


# Name, kind of field, what stands for it in words, the rule, names of sizes along its axes.
TABLE: tuple[tuple[str, str, str, Rule, tuple[str, ...]], ...] = (
    ("K", "Gram", "kernel matrix", lambda s, f: s.gram, ()),
    ("gram", "Gram", "kernel matrix", lambda s, f: s.gram, ()),
    ("A", "Gram", "rbf kernel matrix", lambda s, f: s.gram_of("rbf"), ()),
    ("B", "Gram", "Laplace kernel matrix", lambda s, f: s.gram_of("laplace"), ()),
    ("R", "Gram", "rbf kernel matrix", lambda s, f: s.gram_of("rbf"), ()),
    ("S", "Gram", "Laplace kernel matrix", lambda s, f: s.gram_of("laplace"), ()),
    ("Phi", "Matrix", "columns of the data", lambda s, f: s.x, ()),
    ("X", "Matrix", "columns of the data", lambda s, f: s.x, ()),
    ("x", "Matrix", "columns of the data", lambda s, f: s.x, ()),
    ("xi", "Matrix", "rows of the data", lambda s, f: s.x, ()),
    ("phi", "Matrix", "random Fourier features", lambda s, f: s.features, ()),
    ("losses", "Matrix", "absolute losses of the columns", _slices, ()),
    ("psi", "Custom", "random Fourier features", lambda s, f: s.features, ("m", "N")),
    ("B", "Binary", "rows above the median of a column", _patterns, ()),
    ("X", "Custom", "every row once", lambda s, f: tuple(range(s.n)), ("n",)),
    ("test", "Index", "the last row", lambda s, f: s.n - 1, ()),
    ("y", "Vector", "target", lambda s, f: _between(s.y, f), ()),
    ("targets", "Vector", "target", lambda s, f: _between(s.y, f), ()),
    ("f", "Vector", "target", lambda s, f: _between(s.y, f), ()),
    ("x", "Vector", "target", lambda s, f: _between(s.y, f), ()),
    ("a", "Vector", "coefficients of kernel ridge regression", lambda s, f: s.dual, ()),
    ("alpha", "Vector", "coefficients of kernel ridge regression", lambda s, f: s.dual, ()),
    ("w", "Vector", "coefficients of kernel ridge regression", lambda s, f: s.dual, ()),
    ("b", "Vector", "target", lambda s, f: s.y, ()),
    ("p", "Weights", "equal weights of the rows", lambda s, f: uniform(s.n), ()),
    ("rho", "Weights", "equal weights of the rows", lambda s, f: uniform(s.n), ()),
    ("sequence", "Custom", "the rows in turn", lambda s, f: tuple(range(s.n)), ("T",)),
    ("y", "Custom", "target", lambda s, f: s.y, ()),
    ("x", "Index", "the last row", lambda s, f: s.n - 1, ()),
    ("z", "Index", "the first row", lambda s, f: 0, ()),
    ("tau", "Weights", "equal weights of the features", lambda s, f: uniform(ATOMS), ()),
)
TWO_SAMPLES = {"p": _half(True), "q": _half(False)}  # where a claim has laws p and q


def _has_features_inside(claim: Claim) -> bool:
    """Whether features of the claim lie inside (-1, 1), N points and K features."""
    return claim.worlds is not None and {"mu", "psi"} <= set(claim.worlds.names)


def world_of(key: str, claim: Claim, data: Subsample, given: Mapping[str, Any]) -> dict[str, Any]:
    """Values of a claim's world and parameters: arrays, sizes and weights.

    Args: given: numbers by name, from the options.
    Raises: InvalidArgument naming the symbols that neither the data nor the options supply.
    """
    fields = dict(claim.worlds.fields) if claim.worlds is not None else {}
    parameters = {symbol.name: field for symbol, field in claim.parameters.items()}
    found: dict[str, Any] = {}
    for name, field in sorted(fields.items(), key=lambda item: _is_vector(item[1])):
        value, axes = _supplied(claim, name, field, data, found)
        if value is not None:
            found[name] = value
            found |= _sizes(field, value, axes)
    if not found:
        raise InvalidArgument(
            f"{key} speaks of nothing that data supply (kernels, features, labels, weights); audit "
            "another claim, or see boundcheck at"
        )
    found |= {name: value for name, value in _numbers(data, found).items() if name in parameters}
    found |= {name: value for name, value in given.items() if name in {**fields, **parameters}}
    _derive(fields, found)
    missing = [name for name in {**fields, **parameters} if name not in found]
    if missing:
        raise _asked_for(key, missing, {**fields, **parameters})
    return {name: found[name] for name in {**fields, **parameters}}


class NumbersWanted(InvalidArgument):
    """Numbers that the data leave open and options can give; `names` in the claim's order."""

    def __init__(self, message: str, names: list[str]) -> None:
        super().__init__(message)
        self.names = names


def _asked_for(key: str, missing: list[str], fields: Mapping[str, Any]) -> InvalidArgument:
    """What the data leave open, and whether numbers of the options can fill it."""
    arrays = [name for name in missing if not isinstance(fields[name], (Choice, Integer, Real))]
    silent = f"{key}: the data say nothing about"
    if arrays:
        return InvalidArgument(
            f"{silent} {', '.join(arrays)}, which --set cannot give; audit another claim"
        )
    wanted = " ".join(f"--set {name}=NUMBER" for name in missing)
    return NumbersWanted(
        f"{silent} {', '.join(missing)}; give {wanted}, or audit another claim", missing
    )


def _is_vector(field: Any) -> bool:
    return type(field).__name__ == "Vector"


def _derive(fields: Mapping[str, Any], found: dict[str, Any]) -> None:
    """What follows from the rest; a rule that asks for something else leaves its field open."""
    for name, field in fields.items():
        if name not in found and isinstance(field, Derived):
            with suppress(KeyError, TypeError, ValueError, AttributeError):
                found[name] = field.build(Coordinates(()), found)


def _supplied(
    claim: Claim, name: str, field: Any, data: Subsample, found: Mapping[str, Any]
) -> tuple[Any, tuple[str, ...]]:
    """What stands for a field, None if nothing does, and names of its sizes where it has none."""
    if claim.worlds is not None and {"p", "q"} <= set(claim.worlds.names) and name in TWO_SAMPLES:
        return TWO_SAMPLES[name](data, field), ()
    if _has_features_inside(claim) and name in ("psi", "mu"):
        if name == "mu":
            return uniform(ATOMS), ("K",)
        return INSIDE * data.features / 2**0.5, ("N", "K")
    row = next((row for row in TABLE if row[:2] == (name, type(field).__name__)), None)
    size = found.get(getattr(field, "size", "")) if _is_vector(field) else None
    if row is None or (size is not None and len(row[3](data, field)) != size):
        return _of_size(data, size, inside=_has_features_inside(claim)), ()
    return row[3](data, field), row[4]


def _of_size(data: Subsample, size: int | None, *, inside: bool) -> Any:
    """A vector of the last row: its features, or its columns."""
    if size == ATOMS:
        return data.features[-1] * (INSIDE / 2**0.5 if inside else 1.0)
    return data.x[-1] if size == data.x.shape[1] else None


def _sizes(field: Any, value: Any, axes: tuple[str, ...]) -> dict[str, int]:
    """Sizes that a value shows, by the names its field gives them."""
    import numpy

    shape = numpy.shape(value) if not isinstance(value, tuple) else (len(value),)
    names = axes or [getattr(field, each, None) for each in ("rows", "cols")]
    if hasattr(field, "size"):
        names = [field.size, field.size]
    return {
        name: int(size) for name, size in zip(names, shape, strict=False) if isinstance(name, str)
    }


def _numbers(data: Subsample, world: Mapping[str, Any]) -> dict[str, Any]:
    """What parameters are on the data: bounds, norms and scales."""
    import numpy

    features = next((world[name] for name in ("phi", "psi") if name in world), None)
    top = 1.0 if features is None else float(numpy.abs(features).max())
    return {
        "Q": float(numpy.sqrt(max(data.dual @ data.fitted, 0.0))), "R": top, "b": top**2,
        "B": float(numpy.abs(data.gram).max()), "sigma": float((data.y - data.fitted).std()),
        "t": float(data.y.std()),
    }  # fmt: skip
