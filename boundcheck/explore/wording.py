"""Requirements as text for a terminal and as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import sympy
from flint import arb, fmpq, fmpz

from boundcheck import exact
from boundcheck.exact import precision
from boundcheck.explore.alone import Interval
from boundcheck.explore.ranges import braced
from boundcheck.explore.solving import LARGEST_REAL, LARGEST_WHOLE
from boundcheck.expressions.printed import as_printed
from boundcheck.worlds.fields import Choice, Integer, Real

MOST_INTERVALS, FIRST = 6, 3  # of admissible values that are all shown, or else the first
LONG_POWER = re.compile(r"(?<![\w.])1(0{7,})(?![\w.])")

if TYPE_CHECKING:
    from boundcheck.explore.answers import Requirement
    from boundcheck.explore.conditions import System
    from boundcheck.explore.ranges import Range


def plain(value: Any, digits: int = 10) -> str:
    """A number for people: short ones exactly, long ones in decimals, huge ones with an exponent.

    >>> plain(fmpq(1, 1000)), plain(52428800000), plain(fmpq(1, 3)), plain(10**40 + 1)
    ('0.001', '52428800000', '0.3333333333', '1.0e+40')
    """
    if isinstance(value, str):
        return value
    if hasattr(value, "is_Float") and value.is_Float:
        value = sympy.Rational(value)
    try:
        ratio = fmpq(int(value.p), int(value.q)) if hasattr(value, "p") else fmpq(value)
    except TypeError:
        return str(value)
    if ratio.q == 1 and abs(ratio) < 10**15:
        return str(int(ratio.p))
    with precision(4 * digits + 64):
        text = arb(ratio).str(digits, radius=False)
    head, _, exponent = text.partition("e")
    if "." in head:
        head = head.rstrip("0")
        head = head + "0" if head.endswith(".") else head
    return f"{head}e{exponent}" if exponent else head


def formula_text(expression: Any) -> str:
    """An expression on one line in the notation of its field, long powers of ten as such.

    >>> formula_text(10**40 * sympy.Symbol("R"))
    '10**40*R'
    """
    return LONG_POWER.sub(lambda found: f"10**{len(found.group(1))}", as_printed(expression))


def domain_text(field: Any) -> str:
    """The values that a field may take, in words.

    >>> from boundcheck.worlds import Integer
    >>> domain_text(Integer(1, 3)), domain_text(Integer(2, searched=9)), domain_text(Real(0, None))
    ('integer from 1 to 3', 'integer, at least 2', 'real in [0, oo)')
    """
    if isinstance(field, Choice):
        return "one of " + ", ".join(str(item) for item in dict.fromkeys(field.items))
    if isinstance(field, Integer):
        if field.high is not None:
            return f"integer from {field.low} to {formula_text(field.high)}"
        return f"integer, at least {field.low}"
    if isinstance(field, Real):
        low = "(-oo" if field.low is None else f"{'(' if field.open_low else '['}{field.low}"
        high = "oo)" if field.high is None else f"{field.high}{')' if field.open_high else ']'}"
        return f"real in {low}, {formula_text(high)}"
    return type(field).__name__


def searched_text(field: Any) -> str:
    """How far an integer without an upper end is searched, in brackets; else nothing."""
    endless = isinstance(field, Integer) and field.high is None
    return f" (searched up to {formula_text(field.top)})" if endless else ""


def optional_text(expression: Any) -> str | None:
    """The same of an expression that may be missing."""
    return None if expression is None else formula_text(expression)


def grouped(value: Any) -> str:
    """A whole number with its digits in threes, or `plain` if it has more than 60 digits.

    >>> grouped(5 * 10**28 + 7)
    '50,000,000,000,000,000,000,000,000,007'
    """
    if isinstance(value, int) and abs(value) < 10**60:
        return f"{value:,}"
    return plain(value, 16)


def written(value: Any) -> str:
    """A number or word as text, integers of any length: Python stops at 4,300 digits.

    >>> len(written(10**5000)), written(sympy.Rational(1, 3)), written(fmpq(2, 3))
    (5001, '1/3', '2/3')
    """
    if getattr(value, "is_Rational", False):
        value = fmpq(int(value.p), int(value.q))
    return str(fmpz(value) if isinstance(value, int) and not isinstance(value, bool) else value)


def magnitude(value: Any) -> float:
    """log10 of the absolute value; minus infinity at zero."""
    ratio = fmpq(int(value.p), int(value.q)) if hasattr(value, "p") else None
    if ratio is None:
        ratio = fmpq(value) if isinstance(value, (int, fmpq)) else None
    with precision(128):
        ball = arb(ratio) if ratio is not None else arb(str(value))
        if ball == 0:
            return float("-inf")
        return float((abs(ball).log() / arb(10).log()).mid())


def listed(values: Mapping[str, Any], called: Mapping[str, str]) -> str:
    """Values by name as text; those that are no numbers or words are left out.

    Args: called: names to how they are printed, where that differs.
    """
    return ", ".join(
        f"{called.get(name, name)} = {plain(v)}"
        for name, v in values.items() if isinstance(v, (int, fmpq, str, sympy.Expr))
    )  # fmt: skip


def _gaps_follow(need: Requirement) -> bool:
    """Whether values fail again beyond the answer."""
    if len(need.intervals) < 2 or need.sense not in ("least", "greatest"):
        return False
    least = need.sense == "least"
    if need.allowed.items is not None:
        met = [low for low, _ in need.intervals if low is not None]
        return any(item > met[0] if least else item < met[-1]
                   for item in need.allowed.items if item not in met)  # fmt: skip
    end = need.intervals[-2][1] if least else need.intervals[1][0]
    if end is None:
        return False
    answer = exact.ratio_of(need.answer)
    return end >= answer if least else end <= answer


def requirement_text(need: Requirement) -> str:
    """The lines that `boundcheck require` prints."""
    if need.sense in ("any", "implicit"):
        return _open_text(need)
    word = need.word
    if need.answer is None:
        lines = [f"{need.label}: {as_printed(need.symbol)} {word} {formula_text(need.formula)}"]
        lines += [need.note] if need.note else []
        lines.append(f"give     {', '.join(need.missing)} for a number")
        return "\n".join([*lines, *_cautions(need)])
    large = isinstance(need.answer, int) and need.answer >= 10**9
    size = f" (about 10^{magnitude(need.answer):.1f})" if large else ""
    gaps = ", but not every one" if _gaps_follow(need) else ""
    lines = [f"{need.label}: {as_printed(need.symbol)} {word} {grouped(need.answer)}{size}{gaps}"]
    if need.note:
        lines.append(f"asked    {need.note}")
    if need.given:
        lines.append(f"given    {listed(need.given, need.called)}")
    if need.replaced:
        lines.append("         " + ", ".join(f"{k} = {v}" for k, v in need.replaced.items()))
    if need.assumed:
        lines.append(f"assumed  {listed(need.assumed, need.called)} (not given; use --set)")
    if need.computed:
        made = (f"{need.called.get(k, k)} = {v}" for k, v in need.computed.items())
        lines.append(f"so       {', '.join(made)}")
    lines += [f"binding  {short(relation)}" for relation in need.binding]
    if need.formula is not None:
        lines.append(f"formula  {formula_text(need.formula)}")
        if need.branch is not None and need.branch != need.formula:
            lines.append(f"branch   {formula_text(need.branch)}")
    if len(need.intervals) > 1 or need.endless:
        lines.append(f"admits   {_admitted(need)}")
    elif need.other_end is not None:
        words = ("less than", "more than") if need.other_open else ("no more than", "no less than")
        limit = words[need.sense != "least"]
        lines.append(f"and      {limit} {grouped(need.other_end)}")
    lines += [f"and      {short(relation)}" for relation in need.within]
    moved = {row.name: row for row in need.sensitivity}
    change = "doubled" if need.sense == "greatest" else "halved"
    halving = [
        f"{name} x {factor:.4g} (to {_times(moved[name].value, factor)})"
        for name, factor in need.halved_by.items()
    ]
    if halving:
        lines.append(f"{change:8s} by {', '.join(halving)}")
    if need.sensitivity:
        rates = [f"{row.name} {row.elasticity:+.4g}" for row in need.sensitivity]
        lines.append(f"rates    d log {need.symbol} / d log: {', '.join(rates)}")
    for trial in need.trials:
        if trial.holds:
            state = "all conditions hold"
        elif trial.holds is None:
            state = f"not decided: {short(trial.fails)}"
        else:
            state = f"{'no value of' if trial.undefined else 'fails'} {short(trial.fails)}"
        lines.append(f"tested   {trial.label}: {state}")
    for condition in need.conditions:
        if condition.holds is not True and not condition.missing:
            lines.append(f"caution  {short(condition)}")
    lines += _cautions(need)
    return "\n".join(lines)


def _tried(allowed: Range) -> str:
    """What an answer without an end was tried at; beyond it nothing is said."""
    natural = allowed.high is None and allowed.low in (None, 0, 1)
    found = magnitudes(allowed).strip()
    return (found or "all over its range") + (
        "" if natural or not found else f" of its range, {allowed}")


def magnitudes(allowed: Range) -> str:
    """At which magnitudes of a range values are tried; "" of one with two ends, tried all over."""
    if allowed.low is not None and allowed.high is not None:
        return ""
    ends = f"up to 2^{LARGEST_WHOLE}" if allowed.whole else f"2^-{LARGEST_REAL} to 2^{LARGEST_REAL}"
    return f" over the magnitudes {ends}"


def _open_text(need: Requirement) -> str:
    """What is printed where there is no number and no formula."""
    if need.sense == "any":
        lines = [f"{need.label}: every {as_printed(need.symbol)} that was tried will do, "
                 f"{_tried(need.allowed)}; no condition sets an end there"]
    else:
        asked = f"{need.label}: {as_printed(need.symbol)}"
        lines = [f"{asked} has no closed form; it is what the conditions say"]
    if need.note:
        lines.append(f"asked    {need.note}")
    if need.given:
        lines.append(f"given    {listed(need.given, need.called)}")
    if need.assumed:
        lines.append(f"assumed  {listed(need.assumed, need.called)} (not given; use --set)")
    lines += [f"asked    {short(relation)}" for relation in (*need.binding, *need.within)]
    if need.missing:
        lines.append(f"give     {', '.join(need.missing)} for a number")
    return "\n".join([*lines, *_cautions(need)])


def _cautions(need: Requirement) -> list[str]:
    return [f"caution  {ground}" for ground in need.grounds]


def short(relation: Any, width: int = 150) -> str:
    """An expression on one line, cut where a terminal line would be filled twice."""
    text = formula_text(relation)
    return text if len(text) <= width else text[: width - 3] + "..."


def _admitted(need: Requirement) -> str:
    """The intervals of admissible values, or their set; of many the first, for values come and go
    there."""
    if need.allowed.items is not None:
        return braced([low for low, _ in need.intervals if low is not None])
    shown = need.intervals if len(need.intervals) <= MOST_INTERVALS else need.intervals[:FIRST]
    parts = " and ".join(_interval(pair, need.allowed, need.left_out) for pair in shown)
    if len(shown) == len(need.intervals) and not need.endless:
        return parts
    return f"{parts} and others; not all values beside or between them were tried"


def _interval(pair: tuple[Any, Any], allowed: Range, left_out: frozenset[fmpq]) -> str:
    """An interval as text; where no condition sets an end, that of the range."""
    low, high = (end if own is None else own
                 for own, end in zip(pair, (allowed.low, allowed.high), strict=True))  # fmt: skip
    open_low = allowed.open_low if pair[0] is None else low in left_out
    open_high = allowed.open_high if pair[1] is None else high in left_out
    before = "(" if low is None or open_low else "["
    after = ")" if high is None or open_high else "]"
    return (f"{before}{'-oo' if low is None else plain(low)}, "
            f"{'oo' if high is None else plain(high)}{after}")  # fmt: skip


def _times(value: Any, factor: float) -> str:
    reached = fmpq(value) * fmpq(round(factor * 10**12), 10**12)
    near = fmpq((reached + fmpq(1, 2)).floor())
    return plain(near if abs(reached - near) < abs(near) / 10**9 else reached, 4)


def requirement_json(need: Requirement) -> dict[str, Any]:
    """JSON-ready form of a requirement."""
    known = need.answer is not None
    return {
        "claim": need.label,
        "symbol": need.symbol.name,
        "sense": need.sense,
        "answer": written(need.answer) if known else None,
        "log10": finite(magnitude(need.answer)) if known else None,
        "formula": optional_text(need.formula),
        "latex": need._repr_latex_(),
        "branch": optional_text(need.branch),
        "binding": [formula_text(relation) for relation in need.binding],
        "range": str(need.allowed),
        "note": need.note,
        "not_standing": [ground.as_json() for ground in need.grounds],
        "proof": need.proof,
        "intervals": [[None if end is None else written(end) for end in pair]
                      for pair in need.intervals],
        "other_end": written(need.other_end) if need.other_end is not None else None,
        "given": {k: written(v) for k, v in need.given.items()}
        | {str(k): written(v) for k, v in need.replaced.items()},
        "assumed": {k: written(v) for k, v in need.assumed.items()},
        "computed": dict(need.computed),
        "missing": list(need.missing),
        "halved_by": need.halved_by,
        "sensitivity": [
            {
                "symbol": row.name, "value": written(row.value), "elasticity": row.elasticity,
                "if_halved": row.halved, "if_doubled": row.doubled, "factor": row.factor,
            }
            for row in need.sensitivity
        ],
        "tests": [
            {
                "at": trial.label, "value": written(trial.value), "holds": trial.holds,
                "fails": optional_text(trial.fails),
            }
            for trial in need.trials
        ],
        "conditions": [
            {"condition": formula_text(c.relation), "holds": c.holds, "missing": list(c.missing)}
            for c in need.conditions
        ],
    }  # fmt: skip


def finite(value: float | None) -> float | None:
    """A number as JSON has it; None for none, and for what no float holds."""
    return value if value is not None and abs(value) < float("inf") else None


def missed(
    system: System, wanted: sympy.Rel, where: Mapping[str, Any], names: Iterable[str], what: str
) -> str:
    """What comes nearest to a condition that no plan was found to meet, and where."""
    low, high = (_reached(system.evaluate(side, where)) for side in (wanted.lts, wanted.gts))
    beyond = "" if wanted.gts.is_number else f" against {high}"
    at = ", ".join(f"{n} = {exact.to_float(where[n]):.4g}" for n in names)
    return (
        f"no plan was found that meets {formula_text(wanted)}; the best reached is "
        f"{formula_text(wanted.lts)} = {low}{beyond} at {at}; relax {what} or change --set"
    )


def _reached(value: Any) -> str:
    """A number in six digits; a ball that has lost its value has none."""
    lost = isinstance(value, arb) and not value.is_finite()
    return "a number too large to tell" if lost else f"{exact.to_float(value):.6g}"


def span(intervals: tuple[Interval, ...]) -> str:
    """The ends of admissible values, such as "from 1 to 2"."""
    low, high = intervals[0][0], intervals[-1][1]
    if high is None:
        return f"at least {plain(low)}" if low is not None else "outside a gap"
    return f"at most {plain(high)}" if low is None else f"from {plain(low)} to {plain(high)}"
