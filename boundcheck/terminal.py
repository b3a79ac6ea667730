"""What people see while claims are verified and diagnosed, and the lines that verdicts make."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from boundcheck.boundary.messages import one_line
from boundcheck.faults import Fault

if TYPE_CHECKING:
    from boundcheck.verification import Progress


TOLD = 10  # lines that tell of a stage where there is no bar


class Stages:
    """What is told on standard error of the stages of a command: `stage(word, total)` begins one
    and gives a callback (key, entry), to be called with all that it finishes.

    On a terminal a bar moves; elsewhere a line tells of every tenth part of a long stage.
    """

    def __init__(self, bar: Any = None) -> None:
        self._bar = bar

    def __call__(self, word: str, total: int) -> Progress:
        if self._bar is not None:
            return self._moving(word, total)
        done = 0

        def told(key: str, entry: dict[str, Any]) -> None:
            nonlocal done
            done += 1
            if total >= 2 * TOLD and done * TOLD // total > (done - 1) * TOLD // total:
                print(f"boundcheck: {word} {done} of {total} claims", file=sys.stderr, flush=True)

        return told

    def _moving(self, word: str, total: int) -> Progress:
        task = self._bar.add_task(word, total=total, last="")

        def moved(key: str, entry: dict[str, Any]) -> None:
            self._bar.update(task, advance=1, last=f"{key} {entry.get('verdict', '')}")

        return moved


@contextmanager
def progress() -> Iterator[Stages]:
    """The stages of a command, with a bar for each if standard error is a terminal."""
    if not sys.stderr.isatty():
        yield Stages()
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress as Bars,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        TextColumn("{task.fields[last]}"),
    )  # fmt: skip
    with Bars(*columns, console=Console(stderr=True), transient=True) as bar:
        yield Stages(bar)


def verdict_line(entry: dict[str, Any]) -> str:
    """One claim's verdict as a line of text."""
    kind = f" ({entry['evidence']})" if entry["evidence"] else ""
    flags = " vacuous" if entry["vacuous"] else ""
    flags += " by definition" if entry.get("by_definition") else ""
    return f"{entry['key']}: {entry['verdict'].upper()}{kind}{flags}. {entry['summary']}"


def verdicts_over(keys: Iterable[str]) -> Progress:
    """A callback (key, entry) that prints each verdict once it and all before it are known."""
    left, waiting = deque(sorted(keys)), {}

    def known(key: str, entry: dict[str, Any]) -> None:
        waiting[key] = verdict_line(entry)
        while left and left[0] in waiting:
            print(waiting[left.popleft()], flush=True)

    return known


def broken_lines(broken: dict[str, str]) -> list[str]:
    """A row for each statement whose file cannot be used."""
    return [f"{statement}: BROKEN. {reason}" for statement, reason in sorted(broken.items())]


def say_faults(document: dict[str, Any], broken: dict[str, str]) -> int:
    """Every fault and every file that cannot be used, on standard error; the exit status."""
    lines = [f"{statement}: {reason}" for statement, reason in sorted(broken.items())]
    for entry in document["claims"]:
        if entry["fault"]:
            lines.append(f"{entry['key']}: {entry['fault']['state']}: {Fault(**entry['fault'])}")
    for line in lines:
        print(one_line(f"boundcheck: {line}"), file=sys.stderr)
    return 1 if lines else 0


def summary(document: dict[str, Any]) -> str:
    """Totals by verdict in one line."""
    counts: dict[str, int] = {}
    for entry in document["claims"]:
        counts[entry["verdict"]] = counts.get(entry["verdict"], 0) + 1
    order = ("proved", "supported", "refuted", "malformed", "undecided", "broken", "failed")
    parts = [f"{counts[name]} {name}" for name in order if name in counts]
    spent = sum(row["spent"] for row in document["account"])
    return (
        f"{len(document['claims'])} claims: {', '.join(parts)}; error probability "
        f"{spent:.2g} spent of {document['error_probability']:g}"
    )


def told_of_earlier(taken: int, of: int, replay: str) -> str:
    """How many verdicts were taken as they were kept, and how to re-check them.

    >>> told_of_earlier(2, 3, "boundcheck replay reports")
    '2 of 3 verdicts are of earlier runs; `boundcheck replay reports` re-checks their evidence'
    """
    return f"{taken} of {of} verdicts are of earlier runs; `{replay}` re-checks their evidence"
