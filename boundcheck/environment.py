"""The versions that a verdict may depend on: part of the evidence, and of what makes it stale."""

from __future__ import annotations

import platform
from functools import lru_cache
from importlib import metadata

DECIDING = (
    "cma", "cvc5", "cvxpy", "hypothesis", "mpmath", "numpy", "python-flint", "scipy", "sympy",
    "z3-solver",
)  # fmt: skip


@lru_cache(maxsize=1)
def _versions() -> tuple[tuple[str, str], ...]:
    return tuple((name, _version(name)) for name in DECIDING)


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "none"


def environment() -> dict[str, str]:
    """Python, machine and the packages that decide verdicts, by name.

    >>> sorted(environment())[:3]
    ['cma', 'cvc5', 'cvxpy']
    """
    return {**dict(_versions()), "python": platform.python_version(), "machine": platform.machine()}
