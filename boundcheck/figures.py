"""What a source brings along: `_figures.py`, `_coverage.py` and `_benchmark.py`."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from boundcheck.boundary import numbers
from boundcheck.boundary.messages import reason, shown
from boundcheck.boundary.writing import drafted
from boundcheck.errors import InvalidArgument, OutputError
from boundcheck.library import Library

MOST = {"runs": 10**6, "iterations": 10**8, "jobs": numbers.MOST_JOBS}


def reproduce(library: Library, source: str, out: Path, **options: Any) -> list[Path]:
    """Run a source's experiments and write its figures; the paths written.

    Args: options: runs, iterations, data, seed, jobs; None means the source's own default.
    Raises: InvalidArgument for a source without figures or an option out of range, OutputError
        if `out` cannot be written.
    """
    module = companion(library, source, "_figures")
    for name, most in MOST.items():
        if options.get(name) is not None:
            numbers.whole(f"--{name}", options[name], 1, most, 4)
    numbers.seed(options.get("seed") or 0)
    options["jobs"] = options.get("jobs") or os.cpu_count() or 1
    known = inspect.signature(module.run).parameters
    given = {name: value for name, value in options.items() if value not in (None, ())}
    for name in given:
        if name not in known and name != "jobs":
            raise InvalidArgument(f"--{name} means nothing to the figures of {source}; drop it")
    chosen = {name: value for name, value in given.items() if name in known}
    if sys.stderr.isatty():
        chosen["progress"] = lambda text: print(text, file=sys.stderr)
    try:
        with drafted(out) as draft:
            module.run(draft.content, **chosen)
            _write_coverage(library, source, draft.content, chosen)
    except OSError as error:
        raise OutputError(
            f"figures cannot be written to {out} ({reason(error)}); give another --out"
        ) from error
    return draft.written


def _write_coverage(library: Library, source: str, out: Path, options: Mapping[str, Any]) -> None:
    """What the theorems would need for the experiments to be covered, where a source says it."""
    from boundcheck.experiments.drawing import table

    if source not in having(library, "_coverage"):
        return
    coverage = library.companion(source, "_coverage").coverage
    known = inspect.signature(coverage).parameters
    found = coverage(**{name: value for name, value in options.items() if name in known})
    target = out / f"{source}.coverage.csv"
    target.write_text(table(need.row() for need in found.needs), encoding="utf-8")
    target.with_suffix(".txt").write_text(found.caption() + "\n", encoding="utf-8")


def compare_speed(library: Library, source: str, share: float, out: Path) -> Iterator[str]:
    """Lines of a source's benchmark against the direct way, as they come; kept when it is done.

    Args: out: report folder; the table goes to benchmarks/SOURCE.md in it.
    Raises: InvalidArgument for a source without benchmark or a share outside (0, 1], OutputError
        if the folder cannot be made.
    """
    if not 0 < share <= 1:
        raise InvalidArgument(f"--share {share} is outside (0, 1]; give --share 0.1")
    found, target = companion(library, source, "_benchmark").lines(share), out / "benchmarks"
    lines = [f"`boundcheck benchmark {source} --share {share:g}`", ""]
    try:
        target.mkdir(parents=True, exist_ok=True)
        for line in found:
            table = line.startswith("|")
            lines += [line] if table == lines[-1].startswith("|") else ["", line]
            yield line
        (target / f"{source}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise OutputError(
            f"the benchmark cannot be kept in {target} ({reason(error)}); give another --out"
        ) from error


def companion(library: Library, source: str, name: str) -> Any:
    """A source's private module.

    Raises: InvalidArgument if it has none.
    """
    sources = having(library, name)
    if source not in sources:
        raise InvalidArgument(
            f"{shown(source)} has no {name.strip('_')}; sources that have: "
            f"{', '.join(sources) or 'none'}"
        )
    return library.companion(source, name)


def having(library: Library, name: str) -> list[str]:
    """Sources with a private module of this name, sorted."""
    return sorted(path.parent.name for path in library.root.glob(f"*/{name}.py"))
