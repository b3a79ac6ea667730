"""A claim at one world that a user gives: values, hypotheses, both sides, and the truth there.

Values are numbers, text "p/q", lists for vectors and lists of lists for matrices; decimals are
exact (0.1 is a tenth). Sizes follow from the vectors and matrices that they measure, and fields
that are functions of others are computed; every other field and parameter must be given.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sympy
from flint import fmpq, fmpq_mat

from boundcheck import certify, exact
from boundcheck.boundary.documents import Misshapen, Unreadable, read_json
from boundcheck.boundary.files import MIB
from boundcheck.boundary.messages import reason, shown
from boundcheck.claim import Claim, Expected, UpToConstant, WithProbability
from boundcheck.encoding import encode, show
from boundcheck.errors import BoundcheckError, InvalidArgument, Undecided, Undefined
from boundcheck.exact import PRECISIONS, Value, precision
from boundcheck.explore.typed import typed
from boundcheck.expressions.printed import as_printed
from boundcheck.scores import constant_needed
from boundcheck.setting import Setting, fits, flatten, guarded, met
from boundcheck.verdict import Witness

LARGEST = 16 * MIB
LARGEST_SIZE = 10_000  # of a world for which a model is built
SEQUENCES = (list, tuple)
TRUTH = {True: "holds", False: "fails", None: "undecided"}


@dataclass(frozen=True)
class Found:
    """What holds of a claim at one world.

    Args:
        verdict: in words; violated: whether this world contradicts the statement.
        lines: everything above it; witness: of a violation, to be sealed, else None.
    """

    key: str
    verdict: str
    violated: bool
    lines: tuple[str, ...]
    witness: Witness | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return "\n".join((self.key, *self.lines, _line("verdict", self.verdict)))


def read_world(path: Path) -> dict[str, Any]:
    """The values of a JSON file by name.

    Raises: InvalidArgument if it cannot be read or is no object.
    """
    try:
        document = read_json(path, LARGEST)
    except (Unreadable, Misshapen) as error:
        raise InvalidArgument(f"--world {path} {reason(error)}; give a JSON file") from error
    if not isinstance(document, dict):
        raise InvalidArgument(
            f'--world {path} holds no object; write {{"NAME": VALUE, ...}} with numbers, "p/q", '
            "lists and lists of lists"
        )
    return document


def setting_of(key: str, claim: Claim, given: Mapping[str, Any]) -> Setting:
    """The setting with these values; what follows from them is added.

    Args: given: by name, numbers or text, or lists of them, of at most two levels for matrices.
    Raises: InvalidArgument naming a value that is missing, unknown or no exact value.
    """
    fields = dict(claim.worlds.fields) if claim.worlds is not None else {}
    fields |= {symbol.name: domain for symbol, domain in claim.parameters.items()}
    for name in given:
        if name not in fields:
            raise InvalidArgument(f"{key} takes no value {shown(name)}; {_hint(name, fields)}")
    asked = {name: typed(name, value) for name, value in given.items()}
    asked = {**_sizes(fields, asked), **asked}
    values: dict[str, Value] = {}
    negative = ""  # size, of which python-flint makes no matrix but an end of the process
    for name, domain in fields.items():
        if name in asked:
            values[name] = _readings(name, domain, asked[name], {})[0] if negative else (
                _exact(name, domain, asked[name], values))  # fmt: skip
            negative = negative or (name if _is_negative_size(domain, values[name]) else "")
        elif negative:
            raise InvalidArgument(
                f"{key}: {negative} = {values[negative]} leaves {name} without a value; "
                f"give {negative} within its range"
            )
        else:
            values[name] = _derived(key, name, domain, values)
    return Setting(claim, values)


def _is_negative_size(domain: Any, value: Value) -> bool:
    from boundcheck.worlds.fields import Integer

    return isinstance(domain, Integer) and isinstance(value, int) and value < 0


def _hint(name: str, fields: Mapping[str, Any]) -> str:
    near = difflib.get_close_matches(name, list(fields), n=1)
    return (f"did you mean {near[0]!r}? " if near else "") + f"it takes {', '.join(fields)}"


def _sizes(fields: Mapping[str, Any], asked: Mapping[str, Any]) -> dict[str, int]:
    """Sizes that the given vectors and matrices show."""
    found: dict[str, int] = {}
    for name, value in asked.items():
        if not isinstance(value, (list, tuple)):
            continue
        domain = fields[name]
        cols, nested = getattr(domain, "cols", None), isinstance(next(iter(value), 0), SEQUENCES)
        row = cols is not None and not nested  # of a matrix, as it is shown
        for attribute in ("size", "rows"):
            found.setdefault(str(getattr(domain, attribute, "")), 1 if row else len(value))
        if row or nested:
            found.setdefault(str(cols), len(value if row else value[0]))
    return {name: size for name, size in found.items() if name in fields}


def _derived(key: str, name: str, domain: Any, values: Mapping[str, Value]) -> Value:
    from boundcheck.worlds.composed import Derived
    from boundcheck.worlds.sources import Coordinates

    if not isinstance(domain, Derived):
        raise InvalidArgument(f"{key}: {name} is missing; give --set {name}=VALUE or put it into "
                              "the file of --world")  # fmt: skip
    return domain.build(Coordinates(()), values)


def _exact(name: str, domain: Any, value: Any, earlier: Mapping[str, Value]) -> Value:
    """The exact value that a field admits, among the ways to read what was given."""
    model = _model(domain, earlier)
    readings = [_alike(model, reading) for reading in _readings(name, domain, value, earlier)]
    for reading in readings:
        if fits(domain, name, {**earlier, name: reading}):
            return reading
    return readings[0]


def _model(domain: Any, earlier: Mapping[str, Value]) -> Value | None:
    """Some value of a field made by a rule, which shows where it holds whole numbers."""
    from boundcheck.worlds.composed import Custom, Derived
    from boundcheck.worlds.sources import Coordinates

    sizes = [value for value in earlier.values() if isinstance(value, int)]
    if not isinstance(domain, (Custom, Derived)) or max(sizes, default=0) > LARGEST_SIZE:
        return None
    try:
        return domain.build(Coordinates(()), earlier)
    except Exception:  # a rule of users that other values do not suit
        return None


def _alike(model: Any, value: Any) -> Any:
    """The same value with whole numbers as integers where the model has integers."""
    if isinstance(value, tuple) and isinstance(model, tuple) and model:
        models = [*model, *[model[-1]] * len(value)]
        return tuple(_alike(*pair) for pair in zip(models, value, strict=False))
    whole = isinstance(model, int) and isinstance(value, fmpq) and value.q == 1
    return int(value.p) if whole else value


def _readings(
    name: str, domain: Any, value: Any, earlier: Mapping[str, Value]
) -> list[Value]:
    """The ways to read what was given, the usual one first."""
    if not isinstance(value, SEQUENCES):
        return [_number(name, domain, value)]
    nested, of_matrices = (
        tuple(_entry(name, domain, entry, earlier, rows) for entry in value)
        for rows in (False, True)
    )  # fmt: skip
    matrix = _matrix(nested)
    rows = matrix is not None and isinstance(nested[0], tuple)
    found: list[Value] = [nested, of_matrices] if matrix is None else (
        [matrix, nested, of_matrices] if rows else [nested, matrix, of_matrices])  # fmt: skip
    if isinstance(value, tuple) and len(value) == 1 and isinstance(value[0], str):
        found.append(_number(name, domain, value[0]))  # brackets around a number
    return found


def _matrix(entries: tuple[Any, ...]) -> fmpq_mat | None:
    """Rows of equal lengths as a matrix, numbers as its one row; None if they are neither."""
    rows = entries if entries and isinstance(entries[0], tuple) else (entries,)
    if not all(isinstance(row, tuple) and len(row) == len(rows[0]) for row in rows):
        return None
    numbers = [entry for row in rows for entry in row]
    if not numbers or not all(isinstance(entry, fmpq) for entry in numbers):
        return None
    return fmpq_mat(len(rows), len(rows[0]), numbers)


def _entry(
    name: str, domain: Any, value: Any, earlier: Mapping[str, Value], rows: bool
) -> Any:
    """An entry of a list; `rows`: a list within it is a matrix, as in what is shown."""
    inner = getattr(domain, "entry", None)
    if not isinstance(value, SEQUENCES):
        return _number(name, inner, value)
    if inner is not None:
        return _exact(name, inner, value, earlier)
    entries = tuple(_entry(name, None, entry, earlier, False) for entry in value)
    matrix = _matrix(entries) if rows and isinstance(value, list) else None
    return entries if matrix is None else matrix


def _number(name: str, domain: Any, value: Any) -> Value:
    """An exact number, or one of the names of a choice."""
    from boundcheck.explore.grammar import parse_value
    from boundcheck.worlds.composed import Index
    from boundcheck.worlds.fields import Choice, Integer

    items = domain.items if isinstance(domain, Choice) else ()
    if isinstance(value, str) and value in items:
        return value
    if not isinstance(value, (int, float, str)) or isinstance(value, bool):
        raise InvalidArgument(
            f'{name} holds {shown(value)}, which is no exact value; write numbers, "p/q" and lists'
        )
    try:
        number = parse_value(value)
    except InvalidArgument as error:
        raise InvalidArgument(f"{name} has no exact value: {error}") from error
    if not isinstance(number, sympy.Rational):
        raise InvalidArgument(f"{name} = {shown(value)} is irrational; give a fraction near it")
    found = fmpq(int(number.p), int(number.q))
    same = next((item for item in items if not isinstance(item, str) and item == found), None)
    if same is not None:
        return same
    return int(found.p) if isinstance(domain, (Integer, Index)) and found.q == 1 else found


def at(key: str, claim: Claim, given: Mapping[str, Any]) -> Found:
    """What holds of a claim at a world.

    Args: given: values by name, as `setting_of` takes them.
    Raises: InvalidArgument for values that cannot be read or that the definitions cannot take.
    """
    setting = setting_of(key, claim, given)
    try:
        return _at(key, claim, setting)
    except (BoundcheckError, MemoryError):
        raise
    except Undecided as error:
        return Found(key, f"undecided here: {reason(error)}", False, _head(claim, setting))
    except Exception as error:  # definitions of users meet values that search never gave them
        raise InvalidArgument(
            f"{key} cannot be evaluated at these values ({type(error).__name__}: "
            f"{reason(error)}); check their kinds and shapes"
        ) from error


def _at(key: str, claim: Claim, setting: Setting) -> Found:
    lines = list(_head(claim, setting))
    outside = setting.outside()
    if outside:
        return Found(key, f"outside the domain: {outside}", False, tuple(lines))
    hypotheses = [_hypothesis(setting, part) for given in claim.given for part in flatten(given)]
    lines += [_line("hypothesis", f"{as_printed(part)}: {words}") for part, words in hypotheses]
    try:
        compared, truth = _compared(setting)
    except (Undefined, Undecided) as error:
        compared, truth = [_line("no value", reason(error))], None
    lines += compared
    if setting.failed_hypothesis() is not None:
        part, words = next(pair for pair in hypotheses if pair[1] != "holds")
        worst = f"{words}: {as_printed(part)}"
        return Found(key, f"a hypothesis {worst}; nothing is claimed here", False, tuple(lines))
    witness = _witness(key, claim, setting)
    if witness is not None:
        lack = "" if witness.kind != "malformed" else "has no value here and "
        return Found(key, f"{lack}violates: a witness", True, tuple(lines), witness)
    return Found(key, _verdict(claim, setting, truth), False, tuple(lines))


def _head(claim: Claim, setting: Setting) -> tuple[str, ...]:
    values = [_line("value", f"{name} = {show(value)}") for name, value in setting.values.items()]
    return (_line("statement", as_printed(claim.statement.relation)), *values)


def _line(label: str, text: object) -> str:
    return f"  {label:11} {text}"


def _hypothesis(setting: Setting, part: sympy.Basic) -> tuple[sympy.Basic, str]:
    try:
        return part, TRUTH[setting.decide(part)]
    except Undefined as error:
        return part, f"fails ({reason(error)})"


def _witness(key: str, claim: Claim, setting: Setting) -> Witness | None:
    """The evidence that this world contradicts the claim, ready to be sealed."""
    if setting.misfit():
        return None
    kind: str | None
    why = certify.why_undefined(setting)
    if why:
        kind, numbers = "malformed", {"reason": why}
    elif not _listed(setting):
        return None
    else:
        try:
            violated, numbers = certify.certify(setting)
            kind = "exact" if violated else None
        except (Undefined, Undecided):
            return None
    if kind is None:
        return None
    values = {name: encode(value) for name, value in setting.values.items()}
    return Witness(key, claim.fingerprint(), kind, values, numbers)


def _verdict(claim: Claim, setting: Setting, truth: bool | None) -> str:
    if setting.misfit():
        return f"no witness: {setting.misfit()}"
    if truth is None and not _listed(setting):
        return "undecided here: the draws are too many to be listed; take a smaller world"
    if isinstance(claim.statement, UpToConstant) and truth is not False:
        with precision(PRECISIONS[1]):
            least = constant_needed(setting, claim.statement)
        return f"holds here for constants of {max(least, 0.0):.6g} and more"
    return {True: "holds here", False: "fails here, not certified", None: "undecided here"}[truth]


def _listed(setting: Setting) -> bool:
    """Whether the outcomes of the draw are few enough to be gone through."""
    draw = setting.claim.draw
    return draw is None or draw.count(setting) <= certify.LISTED


def _compared(setting: Setting) -> tuple[list[str], bool | None]:
    """Both sides of every comparison, or the probability of a violation, and the truth."""
    form = getattr(setting.claim.statement, "inner", setting.claim.statement)
    bounded = not isinstance(setting.claim.statement, UpToConstant)
    if not _listed(setting):
        return [_line("draws", f"{setting.draw.count(setting):.6g}, too many to list")], None
    if setting.claim.draw is None or isinstance(form, Expected):
        rows = [_sides(setting, premises, part) for premises, part in guarded(form.relation)]
        lines = [line for row, _ in rows for line in row]
        truths = [truth for _, truth in rows]
        return lines, _all(truths) if bounded else None
    failing, holding = certify.probabilities(setting, form.relation)
    if not isinstance(form, WithProbability):
        return [_line("violated", f"with probability {show(failing)}")], (
            False if failing else holding == 1 or None)  # fmt: skip
    shown_here = certify.shown_probability(setting, form, failing)
    lines = [_line("violated", f"with probability {shown_here['probability of violation']}")]
    lines.append(_line("allowed", f"with probability {shown_here['allowed']}"))
    worst = certify.exceeds(setting, form, 1 - holding)
    truth = False if certify.exceeds(setting, form, failing) else None if worst else True
    return lines, truth if bounded else None


def _all(truths: list[bool | None]) -> bool | None:
    return False if False in truths else None if None in truths else True


def _sides(
    setting: Setting, premises: tuple[sympy.Basic, ...], part: sympy.Rel
) -> tuple[list[str], bool | None]:
    """One comparison: its sides as numbers, and its truth (true where a premise fails)."""
    asserted = met(premises, setting)
    if asserted is False:
        return [_line("comparison", f"{as_printed(part)}: its premise fails")], True
    with precision(PRECISIONS[-1]):
        left, right = (certify.expectation(setting, side) for side in (part.lhs, part.rhs))
    truth = exact.compare(part, left, right)
    lines = [_line("left", show(left)), _line("right", show(right)),
             _line("comparison", f"{as_printed(part)}: {TRUTH[truth]}")]  # fmt: skip
    return lines, truth if asserted else None
