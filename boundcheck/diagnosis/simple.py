"""Worlds that a person would write: small sizes, simple numbers, natural weights.

Every scalar, weight and entry is picked from short lists of simple rationals; only fields of
other kinds are decoded from coarse coordinates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.claim import Claim
from boundcheck.search.shrink import complexity, entries
from boundcheck.worlds.composed import Tuples, promised_field
from boundcheck.worlds.domains import is_between
from boundcheck.worlds.fields import (
    Field,
    Gram,
    Integer,
    Matrix,
    Probabilities,
    Real,
    Symmetric,
    Vector,
    Weights,
    as_rational,
    as_size,
)
from boundcheck.worlds.sources import Coordinates

NUMBERS = tuple(
    fmpq(*pair) for pair in (
        (1, 1), (2, 1), (1, 2), (1, 4), (3, 4), (3, 1), (1, 3), (4, 1), (2, 3), (3, 2), (1, 10),
        (10, 1), (9, 10), (4, 3), (5, 3), (7, 4), (5, 4), (100, 1), (1, 100), (5, 1), (1, 5),
        (1000, 1), (1, 1000), (10**4, 1), (1, 10**4), (10**6, 1),
    )
)  # fmt: skip
ENTRIES = tuple(fmpq(*pair) for pair in (
    (1, 1), (0, 1), (-1, 1), (1, 2), (2, 1), (-1, 2), (3, 1), (-2, 1), (1, 4), (3, 2), (4, 1),
))  # fmt: skip
PARTS = tuple(fmpq(*pair) for pair in (
    (1, 2), (1, 4), (3, 4), (1, 3), (2, 3), (1, 1), (0, 1), (9, 10), (1, 10),
))  # fmt: skip
SHARES = tuple(fmpq(*pair) for pair in ((1, 2), (1, 1), (0, 1), (1, 4), (3, 4), (1, 3), (9, 10)))
ROUNDED = (1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 50, 100)  # denominators of all numbers at once
DENOMINATORS = (9, 15, 25, 50, 100)  # the nearest number of each comes in the place of another
POSITIONS = (0.5, 1.0, 0.0, 0.25, 0.75, 1 / 3, 2 / 3)
ENOUGH = 4  # simple numbers inside a range, below which its own parts are offered
TRIED = 12  # signs and numbers
SELDOM = 0.1  # of the laws have an atom of one of the weights in
RARE = (fmpq(1, 10), fmpq(1, 100))
FEW = 8  # things of a kind, of which each is left out
SPREAD = 0.3  # of the geometric law with which simpler numbers come first


class Coarse(Coordinates):
    """Coordinates of a field of an unknown kind, from a few simple positions."""

    def __init__(self, rng: Any) -> None:
        super().__init__(())
        self.rng = rng

    def coordinate(self) -> float:
        """One of the simple positions."""
        self.used += 1
        return POSITIONS[int(self.rng.integers(len(POSITIONS)))]


def simple_world(claim: Claim, sizes: Mapping[str, int], rng: Any) -> dict[str, Any] | None:
    """A world of simple numbers with given sizes, or None where a field refuses it."""
    values: dict[str, Any] = {}
    for name, field in claim.fields.items():
        try:
            value = sizes[name] if name in sizes else _value(field, values, rng)
            if value is None or not field.admits(value, values):
                return None
        except Exception:  # a field may refuse earlier values in its own way
            return None
        values[name] = value
    return values


def _value(field: Field, earlier: Mapping[str, Any], rng: Any) -> Any:
    if isinstance(field, Real):
        return _real(field, earlier, rng)
    if isinstance(field, Integer):
        low = int(as_rational(field.low, earlier))
        return low + int(rng.geometric(0.5)) - 1 if rng.random() < 0.8 else low * 10
    if isinstance(field, Weights):
        return _law(as_size(field.size, earlier), rng)
    if isinstance(field, Probabilities):
        return tuple(_pick(SHARES, rng) for _ in range(as_size(field.size, earlier)))
    if isinstance(field, Vector):
        offered = admitted(ENTRIES, field, earlier)
        return tuple(_pick(offered, rng) for _ in range(as_size(field.size, earlier)))
    if isinstance(field, Matrix):
        rows, cols = as_size(field.rows, earlier), as_size(field.cols, earlier)
        offered = admitted(ENTRIES, field, earlier)
        return fmpq_mat(rows, cols, [_pick(offered, rng) for _ in range(rows * cols)])
    if type(field) is Gram:
        return _gram(field, earlier, rng)
    if type(field) is Symmetric:
        offered, size = admitted(ENTRIES, field, earlier), as_size(field.size, earlier)
        return mirrored(fmpq_mat(size, size, [_pick(offered, rng) for _ in range(size * size)]))
    return field.build(Coarse(rng), earlier)


def admitted(
    numbers: Sequence[fmpq], field: Real | Vector | Matrix | Symmetric, earlier: Mapping[str, Any]
) -> list[fmpq]:
    """Those of some numbers that a field admits; of a narrow range its end, middle and quarters.

    >>> admitted(ENTRIES, Vector("n", 0, "1/2"), {})
    [1/4, 1/8, 3/8, 1/6, 1/3, 1/2, 0, 9/20, 1/20]
    """
    ends = [None if end is None else as_rational(end, earlier) for end in (field.low, field.high)]
    low, high = ends
    is_open = [getattr(field, name, False) for name in ("open_low", "open_high")]
    inside = [value for value in numbers if is_between(value, low, high, *is_open)]
    if low is not None and high is not None and len(inside) < ENOUGH:
        between = [low + part * (high - low) for part in PARTS]
        inside = [value for value in between if is_between(value, low, high, *is_open)]
    return inside or [end for end in ends if end is not None]


def _real(field: Real, earlier: Mapping[str, Any], rng: Any) -> fmpq | None:
    """A simple number of the domain of a field."""
    both = field.low is None or as_rational(field.low, earlier) < 0
    offered = admitted(NUMBERS, field, earlier)
    for _ in range(TRIED):
        value = _pick(offered, rng)
        if both and rng.random() < 0.4:
            value = -value if rng.random() < 0.7 else fmpq(0)
        if field.admits(value, earlier):
            return value
    return next((value for value in offered if field.admits(value, earlier)), None)


def _gram(field: Gram, earlier: Mapping[str, Any], rng: Any) -> fmpq_mat:
    """The Gram matrix of a few vectors of simple numbers, shortened to the scale of its field."""
    size = as_size(field.size, earlier)
    rank = int(rng.integers(1, size + 1)) if size else 0
    factor = fmpq_mat(size, rank, [_pick(ENTRIES, rng) for _ in range(size * rank)])
    found = factor * factor.transpose()
    if field.scale is not None:
        most = max((found[i, i] for i in range(size)), default=fmpq(0))
        return found * (as_rational(field.scale, earlier) / most) if most else found
    for i in range(size if field.regular else 0):
        found[i, i] += 1
    return found


def mirrored(matrix: fmpq_mat) -> fmpq_mat:
    """The symmetric matrix with the upper half of a square one.

    >>> mirrored(fmpq_mat(2, 2, [1, 2, 3, 4]))
    [1, 2]
    [2, 4]
    """
    size = range(matrix.nrows())
    return fmpq_mat(matrix.nrows(), matrix.ncols(),
                    [matrix[min(i, j), max(i, j)] for i in size for j in size])  # fmt: skip


def _law(size: int, rng: Any) -> tuple[fmpq, ...]:
    """Weights like 1/2, 1/2 or 1/4, 3/4: small integers over their sum; or a seldom atom."""
    if size > 1 and rng.random() < SELDOM:
        share, place = _pick(RARE, rng), int(rng.integers(size))
        others = (1 - share) / (size - 1)
        return tuple(share if atom == place else others for atom in range(size))
    raw = [1] * size if rng.random() < 0.5 else [int(rng.choice((1, 1, 2, 3))) for _ in range(size)]
    return tuple(fmpq(part, sum(raw)) for part in raw)


def _pick(items: Sequence[fmpq], rng: Any) -> fmpq:
    return items[min(int(rng.geometric(SPREAD)) - 1, len(items) - 1)]


def weight(values: Mapping[str, Any]) -> tuple[int, float]:
    """How much there is to read: numbers first, then how hard each is to read."""
    return (
        sum(entries(value) for value in values.values()),
        sum(complexity(value) for value in values.values()),
    )


def largest_denominator(values: Mapping[str, Any]) -> int:
    """The largest denominator in a world."""
    return max((_denominator(value) for value in values.values()), default=1)


def _denominator(value: Any) -> int:
    if isinstance(value, fmpq):
        return int(value.q)
    if isinstance(value, fmpq_mat):
        return max((int(entry.q) for entry in value.entries()), default=1)
    if isinstance(value, (tuple, list)):
        return max((_denominator(entry) for entry in value), default=1)
    return 1


def simpler(value: Any, field: Field) -> list[Any]:
    """Values in the place of one value that are easier to read, simplest first."""
    if isinstance(value, fmpq_mat):
        table = list(value.entries())
        found = [
            fmpq_mat(value.nrows(), value.ncols(), [*table[:i], new, *table[i + 1 :]])
            for i, old in enumerate(table) for new in _near(old)
        ]  # fmt: skip
        same = value.nrows() == value.ncols() and value == value.transpose()
        return [new for new in map(mirrored, found) if new != value] if same else found
    if isinstance(field, Tuples):
        return [
            (*value[:i], new, *value[i + 1 :])
            for i, old in enumerate(value) for new in simpler(old, promised_field(field.entry))
        ]  # fmt: skip
    if isinstance(value, tuple) and all(isinstance(entry, (int, fmpq)) for entry in value):
        if isinstance(field, Weights):
            return _laws(value)
        return [
            (*value[:i], new, *value[i + 1 :])
            for i, old in enumerate(value) for new in _near(fmpq(old))
        ]  # fmt: skip
    if isinstance(value, fmpq):
        return _near(value)
    if isinstance(value, int):
        whole = [new for new in _near(fmpq(value)) if new.q == 1]
        return [int(new) for new in whole]
    return []


def together(values: Mapping[str, Any], fields: Mapping[str, Field]) -> Iterator[dict[str, Any]]:
    """The world with all numbers rounded at once, to ever finer fractions."""
    for parts in ROUNDED:
        yield {name: _rounded(value, fields.get(name), parts) for name, value in values.items()}


def _rounded(value: Any, field: Field | None, parts: int) -> Any:
    """A value with numbers of a denominator, weights still summing to one."""
    if isinstance(value, fmpq):
        return fmpq(int((value * parts + fmpq(1, 2)).floor()), parts)
    if isinstance(value, fmpq_mat):
        table = [_rounded(entry, None, parts) for entry in value.entries()]
        return fmpq_mat(value.nrows(), value.ncols(), table)
    if not isinstance(value, tuple):
        return value
    if isinstance(field, Weights):
        return _law_of(value, parts) or value
    inner = promised_field(field.entry) if isinstance(field, Tuples) else None
    return tuple(_rounded(entry, inner, parts) for entry in value)


def without_idle(
    values: Mapping[str, Any], fields: Mapping[str, Field]
) -> Iterator[dict[str, Any]]:
    """The world without one thing of a kind: an atom that has no weight, a row, a column."""
    for size, field in fields.items():
        if isinstance(field, Integer):
            for place in range(values[size]) if 1 < values[size] <= FEW else ():
                yield from _without(values, fields, size, place)


def _without(
    values: Mapping[str, Any], fields: Mapping[str, Field], size: str, place: int
) -> Iterator[dict[str, Any]]:
    """The world without one thing of a kind; nothing where some field has no rule for it."""
    changed = {**values, size: values[size] - 1}
    for name, field in fields.items():
        its = {way for way in ("size", "rows", "cols") if getattr(field, way, None) == size}
        if not its:
            continue
        value = values[name]
        if isinstance(field, Weights) and value[place]:
            return
        if isinstance(value, fmpq_mat):
            rows = [i for i in range(value.nrows()) if i != place or not its & {"size", "rows"}]
            cols = [j for j in range(value.ncols()) if j != place or not its & {"size", "cols"}]
            left = [value[i, j] for i in rows for j in cols]
            changed[name] = fmpq_mat(len(rows), len(cols), left)
        elif isinstance(value, tuple) and its == {"size"}:
            changed[name] = (*value[:place], *value[place + 1 :])
        else:
            return
    yield changed


def _laws(value: Sequence[fmpq]) -> list[tuple[fmpq, ...]]:
    size = len(value)
    found = [(fmpq(1, size),) * size]
    rounded = (_law_of(value, parts) for parts in ROUNDED)
    return [*found, *(law for law in rounded if law is not None)]


def _law_of(value: Sequence[fmpq], parts: int) -> tuple[fmpq, ...] | None:
    """Weights rounded to multiples of one fraction; None where they then exceed one."""
    raw = [int((entry * parts + fmpq(1, 2)).floor()) for entry in value[:-1]]
    last = parts - sum(raw)
    return (*(fmpq(part, parts) for part in raw), fmpq(last, parts)) if last >= 0 else None


def _near(value: fmpq) -> list[fmpq]:
    """Simple numbers in the place of one, those of its own size after the simplest."""
    found = list(ENTRIES) + list(NUMBERS)
    for parts in (1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 50, 100):
        scaled = value * parts
        found += [fmpq(int(scaled.floor()), parts), fmpq(int(scaled.ceil()), parts)]
    near = Fraction(int(value.p), int(value.q))
    for largest in DENOMINATORS:
        best = near.limit_denominator(largest)
        found.append(fmpq(best.numerator, best.denominator))
    unit = fmpq(10) ** (len(str(abs(value).floor())) - 1)
    found += [unit * fmpq(int((value / unit).floor())), unit * fmpq(int((value / unit).ceil()))]
    if 0 < abs(value) < 1:
        small = fmpq(1, 10) ** len(str((1 / abs(value)).floor()))
        found += [small, 10 * small, small * fmpq(int((value / small).ceil()))]
    own = complexity(value)
    return sorted({new for new in found if complexity(new) < own}, key=complexity)
