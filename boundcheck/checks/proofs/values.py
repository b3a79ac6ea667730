"""What must hold for a node to have a value, where a prover takes it for some real number.

A letter that stands for a node has a value by itself; the node has one where its places exist, its
inverses are regular, and every number inside it has a value. What is not seen by these rules, as
an algorithm or a root of any matrix, may have none in some world.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import sympy

from boundcheck.checks.proofs.definite import bare, regular, semidefinite
from boundcheck.checks.proofs.places import NoSum, field_of, sequence_of, sizes_of
from boundcheck.checks.proofs.system import SERIES, own_requirements
from boundcheck.expressions.boxes import Extreme
from boundcheck.expressions.matrix_words import SYMMETRIC
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import Apply, Average, Binder, Greatest, Indicator, Least, Node
from boundcheck.expressions.signs import facts_of, is_lawful
from boundcheck.expressions.symbols import Known
from boundcheck.quantities.losses import NAMES
from boundcheck.worlds.composed import Index
from boundcheck.worlds.draws import Indices, Signs
from boundcheck.worlds.fields import Choice, Field, Integer, Weights

if TYPE_CHECKING:
    from boundcheck.checks.proofs.sums import Sums

Here = Mapping[Known, str]  # index that is bound, to the size that it runs below
Needed = list[sympy.Basic]
TOTAL = (
    "transpose", "diagonal", "identity", "ones", "inner", "form", "norm", "outer", "entrywise",
    "operator_norm", "frobenius_norm", "largest_entry", "column",
)  # fmt: skip
SQUARE = ("trace", "determinant", "spectral_radius", "exponential")
FITTING = ("inner", "form", "entrywise", "solution")  # of operands of sizes that belong together
OF_SYMMETRIC = ("largest_eigenvalue", "smallest_eigenvalue", "eigenvalues")


class Values:
    """The rules, with what a claim promises of its fields."""

    def __init__(self, sums: Sums) -> None:
        self.sums = sums
        self.fields: Mapping[str, Field] = sums.knowledge.fields
        self.stands = sums.knowledge.claim.stands

    def needed(self, expr: sympy.Basic, here: Here) -> Needed:
        """What must hold for an expression to have a value.

        Raises: NoSum where that is not to be seen.
        """
        if isinstance(expr, Known):
            return self._of_symbol(expr, here)
        if isinstance(expr, Node):
            return self._of_node(expr, here)
        if isinstance(expr, (sympy.Piecewise, *SERIES)):
            raise NoSum(f"{expr} has pieces or terms of its own")
        found = [c for arg in expr.args for c in self.needed(arg, here)]
        if not getattr(expr, "is_commutative", True):
            return [*found, *self._of_power(expr)]
        return [*found, *[c for c in own_requirements(expr) if not self._evident(c)]]

    def _of_symbol(self, symbol: Known, here: Here) -> Needed:
        if symbol.meaning.role != "defined":
            return []
        definition = self.stands.get(symbol.name)
        if not isinstance(definition, sympy.Basic):
            raise NoSum(f"{symbol} is measured by a rule that is no expression")
        return self.needed(definition, here)

    def _of_power(self, expr: sympy.Basic) -> Needed:
        if not isinstance(expr, sympy.Pow) or (expr.exp.is_Integer and expr.exp > 0):
            return []
        if not expr.exp.is_Integer:
            raise NoSum(f"{expr} is no product")
        return regular(self.fields, expr.base)

    def _evident(self, condition: sympy.Basic) -> bool:
        """Whether signs alone show a condition; one that is left speaks of numbers. Raises: NoSum.
        """
        if isinstance(condition, sympy.Rel) and condition.rhs == 0:
            facts = facts_of(condition.lhs, self.stands)
            wanted = "nonnegative" if isinstance(condition, sympy.Ge) else "positive"
            if wanted in facts:
                return True
        free = condition.free_symbols
        plain = not condition.has(Node) and all(
            not isinstance(s, Known) or s.meaning.role in ("world", "parameter") for s in free
        )
        if not plain or condition is sympy.false:
            raise NoSum(f"it needs {condition}")
        return False

    def _of_node(self, node: Node, here: Here) -> Needed:
        if isinstance(node, Named):
            return self.needed(node.body, here)
        if isinstance(node, Indicator):
            return self.needed(node.condition, here)
        if isinstance(node, Binder):
            return self._of_binder(node, here)
        if isinstance(node, Average):
            if not is_lawful(node.drawn):
                raise NoSum(f"the probabilities of {node.drawn} may be no law")
            return self.needed(node.body, here)
        if isinstance(node, Extreme):
            return self._of_extreme(node, here)
        if not isinstance(node, Apply):
            raise NoSum(f"{node} is a node of another kind")
        known = [c for operand in node.operands for c in self._of_operand(operand, here)]
        return [*known, *self._of_primitive(node, here)]

    def _of_operand(self, operand: sympy.Basic, here: Here) -> Needed:
        return self.needed(operand, here) if isinstance(operand, sympy.Expr) else []

    def _of_binder(self, node: Binder, here: Here) -> Needed:
        sizes = {each: sympy.sympify(each.meaning.size) for each in node.indices}
        for size in sizes.values():
            if isinstance(node, (Greatest, Least)):
                self._require_some(size)
            elif not size.is_Integer and not self._is_size(size):
                raise NoSum(f"the size {size}")
        return self.needed(node.body, {**here, **{each: str(s) for each, s in sizes.items()}})

    def _require_some(self, size: object) -> None:
        """Raises: NoSum for a size that may be zero."""
        if not (str(size).isdigit() and int(str(size)) >= 1):
            self.sums.size(size)

    def _of_extreme(self, node: Extreme, here: Here) -> Needed:
        found = self.needed(node.body, here)
        for _, low, high in node.limits:
            found += [*self.needed(low, here), *self.needed(high, here)]
            if not self._evident(sympy.Ge(high - low, 0, evaluate=False)):
                found.append(sympy.Ge(high - low, 0, evaluate=False))
        return found

    # Primitives.

    def _fitting(self, operands: tuple[sympy.Basic, ...]) -> Needed:
        """Operands are of one size each way; sizes of two names must be equal numbers."""
        first, *others = [sizes_of(self.fields, operand) for operand in operands]
        needed: Needed = []
        for sizes in others:
            for one, other in zip(first[-len(sizes) :], sizes, strict=False):
                if one == other:
                    continue
                if one.isdigit() or other.isdigit():
                    raise NoSum(f"sizes {one} and {other}")
                named = map(self.sums.knowledge.symbol, (one, other))
                needed.append(sympy.Eq(*named, evaluate=False))
        return needed

    def _of_primitive(self, node: Apply, here: Here) -> Needed:
        name, operands = node.primitive.standard, node.operands
        if name in ("identity", "ones") and not self._is_size(operands[0]):
            raise NoSum(f"{node} has a size that is no integer of the world")
        if name == "form" and len(set(sizes_of(self.fields, operands[0]))) != 1:
            raise NoSum(f"{operands[0]} is not seen to be square")
        if name in TOTAL:
            return self._fitting(operands) if name in FITTING else []
        if name in SQUARE:
            sizes = sizes_of(self.fields, operands[0])
            if len(set(sizes)) != 1:
                raise NoSum(f"{operands[0]} is not seen to be square")
            return []
        rule = RULES.get(name)
        if rule is None:
            raise NoSum(f"{node} may have no value")
        return rule(self, operands, here)

    def entry(self, operands: tuple[sympy.Basic, ...], here: Here) -> Needed:
        """An entry or a row stands at places that exist."""
        array, *places = operands
        for place, size in zip(places, self._sizes(array), strict=False):
            self._require_place(place, size, here)
        return []

    def _is_size(self, expr: sympy.Basic) -> bool:
        found = field_of(self.fields, expr.name) if isinstance(expr, sympy.Symbol) else None
        return type(found) is Integer and isinstance(found.low, int) and found.low >= 0

    def _sizes(self, array: sympy.Basic) -> tuple[str, ...]:
        """The sizes of an array, as long as its draw says where it is drawn. Raises: NoSum."""
        draw = array.meaning.draw if isinstance(array, Known) else None
        if isinstance(draw, (Indices, Signs)):
            return (str(draw.length),)
        return sizes_of(self.fields, array)

    def _require_place(self, place: sympy.Basic, size: str, here: Here) -> None:
        """Raises: NoSum for a place that is not seen to lie below a size."""
        if place in here and here[place] == size:
            return
        found = field_of(self.fields, place.name) if isinstance(place, Known) else None
        if isinstance(found, Index) and str(found.size) == size:
            return
        if place.is_Integer and size.isdigit() and 0 <= int(place) < int(size):
            return
        if place == 0 or (isinstance(place, sympy.Add) and str(place + 1) == size):
            self._require_some(size)
            return
        if isinstance(place, Apply) and place.primitive.standard == "entry":
            sequence = sequence_of(self.fields, place.operands[0])
            if sequence is not None and sequence[1] == size:
                self._require_place(place.operands[1], sequence[0], here)
                return
        raise NoSum(f"the place {place} of {size}")

    def picked(self, operands: tuple[sympy.Basic, ...], here: Here) -> Needed:
        """Entries or a block at places of sequences, which exist."""
        array, *sequences = operands
        for each, size in zip(sequences, sizes_of(self.fields, array), strict=False):
            found = sequence_of(self.fields, each)
            if found is None or found[1] != size:
                raise NoSum(f"places by {each}")
        return []

    def symmetric(self, operands: tuple[sympy.Basic, ...], here: Here) -> Needed:
        """The matrix is symmetric by its field or positive semi-definite by its form."""
        matrix = bare(operands[0])
        if isinstance(matrix, Known) and type(field_of(self.fields, matrix.name)) in SYMMETRIC:
            return []
        return semidefinite(self.fields, matrix)

    def law(self, operands: tuple[sympy.Basic, ...], here: Here) -> Needed:
        """An extreme value of a law is one of values with as many weights."""
        values, weights = operands
        found = field_of(self.fields, getattr(weights, "name", ""))
        if not isinstance(found, Weights) or sizes_of(self.fields, values) != (str(found.size),):
            raise NoSum(f"{weights} is no law of {values}")
        return []

    def of_loss(self, operands: tuple[sympy.Basic, ...], here: Here) -> Needed:
        """A minimal risk is one of a loss by name, of no height below zero, at a probability."""
        loss, height, _, chance = operands
        found = field_of(self.fields, getattr(loss, "name", ""))
        if not isinstance(found, Choice) or not set(found.items) <= set(NAMES):
            raise NoSum(f"{loss} is no loss by name")
        ends = [sympy.Ge(end, 0, evaluate=False) for end in (height, chance, 1 - chance)]
        return [end for end in ends if not self._evident(end)]


Rule = Callable[[Values, tuple[sympy.Basic, ...], Here], Needed]
RULES: dict[str, Rule] = {
    "entry": Values.entry, "row": Values.entry, "pick": Values.picked, "block": Values.picked,
    "matrix_root": lambda v, o, here: semidefinite(v.fields, o[0]),
    "solution": lambda v, o, here: [*regular(v.fields, o[0]), *v._fitting(o)],
    "minimal_risk": Values.of_loss, "least_value": Values.law, "greatest_value": Values.law,
    **dict.fromkeys(OF_SYMMETRIC, Values.symmetric),
}  # fmt: skip
