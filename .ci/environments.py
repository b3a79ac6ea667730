"""Verdicts must not depend on the versions of dependencies: a few claims on the lowest and highest.

Each environment is made by uv in a folder that is thrown away; what `boundcheck verify` says there,
with asserts and docstrings (as they are) and without (-OO), must be the golden verdicts. Python
3.12 and 3.13 join with --all, where they are found. Usage: environments.py [--all]
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from boundcheck.pytest_plugin import outcome_text, read_golden

HERE = Path(__file__).parents[1]
# Proofs by algebra, logarithms and Z3; exact, trend and malformed refutations; balls and matrices.
KEYS = (
    "classical/golden_thompson:printed", "classical/hadamard:printed", "classical/nesbitt",
    "classical/samuelson", "livni2017/proof_third_term", "livni2017/theorem_1:printed",
    "wang2019/inverse_difference:printed", "wu2021/feature_map:printed",
    "wu2021/krr_reduction:printed", "yashima2021/experiment_step_size",
)  # fmt: skip
SETS = (("3.11", "lowest-direct"), ("3.11", "highest"))
LATER = (("3.12", "highest"), ("3.13", "highest"))  # with --all


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


def verdicts(python: Path, flags: list[str], folder: Path) -> dict[str, str]:
    """What an environment says of the claims; a fault is no golden verdict."""
    command = [str(python), *flags, "-m", "boundcheck", "verify", *KEYS, "--json", "-", "--root",
               str(HERE / "verify")]  # fmt: skip
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=folder)
    return {entry["key"]: outcome_text(entry) for entry in json.loads(said.stdout)["claims"]}


def differences(found: dict[str, str]) -> list[str]:
    """Claims whose verdict is not the golden one."""
    golden: dict[str, str] = {}
    for source in sorted({key.split("/")[0] for key in KEYS}):
        golden |= read_golden(HERE / "verify" / source)
    return [f"{key}: {golden.get(key)} -> {was}" for key, was in found.items()
            if golden.get(key) != was]  # fmt: skip


def main() -> None:
    """Try every set; exit 1 if a verdict differs."""
    wrong = []
    for version, resolution in SETS + (LATER if "--all" in sys.argv[1:] else ()):
        base = interpreter(version)
        if base is None:
            print(f"no Python {version} here: not tried")
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            python = folder / "env" / "bin" / "python"
            uv("venv", "-q", "--python", base, folder / "env")
            uv("pip", "install", "-q", "--python", python, "--resolution", resolution, HERE)
            for flags in ([], ["-OO"]):
                found = verdicts(python, flags, folder)
                bad = differences(found)
                title = f"Python {version}, {resolution} {' '.join(flags)}".strip()
                kept = f"{len(found) - len(bad)} of {len(found)} verdicts are the golden ones"
                print(f"{title}: {kept}", *bad, sep="\n  ", flush=True)
                wrong += bad
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
