"""Work of a source's experiments in several processes.

A module of a library lives in a private package that a worker process does not know, so functions
travel as the file that holds them and their name.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any


def spread(
    function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]], jobs: int
) -> Iterator[Any]:
    """function(*task) for every task, in order, as results arrive; inline for one job or task.

    Args: function: at the top level of its module. jobs: processes, at least 1.

    >>> list(spread(divmod, [(7, 2), (9, 4)], jobs=1))
    [(3, 1), (2, 1)]
    """
    listed = list(tasks)
    jobs = min(jobs, len(listed))
    if jobs <= 1:
        return (function(*task) for task in listed)
    from joblib import Parallel, delayed

    file = getattr(sys.modules[function.__module__], "__file__", None)
    found: Iterator[Any] = Parallel(n_jobs=jobs, return_as="generator")(
        delayed(_call)(file, function.__module__, function.__qualname__, task) for task in listed
    )
    return found


def _call(file: str | None, module: str, name: str, task: tuple[Any, ...]) -> Any:
    return getattr(_module(file, module), name)(*task)


def _module(file: str | None, module: str) -> Any:
    from importlib import import_module

    if file is None or not module.startswith("_boundcheck_"):
        return import_module(module)
    from boundcheck.library import Library

    path = Path(file)
    return Library(path.parent.parent).companion(path.parent.name, path.stem)
