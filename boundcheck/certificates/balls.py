"""Terms and relations on boxes, in ball arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flint import arb

from boundcheck.certificates.polynomials import rational
from boundcheck.certificates.terms import Relation, Term, parts_of, whole_number

Balls = Mapping[str, arb]


class NoValue(Exception):
    """A part has no value somewhere in the box, or none that balls can give."""


def ball(term: Term, values: Balls) -> arb:
    """A ball that holds every value of a term on a box. Raises: NoValue."""
    if isinstance(term, str):
        return arb(rational(term))
    head, *args = term
    if head == "x":
        if args[0] not in values:
            raise NoValue(f"{args[0]} is free")
        return values[str(args[0])]
    if head in ("at", "sum"):
        raise NoValue("entries of rows have no ball")
    if head == "pi":
        return arb.pi()
    if head == "piecewise":
        return _first_piece(args, values)
    if head == "^":
        return _power(args[0], args[1], values)
    inner = [ball(arg, values) for arg in args]
    rule = RULES.get(str(head))
    if rule is None:
        raise NoValue(f"{head} has no ball")
    found: arb = rule(*inner)
    if not found.is_finite():
        raise NoValue(f"{head} may have no value")
    return found


def _power(base: Term, exponent: Term, values: Balls) -> arb:
    below = ball(base, values)
    whole = whole_number(exponent)
    if whole is not None:
        if whole < 0 and below.contains(0):
            raise NoValue("a denominator may be zero")
        return below**whole
    rise = ball(exponent, values)
    if isinstance(exponent, str) and rational(exponent).q == 2 and below >= 0:
        found = below.sqrt() ** int(rational(exponent).p)
    elif below > 0:
        found = (below.log() * rise).exp()
    else:
        raise NoValue("a base may be negative")
    if not found.is_finite():
        raise NoValue("a power may have no value")
    return found


def _logarithm(value: arb) -> arb:
    if not value > 0:
        raise NoValue("the argument of a logarithm may be no positive number")
    return value.log()


def _added(*values: arb) -> arb:
    return sum(values, arb(0))


def _multiplied(*values: arb) -> arb:
    total = arb(1)
    for value in values:
        total *= value
    return total


def _largest(*values: arb) -> arb:
    total = values[0]
    for value in values[1:]:
        total = total.max(value)
    return total


def _least(*values: arb) -> arb:
    return -_largest(*[-value for value in values])


RULES: dict[str, Any] = {
    "+": _added, "*": _multiplied, "exp": arb.exp, "log": _logarithm, "abs": abs,
    "max": _largest, "min": _least, "sin": arb.sin, "cos": arb.cos, "tanh": arb.tanh,
    "erf": arb.erf,
}  # fmt: skip


def _first_piece(pieces: list[Term], values: Balls) -> arb:
    for value, condition in parts_of(pieces):
        met = truth(condition, values)
        if met is True:
            return ball(value, values)
        if met is None:
            raise NoValue("a condition is open")
    raise NoValue("no piece applies")


def truth(relation: Relation, values: Balls) -> bool | None:
    """Whether a relation surely holds, or surely fails, everywhere on a box; None if open."""
    head, *args = relation
    if head in ("and", "or"):
        found = [truth(arg, values) for arg in args]  # type: ignore[arg-type]
        stop = head == "or"
        if stop in found:
            return stop
        return None if None in found else not stop
    if head == "not":
        inner = truth(args[0], values)  # type: ignore[arg-type]
        return None if inner is None else not inner
    if head == "implies":
        return truth(("or", ("not", args[0]), args[1]), values)
    try:
        gap = ball(args[1], values) - ball(args[0], values)
    except NoValue:
        return None
    return _sign(str(head), gap)


def _sign(kind: str, gap: arb) -> bool | None:
    if kind in ("=", "!="):
        if not gap.contains(0):
            return kind == "!="
        return kind == "=" if gap.is_zero() else None
    if kind == "<=":
        return True if gap >= 0 else False if gap < 0 else None
    return True if gap > 0 else False if gap <= 0 else None
