"""A limit on how long a block computes."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class OutOfTime(Exception):
    """A simplification that took longer than allowed."""


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Ends a block after some seconds of computing, whatever else the machine does.

    Without effect outside the main thread of a process.
    """
    able = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
    if not able:
        yield
        return

    def stop(*_: Any) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
