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

from boundcheck.claim import Claim
from boundcheck.errors import InvalidArgument
from boundcheck.explore.bracket import Bracket
from boundcheck.explore.bracketing import Work
from boundcheck.explore.fuel import Fuel
from boundcheck.explore.knobs import Knob, hypotheses, knobs
from boundcheck.explore.wording import formula_text

MOST = 8  # constants of one claim
ORDER = ("factor", "threshold", "summand", "inside", "exponent")  # in which they are asked
KINDS = ("factor", "summand", "inside", "exponent", "threshold", "hypothesis")
FUEL = {"quick": 30_000, "standard": 400_000, "thorough": 4_000_000}  # for all trials of a claim


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
                    "doubt": b.doubt or None, "unbroken": _text(b.unbroken),
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
    from boundcheck.diagnosis.trial import PATIENCE, Bench
    from boundcheck.explore.conditions import as_system

    found_label, system = as_system(claim, None, None, root)
    label = label or found_label
    stated = system.original
    asked = [knob for knob in knobs(stated) if knob.kind in kinds]
    found = sorted(asked, key=lambda knob: ORDER.index(knob.kind))[:MOST]
    if not found:
        raise InvalidArgument(
            f"{label}: no constant to sharpen: {type(stated.statement).__name__} of "
            f"{formula_text(stated.statement.relation)} is no inequality with a constant; name "
            "another claim"
        )
    chosen = budget_named(budget)
    bench = Bench(label, replace(chosen, seconds=chosen.seconds * PATIENCE), seed, effort=math.inf)
    start = time.process_time()
    verdict = bench.verdict(stated, "as printed")
    if verdict.outcome not in ("proved", "supported"):
        raise InvalidArgument(
            f"{label}: it is {verdict.outcome}, and constants are sharpened of what stands; see "
            f"`boundcheck diagnose {label}`"
        )
    asked_without = len(list(hypotheses(stated))) if "hypothesis" in kinds else 0
    work = Work(bench, verdict, Fuel(FUEL[budget], parts=len(found) + asked_without))
    several = len({knob.where for knob in found if knob.kind != "threshold"}) > 1
    factors = [knob for knob in found if knob.kind == "factor"]
    brackets = tuple(work.brackets(factors, several))
    needed, superfluous = work.without(stated) if "hypothesis" in kinds else ((), ())
    others = _needed(found[len(factors):], superfluous)
    brackets += tuple(work.brackets(others, several))
    return Sharpening(
        label, verdict.outcome, brackets, superfluous, needed, _sharpest(brackets),
        time.process_time() - start,
    )  # fmt: skip


def _needed(found: list[Knob], superfluous: tuple[sympy.Basic, ...]) -> list[Knob]:
    """The constants without those of hypotheses that are not needed."""
    return [knob for knob in found if knob.kind != "threshold" or knob.where not in superfluous]


def _sharpest(brackets: tuple[Bracket, ...]) -> Claim | None:
    """The claim at the best value of its first constant that could be sharpened."""
    for bracket in brackets:
        if bracket.sharper and bracket.best is not None:
            return bracket.knob.turned(bracket.best)
    return None


def _text(value: sympy.Expr | None) -> str | None:
    return None if value is None else str(value)
