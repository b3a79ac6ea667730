"""Sessions in the tutorial and the README do what they show, from an empty folder.

Files that a document shows are written, its commands are run, and outputs compared.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import boundcheck
from boundcheck.library import shipped_root

README = Path(__file__).parent.parent / "README.md"
BLOCK = re.compile(r"^```(console|python (?P<file>\S+))\n(?P<body>.*?)^```$", re.M | re.S)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
PLUGIN = "boundcheck.pytest_plugin"


def program(words):
    """The command as it runs in this environment."""
    if words[0] == "boundcheck":
        return [sys.executable, "-m", *words]
    if words[0] == "pytest":
        installed = any(e.value == PLUGIN for e in entry_points(group="pytest11"))
        named = [] if installed else ["-p", PLUGIN]
        return [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *named, *words[1:]]
    return words


def output(command, folder):
    """Standard output, then standard error, of a command."""
    found = subprocess.run(
        program(shlex.split(command, comments=True)), cwd=folder, capture_output=True, text=True,
        timeout=600,
        env={**os.environ, "PYTHONPATH": str(Path(boundcheck.__file__).parents[1]),
             "COLUMNS": "200", "PYTEST_ADDOPTS": "", "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    return found.stdout + found.stderr


def differences(document, folder):
    """How many commands a document shows, and those whose output is another than printed."""
    checker, ran, wrong = doctest.OutputChecker(), 0, []
    for block in BLOCK.finditer(document.read_text(encoding="utf-8")):
        if block["file"]:
            (folder / block["file"]).write_text(block["body"], encoding="utf-8")
            continue
        for part in re.split(r"^\$ ", block["body"], flags=re.M)[1:]:
            command, _, printed = part.partition("\n")
            found, ran = output(command, folder), ran + 1
            if not checker.check_output(printed, found, FLAGS):
                wrong.append(f"$ {command}\n--- printed\n{printed}--- found\n{found}")
    return ran, wrong


@pytest.mark.parametrize(
    "document, commands", [(shipped_root() / "TUTORIAL.md", 14), (README, 3)],
    ids=["tutorial", "readme"],
)  # fmt: skip
def test_every_command_prints_what_is_shown(document, commands, tmp_path):
    if not document.is_file():
        pytest.skip("the README is not beside the tests")
    ran, wrong = differences(document, tmp_path)
    assert not wrong, "\n\n".join(wrong)
    assert ran >= commands


@pytest.mark.parametrize("printed, wrong", [("two\n", 0), ("t...\n", 0), ("three\n", 1)])
def test_another_output_is_noticed(tmp_path, printed, wrong):
    document = tmp_path / "session.md"
    document.write_text(f"```console\n$ echo one\none\n$ echo two\n{printed}```\n")
    ran, found = differences(document, tmp_path)
    assert ran == 2 and len(found) == wrong
