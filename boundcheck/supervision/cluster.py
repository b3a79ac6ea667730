"""Workers anywhere: units go to the scheduler of a Dask cluster, and results come back one by one.

Scheduler and workers are started by their own commands, `dask scheduler` and `dask worker ADDRESS`,
where the same version of this package is installed. A worker gives every unit to a supervised
process beside it, so that limits and faults are those of `--jobs`. Units of a worker that dies are
run again; workers may come and go. If the scheduler ends, what is finished is here already: the
run waits for another one at the same address and goes on with what is not.

Source: Rocklin, Proceedings of the 14th Python in Science Conference (2015) 126-132; `distributed`.
"""

from __future__ import annotations

import contextlib
import json
import logging
import math
import queue
import socket
import sys
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from boundcheck.boundary.documents import Misshapen, shaped
from boundcheck.boundary.messages import reason, shown
from boundcheck.errors import ClusterError, MissingExtra
from boundcheck.faults import Fault
from boundcheck.supervision.limits import Limits
from boundcheck.supervision.pool import Seat
from boundcheck.supervision.work import Finished, Unit, Work

if TYPE_CHECKING:
    from distributed import Client, Future

TICK = 0.25  # seconds between two looks at the cluster
CONNECT = 10.0  # seconds for a scheduler to answer
MOST_LOST = 10  # times that one unit is handed in again
RETURN = 120.0  # seconds for a scheduler or a worker to come back
AHEAD = 1.25  # units handed out for each thread of the cluster
START = "start one with `dask scheduler`, then `dask worker ADDRESS`"

Answer = TypeVar("Answer")
_SEATS = threading.local()


def identity(root: str) -> dict[str, str]:
    """What must be the same here and on every worker: versions, our code and the library.

    Args: root: the library, "" for the shipped one.
    """
    from boundcheck import __version__
    from boundcheck.environment import environment
    from boundcheck.ledger import code_digest
    from boundcheck.library import shipped_root

    folder = Path(root) if root else shipped_root()
    return {
        "boundcheck": __version__, **environment(),
        "code of boundcheck": code_digest(Path(__file__).parent.parent),
        f"library {root or 'shipped'}": code_digest(folder) if folder.is_dir() else "missing",
    }  # fmt: skip


def run_unit(function: str, name: str, arguments: str, limits: dict[str, Any]) -> str:
    """A unit on a worker, in a supervised process of its thread; arguments and result are JSON."""
    from boundcheck.environment import settle_environment

    settle_environment()
    wanted = Limits(**limits)
    seat: Seat | None = getattr(_SEATS, "seat", None)
    if seat is None or seat.limits != wanted:
        seat = _SEATS.seat = Seat(wanted)
    done = seat(function, Unit(name, tuple(json.loads(arguments))))
    fault = None if done.fault is None else done.fault.as_json()
    return json.dumps({"value": done.value, "fault": fault})


