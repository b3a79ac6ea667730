"""The report as one compact Markdown page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from boundcheck.environment import described
from boundcheck.report import reach
from boundcheck.report.evidence import bookkeeping, evidence_counts, mutant_counts
from boundcheck.report.values import finite, probability
from boundcheck.report.views import OTHER_STATES, STATES, WORDS, ClaimView, SourceView, totals


def text(value: str) -> str:
    """One line of running text in which nothing is markup.

    >>> text("a | b <script> *x*")
    'a \\\\| b &lt;script&gt; \\\\*x\\\\*'
    """
    line = " ".join(str(value).split())
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_\[\]|#~$])", r"\\\1", line)


def code(value: str) -> str:
    """One line of code, safe in a table cell."""
    line = " ".join(str(value).split()).replace("|", "\\|")
    ticks = "`" * (max((len(run) for run in re.findall("`+", line)), default=0) + 1)
    space = " " if "`" in line else ""
    return f"{ticks}{space}{line}{space}{ticks}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; cells are markup already."""
    lines = [" | ".join(head), " | ".join("---" for _ in head), *(" | ".join(r) for r in rows)]
    return "\n".join(f"| {line} |" for line in lines)


def markdown(document: dict[str, Any], sources: Sequence[SourceView]) -> str:
    """The whole page."""
    claims = [view for source in sources for view in source.claims]
    versions = described(document.get("environment") or {})
    parts = [
        "# boundcheck report",
        "Theorems of learning theory, checked exactly as printed. "
        f"Version {text(str(document.get('version', '')))}, budget "
        f"{text(str(document.get('budget', '')))}, seed {text(str(document.get('seed', '')))}. "
        + (f"{text(versions)}. " if versions else "") +
        "`index.html` is the full report, `report.json` the same results for programs.",
        _totals(sources, claims),
    ]
    parts += [_source(source) for source in sources]
    failing = [view for view in claims if view.bad]
    if failing:
        parts.append("## Refuted and malformed claims\n\n" + "\n".join(map(_failure, failing)))
    undecided = [view for view in claims if view.state in ("undecided", *OTHER_STATES)]
    if undecided:
        lines = [f"- {code(v.key)} ({v.word}): {text(v.summary)}" for v in undecided]
        parts.append("## Without a verdict\n\n" + "\n".join(lines))
    parts += [_steps(claims), _evidence(document), _account(document, claims), _controls(document)]
    parts.append(_earned(document))
    return "\n\n".join(part for part in parts if part) + "\n"


def _totals(sources: Sequence[SourceView], claims: Sequence[ClaimView]) -> str:
    shown = [s for s in (*STATES, *OTHER_STATES) if s in STATES or totals(claims).get(s)]
    rows = [
        [text(source.byline or source.name), *(str(source.totals.get(s, 0)) for s in shown)]
        for source in sources
    ]
    rows.append(["**all**", *(f"**{totals(claims).get(s, 0)}**" for s in shown)])
    return table(["source", *(WORDS.get(s, s) for s in shown)], rows)


def _source(source: SourceView) -> str:
    rows = [
        [
            code(view.key.partition("/")[2]),
            code(view.text),
            text(view.place),
            f"**{view.word}**" if view.bad or view.state in ("broken", "failed") else view.word,
            text(", ".join([view.slack_text, *view.flags])),
            text(view.evidence),
        ]
        for view in source.claims
    ]
    head = ["claim", "statement", "printed in", "verdict", "slack", "evidence"]
    byline = f"{text(source.byline)}. " if source.byline else ""
    return f"## {text(source.name)}\n\n{byline}{text(source.title)}\n\n{table(head, rows)}"


def _failure(view: ClaimView) -> str:
    line = f"- **{code(view.key)}** ({view.word}, {text(view.evidence)}): {text(view.summary)}"
    found = view.diagnosis
    if found:
        line += f"\n  {text(found['grade'])}: {text(found['reason'])}."
    for repair in found.get("repairs", ())[:1]:
        word = "Perhaps" if repair["verdict"] == "undecided" else "Instead"
        line += f" {word} ({text(repair['verdict'])}): {code(repair['statement'])}"
    return line + (f"\n  Replay: {code(view.world.replay)}" if view.world else "")


def _steps(claims: Sequence[ClaimView]) -> str:
    from boundcheck.report.proofs import step_table

    found = step_table(claims)
    if not found.total:
        return ""
    rows = [
        [text(group.word), str(len(group.steps)), ", ".join(code(v.key) for v, _ in group.steps)]
        for group in found.groups
    ]
    line = found.heading.partition(": ")[2]
    return f"## Proof steps\n\n{line}.\n\n" + table(["outcome", "steps", "which"], rows)


def _evidence(document: dict[str, Any]) -> str:
    claims = document.get("claims") or ()
    rows = [[kind, str(count)] for kind, count in evidence_counts(claims)]
    if not rows:
        return ""
    told = "## Evidence\n\n" + table(["verdicts that rest on", "claims"], rows)
    same = [[code(key), ", ".join(map(code, parts))] for key, parts in bookkeeping(claims)]
    head = ["proved claim", "comparisons that are true by definition"]
    return told + ("\n\n" + table(head, same) if same else "")


def _earned(document: dict[str, Any]) -> str:
    found = reach.account(document.get("claims") or ())
    rows = [[row.name, str(row.count), str(row.of), row.asked] for row in found]
    short = [[row.name, code(told)] for row in found for told in row.others]
    return "## Earned\n\n" + table(["measure", "so", "of", "asked"], rows) + (
        "\n\n" + table(["measure", "not so"], short) if short else "")  # fmt: skip


def _account(document: dict[str, Any], claims: Sequence[ClaimView]) -> str:
    from boundcheck.report.pages import account

    rows = account(document, claims)
    allowed = finite(document.get("error_probability"))
    spent = probability(sum(row[1] for row in rows))
    line = f"## Error budget\n\nSpent {spent}" + (
        f" of {probability(allowed)}; exact evidence spends nothing." if allowed else "."
    )
    if rows:
        cells = [[code(key), probability(value)] for key, value in rows]
        line += "\n\n" + table(["claim", "spent"], cells)
    return line


def _controls(document: dict[str, Any]) -> str:
    controls = document.get("controls")
    if not controls:
        return ""
    caught = sum(1 for row in controls if row.get("caught"))
    survivors = [
        [code(str(row.get("key"))), text(str(row.get("mutant"))), text(row.get("reason") or "")]
        for row in controls
        if not row.get("caught")
    ]
    line = f"## Negative controls\n\n{caught} of {len(controls)} claims made false were caught."
    kinds = [[text(kind), str(hits), str(made)] for kind, hits, made in mutant_counts(controls)]
    line += "\n\n" + table(["mutant", "caught", "made"], kinds)
    return line + ("\n\n" + table(["claim", "mutant", "why it survived"], survivors)
                   if survivors else "")  # fmt: skip
