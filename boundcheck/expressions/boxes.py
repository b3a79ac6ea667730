"""Largest and least values over an interval or box, and what exists there.

A limit is written as in a sum of SymPy, `(x, low, high)`. The exact reading encloses the extreme
value by branch and bound in balls (`climbing`); what it says holds for every point of the box.
"""

from __future__ import annotations

from typing import Any

import sympy

from boundcheck.errors import MalformedStatement
from boundcheck.exact import INEQUALITIES
from boundcheck.expressions.nodes import Greatest, Indicator, Least, Node
from boundcheck.expressions.symbols import Known, Meaning
from boundcheck.worlds.domains import is_name
from boundcheck.worlds.fields import Choice, Integer, Real

MOST_SIDES = 3
STEPS = (sympy.Piecewise, sympy.floor, sympy.ceiling, sympy.sign, Indicator)
MOST_VALUES = 64  # of a parameter that is listed


def variable(name: str, latex: str = "") -> Known:
    """A real variable that a supremum or an infimum binds."""
    return Known(name, Meaning("variable", latex=latex))


class Extreme(Node):
    """An extreme value of the body over a box: the body, then (variable, low, high) each."""

    largest = True

    def __new__(cls, body: sympy.Basic, *limits: sympy.Tuple) -> Extreme:
        return cls.made(sympy.sympify(body), *limits)

    @property
    def body(self) -> sympy.Expr:
        """What is looked at."""
        return self.args[0]

    @property
    def limits(self) -> tuple[sympy.Tuple, ...]:
        """Variables with their ends."""
        return tuple(self.args[1:])

    @property
    def free_symbols(self) -> set[sympy.Basic]:
        """Symbols of the body and of the ends, without the variables."""
        bound = {limit[0] for limit in self.limits}
        ends = set().union(*[end.free_symbols for limit in self.limits for end in limit[1:]])
        return (set(self.body.free_symbols) - bound) | ends

    def _sympystr(self, printer: Any) -> str:
        return f"{self.kind}({', '.join(printer._print(arg) for arg in self.args)})"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        below = ", ".join(rf"{printer._print(x)} \in [{printer._print(a)}, {printer._print(b)}]"
                          for x, a, b in self.limits)  # fmt: skip
        sup = r"\sup" if self.largest else r"\inf"
        text = rf"\left({sup}_{{{below}}} {printer._print(self.body)}\right)"
        return text if exp is None else rf"{text}^{{{exp}}}"


class SupremumOver(Extreme):
    """Least upper bound of the body over a box."""

    kind = "supremum"


class InfimumOver(Extreme):
    """Greatest lower bound of the body over a box."""

    kind, largest = "infimum", False


def limits_of(given: tuple[Any, ...]) -> list[sympy.Tuple]:
    """Limits as SymPy tuples.

    Raises: MalformedStatement for what is no (variable, low, high).
    """
    for limit in given:
        named = len(limit) == 3 and isinstance(limit[0], Known)
        if not named or limit[0].meaning.role != "variable":
            raise MalformedStatement(
                f"{limit} is no limit of a supremum; write (x, low, high) with x = variable('x')"
            )
    if not 1 <= len(given) <= MOST_SIDES:
        raise MalformedStatement(
            f"a supremum over {len(given)} variables; give 1 to {MOST_SIDES}, or nest two"
        )
    return [sympy.Tuple(*limit) for limit in given]


def infimum(body: Any, *limits: tuple[Any, Any, Any]) -> InfimumOver:
    """Greatest lower bound over an interval or box: `infimum(x**2 - x, (x, 0, 1))`."""
    return InfimumOver(body, *limits_of(limits))


def exists(relation: sympy.Basic, *choices: Any) -> sympy.Rel:
    """That some choice makes a relation true: a relation between extreme values.

    Args: choices: indices, parameters between two ends or from a list, limits (x, low, high).
    Over an interval the sides must be continuous, so that extreme values are reached.
    Raises: MalformedStatement for a choice without ends, a relation of another kind, or a side
    that jumps or an interval without its ends where an extreme value may then not be reached.

    >>> from boundcheck.expressions import parameter
    >>> from boundcheck.worlds import Real
    >>> eta, t = parameter("eta", Real(0, 1)), parameter("t", Real(0, 2))
    >>> exists(eta**2 <= t, eta)
    infimum(eta**2, (eta, 0, 1)) <= t
    """
    for choice in choices:
        relation = _some(relation, choice)
    return relation


