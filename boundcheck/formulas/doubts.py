"""What a formula leaves open although every part of it was read: refused in one line."""

from __future__ import annotations

import re
from dataclasses import replace

from boundcheck.boundary.messages import shown
from boundcheck.errors import InvalidArgument
from boundcheck.formulas.roles import RANDOM, Roles, turned, under
from boundcheck.formulas.tree import Node

HORIZON = Node("name", "T")
LARGEST_POWER = 10_000  # of numbers, which are computed when the file is read
COMPUTED = {"number", "sum", "product", "negative", "quotient", "power"}
VARIABLES = "UVWXYZ"
UNIT = re.compile("I_[a-z0-9]|Id(_[a-z])?")
BOXING = ("supremum", "infimum")  # over an interval


def with_horizon(relation: Node) -> Node:
    """A relation in which ^T is a power where T is a number elsewhere."""
    if not _has_horizon(relation):
        return relation
    return _powered(relation)


def _has_horizon(node: Node) -> bool:
    """Whether T stands anywhere but in a power as a whole."""
    parts = node.parts[:1] if turned(node) and node.kind == "power" else node.parts
    return node == HORIZON or any(map(_has_horizon, parts))


def _powered(node: Node) -> Node:
    parts = tuple(map(_powered, node.parts))
    if node.kind == "power" and turned(node):
        parts = (parts[0], Node("sum", "", (HORIZON,)))
    return replace(node, parts=parts)


def require_clear(relation: Node, roles: Roles, promised: bool) -> None:
    """Raises: InvalidArgument for a letter or a sign with two meanings.

    Args: promised: whether it is claimed with a probability only, so that it is random as a whole.
    """
    nodes = relation.all()
    if not promised:
        _require_averaged(relation, roles)
    if not any(node.kind in ("name", "entry", "member", "size") for node in nodes):
        raise InvalidArgument("--latex has no letter, so that nothing is to be found out; give one")
    if Node("name", "i") in nodes and "i" not in roles.ranges:
        raise InvalidArgument(
            "--latex has the letter i as a number, which may be the imaginary unit; write \\cos "
            "and \\sin, or give a number another letter"
        )
    _require_horizon(nodes, roles)
    _require_entries(nodes, roles)
    _require_bound(nodes, roles)
    _require_laws(nodes, roles)
    unit = min((name for name in roles.matrices if UNIT.fullmatch(name)), default="")
    if unit:
        raise InvalidArgument(
            f"--latex has {unit} as a matrix, which may be the unit matrix; write I, the size of "
            r"which is that of the others, A \in \mathbb{R}^{n \times n}, or rename it"
        )
    for node in nodes:
        if node.kind == "power" and _is_huge(node):
            raise InvalidArgument(
                f"--latex has a power of numbers beyond {LARGEST_POWER}; write it with a letter"
            )


def _require_averaged(node: Node, roles: Roles) -> None:
    """What is random stands under an expectation or a probability."""
    if node.kind in RANDOM:
        return
    letter = node.text.removesuffix("_bar") if node.kind in ("name", "entry") else ""
    if letter and {letter, f"{letter}_bar"} & roles.random:
        raise InvalidArgument(
            f"--latex has {node.text} outside of the expectations and probabilities that make it "
            "random; put it under one, or end with \\text{with probability at least} 1 - \\delta"
        )
    if roles.mode and node.kind in ("name", "entry") and node.text in VARIABLES and (
        node.text not in roles.vectors | roles.matrices | roles.laws
    ):  # fmt: skip
        raise InvalidArgument(
            f"--latex has {node.text} outside of the expectations and probabilities of others, "
            "where it may be random; put it under one, or give a number another letter"
        )
    for part in node.parts:
        _require_averaged(part, roles)


def _require_horizon(nodes: list[Node], roles: Roles) -> None:
    arrays = roles.vectors | roles.matrices
    for node in nodes:
        if node.kind != "power" or node.parts[1] != Node("sum", "", (HORIZON,)):
            continue
        letters = {part.text for part in node.parts[0].all()}
        if letters & arrays or any(len(name.split("_")[0]) == 1 for name in letters):
            raise InvalidArgument(
                r"--latex has ^T, which may be a transpose, beside a number T; "
                r"write ^\top for the transpose, or another letter for the number"
            )


