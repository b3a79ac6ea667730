"""Who suffers: later statements whose printed proofs use the failing one, at any distance."""

from __future__ import annotations

from collections.abc import Mapping

from boundcheck.diagnosis.record import Dependant, Repair
from boundcheck.diagnosis.trial import Bench
from boundcheck.library import Library

MOST = 6  # statements verified anew for one diagnosis
LISTED = 12  # statements named


def dependants(
    key: str, library: Library, bench: Bench, repairs: tuple[Repair, ...],
    known: Mapping[str, str],
) -> tuple[Dependant, ...]:  # fmt: skip
    """The claims that use a key, and those that use them in turn, with what becomes of them.

    What survives or fails by itself ends the line: what rests on it does not rest on this key.

    Args: known: verdicts by key, where they are known already.
    """
    verdicts, left = dict(known), MOST
    found: dict[str, Dependant] = {}
    waiting = [(user, "") for user in _users(key, library)]
    while waiting and len(found) < LISTED:
        user, via = waiting.pop(0)
        if user in found or user == key:
            continue
        if user not in verdicts:
            if not left:
                continue
            left -= 1
            verdicts[user] = _verdict(user, library, bench)
        found[user] = _one(user, library, repairs, verdicts[user], via)
        if found[user].status == "conditional":
            waiting += [(other, user) for other in _users(user, library)]
    return tuple(found.values())


def _users(key: str, library: Library) -> list[str]:
    return sorted(other for other, claim in library.claims.items() if key in claim.uses)


def _verdict(key: str, library: Library, bench: Bench) -> str:
    from boundcheck.engine import verify

    return verify(key, library[key], budget=bench.budget, seed=bench.seed, controls=False).outcome


def _one(
    key: str, library: Library, repairs: tuple[Repair, ...], verdict: str, via: str
) -> Dependant:
    if verdict == "proved":
        return Dependant(key, "survives", "proved by machine without the failing statement")
    if verdict in ("refuted", "malformed"):
        return Dependant(key, "fails", f"{verdict} as printed")
    if via:
        return Dependant(key, "conditional", f"no failure found; true if {via} is, which rests on "
                                             "the failing statement")  # fmt: skip
    if not repairs:
        return Dependant(key, "conditional", "no failure found; no repair of what it rests on")
    names = [repair.written for repair in repairs if repair.written]
    if any(name in library[key].uses for name in names):
        return Dependant(key, "survives", "its own proof uses the repaired statement")
    return Dependant(key, "conditional", "no failure found; true if the repair serves its proof")
