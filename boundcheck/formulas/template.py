"""The text of a statement file for a formula: imports, declarations, the claim."""

from __future__ import annotations

from textwrap import wrap

from boundcheck.errors import InvalidArgument
from boundcheck.formulas.arrays import with_functions
from boundcheck.formulas.declaring import WHOLE
from boundcheck.formulas.doubts import require_clear, with_horizon
from boundcheck.formulas.grammar import parsed
from boundcheck.formulas.lengths import require_lengths
from boundcheck.formulas.ranges import with_sets
from boundcheck.formulas.roles import Roles, roles_of, turned
from boundcheck.formulas.spaces import take_lengths
from boundcheck.formulas.symmetric import require_numbers, require_symmetric
from boundcheck.formulas.tree import Node
from boundcheck.formulas.writing import Writer

FIELDS = {"Integer", "Matrix", "Real", "Symmetric", "Tuples", "Vector", "Indices"}
EXPRESSIONS = {
    "at", "average", "determinant", "exponential", "frobenius_norm", "greatest", "identity",
    "index", "indicator", "infimum", "inner", "largest_eigenvalue", "least", "matrix_root", "mean",
    "multiplied", "norm", "operator_norm", "outcome", "parameter", "probability", "row",
    "smallest_eigenvalue", "supremum", "total", "trace", "transpose", "variable", "world",
}  # fmt: skip
ADVICE = "# Say of each symbol what it ranges over, or what it is: see the settings of boundcheck."
MEMBERS = "members_"  # and an index: how many values one without a range has
WIDTH = 100
ONE = Node("number", "1")
PARTIAL = ("log", "log2", "log10", "sqrt", "tan")  # functions without a value everywhere
FORMS = {"Claim", "Holds", "UpToConstant", "WithProbability"}


def formula_text(latex: str, title: str) -> str:
    """The text of a statement file for a displayed formula, without its docstring.

    Raises: InvalidArgument naming what cannot be read or bound.
    """
    writer, statement, _ = _written(latex)
    lines = [*_assumptions(writer), *_ordered(writer)]
    return "\n".join([*_imports(writer), "", *([ADVICE, *lines, ""] if lines else []),
                      _claim(title, statement, [*writer.given]), ""])  # fmt: skip


def assumed(latex: str) -> str:
    """What the statement file of a formula takes letters to be beyond the print, "" for nothing.

    >>> assumed(r"K \\log(1 / \\delta) \\geq 0")
    'K is a whole number >= 1; delta lies in (0, 1)'
    """
    return "; ".join(f"{name} {what}" for name, what in _written(latex)[0].assumed.items())


def printed_parts(latex: str) -> tuple[str, list[tuple[str, str]]]:
    """A formula as a statement, and its parts that may have no value: each, and what asks for it.

    >>> printed_parts(r"x^2 / x + \\sqrt{y} \\geq 2")
    ('Holds(x**2 / x + sqrt(y) >= 2)', [('x**2 / x', '1 / x'), ('sqrt(y)', 'sqrt(y)')])
    """
    writer, statement, nodes = _written(latex)
    found = {writer.text(node): writer.text(_asking(node)) for node in nodes if _is_partial(node)}
    return statement, [*found.items()]


def _asking(node: Node) -> Node:
    below = node.parts[1].all() if node.kind == "quotient" else []
    letters = any(part.kind in ("name", "entry", "member", "size") for part in below)
    return Node("quotient", "", (ONE, node.parts[1])) if letters else node


def _is_partial(node: Node) -> bool:
    """Whether a part is a logarithm, a root, a division by what is no numeral, or a power of it."""
    if node.kind == "quotient":
        return not (node.parts[1].text.isdigit() and int(node.parts[1].text))
    if node.kind == "power":
        return not turned(node) and not node.parts[1].text.isdigit()
    return node.kind == "function" and node.text in PARTIAL


def _assumptions(writer: Writer) -> list[str]:
    """They as comments, a line each."""
    return [f"# The formula does not say that {name} {what}: it is assumed."
            for name, what in writer.assumed.items()]  # fmt: skip


