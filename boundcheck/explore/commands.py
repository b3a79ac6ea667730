"""Commands that explore constants: require, plan, sharpen, diff."""

from __future__ import annotations

import json
from shlex import quote
from typing import Annotated, Any

import typer

from boundcheck.errors import InvalidArgument
from boundcheck.options import BudgetName, Root, Seed

AsJson = Annotated[bool, typer.Option("--json", help="Machine-readable.")]
Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Known values.")
]


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    for command in (require, plan, sharpen, diff):
        app.command()(command)


def _library(root: str | None, *selectors: str) -> Any:
    from boundcheck.library import load_library

    for selector in selectors:
        if set("*?[") & set(selector):
            raise InvalidArgument(
                f"key {selector!r} is a pattern, and one claim is asked; "
                f"`boundcheck list {quote(selector)}` shows the keys that it names"
            )
    return load_library(root, selectors)


def require(
    key: Annotated[str, typer.Argument(help="Key of one claim.")],
    symbol: Annotated[str, typer.Argument(help="The parameter wanted: M, T, lambda, n, m ...")],
    settings: Settings = None,
    target: Annotated[
        str | None,
        typer.Option("--target", metavar="RELATION", help='Further condition, "bound <= 0.01".'),
    ] = None,
    as_json: AsJson = False,
    root: Root = None,
) -> None:
    """What a theorem's conditions ask of one parameter.

    Example: boundcheck require wang2019/theorem_1:printed lambda --set n=10000 --set s=100
    --set delta=0.1 --set b=2
    """
    from boundcheck.explore import require as requirement
    from boundcheck.explore.grammar import assignments

    library = _library(root, key)
    name = library.one(key)
    found = requirement(name, symbol, assignments(settings), target, root=library.root)
    print(json.dumps(found.as_json(), indent=1) if as_json else found)


def plan(
    keys: Annotated[
        list[str], typer.Argument(metavar="KEY...", help="Claims; the last one concludes.")
    ],
    target: Annotated[
        str | None,
        typer.Option("--target", metavar="RELATION", help='What is wanted, "rhs <= 0.01".'),
    ] = None,
    minimise: Annotated[
        str | None,
        typer.Option("--minimise", metavar="EXPR", help='Cost, "M * T"; default all sizes.'),
    ] = None,
    settings: Settings = None,
    between: Annotated[
        bool,
        typer.Option("--gap", help="Also lower bounds from worlds, slack by step, better lemmas."),
    ] = False,
    as_json: AsJson = False,
    root: Root = None,
) -> None:
    """The cheapest sizes at which claims together give a target.

    Conclusions feed conditions, a failure probability is split, what is free is chosen. With the
    sizes given and the bound as cost it is the best bound for a budget. --gap takes minutes.

    Example: boundcheck plan livni2017/theorem_1:mean_regret --minimise "m*T" --set epsilon=0.1
    --set B=2
    """
    from boundcheck.explore import plan as planned
    from boundcheck.explore.grammar import assignments

    found = planned(keys, target, minimise, assignments(settings), root=root)
    told, text = found.as_json(), str(found)
    if between:
        from boundcheck.environment import settle_environment
        from boundcheck.explore.gap import gap

        settle_environment()
        missing = gap(found, _library(root), minimise, target)
        told, text = {**told, "gap": missing.as_json()}, f"{text}\n{missing}"
    print(json.dumps(told, indent=1) if as_json else text)


def sharpen(
    key: Annotated[str, typer.Argument(help="Key of one claim that stands.")],
    budget: BudgetName = "quick",
    seed: Seed = 0,
    as_json: AsJson = False,
    root: Root = None,
) -> None:
    """The best constants of a statement that stands, bracketed.

    Example: boundcheck sharpen livni2017/equation_10:printed
    """
    from boundcheck.environment import settle_environment
    from boundcheck.explore import sharpen as sharpened

    settle_environment()
    library = _library(root, key)
    found = sharpened(library.one(key), budget=budget, seed=seed, root=library.root)
    if as_json:
        print(json.dumps(found.as_json(), indent=1))
        return
    print(found)
    if found.claim is not None:
        print(f"\nto save it beside the printed claim:\n\n{found.source()}")


def diff(
    first: Annotated[str, typer.Argument(help="Key of one claim.")],
    second: Annotated[str, typer.Argument(help="Key of the other.")],
    root: Root = None,
) -> None:
    """Two claims compared: what differs, and where it matters.

    Example: boundcheck diff yashima2021/theorem_3:aistats yashima2021/theorem_3:arxiv
    """
    from boundcheck.explore import compare

    library = _library(root, first, second)
    left, right = library.one(first), library.one(second)
    found = compare(library[left], library[right], names=(left, right))
    print(found)
