"""Operands: fractions, norms, functions, expectations, probabilities, sums, maxima."""

from __future__ import annotations

import re

from boundcheck.boundary.messages import shown
from boundcheck.formulas.cursor import CLOSING, product_of, told
from boundcheck.formulas.sums import EXTREMES, OPERATORS, Sums
from boundcheck.formulas.tokens import SEPARATOR, Token
from boundcheck.formulas.tree import Node

FUNCTIONS = {
    r"\exp": "exp", r"\log": "log", r"\ln": "log", r"\sin": "sin", r"\cos": "cos",
    r"\tanh": "tanh", r"\cosh": "cosh", r"\sinh": "sinh", r"\tan": "tan", r"\arctan": "atan",
}  # fmt: skip
WORDS = {
    "exp": "exp", "log": "log", "ln": "log", "tanh": "tanh", "erf": "erf", "sign": "sign",
    "sgn": "sign", "poly": "", "polylog": "",
}  # fmt: skip
MEANT = {
    "Rad", "KL", "TV", "rank", "diag", "vol", "diam", "dist", "dim", "supp", "arg", "argmin",
    "argmax", "lim", "limsup", "liminf", "esssup", "essinf", "Cov", "cov", "Corr", "corr", "var",
    "sd", "std", "median", "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "coth",
    "arcsin", "arccos", "arctan", "mod", "gcd", "lcm", "ker", "Im", "Re", "softmax", "relu", "ReLU",
    "sigmoid", "logit", "prox", "proj", "conv", "span", "Ent", "det", "d",
}  # words that mean an operation, never a number
NORMS = {
    "": "", "2": "2", "1": "1", r"\infty": "oo", "F": "F", "HS": "F", "op": "op", "*": "nuclear",
    r"\star": "nuclear", "tr": "nuclear", r"\mathrm{op}": "op", "TV": "TV",
}  # fmt: skip
RELATIONS = {r"\le", r"\ge", r"\lt", r"\gt", "=", r"\lesssim", r"\gtrsim"}
ENDS = {"+", "-", ",", ")", "]", "}", r"\}", "close |", r"close \|", r"\rangle", r"\rfloor",
        SEPARATOR, r"\rceil", r"\land", r"\text", r"\operatorname", r"\in", r"\dots", ":",
        *RELATIONS}  # fmt: skip


