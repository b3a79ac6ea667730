"""Whether a proof over real numbers speaks about the worlds of its claim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from boundcheck import exact
from boundcheck.checks.base import Task
from boundcheck.checks.proofs.definitions import Knowledge
from boundcheck.claim import Claim, Expected, UpToConstant
from boundcheck.errors import FAULTS, Undecided, Undefined
from boundcheck.search.admissible import Candidates
from boundcheck.setting import Setting

SAMPLES = 25
OUTCOMES = 10**6
EXPECTED = 300  # outcomes that an expectation is taken over to compare it


def unsound(task: Task, cases: Sequence[Knowledge] = ()) -> str:
    """Why a proof over real numbers would not speak about the claim's worlds, or "".

    Formulas and facts that the proof used are compared with the definitions on each world.
    """
    checked = 0
    for setting in _samples(task):
        reason = _mismatch(task.claim, setting) or _misread(cases, setting)
        if reason:
            return reason
        checked += 1
    return "" if checked else "no admissible world could be evaluated; it could be empty"


def _samples(task: Task) -> Iterator[Setting]:
    """Admissible settings."""
    candidates, rng, found = Candidates(task.claim), task.rng("proof"), 0
    for _ in range(8 * SAMPLES):
        candidate = candidates.random(rng)
        if candidate is not None and listable(task.claim, candidate.setting):
            yield candidate.setting
            found += 1
        if found >= SAMPLES:
            return


def listable(claim: Claim, setting: Setting) -> bool:
    """Whether a first outcome of the draw can be had: its probability is a number of M digits."""
    try:
        return claim.draw is None or claim.draw.count(setting) <= OUTCOMES
    except (ArithmeticError, NotImplementedError):
        return False


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
            array = isinstance(value, (*exact.MATRICES, tuple))  # vectors are columns
            if isinstance(value, str) or array == symbol.is_commutative:
                return f"{symbol} is no real number"
        truth = _truth(here, setting)
    except FAULTS:
        raise
    except Exception as error:  # quantities and draws may refuse a world in any way
        return f"a sampled world has no value: {error}"
    if truth is False and not isinstance(claim.statement, UpToConstant):
        return "a sampled world contradicts it"
    return ""


def _truth(here: Setting, setting: Setting) -> bool | None:
    """Whether a world agrees with a claim: at its first outcome, or between expectations."""
    from boundcheck.certify import decide_expected

    claim = setting.claim
    if not isinstance(claim.statement, Expected) or claim.draw is None:
        return here.decide(claim.statement.relation)
    few = claim.draw.count(setting) <= EXPECTED
    return decide_expected(setting, claim.statement.relation)[0] if few else None


def _misread(cases: Sequence[Knowledge], setting: Setting) -> str:
    """A formula or fact that is not what the definitions say in a world, or ""."""
    for case in cases:
        if any(setting.values.get(name) != value for name, value in case.fixed.items()):
            continue
        look = case.look(setting)
        try:
            for symbol, found in case.formulas.items():
                gap = exact.compiled(found.expr)(look) - setting(symbol.name)
                if exact.sign(gap) not in (0, None):
                    return f"the formula of {symbol} is not its definition"
            for condition in case.conditions:
                if exact.decide(condition, look) is False:
                    return f"{condition} does not hold in a sampled world"
        except (Undefined, Undecided, NotImplementedError, KeyError):
            continue  # where the definition has a value is asked apart
    return ""
