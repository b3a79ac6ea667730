"""A package that reads its own docstrings is usable under -OO, and only it keeps them."""

import subprocess
import sys

import pytest

PROGRAM = """
from boundcheck.search.documented import documented
found = documented("speaks_of_itself")
import colorsys as other
print(found.inner.f.__doc__.split()[0], other.__doc__ is None, found is documented(found.__name__))
"""


@pytest.mark.parametrize(("flag", "bare"), [("-OO", True), ("-O", False)])
def test_docstrings_are_there_under_every_flag(tmp_path, flag, bare):
    package = tmp_path / "speaks_of_itself"
    package.mkdir()
    (package / "__init__.py").write_text("from . import inner\n")
    (package / "inner.py").write_text(
        "def f():\n    'words of its own'\nf.__name__ = f.__doc__.split()[0]\n"
    )
    run = subprocess.run(
        [sys.executable, flag, "-c", PROGRAM], capture_output=True, text=True, timeout=60,
        cwd=tmp_path,
    )  # fmt: skip
    assert run.stdout.split() == ["words", str(bare), "True"], run.stderr
