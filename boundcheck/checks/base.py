"""What every check is given: a claim, its key, a budget and a random stream of its own."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from boundcheck.claim import Claim
from boundcheck.encoding import encode
from boundcheck.errors import InvalidArgument
from boundcheck.setting import Setting
from boundcheck.verdict import Evidence, Witness

LEAST = 200
NESTED = 64  # times the cost of a claim whose worlds have extreme values inside extreme values


@dataclass(frozen=True)
class Budget:
    """How much work a check may do on one claim of cost 1.

    Counts decide, so that results do not depend on the machine. Seconds are of computing, not of
    waiting for a busy machine, and end the trials of a diagnosis alone.

    Args:
        evaluations: worlds assessed by search. outcomes: draw outcomes enumerated per world.
        draws: Monte-Carlo draws per tested world. shrinks: candidates tried while shrinking.
        seconds: that a check should take. capped: whether a search ends after them.
        least: worlds that a statement must be decided in before it counts as supported, unless
            there are fewer; 0 asks for none. effort: of worlds assessed, at which a search ends,
            the same on every machine. share: of the worlds that checks without a search
            look at, at least a few. resolved: whether it is worked out by how much a bound that
            stands could shrink. informed: whether mutants are searched that decide no verdict.
    """

    name: str
    evaluations: int
    outcomes: int
    draws: int
    shrinks: int
    seconds: float
    least: int = LEAST
    capped: bool = False
    effort: float = math.inf
    share: float = 1.0
    resolved: bool = True
    informed: bool = True

    def worlds(self, count: int) -> int:
        """How many of so many worlds a check without a search looks at.

        >>> budget_named("quick").worlds(12)
        12
        """
        return max(math.ceil(count * self.share), min(count, FEWEST))

    @property
    def cap(self) -> float:
        """Seconds of processor time after which a search ends; infinite for those that decide."""
        return self.seconds if self.capped else math.inf


FEWEST = 2  # worlds that a check looks at, however small its share
RESTART = 3_000  # evaluations of a budget that one search makes; more are searches of their own

BUDGETS = {
    # For test suites.
    "brief": Budget(
        "brief", 240, 700, 4_000, 100, 10.0, least=40, share=0.25, informed=False
    ),
    "quick": Budget("quick", 1_200, 700, 20_000, 300, 45.0),
    "standard": Budget("standard", 12_000, 5_000, 400_000, 1_500, 300.0),
    "thorough": Budget("thorough", 120_000, 50_000, 10_000_000, 6_000, 3000.0),
}


def budget_named(name: str) -> Budget:
    """The budget of a name.

    Raises: InvalidArgument for any other name.
    """
    if name not in BUDGETS:
        raise InvalidArgument(
            f"--budget {name!r} is none of {', '.join(BUDGETS)}; choose one of them"
        )
    return BUDGETS[name]


@lru_cache(maxsize=512)
def _nested(claim: Claim) -> bool:
    """Whether an extreme value over a box is taken of one over another."""
    from boundcheck.expressions.boxes import Extreme

    texts = [claim.statement.relation, *claim.given, *claim.stands.values()]
    return any(outer.body.has(Extreme) for text in texts if hasattr(text, "atoms")
               for outer in text.atoms(Extreme))  # fmt: skip


@dataclass(frozen=True)
class Task:
    """One check on one claim.

    Args:
        key, claim: what is checked. budget: how much work. seed: the run's seed.
        alpha: error probability this claim may spend on statistical refutations.
        warm: vectors of worlds that search assesses first.
        memory: a `boundcheck.search.memory.Memory`, or None: nothing is kept between runs.
        seen: evidence of the checks before this one.
    """

    key: str
    claim: Claim
    budget: Budget
    seed: int = 0
    alpha: float = 1e-9
    warm: tuple[tuple[float, ...], ...] = ()
    memory: Any = None
    seen: tuple[Evidence, ...] = ()

    @property
    def restarts(self) -> int:
        """Independent searches that a check makes, each with a share of the evaluations."""
        return max(self.budget.evaluations // RESTART, 1)

    @property
    def evaluations(self) -> int:
        """Worlds that one search assesses, after dividing by the claim's cost."""
        share = self.budget.evaluations / self.restarts
        cost = self.claim.cost * (NESTED if _nested(self.claim) else 1)
        return max(int(share / max(cost, 0.05)), 12)

    @property
    def least(self) -> int:
        """Worlds that one search tries to decide, whatever the claim's cost."""
        return -(-self.budget.least // self.restarts)

    @property
    def seconds(self) -> float:
        """After which one search ends, in processor time."""
        return self.budget.cap / self.restarts

    def rng(self, purpose: str) -> Any:
        """A generator that depends on seed, key and purpose only."""
        import numpy

        digest = hashlib.sha256(f"{self.seed}|{self.key}|{purpose}".encode()).digest()
        return numpy.random.default_rng(numpy.frombuffer(digest, dtype=numpy.uint32))

    def witness(
        self, kind: str, setting: Setting, shown: dict[str, str], **extra: Any
    ) -> Witness:
        """A witness for this claim at a setting."""
        values = {name: encode(value) for name, value in setting.values.items()}
        return Witness(self.key, self.claim.fingerprint(), kind, values, shown, extra)
