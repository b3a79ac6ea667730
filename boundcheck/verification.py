"""The shards of many claims as work for processes, here or on a cluster; entries as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boundcheck.boundary import numbers
from boundcheck.faults import Fault, fault_of, is_ours
from boundcheck.library import load_library, shipped_root
from boundcheck.shards import Result, Shard, Shards
from boundcheck.supervision import Finished, Unit
from boundcheck.verdict import ERROR_PROBABILITY, Evidence, Verdict, conclude

if TYPE_CHECKING:
    from boundcheck.ledger import Ledger

Progress = Callable[[str, dict[str, Any]], None]  # told of (key, entry or diagnosis) as it comes
Stage = Callable[[str, int], Progress]  # begins a stage, by its word and how much there is of it
KEPT_SECONDS = 1.0  # shards that took longer are kept in the ledger until their claim is decided


@dataclass(frozen=True)
class Orders:
    """What is the same for every claim of a run.

    Args: root: the library, "" for the shipped one; alpha: error probability of each claim;
    memory: folder with the best worlds of earlier runs, or None; hints: whether search may use
    what the statement file says about where to look.
    """

    root: str
    budget: str
    seed: int
    alpha: float
    memory: str | None = None
    hints: bool = True


def require_options(budget: str, seed: int, jobs: int | None) -> None:
    """Check the options of a run.

    Raises: InvalidArgument for an unknown budget, a negative seed or jobs below one.
    """
    from boundcheck.checks.base import budget_named

    budget_named(budget)
    numbers.seed(seed)
    if jobs is not None:
        numbers.whole("--jobs", jobs, 1, numbers.MOST_JOBS, 4)


def level_of_each() -> float:
    """Error probability of each claim, whatever else runs: half the whole over 1024 places."""
    from boundcheck.statistics import Account

    return float(Account(ERROR_PROBABILITY).level("any key"))


def silent(word: str, total: int) -> Progress:
    """A stage that nobody is told of."""
    return lambda key, entry: None


def named(root: Path) -> str:
    """A library as another machine can name it: the shipped one lies wherever the package does."""
    return "" if root.resolve() == shipped_root().resolve() else str(root)


def verify_shard(orders: dict[str, Any], key: str, name: str, given: dict[str, Any]) -> Result:
    """The result of one shard, in whatever process this runs; whatever goes wrong is a fault."""
    from boundcheck.checks.base import Task, budget_named
    from boundcheck.engine import perform
    from boundcheck.search.memory import Memory

    order = Orders(**orders)
    try:
        claim = load_library(order.root or shipped_root(), [key])[key]
        if not order.hints:
            from boundcheck.search.hints import without_hints

            claim = without_hints(claim)
        memory = Memory(Path(order.memory)) if order.memory is not None else None
        task = Task(
            key, claim, budget_named(order.budget), order.seed, order.alpha, memory=memory
        )
        return perform(task, name, given)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and is_ours(error):
            raise
        return {"lost": True, "fault": fault_of(error, "engine").as_json()}


def faulty(key: str, fault: Fault) -> Verdict:
    """What is said of a claim that was not decided because of a fault."""
    return conclude(key, [Evidence(fault.check, None, str(fault), fault=fault)], 0.0)


@dataclass
class Verification:
    """Claims to verify: shards that are needed come first, then those that may be.

    A worker goes on with the claim that it knows; then claims not yet begun are begun; then help
    is given to others; and only who would be idle works on what may turn out not to count.

    Args: keys: in the order in which they are begun; ledger: where shards are kept that took
    long, and taken from.
    """

    orders: Orders
    keys: Sequence[str]
    ledger: Ledger | None = None
    function: str = "boundcheck.verification:verify_shard"
    _begun: dict[str, Shards] = field(default_factory=dict)
    _running: dict[str, tuple[str, str]] = field(default_factory=dict)
    _needed: dict[str, list[Shard]] = field(default_factory=dict)
    _possible: dict[str, list[Shard]] = field(default_factory=dict)
    _last: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._waiting = list(reversed(self.keys))

    def take(self, worker: int) -> Unit | None:
        """The next shard for a worker."""
        own = self._last.get(worker, "")
        if own not in self._needed and self._waiting:
            own = self._waiting.pop()
            self._begun[own] = Shards(own, done=self._kept(own))
            self._look(own)
        for shelf in (self._needed, self._possible):
            if shelf:
                return self._taken(worker, own if own in shelf else next(iter(shelf)), shelf)
        return None

    def _taken(self, worker: int, key: str, shelf: dict[str, list[Shard]]) -> Unit:
        shard = shelf[key].pop(0)
        if not shelf[key]:
            del shelf[key]
        name = f"{key} {shard.name}"
        self._last[worker], self._running[name] = key, (key, shard.name)
        return Unit(name, (asdict(self.orders), key, shard.name, dict(shard.given)))

    def _look(self, key: str) -> None:
        """Lay out anew what can begin of a claim."""
        ready = [shard for shard in self._begun[key].ready()
                 if f"{key} {shard.name}" not in self._running] if key in self._begun else []
        for shelf, certain in ((self._needed, True), (self._possible, False)):
            shelf.pop(key, None)
            if found := [shard for shard in ready if shard.certain == certain]:
                shelf[key] = found

    def _kept(self, key: str) -> dict[str, Result]:
        if self.ledger is None:
            return {}
        return self.ledger.shards(key, self.orders.budget, self.orders.seed)

    def finish(self, done: Finished) -> Iterator[dict[str, Any]]:
        """The entry of a claim that is decided with this shard."""
        key, name = self._running.pop(done.name)
        shards = self._begun.get(key)
        if shards is None or not shards.wanted(name):
            return
        fault, value = done.fault, done.value
        if fault is None and (value is None or "lost" in value):
            fault = _fault_in(value)
        if fault is not None or value is None:
            self._end(key)
            assert fault is not None
            yield faulty(key, fault).as_json()
            return
        shards.done[name] = value
        verdict = _concluded(shards)
        if verdict is not None:
            self._end(key)
            yield verdict.as_json()
            return
        self._look(key)
        if self.ledger is not None and value["seconds"] > KEPT_SECONDS and not value["fault"]:
            self.ledger.keep_shard(key, self.orders.budget, self.orders.seed, name, value)

    def _end(self, key: str) -> None:
        del self._begun[key]
        self._look(key)

    def wanted(self, name: str) -> bool:
        """Whether a shard at work can still count."""
        key, shard = self._running[name]
        if key in self._begun and self._begun[key].wanted(shard):
            return True
        del self._running[name]
        return False


def _fault_in(value: dict[str, Any] | None) -> Fault:
    """The fault that a shard tells in the place of a result."""
    try:
        return Fault(**(value or {})["fault"])
    except (KeyError, TypeError):
        return Fault("failed", "lost", "neither a result nor a fault came back", "supervision")


def _concluded(shards: Shards) -> Verdict | None:
    """The verdict, None as long as a result is missing; a fault where one is none."""
    try:
        found = shards.verdict()
        if found is None:  # what is no result is found out here, where it costs its own claim
            _ = [*shards.ready()], shards.seconds
        return found
    except Exception as error:  # what contradicts itself is a defect of ours, and of this claim
        return faulty(shards.key, fault_of(error, "engine"))
