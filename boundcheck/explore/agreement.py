"""Values that are given beside what defines them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flint import arb, fmpq

from boundcheck.encoding import show
from boundcheck.errors import InvalidArgument
from boundcheck.exact import PRECISIONS, precision
from boundcheck.explore.conditions import System

ROUNDED = fmpq(1, 10**6)  # part by which a value that was copied may differ from its definition


def require_agreement(system: System, values: Mapping[str, Any]) -> None:
    """A symbol that is given beside what defines it has the value that it makes.

    Args: values: those given, or with others that nobody gave; a definition of those alone is
        set aside by the value that is given.
    Raises: InvalidArgument where it differs by more than rounding.
    """
    given = [*system.values, *(symbol.name for symbol in system.replaced)]
    named = [name for name in given if name in system.original.measured]
    if not named or len(given) < 2:
        return
    own = System(system.original, label=system.label)
    for name in named:
        others = {n: value for n, value in values.items() if n != name}
        before = own.inputs([name], others)
        if not set(before) & set(given) or not set(before) <= set(others):
            continue
        symbol = system.symbols[name]
        told, made = system.evaluate(symbol, values), own.evaluate(symbol, others)
        if _differ(told, made):
            by = ", ".join(
                f"{n} = {show(others[n])}{'' if n in given else ' (assumed)'}" for n in before
            )
            remedy = [f"drop --set {name}", *(f"give --set {n}" for n in before
                                              if n not in given)][:2]  # fmt: skip
            raise InvalidArgument(
                f"{system.label}: {name} = {show(told, 10)}, but {by} make it {show(made, 10)}; "
                + " or ".join(remedy)
            )


def _differ(told: Any, made: Any) -> bool:
    """Whether two numbers certainly differ by more than rounding; what is no number differs not."""
    if not all(isinstance(value, (int, fmpq, arb)) for value in (told, made)):
        return False
    with precision(PRECISIONS[1]):
        made = arb(made)
        return bool(abs(arb(told) - made) > arb(ROUNDED) * abs(made))
