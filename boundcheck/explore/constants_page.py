"""The constants of a library in one table: printed, best known below, best supported, proved.

    python -m boundcheck.explore.constants_page [--out FILE] [--most COST] [--again] [SELECTOR ...]

A run that is stopped goes on where it was: the page keeps which claims were asked, and what they
said then. Rows of claims that are not selected, or that say the same, stay as they are.

A row is the number in front of a larger side of a statement that stands, or in a hypothesis: the
value at which a world is certified to break it (or a sequential test does, where it says so), the
sharpest value that was supported at seeds of its own, and the sharpest that was proved.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from boundcheck.boundary.tools import ToolParser, parser_of, positive, run
from boundcheck.boundary.writing import require_writable, write_whole
from boundcheck.errors import BoundcheckError
from boundcheck.explore.bracket import Bracket
from boundcheck.explore.open_sizes import open_sizes
from boundcheck.explore.sharpening import sharpen
from boundcheck.explore.wording import formula_text, plain

PAGE = Path(__file__).with_name("CONSTANTS.md")
WIDTH = 60
KINDS = ("factor", "summand", "inside", "threshold", "exponent", "hypothesis")
HEAD = """# Constants

Numbers in front of the larger side of the statements of the library that stand, of its terms or
inside a side, exponents, and numbers in hypotheses (thresholds): as printed, the value next to it
at which the statement fails in a world (certified exactly, or by the sequential test where marked
*), the sharpest that was supported at seeds of its own, the sharpest that was proved. Bold where
something sharper than the printed number stood; each is of the statement with its other constants
as printed. A dagger: there are sizes without an end, at which the needed number still rises or no
world attains a sharper one, so that nothing but a proof would show it. Unbroken is then the
sharpest number that no world which was tried breaks: a question, not an answer.
Regenerate with `python -m boundcheck.explore.constants_page`.
"""
TABLE = """
| claim | constant | of | fails at | supported | proved | unbroken |
|---|---|---|---|---|---|---|
"""
SHARPER, WITHOUT, PRINTED = "Sharper than printed", "Hypotheses that are not needed", "As printed"
OPEN = "Open: no world that was tried needs the printed number"
CELLS = 5  # bars after the formula of a row
RULE = "fuel"  # by which rows are made; a new one drops what older ones supported of open sizes
EARLIER = "Of an earlier state: not asked again since the claim or the search changed"
MARK = re.compile(r"^<!-- asked (\S+) (\S+) -->$")


def rows_of(key: str, claim: Any) -> list[str]:
    """The rows of one claim; none where it has no constant or does not stand."""
    try:
        found = sharpen(claim, kinds=KINDS, label=key)
    except BoundcheckError:
        return []
    brackets = [b for b in found.brackets if b.lower is not None or b.sharper]
    return [
        *(_row(key, bracket) for bracket in brackets),
        *(f"| {key} | without | `{_cut(condition)}` |  | stands |  |  |"
          for condition in found.superfluous),
    ]  # fmt: skip


def _row(key: str, bracket: Bracket) -> str:
    knob, lower = bracket.knob, bracket.lower
    star = "*" if bracket.evidence == "statistical" else ""
    dagger = "†" if bracket.doubt else ""
    best = [_shown(value, bracket) for value in (bracket.supported, bracket.proved)]
    named = str(knob.printed) if knob.kind == "factor" else f"{knob.kind} {knob.printed}"
    fails = "" if lower is None else plain(lower) if lower.is_Rational else str(lower.evalf(10))
    told = [key, named, f"`{_cut(knob.beside)}`", fails + star, best[0] + dagger, best[1],
            "" if bracket.unbroken is None else str(bracket.unbroken)]  # fmt: skip
    return f"| {' | '.join(told)} |"


def _cut(expression: Any) -> str:
    text = formula_text(expression).replace("|", "\\|")
    return text if len(text) <= WIDTH else text[: WIDTH - 3] + "..."


def _shown(value: Any, bracket: Bracket) -> str:
    if value is None:
        return ""
    better = bracket.knob.direction * (value - bracket.knob.printed) > 0
    return f"**{value}**" if better else str(value)


def digest(claim: Any) -> str:
    """What a claim says, and by which rule its rows are made."""
    return f"{claim.fingerprint()}-{RULE}"


@cache
def _golden(path: Path) -> dict[str, Any]:
    """A golden file, read once: a run of the page asks it for every claim."""
    import tomllib

    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def golden_word(root: Path, key: str) -> str:
    """What the golden file of a source says of a claim, such as "supported"; "" for nothing.

    A short search may miss what a larger one has found.
    """
    source, _, rest = key.partition("/")
    statement, _, name = rest.partition(":")
    listed = _golden(Path(root) / source / "verdicts.toml")
    return " ".join(str(listed.get(statement, {}).get(name, "")).split()[:1])


def stands_by_golden(root: Path, key: str) -> bool:
    """Whether the golden file of a source lists a claim as proved or supported."""
    return golden_word(root, key).startswith(("proved", "supported"))


@dataclass
class Page:
    """Rows by claim, the digest at which a claim was asked, and claims that say another now."""

    rows: dict[str, list[str]] = field(default_factory=dict)
    asked: dict[str, str] = field(default_factory=dict)
    earlier: set[str] = field(default_factory=set)

    def drop_outdated(self, key: str, claim: Any) -> None:
        """Without what an older rule called supported beyond the printed number."""
        if self.asked.get(key) == digest(claim):
            return
        self.earlier.add(key)
        if open_sizes(claim):
            self.rows[key] = [row for row in self.rows[key] if not only_supported(row)]

    @classmethod
    def read(cls, path: Path, keys: Iterable[str]) -> Page:
        """An earlier page without the claims that are no more."""
        page, known = cls(), set(keys)
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            key = line.split("|")[1].strip() if line.startswith("| ") else ""
            if key in known:
                missing = CELLS - line.rsplit("`", 1)[-1].count("|")
                page.rows.setdefault(key, []).append(line + "  |" * missing)
            elif (mark := MARK.match(line)) and mark[1] in known:
                page.asked[mark[1]] = mark[2]
        return page

    def __str__(self) -> str:
        parts: dict[str, list[str]] = {
            SHARPER: [], WITHOUT: [], OPEN: [], PRINTED: [], EARLIER: [],
        }  # fmt: skip
        for key in sorted(self.rows):
            for row in self.rows[key]:
                parts[EARLIER if key in self.earlier else _part(row)].append(row)
        told = [f"\n## {title}\n{TABLE}" + "".join(f"{row}\n" for row in rows)
                for title, rows in parts.items() if rows]  # fmt: skip
        marks = [f"<!-- asked {key} {self.asked[key]} -->\n" for key in sorted(self.asked)]
        return HEAD + "".join(told) + "\n" + "".join(marks)


def _part(row: str) -> str:
    """The part of the page that a row belongs to."""
    if "| without |" in row:
        return WITHOUT
    cells = row.rsplit("`", 1)[1]
    return SHARPER if "**" in cells else OPEN if cells.split("|")[4].strip() else PRINTED


def only_supported(row: str) -> bool:
    """Whether search alone says that something other than the printed number stands.

    >>> only_supported("| a/b:c | exponent 2 | `x` | 1.5 | 8/5 |  |  |")
    True
    >>> only_supported("| a/b:c | 2 | `x` | 0.9 | 2 | **1** |  |")
    False
    """
    if _part(row) == WITHOUT:
        return False
    _, supported, proved = (cell.strip() for cell in row.rsplit("`", 1)[1].split("|")[1:4])
    printed = row.split("|")[2].split()[-1]
    return supported.strip("*†") not in ("", printed) and "**" not in proved


def parser() -> ToolParser:
    """The arguments of this tool."""
    made = parser_of("explore.constants_page", __doc__, "--out CONSTANTS.md classical/markov")
    made.add_argument("selectors", nargs="*", metavar="SELECTOR",
                      help="keys, prefixes or globs of the library; default all")  # fmt: skip
    made.add_argument("--out", type=Path, metavar="FILE", default=PAGE,
                      help="default CONSTANTS.md of the package")  # fmt: skip
    made.add_argument("--most", type=positive, metavar="COST", default=4.0,
                      help="of a claim, default %(default)s")  # fmt: skip
    made.add_argument("--again", action="store_true", help="also claims that say the same still")
    return made


def main(arguments: list[str]) -> int:
    """Writes the page, a claim at a time, so that a stopped run leaves what it found."""
    from boundcheck.library import load_library

    given = parser().parse_args(arguments)
    require_writable(given.out, "--out")
    library = load_library(None)
    standing = [key for key in library.select([]) if stands_by_golden(library.root, key)]
    wanted = set(library.select(given.selectors))
    page, asked = Page.read(given.out, standing), 0
    for key in page.rows:
        page.drop_outdated(key, library[key])
    for key in standing:
        claim = library[key]
        if key not in wanted or claim.cost > given.most or (
            page.asked.get(key) == digest(claim) and not given.again
        ):  # fmt: skip
            continue
        page.rows[key], page.asked[key] = rows_of(key, claim), digest(claim)
        page.earlier.discard(key)
        write_whole(given.out, str(page))
        asked += 1
    write_whole(given.out, str(page))
    print(f"{sum(map(len, page.rows.values()))} constants; {asked} claims asked: {given.out}")
    return 0


if __name__ == "__main__":
    run(main)
