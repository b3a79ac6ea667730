"""Declarations of the symbols of a formula: parameters, fields of worlds, indices, draws."""

from __future__ import annotations

import keyword
from dataclasses import dataclass, field

from boundcheck.errors import InvalidArgument
from boundcheck.formulas.roles import TAKEN, Roles
from boundcheck.formulas.tree import Node

FIELDS = ("Matrix", "Symmetric", "Vector")  # of entries
WHOLE = ("n", "m", "N", "M", "T", "K", "d", "k")
USED = {
    "Abs", "And", "Claim", "E", "Eq", "Holds", "Max", "Min", "P", "Rational", "UpToConstant",
    "Var", "WORK", "WithProbability", "average", "at", "cos", "counts", "determinant", "empirical",
    "exp", "exponential", "frobenius_norm", "greatest", "index", "indicator", "inner",
    "largest_eigenvalue", "least", "log", "matrix_root", "multiplied", "norm", "operator_norm",
    "parameter", "pi", "printed", "probability", "risk", "row", "sample_mean", "sign", "signs",
    "sin", "smallest_eigenvalue", "sqrt", "supremum", "infimum", "table", "tanh", "total", "trace",
    "transpose", "values",
    "variable", "world", "atom", "drawn", "place", "Integer", "Matrix", "Real", "Symmetric",
    "Tuples", "Vector", "Indices", "outcome", "identity", "binomial", "floor", "ceiling", "erf",
    "tan", "atan", "cosh", "sinh", "component", "mean", "law", "dominated", "Piecewise",
    "relative_entropy", "total_variation",
}  # fmt: skip


