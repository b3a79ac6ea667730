r"""Spaces of letters after a comma: x, y \in \mathbb{R}^n, A \in \mathbb{R}^{n \times n}."""

from __future__ import annotations

from boundcheck.errors import InvalidArgument
from boundcheck.formulas.applications import Applications
from boundcheck.formulas.roles import Roles

Said = dict[str, tuple[str, ...]]  # of a letter: the sides of its space, none for a number


class Spaces(Applications):
    """The rules of membership in a space of vectors or square matrices."""

    def spaces(self) -> Said:
        """The spaces of letters that are printed after the relation, if any are."""
        found: Said = {}
        while self.here == "," and any(each.text == r"\in" for each in self.tokens[self.place :]):
            names: list[str] = []
            while self.here == ",":
                self.take()
                names.append(self.set_name())
            self.take(r"\in")
            if self.here != r"\mathbb" or self._letter_of() != "R":
                raise self.refusal("a set other than the reals", r"write x \in \mathbb{R}^n, or "
                                   "bind it in the file")  # fmt: skip
            self._pass_style()
            sides = self._sides()
            for name in names:
                if found.setdefault(name, sides) != sides:
                    raise self.refusal(f"{name} in two spaces", "state one of them")
        return found

    def _sides(self) -> tuple[str, ...]:
        """A letter or a number, or twice the same with a cross between, as a superscript."""
        if self.here != "^":
            return ()
        self.take()
        start, end = self.place, self.place + 1
        while self.here == "{" and end < len(self.tokens) and self.tokens[end].text != "}":
            end += 1
        inside = [token.text for token in self.tokens[start + (self.here == "{") : end]]
        sides = tuple(inside[::2])
        plain = all((side.isalpha() and len(side) == 1 and side != "e")
                    or (side.isdigit() and int(side)) for side in sides)  # fmt: skip
        if not plain or inside[1::2] not in ([], [r"\cdot"]) or len({*sides}) != 1 or (
            len(sides) != 1 + len(inside) // 2
        ):  # fmt: skip
            raise self.refusal("a space of other sides than one letter", r"write \mathbb{R}^n or "
                               r"\mathbb{R}^{n \times n}, or bind it in the file")  # fmt: skip
        if self.here != "{":
            self.require_digit("^")
        self.place = end + (self.here == "{")
        return sides


def take_lengths(said: Said, roles: Roles, letters: set[str]) -> None:
    """Keep the length of vectors and matrices that is printed.

    Args: letters: those of the relation.
    Raises: InvalidArgument unless it is one length, of all of them that have no index with a range.
    """
    if not said:
        return
    arrays = roles.vectors | roles.matrices
    for name, sides in said.items():
        kind = 1 if name in roles.vectors else 2 if name in roles.matrices else 0
        if name not in letters or name in roles.random or kind != len(sides):
            what = ("a number", "a vector", "a matrix")[len(sides)]
            raise InvalidArgument(
                f"--latex says that {name} is {what}, which the formula does not read it as; state "
                "the space of what stands in its norms and traces"
            )
    roles.reals = {name for name, sides in said.items() if not sides}
    lengths = {side for sides in said.values() for side in sides}
    if not lengths:
        return
    length, *others = sorted(lengths)
    missing = min(arrays - {*said, "I"}, default="")
    indexed = min({*said} & {*roles.entries}, default="")
    taken = arrays | {*roles.entries, *roles.ranges}
    if others or missing or indexed or length in taken or (
        roles.mode or roles.laws
    ):  # fmt: skip
        raise InvalidArgument(
            f"--latex has the length {length} of {min(said)}, and not of all vectors and matrices "
            "alone; give all of them one length, without indices and random letters, or bind them "
            "in the file"
        )
    roles.length, roles.spaces = length, {*said}