def _require_entries(nodes: list[Node], roles: Roles) -> None:
    """x_1 beside x_i would be another letter, and so would x_i where nothing binds i."""
    entries = {node.text: node for node in nodes if node.kind == "entry"}
    for node in nodes:
        scripts = node.text.split("_") if node.kind == "name" else []
        for at, place in [*enumerate(scripts)][1:]:
            stem = "_".join(scripts[:at] + scripts[at + 1 :])
            if stem not in entries or not (len(place) == 1 or place.isdigit()):
                continue
            low = _start(entries[stem], roles)
            if not (place.isdigit() and low.isdigit() and int(place) < int(low)):
                raise InvalidArgument(
                    f"--latex has {stem}_{place} beside entries of {stem} by an index; write it "
                    "in brackets or under the sum where the index is bound, or bind it in the file"
                )


def _require_bound(nodes: list[Node], roles: Roles) -> None:
    """mu_i and f(x), where nothing binds i and x, would be new letters beside bound ones."""
    bound = {*roles.ranges, *(node.text for node in nodes if node.kind in BOXING)}
    for node in nodes:
        stem, *arguments = node.text.split("_of_") if node.kind == "name" else ("",)
        scripts = [script for part in (stem, *arguments) for script in part.split("_")[1:]]
        free = {each for each in (*scripts, *arguments) if each in bound}
        free |= {sign for script in scripts if set(script) <= bound for sign in script}
        if free:
            raise InvalidArgument(
                f"--latex has {node.text.replace('_of_', ' of ')} where nothing binds {min(free)}, "
                "an index elsewhere; write it under the sum or maximum, or rename one of them"
            )


def _start(entry: Node, roles: Roles) -> str:
    bound = roles.ranges.get(entry.parts[-1].text)
    return bound.parts[1].text if bound is not None and len(bound.parts) > 1 else ""


def _require_laws(nodes: list[Node], roles: Roles) -> None:
    """One law for every expectation and probability, of letters that are random as they stand."""
    laws = {node.text for node in nodes if node.kind in RANDOM}
    if roles.laws and "" in laws:
        raise InvalidArgument(
            f"--latex has an expectation beside the laws {', '.join(sorted(roles.laws))}; say "
            r"under which, as \mathbb{E}_P[...]"
        )
    if len(laws) > 1 and not {under(law) for law in laws} <= roles.laws:
        names = " and ".join(shown(law) if law else "none" for law in sorted(laws))
        raise InvalidArgument(
            f"--latex has expectations or probabilities with subscripts {names}; "
            "start from one law and bind the others in the file"
        )
    for node in (each for each in nodes if each.kind in RANDOM):
        inside = node.all()[1:]
        letter = node.text[:1]
        letters = {part.text.split("_")[0] for part in inside}
        if letter and letter in VARIABLES and letter not in letters:
            raise InvalidArgument(
                f"--latex averages over {letter}, which does not stand there; bind it in the file"
            )
        for part in inside:
            _require_plain(part, roles)


def _require_plain(part: Node, roles: Roles) -> None:
    stem, *rest = part.text.split("_") if part.kind == "name" else ("",)
    known = {*roles.random, *VARIABLES}
    functions = "of" in rest and known & set(rest)
    if part.text not in roles.random and (functions or (rest and stem in known)):
        raise InvalidArgument(
            f"--latex has {part.text.replace('_of_', ' of ')} where X, or X_i under a sum, is "
            "random; bind it in the file"
        )
    if part.kind == "norm" and roles.mode == "atoms":
        letters = {each.text for each in part.all()} & roles.random
        if letters:
            raise InvalidArgument(
                f"--latex has the norm of {min(letters)}, which is a random number here; write "
                r"\lvert X \rvert, or bind the vector in the file"
            )


def _is_huge(power: Node) -> bool:
    """Whether a power of numbers alone would take long to compute."""
    base, exponent = power.parts
    if not all(part.kind in COMPUTED for part in base.all()):
        return False
    high = exponent.all()
    if not all(part.kind in COMPUTED for part in high):
        return False
    return any(part.kind == "power" and _is_large(part) for part in high) or any(
        part.kind == "number" and part.text.isdigit() and int(part.text) > LARGEST_POWER
        for part in high
    )


def _is_large(power: Node) -> bool:
    """Whether a power within an exponent is more than a number such as 2^3."""
    base, exponent = power.parts
    small = base.kind == exponent.kind == "number" and exponent.text.isdigit()
    if not small or not base.text.isdigit() or len(exponent.text) > 2:
        return True
    return bool(int(base.text) ** int(exponent.text) > LARGEST_POWER)
