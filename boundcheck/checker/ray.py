"""A world whose numbers move along powers of t, from t = 1 on without end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from flint import fmpq, fmpq_mat

from boundcheck.arithmetic import Value
from boundcheck.encoding import NUMBER, decode

LONGEST = 4000  # characters of a power or an end
MOST_POWER = 10**4  # of t, either way
MOST_MOVED = 2**22  # octaves by which a number moves


@dataclass(frozen=True)
class Ray:
    """A world at t = 1, and how its numbers move.

    Args: powers: name to the power of t; ends: of numbers that move towards an end, e in
    e + c t^p.
    """

    start: Mapping[str, Value]
    powers: Mapping[str, fmpq]
    ends: Mapping[str, fmpq]

    def at(self, octaves: int) -> dict[str, Value] | None:
        """The world at t = 2^octaves; None where a power of that is no rational number."""
        values = dict(self.start)
        for name, power in self.powers.items():
            exponent = power * octaves
            if exponent.q != 1:
                return None
            factor = fmpq(2) ** int(exponent.p)
            values[name] = _moved(values[name], factor, self.ends.get(name, fmpq(0)))
        return values


def entries_of(value: Value) -> Iterator[fmpq]:
    """The numbers in a value."""
    if isinstance(value, fmpq_mat):
        yield from value.entries()
    elif isinstance(value, tuple):
        for entry in value:
            yield from entries_of(entry)
    elif isinstance(value, (int, fmpq)) and not isinstance(value, bool):
        yield fmpq(value)


def motions_of(said: object) -> dict[str, tuple[fmpq, fmpq]]:
    """The powers and ends of numbers as a witness says them, before anything is computed with them.

    Raises: ValueError for anything but two plain fractions each, the power a small one.

    >>> motions_of({"n": ["1/2", "0"]})
    {'n': (1/2, 0)}
    """
    if not isinstance(said, dict):
        raise ValueError("a ray names its numbers")
    return {str(name): _motion(pair) for name, pair in said.items()}


def _motion(pair: object) -> tuple[fmpq, fmpq]:
    texts = [str(text) for text in pair] if isinstance(pair, (list, tuple)) else []
    if len(texts) != 2 or not all(NUMBER.fullmatch(t) and len(t) <= LONGEST for t in texts):
        raise ValueError("a number moves by a power and to an end, both fractions")
    power, end = (fmpq(decode(text)) for text in texts)
    if abs(power) > MOST_POWER:
        raise ValueError(f"a power of more than {MOST_POWER}")
    return power, end


def _moved(value: Value, factor: fmpq, end: fmpq) -> Value:
    """e + c t^p in the type that the number has."""
    if isinstance(value, fmpq_mat):
        return value * factor
    if isinstance(value, tuple):
        return tuple(_moved(entry, factor, end) for entry in value)
    found = end + (fmpq(value) - end) * factor
    return int(found.p) if isinstance(value, int) and found.q == 1 else found
