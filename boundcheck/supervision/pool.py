"""Workers on this machine, supervised: a unit that loops, leaks or aborts costs itself alone."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Generator
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from boundcheck.faults import Fault
from boundcheck.supervision.endings import OUTSIDE, ending, nameless_file, overtime, whereabouts
from boundcheck.supervision.limits import Limits
from boundcheck.supervision.work import Finished, Unit, Work
from boundcheck.supervision.worker import WHERE

TICK = 0.25  # seconds between two looks at the clock
CHECK = "supervision"
TRIES = 3  # of a unit whose worker is killed from outside


Answer = TypeVar("Answer")


class Worker:
    """One process and the unit it works on."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.unit: Unit | None = None
        self.deadline = 0.0
        ours, theirs = socket.socketpair()
        self._dump = nameless_file()
        paths = [path or os.getcwd() for path in sys.path]
        numbers = (theirs.fileno(), self._dump, os.getpid(), limits.memory, int(limits.processor))
        code = (
            f"import sys; sys.path[:] = {paths!r}; "
            f"from boundcheck.supervision.worker import serve; serve{numbers}"
        )
        flags = [f"-{'O' * sys.flags.optimize}"] if sys.flags.optimize else []
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, *flags, "-c", code], stdin=subprocess.DEVNULL, process_group=0,
                pass_fds=(theirs.fileno(), self._dump),
            )  # fmt: skip
        self.connection = Connection(ours.detach())

    def begin(self, function: str, unit: Unit) -> None:
        """Hand it a unit."""
        self.unit = unit
        os.ftruncate(self._dump, 0)
        os.lseek(self._dump, 0, os.SEEK_SET)  # of worker and parent, who share it
        self.deadline = time.monotonic() + self.limits.wall
        request = {"function": function, "arguments": unit.arguments}
        with contextlib.suppress(OSError):  # it has ended: `look` says why
            self.connection.send_bytes(json.dumps(request).encode())

    def look(self) -> dict[str, Any] | Fault | None:
        """The answer, what became of the process instead, or None while it works."""
        try:
            if self.connection.poll():
                found: dict[str, Any] = json.loads(self.connection.recv_bytes())
                return found
        except (EOFError, OSError, ValueError):
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(5)
            return self._lost()
        if self.process.poll() is not None:
            return self._lost()
        if time.monotonic() > self.deadline:
            self._ask()
            return self._fault(*overtime(self.limits))
        return None

    def _ask(self) -> None:
        """Have it write where it is."""
        with contextlib.suppress(OSError):
            self.process.send_signal(WHERE)
        end = time.monotonic() + 1
        while time.monotonic() < end and not os.fstat(self._dump).st_size:
            time.sleep(0.02)
        time.sleep(0.05)

    def _lost(self) -> Fault:
        code = self.process.poll()
        if code is None:
            return self._fault("lost", "its process closed the connection")
        return self._fault(*ending(code, self.limits))

    def _fault(self, what: str, text: str) -> Fault:
        """No verdict and no blame: a claim may be slow, too large, or meet a defect of ours."""
        file, line = whereabouts(self._dump)
        return Fault("failed", what, text, CHECK, file, line)

    def end(self) -> None:
        """End the process and whatever it started."""
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        with contextlib.suppress(OSError):
            self.process.kill()
        self.process.wait()
        self.connection.close()
        os.close(self._dump)


class Pool:
    """An `Execute` with long-lived processes on this machine.

    Args: jobs: processes at most; limits: of every unit.
    """

    def __init__(self, jobs: int, limits: Limits) -> None:
        self.jobs = jobs
        self.limits = limits

    def __call__(self, work: Work[Answer]) -> Generator[Answer, None, None]:
        again: deque[Unit] = deque()
        tries: dict[str, int] = {}
        workers: dict[int, Worker] = {}
        try:
            while True:
                self._hand_out(work, again, workers)
                busy = [worker for worker in workers.values() if worker.unit is not None]
                if not busy:
                    return
                wait([worker.connection for worker in busy], TICK)
                for number, worker in list(workers.items()):
                    found = worker.look() if worker.unit is not None else None
                    if found is not None:
                        done = self._result(number, found, again, tries, workers)
                        yield from work.finish(done) if done is not None else ()
                self._stop_unwanted(work, workers)
        finally:
            for worker in workers.values():
                worker.end()

    def _hand_out(
        self, work: Work[Answer], again: deque[Unit], workers: dict[int, Worker]
    ) -> None:
        for number in range(self.jobs):
            if number in workers and workers[number].unit is not None:
                continue
            unit = again.popleft() if again else work.take(number)
            if unit is None:
                return
            if number not in workers:
                workers[number] = Worker(self.limits)
            workers[number].begin(work.function, unit)

    def _stop_unwanted(self, work: Work[Answer], workers: dict[int, Worker]) -> None:
        for number, worker in list(workers.items()):
            if worker.unit is not None and not work.wanted(worker.unit.name):
                workers.pop(number).end()

    def _result(
        self, number: int, found: dict[str, Any] | Fault, again: deque[Unit],
        tries: dict[str, int], workers: dict[int, Worker],
    ) -> Finished | None:  # fmt: skip
        """What is finished, if anything; a worker that may not be as new is not used again."""
        worker = workers[number]
        unit, worker.unit = worker.unit, None
        assert unit is not None
        if isinstance(found, Fault) or not as_new(found, self.limits):
            workers.pop(number).end()
        if isinstance(found, dict):
            fault = Fault(**found["fault"]) if found["fault"] else None
            return Finished(unit.name, found["value"], fault)
        tries[unit.name] = tries.get(unit.name, 0) + 1
        if found.message == OUTSIDE and tries[unit.name] < TRIES:
            again.append(unit)
            return None
        return Finished(unit.name, None, found)


def as_new(found: dict[str, Any], limits: Limits) -> bool:
    """Whether a worker with this answer may be used again."""
    faulty = found["fault"] or (found["value"] or {}).get("fault")
    return not faulty and found["memory"] < limits.memory / 2


class Seat:
    """One supervised process that does units one after another, and is replaced where it must be.

    Args: limits: of every unit.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._worker: Worker | None = None

    def __call__(self, function: str, unit: Unit) -> Finished:
        """The result of a unit, or the fault that took its process away."""
        for _ in range(TRIES):
            found = self._answer(function, unit)
            if isinstance(found, dict):
                fault = Fault(**found["fault"]) if found["fault"] else None
                return Finished(unit.name, found["value"], fault)
            if found.message != OUTSIDE:
                break
        assert isinstance(found, Fault)
        return Finished(unit.name, None, found)

    def _answer(self, function: str, unit: Unit) -> dict[str, Any] | Fault:
        worker = self._worker = self._worker or Worker(self.limits)
        worker.begin(function, unit)
        while (found := worker.look()) is None:
            wait([worker.connection], TICK)
        if isinstance(found, Fault) or not as_new(found, self.limits):
            worker.end()
            self._worker = None
        return found
