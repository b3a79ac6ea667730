"""Letters that may be the length of vectors and matrices of which the print says none."""

from __future__ import annotations

from boundcheck.errors import InvalidArgument
from boundcheck.formulas.arrays import HALF
from boundcheck.formulas.declaring import WHOLE
from boundcheck.formulas.roles import VALUED, Roles, turned
from boundcheck.formulas.tree import Node

SIZES = {*WHOLE} - {"T", "d"}  # T is a horizon, d the length wherever none is printed
ROOTS = {"r", "s", "p"}  # whole numbers where their root stands, and r beside a matrix's own
RANKED = ("F", "nuclear")  # norms that ranks bound
COUNTED = {"independent": {"n"}, "signs": {"n"}, "sample": {"n"}, "classes": {"n", "m"}}


def require_lengths(relation: Node, roles: Roles, bound: set[str]) -> None:
    """No number beside several norms and traces of what has no printed length may be this length.

    Args: bound: letters up to which an index runs.
    Raises: InvalidArgument naming the number and how the length is printed.
    """
    nodes = relation.all()
    valued = [node for node in nodes if node.kind in VALUED or (
        node.kind == "product" and any(map(turned, node.parts)))]  # fmt: skip
    if len(valued) < 2 and "I" not in roles.matrices:
        return  # one against numbers
    scripts = {script for node in nodes for script in node.text.split("_")[1:]}
    known = {*bound, *scripts, *roles.ranges, *roles.random, *COUNTED.get(roles.mode, ()),
             *({"K"} if roles.laws else ())}  # fmt: skip
    powers = any(node.kind == "determinant" for node in valued)
    letters = _standing(relation, powers)
    sizes = {name for name in letters & SIZES if name not in roles.vectors | roles.matrices}
    ranked = any(node.kind == "trace" or node.text in RANKED for node in valued)
    roots = {name for name in ROOTS & letters if _has_root(nodes, name)}
    sizes |= roots | ({"r"} & letters if ranked and not roles.vectors else set())
    letter = min(sizes - known, default="")
    if letter:
        arrays = roles.vectors or roles.matrices
        way = (rf"\|x\|_1 \leq \sqrt{{{letter}}} \|x\|_2, x \in \mathbb{{R}}^{letter}"
               if roles.vectors else rf"\operatorname{{tr}}(A) \leq {letter} \|A\|, "
               rf"A \in \mathbb{{R}}^{{{letter} \times {letter}}}")  # fmt: skip
        what = "length" if roles.vectors else "size or rank"
        raise InvalidArgument(
            f"--latex has the number {letter} beside {min(arrays)}, whose {what} it may be; say "
            f"the length, as in {way}, or give another number another letter"
        )


def _standing(node: Node, powers: bool) -> set[str]:
    """Letters of a part, those of its exponents where powers count."""
    parts = node.parts
    if not powers and node.kind == "power":
        parts = parts[:1]
    elif not powers and (node.kind, node.text) == ("function", "exp"):
        parts = ()
    own = {node.text} if node.kind == "name" else set()
    return own.union(*(_standing(part, powers) for part in parts))


def _has_root(nodes: list[Node], name: str) -> bool:
    """Whether the square root of a letter as it stands is printed."""
    letter = Node("name", name)
    return any((node.kind, node.text, node.parts) == ("function", "sqrt", (letter,))
               or (node.kind == "power" and node.parts[0] == letter and node.parts[1] in HALF)
               for node in nodes)  # fmt: skip
