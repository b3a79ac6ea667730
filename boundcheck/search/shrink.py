"""A violating setting made small: fewer points and features, fewer digits, while it still fails.

Sizes go first, with the coordinates of what is dropped cut out so that the rest keeps its values;
then fields are made constant, zero or one; then single numbers become simple fractions; at last
parameters get values that a person would write.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.errors import InvalidArgument
from boundcheck.search.admissible import Candidate, Candidates, domain
from boundcheck.search.growth import Immovable, cut, sizes
from boundcheck.worlds.fields import Integer, Matrix
from boundcheck.worlds.sources import Coordinates

SIMPLE_COORDINATES = (0.0, 1.0, 0.5, 1 / 3, 2 / 3, 0.25, 0.75, 0.2, 0.8, 0.1, 0.9)
PAIRED = (0.0, 1.0, 0.5, 1 / 3, 2 / 3, 0.25, 0.75, 0.2, 0.4, 0.6, 0.8, 0.1, 0.3, 0.7, 0.9)
ROUND = (0.5, 0.25, 0.1, 0.75, 0.9)
DENOMINATORS = (1, 2, 3, 4, 5, 6, 8, 10, 12)
BUILT = 12  # worlds built for each one that is assessed, at most
MOST_PARTS = 4096  # of a world; an integer beyond it counts none


def digits(value: Any) -> int:
    """Number of digits needed to write a value; names count one."""
    if isinstance(value, (int, fmpq)):
        return len(str(fmpq(value)).replace("-", "").replace("/", ""))
    if isinstance(value, fmpq_mat):
        return sum(digits(entry) for entry in value.entries())
    if isinstance(value, (tuple, list)):
        return sum(digits(entry) for entry in value)
    return 1


def entries(value: Any) -> int:
    """Number of scalars in a value."""
    if isinstance(value, fmpq_mat):
        return value.nrows() * value.ncols()
    return sum(entries(entry) for entry in value) if isinstance(value, (tuple, list)) else 1


def complexity(value: Any) -> float:
    """How hard a value is to read: zero is free, then digits, then size; repetition is cheap."""
    if isinstance(value, (int, fmpq)):
        ratio = fmpq(value)
        if ratio == 0:
            return 0.0
        height = abs(int(ratio.p)) + int(ratio.q)
        slash, minus = float(ratio.q != 1), 0.25 * (ratio < 0)
        return digits(value) + slash + minus + min(height, 10**6) / (min(height, 10**6) + 20)
    if isinstance(value, fmpq_mat):
        return complexity(tuple(value.entries()))
    if isinstance(value, (tuple, list)):
        distinct = len({str(entry) for entry in value})
        return sum(complexity(entry) for entry in value) + distinct
    return 1.0


def size(values: dict[str, Any]) -> tuple[int, float]:
    """Size of a setting for shrinking: number of scalars, then complexity."""
    return (
        sum(entries(value) for value in values.values()),
        sum(complexity(value) for value in values.values()),
    )


def dimensions(values: dict[str, Any]) -> dict[str, int]:
    """Points, features (or atoms of a scalar law) and digits, where the fields tell them."""
    found: dict[str, int] = {}
    scalar = "p" in values and "phi" not in values
    for name, counts, fields in (
        ("points", ("n", "N"), ("rho", "gram", "phi", "y")),
        ("atoms" if scalar else "features", ("K", "s", "d"), ("tau",)),
    ):
        for key in (*counts, *fields):
            value = values.get(key)
            if isinstance(value, int) and key in counts:
                found[name] = value
            elif isinstance(value, fmpq_mat):
                found[name] = value.nrows()
            elif isinstance(value, tuple):
                found[name] = len(value)
            if name in found:
                break
    return {**found, "digits": sum(digits(value) for value in values.values())}


def shrink(
    found: Candidate,
    candidates: Candidates,
    still_fails: Callable[[Candidate], bool],
    *,
    attempts: int,
) -> Candidate:
    """The smallest violating setting met by simplifying, greedily, to a fixed point.

    Args:
        still_fails: certified violation that keeps the stated share of the original.
        attempts: how many smaller candidates may be assessed.
    """
    work = Shrinking(found, candidates, still_fails, attempts)
    while work.found.vector:
        before = work.size
        work.through(work.lowered_sizes)
        work.through(work.rounded_worlds)
        work.through(work.constant_fields)
        work.through(work.simple_coordinates)
        work.through(work.simple_pairs)
        if work.size == before or work.spent:
            break
    if not work.found.vector:
        work.whole(work.cut_sizes)
        work.whole(work.common_numbers)
    work.parameters()
    return work.found


class Shrinking:
    """The state of one shrink: the smallest violation so far and what may still be spent."""

    def __init__(
        self, found: Candidate, candidates: Candidates,
        still_fails: Callable[[Candidate], bool], attempts: int,
    ) -> None:  # fmt: skip
        self.found = found
        self.size = size(found.setting.values)
        self.candidates = candidates
        self.still_fails = still_fails
        self.attempts = attempts
        self.built = BUILT * attempts
        self.seen: set[tuple[float, ...]] = {found.vector}

    @property
    def spent(self) -> bool:
        """Whether the budget is used up."""
        return self.attempts <= 0 or self.built <= 0

    def through(self, proposals: Callable[[], Iterator[list[float]]]) -> None:
        """Offer proposals; after each success begin the list again from the smaller world."""
        improved = True
        while improved and not self.spent:
            improved = False
            for vector in proposals():
                if self.spent:
                    return
                if tuple(vector) not in self.seen:
                    self.seen.add(tuple(vector))
                    self.built -= 1
                    candidate = self.candidates.decode(vector, self.promising)
                    improved = self.offer(candidate) or improved
                if improved:
                    break

    def whole(self, proposals: Callable[[], Iterator[dict[str, Any]]]) -> None:
        """Offer worlds by their values; after each success begin again from the smaller world."""
        improved = True
        while improved and not self.spent:
            improved = False
            for values in proposals():
                self.built -= 1
                if self.spent or size(values) >= self.size:
                    continue
                improved = self.offer(self.candidates.from_values(values))
                if improved:
                    break

    def cut_sizes(self) -> Iterator[dict[str, Any]]:
        """Fewer parts of every kind, the fewest first."""
        values, fields = self.found.setting.values, self.candidates.claim.fields
        for name in sizes(fields):
            old = values[name]
            for new in dict.fromkeys((1, old // 2, old * 3 // 4, old - 1)):
                if 0 < new < old:
                    with suppress(Immovable, InvalidArgument):
                        yield cut(fields, values, name, new)

    def common_numbers(self) -> Iterator[dict[str, Any]]:
        """A number of a field made simpler wherever it stands in it, the longest first."""
        values = self.found.setting.values
        for name, value in values.items():
            if isinstance(value, (tuple, fmpq_mat)):
                found = sorted(set(numbers(value)), key=complexity, reverse=True)
                for number, simple in itertools.product(found[:4], (1, 0, -1)):
                    yield {**values, name: _put(value, number, fmpq(simple))}
                for number in found[:4]:
                    for simple in itertools.islice(_written(number, False), 8):
                        yield {**values, name: _put(value, number, simple)}

    def promising(self, values: dict[str, Any]) -> bool:
        """Whether values can end up smaller: what hypotheses may move counts as simplest."""
        fixed = {
            name: value for name, value in values.items()
            if name != "_tight" and name not in self.candidates.movable
        }  # fmt: skip
        scalars, effort = size(fixed)
        return (scalars + len(self.candidates.movable), effort) < self.size

    def offer(self, candidate: Candidate | None) -> bool:
        """Keep a candidate that is smaller and still fails."""
        if candidate is None:
            return False
        smaller = size(candidate.setting.values)
        if smaller >= self.size:
            return False
        self.attempts -= 1
        if not self.still_fails(candidate):
            return False
        self.found, self.size = candidate, smaller
        self.seen.add(candidate.vector)
        return True

    def trace(self) -> tuple[Coordinates, dict[str, tuple[int, int]]]:
        """The coordinates as read, with their numbers of options, and the span of each field."""
        source = Coordinates(self.found.vector)
        world: dict[str, Any] = {}
        spans = {}
        for name, field in self.candidates.space.fields.items():
            first = source.used
            world[name] = field.build(source, world)
            spans[name] = (first, source.used)
        return source, spans

    def lowered_sizes(self) -> Iterator[list[float]]:
        """Every size and choice lowered, the least first, dropping any one part or all but one."""
        source, spans = self.trace()
        owner = {
            first: name for name, (first, _) in spans.items()
            if isinstance(self.candidates.space.fields[name], Integer)
        }  # fmt: skip
        for position, options in zip(source.whole, source.options, strict=True):
            current = min(int(self.found.vector[position] * options), options - 1)
            for target in dict.fromkeys((0, current // 2, current - 1)):
                if not 0 <= target < current:
                    continue
                name = owner.get(position)
                old = 0 if name is None else int(self.found.setting.values.get(name, 0))
                if name is None or old > MOST_PARTS:
                    vector = list(self.found.vector)
                    vector[position] = (target + 0.5) / options
                    yield vector
                    continue
                new = old - current + target
                for kept in _kept(old, new):
                    yield self._refitted(spans, name, old, kept, (target + 0.5) / options)

    def _refitted(
        self, spans: dict[str, tuple[int, int]], name: str, old: int, kept: list[int],
        coordinate: float,
    ) -> list[float]:  # fmt: skip
        """The vector after size `name` goes from old to len(kept): other parts cut out."""
        vector: list[float] = []
        world: dict[str, Any] = {}
        for field_name, field in self.candidates.space.fields.items():
            first, last = spans[field_name]
            own = list(self.found.vector[first:last])
            if field_name == name:
                own = [coordinate]
            source = Coordinates([*vector, *own])
            source.used = len(vector)
            field.build(source, world)
            length = source.used - len(vector)
            header = 0
            while len(vector) + header in source.whole:
                header += 1
            if header < len(source.whole):
                header = 0  # choices inside belong to the parts
            if length < len(own):
                strided = isinstance(field, Matrix) and field.cols == name
                body = _cut(own[header:], length - header, old, kept, strided)
                own = own[:header] + body
            own = (own + [0.5] * length)[:length]
            source = Coordinates([*vector, *own])
            source.used = len(vector)
            world[field_name] = field.build(source, world)
            vector += own
        return vector

    def _free(self) -> list[int]:
        fixed = set(self.found.whole)
        return [i for i in range(len(self.found.vector)) if i not in fixed]

    def rounded_worlds(self) -> Iterator[list[float]]:
        """All coordinates at once on a coarse grid."""
        free = set(self._free())
        for q in DENOMINATORS:
            yield [round(v * q) / q if i in free else v for i, v in enumerate(self.found.vector)]

    def constant_fields(self) -> Iterator[list[float]]:
        """All entries of one field equal: to an end, the middle, or one of them."""
        free = set(self._free())
        _, spans = self.trace()
        for first, last in spans.values():
            group = [i for i in range(first, last) if i in free]
            own = [self.found.vector[i] for i in group]
            for value in dict.fromkeys((0.0, 1.0, 0.5, *own[:4])) if len(group) > 1 else ():
                vector = list(self.found.vector)
                for i in group:
                    vector[i] = value
                yield vector

    def simple_coordinates(self) -> Iterator[list[float]]:
        """One coordinate at a simple fraction, a nearby one, or its neighbour's value."""
        whole = self.found.vector
        for position in self._free():
            value = whole[position]
            near = [round(value * q) / q for q in DENOMINATORS]
            beside = [whole[i] for i in (position - 1, position + 1) if 0 <= i < len(whole)]
            for simple in dict.fromkeys((*SIMPLE_COORDINATES, *near, *beside)):
                if simple != value:
                    yield [*whole[:position], simple, *whole[position + 1 :]]

    def simple_pairs(self) -> Iterator[list[float]]:
        """A coordinate that resisted made simple while another one gives way."""
        whole, free = self.found.vector, self._free()
        crooked = [i for i in free if all(abs(whole[i] * q - round(whole[i] * q)) > 1e-9
                                          for q in DENOMINATORS)]  # fmt: skip
        _, spans = self.trace()
        for position in crooked[:2]:
            own = next(range(*span) for span in spans.values() if position in range(*span))
            # Weights are normalised: the other entries of the field go to one first.
            level = [1.0 if i in own and i in free and i != position else v
                     for i, v in enumerate(whole)]  # fmt: skip
            for other in reversed(free):  # parameters are at the end
                if other in own:
                    continue
                for base, first in itertools.product((level, list(whole)), ROUND):
                    for second in PAIRED:
                        vector = list(base)
                        vector[position], vector[other] = first, second
                        yield vector

    def parameters(self) -> None:
        """Parameters at numbers that a person would write, near the value that fails."""
        for name, field in self.candidates.movable.items():
            improved = True
            while improved and not self.spent:
                improved = False
                setting = self.found.setting
                low, high = domain(field, setting.values)
                for value in _written(setting.values[name], isinstance(field, Integer)):
                    below = low is not None and value < low
                    if below or (high is not None and value > high) or self.spent:
                        continue
                    self.built -= 1
                    moved = setting.replaced(**{name: value})
                    if size(moved.values) < self.size and moved.admissible():
                        improved = self.offer(Candidate(moved, ()))
                        if improved:
                            break


