"""The best constants of a statement that stands, each bracketed.

Below: a value at which the statement fails in a world that is certified. Above: the least value
found at which it is proved, or supported at fresh seeds. Search, proofs and verdicts are the
engine's.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import Any

import sympy

from boundcheck.claim import Claim, UpToConstant
from boundcheck.errors import InvalidArgument
from boundcheck.explore.bracket import Bracket
from boundcheck.explore.bracketing import Work
from boundcheck.explore.fuel import Fuel
from boundcheck.explore.halving import STANDING, judged
from boundcheck.explore.knobs import Knob, knobs, turned
from boundcheck.explore.leaving import hypotheses
from boundcheck.explore.needed import Hypotheses, without
from boundcheck.explore.wording import formula_text
from boundcheck.setting import flatten

MOST = 8  # constants of one claim
ORDER = ("factor", "threshold", "summand", "inside", "exponent")  # in which they are asked
KINDS = ("factor", "summand", "inside", "exponent", "threshold", "hypothesis")
FUEL = {  # for all trials of a claim
    "brief": 6_000, "quick": 30_000, "standard": 400_000, "thorough": 4_000_000,
}  # fmt: skip


@dataclass(frozen=True)
class Offer:
    """How a sharper claim comes from the printed one.

    Args: bracket: of the constant that is changed, or None. superfluous: hypotheses left out.
    """

    printed: Claim
    bracket: Bracket | None
    superfluous: tuple[sympy.Basic, ...] = ()

    @property
    def places(self) -> tuple[int, ...]:
        """The places of what is left out among all members of `given`."""
        members = [each for condition in self.printed.given for each in flatten(condition)]
        return tuple(place for place, each in enumerate(members) if each in self.superfluous)

    def arguments(self) -> list[str]:
        """The arguments of `turned` after the claim, as text."""
        told = []
        if self.bracket is not None:
            knob = self.bracket.knob
            told = [repr(knob.kind), repr(str(self.bracket.best)), f"place={knob.place}"]
        return told + ([f"without={self.places}"] if self.places else [])

    def claim(self) -> Claim:
        """The sharper claim."""
        if self.bracket is None:
            return turned(self.printed, without=self.places)
        knob = self.bracket.knob
        return turned(self.printed, knob.kind, self.bracket.best, knob.place, without=self.places)


@dataclass(frozen=True)
class Sharpening:
    """What of a statement could be better.

    Args: label: its key. outcome: of the statement as printed. brackets: of its constants.
    hypotheses: which are needed, by what holds where each fails. unasked: constants that were not
    asked, with the reason. claim: the sharpest form that stood, ready to be saved, or None if none
    is sharper. offered: how it comes from the printed one.
    """

    label: str
    outcome: str
    brackets: tuple[Bracket, ...]
    hypotheses: Hypotheses
    unasked: tuple[tuple[str, str], ...]
    claim: Claim | None
    offered: Offer | None
    seconds: float

    @property
    def superfluous(self) -> tuple[sympy.Basic, ...]:
        """Hypotheses without which it stood."""
        return self.hypotheses.superfluous

    @property
    def needed(self) -> tuple[sympy.Basic, ...]:
        """Hypotheses without which it is refuted."""
        return self.hypotheses.needed

    def source(self, name: str = "sharpened", base: str = "") -> str:
        """The sharper claim as text for its statement file.

        Args: base: name of the printed claim in that file; by default as its key says.
        """
        if self.claim is None or self.offered is None:
            raise InvalidArgument(f"{self.label}: nothing sharper stood; there is no new claim")
        base = base or self.label.partition(":")[2] or "printed"
        given = "; ".join(formula_text(condition) for condition in self.claim.given)
        return (
            "from boundcheck.explore import turned\n\n"
            f"# {formula_text(self.claim.statement.relation)}\n"
            f"# given {given or 'nothing'}\n"
            f"{name} = turned({', '.join([base, *self.offered.arguments()])})\n"
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
                    "doubt": b.doubt or None, "unbroken": _text(b.unbroken),
                    "witness": b.witness.as_json() if b.witness else None,
                }
                for b in self.brackets
            ],
            "superfluous": [str(condition) for condition in self.superfluous],
            "implied": [str(condition) for condition in self.hypotheses.implied],
            "needed": [str(condition) for condition in self.needed],
            "unknown": [{"hypothesis": str(condition), "reason": reason}
                        for condition, reason in self.hypotheses.unknown],
            "unasked": [{"constant": text, "reason": reason} for text, reason in self.unasked],
            "sharper": str(self.claim.statement.relation) if self.claim else None,
            "seconds": round(self.seconds, 2),
        }  # fmt: skip

    def _repr_html_(self) -> str:
        from boundcheck.explore.display import of_sharpening

        return of_sharpening(self)

    def _repr_latex_(self) -> str:
        bases = [bracket.knob.base for bracket in self.brackets]
        claim = self.claim or (bases[0] if bases else None)
        return "" if claim is None else f"$\\displaystyle {sympy.latex(claim.statement.relation)}$"

    def __str__(self) -> str:
        lines = [f"{self.label}: {self.outcome} as printed"]
        lines += [str(bracket) for bracket in self.brackets]
        lines += [f"stands without {formula_text(c)}" for c in self.superfluous]
        lines += [f"follows from the rest: {formula_text(c)}" for c in self.hypotheses.implied]
        lines += [f"fails without {formula_text(c)}" for c in self.needed]
        lines += [f"not known without {formula_text(c)}: {why}"
                  for c, why in self.hypotheses.unknown]  # fmt: skip
        lines += [f"not asked: {text}: {why}" for text, why in self.unasked]
        if self.claim is not None:
            without = [formula_text(c) for c in self.offered.superfluous] if self.offered else []
            lines.append(f"sharper  {formula_text(self.claim.statement.relation)}" + (
                f" without {', '.join(without)}" if without else ""
            ))  # fmt: skip
        else:
            lines.append("nothing sharper stood")
        return "\n".join(lines)


def sharpen(
    claim: Any, *, budget: str = "quick", seed: int = 0, kinds: tuple[str, ...] = KINDS,
    label: str = "", root: Any = None, fuel: float | None = None,
) -> Sharpening:  # fmt: skip
    """The best constants of a claim that stands.

    Args: claim: a Claim or its key. budget, seed: of the searches. kinds: of constants, of
    `KINDS`; "hypothesis" asks which hypotheses are needed. label: names a Claim; random streams
    are by it. fuel: worlds that trials may spend, as `explore.fuel` counts them; by default as
    the budget has.
    Raises: InvalidArgument if the claim does not stand, or states no inequality.
    """
    from boundcheck.checks.base import budget_named
    from boundcheck.diagnosis.trial import EFFORT, PATIENCE, Bench
    from boundcheck.explore.conditions import as_system

    found_label, system = as_system(claim, None, None, root)
    label = label or found_label
    stated = system.original
    asked = [knob for knob in knobs(stated) if knob.kind in kinds]
    ordered = sorted(asked, key=lambda knob: ORDER.index(knob.kind))
    found = ordered[:MOST]
    given = list(hypotheses(stated)) if "hypothesis" in kinds else []
    if not found and not given:
        raise InvalidArgument(
            f"{label}: no constant to sharpen: {type(stated.statement).__name__} of "
            f"{formula_text(stated.statement.relation)} is no inequality with a constant; name "
            "another claim"
        )
    chosen = budget_named(budget)
    whole = Bench(label, replace(chosen, seconds=chosen.seconds * PATIENCE), seed, effort=math.inf)
    # Outcomes of a draw count as effort though many are not listed; its cost is the claim's.
    listed = stated.draw is None and not isinstance(stated.statement, UpToConstant)
    bench = replace(whole, effort=EFFORT) if listed else whole
    start = time.process_time()
    verdict = bench.verdict(stated, "as printed")
    if verdict.outcome == "undecided" and bench is not whole:
        verdict = whole.verdict(stated, "as printed")
    if verdict.outcome not in ("proved", "supported"):
        raise InvalidArgument(
            f"{label}: it is {verdict.outcome}, and constants are sharpened of what stands; see "
            f"`boundcheck diagnose {label}`"
        )
    work = Work(bench, verdict, Fuel(fuel or FUEL[budget], parts=len(found) + len(given)))
    work.unasked += [(knob.text, few()) for knob in ordered[MOST:]]
    several = len({knob.where for knob in found if knob.kind != "threshold"}) > 1
    factors = [knob for knob in found if knob.kind == "factor"]
    brackets = tuple(work.brackets(factors, several))
    left_out = without(work, stated) if given else Hypotheses()
    others = _needed(found[len(factors):], left_out.superfluous)
    brackets += tuple(work.brackets(others, several))
    offered = _offered(work, stated, brackets, left_out.superfluous)
    return Sharpening(
        label, verdict.outcome, brackets, left_out, tuple(work.unasked),
        None if offered is None else offered.claim(), offered, time.process_time() - start,
    )  # fmt: skip


def few() -> str:
    """Why a constant beyond the first ones is not asked."""
    return f"only {MOST} constants are"


def _needed(found: list[Knob], superfluous: tuple[sympy.Basic, ...]) -> list[Knob]:
    """The constants without those of hypotheses that are not needed."""
    return [knob for knob in found if knob.kind != "threshold" or knob.where not in superfluous]


def _offered(
    work: Work, printed: Claim, brackets: tuple[Bracket, ...], superfluous: tuple[sympy.Basic, ...]
) -> Offer | None:
    """The first constant that could be sharpened at its best value, without the hypotheses that
    are not needed; of several changes, each of which stood alone, only if they do together."""
    bracket = next((b for b in brackets if b.sharper and b.best is not None), None)
    if bracket is not None and bracket.knob.where in superfluous:
        bracket = None
    if bracket is None and not superfluous:
        return None
    together = Offer(printed, bracket, superfluous)
    if (bracket is not None) + len(superfluous) < 2:
        return together
    trial = judged(work, together.claim(), "all that is sharper")
    if trial.outcome in STANDING and not trial.doubt:
        return together
    return Offer(printed, bracket, () if bracket is not None else superfluous[:1])


def _text(value: sympy.Expr | None) -> str | None:
    return None if value is None else str(value)
