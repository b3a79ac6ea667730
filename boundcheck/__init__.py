"""boundcheck: theorems of learning theory, checked exactly as printed.

>>> from boundcheck import Claim, Holds, Source
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"
_HOMES = {
    "Claim": "claim", "Source": "claim", "Holds": "claim", "Expected": "claim",
    "WithProbability": "claim", "UpToConstant": "claim", "Rescaling": "claim",
    "quantity": "quantities",
    "require": "explore", "verify": "engine", "load_library": "library",
}  # fmt: skip
__all__ = [*_HOMES, "__version__"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"boundcheck.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'boundcheck' has no attribute {name!r}")