def _kept(old: int, new: int) -> Iterator[list[int]]:
    """Which of `old` parts stay when `new` do: the first, the last, all but one, any single one."""
    yield list(range(new))
    yield list(range(old - new, old))
    if new == old - 1:
        yield from ([i for i in range(old) if i != out] for out in range(1, new))
    elif new == 1:
        yield from ([i] for i in range(1, old - 1))


def _cut(
    body: list[float], length: int, old: int, kept: list[int], strided: bool
) -> list[float]:
    """Entries of a field that stay: blocks, columns, or rows and columns of the kept parts."""
    if len(body) == old * old and length == len(kept) ** 2 and old > 1:
        return [body[i * old + j] for i in kept for j in kept]
    if old and len(body) % old == 0 and length == len(body) // old * len(kept):
        block = len(body) // old
        if strided:
            return [body[i * old + j] for i in range(block) for j in kept]
        return [value for i in kept for value in body[i * block : (i + 1) * block]]
    return body[:length]


def numbers(value: Any) -> Iterator[fmpq]:
    """The numbers of a value that are no counts."""
    if isinstance(value, fmpq):
        yield value
    elif isinstance(value, (tuple, fmpq_mat)):
        for entry in value.entries() if isinstance(value, fmpq_mat) else value:
            yield from numbers(entry)


