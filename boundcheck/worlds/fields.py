"""Fields of a world: what one named value may be, and how search builds it, in exact rationals.

A field says two things apart. Its domain is what the statement promises of the value: `low`,
`high`, sizes, signs, sums; `admits` is that predicate, and whoever refutes, rescales or re-checks
asks it. `searched` says where search looks inside the domain and promises nothing: it is never a
hypothesis. Sizes may be given as an integer or as the name of an integer field drawn before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.boundary.messages import shown
from boundcheck.errors import InvalidArgument
from boundcheck.worlds.domains import (
    RATIONAL,
    all_between,
    has_shape,
    is_between,
    is_integer,
    is_law,
    is_name,
    is_number,
    is_positive_semidefinite,
    require_end,
    require_size,
    settle_items,
)
from boundcheck.worlds.sources import TINY, Coordinates, require_few

Size = int | str
Bound = Any  # int, float-free rational, text "1/3", or the name of an earlier field
Ends = tuple[Bound, Bound]
NO_ATOMS = "Weights of size 0 sum to nothing; give one atom at least"
SHAPES = ("free", "free", "repeated", "sparse", "rank one", "nearly repeated", "zero column")


def as_rational(value: Bound, earlier: Mapping[str, Any]) -> fmpq:
    """A bound as a rational: number, "p/q", or the name of an earlier field."""
    if isinstance(value, str):
        if value in earlier:
            return fmpq(earlier[value])
        if not RATIONAL.fullmatch(value):
            raise InvalidArgument(
                f"the end {shown(value)} is no earlier field of the world and no rational number; "
                "name a field or write one as \"1/3\""
            )
        top, _, bottom = value.partition("/")
        return fmpq(int(top), int(bottom or 1))
    return fmpq(int(value.p), int(value.q)) if hasattr(value, "is_Rational") else fmpq(value)


def as_size(size: Size, earlier: Mapping[str, Any]) -> int:
    """A size as an integer: literal or the value of an earlier field."""
    return int(earlier[size]) if isinstance(size, str) else size


def number_at(end: Bound | None) -> fmpq | None:
    """An end of a domain where it is a number; None for no end and for the name of a field."""
    return None if end is None or is_name(end) else as_rational(end, {})


def promised(end: Bound | None, earlier: Mapping[str, Any]) -> fmpq | None:
    """An end of a domain as a number; None where there is none.

    Raises: InvalidArgument if the end is the name of a field that the world lacks.
    """
    if is_name(end) and end not in earlier:
        raise InvalidArgument(f"the end {end!r} of a domain is no field of the world; name one")
    return None if end is None else as_rational(end, earlier)


class Field:
    """One named value of a world. Subclasses say what it may be and how to build it."""

    @property
    def says_domain(self) -> bool:
        """Whether `admits` is the field's promise; without one it can carry no refutation."""
        return True

    def __post_init__(self) -> None:
        given = getattr(self, "searched", None)
        pair = isinstance(given, tuple | list) and len(given) == 2
        if given is not None and hasattr(self, "low") and not pair:
            raise InvalidArgument(f"searched={shown(given)} is no pair; give two ends, as (-3, 3)")
        for name in ("low", "high"):
            require_end(self, name)
        for name in ("size", "rows", "cols"):
            require_size(self, name)

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> Any:
        """The value, from primitives of `source` and the fields drawn before."""
        raise NotImplementedError

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        """Whether the statement speaks of this value beside the other values of its world.

        A value of the wrong kind may raise; `boundcheck.setting.misfit` reads that as a refusal.
        """
        raise NotImplementedError

    def literal_ends(self) -> list[fmpq]:
        """The ends of the domain that are numbers, not names of other fields."""
        ends = (number_at(getattr(self, name, None)) for name in ("low", "high", "scale"))
        return [end for end in ends if end is not None]


def search_ends(field: Any, earlier: Mapping[str, Any], widest: Bound = 1) -> tuple[fmpq, fmpq]:
    """Where search looks for entries: `searched`, else the domain, else [-widest, widest]."""
    low, high = field.searched or (field.low, field.high)
    if low is None or high is None:
        low, high = (-widest if low is None else low), (widest if high is None else high)
    return as_rational(low, earlier), as_rational(high, earlier)