class Cluster:
    """An `Execute` on the workers of a scheduler; a context that ends the connection.

    Args: address: of the scheduler, e.g. tcp://10.0.0.5:8786; limits: of every unit; root: the
        library, "" for the shipped one.
    Raises: MissingExtra; ClusterError if nobody listens, no worker is there, or a worker has
        another version, environment or library.
    """

    def __init__(self, address: str, limits: Limits, root: str = "") -> None:
        self.address, self.limits, self.root = address, limits, root
        self._here = identity(root)
        self._client = self._connected(CONNECT)
        self.require_workers()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *error: object) -> None:
        self._close()

    def __call__(self, work: Work[Answer]) -> Generator[Answer, None, None]:
        flight = Flight(self)
        while flight.fill(work):
            for done in flight.landed():
                yield from work.finish(done)
            flight.drop(work)

    def client(self) -> Client:
        """A connection that works, made again if the scheduler has been away.

        Raises: ClusterError if it does not come back.
        """
        if self._client.status != "running":
            print(f"boundcheck: the scheduler at {self.address} is gone; waiting for another one",
                  file=sys.stderr)  # fmt: skip
            self._close()
            self._client = self._connected(RETURN)
            self.require_workers(RETURN)
        return self._client

    def _connected(self, patience: float) -> Client:
        try:
            from distributed import Client
        except ImportError as error:
            raise MissingExtra(
                f"--cluster {shown(self.address)} needs Dask, which is not installed; "
                "run pip install 'boundcheck[cluster]'"
            ) from error

        class Quiet(Client):
            """Closed by us alone: one that never connected complains when it is collected."""

            def __del__(self) -> None:
                pass

        for name in ("distributed", "tornado"):  # what they log, we say in one line
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            _require_listener(self.address, patience)
            return _in_time(lambda: Quiet(self.address, timeout=CONNECT, set_as_default=False))
        except (OSError, ValueError, MemoryError) as error:  # what is no scheduler says anything
            raise ClusterError(
                f"--cluster {shown(self.address)}: no scheduler answers there ({reason(error)}); "
                f"{START}"
            ) from error

    def _close(self) -> None:
        with contextlib.suppress(Exception):  # a scheduler that is gone cannot be told
            self._client.close(timeout=2)

    def require_workers(self, patience: float = CONNECT) -> None:
        """Raises: ClusterError without a worker, or with one that would decide differently."""
        deadline = time.monotonic() + patience
        while not self._client.nthreads():
            if time.monotonic() > deadline:
                raise ClusterError(f"--cluster {shown(self.address)}: it has no worker; {START}")
            time.sleep(TICK)
        try:
            found = self._client.run(identity, self.root)
        except Exception as error:  # whatever a worker without this package makes of it
            raise ClusterError(
                f"a worker of {shown(self.address)} cannot run boundcheck ({reason(error)}); "
                f"install version {self._here['boundcheck']} where the workers are"
            ) from error
        for worker, theirs in sorted(found.items()):
            self.require_same(worker, theirs)

    def require_same(self, worker: str, theirs: dict[str, str]) -> None:
        """Raises: ClusterError naming the first difference."""
        for name, value in self._here.items():
            if theirs.get(name) != value:
                raise ClusterError(
                    f"worker {worker} has {name} {theirs.get(name, 'none')}, here it is {value}; "
                    "install the same on every worker (requirements.lock) and start it again"
                )


