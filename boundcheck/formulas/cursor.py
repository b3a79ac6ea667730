"""A place in a formula: looking at tokens, going past them, refusing them in one line."""

from __future__ import annotations

from boundcheck.boundary.messages import shown
from boundcheck.errors import InvalidArgument
from boundcheck.formulas.tokens import ARGUMENTS, Token, argument_end, tokens
from boundcheck.formulas.tree import Node, Range

CLOSING = {"(": ")", "[": "]", r"\{": r"\}", "{": "}", r"\lfloor": r"\rfloor", r"\lceil": r"\rceil"}


class Cursor:
    """Reads one formula. `scope` holds the indices that sums and maxima around a place bind, `open`
    what binds those whose bodies no bracket ends before the place, and functions and slashes."""

    def __init__(self, latex: str) -> None:
        self.latex, self.tokens, self.place, self.depth = latex, tokens(latex), 0, 0
        self.scope: dict[str, Range] = {}
        self.open: dict[str, str] = {}
        self.prints: dict[str, str] = {}  # of the letters read so far, by name
        self.applied: set[str] = set()  # letters that brackets with arguments follow
        self.beside: list[tuple[int, set[str]]] = []  # brackets, and the letters before them

    @property
    def here(self) -> str:
        """The next token, empty at the end."""
        return self.tokens[self.place].text if self.place < len(self.tokens) else ""

    def next(self, ahead: int = 1) -> str:
        """A token further on."""
        place = self.place + ahead
        return self.tokens[place].text if place < len(self.tokens) else ""

    def take(self, expected: str = "") -> str:
        """Go past the next token. Raises: InvalidArgument if it is another than expected."""
        text = self.here
        if expected and text != expected:
            raise self.refusal(f"{told(text)} where {told(expected)} is due")
        self.place += 1
        return text

    def refusal(self, what: str, remedy: str = "") -> InvalidArgument:
        """The one line for what cannot be read."""
        token: Token | None = self.tokens[self.place] if self.place < len(self.tokens) else None
        where = f", at {shown(self.latex[token.at : token.at + 24])}" if token else ", at its end"
        remedy = remedy or "write it in another way, or bind it in the file"
        return InvalidArgument(f"--latex cannot be read: {what}{where}; {remedy}")

    def _script(self) -> str:
        """The text of a subscript, spacing and upright type left out."""
        braced = self.here == "{"
        if not braced:
            self.require_digit("_")
            sign = not self.here.removeprefix("\\").isalnum() and self.here not in ("+", "-", "*")
            if sign or self.here in (r"\le", r"\ge", r"\lt", r"\gt"):
                raise self.refusal(f"{told(self.here)} as a subscript", "write _{...}")
            if ARGUMENTS.get(self.here, 0) > 1 or self.here in (r"\sqrt", r"\bf", r"\cal"):
                raise self.refusal(f"a subscript {self.here} without braces", "write _{...}")
        start = self.place
        self.place = argument_end([token.text for token in self.tokens], start)
        inside = [token.text for token in self.tokens[start : self.place]]
        if not braced and inside[-1][:1].isdigit() and len(inside[-1]) > 1:
            raise self.refusal("a number in a subscript, of which LaTeX takes one digit",
                               "write _{...}")  # fmt: skip
        inside = inside[1:-1] if braced else inside
        if inside[:1] == [r"\operatorname"] or inside[:1] == [r"\text"]:
            inside = [text for text in inside[1:] if text not in "{}"]
        return "".join(inside)

    def opens(self) -> bool:
        """Whether a bracket comes next; braces around it alone are left out, as LaTeX does."""
        if self.here == "{" and self.next() in ("(", "["):
            start = self.place
            end = argument_end([token.text for token in self.tokens], start) - 1
            self.place += 1
            if self.place + len(self.bracketed()) + 2 == end:
                del self.tokens[end], self.tokens[start]
            self.place = start
        return self.here in ("(", "[")

    def bracketed(self) -> list[str]:
        """What stands in the brackets that come next."""
        close, depth, inside = CLOSING[self.here], 0, []
        for token in self.tokens[self.place :]:
            depth += {self.here: 1, close: -1}.get(token.text, 0)
            if depth == 0:
                break
            inside.append(token.text)
        return inside[1:]

    def require_digit(self, sign: str) -> None:
        """Refuse a number of several digits without braces: LaTeX moves the first of them alone."""
        text = self.here
        if len(text) > 1 and text[:1].isdigit():
            raise self.refusal(
                f"{text} without braces, of which LaTeX takes {text[0]} alone",
                f"write {sign}{{{text}}}",
            )

    def _word_ahead(self) -> str:
        """The word of an \\operatorname{...} that comes next."""
        place, letters = self.place + 2, ""
        while place < len(self.tokens) and self.tokens[place].text != "}":
            letters += self.tokens[place].text
            place += 1
        return letters

    def _letter_of(self) -> str:
        """The word in braces, or the letter, after a style such as \\mathbb."""
        if self.next() != "{":
            return self.next()
        return self._word_ahead()

    def _pass_style(self) -> None:
        self.take()
        if self.here == "{":
            self.take()
            self._skip_group()
        else:
            self.take()

    def _skip_group(self) -> None:
        depth = 1
        while depth and self.here:
            depth += {"{": 1, "}": -1}.get(self.take(), 0)

    def sum(self) -> Node:
        """Terms with signs between them."""
        raise NotImplementedError

    def factor(self) -> Node:
        """A base with its power."""
        raise NotImplementedError

    def group(self, sign: str = "") -> Node:
        """{...}, or the one token that stands for it after a sign such as ^."""
        raise NotImplementedError

    def brackets(self) -> Node:
        """What stands in brackets of any kind."""
        raise NotImplementedError

    def relation(self) -> Node:
        """A chain of comparisons."""
        raise NotImplementedError


def told(text: str) -> str:
    """A token as a message shows it."""
    return shown(text.removeprefix("open ").removeprefix("close ")) if text else "nothing"


def product_of(factors: list[Node]) -> Node:
    """Factors side by side; one alone is itself."""
    return factors[0] if len(factors) == 1 else Node("product", "", tuple(factors))
