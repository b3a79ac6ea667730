"""What search finds on one claim without the hints of its statement file, and what it rests on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boundcheck.library import Library

FAILING = ("refuted", "malformed")


@dataclass(frozen=True)
class Row:
    """What a search without hints found on one claim.

    Args: verdict: as golden files write it. summary: of the verdict. seconds: of computing.
    state: digest of code, statement and environment that made it.
    """

    key: str
    verdict: str
    summary: str
    seconds: float
    budget: str = "quick"
    seed: int = 0
    state: str = ""

    @property
    def fallen(self) -> bool:
        """Whether it was seen to fail."""
        return self.verdict.startswith(FAILING)


def states(root: Path, keys: Iterable[str]) -> dict[str, str]:
    """Key to digest of the code, statement and environment that a row rests on."""
    from boundcheck.environment import environment
    from boundcheck.ledger import Digests

    code, said = Digests(root), json.dumps(environment(), sort_keys=True)
    claims = library(str(root)).claims
    texts = {key: f"{code.of(key, __name__)}|{claims[key].fingerprint()}|{said}" for key in keys}
    return {key: hashlib.sha256(text.encode()).hexdigest()[:24] for key, text in texts.items()}


def blind(root: str, key: str, budget: str, seed: int, state: str = "") -> Row:
    """The verdict on one claim from its domains alone; a fault is a verdict that is none."""
    import time

    from boundcheck.engine import verify
    from boundcheck.environment import settle_environment
    from boundcheck.search.hints import without_hints
    from boundcheck.verification import level_of_each

    settle_environment()
    before = time.process_time()
    claim = without_hints(library(root).claims[key])
    alpha = level_of_each()
    found = verify(key, claim, budget=budget, seed=seed, alpha=alpha, controls=False)
    kind = f" ({found.kind})" if found.outcome == "refuted" else ""
    seconds = time.process_time() - before
    return Row(key, f"{found.outcome}{kind}", found.summary, seconds, budget, seed, state)


@lru_cache(maxsize=1)
def library(root: str) -> Library:
    """The library below a folder, loaded once."""
    from boundcheck.library import load_library

    return load_library(Path(root))
