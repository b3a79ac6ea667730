"""Symbols that carry their meaning: definition, domain, units, facts, LaTeX name, one sentence.

A symbol is a SymPy symbol, so statements are written, substituted and printed as usual. Scalars
commute; vectors and matrices do not, so products keep their order.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import sympy
from sympy.core.symbol import Str

from boundcheck.errors import MalformedStatement
from boundcheck.worlds.domains import require_name

if TYPE_CHECKING:
    from boundcheck.worlds.draws import Draw
    from boundcheck.worlds.fields import Field

Number = sympy.Expr | int  # what stands for a number in a formula
Role = Literal["world", "parameter", "outcome", "defined", "index", "variable"]
RANKS = {
    "Integer": 0, "Real": 0, "Choice": 0, "Index": 0, "Vector": 1, "Increasing": 1, "Weights": 1,
    "Probabilities": 1, "Matrix": 2, "Gram": 2, "Independent": 2, "Symmetric": 2,
    "Binary": 2, "Projector": 2, "Hermitian": 2, "SemidefiniteHermitian": 2,
}  # fmt: skip
_order = itertools.count()


@dataclass(frozen=True)
class Meaning:
    """What a symbol stands for.

    Args:
        role: of the symbol in a claim.
        rank: 0 scalar, 1 vector, 2 matrix, None any other object (a law, a loss, a fit).
        domain: the field it takes its values from, as printed; of worlds and parameters.
        draw: the randomness it is an outcome of.
        definition: what it is in other symbols; of defined symbols.
        size: number of values of an index 0, 1, ..., size - 1.
        needs: symbols that domain or draw refer to.
        units: base unit to power, e.g. {"feature": 2}: how it scales when features are rescaled.
        facts: of `boundcheck.expressions.facts.FACTS`: what every value is.
        latex: its name as printed; "" follows the rules for names.
        says: one sentence.
        inline: whether it is shown as its definition: it stands for a part of a statement.
        most: what no value exceeds where the hypotheses hold; requirements leave out the rest.
    """

    role: Role
    rank: int | None = 0
    domain: Field | None = None
    draw: Draw | None = None
    definition: sympy.Expr | None = None
    size: sympy.Expr | None = None
    needs: tuple[Known, ...] = ()
    units: Mapping[str, int] = field(default_factory=dict)
    facts: tuple[str, ...] = ()
    latex: str = ""
    says: str = ""
    inline: bool = False
    most: sympy.Expr | None = None


class Entries:
    """What is asked for its entries by index, and is no sequence."""

    __slots__ = ()
    _iterable = False
    __iter__ = None

    def __getitem__(self, places: Any) -> sympy.Expr:
        from boundcheck.expressions.algebra import entry

        return entry(self, *(places if isinstance(places, tuple) else (places,)))

    @property
    def T(self) -> sympy.Expr:
        """The transposed matrix."""
        from boundcheck.expressions.algebra import transpose

        return transpose(self)


class Known(sympy.Symbol):
    """A symbol with a meaning. Made by `world`, `parameter`, `outcome`, `define` and `index`.

    Two of them are equal only if they are the same object: names may recur between settings.
    What is no number has entries.
    """

    meaning: Meaning
    order: int

    def __new__(cls, name: str, meaning: Meaning) -> Known:
        require_name(name)
        number = "integer" if meaning.role == "index" else "real"
        assumptions = {number: True} if meaning.rank == 0 else {"commutative": False}
        kind = cls if meaning.rank == 0 else _Array
        made: Known = sympy.Symbol.__xnew__(kind, name, **assumptions)
        made.meaning = meaning
        made.order = next(_order)
        return made

    def _hashable_content(self) -> tuple[Any, ...]:
        return (*super()._hashable_content(), self.order)

    def __getnewargs_ex__(self) -> Any:
        raise TypeError(f"the symbol {self.name} carries its meaning and is not pickled")

    def _latex(self, printer: Any) -> str:
        if self.meaning.inline:
            return str(printer._print(self.meaning.definition))
        return self.meaning.latex or printer._print_Symbol(self)

    @property
    def rank(self) -> int | None:
        """0 scalar, 1 vector, 2 matrix, None any other object."""
        return self.meaning.rank


class _Array(Entries, Known):
    """A symbol that may be asked for its entries."""


class Constant(Str):
    """Data that a primitive reads and no formula does: the description of an experiment.

    It is written and compared by its text, so that its class says what it holds: a dataclass.
    """

    __slots__ = ("value",)
    value: Any

    def __new__(cls, value: Any) -> Constant:
        made: Constant = super().__new__(cls, repr(value))
        made.value = value
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self.value,)


def held(node: Str) -> Any:
    """What a text among the operands of a primitive stands for: itself, or the data it writes."""
    return node.value if isinstance(node, Constant) else node.name


def with_names(data: Any) -> tuple[Any, tuple[Known, ...]]:
    """A field or draw with the names in the place of symbols, and these symbols."""
    if isinstance(data, Known):
        return data.name, (data,)
    if isinstance(data, tuple):
        found = [with_names(item) for item in data]
        return tuple(item for item, _ in found), tuple(s for _, more in found for s in more)
    if not dataclasses.is_dataclass(data) or isinstance(data, type):
        return data, ()
    parts = {part.name: with_names(getattr(data, part.name)) for part in dataclasses.fields(data)}
    symbols = tuple(symbol for _, more in parts.values() for symbol in more)
    if not symbols:
        return data, ()
    copy = object.__new__(type(data))
    for name, (value, _) in parts.items():
        object.__setattr__(copy, name, value)
    return copy, symbols


def _rank_of(domain: Field, rank: int | None) -> int | None:
    kind = type(domain).__name__
    if kind == "Tuples":
        inner = _rank_of(domain.entry, None)  # type: ignore[attr-defined]
        return rank if inner is None else 1 + inner
    return RANKS.get(kind, rank)


def world(
    name: str,
    domain: Field,
    *,
    rank: int | None = None,
    needs: tuple[Known, ...] = (),
    units: Mapping[str, int] | None = None,
    facts: tuple[str, ...] = (),
    latex: str = "",
    says: str = "",
) -> Known:
    """A field of a world: sizes, laws, data, matrices.

    Args: domain: a field of `boundcheck.worlds`; sizes in it may be symbols. rank: of Custom and
    Derived fields (others know theirs). needs: symbols that a rule of the field reads.

    >>> from boundcheck.worlds import Integer, Weights
    >>> n = world("n", Integer(1, searched=3), says="number of points")
    >>> rho = world("rho", Weights(n), says="law of the points")
    >>> rho.rank, rho.meaning.domain.size, rho.is_commutative
    (1, 'n', False)
    """
    named, symbols = with_names(domain)
    return Known(name, Meaning(
        "world", _rank_of(domain, rank), domain=named, needs=(*symbols, *needs),
        units=dict(units or {}), facts=facts, latex=latex, says=says,
    ))  # fmt: skip


def parameter(
    name: str,
    domain: Field,
    *,
    needs: tuple[Known, ...] = (),
    units: Mapping[str, int] | None = None,
    facts: tuple[str, ...] = (),
    latex: str = "",
    says: str = "",
) -> Known:
    """A number that the statement quantifies over: delta, lambda, M, t."""
    named, symbols = with_names(domain)
    return Known(name, Meaning(
        "parameter", _rank_of(domain, 0), domain=named, needs=(*symbols, *needs),
        units=dict(units or {}), facts=facts, latex=latex, says=says,
    ))  # fmt: skip


def outcome(
    name: str,
    draw: Draw,
    *,
    rank: int | None = 1,
    needs: tuple[Known, ...] = (),
    units: Mapping[str, int] | None = None,
    latex: str = "",
    says: str = "",
) -> Known:
    """An outcome of a draw: counts of features, indices of a sample, signs.

    Raises: MalformedStatement if the draw yields no outcome of that name.
    """
    named, symbols = with_names(draw)
    if name not in named.names:
        raise MalformedStatement(
            f"the draw {type(draw).__name__} yields {', '.join(named.names)} and no {name}; "
            "name the outcome as the draw does"
        )
    return Known(name, Meaning(
        "outcome", rank, draw=named, needs=(*symbols, *needs), units=dict(units or {}),
        latex=latex, says=says,
    ))  # fmt: skip


def define(
    name: str,
    definition: sympy.Expr,
    *,
    facts: tuple[str, ...] = (),
    latex: str = "",
    says: str = "",
    inline: bool = False,
    most: sympy.Expr | None = None,
) -> Known:
    """A symbol that stands for an expression.

    Raises: MalformedStatement if the definition has an index that nothing binds.

    >>> from boundcheck.worlds import Real
    >>> x = parameter("x", Real(0, None))
    >>> define("h", x**2 / (1 + x), says="what the tail needs").meaning.definition
    x**2/(x + 1)
    """
    from boundcheck.expressions.nodes import rank_of

    expr = sympy.sympify(definition)
    for symbol in sorted(expr.free_symbols, key=str):
        if isinstance(symbol, Known) and symbol.meaning.role in ("index", "variable"):
            raise MalformedStatement(
                f"the definition of {name} has the {symbol.meaning.role} {symbol} that nothing "
                f"binds; bind it, as in total(..., {symbol}) or supremum(..., ({symbol}, 0, 1))"
            )
    return Known(name, Meaning(
        "defined", rank_of(expr), definition=expr, facts=facts, latex=latex, says=says,
        inline=inline, most=most,
    ))  # fmt: skip


def index(name: str, size: sympy.Expr | int, latex: str = "") -> Known:
    """An index 0, 1, ..., size - 1, to be bound by a sum, a maximum or a table."""
    return Known(name, Meaning("index", size=sympy.sympify(size), latex=latex))


def known_symbols(expr: sympy.Basic) -> list[Known]:
    """The symbols with a meaning that are free in an expression, in the order they were made."""
    found = {symbol for symbol in expr.free_symbols if isinstance(symbol, Known)}
    return sorted(found, key=lambda symbol: symbol.order)


def rests_on(symbol: Known) -> set[sympy.Basic]:
    """The symbols that a definition rests on, through other definitions."""
    found = set(known_symbols(symbol.meaning.definition))
    for each in list(found):
        if each.meaning.role == "defined":
            found |= rests_on(each)
    return found
