"""The number that a bound should have had: the least that no world refutes, if it is a plain one.

Where multiples of a number were said instead of it, (b - a)^2/5 for (b - a)^2/4, the worlds tell
how far it must move. A plain number close to there is what was meant.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import sympy

from boundcheck.diagnosis.change import Change
from boundcheck.diagnosis.edits import changed_relation
from boundcheck.diagnosis.enlarged import fails_enlarged
from boundcheck.diagnosis.pointless import bounds_no_chance, leaves_a_number, says_nothing_of
from boundcheck.diagnosis.pool import Table
from boundcheck.diagnosis.screen import Candidate
from boundcheck.setting import INEQUALITIES, Setting, sides

if TYPE_CHECKING:
    from boundcheck.claim import Form
    from boundcheck.diagnosis.case import Case

FARTHEST = 16.0  # factor by which a number moves, at most
HALVINGS = 40
ATTAINED, NEAR = 1e-6, 0.02  # how far above the least a plain number lies
APPROACHED = 1e-4  # the same of e or a half of pi, which no world attains
FAR = 0.3  # the same in the exponent of a tail, where nothing is near
PLAIN, PLAINER, PLAINEST = 24, 8, 4  # numerator and denominator together, attained, near or far
COSTS = {True: 2.2, False: 2.6}  # of one that some world attains, and of one that none does
WITHIN = 0.05  # what a number costs more within what is bounded
NEW, UNPRINTED = 0.08, "the factor 1"  # what one costs more where none is printed
ODD = 0.3  # what one costs more that is 2/5 of e, or log(2) in an exponent
FARTHER = 0.01  # what one costs more that moves by a larger factor than another one
PLACES, FOUND = 6, 3  # numbers that are moved, and changes found that are enough
TRIED, SHORT = 5, 0.12  # plain numbers for each place; share of a trial
LEAST_WORLDS = 24  # that tell a number; of a few given numbers each is mended by some other
LATEST = 8  # of the worlds that refuted other changes
STEP = sympy.Symbol("step", positive=True)


@dataclass(frozen=True)
class Place:
    """A number in a relation. Args: value: as printed. relation: with `STEP` times the number."""

    value: sympy.Rational
    relation: sympy.Basic
    shown: str

    @property
    def rate(self) -> bool:
        """Whether it stands in the exponent of a tail, where print rounds what no formula gives."""
        return any(node.has(STEP) for node in self.relation.atoms(sympy.exp))


def sharpened(case: Case) -> Iterator[Candidate]:
    """Claims with one number moved to a plain one that is the least, or nearly, that stands."""
    claim = case.claim
    relation = claim.statement.relation
    if not isinstance(relation, INEQUALITIES) or len(case.table.kept) < LEAST_WORLDS:
        return
    found_of_all = (_least(case, place) for place in itertools.islice(_places(relation), PLACES))
    first = itertools.islice(filter(None, found_of_all), FOUND)
    nearest = sorted(first, key=lambda found: found[3])
    for at, (words, attained, form, _) in enumerate(nearest):
        words, form = _on_the_other_side(relation, words, form)
        if says_nothing_of(form.relation) and not says_nothing_of(relation):
            continue
        if leaves_a_number(relation, form.relation):  # 1**n
            continue
        moved = form.relation.args[0] / relation.args[0]
        cost = COSTS[attained] + FARTHER * at + (0.0 if moved.is_number else WITHIN)
        cost += NEW * (words.endswith(f"for {UNPRINTED}") and not _has_one(sides(relation)[1]))
        cost += ODD * _is_odd(relation, form.relation)
        yield Candidate(words, "constant", cost, replace(claim, statement=form),
                        near=not attained)  # fmt: skip


def _is_odd(old: sympy.Rel, new: sympy.Rel) -> bool:
    """Whether a number is several parts of e, pi or a logarithm, or such a one in an exponent."""
    known = old.atoms(sympy.NumberSymbol, sympy.log)
    came = [part for part in new.atoms(sympy.NumberSymbol, sympy.log) - known if part.is_number]
    if not came:
        return False
    steps = [now / was for was, now in zip(old.args, new.args, strict=True) if was != now]
    whole = steps[0].as_coeff_Mul()[0] if len(steps) == 1 and steps[0].is_number else None
    in_exponent = any(power.exp.has(*came) for power in new.atoms(sympy.Pow, sympy.exp)
                      if power.exp.free_symbols)  # fmt: skip
    return in_exponent or (whole is not None and 1 not in (whole.p, whole.q))


def _on_the_other_side(relation: sympy.Rel, words: str, form: Form) -> tuple[str, Form]:
    """A number for none as another one for the number of the other side, where that is plainer:
    3 for 4 in a >= 4 b, not 4/3 for the factor 1."""
    place = int(form.relation.args[0] == relation.args[0])
    step, other = form.relation.args[place] / relation.args[place], relation.args[1 - place]
    number = other.primitive()[0] if other.is_Add else other.as_coeff_Mul()[0]
    if not (words.endswith(f"for {UNPRINTED}") and step.is_Rational and number.is_Rational):
        return words, form
    mended = abs(number) / step
    if number == 0 or abs(number) == 1 or mended.p + mended.q >= step.p + step.q:
        return words, form
    args = [*relation.args]
    args[1 - place] = (other / step).expand() if other.is_Add else other / step
    changed = form.with_relation(relation.func(*args, evaluate=False))
    return f"{mended} for {abs(number)}", changed


def _has_one(bound: sympy.Expr) -> bool:
    """Whether all terms of a bound have one number in front, as those of (a + b)/4."""
    numbers = {abs(term.as_coeff_Mul()[0]) for term in sympy.Add.make_args(bound)}
    return len(numbers) == 1 and numbers != {1}


def _places(relation: sympy.Rel) -> Iterator[Place]:
    """Factors of the sides, numbers within them, exponents without a number."""
    large = sides(relation)[1]

    def numbers(node: sympy.Basic) -> Iterator[Change]:
        if isinstance(node, sympy.Rational) and node not in (0, 1, -1):
            yield Change(str(abs(node)), "constant", 0.0, STEP * node)
        elif isinstance(node, sympy.exp) and node.args[0].as_coeff_Mul()[0] in (1, -1):
            yield Change("", "constant", 0.0, sympy.exp(STEP * node.args[0]))

    changes = [change for change in changed_relation(relation, numbers)
               if STEP in change.node.free_symbols]  # fmt: skip
    below = isinstance(relation, (sympy.Ge, sympy.Gt))  # then the bound is on the right as well
    changes.sort(key=lambda change: change.node.rhs == relation.rhs if below
                 else sides(change.node)[1] == large)  # those of the bound first
    of_sides = [tuple(STEP * side if place == other else side
                      for other, side in enumerate(relation.args)) for place in (0, 1)]
    for change in changes:
        if change.words and change.node.args in of_sides:
            yield Place(sympy.Rational(change.words), change.node, change.words)
    if large.free_symbols and large.as_coeff_Mul()[0] in (1, -1):
        args = of_sides[0] if relation.lhs == large else of_sides[1]
        yield Place(sympy.S.One, relation.func(*args, evaluate=False), UNPRINTED)
    for change in changes:
        if change.node.args not in of_sides:
            value = sympy.Rational(change.words or 1)
            yield Place(value, change.node, change.words or "1 in an exponent")


def _least(case: Case, place: Place) -> tuple[str, bool, Form, float] | None:
    """The change in words, whether some world attains the number, the form with it, and how far it
    moves."""
    claim = case.claim

    def form_at(step: sympy.Expr) -> Form | None:
        args = (side.xreplace({STEP: step}) for side in place.relation.args)
        try:
            return claim.statement.with_relation(place.relation.func(*args, evaluate=False))
        except Exception:  # SymPy settled the comparison
            return None

    tables = [case.table]
    beyond = 1.0  # what has been refuted
    for _ in range(TRIED):
        found = _threshold(form_at, tables, claim.given)
        if found is None:
            return None
        if abs(math.log(found)) < abs(math.log(beyond)):
            found = beyond
        number = _plain(place.value, found, beyond)
        plain = number is not None
        if number is None:  # the worlds may not be the worst yet
            onward = math.exp(math.copysign(NEAR, math.log(found)))
            number = place.value * sympy.Rational(found * onward).limit_denominator(10**6)
        form = form_at(number / place.value)
        if form is None or form.relation.lhs == form.relation.rhs:
            return None
        words = f"{number} for {place.shown}"
        try:
            changed = replace(claim, statement=form)
        except Exception:  # with that number some part has no value: log(1 - x) of x - x
            return None
        if bounds_no_chance(case, changed):
            return None
        refuted = None
        if not case.killed(changed):
            refuted, tested = case.bench.searched(changed, f"sharp {words}", SHORT)
            if refuted is None and not fails_enlarged(case, changed):
                if not plain:
                    number = _plain(place.value, found, beyond, far=FAR) if place.rate else None
                    form = None if number is None else form_at(number / place.value)
                    if number is None or form is None:
                        return None
                    words = f"{number} for {place.shown}"
                distance = abs(math.log(float(number / place.value) / found))
                close = distance <= _close(number, _height(number))
                return (words, close, form, abs(math.log(found))) if tested else None
        if refuted is not None:
            case.remember(refuted)
        settings = [Setting(claim, values) for values in case.killers[-LATEST:]]
        tables = [case.table, Table(claim, settings, len(settings))]
        beyond = float(number / place.value)
    return None


def _threshold(
    form_at: Callable[[sympy.Expr], Form | None], tables: list[Table],
    given: Sequence[sympy.Basic],
) -> float | None:  # fmt: skip
    """The step nearest to one at which no world of the tables fails; None if there is none, or
    steps to either side do."""

    def fails(step: float) -> bool | None:
        form = form_at(sympy.Rational(step).limit_denominator(10**12))
        if form is None:
            return None
        found = [table.violated(form, given) for table in tables if table.kept]
        return None if any(bad is None for bad in found) else any(bad.any() for bad in found)

    ends = fails(FARTHEST), fails(1 / FARTHEST)
    if fails(1.0) is not True or sorted(map(str, ends)) != ["False", "True"]:
        return None
    sign = 1 if ends[0] is False else -1
    low, high = 0.0, math.log(FARTHEST)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if fails(math.exp(sign * middle)) is False:
            high = middle
        else:
            low = middle
    return math.exp(sign * high)


def _plain(
    value: sympy.Rational, step: float, beyond: float, *, far: float = NEAR
) -> sympy.Expr | None:
    """The plainest number at least so far from `value` as a step, and not much farther.

    Args: beyond: a step that is not enough. far: how much farther at most.
    """
    plainer = PLAINER if far == NEAR else PLAINEST
    sign = 1 if step >= 1 else -1
    best: tuple[int, sympy.Expr] | None = None
    for number, size, height in plain_numbers():
        moved = sign * math.log(size / float(value))
        distance = moved - abs(math.log(step))
        if moved <= abs(math.log(beyond)) + ATTAINED or not -ATTAINED <= distance <= far:
            continue
        close = distance <= _close(number, height)
        if height > (PLAIN if close else plainer) or not (close or number.is_algebraic):
            continue  # nobody rounds to a half of pi
        if close:
            height -= PLAIN  # what a world attains before what is only near
        if best is None or height < best[0]:
            best = height, number
    return None if best is None else best[1]


def _close(number: sympy.Expr, height: int) -> float:
    """How far above the least a number lies that some world attains, or worlds come near to: as
    a limit, a very plain one or one that no world could attain."""
    return ATTAINED if number.is_algebraic and height > PLAINER else APPROACHED


def _height(number: sympy.Expr) -> int:
    """How plain a number is; one that is not among the plain ones is not."""
    return next((height for known, _, height in plain_numbers() if known == number), PLAIN)


@lru_cache(maxsize=1)
def plain_numbers() -> list[tuple[sympy.Expr, float, int]]:
    """Fractions, some times a root, pi, e or log 2, with their value and how plain they are."""
    fractions = [sympy.Rational(p, q) for q in range(1, PLAIN) for p in range(1, PLAIN + 1)
                 if math.gcd(p, q) == 1 and p + q <= PLAIN]  # fmt: skip
    fractions += [sympy.Integer(n) for n in (25, 32, 36, 48, 50, 64, 100, 128, 256)]
    fractions += [1 / number for number in fractions[-9:]]
    roots = {sympy.S.One: 0, sympy.sqrt(2): 3, sympy.sqrt(3): 4, sympy.pi: 4, 1 / sympy.pi: 4,
             sympy.sqrt(sympy.pi): 6, sympy.E: 5, sympy.log(2): 4, 1 / sympy.log(2): 4}  # fmt: skip
    found = []
    for root, more in roots.items():
        for fraction in fractions:
            height = int(fraction.p) + int(fraction.q)
            height = (height if height <= PLAIN else PLAIN // 2) + more
            if root == 1 or fraction.p + fraction.q <= PLAIN // 2:
                found.append((fraction * root, float(fraction * root), height))
    return found
