"""pytest support: one test per claim against the golden verdicts of its source.

`pytest verify` verifies every claim once, in parallel, and compares each with
`<source>/verdicts.toml`. `--update-verdicts` writes those files instead.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of the verification suite."""
    group = parser.getgroup("boundcheck")
    group.addoption(
        "--update-verdicts", action="store_true",
        help="write verdicts.toml of each source from this run instead of comparing",
    )  # fmt: skip
    group.addoption("--verdict-budget", default="quick", help="quick, standard or thorough")


def golden_text(entries: dict[str, str]) -> str:
    """verdicts.toml of one source: a table per statement, claim = "verdict (evidence)"."""
    lines = ["# Written by `pytest verify --update-verdicts`; read as a diff before committing."]
    table = ""
    for key in sorted(entries):
        statement, _, claim = key.split("/")[1].partition(":")
        if statement != table:
            table = statement
            lines += ["", f"[{statement}]"]
        lines.append(f'{claim} = "{entries[key]}"')
    return "\n".join(lines) + "\n"


def outcome_text(entry: dict[str, Any]) -> str:
    """The part of a verdict that the golden file keeps: no time, no numbers.

    A fault is no verdict and never golden.
    """
    if entry.get("fault"):
        return entry["fault"]["state"]
    return entry["verdict"] + (f" ({entry['evidence']})" if entry["evidence"] else "")


def read_golden(folder: Path) -> dict[str, str]:
    """Golden verdicts of a source by key; empty if it has none yet."""
    import tomllib

    path = folder / "verdicts.toml"
    if not path.is_file():
        return {}
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        f"{folder.name}/{statement}:{claim}": outcome
        for statement, claims in tables.items()
        for claim, outcome in claims.items()
    }


class Suite:
    """Verdicts of all claims of a library, computed on first use."""

    def __init__(self, root: Path, budget: str) -> None:
        from boundcheck.library import load_library

        self.library = load_library(root)
        self.budget = budget
        self._entries: dict[str, dict[str, Any]] | None = None

    def entry(self, key: str, keys: list[str]) -> dict[str, Any]:
        """The entry of one claim; `keys` are all that this session will ask for."""
        if self._entries is None:
            from boundcheck.runner import run

            document = run(self.library, keys, budget=self.budget)
            self._entries = {entry["key"]: entry for entry in document["claims"]}
        return self._entries[key]

    def write_golden(self) -> None:
        """Write verdicts.toml of every source that was verified; other claims keep theirs.

        So do those that are broken or whose check failed.
        """
        from boundcheck.boundary.writing import write_whole

        assert self._entries is not None
        for source in sorted({key.split("/")[0] for key in self._entries}):
            folder = self.library.root / source
            earlier = {k: v for k, v in read_golden(folder).items() if k in self.library.claims}
            outcomes = earlier | {
                key: outcome_text(entry)
                for key, entry in self._entries.items()
                if key.startswith(source + "/") and not entry["fault"]
            }
            path = folder / "verdicts.toml"
            write_whole(path, golden_text(outcomes))
