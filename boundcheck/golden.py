"""Golden files: the verdicts of a source as its maintainers last reviewed them.

`pytest --update-verdicts` writes them and pytest compares with them; `show` and `audit` tell them.
The engine never reads them.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from boundcheck.boundary.files import MIB, Unreadable, read_bytes, text
from boundcheck.boundary.messages import reason, shown
from boundcheck.errors import BoundcheckError

GOLDEN = "verdicts.toml"
OUTCOME = re.compile(r"(proved|refuted|malformed|supported|undecided)( \([a-z ]{1,40}\))?")
REMEDY = "remove it and run pytest --update-verdicts"


class GoldenError(BoundcheckError):
    """A golden file that `--update-verdicts` cannot have written."""


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
        return str(entry["fault"]["state"])
    evidence = f" ({entry['evidence']})" if entry["evidence"] else ""
    return f"{entry['verdict']}{evidence}"


def read_golden(folder: Path) -> dict[str, str]:
    """Golden verdicts of a source by key; empty if it has none yet.

    Raises: GoldenError if the file is none that `--update-verdicts` can have written.
    """
    path = folder / GOLDEN
    if not path.exists() and not path.is_symlink():
        return {}
    try:
        tables = tomllib.loads(text(read_bytes(path, MIB)))
    except (Unreadable, ValueError, RecursionError) as error:
        raise GoldenError(f"{path} {_words(error)}; {REMEDY}") from error
    golden: dict[str, str] = {}
    for statement, claims in tables.items():
        if not isinstance(claims, dict):
            raise GoldenError(f"{path} has {shown(claims)} at {shown(statement)}, no table; "
                             f"{REMEDY}")  # fmt: skip
        for claim, outcome in claims.items():
            if not isinstance(outcome, str) or not OUTCOME.fullmatch(outcome):
                raise GoldenError(f"{path} has {shown(outcome)} at {shown(statement)}, "
                                 f"{shown(claim)}, no verdict; {REMEDY}")  # fmt: skip
            golden[f"{folder.name}/{statement}:{claim}"] = outcome
    return golden


def _words(error: Exception) -> str:
    return reason(error) if isinstance(error, Unreadable) else f"is not TOML ({reason(error)})"
