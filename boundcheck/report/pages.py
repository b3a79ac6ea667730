"""Views to HTML pages through the templates beside this file. Everything is escaped by default."""

from __future__ import annotations

import base64
import hashlib
import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from boundcheck.diagnosis.record import MEANING, bracket
from boundcheck.environment import described
from boundcheck.report import reach
from boundcheck.report.charts import Bar, slack_svg
from boundcheck.report.drawn import Figure, Table
from boundcheck.report.editions import differences
from boundcheck.report.evidence import bookkeeping, evidence_counts
from boundcheck.report.formula import math, mathml
from boundcheck.report.graph import Node, acyclic, ancestors, dependency_svg, topological
from boundcheck.report.proofs import step_table
from boundcheck.report.prose import humane, split_key
from boundcheck.report.values import breakable, finite, plain, probability
from boundcheck.report.views import (
    GLYPHS,
    OTHER_STATES,
    STATES,
    WORDS,
    ClaimView,
    SourceView,
    order,
    resting,
    totals,
)  # fmt: skip

TEMPLATES = Path(__file__).parent / "templates"


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Jinja with escaping on; style and script are inlined, the script allowed by its digest."""
    env = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    script = (TEMPLATES / "report.js").read_text()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    env.globals.update(
        style=Markup((TEMPLATES / "report.css").read_text()), script=Markup(script),
        script_digest=digest, states=STATES, other_states=OTHER_STATES, words=WORDS, glyphs=GLYPHS,
        math=math, humane=humane, bracket=bracket,
    )  # fmt: skip
    env.filters.update(plain=plain, probability=probability, seconds=seconds, breakable=breakable)
    env.filters.update(as_math=mathml)
    env.filters.update(sentence=lambda text: text[:1].upper() + text[1:])
    return env


def seconds(value: float | None) -> str:
    """Seconds of one claim."""
    if value is None:
        return "–"
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"


def account(document: dict[str, Any], claims: Sequence[ClaimView]) -> list[tuple[str, float]]:
    """(key, error probability spent), the largest first."""
    listed = document.get("account")
    if listed is None:
        listed = [{"key": view.key, "spent": view.error} for view in claims]
    rows = [(str(row.get("key")), finite(row.get("spent")) or 0.0) for row in listed]
    return sorted((row for row in rows if row[1] > 0), key=lambda row: (-row[1], row[0]))


def controls(document: dict[str, Any]) -> list[tuple[str, int, int]]:
    """(change, tried, caught) per kind of mutant, the most frequent first."""
    tried: dict[str, list[int]] = {}
    for row in document.get("controls") or ():
        change = str(row.get("mutant"))
        if change.startswith("hypothesis "):
            change = "a hypothesis removed"
        counts = tried.setdefault(change, [0, 0])
        counts[0] += 1
        counts[1] += bool(row.get("caught"))
    rows = [(name, all_, caught) for name, (all_, caught) in tried.items()]
    return sorted(rows, key=lambda row: (-row[1], row[0]))


@dataclass(frozen=True)
class Grade:
    """Printed claims that fail alike: how much it matters; "" for those without a diagnosis."""

    name: str
    meaning: str
    claims: list[ClaimView]


def links(sources: Sequence[SourceView], folder: str = "") -> dict[str, str]:
    """Key to the address of a claim, seen from a page in a folder of the report."""
    return {
        view.key: posixpath.relpath(source.statement_page(stem), folder or ".") + f"#{view.anchor}"
        for source in sources for stem, group in source.statements for view in group
    }


def _render(template: str, document: dict[str, Any], page: str, **values: Any) -> str:
    """A page from its template; `page` is its address in the report."""
    return environment().get_template(f"{template}.html.jinja").render(
        document=document, versions=described(document.get("environment") or {}),
        up="../" * page.count("/"), **values,
    )  # fmt: skip


def index_page(
    document: dict[str, Any], sources: Sequence[SourceView], *, explorer: str, trouble: str
) -> str:
    """The front page: printed claims that fail, by grade, and what has no verdict.

    Args: explorer: the file name of the explorer page or "". trouble: why there is none, or "".
    """
    claims = [view for source in sources for view in source.claims]
    stated = [view for source in sources if not source.calibrates for view in source.claims]
    printed = [view for view in stated if view.as_printed and view.state in STATES]
    return _render(
        "index", document, "index.html", sources=sources, links=links(sources),
        totals=totals(claims), grades=grades(printed), printed=printed,
        own=sum(not view.as_printed for view in stated), calibrating=len(claims) - len(stated),
        undecided=[view for view in claims if view.state in ("undecided", *OTHER_STATES)],
        total_seconds=sum(view.seconds or 0.0 for view in claims), explorer=explorer,
        trouble=trouble,
    )  # fmt: skip


def claims_page(document: dict[str, Any], sources: Sequence[SourceView], explorer: str) -> str:
    """Every claim in one table, to be filtered."""
    claims = [view for source in sources for view in source.claims]
    return _render(
        "claims", document, "claims.html", sources=sources, links=links(sources),
        totals=totals(claims), explorer=explorer,
    )  # fmt: skip


def evidence_page(document: dict[str, Any], sources: Sequence[SourceView], explorer: str) -> str:
    """Kinds of evidence, proof steps, the error budget and the negative controls."""
    entries = document.get("claims") or ()
    claims = [view for source in sources for view in source.claims]
    rows = account(document, claims)
    return _render(
        "evidence", document, "evidence.html", links=links(sources),
        account=rows, steps=step_table(claims), spent=sum(row[1] for row in rows),
        allowed=finite(document.get("error_probability")), controls=controls(document),
        survivors=[row for row in document.get("controls") or () if not row.get("caught")],
        explorer=explorer, kinds=evidence_counts(entries), bookkeeping=bookkeeping(entries),
        reach=reach.account(entries),
    )  # fmt: skip


def grades(printed: Sequence[ClaimView]) -> list[Grade]:
    """The printed claims that fail by grade, the worst first, those without a grade last."""
    bad = [view for view in printed if view.bad]
    rows = [Grade(name, meaning, [v for v in bad if v.diagnosis.get("grade") == name])
            for name, meaning in reversed(MEANING.items())]  # fmt: skip
    rows.append(Grade("", "this run made no diagnosis", [v for v in bad if not v.diagnosis]))
    return [row for row in rows if row.claims]


def source_page(
    document: dict[str, Any], source: SourceView, sources: Sequence[SourceView],
    figures: Sequence[Figure], coverage: Table | None = None, explorer: str = "",
) -> str:  # fmt: skip
    """The page of one source: its statements, figures and what its experiments would need."""
    everywhere = {view.key: view for other in sources for view in other.claims}
    near = links(sources, posixpath.dirname(source.page))
    rests = resting(source.claims, everywhere)
    return _render(
        "source", document, source.page, source=source, links=near,
        views=everywhere, graph=_graph(source, everywhere, near, {rest.view.key for rest in rests}),
        rests=rests, steps=step_table(source.claims), chains=_chains(source, everywhere, near),
        differences={stem: found for stem, group in source.statements
                     if (found := differences(group))},
        figures=figures, coverage=coverage, explorer=explorer,
    )  # fmt: skip


def statement_pages(
    document: dict[str, Any], source: SourceView, sources: Sequence[SourceView], explorer: str
) -> Iterator[tuple[str, str]]:
    """(address, page) of every statement of a source, with its claims in full."""
    everywhere = {view.key: view for other in sources for view in other.claims}
    near = links(sources, source.page.removesuffix(".html"))
    for stem, group in source.statements:
        page = source.statement_page(stem)
        here = {view.key: f"#{view.anchor}" for view in group}
        yield page, _render(
            "statement", document, page, source=source, group=group, views=everywhere,
            links=near | here, explorer=explorer,
        )  # fmt: skip


def _graph(
    source: SourceView, everywhere: dict[str, ClaimView], links: dict[str, str], shaken: set[str]
) -> Markup:
    own = {view.key for view in source.claims}
    premises = {view.key: view.uses for view in source.claims}
    named = own | {key for used in premises.values() for key in used}
    nodes = {}
    for key in sorted(named):
        view = everywhere.get(key)
        if view is None:
            stem = humane(split_key(key)[1]) or key
            nodes[key] = Node(key, f"{key}: not in the library", stem, "not in the library",
                              "absent", "")  # fmt: skip
            continue
        said = split_key(key)[2].replace("_", " ")
        note = f"{GLYPHS[view.state]} {view.word if said in ('', 'printed') else said}"
        line = humane(split_key(key)[1]) + ("" if key in own else f" ({view.source})")
        title = f"{view.title}. {key}: {view.word}"
        if key in shaken:
            title += "; rests on a claim that fails as printed"
        nodes[key] = Node(key, title, line, note, view.state, links[key], key in shaken)
    return dependency_svg(nodes, premises, f"dependencies of {source.byline or source.name}")


def _chains(
    source: SourceView, everywhere: dict[str, ClaimView], links: dict[str, str]
) -> list[tuple[str, Markup]]:
    """(conclusions, slack chart of their chain); one chart over all claims if there is no chain.

    Conclusions that nothing else uses are final; those that share most of a chain share a chart.
    """
    edges = acyclic({view.key: [key for key in view.uses if key in everywhere]
                     for view in source.claims})  # fmt: skip
    used = {key for premises in edges.values() for key in premises}
    finals = [view.key for view in source.claims if edges[view.key] and view.key not in used]
    chains = {key: ancestors(key, edges) for key in finals}
    groups: list[tuple[list[str], set[str]]] = []
    for key in sorted(finals, key=lambda key: -len(chains[key])):
        near = [g for g in groups if 2 * len(g[1] & chains[key]) >= len(chains[key])]
        if near:
            near[0][0].append(key)
            near[0][1].update(chains[key])
        else:
            groups.append(([key], set(chains[key])))
    charts = []
    for ends, chain in groups:
        keys = topological(sorted(chain), edges) + sorted(ends, key=order)
        bars = [_bar(everywhere[key], links, key in ends) for key in keys]
        names = " · ".join(everywhere[key].label for key in sorted(ends, key=order))
        chart = slack_svg([bar for bar in bars if bar.slack or bar.main],
                          f"slack of what {names} rests on")  # fmt: skip
        charts += [(f"To {names}", chart)] if chart else []
    if not charts:
        chart = slack_svg([_bar(view, links, False) for view in source.claims if view.slack],
                          "slack of every claim")  # fmt: skip
        charts = [("", chart)] if chart else []
    return charts


def _bar(view: ClaimView, links: dict[str, str], main: bool) -> Bar:
    return Bar(view.label, view.state, view.slack, links[view.key], main)


__all__ = [
    "claims_page",
    "evidence_page",
    "index_page",
    "links",
    "source_page",
    "statement_pages",
]
