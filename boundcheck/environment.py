"""What a verdict may depend on besides code: versions, part of the evidence and of what makes it
stale, and settings of libraries."""

from __future__ import annotations

import contextlib
import os
import platform
from collections.abc import Mapping
from functools import lru_cache
from importlib import metadata

DECIDING = (
    "cma", "cvc5", "cvxpy", "hypothesis", "mpmath", "numpy", "python-flint", "scipy", "sympy",
    "z3-solver",
)  # fmt: skip
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


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


def settle_threads() -> None:
    """One BLAS thread for libraries that are not loaded yet: sums in one order, so families of
    floats are exact, and small matrices whose threads would wait for one another."""
    for name in THREADS:
        os.environ.setdefault(name, "1")


def settle_environment() -> None:
    """What libraries read from the environment, before they load.

    One BLAS thread. Hypothesis keeps its files with other caches of the user, not in the folder of
    the moment.
    """
    settle_threads()
    from boundcheck.boundary.files import cache_folder

    with contextlib.suppress(RuntimeError):  # no home
        if not os.environ.get("HYPOTHESIS_STORAGE_DIRECTORY"):
            os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(cache_folder())


def described(versions: Mapping[str, str]) -> str:
    """An environment in one phrase, "" for an empty one.

    >>> described({"sympy": "1.13", "python": "3.11.7", "machine": "x86_64"})
    'Python 3.11.7 on x86_64 with sympy 1.13'
    """
    packages = ", ".join(f"{name} {version}" for name, version in sorted(versions.items())
                         if name not in ("python", "machine"))  # fmt: skip
    if "python" not in versions:
        return packages
    machine = f" on {versions['machine']}" if "machine" in versions else ""
    return f"Python {versions['python']}{machine}" + (f" with {packages}" if packages else "")
