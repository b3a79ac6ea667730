"""Times the path of a newcomer: a fresh environment, `pip install`, the tutorial to its red suite.

Every command of the tutorial up to the first pytest that fails is run by the installed programs,
with clock and processor time of each, and compared with what is printed. Usage:

    python tests/newcomer.py [CHECKOUT]
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

BLOCK = re.compile(r"^```(console|python (?P<file>\S+))\n(?P<body>.*?)^```$", re.M | re.S)
LONGEST = 15 * 60


def timed(name: str, command: str, folder: Path, path: str) -> tuple[float, float, str]:
    """Clock and processor seconds of a shell command, printed as a row, and its output."""
    used, start = processor(), time.perf_counter()
    found = subprocess.run(
        command, shell=True, cwd=folder, capture_output=True, text=True,
        env={"PATH": path, "HOME": str(folder), "COLUMNS": "200"},
    )  # fmt: skip
    clock, spent = time.perf_counter() - start, processor() - used
    print(f"{clock:7.1f} {spent:7.1f}  {name[:80]}", flush=True)
    return clock, spent, found.stdout + found.stderr


def processor() -> float:
    """Processor seconds of all commands so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def commands(tutorial: str) -> list[tuple[str, str]]:
    """(file, text) to write, or ("", command) to run, up to the first pytest."""
    found: list[tuple[str, str]] = []
    for block in BLOCK.finditer(tutorial):
        if block["file"]:
            found.append((block["file"], block["body"]))
            continue
        for part in re.split(r"^\$ ", block["body"], flags=re.M)[1:]:
            found.append(("", part.partition("\n")[0]))
            if found[-1][1].startswith("pytest"):
                return found
    return found


def main(checkout: Path) -> int:
    """Exit 1 if the suite is not red at the end, or not within fifteen minutes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        venv.create(folder / "env", with_pip=True)
        path = f"{folder / 'env' / 'bin'}:/usr/bin:/bin"
        print("  clock    proc.  step")
        rows = [timed("pip install", f"pip install -q '{checkout}' pytest", folder, path)]
        told = ""
        for file, text in commands((checkout / "verify" / "TUTORIAL.md").read_text("utf-8")):
            if file:
                (folder / file).write_text(text, encoding="utf-8")
            else:
                rows.append(timed(text, text, folder, path))
                told = rows[-1][2]
        clock, spent = sum(row[0] for row in rows), sum(row[1] for row in rows)
        print(f"{clock:7.1f} {spent:7.1f}  in all")
        return int(" failed" not in told or clock > LONGEST)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))
