"""What is checked: sources, statement forms and claims. Values only; nothing here computes.

A statement file binds claims as module-level names; see the README for one in full.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import sympy

from boundcheck.errors import MalformedStatement

if TYPE_CHECKING:
    from boundcheck.worlds.draws import Draw
    from boundcheck.worlds.families import Family
    from boundcheck.worlds.space import Space

Quantity = Callable[..., Any]
PLURALS = {"loss": "losses", "matrix": "matrices"}  # of base units
# What claims are until they are looked at, where that is not at once: `boundcheck.unbound`.
LATER: ContextVar[type | None] = ContextVar("later", default=None)


@dataclass(frozen=True)
class Source:
    """A work in one edition.

    Args: authors, year, title; edition: "" where there is one only; link: an address or "".
    """

    authors: str
    year: int
    title: str
    edition: str = ""
    link: str = ""

    def at(self, where: str) -> Place:
        """The place of a statement in this work, e.g. "Theorem 2, (7)-(8)"."""
        return Place(self, where)

    def __str__(self) -> str:
        tail = f" ({self.edition})" if self.edition else ""
        return f"{self.authors} {self.year}. {self.title}{tail}"


@dataclass(frozen=True)
class Place:
    """Where a statement is printed."""

    source: Source
    where: str

    def __str__(self) -> str:
        edition = f", {self.source.edition}" if self.source.edition else ""
        return f"{self.where} of {self.source.authors} ({self.source.year}{edition})"


@dataclass(frozen=True)
class Form:
    """A statement form around one SymPy relation (or And, Or, Implies of relations)."""

    relation: sympy.Basic

    def __post_init__(self) -> None:
        if not isinstance(self.relation, (sympy.logic.boolalg.Boolean, bool)):
            raise MalformedStatement(
                f"{type(self).__name__}({self.relation}) holds no relation; write lhs <= rhs, "
                "Eq(lhs, rhs) or And(...) of such"
            )
        if self.relation in (sympy.true, sympy.false, True, False):
            raise MalformedStatement(
                f"{type(self).__name__}: SymPy evaluated the relation to {self.relation}; declare "
                "symbols real only, signs in `given`, or write Eq(lhs, rhs, evaluate=False)"
            )

    @property
    def name(self) -> str:
        """The form's name as printed by `boundcheck list`."""
        return type(self).__name__

    def free_symbols(self) -> set[sympy.Symbol]:
        """Symbols of the relation and of a probability level."""
        return set(self.relation.free_symbols)

    def with_relation(self, relation: sympy.Basic) -> Form:
        """The same form around another relation."""
        return type(self)(relation)


def require_exact(expr: object) -> None:
    """Refuse what Python has rounded: 1/3 in a formula is a float, and no third.

    Decimals of at most twelve digits, such as 0.05, are read as they are written. Asked of what a
    statement file says; edits of the machine carry factors of their own.
    Raises: MalformedStatement naming the fraction next to it.
    """
    for number in expr.atoms(sympy.Float) if isinstance(expr, sympy.Basic) else ():
        written = sympy.Rational(str(number))
        if len(str(abs(written.p)).rstrip("0")) > 12 or written.q > 10**12:
            near = Fraction(float(number)).limit_denominator(10**4)
            same = abs(float(near) - float(number)) <= 1e-12 * abs(float(number))
            told = f"{near.numerator}, {near.denominator}" if same else f'"{float(number)!r}"'
            raise MalformedStatement(f"{number} is a float, rounded by Python; "
                                     f"write Rational({told}) or what it stands for")  # fmt: skip


class Holds(Form):
    """In every world and for all admissible parameters."""


class Expected(Form):
    """Between expectations over the claim's draw, per world: E[lhs] rel E[rhs]; no Or."""


@dataclass(frozen=True)
class WithProbability(Form):
    """P(relation) >= level over the claim's draw, per world."""

    relation: sympy.Basic = field(init=False)
    level: sympy.Expr = field(init=False)

    def __init__(self, level: Any, relation: sympy.Basic) -> None:
        object.__setattr__(self, "relation", relation)
        object.__setattr__(self, "level", sympy.sympify(level))
        self.__post_init__()

    def free_symbols(self) -> set[sympy.Symbol]:
        """Symbols of the relation and of the level."""
        return set(self.relation.free_symbols) | set(self.level.free_symbols)

    def with_relation(self, relation: sympy.Basic) -> WithProbability:
        """The same level for another relation."""
        return WithProbability(self.level, relation)


