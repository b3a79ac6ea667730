"""Code of users in a forked process: under limits, and whatever it does costs that process."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import NoReturn

from boundcheck.boundary.interruption import INTERRUPTED
from boundcheck.errors import Lost
from boundcheck.supervision.endings import ending, nameless_file, overtime, whereabouts
from boundcheck.supervision.limits import Limits
from boundcheck.supervision.worker import WHERE, confine, processor_limit

DONE = b"."
PATIENCE = 5.0  # seconds that an interrupted process has to end by itself


class Watched:
    """A forked process.

    Args: body: what it runs; its result or SystemExit is the exit code. limits: of the whole.
    """

    def __init__(self, body: Callable[[int], int], limits: Limits) -> None:
        self.limits = limits
        self.said, theirs = os.pipe()
        self._dump = nameless_file()
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                with contextlib.suppress(OSError, ValueError):
                    stream.flush()
        parent = os.getpid()
        self.process = os.fork()
        if self.process == 0:
            os.close(self.said)
            _run(body, theirs, self._dump, parent, limits)
        os.close(theirs)

    def wait(self, seconds: float) -> bytes | None:
        """What the process writes to its pipe, b"" once it has ended, None if time is over."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.said], [], [], min(left, 0.2))[0]:
                return os.read(self.said, 2**16)
        return None

    def ended(self) -> int:
        """The exit code of a process that has ended, or ends now."""
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])

    def ask(self) -> None:
        """Have it write where it is."""
        with contextlib.suppress(OSError):
            os.kill(self.process, WHERE)
        end = time.monotonic() + 1
        while time.monotonic() < end and not os.fstat(self._dump).st_size:
            time.sleep(0.02)
        time.sleep(0.05)

    def lost(self, what: str, phrase: str) -> str:
        """What became of it, in words, with the line of the user's code it was at."""
        file, line = whereabouts(self._dump)
        return f"{what}{f' in {file}, line {line}' if file else ''}: {phrase}"

    def kill(self) -> int:
        """End it at once."""
        with contextlib.suppress(OSError):
            os.kill(self.process, signal.SIGKILL)
        return self.ended()

    def close(self) -> None:
        """Let go of pipe and file."""
        os.close(self.said)
        os.close(self._dump)


def _run(
    body: Callable[[int], int], pipe: int, dump: int, parent: int, limits: Limits
) -> NoReturn:
    code = 1
    try:
        confine(dump, parent, limits.memory)
        processor_limit(limits.processor)
        code = body(pipe)
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 0
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()
        os._exit(code)


def watched(body: Callable[[], int], limits: Limits) -> int:
    """Exit code of `body`, run in a process of its own under limits.

    A Ctrl-C is the process's to answer.
    Raises: Lost if it passes a limit, aborts or is killed.
    """
    child = Watched(lambda pipe: _finished(body, pipe), limits)
    try:
        found = _waited(child)
        if found is None:
            child.ask()
            child.kill()
            raise Lost(child.lost(*overtime(limits)))
        code = child.ended()
        if code != INTERRUPTED and found != DONE:
            raise Lost(child.lost(*ending(code, limits)))
        return code
    finally:
        child.close()


def answered(work: Callable[[], dict[str, str]], limits: Limits) -> dict[str, str]:
    """What `work` returns, run in a process of its own under limits.

    Raises: Lost if it passes a limit, aborts or is killed, or does not return.
    """
    child = Watched(lambda pipe: _written(work, pipe), limits)
    said, code, end = b"", None, time.monotonic() + limits.wall
    try:
        while part := child.wait(end - time.monotonic()):
            said += part
        if part is None:
            child.ask()
            raise Lost(child.lost(*overtime(limits)))
        code = child.ended()
        if code != 0:
            raise Lost(child.lost(*ending(code, limits)))
        found: dict[str, str] = json.loads(said)
        return found
    except ValueError:
        raise Lost(child.lost(*ending(code or 0, limits))) from None
    finally:
        if code is None:
            child.kill()
        child.close()


def _written(work: Callable[[], dict[str, str]], pipe: int) -> int:
    with os.fdopen(pipe, "wb") as file:
        file.write(json.dumps(work()).encode())
    return 0


def _finished(body: Callable[[], int], pipe: int) -> int:
    """The exit code of the body, after a word to the parent that it came to its end."""
    try:
        code = body()
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 0
    os.write(pipe, DONE)
    return code


def _waited(child: Watched) -> bytes | None:
    try:
        return child.wait(child.limits.wall)
    except KeyboardInterrupt:
        with contextlib.suppress(OSError):
            os.kill(child.process, signal.SIGINT)
        if child.wait(PATIENCE) is None:
            os.kill(child.process, signal.SIGKILL)
        return b""
