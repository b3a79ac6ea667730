"""Sharper claims saved as `sharpen` says: pasted into a statement file, loaded, verified."""

import pytest

from boundcheck.errors import InvalidArgument
from boundcheck.explore import sharpen, turned
from boundcheck.library import load_library

HEAD = """from sympy import And, exp

from boundcheck import Claim, Holds, Source
from boundcheck.expressions import parameter
from boundcheck.worlds import Integer, Real

NOTES = Source("A", 2024, "Example")
x, y = parameter("x", Real(None, None, searched=(-5, 5))), parameter("y", Real(0, 1))
n = parameter("n", Integer(1, searched=40))
"""
FILES = {
    "loose": "loose = Claim(NOTES.at('1'), Holds(x * y <= 3 * (x**2 + y**2)))",
    "capped": "capped = Claim(NOTES.at('2'), Holds(exp(-x) <= 1 - x + x**2 / 2),\n"
              "    given=[x >= 0, x <= 1])",
    "both": "both = Claim(NOTES.at('3'), Holds(And(x * y <= 2 * (x**2 + y**2), y <= 1 + y**2)))",
    "late": "late = Claim(NOTES.at('4'), Holds(2**n >= n**2), given=[n >= 10])",
}  # fmt: skip


def library(tmp_path, *more):
    folder = tmp_path / "notes"
    folder.mkdir(exist_ok=True)
    (folder / "__init__.py").write_text('"""Notes."""\n')
    (folder / "lemma.py").write_text('"""Lemmas."""\n' + HEAD + "\n".join([*FILES.values(), *more]))
    return load_library(tmp_path)


@pytest.mark.parametrize(("name", "kinds", "told"), [
    ("loose", ("factor",), "x*y <= x**2/2 + y**2/2"),
    ("capped", ("hypothesis",), "without x <= 1"),
    ("both", ("factor",), "y <= "),
    ("late", ("threshold",), "threshold 10 of n >= 10; fails at 3 (exact)"),
])  # fmt: skip
def test_a_sharper_claim_is_pasted_loaded_and_verified(tmp_path, name, kinds, told):
    from boundcheck.checks.base import budget_named
    from boundcheck.engine import verify

    key = f"notes/lemma:{name}"
    found = sharpen(library(tmp_path)[key], label=key, kinds=kinds)
    assert told in str(found) and f"turned({name}, " in found.source()
    (tmp_path / "again").mkdir()
    loaded = library(tmp_path / "again", found.source("sharper"))["notes/lemma:sharper"]
    assert loaded.fingerprint() == found.claim.fingerprint()
    verdict = verify("notes/lemma:sharper", loaded, budget=budget_named("quick"), seed=5)
    assert verdict.outcome in ("proved", "supported")


def test_every_comparison_of_a_statement_stays(tmp_path):
    claim = library(tmp_path)["notes/lemma:both"]
    changed = turned(claim, "factor", "1/2")
    assert str(changed.statement.relation) == "(y <= y**2/2 + 1/2) & (x*y <= 2*x**2 + 2*y**2)"


def test_hypotheses_are_left_out_by_their_place(tmp_path):
    claim = library(tmp_path)["notes/lemma:capped"]
    assert [str(c) for c in turned(claim, without=(1,)).given] == ["x >= 0"]
    assert not turned(claim, "factor", "1", without=(0, 1)).given
    with pytest.raises(InvalidArgument, match="no hypothesis number 2; give one below 2"):
        turned(claim, without=(2,))
