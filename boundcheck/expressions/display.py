"""How nodes are shown in LaTeX: brackets around operands, expectations for weighted sums."""

from __future__ import annotations

from typing import Any

import sympy


class Shown(str):
    """LaTeX of an operand; in brackets where a template asks for that, as in `{0:b}`."""

    compound = False

    @classmethod
    def of(cls, text: str, operand: sympy.Basic) -> Shown:
        """The text of an operand; sums, products and powers are compound."""
        (made := cls(text)).compound = isinstance(operand, (sympy.Add, sympy.Mul, sympy.Pow))
        return made

    def __format__(self, spec: str) -> str:
        return rf"\left({self}\right)" if spec == "b" and self.compound else str(self)


def as_expectation(node: Any, printer: Any, exp: str | None) -> str:
    """A sum over one index weighted by a law of it as an expectation; "" for any other sum."""
    factors = sympy.Mul.make_args(bare(node.body))
    law = [*filter(_is_chance, factors)]
    if len(factors) == 1 or len(law) != 1 or (*node.indices,) != law[0].args[2:3]:
        return ""
    rest = sympy.Mul(*[factor for factor in factors if factor not in law])  # in order: matrices
    return averaged(rest, printer._print(node.indices[0]), printer, exp)


def bare(body: Any) -> Any:
    """What a mean weighs, without the case of weight zero, in which it counts for nothing."""
    zero = isinstance(body, sympy.Piecewise) and body.args[0][0] == 0 and len(body.args) == 2
    return body.args[1][0] if zero and isinstance(body.args[0][1], sympy.Eq) else body


def averaged(body: sympy.Basic, below: str, printer: Any, exp: str | None) -> str:
    """The expectation of a body, of an indicator the probability of its condition."""
    sign, inside = ("P", body.args[0]) if type(body).__name__ == "Indicator" else ("E", body)
    text = rf"\mathbb{{{sign}}}_{{{below}}}\left[{printer._print(inside)}\right]"
    return text if exp is None else rf"\left({text}\right)^{{{exp}}}"


def as_term(body: sympy.Basic, printer: Any) -> str:
    """What stands behind a sign of summation: a sum in brackets."""
    text = printer._print(body)
    return rf"\left({text}\right)" if isinstance(body, sympy.Add) else text


def _is_chance(factor: Any) -> bool:
    """Whether a factor is the weight of an atom in a law."""
    if getattr(getattr(factor, "primitive", None), "name", "") != "entry":
        return False
    meaning = getattr(factor.args[1], "meaning", None)
    return type(getattr(meaning, "domain", None)).__name__ == "Weights" and len(factor.args) == 3
