"""One claim as text for `boundcheck show`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import sympy

from boundcheck.library import Library
from boundcheck.setting import Setting

LEDGER = Path("reports") / ".boundcheck" / "ledger.sqlite"


def describe_claim(library: Library, key: str, values: Mapping[str, Any]) -> str:
    """Statement, hypotheses with their status at given values, place, reading, last verdict."""
    claim = library[key]
    form = claim.statement
    inner = getattr(form, "inner", form)
    level = getattr(inner, "level", None)
    head = form.name if level is None else f"{form.name} with probability at least {level}"
    lines = [
        key,
        f"  {library.title(key)}",
        f"  printed     {claim.source}",
        f"  form        {head}",
        f"  statement   {form.relation}",
    ]
    if claim.draw is not None:
        lines.append(f"  random      {claim.draw.over}")
    setting = Setting(claim, values)
    for condition in claim.given:
        lines.append(f"  given       {condition}{_status(setting, condition, values)}")
    if not claim.given:
        lines.append("  given       nothing beyond the worlds and parameter ranges")
    for symbol, field in claim.parameters.items():
        lines.append(f"  parameter   {symbol}: {field}")
    if claim.worlds is not None:
        lines.append(f"  world       {', '.join(claim.worlds.names)}")
    if claim.reading:
        lines.append(f"  reading     {claim.reading}")
    for used in claim.uses:
        lines.append(f"  rests on    {used}")
    lines.append(f"  verdict     {_last(library, key)}")
    return "\n".join(lines)


def _status(setting: Setting, condition: sympy.Basic, values: Mapping[str, Any]) -> str:
    if not {symbol.name for symbol in condition.free_symbols} <= set(values):
        return ""
    truth = setting.decide(condition)
    return {True: "   [met]", False: "   [NOT met]", None: "   [undecided]"}[truth]


def _last(library: Library, key: str) -> str:
    if not LEDGER.is_file():
        return f"not yet; run `boundcheck verify {key}`"
    from boundcheck.ledger import Ledger

    ledger = Ledger(LEDGER, library.root)
    entry = ledger.last(key)
    ledger.close()
    if entry is None:
        return f"not yet; run `boundcheck verify {key}`"
    return f"{entry['verdict'].upper()}: {entry['summary']}"
