"""Where the numbers of a world come from: a random stream, Hypothesis, or a search vector.

A field of a world is built once, from the primitives below; the source decides how. The vector
source reads coordinates in [0, 1] one after the other, so each world has a vector encoding, and
the random source keeps the coordinates it used, so every random world can be polished by search.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from flint import fmpq

from boundcheck.errors import InvalidArgument

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Item = TypeVar("Item")
MOST_ENTRIES = 10**6  # of one table
MOST_COORDINATES = 400_000  # of one world: an exact look at a larger one takes minutes
GRID = 2**20  # denominators of numbers decoded from search coordinates
SHORT = 32  # integer ranges below this length are choices, longer ones behave like numbers
TINY = fmpq(1, 10**9)  # distance kept from an end that is left out
SPECIAL, REPEATED = (0.0, 0.2, 0.5, 0.9), (0.0, 0.0, 0.0, 0.85)  # tempers of random worlds
ENDS = (0.0, 1.0, 0.0, 1.0, 0.5)  # coordinates of a corner, beside one that is free
STRATA = 16  # worlds of a Latin hypercube
SIMPLE = {round(GRID * p / q): fmpq(p, q) for q in range(12, 0, -1) for p in range(q + 1)}


def rational_at(position: float, low: fmpq, high: fmpq) -> fmpq:
    """The point of [low, high] at a position in [0, 1]; simple fractions are met exactly."""
    steps = round(position * GRID)
    share = SIMPLE.get(steps)
    return low + (high - low) * (fmpq(steps, GRID) if share is None else share)


def require_few(rows: int, cols: int) -> None:
    """Refuse a table that no memory holds, before it is made. Raises: InvalidArgument."""
    if rows * cols > MOST_ENTRIES:
        raise InvalidArgument(
            f"a table of {rows} x {cols} numbers has more than {MOST_ENTRIES}; "
            "search at smaller sizes"
        )


class Coordinates:
    """Primitives decoded from a vector in [0, 1]^d; beyond its end every coordinate is 1/2.

    `used` counts the coordinates read so far; `whole` lists the positions that chose an item or
    an integer of a short range, `options` among how many: they fix the shape of the world, the
    others move inside it.
    """

    def __init__(self, vector: Sequence[float]) -> None:
        self.vector = vector
        self.used = 0
        self.begun = 0  # position at which the current field began
        self.whole: list[int] = []
        self.options: list[int] = []

    def coordinate(self) -> float:
        """The next coordinate, clipped to [0, 1]."""
        value = float(self.vector[self.used]) if self.used < len(self.vector) else 0.5
        self._count()
        return min(max(value, 0.0), 1.0)

    def _count(self) -> None:
        """One coordinate more. Raises: InvalidArgument for a world that is too large."""
        self.used += 1
        if self.used > MOST_COORDINATES:
            raise InvalidArgument(
                f"a world of more than {MOST_COORDINATES} numbers; search at smaller sizes"
            )

    def entries(self, rows: int, cols: int, low: fmpq, high: fmpq) -> list[fmpq]:
        """The rationals in [low, high] of a table, row by row; a vector is one row.

        Raises: InvalidArgument before a table is made that no memory holds.
        """
        require_few(rows, cols)
        return [self.rational(low, high) for _ in range(rows * cols)]

    def read(self) -> tuple[float, ...]:
        """The coordinates read so far: exactly the vector of the world they built."""
        used = tuple(self.vector[: self.used])
        return (*used, *(0.5,) * (self.used - len(used)))

    def integer(self, low: int, high: int) -> int:
        """An integer in [low, high]."""
        if high - low < SHORT:
            self.whole.append(self.used)
            self.options.append(high - low + 1)
        return min(low + int(self.coordinate() * (high - low + 1)), high)

    def rational(self, low: fmpq, high: fmpq) -> fmpq:
        """A rational in [low, high], ends included."""
        return rational_at(self.coordinate(), low, high)

    def choice(self, items: Sequence[Item]) -> Item:
        """One of the items."""
        return items[self.integer(0, len(items) - 1)]


class Randomness(Coordinates):
    """A hostile random stream: ends, halves, small fractions and tiny numbers come up often.

    `record` holds the coordinates used, so `Coordinates(record)` rebuilds the same world.
    """

    def __init__(self, rng: Any) -> None:
        super().__init__(())
        self.rng = rng
        self.record: list[float] = []
        # Tempers of the world: some are all generic, others all special; some are symmetric.
        self.special = SPECIAL[int(rng.integers(4))]
        self.repeated = REPEATED[int(rng.integers(4))]

    def coordinate(self) -> float:
        """A coordinate, special with the probability of this world's temper."""
        rng = self.rng
        if self.repeated and self._inside_field() and rng.random() < self.repeated:
            value = self.record[-1]
        elif self.special and rng.random() < self.special:
            kind = int(rng.integers(6))
            if kind < 2:
                value = float(kind)
            elif kind == 2:
                value = 0.5
            elif kind == 3:
                denominator = int(rng.integers(2, 13))
                value = int(rng.integers(0, denominator + 1)) / denominator
            else:
                tiny = 2.0 ** -float(rng.integers(2, 20))
                value = tiny if kind == 4 else 1.0 - tiny
        elif self.record and rng.random() < 0.1:
            value = self.record[int(rng.integers(len(self.record)))]  # ties
        else:
            value = round(float(rng.random()) * GRID) / GRID
        self.record.append(value)
        self._count()
        return value

    def _inside_field(self) -> bool:
        """Whether the last coordinate was an entry of the field that is being built."""
        return self.used > self.begun and self.used - 1 not in self.whole

    def read(self) -> tuple[float, ...]:
        """The coordinates used so far."""
        return tuple(self.record)


