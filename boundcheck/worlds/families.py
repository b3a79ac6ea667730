"""Families of worlds indexed by a size, for statements up to an absolute constant.

A family says how world and parameters depend on one size N: fixed, in proportion, or growing at
a stated rate. `Family(name, rule, sizes)` takes any rule; `growing` makes the rule from a space of
worlds and SymPy expressions in `N`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InvalidArgument

if TYPE_CHECKING:
    from boundcheck.worlds.space import Space


MORE = ("standard", "thorough")  # budgets that look at further sizes


def doublings(first: int, count: int) -> tuple[int, ...]:
    """first, 2 first, 4 first, ...: `count` sizes.

    >>> doublings(4, 4)
    (4, 8, 16, 32)
    """
    return tuple(first * 2**k for k in range(count))


@dataclass(frozen=True)
class Family:
    """One-parameter family of settings.

    Args:
        name: what grows, in words, e.g. "n grows, kernel = identity on n atoms".
        rule: size -> dict with every world field and parameter: exact values, or SymPy rationals,
            tuples and lists of rows of them.
        sizes: the sizes of the quick budget, increasing, at least six for a growth test.
        more: further sizes for larger budgets.
    """

    name: str
    rule: Callable[[int], dict[str, Any]]
    sizes: Sequence[int]
    more: Sequence[int] = field(default=())

    def settings(self, budget: str) -> list[tuple[int, dict[str, Any]]]:
        """(size, values) pairs for a budget."""
        sizes = tuple(self.sizes) + (tuple(self.more) if budget in MORE else ())
        return [(size, self.at(size)) for size in sizes]

    def at(self, size: int) -> dict[str, Any]:
        """World fields and parameters at a size, exact."""
        return {name: _exact(value) for name, value in self.rule(size).items()}

    def with_values(self, **values: Any) -> Family:
        """The same family with some values replaced: constants, or functions of the size."""

        def rule(size: int) -> dict[str, Any]:
            changed = {k: v(size) if callable(v) else v for k, v in values.items()}
            return {**self.rule(size), **changed}

        return Family(self.name, rule, self.sizes, self.more)

    def over(self, *sizes: int, more: Sequence[int] = ()) -> Family:
        """The same family at other sizes."""
        return Family(self.name, self.rule, sizes, more)


def _exact(value: Any) -> Any:
    import sympy
    from flint import fmpq, fmpq_mat

    if isinstance(value, sympy.Rational):
        return fmpq(int(value.p), int(value.q))
    if isinstance(value, tuple):
        return tuple(_exact(entry) for entry in value)
    if isinstance(value, list):
        return fmpq_mat([[_exact(entry) for entry in row] for row in value])
    return value


def size_symbol() -> Any:
    """The symbol N that rates are written in."""
    import sympy

    return sympy.Symbol("N", integer=True, positive=True)


def growing(
    space: Space, sizes: Sequence[int], *, name: str = "", more: Sequence[int] = (),
    seed: int | None = None, integers: Sequence[str] = (), **rates: Any,
) -> Family:
    """A family from a space of worlds: some fields at stated rates, the others as the space draws.

    Args:
        sizes, more: values of N. name: in words; made from the rates if empty.
        seed: None takes the middle of every range, so that worlds are as regular as the space
            allows; a number takes hostile random worlds, one per size.
        integers: names outside the space (parameters) that are rounded up to integers.
        rates: field or parameter to a constant, an exact value, or a SymPy expression in
            `size_symbol()`: `n=N`, `K=2*N`, `M=N**2*log(N)`, `delta=1/N`. Integer fields are
            rounded up; other irrational values become rationals good to 40 bits.
    Raises: InvalidArgument if a field of the space is set below its least value.

    >>> from boundcheck.worlds import feature_worlds
    >>> N = size_symbol()
    >>> family = growing(feature_worlds(), doublings(2, 3), n=N, K=2 * N)
    >>> family.name, [values["phi"].ncols() for _, values in family.settings("quick")]
    ('n = N, K = 2*N', [4, 8, 16])
    """
    from boundcheck.worlds.fields import Integer
    from boundcheck.worlds.sources import Coordinates, Randomness

    whole = set(integers) | {k for k, f in space.fields.items() if isinstance(f, Integer)}
    for field_name, value in rates.items():
        low = getattr(space.fields.get(field_name), "low", None)
        least = rate_value(value, min(sizes), field_name in whole)
        if field_name in whole and isinstance(low, int) and least < low:
            raise InvalidArgument(
                f"family {name or rates}: {field_name} = {least} at N = {min(sizes)} is below "
                f"{low}, its least value in the space; begin with a larger size"
            )

    def rule(size: int) -> dict[str, Any]:
        fixed = {k: rate_value(value, size, k in whole) for k, value in rates.items()}
        source: Coordinates = Coordinates(())
        if seed is not None:
            import numpy

            source = Randomness(numpy.random.default_rng([seed, size]))
        world: dict[str, Any] = {}
        for field_name, entry in space.fields.items():
            source.begun = source.used
            given = field_name in fixed
            world[field_name] = fixed[field_name] if given else entry.build(source, world)
        return {**world, **fixed}

    return Family(name or _described(rates), rule, tuple(sizes), tuple(more))


def _described(rates: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in rates.items())


def rate_value(rate: Any, size: int, whole: bool) -> Any:
    """A rate at a size: constants as they are, expressions exact, integers rounded up.

    >>> rate_value(size_symbol() ** 2 / 3, 4, True), rate_value(1 / size_symbol(), 4, False)
    (6, 1/4)
    """
    import sympy
    from flint import fmpq

    if not isinstance(rate, sympy.Basic):
        return rate
    value = rate.subs(size_symbol(), size)
    if whole:
        return int(sympy.ceiling(value))
    if not value.is_Rational:
        value = sympy.Rational(int(sympy.floor(value * 2**40)), 2**40)
    return fmpq(int(value.p), int(value.q))
