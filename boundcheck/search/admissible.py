"""From coordinates to settings that meet a claim's hypotheses.

Random parameters rarely satisfy "M at least ...". So a parameter that stands in a failing
hypothesis is moved: to the bound where the hypothesis isolates it, else by doubling or halving and
then bisecting. In tight mode every isolated parameter is put on its bound even if it was inside,
because that is where a theorem has the least room.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import sympy
from flint import arb, fmpq

from boundcheck import exact
from boundcheck.claim import Claim
from boundcheck.errors import InvalidArgument, Undecided, Undefined
from boundcheck.exact import PRECISIONS, precision
from boundcheck.search.asked_sizes import asked_sizes
from boundcheck.search.equations import Equations
from boundcheck.search.lifting import liftable, lifted
from boundcheck.setting import INEQUALITIES, Setting, flatten
from boundcheck.worlds.fields import Choice, Integer, Real, as_rational
from boundcheck.worlds.sources import Coordinates, Randomness
from boundcheck.worlds.space import Space

NUDGE = fmpq(1, 10**6)
# Powers of two by which a parameter is moved; those left out are tried once one beyond them serves.
POWERS = (*range(1, 17), *range(18, 33, 2), *range(36, 65, 4), *range(72, 161, 8))
HOPELESS = 6  # values in a row without a value of the hypothesis, then moving is given up
COUNTED = 10**12  # integers whose search range reaches so far are numbers, not counts
LARGEST = 2**4096  # a bound beyond it is no value a parameter can be moved to


@dataclass(frozen=True)
class Candidate:
    """A setting with the coordinates that rebuild it, and which of them chose its shape.

    Args: solved: whether it was moved onto equations among the hypotheses.
    """

    setting: Setting
    vector: tuple[float, ...]
    whole: tuple[int, ...] = ()
    solved: bool = False


class Candidates:
    """Builds admissible settings of one claim and counts those it had to give up.

    `rejected` maps the text of a hypothesis to how many worlds failed it.

    Args: far: whether hypotheses may move a parameter beyond where search looks, up to the ends of
    its domain.
    """

    def __init__(self, claim: Claim, *, far: bool = False) -> None:
        self.claim = claim
        self.ends = printed_domain if far else domain
        fields = dict(asked_sizes(claim))
        self.movable = {
            symbol.name: field
            for symbol in claim.parameters
            if isinstance(field := fields[symbol.name], (Integer, Real))
        }
        if self.movable and claim.given:
            fields["_tight"] = Choice((0, 0, 1))
        self.space = Space(**fields)
        self.conditions = [rel for condition in claim.given for rel in flatten(condition)]
        self.isolating = [
            (name, relation)
            for relation in self.conditions
            for name in self.movable
            if _isolated(name, relation, claim)
        ]
        self.liftable = liftable(claim)
        self.equations = Equations(claim)
        self.rejected: dict[str, int] = {}

    def any(self, rng: Any) -> Setting:
        """A random setting, whether its hypotheses hold or not; empty where none can be built."""
        try:
            return Setting(self.claim, self.space.build(Randomness(rng)), built=True)
        except (InvalidArgument, Undefined):
            return Setting(self.claim, {})

    def random(self, rng: Any) -> Candidate | None:
        """A hostile random setting, or None if its hypotheses cannot be met."""
        return self.build(Randomness(rng))

    def decode(
        self, vector: Sequence[float], worth: Callable[[dict[str, Any]], bool] | None = None
    ) -> Candidate | None:
        """The setting at a vector of coordinates, or None.

        Args: worth: whether values are worth it, before their hypotheses are met; movable
        parameters may still change.
        """
        return self.build(Coordinates(vector), worth)

    def build(
        self, source: Coordinates, worth: Callable[[dict[str, Any]], bool] | None = None
    ) -> Candidate | None:
        """The setting from any source of coordinates, or None."""
        try:
            values = self.space.build(source)
        except (InvalidArgument, Undefined):
            return None
        if worth is not None and not worth(values):
            return None
        return self._finish(values, source.read(), tuple(source.whole), built=True)

    def from_values(self, values: dict[str, Any]) -> Candidate | None:
        """A setting from explicit values, or None."""
        return self._finish(dict(values), ())

    def _finish(
        self, values: dict[str, Any], vector: tuple[float, ...], whole: tuple[int, ...] = (),
        *, built: bool = False,
    ) -> Candidate | None:  # fmt: skip
        tight = bool(values.pop("_tight", 0))
        setting = Setting(self.claim, values, built=built)
        if tight:
            setting = self._tighten(setting)
        solved, failed = False, None
        for _ in range(5):
            if self.equations.missed_by(setting):
                onto, failed = self.equations.solved(setting), self.equations.relations[0]
                if onto is None:
                    break
                setting, solved = onto, True
            failed = setting.failed_hypothesis()
            if failed is None:
                return Candidate(setting, vector, whole, solved)
            moved = self._repair(setting, failed)
            if moved is None:
                break
            setting = moved
        text = _text(failed)
        self.rejected[text] = self.rejected.get(text, 0) + 1
        return None

    def _tighten(self, setting: Setting) -> Setting:
        for name, relation in self.isolating:
            moved = self._on_bound(setting, name, relation)
            if moved is not None:
                setting = moved
        return setting

    def _repair(self, setting: Setting, failed: sympy.Basic) -> Setting | None:
        """One failing hypothesis met by moving one parameter or matrix, if that is possible."""
        relations = flatten(failed)
        for relation in relations:
            for name in self.liftable.get(relation, ()):
                return lifted(setting, relation, name)
        for name, relation in self.isolating:
            if relation in relations:
                moved = self._on_bound(setting, name, relation)
                if moved is not None:
                    return moved
        # Where the hypothesis isolates a parameter, its bound was just out of reach.
        isolated = {name for name, relation in self.isolating if relation in relations}
        for name in self._movable_in(failed):
            if name in isolated:
                continue
            moved = self._by_doubling(setting, name, failed)
            if moved is not None:
                return moved
        return None

    def _movable_in(self, condition: sympy.Basic) -> list[str]:
        """Parameters a condition depends on, directly or through measured quantities."""
        names, queue = set(), [s.name for s in condition.free_symbols]
        while queue:
            name = queue.pop()
            if name in names:
                continue
            names.add(name)
            quantity = self.claim.measured.get(name)
            if quantity is not None:
                queue += self.claim.arguments(quantity)
        return [name for name in self.movable if name in names]

    def _on_bound(self, setting: Setting, name: str, relation: sympy.Rel) -> Setting | None:
        low_side = is_symbol(relation.gts, name)
        bound_expr = relation.lts if low_side else relation.gts
        strict = isinstance(relation, (sympy.Gt, sympy.Lt))
        try:
            with precision(PRECISIONS[0]):
                bound = setting.evaluate(bound_expr)
        except (Undefined, Undecided):
            return None
        value = _rational_beyond(bound, upwards=low_side, strict=strict)
        if value is None:
            return None
        field = self.movable[name]
        if isinstance(field, Integer):
            whole = int(value.ceil()) if low_side else int(value.floor())
            value = fmpq(whole + (1 if low_side else -1) * int(strict and whole == value))
        return self._within(setting, name, value, upwards=low_side)

    def _within(self, setting: Setting, name: str, value: Any, upwards: bool) -> Setting | None:
        """The setting with the parameter moved, clamped into its domain on the safe side."""
        low, high = self.ends(self.movable[name], setting.values)
        if low is not None and value < low:
            value = low if upwards else None
        if value is not None and high is not None and value > high:
            value = None if upwards else high
        if value is None:
            return None
        if isinstance(self.movable[name], Integer):
            value = int(value)
        return setting.replaced(**{name: value})

    def _by_doubling(self, setting: Setting, name: str, failed: sympy.Basic) -> Setting | None:
        for upwards in (True, False):
            found = self._first_met(setting, name, failed, upwards)
            if found is not None:
                return self._bisect(setting, name, failed, *found)
        return None

    def _first_met(
        self, setting: Setting, name: str, failed: sympy.Basic, upwards: bool
    ) -> tuple[fmpq, fmpq] | None:
        """(the first value by powers of two that meets a hypothesis, the one before), or None."""
        undefined = 0
        for before, power in pairwise((0, *POWERS)):
            moved = self._shifted(setting, name, power, upwards)
            met = None if moved is None else _met(moved, failed)
            if moved is None or met:
                return self._earliest(setting, name, failed, upwards, before, power)
            undefined = undefined + 1 if met is None else 0
            if undefined > HOPELESS:
                return None
        return None

    def _earliest(
        self, setting: Setting, name: str, failed: sympy.Basic, upwards: bool, before: int,
        power: int,
    ) -> tuple[fmpq, fmpq] | None:  # fmt: skip
        """The same among powers of which the last meets it or leaves the range."""
        for each in range(before + 1, power + 1):
            moved = self._shifted(setting, name, each, upwards)
            if moved is None:
                return None
            if each == power or _met(moved, failed):
                return fmpq(moved(name)), _power(fmpq(setting(name)), each - 1, upwards)
        return None

    def _shifted(self, setting: Setting, name: str, power: int, upwards: bool) -> Setting | None:
        """The setting with a parameter that many times doubled or halved; None beyond its range."""
        start = fmpq(setting(name))
        value, before = (_whole(self.movable[name], _power(start, each, upwards))
                         for each in (power, power - 1))  # fmt: skip
        if value == before:  # halving an integer ends at 1
            return None
        return self._within(setting, name, value, upwards)

    def _bisect(
        self, setting: Setting, name: str, failed: sympy.Basic, inside: fmpq, outside: fmpq
    ) -> Setting | None:
        for _ in range(6):
            middle = _whole(self.movable[name], (inside + outside) / 2)
            if middle in (inside, outside):
                break
            if _met(setting.replaced(**{name: middle}), failed):
                inside = fmpq(middle)
            else:
                outside = fmpq(middle)
        return setting.replaced(**{name: _whole(self.movable[name], inside)})


@lru_cache(maxsize=1024)
def _text(failed: sympy.Basic | None) -> str:
    return str(failed)


def is_symbol(expr: sympy.Basic, name: str) -> bool:
    """Whether an expression is the symbol of a name."""
    return isinstance(expr, sympy.Symbol) and expr.name == name


def _isolated(name: str, relation: sympy.Basic, claim: Claim) -> bool:
    """Whether the relation is name >= expr or name <= expr with expr free of name."""
    if not isinstance(relation, INEQUALITIES):
        return False
    if is_symbol(relation.lhs, name):
        other = relation.rhs
    elif is_symbol(relation.rhs, name):
        other = relation.lhs
    else:
        return False
    queue, seen = [s.name for s in other.free_symbols], set()
    while queue:
        current = queue.pop()
        if current == name:
            return False
        if current not in seen:
            seen.add(current)
            quantity = claim.measured.get(current)
            queue += claim.arguments(quantity) if quantity is not None else ()
    return True


def _power(start: fmpq, count: int, upwards: bool) -> fmpq:
    """A number so often doubled or halved; what is zero begins at 1."""
    if count == 0:
        return start
    return (start or fmpq(1)) * fmpq(2) ** (count if upwards else -count)


def _whole(field: Any, value: fmpq) -> Any:
    return int(value.ceil()) if isinstance(field, Integer) else value


def _met(setting: Setting, condition: sympy.Basic) -> bool | None:
    """Whether a condition is certified; None where it has no value or no precision settles it."""
    try:
        return setting.decide(condition)
    except Undefined:
        return None


def _rational_beyond(bound: Any, *, upwards: bool, strict: bool) -> fmpq | None:
    """A short rational at the bound or just inside the allowed side of it."""
    if exact.is_exact(bound):
        value = fmpq(bound)
        if not strict:
            return value
        step = max(abs(value), fmpq(1)) * NUDGE
        return value + step if upwards else value - step
    if not isinstance(bound, arb) or not bound.is_finite() or not abs(bound) < LARGEST:
        return None
    edge = bound.upper() if upwards else bound.lower()
    value = exact.midpoint(edge) if abs(edge) * LARGEST > 1 else fmpq(0)
    step = max(abs(value), NUDGE) / 2**30
    scale = 2 ** max(int(step.q).bit_length() - int(step.p).bit_length(), 0)
    shifted = value * scale
    return fmpq(int(shifted.ceil()) if upwards else int(shifted.floor()), scale)


def domain(field: Any, earlier: dict[str, Any]) -> tuple[fmpq | None, fmpq | None]:
    """Ends between which search moves an Integer or Real field; None where there is none."""
    first, last = (field.low, _furthest(field)) if isinstance(field, Integer) else (
        field.searched or (field.low, field.high))  # fmt: skip
    return _between(field, first, last, earlier)


def printed_domain(field: Any, earlier: dict[str, Any]) -> tuple[fmpq | None, fmpq | None]:
    """Ends of an Integer or Real field as printed; None where there is none."""
    return _between(field, field.low, field.high, earlier)


def _between(
    field: Any, first: Any, last: Any, earlier: dict[str, Any]
) -> tuple[fmpq | None, fmpq | None]:
    """Two ends as numbers, a little inside where they are left out."""
    low = None if first is None else as_rational(first, earlier)
    high = None if last is None else as_rational(last, earlier)
    if getattr(field, "open_low", False) and low is not None:
        low += fmpq(1, 10**12)
    if getattr(field, "open_high", False) and high is not None:
        high -= fmpq(1, 10**12)
    return low, high


def _furthest(field: Integer) -> Any:
    """How far a hypothesis may move an integer: as far as search looks, but a range that ends
    beyond all counting only says that large values cost nothing."""
    uncounted = field.wide and isinstance(field.top, int) and field.top >= COUNTED
    return field.high if uncounted else field.top