def _in_time(connect: Callable[[], Answer]) -> Answer:
    """What a call returns or raises. Raises: TimeoutError after twice as long as it should take."""
    found: queue.SimpleQueue[tuple[Answer | None, BaseException | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            found.put((connect(), None))
        except BaseException as error:
            found.put((None, error))

    threading.Thread(target=run, daemon=True).start()
    try:
        client, error = found.get(timeout=2 * CONNECT)
    except queue.Empty:
        raise TimeoutError(f"not a word in {2 * CONNECT:.0f} s") from None
    if error is not None:
        raise error
    return client  # type: ignore[return-value]


def _require_listener(address: str, patience: float) -> None:
    """Wait for somebody to listen.

    Raises: ValueError for what is no address, OSError if nobody listens in time.
    """
    host, colon, port = address.rpartition("://")[2].rstrip("/").rpartition(":")
    if not colon or not host or not port.isdecimal() or not 0 < int(port) < 2**16:
        raise ValueError("an address is tcp://HOST:PORT")
    deadline = time.monotonic() + patience
    while True:
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT).close()
            return
        except ConnectionRefusedError:
            if patience <= CONNECT or time.monotonic() > deadline:
                raise
            time.sleep(TICK)


class Answered(Struct, forbid_unknown_fields=True):
    """What `run_unit` sends."""

    value: dict[str, Any] | None
    fault: Fault | None


def result_of(name: str, answer: object) -> Finished:
    """What a worker sent for a unit; a fault if that is no result.

    >>> print(result_of("a", "[]").fault)
    supervision: lost: a worker sent what is no result: Expected `object`, got `array`
    """
    try:
        found = shaped(json.loads(str(answer)), Answered, "result")
    except (ValueError, RecursionError) as error:
        return _without_result(name, f"a worker sent what is no JSON: {reason(error)}")
    except Misshapen as error:
        return _without_result(name, f"a worker sent what {reason(error)}")
    return Finished(name, found.value, found.fault)


def _without_result(name: str, why: str) -> Finished:
    return Finished(name, None, Fault("failed", "lost", why, "supervision"))


class Flight:
    """Units handed to the cluster and not back yet."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.run = uuid.uuid4().hex[:8]  # keys of two runs on one scheduler are not the same task
        self._units: dict[str, tuple[Unit, Future[Any]]] = {}
        self._back: queue.SimpleQueue[tuple[str, Future[Any]]] = queue.SimpleQueue()
        self._lost: set[str] = set()
        self._losses: Counter[str] = Counter()
        self._of: Client | None = None
        self._known: set[str] = set()
        self._count = 0

    def fill(self, work: Work[Any]) -> bool:
        """Hand out what the cluster has room for; whether anything is under way."""
        client = self.cluster.client()
        self._again(client)
        threads = client.nthreads()
        self._meet(client, set(threads))
        room = max(math.ceil(AHEAD * sum(threads.values())), 1)
        while len(self._units) < room and (unit := work.take(-1)) is not None:
            self._submit(client, work.function, unit)
        if self._units and not threads:
            self.cluster.require_workers(RETURN)
        return bool(self._units)

    def _meet(self, client: Client, workers: set[str]) -> None:
        """Ask workers that came late who they are."""
        new, self._known = workers - self._known, workers
        if new:
            with contextlib.suppress(OSError, TimeoutError):  # gone again
                for worker, theirs in client.run(
                    identity, self.cluster.root, workers=sorted(new), on_error="ignore"
                ).items():
                    self.cluster.require_same(worker, theirs)

    def _submit(self, client: Client, function: str, unit: Unit) -> None:
        self._count += 1
        future = client.submit(
            run_unit, function, unit.name, json.dumps(unit.arguments), asdict(self.cluster.limits),
            key=f"boundcheck-{self.run}-{self._count}", pure=False,
        )  # fmt: skip
        self._units[unit.name] = unit, future
        self._function = function
        future.add_done_callback(lambda future, name=unit.name: self._back.put((name, future)))

    def landed(self) -> list[Finished]:
        """Results since the last look, at once or after a while; none if there are none."""
        found: list[Finished] = []
        with contextlib.suppress(queue.Empty):
            found += self._result(*self._back.get(timeout=TICK))
            while True:
                found += self._result(*self._back.get_nowait())
        return found

    def _result(self, name: str, future: Future[Any]) -> list[Finished]:
        unit, current = self._units.get(name, (None, None))
        if unit is None or current is not future:
            return []
        if future.status not in ("finished", "error"):
            return self._missed(name, f"it is {future.status}")
        if future.status == "error":
            del self._units[name]
            return [_without_result(name, reason(future.exception()))]
        try:
            answer = future.result(timeout=CONNECT)
        except Exception as error:  # who held it is gone
            return self._missed(name, reason(error))
        del self._units[name]
        return [result_of(name, answer)]

    def _missed(self, name: str, why: str) -> list[Finished]:
        """Mark a unit to be handed in again; after many times it has no result."""
        self._losses[name] += 1
        if self._losses[name] <= MOST_LOST:
            self._lost.add(name)
            return []
        del self._units[name]
        return [_without_result(name, f"lost {self._losses[name]} times; {why}")]

    def _again(self, client: Client) -> None:
        """Hand in once more what was lost; all of it to a scheduler that we have just met."""
        lost = self._lost if client is self._of else set(self._units)
        for name in sorted(lost & set(self._units)):
            self._submit(client, self._function, self._units[name][0])
        self._of, self._lost = client, set()

    def drop(self, work: Work[Any]) -> None:
        """Take back what can make no difference any more."""
        for name, (_, future) in list(self._units.items()):
            if not work.wanted(name):
                del self._units[name]
                future.cancel()

