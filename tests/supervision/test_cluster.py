"""A cluster of real processes: what it does, what it survives, and what it refuses."""

import contextlib
import os
import socket
import subprocess
import sys
import threading
import time

import pytest

from boundcheck import environment as versions
from boundcheck.errors import ClusterError, MissingExtra
from boundcheck.library import load_library
from boundcheck.runner import run
from boundcheck.supervision import Batch, Limits, Pool, Unit, cluster as supervision_cluster
from boundcheck.supervision.cluster import MOST_LOST, Cluster, Flight, result_of

pytest.importorskip("distributed", reason="needs the extra `cluster`")

LIMITS = Limits(wall=60, processor=60, memory=2**30)
MARK = "cluster_units"
UNITS = '''
import os, time

def noted(path, text, seconds):
    with open(path, "a") as file: file.write(text + "\\n")
    time.sleep(seconds)
    return {"text": text}
def abort(): os.abort()
'''


class Farm:
    """A scheduler and workers, each a process of its own, that can be killed."""

    def __init__(self, folder):
        (folder / f"{MARK}.py").write_text(UNITS)
        self.folder, self.processes = folder, []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"

    def start(self, *command):
        path = os.pathsep.join([str(self.folder), *filter(None, sys.path)])
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *command, "--no-dashboard"], cwd=self.folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
        )  # fmt: skip
        self.processes.append(process)
        return process

    def scheduler(self):
        return self.start("scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-show")

    def worker(self):
        return self.start("worker", self.address, "--nthreads", "1", "--no-nanny")

    def up(self):
        """Wait until the scheduler listens."""
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.1)

    def end(self):
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()


@pytest.fixture(scope="module")
def farm(tmp_path_factory):
    made = Farm(tmp_path_factory.mktemp("farm"))
    made.first = made.scheduler(), made.worker()
    made.up()
    yield made
    made.end()


def texts(path):
    return path.read_text().split() if path.exists() else []


def test_nobody_listens_or_somebody_else_does(farm):
    for address in ("nonsense", "tcp://127.0.0.1", "tcp://127.0.0.1:0", "tcp://127.0.0.1:1"):
        with pytest.raises(ClusterError, match=r"no scheduler answers .*dask scheduler"):
            Cluster(address, LIMITS)


@pytest.mark.parametrize("says", [b"", b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"])
def test_somebody_who_is_no_scheduler_listens(monkeypatch, says):
    """One who says nothing, and one who speaks of something else."""
    monkeypatch.setattr(supervision_cluster, "CONNECT", 1.0)
    met = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        def answer():
            with contextlib.suppress(OSError):
                while True:
                    met.append(server.accept()[0])
                    met[-1].sendall(says)

        threading.Thread(target=answer, daemon=True).start()
        with pytest.raises(ClusterError, match=r"no scheduler answers there \(.*dask scheduler"):
            Cluster(f"tcp://127.0.0.1:{server.getsockname()[1]}", LIMITS)


@pytest.mark.parametrize("sent", [
    "hello", "null", "[]", "{}", '{"value": 1, "fault": null}', '{"value": null, "fault": "x"}',
    '{"value": null, "fault": {"state": "fine", "exception": "E", "message": "m"}}', "[" * 10**5,
    None,
])  # fmt: skip
def test_what_a_worker_sends_that_is_no_result_is_a_fault_of_its_unit(sent):
    found = result_of("a", sent)
    assert found.name == "a" and found.value is None
    assert found.fault.state == "failed" and "a worker sent what is no" in found.fault.message


def test_a_unit_that_is_lost_again_and_again_has_no_result():
    flight = Flight(None)
    flight._units["a"] = None, None
    found = [flight._missed("a", "gone") for _ in range(MOST_LOST + 1)]
    assert not any(found[:-1]) and found[-1][0].fault.message == f"lost {MOST_LOST + 1} times; gone"
    assert not flight._units


def test_the_extra_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"pip install 'boundcheck\[cluster\]'"):
        Cluster("tcp://127.0.0.1:1", LIMITS)


def test_a_worker_of_another_environment(farm, monkeypatch, small_library):
    own = dict(versions._versions())
    monkeypatch.setattr(versions, "_versions", lambda: tuple({**own, "sympy": "0.1"}.items()))
    with pytest.raises(ClusterError, match=r"has sympy .*, here it is 0\.1; install the same"):
        Cluster(farm.address, LIMITS)


def test_the_same_document_as_processes_here(farm, small_library):
    library = load_library(small_library)
    here = run(library, ["mine/lemma_2:printed"], execute=Pool(1, LIMITS))
    with Cluster(farm.address, LIMITS, str(small_library)) as cluster:
        there = run(library, ["mine/lemma_2:printed"], execute=cluster)
    for document in (here, there):
        assert document["claims"][0].pop("seconds") > 0
    assert here == there and here["claims"][0]["verdict"] == "refuted"


def test_a_unit_that_aborts_costs_itself(farm):
    with Cluster(farm.address, LIMITS) as cluster:
        found = list(cluster(Batch(f"{MARK}:abort", [Unit("a", ())])))
    assert [(item.name, item.fault.exception) for item in found] == [("a", "SIGABRT")]


def test_workers_and_the_scheduler_may_be_lost_and_others_come(farm, tmp_path):
    """One worker is killed at work, another comes late, then the scheduler goes and returns."""
    path = tmp_path / "notes"
    units = [Unit(str(i), (str(path), str(i), 0.3)) for i in range(8)]
    with Cluster(farm.address, LIMITS) as cluster:
        running = cluster(Batch(f"{MARK}:noted", units))
        found = [next(running)]
        farm.worker()
        farm.first[1].kill()
        found.append(next(running))
        farm.first[0].kill()
        farm.first[0].wait()
        farm.scheduler()
        farm.worker()
        found += running
    assert sorted(item.value["text"] for item in found) == [str(i) for i in range(8)]
    # What was here already is not done again: at most what was under way, at each loss.
    assert len(texts(path)) <= 8 + 6 and texts(path).count(found[0].name) == 1
