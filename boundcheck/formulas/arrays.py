"""Functions of matrices and vectors: what is defined for them is written, the rest is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

from boundcheck.errors import InvalidArgument
from boundcheck.formulas.roles import VALUED, Roles, turned
from boundcheck.formulas.symmetric import has_entries
from boundcheck.formulas.tree import Node

FUNCTIONS = {"exp": "exponential", "sqrt": "matrix_root"}
HALF = (Node("quotient", "", (Node("number", "1"), Node("number", "2"))), Node("number", "0.5"))
Said = Callable[[Node], str]


def with_functions(relation: Node, roles: Roles, said: Said) -> Node:
    """A relation in which exponentials and roots of matrices are those of matrices.

    Args: said: the text of a part, for the message.
    Raises: InvalidArgument for what is not defined for a matrix or a vector here.
    """
    whole = {node.text for node in relation.all() if node.kind == "name"}
    _require_one_meaning(relation, roles, whole)
    return _Arrays(roles, said, whole).read(relation)


class _Arrays:
    """Reads the parts of one relation, innermost first."""

    def __init__(self, roles: Roles, said: Said, whole: set[str]) -> None:
        self.roles, self.said, self.whole = roles, said, whole

    def read(self, node: Node) -> Node:
        """A part with its functions of matrices by their names."""
        own = replace(node, parts=tuple(map(self.read, node.parts)))
        rule = {
            "function": self._function, "power": self._power, "modulus": self._modulus,
            "quotient": self._quotient, "sum": self._sum, "product": self._product,
            **dict.fromkeys(VALUED, self._valued),
        }.get(own.kind)  # fmt: skip
        return own if rule is None else rule(own)

    def has(self, node: Node) -> bool:
        """Whether a part is a matrix or a vector."""
        return has_entries(node, self.roles, self.whole)

    def is_vector(self, node: Node) -> bool:
        """Whether a part with entries is a vector."""
        if node.kind in ("name", "entry"):
            return node.text in self.roles.vectors
        arrays = [part for part in node.parts if self.has(part)]
        if not arrays or turned(arrays[-1]):
            return False
        return self.is_vector(arrays[-1])

    def _refusal(self, what: str, node: Node, remedy: str) -> InvalidArgument:
        kind = "vector" if self.is_vector(node) else "matrix"
        return InvalidArgument(f"--latex has {what} {self.said(node)}, which is a {kind}; {remedy}")

    def _function(self, node: Node) -> Node:
        inside = next(filter(self.has, node.parts), None)
        if inside is None:
            return node
        if node.text not in FUNCTIONS or self.is_vector(inside):
            raise self._refusal(f"the function {node.text} of", inside,
                                "exp and square roots of matrices are known")  # fmt: skip
        return Node("matrix_function", FUNCTIONS[node.text], (inside,))

    def _power(self, node: Node) -> Node:
        base, exponent = node.parts
        if turned(node) or not self.has(base):
            return node
        size = exponent.parts[0] if exponent.kind == "negative" else exponent
        whole = size.kind == "number" and size.text.isdigit()
        if self.is_vector(base) or not (whole or size in HALF):
            raise self._refusal("a power of", base, "write a norm, or a product of matrices, of "
                                "which whole powers and 1/2 are known")  # fmt: skip
        if whole:
            return node
        root = Node("matrix_function", "matrix_root", (base,))
        minus = Node("negative", "", (Node("number", "1"),))
        return Node("power", "", (root, minus)) if size is not exponent else root

    def _modulus(self, node: Node) -> Node:
        if self.has(node.parts[0]):
            raise self._refusal("bars around", node.parts[0], r"write its norm, or \det")
        return node

    def _quotient(self, node: Node) -> Node:
        if self.has(node.parts[1]):
            raise self._refusal("a division by", node.parts[1], "write its norm, or A^{-1}")
        return node

    def _sum(self, node: Node) -> Node:
        bare = [part for part in node.parts if not self.has(part)]
        if bare and len(bare) < len(node.parts):
            other = next(filter(self.has, node.parts))
            raise self._refusal(f"a sum of the number {self.said(bare[0])} and", other,
                                "no number is added to it; write a multiple of I")  # fmt: skip
        return node

    def _product(self, node: Node) -> Node:
        arrays = [part for part in node.parts if self.has(part)]
        for left, right in pairwise(arrays):
            if not any(map(turned, node.parts)) and self.is_vector(left):
                raise self._refusal(f"a product with {self.said(right)} of", left,
                                    r"write x^\top y, or a number in front of it")  # fmt: skip
        return node

    def _valued(self, node: Node) -> Node:
        number = next((part for part in node.parts if not self.has(part)), None)
        if number is not None:
            kind = {"norm": "a norm", "inner": "an inner product"}.get(node.kind, f"a {node.kind}")
            raise InvalidArgument(
                f"--latex has {kind} of {self.said(number)}, of what is no vector and no matrix; "
                r"write \lvert x \rvert for a number, or the entries"
            )
        return node


def _require_one_meaning(relation: Node, roles: Roles, whole: set[str]) -> None:
    """Marks that are an operation on matrices, or on what has entries, are no letters there."""
    for node in relation.all():
        letter = node.text.split("_")[0]
        if "adjoint" in node.marks and node.text in roles.matrices:
            raise InvalidArgument(
                f"--latex has the matrix {node.text}, which may be a transpose or an inverse of "
                rf"{letter}; write {letter}^\top or {letter}^{{-1}}, or {letter}_0 for another "
                "letter"
            )
        if node.kind == "entry" and len(node.parts) == 1 and (
            node.text in roles.matrices and node.text in whole
        ):  # fmt: skip
            raise InvalidArgument(
                f"--latex has {node.text} as a matrix and as a list of matrices; rename one of the "
                "two"
            )
        if "bar" in node.marks and node.text.split("_bar")[0] in roles.entries:
            raise InvalidArgument(
                f"--latex has {node.text} beside entries of {letter}, of which it may be the mean; "
                rf"write \frac{{1}}{{n}} \sum_{{i=1}}^n {letter}_i, or give it another letter"
            )
        for first, after in pairwise(node.parts):
            known = after.text == letter_of(first) or has_entries(after, roles, whole)
            if node.kind == "product" and "prime" in first.marks and known:
                raise InvalidArgument(
                    f"--latex has {first.text} before a factor, where it may be a transpose; write "
                    rf"{letter_of(first)}^\top, or \cdot after another letter"
                )


def letter_of(node: Node) -> str:
    """The letter of a name without its marks.

    >>> letter_of(Node("name", "x_prime"))
    'x'
    """
    return node.text.split("_")[0]
