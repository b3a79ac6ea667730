"""Both sides of a failing statement worked out at one world, step by step, in at most ten lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sympy
from flint import fmpq, fmpq_mat

from boundcheck import exact
from boundcheck.certify import LISTED, certify, expectation, violation_probability, why_undefined
from boundcheck.claim import Expected, WithProbability
from boundcheck.encoding import brief, show
from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import PRECISIONS, precision
from boundcheck.expressions.printed import as_printed
from boundcheck.setting import Setting, live, parts
from boundcheck.verdict import Verdict
from boundcheck.worlds.composed import Tuples
from boundcheck.worlds.fields import Field, Weights

LINES = 10
DIGITS = 6
LONGEST = 12  # entries of a vector or matrix that are written out
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?(?:/\d+)?")
NEGATED = {
    sympy.Le: ">", sympy.Lt: ">=", sympy.Ge: "<", sympy.Gt: "<=", sympy.Eq: "!=", sympy.Ne: "==",
}  # fmt: skip


def shown_values(setting: Setting) -> tuple[tuple[str, str], ...]:
    """Fields and parameters of a world with their values, structure said as structure."""
    fields = setting.claim.fields
    return tuple((name, _as_law(value, fields.get(name)) or structured(value))
                 for name, value in setting.values.items())  # fmt: skip


def numbers_shown(values: Iterable[tuple[str, str]]) -> int:
    """How many numbers a person reads in the values of a world.

    >>> numbers_shown([("p", "uniform"), ("x", "(0, -1/2)")])
    2
    """
    return sum(len(NUMBER.findall(text)) for _, text in values)


def _as_law(value: Any, field: Field | None) -> str:
    """Equal weights in words; "" for others. How many there are another field says."""
    laws = value if isinstance(field, Tuples) and isinstance(field.entry, Weights) else (value,)
    if laws is not value and not isinstance(field, Weights):
        return ""
    if not laws or any(len(set(law)) > 1 for law in laws):
        return ""
    each = "each " if len(laws) > 1 else ""
    return each + ("a point mass" if all(len(law) == 1 for law in laws) else "uniform")


def structured(value: Any) -> str:
    """A value as a person writes it: identity matrices and repeated entries by name.

    >>> structured(fmpq_mat(2, 2, [1, 0, 0, 1])), structured((fmpq(1, 8),) * 8)
    ('identity of size 2', '8 entries equal to 1/8')
    """
    if isinstance(value, fmpq_mat):
        return _matrix(value)
    if isinstance(value, tuple) and len(value) > 3 and len({str(v) for v in value}) == 1:
        return f"{len(value)} entries equal to {show(value[0])}"
    if isinstance(value, tuple) and len(value) > LONGEST:
        return f"{len(value)} entries, the first {show(value[:3])}"
    return show(value)


def _matrix(value: fmpq_mat) -> str:
    rows, cols = value.nrows(), value.ncols()
    cells = [[value[i, j] for j in range(cols)] for i in range(rows)]
    off = [cells[i][j] for i in range(rows) for j in range(cols) if i != j]
    diagonal = {str(cells[i][i]) for i in range(min(rows, cols))}
    if rows == cols and rows > 1 and len(diagonal) == 1 and not any(off):
        factor = cells[0][0]
        if factor:
            times = "" if factor == 1 else f"{factor} times "
            return f"{times}identity of size {rows}"
    if rows == cols > 1 and not any(off):
        entries = tuple(cells[i][i] for i in range(rows))
        return f"diagonal {structured(entries)}" if any(entries) else "zero"
    if rows * cols > 1 and len({str(entry) for row in cells for entry in row}) == 1:
        return f"{rows} x {cols} matrix of entries {cells[0][0]}"
    return show(value) if rows * cols <= LONGEST else f"a {rows} x {cols} matrix"


def family_lines(verdict: Verdict) -> tuple[str, ...]:
    """What moves and by which law left outgrows right, of a refutation by growth."""
    witness = verdict.witness
    if witness is None or witness.kind != "trend":
        return ()
    extra = witness.extra
    if extra.get("repeated"):
        return tuple(f"{name}: {text}" for name, text in witness.shown.items())
    return (f"as t grows without end: {along(extra['ray'])}", *witness.shown.values())


def along(ray: Mapping[str, Sequence[str]]) -> str:
    """How the numbers of a family move with t: by name a power and what they tend to, as text.

    >>> along({"n": ["1", "0"], "lambda": ["-1", "0"], "x": ["-1/2", "1"]})
    'n as c t, lambda as c/t, x as 1 + c t^(-1/2)'
    """
    powers = {"1": "c t", "-1": "c/t", "0": "c"}
    moves = {
        name: powers.get(power) or f"c t^{power if power.isdigit() else f'({power})'}"
        for name, (power, _) in ray.items()
    }
    ends = {name: "" if end == "0" else f"{end} + " for name, (_, end) in ray.items()}
    return ", ".join(f"{name} as {ends[name]}{move}" for name, move in moves.items())


def sampled_lines(verdict: Verdict, setting: Setting) -> tuple[str, ...]:
    """What fresh draws say of the probability of a violation at the world of a refutation."""
    witness = verdict.witness
    if witness is None or witness.kind != "statistical" or "violations" not in witness.shown:
        return ()
    seen, draws = witness.shown["violations"], witness.shown["draws"]
    form = getattr(setting.claim.statement, "inner", setting.claim.statement)
    lines = [f"random: {setting.draw.over}", f"{seen} of {draws} fresh draws violate the bound"]
    if isinstance(form, WithProbability):
        with precision(PRECISIONS[1]):
            allowed = setting.evaluate(1 - form.level)
        lines.append(f"allowed: {as_printed(1 - form.level)} = {number(allowed)}")
    return tuple(lines)


def worked(setting: Setting) -> tuple[str, ...]:
    """The calculation at a failing world."""
    claim = setting.claim
    form = getattr(claim.statement, "inner", claim.statement)
    if claim.draw is not None and claim.draw.count(setting) > LISTED:
        return (f"random: {claim.draw.over}, more outcomes than can be listed",)
    reason = why_undefined(setting) if not _fails(setting) else ""
    if reason:
        return (f"no value: {reason}",)
    try:
        if isinstance(form, WithProbability) and claim.draw is not None:
            lines = _probability(setting, form)
        elif isinstance(form, Expected) and claim.draw is not None:
            lines = _expected(setting, form)
        else:
            lines = _sides(_at_outcome(setting, form.relation), form.relation)
    except (Undefined, Undecided) as error:
        return (f"left open by {error}",)
    return tuple(lines[:LINES])


def _fails(setting: Setting) -> bool:
    try:
        return certify(setting)[0]
    except (Undefined, Undecided):
        return False


def _at_outcome(setting: Setting, relation: sympy.Basic) -> Setting:
    """The first outcome at which a relation fails; the setting itself without a draw."""
    if setting.claim.draw is None:
        return setting
    for probability, outcome in setting.draw.outcomes(setting):
        here = setting.with_outcome(outcome)
        if probability and here.decide(relation) is False:
            return here
    return setting


def _sides(here: Setting, relation: sympy.Basic) -> list[str]:
    """Measured symbols, then both sides of the comparison that fails."""
    lines = [f"{name} = {number(value)}" for name, value in here.outcome.items()]
    for part in parts(relation):
        if here.decide(part) is not False or part not in live(relation, here):
            continue
        lines += _measured(here, part)
        with precision(PRECISIONS[1]):
            left, right = here.evaluate(part.lhs), here.evaluate(part.rhs)
        for name, side, value in (("left", part.lhs, left), ("right", part.rhs, right)):
            lines.append(_equation(name, side, value))
        lines.append(f"{number(left)} {NEGATED[type(part)]} {number(right)}")
        break
    return lines


def _measured(here: Setting, part: sympy.Basic) -> list[str]:
    symbols = sorted((s for s in part.free_symbols if s.name in here.claim.measured), key=str)
    bare = {side for side in part.args if isinstance(side, sympy.Symbol)}
    with precision(PRECISIONS[1]):
        return [f"{as_printed(s)} = {number(here(s.name))}" for s in symbols if s not in bare]


def _equation(name: str, side: sympy.Basic, value: Any) -> str:
    shown = "" if side.is_number else f": {as_printed(side)}"
    return f"{name}{shown} = {number(value)}"


def number(value: Any) -> str:
    """A value in a calculation: exact if short, else a few digits."""
    if isinstance(value, fmpq) and len(str(value)) <= 9:
        return str(value)
    if isinstance(value, fmpq):
        return brief(value, DIGITS)
    if isinstance(value, (tuple, fmpq_mat)):
        return structured(value)
    return show(value, DIGITS)


def _probability(setting: Setting, form: WithProbability) -> list[str]:
    """The failing event, its probability, and what the statement allows."""
    lines = [f"random: {setting.draw.over}"]
    failing = []
    for probability, outcome in setting.draw.outcomes(setting):
        here = setting.with_outcome(outcome)
        if probability and here.decide(form.relation) is False:
            failing.append((probability, here))
    failing.sort(key=lambda item: -item[0])
    if failing:
        probability, here = failing[0]
        lines += _sides(here, form.relation)
        others = len(failing) - 1
        more = f" and {others} outcome{'s' * (others > 1)} more" if others else ""
        lines.append(f"this outcome has probability {number(fmpq(probability))}{more}")
    total = violation_probability(setting, form.relation)
    with precision(PRECISIONS[1]):
        allowed = setting.evaluate(1 - form.level)
    sides_of = f"{number(total)} > {number(allowed)} = {as_printed(1 - form.level)}"
    return [*lines[: LINES - 1], f"the bound fails with probability {sides_of}"]


def _expected(setting: Setting, form: Expected) -> list[str]:
    lines = [f"mean over {setting.draw.over}, {int(setting.draw.count(setting))} outcomes"]
    for part in live(form.relation, setting):
        with precision(PRECISIONS[1]):
            left, right = (expectation(setting, side) for side in part.args)
            if exact.compare(part, left, right) is not False:
                continue
        lines.append(f"E[{as_printed(part.lhs)}] = {number(left)}")
        lines.append(f"E[{as_printed(part.rhs)}] = {number(right)}")
        lines.append(f"{number(left)} {NEGATED[type(part)]} {number(right)}")
    return lines
