"""Who suffers: later statements whose printed proofs use the failing one."""

from __future__ import annotations

from collections.abc import Mapping

from boundcheck.diagnosis.record import Dependant, Repair
from boundcheck.diagnosis.trial import Bench
from boundcheck.library import Library

MOST = 6  # statements verified anew for one diagnosis


def dependants(
    key: str, library: Library, bench: Bench, repairs: tuple[Repair, ...],
    known: Mapping[str, str],
) -> tuple[Dependant, ...]:  # fmt: skip
    """The claims that name a key among those they use, with what becomes of them.

    Args: known: verdicts by key, where they are known already.
    """
    users = sorted(other for other, claim in library.claims.items() if key in claim.uses)
    return tuple(
        _one(user, library, bench, repairs, known.get(user) or _verdict(user, library, bench))
        for user in users[:MOST]
    )


def _verdict(key: str, library: Library, bench: Bench) -> str:
    from boundcheck.engine import verify

    return verify(key, library[key], budget=bench.budget, seed=bench.seed, controls=False).outcome


def _one(
    key: str, library: Library, bench: Bench, repairs: tuple[Repair, ...], verdict: str
) -> Dependant:
    if verdict == "proved":
        return Dependant(key, "survives", "proved by machine without the failing statement")
    if verdict in ("refuted", "malformed"):
        return Dependant(key, "fails", f"{verdict} as printed")
    if not repairs:
        return Dependant(key, "conditional", "no failure found; no repair of what it rests on")
    names = [repair.written for repair in repairs if repair.written]
    if any(name in library[key].uses for name in names):
        return Dependant(key, "survives", "its own proof uses the repaired statement")
    return Dependant(key, "conditional", "no failure found; its proof rests on the repair")
