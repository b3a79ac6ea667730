"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

Root = Annotated[
    str | None,
    typer.Option(
        "--root", metavar="DIR", help="Library; default ./verify, else the one shipped."
    ),
]
Selectors = Annotated[
    list[str] | None,
    typer.Argument(metavar="[SELECTOR]...", help="Keys, prefixes or globs; default all."),
]
BudgetName = Annotated[str, typer.Option("--budget", help="brief, quick, standard or thorough.")]
Seed = Annotated[int, typer.Option("--seed", help="Same seed, same result.")]
FreshSeed = Annotated[
    int | None, typer.Option("--seed", help="Of fresh draws; drawn anew if not given, and said.")
]
LimitOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--limit", metavar="NAME=VALUE",
        help="What one claim may take: wall=SECONDS, processor=SECONDS, memory=SIZE (quick: "
        "1800, 900, 4G; standard: 14400, 7200, 8G; thorough: 144000, 72000, 16G). Also in "
        "BOUNDCHECK_LIMITS, with commas.",
    ),
]
Jobs = Annotated[int | None, typer.Option("--jobs", help="Processes; default all cores.")]
ClusterAddress = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="ADDRESS", help="Scheduler of a Dask cluster, instead of --jobs."
    ),
]
