"""How one value of a world moves as a power of a size, and where the admissible worlds end.

Numbers go to infinity, to an end of their domain, or to the place where a hypothesis stops them;
weights to nothing or to all; a matrix, its first row or its first entry to infinity or to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.worlds.fields import Field, Integer, Real, Weights, promised

FINE = 400  # bits to which the place is known where a hypothesis stops a number
PLAIN = 10**6  # denominators of places that are taken for what stops a number
OCTAVES = 24  # doublings after which a number counts as free


@dataclass(frozen=True)
class Push:
    """One value of a world as a function of the size: `value(start, N^exponent)`.

    Args: words: with `{power}` where the power of N stands.
    """

    name: str
    words: str
    value: Callable[[Any, int], Any]


def pushes_of(name: str, field: Field, value: Any) -> Iterator[Push]:
    """Where the domain of a value lets it go, or some of its entries."""
    if isinstance(field, (Integer, Real)):
        yield from _of_number(name, field)
    elif isinstance(field, Weights):
        if len(value) > 1 and 0 < value[0] < 1:
            yield Push(name, f"the first weight of {name} falls as 1/{{power}}",
                       lambda w, n: _reweighted(w, w[0] / n))  # fmt: skip
            yield Push(name, f"the other weights of {name} fall as 1/{{power}}",
                       lambda w, n: _reweighted(w, 1 - (1 - w[0]) / n))  # fmt: skip
    elif isinstance(value, fmpq_mat) and value.nrows() and value.ncols():
        yield from _scaled(name, lambda A, s: A * s)
        yield from _scaled(f"first row of {name}", _row, name)
        if value.nrows() == value.ncols():
            yield from _scaled(f"first row and column of {name}", _row_and_column, name)
    elif isinstance(value, tuple) and value and all(isinstance(v, fmpq) for v in value):
        yield from _scaled(name, lambda x, s: tuple(entry * s for entry in x))
        if len(value) > 1:
            yield from _scaled(f"first entry of {name}", lambda x, s: (x[0] * s, *x[1:]), name)


def _towards(end: fmpq | int) -> Callable[[Any, int], fmpq]:
    """A number whose distance from an end falls as 1/n."""
    return lambda v, n: end + (fmpq(v) - end) / n


def _of_number(name: str, field: Integer | Real) -> Iterator[Push]:
    low, high = field.low, field.high
    if high is None:
        yield Push(name, f"{name} grows as {{power}}", lambda v, n: v * n)
    if isinstance(field, Real) and isinstance(low, int):
        shown = f"{name} - {low}" if low else name
        yield Push(name, f"{shown} falls as 1/{{power}}", _towards(low))
    if isinstance(field, Real) and isinstance(high, int):
        yield Push(name, f"{high} - {name} falls as 1/{{power}}", _towards(high))
    if isinstance(field, Real) and low is None and high is None:
        yield Push(name, f"{name} falls as 1/{{power}}", lambda v, n: fmpq(v) / n)


def _scaled(
    words: str, change: Callable[[Any, fmpq], Any], name: str = ""
) -> Iterator[Push]:
    yield Push(name or words, f"{words} grows as {{power}}", lambda v, n: change(v, fmpq(n)))
    yield Push(name or words, f"{words} falls as 1/{{power}}", lambda v, n: change(v, fmpq(1, n)))


def _reweighted(weights: tuple[fmpq, ...], first: fmpq) -> tuple[fmpq, ...]:
    """The first weight replaced, the others in proportion."""
    share = (1 - first) / (1 - weights[0])
    return (first, *(weight * share for weight in weights[1:]))


def _row(matrix: fmpq_mat, scale: fmpq) -> fmpq_mat:
    rows, cols = matrix.nrows(), matrix.ncols()
    entries = [matrix[i, j] * (scale if i == 0 else 1) for i in range(rows) for j in range(cols)]
    return fmpq_mat(rows, cols, entries)


def _row_and_column(matrix: fmpq_mat, scale: fmpq) -> fmpq_mat:
    return _row(_row(matrix, scale).transpose(), scale).transpose()


Admits = Callable[[fmpq], bool]


def stopped(
    name: str, field: Real, world: Mapping[str, Any], admits: Admits
) -> Iterator[Push]:
    """Towards the places between a value and the ends of its domain where worlds stop.

    Args: admits: whether the world is one of the claim with another value; it is with this one.

    >>> (push,) = stopped("x", Real(0, None), {"x": fmpq(1)}, lambda x: x * x <= 2)
    >>> push.words, 0 < 2 - push.value(fmpq(1), 2**20) ** 2 < fmpq(1, 2**18)
    ('x rises to where a hypothesis ends it, the gap falls as 1/{power}', True)
    """
    value, (low, high) = world[name], (promised(end, world) for end in (field.low, field.high))
    for words, end in (("rises", high), ("falls", low)):
        place = _stop(value, end, words == "rises", admits)
        if place is not None and place != value:
            yield Push(
                name, f"{name} {words} to where a hypothesis ends it, the gap falls as 1/{{power}}",
                _towards(place),
            )


def _stop(value: fmpq, end: fmpq | None, up: bool, admits: Admits) -> fmpq | None:
    """Where admissible places end on the way to an end: a plain ratio, or the last of them up to
    2^-FINE; None if none stops it."""
    outside = next((trial for trial in _way(value, end, up) if not admits(trial)), None)
    if outside is None:
        return None
    inside = value
    for _ in range(FINE):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if admits(middle) else (inside, middle)
    plain = fmpq(*Fraction(int(outside.p), int(outside.q)).limit_denominator(PLAIN)
                 .as_integer_ratio())  # fmt: skip
    return plain if min(inside, outside) <= plain <= max(inside, outside) else inside


def _way(value: fmpq, end: fmpq | None, up: bool) -> Iterator[fmpq]:
    """Places ever further on, or ever nearer to the end."""
    step = max(abs(value), fmpq(1)) * (1 if up else -1)
    for octave in range(OCTAVES):
        yield value + step * 2**octave if end is None else end + (value - end) / 2 ** (octave + 1)
