"""What is said of one budget is said of all of them."""

import ast
from pathlib import Path

import pytest

import boundcheck
from boundcheck import options, pytest_plugin
from boundcheck.checks.base import BUDGETS, budget_named
from boundcheck.explore.sharpening import FUEL
from boundcheck.supervision.limits import LIMITS, limits_for

PACKAGE = Path(boundcheck.__file__).parent
ENDS = {"quick", "thorough"}  # names by which a table of budgets is known


@pytest.mark.parametrize("name", BUDGETS)
def test_a_command_that_takes_a_budget_takes_every_one(name):
    assert budget_named(name).name == name
    assert limits_for(name, environ="") == LIMITS[name]
    assert FUEL[name] <= FUEL["thorough"]


def test_options_offer_every_budget():
    assert pytest_plugin.BUDGETS == tuple(BUDGETS)
    (told,) = options.BudgetName.__metadata__
    assert all(name in told.help for name in BUDGETS)


def tables(tree):
    """Names of dictionaries by budget, with their keys."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
            keys = {key.value for key in node.value.keys if isinstance(key, ast.Constant)}
            if keys >= ENDS:
                yield node.targets[0].id, keys


def subscripted(tree):
    """Names in front of square brackets around what is no constant."""
    return {node.value.id for node in ast.walk(tree)
            if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)
            and not isinstance(node.slice, ast.Constant)}  # fmt: skip


def test_tables_by_budget_know_every_one_or_say_what_holds_without():
    found = 0
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text())
        for name, keys in tables(tree):
            found += 1
            assert keys >= set(BUDGETS) or name not in subscripted(tree), path
    assert found >= 7
