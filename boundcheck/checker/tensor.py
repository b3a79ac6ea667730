"""Whether a statement up to a constant fails without end along Kronecker powers of one world.

Matrices, vectors and laws of some sizes become A (x) A (x) ... (x) A, N times; what is
multiplicative, as a norm, a trace, a rank or a sum of products of entries, becomes f b^N, f and b
numbers of the world itself. Where b of the left side is above that of the right side, no constant
serves all N. The law is not taken on trust: hypotheses, domains and both sides are computed at a
second and, of two rows, a third power too, and must agree with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import sympy
from flint import fmpq, fmpq_mat

from boundcheck.arithmetic import PRECISIONS, Value, precision, sign
from boundcheck.checker.judge import Place, is_admissible
from boundcheck.checker.laws import NoLaw, governed
from boundcheck.checker.multiplicative import Powers
from boundcheck.checker.repetition import ALONE, agrees, members, sides
from boundcheck.claim import Claim, Holds, UpToConstant
from boundcheck.errors import Undecided, Undefined
from boundcheck.worlds.domains import is_name
from boundcheck.worlds.fields import (
    Field,
    Gram,
    Integer,
    Matrix,
    Symmetric,
    Vector,
    Weights,
    number_at,
)
from boundcheck.worlds.kinds import Binary, Independent, Projector

TENSOR = "Kronecker powers"
LARGEST = 16  # rows of a world that is computed for a second look
ENTRIES, ALWAYS = (Matrix, Symmetric, Vector), (Binary, Independent, Projector, Weights)
# Ends of domains that hold the products of what they hold.
CLOSED = (None, None), (0, None), (0, 1), (-1, 1), (1, None)


class Law(NamedTuple):
    """Of one comparison: the left side is f b^N, the right one at most as such.

    Args: left, right: the bases b; of the right side those of all its terms. whole: whether the
        right side has one term and no logarithm. positive: numbers that are to be above zero at
        the world itself. signs: what is to be zero at least.
    """

    part: sympy.Rel
    left: sympy.Expr
    right: tuple[sympy.Expr, ...]
    whole: bool
    positive: tuple[sympy.Expr, ...]
    signs: tuple[sympy.Expr, ...]


def said(law: Law, size: str) -> dict[str, str]:
    """The law in words."""
    most = " or ".join(dict.fromkeys(map(str, law.right)))
    return {"growth": f"{size} by Kronecker powers of one world",
            "left": f"is multiplied by its {law.left} with every step",
            "right": f"{'' if law.whole else 'at most '}by its {most}"}  # fmt: skip


def sides_of(field: Field) -> set[Any]:
    """What says how long an array is along its sides."""
    return {getattr(field, name, None) for name in ("size", "rows", "cols")} - {None}


def together(fields: Mapping[str, Field], size: str) -> frozenset[str]:
    """The sizes that must become powers with one of them: those of the other sides of matrices."""
    found, before = {size}, set[str]()
    while found != before:
        before = set(found)
        for field in fields.values():
            own = sides_of(field)
            if own & found:
                found |= {str(name) for name in own}
    return frozenset(found)


def laws(claim: Claim, size: str) -> list[Law]:
    """Laws of the comparisons that have one as the worlds become powers."""
    form = claim.statement
    if not isinstance(form, UpToConstant) or not isinstance(form.inner, Holds):
        return []
    names = together(claim.fields, size)
    if form.depends or claim.draw is not None or claim.undefined or not _stays(claim, names):
        return []
    found = []
    for part in members(form.relation):
        powers = Powers(claim, names)
        try:
            _kept(powers)
            found.append(_of(powers, part))
        except NoLaw:
            continue
    return found


def _of(powers: Powers, part: sympy.Basic) -> Law:
    small, large = sides(part)
    left = powers.of(small)
    right, whole = powers.most(large)
    return Law(part, left.base, tuple(right), whole, (left.factor, left.base),
               tuple(powers.signs))  # fmt: skip


def _kept(powers: Powers) -> None:
    """Every hypothesis holds at every N where it holds at the first: with 0 <= b <= b' and
    0 <= f' b', f b <= f' b' gives f b^N <= f' b'^N.

    Raises: NoLaw for others.
    """
    for condition in powers.claim.given:
        for part in condition.args if isinstance(condition, sympy.And) else (condition,):
            small, large = (powers.of(side) for side in sides(part))
            if small.dims or large.dims:
                raise NoLaw(str(part))
            for wanted in (small.base, large.base - small.base, large.factor * large.base):
                powers.wants(wanted)


def _stays(claim: Claim, names: frozenset[str]) -> bool:
    """Whether every field keeps its promise as the sizes become powers."""
    for name in names:
        grown = claim.fields.get(name)
        if type(grown) is not Integer or grown.high is not None or is_name(grown.low):
            return False
    return all(_field_stays(found, names) for name, found in claim.fields.items()
               if name not in names)  # fmt: skip


def _field_stays(found: Field, names: frozenset[str]) -> bool:
    if {getattr(found, end, None) for end in ("low", "high", "scale")} & names:
        return False
    if not any(governed(found, name) for name in names):
        return type(found) in (*ALONE, *ENTRIES, *ALWAYS, Gram)
    if not sides_of(found) <= names:
        return False
    ends = [getattr(found, end, None) for end in ("low", "high", "scale")]
    if any(map(is_name, ends)):
        return False
    low, high, scale = map(number_at, ends)
    if type(found) in ENTRIES:
        return _holds_products(found, low, high)
    return type(found) in ALWAYS or (type(found) is Gram and (scale is None or scale <= 1))


def _holds_products(found: Field, low: fmpq | None, high: fmpq | None) -> bool:
    """Whether the domain of entries holds the products of what it holds."""
    if low == -1 and getattr(found, "open_high", False) and not getattr(found, "open_low", False):
        return False  # one is the square of minus one
    return any(low == least and high == most for least, most in CLOSED)


def powered(claim: Claim, values: Mapping[str, Value], size: str, times: int) -> dict[str, Value]:
    """The world with Kronecker powers of its arrays."""
    names = together(claim.fields, size)
    made = dict(values)
    for name, found in claim.fields.items():
        if name in names:
            made[name] = values[name] ** times
        elif any(governed(found, each) for each in names):
            made[name] = _power(values[name], times)
    return made


def _power(value: Any, times: int) -> Any:
    """
    >>> _power((fmpq(1), fmpq(2)), 2)
    (1, 2, 2, 4)
    """
    found = value
    for _ in range(times - 1):
        found = _kronecker(found, value)
    return found


def _kronecker(left: Any, right: Any) -> Any:
    if isinstance(left, tuple):
        return tuple(a * b for a in left for b in right)
    rows, cols = right.nrows(), right.ncols()
    return fmpq_mat(left.nrows() * rows, left.ncols() * cols, [
        left[i // rows, j // cols] * right[i % rows, j % cols]
        for i in range(left.nrows() * rows) for j in range(left.ncols() * cols)])  # fmt: skip


def seen_at(values: Mapping[str, Value], names: frozenset[str]) -> tuple[int, ...]:
    """Powers at which a law is looked at again; none of a world that is too large or of one row."""
    side = max(int(values[name]) for name in names)
    if side < 2 or min(int(values[name]) for name in names) < 1:
        return ()
    return tuple(times for times in (2, 3) if side**times <= LARGEST)


def fails_as_power(claim: Claim, values: Mapping[str, Value], size: str) -> Law | None:
    """The law if left certainly outgrows right by it, and is seen to where this world is a power.
    """
    found, names = laws(claim, size), together(claim.fields, size)
    times = seen_at(values, names) if found else ()
    if not times or not is_admissible(claim, values):
        return None
    with precision(PRECISIONS[-1]):
        certain = (law for law in found if _certain(claim, values, law, size, times))
        return next(certain, None)


def _certain(
    claim: Claim, values: Mapping[str, Value], law: Law, size: str, times: tuple[int, ...]
) -> bool:
    first = Place(claim, values)
    gaps = [law.left - sympy.Abs(base) for base in law.right]
    try:
        if any(sign(first.value(expr)) != 1 for expr in (*law.positive, *gaps)):
            return False
        if any(sign(first.value(expr)) not in (0, 1) for expr in law.signs):
            return False
        bases = (law.left, *law.right) if law.whole else (law.left,)
        return all(agrees(first, law.part, [first.value(base ** (n - 1)) for base in bases],
                          powered(claim, values, size, n)) for n in times)  # fmt: skip
    except (Undefined, Undecided, ArithmeticError):
        return False
