"""Brackets after a power or a bracket of letters: factors, or arguments of functions."""

from __future__ import annotations

from boundcheck.boundary.messages import shown
from boundcheck.formulas.letters import is_functional
from boundcheck.formulas.operands import Operands
from boundcheck.formulas.tokens import argument_end
from boundcheck.formulas.tree import Node

HORIZON = Node("name", "T")  # x^T (y - z) is an inner product
BRACKETS = ("(", "[", r"\{", "{", "open |", r"open \|")
PARTS = (r"\frac", r"\sqrt", r"\binom")  # with their arguments
ALGEBRA = ("sum", "negative", "product", "quotient", "power", "modulus", "norm")
REMEDY = r"write f(x)^2, f(x) + g(x) or |f(x)| for values of functions, \cdot for a product"


class Applications(Operands):
    """The rules of what f^2(x), (f + g)(x) and |f|(x) are refused by."""

    def require_factor(self, start: int, found: Node) -> None:
        """Raises: InvalidArgument where the brackets that come next may hold the argument of what
        was read from a place on."""
        power = found.kind == "power" and found.parts[1] != HORIZON
        base = found.parts[0] if power else found
        if power and base.kind in ("name", "entry") and not _is_value(base):
            letter, first = base.text.removeprefix("grad_"), self.tokens[start].text
            word = first == r"\operatorname" and len(letter.split("_")[0]) > 1
            if not self.is_factor(letter, word):
                raise self.refusal(f"brackets after a power of {shown(letter)}, which may be its "
                                   "argument or a factor", REMEDY)  # fmt: skip
            self.beside.append((self.place, {letter}))
        elif base.kind in (*ALGEBRA, "name", "function"):
            inside = [each for each in _terms(base) if not _is_value(each)]
            letters = {each.text for each in inside if each.kind != "number"}
            sure = self.tokens[start].text not in BRACKETS or any(
                each.kind == "number" for each in inside
            )
            functions = any(map(is_functional, letters)) and not self.is_factor("", False)
            if functions or (letters and not sure and self._is_one_letter()):
                raise self.refusal(f"brackets after those of {shown(min(letters))}, which may be "
                                   "an argument or a factor", REMEDY)  # fmt: skip
            if base.kind not in ("norm", "function"):
                self.beside.append((self.place, letters))

    def require_no_function(self) -> None:
        """Raises: InvalidArgument for brackets after those of a letter that is a function
        elsewhere."""
        for place, letters in self.beside:
            if letters & self.applied:
                self.place = place
                raise self.refusal(f"brackets after {shown(min(letters & self.applied))}, which is "
                                   "a function elsewhere", REMEDY)  # fmt: skip

    def _is_one_letter(self) -> bool:
        """Whether the brackets that come next hold a letter with its scripts, and nothing else."""
        inside = self.bracketed()
        end = argument_end(inside, 0)
        while inside[end : end + 1] in (["_"], ["^"]):
            end = argument_end(inside, end + 1)
        return end == len(inside) > 0 and inside[0] not in PARTS and (
            not inside[0][0].isdigit()
        )


def _is_value(node: Node) -> bool:
    """Whether a letter was read with its argument: f_of_x, f_values."""
    return "_of_" in node.text or node.text.endswith("_values")


def _terms(node: Node) -> list[Node]:
    """The letters and numbers that a part is made of by arithmetic alone."""
    if node.kind in ALGEBRA or (node.kind == "function" and node.text in ("Max", "Min", "sqrt")):
        return [each for part in node.parts for each in _terms(part)]
    return [node] if node.kind in ("name", "entry", "number") else []
