"""Lookups with bound names, and values of nodes kept under the scope they belong to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy

Lookup = Callable[[str], Any]


class Scope:
    """A lookup with further names (indices, outcomes, arguments of a definition).

    A node whose free names are not among the further ones has one value in the scope outside, and
    is computed there once.
    """

    def __init__(self, outside: Lookup, names: Mapping[str, Any]) -> None:
        self.outside, self.names = outside, names
        self.kept: dict[object, Any] = {}

    def __call__(self, name: str) -> Any:
        return self.names[name] if name in self.names else self.outside(name)

    def home(self, names: frozenset[str]) -> Scope:
        """The outermost scope in which a node with these free names has one value."""
        here = self
        while type(here.outside) is Scope and names.isdisjoint(here.names):
            here = here.outside
        return here


def unknown(name: str) -> Any:
    """The lookup outside everything."""
    raise KeyError(name)


def remembered(node: sympy.Basic, run: Callable[[Lookup], Any]) -> Callable[[Lookup], Any]:
    """The same function of a lookup, computed once in each scope it belongs to."""
    names = frozenset(symbol.name for symbol in node.free_symbols)

    def again(look: Lookup) -> Any:
        if type(look) is not Scope:
            return run(look)
        kept = look.home(names).kept
        if again not in kept:  # by identity: the hash of a node is computed anew each time
            kept[again] = run(look)
        return kept[again]

    return again
