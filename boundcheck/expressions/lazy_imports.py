"""Modules that take long to import, imported when something of them is first asked for."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any


class Later(ModuleType):
    """A module that is not imported yet.

    >>> Later("math").sqrt(9)
    3.0
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._meant = name  # readers of packages may rename what they take for a part of one

    def __getattr__(self, name: str) -> Any:
        found = getattr(import_module(self._meant), name)
        setattr(self, name, found)  # the next time without a detour
        return found


if TYPE_CHECKING:
    import numpy as numpy
else:
    numpy = Later("numpy")  # what reads exactly alone does without
