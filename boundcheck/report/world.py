"""A witness as a page can show it: its values in full, its hypotheses, what is computed there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from boundcheck.claim import Claim, UpToConstant
from boundcheck.diagnosis.working import along
from boundcheck.encoding import decode, show
from boundcheck.errors import WitnessError
from boundcheck.exact import PRECISIONS, precision
from boundcheck.report.domains import domain_words, meaning
from boundcheck.report.formula import condition, math, symbol
from boundcheck.report.values import written

COSTLY = 200.0  # claim cost (about milliseconds a world) from which nothing is recomputed here
LABELS = {
    "left": "left side",
    "right": "right side",
    "expected left": "expectation of the left side",
    "expected right": "expectation of the right side",
    "probability of violation": "probability that the bound fails",
    "allowed": "probability of failure that the statement allows",
    "violations": "draws in which the bound fails",
    "draws": "draws",
    "reason": "reason",
    "size": "size",
    "constant needed": "constant needed at that size",
}


@dataclass(frozen=True)
class World:
    """Rows of text and markup, in the order of the page.

    Args:
        values: (name, domain, value). hypotheses: (formula, "holds" or "not certified").
        measured: (name, meaning, value). computed: (label, value). extra: (label, value).
        series: (size, constant) of a family.
        file: the witness file. replay: the command that re-checks it.
    """

    kind: str
    values: list[tuple[Markup, Markup, Markup]]
    hypotheses: list[tuple[Markup, str]]
    measured: list[tuple[Markup, Markup, str]]
    computed: list[tuple[str, str]]
    extra: list[tuple[str, str]]
    series: list[tuple[str, str]]
    file: str
    replay: str


def world(document: dict[str, Any], claim: Claim | None, file: str, replay: str) -> World:
    """The witness document of a claim as rows; a value that is no exact number is shown raw."""
    values: dict[str, Any] = {}
    rows = []
    for name, encoded in (document.get("values") or {}).items():
        try:
            values[name] = decode(encoded)
            shown = written(values[name])
        except WitnessError:
            shown = Markup("<code>{}</code>").format(str(encoded))
        rows.append((symbol(name), domain_words(claim, name), shown))
    hypotheses, measured = _recomputed(document, claim, values)
    extra = dict(document.get("extra") or {})
    extra.pop("environment", None)  # said once, of the whole report
    series = list(zip(_texts(extra.pop("sizes", ())), _texts(extra.pop("constants", ())),
                      strict=False))  # fmt: skip
    if isinstance(ray := extra.pop("ray", None), dict):  # of a law: the values start its family
        extra = {"family": extra.get("family", ""), "as t grows": along(ray)}
    return World(
        kind=str(document.get("kind", "")),
        values=rows,
        hypotheses=hypotheses,
        measured=measured,
        computed=[(_label(k), str(v)) for k, v in (document.get("shown") or {}).items()],
        extra=[(str(k), _text(v)) for k, v in extra.items()],
        series=series,
        file=file,
        replay=replay,
    )


def _label(key: str) -> str:
    head, _, number = key.rpartition(" ")
    if number.isdigit() and head in LABELS:
        return f"{LABELS[head]} of part {number}"
    return LABELS.get(key, key)


def _texts(values: Any) -> list[str]:
    return [_text(value) for value in values] if isinstance(values, (list, tuple)) else []


def _text(value: Any) -> str:
    try:
        return show(decode(value))
    except WitnessError:
        return str(value)


def _recomputed(
    document: dict[str, Any], claim: Claim | None, values: dict[str, Any]
) -> tuple[list[tuple[Markup, str]], list[tuple[Markup, Markup, str]]]:
    """Hypotheses and draw-free quantities at the witness, from the exact definitions."""
    from boundcheck.setting import Setting

    stale = claim is None or document.get("fingerprint") != claim.fingerprint()
    if claim is None or stale or not values or claim.cost > COSTLY:
        return [], []
    setting = Setting(claim, values)
    hypotheses, measured = [], []
    for given in claim.given:
        try:
            truth = setting.decide(given)
        except Exception:  # no value here: the page says so and goes on
            truth = None
        hypotheses.append((condition(given), "holds" if truth else "not certified"))
    if document.get("kind") == "trend" or isinstance(claim.statement, UpToConstant):
        return hypotheses, []
    for symbol_, quantity in claim.measure.items():
        if symbol_.name in claim.random_names:
            continue
        try:
            with precision(PRECISIONS[1]):
                shown = show(setting(symbol_.name))
        except Exception as error:
            shown = f"has no value: {' '.join(str(error).split())}"
        measured.append((math(symbol_), meaning(symbol_, quantity), shown))
    return hypotheses, measured