def _put(value: Any, number: fmpq, simple: fmpq) -> Any:
    """The value with one number replaced wherever it stands."""
    if isinstance(value, fmpq):
        return simple if value == number else value
    if isinstance(value, fmpq_mat):
        entries = [_put(entry, number, simple) for entry in value.entries()]
        return fmpq_mat(value.nrows(), value.ncols(), entries)
    return tuple(_put(e, number, simple) for e in value) if isinstance(value, tuple) else value


def _written(value: Any, whole: bool) -> Iterator[Any]:
    """Numbers near a value that are short to write, the shortest first."""
    simple = [fmpq(p, q) for q in (1, 2, 3, 4) for p in (0, 1, -1, 2, 3, 5, 10, 100)]
    ratio = fmpq(value)
    for q in DENOMINATORS:
        scaled = ratio * q
        simple += [fmpq(int(scaled.floor()), q), fmpq(int(scaled.ceil()), q)]
    exponent = int(abs(ratio).floor()).bit_length() * 3 // 10 if abs(ratio) >= 1 else 0
    inverse = 0
    if 0 < abs(ratio) < 1:
        inverse = int((1 / abs(ratio)).floor()).bit_length() * 3 // 10 + 1
    sign = -1 if ratio < 0 else 1
    simple += [sign * fmpq(10) ** k for k in range(3, min(exponent, 60) + 1)]
    simple += [sign / fmpq(10) ** k for k in range(1, min(inverse, 60) + 1)]
    for shift in (0, 1):
        unit = fmpq(10) ** max(exponent - shift, 0)
        unit /= fmpq(10) ** (inverse + shift if inverse else 0)
        scaled = ratio / unit
        simple += [int(scaled.floor()) * unit, int(scaled.ceil()) * unit]
    chosen = [entry for entry in dict.fromkeys(simple) if not whole or entry.q == 1]
    for entry in sorted(chosen, key=complexity):
        if entry != ratio:
            yield int(entry.p) if whole else entry
