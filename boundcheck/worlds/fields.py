"""Fields of a world: how one named value is built from a source, in exact rationals.

Sizes may be given as an integer or as the name of an integer field drawn before. A field knows
nothing of the claim; hypotheses are checked on the finished world.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.errors import InvalidArgument
from boundcheck.worlds.sources import TINY, Coordinates

Size = int | str
SHAPES = (
    "free", "free", "repeated", "sparse", "rank one", "nearly repeated", "zero column",
)  # fmt: skip
Bound = Any  # int, float-free rational, text "1/3", or the name of an earlier field


def as_rational(value: Bound, earlier: Mapping[str, Any]) -> fmpq:
    """A bound as a rational: number, "p/q", or the name of an earlier field."""
    if isinstance(value, str):
        if value in earlier:
            return fmpq(earlier[value])
        top, _, bottom = value.partition("/")
        return fmpq(int(top), int(bottom or 1))
    return fmpq(value)


def as_size(size: Size, earlier: Mapping[str, Any]) -> int:
    """A size as an integer: literal or the value of an earlier field."""
    return int(earlier[size]) if isinstance(size, str) else size


class Field:
    """One named value of a world. Subclasses say how to build it."""

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> Any:
        """The value, from primitives of `source` and the fields drawn before."""
        raise NotImplementedError

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        """Whether a value may stand here beside the other values of its world.

        Shapes, signs of probabilities, sums and the domains of scalars; how far the entries of
        vectors and matrices are drawn is a matter of search only.
        """
        return True


def inside(value: Any, field: Any, earlier: Mapping[str, Any]) -> bool:
    """Whether a number lies between the ends of a field; names of missing fields bind nothing."""
    for end, side in ((field.low, 1), (field.high, -1)):
        if end is None or (isinstance(end, str) and end.isidentifier() and end not in earlier):
            continue
        if side == -1 and isinstance(field, Integer) and not isinstance(end, str):
            continue  # a literal top says how far search goes, not how far the statement does
        gap = (fmpq(value) - as_rational(end, earlier)) * side
        left_out = getattr(field, "open_low" if side == 1 else "open_high", False)
        if gap < 0 or (left_out and gap == 0):
            return False
    return True


def is_law(weights: Any) -> bool:
    """Whether numbers are nonnegative and sum to one."""
    return all(weight >= 0 for weight in weights) and sum(weights, fmpq(0)) == 1


def has_shape(matrix: Any, rows: int, cols: int) -> bool:
    """Whether a value is a rational matrix of this shape."""
    return isinstance(matrix, fmpq_mat) and (matrix.nrows(), matrix.ncols()) == (rows, cols)


@dataclass(frozen=True)
class Integer(Field):
    """An integer in [low, high]; with `wide` the exponent is uniform, for sizes up to 10^40."""

    low: Bound
    high: Bound
    wide: bool = False

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> int:
        low, high = int(as_rational(self.low, earlier)), int(as_rational(self.high, earlier))
        if high < low:
            raise InvalidArgument(f"integer range [{low}, {high}] is empty; widen it")
        if not self.wide:
            return source.integer(low, high)
        bits = source.rational(fmpq(0), fmpq((high - low + 1).bit_length()))
        whole = int(bits.floor())
        return min(low - 1 + int((2**whole) * (1 + (bits - whole))), high)

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        return fmpq(value).q == 1 and inside(value, self, earlier)


@dataclass(frozen=True)
class Real(Field):
    """A rational in the interval from low to high; `open_low`, `open_high` leave an end out.

    `high` or `low` None means unbounded: the coordinate u maps to the scale u/(1-u), so sizes
    from 2^-16 to 2^16 occur. `log` spreads a positive bounded interval over orders of magnitude.
    """

    low: Bound | None
    high: Bound | None
    open_low: bool = False
    open_high: bool = False
    log: bool = False

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> fmpq:
        u = source.rational(fmpq(0), fmpq(1))
        if self.open_low or self.low is None or self.log:
            u = max(u, TINY)
        if self.open_high or self.high is None:
            u = min(u, 1 - TINY)
        if self.low is None and self.high is None:
            u = max(u, TINY)
            return (2 * u - 1) / (4 * u * (1 - u))
        if self.high is None:
            return as_rational(self.low, earlier) + u / (1 - u)
        if self.low is None:
            return as_rational(self.high, earlier) - (1 - u) / u
        low, high = as_rational(self.low, earlier), as_rational(self.high, earlier)
        if self.log:
            octaves = 16 * (1 - u)
            whole = int(octaves.floor())
            return low + (high - low) / (2**whole * (1 + (octaves - whole)))
        return low + (high - low) * u

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        return inside(value, self, earlier)


@dataclass(frozen=True)
class Choice(Field):
    """One of some names or exact values."""

    items: Sequence[Any]

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> Any:
        return source.choice(self.items)

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        return value in self.items


@dataclass(frozen=True)
class Weights(Field):
    """A probability vector of the given size: a tuple of rationals that sum to one.

    With `zeros` some atoms may have no mass; ratios reach 10^6.
    """

    size: Size
    zeros: bool = False

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> tuple[fmpq, ...]:
        size = as_size(self.size, earlier)
        low = fmpq(0) if self.zeros else fmpq(1, 10**6)
        raw = [source.rational(low, fmpq(1)) for _ in range(size)]
        total = sum(raw, fmpq(0))
        return tuple(w / total for w in raw) if total else (fmpq(1, size),) * size

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        return len(value) == as_size(self.size, earlier) and is_law(value)


@dataclass(frozen=True)
class Probabilities(Field):
    """A tuple of probabilities, often within `margin` of 0, 1/2 or 1 but not there."""

    size: Size
    margin: Bound = "1/1000"

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> tuple[fmpq, ...]:
        margin = as_rational(self.margin, earlier)
        return tuple(self._one(source, margin) for _ in range(as_size(self.size, earlier)))

    @staticmethod
    def _one(source: Coordinates, margin: fmpq) -> fmpq:
        place = source.choice(("anywhere", "anywhere", "low", "below", "above", "high"))
        share = source.rational(fmpq(0), fmpq(1))
        half = fmpq(1, 2)
        return {
            "anywhere": share, "low": margin * share, "high": 1 - margin * share,
            "below": half - margin * share, "above": half + margin * share,
        }[place]  # fmt: skip

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        right = len(value) == as_size(self.size, earlier)
        return right and all(0 <= entry <= 1 for entry in value)


@dataclass(frozen=True)
class NoiseLaws(Field):
    """Noise that may depend on the point: one law per row, (values, weights) of `atoms` atoms.

    Centred only with `centred`; two-point laws with one rare large value come up often.
    """

    rows: Size
    atoms: Size = 2
    bound: Bound = 1
    centred: bool = False

    def build(
        self, source: Coordinates, earlier: Mapping[str, Any]
    ) -> tuple[tuple[tuple[fmpq, ...], tuple[fmpq, ...]], ...]:
        bound = as_rational(self.bound, earlier)
        laws = [self._one(source, earlier, bound) for _ in range(as_size(self.rows, earlier))]
        return tuple(laws)

    def _one(
        self, source: Coordinates, earlier: Mapping[str, Any], bound: fmpq
    ) -> tuple[tuple[fmpq, ...], tuple[fmpq, ...]]:
        size = as_size(self.atoms, earlier)
        kind = source.choice(("free", "free", "skewed"))
        values = [source.rational(-bound, bound) for _ in range(size)]
        weights = Weights(size).build(source, earlier)
        if kind == "skewed" and size > 1:
            rare = fmpq(1, 1000)
            weights = (rare, *(w * (1 - rare) / sum(weights[1:], fmpq(0)) for w in weights[1:]))
            values[0] = bound
        if self.centred:
            mean = sum((v * w for v, w in zip(values, weights, strict=True)), fmpq(0))
            values = [(v - mean) / 2 for v in values]  # within the bound: |v - mean| <= 2 bound
        return tuple(values), weights

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        atoms = as_size(self.atoms, earlier)
        return len(value) == as_size(self.rows, earlier) and all(
            len(values) == atoms and len(weights) == atoms and is_law(weights)
            and not (self.centred and sum(
                (v * w for v, w in zip(values, weights, strict=True)), fmpq(0)))
            for values, weights in value
        )  # fmt: skip


@dataclass(frozen=True)
class Vector(Field):
    """A tuple of rationals in [low, high] of the given size.

    With `within` the statement speaks of entries in that range only; else it is a range of search.
    """

    size: Size
    low: Bound = -1
    high: Bound = 1
    within: bool = False

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> tuple[fmpq, ...]:
        low, high = as_rational(self.low, earlier), as_rational(self.high, earlier)
        return tuple(source.rational(low, high) for _ in range(as_size(self.size, earlier)))

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        if len(value) != as_size(self.size, earlier):
            return False
        low, high = as_rational(self.low, earlier), as_rational(self.high, earlier)
        return not self.within or all(low <= entry <= high for entry in value)


@dataclass(frozen=True)
class Matrix(Field):
    """A rational matrix with entries in [low, high].

    Rows may repeat or nearly repeat, ranks may drop, a column (a feature) may vanish.
    """

    rows: Size
    cols: Size
    low: Bound = -1
    high: Bound = 1

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> fmpq_mat:
        rows, cols = as_size(self.rows, earlier), as_size(self.cols, earlier)
        low, high = as_rational(self.low, earlier), as_rational(self.high, earlier)
        shape = source.choice(SHAPES)
        if shape == "rank one":
            left = [source.rational(low, high) for _ in range(rows)]
            right = [source.rational(fmpq(-1), fmpq(1)) for _ in range(cols)]
            inside = all(low <= a * b <= high for a in left for b in right)
            return fmpq_mat(rows, cols, [a * (b if inside else 1) for a in left for b in right])
        table = [[source.rational(low, high) for _ in range(cols)] for _ in range(rows)]
        if shape == "repeated" and rows > 1:
            table[-1] = table[0]
        if shape == "nearly repeated" and rows > 1:
            # Toward the middle, so that no entry leaves its range; unevenly, so that ranks stay.
            middle, share = (low + high) / 2, fmpq(1, 2**20)
            table[-1] = [v + (middle - v) * (1 + j) * share for j, v in enumerate(table[0])]
        if shape == "zero column" and cols > 1 and low <= 0 <= high:
            table = [[*row[:-1], fmpq(0)] for row in table]
        if shape == "sparse" and low <= 0 <= high:
            table = [[v if (i + j) % 2 == 0 else fmpq(0) for j, v in enumerate(row)]
                     for i, row in enumerate(table)]  # fmt: skip
        return fmpq_mat(rows, cols, [value for row in table for value in row])

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        return has_shape(value, as_size(self.rows, earlier), as_size(self.cols, earlier))


@dataclass(frozen=True)
class Gram(Field):
    """A positive semi-definite rational matrix A A^T / columns, of any rank including zero.

    Nearly repeated rows of A make it singular up to 10^-12.
    """

    size: Size
    scale: Bound = 1

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> fmpq_mat:
        size = as_size(self.size, earlier)
        rank = source.integer(1, size)
        factor = Matrix(size, rank).build(source, earlier)
        return factor * factor.transpose() * (as_rational(self.scale, earlier) / rank)

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        from boundcheck.quantities.operators import is_positive_semidefinite

        size = as_size(self.size, earlier)
        return has_shape(value, size, size) and is_positive_semidefinite(value)


@dataclass(frozen=True)
class Symmetric(Field):
    """A symmetric rational matrix with entries in [low, high]."""

    size: Size
    low: Bound = -1
    high: Bound = 1

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> fmpq_mat:
        square = Matrix(self.size, self.size, self.low, self.high).build(source, earlier)
        return (square + square.transpose()) / 2

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        size = as_size(self.size, earlier)
        return has_shape(value, size, size) and value == value.transpose()


@dataclass(frozen=True)
class Derived(Field):
    """A value computed from earlier fields: `rule` takes them by name."""

    rule: Callable[..., Any]

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> Any:
        import inspect

        names = inspect.signature(self.rule).parameters
        return self.rule(*[earlier[name] for name in names])

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        import inspect

        names = inspect.signature(self.rule).parameters
        return value == self.rule(*[earlier[name] for name in names])


@dataclass(frozen=True)
class Custom(Field):
    """A value built by `rule(source, earlier)` from the primitives of the source."""

    rule: Callable[[Coordinates, Mapping[str, Any]], Any]

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> Any:
        return self.rule(source, earlier)
