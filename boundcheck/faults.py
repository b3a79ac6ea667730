"""Faults: what went wrong while a claim was decided, where, and whose defect it is.

A fault is no verdict. A statement is `broken` when its file or a definition of its own is
defective; a check has `failed` when the machinery is, or when the machine would not let it finish.
"""

from __future__ import annotations

import contextlib
import difflib
import dis
import resource
import sys
import sysconfig
import traceback
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Literal

from boundcheck.boundary.messages import reason
from boundcheck.errors import BoundcheckError, Broken, Undecided, Undefined

State = Literal["broken", "failed"]
PACKAGE = Path(__file__).parent
SHIPPED = PACKAGE / "_library"
INSTALLED = {
    Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib")
}
ROOM = 2**28  # bytes above a limit, so that passing it can be said
LONGEST = 400  # characters of a message that are kept


@dataclass(frozen=True)
class Fault:
    """One fault, ready for JSON.

    Args:
        state: "broken" or "failed". exception: name of its class. message: one line.
        check: the check that met it, or "". file, line: the innermost line of the statement's own
            code, or of ours if none was involved; "" and 0 where nothing is known.
        world: values of world fields and parameters as text, where it happened in one.
    """

    state: State
    exception: str
    message: str
    check: str = ""
    file: str = ""
    line: int = 0
    world: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The `fault` of a claim in `verify --json`."""
        return asdict(self)

    def __str__(self) -> str:
        where = f" in {self.file}, line {self.line}" if self.file else ""
        values = ", ".join(f"{name} = {value}" for name, value in self.world.items())
        values = values if len(values) <= LONGEST else values[: LONGEST - 3] + "..."
        check = f"{self.check}: " if self.state == "failed" and self.check else ""
        tail = f"; at {values}" if values else ""
        return f"{check}{self.exception}{where}: {self.message}{tail}"


def said(error: BaseException) -> str:
    """The message of any exception in one printable line of bounded length.

    >>> said(ValueError("two\\nlines"))
    'two lines'
    """
    try:
        text = reason(error)
    except BaseException:  # a message whose making ends the process
        text = type(error).__name__
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def remedy(error: BaseException) -> str:
    """What to do about the mistakes that are made most."""
    if isinstance(error, TypeError) and "truth value of Relational" in str(error):
        return ("write And(a <= b, b <= c) for a chain, Max(a, b) for max(a, b), indicator(a <= b) "
                "for a condition")  # fmt: skip
    module = sys.modules.get(error.name or "") if isinstance(error, ImportError) else None
    if module is not None and module.__name__.startswith("boundcheck"):
        wanted = "".join(str(error).split("'")[1:2])
        near = difflib.get_close_matches(wanted, _public(module), n=3, cutoff=0.5)
        return f"it has {', '.join(near)}" if near else "`reports/api` lists what there is"
    return "mend the file"


def _public(module: ModuleType) -> list[str]:
    names = {*vars(module), *getattr(module, "__all__", ())}
    return sorted(name for name in names if not name.startswith("_"))


def frames(error: BaseException) -> list[tuple[str, int]]:
    """(file, line) of every frame an exception passed, outermost first."""
    return [(frame.filename, frame.lineno or 0) for frame in traceback.extract_tb(
        error.__traceback__, limit=-200)]  # fmt: skip


def of_the_statement(file: str) -> bool:
    """Whether a file is a user's: neither ours nor Python's nor an installed package's."""
    if not file or file.startswith("<") or file.endswith((".pyx", ".pxd")):  # of no statement
        return False
    path = Path(file).resolve()
    if path.is_relative_to(SHIPPED):
        return True
    return not any(path.is_relative_to(folder) for folder in (PACKAGE, *INSTALLED))


def place(found: list[tuple[str, int]]) -> tuple[str, int]:
    """The innermost frame of the statement's own code; ("", 0) if there is none."""
    return next(((f, n) for f, n in reversed(found) if of_the_statement(f)), ("", 0))


def is_ours(error: BaseException) -> bool:
    """Whether an exception must pass through user code: a real Ctrl-C, or our own flow of control.

    Python raises KeyboardInterrupt between two instructions, a user's code at `raise`.
    """
    if isinstance(error, (BoundcheckError, Undefined, Undecided)):
        return isinstance(error, (Broken, Undefined, Undecided))
    if isinstance(error, KeyboardInterrupt):
        return not _raised_by_user(error.__traceback__)
    return type(error).__module__.partition(".")[0] == "boundcheck"


def _raised_by_user(trace: TracebackType | None) -> bool:
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or not of_the_statement(trace.tb_frame.f_code.co_filename):
        return False
    return trace.tb_frame.f_code.co_code[trace.tb_lasti] == dis.opmap["RAISE_VARARGS"]


def fault_of(error: BaseException, check: str = "") -> Fault:
    """What an exception says: of the statement if its code took part in it, else of ours."""
    if isinstance(error, Broken):
        return Fault("broken", error.exception, said(error), check, error.file, error.line,
                     dict(error.world))  # fmt: skip
    found = frames(error)
    file, line = place(found)
    if isinstance(error, MemoryError):
        return Fault("failed", "memory limit", _memory(), check, file, line)
    if file:
        return Fault("broken", type(error).__name__, said(error), check, file, line)
    file, line = found[-1] if found else ("", 0)
    return Fault("failed", type(error).__name__, said(error), check, file, line)


def _memory() -> str:
    """What is said where memory is out, after making room to say it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if soft == resource.RLIM_INFINITY:
        return "the memory of this machine is out"
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (soft + ROOM, hard))
    return f"needed more than {soft / 2**30:.3g} G of memory"
