"""The digest of a claim: every edit of what it says changes it, nothing else does."""

import pytest

from boundcheck.library import load_library

PLAIN = '''"""One claim."""

from functools import lru_cache, partial

from sympy import symbols

from boundcheck import Claim, Holds, Source
from boundcheck.quantities import quantity
from boundcheck.worlds import Custom, Derived, Integer, Real, Space, Vector

WORK = Source("A", 2000, "T")
left, right, other, n = symbols("left right other n", real=True)
SCALE = 2


def helper(v):
    """What it does."""
    return max(v)


def outer(factor):
    def measured(v):
        return factor * helper(v)

    return measured


@quantity(estimator=lambda v: v.max(axis=-1))
def paired(v):
    return SCALE * helper(v)


@lru_cache
def cached(n):
    return n + 1


class Holder:
    def value(self, v):
        return v[0]


START = 1


def added(v, share=START):
    return v[0] + share


HOLDER = Holder()

printed = Claim(
    source=WORK.at("1"), statement=Holds(left <= right), given=[n >= 1],
    worlds=Space(
        v=Vector(2, 0, 3), c=Custom(lambda source, w: 1, lambda value, w: value == 1),
        d=Derived(lambda v: v[0] * 2), searched=Real(0, 9, searched=(0, 1)),
    ),
    parameters={n: Integer(1, searched=9)},
    measure={
        left: outer(3), right: paired,
        other: lambda v, n: cached(n) + HOLDER.value(v) + partial(added, share=2)(v),
    },
)
'''

SAYS = {
    "the statement": ("left <= right", "left < right"),
    "a hypothesis": ("n >= 1]", "n >= 2]"),
    "a range": ("Vector(2, 0, 3)", "Vector(2, 0, 4)"),
    "a domain": ("value == 1", "value == 2"),
    "a derived field": ("v[0] * 2", "v[0] + v[0]"),
    "a parameter": ("n: Integer(1, ", "n: Integer(0, "),
    "a definition that gives the same value": ("SCALE * helper(v)", "helper(v) * SCALE"),
    "a helper that gives the same value": ("return max(v)", "return max(*v)"),
    "a constant that is read": ("SCALE = 2", "SCALE = 3"),
    "a value closed over": ("outer(3)", "outer(4)"),
    "a lambda": ("cached(n) + HOLDER", "HOLDER.value(v) + cached(n) - HOLDER"),
    "what a cache holds": ("return n + 1", "return 1 + n"),
    "a method": ("return v[0]\n\n\nSTART", "return v[1]\n\n\nSTART"),
    "a default": ("START = 1", "START = 5"),
    "an argument kept by partial": ("share=2", "share=3"),
}
SAYS_NOT = {
    "a comment": ("    return max(v)", "    # the largest\n    return max(v)"),
    "a docstring": ("What it does.", "What it did."),
    "spacing": ("return factor * helper(v)", "return factor  *  helper( v )"),
    "where search looks": ("searched=9", "searched=99"),
    "where search looks in an interval": ("searched=(0, 1)", "searched=(0, 2)"),
    "how search builds": ("lambda source, w: 1,", "lambda source, w: 2 - 1,"),
    "an estimator": ("v.max(axis=-1)", "v.max(axis=1)"),
    "another claim": ("HOLDER = Holder()", "HOLDER = Holder()\nUNUSED = 1"),
}


def fingerprint(text, root):
    folder = root / "mine"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text('"""Mine."""\n')
    (folder / "file.py").write_text(text)
    library = load_library(root)
    assert library.broken == {}
    return library["mine/file:printed"].fingerprint()


@pytest.fixture(scope="module")
def before(tmp_path_factory):
    return fingerprint(PLAIN, tmp_path_factory.mktemp("plain"))


@pytest.mark.parametrize("name", SAYS)
def test_an_edit_of_what_is_said_is_noticed(name, before, tmp_path):
    old, new = SAYS[name]
    assert PLAIN.count(old) == 1
    assert fingerprint(PLAIN.replace(old, new), tmp_path / "a") != before


@pytest.mark.parametrize("name", SAYS_NOT)
def test_an_edit_of_anything_else_is_not(name, before, tmp_path):
    old, new = SAYS_NOT[name]
    assert PLAIN.count(old) == 1
    assert fingerprint(PLAIN.replace(old, new), tmp_path / "a") == before


def test_the_same_text_elsewhere_is_the_same_claim(before, tmp_path):
    assert fingerprint(PLAIN, tmp_path / "other") == before


def test_what_a_definition_remembers_between_calls_is_no_part_of_it():
    from boundcheck.engine import verify
    from boundcheck.library import load_library, shipped_root

    root = shipped_root()
    key = "wu2021/theorem_4_3:step_decomposition"
    before = load_library(root, [key])[key].fingerprint()
    verify(key, load_library(root, [key])[key], controls=False)
    assert load_library(root, [key])[key].fingerprint() == before
