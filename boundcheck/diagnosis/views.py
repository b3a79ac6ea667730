"""Worlds in which a claim fails, under changed statements: what a world has computed serves all.

Whether some world refutes a change does not depend on the order in which they are asked, so those
that refuted most in the least time come first.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping

from boundcheck.claim import Claim
from boundcheck.diagnosis.trial import fails_at
from boundcheck.exact import Value
from boundcheck.setting import Setting


class View:
    """One world under every change of a claim."""

    def __init__(self, claim: Claim, values: Mapping[str, Value]) -> None:
        self.setting = Setting(claim, values)
        self.refuted, self.seconds = 0, 1e-3

    def fails(self, claim: Claim, outcomes: int) -> bool:
        """Whether a changed claim fails here, or asks a quantity for what it cannot take."""
        start = time.perf_counter()
        same = claim is self.setting.claim or alike(self.setting.claim, claim)
        here = self.setting.under(claim) if same else Setting(claim, self.setting.values)
        try:
            found = fails_at(here, outcomes)
        except Exception:  # a quantity may fail in any way on what it was not made for
            found = True
        self.refuted += found
        self.seconds += time.perf_counter() - start
        return found

    @property
    def worth(self) -> float:
        """Refutations in a second."""
        return (self.refuted + 1) / self.seconds


class Views:
    """Failing worlds of one claim.

    Args: outcomes: of a draw beyond which a world is not asked.
    """

    def __init__(self, claim: Claim, outcomes: int) -> None:
        self.claim, self.outcomes = claim, outcomes
        self._views: dict[str, View] = {}

    def add(self, worlds: Iterable[Mapping[str, Value]]) -> None:
        """Worlds that are asked from now on."""
        for values in worlds:
            self._views.setdefault(str(values), View(self.claim, values))

    def refute(self, claim: Claim) -> bool:
        """Whether a changed claim fails in one of the worlds."""
        ordered = sorted(self._views.values(), key=lambda view: -view.worth)
        return any(view.fails(claim, self.outcomes) for view in ordered)


def alike(claim: Claim, other: Claim) -> bool:
    """Whether two claims have the very same worlds, draw and quantities."""
    mine, its = claim.measured, other.measured
    if claim.draw is not other.draw or mine.keys() != its.keys():
        return False
    if any(its[name] is not quantity for name, quantity in mine.items()):
        return False
    if claim.worlds is None or other.worlds is None:
        return claim.worlds is other.worlds
    fields = other.worlds.fields
    return len(fields) == len(claim.worlds.fields) and all(
        fields.get(name) is field for name, field in claim.worlds.fields.items()
    )
