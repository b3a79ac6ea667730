"""What people see while claims are verified: a progress bar on a terminal, silence elsewhere."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from boundcheck.boundary.messages import one_line
from boundcheck.faults import Fault


@contextmanager
def progress_over(total: int) -> Iterator[Callable[[str, dict[str, Any]], None]]:
    """A callback (key, entry) that moves a bar on standard error if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda key, entry: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("verifying"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        TextColumn("{task.fields[last]}"),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("verify", total=total, last="")

        def moved(key: str, entry: dict[str, Any]) -> None:
            bar.update(task, advance=1, last=f"{key} {entry['verdict']}")

        yield moved


def verdict_line(entry: dict[str, Any]) -> str:
    """One claim's verdict as a line of text."""
    kind = f" ({entry['evidence']})" if entry["evidence"] else ""
    flags = " vacuous" if entry["vacuous"] else ""
    flags += " by definition" if entry.get("by_definition") else ""
    return f"{entry['key']}: {entry['verdict'].upper()}{kind}{flags}. {entry['summary']}"


def verdicts_over(keys: Iterable[str]) -> Callable[[str, dict[str, Any]], None]:
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