@dataclass(frozen=True)
class UpToConstant(Form):
    """Some absolute constant C makes lhs <= C rhs true in every world; no Or.

    `UpToConstant(relation)`, or around another form: `UpToConstant(WithProbability(p, relation))`
    and `UpToConstant(Expected(relation))` say that one C serves every world.

    Args:
        depends: names of world fields and parameters that the constant may depend on. Then a
            single world says nothing; worlds are compared along families, which keep these.
    """

    relation: sympy.Basic = field(init=False)
    inner: Form = field(init=False)
    depends: tuple[str, ...] = field(init=False)

    def __init__(self, inner: Form | sympy.Basic, depends: tuple[str, ...] = ()) -> None:
        form = inner if isinstance(inner, Form) else Holds(inner)
        object.__setattr__(self, "inner", form)
        object.__setattr__(self, "relation", form.relation)
        object.__setattr__(self, "depends", tuple(depends))
        self.__post_init__()

    def free_symbols(self) -> set[sympy.Symbol]:
        """Symbols of the inner form."""
        return self.inner.free_symbols()

    def with_relation(self, relation: sympy.Basic) -> UpToConstant:
        """The same inner form around another relation."""
        return UpToConstant(self.inner.with_relation(relation), self.depends)


@dataclass(frozen=True)
class Rescaling:
    """A group of changes that leaves the problem unchanged: value of name times s^power.

    Args:
        name: in words, e.g. "features by s, lambda by s^2".
        powers: world field or parameter name to the power of s > 0 it is multiplied by; vectors
            and matrices are multiplied entrywise. Names not listed stay as they are.
    """

    name: str
    powers: Mapping[str, int]


def symbol_name(argument: str) -> str:
    """The symbol that an argument of a quantity stands for: `lambda_` is `lambda`."""
    return argument[:-1] if argument in {"lambda_", "in_", "is_"} else argument


@lru_cache(maxsize=4096)
def _parameters(quantity: Quantity) -> tuple[str, ...]:
    return tuple(inspect.signature(quantity).parameters)


