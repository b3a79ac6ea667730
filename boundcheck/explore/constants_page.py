"""The constants of a library in one table: printed, best known below, best supported, proved.

    python -m boundcheck.explore.constants_page [--out FILE] [--most COST] [--fuel WORLDS]
        [--again] [--further] [SELECTOR ...]

A run that is stopped goes on where it was: the page keeps which claims were asked, and what they
said then. Rows of claims that say the same stay as they are; those of claims that say another now,
or were asked by an older rule, are left out until they are asked again.

A row is the number in front of a larger side of a statement that stands, or in a hypothesis: the
value at which a world is certified to break it (or a sequential test does, where it says so), the
sharpest value that was supported at seeds of its own, and the sharpest that was proved.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from boundcheck.boundary.tools import ToolParser, parser_of, positive, run
from boundcheck.boundary.writing import require_writable, write_whole
from boundcheck.claim import UpToConstant
from boundcheck.errors import BoundcheckError
from boundcheck.explore.bracket import Bracket
from boundcheck.explore.golden import stands_by_golden
from boundcheck.explore.knobs import knobs
from boundcheck.explore.leaving import hypotheses
from boundcheck.explore.needed import SPENT
from boundcheck.explore.sharpening import few, sharpen
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
sharpest number that no world which was tried breaks, or where growing worlds seem to lead: a
question, not an answer. A hypothesis is not needed if the statement stands where it fails.
What a statement's share of the search did not reach is told at the end; some statements were
asked with `--fuel 5000`, about a sixth of the usual share at quick.
`boundcheck sharpen CLAIM` replays the rows of a claim and shows the worlds.
Regenerate with `python -m boundcheck.explore.constants_page`.
"""
TABLE = """
| claim | constant | of | fails at | supported | proved | unbroken |
|---|---|---|---|---|---|---|
"""
SHARPER, WITHOUT, PRINTED = "Sharper than printed", "Hypotheses that are not needed", "As printed"
STEPS = "Sharper in steps of proofs"
UNASKED, FURTHER = "Not asked further", "not asked further"
OPEN = "Open: no world that was tried needs the printed number"
CELLS = 5  # bars after the formula of a row
RULE = "curves"  # by which rows are made; a new one drops the rows of older ones
ORDERS = "laws"  # the same for statements up to a constant
BOLD = re.compile(r"\| \*\*\S+\*\* *(?=\|)")  # a cell, unlike a power in one
MARK = re.compile(r"^<!-- asked (\S+) (\S+) -->$")


def rows_of(key: str, claim: Any, fuel: float | None = None) -> list[str]:
    """The rows of one claim; none where it has no constant.

    Args: fuel: of `sharpen`.
    """
    whole = len(list(knobs(claim))) + len(list(hypotheses(claim)))
    if not whole:
        return []
    try:
        found = sharpen(claim, kinds=KINDS, label=key, fuel=fuel)
    except BoundcheckError:
        return [_unasked(key, whole, whole, "it does not stand by so short a search")]
    brackets = [b for b in found.brackets
                if b.lower is not None or b.sharper or b.unbroken is not None]  # fmt: skip
    spent = [reason for _, reason in (*found.unasked, *found.hypotheses.unknown)
             if reason in (SPENT, few())]  # fmt: skip
    return [
        *(_row(key, bracket) for bracket in brackets),
        *(f"| {key} | without | `{_cut(condition)}` |  | stands |  |  |"
          for condition in found.superfluous),
        *([_unasked(key, len(spent), whole, " and ".join(sorted(set(spent))))] if spent else ()),
    ]  # fmt: skip


def _unasked(key: str, count: int, whole: int, reason: str) -> str:
    return f"| {key} | {FURTHER} | `{count} of {whole}` | {reason} |  |  |  |"


