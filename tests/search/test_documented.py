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


def test_what_a_package_can_do_without_is_not_loaded(tmp_path):
    package = tmp_path / "plots_if_it_can"
    package.mkdir()
    (package / "__init__.py").write_text(
        "import warnings\ntry:\n    import wave\nexcept ImportError:\n"
        "    wave = None\n    warnings.warn('no plots')\n"
    )
    program = (
        "from boundcheck.search.documented import documented\n"
        "found = documented('plots_if_it_can', ('wave',))\n"
        "import wave, sys\n"
        "print(found.wave, wave.__name__, 'matplotlib' in sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, timeout=60,
        cwd=tmp_path,
    )  # fmt: skip
    assert run.stdout.split() == ["None", "wave", "False"], run.stderr


def test_the_search_loads_no_plots():
    program = (
        "import sys, numpy\n"
        "from boundcheck.search.documented import documented\n"
        "from boundcheck.search.evolution import PLOTS\n"
        "cma = documented('cma', PLOTS)\n"
        "run = cma.CMAEvolutionStrategy([1.0, 1.0], 0.3, {'verbose': -9, 'verb_log': 0})\n"
        "for _ in range(3):\n"
        "    points = run.ask(); run.tell(points, [float(p @ p) for p in points])\n"
        "print(*(name in sys.modules for name in PLOTS))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )
    assert run.stdout.split() == ["False", "False"], run.stderr
