"""One claim as text for `boundcheck show`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boundcheck.errors import BoundcheckError, OutputError
from boundcheck.library import Library, root_option

if TYPE_CHECKING:
    import sympy

    from boundcheck.claim import Claim

LEDGER = Path("reports") / ".boundcheck" / "ledger.sqlite"


def describe_claim(library: Library, key: str, values: Mapping[str, Any]) -> str:
    """Statement, hypotheses with their status at given values, place, reading, last verdict."""
    from boundcheck.explore.wording import domain_text, formula_text, searched_text
    from boundcheck.setting import flatten

    claim = library[key]
    form = claim.statement
    inner = getattr(form, "inner", form)
    level = getattr(inner, "level", None)
    head = form.name if level is None else f"{form.name}, {level} or more"
    lines = [
        key,
        f"  {library.title(key)}",
        f"  printed     {claim.source}",
        f"  form        {head}",
        f"  statement   {formula_text(form.relation)}",
    ]
    if claim.draw is not None:
        lines.append(f"  random      {claim.draw.over}")
    status = _status(library, key, values) if values else {}
    for condition in claim.given:
        for relation in flatten(condition):
            lines.append(f"  given       {formula_text(relation)}{status.get(str(relation), '')}")
    if not claim.given:
        lines.append("  given       nothing beyond the worlds and parameter ranges")
    for symbol, field in claim.parameters.items():
        lines.append(f"  parameter   {symbol}: {domain_text(field)}{searched_text(field)}")
    if claim.worlds is not None:
        lines.append(f"  world       {', '.join(claim.worlds.names)}")
    for symbol, quantity in claim.measure.items():
        lines += _definition(symbol, quantity)
    named = parts_named([form.relation, *claim.given, *claim.measure])
    lines += [f"  where       {name} = {body}" for name, body in named.items()]
    lines += _unread(claim)
    if claim.reading:
        lines.append(f"  reading     {claim.reading}")
    for used in claim.uses:
        lines.append(f"  rests on    {used}")
    lines.append(f"  verdict     {_last(library, key)}")
    return "\n".join(lines)


def _unread(claim: Claim) -> list[str]:
    """What readings say of a claim: whether units balance, which definitions have no float batch.

    A statement that fixes a scale, as k(x, x) <= 1 does, need not balance: that is no error.
    """
    from boundcheck.expressions.units import carries_units

    parts = [("statement", claim.statement.relation), *(("given", part) for part in claim.given)]
    lines = [f"  units       {_balance(part)} ({name})" for name, part in parts
             if carries_units(part)]  # fmt: skip
    for name, quantity in claim.measured.items():
        if getattr(quantity, "estimator", None) is None:
            reason = getattr(quantity, "no_batch", f"{name} is code without an estimator")
            lines.append(f"  no float batch: {reason}")
    return list(dict.fromkeys(lines))


def _balance(relation: sympy.Basic) -> str:
    from boundcheck.expressions.units import Unbalanced, UnknownUnits, units_of

    try:
        units_of(relation)
    except Unbalanced as error:
        return f"do not balance at {error}"
    except UnknownUnits as error:
        return f"not known: {error}"
    return "balance"


def _definition(symbol: Any, quantity: Any) -> list[str]:
    """What a measured symbol stands for, one line; nothing where the statement shows it."""
    from boundcheck.explore.wording import formula_text
    from boundcheck.expressions.binding import Definition

    meaning = getattr(symbol, "meaning", None)
    if meaning is not None and meaning.inline:
        return []
    said = " ".join((getattr(quantity, "__doc__", None) or "").split("\n\n")[0].split())
    if isinstance(quantity, Definition):
        text = formula_text(quantity.shown)
        return [f"  where       {symbol} = {text}" + (f": {said}" if said else "")]
    return [f"  where       {symbol}: {said}"] if said else []


def _status(library: Library, key: str, values: Mapping[str, Any]) -> dict[str, str]:
    """Truth of the hypotheses at the given values, by their text."""
    from boundcheck.explore import conditions_at

    words = {True: "   [met]", False: "   [NOT met]", None: "   [depends on what is not given]"}
    states = conditions_at(key, values, root=library.root)
    return {str(state.relation): words[state.holds] for state in states}


def _last(library: Library, key: str) -> str:
    """The verdict of the last report, else the golden one of the source's folder."""
    entry = None
    if LEDGER.is_file():
        from boundcheck.ledger import Ledger

        try:
            ledger = Ledger(LEDGER, library.root, library.claims, reading=True)
            entry = ledger.last(key)
            ledger.close()
        except OutputError as error:
            return f"not known: {error}"
    command = f"boundcheck verify {key}{root_option(library.root)}"
    if entry is not None:
        said = f"{entry['verdict'].upper()}: {entry['summary']}"
        return f"{said} ({stale(command)})" if entry["stale"] else said
    return golden_verdict(library, key) or f"none kept; `{command}` shows one"


def stale(command: str) -> str:
    """What is said beside a kept verdict of other files or versions than the present ones."""
    return f"before claim, code or versions changed; `{command}` shows the present one"


def golden_verdict(library: Library, key: str) -> str:
    """What verdicts.toml beside the statement says, as `pytest --update-verdicts` wrote it."""
    from boundcheck.golden import read_golden

    try:
        found = read_golden(library.root / key.partition("/")[0]).get(key)
    except BoundcheckError:
        found = None
    return "" if found is None else f"{found} (golden: verdicts.toml)"


def parts_named(expressions: Iterable[sympy.Basic]) -> dict[str, str]:
    """Names of parts in expressions and in what their symbols stand for, to what they name."""
    import sympy

    from boundcheck.expressions.names import Named
    from boundcheck.expressions.printed import as_printed
    from boundcheck.expressions.symbols import Known

    found: dict[str, str] = {}
    left, seen = list(expressions), set()
    while left:
        for each in sympy.preorder_traversal(left.pop()):
            if isinstance(each, Named):
                found.setdefault(as_printed(each), as_printed(each.body))
            definition = each.meaning.definition if isinstance(each, Known) else None
            if definition is not None and each not in seen:
                seen.add(each)
                left.append(definition)
    return found
