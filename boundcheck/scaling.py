"""How long commands take to begin, and how verification scales with the number of workers.

Run as `python -m boundcheck.scaling`; the tables are in SCALING.md. Shards are timed one after
another in processor seconds. What more workers would make of them is simulated with the scheduler
of `boundcheck.verification` itself, so speculation and its waste are counted. A thorough run is
extrapolated: searches and mutants by their evaluations, everything else as it was.
"""

from __future__ import annotations

import heapq
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from boundcheck.boundary.tools import ToolParser, parser_of, run as run_tool
from boundcheck.boundary.writing import require_writable, write_whole
from boundcheck.checks.base import BUDGETS, RESTART, Task
from boundcheck.engine import perform
from boundcheck.environment import settle_environment
from boundcheck.library import Library, find_root, load_library
from boundcheck.runner import run
from boundcheck.shards import MUTANT, PART, SEARCH, Result, Shards, evidence_as_json
from boundcheck.supervision import Finished
from boundcheck.verdict import Evidence
from boundcheck.verification import Orders, Verification

PAGE = Path(__file__).parent / "SCALING.md"
QUICK, THOROUGH = (BUDGETS[name].evaluations for name in ("quick", "thorough"))
SEARCHED = ("enumeration", "sampling")
ORDERS = Orders("", "quick", 0, 1e-9)
WORKERS, MEASURED = (1, 2, 4, 64, 1000), (1, 2, 4)
TRIES = 3  # of a command, the fastest counts
COMMANDS = (("--help",), ("list",), ("show", "classical/markov:printed"))


@dataclass
class Timed:
    """The shards of a claim as they were done one after another, with their seconds."""

    results: dict[str, Result] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def total(self) -> float:
        """Seconds of all shards."""
        return sum(self.seconds.values())


def timed(library: Library, key: str) -> Timed:
    """Every shard of a claim at the quick budget, in processor seconds."""
    task, shards, found = Task(key, library[key], BUDGETS["quick"]), Shards(key), Timed()
    while shards.verdict() is None:
        shard = next(shards.ready())
        before = time.process_time()
        shards.done[shard.name] = perform(task, shard.name, shard.given)
        found.seconds[shard.name] = time.process_time() - before
    found.results = shards.done
    return found


def thorough(claim: Timed) -> Timed:
    """The same claim at the thorough budget, as far as evaluations tell.

    A search that was refuted early is refuted early; one that was not is `THOROUGH // RESTART`
    searches of `RESTART` evaluations each, and mutants are searched longer in proportion.
    """
    results, seconds = dict(claim.results), dict(claim.seconds)
    restarts = THOROUGH // RESTART
    layout = claim.results["contract"].get("layout", {"restarts": {}})
    cut = {check: restarts for check in SEARCHED if layout["restarts"].get(check)}
    contract = {**claim.results["contract"], "layout": {**layout, "restarts": cut}}
    results["contract"] = contract
    for check in cut:
        if check not in seconds:
            continue
        decided = results[check]["evidence"]["outcome"] in ("refuted", "malformed")
        for place in range(restarts):
            search: dict[str, object] = {"violation": {} if decided else None}
            results[f"{check}{SEARCH}{place}"] = {"fault": None, "search": search, "seconds": 0.0}
            share = 1.0 if decided else RESTART / QUICK
            seconds[f"{check}{SEARCH}{place}"] = seconds[check] * share
    for name in seconds:
        if name.startswith((MUTANT, PART)):
            seconds[name] *= THOROUGH / QUICK
    return Timed(results, seconds)


def simulated(claims: Mapping[str, Timed], workers: int) -> float:
    """Seconds until the last of some claims is decided by so many workers.

    A shard that was never timed, because nothing needed it, takes as long as the average one.
    """
    work = Verification(ORDERS, list(claims))
    average = _total(claims) / _count(claims)
    clock, idle, done = 0.0, list(range(workers)), 0
    busy: list[tuple[float, int, str, str, str]] = []
    while done < len(claims):
        while idle and (unit := work.take(idle[-1])) is not None:
            key, shard = unit.arguments[1], unit.arguments[2]
            end = clock + claims[key].seconds.get(shard, average)
            heapq.heappush(busy, (end, idle.pop(), unit.name, key, shard))
        clock, worker, name, key, shard = heapq.heappop(busy)
        idle.append(worker)
        result = claims[key].results.get(shard) or _nothing(shard)
        done += len(list(work.finish(Finished(name, result))))
        for row in [row for row in busy if row[3] == key and not work.wanted(row[2])]:
            busy.remove(row)
            heapq.heapify(busy)
            idle.append(row[1])
    return clock


def repeated(claims: Mapping[str, Timed], count: int) -> dict[str, Timed]:
    """So many claims, those that were timed again and again."""
    known = list(claims.items())
    return {f"{known[i % len(known)][0]} {i}": known[i % len(known)][1] for i in range(count)}


def _nothing(shard: str) -> Result:
    """The result of a shard that says nothing."""
    quiet = evidence_as_json(Evidence(shard, None, ""))
    return {"evidence": quiet, "search": {"violation": None}, "fault": None, "seconds": 0.0}


