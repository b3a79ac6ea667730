"""Printed parts without a value everywhere: SymPy must not cancel what they ask of the letters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import sympy

from boundcheck.errors import InvalidArgument

Condition = tuple[str, Any]  # "nonzero", "positive", "nonnegative", "power" or "tan", and of what
Decides = Callable[[Any], bool]
SAID = {"nonzero": "{} != 0", "positive": "{} > 0", "nonnegative": "{} >= 0",
        "tan": "cos({}) != 0"}  # fmt: skip


def require_kept(
    parts: Iterable[tuple[str, Any]], stated: Iterable[Any], positive: Decides, nonnegative: Decides
) -> None:
    """Hold the conditions of printed parts against those of the statement that SymPy made of them.

    Args: parts: how each is written, and its value as an expression. stated: the expressions of
        the statement. positive, nonnegative: whether every value of an expression is so.
    Raises: InvalidArgument naming a part that has lost its condition, or has no real value.
    """
    reader = Conditions(positive, nonnegative)
    kept = {each for expr in stated for each in reader.of(expr)}
    for text, expr in parts:
        if _is_no_number(expr):
            raise InvalidArgument(
                f"--latex has {text}, which is no real number; correct it, or write what is meant "
                "without roots and logarithms of negative numbers and divisions by zero"
            )
        lost = next((each for each in sorted(reader.of(expr), key=str)
                     if not _follows(each, kept)), None)  # fmt: skip
        if lost is not None:
            raise InvalidArgument(
                f"--latex has {text}, which SymPy cancels although it has no value unless "
                f"{_said(*lost)}; write what is left of it, and this condition into `given` of the "
                "file"
            )


def _is_no_number(expr: Any) -> bool:
    """Whether SymPy has made a number that is not real, or none, of something within a part."""
    return any(node.is_number and node.is_real is False for node in sympy.preorder_traversal(expr))


def _said(kind: str, of: Any) -> str:
    if kind == "power":
        return f"{of.base} > 0 or {of.exp} is whole"
    return SAID[kind].format(of)


def _follows(condition: Condition, kept: set[Condition]) -> bool:
    kind, of = condition
    known = {each for each, other in kept if other == of}
    if kind == "power":
        return condition in kept or ("positive", of.base) in kept
    if kind == "positive":
        return "positive" in known or {"nonzero", "nonnegative"} <= known
    return kind in known or (kind != "tan" and "positive" in known)


class Conditions:
    """What expressions ask of their letters so as to have a value."""

    def __init__(self, positive: Decides, nonnegative: Decides) -> None:
        self.positive, self.nonnegative = positive, nonnegative

    def of(self, expr: Any) -> set[Condition]:
        """Those of every part of an expression."""
        found: set[Condition] = set()
        for node in sympy.preorder_traversal(expr):
            if isinstance(node, sympy.Pow):
                found |= self._power(node)
            elif isinstance(node, sympy.log):
                found |= self._plain("positive", node.args[0])
            elif isinstance(node, sympy.tan):
                found.add(("tan", node.args[0]))
        return found

    def _power(self, power: Any) -> set[Condition]:
        base, exponent = power.as_base_exp() if power.exp.is_number else (power.base, power.exp)
        if exponent.is_number:
            if exponent.is_integer:
                return set() if exponent.is_nonnegative else self._plain("nonzero", base)
            return self._plain("nonnegative" if exponent.is_positive else "positive", base)
        if self.positive(base) or (self._is_whole(exponent) and self.nonnegative(exponent)):
            return set()
        return self._plain("nonzero", base) if self._is_whole(exponent) else {("power", power)}

    def _is_whole(self, exponent: Any) -> bool:
        """Whether an exponent is an integer by its symbols."""
        parts = sympy.Add.make_args(exponent)
        factors = [factor for part in parts for factor in sympy.Mul.make_args(part)]
        return all(factor.is_integer or self.whole(factor) for factor in factors)

    def whole(self, symbol: Any) -> bool:
        """Whether a symbol has integer values only."""
        meaning = getattr(symbol, "meaning", None)
        return meaning is not None and (
            meaning.role == "index" or type(meaning.domain).__name__ == "Integer"
        )

    def _plain(self, kind: str, of: Any) -> set[Condition]:
        """A condition by those of factors, in one form; nothing where it always holds."""
        if of.is_number or self.positive(of) or (kind == "nonnegative" and self.nonnegative(of)):
            return set()
        if kind == "nonzero":
            return {each for factor in sympy.Mul.make_args(of) for each in self._nonzero(factor)}
        factors = [factor for factor in sympy.Mul.make_args(of) if not self.positive(factor)]
        rest = sympy.Mul(*factors)
        if isinstance(rest, sympy.Pow) and rest.exp == -1:
            return self._plain(kind, rest.base)
        if kind == "positive" and self.nonnegative(rest):
            return self._plain("nonzero", rest)
        return {(kind, rest)}

    def _nonzero(self, factor: Any) -> set[Condition]:
        if factor.is_number or self.positive(factor) or self.positive(-factor):
            return set()
        if isinstance(factor, sympy.Abs):
            return self._plain("nonzero", factor.args[0])
        if isinstance(factor, sympy.Pow) and factor.exp.is_number:
            return self._plain("nonzero", factor.base)
        return {("nonzero", -factor if factor.could_extract_minus_sign() else factor)}
