"""Does a test notice when a guard is gone? `python tests/mutation/gate.py [--sample N] [--jobs J]`.

Each mutant of `mutants.toml` is one edit of one file of the package, with the tests that must turn
red and the error that the guard stops. A process that has loaded the libraries is copied for each
mutant; the copy sees the edited source and runs the tests. Exit code 1 if a mutant survives.
"""

from __future__ import annotations

import argparse
import importlib.abc
import importlib.util
import os
import random
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLE = Path(__file__).parent / "mutants.toml"
LIBRARIES = ("sympy", "flint", "numpy", "scipy.stats", "pytest", "z3", "hypothesis", "msgspec")
SECONDS = 300  # a mutant that makes a test run on and on is caught as well


@dataclass(frozen=True)
class Mutant:
    """One edit: `before` occurs once in `file` and becomes `after`; `tests` must fail."""

    stops: str
    file: str
    before: str
    after: str
    tests: tuple[str, ...]

    @property
    def module(self) -> str:
        """The name under which the edited file is imported."""
        return self.file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")

    def source(self) -> str:
        """The edited text. Raises: ValueError if the snippet is not there once."""
        text = (ROOT / self.file).read_text(encoding="utf-8")
        if text.count(self.before) != 1:
            raise ValueError(f"{self.file}: {self.before!r} occurs {text.count(self.before)} times")
        return text.replace(self.before, self.after)


def mutants() -> list[Mutant]:
    """The table."""
    rows = tomllib.loads(TABLE.read_text(encoding="utf-8"))["mutant"]
    return [Mutant(**{**row, "tests": tuple(row["tests"])}) for row in rows]


class Edited(importlib.abc.MetaPathFinder, importlib.abc.SourceLoader):
    """Finds the edited module in place of its file."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant, self.text = mutant, mutant.source()

    def find_spec(self, name, path=None, target=None):
        if name != self.mutant.module:
            return None
        return importlib.util.spec_from_file_location(
            name, ROOT / self.mutant.file, loader=self,
            submodule_search_locations=[str((ROOT / self.mutant.file).parent)]
            if self.mutant.file.endswith("__init__.py") else None,
        )  # fmt: skip

    def get_filename(self, fullname: str) -> str:
        return str(ROOT / self.mutant.file)

    def get_data(self, path: str) -> bytes:
        return self.text.encode()

    def path_stats(self, path: str):
        raise OSError  # no byte code is kept


def begin(mutant: Mutant) -> int:
    """A copy of this process that runs the tests on the mutant; its id."""
    process = os.fork()
    if process:
        return process
    import pytest

    sys.meta_path.insert(0, Edited(mutant))
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    os.chdir(ROOT)
    code = 3
    try:
        # Plain asserts: pytest's own finder would load an installed plugin from disk, mutant or no.
        options = ["-x", "-q", "-p", "no:cacheprovider", "--assert=plain",
                   "--boundcheck-budget=thorough"]  # tests marked long, too
        code = int(pytest.main([*options, *mutant.tests]))
    finally:
        os._exit(code)


def ended(process: int, deadline: float, *, wait: bool) -> int | None:
    """Exit code of the copy; 1 if it had to be stopped; None while it runs on."""
    found, status = os.waitpid(process, 0 if wait and time.time() > deadline else os.WNOHANG)
    if found:
        return os.waitstatus_to_exitcode(status)
    if time.time() > deadline:
        os.kill(process, 9)
        os.waitpid(process, 0)
        return 1
    return None


def survivors(chosen: list[Mutant], jobs: int) -> list[tuple[Mutant, int]]:
    """Mutants whose tests do not fail, with the exit code (0 passed, others: no tests ran)."""
    waiting, running, found = list(chosen), {}, []
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop(0)
            running[begin(mutant)] = mutant, time.time() + SECONDS
        for process, (mutant, deadline) in list(running.items()):
            code = ended(process, deadline, wait=False)
            if code is None:
                continue
            del running[process]
            if time.time() > deadline:
                print(f"only the clock stops: {mutant.stops}: {mutant.file}", flush=True)
            if code != 1:
                found.append((mutant, code))
                print(f"survives ({code}): {mutant.stops}: {mutant.file}", flush=True)
        time.sleep(0.02)
    return found


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=0, help="so many of them only")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", default="", help="a part of the file name")
    given = parser.parse_args(arguments)
    chosen = [mutant for mutant in mutants() if given.only in mutant.file]
    if given.sample:
        chosen = random.Random(given.seed).sample(chosen, min(given.sample, len(chosen)))
    sys.path.insert(0, str(ROOT))
    for name in LIBRARIES:
        importlib.import_module(name)
    start = time.time()
    left = survivors(chosen, given.jobs)
    caught, took = len(chosen) - len(left), time.time() - start
    print(f"{caught} of {len(chosen)} mutants caught in {took:.0f} s")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
