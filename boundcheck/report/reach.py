"""How far verdicts have earned their names: `python -m boundcheck.report.reach report.json`.

Counted from the rows of a run, nothing from its words: proofs with a certificate, mutants that the
stated slack says must fall, lines of evidence that contradict each other, comparisons whose
opposite stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from boundcheck.boundary.documents import Misshapen, Unreadable, read_json, shaped
from boundcheck.boundary.messages import reason
from boundcheck.boundary.tools import ToolParser, parser_of, run
from boundcheck.checks.controls import HALVED, owed
from boundcheck.errors import InvalidArgument

Entry = Mapping[str, Any]
POSITIVE = ("proved", "supported")


class Measure(NamedTuple):
    """One line of the account: what is counted, how many are so of how many, and the rest."""

    name: str
    count: int  # type: ignore[assignment]  # of no entry of this tuple
    of: int
    asked: str
    others: list[str]


def account(claims: Sequence[Entry]) -> list[Measure]:
    """Every measure over the entries of a run, with what falls short, by key and in words."""
    proved = [entry for entry in claims if entry.get("verdict") == "proved"]
    positive = [entry for entry in claims if entry.get("verdict") in POSITIVE]
    supported = [entry for entry in positive if entry.get("verdict") == "supported"]
    mutants = [(entry, row) for entry in positive for row in _owed(entry)]
    others = [(entry, row) for entry in positive for row in _mutants(entry) if row.get("owed")]
    return [
        _measure("proofs with a certificate; the others are two solvers'", proved, "at least 40",
                 lambda entry: [] if entry.get("certificate") else ["by two solvers"]),
        _caught("mutants caught, of those that the slack says must fall", mutants, "95%"),
        _measure("proved or supported, all lines of evidence agreeing", positive, "all",
                 contradictions),
        _measure("supported, the opposite of every comparison refuted", supported, "all", standing),
        _measure("proved or supported, every comparison decided in some world", positive, "",
                 untested),
        _caught("mutants that definedness, invariance and provers notice, of those they can",
                others, "all"),
    ]  # fmt: skip


def _caught(
    name: str, mutants: Sequence[tuple[Entry, Mapping[str, Any]]], asked: str
) -> Measure:
    caught = sum(bool(row["caught"]) for _, row in mutants)
    others = [f"{entry['key']}: {row['mutant']} of {row['relation']}"
              for entry, row in mutants if not row["caught"]]  # fmt: skip
    return Measure(name, caught, len(mutants), asked, others)


def _measure(
    name: str, claims: Sequence[Entry], asked: str, short: Callable[[Entry], list[str]]
) -> Measure:
    found = [(entry, short(entry)) for entry in claims]
    others = [f"{entry['key']}: {why}" for entry, whys in found for why in whys]
    return Measure(name, sum(not whys for _, whys in found), len(found), asked, others)


def _numbers(entry: Entry) -> Iterator[Mapping[str, Any]]:
    yield from ((check.get("numbers") or {}) for check in entry.get("checks") or ())


def _mutants(entry: Entry) -> Iterator[Mapping[str, Any]]:
    """Mutants of single comparisons."""
    for numbers in _numbers(entry):
        yield from (row for row in numbers.get("mutants") or () if row.get("part") is not None)


def _slack(entry: Entry, row: Mapping[str, Any]) -> float | None:
    parts = entry.get("parts") or ()
    return parts[row["part"]].get("slack") if row["part"] < len(parts) else None


def _owed(entry: Entry) -> list[Mapping[str, Any]]:
    """Mutants of a claim that must fall, by the slack that it states of their comparison."""
    return [row for row in _mutants(entry) if owed(row["mutant"], _slack(entry, row))]


def contradictions(entry: Entry) -> list[str]:
    """Where one line of evidence on a claim that stands says what another denies, in words.

    >>> contradictions({"slack": 0.5})
    ['slack 0.5 of what is not refuted']
    """
    found = [f"slack {slack:g} of what is not refuted"
             for slack in (entry.get("slack"), *(p.get("slack") for p in entry.get("parts") or ()))
             if slack is not None and slack < 1]  # fmt: skip
    for row in _mutants(entry):
        slack = _slack(entry, row)
        if row["mutant"] == HALVED and row["caught"] and (slack is None or slack > 2):
            found.append(f"half of {row['relation']} is refuted, and its slack is said to be more")
    excluded = [pair[0] / pair[1] for numbers in _numbers(entry)
                if (pair := numbers.get("excluded"))]  # fmt: skip
    enough = [numbers["constant"] for numbers in _numbers(entry)
              if numbers.get("constant") and "method" in numbers]  # fmt: skip
    found += [f"constant {constant:g} is enough, and those up to {low:.6g} are excluded"
              for constant in enough for low in excluded if low > constant]
    if entry.get("growing"):
        found.append("the constant needed is said to grow")
    return found


def standing(entry: Entry) -> list[str]:
    """Comparisons whose opposite was not refuted."""
    parts = entry.get("parts") or ()
    return [f"{row['relation']}" for row in parts if not row.get("control")] or (
        [] if parts else ["no comparison has a control"])  # fmt: skip


def untested(entry: Entry) -> list[str]:
    """Comparisons that no world decided."""
    return [f"{row['relation']}" for row in entry.get("parts") or () if row.get("untested")]


def lines(claims: Sequence[Entry]) -> Iterator[str]:
    """The account as Markdown, and below it what falls short."""
    found = account(claims)
    yield from ("| measure | so | of | asked |", "|---|---:|---:|---|")
    yield from (f"| {row.name} | {row.count} | {row.of} | {row.asked} |" for row in found)
    for row in found:
        yield from ("", f"{row.name}; not so:") if row.others else ()
        yield from (f"- {text}" for text in row.others)


def parser() -> ToolParser:
    """The arguments of this tool."""
    made = parser_of("report.reach", __doc__, "reports/report.json")
    made.add_argument("results", nargs="?", type=Path, default=Path("reports/report.json"),
                      help="results of a run, default %(default)s")  # fmt: skip
    return made


def main(arguments: list[str]) -> None:
    """Print the account of a file of results."""
    path = parser().parse_args(arguments).results
    try:
        found = shaped(read_json(path), dict[str, Any], "results")
    except (Unreadable, Misshapen) as error:
        raise InvalidArgument(f"{path} {reason(error)}; give a report.json") from error
    if not isinstance(found.get("claims"), list):
        raise InvalidArgument(f"{path} holds no list of claims; give a report.json")
    for line in lines(found["claims"]):
        print(line)


if __name__ == "__main__":
    run(main)
