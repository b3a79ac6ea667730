"""Examples in docstrings are executed."""

import doctest
import importlib
import pkgutil

import pytest

import boundcheck

MODULES = sorted(
    info.name
    for info in pkgutil.walk_packages(boundcheck.__path__, "boundcheck.")
    if "_library" not in info.name
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_run_as_printed(name):
    module = importlib.import_module(name)
    result = doctest.testmod(module)
    assert result.failed == 0
