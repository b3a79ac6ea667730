"""Verdicts must not depend on versions: a few claims on the lowest and highest dependencies.

Each environment is made by uv in a folder that is thrown away; what a run says there, with asserts
and docstrings (as they are) or without (-OO), must be the golden verdicts. Every Python from 3.11
on that is found is tried. Usage: environments.py [VERSION ...]
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from boundcheck.golden import outcome_text, read_golden

HERE = Path(__file__).parents[1]
# Proofs by algebra, logarithms and Z3; exact, trend and malformed refutations; balls and matrices.
KEYS = (
    "classical/hadamard:printed", "classical/nesbitt:", "classical/samuelson:",
    "livni2017/proof_third_term:printed", "livni2017/proof_third_term:step_used",
    "livni2017/theorem_1:printed", "wang2019/inverse_difference:printed",
    "wu2021/feature_map:printed", "wu2021/krr_reduction:printed",
    "yashima2021/experiment_step_size:",
)  # fmt: skip
PLAIN, BARE = (), ("-OO",)
SETS = (
    ("3.11", "lowest-direct", (PLAIN,)), ("3.11", "highest", (BARE,)),
    ("3.12", "highest", (PLAIN,)), ("3.13", "highest", (PLAIN, BARE)),
)  # fmt: skip
# Undiagnosed, which `verify --json` would not be: repairs are searches of their own.
PROGRAM = """
import json, sys
from boundcheck.library import load_library
from boundcheck.runner import run
root, jobs, *selectors = sys.argv[1:]
library = load_library(root, selectors)
json.dump(run(library, library.select(selectors), jobs=int(jobs)), sys.stdout)
"""


def uv(*arguments: str | Path) -> None:
    """Run uv.

    Raises: CalledProcessError.
    """
    command = shutil.which("uv", path=str(Path(sys.executable).parent)) or "uv"
    subprocess.run([command, *map(str, arguments)], check=True)


def interpreter(version: str) -> str | None:
    """A Python of this version, if there is one that runs."""
    pyenv = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    for name in (sys.executable, f"python{version}", *map(str, pyenv)):
        found = shutil.which(name)
        asked = "import sys; print('%d.%d' % sys.version_info[:2])"
        if found is not None:
            said = subprocess.run([found, "-c", asked], capture_output=True, text=True)
            if said.stdout.strip() == version:
                return found
    return None


def verdicts(python: Path, flags: tuple[str, ...], folder: Path, jobs: int) -> dict[str, str]:
    """What an environment says of the claims; a fault is no golden verdict."""
    command = [str(python), *flags, "-c", PROGRAM, str(HERE / "verify"), str(jobs), *KEYS]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=folder, check=True)
    return {entry["key"]: outcome_text(entry) for entry in json.loads(said.stdout)["claims"]}


def differences(found: dict[str, str]) -> list[str]:
    """Claims whose verdict is not the golden one."""
    golden: dict[str, str] = {}
    for source in sorted({key.split("/")[0] for key in KEYS}):
        golden |= read_golden(HERE / "verify" / source)
    return [f"{key}: {golden.get(key)} -> {was}" for key, was in found.items()
            if golden.get(key) != was]  # fmt: skip


def tried(
    version: str, resolution: str, settings: tuple[tuple[str, ...], ...], base: str, jobs: int
) -> Iterator[tuple[str, list[str]]]:
    """(one line, claims that differ) for each setting of flags in one environment."""
    with tempfile.TemporaryDirectory() as name:
        folder, start = Path(name), time.monotonic()
        python = folder / "env" / "bin" / "python"
        uv("venv", "-q", "--python", base, folder / "env")
        uv("pip", "install", "-q", "--python", python, "--resolution", resolution, HERE)
        for flags in settings:
            found = verdicts(python, flags, folder, jobs)
            bad = differences(found)
            title = f"Python {version}, {resolution} {' '.join(flags)}".strip()
            kept = f"{len(found) - len(bad)} of {len(found)} verdicts are the golden ones"
            yield f"{title}: {kept} ({time.monotonic() - start:.0f} s)", bad
            start = time.monotonic()


def main() -> None:
    """Try every set, as many at once as there are cores; exit 1 if a verdict differs."""
    asked = sys.argv[1:] or [version for version, *_ in SETS]
    chosen = [(*each, interpreter(each[0])) for each in SETS if each[0] in asked]
    for version, _, _, base in chosen:
        if base is None:
            print(f"no Python {version} here: not tried")
    cores, wrong = os.cpu_count() or 1, 0
    at_once = min(cores, len(chosen))
    with ThreadPoolExecutor(at_once) as pool:
        runs = [pool.submit(lambda each=each: list(tried(*each, cores // at_once)))
                for each in chosen if each[-1] is not None]  # fmt: skip
        for run in runs:
            for line, bad in run.result():
                print(line, *bad, sep="\n  ", flush=True)
                wrong += len(bad)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
