"""What a formula is made of: a small tree, one kind of node for every notation."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Node:
    """A part of a formula.

    kind, text and parts by notation:
        number "2"; name "x_1"; entry "x" (places...); member "R" (index): a value at a member of a
        set; sum, product, quotient, power, negative; relation r"\\le"; both (relations);
        function "log"; norm "2"; modulus; inner; expectation, variance, probability (body);
        total, multiplied, greatest, least "i" (body); supremum, infimum "x" (body, low, high);
        size (of a set); divergence "total_variation" (of two laws); transpose; trace, determinant,
        eigenvalue "largest"; matrix_function "exponential", "matrix_root"; indicator.
    """

    kind: str
    text: str = ""
    parts: tuple[Node, ...] = ()
    marks: frozenset[str] = field(default_factory=frozenset)
    over: str = ""  # the set that an index is a member of

    def all(self) -> list[Node]:
        """This node and all below, outermost first."""
        return [self, *(node for part in self.parts for node in part.all())]


@dataclass(frozen=True)
class Range:
    """What an index runs over: numbers from `low` to `high`, or the members of a set."""

    name: str
    low: Node | None = None
    high: Node | None = None
    ends: tuple[Node, Node] | None = None
    over: str = ""
    ordered: bool = False  # printed as low <= i <= high

    @property
    def is_class(self) -> bool:
        """Whether it is the set that a letter such as f ranges over."""
        return self.high is None and self.ends is None
