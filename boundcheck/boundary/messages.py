"""Text of values and errors for people: one line, nothing that a terminal would obey, not long."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

LONGEST_ARGUMENT = 200  # characters of one value that are echoed
LONGEST_LINE = 2_000
UNSAFE = re.compile(r"[^\n\t\x20-\x7e]")  # or harmless: `_escaped` tells
KEPT = 60  # characters shown of a value that is too long


def plain(text: str) -> str:
    r"""One line in which control, format and surrogate characters are written as escapes.

    >>> plain("red \x1b[31m\n  and \u202e reversed")
    'red \\x1b[31m and \\u202e reversed'
    """
    return "".join(map(_escaped, " ".join(text.split())))


def _escaped(letter: str) -> str:
    if unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
        return letter
    return letter.encode("unicode_escape", "surrogatepass").decode("ascii")


def visible(text: str) -> str:
    r"""Text of several lines in which the same characters are written as escapes.

    >>> visible("a\n\tb \x1b[31m λ")
    'a\n\tb \\x1b[31m λ'
    """
    return UNSAFE.sub(lambda letter: _escaped(letter.group()), text)


def cut(text: str, longest: int = LONGEST_ARGUMENT) -> str:
    """The text, or its beginning and its length where it is longer.

    >>> cut("7" * 300, 10)
    '7777777777... (300 characters)'
    """
    if len(text) <= longest:
        return text
    return f"{text[: min(KEPT, longest)]}... ({len(text)} characters)"


def shown(value: object, longest: int = LONGEST_ARGUMENT) -> str:
    """A value as it stands in a message, whatever its `repr` does.

    >>> shown("a" * 100, 5)
    "'aaaa... (102 characters)"
    """
    try:
        text = repr(value)
    except Exception:  # too many digits, or code of users
        text = f"a value of type {type(value).__name__} that cannot be printed"
    return cut(plain(text), longest)


def reason(error: BaseException) -> str:
    """What an exception says, or its class where it says nothing or fails to speak.

    >>> reason(ValueError("two\\nlines")), reason(KeyError())
    ('two lines', 'KeyError')
    """
    text = getattr(error, "strerror", None) if isinstance(error, OSError) else None
    try:
        text = plain(text or str(error))
    except Exception:  # an exception of users whose __str__ raises
        text = ""
    return text or type(error).__name__


def one_line(text: str, arguments: Iterable[str] = ()) -> str:
    """A message as it is printed: plain, and no argument or word of it beyond 200 characters.

    Args: arguments: of the command line; also what follows their first `=`.
    """
    for argument in sorted(arguments, key=len, reverse=True):
        for piece in (argument, argument.partition("=")[2]):
            if len(piece) > LONGEST_ARGUMENT:
                text = text.replace(repr(piece)[1:-1], cut(piece)).replace(piece, cut(piece))
    text = re.sub(rf"\S{{{LONGEST_ARGUMENT + 1},}}", lambda run: cut(run.group()), plain(text))
    if len(text) > LONGEST_LINE:  # the remedy stands at the end
        text = f"{text[: LONGEST_LINE // 2]} [...] {text[-LONGEST_LINE // 2 :]}"
    return text
