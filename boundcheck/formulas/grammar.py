"""The grammar of displayed inequalities, read from left to right; ambiguous print is refused."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from boundcheck.boundary.messages import shown
from boundcheck.formulas.cursor import CLOSING, product_of, told
from boundcheck.formulas.letters import ACCENTS, STYLES
from boundcheck.formulas.operands import ENDS, FUNCTIONS, MEANT, RELATIONS, WORDS
from boundcheck.formulas.spaces import Said, Spaces
from boundcheck.formulas.sums import EXTREMES, OPERATORS
from boundcheck.formulas.tokens import Token
from boundcheck.formulas.tree import Node

GREEK = {
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "vartheta", "iota",
    "kappa", "lambda", "mu", "nu", "xi", "rho", "varrho", "sigma", "tau", "upsilon", "phi",
    "varphi", "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Xi", "Sigma", "Phi",
    "Psi", "Omega", "ell",
}  # fmt: skip
LEVEL = ("with probability at least", "with probability greater than", "w.p. at least")
WHOLE = (r"\frac", r"\sqrt", r"\binom", r"\pi")  # commands that end with their arguments
BEFORE_SUM = {"", "+", ",", "open |", r"open \|", *CLOSING, *RELATIONS}
SAID = {*WORDS, *MEANT, "", "tr", "Tr", "trace", "sup", "max", "min", "inf", "E", "P", "V", "Pr",
        "Var", "Prob", "1"}  # fmt: skip
TRANSPOSES = [[r"\top"], ["{", r"\top", "}"], [r"\operatorname", "{", "T", "}"],
              ["{", r"\operatorname", "{", "T", "}", "}"]]  # fmt: skip
VARIABLES = ("X", "Y", "Z")
BRACKETS = "write round brackets, or none"
DEEPEST = 40  # brackets within brackets
SIZES = ("norm", "modulus", "size")  # never negative


def parsed(latex: str) -> tuple[Node, Node | None, Said]:
    """The relation of a formula, the probability that is promised for it, if one is, and the spaces
    of letters that are printed after it.

    Raises: InvalidArgument naming what cannot be read.
    """
    reader = Reader(latex)
    relation = reader.relation()
    said = reader.spaces()
    level = reader.level()
    reader.require_no_function()
    if reader.here:
        raise reader.refusal(f"{shown(reader.here)} after the formula")
    return relation, level, said


class Reader(Spaces):
    """The rules of comparisons and of arithmetic."""

    def relation(self) -> Node:
        """A chain of comparisons. What = O(...) is bounded in modulus, what <= O(...) above and
        what >= O(...) below."""
        sides, signs = [self.sum()], []
        sized: dict[int, Node] = {}
        while self.here in RELATIONS:
            signs.append(self.take())
            if self.here in ("O", r"\mathcal") and self._is_order():
                if signs[-1] == "=" and sides[-1].kind not in SIZES:
                    sized[len(sides) - 1] = Node("modulus", "", (sides[-1],))
                below = signs[-1] in (r"\ge", r"\gt", r"\gtrsim")
                signs[-1] = r"\gtrsim" if below else r"\lesssim"
                sides.append(self.brackets())
            else:
                sides.append(self.sum())
        if not signs:
            raise self.refusal("no comparison", r"write left \leq right")
        links = [Node("relation", sign, (sized.get(place, left), right))
                 for place, (sign, (left, right)) in enumerate(
                     zip(signs, pairwise(sides), strict=True))]  # fmt: skip
        return links[0] if len(links) == 1 else Node("both", "", tuple(links))

    def _is_order(self) -> bool:
        """Whether O(...) stands here; then its name is passed."""
        plain = self.here == "O" and self.next() == "("
        styled = [self.next(k) for k in range(5)][:4] == [r"\mathcal", "{", "O", "}"]
        if plain or (styled and self.next(4) == "("):
            self.place += 1 if plain else 4
            return True
        return False

    def level(self) -> Node | None:
        """The probability in `with probability at least ...`."""
        if self.here == ",":
            self.take()
        if self.here != r"\text":
            return None
        words = self._words()
        if " ".join(words.lower().split()) not in LEVEL:
            raise self.refusal(f"the words {shown(words)}", "put conditions into `given`")
        return self.sum()

    def _words(self) -> str:
        """What stands in \\text{...}, as it was typed."""
        self.take()
        if self.here != "{":
            raise self.refusal(r"a \text without braces", r"write \text{...}")
        start = self.tokens[self.place].at + 1
        while self.here and self.here != "}":
            self.place += 1
        end = self.tokens[self.place].at if self.here else len(self.latex)
        self.take("}")
        return self.latex[start:end]

    def sum(self) -> Node:
        """Terms with signs between them."""
        around, self.open = self.open, {}
        terms = [self._signed()]
        while self.here in ("+", "-"):
            terms.append(self._signed())
        self.open = around
        if self.here in (r"\pm", r"\mp"):
            raise self.refusal(f"the sign {self.here}", "write two formulas")
        return terms[0] if len(terms) == 1 else Node("sum", "", tuple(terms))

    def _signed(self) -> Node:
        negative = False
        while self.here in ("+", "-"):
            negative ^= self.take() == "-"
        term = self.product()
        return Node("negative", "", (term,)) if negative else term

    def product(self) -> Node:
        """Factors side by side, with dots or with a slash."""
        found = self._factors()
        while self.here in ("/", r"\cdot"):
            if self.take() == r"\cdot":
                found += self._factors()
                continue
            below = self._divisor()
            found = [Node("quotient", "", (product_of(found), below[0]))]
        return product_of(found)

    def _factors(self) -> list[Node]:
        found = [self.factor()]
        while self._goes_on():
            if self._binds_again():
                return found
            before, start, drawn = found[-1].kind, self.place, self.here == r"\frac"
            found.append(self.factor())
            if before == found[-1].kind == "number" and self.tokens[start].text == "{":
                self.place = start
                raise self.refusal("a number after a number, perhaps both are one",
                                   r"write \cdot between them")  # fmt: skip
            if drawn and before == "number" and is_proper_fraction(found[-1]):
                self.place = start
                raise self.refusal("a fraction of numbers after a number, perhaps both are one",
                                   r"write + or \cdot between them")  # fmt: skip
        return found

    def _goes_on(self) -> bool:
        """Whether a factor comes next, side by side with those before it."""
        if self.here == r"\operatorname":
            return self._word_ahead() not in ("", "and")
        return bool(self.here) and self.here not in (*ENDS, "/", r"\cdot")

    def factor(self) -> Node:
        """A base with its power."""
        start = self.place
        found = self._powers(self.base())
        if self.opens():
            self.require_factor(start, found)
        return found

    def _powers(self, base: Node) -> Node:
        raised = False
        while self.here in ("^", "!", "'"):
            if self.here != "^" or self.next() == r"\prime":
                raise self.refusal(f"the sign {self.here}")
            if raised:
                raise self.refusal("a power of a power", "put the inner one into brackets")
            raised = True
            self.take()
            if self._is_transposed():
                base = Node("transpose", "", (base,))
            else:
                base = Node("power", "", (base, self.group("^")))
        return base

    def _is_transposed(self) -> bool:
        r"""Whether \top or an upright T is the superscript; then it is passed."""
        ahead = [token.text for token in self.tokens[self.place : self.place + 6]]
        for print_ in TRANSPOSES:
            if ahead[: len(print_)] == print_:
                self.place += len(print_)
                return True
        return False

    def group(self, sign: str = "") -> Node:
        """{...}, or the one token that stands for it after a sign such as ^."""
        if self.here != "{":
            self.require_digit("")
            return Node("number", self.take()) if self.here.isdigit() else self._token(sign)
        self.take()
        found = self.sum()
        self.take("}")
        return found

    def _token(self, sign: str) -> Node:
        """One letter, with its accent or style, or a command with its arguments."""
        text = self.here
        if text == "e" or (text == r"\operatorname" and self._word_ahead() == "e"):
            self.take() if text == "e" else self._pass_style()
            self._require_no_argument("e")
            return Node("number", "e")
        if self._starts_name(text) or (text == r"\operatorname" and self._word_ahead() not in SAID):
            return self.name(alone=True)
        alone = text[:1] == "\\" and text[1:].isalpha() and text not in WHOLE
        if alone or (sign and text in CLOSING) or (sign and text in ("open |", r"open \|")):
            raise self.refusal(f"{told(text)} without braces around what belongs to it",
                               f"write {sign}{{...}}")  # fmt: skip
        return self.base()

    def numerator(self) -> Node:
        """{...}, or the first digit of a number: \\frac12 is a half."""
        token = self.tokens[self.place] if self.here else None
        if token is None or len(token.text) == 1 or not token.text.isdigit():
            return self.group()
        self.tokens[self.place] = Token(token.text[1:], token.at + 1)
        return Node("number", token.text[0])

    def brackets(self) -> Node:
        """What stands in brackets of any kind."""
        close = CLOSING.get(self.here)
        if close is None:
            raise self.refusal(f"{told(self.here)} where a bracket is due")
        self.take()
        found = self.sum()
        self.take(close)
        return found

    def braced(self) -> Node:
        """What stands in braces, which LaTeX does not set: a sum is one where nothing is beside."""
        if self.opens():  # braces around brackets
            return self.base()
        start, before = self.place, self.tokens[self.place - 1].text if self.place else ""
        found = self.brackets()
        beside = self._goes_on() or self.here in ("/", r"\cdot")
        if found.kind in ("sum", "negative") and (beside or before not in BEFORE_SUM):
            self.place = start
            raise self.refusal("braces around a sum, which LaTeX does not set", BRACKETS)
        return found

    def _part(self, inside: Node) -> Node:
        """What stands in brackets, or the positive part of it: (x)_+."""
        if self.here != "_" or not self.is_part() or "-" in (self.next(), self.next(2)[:1]):
            return inside
        self.take("_")
        self._script()
        return Node("function", "Max", (inside, Node("number", "0")))

    def enclosed(self) -> Node:
        """[...] or \\{...\\} around more than one operand, which would be its integer part."""
        start, sign = self.place, self.here
        inside = self.brackets()
        found = self._part(inside)
        if found is not inside:
            return found
        several = found.kind in ("product", "quotient")
        if _is_plain(found) and not (several and self.here == "^"):
            self.place = start
            part = "integer" if sign == "[" else "fractional"
            raise self.refusal(f"{sign} around one operand, which may be its {part} part",
                               BRACKETS)  # fmt: skip
        return found

    def base(self) -> Node:
        """An operand without its power."""
        divergence = self.divergence()
        if divergence is not None:
            return divergence
        rule = self._rule(self.here)
        if rule is None:
            raise self.refusal(told(self.here))
        if self.depth == DEEPEST:
            raise self.refusal(f"more than {DEEPEST} parts within one another")
        self.depth += 1
        found = rule()
        self.depth -= 1
        return found

    def _rule(self, text: str) -> Callable[[], Node] | None:
        if not text:
            return None
        if text[0].isdigit() or (text[0] == "." and len(text) > 1):
            return self._numeral
        if (text == "P" and self.next() in ("(", "[", r"\{")) or text == r"\Pr":
            return self.probability
        if text == "E" and self.next() in ("[", r"\{"):
            return self.expectation
        if text in (r"\mathbb", r"\mathbf", r"\operatorname") and self._letter_of() in (
            "E", "P", "V", "Pr", "Var", "Prob", "1",
        ):
            return {"E": self.expectation, "V": self.variance, "Var": self.variance,
                    "1": self.indicator}.get(self._letter_of(), self.probability)  # fmt: skip
        if text == "E" and (self.next() in ("(", "open |", r"open \|") or self.next() in VARIABLES):
            raise self.refusal(
                "an E that may be a factor or an expectation", r"write \mathbb{E}[...] or E \cdot"
            )
        if text == "e" and self.next() not in ("_", "'"):
            return self._exponential
        if text == r"\operatorname" and self._letter_of() == "e":
            return self._exponential
        if text in EXTREMES:
            return self.extreme
        if text in OPERATORS:
            return self.total
        if text in FUNCTIONS:
            return lambda: self.function(FUNCTIONS[self.take()])
        if text in ("[", r"\{"):
            return self.enclosed
        if text == "(":
            return lambda: self._part(self.brackets())
        if text == "{":
            return self.braced
        return {
            r"\frac": self.fraction, r"\sqrt": self.root, "open |": self.modulus,
            r"open \|": self.norm, r"\langle": self.inner, r"\lfloor": self.rounded,
            r"\lceil": self.rounded, r"\operatorname": self.operator, r"\det": self.determinant,
            r"\binom": self.choose, r"\pi": self._pi, r"\nabla": self.gradient,
            r"\lambda": self.eigenvalue, r"\sigma": self.singular, r"\text": self.operator,
            r"\mathds": self.indicator,
        }.get(text, self.name if self._starts_name(text) else None)  # fmt: skip

    def _numeral(self) -> Node:
        """A number that stands by itself."""
        ahead = ["", "", *(token.text for token in self.tokens[: self.place])]
        script, before = ahead[-2:]
        if before[-1:].isdigit() and script not in ("^", "_"):
            raise self.refusal(f"the number {self.here} after {before}, perhaps both are one",
                               r"write them without a space, or \cdot between them")  # fmt: skip
        return Node("number", self.take())

    def _starts_name(self, text: str) -> bool:
        letter = len(text) == 1 and text.isalpha()
        return letter or text[1:] in GREEK or text in {*STYLES, *ACCENTS, r"\mathbb"}


def _is_plain(node: Node) -> bool:
    """Whether a node has letters and numbers only, no sums and no functions."""
    inner = ("negative", "power", "product", "quotient")
    return node.kind in ("name", "entry", "number") or (
        node.kind in inner and all(map(_is_plain, node.parts))
    )


def is_proper_fraction(node: Node) -> bool:
    """Whether a node is a fraction of two numbers below one, as in 2 1/2.

    >>> is_proper_fraction(Node("quotient", "", (Node("number", "1"), Node("number", "2"))))
    True
    """
    if node.kind != "quotient" or any(part.kind != "number" for part in node.parts):
        return False
    if any(part.text in ("pi", "e") for part in node.parts):
        return False
    above, below = (float(part.text) for part in node.parts)
    return above < below
