"""How a command ends: exit 0 done, 1 an expectation failed, 2 wrong use, 130 stopped."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

import typer

from boundcheck.boundary.interruption import INTERRUPTED, WATCH
from boundcheck.boundary.messages import one_line, reason, shown, visible
from boundcheck.errors import (
    BoundcheckError,
    Broken,
    InvalidArgument,
    Lost,
    OutputError,
    UnreadableWitness,
    WitnessError,
)
from boundcheck.faults import fault_of

# The base of typer's usage errors: named differently with and without a separate click.
WRONG_USE: Any = next(
    c for c in reversed(typer.BadParameter.__mro__) if hasattr(c, "format_message")
)


# Commands that run definitions of users outside of the supervised processes that others start.
ALONE = ("at", "diff", "plan", "require", "sharpen", "show")


def finish(app: typer.Typer, given: list[str], alone: bool = False) -> NoReturn:
    """Run a command line to its exit code; whatever goes wrong is one line on standard error.

    Args: alone: whether commands of `ALONE` run in a process of their own, under limits.
    """
    ended(lambda: _command(app, given, alone), given)


def _command(app: typer.Typer, given: list[str], alone: bool) -> Any:
    if alone and given[:1] and given[0] in ALONE:
        from boundcheck.supervision.limits import limits_for
        from boundcheck.supervision.watch import watched

        sys.exit(watched(lambda: finish(app, given), limits_for(_budget(given))))
    return app(args=given, prog_name="boundcheck", standalone_mode=False)


def ended(command: Callable[[], object], given: list[str]) -> NoReturn:
    """Run what returns an exit code; whatever goes wrong is one line on standard error.

    Args: given: the arguments that the command was started with.
    """
    WATCH.watch()
    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # of libraries, about numbers that we check ourselves
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # text that the terminal's encoding lacks
            stream.reconfigure(errors="backslashreplace")
    _escape(sys.stdout)
    try:
        _require_place(given)
        status = command()
        _flush()
    except typer.Exit as stop:
        status = stop.exit_code
        _flush()
    except (typer.Abort, KeyboardInterrupt):
        status = INTERRUPTED
    except BrokenPipeError:
        _leave_unread()
    except SystemExit as stop:  # what click makes of a broken pipe inside a command
        if isinstance(stop.__context__, BrokenPipeError):
            _leave_unread()
        raise
    except Exception as error:
        _fail(*_told(error, given), given)
    if status == INTERRUPTED:
        WATCH.over()
        kept = "; what is finished is kept, the same command goes on" if "report" in given else ""
        _fail(f"stopped{kept}", INTERRUPTED)
    sys.exit(status if isinstance(status, int) else 0)


def _escape(stream: Any) -> None:
    """Have a stream write control characters as escapes: names and texts of users may hold them."""
    if isinstance(stream, io.TextIOWrapper) and "write" not in vars(stream):
        write = stream.write
        stream.write = lambda text: write(visible(text))  # type: ignore[method-assign]


def _budget(given: list[str]) -> str:
    """The budget whose limits hold; that of a name that is none is refused later."""
    from boundcheck.supervision.limits import LIMITS

    named = [value for name, value in pairwise(given) if name == "--budget"]
    named += [item.partition("=")[2] for item in given if item.startswith("--budget=")]
    return next((name for name in named if name in LIMITS), "quick")


def _leave_unread() -> NoReturn:
    sys.stdout = None  # nobody reads; closing it would complain
    sys.exit(0)


def _told(error: Exception, given: list[str]) -> tuple[str, int]:
    """The line for an error and its exit code."""
    if isinstance(error, WRONG_USE):
        return _usage(error, given), 2
    if isinstance(error, WitnessError) and not isinstance(error, UnreadableWitness):
        return reason(error), 1
    if isinstance(error, Lost):
        return f"{reason(error)}; mend the definition, or give more in BOUNDCHECK_LIMITS", 1
    if isinstance(error, Broken):
        return f"{fault_of(error)}; mend the definition", 2
    if isinstance(error, BoundcheckError):
        return reason(error), 2
    if isinstance(error, MemoryError):
        return f"{fault_of(error)}; ask for less at a time, or give more in BOUNDCHECK_LIMITS", 2
    if isinstance(error, OSError):
        what = shown(error.filename) if error.filename else "a file or standard output"
        return f"{what} cannot be used ({reason(error)}); make room or give another place", 2
    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(place.filename).name}, line {place.lineno}"
    return f"defect in {where}: {type(error).__name__}: {reason(error)}; please report it", 1


def _require_place(given: list[str]) -> None:
    """Refuse a folder that is gone and an argument that no system call takes.

    Raises: InvalidArgument.
    """
    for argument in given:
        if "\0" in argument or not _encodes(argument):
            raise InvalidArgument(
                f"{shown(argument)} holds a null character or half of one; remove it"
            )
    try:
        os.getcwd()
    except OSError as error:
        raise InvalidArgument(
            f"the current folder is gone ({reason(error)}); change to one that exists"
        ) from error


def _encodes(argument: str) -> bool:
    try:
        os.fsencode(argument)
    except UnicodeEncodeError:
        return False
    return True


def _flush() -> None:
    """Write what is printed, so that a full disk is noticed while it can be said.

    Raises: OutputError, BrokenPipeError.
    """
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(
            f"standard output cannot be written ({reason(error)}); make room or send it elsewhere"
        ) from error


def _usage(error: Any, given: list[str]) -> str:
    """A usage error with the value it is about and the help that tells the rule."""
    text = " ".join(error.format_message().split()).rstrip(".")
    option = next((o for o in getattr(getattr(error, "param", None), "opts", ()) if o in given), "")
    if option and given.index(option) + 1 < len(given):
        text = f"{option} {shown(given[given.index(option) + 1])}: {text}"
    command = getattr(getattr(error, "ctx", None), "command_path", "") or "boundcheck"
    return f"{text}; see `{command} --help`"


def _fail(text: str, status: int, given: Iterable[str] = ()) -> NoReturn:
    with contextlib.suppress(OSError, ValueError):  # nobody to tell
        print("boundcheck: " + one_line(text, given), file=sys.stderr, flush=True)
    if sys.stdout is not None:
        try:
            sys.stdout.flush()
        except (OSError, ValueError):
            sys.stdout = None  # Python would try again, and complain
    sys.exit(status)