def began(command: Sequence[str]) -> float:
    """Least processor seconds of a command over some tries; its own start is included."""
    def once() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "boundcheck", *command], check=True,
                       stdout=subprocess.DEVNULL)  # fmt: skip
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return min(once() for _ in range(TRIES + 1))


def elapsed(library: Library, keys: Sequence[str], jobs: int) -> float:
    """Seconds of clock that so many processes take here and now."""
    before = time.perf_counter()
    run(library, keys, jobs=jobs)
    return time.perf_counter() - before


def page(library: Library, keys: Sequence[str], hard: Sequence[str]) -> Iterator[str]:
    """The lines of SCALING.md.

    Args: keys: claims that are timed and scheduled; hard: those that are each verified alone.
    """
    yield from (
        "# Scaling", "", f"`python -m boundcheck.scaling` on {os.cpu_count()} cores.", "",
        "| command | processor seconds |", "|---|---:|",
    )  # fmt: skip
    for command in COMMANDS:
        yield f"| `boundcheck {' '.join(command)}` | {began(command):.2f} |"
    claims = {key: timed(library, key) for key in keys}
    alone = {key: claims.get(key) or timed(library, key) for key in hard}
    many = repeated(claims, len(library.claims))
    long = {key: thorough(claim) for key, claim in many.items()}
    yield from (
        "", f"{len(claims)} claims were timed, {_total(claims):.0f} processor seconds in "
        f"{_count(claims)} shards. Repeated until they are as many as the library has, they make "
        f"{_count(many)} shards of {_total(many) / 60:.0f} minutes at the quick budget and "
        f"{_count(long)} of {_total(long) / 3600:.0f} hours at the thorough one, extrapolated by "
        "evaluations. Schedules are simulated from these times; efficiency is the time of one "
        "worker over that of all of them.", "",
        "| workers | quick, min | efficiency | thorough, h | efficiency |",
        "|---:|---:|---:|---:|---:|",
    )  # fmt: skip
    ones = simulated(many, 1), simulated(long, 1)
    for workers in WORKERS:
        ends = simulated(many, workers), simulated(long, workers)
        shares = [one / end / workers for one, end in zip(ones, ends, strict=True)]
        yield (f"| {workers} | {ends[0] / 60:.2f} | {shares[0]:.0%} | {ends[1] / 3600:.2f} "
               f"| {shares[1]:.0%} |")  # fmt: skip
    yield from (
        "", "One claim alone: times faster than one worker, simulated.", "",
        "| claim | seconds | 2 workers | 4 workers | thorough, 2 | thorough, 64 |",
        "|---|---:|---:|---:|---:|---:|",
    )  # fmt: skip
    for key, claim in alone.items():
        one, more = {key: claim}, {key: thorough(claim)}
        gains = [simulated(c, 1) / simulated(c, n) for c, n in
                 ((one, 2), (one, 4), (more, 2), (more, 64))]  # fmt: skip
        yield f"| `{key}` | {claim.total:.1f} | " + " | ".join(f"{g:.2f}" for g in gains) + " |"
    yield from _measured(library, keys)


def _total(claims: Mapping[str, Timed]) -> float:
    return sum(claim.total for claim in claims.values())


def _count(claims: Mapping[str, Timed]) -> int:
    return sum(len(claim.seconds) for claim in claims.values())


def _measured(library: Library, keys: Sequence[str]) -> Iterator[str]:
    times = {jobs: elapsed(library, keys, jobs) for jobs in MEASURED}
    yield from (
        "", f"The same claims verified by processes of this machine, whose load was "
        f"{os.getloadavg()[0]:.1f} at the end; on one that others use too this says little.", "",
        "| processes | seconds of clock | times faster |", "|---:|---:|---:|",
    )  # fmt: skip
    for jobs, seconds in times.items():
        yield f"| {jobs} | {seconds:.1f} | {times[1] / seconds:.2f} |"


def parser() -> ToolParser:
    """The arguments of this tool."""
    made = parser_of("scaling", __doc__, "classical/markov --out scaling.md")
    made.add_argument("selectors", nargs="*", metavar="SELECTOR", default=["classical"],
                      help="what is scheduled")  # fmt: skip
    made.add_argument("--hard", action="append", metavar="KEY", default=[], help="a claim alone")
    made.add_argument("--root", metavar="DIR", help="library, default as of `boundcheck`")
    made.add_argument("--out", type=Path, metavar="FILE", default=PAGE,
                      help="default SCALING.md of the package")  # fmt: skip
    return made


def main(arguments: Iterable[str]) -> None:
    """Write the page."""
    given = parser().parse_args(list(arguments))
    require_writable(given.out, "--out")
    settle_environment()
    library = load_library(find_root(given.root))
    hard = [library.one(key) for key in given.hard]
    lines = []
    for line in page(library, library.select(given.selectors), hard):
        print(line, flush=True)
        lines.append(line)
    write_whole(given.out, "\n".join(lines) + "\n")


if __name__ == "__main__":
    run_tool(main)
