"""pytest support: one test per claim of every library among the folders that pytest visits.

A folder whose `__init__.py` imports `Source` from boundcheck, or that holds `verdicts.toml`, is a
source: `pytest mylib`, `pytest mylib/mypaper` and `pytest mylib/mypaper/theorem_1.py` verify its
claims, in parallel, and compare each with the golden verdict in `verdicts.toml` beside it.
`--update-verdicts` writes those files instead. A statement file that cannot be used fails a test of
its own. No conftest is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from boundcheck.golden import GOLDEN, GoldenError, golden_text, outcome_text, read_golden

if TYPE_CHECKING:
    from boundcheck.library import Library

BUDGETS = ("brief", "quick", "standard", "thorough")
BRIEF, NEXT = BUDGETS[:2]
SOURCE = re.compile(r"^from boundcheck import\s*(?:\([^)]*\bSource\b|[^\n(]*\bSource\b)", re.M)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of the verification suite."""
    group = parser.getgroup("boundcheck")
    group.addoption(
        "--update-verdicts", action="store_true",
        help="write verdicts.toml of each source from this run instead of comparing",
    )  # fmt: skip
    group.addoption(
        "--boundcheck-budget", default="quick", choices=BUDGETS,
        help="how long claims are searched: quick (default), standard or thorough; brief looks at "
        "a fifth of the worlds of quick, to which it turns where a verdict is not the golden one",
    )  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark that every row carries."""
    config.addinivalue_line("markers", "boundcheck: a row of a library (set by boundcheck)")


def pytest_collect_directory(
    path: Path, parent: pytest.Collector
) -> pytest.Collector | None:
    """Source folders are ours, all others pytest's."""
    return SourceFolder.from_parent(parent, path=path) if is_source(path) else None


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write golden files, if asked to."""
    if session.config.getoption("--update-verdicts"):
        for suite in _suites(session.config).values():
            for why in suite.write_golden():
                _say(session, why)


def _say(session: pytest.Session, why: str) -> None:
    """A golden file that was not written, in one red line, as a failure of the session."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None:
        reporter.write_line(f"not written: {why}", red=True)
    session.exitstatus = pytest.ExitCode.TESTS_FAILED


def is_source(folder: Path) -> bool:
    """Whether a folder holds statements of one work; nothing is imported to tell."""
    package = folder / "__init__.py"
    if not folder.name.isidentifier() or not package.is_file():
        return False
    text = package.read_text(encoding="utf-8", errors="replace")
    return (folder / GOLDEN).is_file() or SOURCE.search(text) is not None


class Unexpected(Exception):
    """Why a row is red: shown as it stands, without a traceback."""


class Suite:
    """The claims of one root that pytest visits, verified together on first use."""

    def __init__(self, root: Path, budget: str) -> None:
        self.root, self.budget = root, budget
        self._parts: dict[str, Library] = {}
        self._entries: dict[str, dict[str, Any]] = {}

    def source(self, name: str) -> Library:
        """The claims of one source folder."""
        if name not in self._parts:
            from boundcheck.library import load_library

            self._parts[name] = load_library(self.root, [f"{name}/"])
        return self._parts[name]

    def entry(self, key: str, keys: Iterable[str]) -> dict[str, Any]:
        """The entry of one claim; `keys` are all that this session will ask for."""
        if key not in self._entries:
            wanted = {key, *keys}
            if self.budget == BRIEF:
                wanted = self._unlike(self._run(wanted, BRIEF))
            self._run(wanted, NEXT if self.budget == BRIEF else self.budget)
        return self._entries[key]

    def _run(self, keys: set[str], budget: str) -> set[str]:
        """The entries of these claims at a budget, which are kept; the keys again."""
        from boundcheck.library import Library
        from boundcheck.runner import run

        claims = {k: claim for part in self._parts.values() for k, claim in part.claims.items()}
        if keys:
            document = run(Library(self.root, claims), keys, budget=budget)
            self._entries |= {entry["key"]: entry for entry in document["claims"]}
        return keys

    def _unlike(self, keys: set[str]) -> set[str]:
        """Claims whose verdict is not the golden one: a larger budget decides."""
        golden: dict[str, str] = {}
        for source in {key.split("/")[0] for key in keys}:
            with suppress(GoldenError):  # its own row says so
                golden |= read_golden(self.root / source)
        return {key for key in keys if outcome_text(self._entries[key]) != golden.get(key)}

    def write_golden(self) -> list[str]:
        """Write verdicts.toml of every source that was verified; other claims keep theirs.

        So do those that are broken or whose check failed.
        Returns: why, for each file that cannot be read or written.
        """
        from boundcheck.errors import OutputError

        troubles = []
        for source in sorted({key.split("/")[0] for key in self._entries}):
            try:
                self._write_golden(source)
            except (OutputError, GoldenError) as error:
                troubles.append(str(error))
        return troubles

    def _write_golden(self, source: str) -> None:
        from boundcheck.boundary.writing import write_whole

        folder, library = self.root / source, self.source(source)
        earlier = {
            key: outcome for key, outcome in read_golden(folder).items()
            if key in library.claims or key.partition(":")[0] in library.broken
        }  # fmt: skip
        outcomes = earlier | {
            key: outcome_text(entry)
            for key, entry in self._entries.items()
            if key.startswith(source + "/") and not entry["fault"]
        }
        write_whole(folder / GOLDEN, golden_text(outcomes))


