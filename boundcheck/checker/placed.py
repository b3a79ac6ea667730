"""Whether a statement up to a constant fails without end along vectors that are written by place.

The entries of a vector of some size are ones, k + 1, 1 / (k + 1) or one alone at k = 0, for every
size. Put in their place they leave a claim about numbers alone, whose sums over places are enclosed
as others are (`boundcheck.checker.growing.law`): harmonic sums, rising weights, |i - j|. What was
put in is not taken on trust: both sides are computed in worlds of several sizes and must be those
of the claim itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import sympy
from flint import fmpq

from boundcheck import exact
from boundcheck.arithmetic import PRECISIONS, Value, precision, sign
from boundcheck.checker.by_place import FORMS, First, Form, Writing
from boundcheck.checker.growing import law
from boundcheck.checker.judge import Place, is_admissible
from boundcheck.checker.laws import NoLaw, governed
from boundcheck.checker.ray import Ray
from boundcheck.checker.repetition import members, sides
from boundcheck.claim import Claim, Holds, UpToConstant
from boundcheck.errors import MalformedStatement, Undecided, Undefined
from boundcheck.worlds.fields import Integer, Vector, number_at
from boundcheck.worlds.space import Space

BY_PLACE = "entries by their places"
LEAST = 3  # places of a world
POWERS = (1, 64)  # of t, as which a size grows; log t^64 is soon beside what is added to it
LATER = (0, 1, 3, 6)  # more places, at which a written claim must be the claim itself


def said(size: str, forms: Mapping[str, str], words: str) -> dict[str, str]:
    """The law in words."""
    entries = ", ".join(f"{name}[k] = {FORMS[form].words}" for name, form in sorted(forms.items()))
    return {"growth": f"{size} with {entries}", "law": words}


def placeable(claim: Claim, size: str) -> list[str]:
    """Names of the vectors of a size, if no other value of the worlds is as long."""
    form, grown = claim.statement, claim.fields.get(size)
    if not isinstance(form, UpToConstant) or not isinstance(form.inner, Holds) or form.depends:
        return []
    if claim.draw is not None or claim.undefined or type(grown) is not Integer or (
        grown.high is not None
    ):
        return []
    own = [name for name, field in claim.fields.items() if governed(field, size)]
    return own if all(type(claim.fields[name]) is Vector for name in own) else []


def world_of(
    values: Mapping[str, Value], size: str, forms: Mapping[str, str], many: int
) -> dict[str, Value]:
    """The world of one size whose vectors are written so."""
    made: dict[str, Value] = {**values, size: many}
    for name, form in forms.items():
        made[name] = tuple(_number(FORMS[form], k) for k in range(many))
    return made


def _number(form: Form, place: int) -> fmpq:
    entry = form.entry(sympy.Integer(place))
    if isinstance(entry, First):
        return fmpq(int(place == 0))
    return fmpq(int(entry.p), int(entry.q))


def fails_by_place(
    claim: Claim, values: Mapping[str, Value], size: str, forms: Mapping[str, str]
) -> str:
    """How left outgrows right as the size of vectors that are written so grows, in words; "" where
    that is not certain. Args: values: a world with such vectors. forms: of each of them."""
    names = placeable(claim, size)
    if not all(isinstance(form, str) and form in FORMS for form in forms.values()):
        return ""
    if not names or set(names) != set(forms) or not all(
        _holds(claim, name, FORMS[form]) for name, form in forms.items()
    ):
        return ""
    if int(values[size]) < LEAST or world_of(values, size, forms, int(values[size])) != values:
        return ""
    try:
        written = _written(claim, size, forms)
    except (NoLaw, MalformedStatement):
        return ""
    start = {name: values[name] for name in claim.fields if name not in forms}
    plain = Ray(start, {size: fmpq(1)}, {})
    for power in POWERS:
        words = law(written, Ray(start, {size: fmpq(power)}, {}), slower=plain)
        if words:
            told = f"as {values[size]} t^{power}, {words}" if power > 1 else words
            return told if _same(claim, written, values, size, forms) else ""
    return ""


def _holds(claim: Claim, name: str, form: Form) -> bool:
    """Whether the domain of entries holds those of a form."""
    field = claim.fields[name]
    ends = (field.low, field.high)
    if any(isinstance(end, str) and number_at(end) is None for end in ends):
        return False
    low, high = map(number_at, ends)
    below = low is None or form.least > low or (
        form.least == low and not (field.open_low and form.attained))
    above = high is None or (form.most is not None and (
        form.most < high or (form.most == high and not field.open_high)))
    return below and above


def _same(
    claim: Claim, written: Claim, values: Mapping[str, Value], size: str, forms: Mapping[str, str]
) -> bool:
    """Whether the worlds are ones of the claim, with both sides those of what was written."""
    pairs = list(zip(*(members(each.statement.relation) for each in (claim, written)), strict=True))
    with precision(PRECISIONS[-1]):
        try:
            for more in LATER:
                world = world_of(values, size, forms, int(values[size]) + more)
                rest = {name: world[name] for name in written.fields}
                here = Place(written, rest)
                if not is_admissible(claim, world) or not is_admissible(written, rest):
                    return False
                for old, new in pairs:
                    if not _equal(Place(claim, world), old, here, new):
                        return False
        except (Undefined, Undecided):
            return False
    return True


def _equal(claimed: Place, old: sympy.Rel, written: Place, new: sympy.Rel) -> bool:
    for one, other in zip(old.args, new.args, strict=True):
        gap = exact.add(claimed.value(one), -written.value(other))
        if sign(gap) not in (0, None):
            return False
    return True


def _written(claim: Claim, size: str, forms: Mapping[str, str]) -> Claim:
    """The claim without its vectors. Raises: NoLaw where no rule writes it."""
    writing = Writing(claim, size, forms)
    parts = []
    for part in members(claim.statement.relation):
        sides(part)
        parts.append(part.func(*map(writing.of, part.args), evaluate=False))
    given = tuple(condition for condition in map(writing.condition, claim.given)
                  if condition != sympy.true)  # fmt: skip
    if sympy.false in given:
        raise NoLaw("a hypothesis fails")
    relation = parts[0] if len(parts) == 1 else sympy.And(*parts, evaluate=False)
    fields = {name: field for name, field in claim.fields.items() if name not in forms}
    kept = {s: q for s, q in claim.measure.items() if not writing.touched(s)}
    worlds = None if claim.worlds is None else Space(
        **{name: fields[name] for name in claim.worlds.fields if name in fields})
    return replace(claim, statement=claim.statement.with_relation(relation), given=given,
                   worlds=worlds, measure=kept, families=(), trivial=None, rescalings=(),
                   uses=())  # fmt: skip
