"""Divergences of two laws: KL, total variation, chi square."""

from __future__ import annotations

from itertools import pairwise

from boundcheck.formulas.cursor import CLOSING
from boundcheck.formulas.letters import Letters
from boundcheck.formulas.tokens import SEPARATOR
from boundcheck.formulas.tree import Node

DIVERGENCES = {
    "KL": "relative_entropy", "DKL": "relative_entropy", "dKL": "relative_entropy",
    "D": "relative_entropy", "TV": "total_variation", "dTV": "total_variation",
    "DTV": "total_variation", "chi^2": "chi_square", "Dchi^2": "chi_square",
}  # fmt: skip
SETTING = {"{", "}", "_", r"\operatorname", r"\text"}  # of the letters of a name
LONGEST_HEAD = 16  # signs in front of the brackets of a divergence


class Divergences(Letters):
    """The rules of what compares two laws."""

    def divergence(self) -> Node | None:
        """\\mathrm{KL}(P \\| Q), D_{KL}(P \\| Q), d_{TV}(P, Q), \\chi^2(P \\| Q); None for none."""
        ahead = [token.text for token in self.tokens[self.place : self.place + LONGEST_HEAD]]
        head = next((place for place, text in enumerate(ahead) if text in ("(", "[")), 0)
        letters = [text.removeprefix("\\") for text in ahead[:head] if text not in SETTING]
        kind = DIVERGENCES.get("".join(letters))
        if kind is None or ("}", "{") in pairwise(ahead[:head]):  # of \frac{D_{KL}}{(...)}
            return None
        signs = {SEPARATOR} if letters == ["D"] else {SEPARATOR, ","}
        sure = any(sign in (r"\operatorname", "_") for sign in ahead[:head])
        start, self.place = self.place, self.place + head
        if not sure and not signs & {*self.bracketed()}:  # K L(x), D(x)
            self.place = start
            return None
        close = CLOSING[self.take()]
        laws = [self.name()]
        if self.here in (SEPARATOR, ","):
            self.take()
            laws.append(self.name())
        if len(laws) < 2 or self.here != close or any(each.kind != "name" for each in laws):
            self.place = start
            raise self.refusal("a divergence of what are no two letters", "bind it in the file")
        self.take(close)
        return Node("divergence", kind, tuple(laws))

    def distance(self, between: Node) -> Node:
        """\\|P - Q\\|_{TV}."""
        kinds = [part.kind for part in between.parts]
        if kinds != ["name", "negative"] or between.parts[1].parts[0].kind != "name":
            raise self.refusal("the total variation of what is no difference of two letters")
        laws = between.parts[0], between.parts[1].parts[0]
        return Node("divergence", "total_variation", laws)
