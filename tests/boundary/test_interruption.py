"""Many signals within two seconds are one wish; one that comes later ends the process."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest

from boundcheck.boundary import interruption

PROGRAM = """
import os, signal, time
from boundcheck.boundary import interruption
watch = interruption.Interruption()
watch.watch()
try:
    os.kill(os.getpid(), signal.{name})
    time.sleep(5)
except KeyboardInterrupt:
    print("asked", flush=True)
for _ in range(3):
    os.kill(os.getpid(), signal.{name})
print("the same wish", flush=True)
watch.first -= interruption.SAME_WISH
os.kill(os.getpid(), signal.{name})
print("never", flush=True)
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_one_wish_then_the_end(name):
    found = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PROGRAM).format(name=name)],
        capture_output=True, text=True, timeout=60,
        preexec_fn=lambda: signal.signal(getattr(signal, name), signal.SIG_DFL),
    )  # fmt: skip
    assert found.stdout == "asked\nthe same wish\n"
    assert found.returncode == interruption.INTERRUPTED
    assert found.stderr == "boundcheck: stopped at once\n"


def test_an_ignored_signal_stays_ignored():
    program = (
        "import signal\nfrom boundcheck.boundary.interruption import Interruption\n"
        "Interruption().watch()\n"
        "print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60,
        env=dict(os.environ), preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )  # fmt: skip
    assert found.stdout == "True\n"
