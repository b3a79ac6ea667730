"""How many failing claims of a library fall without the hints of their statement files.

    python -m boundcheck.search.recall [SOURCE ...] [--budget standard] [--kept FILE] [--out PAGE]

prints the table of RECALL.md. A claim counts as failing if the golden file of its source says that
it is refuted or malformed. All are searched at quick first; a larger budget is spent on those alone
that have not fallen there. Claims are verified one by one without negative controls, which ask what
a verdict of support is worth. With `--kept` every result is written as it is known, with the digest
of code and statement that made it: a later run makes what is missing or stale, and with
`--minutes` it stops in time, with `--minutes 0` before the first claim. With `--older` rows of an
earlier state are taken as they are, and time goes to claims without a row, so that a larger budget
is spent on what escaped. The page says how many rows this state made, and which it lacks.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from boundcheck.boundary.numbers import LARGEST_SEED, MOST_JOBS
from boundcheck.boundary.tools import ToolParser, integer, not_negative, parser_of, run
from boundcheck.golden import GOLDEN, read_golden
from boundcheck.search.blind import FAILING, Row, blind, library, states

REASON = 160  # characters of it that the page shows
FIRST = "quick"


def failing_claims(root: Path) -> dict[str, str]:
    """Key to golden verdict of every claim that fails with hints."""
    return {key: verdict for path in sorted(root.glob(f"*/{GOLDEN}"))
            for key, verdict in read_golden(path.parent).items()
            if verdict.startswith(FAILING)}  # fmt: skip


@dataclass
class Recall:
    """Rows by budget and key: kept ones first, stale ones made again as long as there is time.

    Args:
        states: key to the digest that a row of now has.
        budgets: in the order in which they are spent on what has not fallen.
        kept: file of rows, read and continued.
        minutes: after which no row is begun; 0 begins none, None all.
        older: whether rows of an earlier state are taken as they are.
    """

    root: Path
    states: Mapping[str, str]
    budgets: Sequence[str]
    seed: int = 0
    jobs: int = 1
    kept: Path | None = None
    minutes: float | None = None
    older: bool = False
    found: dict[str, dict[str, Row]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ends = time.monotonic() + 60 * (float("inf") if self.minutes is None else self.minutes)
        self.found = {budget: {} for budget in self.budgets}
        for row in _read(self.kept):
            if row.seed == self.seed and row.budget in self.found:
                self.found[row.budget][row.key] = row

    def fresh(self, row: Row) -> bool:
        """Whether code and statement of now made a row."""
        return bool(row.state == self.states.get(row.key))

    def play(self, keys: Sequence[str]) -> Iterator[Row]:
        """Make what is missing or stale, budget after budget, and yield it as it is known."""
        for budget in self.budgets:
            rows = self.found[budget]
            made = {key for key in keys if key in rows and (self.older or self.fresh(rows[key]))}
            for row in self._made([key for key in keys if key not in made], budget):
                rows[row.key] = row
                self._keep(row)
                yield row
            keys = [key for key in keys if key not in rows or not rows[key].fallen]

    def missing(self, keys: Iterable[str]) -> Iterator[tuple[str, str]]:
        """(key, budget) of every search that has no row: of a larger budget where none fell."""
        for key in keys:
            for budget in self.budgets:
                if key not in self.found[budget]:
                    yield key, budget
                elif self.found[budget][key].fallen:
                    break

    def _made(self, keys: Sequence[str], budget: str) -> Iterator[Row]:
        from joblib import Parallel, delayed

        work = (delayed(blind)(str(self.root), key, budget, self.seed, self.states[key])
                for key in keys if time.monotonic() < self.ends)  # fmt: skip
        yield from Parallel(
            n_jobs=self.jobs, return_as="generator_unordered", pre_dispatch="n_jobs"
        )(work)

    def _keep(self, row: Row) -> None:
        if self.kept is not None:
            with self.kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(row)) + "\n")

    def of(self, key: str) -> list[Row]:
        """The rows that speak of a claim, up to the budget at which it fell."""
        said: list[Row] = []
        for rows in self.found.values():
            if key in rows and not any(row.fallen for row in said):
                said.append(rows[key])
        return said


def _read(kept: Path | None) -> Iterator[Row]:
    if kept is not None and kept.exists():
        for line in kept.read_text(encoding="utf-8").splitlines():
            yield Row(**json.loads(line))


Said = Mapping[str, Sequence[Row]]


def table(
    expected: Mapping[str, str], said: Said, budgets: Sequence[str], others: Iterable[str] = ()
) -> Iterator[str]:
    """Lines of a Markdown table by source and golden verdict, and the claims that need a hint.

    Args:
        said: key to its rows, by growing budget.
        others: keys of all claims of the library, which tell the print from readings of it.
    """
    others = list(others)
    spent = " | ".join(_fallen_at(budgets))
    yield f"| source | falls with hints as | claims | {spent} | of them otherwise |"
    yield "|---|---|---:|" + "---:|" * (len(budgets) + 1)
    groups: dict[tuple[str, str], list[str]] = {}
    for key, verdict in sorted(expected.items()):
        if said.get(key):
            groups.setdefault((key.partition("/")[0], verdict), []).append(key)
    for (source, verdict), keys in groups.items():
        last = [said[key][-1] for key in keys]
        otherwise = sum(row.fallen and row.verdict != verdict for row in last)
        yield f"| {source} | {verdict} | {_counted(keys, said, budgets)} | {otherwise} |"
    known = [key for keys in groups.values() for key in keys]
    prints = [key for key in known if _is_print(key, others or expected)]
    stated = [key for key in prints if not key.partition(":")[2].startswith("step")]
    totals = {"all": known, "of them the print or a step of a printed proof": prints,
              "of these the print itself": stated}  # fmt: skip
    for name, keys in totals.items():
        yield f"| {name} | | {_counted(keys, said, budgets)} | |"
    needing = [said[key][-1] for key in known if not said[key][-1].fallen]
    if needing:
        yield from ("", "Need a hint:", "")
        yield from (f"- `{row.key}`: at {row.budget} {row.verdict}; {_short(row.summary)}"
                    for row in needing)  # fmt: skip


def _fallen_at(budgets: Sequence[str]) -> Iterator[str]:
    yield f"fall at {budgets[0]}"
    yield from (f"or at {budget}" for budget in budgets[1:])


def _counted(keys: Sequence[str], said: Said, budgets: Sequence[str]) -> str:
    """Claims, and how many of them have fallen once a budget was spent."""
    counts = [len(keys)]
    for place in range(len(budgets)):
        within = budgets[: place + 1]
        counts.append(sum(any(row.fallen and row.budget in within for row in said[key])
                          for key in keys))  # fmt: skip
    return " | ".join(map(str, counts))


def _is_print(key: str, others: Iterable[str]) -> bool:
    from boundcheck.report.views import printed

    statement = key.partition(":")[0]
    return printed(key, [other for other in others if other.partition(":")[0] == statement])


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= REASON else f"{plain[: REASON - 3]}..."


def page(
    expected: Mapping[str, str], recall: Recall, others: Iterable[str] = ()
) -> Iterator[str]:
    """The lines of RECALL.md."""
    said = {key: recall.of(key) for key in expected}
    yield from (
        "# Recall without hints", "",
        "How many failing claims of the library fall when search knows their statement and its "
        "printed domains and the vocabulary of their setting alone: no families, no rules that "
        "build fields, no ranges of a statement file. Made by", "",
        f"    python -m boundcheck.search.recall --budget {recall.budgets[-1]} "
        f"--seed {recall.seed}", "",
        f"on {sum(map(bool, said.values()))} of the {len(expected)} claims that fail with hints.",
        *_spending(recall.budgets), "", _provenance(recall, said), "",
    )  # fmt: skip
    yield from table(expected, said, recall.budgets, others)
    missing = list(recall.missing(expected))
    if missing:
        yield from ("", "Not searched in time:", "")
        yield from (f"- `{key}` at {budget}" for key, budget in missing)


def _spending(budgets: Sequence[str]) -> Iterator[str]:
    if len(budgets) > 1:
        yield (
            f"All were searched at {budgets[0]}; {budgets[-1]} was spent on those alone that had "
            "not fallen. Its column counts what has fallen once both are spent."
        )


def _provenance(recall: Recall, said: Said) -> str:
    rows = [row for each in said.values() for row in each]
    minutes = sum(row.seconds for row in rows) / 60
    own = sum(map(recall.fresh, rows))
    text = f"{len(rows)} rows in {minutes:.0f} minutes of computing, {own} of them by this state "
    return text + (
        "of the code and the statements." if own == len(rows) else
        "of the code and the statements; the others are older, and the next run makes them again."
    )  # fmt: skip


def parser() -> ToolParser:
    """The arguments of this tool."""
    made = parser_of("search.recall", __doc__, "classical/markov --kept recall.jsonl")
    made.add_argument("sources", nargs="*", metavar="SELECTOR",
                      help="keys, prefixes or globs of the library; default all")  # fmt: skip
    made.add_argument("--root", metavar="DIR", help="library, default as of `boundcheck`")
    made.add_argument("--budget", choices=("quick", "standard", "thorough"), default=FIRST,
                      help="spent on what quick leaves standing, default %(default)s")  # fmt: skip
    made.add_argument("--seed", type=integer(0, LARGEST_SEED), default=0)
    made.add_argument("--jobs", type=integer(1, MOST_JOBS), default=os.cpu_count() or 1)
    made.add_argument("--minutes", type=not_negative, help="after which no claim is begun")
    made.add_argument("--older", action="store_true", help="rows of an earlier state stand")
    made.add_argument("--kept", type=Path, metavar="FILE", help="results, read and continued")
    made.add_argument("--out", type=Path, metavar="FILE", help="where the page is written")
    return made


def main(arguments: Iterable[str]) -> None:
    """Print the page of a library, and write it if asked to."""
    from boundcheck.boundary.writing import require_writable
    from boundcheck.library import find_root

    chosen = parser().parse_args(list(arguments))
    for option, file in (("--kept", chosen.kept), ("--out", chosen.out)):
        if file is not None:
            require_writable(file, option)
    root = find_root(chosen.root)
    wanted = set(library(str(root)).select(chosen.sources))
    expected = {key: verdict for key, verdict in failing_claims(root).items() if key in wanted}
    budgets = list(dict.fromkeys([FIRST, chosen.budget]))
    recall = Recall(
        root, states(root, expected), budgets, chosen.seed, chosen.jobs, chosen.kept,
        chosen.minutes, chosen.older,
    )  # fmt: skip
    for row in recall.play(list(expected)):
        print(f"{row.key}: {row.verdict} ({row.budget})", flush=True)
    lines = list(page(expected, recall, library(str(root)).claims))
    print("\n".join(lines))
    if chosen.out is not None:
        chosen.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    run(main)
