"""How many failing claims of a library fall without the hints of their statement files.

Run as `python -m boundcheck.search.recall`; the table of the shipped library is in RECALL.md. A
claim counts as failing if the golden file of its source says that it is refuted or malformed.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

FAILING = ("refuted", "malformed")


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


def blind_verdicts(
    root: Path, keys: Sequence[str], budget: str, seed: int, jobs: int | None
) -> dict[str, str]:
    """Key to verdict, as golden files write it, from searches without hints."""
    from boundcheck.library import load_library
    from boundcheck.runner import run

    document = run(
        load_library(root), keys, budget=budget, seed=seed, jobs=jobs, hints=False,
        progress=lambda key, entry: print(f"{key}: {_text(entry)}", flush=True),
    )  # fmt: skip
    return {entry["key"]: _text(entry) for entry in document["claims"]}


def _text(entry: dict[str, Any]) -> str:
    kind = entry["evidence"] if entry["verdict"] == "refuted" else None
    return f"{entry['verdict']} ({kind})" if kind else str(entry["verdict"])


def table(expected: dict[str, str], found: dict[str, str]) -> Iterator[str]:
    """Lines of a Markdown table by source and golden verdict, and the claims that need a hint."""
    yield "| source | falls with hints as | claims | fall without | of them otherwise |"
    yield "|---|---|---:|---:|---:|"
    rows: dict[tuple[str, str], list[str]] = {}
    for key, verdict in sorted(expected.items()):
        rows.setdefault((key.partition("/")[0], verdict), []).append(key)
    for (source, verdict), keys in rows.items():
        fallen = [key for key in keys if found[key].startswith(FAILING)]
        otherwise = sum(found[key] != verdict for key in fallen)
        yield f"| {source} | {verdict} | {len(keys)} | {len(fallen)} | {otherwise} |"
    fallen = [key for key in expected if found[key].startswith(FAILING)]
    yield f"| all | | {len(expected)} | {len(fallen)} | |"
    yield ""
    yield "Need a hint:"
    yield ""
    yield from (f"- `{key}`: {found[key]} without" for key in expected if key not in fallen)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table of a library."""
    from boundcheck.library import find_root
    from boundcheck.runner import settle_environment

    parser = argparse.ArgumentParser(description="failing claims found without hints")
    parser.add_argument("sources", nargs="*", help="folders of the library; default all")
    parser.add_argument("--root", default=None, help="library, default as of `boundcheck`")
    parser.add_argument("--budget", default="quick")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=None)
    chosen = parser.parse_args(arguments)
    settle_environment()
    root = find_root(chosen.root)
    expected = {
        key: verdict for key, verdict in failing_claims(root).items()
        if not chosen.sources or key.partition("/")[0] in chosen.sources
    }  # fmt: skip
    found = blind_verdicts(root, list(expected), chosen.budget, chosen.seed, chosen.jobs)
    print("\n".join(table(expected, found)))


if __name__ == "__main__":
    main()
