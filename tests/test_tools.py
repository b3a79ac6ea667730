"""Commands of maintainers: help with an example that the parser takes, errors of one line."""

import ast
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import boundcheck
from boundcheck.boundary.tools import integer, parser_of, positive, several
from boundcheck.errors import InvalidArgument

PACKAGE = Path(boundcheck.__file__).parent
# The command line itself, and the second solver, which other processes start and feed.
OTHERS = {"__main__", "cli", "checks.proofs.second_solver"}


def is_started(path):
    """Whether a module does something when it is run."""
    ends = [ast.unparse(node.test) for node in ast.parse(path.read_text()).body
            if isinstance(node, ast.If)]  # fmt: skip
    return "__name__ == '__main__'" in ends


def modules():
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        if "_library" not in name and name not in OTHERS and is_started(path):
            yield name


TOOLS = list(modules())


def test_the_tools_of_the_readme_are_among_them():
    assert {"calibration", "explore.survey", "search.recall", "reference"} <= set(TOOLS)


@pytest.mark.parametrize("name", TOOLS)
def test_help_ends_in_an_example_that_is_taken(name, capsys):
    tool = import_module(f"boundcheck.{name}")
    with pytest.raises(SystemExit) as stop:
        tool.main(["--help"])
    assert stop.value.code == 0
    example = capsys.readouterr().out.strip().splitlines()[-1]
    command = f"Example: python -m boundcheck.{name}"
    assert example.startswith(command)
    tool.parser().parse_args(shlex.split(example.removeprefix(command)))


@pytest.mark.parametrize("name", TOOLS)
def test_wrong_arguments_are_refused_before_any_work(name):
    tool = import_module(f"boundcheck.{name}")
    with pytest.raises(InvalidArgument, match=f"--nonsense.*boundcheck.{name} --help"):
        tool.main(["--nonsense"])
    for option in ("--out", "--kept"):
        if option in tool.parser().format_usage():
            with pytest.raises(boundcheck.errors.OutputError, match=option):
                tool.main([option, "/dev/null/page"])


@pytest.mark.parametrize("arguments, said", [
    (["hostile", "--claims", "0"], "'0' is no integer from 1"),
    (["search.recall", "nothing/like:this"], "selector 'nothing/like:this' matches no claim"),
    (["explore.survey", "nothing/like:this"], "selector 'nothing/like:this' matches no claim"),
    (["calibration", "--runs", "many"], "'many' is no integer"),
])  # fmt: skip
def test_a_started_tool_says_one_line(arguments, said):
    name, *given = arguments
    found = subprocess.run(
        [sys.executable, "-m", f"boundcheck.{name}", *given],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert found.returncode == 2 and not found.stdout
    assert said in found.stderr and len(found.stderr.splitlines()) == 1


def test_values_are_held_against_their_range():
    parser = parser_of("made", "About.")
    parser.add_argument("--sizes", type=several(1, 9))
    parser.add_argument("--seed", type=integer(0, 9))
    parser.add_argument("--seconds", type=positive)
    assert parser.parse_args(["--sizes", "1,9"]).sizes == [1, 9]
    for option, value in (("--sizes", "1,10"), ("--sizes", "1,,2"), ("--seed", "--5"),
                          ("--seed", "-1"),
                          ("--seed", "9" * 5_000), ("--seconds", "nan"), ("--seconds", "0"),
                          ("--seconds", "inf")):  # fmt: skip
        with pytest.raises(InvalidArgument, match=f"argument {option}: .* is no "):
            parser.parse_args([f"{option}={value}"])
