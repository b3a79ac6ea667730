"""Results as HTML for notebooks: formulas as LaTeX, everything else escaped text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import sympy

from boundcheck.explore.wording import grouped, listed, plain

if TYPE_CHECKING:
    from boundcheck.claim import Claim
    from boundcheck.explore.answers import Requirement
    from boundcheck.explore.comparison import Comparison
    from boundcheck.explore.plans import Plan
    from boundcheck.explore.sharpening import Sharpening
    from boundcheck.verdict import Verdict


ESCAPED = {c: "\\" + c for c in "_{}$%#&"} | dict.fromkeys("\\^~", " ")  # in text of LaTeX


def formula(expression: Any) -> str:
    """An expression as LaTeX between dollars, as notebooks read it."""
    return f"${escape(sympy.latex(expression), quote=False)}$"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are HTML already.

    >>> table(["a"], [["1"]])
    '<table><tr><th>a</th></tr><tr><td>1</td></tr></table>'
    """
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    top = "".join(f"<th>{cell}</th>" for cell in head)
    return f"<table><tr>{top}</tr>{body}</table>"


def titled(title: str, *parts: str) -> str:
    """Parts under a heading."""
    return f"<div><b>{escape(title)}</b>{''.join(parts)}</div>"


def of_claim(claim: Claim) -> str:
    """Form, statement and hypotheses."""
    form = getattr(claim.statement, "inner", claim.statement)
    level = getattr(form, "level", None)
    name = claim.statement.name + (f", probability at least {formula(level)}" if level else "")
    rows = [["says", formula(claim.statement.relation)]]
    rows += [["given", formula(condition)] for condition in claim.given]
    rows += [["read", escape(claim.reading)]] if claim.reading else []
    return titled(str(claim.source), f"<div>{name}</div>", table(["", ""], rows))


def of_verdict(verdict: Verdict) -> str:
    """Outcome, summary and what each check saw."""
    rows = [[escape(item.check), escape(str(item.outcome or "")), escape(item.detail)]
            for item in verdict.evidence]  # fmt: skip
    head = f"{verdict.key}: {verdict.outcome.upper()}"
    return titled(head, f"<div>{escape(verdict.summary)}</div>",
                  table(["check", "outcome", "what it saw"], rows))  # fmt: skip


def verdict_latex(verdict: Verdict) -> str:
    """Key, outcome, kind of evidence and slack in one line of LaTeX."""
    said = verdict.outcome + (f" ({verdict.kind})" if verdict.kind else "")
    key = "".join(ESCAPED.get(letter, letter) for letter in verdict.key)
    ratio = ""
    if verdict.slack is not None:
        ratio = rf",\quad \text{{right/left}} = {sympy.latex(sympy.Float(verdict.slack, 6))}"
    return rf"$\displaystyle \text{{{key}: {said}}}{ratio}$"


def of_requirement(need: Requirement) -> str:
    """Answer, formula, what binds, the proof, and how the answer moves."""
    answer = "" if need.answer is None else f" = {grouped(need.answer)}"
    head = f"{need.label}: {need.sense} {need.symbol}{answer}"
    if need.strict:
        head = f"{need.label}: {need.symbol} {need.word} {grouped(need.answer)}"
    rows = [["formula", formula(need.formula)]] if need.formula is not None else []
    rows += [["asked", formula(relation)] for relation in need.binding]
    rows += [["proof", escape(need.proof)]] if need.proof else []
    rows += [["caution", escape(str(ground))] for ground in need.grounds]
    known = listed({**need.given, **need.assumed}, need.called)
    rows += [["at", escape(known)]] if known else []
    moves = [[escape(r.name), f"{r.elasticity:+.3g}", "" if r.factor is None else f"{r.factor:.4g}"]
             for r in need.sensitivity]  # fmt: skip
    change = "doubles at x" if need.sense == "greatest" else "halves at x"
    return titled(head, table(["", ""], rows),
                  table(["symbol", "d log / d log", change], moves) if moves else "")  # fmt: skip


def of_comparison(found: Comparison) -> str:
    """What differs, side by side."""
    rows = [["says", *map(formula, found.sides)]] if found.sides else []
    rows += [[word, *(escape(str(item)) for item in pair)]
             for word, pair in (("form", found.forms), ("level", found.levels))
             if pair]  # fmt: skip
    rows += [["given", formula(relation), ""] for relation in found.only_first]
    rows += [["given", "", formula(relation)] for relation in found.only_second]
    rows += [[escape(part) for part in item] for item in found.meant]
    points = "".join(f"<div>{escape(str(item))}</div>" for item in found.differences)
    return titled("the same" if found.same else "they differ",
                  table(["", escape(found.first), escape(found.second)], rows), points)  # fmt: skip


def of_plan(found: Plan) -> str:
    """Sizes, choices, slack by condition, rates."""
    rows = [[escape(n), grouped(v), formula(found.lower[n]) if found.lower.get(n) is not None
             else ""] for n, v in found.sizes.items()]  # fmt: skip
    rows += [[escape(n), plain(v), ""] for n, v in found.chosen.items()]
    steps = [[formula(s.relation), s.shown] for s in found.steps if s.slack is not None]
    names = [*found.sizes, *found.chosen]
    rates = [[escape(given), *(f"{r.get(n, 0):+.2f}" for n in names)]
             for given, r in found.rates.items()]  # fmt: skip
    return titled(
        " + ".join(found.keys), f"<div>{formula(found.cost)} = {plain(found.cost_value)}</div>",
        table(["", "least", "lower fails"], rows), table(["condition", "slack"], steps),
        table(["d log / d log", *names], rates) if rates else "",
        *(f"<div>caution: {escape(str(ground))}</div>" for ground in found.grounds),
    )  # fmt: skip


def of_sharpening(found: Sharpening) -> str:
    """Printed, failing and standing constants."""

    def shown(value: Any) -> str:
        return "" if value is None else formula(value)

    rows = [
        [b.knob.kind, shown(b.knob.printed), formula(b.knob.beside),
         "" if b.lower is None else plain(b.lower), shown(b.supported), shown(b.proved),
         shown(b.unbroken), escape(b.doubt)]
        for b in found.brackets
    ]  # fmt: skip
    text = [f"<div>not needed: {formula(c)}</div>" for c in found.superfluous]
    text += [f"<div>needed: {formula(c)}</div>" for c in found.needed]
    head = ["constant", "printed", "of", "fails at", "supported", "proved", "unbroken",
            "in doubt as"]
    return titled(f"{found.label}: {found.outcome}", table(head, rows), *text)
