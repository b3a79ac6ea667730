"""How a quantity pairs its definition with an estimator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from boundcheck.expressions.nodes import Primitive

FACTS = ("nonnegative", "positive", "probability", "integer", "positive semi-definite")
Definition = TypeVar("Definition", bound=Callable[..., Any])


def facts(*known: str) -> Callable[[Definition], Definition]:
    """Decorator: what every value of a quantity is, for proofs that cannot read its definition.

    A fact holds whatever the arguments are, where there is a value: a sum of squares with weights
    is nonnegative for weights that are, which is no fact; its root is one.

    Args: known: of `FACTS`; a probability lies in [0, 1].
    Raises: ValueError for any other word.

    >>> @facts("nonnegative")
    ... def square(x):
    ...     return x**2
    >>> square.facts, square(3)
    (('nonnegative',), 9)
    """
    for fact in known:
        if fact not in FACTS:
            raise ValueError(f"{fact!r} is no known fact; write one of {', '.join(FACTS)}")

    def declare(definition: Definition) -> Definition:
        definition.facts = known  # type: ignore[attr-defined]
        return definition

    return declare


class Paired(Primitive):
    """A definition in exact arithmetic beside a batched NumPy estimator of the same thing.

    Calling it with values calls the definition, with expressions makes a node. `estimator` takes
    the same names as float arrays, with a batch axis first on everything that depends on the draw,
    and returns one float per batch entry. `bounds`, when given, takes the same names and returns
    rationals (low, high) that enclose every value: what a confidence sequence for its mean needs.
    """

    def __init__(
        self,
        definition: Callable[..., Any],
        estimator: Callable[..., Any] | None = None,
        bounds: Callable[..., Any] | None = None,
        **known: Any,
    ) -> None:
        known.setdefault("facts", getattr(definition, "facts", ()))
        super().__init__(definition, batch=estimator, bounds=bounds, **known)
        self.arguments = self.parameters
        self.relations: tuple[Any, ...] = ()

    @property
    def definition(self) -> Callable[..., Any]:
        """The exact form."""
        return self.exact

    @property
    def estimator(self) -> Callable[..., Any] | None:
        """The float form."""
        return self.batch


def quantity(
    *, estimator: Callable[..., Any] | None = None, bounds: Callable[..., Any] | None = None,
    **known: Any,
) -> Callable[[Callable[..., Any]], Paired]:
    """Decorator: pair a definition with its estimator and, for means, its bounds.

    >>> @quantity(estimator=lambda x: x * x)
    ... def square(x):
    ...     return x**2
    >>> square(3), square.estimator(3.0)
    (9, 9.0)
    """
    return lambda definition: Paired(definition, estimator, bounds, **known)


def known(quantities: Mapping[Any, Any], *relations: Any) -> dict[Any, Any]:
    """Quantities by symbol, with relations that hold of them wherever the hypotheses do.

    A requirement leaves out what they exclude: a norm below zero, a margin above 1/2. Proofs do not
    use them.

    Args: quantities: symbol to quantity. relations: between those and other symbols of the claim.

    >>> import sympy
    >>> size = sympy.Symbol("size", real=True)
    >>> known({size: lambda v: abs(v)}, size >= 0)[size].relations
    (size >= 0,)
    """
    found = dict(quantities)
    for symbol, quantity in quantities.items():
        about = tuple(r for r in relations if symbol in r.free_symbols)
        if not about:
            continue
        base = quantity if isinstance(quantity, Paired) else Paired(quantity)
        stated = Paired(base.definition, base.estimator, base.bounds, rational=base.rational)
        stated.arguments, stated.facts = base.arguments, base.facts
        stated.relations = (*base.relations, *about)
        found[symbol] = stated
    return found
