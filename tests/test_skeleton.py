"""Skeletons of every kind run as written; formulas become relations with their symbols bound."""

import pytest

from boundcheck.engine import verify
from boundcheck.errors import InvalidArgument
from boundcheck.library import load_library
from boundcheck.skeleton import KINDS, write_skeleton

OUTCOMES = {"asymptotic": "undecided", "scalar": "proved"}


@pytest.mark.parametrize("kind", [
    pytest.param(kind, marks=pytest.mark.long if kind == "asymptotic" else ()) for kind in KINDS])
def test_a_skeleton_runs_as_written(kind, tmp_path):
    write_skeleton("mine/theorem", tmp_path, kind)
    lines = (tmp_path / "mine" / "theorem.py").read_text().splitlines()
    assert len(lines) <= 15
    library = load_library(tmp_path)
    verdict = verify("mine/theorem:printed", library["mine/theorem:printed"], controls=False)
    assert verdict.outcome == OUTCOMES.get(kind, "supported")


def test_a_formula_becomes_the_relation(tmp_path):
    latex = r"\sum_{i=1}^{n} \frac{1}{i^2} \leq 2 - \frac{1}{n} + e^{-x} - 1 + x"
    write_skeleton("mine/formula", tmp_path, "scalar", latex)
    claim = load_library(tmp_path)["mine/formula:printed"]
    assert {symbol.name for symbol in claim.parameters} == {"n", "x"}
    assert verify("mine/formula:printed", claim, controls=False).outcome == "supported"


def test_an_unknown_kind_names_the_kinds(tmp_path):
    with pytest.raises(InvalidArgument, match="none of scalar, matrix"):
        write_skeleton("mine/theorem", tmp_path, "tensor")
    assert not (tmp_path / "mine").exists()


def test_the_help_says_where_it_writes():
    from typer.testing import CliRunner

    from boundcheck.cli import app

    said = " ".join(CliRunner().invoke(app, ["new", "--help"]).output.split())
    assert "Library to write to; default ./verify." in said