class Operands(Sums):
    """The rules of what a product is made of."""

    def fraction(self) -> Node:
        """\\frac{a}{b}."""
        self.take()
        if self._is_derivative():
            raise self.refusal("a derivative")
        return Node("quotient", "", (self.numerator(), self.group()))

    def numerator(self) -> Node:
        """{...}, or one digit."""
        raise NotImplementedError

    def _is_derivative(self) -> bool:
        """Whether the fraction at hand is d.../d..., as of \\frac{df}{dx}."""
        own = "".join(token.text for token in self.tokens[self.place :])
        own = own.replace(r"\operatorname{d}", "d")
        return re.match(r"\{d[A-Za-z]?\}\{d[A-Za-z]", own) is not None

    def choose(self) -> Node:
        """\\binom{n}{k}."""
        self.take()
        return Node("function", "binomial", (self.numerator(), self.group()))

    def root(self) -> Node:
        """\\sqrt{a}, \\sqrt[n]{a}."""
        self.take()
        if self.here != "[":
            return Node("function", "sqrt", (self.group(),))
        start, degree = self.place, self.brackets()
        if degree.kind == "negative" or "." in degree.text:
            self.place = start
            raise self.refusal("the degree of a root that is no whole number from 1 on",
                               "write a power, such as x^{2/3}")  # fmt: skip
        exponent = Node("quotient", "", (Node("number", "1"), degree))
        inside = self.group()
        root = Node("power", "", (inside, exponent))
        if degree.kind != "number" or int(degree.text) % 2 == 0:
            return root
        size = Node("power", "", (Node("modulus", "", (inside,)), exponent))
        return Node("product", "", (Node("function", "sign", (inside,)), size))

    def _pi(self) -> Node:
        self.take()
        self._require_no_argument(r"\pi")
        return Node("number", "pi")

    def _require_no_argument(self, name: str) -> None:
        """Refuse brackets after a number that is also the name of functions."""
        if self.here in ("(", "["):
            raise self.refusal(
                f"brackets after {shown(name)}, which may be its argument or a factor",
                rf"write {name} \cdot (...) for a product, or bind the function in the file",
            )

    def _exponential(self) -> Node:
        """The number e, alone or to a power."""
        self.take() if self.here == "e" else self._pass_style()
        if self.here != "^":
            self._require_no_argument("e")
            return Node("number", "e")
        self.take("^")
        found = Node("function", "exp", (self.group("^"),))
        if self.here == "^":
            raise self.refusal("a power of a power", "put the inner one into brackets")
        return found

    def modulus(self) -> Node:
        """|a|, and |F| for a set F."""
        self.take()
        found = self.sum()
        self.take("close |")
        if found.kind == "name" and "set" in found.marks:
            return Node("size", found.text)
        return Node("modulus", "", (found,))

    def norm(self) -> Node:
        """\\|x\\| with a subscript that says which."""
        self.take()
        start, found = self.place, self.sum()
        self.take(r"close \|")
        if found.kind == "modulus":
            self.place = start
            raise self.refusal("bars within the bars of a norm", "write the norm or the modulus")
        which = self._which()
        return self.distance(found) if which == "TV" else Node("norm", which, (found,))

    def _which(self) -> str:
        if self.here != "_":
            return ""
        self.take()
        start, text = self.place, self._script()
        if text in NORMS:
            return NORMS[text]
        if text.startswith(r"\mathcal{"):
            return ""
        self.place = start
        raise self.refusal(
            f"the norm with subscript {shown(text)}",
            r"1, 2, \infty, F, op and \mathcal{H} are known",
        )

    def inner(self) -> Node:
        """\\langle x, y \\rangle."""
        self.take()
        left = self.sum()
        self.take(",")
        right = self.sum()
        self.take(r"\rangle")
        if self.here == "_":
            self.take()
            start, space = self.place, self._script()
            if not space.startswith((r"\mathcal", r"\mathbb", "2", r"\ell")):
                self.place = start
                raise self.refusal(f"the inner product with subscript {shown(space)}")
        return Node("inner", "", (left, right))

    def rounded(self) -> Node:
        """\\lfloor x \\rfloor, \\lceil x \\rceil."""
        name = "floor" if self.here == r"\lfloor" else "ceiling"
        return Node("function", name, (self.brackets(),))

    def function(self, name: str) -> Node:
        """A function of what stands in brackets, or of the factors up to the next sign."""
        power = None
        if self.here == "_":
            self.take()
            base = self._script()
            if name != "log" or base not in ("2", "10", "e"):
                raise self.refusal(f"the function {name} with subscript {shown(base)}")
            name = {"2": "log2", "10": "log10", "e": "log"}[base]
        if self.here == "^":
            self.take()
            if self.here == "{" and self.next() == "(":
                raise self.refusal(f"a power of {name} in brackets, which may count how often it "
                                   "is taken", "leave the brackets out")  # fmt: skip
            power = self.group("^")
        if power is not None and power.kind == "negative":
            raise self.refusal(f"a negative power of {name}, which may be its inverse")
        made = Node("function", name, (self._argument(name),))
        return made if power is None else Node("power", "", (made, power))

    def _argument(self, name: str) -> Node:
        """Brackets, a single factor, or a product of a number and letters; of matrices, letters."""
        if self.here in CLOSING:
            braced, start = not self.opens() and self.here == "{", self.place
            found = self.brackets()
            if found.kind == "sum" and braced:
                self.place = start
                raise self.refusal("braces around a sum, which LaTeX does not set",
                                   "write round brackets")  # fmt: skip
            if self.here == "^" and name in FUNCTIONS.values():
                raise self.refusal(
                    f"a power after the brackets of {name}", "put it before or within them"
                )
            capital = self.here.isalpha() and self.here.isupper()
            array = name in ("trace", "determinant") and (capital or self.here in CLOSING)
            if array or self.opens() or self.here == r"\{":
                raise self.refusal(
                    f"a factor that may be in the argument of {name} or after it",
                    "put the argument into brackets, and a number before them" if array else
                    r"put the whole argument into brackets, or \cdot between it and the factor",
                )
            return found
        around, self.open = self.open, {**self.open, name: "function"}
        factors = [self.factor()]
        self.open = around
        plain = factors[0].kind == "number" or name in ("trace", "determinant")
        while self.here and self.here not in (*ENDS, "/", r"\cdot", r"\det", *FUNCTIONS):
            start = self.place
            factors.append(self.factor())
            if not plain or not _is_letter(factors[-1]):
                self.place = start
                raise self.refusal(
                    f"a factor that may be in the argument of {name} or after it",
                    "put the argument into brackets",
                )
        if self.here == "/" and _is_letter(factors[-1]):
            raise self.refusal(f"a / that may be in the argument of {name} or after it",
                               "put the argument into brackets")  # fmt: skip
        return product_of(factors)

    def operator(self) -> Node:
        """A word: tr, Var, rank, diag, log and others."""
        word = self._word_ahead() if self.next() == "{" else self.next()
        if word in ("tr", "Tr", "trace"):
            self._pass_style()
            return Node("trace", "", (self._argument("trace"),))
        if word in ("sup", "max", "min", "inf"):
            self._pass_style()
            self.place -= 1
            self.tokens[self.place] = Token(f"\\{word}", self.tokens[self.place].at)
            return self.extreme()
        if WORDS.get(word):
            self._pass_style()
            return self.function(WORDS[word])
        if word in MEANT:
            raise self.refusal(f"the word {word}", "a setting may have it; bind it in the file")
        if self.here == r"\text" or not word.isalpha():
            raise self.refusal(f"the words {shown(word)}", "put conditions into `given`")
        found = self.name()
        if len(word) > 1 and self.here and self.here not in (*ENDS, "/", r"\cdot"):
            raise self.refusal(
                f"{told(self.here)} after the word {word}, which may be a function or a factor",
                r"write \cdot for a product, or bind it in the file",
            )
        return found

    def determinant(self) -> Node:
        """\\det A."""
        self.take()
        return Node("determinant", "", (self._argument("determinant"),))

    def gradient(self) -> Node:
        """\\nabla f(x): a vector of its own."""
        self.take()
        return Node("name", "grad_" + self._opaque(self.name()), (), frozenset({"vector"}))

    def eigenvalue(self) -> Node:
        """\\lambda_{\\max}(A); any other lambda is a letter."""
        ahead = [self.next(k) for k in range(1, 5)]
        which = {r"\max": "largest", r"\min": "smallest"}.get(
            ahead[2] if ahead[1] == "{" else ahead[1]
        ) if ahead[0] == "_" else None  # fmt: skip
        opens = self.next(5 if ahead[1] == "{" else 3) == "("
        if which is None or not opens:
            return self.name()
        self.place += 5 if ahead[1] == "{" else 3
        return Node("eigenvalue", which, (self.brackets(),))

    def singular(self) -> Node:
        """\\sigma_1(A), \\sigma_{\\max}(A): the operator norm of a capital; else a letter."""
        ahead = [token.text for token in self.tokens[self.place + 1 : self.place + 5]]
        script = ahead[2:3] if ahead[1:2] == ["{"] else ahead[1:2]
        skip = 5 if ahead[1:2] == ["{"] else 3
        if ahead[:1] != ["_"] or script not in ([r"\max"], ["1"]) or self.next(skip) != "(":
            return self.name()
        if not self.next(skip + 1).isupper():
            return self.name()
        self.place += skip
        return Node("norm", "op", (self.brackets(),))

    def expectation(self) -> Node:
        """\\mathbb{E}[...]; without brackets, of the factors that follow."""
        body, law = self._body_of("expectation")
        return Node("expectation", law, (body,))

    def variance(self) -> Node:
        """\\mathrm{Var}(...)."""
        body, law = self._body_of("variance")
        return Node("variance", law, (body,))

    def _law(self) -> str:
        """The subscript of an expectation or a probability, "" for none."""
        if self.here != "_":
            return ""
        self.take()
        return self._script()

    def _body_of(self, what: str) -> tuple[Node, str]:
        """What is averaged, and the law that a subscript names."""
        self._pass_style() if self.here.startswith("\\") else self.take()
        law = self._law()
        if self.here in ("[", "(", r"\{"):
            round_one = self.here == "("
            found = self._conditional()
            if self.here == "^" and round_one:
                raise self.refusal(f"a power after the brackets of an {what}", "write [( )^2]")
            return found, law
        if self.here in EXTREMES or self.here in OPERATORS:
            return self.factor(), law
        body = product_of(self._until_sign())
        if self.here in ("/", r"\cdot"):
            raise self.refusal(
                f"{told(self.here)} that may be in the {what} or after it", "write its brackets"
            )
        return body, law

    def _until_sign(self) -> list[Node]:
        found = [self.factor()]
        while self.here and self.here not in ENDS and self.here not in ("/", r"\cdot"):
            found.append(self.factor())
        return found

    def _conditional(self) -> Node:
        close = CLOSING[self.take()]
        found = self.sum()
        if self.here == "open |":
            raise self.refusal("a conditional expectation", "boundcheck.settings.adapted has them")
        self.take(close)
        return found

    def probability(self) -> Node:
        """\\mathbb{P}(event); events are comparisons, several joined by commas or \\land."""
        self.take() if self.here in ("P", r"\Pr") else self._pass_style()
        law = self._law()
        close = CLOSING.get(self.here)
        if close is None:
            raise self.refusal(f"{told(self.here)} where the event is due")
        self.take()
        events = [self.relation()]
        while self.here in (",", r"\land"):
            self.take()
            events.append(self.relation())
        if self.here == "open |":
            raise self.refusal("a conditional probability", "bind it in the file")
        self.take(close)
        event = events[0] if len(events) == 1 else Node("both", "", tuple(events))
        return Node("probability", law, (event,))

    def indicator(self) -> Node:
        """\\mathbf{1}\\{event\\}."""
        self._pass_style()
        close = CLOSING.get(self.here)
        if close is None:
            raise self.refusal(f"{told(self.here)} where the condition is due")
        self.take()
        event = self.relation()
        self.take(close)
        return Node("indicator", "", (event,))


def _is_letter(node: Node) -> bool:
    """Whether a factor is a letter or a number, or a power of one."""
    base = node.parts[0] if node.kind == "power" else node
    return base.kind in ("name", "entry", "number")
