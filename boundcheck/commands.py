"""Commands on failing claims."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from boundcheck.options import BudgetName, Jobs, Root, Seed


def diagnose(
    selectors: Annotated[
        list[str], typer.Argument(metavar="SELECTOR...", help="Keys, prefixes or globs.")
    ],
    budget: BudgetName = "quick",
    seed: Seed = 0,
    jobs: Jobs = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write results; - for stdout.")
    ] = None,
    root: Root = None,
) -> None:
    """How far a failure goes and what stands instead.

    For each chosen claim that is refuted or malformed: where it fails, the least constant, repairs
    that stand, what rests on it, and the grade slip, corner, constant, hypothesis or false.

    Example: boundcheck diagnose livni2017/class_inclusion:printed
    """
    from boundcheck.boundary.writing import require_writable, write_whole
    from boundcheck.diagnosis.run import diagnose_all
    from boundcheck.diagnosis.told import require_some
    from boundcheck.library import load_library

    library = load_library(root)
    keys = library.select(selectors)
    to_stdout = json_file is not None and str(json_file) == "-"
    if json_file is not None and not to_stdout:
        require_writable(json_file)
    found = diagnose_all(library, keys, budget=budget, seed=seed, jobs=jobs)
    require_some(found, keys)
    document = {"seed": seed, "budget": budget, "claims": [
        {"key": key, **item} for key, item in found.items()
    ]}  # fmt: skip
    if to_stdout:
        print(json.dumps(document, indent=1))
    else:
        print("\n".join(item["text"] for item in found.values()))
        if json_file is not None:
            write_whole(json_file, json.dumps(document, indent=1) + "\n")
    raise typer.Exit(int(any(item.get("fault") for item in found.values())))


def errata(
    source: Annotated[str, typer.Argument(help="A source, e.g. wu2021.")],
    form: Annotated[str, typer.Option("--format", help="html, md or latex.")] = "md",
    budget: BudgetName = "quick",
    seed: Seed = 0,
    jobs: Jobs = None,
    root: Root = None,
) -> None:
    """What to write instead, for a whole source.

    Example: boundcheck errata wu2021 --format latex > errata.tex
    """
    from boundcheck.diagnosis.run import diagnose_all
    from boundcheck.diagnosis.told import keys_of, require_some
    from boundcheck.library import load_library
    from boundcheck.report.errata import errata as written
    from boundcheck.report.errata import require_format

    require_format(form)
    library = load_library(root)
    keys = keys_of(library, source)
    found = diagnose_all(library, keys, budget=budget, seed=seed, jobs=jobs)
    require_some(found, keys)
    diagnoses = {key: item["diagnosis"] for key, item in found.items() if item["diagnosis"]}
    print(written(library, source, diagnoses, form))
