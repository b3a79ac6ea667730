"""One claim as text for `boundcheck show`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from boundcheck.library import Library

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
    status = _status(library, key, values) if values else {}
    for condition in claim.given:
        lines.append(f"  given       {condition}{status.get(str(condition), '')}")
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


def _status(library: Library, key: str, values: Mapping[str, Any]) -> dict[str, str]:
    """Truth of the hypotheses at the given values, by their text."""
    from boundcheck.explore import conditions_at

    words = {True: "   [met]", False: "   [NOT met]", None: "   [depends on what is not given]"}
    states = conditions_at(key, values, root=library.root)
    return {str(state.relation): words[state.holds] for state in states}


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