def _row(key: str, bracket: Bracket) -> str:
    knob, lower = bracket.knob, bracket.lower
    star = "*" if bracket.evidence == "statistical" else ""
    dagger = "†" if bracket.doubt else ""
    best = [_shown(value, bracket) for value in (bracket.supported, bracket.proved)]
    named = str(knob.printed) if knob.kind == "factor" else f"{knob.kind} {knob.printed}"
    of = knob.where if knob.alone else knob.beside
    fails = "" if lower is None else plain(lower) if lower.is_Rational else str(lower.evalf(10))
    told = [key, named, f"`{_cut(of)}`", fails + star, best[0] + dagger, best[1],
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
    order = isinstance(claim.statement, UpToConstant)
    return f"{claim.fingerprint()}-{ORDERS if order else RULE}"


@dataclass
class Page:
    """Rows by claim, the digest at which a claim was asked, and how many stand by source."""

    rows: dict[str, list[str]] = field(default_factory=dict)
    asked: dict[str, str] = field(default_factory=dict)
    standing: Counter[str] = field(default_factory=Counter)

    def drop_outdated(self, key: str, claim: Any) -> None:
        """Without rows of a claim that says another now, or was asked by an older rule."""
        if self.asked.get(key) != digest(claim):
            self.rows.pop(key, None)
            self.asked.pop(key, None)

    def left_something(self, key: str) -> bool:
        """Whether some constant of a claim was not asked."""
        return any(_part(row) == UNASKED for row in self.rows.get(key, ()))

    @property
    def constants(self) -> int:
        """How many rows say something of a constant."""
        rows = [row for rows in self.rows.values() for row in rows]
        return sum(_part(row) != UNASKED for row in rows)

    @classmethod
    def read(cls, path: Path, keys: Iterable[str]) -> Page:
        """An earlier page without the claims that are no more."""
        known = set(keys)
        page = cls(standing=Counter(map(_source, known)))
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
            SHARPER: [], STEPS: [], WITHOUT: [], OPEN: [], PRINTED: [], UNASKED: [],
        }  # fmt: skip
        for key in sorted(self.rows):
            for row in self.rows[key]:
                parts[_part(row)].append(row)
        told = [f"\n## {title}\n{TABLE}" + "".join(f"{row}\n" for row in rows)
                for title, rows in parts.items() if rows]  # fmt: skip
        marks = [f"<!-- asked {key} {self.asked[key]} -->\n" for key in sorted(self.asked)]
        return HEAD + self._looked_at() + "".join(told) + "\n" + "".join(marks)

    def _looked_at(self) -> str:
        """How many of the statements that stand were asked, by source."""
        asked = Counter(map(_source, self.asked))
        told = [f"{asked[source]} of {most} of {source}"
                for source, most in sorted(self.standing.items())]  # fmt: skip
        return f"\nStatements that were asked: {', '.join(told)}.\n" if told else ""


def _source(key: str) -> str:
    return key.partition("/")[0]


def _part(row: str) -> str:
    """The part of the page that a row belongs to."""
    if "| without |" in row:
        return WITHOUT
    if f"| {FURTHER} |" in row:
        return UNASKED
    cells = row.rsplit("`", 1)[1]
    if BOLD.search(cells):
        return STEPS if ":step_" in row.split("|")[1] else SHARPER
    return OPEN if cells.split("|")[4].strip() else PRINTED


def parser() -> ToolParser:
    """The arguments of this tool."""
    made = parser_of("explore.constants_page", __doc__, "--out CONSTANTS.md classical/markov")
    made.add_argument("selectors", nargs="*", metavar="SELECTOR",
                      help="keys, prefixes or globs of the library; default all")  # fmt: skip
    made.add_argument("--out", type=Path, metavar="FILE", default=PAGE,
                      help="default CONSTANTS.md of the package")  # fmt: skip
    made.add_argument("--most", type=positive, metavar="COST", default=4.0,
                      help="of a claim, default %(default)s")  # fmt: skip
    made.add_argument("--fuel", type=positive, metavar="WORLDS",
                      help="of a claim, as sharpen counts it; default as at quick")  # fmt: skip
    made.add_argument("--further", action="store_true",
                      help="also claims of which something was not asked")  # fmt: skip
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
    for key in list(page.asked):
        page.drop_outdated(key, library[key])
    page.rows = {key: rows for key, rows in page.rows.items() if key in page.asked}
    for key in standing:
        claim = library[key]
        ask = given.again or (given.further and page.left_something(key))
        if key not in wanted or claim.cost > given.most or (
            page.asked.get(key) == digest(claim) and not ask
        ):  # fmt: skip
            continue
        page.rows[key], page.asked[key] = rows_of(key, claim, given.fuel), digest(claim)
        write_whole(given.out, str(page))
        asked += 1
    write_whole(given.out, str(page))
    print(f"{page.constants} constants; {asked} claims asked: {given.out}")
    return 0


if __name__ == "__main__":
    run(main)
