"""Letters with accents, subscripts and arguments, and the ranges of indices."""

from __future__ import annotations

import itertools
from dataclasses import replace

from boundcheck.boundary.messages import shown
from boundcheck.formulas.cursor import Cursor, told
from boundcheck.formulas.tree import Node, Range

STYLES = {
    r"\mathcal", r"\mathbf", r"\boldsymbol", r"\bm", r"\mathfrak", r"\mathscr", r"\bf", r"\cal",
}  # fmt: skip
ACCENTS = {r"\hat": "hat", r"\bar": "bar", r"\tilde": "tilde"}
APPLIED = "fFghRLJV"  # letters that are functions where brackets follow
FUNCTIONAL = {"Gamma", "Phi", "Psi", "phi", "varphi", "psi", "zeta", "chi", "Theta", "Omega", "O",
              "o", "E", "P"}  # fmt: skip
CONTINUES = ("+", "-", "/", r"\cdot", "(", "[")  # a power after (t+1)
RELATIONS = {"=", "le", "ge", "lt", "gt", "in"}  # commands without their backslash
FACTORS = {r"\log", r"\ln", r"\sqrt", r"\sum", r"\prod", r"\exp", r"\max", r"\min"}


class Letters(Cursor):
    """The rules of names and of what stands below \\sum and \\max."""

    def name(self, alone: bool = False) -> Node:
        """A letter with accents, subscript and arguments; `alone` without the last two."""
        begin, word = self.place, self.here == r"\operatorname"
        text, marks = self._stem()
        if alone and (self.here in ("_", "'") or (self.here == "(" and self._is_applied(text))):
            raise self.refusal(f"{told(self.here)} after {shown(text)}, which LaTeX takes alone",
                               "write {...} around what belongs together")  # fmt: skip
        word, scripts = word and len(text) > 1, set()
        places: list[Node] = []
        while not alone and (
            self.here in ("_", "'") or (self.here == "^" and self._decorates())
        ):  # fmt: skip
            if self.here in scripts:
                raise self.refusal(f"a second {self.here} of one letter", "join the two in braces")
            scripts.add(self.here)
            if self.here == "'":
                self.take()
                text, marks = text + "_prime", marks | {"adjoint", "prime"}
            elif self.here == "_" and self.is_part():
                raise self.refusal(f"a sign below {shown(text)}, which may be a part of it",
                                   r"write \max(x, 0), or rename the letter")  # fmt: skip
            elif self.here == "_" and self.next() == "{" and self.next(2) == "(":
                raise self.refusal("a subscript in brackets, as of values in order",
                                   "leave the brackets out, or bind it in the file")  # fmt: skip
            elif self.take() == "^":
                marks = marks if "(" in (self.here, self.next()) else marks | {"adjoint"}
                text += "_" + _plain(self._subscript())
            else:
                indices = self._indices()
                places += indices
                text += "" if indices else "_" + _plain(self._subscript())
        if "^" in scripts and self.here == "^":
            raise self.refusal("a second ^ of one letter", "join the two in braces")
        if not text.replace("_", "a").isalnum() or not text[0].isalpha() or len(text) > 40:
            raise self.refusal(f"the symbol {shown(text)}", "use letters and digits")
        opens = self.here in ("(", "[") if alone else self.opens()
        applied = not places and self.here == "(" and self._is_applied(text)
        if opens and not applied and not self.is_factor(text, word):
            raise self.refusal(
                f"brackets after {shown(text)}, which may be its argument or a factor",
                r"write x \cdot (...) for a product, or bind the function in the file",
            )
        if opens and not applied:
            self.beside.append((self.place, {text}))
        if places:
            return Node("entry", text, tuple(places), marks)
        found = self._applied(text, marks) if applied else Node("name", text, (), marks)
        if found.kind == "name":
            self._remember(found.text, begin)
        return found

    def _remember(self, text: str, begin: int) -> None:
        """Keep how a name is printed. Raises: InvalidArgument if other print has this name."""
        own = "".join(token.text for token in self.tokens[begin : self.place])
        own = own.replace("{", "").replace("}", "")
        if self.prints.setdefault(text, own) != own:
            raise self.refusal(
                f"{shown(own)} beside {shown(self.prints[text])}, which would have one name",
                "rename one of them",
            )

    def is_factor(self, text: str, word: bool) -> bool:
        """Whether brackets after a letter are a factor: a sum or a function, after no function."""
        if word or is_functional(text):
            return False
        inside, depth = self.bracketed(), 0
        for sign in inside[1:]:
            depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(sign, 0)
            if depth == 0 and sign in ("+", "-"):
                return True
        return inside[:1] != [] and inside[0].startswith("\\") and inside[0] in FACTORS

    def _stem(self) -> tuple[str, frozenset[str]]:
        text = self.take()
        if text in ACCENTS:
            stem, marks = self._braced_stem()
            if (text, stem) == (r"\tilde", "O"):
                raise self.refusal("an order up to logarithms", r"write the logarithms, \lesssim")
            return f"{stem}_{ACCENTS[text]}", marks | {ACCENTS[text]}
        if text in STYLES or text == r"\mathbb":
            stem, marks = self._braced_stem()
            sets = text in (r"\mathcal", r"\mathscr", r"\mathfrak", r"\mathbb", r"\cal")
            return stem, marks | ({"set"} if sets else set())
        if text == r"\operatorname":
            self.take("{")
            word = ""
            while self.here not in ("}", ""):
                word += self.take()
            self.take("}")
            return word, frozenset()
        return text.removeprefix("\\"), frozenset()

    def _braced_stem(self) -> tuple[str, frozenset[str]]:
        if self.here != "{":
            return self._stem()
        self.take()
        known, self.prints = self.prints, {}
        found = self.name()
        self.prints = known  # the letter counts with its accent or style
        self.take("}")
        if found.kind != "name":
            raise self.refusal("an accent or style over several signs")
        return found.text, found.marks

    def _decorates(self) -> bool:
        """Whether a superscript is part of a name: a star, or a number in brackets."""
        after = self.next()
        if after in (r"\star", r"\dagger", r"\cdot"):
            return True
        if after != "{" or self.next(2) not in (r"\star", "("):
            return False
        inside: list[str] = []
        while self.next(2 + len(inside)) not in ("}", ""):
            inside.append(self.next(2 + len(inside)))
        if inside == [r"\star"]:
            return True
        within = inside[1:-1]
        if inside[0] == "(" and (inside[-1] != ")" or {"(", ")"} & set(within)):
            end = inside.index(")") if ")" in inside else len(inside)
            rest = inside[end + 1 :]
            if _is_step(inside[1:end]) and rest and (end == 2 or rest[0] not in CONTINUES):
                raise self.refusal("a superscript that may be a power or a mark",
                                   "write a power without brackets")  # fmt: skip
            return False
        if inside[0] == "(" and _is_step(within):
            return True
        raise self.refusal(
            "a superscript that may be a power or a mark", "write a power without brackets"
        )

    def _indices(self) -> list[Node]:
        """The places in a subscript of indices in scope; none, and nothing is passed, otherwise."""
        single = self.here in self.scope or self.here.removeprefix("\\") in self.scope
        if self.here != "{":
            return [Node("name", self.take().removeprefix("\\"))] if single else []
        end, inside = self.place + 1, []
        while end < len(self.tokens) and self.tokens[end].text != "}":
            inside.append(self.tokens[end].text.removeprefix("\\"))
            end += 1
        letters = [text for text in inside if text != ","]
        if not letters or not all(text in self.scope for text in letters):
            return []
        self.place = end + 1
        return [Node("name", text) for text in letters]

    def _subscript(self) -> str:
        start = self.place
        text = self._script()
        used = {token.text.removeprefix("\\") for token in self.tokens[start : self.place]}
        if used & set(self.scope):
            self.place = start
            raise self.refusal(f"the subscript {shown(text)} of an index", "use the index alone")
        if used & RELATIONS:
            self.place = start
            raise self.refusal(
                f"the subscript {shown(text)}, which says a range",
                r"write \sum or \prod for the sign before it, or letters alone",
            )
        return text

    def is_part(self) -> bool:
        """Whether the subscript that comes next is a sign alone: x_+, x_{-}."""
        braced = self.next() == "{" and self.next(3) == "}"
        return self.next(2 if braced else 1) in ("+", "-")

    def _is_applied(self, text: str) -> bool:
        """Whether brackets hold arguments: of a member of a set in scope, or single letters."""
        place, depth, inside = self.place, 0, []
        while place < len(self.tokens):
            each = self.tokens[place].text
            depth += {"(": 1, ")": -1}.get(each, 0)
            if depth == 0:
                break
            inside.append(each)
            place += 1
        own = text in self.scope and self.scope[text].is_class
        members = {name for name, over in self.scope.items() if over.is_class}
        powers = [after for sign, after in itertools.pairwise(inside) if sign == "^"]
        plain = not set(inside) & {"+", "-", "/", r"\frac", r"\cdot", r"\sqrt"} and all(
            after in ("{", r"\star") for after in powers
        )
        argument = len(inside) > 1 and not inside[1][:1].isdigit()
        return own or (bool(members & set(inside)) and plain) or (
            text[:1] in APPLIED and plain and argument
        )  # fmt: skip

    def _applied(self, text: str, marks: frozenset[str]) -> Node:
        self.applied.add(text)
        self.take("(")
        arguments = [self.name()]
        while self.here == ",":
            self.take()
            arguments.append(self.name())
        self.take(")")
        members = {name for name, over in self.scope.items() if over.is_class}
        if text in members:  # f(x_i)
            places = [place for each in arguments for place in each.parts]
            if not places or any(each.kind != "entry" for each in arguments):
                raise self.refusal(f"{text} at what has no index", "write the points as x_i")
            return Node("entry", f"{text}_values", (Node("name", text), *places), marks)
        inside = [each.text for each in arguments if each.kind == "name"]
        found = [each for each in inside if each in members]
        if found and len(arguments) == 1:
            return Node("member", text, (Node("name", found[0]),), marks)
        return Node("name", "_of_".join([text, *map(self._opaque, arguments)]), (), marks)

    def _opaque(self, node: Node) -> str:
        if node.kind != "name":
            raise self.refusal("a function of an indexed argument", "bind it in the file")
        return node.text

    def _range(self) -> Range:
        self.take("_")
        if self.here != "{":
            return self._limits(Range(self._letter(alone=True)))
        self.take()
        found = self._inside_range()
        self.take("}")
        return self._limits(found)

    def _inside_range(self) -> Range:
        if self.here[:1].isdigit():  # 1 \le i \le n
            low = self.sum()
            self.take(r"\le")
            name = self._letter()
            self.take(r"\le")
            return Range(name, low, self.sum(), ordered=True)
        name = self._letter()
        if self.here == "=":
            self.take()
            low = self.sum()
            if self.here == ",":
                self.take()
                self.take(r"\dots")
                self.take(",")
                return Range(name, low, self.sum())
            return Range(name, low)
        if self.here == r"\le":
            self.take()
            return Range(name, None, self.sum(), ordered=True)
        if self.here == r"\in":
            self.take()
            return self._member(name)
        return Range(name)

    def _member(self, name: str) -> Range:
        """i \\in [n], x \\in [0, 1], f \\in \\mathcal{F}."""
        if self.here == r"\mathbb":
            raise self.refusal("a set of infinitely many numbers", r"write x \in [a, b], or the "
                               "letter of a finite set")  # fmt: skip
        if self.here != "[":
            return Range(name, over=self.set_name())
        self.take()
        first = self.sum()
        if self.here == ",":
            self.take()
            found = Range(name, ends=(first, self.sum()))
        else:
            found = Range(name, None, first)
        self.take("]")
        return found

    def set_name(self) -> str:
        """The letter of a set."""
        found = self.name()
        if found.kind != "name":
            raise self.refusal("a set that depends on an index", "bind it in the file")
        return found.text

    def _letter(self, alone: bool = False) -> str:
        found = None if self.here[:1].isdigit() else self.name(alone)
        if found is None or found.kind != "name":
            raise self.refusal("an index that is no single letter", "give it one letter")
        return found.text

    def _limits(self, found: Range) -> Range:
        if self.here != "^":
            return found
        self.take()
        return replace(found, high=self.group("^"))


def is_functional(text: str) -> bool:
    """Whether a letter with its scripts is by custom a function where brackets follow.

    >>> is_functional("f_hat"), is_functional("lambda_max"), is_functional("x_1")
    (True, True, False)
    """
    stem, *scripts = text.split("_")
    spectral = stem in ("lambda", "sigma") and bool({"max", "min"} & {*scripts})
    return stem in FUNCTIONAL or spectral or (len(stem) == 1 and stem in APPLIED)


def _plain(script: str) -> str:
    """A subscript as letters: \\max is max, * is star."""
    words = script.replace(r"\star", "star").replace("*", "star").replace("\\", "")
    words = words.replace("+", "_plus_").replace("-", "_minus_").replace(r"\cdot", "star")
    kept = "".join(c if c.isalnum() else "_" for c in words)
    return kept.strip("_").replace("__", "_")


def _is_step(inside: list[str]) -> bool:
    """Whether brackets in a superscript count iterations: (t), (2), (t+1)."""
    if len(inside) == 3 and inside[1] in ("+", "-") and inside[2].isdigit():
        inside = inside[:1]
    return len(inside) == 1 and inside[0].strip("\\").isalnum()
