"""Answers say which of the statements that they rest on are refuted."""

import shutil

from boundcheck.explore import plan, require
from boundcheck.explore.golden import golden, grounds
from boundcheck.library import load_library, shipped_root

REFUTED = "yashima2021/theorem_3_full:arxiv"


def test_a_number_that_a_refuted_statement_asks_says_so():
    need = require(REFUTED, "lambda")
    assert need.grounds[0][:3] == (REFUTED, "refuted (exact)", "")
    told = f"caution  {REFUTED} is refuted (exact) as printed; this number rests on its conditions"
    assert told in str(need) and "theorem_3_full:repaired_expectation" in str(need)
    assert need.as_json()["not_standing"][0]["verdict"] == "refuted (exact)"
    assert "is refuted" in need._repr_html_()


def test_statements_that_stand_say_nothing():
    assert not require("wang2019/theorem_1:step_event", "n").grounds
    library = load_library(None, [REFUTED])
    assert not require(library[REFUTED], "lambda").grounds  # a claim has no golden file


def test_plans_say_what_their_proofs_use_and_does_not_stand():
    made = plan("livni2017/theorem_1:mean_regret", given={"epsilon": "1/10", "B": 2})
    assert "livni2017/lemma_1:printed" in [each.key for each in made.grounds]
    assert "rests on livni2017/lemma_1:printed, which is refuted (exact) as printed" in str(made)


def test_what_is_refuted_is_read_from_the_golden_file(tmp_path):
    source = tmp_path / "classical"
    shutil.copytree(shipped_root() / "classical", source)
    key = "classical/markov:printed"
    assert not grounds([key], tmp_path)
    listed = (source / "verdicts.toml").read_text()
    other = tmp_path / "changed" / "classical"
    shutil.copytree(source, other)
    place = listed.index("[markov]")
    changed = listed[:place] + listed[place:].replace(golden(tmp_path, key), "refuted (exact)", 1)
    (other / "verdicts.toml").write_text(changed)
    assert [each.word for each in grounds([key], other.parent)] == ["refuted (exact)"]
