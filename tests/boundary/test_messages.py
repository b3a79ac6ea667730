"""Messages stay one plain line of bounded length, whatever they speak of."""

import pytest

from boundcheck.boundary.messages import LONGEST_LINE, one_line, plain, reason, shown


@pytest.mark.parametrize("letter", ["\x1b", "\x07", "\x9b", "\u202e", "\u2066", "\u2028", "\udc80"])
def test_what_a_terminal_would_obey_is_escaped(letter):
    assert plain(f"a{letter}b").isprintable() and plain("grün λ ≤ 🙂") == "grün λ ≤ 🙂"


def test_a_long_argument_is_cut_wherever_it_stands():
    argument = "name=" + "x y " * 100
    for text in (argument, repr(argument), argument[5:]):
        line = one_line(f"--set {text} is wrong; write another", [argument])
        assert "characters)" in line and len(line) < 200 and line.endswith("write another")


def test_a_long_word_is_cut_and_a_long_line_keeps_its_remedy():
    assert len(one_line("w" * 10_000)) < 200
    line = one_line("ab " * 5_000 + "; give less")
    assert len(line) < LONGEST_LINE + 20 and line.endswith("; give less")


def test_values_that_cannot_be_printed_are_told_by_their_type():
    class Mute(Exception):
        def __str__(self):
            raise RuntimeError

        __repr__ = __str__

    assert reason(Mute()) == "Mute" and "Mute" in shown(Mute())
    assert reason(OSError(28, "No space left on device", "x")) == "No space left on device"
    assert "int" in shown(10**5000)
