"""A rehearsal of work on parts that are not trusted: the parts that end the process are named.

The work runs in a forked process and says which part it begins with. If it loops, leaks, aborts or
ends there, the part is refused and the rehearsal starts again without it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping

from boundcheck.boundary.messages import plain
from boundcheck.supervision.endings import ending, overtime
from boundcheck.supervision.limits import Limits
from boundcheck.supervision.watch import Watched
from boundcheck.supervision.worker import processor_limit

Begin = Callable[[str], object]
Work = Callable[[Mapping[str, str], Begin], dict[str, str]]


def rehearsed(work: Work, limits: Limits, remedy: str) -> dict[str, str]:
    """Parts that cannot be used, with the reason in one line.

    Args: work: called with what is refused already and with what it calls before each part; returns
    the parts that it found unusable itself. limits: of each part. remedy: the end of the line.
    """
    refused: dict[str, str] = {}
    while True:
        part, reason, found = _once(work, refused, limits)
        if found is not None:
            return {**found, **refused}
        if not part or part in refused:  # it ended before or between the parts: nothing is known
            return refused
        refused[part] = f"{plain(reason)}; {remedy}"


def _once(
    work: Work, refused: dict[str, str], limits: Limits
) -> tuple[str, str, dict[str, str] | None]:
    """The last part begun, how the process ended, and what the work found if it came to its end."""
    child = Watched(lambda pipe: _performed(work, refused, limits, pipe), limits)
    said, code = b"", None
    try:
        while data := child.wait(limits.wall):
            said += data
        if data is None:
            child.ask()
            end = overtime(limits)
        else:
            code = child.ended()
            end = ending(code, limits)
        reason = child.lost(*end)
    finally:
        if code is None:
            child.kill()
        child.close()
    lines = [json.loads(line) for line in said.split(b"\n")[:-1]]
    parts = [line for line in lines if isinstance(line, str)]
    found = lines[-1] if lines and isinstance(lines[-1], dict) else None
    return parts[-1] if parts else "", reason, found


def _performed(work: Work, refused: Mapping[str, str], limits: Limits, pipe: int) -> int:
    """The work without its output, which comes again."""
    nowhere = open(os.devnull, "w")  # noqa: SIM115
    for stream in (1, 2):
        os.dup2(nowhere.fileno(), stream)
    sys.stdout = sys.stderr = nowhere

    def say(what: object) -> None:
        file.write(json.dumps(what).encode() + b"\n")
        file.flush()

    def begin(part: str) -> None:
        processor_limit(limits.processor)
        say(part)

    with os.fdopen(pipe, "wb") as file:
        say(work(refused, begin))
    return 0
