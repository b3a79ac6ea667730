"""Imports point down the layers of the package, and nothing is too long to see whole."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import boundcheck

PACKAGE = Path(boundcheck.__file__).parent
LAYERS = [
    {"errors", "arithmetic", "claim", "verdict", "encoding", "exact", "setting", "certify",
     "scores", "boundary", "faults", "contract",
     "environment", "options", "formulas", "imports", "unbound"},
    {"worlds", "quantities", "expressions", "settings", "statistics", "checker"},
    {"search", "checks", "certificates", "explore", "experiments"},
    {"engine", "shards", "verification", "library", "catalogue", "runner", "ledger", "witness",
     "recheck", "at", "audit", "describe", "skeleton", "figures", "terminal", "calibration",
     "diagnosis", "supervision", "hostile", "truths", "spoken", "scaling", "reference",
     "golden"},
    {"report"},
    {"cli", "commands", "exits", "pytest_plugin", "__main__"},
]  # fmt: skip
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
FILES = sorted(path for path in PACKAGE.rglob("*.py") if "_library" not in path.parts)


def home(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def module_level_imports(tree):
    """Names imported at module level; imports inside functions are lazy on purpose."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path):
    own = home(path)
    if own == "__init__":
        return
    for name in module_level_imports(ast.parse(path.read_text())):
        if name.startswith("boundcheck."):
            other = name.split(".")[1]
            assert LEVEL[other] <= LEVEL[own], f"{own} imports {other}"


def test_every_module_has_a_layer():
    assert {home(path) for path in FILES} - {"__init__"} <= set(LEVEL)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_modules_stay_readable(path):
    assert len(path.read_text().splitlines()) <= 450


CLOCK = re.compile(r"^import time|process_time|perf_counter|monotonic\(|timeout", re.M)


def test_what_decides_reads_no_clock():
    """A proof, a slack or a lost unit is the same on every machine: work is counted."""
    folders = (PACKAGE / "checks", PACKAGE / "certificates")
    deciding = [PACKAGE / "search/pushes.py", *(p for each in folders for p in each.rglob("*.py"))]
    found = {path.name for path in deciding if CLOCK.search(path.read_text(encoding="utf-8"))}
    assert not found


def test_import_is_light():
    code = (
        "import sys, boundcheck; print([m for m in ('numpy','sympy','scipy') if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_only_the_plugin_needs_pytest():
    """It comes with an extra: a command that loads it fails in a plain installation."""
    for path in FILES:
        if path.stem == "pytest_plugin":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in getattr(node, "names", ())
                     if isinstance(node, ast.Import)]  # fmt: skip
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in names:
                assert name.partition(".")[0] != "pytest", path
                assert name != "boundcheck.pytest_plugin", path
