"""Which code a proof may read, and whose declarations it may believe.

Each rule stops a false proof: a decorator that adds to what it wraps, a helper in a module named
like a known one, a dictionary that counts calls, a sign declared of a value that has the other.
"""

from __future__ import annotations

import builtins
import functools
import types
from collections.abc import Callable
from typing import Any

from boundcheck.checks.proofs.tracing import Condition, Traced, Unknown, Untraceable
from boundcheck.expressions.nodes import Primitive
from boundcheck.quantities.base import Paired

FOREIGN = ("sympy", "flint", "builtins", "math", "itertools", "operator", "functools",
           "collections", "fractions")  # fmt: skip
OWN = "boundcheck"
# Builtins that compute from values alone; `rows` and `formulas` exchange some of them.
READ = frozenset((
    "abs", "all", "any", "bool", "dict", "divmod", "enumerate", "filter", "float", "int",
    "isinstance", "iter", "len", "list", "map", "max", "min", "next", "pow", "range",
    "reversed", "round", "set", "slice", "sorted", "str", "sum", "tuple", "type", "zip",
    "__build_class__",
))  # fmt: skip


def own_code(quantity: Any) -> Any:
    """What a call runs: of a pair its definition, of anything else the thing itself."""
    if type(quantity) in (Paired, Primitive):
        return quantity.exact
    return quantity


def cached(value: Any) -> Callable[..., Any] | None:
    """The function behind a cache, which calls it unchanged; None for anything else."""
    kinds = (type(functools.lru_cache(maxsize=1)(_nothing)),)
    return value.__wrapped__ if type(value) in kinds else None


def _nothing() -> None: ...


def root_of(function: Any) -> str:
    """The top package in which a function was written, whatever it calls itself."""
    if isinstance(function, types.FunctionType):
        name = function.__globals__.get("__name__", "")
    else:
        name = getattr(function, "__module__", None) or ""
    return str(name).partition(".")[0]


def declared_facts(quantity: Any) -> tuple[str, ...]:
    """Facts that a proof may use: those declared in this package, where tests hold them true.

    A statement file may say of its own quantity whatever it likes; a proof would be as wrong.
    """
    facts = getattr(quantity, "facts", ())
    return tuple(facts) if root_of(own_code(quantity)) == OWN else ()


def same_code(quantity: Any, like: types.FunctionType) -> bool:
    """Whether a definition is, instruction by instruction, a one-line function of one argument."""
    found = own_code(quantity)
    if not isinstance(found, types.FunctionType):
        return False
    mine, other = found.__code__, like.__code__
    plain = not found.__closure__ and mine.co_argcount == other.co_argcount == 1
    return plain and mine.co_code == other.co_code and mine.co_names == other.co_names


def foreign(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of another package: run on plain numbers, never on traced ones."""

    def run(*values: Any, **options: Any) -> Any:
        if any(_traced(value) for value in (*values, *options.values())):
            raise Untraceable(f"gives a number to {getattr(function, '__name__', 'other code')}")
        return function(*values, **options)

    return run


def _traced(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return any(_traced(item) for item in value)
    return isinstance(value, (Traced, Unknown, Condition))


def refused(name: str) -> Callable[..., Any]:
    """Stands for a builtin that looks at more than values."""

    def run(*_: Any, **__: Any) -> Any:
        raise Untraceable(f"calls {name}")

    return run


def readable_builtins() -> dict[str, Any]:
    """Builtins of traced code; what looks at identities, objects or text to run is refused."""
    found: dict[str, Any] = {}
    for name, value in vars(builtins).items():
        error = isinstance(value, type) and issubclass(value, BaseException)
        found[name] = value if name in READ or error else refused(name)
    return found
