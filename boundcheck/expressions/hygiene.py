"""What no reading would understand: captured names, circles, and parts without a rule.

Readings look values up by name. Two symbols of one name, one of them bound, would have one value.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

import sympy
from sympy.concrete.expr_with_limits import ExprWithLimits

from boundcheck.errors import MalformedStatement
from boundcheck.exact import has_rule
from boundcheck.expressions.boxes import Extreme
from boundcheck.expressions.names import TAKEN, Named
from boundcheck.expressions.nodes import Average, Binder, Node
from boundcheck.expressions.signs import Stands, facts_of
from boundcheck.expressions.symbols import Known


def require_apart(expr: sympy.Basic) -> None:
    """Refuse an expression in which a bound name captures another symbol.

    Raises: MalformedStatement naming the two, or a node in a series of SymPy over its index.

    >>> from boundcheck.expressions import index, total, world
    >>> from boundcheck.worlds import Vector
    >>> i, j = index("i", 2), index("i", 3)
    >>> require_apart(total(world("v", Vector(3))[j] * i, i))
    Traceback (most recent call last):
    boundcheck.errors.MalformedStatement: total(i*v[i], i) binds i, and another symbol that is \
called i stands in it; give one of them another name
    """
    for part, bound, body in _bindings(expr):
        names = [symbol.name for symbol in bound]
        twice = next((name for name in names if names.count(name) > 1), None)
        captured = next((s.name for s in sorted(body.free_symbols, key=str)
                         if s.name in names and not _is_bound(s, bound)), None)  # fmt: skip
        if twice or captured:
            raise MalformedStatement(
                f"{part} binds {twice or captured}, and another symbol that is called "
                f"{twice or captured} stands in it; give one of them another name"
            )
        if isinstance(part, ExprWithLimits) and _has_node_over(body, bound):
            raise MalformedStatement(
                f"{part} is a series of SymPy over {bound[0]}, on which a node inside depends; "
                "write total(..., i) or multiplied(..., i) with i = index(name, size)"
            )


def require_free(expr: sympy.Basic, names: Collection[str]) -> None:
    """Refuse an expression whose sums, products or extremes bind the name of something else.

    A definition inside may speak of that, and where it is put in the name would be bound.

    Args: names: of what a claim is about.
    Raises: MalformedStatement naming the two.
    """
    for part, bound, _ in _bindings(expr):
        taken = next((symbol.name for symbol in bound if symbol.name in names), None)
        if taken is not None and not isinstance(part, Average):
            raise MalformedStatement(
                f"{part} binds {taken}, and another symbol of the claim is called {taken}; give "
                "one of them another name"
            )


def require_rules(expr: sympy.Basic) -> None:
    """Refuse an expression with a part that has no exact value here.

    Raises: MalformedStatement naming the part.

    >>> require_rules(sympy.Mod(sympy.Symbol("x"), 2) <= 2)
    Traceback (most recent call last):
    boundcheck.errors.MalformedStatement: Mod(x, 2) has no rule for its exact value (Mod); write \
it with the functions of boundcheck.expressions, or as a primitive of your own
    """
    for part in sympy.preorder_traversal(expr):
        if not has_rule(part):
            raise MalformedStatement(
                f"{part} has no rule for its exact value ({type(part).__name__}); write it with "
                "the functions of boundcheck.expressions, or as a primitive of your own"
            )
        sizes = [index.meaning.size for index in part.indices] if isinstance(part, Binder) else []
        if any(size is not None and size.has(Named) for size in sizes):
            raise MalformedStatement(
                f"{part} runs over a size that is called by another name; give the size itself"
            )
        counts = isinstance(part, (sympy.Add, sympy.Mul, sympy.Pow, sympy.Rel))
        if expr is sympy.oo or (counts and sympy.oo in part.args):
            raise MalformedStatement(
                f"{part} computes with infinity; write a number beyond the floats as "
                "Integer(10)**400"
            )


def require_no_circle(asked: Mapping[str, Iterable[str]]) -> None:
    """Refuse a definition that rests on itself, by a symbol or by a name.

    Args: asked: name of each definition to the names it asks for, others than definitions too.
    Raises: MalformedStatement naming the circle.

    >>> require_no_circle({"a": ["b"], "b": ["x", "a"]})
    Traceback (most recent call last):
    boundcheck.errors.MalformedStatement: the definition of a refers to itself (a -> b -> a); \
break the circle
    """
    sound: set[str] = set()

    def visit(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            way = " -> ".join((*above[above.index(name) :], name))
            raise MalformedStatement(
                f"the definition of {name} refers to itself ({way}); break the circle"
            )
        if name in sound or name not in asked:
            return
        for needed in asked[name]:
            visit(needed, (*above, name))
        sound.add(name)

    for name in asked:
        visit(name, ())


def require_taken(measure: Mapping[sympy.Symbol, object], stands: Stands) -> None:
    """Refuse closed forms that take as positive what is not so in the domains of a claim.

    Raises: MalformedStatement naming what is taken so.
    """
    for symbol, quantity in measure.items():
        shown = getattr(quantity, "shown", sympy.S.Zero)
        for part in (symbol, *shown.atoms(Named)):
            for each in TAKEN.get(part, ()):
                if "positive" not in facts_of(each, stands):
                    raise MalformedStatement(
                        f"the closed form of {part} takes {each} as positive, and this claim has "
                        "a wider domain; make it with a symbol of that domain"
                    )


def _bindings(
    expr: sympy.Basic,
) -> Iterator[tuple[sympy.Basic, tuple[sympy.Symbol, ...], sympy.Basic]]:
    for part in sympy.preorder_traversal(expr):
        if isinstance(part, Binder):
            yield part, part.indices, part.body
        elif isinstance(part, Average):
            yield part, (part.drawn,), part.body
        elif isinstance(part, Extreme):
            yield part, tuple(limit[0] for limit in part.limits), part.body
        elif isinstance(part, ExprWithLimits):
            yield part, tuple(limit[0] for limit in part.limits), part.function


def _is_bound(symbol: sympy.Symbol, bound: Iterable[sympy.Symbol]) -> bool:
    """Whether a symbol is one of the bound ones, or an outcome of the same draw."""
    draw = symbol.meaning.draw if isinstance(symbol, Known) else None
    return any(
        symbol == each or (draw is not None and isinstance(each, Known)
                           and each.meaning.draw == draw)
        for each in bound
    )  # fmt: skip


def _has_node_over(body: sympy.Basic, bound: tuple[sympy.Symbol, ...]) -> bool:
    return any(
        isinstance(part, Node) and part.free_symbols & set(bound)
        for part in sympy.preorder_traversal(body)
    )
