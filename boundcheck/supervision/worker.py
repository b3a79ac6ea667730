"""The inside of a worker process: one unit after another, each under the limits.

Requests and answers are JSON over a private socket. The worker says where it is (`faulthandler`,
into a file that its parent reads) when it is asked by a signal, aborts or passes its processor
limit; it ends with its parent, however that ends.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import json
import os
import resource
import signal
import sys
import threading
import time
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from boundcheck.faults import fault_of

IN_WORKER = False  # whether this process is one
WHERE = signal.SIGUSR1  # asks a worker where it is
PDEATHSIG = 1  # prctl: the signal that a process gets when its parent ends


def serve(socket: int, dump: int, parent: int, memory: int, processor: int) -> None:
    """Answer requests until the parent closes the socket.

    Args: socket, dump: descriptors; parent: its process id; memory: bytes of data;
    processor: seconds for each unit.
    """
    global IN_WORKER
    IN_WORKER = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is told, and ends its workers
    os.dup2(2, 1)  # what user code prints is no part of a document on standard output
    confine(dump, parent, memory)
    with Connection(socket) as connection:
        while True:
            try:
                request = json.loads(connection.recv_bytes())
            except (EOFError, OSError):
                os._exit(0)
            processor_limit(processor)
            connection.send_bytes(_answer(request["function"], request["arguments"]))


def confine(dump: int, parent: int, memory: int) -> None:
    """Put this process under a limit of memory, with its parent, ready to say where it is."""
    _end_with(parent)
    faulthandler.enable(dump)
    faulthandler.register(signal.SIGXCPU, dump, chain=True)
    faulthandler.register(WHERE, dump)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _limit(resource.RLIMIT_DATA, memory)


def processor_limit(seconds: float) -> None:
    """End this process by SIGXCPU after so many more seconds of computing."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + 1 + int(seconds))


def _answer(function: str, arguments: list[Any]) -> bytes:
    """{"value": what the function returns, "fault": of it or null, "memory": bytes of data}."""
    document: dict[str, Any] = {"value": None, "fault": None}
    try:
        module, _, name = function.partition(":")
        value = getattr(import_module(module), name)(*arguments)
        return json.dumps({"value": value, "fault": None, "memory": data_size()}).encode()
    except BaseException as error:  # whatever it is, it is this unit's
        document["fault"] = fault_of(error, "supervision").as_json()
    return json.dumps({**document, "memory": data_size()}).encode()


def data_size() -> int:
    """Bytes that count against the memory limit, as far as the system tells."""
    with contextlib.suppress(OSError, ValueError, IndexError), open("/proc/self/statm") as file:
        return int(file.read().split()[5]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _limit(which: int, value: int) -> None:
    """Lower a soft limit; a hard one below it stays."""
    hard = resource.getrlimit(which)[1]
    soft = value if hard == resource.RLIM_INFINITY else min(value, hard)
    with contextlib.suppress(OSError, ValueError):  # a system that has no such limit
        resource.setrlimit(which, (soft, hard))


def _end_with(parent: int) -> None:
    """End when the parent does: by the kernel where it can, else by looking once a second."""
    told = sys.platform == "linux" and ctypes.CDLL(None).prctl(PDEATHSIG, signal.SIGKILL) == 0
    if os.getppid() != parent:
        os._exit(1)
    if not told:
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
