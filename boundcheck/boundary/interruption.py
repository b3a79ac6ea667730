"""Ctrl-C and SIGTERM: the first asks to stop, more of them within two seconds are the same wish."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import warnings

INTERRUPTED = 130
SAME_WISH = 2.0  # seconds


class Interruption:
    """Turns the first signal into KeyboardInterrupt and a later one into the end of the process.

    What is raised while Python cleans up after the first would end in a traceback.
    """

    def __init__(self) -> None:
        self.first: float | None = None

    def watch(self) -> None:
        """Install the handlers, but not where a signal is ignored: nohup, shells in background."""
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._came)

    def over(self) -> None:
        """Ignore what still comes while Python ends: it would end by the signal, not by a code."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)

    def _came(self, number: int, frame: object) -> None:
        now = time.monotonic()
        if self.first is not None:
            if now - self.first > SAME_WISH:
                os.write(2, b"boundcheck: stopped at once\n")
                os._exit(INTERRUPTED)
            return
        self.first = now
        # What joblib says of the tasks and workers that we mean to drop is no news.
        warnings.simplefilter("ignore")
        threading.excepthook = lambda details: None
        sys.unraisablehook = lambda details: None
        raise KeyboardInterrupt


WATCH = Interruption()
