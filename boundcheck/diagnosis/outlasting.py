"""Whether a candidate outlasts searches that are cheap beside its verdict.

A short search of its worlds, of those in which the print fails, of enlarged ones and of such as are
larger than search builds.
"""

from __future__ import annotations

import math
from dataclasses import replace

from boundcheck.diagnosis.case import KNOWN, Case
from boundcheck.diagnosis.enlarged import fails_enlarged, fails_far_out
from boundcheck.diagnosis.scales import fails_magnified
from boundcheck.diagnosis.screen import Candidate
from boundcheck.diagnosis.thin import fails_alone
from boundcheck.search.screening import averaged
from boundcheck.worlds.fields import Integer

SHORT = 0.12  # share of a trial's evaluations before the whole
LARGER, LARGEST_SIZE, LARGER_SHARE = 3, 12, 0.25  # sizes searched once more, and how long
MORE = 2  # by which sizes are larger where something is drawn
DEAREST = 100_000  # effort of a world with its outcomes


def outlasts(case: Case, candidate: Candidate) -> bool:
    """Whether a short search does not refute a candidate."""
    refuted, tested = case.bench.searched(candidate.claim, candidate.words, SHORT)
    if refuted is not None:
        case.remember(refuted)
        return False
    if not case.explicit or candidate.elsewhere:
        return tested > 0 or not case.explicit
    untold = tested <= 0 and not is_of_equation(case, candidate)
    if untold or fails_enlarged(case, candidate.claim) or fails_alone(case, candidate.claim):
        return False
    if _fails_nearby(case, candidate):
        return False
    far = fails_far_out(case, candidate.claim, candidate.words)
    if candidate.kind == "hypothesis":
        far = far or fails_magnified(case, candidate.claim, candidate.words)
    return not far and not _fails_at_larger_sizes(case, candidate)


def is_of_equation(case: Case, candidate: Candidate) -> bool:
    """Whether a candidate is an equation as printed on fewer worlds, whose sides balls may find
    equal in all of them without deciding it: tr exp(A + B) = tr exp(A) exp(B) for A that commutes
    with B."""
    return candidate.kind == "hypothesis" and not case.has_inequality


def _fails_at_larger_sizes(case: Case, candidate: Candidate) -> bool:
    """Whether worlds larger than those that search builds refute a candidate.

    Outcomes of draws multiply with each size, so with draws sizes are larger by two only, and
    worlds with too many are passed over.
    """
    claim = candidate.claim
    if claim.worlds is None:
        return False
    drawn = claim.draw is not None or averaged(claim)
    larger = {name: replace(field, searched=field.searched + MORE if drawn else
                            min(field.searched * LARGER, LARGEST_SIZE))
              for name, field in claim.worlds.fields.items()
              if isinstance(field, Integer) and field.high is None
              and isinstance(field.searched, int)}  # fmt: skip
    if not larger:
        return False
    wide = replace(claim, worlds=claim.worlds.and_fields(**larger))
    most = DEAREST if drawn else math.inf
    found = case.search(wide, f"larger {candidate.words}", LARGER_SHARE, most=most)
    return found.violation is not None


def _fails_nearby(case: Case, candidate: Candidate) -> bool:
    """Whether a search from the worlds in which the print fails refutes a candidate."""
    failing = [seen.candidate.vector for seen in case.worlds[:KNOWN] if seen.violated]
    found = case.search(candidate.claim, f"near failures {candidate.words}", SHORT, warm=failing)
    if found.violation is not None:
        case.killers.append(dict(found.violation.setting.values))
    return found.violation is not None
