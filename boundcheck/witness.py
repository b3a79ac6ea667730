"""Independent re-check of a witness file, from the claim and the definitions of its quantities.

Format 1 is one JSON object: format, claim, fingerprint, kind, values, shown, extra, seal.
values holds the setting in the exact encoding of `boundcheck.encoding`; shown holds the numbers
that the re-check must reproduce to the last digit; seal is the SHA-256 of the rest in canonical
form. For kind "exact" the re-check certifies every hypothesis and the failure in rationals and
balls; "malformed" reproduces the missing value; "trend" certifies the law by which left outgrows
right without end; "statistical" repeats the sequential test on the recorded draws and on fresh
ones. Whatever the kind, the values must be those of a world of the claim and of parameters in their
domains. What is decided in rationals and balls is decided twice, by `certify` and `checker.judge`.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from boundcheck.boundary.documents import Misshapen, shaped
from boundcheck.boundary.messages import reason
from boundcheck.boundary.numbers import LARGEST_SEED, fresh_seed
from boundcheck.certify import certify, why_undefined
from boundcheck.checker import judge, placed, shifts, spreads, tensor
from boundcheck.checker.growing import law
from boundcheck.checker.laws import MOVES
from boundcheck.checker.ray import Ray
from boundcheck.checker.rays import from_extra
from boundcheck.checker.repetition import fails_without_end, said, squares
from boundcheck.claim import Claim
from boundcheck.encoding import decode, show
from boundcheck.errors import BoundcheckError, UnreadableWitness, WitnessError
from boundcheck.library import Library
from boundcheck.setting import Setting
from boundcheck.verdict import ERROR_PROBABILITY, WITNESS_FORMAT
from boundcheck.worlds.fields import Integer

MOST_DRAWS = 10**8
Natural = Annotated[int, Meta(ge=0, le=LARGEST_SEED)]
Digits = Annotated[str, Meta(pattern=r"^[0-9]{1,310}$")]
Fractional = Annotated[str, Meta(pattern=r"^-?[0-9]{1,400}(/[0-9]{0,400}[1-9])?$")]


class Extra(Struct):
    """What the kinds of witnesses add; a kind may know more names than these."""

    seed: Natural = 0
    size: Natural | Digits = 0
    start: Natural | Digits = 0
    alpha: Annotated[float, Meta(gt=0, lt=1)] = 0.5
    draws: Annotated[int, Meta(ge=1, le=MOST_DRAWS)] = 1
    stream: str = ""
    budget: str = ""
    family: str = ""
    rescaling: str = ""
    repeated: str = ""
    move: str = ""
    scales: dict[str, Annotated[str, Meta(pattern=r"^-?(1|2|1/2)$")]] = {}
    scale: Annotated[str, Meta(pattern=r"^2\^-?[0-9]{1,5}$")] = ""
    ray: dict[str, tuple[Fractional, Fractional]] = {}
    law: bool = False
    copied: list[Natural] = []
    environment: dict[str, str] = {}


class Document(Struct, forbid_unknown_fields=True):
    """The fields of a witness file and their types."""

    format: int
    claim: str
    fingerprint: str
    kind: Literal["exact", "malformed", "trend", "statistical"]
    values: dict[str, Any]
    shown: dict[str, str]
    extra: Extra
    seal: str


@dataclass(frozen=True)
class Confirmation:
    """A confirmed violation, as text lines for people."""

    key: str
    lines: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.lines)


def digest(document: dict[str, Any]) -> str:
    """SHA-256 over the canonical JSON of a document without its seal."""
    rest = {name: value for name, value in document.items() if name != "seal"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def seal(document: dict[str, Any]) -> dict[str, Any]:
    """The document with its seal, ready to be written."""
    return {**document, "seal": digest(document)}


def require(path: str | Path, document: object) -> dict[str, Any]:
    """A parsed document that is a witness with its seal.

    Raises: UnreadableWitness for what is no witness: a field too many, missing or of another type;
        WitnessError if the format is another or the file was altered.
    """
    try:
        _require_format(path, document)
        shaped(document, Document, "witness")
    except Misshapen as error:
        raise UnreadableWitness(
            f"{path} {reason(error)}; give a file from reports/witnesses, as it was written"
        ) from error
    assert isinstance(document, dict)
    if digest(document) != document["seal"]:
        raise WitnessError(f"{path} was altered: its seal does not match; restore the file")
    return document


def _require_format(path: str | Path, document: object) -> None:
    found = document.get("format") if isinstance(document, dict) else None
    if isinstance(found, int) and found != WITNESS_FORMAT:
        raise WitnessError(
            f"{path} has format {found}, this version reads {WITNESS_FORMAT}; "
            "make it again with `boundcheck verify`"
        )


def confirm(
    document: dict[str, Any], library: Library, *, seed: int | None = None
) -> Confirmation:
    """Re-check a witness.

    Args: seed: of fresh draws; None draws one, for a file can be made to suit any that is known.

    Raises: WitnessError if the claim has changed, a hypothesis fails, the violation is not
        certified or a recorded number is not reproduced.
    """
    key = document["claim"]
    return confirm_of(key, library[key], document, seed)


def confirm_of(
    key: str, claim: Claim, document: dict[str, Any], seed: int | None = None
) -> Confirmation:
    """Re-check a witness of one claim. Raises: WitnessError as of `confirm`."""
    try:
        return _confirmed(key, claim, document, fresh_seed() if seed is None else seed)
    except (BoundcheckError, MemoryError):
        raise
    except Exception as error:  # definitions of users meet values that search never gave them
        raise WitnessError(
            f"{key}: the witness cannot be re-checked ({type(error).__name__}: {reason(error)}); "
            "restore the file"
        ) from error


def _confirmed(key: str, claim: Claim, document: dict[str, Any], seed: int) -> Confirmation:
    if claim.fingerprint() != document["fingerprint"]:
        raise WitnessError(
            f"{key} has changed since the witness was made (fingerprint {claim.fingerprint()}, "
            f"witness {document['fingerprint']}); verify the claim again"
        )
    setting = Setting(claim, {name: decode(v) for name, v in document["values"].items()})
    _require_world(key, claim, setting)
    rule = RULES.get(document["kind"])
    if rule is None:
        raise WitnessError(f"{key}: unknown witness kind {document['kind']!r}; restore the file")
    head = [f"claim      {key}, {claim.source}", f"statement  {claim.statement.relation}"]
    head += [f"{name:10} = {show(value)}" for name, value in setting.values.items()]
    return Confirmation(key, tuple(head + rule(key, claim, setting, document, seed)))


def _require_world(key: str, claim: Claim, setting: Setting) -> None:
    """Exactly the names of a world and its parameters, and values that its fields admit.

    A value under the name of a measured quantity would stand in for its definition. Worlds of a
    family or along a rescaling are worlds of the claim like any other.
    """
    if claim.undefined and not setting.values:
        return
    why = setting.misfit()
    if why:
        raise WitnessError(f"{key}: {why}; it refutes nothing")


def _require_hypotheses(key: str, claim: Claim, setting: Setting) -> list[str]:
    failed = setting.failed_hypothesis()
    if failed is not None:
        raise WitnessError(
            f"{key}: hypothesis {failed} is not certified at the witness; it refutes nothing"
        )
    _require_second(key, judge.is_admissible(claim, setting.values), "a hypothesis or a domain")
    return [f"hypotheses {len(claim.given)} certified"]


def _require_second(key: str, agreed: bool, what: str) -> None:
    if not agreed:
        raise WitnessError(f"{key}: {what} is not confirmed a second time; it refutes nothing")


def _require_same(key: str, recorded: dict[str, str], found: dict[str, str]) -> None:
    for name in sorted(set(recorded) | set(found)):
        if recorded.get(name) != found.get(name):
            raise WitnessError(
                f"{key}: {name} is recorded as {recorded.get(name)!r} and recomputed as "
                f"{found.get(name)!r}; the witness was altered or the claim has changed"
            )


def _confirm_exact(
    key: str, claim: Claim, setting: Setting, document: dict[str, Any], seed: int
) -> list[str]:
    lines = _require_hypotheses(key, claim, setting)
    violated, shown = certify(setting)
    if not violated:
        raise WitnessError(f"{key}: the statement is not certified false at the witness; "
            "it refutes nothing")
    _require_second(key, judge.is_false(claim, setting.values), "the violation")
    _require_same(key, document["shown"], shown)
    lines += [f"{name:10} = {value}" for name, value in shown.items()]
    return [*lines, "confirmed  the statement is false here (exact)"]


def _confirm_malformed(
    key: str, claim: Claim, setting: Setting, document: dict[str, Any], seed: int
) -> list[str]:
    lines = [] if claim.undefined else _require_hypotheses(key, claim, setting)
    reason = why_undefined(setting)
    if not reason:
        raise WitnessError(f"{key}: the statement has a value at the witness; it shows nothing")
    _require_second(key, judge.has_no_value(claim, setting.values), "the missing value")
    _require_same(key, document["shown"], {"reason": reason})
    return [*lines, f"confirmed  no value here: {reason}"]


def _confirm_trend(
    key: str, claim: Claim, setting: Setting, document: dict[str, Any], seed: int
) -> list[str]:
    """Growth without end by a law: as the world is repeated, along a ray, or as it is spread."""
    lines = _require_hypotheses(key, claim, setting)
    extra = document["extra"]
    if "move" in extra:
        return lines + _confirm_repeated(key, claim, setting, document)
    if not extra.get("law"):
        raise WitnessError(
            f"{key}: one world that excludes some constants refutes no statement up to a constant; "
            "make the witness again with `boundcheck verify`"
        )
    if "scale" not in extra:
        return lines + _confirm_spread(key, claim, setting, document)
    return lines + _confirm_law(key, claim, _ray(key, setting, extra), document)


def _confirm_repeated(
    key: str, claim: Claim, setting: Setting, document: dict[str, Any]
) -> list[str]:
    """Left outgrows right as the world is repeated, by exact laws."""
    size, move = document["extra"].get("repeated", ""), document["extra"]["move"]
    family = next((f for f in claim.families if f.name == document["extra"].get("family")), None)
    shown, times = dict[str, str](), squares({})
    if move == shifts.SHIFT and type(claim.fields.get(size)) is Integer:
        made = shifts.fails_as_shifted(claim, setting.values, size, family)
        shown = {} if made is None else shifts.said(made, size)
    elif move == tensor.TENSOR and type(claim.fields.get(size)) is Integer:
        times = tensor.seen_at(setting.values, tensor.together(claim.fields, size))
        outgrown = tensor.fails_as_power(claim, setting.values, size)
        shown = {} if outgrown is None else tensor.said(outgrown, size)
    elif move == placed.BY_PLACE:
        forms = dict(document["extra"].get("forms", {}))
        words = placed.fails_by_place(claim, setting.values, size, forms)
        shown = placed.said(size, forms, words) if words else {}
    elif move in MOVES:
        asked = document["extra"].get("scales", {})
        scales = {name: Fraction(power) for name, power in asked.items()}
        powers = fails_without_end(claim, setting.values, size, move, family, scales)
        shown = {} if powers is None else said(powers, size, move, scales)
        times = squares(scales)
    if not shown:
        raise WitnessError(
            f"{key}: no law says that left outgrows right as {size!r} grows by {move!r}; "
            "restore the file"
        )
    _require_same(key, document["shown"], shown)
    lines = [f"{name:10} = {value}" for name, value in shown.items()]
    seen = " and ".join(map(str, times))
    return [*lines, f"confirmed  no constant serves for every N (exact laws, seen at N = {seen})"]


def _confirm_law(key: str, claim: Claim, ray: Ray, document: dict[str, Any]) -> list[str]:
    """Left outgrows every multiple of right along a ray, by enclosures for every t."""
    words = law(claim, ray)
    if not words:
        raise WitnessError(f"{key}: no law says that left outgrows right along the ray")
    _require_same(key, document["shown"], {"law": words})
    return [f"law        = {words}", "confirmed  no constant serves along the whole ray (enclosed)"]


def _confirm_spread(
    key: str, claim: Claim, setting: Setting, document: dict[str, Any]
) -> list[str]:
    """Left outgrows every multiple of right as entries of the world move and parts are copied."""
    try:
        spread = spreads.from_extra(document["extra"], setting.values)
    except (ArithmeticError, ValueError, TypeError, KeyError) as error:
        raise WitnessError(f"{key}: {reason(error)}; restore the file") from error
    words = spreads.law_of(claim, spread)
    if not words:
        raise WitnessError(f"{key}: no law says that left outgrows right as the world goes on")
    shown = {"law": words, "moves": spreads.said(spread)}
    _require_same(key, document["shown"], shown)
    lines = [f"{name:10} = {value}" for name, value in shown.items()]
    return [*lines, "confirmed  no constant serves for every t (enclosed, seen at t = 1 and 4)"]


def _ray(key: str, setting: Setting, extra: dict[str, Any]) -> Ray:
    """The ray of the witness. Raises: WitnessError for a world that is on none."""
    try:
        return from_extra(extra, setting.values)[0]
    except (ArithmeticError, ValueError, TypeError, KeyError) as error:
        raise WitnessError(f"{key}: {reason(error)}; restore the file") from error


def _confirm_statistical(
    key: str, claim: Claim, setting: Setting, document: dict[str, Any], seed: int
) -> list[str]:
    from boundcheck.checks.base import Task, budget_named
    from boundcheck.checks.sampling import decide_setting

    lines = _require_hypotheses(key, claim, setting)
    extra = document["extra"]
    for name in ("alpha", "draws", "seed", "stream"):
        if name not in extra:
            raise WitnessError(f"{key}: the test does not say its {name}; restore the file")
    alpha, draws = float(extra["alpha"]), int(extra["draws"])
    if not 0 < alpha < 1 or draws < 1:
        raise WitnessError(f"{key}: alpha = {alpha}, draws = {draws} are no test; restore the file")
    # First the recorded draws, which must give the recorded numbers.
    task = Task(key, claim, budget_named("quick"), int(extra["seed"]))
    first = decide_setting(task, setting, task.rng(extra["stream"]), alpha, draws)
    if first is None or first.witness is None:
        raise WitnessError(f"{key}: the recorded draws do not reject")
    _require_same(key, document["shown"], first.witness.shown)
    # Then fresh ones at a level that the file does not choose, twice as many as it takes on
    # average: a true refutation needs a random number of them.
    level = min(alpha, ERROR_PROBABILITY)
    task = Task(key, claim, budget_named("quick"), seed)
    draws = min(math.ceil(2 * draws * math.log(level) / math.log(alpha)), MOST_DRAWS)
    found = decide_setting(task, setting, task.rng("replay"), level, draws)
    if found is None:
        raise WitnessError(f"{key}: {draws} fresh draws do not reject; try `--seed`")
    return [*lines, f"confirmed  on fresh draws (seed {seed}): {found.detail}"]


RULES = {
    "exact": _confirm_exact,
    "malformed": _confirm_malformed,
    "trend": _confirm_trend,
    "statistical": _confirm_statistical,
}
