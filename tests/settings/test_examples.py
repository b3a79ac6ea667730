"""Examples in the docstrings of settings are statements that stand, and could have failed."""

import doctest
import importlib

import pytest
import sympy

from boundcheck import Claim, Holds, Source
from boundcheck.calibration import small_budget
from boundcheck.engine import verify
from boundcheck.setting import sides

FIELDS = ("adapted", "matrices", "random_matrices", "cube", "classes", "online",
          "polytopes", "smooth_convex", "continuous", "counting")  # fmt: skip
PLACE = Source("Author", 2000, "Examples").at("docstring")
FOURFOLD = 4  # of the smaller side: more than any of these statements has to spare somewhere


def examples(field):
    """Relations by the name that the docstring of a setting gives them."""
    module = importlib.import_module(f"boundcheck.settings.{field}")
    test = doctest.DocTestParser().get_doctest(
        module.__doc__, dict(vars(module)), field, module.__file__, 0
    )
    earlier = set(test.globs)
    assert doctest.DocTestRunner().run(test, clear_globs=False).failed == 0
    return {name: value for name, value in test.globs.items()
            if name not in earlier and isinstance(value, sympy.Rel)}  # fmt: skip


NAMED = [(field, name) for field in FIELDS for name in examples(field)]


def outcome(relation):
    claim = Claim(PLACE, Holds(relation))
    return verify("settings/example:printed", claim, budget=small_budget(), controls=False).outcome


def test_every_field_of_the_kit_has_one():
    assert {field for field, _ in NAMED} == set(FIELDS)


@pytest.mark.parametrize("field, name", NAMED)
def test_an_example_stands_and_four_times_as_much_does_not(field, name):
    relation = examples(field)[name]
    assert outcome(relation) in ("proved", "supported")
    smaller, larger = sides(relation)
    assert outcome(FOURFOLD * smaller <= larger) == "refuted"
