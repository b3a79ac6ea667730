"""Where claims are found: files and what they import, and what is said of those that fail."""

from pathlib import Path

import pytest

import boundcheck
from boundcheck.errors import UnknownKey
from boundcheck.library import load_library, shipped_root

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
        '"""A theorem in several files."""\n' + CLAIM.format(dots=".", name="printed", bound=0)
    )
    (folder / "proof.py").write_text(CLAIM.format(dots="..", name="step", bound=-1))
    (folder / "_shared.py").write_text("raise ValueError('private files are loaded by others')")
    (tmp_path / "work" / "_other").mkdir()
    (tmp_path / "work" / "_other" / "gone.py").write_text("raise ValueError('steps of nothing')")
    return tmp_path


def test_claims_of_the_folder_beside_a_statement_are_its_own(root):
    library = load_library(root)
    assert sorted(library.claims) == ["work/theorem:printed", "work/theorem:step"]
    assert not library.broken and library.title("work/theorem:step") == (
        "A theorem in several files."
    )
    assert load_library(root, ["work/theorem:step"]).claims.keys() == library.claims.keys()


def test_a_further_step_is_found_and_a_second_one_of_its_name_refused(root):
    (root / "work" / "_theorem" / "again.py").write_text(
        CLAIM.format(dots="..", name="seen", bound=-2)
    )
    assert "work/theorem:seen" in load_library(root).claims
    (root / "work" / "_theorem" / "more.py").write_text(
        CLAIM.format(dots="..", name="step", bound=-2)
    )
    again = root.parent / f"{root.name}_again"
    root.rename(again)
    why = load_library(again).broken["work/theorem"]
    assert "proof.py binds a second claim called step" in why


def test_a_step_that_cannot_be_used_breaks_its_statement(root):
    (root / "work" / "_theorem" / "again.py").write_text("1 / 0")
    broken = load_library(root).broken
    assert list(broken) == ["work/theorem"] and "again.py, line 1" in broken["work/theorem"]


def test_a_folder_is_no_statement(root):
    (root / "work" / "lemma").mkdir()
    (root / "work" / "lemma" / "__init__.py").touch()
    library = load_library(root)
    assert sorted(library.claims) == ["work/theorem:printed", "work/theorem:step"]
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


@pytest.mark.parametrize("line, words", [
    ("printed = Claim(WORK.at('1'), Holds(0 <= x <= 1), parameters={x: Real(0, 1)})",
     "write And(a <= b, b <= c) for a chain"),
    ("printed = Claim(WORK.at('1'), Holds(max(x, y) <= 1))", "Max(a, b) for max(a, b)"),
    ("from boundcheck.expressions import eigenvalue", "it has eigenvalues"),
    ("from boundcheck.worlds import Walks", "it has Walk"),
    ("printed = Claim(WORK.at('1'), Holds(x <= 1 / 3), parameters={x: Real(0, 1)})",
     "write Rational(1, 3)"),
    ("printed = Claim(WORK.at('1'), Holds(x <= 1), given=[x <= 2 / 3], parameters={x: Real(0, 1)})",
     "write Rational(2, 3)"),
    ("from boundcheck.expressions import define, parameter\nu = parameter('u', Real(0, 1))\n"
     "printed = Claim(WORK.at('1'), Holds(define('v', u / 7 + 1 / 7) <= 1))", "Rational(1, 7)"),
])  # fmt: skip
def test_common_mistakes_are_told_with_what_to_write(root, line, words):
    text = CLAIM.format(dots=".", name="other", bound=0) + "y = symbols('y', real=True)\n" + line
    (root / "work" / "mistaken.py").write_text(text)
    told = load_library(root).broken["work/mistaken"]
    assert words in told and "\n" not in told


@pytest.mark.parametrize("number", ["0.05", "1.5", "0.1 + 0.2", "2.5e-7"])
def test_decimals_are_read_as_they_are_written(root, number):
    text = CLAIM.format(dots=".", name="printed", bound=number)
    (root / "work" / "decimal.py").write_text(text)
    assert not load_library(root).broken


def test_an_unknown_key_loads_what_is_near_it_alone():
    library = load_library(shipped_root(), ["wu2021/theorm_4_3:printed"])
    assert 0 < len(library.claims) < 100
    with pytest.raises(UnknownKey, match="the nearest is 'wu2021/theorem_4_3:printed'"):
        library["wu2021/theorm_4_3:printed"]
    for without_source, meant in (("theorem_3:arxiv", "yashima2021/theorem_3:arxiv"),
                                  ("hoeffding", "classical/hoeffding:printed")):  # fmt: skip
        library = load_library(shipped_root(), [without_source])
        with pytest.raises(UnknownKey, match=f"the nearest is '{meant}'"):
            library.select([without_source])
    with pytest.raises(UnknownKey, match="'nowhere' matches no claim under"):
        load_library(shipped_root(), ["nowhere"]).select(["nowhere"])


def test_a_whole_key_selects_that_claim_alone():
    library = load_library(None, ["wu2021/theorem_4_3"])
    assert library.select(["wu2021/theorem_4_3:repaired"]) == ["wu2021/theorem_4_3:repaired"]
    some = library.select(["wu2021/theorem_4_3:repaired_"])
    assert len(some) > 1 and "wu2021/theorem_4_3:repaired" not in some