@dataclass(frozen=True, eq=False)
class Claim:
    """One reading of a printed statement.

    Args:
        source: where it is printed, `Source.at(...)`.
        statement: a form around the relation, exactly as printed.
        given: the printed hypotheses, relations over parameters, world fields and measured
            symbols. What is not printed is not here.
        worlds: the space of worlds, as broad as the hypotheses allow.
        parameters: symbol to field: the domain that the statement quantifies over.
        measure: symbol to quantity: a function of named world fields, parameters, draw outcomes
            and other measured symbols, in exact arithmetic.
        draw: the randomness that probabilities and expectations of the form are over.
        families: families of growing worlds along which an UpToConstant statement is tested.
        trivial: what is true of the left side anyway (for `vacuous`), or None.
        rescalings: groups of changes that leave the problem unchanged (invariance check).
        undefined: symbols that the source uses without defining them.
        hidden: measured constants that the print hides in a hypothesis (">~", "O"): checks take the
            value measured, a requirement takes 1 unless another is given.
        uses: keys of the claims that this one rests on in the source's own proof.
        reading: one or two sentences on how the print was read, where that is a choice.
        cost: relative cost of one world (1 is about a millisecond); budgets are divided by it.
        domains: symbol with a meaning to the field that stands for its own in this claim, or to
            a symbol of the same name whose meaning does.

    Worlds, parameters, measures, draw and rescalings follow from the symbols that carry a meaning
    (`boundcheck.expressions`); what is given here stands beside them or in their place.

    Raises: MalformedStatement if a symbol is bound nowhere or a quantity asks for an unknown name.
    """

    source: Place
    statement: Form
    _: KW_ONLY
    given: tuple[sympy.Basic, ...] | list[sympy.Basic] = ()
    worlds: Space | None = None
    parameters: Mapping[sympy.Symbol, Any] = field(default_factory=dict)
    measure: Mapping[sympy.Symbol, Quantity] = field(default_factory=dict)
    draw: Draw | None = None
    families: tuple[Family, ...] = ()
    trivial: sympy.Expr | None = None
    rescalings: tuple[Rescaling, ...] = ()
    undefined: frozenset[sympy.Symbol] | set[sympy.Symbol] = frozenset()
    hidden: frozenset[sympy.Symbol] | set[sympy.Symbol] = frozenset()
    uses: tuple[str, ...] = ()
    reading: str = ""
    cost: float = 1.0
    domains: Mapping[sympy.Symbol, Any] = field(default_factory=dict)
    shared: Mapping[str, Quantity] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "given", tuple(self.given))
        object.__setattr__(self, "families", tuple(self.families))
        later = LATER.get()
        if later is None:
            self.settle()
        else:
            object.__setattr__(self, "__class__", later)

    def settle(self) -> None:
        """Bind every symbol; once, when the claim is made or, in a library, looked at.

        Raises: MalformedStatement as the class says.
        """
        from boundcheck.expressions.hygiene import require_no_circle, require_rules, require_taken
        from boundcheck.ranks import require_numbers
        from boundcheck.setting import require_written
        from boundcheck.worlds.domains import require_declared, require_named

        bind(self)
        for part in (*_texts(self.statement), *self.given):
            require_rules(part)
        require_written(self.statement, self.given)
        require_named(self.fields)
        require_numbers(self)
        require_taken(self.measure, self.stands)
        for condition in self.given:
            if condition in (sympy.true, sympy.false, True, False):
                raise MalformedStatement(
                    f"a hypothesis was evaluated to {condition} by SymPy; declare symbols real "
                    "only and write And(0 < x, x < 1), not a chained comparison"
                )
        require_declared(self._bound_symbols(), self.fields)
        self._require_known_arguments()
        require_no_circle({name: self.arguments(q) for name, q in self.measured.items()})
        for name in getattr(self.statement, "depends", ()):
            if name not in self.names:
                raise MalformedStatement(
                    f"the constant depends on {name}, which is no world field, parameter or "
                    f"measured symbol; known names are {', '.join(sorted(self.names))}"
                )

    def _bound_symbols(self) -> set[sympy.Symbol]:
        used = self.statement.free_symbols().union(*(part.free_symbols for part in self.given))
        known = self.names | {symbol.name for symbol in self.undefined}
        loose = sorted(s.name for s in used if s.name not in known)
        if loose:
            raise MalformedStatement(
                f"symbol {loose[0]} is neither a parameter, a world field nor measured; bind it, "
                "or list it in `undefined` if the source leaves it undefined"
            )
        return used

    def _require_known_arguments(self) -> None:
        for symbol, quantity in self.measure.items():
            for argument in self.arguments(quantity):
                if argument not in self.names:
                    raise MalformedStatement(
                        f"quantity {getattr(quantity, '__name__', quantity)} for {symbol} asks "
                        f"for {argument!r}; known names are {', '.join(sorted(self.names))}"
                    )

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name a quantity or relation may use."""
        names = {symbol.name for symbol in (*self.parameters, *self.measure)} | set(self.shared)
        if self.worlds is not None:
            names |= set(self.worlds.names)
        if self.draw is not None:
            names |= set(self.draw.names)
        return frozenset(names)

    @cached_property
    def fields(self) -> dict[str, Any]:
        """Fields of worlds and of parameters by name, in building order."""
        own = dict(self.worlds.fields) if self.worlds is not None else {}
        return own | {symbol.name: field for symbol, field in self.parameters.items()}

    @cached_property
    def measured(self) -> dict[str, Quantity]:
        """Quantities by symbol name, parts that several definitions share among them."""
        named = {symbol.name: quantity for symbol, quantity in self.measure.items()}
        return {**self.shared, **named}

    @cached_property
    def stands(self) -> dict[str, Any]:
        """What names stand for in this claim: fields, and the expressions of definitions.

        A symbol carries a meaning of its own, which a claim may replace.
        """
        whole = {name: getattr(q, "whole", None) for name, q in self.measured.items()}
        return {**{name: expr for name, expr in whole.items() if expr is not None}, **self.fields}

    @staticmethod
    def arguments(quantity: Quantity) -> tuple[str, ...]:
        """Names that a quantity takes, as symbol names."""
        names = getattr(quantity, "arguments", None)
        if hasattr(quantity, "expression") or hasattr(quantity, "expr"):
            return tuple(names or ())  # of symbols, where others are parameters in Python
        if names is None:
            names = _parameters(quantity)
        return tuple(symbol_name(name) for name in names)

    def reached(self, names: Iterable[str]) -> set[str]:
        """Names, and all that their values are computed from."""
        found, left = set[str](), set(names)
        while left:
            found.add(name := left.pop())
            taken = self.arguments(self.measured[name]) if name in self.measured else ()
            left |= {*taken} - found
        return found

    @cached_property
    def random_names(self) -> frozenset[str]:
        """Draw outcomes and every measured name that depends on one."""
        drawn = set(self.draw.names) if self.draw is not None else set()
        return frozenset(drawn.union(
            name for name in self.measured if drawn and drawn & self.reached([name])))

    def _repr_html_(self) -> str:
        from boundcheck.explore.display import of_claim

        return of_claim(self)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {sympy.latex(self.statement.relation)}$"

    def fingerprint(self) -> str:
        """Digest of statement, hypotheses, domains and definitions: a witness names its claim."""
        return self._fingerprint

    @cached_property
    def _fingerprint(self) -> str:
        import hashlib

        from boundcheck.checker.text import claim_text

        return hashlib.sha256(claim_text(self).encode()).hexdigest()[:16]


def bind(claim: Claim) -> None:
    """Give a claim what the symbols with a meaning in its statement and hypotheses stand for."""
    texts = (*_texts(claim.statement), *claim.given)
    from boundcheck.expressions.binding import Shared, bound, lifted
    from boundcheck.expressions.nodes import Node
    from boundcheck.expressions.symbols import Known, known_symbols

    if not any(part.has(Known, Node) for part in texts):
        return
    # What was lifted before, in a claim that another one is made from, stays what it is.
    made: dict[sympy.Basic, Any] = {s.meaning.definition: s for part in texts
                                    for s in known_symbols(part) if s.meaning.inline}  # fmt: skip
    statement = _with_parts(claim.statement, lambda part: lifted(part, made))
    given = tuple(lifted(condition, made) for condition in claim.given)
    trivial = () if claim.trivial is None else (claim.trivial,)
    found = bound((*_texts(statement), *given, *trivial), claim.domains)
    own = {} if claim.worlds is None else dict(claim.worlds.fields)
    # Of a claim made from another: parts that definitions shared there may not be shared here.
    measure = {s: q.alone() if isinstance(q, Shared) else q for s, q in claim.measure.items()
               if not (isinstance(q, Shared) and s in found.measure)}  # fmt: skip
    explicit = {symbol.name for symbol in (*claim.parameters, *measure)} | set(own)
    from boundcheck.worlds.space import Space

    fields = {name: own.get(name, f) for name, f in found.fields.items()
              if name in own or name not in explicit} | own  # fmt: skip
    settled = {
        "statement": statement,
        "given": given,
        "worlds": Space(**fields) if fields else None,
        "parameters": {s: f for s, f in found.parameters.items() if s.name not in explicit}
        | dict(claim.parameters),
        "measure": {s: q for s, q in found.measure.items() if s.name not in explicit} | measure,
        "shared": found.shared,
        "draw": claim.draw or found.draw,
        "rescalings": claim.rescalings or _rescalings(found.units),
    }
    for name, value in settled.items():
        object.__setattr__(claim, name, value)


def _texts(statement: Form) -> tuple[sympy.Basic, ...]:
    inner = getattr(statement, "inner", statement)
    level = getattr(inner, "level", None)
    return (statement.relation,) if level is None else (statement.relation, level)


def _with_parts(statement: Form, change: Callable[[sympy.Basic], sympy.Basic]) -> Form:
    if isinstance(statement, UpToConstant):
        return UpToConstant(_with_parts(statement.inner, change), statement.depends)
    if isinstance(statement, WithProbability):
        return WithProbability(change(statement.level), change(statement.relation))
    return statement.with_relation(change(statement.relation))


def _rescalings(units: Mapping[str, Mapping[str, int]]) -> tuple[Rescaling, ...]:
    """One rescaling per base unit: every field and parameter by its own power."""
    bases = sorted({base for powers in units.values() for base in powers})
    return tuple(
        Rescaling(f"{PLURALS.get(base, base + 's')} by s", {
            name: powers[base] for name, powers in units.items() if powers.get(base)})
        for base in bases)  # fmt: skip
