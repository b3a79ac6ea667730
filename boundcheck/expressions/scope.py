"""Lookups with bound names, and values of nodes kept under the scope they belong to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy

Lookup = Callable[[str], Any]


class Scope:
    """A lookup with further names (indices, outcomes, arguments of a definition).

    A node whose free names are not among the further ones has one value in the scope outside, and
    is computed there once. In a loop over several indices, whose scopes share a dictionary, a node
    that some of them do not enter is computed once for each value of the others.
    """

    def __init__(
        self, outside: Lookup, names: Mapping[str, Any], shared: dict[object, Any] | None = None
    ) -> None:
        self.outside, self.names, self.shared = outside, names, shared
        self.kept: dict[object, Any] = {}

    def __call__(self, name: str) -> Any:
        here: Lookup = self
        while type(here) is Scope:
            if name in here.names:
                return here.names[name]
            here = here.outside
        return here(name)


def unknown(name: str) -> Any:
    """The lookup outside everything."""
    raise KeyError(name)


def remembered(node: sympy.Basic, run: Callable[[Lookup], Any]) -> Callable[[Lookup], Any]:
    """The same function of a lookup, computed once in each scope it belongs to."""
    names = frozenset(symbol.name for symbol in node.free_symbols)

    def again(look: Lookup) -> Any:
        if type(look) is not Scope:
            return run(look)
        home = look  # the outermost scope in which it has one value
        while names.isdisjoint(home.names) and type(home.outside) is Scope:
            home = home.outside
        kept = home.kept
        key: object = again  # by identity: the hash of a node is computed anew each time
        if home.shared is not None:
            entering = [value for name, value in home.names.items() if name in names]
            if len(entering) < len(home.names):
                kept, key = home.shared, (again, *entering)
        found = kept.get(key, kept)
        if found is kept:
            found = kept[key] = run(look)
        return found

    return again
