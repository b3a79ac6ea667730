"""The Python text of every notation, in the language of definitions."""

from __future__ import annotations

from boundcheck.errors import InvalidArgument
from boundcheck.formulas.declaring import Declarer
from boundcheck.formulas.roles import EMPIRICAL, turned, under
from boundcheck.formulas.tree import Node

SUM, PRODUCT, POWER, ATOM = 1, 2, 3, 4  # how tightly a text binds
PLACES = ("r", "s", "q", "l", "component")  # of a vector, in norms that go over its entries
SIGNS = {r"\le": "<=", r"\ge": ">=", r"\lt": "<", r"\gt": ">"}


class Writer(Declarer):
    """Writes the parts of one formula; declares what they speak of as it goes."""

    def text(self, node: Node, least: int = 0) -> str:
        """The Python text of a part, in brackets where its place asks for them."""
        made, level = getattr(self, f"_{node.kind}")(node)
        return made if level >= least else f"({made})"

    def _number(self, node: Node) -> tuple[str, int]:
        if "." in node.text:
            return f'{self.uses("Rational")}("{node.text}")', ATOM
        if node.text == "e":
            return f"{self.uses('exp')}(1)", ATOM
        return (self.uses("pi") if node.text == "pi" else str(int(node.text))), ATOM

    def _name(self, node: Node) -> tuple[str, int]:
        name = node.text
        if name in self.roles.ranges:
            first = self.start(name)
            made = self.index(name)
            return (made, ATOM) if first == "0" else (f"{made} + {first}", SUM)
        if name in self.roles.boxed:
            return self.python(name), ATOM
        if name in self.roles.laws:
            raise InvalidArgument(
                f"--latex has {name} as a law and as a number; rename one of the two"
            )
        if name == "K" and self.roles.laws:
            self.assumed.setdefault(name, "is the number of atoms of the laws")
            return self.from_setting("scalar_laws", "K"), ATOM
        if name in self.roles.random:
            return self.variable(name), ATOM
        if name in self.roles.vectors:
            return self.declare(name, "world", f"Vector({self.side(name)})"), ATOM
        if name == "I" and name in self.roles.matrices:
            return f"{self.uses('identity')}({self.side(name)})", ATOM
        if name in self.roles.matrices:
            return self.matrix(name), ATOM
        if name in self.roles.entries:
            return self.array(name), ATOM
        if name == "n" and self.roles.mode == "classes":
            return self.from_setting("classes", "m", "n"), ATOM
        if name == "n" and self.roles.mode in ("independent", "signs", "sample"):
            return self.size(name), ATOM
        return self.scalar(name), ATOM

    def _entry(self, node: Node) -> tuple[str, int]:
        places = [self.index(place.text) for place in node.parts]
        if node.text in self.roles.random:
            kind = {"signs": "fair signs", "sample": "draws of one law"}.get(
                self.roles.mode, "draws from [0, 1]"
            )
            self.assumed.setdefault(node.text, f"stands for independent {kind}")
            if self.roles.mode == "signs":
                return f"{self.from_setting('concentration', 'signs')}[{places[0]}]", ATOM
            if self.roles.mode == "sample":
                return f"{self.sampled(node.text)}[{self.places()}[{places[0]}]]", ATOM
            table = self.from_setting("concentration", "table")
            return f"{table}[{places[0]}, {self.from_setting('concentration', 'X', 'drawn')}" + (
                f"[{places[0]}]]"
            ), ATOM
        array = self.array(node.text)
        if self.in_list(node.text):
            return f"{self.uses('row')}({array}, {places[0]})", ATOM
        return f"{array}[{', '.join(places)}]", ATOM

    def over(self, node: Node, word: str, subscript: str) -> str:
        """An expectation or a probability of a body, in the words of the setting at hand."""
        law = under(subscript)
        body = self.text(node)
        if law in self.roles.laws:
            atom = self.from_setting("scalar_laws", "k", "atom")
            body = body if word == "E" else f"{self.uses('indicator')}({body})"
            return f"{self.uses('mean')}({body}, {atom}, {self.law(law)})"
        mode, random = self.roles.mode, {part.text for part in node.all()}
        plain = "average" if word == "E" else "probability"
        if mode == "classes":
            return f"{self.from_setting('classes', word)}({body})"
        if mode == "signs":
            return f"{self.uses(plain)}({body}, {self.from_setting('concentration', 'signs')})"
        if mode == "independent":
            return f"{self.from_setting('concentration', word)}({body})"
        if any(name.endswith("_bar") for name in random):
            return f"{self.uses(plain)}({body}, {self.from_setting('scalar_laws', 'counts')})"
        if any(part.kind == "entry" and part.text in self.roles.random for part in node.all()):
            return f"{self.uses(plain)}({body}, {self.places()})"
        return f"{self.from_setting('scalar_laws', word)}({body})"

    def _expectation(self, node: Node) -> tuple[str, int]:
        return self.over(node.parts[0], "E", node.text), ATOM

    def _probability(self, node: Node) -> tuple[str, int]:
        return self.over(node.parts[0], "P", node.text), ATOM

    def _variance(self, node: Node) -> tuple[str, int]:
        body = node.parts[0]
        square = Node("power", "", (body, Node("number", "2")))
        return f"{self.over(square, 'E', node.text)} - {self.over(body, 'E', node.text)}**2", SUM

    def _divergence(self, node: Node) -> tuple[str, int]:
        left, right = (self.law(part.text) for part in node.parts)
        if node.text != "total_variation":
            word = self.from_setting("scalar_laws", "dominated")
            self.given.setdefault(f"{word}({left}, {right})")
        if node.text != "chi_square":
            return f"{self.from_setting('scalar_laws', node.text)}({left}, {right})", ATOM
        atom = self.from_setting("scalar_laws", "k", "atom")
        left, right = f"{left}[{atom}]", f"{right}[{atom}]"
        cases = f"(0, {self.uses('Eq')}({right}, 0)), (({left} - {right})**2 / {right}, True)"
        return f"{self.uses('total')}({self.uses('Piecewise')}({cases}), {atom})", ATOM

    def _member(self, node: Node) -> tuple[str, int]:
        place = self.index(node.parts[0].text)
        if self.roles.mode == "classes":
            self.assumed.setdefault(node.parts[0].text, "has losses in [0, 1], drawn independently")
            word = "empirical" if node.text.endswith(EMPIRICAL) else "risk"
            values = self.from_setting("classes", "F", "values")
            return f"{self.from_setting('classes', word)}({values}, {place})", ATOM
        size = self.length_of(node.parts[0].text)
        return f"{self.declare(node.text, 'world', f'Vector({size})')}[{place}]", ATOM

    def _size(self, node: Node) -> tuple[str, int]:
        sets = {self.roles.same[name]: bound.over for name, bound in self.roles.ranges.items()
                if len(self.bound(name).parts) == 1}  # fmt: skip
        own = [name for name, over in sets.items() if over == node.text]
        if not own and len(sets) == 1 and not any(sets.values()):
            own = [*sets]  # the only set, which is not named where its letter is bound
        if own:
            return self.length_of(own[0]), ATOM
        name = f"size_{node.text}"
        self.assumed.setdefault(name, "is a whole number >= 1")
        return self.declare(name, "parameter", "Integer(1, searched=20)"), ATOM

    def _indicator(self, node: Node) -> tuple[str, int]:
        return f"{self.uses('indicator')}({self.text(node.parts[0])})", ATOM

    def _sum(self, node: Node) -> tuple[str, int]:
        made = self.text(node.parts[0], SUM)
        for part in node.parts[1:]:
            if part.kind == "negative":
                made += f" - {self.text(part.parts[0], PRODUCT)}"
            else:
                made += f" + {self.text(part, PRODUCT)}"
        return made, SUM

    def _negative(self, node: Node) -> tuple[str, int]:
        return f"-{self.text(node.parts[0], PRODUCT)}", SUM

    def _product(self, node: Node) -> tuple[str, int]:
        flipped = [place for place, part in enumerate(node.parts) if turned(part)]
        if flipped and self.is_inner(node, flipped[0]):
            left = self.text(node.parts[flipped[0]].parts[0])
            rest = Node("product", "", node.parts[flipped[0] + 1 :])
            made = f"{self.uses('inner')}({left}, {self.text(rest)})"
            before = [self.text(part, POWER) for part in node.parts[: flipped[0]]]
            return " * ".join([*before, made]), PRODUCT
        return " * ".join(self.text(part, POWER) for part in node.parts), PRODUCT

    def is_inner(self, node: Node, place: int) -> bool:
        """Whether a transposed factor is a vector, and something stands after it."""
        letters = {part.text for part in node.parts[place].parts[0].all()}
        return bool(letters & self.roles.vectors) and place + 1 < len(node.parts)

    def _quotient(self, node: Node) -> tuple[str, int]:
        above, below = node.parts
        if all(part.kind == "number" and part.text.isdigit() for part in node.parts):
            return f"{self.uses('Rational')}({above.text}, {below.text})", ATOM
        text = self.text(above, PRODUCT)
        if _is_numeric(above) and _is_numeric(below):
            text = f"{self.uses('Rational')}({text})"
        return f"{text} / {self.text(below, POWER)}", PRODUCT

    def _power(self, node: Node) -> tuple[str, int]:
        base, exponent = node.parts
        if turned(node) and {part.text for part in base.all()} & (
            self.roles.vectors | self.roles.matrices
        ):
            return self._transpose(node)
        text = self.text(base, ATOM)
        if _is_numeric(base) and _is_numeric(exponent):
            text = f"{self.uses('Rational')}({text})"
        return f"{text}**{self.text(exponent, ATOM)}", POWER

    def _transpose(self, node: Node) -> tuple[str, int]:
        return f"{self.uses('transpose')}({self.text(node.parts[0])})", ATOM

    def _function(self, node: Node) -> tuple[str, int]:
        inside = ", ".join(map(self.text, node.parts))
        if node.text in ("log2", "log10"):
            log, base = self.uses("log"), node.text.removeprefix("log")
            return f"{log}({inside}) / {log}({base})", PRODUCT
        return f"{self.uses(node.text)}({inside})", ATOM

    def _matrix_function(self, node: Node) -> tuple[str, int]:
        return f"{self.uses(node.text)}({self.text(node.parts[0])})", ATOM

    def _modulus(self, node: Node) -> tuple[str, int]:
        return f"{self.uses('Abs')}({self.text(node.parts[0])})", ATOM

    def _norm(self, node: Node) -> tuple[str, int]:
        body = node.parts[0]
        text = self.text(body)
        letters = {part.text for part in body.all() if part.kind in ("name", "entry")}
        matrix = bool(letters & self.roles.matrices) and not letters & self.roles.vectors
        if matrix and node.text == "nuclear":
            square = f"{self.uses('transpose')}({text}) * ({text})"
            return f"{self.uses('trace')}({self.uses('matrix_root')}({square}))", ATOM
        if matrix:
            name = {"F": "frobenius_norm", "op": "operator_norm", "2": "operator_norm",
                    "": "operator_norm"}.get(node.text)  # fmt: skip
            if name is None:
                raise InvalidArgument(
                    f"--latex has a norm {node.text} of a matrix; op, 2, F and * are known"
                )
            return f"{self.uses(name)}({text})", ATOM
        if node.text in ("", "2"):
            return f"{self.uses('norm')}({text})", ATOM
        if node.text not in ("1", "oo"):
            raise InvalidArgument(
                f"--latex has a norm {node.text} of a vector; 1, 2 and oo are known"
            )
        vectors = letters & self.roles.vectors
        if not vectors:
            raise InvalidArgument(
                f"--latex has a norm {node.text} of what is no vector; write the entries"
            )
        size = self.side(min(vectors))
        place = self.component(size)
        word = self.uses("total" if node.text == "1" else "greatest")
        return f"{word}({self.uses('Abs')}({self.uses('at')}({text}, {place})), {place})", ATOM

    def component(self, size: str) -> str:
        """An index of the entries of vectors of one length."""
        self.uses("index")
        if size not in self.components:
            taken = {*self.letters, *self.components.values()}
            place = next((name for name in PLACES if name not in taken), "")
            if not place:
                raise InvalidArgument(
                    "--latex has 1-norms or maximum norms of vectors of many lengths; state it in "
                    "parts"
                )
            self.components[size] = place
            self.lines[f"place {place}"] = f'{place} = index("{place}", {size})'
        return self.components[size]

    def _inner(self, node: Node) -> tuple[str, int]:
        left, right = map(self.text, node.parts)
        return f"{self.uses('inner')}({left}, {right})", ATOM

    def _trace(self, node: Node) -> tuple[str, int]:
        return f"{self.uses('trace')}({self.text(node.parts[0])})", ATOM

    def _determinant(self, node: Node) -> tuple[str, int]:
        return f"{self.uses('determinant')}({self.text(node.parts[0])})", ATOM

    def _eigenvalue(self, node: Node) -> tuple[str, int]:
        return f"{self.uses(f'{node.text}_eigenvalue')}({self.text(node.parts[0])})", ATOM

    def _total(self, node: Node) -> tuple[str, int]:
        body, index = self.text(node.parts[0]), self.index(node.text)
        return f"{self.uses(node.kind)}({body}, {index})", ATOM

    _multiplied = _greatest = _least = _total

    def _supremum(self, node: Node) -> tuple[str, int]:
        self.uses("variable")
        name = self.python(node.text)
        self.roles.boxed.add(node.text)
        self.lines.setdefault(node.text, f'{name} = variable("{name}")')
        body, low, high = map(self.text, node.parts)
        return f"{self.uses(node.kind)}({body}, ({name}, {low}, {high}))", ATOM

    _infimum = _supremum

    def _relation(self, node: Node) -> tuple[str, int]:
        left, right = self.text(node.parts[0]), self.text(node.parts[1])
        if node.text == "=":
            return f"{self.uses('Eq')}({left}, {right})", ATOM
        return f"{left} {SIGNS[node.text]} {right}", 0

    def _both(self, node: Node) -> tuple[str, int]:
        return f"{self.uses('And')}({', '.join(map(self.text, node.parts))})", ATOM


def _is_numeric(node: Node) -> bool:
    """Whether Python would compute it in its own numbers."""
    return all(
        part.kind in ("number", "sum", "product", "negative") and part.text not in ("pi", "e")
        for part in node.all()
    )