class Latin(Coordinates):
    """One world of a Latin hypercube: uniform coordinates, each in another of `STRATA` intervals
    than that of the other worlds at the same position.

    Strict inequalities often fail on a share of all worlds, where ends and ties meet them exactly.

    Args: orders: the order of the intervals by position, shared by the worlds of a hypercube and
    extended as they need it. place: which of its worlds this one is.
    """

    def __init__(self, rng: Any, orders: list[Any], place: int) -> None:
        super().__init__(())
        self.rng, self.orders, self.place = rng, orders, place
        self.record: list[float] = []

    def coordinate(self) -> float:
        """A coordinate on the grid, anywhere in the interval of this world."""
        if self.used == len(self.orders):
            self.orders.append(self.rng.permutation(STRATA))
        value = (self.orders[self.used][self.place] + float(self.rng.random())) / STRATA
        self.record.append(round(value * GRID) / GRID)
        self._count()
        return self.record[-1]

    def read(self) -> tuple[float, ...]:
        """The coordinates used so far."""
        return tuple(self.record)


class Corners(Coordinates):
    """A world of the smallest sizes, its numbers mostly at their ends or in the middle.

    What fails in a world of two coins or two functions often fails there alone, and among all sizes
    and numbers that world is seldom drawn.
    """

    def __init__(self, rng: Any) -> None:
        super().__init__(())
        self.rng = rng
        self.record: list[float] = []
        self._chosen: float | None = None

    def coordinate(self) -> float:
        """An end, the middle or anything; the middle of what was chosen."""
        value = self._chosen
        if value is None:
            value = (*ENDS, round(float(self.rng.random()) * GRID) / GRID)[
                int(self.rng.integers(len(ENDS) + 1))]  # fmt: skip
        self._chosen = None
        self.record.append(value)
        self._count()
        return value

    def integer(self, low: int, high: int) -> int:
        """The lowest integer or the next."""
        return self._place(low, high, min(int(self.rng.integers(2)), high - low))

    def choice(self, items: Sequence[Item]) -> Item:
        """Any of the items."""
        return items[self._place(0, len(items) - 1, int(self.rng.integers(len(items))))]

    def _place(self, low: int, high: int, place: int) -> int:
        self._chosen = (place + 0.5) / (high - low + 1)
        return super().integer(low, high)

    def read(self) -> tuple[float, ...]:
        """The coordinates used so far."""
        return tuple(self.record)


class Drawer(Protocol):
    """What Hypothesis gives a composite strategy to draw with."""

    def __call__(self, strategy: SearchStrategy[Item]) -> Item: ...


class Drawn(Coordinates):
    """Primitives drawn by Hypothesis, which shrinks towards small integers and first choices."""

    def __init__(self, draw: Drawer) -> None:
        super().__init__(())
        self.draw = draw

    def coordinate(self) -> float:
        """A float in [0, 1]."""
        from hypothesis import strategies

        return self.draw(strategies.floats(0, 1, width=32))

    def integer(self, low: int, high: int) -> int:
        """An integer in [low, high]."""
        from hypothesis import strategies

        return self.draw(strategies.integers(low, high))

    def rational(self, low: fmpq, high: fmpq) -> fmpq:
        """A rational in [low, high] with a denominator up to 64, or an end."""
        from hypothesis import strategies

        denominator = self.draw(strategies.sampled_from((1, 2, 3, 4, 5, 8, 10, 64)))
        first = int((low * denominator).ceil())
        last = int((high * denominator).floor())
        if first > last:
            return self.draw(strategies.sampled_from((low, high, (low + high) / 2)))
        return fmpq(self.draw(strategies.integers(first, last)), denominator)

    def choice(self, items: Sequence[Item]) -> Item:
        """One of the items, shrinking to the first."""
        from hypothesis import strategies

        return items[self.draw(strategies.integers(0, len(items) - 1))]
