"""The constants of a library in one table: printed, best known below, best supported, proved.

    python -m boundcheck.explore.constants_page [--out FILE] [--most COST] [SELECTOR ...]

Rows of claims that are not selected stay as they are.

A row is the number in front of a larger side of a statement that stands, or in a hypothesis: the
value at which a world is certified to break it (or a sequential test does, where it says so), the
sharpest value that was supported at seeds of its own, and the sharpest that was proved.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from boundcheck.errors import BoundcheckError
from boundcheck.explore.bracketing import Bracket
from boundcheck.explore.sharpening import sharpen
from boundcheck.explore.wording import formula_text, plain

PAGE = Path(__file__).with_name("CONSTANTS.md")
WIDTH = 60
KINDS = ("factor", "threshold", "exponent", "hypothesis")
HEAD = """# Constants

Numbers in front of the larger side of the statements of the library that stand, and in their
hypotheses (thresholds): as printed, the value next to it at which the statement fails in a world
(certified exactly, or by the sequential test where marked *), the sharpest that was supported at
seeds of its own, the sharpest that was proved. Bold where something sharper than the printed number
stood. A row without a constant is a hypothesis without which the statement stood. Regenerate with
`python -m boundcheck.explore.constants_page`.

| claim | constant | of | fails at | supported | proved |
|---|---|---|---|---|---|
"""


def rows_of(key: str, claim: Any) -> list[str]:
    """The rows of one claim; none where it has no constant or does not stand."""
    try:
        found = sharpen(claim, kinds=KINDS, label=key)
    except BoundcheckError:
        return []
    brackets = [b for b in found.brackets if b.lower is not None or b.sharper]
    return [
        *(_row(key, bracket) for bracket in brackets),
        *(f"| {key} | without | `{_cut(condition)}` |  | stands |  |"
          for condition in found.superfluous),
    ]  # fmt: skip


def _row(key: str, bracket: Bracket) -> str:
    knob, lower = bracket.knob, bracket.lower
    star = "*" if bracket.evidence == "statistical" else ""
    best = [_shown(value, bracket) for value in (bracket.supported, bracket.proved)]
    named = str(knob.printed) if knob.kind == "factor" else f"{knob.kind} {knob.printed}"
    fails = "" if lower is None else plain(lower) if lower.is_Rational else str(lower.evalf(10))
    return f"| {key} | {named} | `{_cut(knob.beside)}` | {fails}{star} | {best[0]} | {best[1]} |"


def _cut(expression: Any) -> str:
    text = formula_text(expression).replace("|", "\\|")
    return text if len(text) <= WIDTH else text[: WIDTH - 3] + "..."


def _shown(value: Any, bracket: Bracket) -> str:
    if value is None:
        return ""
    better = bracket.knob.direction * (value - bracket.knob.printed) > 0
    return f"**{value}**" if better else str(value)


def stands_by_golden(root: Path, key: str) -> bool:
    """Whether the golden file of a source lists a claim as proved or supported.

    A search of the size of this page may miss what a larger one has found.
    """
    import tomllib

    source, _, rest = key.partition("/")
    statement, _, name = rest.partition(":")
    path = Path(root) / source / "verdicts.toml"
    listed = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return str(listed.get(statement, {}).get(name, "")).startswith(("proved", "supported"))


def _kept(page: Path, keys: list[str]) -> dict[str, list[str]]:
    """Rows of an earlier page by claim; those of claims that are no more are dropped."""
    rows: dict[str, list[str]] = {}
    known = set(keys)
    for line in page.read_text().splitlines() if page.exists() else ():
        key = line.split("|")[1].strip() if line.startswith("| ") else ""
        if key in known:
            rows.setdefault(key, []).append(line)
    return rows


def main(arguments: list[str]) -> int:
    """Writes the page, a row at a time, so that a stopped run leaves what it found."""
    from boundcheck.library import load_library

    parser = argparse.ArgumentParser(prog="python -m boundcheck.explore.constants_page")
    parser.add_argument("--out", type=Path, default=PAGE)
    parser.add_argument("--most", type=float, default=4.0, help="largest cost of a claim")
    parser.add_argument("selectors", nargs="*")
    given = parser.parse_args(arguments)
    library = load_library(None)
    standing = [key for key in library.select([]) if stands_by_golden(library.root, key)]
    wanted = set(library.select(given.selectors))
    keys = [key for key in standing if key in wanted and library[key].cost <= given.most]
    rows = _kept(given.out, standing)
    for key in keys:
        rows[key] = rows_of(key, library[key])
        given.out.write_text(HEAD + "".join(f"{row}\n" for k in sorted(rows) for row in rows[k]))
    print(f"{sum(map(len, rows.values()))} constants; {len(keys)} claims asked: {given.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
