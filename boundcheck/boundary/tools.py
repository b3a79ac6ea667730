"""Commands of maintainers, `python -m boundcheck.MODULE`: one way of `--help` and of bad arguments.

A tool is a module with `parser()`, made by `parser_of`, and `main(arguments)`, whose return is the
exit code; its last lines call `run(main)`.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from typing import NoReturn

from boundcheck.boundary.messages import shown
from boundcheck.errors import InvalidArgument


class ToolParser(argparse.ArgumentParser):
    """A parser that raises what is wrong instead of printing its usage above it."""

    def error(self, message: str) -> NoReturn:
        """Raises: InvalidArgument with what is wrong and where the rule stands."""
        raise InvalidArgument(f"{message}; see `{self.prog} --help`")


def parser_of(module: str, about: str, example: str = "") -> ToolParser:
    """The parser of a tool, whose help ends in an example.

    Args: module: its name below boundcheck. about: what it does. example: arguments that work.
    """
    command = f"python -m boundcheck.{module}"
    return ToolParser(
        prog=command, description=about, allow_abbrev=False,
        epilog=f"Example: {command} {example}".rstrip(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip


def run(main: Callable[[list[str]], object]) -> NoReturn:
    """Run a tool to its exit code; whatever goes wrong is one line on standard error."""
    from boundcheck.exits import ended

    given = sys.argv[1:]
    ended(lambda: main(given), given)


def integer(low: int, most: int) -> Callable[[str], int]:
    """What reads an integer in a range.

    >>> integer(1, 9)("7")
    7
    """

    def read(text: str) -> int:
        value = int(text) if re.fullmatch("-?[0-9]{1,19}", text) else None
        if value is None or not low <= value <= most:
            raise argparse.ArgumentTypeError(
                f"{shown(text)} is no integer from {low} to {most}; give one"
            )
        return value

    return read


def several(low: int, most: int) -> Callable[[str], list[int]]:
    """What reads integers in a range, with commas.

    >>> several(1, 9)("7,2")
    [7, 2]
    """
    one = integer(low, most)
    return lambda text: [one(part) for part in text.split(",")]


def positive(text: str) -> float:
    """A positive finite number.

    >>> positive("0.5")
    0.5
    """
    value = not_negative(text)
    if not value:
        raise argparse.ArgumentTypeError(f"{shown(text)} is no positive number; give one")
    return value


def not_negative(text: str) -> float:
    """A finite number from 0 on.

    >>> not_negative("0")
    0.0
    """
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{shown(text)} is no number from 0 on; give one")
    return value