def _some(relation: sympy.Basic, choice: Any) -> sympy.Rel:
    if isinstance(choice, Known) and choice.meaning.role == "parameter":
        values = _listed(choice)
        if values is not None:
            gaps = [_gap(relation).xreplace({choice: value}) for value in values]
            return _compared(relation, sympy.Min(*gaps), sympy.S.Zero)
        relation, choice = _as_limit(relation, choice)
    if isinstance(choice, tuple):
        _require_reached(relation, choice[0])
    bound = choice if isinstance(choice, Known) else choice[0]
    smaller, larger = _sides(relation)
    if bound not in larger.free_symbols:
        return _compared(relation, _least(smaller, choice), larger)
    if bound not in smaller.free_symbols:
        return _compared(relation, smaller, _largest(larger, choice))
    return _compared(relation, _least(smaller - larger, choice), sympy.S.Zero)


def _require_reached(relation: sympy.Basic, bound: sympy.Symbol) -> None:
    """Refuse what is at most zero at an extreme value that no point of the interval may have."""
    steps = [part for part in sympy.preorder_traversal(relation)
             if isinstance(part, STEPS) and bound in part.free_symbols]  # fmt: skip
    if steps and not _is_strict(relation):
        raise MalformedStatement(
            f"exists({relation}) over {bound} reads {steps[0]}, which jumps: an extreme value need "
            "not be reached; write a strict comparison, or one choice for every piece"
        )


def _least(body: sympy.Expr, choice: Any) -> Node:
    return Least(body, choice) if isinstance(choice, Known) else infimum(body, choice)


def _largest(body: sympy.Expr, choice: Any) -> Node:
    if isinstance(choice, Known):
        return Greatest(body, choice)
    return SupremumOver(body, *limits_of((choice,)))


def _sides(relation: sympy.Basic) -> tuple[sympy.Expr, sympy.Expr]:
    if isinstance(relation, INEQUALITIES):
        return relation.lts, relation.gts
    return _gap(relation), sympy.S.Zero


def _gap(relation: sympy.Basic) -> sympy.Expr:
    """What is at most zero (below, if strict) where the relation holds."""
    if isinstance(relation, INEQUALITIES):
        return relation.lts - relation.gts
    if isinstance(relation, sympy.Eq):
        return sympy.Abs(relation.lhs - relation.rhs)
    of_one_kind = len({_is_strict(part) for part in relation.args}) == 1
    if isinstance(relation, (sympy.And, sympy.Or)) and of_one_kind:
        fold = sympy.Max if isinstance(relation, sympy.And) else sympy.Min
        return fold(*map(_gap, relation.args))
    raise MalformedStatement(
        f"exists({relation}) reads comparisons, And or Or of such, all strict or none; rewrite it"
    )


def _is_strict(relation: sympy.Basic) -> bool:
    if isinstance(relation, (sympy.And, sympy.Or)):
        return any(map(_is_strict, relation.args))
    return isinstance(relation, (sympy.Lt, sympy.Gt))


def _compared(relation: sympy.Basic, smaller: sympy.Expr, larger: sympy.Expr) -> sympy.Rel:
    kind = sympy.Lt if _is_strict(relation) else sympy.Le
    return kind(smaller, larger, evaluate=False)


def _listed(choice: Known) -> list[sympy.Expr] | None:
    """The values of a parameter that has few; None of a real one."""
    field = choice.meaning.domain
    if isinstance(field, Choice):
        return [sympy.Rational(str(item)) for item in field.items]
    if not isinstance(field, Integer):
        return None
    low, high = field.low, field.high
    if not (isinstance(low, int) and isinstance(high, int) and high - low < MOST_VALUES):
        raise MalformedStatement(
            f"{choice} in exists has no ends that are numbers, at most {MOST_VALUES} apart; give "
            "Integer(low, high), or an index"
        )
    return [sympy.Integer(value) for value in range(low, high + 1)]


def _as_limit(relation: sympy.Basic, choice: Known) -> tuple[sympy.Basic, tuple[Any, Any, Any]]:
    """The relation in a bound variable in the place of a parameter, and its limits."""
    field = choice.meaning.domain
    if not isinstance(field, Real) or any(
        end is None or is_name(end) for end in (field.low, field.high)
    ):
        raise MalformedStatement(
            f"{choice} in exists has no two ends that are numbers; give Real(low, high), or "
            f"(x, low, high) with x = variable('x')"
        )
    open_ = field.open_low or field.open_high
    if open_ and (relation.has(*STEPS) or not _is_strict(relation)):
        raise MalformedStatement(
            f"{choice} in exists leaves out an end, where an extreme value may lie; give a range "
            "with its ends, or write a strict comparison of continuous sides"
        )
    bound = variable(choice.name, choice.meaning.latex)
    ends = sympy.Rational(str(field.low)), sympy.Rational(str(field.high))
    return relation.xreplace({choice: bound}), (bound, *ends)
