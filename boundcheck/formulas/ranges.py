"""What indices run over: sets stay apart, and what has entries has one size for all its indices."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from boundcheck.errors import InvalidArgument
from boundcheck.formulas.tree import Node

BINDING = ("total", "multiplied", "greatest", "least")
Said = tuple[str, tuple[Node, ...]]  # of a range: its set, or where it begins and ends
UNSAID: Said = ("", ())
DRAWS: Said = ("", (Node("number", "1"), Node("name", "n")))  # of an independent sample


def with_sets(relation: Node) -> Node:
    """A relation in which bars around a set that an index runs over are its size.

    Raises: InvalidArgument for a letter that is such a set and a number.
    """
    sets = {node.over for node in relation.all()} - {""}
    found = _sized(relation, sets)
    number = next((node.text for node in found.all()
                   if node.kind in ("name", "entry") and node.text in sets), None)  # fmt: skip
    if number is not None:
        raise InvalidArgument(
            f"--latex has {number} as a set and as a number; rename one of the two"
        )
    return found


def _sized(node: Node, sets: set[str]) -> Node:
    if node.kind == "modulus" and node.parts[0].kind == "name" and node.parts[0].text in sets:
        return Node("size", node.parts[0].text)
    return replace(node, parts=tuple(_sized(part, sets) for part in node.parts))


def ranges_of(nodes: list[Node]) -> dict[str, Node]:
    """What binds each index, with its range where one is printed.

    Raises: InvalidArgument for an index with two ranges.
    """
    found: dict[str, Node] = {}
    for node in nodes:
        if node.kind not in BINDING:
            continue
        known = found.setdefault(node.text, node)
        both = {said(known), said(node)}
        if said(known) == UNSAID:
            found[node.text] = node
        if len(both) > 1 and (UNSAID not in both or known.over or node.over):
            # sum_i after sum_{i=1}^n is over the same, that after i in S may be over more
            raise InvalidArgument(
                f"--latex has the index {node.text} with two ranges; give one another letter"
            )
    return found


def said(node: Node) -> Said:
    """The range that is printed."""
    return node.over, node.parts[1:]


def shared(
    nodes: list[Node], ranges: dict[str, Node], square: set[str], random: set[str]
) -> dict[str, str]:
    """For every index the one whose range it has: a printed one where there is one.

    Indices of one place of one letter have one range, as have those of one set.
    Args: square: letters that are square matrices. random: those that are drawn n times.
    Raises: InvalidArgument for a letter with entries over two printed ranges.
    """
    spots: dict[tuple[str, int], list[str]] = {}
    for node in nodes:
        for place, part in enumerate(node.parts if node.kind in ("entry", "member") else ()):
            index = spots.setdefault((node.text, 0 if node.text in square else place), [])
            index += [part.text] if part.text in ranges else []
    for name, bound in ranges.items():
        if bound.over:
            spots.setdefault((bound.over, -1), []).append(name)
    groups = {name: {name} for name in ranges}
    for names in spots.values():
        union = set().union(*(groups[name] for name in names))
        groups |= dict.fromkeys(union, union)
    drawn = {part.text for node in nodes if node.kind == "entry" and node.text in random
             for part in node.parts}  # fmt: skip
    for name, group in groups.items():
        known = _known(ranges, group)
        if len(known) > 1 or (known | {DRAWS} != {DRAWS} and drawn & group):
            clash = [letter for (letter, _), names in spots.items() if group & {*names}
                     and len(_known(ranges, names)) > 1]  # fmt: skip
            raise InvalidArgument(_refused([*clash, name][0], group, drawn & group))
    functions = sorted({node.parts[0].text for node in nodes if node.kind == "entry"
                        and node.text.endswith("_values")} & {*groups})  # fmt: skip
    pair = next(((one, other) for one in functions for other in functions
                 if one < other and other in groups[one]), None)  # fmt: skip
    if pair is not None:
        raise InvalidArgument(
            f"--latex has {pair[0]} and {pair[1]} of one set at points; use one letter where they "
            "stand apart, or bind the functions in the file"
        )
    first = {name: [each for each in ranges if each in group] for name, group in groups.items()}
    return {name: next((each for each in own if said(ranges[each]) != UNSAID), own[0])
            for name, own in first.items()}  # fmt: skip


def _known(ranges: dict[str, Node], names: Iterable[str]) -> set[Said]:
    """The ranges of some indices; none printed is one of its own beside a set."""
    found = {said(ranges[each]) for each in names}
    return found if any(over for over, _ in found) else found - {UNSAID}


def _refused(letter: str, group: set[str], drawn: set[str]) -> str:
    letter, names = letter.removesuffix("_values"), ", ".join(sorted(group))
    if drawn:
        return (f"--latex has independent draws by the indices {names}, with a range other than "
                "1 to n; write i=1 to n, or bind the sample in the file")  # fmt: skip
    return (f"--latex has {letter} over two ranges, by the indices {names}; give both one range, "
            "or bind what has entries in the file")  # fmt: skip


def require_ends(nodes: list[Node], ranges: dict[str, Node], arrays: set[str]) -> None:
    """No index ends at itself, at a letter with entries at its places, or at what is no number.

    Args: arrays: the letters that are vectors, matrices or have entries.
    """
    ends = {name: {part.text for end in bound.parts[1:] for part in end.all()}
            for name, bound in ranges.items()}  # fmt: skip
    printed = {**ends}
    for _ in ends:  # what an end reads of other indices is read, too
        ends = {name: read.union(*(ends.get(other, set()) for other in read))
                for name, read in ends.items()}  # fmt: skip
    for name, read in ends.items():
        entries = {node.text for node in nodes if node.kind == "entry"
                   and any(place.text == name for place in node.parts)}  # fmt: skip
        if name in read or entries & read:
            other = name if name in read else min(entries & read)
            raise InvalidArgument(
                f"--latex has the index {name} up to {other}, which depends on {name}; give one "
                "another letter"
            )
        if printed[name] & arrays:
            raise InvalidArgument(
                f"--latex has the index {name} up to {min(printed[name] & arrays)}, which has "
                "entries; give the number another letter"
            )


def require_one_class(relation: Node, members: dict[str, str]) -> None:
    """Risks are of one loss, over one class that one letter at a time runs over.

    Args: members: by name of the risk, a letter that it is taken at.
    """
    stems = sorted({name.split("_")[0] for name in members})
    if len(stems) > 1:
        raise InvalidArgument(
            f"--latex has the risks {' and '.join(stems)} of random losses, where one is known; "
            "bind the others in the file"
        )
    letters = {node.parts[0].text for node in relation.all() if node.kind == "member"}
    for outer in relation.all():
        if outer.kind not in BINDING or outer.text not in letters:
            continue
        inner = next((node.text for node in outer.parts[0].all()
                      if node.kind in BINDING and node.text in letters), None)  # fmt: skip
        if inner is not None:
            raise InvalidArgument(
                f"--latex has {outer.text} and {inner} of one class at once, whose losses are "
                "random; bind the second in the file"
            )