def _written(latex: str) -> tuple[Writer, str, list[Node]]:
    """What a formula asks to be declared, its statement, and all nodes of it and of its level."""
    relation, level, said = parsed(latex)
    relation = with_sets(with_horizon(relation))
    roles = roles_of(relation, level is not None)
    take_lengths(said, roles, {node.text for node in relation.all()})
    require_clear(relation, roles, level is not None)
    relation = with_functions(relation, roles, Writer(roles).text)
    require_symmetric(relation, roles, Writer(roles).text)
    require_numbers(relation, roles, Writer(roles).text)
    writer = Writer(roles)
    writer.letters = {node.text for node in relation.all()}
    writer.whole = _whole(relation)
    writer.sizes = _sizes(relation, writer.roles)
    nodes = [node for side in (relation, level) if side is not None for node in side.all()]
    statement = _statement(relation, level, writer)
    _require_ranges(writer)
    if not roles.spaces and "d" in writer.lines and Node("name", "d") not in nodes:
        require_lengths(relation, writer.roles, writer.ends())
    return writer, statement, nodes


def _require_ranges(writer: Writer) -> None:
    """Raises: InvalidArgument for a whole number beside an index without a range, up to which the
    print may mean it to run."""
    letter = next((name for name in writer.assumed if name in WHOLE and name not in writer.sizes
                   and writer.lines.get(name, "").endswith("searched=20))")), "")  # fmt: skip
    over = next((name for name in writer.lines if name.startswith(MEMBERS)), "")
    if letter and over:
        place = over.removeprefix(MEMBERS)
        raise InvalidArgument(
            f"--latex has the number {letter} beside the index {place} without a range; write "
            f"{place}=1 and {letter} at its sum or maximum, or another letter than {letter}"
        )


def _claim(title: str, statement: str, given: list[str]) -> str:
    said = f", given=[{', '.join(given)}]" if given else ""
    short = f'printed = Claim(WORK.at("{title}"), {statement}{said})'
    if len(short) <= WIDTH:
        return short
    form, _, inside = statement.partition("(")
    head = ["printed = Claim(", f'    WORK.at("{title}"),', f"    {form}("]
    return "\n".join([*head, *_lines(inside[:-1], " " * 8), "    ),",
                      *([f"   {said.removeprefix(',')},"] if given else []), ")"])  # fmt: skip


def _lines(text: str, indent: str) -> list[str]:
    """A text within brackets, broken at spaces."""
    return wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent,
                break_long_words=False, break_on_hyphens=False)  # fmt: skip


def _import(module: str, words: list[str]) -> list[str]:
    short = f"from {module} import {', '.join(words)}"
    if len(short) <= WIDTH:
        return [short]
    return [f"from {module} import (", *_lines(", ".join(words) + ",", " " * 4), ")"]


def _statement(relation: Node, level: Node | None, writer: Writer) -> str:
    writer.uses("Claim")
    loose = [node for node in relation.all() if node.text in (r"\lesssim", r"\gtrsim")]
    if not loose and level is None:
        return f"{writer.uses('Holds')}({writer.text(relation)})"
    if level is not None and not loose:
        made = writer.text(relation)
        return f"{writer.uses('WithProbability')}({writer.text(level)}, {made})"
    if level is not None or loose != [relation]:
        raise InvalidArgument(
            "--latex has an order of magnitude beside other claims; state them one by one"
        )
    left, right = relation.parts if relation.text == r"\lesssim" else relation.parts[::-1]
    plain = Node("relation", r"\le", (left, right))
    return f"{writer.uses('UpToConstant')}({writer.text(plain)})"


def _whole(relation: Node) -> set[str]:
    """Letters that also stand without an index: vectors whose entries are indexed."""
    return {node.text for node in relation.all() if node.kind == "name"}


def _sizes(relation: Node, roles: Roles) -> set[str]:
    """Letters that count entries: they are sizes of the world."""
    indexed = {place for places in roles.entries.values() for place in places}
    return {node.text for name in indexed if name in roles.ranges
            for part in roles.ranges[name].parts[1:] for node in part.all()
            if node.kind == "name"} | (
        {roles.length} if roles.vectors | roles.matrices else set()
    )  # fmt: skip


def _ordered(writer: Writer) -> list[str]:
    """Declarations, what others rest on first: sizes, then the rest as it came up."""
    lines = list(writer.lines.values())
    return sorted(lines, key=lambda line: ("Integer(" not in line, "index(" in line))


def _imports(writer: Writer) -> list[str]:
    own = writer.used
    sympy = sorted(own - EXPRESSIONS - FORMS - FIELDS)
    modules = {"boundcheck": own & FORMS, "boundcheck.expressions": own & EXPRESSIONS,
               **{f"boundcheck.settings.{name}": words for name, words in writer.setting.items()},
               "boundcheck.worlds": own & FIELDS}  # fmt: skip
    lines = [*_import("sympy", sympy), ""] if sympy else []
    for name, words in sorted(modules.items()):
        lines += _import(name, sorted(words)) if words else []
    return [*lines, "", "from . import WORK"]
