"""Figures and benchmarks that a source brings along, in `_figures.py` and `_benchmark.py`."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from boundcheck.boundary.writing import writable_folder
from boundcheck.errors import InvalidArgument
from boundcheck.library import Library


def reproduce(library: Library, source: str, out: Path, **options: Any) -> list[Path]:
    """Run a source's experiments and write its figures; the paths written.

    Args: options: runs, iterations, data, seed, jobs; None means the source's own default.
    Raises: InvalidArgument for a source without figures or an option out of range, OutputError
        if `out` cannot be written.
    """
    module = companion(library, source, "_figures")
    for name in ("runs", "iterations", "jobs"):
        if options.get(name) is not None and options[name] < 1:
            raise InvalidArgument(f"--{name} {options[name]} is below 1; give a positive integer")
    options["jobs"] = options.get("jobs") or os.cpu_count() or 1
    known = inspect.signature(module.run).parameters
    given = {name: value for name, value in options.items() if value not in (None, ())}
    for name in given:
        if name not in known and name != "jobs":
            raise InvalidArgument(f"--{name} means nothing to the figures of {source}; drop it")
    chosen = {name: value for name, value in given.items() if name in known}
    writable_folder(out)
    if sys.stderr.isatty():
        chosen["progress"] = lambda text: print(text, file=sys.stderr)
    return module.run(out, **chosen)


def compare_speed(library: Library, source: str, share: float) -> Iterable[str]:
    """Lines of a source's benchmark against the direct way.

    Raises: InvalidArgument for a source without benchmark or a share outside (0, 1].
    """
    if not 0 < share <= 1:
        raise InvalidArgument(f"--share {share} is outside (0, 1]; give --share 0.1")
    return companion(library, source, "_benchmark").lines(share)


def companion(library: Library, source: str, name: str) -> Any:
    """A source's private module.

    Raises: InvalidArgument if it has none.
    """
    having = sorted(path.parent.name for path in library.root.glob(f"*/{name}.py"))
    if source not in having:
        raise InvalidArgument(
            f"{source!r} has no {name.strip('_')}; sources that have: {', '.join(having) or 'none'}"
        )
    return library.companion(source, name)
