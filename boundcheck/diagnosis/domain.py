"""What field and hypotheses together promise of a number."""

from __future__ import annotations

import sympy

from boundcheck.claim import Claim
from boundcheck.expressions.nodes import Greatest, nodes
from boundcheck.search.screening import averaged
from boundcheck.setting import INEQUALITIES, parts
from boundcheck.worlds.composed import Tuples, promised_field
from boundcheck.worlds.domains import is_name
from boundcheck.worlds.fields import Choice, Integer, Real, Weights

MOST_FACTORS = 3  # of a relation that may be missing elsewhere
Ends = tuple[sympy.Rational | None, sympy.Rational | None]


def ends(claim: Claim, symbol: sympy.Symbol) -> Ends:
    """The numbers that bound a parameter or a number of worlds from below and above, None for no
    such number.

    >>> from boundcheck import Holds, Source
    >>> from boundcheck.worlds import Real
    >>> x = sympy.Symbol("x", real=True)
    >>> at = Source("A", 2000, "T").at("here")
    >>> ends(Claim(at, Holds(x**2 <= x), given=[x < 1], parameters={x: Real(0, None)}), x)
    (0, 1)
    """
    low, high = ends_of_field(claim.fields.get(symbol.name))
    for part in (part for condition in claim.given for part in parts(condition)):
        if not isinstance(part, INEQUALITIES):
            continue
        if part.gts == symbol and part.lts.is_Rational:
            low = part.lts if low is None else max(low, part.lts)
        if part.lts == symbol and part.gts.is_Rational:
            high = part.gts if high is None else min(high, part.gts)
    return low, high


def ends_of_field(field: object) -> Ends:
    """The numbers that a field of numbers ends at, None for no such number."""
    low, high = (_number(getattr(field, name, None)) for name in ("low", "high"))
    return low, high


def is_share(claim: Claim, symbol: sympy.Symbol) -> bool:
    """Whether a number stays between 0 and 1, like a level."""
    low, high = ends(claim, symbol)
    return low is not None and high is not None and low >= 0 and high <= 1


def is_part_of_sum(claim: Claim, symbol: sympy.Symbol) -> bool:
    """Whether a measured number is a sum of nonnegative ones over a sum that has it as a part."""
    body = getattr(claim.measure.get(symbol), "shown", sympy.S.Zero)
    above, below = sympy.fraction(body)
    if not isinstance(below, sympy.Add) or not all(
        each in claim.parameters and (low := ends(claim, each)[0]) is not None and low >= 0
        for each in body.free_symbols
    ):
        return False
    return set(sympy.Add.make_args(above)) < set(below.args) and all(
        not term.could_extract_minus_sign() for term in below.args)


def numbers_of_atoms(claim: Claim) -> set[str]:
    """Names of how many values the laws of a draw have, where none is the largest over them."""
    drawn = claim.draw is not None or averaged(claim)
    fields = map(promised_field, claim.fields.values() if drawn else ())
    laws = (field.entry if isinstance(field, Tuples) else field for field in fields)
    sizes = {str(law.size) for law in laws if isinstance(law, Weights)}
    bodies = (getattr(part, "expression", sympy.S.Zero) for part in claim.measure.values())
    return sizes - {str(index.meaning.size) for body in bodies for node in nodes(body)
                    if isinstance(node, Greatest) for index in node.indices}  # fmt: skip


def printed_factors(claim: Claim, relation: sympy.Basic) -> list[sympy.Expr]:
    """Squares of parameters and differences from a number that are factors in a relation, such as
    1 - a in a (1 - a): what is a factor there may be missing elsewhere, but for one with a quotient
    by a sum, such as 1 - 1/(t + 1)."""
    factors = {factor for product in relation.atoms(sympy.Mul) for factor in product.args
               if factor.free_symbols and factor.free_symbols <= set(claim.parameters)}
    found = [factor for factor in factors
             if (factor.is_Add and any(term.is_number for term in factor.args)
                 and not any(term.as_numer_denom()[1].is_Add for term in factor.args))
             or (factor.as_base_exp()[0].is_Symbol and factor.as_base_exp()[1] == 2)]
    return sorted(found, key=str)[:MOST_FACTORS]


def _number(end: object) -> sympy.Rational | None:
    """An end of a field as a number; None for no end or the name of another field."""
    return None if end is None or is_name(end) else sympy.Rational(str(end))


def kind_of(claim: Claim, symbol: sympy.Symbol) -> tuple[object, ...]:
    """What makes two symbols exchangeable: role, field, randomness, whether numbers or matrices."""
    if symbol in claim.measure:
        return ("measured", symbol.is_commutative, symbol.name in claim.random_names)
    field = claim.parameters.get(symbol)
    if field is None and claim.worlds is not None:
        field = claim.worlds.fields.get(symbol.name)
    if isinstance(field, Integer):
        return ("whole",)
    if isinstance(field, Real):
        return ("real", is_share(claim, symbol))
    return ("other", type(field).__name__)


def sizes(claim: Claim) -> list[sympy.Symbol]:
    """Symbols of the integers of a claim, whether printed or lengths of its worlds.

    How many values the law of a draw has is no size that a bound would name.
    """
    printed = {symbol.name: symbol for symbol in claim.statement.free_symbols()}
    printed |= {symbol.name: symbol for symbol in claim.parameters}
    # Of numbers alone no integer is the length, unless as many things are drawn.
    lengths = bool(claim.draw is not None or averaged(claim)) or any(
        not isinstance(field, (Integer, Real, Choice)) for field in claim.fields.values())
    atoms = numbers_of_atoms(claim) - set(printed)
    return [printed.get(name, sympy.Symbol(name, real=True))
            for name, field in claim.fields.items()
            if isinstance(field, Integer) and name not in atoms and (lengths or name in printed)]