@dataclass
class Declarer:

    """Keeps the imports and the lines of declarations that a formula has asked for."""

    roles: Roles
    used: set[str] = field(default_factory=set)
    setting: dict[str, set[str]] = field(default_factory=dict)
    lines: dict[str, str] = field(default_factory=dict)
    given: dict[str, None] = field(default_factory=dict)
    sizes: set[str] = field(default_factory=set)
    whole: set[str] = field(default_factory=set)
    letters: set[str] = field(default_factory=set)
    assumed: dict[str, str] = field(default_factory=dict)
    components: dict[str, str] = field(default_factory=dict)

    # Names

    def python(self, name: str) -> str:
        """A letter as a Python name that nothing else has."""
        clash = keyword.iskeyword(name) or name in USED or name in TAKEN[self.roles.mode]
        return f"{name}_" if clash else name

    def symbol(self, name: str) -> str:
        """The name that is shown: that of the print, where Python alone minds it."""
        return name if keyword.iskeyword(name) else self.python(name)

    def uses(self, name: str) -> str:
        """A word of SymPy, boundcheck or its language, to be imported."""
        self.used.add(name)
        return name

    def from_setting(self, setting: str, name: str, alias: str = "") -> str:
        """A word of a setting, to be imported."""
        text = f"{name} as {alias}" if alias and alias != name else name
        self.setting.setdefault(setting, set()).add(text)
        return alias or name

    def declare(self, name: str, call: str, field_text: str) -> str:
        """A line that says what a letter is."""
        variable = self.python(name)
        self.uses(call)
        fields = (*FIELDS, field_text.partition("(")[0])
        self.used |= {word for word in fields if f"{word}(" in field_text}
        self.lines.setdefault(name, f'{variable} = {call}("{self.symbol(name)}", {field_text})')
        return variable

    def scalar(self, name: str) -> str:
        """A number that the statement quantifies over."""
        if name in self.roles.reals:
            if name in self.sizes:
                raise InvalidArgument(
                    f"--latex says that {name} is a real number, and entries are counted up to it; "
                    "give the number another letter"
                )
            return self.declare(name, "parameter", "Real(None, None)")
        if name in self.sizes:
            if name == "d" and name not in self.ends() and not self.roles.spaces:
                self.assumed.setdefault(name, "is the length of the vectors and matrices")
            return self.declare(name, "world", "Integer(1, searched=3)")
        if name in WHOLE:
            self.assumed.setdefault(name, "is a whole number >= 1")
            return self.declare(name, "parameter", "Integer(1, searched=20)")
        if name == "delta":
            self.assumed.setdefault(name, "lies in (0, 1)")
            return self.declare(name, "parameter", "Real(0, 1, open_low=True, open_high=True)")
        return self.declare(name, "parameter", "Real(None, None)")

    def ends(self) -> set[str]:
        """Letters up to which an index runs."""
        bounds = (end for bound in self.roles.ranges.values() for end in bound.parts[1:])
        return {part.text for end in bounds for part in end.all()}

    def size(self, name: str) -> str:
        """A letter that counts entries of the world."""
        if name.isdigit():
            return name
        if name == "n" and self.roles.mode in ("independent", "signs"):
            return self.from_setting("concentration", "n")
        if name == "n" and self.roles.mode == "sample" and not self.roles.several:
            return self.from_setting("scalar_laws", "n")
        return self.declare(name, "world", "Integer(1, searched=3)")

    def index(self, name: str) -> str:
        """An index, declared with its size; the letter of a set stands for its number."""
        bound = self.bound(name)
        if self.is_of_class(name):
            return self.from_setting("classes", "h", "h" if name == "h" else self.python(name))
        variable = self.python(name)
        over = self.length_of(name) if len(bound.parts) == 1 else self.length(bound)
        self.uses("index")
        self.lines.setdefault(name, f'{variable} = index("{variable}", {over})')
        return variable

    def bound(self, name: str) -> Node:
        """What binds an index, or another one with its range."""
        return self.roles.ranges[self.roles.same[name]]

    def is_of_class(self, name: str) -> bool:
        """Whether an index runs over the class of a setting."""
        at = {self.roles.same[letter] for letter in self.roles.members.values()}
        return self.roles.mode == "classes" and self.roles.same[name] in at

    def length(self, bound: Node) -> str:
        """How many values an index has."""
        _, low, high = bound.parts
        if low.kind != "number" or low.text not in ("0", "1"):
            raise InvalidArgument(
                f"--latex has the index {bound.text} from another number than 0 or 1; shift it"
            )
        if low.text == "1" and high.kind in ("name", "number"):
            return high.text if high.kind == "number" else self.text(high)
        one_less = (Node("negative", "", (Node("number", "1"),)),)
        if low.text == "0" and high.kind == "sum" and high.parts[1:] == one_less:
            return self.text(high.parts[0])
        return self.text(high) + (" + 1" if low.text == "0" else "")

    def start(self, name: str) -> str:
        """The first value of an index."""
        bound = self.bound(name)
        return bound.parts[1].text if len(bound.parts) > 1 else "0"

    def side(self, name: str) -> str:
        """The length of a vector or matrix: that of an index of it, or of what it stands with."""
        known = {self.length_of(self.roles.entries[other][0]): other
                 for other in sorted(self.roles.linked[name]) if other in self.roles.entries
                 and not self.in_list(other)
                 and len(self.roles.entries[other]) == 1 + (other in self.roles.matrices)}
        if len(known) > 1:
            first, second = sorted(known)[:2]
            raise InvalidArgument(
                f"--latex has {known[first]} with entries up to {first} beside {known[second]} "
                f"with entries up to {second}; give both one range, or bind them in the file"
            )
        return next(iter(known), "") or self.size(self.roles.length)

    def length_of(self, index: str) -> str:
        """The size of an index as a symbol of the world."""
        bound = self.bound(index)
        if self.is_of_class(index):
            return self.from_setting("classes", "H")
        if len(bound.parts) == 1 and bound.text in self.roles.drawn:
            return self.size("n")
        if len(bound.parts) == 1:
            return self.declare(f"members_{bound.text}", "world", "Integer(1, searched=3)")
        length = self.length(bound)
        if not (length.isidentifier() or length.isdigit()) or length in self.roles.ranges:
            raise InvalidArgument(
                f"--latex has entries with an index up to {length}; name this number by a letter"
            )
        return length

    def in_list(self, name: str) -> bool:
        """Whether an indexed letter is a list of vectors: it stands in a norm as it is."""
        return name in self.roles.vectors and name in self.roles.entries and (
            name not in self.whole
        )  # fmt: skip

    def matrix(self, name: str) -> str:
        """A square matrix, symmetric where eigenvalues are ordered."""
        return self.declare(name, "world", self.square(name))

    def square(self, name: str) -> str:
        """The field of a matrix, of the size of its entries where they have indices."""
        d = self.side(name)
        kind = "symmetric" if name in self.roles.symmetric else "a square matrix"
        if name in self.roles.symmetric or name not in self.roles.spaces:
            self.assumed.setdefault(name, f"is {kind}")
        return f"Symmetric({d})" if name in self.roles.symmetric else f"Matrix({d}, {d})"

    def array(self, name: str) -> str:
        """What has entries: a vector, a matrix, or a list of either."""
        sizes = [self.length_of(place) for place in self.roles.entries[name]]
        if name in self.roles.matrices and len(sizes) == 2:
            return self.matrix(name)
        if name in self.roles.matrices:
            return self.declare(name, "world", f"Tuples({sizes[0]}, {self.square(name)})")
        if self.in_list(name):
            return self.declare(name, "world", f"Matrix({sizes[0]}, {self.side(name)})")
        kind = "Vector" if len(sizes) == 1 else "Matrix"
        return self.declare(name, "world", f"{kind}({', '.join(sizes)})")

    def variable(self, name: str) -> str:
        """A random variable: its value on the atom k, or the mean of a sample of it."""
        if name.endswith("_bar"):
            letter = self.variable(name.removesuffix("_bar"))
            return f"{self.from_setting('scalar_laws', 'sample_mean')}({letter})"
        self.from_setting("scalar_laws", "values")
        atom = self.from_setting("scalar_laws", "k", "atom")
        if name in self.roles.several:
            return f"{self.sampled(name)}[{atom}]"
        self.lines.setdefault(name, f'{name} = values(name="{name}")[{atom}]')
        return name

    def law(self, name: str) -> str:
        """A law on the atoms."""
        made = self.from_setting("scalar_laws", "law")
        self.lines.setdefault(name, f'{self.python(name)} = {made}("{name}")')
        return self.python(name)

    def sampled(self, name: str) -> str:
        """The values of a random variable on the atoms."""
        self.from_setting("scalar_laws", "values")
        self.lines.setdefault(f"{name} values", f'{name}_values = values(name="{name}_values")')
        return f"{name}_values"

    def places(self) -> str:
        """The atoms of an independent sample."""
        size, law = self.size("n"), self.from_setting("scalar_laws", "p")
        self.uses("outcome")
        self.uses("Indices")
        self.lines.setdefault(
            "place", f'place = outcome("place", Indices("place", {law}, {size}))'
        )
        return "place"

    def text(self, node: Node, least: int = 0) -> str:
        """The Python text of a part, in brackets where its place asks for them."""
        raise NotImplementedError