@dataclass(frozen=True)
class Integer(Field):
    """An integer of [low, high], without end if `high` is None.

    Search goes up to `searched` (a number or a name), else to `high`; with `wide` the exponent is
    uniform there, for sizes up to 10^40; with `small` half of the values are the least one.

    >>> Integer(1, searched=3).admits(10**6, {}), Integer(1, 3).admits(4, {})
    (True, False)
    """

    low: Bound
    high: Bound | None = None
    wide: bool = False
    searched: Bound | None = None
    small: bool = False

    def __post_init__(self) -> None:
        require_end(self, "low")
        require_end(self, "high")
        if self.low is None or (self.high is None and self.searched is None):
            lacks = "has no least value" if self.low is None else "does not say how far search goes"
            raise InvalidArgument(
                f"Integer({self.low}) {lacks}; write Integer(1, searched=9), say"
            )

    @property
    def top(self) -> Bound:
        """How far search goes."""
        return self.high if self.searched is None else self.searched

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> int:
        low, high = int(as_rational(self.low, earlier)), int(as_rational(self.top, earlier))
        if high < low:
            raise InvalidArgument(f"integer range [{low}, {high}] is empty; widen it")
        if self.small and source.choice((True, False)):
            return low
        if not self.wide:
            return source.integer(low, high)
        bits = source.rational(fmpq(0), fmpq((high - low + 1).bit_length()))
        whole = int(bits.floor())
        return min(low - 1 + int((2**whole) * (1 + (bits - whole))), high)

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        ends = promised(self.low, earlier), promised(self.high, earlier)
        return is_integer(value) and is_between(fmpq(value), *ends)


@dataclass(frozen=True)
class Real(Field):
    """A rational in the interval from low to high; `open_low`, `open_high` leave an end out.

    `high` or `low` None means unbounded: the coordinate u maps to the scale u/(1-u), so sizes
    from 2^-16 to 2^16 occur. `log` spreads a positive bounded interval over orders of magnitude;
    `ends` looks often at 10^-k of the way from either end of an interval, k from 1 to 9.
    Search stays in `searched`, two ends of the domain or inside it, if they are given.
    """

    low: Bound | None
    high: Bound | None
    open_low: bool = False
    open_high: bool = False
    log: bool = False
    searched: Ends | None = None
    ends: bool = False

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> fmpq:
        if self.searched is None:
            return self._built(source, earlier)
        within = Real(*self.searched, self.open_low, self.open_high, self.log, ends=self.ends)
        return within._built(source, earlier)

    def _built(self, source: Coordinates, earlier: Mapping[str, Any]) -> fmpq:
        u = _near_ends(source) if self.ends else source.rational(fmpq(0), fmpq(1))
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
            return low + (high - low) / (fmpq(2) ** whole * (1 + (octaves - whole)))
        return low + (high - low) * u

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        ends = promised(self.low, earlier), promised(self.high, earlier)
        open_ends = self.open_low, self.open_high
        return is_number(value) and is_between(fmpq(value), *ends, *open_ends)


def _near_ends(source: Coordinates) -> fmpq:
    """A share of an interval: anywhere, or a power of ten away from 0 or from 1."""
    kind = source.choice(("free", "low", "high", "high"))
    if kind == "free":
        return source.rational(fmpq(0), fmpq(1))
    gap = fmpq(1, 10 ** source.integer(1, 9))
    return gap if kind == "low" else 1 - gap


@dataclass(frozen=True)
class Choice(Field):
    """One of some names or exact values; search tries `searched`, some of them, if it is given."""

    items: Sequence[Any]
    searched: Sequence[Any] = ()

    def __post_init__(self) -> None:
        settle_items(self)

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> Any:
        return source.choice(self.searched or self.items)

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        return any(type(value) is type(item) and value == item for item in self.items)


@dataclass(frozen=True)
class Weights(Field):
    """A probability vector of the given size: a tuple of rationals that sum to one.

    With `zeros` search makes atoms without mass (admitted either way); ratios reach 10^6.
    """

    size: Size
    zeros: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.size == 0:
            raise InvalidArgument(NO_ATOMS)

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> tuple[fmpq, ...]:
        if not (size := as_size(self.size, earlier)):
            raise InvalidArgument(NO_ATOMS)
        low = fmpq(0) if self.zeros else fmpq(1, 10**6)
        raw = source.entries(1, size, low, fmpq(1))
        total = sum(raw, fmpq(0))
        return tuple(w / total for w in raw) if total else (fmpq(1, size),) * size

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        right = isinstance(value, tuple) and len(value) == as_size(self.size, earlier)
        return right and is_law(value)


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
        return all_between(value, as_size(self.size, earlier), fmpq(0), fmpq(1))


