"""The size of a vector or matrix that one side of an inequality forgot: u^T A u <= lambda_max(A).

Where left over right changes in every world by one power of the factor that an array alone is
multiplied by, or all arrays of one unit together, that power of its size was lost, or the power of
a factor is another one. No norm of the array need stand in the print.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import sympy

from boundcheck.checks.invariance import movable
from boundcheck.claim import Claim, Holds, Rescaling
from boundcheck.diagnosis.alike import MOST_DEAR, OCTAVES, SAME, TRIED, moved_cheaply
from boundcheck.diagnosis.changes import measured
from boundcheck.diagnosis.domain import sizes
from boundcheck.diagnosis.edits import Edit, with_relation
from boundcheck.diagnosis.related import weighing
from boundcheck.expressions.algebra import frobenius_norm, norm, operator_norm
from boundcheck.expressions.symbols import Known
from boundcheck.setting import INEQUALITIES, sides
from boundcheck.worlds.composed import promised_field
from boundcheck.worlds.fields import Field, Gram, Matrix, Symmetric, Vector
from boundcheck.worlds.kinds import Independent

if TYPE_CHECKING:
    from boundcheck.diagnosis.case import Case

COST = 2.45
JOINT = 0.2  # what the size of one array costs more, where several scale together alone
LEAST, ENOUGH = 4, 8  # worlds that tell a power, at least, and as many as are asked
LARGEST = 4  # power of a size that is lost
Values = Mapping[str, Any]
ARRAYS = (Vector, Matrix, Symmetric, Gram, Independent)
NORMS = {1: (norm,), 2: (operator_norm, frobenius_norm)}


def lost_lengths(case: Case) -> Iterator[Edit]:
    """Inequalities with the power of the norm of an array that one side lacks to scale as the
    other does."""
    claim, relation = case.claim, case.claim.statement.relation
    if not isinstance(relation, INEQUALITIES) or not case.explicit or claim.undefined:
        return
    bodies = measured(claim, relation).values()
    known = set().union(*(body.free_symbols for body in bodies))
    arrays = sorted((symbol for symbol in known if _is_array(case, symbol)), key=str)
    inverted = {part.base for body in bodies for part in body.atoms(sympy.Pow) if part.exp == -1}
    names = {symbol.name: symbol for symbol in arrays}
    ways: list[Mapping[str, int]] = [{name: 1} for name in names]
    ways += [each.powers for each in movable(claim) if len(each.powers) > 1]
    for powers in ways:
        told = _told(case, claim, powers)
        lost = _of_all(told)
        yield from _with_other_power(case, relation, powers, lost) if lost else ()
        yield from _with_power_of_size(case, relation, powers, told) if not lost else ()
        for name in sorted(names.keys() & powers.keys()) if lost else ():
            made = _with(case, relation, names[name], lost / powers[name],
                         inverse=names[name] in inverted)  # fmt: skip
            yield from (replace(edit, cost=edit.cost + JOINT * (len(powers) > 1)) for edit in made)


def _is_array(case: Case, symbol: sympy.Basic) -> bool:
    """Whether a symbol is a vector or matrix of the world whose entries may be of any size."""
    field = case.claim.fields.get(str(symbol))
    if not isinstance(symbol, Known) or symbol.rank not in NORMS or not isinstance(field, Field):
        return False
    return isinstance(promised_field(field), ARRAYS)


def _growth(case: Case, claim: Claim, powers: Mapping[str, int]) -> Fraction:
    """The power of a factor by which left over right of a claim grows in every world that tells,
    when values are multiplied by their powers of it; zero where it is none, or not the same."""
    return _of_all(_told(case, claim, powers))


def _of_all(told: Sequence[tuple[Fraction, Values]]) -> Fraction:
    """The one power that all worlds tell, zero for none."""
    (power, *others) = {each for each, _ in told} or {Fraction(0)}
    return power if not others and abs(power) <= LARGEST else Fraction(0)


def _told(case: Case, claim: Claim, powers: Mapping[str, int]) -> list[tuple[Fraction, Values]]:
    """By which power left over right of a claim grows, and in which worlds; nothing where few tell
    or one tells none."""
    rescaling = Rescaling("arrays by s", dict(powers))
    told: list[tuple[Fraction, Values]] = []
    dear = 0
    for seen in case.worlds[:: max(len(case.worlds) // TRIED, 1)]:
        found = moved_cheaply(claim, (rescaling, dict(seen.setting.values)))
        dear += not found
        if dear > MOST_DEAR:
            return []
        if not found or found[0] is None:
            continue
        power = Fraction(found[0] / OCTAVES).limit_denominator(2)
        if abs(float(power) * OCTAVES - found[0]) > SAME:
            return []
        told.append((power, seen.setting.values))
        if len(told) == ENOUGH:
            break
    return told if len(told) >= LEAST else []


def _with_power_of_size(
    case: Case, relation: sympy.Rel, powers: Mapping[str, int],
    told: Sequence[tuple[Fraction, Values]],
) -> Iterator[Edit]:  # fmt: skip
    """The inequality with its bound to the power of a size, where it scales as the other side does
    then: a product of n numbers is at most the n-th power of their mean."""
    bound = sides(relation)[1]
    own = replace(case.claim, statement=Holds(sympy.Le(bound, 2, evaluate=False)))
    if bound.is_number or len({power for power, _ in told}) < 2 or _growth(case, own, powers) != 1:
        return
    for size in sizes(case.claim):
        if all(power + 1 == values.get(size.name) for power, values in told):
            args = [bound**size if each == bound else each for each in relation.args]
            changed = with_relation(case.claim.statement, relation.func(*args, evaluate=False))
            if changed is not None:
                yield Edit(f"{bound**size} for {bound}", "symbol", COST, changed,
                           tuple(case.claim.given), "balanced")  # fmt: skip


def _with_other_power(
    case: Case, relation: sympy.Rel, powers: Mapping[str, int], lost: Fraction
) -> Iterator[Edit]:
    """The inequality with the power of a factor of the bound by which it scales as the other side:
    E(X^4)^(3/4) for sqrt(E(X^4)) above E|X|^3. Half and twice the power are other edits."""
    bound = sides(relation)[1]
    for factor in sympy.Mul.make_args(bound):
        base, power = factor.as_base_exp()
        if not (power.is_Rational and base.free_symbols and base.is_commutative):
            continue
        own = replace(case.claim, statement=Holds(sympy.Le(base, 2, evaluate=False)))
        growth = _growth(case, own, powers)
        if not growth:
            continue
        other = power + sympy.Rational(lost / growth)
        if other in (2 * power, power / 2) or other <= 0 or other.q > LARGEST:
            continue
        args = [bound / factor * base**other if each == bound else each for each in relation.args]
        changed = with_relation(case.claim.statement, relation.func(*args, evaluate=False))
        if changed is not None:
            yield Edit(f"{base**other} for {factor}", "symbol", COST, changed,
                       tuple(case.claim.given), "balanced")  # fmt: skip


def _with(
    case: Case, relation: sympy.Rel, array: Known, power: Fraction, *, inverse: bool
) -> Iterator[Edit]:
    """The inequality with a power of the norms of an array on the side that lacks it."""
    bounded, bound = sides(relation)
    short, exponent = (bound, power) if power > 0 else (bounded, -power)
    lost = [(short, size(array)) for size in NORMS[array.rank or 0]]
    lost += [(short, whole) for thing, whole in weighing(case.claim) if thing == array]
    if inverse and power < 0:
        lost.append((bound, operator_norm(array**-1)))
    for side, size in lost:
        factor = size ** sympy.Rational(exponent.numerator, exponent.denominator)
        args = [factor * each if each == side else each for each in relation.args]
        case.table.tell(factor)
        changed = with_relation(case.claim.statement, relation.func(*args, evaluate=False))
        if changed is not None:
            where = "right" if side == bound else "left"
            yield Edit(f"a factor {factor} on the {where}", "factor", COST, changed,
                       tuple(case.claim.given), "balanced")  # fmt: skip
