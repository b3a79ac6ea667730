"""How many failing claims of a library fall without the hints of their statement files.

    python -m boundcheck.search.recall [SOURCE ...] [--budget standard] [--kept FILE] [--out PAGE]

prints the table of RECALL.md. A claim counts as failing if the golden file of its source says that
it is refuted or malformed. Claims are verified one by one without negative controls, which ask what
a verdict of support is worth; with `--kept` every result is written as it is known, and those in
the file are not made again.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from boundcheck.boundary.numbers import LARGEST_SEED, MOST_JOBS
from boundcheck.boundary.tools import ToolParser, integer, parser_of, run

if TYPE_CHECKING:
    from boundcheck.library import Library

FAILING = ("refuted", "malformed")
REASON = 160  # characters of it that the page shows


@dataclass(frozen=True)
class Row:
    """What a search without hints found on one claim.

    Args: verdict: as golden files write it. summary: of the verdict. seconds: of computing.
    """

    key: str
    verdict: str
    summary: str
    seconds: float

    @property
    def fallen(self) -> bool:
        """Whether it was seen to fail."""
        return self.verdict.startswith(FAILING)


def failing_claims(root: Path) -> dict[str, str]:
    """Key to golden verdict of every claim that fails with hints."""
    found = {}
    for path in sorted(root.glob("*/verdicts.toml")):
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        for statement, claims in document.items():
            for name, verdict in claims.items():
                if verdict.startswith(FAILING):
                    found[f"{path.parent.name}/{statement}:{name}"] = verdict
    return found


def blind(root: str, key: str, budget: str, seed: int) -> Row:
    """The verdict on one claim from its domains alone; a fault is a verdict that is none."""
    import time

    from boundcheck.engine import verify
    from boundcheck.environment import settle_environment
    from boundcheck.search.hints import without_hints
    from boundcheck.verification import level_of_each

    settle_environment()
    before = time.process_time()
    claim = without_hints(_library(root).claims[key])
    alpha = level_of_each()
    found = verify(key, claim, budget=budget, seed=seed, alpha=alpha, controls=False)
    kind = f" ({found.kind})" if found.outcome == "refuted" else ""
    return Row(key, f"{found.outcome}{kind}", found.summary, time.process_time() - before)


@lru_cache(maxsize=1)
def _library(root: str) -> Library:
    from boundcheck.library import load_library

    return load_library(Path(root))


def rows(
    root: Path, keys: Sequence[str], budget: str, seed: int, jobs: int, kept: Path | None
) -> Iterator[Row]:
    """The rows of claims, those in the file first, the others as they are known."""
    from joblib import Parallel, delayed

    known = {row.key: row for row in _read(kept, budget, seed)}
    yield from (known[key] for key in keys if key in known)
    missing = [key for key in keys if key not in known]
    work = (delayed(blind)(str(root), key, budget, seed) for key in missing)
    for row in Parallel(n_jobs=jobs, return_as="generator_unordered")(work):
        if kept is not None:
            line = json.dumps({"budget": budget, "seed": seed, **asdict(row)})
            with kept.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        yield row


def _read(kept: Path | None, budget: str, seed: int) -> Iterator[Row]:
    if kept is None or not kept.exists():
        return
    for line in kept.read_text(encoding="utf-8").splitlines():
        found = json.loads(line)
        if (found.pop("budget"), found.pop("seed")) == (budget, seed):
            yield Row(**found)


def table(
    expected: Mapping[str, str], found: Mapping[str, Row], others: Iterable[str] = ()
) -> Iterator[str]:
    """Lines of a Markdown table by source and golden verdict, and the claims that need a hint.

    Args: others: keys of all claims of the library, which tell the print from readings of it.
    """
    others = list(others)
    yield "| source | falls with hints as | claims | fall without | of them otherwise |"
    yield "|---|---|---:|---:|---:|"
    groups: dict[tuple[str, str], list[Row]] = {}
    for key, verdict in sorted(expected.items()):
        if key in found:
            groups.setdefault((key.partition("/")[0], verdict), []).append(found[key])
    for (source, verdict), group in groups.items():
        fallen = [row for row in group if row.fallen]
        otherwise = sum(row.verdict != verdict for row in fallen)
        yield f"| {source} | {verdict} | {len(group)} | {len(fallen)} | {otherwise} |"
    yield _total("all", list(found.values()))
    prints = [row for key, row in found.items() if _is_print(key, others or expected)]
    yield _total("of them the print or a step of a printed proof", prints)
    stated = [row for row in prints if not row.key.partition(":")[2].startswith("step")]
    yield _total("of these the print itself", stated)
    needing = [found[key] for key in expected if key in found and not found[key].fallen]
    if needing:
        yield from ("", "Need a hint:", "")
        yield from (f"- `{row.key}`: {row.verdict}; {_short(row.summary)}" for row in needing)


def _total(name: str, found: Sequence[Row]) -> str:
    share = sum(row.fallen for row in found)
    return f"| {name} | | {len(found)} | {share} | |"


def _is_print(key: str, others: Iterable[str]) -> bool:
    from boundcheck.report.views import printed

    statement = key.partition(":")[0]
    return printed(key, [other for other in others if other.partition(":")[0] == statement])


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= REASON else f"{plain[: REASON - 3]}..."


def page(
    expected: Mapping[str, str], found: Mapping[str, Row], budget: str, seed: int,
    others: Iterable[str] = (),
) -> Iterator[str]:  # fmt: skip
    """The lines of RECALL.md."""
    yield from (
        "# Recall without hints", "",
        "How many failing claims of the library fall when search knows their statement and its "
        "printed domains and the vocabulary of their setting alone: no families, no rules that "
        "build fields, no ranges of a statement file. Made by", "",
        f"    python -m boundcheck.search.recall --budget {budget} --seed {seed}", "",
        f"on {len(found)} of the {len(expected)} claims that fail with hints, in "
        f"{sum(row.seconds for row in found.values()) / 60:.0f} minutes of computing.", "",
    )  # fmt: skip
    yield from table(expected, found, others)


def parser() -> ToolParser:
    """The arguments of this tool."""
    made = parser_of("search.recall", __doc__, "classical/markov --kept recall.jsonl")
    made.add_argument("sources", nargs="*", metavar="SELECTOR",
                      help="keys, prefixes or globs of the library; default all")  # fmt: skip
    made.add_argument("--root", metavar="DIR", help="library, default as of `boundcheck`")
    made.add_argument("--budget", choices=("quick", "standard", "thorough"), default="quick")
    made.add_argument("--seed", type=integer(0, LARGEST_SEED), default=0)
    made.add_argument("--jobs", type=integer(1, MOST_JOBS), default=os.cpu_count() or 1)
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
    wanted = set(_library(str(root)).select(chosen.sources))
    expected = {key: verdict for key, verdict in failing_claims(root).items() if key in wanted}
    found = {}
    for row in rows(root, list(expected), chosen.budget, chosen.seed, chosen.jobs, chosen.kept):
        found[row.key] = row
        print(f"{row.key}: {row.verdict}", flush=True)
    keys = _library(str(root)).claims
    lines = list(page(expected, found, chosen.budget, chosen.seed, keys))
    print("\n".join(lines))
    if chosen.out is not None:
        chosen.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    run(main)
