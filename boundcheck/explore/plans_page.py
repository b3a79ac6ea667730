"""Worked plans of a library beside what the sources' experiments used.

    python -m boundcheck.explore.plans_page [--out FILE]

A source brings its plans in `_plan.py`, as `WORKED`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from boundcheck.boundary.tools import ToolParser, parser_of, run
from boundcheck.boundary.writing import require_writable, write_whole
from boundcheck.explore.gap import gap
from boundcheck.explore.planning import plan
from boundcheck.explore.wording import formula_text, grouped, listed, plain

PAGE = Path(__file__).with_name("PLANS.md")
HEAD = """# Worked plans

What the statements of each source ask together, at the least cost, beside what its experiments
used. Between the sizes that suffice and those at which a conclusion fails in a world lies the
truth; slack says what the bound of a step could shrink by before the same search refutes it; better
are statements of the library with which the plan costs less. Regenerate with
`python -m boundcheck.explore.plans_page`.
"""


@dataclass(frozen=True)
class Worked:
    """A plan to be worked out.

    Args: title: in words. keys, target, minimise, given: as for `plan`. used: what the source's
    experiment took, by name; note: where that is printed, or that there is none.
    """

    title: str
    keys: tuple[str, ...]
    minimise: str
    given: Mapping[str, Any]
    target: str | None = None
    used: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""


def section(worked: Worked) -> str:
    """The plan as Markdown."""
    found = plan(list(worked.keys), worked.target, worked.minimise, worked.given)
    at = listed({**found.given, **found.assumed}, found.called)
    wanted = f"; wanted: {worked.target}" if worked.target else ""
    lines = [
        f"## {worked.title}", "",
        f"{' + '.join(f'`{key}`' for key in found.keys)}; least {formula_text(found.cost)} at "
        f"{at}{wanted}.", "", "| | plan | experiment |", "|---|---|---|",
    ]  # fmt: skip
    for name, value in (*found.sizes.items(), *found.chosen.items()):
        shown = grouped(value) if name in found.sizes else plain(value)
        if name in found.alike:
            shown += f" or {found.alike[name]}"
        lines.append(f"| {name} | {shown} | {worked.used.get(name, '')} |")
    lines += [f"| {n} | the {word} the better | {worked.used.get(n, '')} |"
              for n, word in found.ends.items()]  # fmt: skip
    lines += [f"| {n} | given | {v} |" for n, v in worked.used.items()
              if n not in {*found.sizes, *found.chosen, *found.ends}]  # fmt: skip
    lines += ["", *([f"- {found.optimum}"] if found.optimum else [])]
    lines += [f"- best {n}: `{formula_text(f)}`" for n, f in found.formulas.items()]
    lines += [*[f"- chained: {link}" for link in found.links]]
    lines += [f"- binds: `{formula_text(relation)}`" for relation in found.binding]
    for name, rates in found.rates.items():
        told = ", ".join(f"{n} {rate:+.2f}" for n, rate in rates.items() if rate)
        lines += [f"- d log / d log {name}: {told}"] if told else []
    lines += [f"- caution: {ground}" for ground in found.grounds]
    lines += [f"- {worked.note}"] if worked.note else []
    return "\n".join(lines) + "\n"


def between(worked: Worked, library: Any) -> str:
    """What lies between the plan and the truth, as Markdown."""
    made = plan(list(worked.keys), worked.target, worked.minimise, worked.given, rates=False)
    found = gap(made, library, worked.minimise, worked.target)
    return "".join(
        f"- {word}: {item}\n"
        for word, items in (("truth", found.floors), ("step", found.steps),
                            ("better", found.better))
        for item in items
    )  # fmt: skip


def worked_plans(library: Any) -> list[Worked]:
    """The worked plans of a library, source by source."""
    from boundcheck.figures import companion, having

    found = [companion(library, source, "_plan").WORKED for source in having(library, "_plan")]
    return [plan for plans in found for plan in plans]


def page(library: Any) -> str:
    """All worked plans of a library."""
    parts = [HEAD]
    for one in worked_plans(library):
        parts += [section(one) + between(one, library)]
    return "\n".join(parts)


def parser() -> ToolParser:
    """The arguments of this tool."""
    made = parser_of("explore.plans_page", __doc__, "--out PLANS.md")
    made.add_argument("--out", type=Path, metavar="FILE", default=PAGE,
                      help="default PLANS.md of the package")  # fmt: skip
    return made


def main(arguments: list[str]) -> int:
    """Writes the page."""
    from boundcheck.library import load_library

    given = parser().parse_args(arguments)
    require_writable(given.out, "--out")
    write_whole(given.out, page(load_library(None)))
    print(f"wrote {given.out}")
    return 0


if __name__ == "__main__":
    run(main)
