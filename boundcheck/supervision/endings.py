"""How a process that runs code of users ended, and where it was."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import tempfile

from boundcheck.faults import place
from boundcheck.supervision.limits import Limits

OUTSIDE = "its process was killed from outside"
OWN_SIGNALS = {
    signal.SIGABRT, signal.SIGSEGV, signal.SIGFPE, signal.SIGBUS, signal.SIGILL, signal.SIGTRAP,
    signal.SIGSYS,
}  # fmt: skip
FRAME = re.compile(r'^  File "(.*)", line (\d+) in ', re.M)


def ending(code: int, limits: Limits) -> tuple[str, str]:
    """(what in one word or two, in a phrase) for an exit code; negative is a signal.

    >>> ending(7, Limits(60, 60, 2**30))
    ('exit', 'its process ended by itself with exit code 7')
    """
    if code >= 0:
        return "exit", f"its process ended by itself with exit code {code}"
    if -code == signal.SIGXCPU:
        return "processor limit", f"took more than {limits.processor:g} s of processor time"
    name = signal.Signals(-code).name
    return name, "its process aborted" if -code in OWN_SIGNALS else OUTSIDE


def overtime(limits: Limits) -> tuple[str, str]:
    """The same for a process that is ended because its time is over."""
    return "wall limit", f"ran longer than {limits.wall:g} s of clock"


def nameless_file() -> int:
    """A file without a name for the frames of a process, in memory where the system can."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("boundcheck")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def whereabouts(dump: int) -> tuple[str, int]:
    """The innermost line of the statement's own code among the frames written to a file."""
    text = ""
    with contextlib.suppress(OSError):
        text = os.pread(dump, 2**20, 0).decode(errors="replace")
    return place([(file, int(line)) for file, line in reversed(FRAME.findall(text))])