SUITES = pytest.StashKey[dict[Path, Suite]]()


def _suites(config: pytest.Config) -> dict[Path, Suite]:
    return config.stash.setdefault(SUITES, {})


def _suite(config: pytest.Config, root: Path) -> Suite:
    suites = _suites(config)
    budget = config.getoption("--boundcheck-budget")
    if budget == BRIEF and config.getoption("--update-verdicts"):
        budget = NEXT  # what becomes golden has been looked at for as long as others compare
    return suites.setdefault(root, Suite(root, budget))


class SourceFolder(pytest.Directory):
    """The statements of one work and its golden file."""

    def collect(self) -> Iterator[pytest.Collector]:
        """A collector for every statement file, and one for the golden file."""
        from boundcheck.library import statement_files

        for path in statement_files(self.path):
            if self.ihook.pytest_ignore_collect(collection_path=path, config=self.config):
                continue
            yield StatementFile.from_parent(self, path=path)
        if (self.path / GOLDEN).is_file():
            yield GoldenFile.from_parent(self, path=self.path / GOLDEN)


class StatementFile(pytest.File):
    """The claims of one statement file."""

    def collect(self) -> Iterator[pytest.Item]:
        """A test for every claim; one that fails for a file that cannot be used."""
        source = self.path.parent
        library = _suite(self.config, source.parent.resolve()).source(source.name)
        statement = f"{source.name}/{self.path.stem}"
        if statement in library.broken:
            yield BrokenRow.from_parent(self, name="usable", why=library.broken[statement])
        for key in library.claims:
            if key.partition(":")[0] == statement:
                yield ClaimRow.from_parent(self, name=key.partition(":")[2], key=key)


class Row(pytest.Item):
    """A test whose failure is one message, under the mark of all our tests."""

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        self.add_marker("boundcheck")

    def repr_failure(  # type: ignore[override]  # pytest passes no style
        self, excinfo: pytest.ExceptionInfo[BaseException]
    ) -> Any:
        """The message alone for what we say ourselves."""
        from boundcheck.errors import BoundcheckError

        if isinstance(excinfo.value, (Unexpected, BoundcheckError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the row stands in a report."""
        return self.path, None, f"{self.path.parent.name}/{self.path.stem}:{self.name}"


class BrokenRow(Row):
    """A statement file that cannot be used."""

    def __init__(self, *, why: str, **rest: Any) -> None:
        super().__init__(**rest)
        self.why = why

    def runtest(self) -> None:
        """Fail with the reason."""
        raise Unexpected(self.why)


class ClaimRow(Row):
    """The verdict of this run against the golden one."""

    def __init__(self, *, key: str, **rest: Any) -> None:
        super().__init__(**rest)
        self.key = key

    def runtest(self) -> None:
        """Verify the claim, with all others that this session asks for."""
        root = self.path.parent.parent.resolve()
        rows = [item for item in self.session.items if isinstance(item, ClaimRow)]
        keys = [row.key for row in rows if row.path.parent.parent.resolve() == root]
        entry = _suite(self.config, root).entry(self.key, keys)
        told = f"{self.key}: {entry['summary']}\nreplay: {entry['replay']}"
        if entry["fault"]:
            raise Unexpected(told)
        if self.config.getoption("--update-verdicts"):
            return
        found, golden = outcome_text(entry), read_golden(self.path.parent).get(self.key)
        if golden is None:
            raise Unexpected(f"{found}, and {GOLDEN} has no verdict yet; if this is right, run "
                             f"pytest --update-verdicts\n{told}")  # fmt: skip
        if found != golden:
            raise Unexpected(f"{found}, and {GOLDEN} has {golden}\n{told}")


class GoldenFile(pytest.File):
    """verdicts.toml of a source."""

    def collect(self) -> Iterator[pytest.Item]:
        """One test."""
        yield GoldenRow.from_parent(self, name="names")


class GoldenRow(Row):
    """Every golden verdict is of a claim that exists; files that cannot be used are red already."""

    def runtest(self) -> None:
        """Fail with the first name that is left over."""
        folder = self.path.parent
        library = _suite(self.config, folder.parent.resolve()).source(folder.name)
        for key in read_golden(folder):
            if key not in library.claims and key.partition(":")[0] not in library.broken:
                raise Unexpected(f"{self.path} has a verdict of {key}, which is no claim; "
                                 "run pytest --update-verdicts")  # fmt: skip
