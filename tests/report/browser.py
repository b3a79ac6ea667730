"""Chromium without a window, driven over a pipe: pages, keys, sizes of screens."""

import contextlib
import json
import os
import select
import shutil
import subprocess
import time

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")
SECONDS = 60  # for one answer of a browser on a busy machine
KEYS = {"Tab": 9, "End": 35, "Home": 36, "ArrowRight": 39, "ArrowDown": 40}


class Page:
    """One page of a browser that speaks the DevTools protocol over two pipes."""

    def __init__(self, profile):
        to_read, self._out = os.pipe()
        self._in, to_write = os.pipe()

        def numbered():
            # Twice, since one of them may be 3 or 4 already; duplicates outlive the exec.
            os.dup2(to_read, 120), os.dup2(to_write, 121)
            os.dup2(120, 3), os.dup2(121, 4)

        self._browser = subprocess.Popen(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", f"--user-data-dir={profile}", "--remote-debugging-pipe"],
            preexec_fn=numbered, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(to_read), os.close(to_write)
        self._count, self._rest, self._session = 0, b"", None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]

    def call(self, method, **parameters):
        """The result of one command."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self._count:
                assert "error" not in answer, answer
                return answer["result"]

    def _message(self):
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], SECONDS)
            assert ready, "the browser does not answer"
            read = os.read(self._in, 1 << 16)
            assert read, "the browser ended"
            self._rest += read
        first, self._rest = self._rest.split(b"\0", 1)
        return json.loads(first)

    def value(self, script):
        """The value of an expression in the page."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                           awaitPromise=True)  # fmt: skip
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def go(self, address):
        """Opens an address and waits until it is there."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)
        end = time.monotonic() + SECONDS
        while not self.value("location.href != 'about:blank' && document.readyState == 'complete'"):
            assert time.monotonic() < end, "the page does not load"
            time.sleep(0.02)

    def press(self, key):
        """One key, down and up."""
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      windowsVirtualKeyCode=KEYS[key])  # fmt: skip

    def screen(self, width, height):
        """A phone of this size."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=2, mobile=True)  # fmt: skip

    def close(self):
        """Ends the browser."""
        with contextlib.suppress(AssertionError, OSError):
            self._session = None
            self.call("Browser.close")
        os.close(self._out), os.close(self._in)
        try:
            self._browser.wait(10)
        except subprocess.TimeoutExpired:
            self._browser.kill()
            self._browser.wait()
