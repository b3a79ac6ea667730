"""Where claims are found: files, further files of theirs, and what is said of those that fail."""

from pathlib import Path

import pytest

import boundcheck
from boundcheck.library import load_library

pytest_plugins = ["pytester"]
INIT = "from boundcheck import Source\nWORK = Source('A', 2000, 'A work')\n"
CLAIM = """
from sympy import symbols
from boundcheck import Claim, Holds
from boundcheck.worlds import Real
from {dots} import WORK
x = symbols("x", real=True)
{name} = Claim(WORK.at("1"), Holds(x >= {bound}), parameters={{x: Real(None, None)}})
"""


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "work" / "_theorem"
    folder.mkdir(parents=True)
    (tmp_path / "work" / "__init__.py").write_text(INIT)
    (tmp_path / "work" / "theorem.py").write_text(
        '"""A theorem in several files."""' + CLAIM.format(dots=".", name="printed", bound=0)
    )
    (folder / "proof.py").write_text(
        "from ..theorem import printed\n" + CLAIM.format(dots="..", name="step", bound=-1)
    )
    (folder / "_shared.py").write_text("raise ValueError('private files are loaded by others')")
    return tmp_path


def test_further_files_belong_to_their_statement(root):
    library = load_library(root)
    assert list(library.claims) == ["work/theorem:printed", "work/theorem:step"]
    assert not library.broken and library.title("work/theorem:step") == (
        "A theorem in several files."
    )
    assert list(load_library(root, ["work/theorem:step"]).claims) == list(library.claims)


def test_two_claims_of_one_name_break_that_statement_only(root):
    (root / "work" / "_theorem" / "again.py").write_text(
        CLAIM.format(dots="..", name="step", bound=-2)
    )
    (root / "work" / "other.py").write_text(CLAIM.format(dots=".", name="printed", bound=0))
    library = load_library(root)
    assert list(library.claims) == ["work/other:printed"]
    assert "binds step, which another file" in library.broken["work/theorem"]


def test_a_folder_is_no_statement(root):
    (root / "work" / "_theorem").rename(root / "work" / "lemma")
    (root / "work" / "lemma" / "__init__.py").touch()
    library = load_library(root)
    assert list(library.claims) == ["work/theorem:printed"]
    assert "write lemma.py beside it" in library.broken["work/lemma"]


def test_pytest_collects_further_files(root, pytester, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(boundcheck.__file__).parents[1]))
    found = pytester.runpytest_subprocess("-q", "--collect-only", "--import-mode=importlib", root)
    found.stdout.fnmatch_lines(["*theorem.py::printed*", "*theorem.py::step*"])


def test_a_key_loads_its_statement_alone(tmp_path):
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "__init__.py").write_text(INIT)
    (tmp_path / "work" / "lemma.py").write_text(CLAIM.format(dots=".", name="printed", bound=0))
    (tmp_path / "work" / "lemma_full.py").write_text("raise RuntimeError('was loaded')\n")
    alone = load_library(tmp_path, ["work/lemma:printed"])
    assert list(alone.claims) == ["work/lemma:printed"] and not alone.broken
    # A prefix means everything that begins with it, and so does what matches nothing.
    assert "work/lemma_full" in load_library(tmp_path, ["work/lemma"]).broken
    assert "work/lemma_full" in load_library(tmp_path, ["work/lemma_2:printed"]).broken
    assert "work/lemma_full" in load_library(tmp_path, ["work/lemma_full:printed"]).broken


def test_a_pipe_is_not_read(root):
    import os

    from boundcheck.catalogue import catalogue
    from boundcheck.ledger import code_digest

    before = code_digest(root)
    os.mkfifo(root / "work" / "pipe.py")
    assert "is no regular file" in load_library(root).broken["work/pipe"]
    assert "work/theorem:printed" in catalogue(str(root)).claims
    assert code_digest(root) != before


def test_a_claim_of_the_statement_file_leaves_its_further_files(tmp_path):
    from boundcheck.library import shipped_root

    alone = load_library(shipped_root(), ["wu2021/theorem_4_2:printed"], alone=True)
    whole = load_library(shipped_root(), ["wu2021/theorem_4_2:printed"])
    assert "wu2021/theorem_4_2:printed" in alone.claims
    assert set(alone.claims) < set(whole.claims)
    further = sorted(set(whole.claims) - set(alone.claims))[0]
    found = load_library(shipped_root(), [further], alone=True)
    assert found[further].fingerprint() == whole[further].fingerprint()
