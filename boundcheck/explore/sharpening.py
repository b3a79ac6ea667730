"""The best constants of a statement that stands, each bracketed.

Below: a value at which the statement fails in a world that is certified. Above: the least value
found at which it is proved, or supported at fresh seeds. Search, proofs and verdicts are the
engine's.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import sympy

from boundcheck.claim import Claim
from boundcheck.errors import BoundcheckError, InvalidArgument
from boundcheck.explore.knobs import Knob, hypotheses, knobs
from boundcheck.explore.wording import formula_text, plain
from boundcheck.verdict import Verdict, Witness

if TYPE_CHECKING:
    from boundcheck.diagnosis.trial import Bench

ROUNDS = 4  # values tried for one constant
ROOM = sympy.Rational(1, 5)  # the simplest number so far above a failing value is tried
COMPARABLE = ("factor", "summand", "threshold")  # smaller is sharper, whatever the world
MOST = 8  # constants of one claim
KINDS = ("factor", "summand", "exponent", "threshold", "hypothesis")
SECONDS = {"quick": 50.0, "standard": 600.0, "thorough": 6000.0}  # caps accidents; counts decide
BELOW = sympy.Rational(1, 10**6)
SHARES = (sympy.Rational(1, 2), sympy.Rational(3, 4), sympy.Rational(9, 10))


@dataclass(frozen=True)
class Bracket:
    """One constant between a value that fails and one that stands.

    Args:
        knob: the constant. lower: a value refuted, or None; evidence: "exact" or "statistical".
        supported, proved: least values that stood at fresh seeds, and with a proof, or None.
        witness: of the refutation at `lower`, for the claim at that value.
    """

    knob: Knob
    lower: sympy.Expr | None
    evidence: str | None
    supported: sympy.Expr | None
    proved: sympy.Expr | None
    witness: Witness | None = None

    @property
    def best(self) -> sympy.Expr | None:
        """The least value that stood, proved or not."""
        stood = [value for value in (self.supported, self.proved) if value is not None]
        return min(stood, default=None)

    @property
    def sharper(self) -> bool:
        """Whether a smaller value than the printed one stood, and smaller says more."""
        smaller = self.best is not None and bool(self.best < self.knob.printed)
        return smaller and self.knob.kind in COMPARABLE

    def __str__(self) -> str:
        low = f"fails at {plain(self.lower)} ({self.evidence})" if self.lower is not None else (
            "no failing value found"
        )  # fmt: skip
        parts = [f"{self.knob.kind} {self.knob.printed} of {formula_text(self.knob.beside)}", low]
        if self.supported is not None:
            parts.append(f"supported at {self.supported}")
        if self.proved is not None:
            parts.append(f"proved at {self.proved}")
        return "; ".join(parts)


@dataclass(frozen=True)
class Sharpening:
    """What of a statement could be better.

    Args: label: its key. outcome: of the statement as printed. brackets: of its constants.
    superfluous: hypotheses without which it stood at fresh seeds. needed: those without which it
    is refuted. claim: the sharpest form that stood, ready to be saved, or None if none is sharper.
    """

    label: str
    outcome: str
    brackets: tuple[Bracket, ...]
    superfluous: tuple[sympy.Basic, ...]
    needed: tuple[sympy.Basic, ...]
    claim: Claim | None
    seconds: float

    def source(self, name: str = "sharpened", base: str = "printed") -> str:
        """The sharper claim as text for its statement file, beside the claim named `base`."""
        if self.claim is None:
            raise InvalidArgument(f"{self.label}: nothing sharper stood; there is no new claim")
        bracket = next(b for b in self.brackets if b.sharper)
        knob = bracket.knob
        return (
            "from boundcheck.explore import turned\n\n"
            f"# {formula_text(self.claim.statement.relation)}\n"
            f"{name} = turned({base}, {knob.kind!r}, {str(bracket.best)!r}, place={knob.place})\n"
        )

    def as_json(self) -> dict[str, Any]:
        """JSON-ready form."""
        return {
            "claim": self.label,
            "outcome": self.outcome,
            "constants": [
                {
                    "kind": b.knob.kind, "printed": str(b.knob.printed),
                    "in": str(b.knob.where), "beside": str(b.knob.beside),
                    "lower": _text(b.lower), "evidence": b.evidence,
                    "supported": _text(b.supported), "proved": _text(b.proved),
                    "witness": b.witness.as_json() if b.witness else None,
                }
                for b in self.brackets
            ],
            "superfluous": [str(condition) for condition in self.superfluous],
            "needed": [str(condition) for condition in self.needed],
            "sharper": str(self.claim.statement.relation) if self.claim else None,
            "seconds": round(self.seconds, 2),
        }  # fmt: skip

    def _repr_html_(self) -> str:
        from boundcheck.explore.display import of_sharpening

        return of_sharpening(self)

    def _repr_latex_(self) -> str:
        claim = self.claim or self.brackets[0].knob.base
        return f"$\\displaystyle {sympy.latex(claim.statement.relation)}$"

    def __str__(self) -> str:
        lines = [f"{self.label}: {self.outcome} as printed"]
        lines += [str(bracket) for bracket in self.brackets]
        lines += [f"stands without {formula_text(c)}" for c in self.superfluous]
        lines += [f"fails without {formula_text(c)}" for c in self.needed]
        if self.claim is not None:
            lines.append(f"sharper  {formula_text(self.claim.statement.relation)}")
        else:
            lines.append("nothing sharper stood")
        return "\n".join(lines)


def sharpen(
    claim: Any, *, budget: str = "quick", seed: int = 0, kinds: tuple[str, ...] = KINDS,
    label: str = "", root: Any = None,
) -> Sharpening:  # fmt: skip
    """The best constants of a claim that stands.

    Args: claim: a Claim or its key. budget, seed: of the searches. kinds: of constants, of
    `KINDS`; "hypothesis" asks which hypotheses are needed. label: names a Claim; random streams
    are by it.
    Raises: InvalidArgument if the claim does not stand, or states no inequality.
    """
    from boundcheck.checks.base import budget_named
    from boundcheck.diagnosis.trial import Bench
    from boundcheck.explore.conditions import as_system

    found_label, system = as_system(claim, None, None, root)
    label = label or found_label
    stated = system.original
    found = [knob for knob in knobs(stated) if knob.kind in kinds][:MOST]
    if not found:
        raise InvalidArgument(
            f"{label}: no constant to sharpen: {type(stated.statement).__name__} of "
            f"{formula_text(stated.statement.relation)} is no inequality with a constant; name "
            "another claim"
        )
    chosen, seconds = budget_named(budget), SECONDS[budget]
    bench = Bench(label, replace(chosen, seconds=min(chosen.seconds, seconds / 6)), seed)
    start = time.process_time()
    verdict = bench.verdict(stated, "as printed")
    if verdict.outcome not in ("proved", "supported"):
        raise InvalidArgument(
            f"{label}: it is {verdict.outcome}, and constants are sharpened of what stands; see "
            f"`boundcheck diagnose {label}`"
        )
    work = _Work(bench, verdict, start + seconds)
    brackets = tuple(work.brackets(found))
    needed, superfluous = work.without(stated) if "hypothesis" in kinds else ((), ())
    return Sharpening(
        label, verdict.outcome, brackets, superfluous, needed, _sharpest(brackets),
        time.process_time() - start,
    )  # fmt: skip


def _sharpest(brackets: tuple[Bracket, ...]) -> Claim | None:
    """The claim at the best value of its first constant that could be sharpened."""
    for bracket in brackets:
        if bracket.sharper and bracket.best is not None:
            return bracket.knob.turned(bracket.best)
    return None


class _Work:
    """The trials of one sharpening, until the time is over."""

    def __init__(self, bench: Bench, verdict: Verdict, deadline: float) -> None:
        self.bench, self.verdict, self.deadline = bench, verdict, deadline

    @property
    def over(self) -> bool:
        """Whether nothing new is begun."""
        return time.process_time() > self.deadline

    def brackets(self, found: list[Knob]) -> Iterator[Bracket]:
        """A bracket for each constant that there is time for."""
        for knob in found:
            if self.over:
                return
            if knob.kind == "factor":
                yield self._factor(knob, several=sum(k.kind == "factor" for k in found) > 1)
            else:
                bracket = self._stepped(knob)
                if bracket is not None:
                    yield bracket

    def _factor(self, knob: Knob, several: bool) -> Bracket:
        """A factor: the printed verdict says where it fails first; then simple values above."""
        verdict = self.bench.verdict(knob.base, f"only {knob.where}") if several else self.verdict
        stood = {"proved": None, "supported": None, verdict.outcome: knob.printed}
        lower, evidence, witness = self._failing(knob, verdict)
        for _ in range(ROUNDS):
            value = None if lower is None or self.over else _simple(lower, knob.printed)
            if value is None:
                break
            trial = self.bench.verdict(knob.turned(value), f"{knob.kind} {value}")
            if trial.outcome in ("proved", "supported"):
                stood[trial.outcome] = value
                break
            if trial.outcome == "refuted" and trial.witness is not None:
                lower, evidence, witness = value, trial.kind, trial.witness
            else:
                break
        return Bracket(knob, lower, evidence, stood["supported"], stood["proved"], witness)

    def _failing(
        self, knob: Knob, verdict: Verdict
    ) -> tuple[sympy.Expr | None, str | None, Witness | None]:
        """A value right below the least slack, refuted at the world where it was seen."""
        from boundcheck.checks import enumeration, sampling

        told = [item for item in verdict.evidence
                if item.slack and item.slack < float("inf")]  # fmt: skip
        if not told:
            return None, None, None
        tightest = min(told, key=lambda item: item.slack or 0.0)
        assert tightest.slack is not None
        ratio = sympy.Rational(1 / tightest.slack).limit_denominator(10**9)
        margin = BELOW if tightest.check == enumeration.NAME else sympy.Rational(1, 50)
        value = knob.printed * ratio * (1 - margin)
        task = self.bench.task(knob.turned(value), f"{knob.kind} below")
        vectors = [item.numbers.get("coordinates") for item in verdict.evidence]
        task = replace(task, warm=tuple(tuple(v) for v in vectors if v))
        check = enumeration if tightest.check == enumeration.NAME else sampling
        item = self._guarded(lambda: check.run(task))
        if item is None or item.outcome != "refuted":
            return None, None, None
        return value, item.kind, item.witness

    def _guarded(self, work: Any) -> Any:
        from boundcheck.engine import guarded

        item = guarded("sharpen", work)
        return None if item.fault is not None else item

    def _stepped(self, knob: Knob) -> Bracket | None:
        """A summand, exponent or threshold: shares of the printed value, the smallest that
        stands and the largest that fails."""
        supported = proved = lower = None
        witness, evidence = None, None
        for share in SHARES:
            if self.over:
                break
            value = knob.printed * share
            try:
                trial = self.bench.verdict(knob.turned(value), f"{knob.kind} {value}")
            except BoundcheckError:  # the changed statement may be none
                return None
            if trial.outcome in ("proved", "supported"):
                supported = value if trial.outcome == "supported" else supported
                proved = value if trial.outcome == "proved" else proved
                break
            if trial.outcome != "refuted":
                break
            lower, witness, evidence = value, trial.witness, trial.kind
        if lower is None and supported is None and proved is None:
            return None
        if supported is None and proved is None:
            supported = knob.printed
        return Bracket(knob, lower, evidence, supported, proved, witness)

    def without(
        self, claim: Claim
    ) -> tuple[tuple[sympy.Basic, ...], tuple[sympy.Basic, ...]]:
        """Hypotheses that are needed, and those without which the claim stood."""
        from boundcheck.diagnosis.trial import stands

        needed, superfluous = [], []
        for condition, changed in hypotheses(claim):
            if self.over:
                break
            trial = self.bench.verdict(changed, f"without {condition}")
            if trial.outcome in ("refuted", "malformed"):
                needed.append(condition)
            elif stands(trial):
                superfluous.append(condition)
        return tuple(needed), tuple(superfluous)


def _simple(lower: sympy.Expr, high: sympy.Expr) -> sympy.Expr | None:
    """The simplest number a little above a failing value and below one that stands, or None.

    >>> _simple(sympy.Rational(249999, 10**6), sympy.Integer(1))
    1/4
    """
    from boundcheck.explore.simple import simplest_between

    factor = sympy.S.One
    if not lower.is_Rational:
        factor = lower.as_coeff_Mul()[1]
    low, top = sympy.Rational(lower / factor), sympy.nsimplify(high / factor, rational=True)
    first, last = low * (1 + BELOW / 2), min(low * (1 + ROOM), top)
    if first >= last:
        return None
    found = simplest_between(first, last)
    return None if found * factor >= high else found * factor


def _text(value: sympy.Expr | None) -> str | None:
    return None if value is None else str(value)
