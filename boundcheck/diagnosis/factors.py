"""Factors and terms that an equation lacks, read off the worlds.

The logarithm of left over right is fitted by those of sizes and parameters; exponents that are
halves of integers and leave nothing over name the factor. One fit finds what several single edits
would have to find together.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import sympy

from boundcheck.claim import WithProbability
from boundcheck.diagnosis.edits import Edit
from boundcheck.diagnosis.hypotheses import fields_of_numbers

if TYPE_CHECKING:
    from boundcheck.diagnosis.case import Case

LEAST_ROWS = 12
LEAST_SIZES = 5  # different ones, of which a size less or more by one is told from itself
EXACT = 1e-8  # of a logarithm left over
NEAR = 1e-6  # left over of a value; the engine decides what is only near
FAR = 1e100  # sides beyond it are left out of a fit
COST, OF_SUMS = 2.1, 0.8  # of what is lost on the right, and more of a ratio of sums
PARTS, MOST_BASES = 8, 8  # of one in a lost number, and numbers of which a lost term may be made


def missing_factors(case: Case) -> Iterator[Edit]:
    """The equation of a claim with the factor that its right side lacks, if the worlds agree."""
    form, relation = case.claim.statement, case.claim.statement.relation
    both = _sides(case)
    if both is None:
        return
    factor = _fitted(case, *both)
    if factor is not None:  # in the printed symbols, which cancel
        named = {symbol.name: symbol for symbol in relation.rhs.free_symbols}
        factor = factor.xreplace({symbol: named.get(symbol.name, symbol)
                                  for symbol in factor.free_symbols})  # fmt: skip
    if factor is not None and factor != 1:
        changed = sympy.Eq(relation.lhs, factor * relation.rhs, evaluate=False)
        cost = COST + OF_SUMS * (len(factor.atoms(sympy.Add)) > 1)
        yield Edit(f"a factor {factor} on the right", "factor", cost, form.with_relation(changed),
                   tuple(case.claim.given))  # fmt: skip


def missing_terms(case: Case) -> Iterator[Edit]:
    """The equation of a claim with the numbers that its right side lacks, if the worlds agree.

    Left is fitted as a number times right and another number.
    """
    import numpy

    form, relation, both = case.claim.statement, case.claim.statement.relation, _sides(case)
    if both is None:
        return
    good = (abs(both[0]) < FAR) & (abs(both[1]) < FAR)  # their squares are floats
    left, right = both[0][good], both[1][good]
    if len(left) < LEAST_ROWS or len(set(right)) < LEAST_ROWS // 2:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", numpy.exceptions.RankWarning)  # the fit is held against all
        fitted = numpy.polyfit(right, left, 1)
    slope, term = (Fraction(float(number)).limit_denominator(64) for number in fitted)
    if not slope or not term or abs(left - float(slope) * right - float(term)).max() > NEAR:
        return
    changed = sympy.Rational(slope) * relation.rhs + sympy.Rational(term)
    times = "" if slope == 1 else f"a factor {slope} and "
    yield Edit(f"{times}a term {term} on the right", "symbol", COST,
               form.with_relation(sympy.Eq(relation.lhs, changed, evaluate=False)),
               tuple(case.claim.given))  # fmt: skip


def missing_products(case: Case) -> Iterator[Edit]:
    """The equation of a claim with the square or product that its right side lacks, if the worlds
    agree: the squared bias beside a variance."""
    import numpy

    form, relation, both = case.claim.statement, case.claim.statement.relation, _sides(case)
    if both is None:
        return
    rest = both[0] - both[1]
    good = numpy.isfinite(rest) & (abs(rest) < FAR)
    rest, size = rest[good], numpy.maximum(abs(both[0][good]), abs(both[1][good])) + 1
    if len(rest) < LEAST_ROWS or (abs(rest) <= NEAR * size).all():
        return
    printed = {term.as_coeff_Mul()[1] for side in relation.args
               for term in sympy.Add.make_args(side)}  # of which another number is meant
    columns = [(base, values[good]) for base in _bases(case)
               if (values := case.table.means(base, form)) is not None]  # fmt: skip
    for term, values in _products(columns):
        told = numpy.isfinite(values) & (abs(values) > NEAR * size)
        if told.sum() < LEAST_ROWS or term in printed:
            continue
        number = Fraction(float(numpy.median(rest[told] / values[told]))).limit_denominator(PARTS)
        if number and bool((abs(rest - float(number) * values) <= NEAR * size).all()):
            lost = sympy.Rational(number.numerator, number.denominator) * term
            changed = sympy.Eq(relation.lhs, relation.rhs + lost, evaluate=False)
            yield Edit(f"a term {lost} on the right", "symbol", COST, form.with_relation(changed),
                       tuple(case.claim.given))  # fmt: skip
            return


def _bases(case: Case) -> list[sympy.Expr]:
    """Numbers of a claim, measured ones of its statement first, of whose squares a term may be."""
    own = sorted(case.claim.statement.free_symbols(), key=str)
    measured = [symbol for symbol in own if symbol in case.claim.measure and symbol.is_commutative]
    named = {symbol.name: symbol for symbol in own}
    numbers = [named.get(symbol.name, symbol) for symbol in fields_of_numbers(case.claim)]
    return [*measured, *numbers][:MOST_BASES]


def _products(columns: list[tuple[sympy.Expr, Any]]) -> Iterator[tuple[sympy.Expr, Any]]:
    """Numbers, their squares, products and squared differences, with their values."""
    for base, values in columns:
        yield base, values
        yield base**2, values**2
    for (one, first), (two, second) in itertools.combinations(columns, 2):
        yield (one - two) ** 2, (first - second) ** 2
        yield one * two, first * second
        yield one**2 - two, first**2 - second
        yield two**2 - one, second**2 - first


def _sides(case: Case) -> tuple[Any, Any] | None:
    """Both sides of an equation by world; None where they are no numbers."""
    form, table = case.claim.statement, case.table
    relation = form.relation
    if not isinstance(relation, sympy.Eq) or isinstance(form, WithProbability) or not table.kept:
        return None
    left, right = table.means(relation.lhs, form), table.means(relation.rhs, form)
    return None if left is None or right is None else (left, right)


def _fitted(case: Case, left: Any, right: Any) -> sympy.Expr | None:
    """left/right as a monomial in the numbers of a claim; None if it is none."""
    import numpy

    with numpy.errstate(all="ignore"):
        ratio = left / right
    good = numpy.isfinite(ratio) & (abs(ratio) > EXACT)
    few = good.sum() < LEAST_ROWS  # enough for a number alone
    if len(set(left[good])) < 2 or len(set(numpy.sign(ratio[good]))) > 1:
        return None
    symbols, columns = [], []
    for symbol in () if few else fields_of_numbers(case.claim):
        column = case.table.worldwise(symbol)
        for base, moved in () if column is None else _near(symbol, column[good], case.sizes):
            if (moved > 0).all() and moved.std() > 0:
                symbols.append(base)
                columns.append(numpy.log(moved))
    target = numpy.log(abs(ratio[good]))
    return _monomial(target, symbols, columns, numpy.sign(ratio[good][0]))


def _near(
    symbol: sympy.Symbol, values: Any, sizes: Collection[str]
) -> Iterator[tuple[sympy.Expr, Any]]:
    """A number and, where it takes values enough to tell them apart, those that differ by one."""
    yield symbol, values
    if len(set(values)) >= LEAST_SIZES:
        yield symbol + 1, values + 1
        yield (symbol - 1, values - 1) if symbol.name in sizes else (1 - symbol, 1 - values)


def _monomial(
    target: Any, symbols: list[sympy.Expr], columns: list[Any], sign: float
) -> sympy.Expr | None:
    """A signed monomial whose logarithms are given; None if they are of none.

    Args: columns: logarithms of the symbols.
    """
    import numpy

    design = numpy.column_stack([numpy.ones(len(target)), *columns])
    if numpy.linalg.matrix_rank(design) < design.shape[1] or len(target) < 2 * design.shape[1]:
        return None
    weights = numpy.linalg.lstsq(design, target, rcond=None)[0]
    halves = numpy.round(2 * weights[1:]) / 2
    rest = target - design[:, 1:] @ halves
    number = Fraction(float(numpy.exp(numpy.median(rest)))).limit_denominator(64)
    if number <= 0 or abs(rest - float(numpy.log(float(number)))).max() > EXACT:
        return None
    factor = sympy.Rational(number.numerator, number.denominator) * int(sign)
    exponents = [sympy.Rational(Fraction(float(half))) for half in halves]
    return factor * sympy.Mul(*(s**e for s, e in zip(symbols, exponents, strict=True)))
