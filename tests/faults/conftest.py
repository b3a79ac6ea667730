"""Imports that every case needs, made once before the children are forked; small libraries."""

from __future__ import annotations

import contextlib
import gc
import importlib
import io

import pytest

from boundcheck.skeleton import write_skeleton

HEAVY = (
    "boundcheck.cli", "boundcheck.explore", "boundcheck.describe", "boundcheck.audit",
    "boundcheck.witness", "boundcheck.runner", "boundcheck.engine", "boundcheck.report.write",
    "boundcheck.report.explorer", "boundcheck.figures", "boundcheck.skeleton",
    "boundcheck.experiments.ridge_difference", "boundcheck.worlds.data", "boundcheck.checks.proof",
    "boundcheck.checks.enumeration", "boundcheck.checks.sampling", "boundcheck.checks.trend",
    "boundcheck.checks.invariance", "boundcheck.checks.controls", "sklearn.datasets",
    "scipy.stats", "scipy.spatial.distance", "scipy.linalg", "msgspec", "difflib",
)  # fmt: skip

FALSE = '''"""A false inequality, two numbers."""

from sympy import symbols

from boundcheck import Claim, Holds
from boundcheck.worlds import Integer, Real

from . import WORK

u, v, n = symbols("u v n", real=True)

printed = Claim(
    source=WORK.at("Lemma 2"), statement=Holds(u**2 <= u * v + v**2 / n), given=[u >= v],
    parameters={u: Real(0, 2), v: Real(0, 2), n: Integer(1, 9)},
)
'''


@pytest.fixture(scope="session", autouse=True)
def imported():
    """The modules that the children share, and the one statement of the shipped library."""
    for name in HEAVY:
        importlib.import_module(name)
    from boundcheck.library import load_library

    load_library(None, ["wang2019/theorem_1:printed"])


@pytest.fixture(scope="session")
def root(tmp_path_factory):
    """A library with a true and a false claim, which no case may change."""
    folder = tmp_path_factory.mktemp("faults") / "library"
    write_skeleton("mine/theorem_1", folder)
    (folder / "mine" / "lemma_2.py").write_text(FALSE)
    use_once(folder)
    return folder


def use_once(folder):
    """What commands import as they go, imported here so that no child has to."""
    from boundcheck.cli import app

    wang = ["wang2019/theorem_1", "--data", "diabetes", "--repeats", "2", "--rows", "10"]
    for arguments in (
        ["show", "mine/lemma_2", "--root", str(folder), "--set", "n=1"],
        ["require", "mine/lemma_2", "v", "--root", str(folder), "--set", "u=1", "--set", "n=2"],
        ["audit", *wang],
    ):
        with contextlib.redirect_stdout(io.StringIO()):
            app(args=arguments, standalone_mode=False)
    gc.collect()
    gc.freeze()  # children would copy every page that their collector looks at


@pytest.fixture
def place(tmp_path):
    """An empty folder in which a case runs; it must be as it was afterwards."""
    folder = tmp_path / "place"
    folder.mkdir()
    return folder
