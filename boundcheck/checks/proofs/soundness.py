"""Whether a proof over real numbers speaks about the worlds of its claim."""

from __future__ import annotations

from collections.abc import Iterator

from boundcheck import exact
from boundcheck.checks.base import Task
from boundcheck.checks.proofs.identities import OutOfTime, limit
from boundcheck.claim import Claim, UpToConstant
from boundcheck.search.admissible import Candidates
from boundcheck.setting import Setting

SAMPLES = 25
SECONDS = 3.0


def unsound(task: Task) -> str:
    """Why a proof over real numbers would not speak about the claim's worlds, or ""."""
    checked = 0
    try:
        with limit(SECONDS):
            for setting in _samples(task):
                reason = _mismatch(task.claim, setting)
                if reason:
                    return reason
                checked += 1
    except OutOfTime:
        pass
    return "" if checked else "no admissible world could be evaluated; it could be empty"


def _samples(task: Task) -> Iterator[Setting]:
    """Admissible settings."""
    candidates, rng, found = Candidates(task.claim), task.rng("proof"), 0
    for _ in range(8 * SAMPLES):
        candidate = candidates.random(rng)
        if candidate is not None:
            yield candidate.setting
            found += 1
        if found >= SAMPLES:
            return


def _mismatch(claim: Claim, setting: Setting) -> str:
    """What a sampled world has against a proof: no value, the wrong kind of value, or "".

    A contradiction would be a defect of the proof; it is caught here all the same.
    """
    names = sorted(claim.statement.free_symbols(), key=str)
    here = setting
    try:
        if claim.draw is not None and {s.name for s in names} & claim.random_names:
            here = setting.with_outcome(next(iter(claim.draw.outcomes(setting)))[1])
        for symbol in names:
            value = here(symbol.name)
            matrix = isinstance(value, exact.MATRICES)
            if isinstance(value, (tuple, str)) or matrix == symbol.is_commutative:
                return f"{symbol} is no real number"
        truth = here.decide(claim.statement.relation)
    except Exception as error:  # quantities and draws may refuse a world in any way
        return f"a sampled world has no value: {error}"
    if truth is False and not isinstance(claim.statement, UpToConstant):
        return "a sampled world contradicts it"
    return ""