@dataclass(frozen=True)
class Vector(Field):
    """A tuple of rationals of the given size with entries in [low, high].

    An end of None is none: `Vector("n")` is any vector. Search looks in `searched`, else in the
    domain, else in [-1, 1].
    """

    size: Size
    low: Bound | None = None
    high: Bound | None = None
    searched: Ends | None = None
    open_low: bool = False
    open_high: bool = False

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> tuple[fmpq, ...]:
        low, high = search_ends(self, earlier)
        found = source.entries(1, as_size(self.size, earlier), low, high)
        return tuple(self._inside(value, high - low, earlier) for value in found)

    def _inside(self, value: fmpq, span: fmpq, earlier: Mapping[str, Any]) -> fmpq:
        """The value, a little inside the domain where it stands on an end that is left out."""
        if self.open_low and value == promised(self.low, earlier):
            return value + span * TINY
        if self.open_high and value == promised(self.high, earlier):
            return value - span * TINY
        return value

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        ends = promised(self.low, earlier), promised(self.high, earlier)
        size = as_size(self.size, earlier)
        return all_between(value, size, *ends, self.open_low, self.open_high)


@dataclass(frozen=True)
class Increasing(Vector):
    """A strictly increasing tuple; ends as of `Vector`.

    Search starts anywhere in its range and takes steps of a 64th to a whole; with both ends
    promised the steps share what is left.
    """

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> tuple[fmpq, ...]:
        low, high = search_ends(self, earlier)
        size = as_size(self.size, earlier)
        bounded = promised(self.high, earlier) is not None
        found = [source.rational(low, (low + high) / 2 if bounded else high)]
        while len(found) < size:
            most = (high - found[-1]) / (size - len(found)) if bounded else fmpq(1)
            found.append(found[-1] + source.rational(most / 64, most))
        return tuple(self._inside(value, high - low, earlier) for value in found[:size])

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        return super().admits(value, earlier) and all(a < b for a, b in pairwise(value))


@dataclass(frozen=True)
class Matrix(Field):
    """A rational matrix with entries in [low, high]; ends and `searched` as of `Vector`.

    Rows may repeat or nearly repeat, ranks may drop, a column (a feature) may vanish.
    """

    rows: Size
    cols: Size
    low: Bound | None = None
    high: Bound | None = None
    searched: Ends | None = None

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> fmpq_mat:
        rows, cols = as_size(self.rows, earlier), as_size(self.cols, earlier)
        require_few(rows, cols)
        low, high = search_ends(self, earlier)
        shape = source.choice(SHAPES)
        if shape == "rank one":
            left = [source.rational(low, high) for _ in range(rows)]
            right = [source.rational(fmpq(-1), fmpq(1)) for _ in range(cols)]
            inside = all(low <= a * b <= high for a in left for b in right)
            return fmpq_mat(rows, cols, [a * (b if inside else 1) for a in left for b in right])
        found = source.entries(rows, cols, low, high)
        table = [found[i * cols : (i + 1) * cols] for i in range(rows)]
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
        rows, cols = as_size(self.rows, earlier), as_size(self.cols, earlier)
        ends = promised(self.low, earlier), promised(self.high, earlier)
        if not has_shape(value, rows, cols):
            return False
        return all_between(tuple(value.entries()), rows * cols, *ends)


@dataclass(frozen=True)
class Gram(Field):
    """A positive semi-definite rational matrix A A^T / columns, of any rank including zero.

    Nearly repeated rows of A make it singular up to 10^-12. With `scale` the diagonal is promised
    to be at most that; without, search keeps it below one. `regular`: positive definite, in search
    by the identity that is added; no scale is given with it.
    """

    size: Size
    scale: Bound | None = None
    regular: bool = False

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> fmpq_mat:
        size = as_size(self.size, earlier)
        rank = source.integer(1, max(size, 1))
        factor = Matrix(size, rank).build(source, earlier)
        scale = as_rational(1 if self.scale is None else self.scale, earlier)
        free = factor * factor.transpose() * (scale / rank)
        for i in range(size if self.regular else 0):
            free[i, i] += 1
        return free

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        size, top = as_size(self.size, earlier), promised(self.scale, earlier)
        if not has_shape(value, size, size) or not is_positive_semidefinite(value):
            return False
        if self.regular and value.det() == 0:
            return False
        return top is None or all(value[i, i] <= top for i in range(size))


@dataclass(frozen=True)
class Symmetric(Field):
    """A symmetric rational matrix with entries in [low, high]; `searched` as of `Vector`."""

    size: Size
    low: Bound | None = None
    high: Bound | None = None
    searched: Ends | None = None

    @property
    def _square(self) -> Matrix:
        return Matrix(self.size, self.size, self.low, self.high, self.searched)

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> fmpq_mat:
        square = self._square.build(source, earlier)
        return (square + square.transpose()) / 2

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        return self._square.admits(value, earlier) and value == value.transpose()
