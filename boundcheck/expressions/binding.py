"""From the symbols of a claim to its worlds, parameters, measures, draw and rescalings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import flint
import sympy

from boundcheck import exact
from boundcheck.errors import MalformedStatement, Undecided, Undefined
from boundcheck.expressions import signs
from boundcheck.expressions.hygiene import require_apart, require_free, require_rules
from boundcheck.expressions.names import TAKEN, Named, seen_through
from boundcheck.expressions.nodes import Apply, Average, Binder, Node, nodes, rank_of
from boundcheck.expressions.scope import Scope, unknown
from boundcheck.expressions.shapes import shape_of
from boundcheck.expressions.symbols import Known, Meaning, define, known_symbols, with_names
from boundcheck.worlds.draws import Draw, Jointly, require_one_sample
from boundcheck.worlds.space import Space

if TYPE_CHECKING:
    from boundcheck.worlds.fields import Field


KEPT = 16  # values of one definition that are remembered


def _again(error: Undefined | Undecided) -> Undefined | Undecided:
    """The same error without a traceback, which would hold all that was computed."""
    return type(error)(*error.args)


class Definition:
    """An expression as a quantity of a claim: exact when called, in floats through `estimator`.

    Args: expression: in symbols of the claim. facts: declared ones, beside those that follow.
    """

    def __init__(self, expression: sympy.Expr, facts: tuple[str, ...] = (), says: str = "") -> None:
        self.expression = self.whole = seen_through(expression)
        self.shown = self.route = expression
        self.arguments = tuple(sorted({symbol.name for symbol in expression.free_symbols}))
        self.declared = facts
        self._kept: dict[tuple[int, ...], tuple[Any, Any]] = {}
        self.__doc__ = says or None

    @property
    def __name__(self) -> str:
        return str(self.route)

    @cached_property
    def _exact(self) -> Callable[[Callable[[str], Any]], Any]:
        return exact.compiled(self.expression)

    def __call__(self, *values: Any) -> Any:
        # The same objects have the same value, or none: worlds that differ in one place share
        # the rest, whose objects live as long as their identities count.
        key = (flint.ctx.prec, *map(id, values))
        if key not in self._kept:
            found = self._found(dict(zip(self.arguments, values, strict=True)))
            if len(self._kept) >= KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = values, found
        found = self._kept[key][1]
        if isinstance(found, (Undefined, Undecided)):
            raise _again(found)
        return found

    def _found(self, names: dict[str, Any]) -> Any:
        """The value for arguments by name, or the error that says why there is none."""
        try:
            return self._exact(Scope(unknown, names))
        except (Undefined, Undecided) as error:
            return _again(error)

    @cached_property
    def facts(self) -> tuple[str, ...]:
        """What every value is."""
        derived = signs.facts_of(self.expression)
        return tuple(fact for fact in signs.FACTS if fact in {*self.declared, *derived})

    @cached_property
    def estimator(self) -> Callable[..., Any] | None:
        """The float reading over arrays, in the order of `arguments`; None if there is none."""
        if self.no_batch:
            return None
        from boundcheck.expressions import batch  # NumPy with it, which exact readings do not need

        run = batch.compiled(self.expression)

        def estimate(*values: Any) -> Any:
            return run(Scope(unknown, dict(zip(self.arguments, values, strict=True))))

        return estimate

    @cached_property
    def no_batch(self) -> str:
        """Why there is no float reading; "" where there is one."""
        from boundcheck.expressions import batch

        try:
            batch.compiled(self.expression)
        except batch.NoBatch as error:
            return str(error)
        return ""

    def bounds_in(self, stands: signs.Stands | None = None) -> tuple[sympy.Expr, sympy.Expr] | None:
        """Expressions between which every value lies, or None; a test of a mean rests on them.

        Args: stands: as of `signs.facts_of`. What a user declares of a primitive is no ground.
        """
        if "probability" in signs.facts_of(self.expression, stands):
            return sympy.S.Zero, sympy.S.One
        if not isinstance(self.expression, Apply):
            return None
        primitive = self.expression.primitive
        if primitive.bounds is None or not primitive.standard:
            return None
        found: tuple[sympy.Expr, sympy.Expr] = primitive.bounds(*self.expression.operands)
        return found

    def digest(self) -> dict[str, object]:
        """What decides its values: expression, sizes of indices, draws, code of primitives."""
        found = list(nodes(self.whole))
        indices = {each for node in found if isinstance(node, Binder) for each in node.indices}
        return {
            "expression": sympy.srepr(self.whole),
            "facts": self.declared,
            "indices": {each.name: sympy.srepr(each.meaning.size)
                        for each in sorted(indices, key=lambda each: each.name)},
            "draws": [node.drawn.meaning.draw for node in found if isinstance(node, Average)],
            "primitives": {node.primitive.name: node.primitive.exact
                           for node in found if isinstance(node, Apply)},
        }  # fmt: skip


@dataclass
class Bound:
    """What the symbols of a claim stand for."""

    fields: dict[str, Field] = field(default_factory=dict)
    parameters: dict[sympy.Symbol, Field] = field(default_factory=dict)
    measure: dict[sympy.Symbol, Definition] = field(default_factory=dict)
    shared: dict[str, Definition] = field(default_factory=dict)
    draws: list[Draw] = field(default_factory=list)
    units: dict[str, Mapping[str, int]] = field(default_factory=dict)

    @property
    def space(self) -> Space | None:
        """The worlds, or None without any field."""
        return Space(**self.fields) if self.fields else None

    @property
    def draw(self) -> Draw | None:
        """All draws side by side, or None."""
        if len(self.draws) < 2:
            return self.draws[0] if self.draws else None
        require_one_sample(self.draws)
        return Jointly(*self.draws)


def lifted(relation: sympy.Basic, made: dict[sympy.Basic, Known]) -> sympy.Basic:
    """The relation with every outermost node replaced by a symbol that is defined by it.

    Args: made: nodes already replaced, shared by the relations of one claim.
    """
    require_apart(relation)
    require_rules(relation)
    for part in relation.atoms(sympy.Eq, sympy.Ne):
        if any(a.is_Number and a != 0 for a in part.args) and any(map(shape_of, part.args)):
            raise MalformedStatement(
                f"{part} compares a number with a matrix; SymPy writes 1 where a matrix meets its "
                "inverse, so say such a product by `solution`, and 1 as `identity`"
            )
    replaced: dict[sympy.Basic, Known] = {}
    for node in outermost(relation):
        shape_of(node)
        if node not in made and isinstance(node, Named):
            made[node] = define(_free(node.text, made), node.body, latex=node.args[1].name)
            TAKEN[made[node]] = TAKEN.get(node, set())
        elif node not in made:
            made[node] = define(_free(str(node), made), node, inline=True)
        replaced[node] = made[node]
    return relation.xreplace(replaced) if replaced else relation


def _free(name: str, made: Mapping[sympy.Basic, Known]) -> str:
    """A name that no other node has: parts may be shown alike and differ."""
    taken = {symbol.name for symbol in made.values()}
    while name in taken:
        name += "'"
    return name


def outermost(expr: sympy.Basic) -> Iterable[Node]:
    """The outermost nodes: names, what binds an index, values that are no vectors or matrices."""
    if isinstance(expr, Named) and expr.rank == 1:  # a relation reads numbers and matrices
        return
    whole = isinstance(expr, (Named, Binder, Average)) or _of_named_vectors(expr)
    if whole or (isinstance(expr, Node) and expr.rank in (0, None)):
        yield expr
        return
    for arg in expr.args:
        yield from outermost(arg)


def _of_named_vectors(expr: sympy.Basic) -> bool:
    """Whether a matrix is made of vectors that have a name."""
    return isinstance(expr, Apply) and expr.rank == 2 and any(
        rank_of(arg) == 1 and arg.has(Named) for arg in expr.operands
    )  # fmt: skip


def bound(relations: Iterable[sympy.Basic], ranges: Mapping[sympy.Symbol, Field | Known]) -> Bound:
    """What the symbols of some relations stand for, through definitions, fields and draws.

    Args: relations: with nodes lifted. ranges: fields that stand for those of symbols here, or
    symbols of the same name whose whole meaning does.
    Raises: MalformedStatement for two symbols of one name, or a definition that needs itself.
    """
    found: dict[str, Known] = {}
    here = {symbol.name: stand for symbol, stand in ranges.items()}

    def visit(symbol: Known, above: tuple[Known, ...]) -> None:
        if symbol in above:
            raise MalformedStatement(
                f"the definition of {symbol} refers to itself; break the circle"
            )
        if found.get(symbol.name, symbol) is not symbol:
            raise MalformedStatement(
                f"two symbols are called {symbol.name}; make it once, or give one another name"
            )
        if symbol.name in found:
            return
        meaning = _meaning(symbol, here)
        inside = [] if meaning.definition is None else known_symbols(meaning.definition)
        if meaning.definition is not None:
            require_apart(meaning.definition)
            require_rules(meaning.definition)
            shape_of(meaning.definition)
            for node in nodes(meaning.definition):
                inside += _drawn(node)
        for needed in (*meaning.needs, *inside):
            visit(needed, (*above, symbol))
        found[symbol.name] = symbol

    relations = list(relations)
    for relation in relations:
        for symbol in known_symbols(relation):
            visit(symbol, ())
    names = {name for name, symbol in found.items() if symbol.meaning.role != "outcome"} | {*here}
    for expr in (*relations, *(symbol.meaning.definition for symbol in found.values())):
        if expr is not None:
            require_free(expr, names)
    return _sorted(found.values(), here)


def _meaning(symbol: Known, here: Mapping[str, Field | Known]) -> Meaning:
    """What a symbol stands for where fields or other symbols stand for some."""
    stand = here.get(symbol.name)
    if isinstance(stand, Known):
        return stand.meaning
    if stand is None:
        return symbol.meaning
    field, sizes = with_names(stand)
    return replace(symbol.meaning, domain=field, needs=(*symbol.meaning.needs, *sizes))


def _drawn(node: Node) -> list[Known]:
    """Symbols that the law of an average inside a definition needs."""
    drawn = getattr(node, "drawn", None)
    return list(drawn.meaning.needs) if isinstance(drawn, Known) else []


def _sorted(symbols: Iterable[Known], here: Mapping[str, Field | Known]) -> Bound:
    made, meanings = Bound(), {symbol: _meaning(symbol, here) for symbol in symbols}
    # A parameter that a field of the world is made from is a number of the world itself.
    early = {needed for meaning in meanings.values() if meaning.role == "world"
             for needed in meaning.needs}  # fmt: skip
    for symbol, meaning in meanings.items():
        if meaning.units and meaning.role != "outcome":  # a rescaled world draws its own
            made.units[symbol.name] = meaning.units
        if meaning.role == "defined":
            assert meaning.definition is not None
            made.measure[symbol] = Definition(meaning.definition, meaning.facts, meaning.says)
        elif meaning.role == "outcome":
            assert meaning.draw is not None
            if meaning.draw not in made.draws:
                made.draws.append(meaning.draw)
        elif meaning.domain is not None and meaning.role == "parameter" and symbol not in early:
            made.parameters[symbol] = meaning.domain
        elif meaning.domain is not None:
            made.fields[symbol.name] = meaning.domain
    _share(made)
    return made


CHEAP = ("entry", "transpose", "diagonal", "identity", "ones", "column", "row")


def _share(made: Bound) -> None:
    """What several definitions have in common becomes a quantity of its own, computed once."""
    whole = [definition.expression for definition in made.measure.values()]
    averaged = {node.drawn for expr in whole for node in nodes(expr) if isinstance(node, Average)}
    seen = Counter(
        part
        for expr in whole
        for part in {p for p in sympy.preorder_traversal(expr) if _worth(p, averaged)}
    )
    texts: Counter[str] = Counter()
    common: dict[sympy.Basic, Known] = {}
    for part in sorted((p for p, times in seen.items() if times > 1), key=sympy.srepr):
        texts[str(part)] += 1  # two parts may read alike
        common[part] = define(f"({part})" + "'" * (texts[str(part)] - 1), part)
    if not common:
        return
    for symbol, definition in made.measure.items():
        inside = {part: s for part, s in common.items() if part != definition.expression}
        changed = definition.expression.xreplace(inside)
        if changed != definition.expression:
            made.measure[symbol] = Shared(definition, changed)
    for part, symbol in common.items():
        inside = {other: s for other, s in common.items() if other != part}
        made.shared[symbol.name] = Definition(part.xreplace(inside))


def _worth(part: sympy.Basic, averaged: set[Known]) -> bool:
    """Whether a part costs more than a look, and has one value in a setting.

    Args: averaged: outcomes that some definition averages over: what reads them has no value
    outside the average.
    """
    if isinstance(part, Apply):
        cheap = part.primitive.standard in CHEAP
    elif isinstance(part, Node):
        cheap = False
    else:  # products and inverses of matrices
        cheap = getattr(part, "is_commutative", True) or not isinstance(
            part, (sympy.Mul, sympy.Pow)
        )
    return not cheap and not any(
        symbol in averaged or symbol.meaning.role in ("index", "variable")
        for symbol in known_symbols(part)
    )


class Shared(Definition):
    """A definition that reads common nodes from quantities of their own.

    `whole` is the definition; `expression`, the route, is what is computed.
    """

    def __init__(self, whole: Definition, route: sympy.Expr) -> None:
        super().__init__(route, whole.facts, whole.__doc__ or "")
        self.whole, self.shown = whole.expression, whole.shown

    def alone(self) -> Definition:
        """The definition by itself, for a claim that shares nothing with it."""
        return Definition(self.shown, self.declared, self.__doc__ or "")
