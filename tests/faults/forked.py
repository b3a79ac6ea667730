"""A command line run in a forked child: everything is imported once, each case costs a fork."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SECONDS = 15  # of computing in one case
PATIENCE = 90  # of waiting for it, on a machine that may be busy
MEMORY = 6 * 2**30  # of address space; a bomb ends in MemoryError instead of the machine


@dataclass(frozen=True)
class Ended:
    """How a child ended: exit code (negative: signal), what it wrote."""

    code: int
    out: str
    err: str


def forked(
    folder: Path,
    body: Callable[[], None],
    *,
    cwd: Path | None = None,
    stdout: str | None = None,
    memory: int = MEMORY,
) -> Ended:
    """Run `body` in a forked child with streams of its own.

    Args: folder: where the streams are kept. cwd: the child's folder. stdout: another file for
        standard output, such as /dev/full.
    """
    out, err = folder / "stdout", folder / "stderr"
    child = os.fork()
    if child == 0:
        code = 99
        try:
            code = _inside(body, cwd, stdout or str(out), str(err), memory)
        finally:
            os._exit(code)
    status = _wait(child)
    text = [path.read_text(errors="replace") if path.is_file() else "" for path in (out, err)]
    return Ended(status, *text)


def _inside(
    body: Callable[[], None], cwd: Path | None, stdout: str, stderr: str, memory: int
) -> int:
    for number, path in ((0, "/dev/null"), (1, stdout), (2, stderr)):
        flags = os.O_RDWR if path == "/dev/null" else os.O_WRONLY | os.O_CREAT
        os.dup2(os.open(path, flags, 0o600), number)
    sys.stdin = None  # type: ignore[assignment]
    sys.stdout, sys.stderr = (os.fdopen(n, "w", encoding="utf-8") for n in (1, 2))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    os.chdir(cwd or "/")
    try:
        body()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0
    except BaseException:  # what Python itself would do: a traceback, which the test refuses
        import traceback

        traceback.print_exc()
        return 1
    finally:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    return 0


def _wait(child: int) -> int:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    raise AssertionError(f"still running after {PATIENCE} s")


def command(*arguments: object) -> Callable[[], None]:
    """The command line as a body of `forked`."""

    def body() -> None:
        from boundcheck.cli import main

        main([str(argument) for argument in arguments])

    return body


def contents(folder: Path) -> dict[str, bytes | None]:
    """Every path below a folder with the content of regular files; None for other kinds."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        if path.is_file() and not path.is_symlink()
        else None
        for path in sorted(folder.rglob("*"))
        if "__pycache__" not in path.parts
    }


def require_refusal(ended: Ended, code: int, words: tuple[str, ...]) -> None:
    """Exit code, exactly one line on standard error that says these words, no traceback."""
    shown = f"exit {ended.code}\n{ended.err[:3000]}"
    assert "Traceback" not in ended.err, shown
    assert ended.code == code, shown
    assert ended.err.startswith("boundcheck: ") and ended.err.count("\n") == 1, shown
    assert "defect in" not in ended.err, shown
    assert len(ended.err) <= 2_100 and max(map(len, ended.err.split())) <= 260, shown
    assert ended.err[:-1].isprintable(), shown
    assert ";" in ended.err, f"no remedy: {shown}"  # value and rule, then what to do
    for word in words:
        assert word in ended.err, f"{word!r} is not said: {shown}"
