"""Editions of one statement are found and compared; repairs are left alone."""

from sympy import symbols

from boundcheck import Claim, Holds, Source
from boundcheck.checks.editions import edition_differences, pairs
from boundcheck.library import Library
from boundcheck.worlds import Integer

n, c = symbols("n c", real=True)
FIRST = Source("A", 2024, "Example", edition="first")
SECOND = Source("A", 2024, "Example", edition="second")


def claim(source, constant):
    return Claim(source=source.at("Theorem 1"), statement=Holds(1 / n <= constant / n**2),
                 parameters={n: Integer(1, searched=9)})  # fmt: skip


def library(tmp_path):
    found = Library(tmp_path)
    found.claims = {
        "a/theorem_1:first": claim(FIRST, 1), "a/theorem_1:second": claim(SECOND, 3),
        "a/theorem_1:repaired": claim(SECOND, 5), "a/theorem_2:first": claim(FIRST, 1),
    }  # fmt: skip
    return found


def test_pairs_are_editions_of_one_statement(tmp_path):
    assert list(pairs(library(tmp_path))) == [
        ("a/theorem_1:first", "a/theorem_1:second"), ("a/theorem_1:first", "a/theorem_1:repaired")
    ]  # fmt: skip


def test_only_what_is_printed_is_compared(tmp_path):
    (found,) = edition_differences(library(tmp_path))
    assert (found.first, found.second) == ("a/theorem_1:first", "a/theorem_1:second")
    assert found.ratio == 3 and found.differences[0].what == "the right side"
