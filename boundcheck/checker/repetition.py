"""Whether a statement up to a constant fails without end, as one world is repeated N times.

Where left grows as N^a and right as N^b with a > b, by the laws of `boundcheck.checker.laws`, and
left is positive, no constant serves all N. Numbers and arrays of the world may be multiplied by
powers of N as well, where their domains let them for every N. The laws are not taken on trust:
hypotheses, domains and both sides are computed at N = 2 and 3 too, and must agree with them.

A constant that may depend on functions is refuted by one function that is seen at more and more
points: by blocks, which go on as they began, where a family of the claim shows these very worlds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import isqrt
from types import MappingProxyType

import sympy
from flint import fmpq, fmpq_mat

from boundcheck import exact
from boundcheck.arithmetic import PRECISIONS, Value, precision, sign
from boundcheck.checker.judge import Place, is_admissible
from boundcheck.checker.laws import BLOCKS, COPIES, ZEROS, Laws, NoLaw, governed
from boundcheck.claim import Claim, Holds, UpToConstant
from boundcheck.errors import Undecided, Undefined
from boundcheck.expressions.nodes import rank_of
from boundcheck.worlds.domains import is_between, is_name
from boundcheck.worlds.families import Family
from boundcheck.worlds.fields import (
    Choice,
    Field,
    Gram,
    Integer,
    Matrix,
    Real,
    Symmetric,
    Vector,
    Weights,
    promised,
)
from boundcheck.worlds.kinds import Binary, Projector

Scales = Mapping[str, Fraction]
NOTHING: Scales = MappingProxyType({})
CHECKED = (2, 3)  # times a world is repeated for a second look at its laws
ALONE = (Integer, Real, Choice)
# Powers of N that values may be multiplied by; halves where N is a square.
SCALES = tuple(map(Fraction, ("-1", "1", "-1/2", "1/2", "-2", "2")))
SQUARE = {BLOCKS: (Matrix, Symmetric, Gram, Projector, Binary), COPIES: (Matrix, Symmetric, Binary),
          ZEROS: (Matrix, Symmetric, Projector, Binary)}  # fmt: skip


@dataclass(frozen=True)
class Growth:
    """Powers of N of both sides of one comparison; slow: the right one beside logarithms."""

    left: Fraction
    right: Fraction
    slow: bool


WORDS = {BLOCKS: "N blocks in a direct sum", COPIES: "N equal copies of each part",
         ZEROS: "zeros to N times its size"}  # fmt: skip


def said(powers: Growth, size: str, move: str, scales: Scales = NOTHING) -> dict[str, str]:
    """The law in words."""
    right = _text(powers.right)
    moves = [f"{size} by {WORDS[move]}", *(f"{name} {_text(power)}" for name, power in
                                           sorted(scales.items()))]  # fmt: skip
    return {"growth": ", ".join(moves), "left": _text(powers.left),
            "right": f"{right}, but for logarithms" if powers.slow else right}  # fmt: skip


def _text(power: Fraction) -> str:
    if abs(power) <= 1 and power.denominator == 1:
        return {0: "stays", 1: "grows as N", -1: "falls as 1/N"}[int(power)]
    shown = f"({abs(power)})" if power.denominator > 1 else f"{abs(power)}"
    return f"grows as N^{shown}" if power > 0 else f"falls as 1/N^{shown}"


def growth(
    claim: Claim, size: str, move: str, scales: Scales = NOTHING
) -> tuple[Growth, sympy.Rel, Laws] | None:
    """The first comparison whose left side outgrows its right side; None where none is known to.

    Args: scales: powers of N by which values of the world are multiplied as well.
    """
    form = claim.statement
    if not isinstance(form, UpToConstant) or not _goes_on(claim, form, size, move):
        return None
    if scales and (form.depends or not all(
        _scalable(claim, name, size, power) for name, power in scales.items()
    )):
        return None
    if claim.draw is not None or claim.undefined:
        return None
    if not isinstance(form.inner, Holds) or not _repeats(claim, size, move):
        return None
    for part in members(form.relation):
        laws = Laws(claim, size, move, scales)
        try:
            _kept(laws)
            small, large = sides(part)
            left, (right, slow) = laws.power(small), laws.most(large)
        except NoLaw:
            continue
        if left > right:
            return Growth(left, right, slow), part, laws
    return None


def _goes_on(claim: Claim, form: UpToConstant, size: str, move: str) -> bool:
    """Whether what the constant may depend on is the same at the places that were there before."""
    return not form.depends or (
        move == BLOCKS and size not in form.depends and set(form.depends) <= set(claim.fields)
    )


def shows(
    claim: Claim, family: Family, values: Mapping[str, Value], size: str, move: str
) -> bool:
    """Whether a family has this world and those that repeat it at the sizes that are checked."""
    first = values[size]
    worlds = [family.at(first * n) for n in (1, *CHECKED)]
    wanted = [dict(values), *(repeated(claim, values, size, move, n) for n in CHECKED)]
    return [{name: world.get(name) for name in claim.fields} for world in worlds] == wanted


def fails_without_end(
    claim: Claim, values: Mapping[str, Value], size: str, move: str, family: Family | None = None,
    scales: Scales = NOTHING,
) -> Growth | None:  # fmt: skip
    """The growth if it is certain at this world and seen again where it is repeated.

    Args: family: that shows these worlds, where the constant may depend on something. scales: as of
        `growth`.
    """
    found = growth(claim, size, move, scales)
    if found is None or not is_admissible(claim, values):
        return None
    dependent = bool(getattr(claim.statement, "depends", ()))
    if dependent and (family is None or not shows(claim, family, values, size, move)):
        return None
    powers, part, laws = found
    with precision(PRECISIONS[-1]):
        try:
            first = Place(claim, values)
            signs = [sign(first.value(expr)) for expr, _ in laws.signs]
            met = all(seen is not None and seen * wanted >= 0
                      for seen, (_, wanted) in zip(signs, laws.signs, strict=True))  # fmt: skip
            if not met or sign(first.value(sides(part)[0])) != 1:
                return None
            times = squares(scales)
            worlds = ((n, repeated(claim, values, size, move, n, scales)) for n in times)
            agree = all(agrees(first, part, _factors(first, powers, n), world)
                        for n, world in worlds)  # fmt: skip
        except (Undefined, Undecided):
            return None
    return powers if agree else None


def _factors(first: Place, powers: Growth, n: int) -> list[Value]:
    """By which n repetitions multiply the sides whose law is exact."""
    exact_sides = (powers.left,) if powers.slow else (powers.left, powers.right)
    return [exact.value_of(sympy.Integer(n) ** sympy.Rational(power), first)
            for power in exact_sides]  # fmt: skip


def agrees(
    first: Place, part: sympy.Rel, factors: Sequence[Value], values: Mapping[str, Value]
) -> bool:
    """Whether a larger world is one of the claim, with both sides those of the first world times
    factors; without a factor for the larger side that is not compared."""
    if not is_admissible(first.claim, values):
        return False
    later = Place(first.claim, values)
    for side, factor in zip(sides(part), factors, strict=False):
        gap = exact.add(later.value(side), -exact.multiply(factor, first.value(side)))
        if sign(gap) not in (0, None):
            return False
    return True


def members(relation: sympy.Basic) -> tuple[sympy.Basic, ...]:
    """What a relation asserts side by side."""
    return tuple(relation.args) if isinstance(relation, sympy.And) else (relation,)


def sides(part: sympy.Basic) -> tuple[sympy.Expr, sympy.Expr]:
    """Smaller and larger side. Raises: NoLaw for what is no inequality."""
    if isinstance(part, (sympy.Le, sympy.Lt)):
        return part.lhs, part.rhs
    if isinstance(part, (sympy.Ge, sympy.Gt)):
        return part.rhs, part.lhs
    raise NoLaw(str(part))


def _kept(laws: Laws) -> None:
    """Every hypothesis holds at every N where it holds at the first: both sides grow alike, or the
    larger one, which is not below zero, grows faster."""
    for condition in laws.claim.given:
        for part in condition.args if isinstance(condition, sympy.And) else (condition,):
            if not isinstance(part, sympy.Rel):
                raise NoLaw(str(part))
            try:
                laws.same(part.args)
            except NoLaw:
                small, large = sides(part)
                if any(map(rank_of, part.args)) or laws.power(small) > laws.power(large):
                    raise
                laws.wants(large, 1)


def squares(scales: Scales) -> tuple[int, ...]:
    """How often a world is repeated for a second look: squares where a root of N is asked for."""
    whole = all(power.denominator == 1 for power in scales.values())
    return CHECKED if whole else tuple(n * n for n in CHECKED)


def scalings(claim: Claim, size: str) -> Iterator[dict[str, Fraction]]:
    """Powers of N for one or two values of a claim whose domains let them, simple ones first."""
    allowed = {name: [power for power in SCALES if _scalable(claim, name, size, power)]
               for name in claim.fields}  # fmt: skip
    for count in (1, 2):
        for names in combinations([name for name, powers in allowed.items() if powers], count):
            for powers in product(*(allowed[name] for name in names)):
                yield dict(zip(names, powers, strict=True))


def _scalable(claim: Claim, name: str, size: str, power: Fraction) -> bool:
    """Whether a value stays in its domain times N^power, for every N, and no other domain has it
    for an end."""
    found = claim.fields.get(name)
    named = any(name in map(str, vars(other).values()) for other in claim.fields.values())
    if found is None or power not in SCALES or named:
        return False
    if type(found) is Gram:
        return governed(found, size) and (found.scale is None or power < 0)
    if type(found) is not Real and not (
        type(found) in (Vector, Matrix, Symmetric) and governed(found, size)
    ):
        return False
    ends = _numeric_ends(found)
    if ends is None:
        return False
    low, high = ends
    if power < 0:
        return (low is None or low <= 0) and (high is None or high >= 0)
    return (low is None or low >= 0) and (high is None or high <= 0)


def _repeats(claim: Claim, size: str, move: str) -> bool:
    """Whether every field keeps its promise as a world is repeated."""
    grown = claim.fields.get(size)
    if not isinstance(grown, Integer) or grown.high is not None:
        return False
    return all(_field_repeats(found, size, move) for found in claim.fields.values())


def _field_repeats(found: Field, size: str, move: str) -> bool:
    if getattr(found, "low", None) == size:
        return False
    if type(found) in ALONE:
        return True
    if not governed(found, size):
        return type(found) in (*SQUARE[BLOCKS], Vector, Weights)
    if type(found) in (Vector, Weights):
        return move != ZEROS or may_be_zero(found)
    square = {getattr(found, name, size) for name in ("size", "rows", "cols")} == {size}
    if not square or (type(found) is Gram and move != BLOCKS and found.regular):
        return False
    return type(found) in (*SQUARE[move], Gram) and (move == COPIES or may_be_zero(found))


def may_be_zero(found: Field) -> bool:
    """Whether zero lies in the domain of the entries of a field."""
    if isinstance(found, Weights):
        return found.zeros
    ends = _numeric_ends(found)
    opens = getattr(found, "open_low", False), getattr(found, "open_high", False)
    return ends is not None and is_between(fmpq(0), *ends, *opens)


def _numeric_ends(found: Field) -> tuple[fmpq | None, fmpq | None] | None:
    """The ends of a domain; None where one of them is a name."""
    low, high = getattr(found, "low", None), getattr(found, "high", None)
    return None if is_name(low) or is_name(high) else (promised(low, {}), promised(high, {}))


def repeated(
    claim: Claim, values: Mapping[str, Value], size: str, move: str, times: int,
    scales: Scales = NOTHING,
) -> dict[str, Value]:  # fmt: skip
    """The world repeated some times, with values times powers of that number."""
    made = dict(values)
    made[size] = values[size] * times
    for name, found in claim.fields.items():
        if governed(found, size):
            shared = times if isinstance(found, Weights) and move != ZEROS else 1
            made[name] = _array(values[name], move, times, shared)
    for name, power in scales.items():
        root = isqrt(times) if power.denominator == 2 else times
        made[name] = _times(made[name], fmpq(root) ** power.numerator)
    return made


def _times(value: Value, factor: fmpq) -> Value:
    return tuple(entry * factor for entry in value) if isinstance(value, tuple) else value * factor


def _array(value: Value, move: str, times: int, shared: int) -> Value:
    if isinstance(value, fmpq_mat):
        return fmpq_mat([list(row) for row in _rows(value, move, times)])
    zero = [fmpq(0)] * (len(value) * (times - 1))
    if move == COPIES:
        return tuple(entry / shared for entry in value for _ in range(times))
    return tuple(entry / shared for entry in value * times) if move == BLOCKS else (*value, *zero)


def _rows(matrix: fmpq_mat, move: str, times: int) -> Iterator[list[fmpq]]:
    side = matrix.nrows()
    for i in range(side * times):
        if move == COPIES:
            yield [matrix[i // times, j // times] for j in range(side * times)]
        else:
            block = i // side
            kept = move == BLOCKS or block == 0
            yield [matrix[i % side, j % side] if kept and j // side == block else fmpq(0)
                   for j in range(side * times)]  # fmt: skip
