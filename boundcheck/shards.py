"""A claim cut into shards, and its verdict put together from them, whoever did the work.

A shard is a check, one of the searches of a check, a mutant or a comparison searched alone. Each
has random streams of its own, so that a result says the same in any process. What a shard says
counts only if a run of one shard after another would have come to it: what stands behind a
refutation, or behind the first search of a check that finds a violation, is not looked at. The
verdict thus depends neither on how many shards are done at a time nor on their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from boundcheck.boundary.documents import Misshapen, shaped
from boundcheck.faults import Fault
from boundcheck.verdict import CERTIFIED, TWO_SOLVERS, Evidence, Verdict, conclude

CONTRACT = "contract"
CHECKS = ("definedness", "proof", "enumeration", "invariance", "sampling", "trend")
CONTROLS = "controls"
MUTANT, PART, CHALLENGE, SEARCH = "mutant", "part", "challenge", " search "

Result = dict[str, Any]  # of one shard, as JSON; see `boundcheck.engine.perform`


@dataclass(frozen=True)
class Shard:
    """Work that can begin.

    Args:
        name: unique in its claim. certain: it is needed whatever is found meanwhile.
        given: what it needs of other shards.
    """

    name: str
    certain: bool
    given: Mapping[str, Any]


@dataclass
class Shards:
    """The shards of one claim that are done, and what follows from them.

    Args: controls: whether mutants of an unrefuted claim are searched too; done: result by name.
    """

    key: str
    controls: bool = True
    done: dict[str, Result] = field(default_factory=dict)

    def ready(self) -> Iterator[Shard]:
        """What can be done now, in the order of a run that does one after another."""
        if CONTRACT not in self.done:
            yield Shard(CONTRACT, True, {})
            return
        if self._stops(CONTRACT):
            return
        certain = True
        for check in CHECKS:
            if check not in self.done:
                yield from self._of_check(check, certain)
                certain = False
            elif self._stops(check):
                return
        if certain:
            yield from self._of_controls()

    def _of_check(self, check: str, certain: bool) -> Iterator[Shard]:
        restarts = self.layout["restarts"].get(check, 1)
        if restarts > 1:
            found, missing = self._searches(check)
            for place, name in enumerate(missing):
                yield Shard(name, certain and place == 0, {})
            if not missing:
                yield Shard(check, certain, {"searches": found})
        elif check != "trend":
            yield Shard(check, certain, {})
        elif certain:  # it speaks of the constants that others saw
            yield Shard(check, True, {"seen": [self.done[name]["evidence"] for name in CHECKS
                                               if name in self.done]})  # fmt: skip

    def _searches(self, check: str) -> tuple[list[Result], list[str]]:
        """(results, names of those missing) of the searches up to the first that ends them."""
        found, missing = [], []
        for shard in range(self.layout["restarts"][check]):
            name = f"{check}{SEARCH}{shard}"
            if name not in self.done:
                missing.append(name)
                continue
            found.append(self.done[name])
            if ends(self.done[name]):
                break
        return found, missing

    def _of_controls(self) -> Iterator[Shard]:
        evidence = self._evidence()
        verdict = None if evidence is None else conclude(self.key, evidence, 0.0)
        if verdict is None or not self._controlled(verdict):
            return
        # A mutant is most likely to fail where the claim itself is tightest.
        warm = [item.numbers.get("coordinates") for item in verdict.evidence]
        given = {"warm": [vector for vector in warm if vector], "slack": verdict.slack}
        missing = [name for name in self._control_names() if name not in self.done]
        yield from (Shard(name, True, given) for name in missing)
        if not missing:  # what is asked of the other checks rests on the slack of each comparison
            yield from self._of_challenges(verdict)

    def _of_challenges(self, verdict: Verdict) -> Iterator[Shard]:
        parts = self._controls(verdict).numbers.get("parts", [])
        proofs = [item.numbers for item in verdict.evidence if item.outcome == "proved"]
        given = {"slacks": [row["slack"] for row in parts],
                 "constant": proofs[0]["constant"] if proofs else None}  # fmt: skip
        yield from (Shard(n, True, given) for n in self._challenge_names() if n not in self.done)

    def _control_names(self) -> list[str]:
        counts = ((MUTANT, self.layout["mutants"]), (PART, self.layout["separate"]))
        return [f"{kind} {place}" for kind, count in counts for place in range(count)]

    def _challenge_names(self) -> list[str]:
        return [f"{CHALLENGE} {check}" for check in self.layout.get("challenged", [])]

    def _controlled(self, verdict: Verdict) -> bool:
        return self.controls and verdict.outcome in ("proved", "supported")

    @property
    def layout(self) -> dict[str, Any]:
        """How many shards of each kind the claim has."""
        found: dict[str, Any] = self.done[CONTRACT]["layout"]
        return found

    def _stops(self, check: str) -> bool:
        """Whether nothing after a check that is done can count."""
        item = evidence_of(self.done[check]["evidence"])
        return item.outcome in CERTIFIED or (item.fault is not None and _final(item.fault))

    def wanted(self, name: str) -> bool:
        """Whether the result of a shard at work can still count."""
        check, searched, _ = name.partition(SEARCH)
        if check not in CHECKS:
            return True
        before = (CONTRACT, *CHECKS[: CHECKS.index(check)])
        if check in self.done or any(other in self.done and self._stops(other) for other in before):
            return False
        return not searched or name in self._searches(check)[1]

    def _evidence(self) -> list[Evidence] | None:
        """Of all checks that count, None as long as one is missing."""
        if CONTRACT not in self.done:
            return None
        first = evidence_of(self.done[CONTRACT]["evidence"])
        found = [] if first.fault is None else [first]
        if self._stops(CONTRACT):
            return found
        for check in CHECKS:
            if check not in self.done:
                return None
            found.append(evidence_of(self.done[check]["evidence"]))
            if self._stops(check):
                break
        return found

    def verdict(self) -> Verdict | None:
        """The verdict, None as long as a shard is missing.

        Raises: AssertionError for a claim proved and refuted at once.
        """
        evidence = self._evidence()
        if evidence is None:
            return None
        found = conclude(self.key, evidence, self.seconds)
        if not self._controlled(found):
            return self._told(found)
        if any(n not in self.done for n in (*self._control_names(), *self._challenge_names())):
            return None
        evidence.append(self._challenged(self._controls(found)))
        return self._told(conclude(self.key, evidence, self.seconds))

    def _told(self, verdict: Verdict) -> Verdict:
        """The verdict with the numbers of an experiment before its own words."""
        told = "" if verdict.fault is not None else self.layout.get("told", "")
        return replace(verdict, summary=f"{told}; {verdict.summary}") if told else verdict

    def _controls(self, found: Verdict) -> Evidence:
        from boundcheck.checks import controls

        results = [self.done[name] for name in self._control_names()]
        faults = [row["fault"] for row in (*results, self.layout) if row["fault"] is not None]
        if faults:
            return failed(CONTROLS, Fault(**faults[0]))
        rows = [row["row"] for row in results if "row" in row]
        own = [row["alone"] for row in results if "alone" in row]
        exercised = any(item.numbers.get("tested") for item in found.evidence)
        return controls.concluded(self.layout["compared"], found.slack, rows, own, exercised)

    def _challenged(self, controls: Evidence) -> Evidence:
        """The evidence of controls with the mutants of the other checks beside its own."""
        results = [self.done[name] for name in self._challenge_names()]
        faults = [result["fault"] for result in results if result["fault"] is not None]
        if faults or controls.fault is not None or not results:
            return failed(CONTROLS, Fault(**faults[0])) if faults else controls
        rows = [row for result in results for row in result["rows"]]
        told = f"{controls.detail}; {sum(row['caught'] for row in rows)} of {len(rows)} noticed"
        numbers = controls.numbers
        return replace(controls, detail=f"{told} by the other checks", numbers={
            **numbers, "mutants": [*numbers["mutants"], *rows]})  # fmt: skip

    @property
    def seconds(self) -> float:
        """Of all shards together."""
        return float(sum(result["seconds"] for result in self.done.values()))


def ends(result: Result) -> bool:
    """Whether the searches after this one do not count."""
    return result["fault"] is not None or result["search"]["violation"] is not None


def _final(fault: Fault) -> bool:
    """Whether further checks would meet the same."""
    return fault.state == "broken" or fault.exception == "memory limit"


def failed(check: str, fault: Fault) -> Evidence:
    """The evidence of a check that a fault kept from its work."""
    return Evidence(check, None, f"the check failed to run: {fault}", fault=fault)


def evidence_as_json(item: Evidence) -> dict[str, Any]:
    """Evidence as another process can read it."""
    return asdict(item)


def evidence_of(data: Mapping[str, Any]) -> Evidence:
    """What `evidence_as_json` wrote.

    Raises: Misshapen for anything else, for a failure without a witness and a proof without both a
        certificate and two solvers.
    """
    found = shaped(data, Evidence, "evidence")
    unseen = found.witness is None and found.outcome in CERTIFIED
    unproved = found.certificate is None and found.numbers.get("standing") != TWO_SOLVERS
    if unseen or (unproved and found.outcome == "proved"):
        raise Misshapen(f"says that a claim is {found.outcome}, and not by what")
    return found


def first_fault(results: Sequence[Result]) -> Fault | None:
    """The fault of the first result that has one."""
    return next((Fault(**row["fault"]) for row in results if row["fault"] is not None), None)
