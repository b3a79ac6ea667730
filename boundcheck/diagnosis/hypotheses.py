"""Hypotheses that a failing statement may lack: from its parameters and from its world space.

Conditions on numbers restrict the worlds of the claim. Conditions on structure (centred noise, a
start at zero, equal weights) replace a field of the space by one that builds nothing else.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy

from boundcheck.claim import Claim
from boundcheck.diagnosis.domain import ends, kind_of
from boundcheck.diagnosis.related import (
    MeanZero,
    commuting,
    invertible,
    normalised,
    of_full_mass,
    signed_factors,
    uncorrelated,
    without_drift,
)
from boundcheck.diagnosis.shaped import Centred, Constant, Mirrored
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.symbols import Known
from boundcheck.library import Library
from boundcheck.setting import INEQUALITIES, guarded, sides
from boundcheck.worlds.composed import NoiseLaws
from boundcheck.worlds.fields import (
    Choice,
    Field,
    Gram,
    Increasing,
    Integer,
    Matrix,
    Real,
    Symmetric,
    Vector,
    Weights,
    number_at,
)

NUMBERS = (1, 2)
REVERSED = {sympy.Gt: sympy.Lt, sympy.Ge: sympy.Le}
MOST = 60
ORIGINS = ("start", "initial", "noise", "target", "offset", "shift")  # what may begin at zero


@dataclass(frozen=True)
class Hypothesis:
    """A claim under one more hypothesis, said in words.

    Args: structural: whether it is on what worlds are made of. mirrored: whether it is a printed
    one with two things in the place of one another.
    """

    words: str
    claim: Claim
    structural: bool = False
    mirrored: bool = False


def tightened(claim: Claim) -> Iterator[Hypothesis]:
    """A claim with one printed bound by a number halved: eta < 1/4 for eta < 1/2.

    Bounds of levels are left alone.
    """
    for place, condition in enumerate(claim.given):
        if not isinstance(condition, INEQUALITIES) or not isinstance(condition.lts, sympy.Symbol):
            continue
        high = condition.gts
        if not high.is_number or not high.is_positive or high == 1:
            continue
        half = condition.func(*(arg / 2 if arg == high else arg for arg in condition.args))
        given = (*claim.given[:place], half, *claim.given[place + 1 :])
        yield Hypothesis(f"the hypothesis {half}", replace(claim, given=given), True)


def hypotheses(claim: Claim) -> list[Hypothesis]:
    """Claims under one more hypothesis each: conditions on numbers, then on structure."""
    found = [
        Hypothesis(f"the hypothesis {condition}", replace(claim, given=(*claim.given, condition)))
        for condition in list(dict.fromkeys(_conditions(claim)))[:MOST]
        if condition not in claim.given
    ]
    return [*found, *_structures(claim), *_mirrored(claim)]


def _mirrored(claim: Claim) -> Iterator[Hypothesis]:
    """A printed hypothesis on two things of a kind, and the same with each in the place of the
    other: q <= exp(eps) p beside p <= exp(eps) q."""
    for condition in claim.given:
        shown = {symbol: found.shown for symbol in condition.free_symbols
                 if isinstance(found := claim.measure.get(symbol), Definition)}  # fmt: skip
        things = sorted({thing for body in shown.values() for thing in body.atoms(Known)
                         if thing.rank and thing.name in claim.fields}, key=str)  # fmt: skip
        for one, two in itertools.combinations(things, 2):
            if kind_of(claim, one) != kind_of(claim, two):
                continue
            try:
                other = condition.xreplace(
                    {symbol: body.xreplace({one: two, two: one}) for symbol, body in shown.items()})
                both = replace(claim, given=(*claim.given, other))
            except Exception:  # shapes that do not fit, or nothing is left to ask
                continue
            if isinstance(other, type(condition)) and str(other) != str(condition):
                yield Hypothesis(f"the hypothesis {other}", both, structural=True, mirrored=True)


def _conditions(claim: Claim) -> Iterator[sympy.Basic]:
    yield from _domains(claim)
    yield from signed_factors(claim.statement.relation)
    sizes = [symbol for symbol, field in _fields(claim) if isinstance(field, Integer)]
    reals = [
        symbol for symbol, field in _fields(claim)
        if isinstance(field, Real) and symbol in claim.parameters
    ]  # fmt: skip
    for size in sizes:
        yield sympy.Ge(size, 2, evaluate=False)
    for real in reals:
        yield from _ranges(real, claim.parameters[real])
    for name, field in claim.worlds.fields.items() if claim.worlds is not None else ():
        if isinstance(field, Real):
            yield from _ranges(sympy.Symbol(name, real=True), field)
    signed = [real for real in reals if claim.parameters[real].low is None]
    if len(signed) > 1:
        yield sympy.And(*(sympy.Gt(real, 0, evaluate=False) for real in signed), evaluate=False)
    for first, second in itertools.permutations(sizes, 2):
        yield sympy.Le(first, second, evaluate=False)
    for first, second in itertools.permutations(reals, 2):
        yield sympy.Le(first, second, evaluate=False)
    for size, real in itertools.product(claim.parameters, reals):  # a tail above a mean
        if size in sizes and ends(claim, real)[0] is not None:
            yield from (kind(size, real, evaluate=False) for kind in (sympy.Ge, sympy.Le))
    for first, second in itertools.permutations(reals, 2):
        if claim.statement.relation.has(sympy.sqrt(second)):
            yield sympy.Ge(first, sympy.sqrt(second), evaluate=False)
            yield sympy.Le(first, sympy.sqrt(second), evaluate=False)
    for size in sorted(claim.statement.relation.atoms(sympy.Abs), key=str):
        for real in reals if size.args[0] in reals else ():
            if ends(claim, real)[0] is not None:
                yield sympy.Ge(size, real, evaluate=False)
                yield sympy.Le(size, real, evaluate=False)
    positive = [real for real in reals if (low := ends(claim, real)[0]) is not None and low >= 0]
    for first, second in itertools.combinations(sorted(positive, key=str), 2):
        yield sympy.Le(second, 1 / first, evaluate=False)  # a step at most one over a curvature
    compared = [sides(part) for _, part in guarded(claim.statement.relation)]
    # What is bounded, also from below by a number: a hypothesis on it would be the statement.
    bounded = set().union(*(small.free_symbols for small, _ in compared))
    bounded |= {large for small, large in compared if small.is_number}
    for symbol in claim.measure:
        fixed = _is_fixed(claim, symbol)
        if fixed and symbol not in bounded:
            if not _counts(claim, symbol):  # a number of things is not none
                yield sympy.Eq(symbol, 0, evaluate=False)
            yield sympy.Ge(symbol, 0, evaluate=False)
            yield from (sympy.Le(symbol, real, evaluate=False) for real in reals)
        alone = {small for small, large in compared if small not in large.free_symbols} | {
            side for pair in compared if any(end.is_number for end in pair) for side in pair}
        if fixed and symbol not in alone and not _counts(claim, symbol):
            yield sympy.Le(symbol, 1, evaluate=False)


def _is_fixed(claim: Claim, symbol: sympy.Symbol) -> bool:
    """Whether what is measured is a number of the world, and not of what is drawn in it."""
    return bool(symbol.is_commutative) and symbol.name not in claim.random_names


def _counts(claim: Claim, symbol: sympy.Symbol) -> bool:
    """Whether the values of a symbol come from integers alone."""
    read = [claim.fields[name] for name in claim.reached([symbol.name]) if name in claim.fields]
    return bool(read) and all(isinstance(field, (Choice, Integer)) for field in read)


def _domains(claim: Claim) -> Iterator[sympy.Basic]:
    """What logarithms, roots and quotients of parameters in a statement ask for, and those of a
    difference that is measured, solved for a symbol that stands alone."""
    fixed = {symbol for symbol in claim.measure if _is_fixed(claim, symbol)}
    sides_of = {side for _, part in guarded(claim.statement.relation) for side in part.args}
    for part in sorted((p for side in sides_of for p in side.atoms(sympy.log, sympy.Pow)), key=str):
        inner = part.args[0]
        known = {*claim.parameters, *(fixed if inner.is_Add else ())}
        if not inner.free_symbols or not inner.free_symbols <= known:
            continue
        if isinstance(part, sympy.log) or (part.exp.is_negative and not inner.is_Symbol):
            yield _solved(sympy.Gt, inner)
        elif part.exp.is_Rational and not part.exp.is_Integer:
            yield _solved(sympy.Ge, inner)


def _solved(kind: type[sympy.Rel], expr: sympy.Expr) -> sympy.Basic:
    """expr > 0 as x > c, x < c or x < y, where that is what it says."""
    terms = sorted(sympy.Add.make_args(expr), key=lambda term: term.is_Symbol)
    if len(terms) == 2 and terms[1].is_Symbol and (-terms[0]).is_Symbol:
        return REVERSED[kind](-terms[0], terms[1], evaluate=False)
    for symbol in expr.free_symbols if len(expr.free_symbols) == 1 else ():
        rest = expr.coeff(symbol, 0)
        if (expr - symbol - rest).expand() == 0:
            return kind(symbol, -rest, evaluate=False)
        if (expr + symbol - rest).expand() == 0:
            return REVERSED[kind](symbol, rest, evaluate=False)
    return kind(expr, 0, evaluate=False)


def _ranges(real: sympy.Symbol, field: Real) -> Iterator[sympy.Basic]:
    """Bounds of a number by small ones, the weakest first, one of either sign at zero."""
    signed = field.low is None or (field.literal_ends() and field.literal_ends()[0] < 0)
    if signed:
        yield sympy.Ge(real, -1, evaluate=False)
    yield sympy.Ge(real, 0, evaluate=False)
    yield sympy.Gt(real, 0, evaluate=False)
    for number in NUMBERS:
        yield sympy.Ge(real, number, evaluate=False)
        yield sympy.Le(real, sympy.Rational(1, number), evaluate=False)
    if signed:
        yield sympy.Le(real, 0, evaluate=False)


def asks_for_large(claim: Claim) -> bool:
    """Whether the last hypothesis keeps a real number away from zero, above a number."""
    condition = claim.given[-1] if claim.given else sympy.true
    above = isinstance(condition, (sympy.Ge, sympy.Gt)) and condition.rhs in NUMBERS
    real = isinstance(dict(_fields(claim)).get(condition.lhs), Real) if above else False
    return above and real


def stated_domains(key: str, library: Library) -> Iterator[Hypothesis]:
    """A claim on the worlds and under the hypotheses that its neighbours state."""
    claim, seen = library[key], []
    own = _field_names(claim)
    for other in library.siblings(key):
        its = library[other]
        if its.undefined or _field_names(its) != own or its.draw is not claim.draw:
            continue
        if any(its.measured.get(name) is not quantity for name, quantity in claim.measured.items()):
            continue
        more = [c for c in its.given if c not in claim.given
                and {s.name for s in c.free_symbols} <= claim.names]  # fmt: skip
        fields = {symbol.name: field for symbol, field in its.parameters.items()}
        parameters = {symbol: fields[symbol.name] for symbol in claim.parameters}
        theirs = dict(its.worlds.fields) if its.worlds is not None else None
        worlds = claim.worlds and claim.worlds.and_fields(**(theirs or {}))
        basis = (theirs, fields, more)
        if basis in seen or (parameters == dict(claim.parameters) and not more
                             and _same_worlds(claim, its)):  # fmt: skip
            continue
        seen.append(basis)
        changed = replace(claim, given=(*claim.given, *more), worlds=worlds, parameters=parameters)
        asked = " and ".join(map(str, more))
        alike = parameters == dict(claim.parameters) and _same_worlds(claim, its)
        words = f"the hypothesis {asked}" if more and alike else (
            f"the domain of {other.partition(':')[2]}")
        yield Hypothesis(f"{words} ({its.source.where})", changed, True)


def _field_names(claim: Claim) -> tuple[tuple[str, ...], frozenset[str]]:
    """Names of world fields in order, and of parameters."""
    worlds = () if claim.worlds is None else tuple(claim.worlds.fields)
    return worlds, frozenset(symbol.name for symbol in claim.parameters)


def _same_worlds(claim: Claim, other: Claim) -> bool:
    if claim.worlds is None or other.worlds is None:
        return claim.worlds is other.worlds
    return dict(claim.worlds.fields) == dict(other.worlds.fields)


def _fields(claim: Claim) -> list[tuple[sympy.Symbol, Any]]:
    own = list(claim.parameters.items())
    if claim.worlds is not None:
        own += [(sympy.Symbol(n, real=True), field) for n, field in claim.worlds.fields.items()]
    return own


def fields_of_numbers(claim: Claim) -> list[sympy.Symbol]:
    """Symbols of the sizes and numbers that a claim is about, its parameters first."""
    return [symbol for symbol, field in _fields(claim) if isinstance(field, (Integer, Real))]


def _structures(claim: Claim) -> Iterator[Hypothesis]:
    if claim.worlds is None:
        return
    fields = claim.worlds.fields
    single = (item for name, field in fields.items()
              for item in _structured(name, field, fields))  # fmt: skip
    for words, changed in (*of_full_mass(claim), *without_drift(fields), *single,
                           *_jointly(fields), *_definite(fields), *uncorrelated(fields),
                           *commuting(fields), *invertible(claim), *normalised(claim)):
        space = claim.worlds.and_fields(**changed)
        yield Hypothesis(f"the hypothesis that {words}", replace(claim, worlds=space), True)


def _jointly(fields: Mapping[str, Field]) -> Iterator[tuple[str, dict[str, Field]]]:
    """All vectors of any sign as nonnegative ones, if there are several."""
    signed = {name: field for name, field in fields.items()
              if isinstance(field, Vector) and field.low not in (0, "0")}  # fmt: skip
    if len(signed) > 1:
        above: dict[str, Field] = {name: replace(field, low=0, searched=None)
                                   for name, field in signed.items()}  # fmt: skip
        yield f"{' and '.join(signed)} are nonnegative", above


def _definite(fields: Mapping[str, Field]) -> Iterator[tuple[str, dict[str, Field]]]:
    """Every matrix of any sign, or of no symmetry, as one that is semi-definite, or symmetric."""
    signed = {name: field for name, field in fields.items()
              if isinstance(field, Symmetric) and field.low is field.high is None}  # fmt: skip
    if len(signed) > 1:
        for name, field in signed.items():
            yield f"{name} is positive semi-definite", {name: Gram(field.size)}
    for kind, regular in (("semi-definite", False), ("definite", True)) if signed else ():
        words = f"{' and '.join(signed)} {'is' if len(signed) == 1 else 'are'}"
        positive: dict[str, Field] = {name: Gram(field.size, regular=regular)
                                      for name, field in signed.items()}  # fmt: skip
        yield f"{words} positive {kind}", positive
    free = {name: field for name, field in fields.items()
            if isinstance(field, Matrix) and field.rows == field.cols}  # fmt: skip
    if free:
        words = f"{' and '.join(free)} {'is' if len(free) == 1 else 'are'}"
        yield f"{words} symmetric", {
            name: Symmetric(field.rows, field.low, field.high, field.searched)
            for name, field in free.items()
        }
        if all(field.low is field.high is None for field in free.values()):
            definite: dict[str, Field] = {name: Gram(field.rows) for name, field in free.items()}
            yield f"{words} positive semi-definite", definite


def _takes_signs(field: Vector) -> bool:
    """Whether entries may be negative: else of mean zero are none but zeros."""
    low = number_at(field.low)
    return low is None or low < 0


def _structured(
    name: str, field: Field, fields: Mapping[str, Field]
) -> Iterator[tuple[str, dict[str, Field]]]:
    if isinstance(field, NoiseLaws) and not field.centred:
        yield f"{name} is centred", {name: replace(field, centred=True)}
    if isinstance(field, Vector):
        if name.startswith(ORIGINS):
            yield f"{name} is zero", {name: Constant(field, "zero")}
        if field.low not in (0, "0"):
            above = replace(field, low=0, searched=None)
            yield f"{name} is nonnegative", {name: above}
        for other, weights in fields.items():
            if isinstance(weights, Weights) and weights.size == field.size and _takes_signs(field):
                if list(fields).index(other) < list(fields).index(name):
                    yield f"{name} has mean zero", {name: MeanZero(field, other)}
                mirrored = {name: Centred(field), other: Mirrored(weights)}
                yield f"{name} is symmetric about zero", mirrored
        if type(field) is Vector and any(
            type(other) is Increasing and other.size == field.size for other in fields.values()
        ):
            yield f"{name} is increasing", {name: Increasing(**vars(field))}
        if field.high is None:
            below = replace(field, high=1, searched=None if field.low is not None else (-3, 1))
            yield f"{name} is at most 1", {name: below}
        for low in (-1, 0):
            if field.high is None and field.low in ((None,) if low else (None, 0, "0")):
                bounded = replace(field, low=low, high=1, searched=None)
                yield f"{name} lies within [{low}, 1]", {name: bounded}
    if isinstance(field, Weights):
        yield f"{name} is uniform", {name: Constant(field, "equal")}
