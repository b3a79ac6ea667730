"""Independent re-check of a witness file, from the claim and the definitions of its quantities.

Format 1 is one JSON object: format, claim, fingerprint, kind, values, shown, extra, seal.
values holds the setting in the exact encoding of `boundcheck.encoding`; shown holds the numbers
that the re-check must reproduce to the last digit; seal is the SHA-256 of the rest in canonical
form. For kind "exact" the re-check certifies every hypothesis and the failure in rationals and
balls; "malformed" reproduces the missing value; "trend" recomputes the constants of the family;
"statistical" repeats the sequential test on the recorded draws and on fresh ones. Whatever the
kind, the values must be those of a world of the claim and of parameters in their domains.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boundcheck.certify import certify, why_undefined
from boundcheck.claim import Claim
from boundcheck.encoding import decode, encode, show
from boundcheck.errors import Undecided, Undefined, UnreadableWitness, WitnessError
from boundcheck.library import Library
from boundcheck.setting import Setting
from boundcheck.verdict import WITNESS_FORMAT

FIELDS = ("format", "claim", "fingerprint", "kind", "values", "shown", "extra", "seal")


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


def read(path: str | Path) -> dict[str, Any]:
    """A witness document from disk.

    Raises: WitnessError if the file is missing, no witness, of another format or altered.
    """
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UnreadableWitness(
            f"{path} cannot be read ({error.strerror}); give a file from reports/witnesses"
        ) from error
    except ValueError as error:
        raise UnreadableWitness(f"{path} is not JSON ({error}); restore the file") from error
    if not isinstance(document, dict) or set(document) != set(FIELDS):
        raise UnreadableWitness(
            f"{path} is no witness: its fields must be {', '.join(FIELDS)}; "
            "use a file from reports/witnesses"
        )
    if document["format"] != WITNESS_FORMAT:
        raise WitnessError(
            f"{path} has format {document['format']!r}, this version reads {WITNESS_FORMAT}; "
            "make it again with `boundcheck verify`"
        )
    if digest(document) != document["seal"]:
        raise WitnessError(f"{path} was altered: its seal does not match; restore the file")
    return document


def confirm(document: dict[str, Any], library: Library, *, seed: int = 0) -> Confirmation:
    """Re-check a witness.

    Raises: WitnessError if the claim has changed, a hypothesis fails, the violation is not
        certified or a recorded number is not reproduced.
    """
    key = document["claim"]
    claim = library[key]
    if claim.fingerprint() != document["fingerprint"]:
        raise WitnessError(
            f"{key} has changed since the witness was made (fingerprint {claim.fingerprint()}, "
            f"witness {document['fingerprint']}); verify the claim again"
        )
    setting = Setting(claim, {name: decode(v) for name, v in document["values"].items()})
    _require_world(key, claim, setting, document["extra"])
    rule = RULES.get(document["kind"])
    if rule is None:
        raise WitnessError(f"{key}: unknown witness kind {document['kind']!r}; restore the file")
    head = [f"claim      {key}, {claim.source}", f"statement  {claim.statement.relation}"]
    head += [f"{name:10} = {show(value)}" for name, value in setting.values.items()]
    return Confirmation(key, tuple(head + rule(key, claim, setting, document, seed)))


def _require_world(key: str, claim: Claim, setting: Setting, extra: dict[str, Any]) -> None:
    """Exactly the names of a world and its parameters, and values that its fields admit.

    A value under the name of a measured quantity would stand in for its definition. A world moved
    along a declared rescaling is held against its fields where it came from, and the member of a
    family against its rule.
    """
    fields = dict(claim.worlds.fields) if claim.worlds is not None else {}
    names = set(fields) | {symbol.name for symbol in claim.parameters}
    values = setting.values
    family = next((f for f in claim.families if f.name == extra.get("family")), None)
    if claim.undefined and not values:
        return
    if family is not None and "size" in extra:
        if {n: encode(v) for n, v in family.rule(int(extra["size"])).items()} != {
            n: encode(v) for n, v in values.items()
        }:
            raise WitnessError(f"{key}: the recorded world is not the family's")
        return
    if family is not None:
        return  # the rule of trends compares the world itself
    odd = sorted(names ^ set(values))
    if odd:
        raise WitnessError(f"{key}: {odd[0]} is missing or is no value of a world of this claim")
    world = _before_rescaling(setting, extra).values
    for name, field in fields.items():
        try:
            fits = field.admits(world[name], world)
        except Exception as error:  # a value of the wrong kind may fail in any way
            raise WitnessError(f"{key}: {name} cannot be a value here ({error})") from error
        if not fits:
            raise WitnessError(f"{key}: {name} = {show(world[name])} is no value that it can take")


def _before_rescaling(setting: Setting, extra: dict[str, Any]) -> Setting:
    chosen = [item for item in setting.claim.rescalings if item.name == extra.get("rescaling")]
    if not chosen or "octaves" in extra:
        return setting
    from boundcheck.checks.invariance import rescaled

    return rescaled(setting, chosen[0], -int(str(extra["scale"]).removeprefix("2^")))


def _require_hypotheses(key: str, claim: Claim, setting: Setting) -> list[str]:
    failed = setting.failed_hypothesis()
    if failed is not None:
        raise WitnessError(
            f"{key}: hypothesis {failed} is not certified at the witness; it refutes nothing"
        )
    return [f"hypotheses {len(claim.given)} certified"]


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
        raise WitnessError(f"{key}: the statement is not certified false at the witness")
    _require_same(key, document["shown"], shown)
    lines += [f"{name:10} = {value}" for name, value in shown.items()]
    return [*lines, "confirmed  the statement is false here (exact)"]


def _confirm_malformed(
    key: str, claim: Claim, setting: Setting, document: dict[str, Any], seed: int
) -> list[str]:
    lines = [] if claim.undefined else _require_hypotheses(key, claim, setting)
    reason = why_undefined(setting)
    if not reason:
        raise WitnessError(f"{key}: the statement has a value at the witness")
    _require_same(key, document["shown"], {"reason": reason})
    return [*lines, f"confirmed  no value here: {reason}"]


def _confirm_trend(
    key: str, claim: Claim, setting: Setting, document: dict[str, Any], seed: int
) -> list[str]:
    from boundcheck.checks.base import Task, budget_named
    from boundcheck.checks.trend import judge, needed_constants

    extra = document["extra"]
    if "rescaling" in extra:
        return _confirm_orbit(key, setting, document)
    chosen = [family for family in claim.families if family.name == extra.get("family")]
    if not chosen:
        raise WitnessError(f"{key}: the claim has no family {extra.get('family')!r}")
    sizes = [int(size) for size in extra["sizes"]]
    guess = "quick" if len(sizes) <= len(chosen[0].sizes) else "standard"
    task = Task(key, claim, budget_named(extra.get("budget", guess)), int(extra["seed"]),
                float(extra["alpha"]))  # fmt: skip
    points, _ = needed_constants(task, chosen[0])
    if [point.size for point in points] != sizes:
        raise WitnessError(f"{key}: the recorded sizes are not those of the family")
    grows, text = judge(points)
    if not grows:
        raise WitnessError(f"{key}: along the family the constants do not keep growing: {text}")
    last = points[-1]
    _require_same(
        key, document["shown"], {"size": str(last.size), "constant needed": f"{last.value:.9g}"}
    )
    if {n: encode(v) for n, v in last.setting.values.items()} != document["values"]:
        raise WitnessError(f"{key}: the recorded world is not the family's at size {last.size}")
    if extra["constants"] != [f"{point.value:.9g}" for point in points]:
        raise WitnessError(f"{key}: the recorded constants are not reproduced")
    return [f"confirmed  the constant needed keeps growing: {text}"]


def _confirm_orbit(key: str, setting: Setting, document: dict[str, Any]) -> list[str]:
    """A statement up to a constant whose sides part along a declared rescaling."""
    from boundcheck.checks.invariance import exponent_along

    extra = document["extra"]
    try:
        exponent, last = exponent_along(setting, extra["rescaling"], extra["scale"])
    except (Undefined, Undecided) as error:
        raise WitnessError(f"{key}: along the orbit {error}; it refutes nothing") from error
    excluded = 2.0**last if last < 1000 else float("inf")
    found = {"exponent": f"{round(exponent, 6):g}", "constant excluded": f"{excluded:.6g}"}
    _require_same(key, document["shown"], found)
    return [f"confirmed  left/right grows like s^{exponent:g} under {extra['rescaling']}"]


def _confirm_statistical(
    key: str, claim: Claim, setting: Setting, document: dict[str, Any], seed: int
) -> list[str]:
    from boundcheck.checks.base import Task, budget_named
    from boundcheck.checks.sampling import decide_setting

    lines = _require_hypotheses(key, claim, setting)
    extra = document["extra"]
    alpha, draws = float(extra["alpha"]), int(extra["draws"])
    if not 0 < alpha < 1 or draws < 1:
        raise WitnessError(f"{key}: alpha = {alpha}, draws = {draws} are no test; restore the file")
    # First the recorded draws, which must give the recorded numbers.
    task = Task(key, claim, budget_named("quick"), int(extra["seed"]))
    first = decide_setting(task, setting, task.rng(extra["stream"]), alpha, draws)
    if first is None or first.witness is None:
        raise WitnessError(f"{key}: the recorded draws do not reject")
    _require_same(key, document["shown"], first.witness.shown)
    # Then fresh ones, twice as many: a true refutation needs a random number of them.
    task, draws = Task(key, claim, budget_named("quick"), seed), 2 * draws
    found = decide_setting(task, setting, task.rng("replay"), alpha, draws)
    if found is None:
        raise WitnessError(f"{key}: {draws} fresh draws do not reject; try `--seed`")
    return [*lines, f"confirmed  on fresh draws: {found.detail}"]


RULES = {
    "exact": _confirm_exact,
    "malformed": _confirm_malformed,
    "trend": _confirm_trend,
    "statistical": _confirm_statistical,
}
