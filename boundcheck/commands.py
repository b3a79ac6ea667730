"""Commands on one world, on failing claims and on witnesses."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from boundcheck.options import (
    BudgetName,
    ClusterAddress,
    FreshSeed,
    Jobs,
    LimitOptions,
    Root,
    Seed,
)


def at(
    key: Annotated[str, typer.Argument(help="Key of one claim.")],
    world: Annotated[
        Path | None, typer.Option("--world", metavar="FILE", help="Values by name, in JSON.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="One value: 1/3, 0.1, [1, 2]."),
    ] = None,
    witness: Annotated[
        Path | None, typer.Option("--witness", metavar="FILE", help="Seal a violation here.")
    ] = None,
    root: Root = None,
) -> None:
    """A claim at a world of your own: hypotheses, sides, truth.

    Exit 1 if the statement is violated there. Sizes and derived fields are computed.

    Example: boundcheck at classical/markov:strict --set "x=[0, 1]" --set "p=[1/2, 1/2]" --set t=1
    """
    from boundcheck.at import at as found_at, read_world
    from boundcheck.boundary.writing import require_writable, write_whole
    from boundcheck.explore.grammar import assignments
    from boundcheck.library import command_path, load_library, root_option
    from boundcheck.witness import seal

    library = load_library(root, [key])
    key = library.one(key)
    if witness is not None:
        require_writable(witness, "--witness")
    given = read_world(world) if world is not None else {}
    found = found_at(key, library[key], {**given, **assignments(settings)})
    print(found)
    if witness is not None and found.witness is not None:
        write_whole(witness, json.dumps(seal(found.witness.as_json()), indent=1) + "\n")
        command = f"boundcheck replay {command_path(witness)}{root_option(library.root)}"
        print(f"sealed in {witness}; {command} confirms it")
    elif witness is not None:
        print("nothing to seal: no violation")
    raise typer.Exit(int(found.violated))


def diagnose(
    selectors: Annotated[
        list[str], typer.Argument(metavar="SELECTOR...", help="Keys, prefixes or globs.")
    ],
    budget: BudgetName = "quick",
    seed: Seed = 0,
    jobs: Jobs = None,
    cluster: ClusterAddress = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write results; - for stdout.")
    ] = None,
    root: Root = None,
) -> None:
    """How far a failure goes and what stands instead.

    For each chosen claim that is refuted or malformed: where it fails, the least constant, repairs
    that stand, what rests on it, and the grade slip, corner, constant, hypothesis or false. What
    `boundcheck report` found in this folder by the present code is taken from it.

    Example: boundcheck diagnose livni2017/class_inclusion:printed
    """
    from boundcheck.boundary.writing import require_writable, write_whole
    from boundcheck.diagnosis.told import diagnosed
    from boundcheck.library import load_library
    from boundcheck.runner import executor
    from boundcheck.terminal import progress
    from boundcheck.verification import require_options

    # A diagnosis looks at claims of the same source.
    near = [f"{text.partition('/')[0]}/" if "/" in text else text for text in selectors]
    library = load_library(root, near)
    keys = library.select(selectors)
    to_stdout = json_file is not None and str(json_file) == "-"
    if json_file is not None and not to_stdout:
        require_writable(json_file)
    require_options(budget, seed, jobs)
    working = executor(library, budget, jobs=jobs, cluster=cluster)
    with working as execute, progress() as stages:
        found = diagnosed(library, keys, budget=budget, seed=seed, execute=execute, stage=stages)
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
    cluster: ClusterAddress = None,
    root: Root = None,
) -> None:
    """What to write instead, for a whole source.

    What `boundcheck report` found in this folder by the present code is taken from it.

    Example: boundcheck errata wu2021 --format latex > errata.tex
    """
    from boundcheck.diagnosis.told import diagnosed, keys_of
    from boundcheck.library import find_root, load_library
    from boundcheck.report.errata import errata as written, require_format
    from boundcheck.runner import executor
    from boundcheck.terminal import progress
    from boundcheck.verification import require_options

    require_format(form)
    known = (find_root(root) / source / "__init__.py").is_file()
    library = load_library(root, [f"{source}/"] if known else [])
    keys = keys_of(library, source)
    require_options(budget, seed, jobs)
    working = executor(library, budget, jobs=jobs, cluster=cluster)
    with working as execute, progress() as stages:
        found = diagnosed(library, keys, budget=budget, seed=seed, execute=execute, stage=stages)
    diagnoses = {key: item["diagnosis"] for key, item in found.items() if item["diagnosis"]}
    print(written(library, source, diagnoses, form))


def replay(
    witness: Annotated[
        Path,
        typer.Argument(help="A witness, a certificate, results of `verify --json`, or a report."),
    ],
    key: Annotated[
        str | None, typer.Option("--key", help="Of results or a report, the evidence on one claim.")
    ] = None,
    seed: FreshSeed = None,
    limit: LimitOptions = None,
    root: Root = None,
) -> None:
    """Re-check a witness, a certificate or a whole report.

    Example: boundcheck replay reports/witnesses/wu2021.krr_closed_form.printed.json
    Example: boundcheck replay results.json --key wu2021/krr_closed_form:printed
    """
    from boundcheck.boundary import numbers
    from boundcheck.environment import settle_environment
    from boundcheck.recheck import confirm_all, documents, not_repeated
    from boundcheck.supervision import limits_for

    settle_environment()
    seed = numbers.fresh_seed() if seed is None else numbers.seed(seed)
    limits = limits_for("quick", limit or ())
    evidence = documents(witness, key)
    for claim, lines in confirm_all(evidence, root, seed=seed, limits=limits):
        print(lines if len(evidence) == 1 else f"confirmed {claim}")
    if len(evidence) > 1:
        spent = sum(os.times()[:4])  # of this process and of those it waited for
        print(f"{len(evidence)} confirmed in {spent:.0f} s of computing")
    if besides := not_repeated(witness, key):
        print(besides)
