"""Claims of a file that are bound when they are looked at: of many, a command may need one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from boundcheck.claim import LATER, Claim

SAID = frozenset({"source", "uses", "reading"})  # stays as the file says it


class Unbound(Claim):
    """A claim until something of it is asked for that binding makes; then one like any other."""

    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("__") and name not in SAID:
            object.__setattr__(self, "__class__", Claim)
            try:
                self.settle()
            except BaseException:
                object.__setattr__(self, "__class__", Unbound)
                raise
        return object.__getattribute__(self, name)


@contextmanager
def bound_when_needed() -> Iterator[None]:
    """Claims made inside are bound, and found malformed, when they are first looked at."""
    token = LATER.set(Unbound)
    try:
        yield
    finally:
        LATER.reset(token)
