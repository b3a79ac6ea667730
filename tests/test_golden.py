"""Golden files: what they keep, and one line for each that is none."""

import os

import pytest

from boundcheck.golden import GoldenError, golden_text, outcome_text, read_golden

GOLDEN = {"mine/lemma_2:printed": "refuted (exact)", "mine/theorem_1:printed": "proved"}


def test_golden_text_keeps_verdict_and_kind_only(tmp_path):
    assert outcome_text({"verdict": "refuted", "evidence": "trend", "seconds": 3}) == (
        "refuted (trend)"
    )
    folder = tmp_path / "mine"
    folder.mkdir()
    assert read_golden(folder) == {}
    (folder / "verdicts.toml").write_text(golden_text(GOLDEN))
    assert read_golden(folder) == GOLDEN


BAD = {
    "word": (b"printed", "is not TOML"), "cut": (b"[lemma_2", "is not TOML"),
    "utf-16": (golden_text(GOLDEN).encode("utf-16"), "is not UTF-8"), "null": (b"a = 1\0", "null"),
    "latin-1": ("# größe".encode("latin-1"), "is not UTF-8"), "number": (b"a = 1", "no table"),
    "list": (b"[lemma_2]\nprinted = ['proved']", "no verdict"),
    "another word": (b"[lemma_2]\nprinted = 'broken'", "no verdict"),
    "control": (b"[lemma_2]\nprinted = '\\u001b[31m'", "no verdict"),
    "table": (b"[lemma_2.printed]\na = 'proved'", "no verdict"),
    "date": (b"[lemma_2]\nprinted = 2020-01-01", "no verdict"),
    "twice": (b"[a]\nb = 'proved'\nb = 'proved'", "is not TOML"),
    "deep": (b"a = " + b"[" * 50_000, "is not TOML"), "large": (b"#" * 2**21, "more than"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_golden_file_that_is_none_is_one_line(tmp_path, name):
    data, words = BAD[name]
    (tmp_path / "verdicts.toml").write_bytes(data)
    with pytest.raises(GoldenError) as caught:
        read_golden(tmp_path)
    text = str(caught.value)
    assert words in text and "verdicts.toml" in text and text.endswith("--update-verdicts")
    assert text.isprintable() and len(text) < 600


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to(path)])
def test_a_golden_file_of_another_kind_is_one_line(tmp_path, make):
    make(tmp_path / "verdicts.toml")
    with pytest.raises(GoldenError, match=r"verdicts\.toml .*; remove it"):
        read_golden(tmp_path)
