"""What the import graph finds is all that a module can load, and no more than its words say."""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import boundcheck
from boundcheck.expressions.lazy_imports import Later
from boundcheck.imports import ImportGraph
from boundcheck.ledger import DECIDES, DIAGNOSES_IT, Digests
from boundcheck.library import shipped_root

PACKAGE = Path(boundcheck.__file__).parent
CLAIM = "livni2017/figure_1:real_points"
FAILING = "classical/motzkin:four"

FOLLOWED = {
    "plain": "import pack.other",
    "named": "from pack.other import value",
    "module by name": "from pack import other",
    "relative": "from . import other",
    "relative name": "from .other import value",
    "in a function": "def f():\n    from pack.other import value",
    "in a method": "class A:\n    async def f(self):\n        import pack.other",
    "otherwise": "if TYPE_CHECKING:\n    from pack.shy import a\nelse:\n    import pack.other",
    "text": "NAME = 'pack.other'",
    "function as text": "NAME = 'pack.other:run'",
    "all below": "def f(name):\n    return import_module(f'pack.{name}')",
    "one line": "a = 1; from pack.other import value",
    "starred": "from pack.other import *",
    "served": "from pack.serving import given",
    "served with others": "from pack.serving import second",
    "all that is served": "from pack.serving import *",
    "served by a module": "from pack import serving",
    "served by a renamed one": "import pack.serving as s",
}
LEFT = {
    "nothing": "import os",
    "types": "if TYPE_CHECKING:\n    from pack.other import value",
    "types, long name": "if typing.TYPE_CHECKING:\n    import pack.other",
    "notebooks": "class A:\n    def _repr_html_(self):\n        from pack.other import value",
    "prose": "'''See pack.other, and `from pack.other import value`.'''",
    "served elsewhere": "from pack.serving import elsewhere",
    "on the way": "from pack.passed.below import value",
    "no Python": "import pack.other )",
}


@pytest.fixture
def pack(tmp_path):
    """A package whose modules import nothing."""
    folder = tmp_path / "pack"
    table = "_HOMES = {'given': 'inner', **dict.fromkeys(('first', 'second'), 'inner'), " \
            "'elsewhere': 'quiet'}\n"
    files = {
        "__init__": "", "other": "value = 1", "shy": "a = 1",
        "serving/__init__": table, "serving/inner": "import pack.other", "serving/quiet": "",
        "passed/__init__": "def f():\n    import pack.other", "passed/below": "value = 1",
    }  # fmt: skip
    for name, text in files.items():
        path = folder / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.mark.parametrize("kind", FOLLOWED)
def test_an_import_of_any_form_is_followed(pack, kind):
    (pack / "one.py").write_text(FOLLOWED[kind])
    found = ImportGraph({"pack": pack}).files(["pack.one"])
    assert found["pack.other"] == pack / "other.py" and "pack" in found
    assert kind == "all below" or "pack.shy" not in found


@pytest.mark.parametrize("kind", LEFT)
def test_what_never_runs_is_not_followed(pack, kind):
    (pack / "one.py").write_text(LEFT[kind])
    assert "pack.other" not in ImportGraph({"pack": pack}).files(["pack.one"])


def test_a_package_whose_function_is_asked_for_counts_with_what_that_imports(pack):
    (pack / "one.py").write_text("from pack.passed import f")
    assert "pack.other" in ImportGraph({"pack": pack}).files(["pack.one"])


RUN = """
import re
import sys
from boundcheck.library import load_library, shipped_root
from boundcheck.verification import verify_shard, Orders
key, orders = sys.argv[1], {"root": "", "budget": "quick", "seed": 0, "alpha": 1e-9}
library = load_library(None, [key])
if sys.argv[2] == "verify":
    from boundcheck.shards import Shards
    shards = Shards(key)
    while shards.verdict() is None:
        shard = next(shards.ready())
        shards.done[shard.name] = verify_shard(orders, key, shard.name, dict(shard.given))
    assert shards.verdict().fault is None
else:
    from boundcheck.diagnosis.run import diagnose_one
    assert diagnose_one("", key, "quick", 0, {}, None)["diagnosis"]
names = (re.sub("_boundcheck_\\\\w+", "statements", name) for name in sys.modules)
print("\\n".join(n for n in names if re.match("boundcheck|statements[.]", n)))
"""


@pytest.mark.parametrize(
    ("key", "work", "module"),
    [(CLAIM, "verify", DECIDES), (FAILING, "diagnose", DIAGNOSES_IT)],
)
def test_all_that_a_run_loads_is_found(key, work, module):
    done = subprocess.run([sys.executable, "-c", RUN, key, work], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = Digests(shipped_root()).files(key, module)
    loaded = set(done.stdout.split())
    assert len(loaded) > 60 and loaded <= {*found}


def test_tables_of_homes_are_read_as_they_are():
    graph = ImportGraph({"boundcheck": PACKAGE})
    serving = [path.parent for path in PACKAGE.rglob("__init__.py")
               if "\ndef __getattr__(" in path.read_text()]  # fmt: skip
    assert len(serving) >= 4
    for folder in serving:
        name = ".".join(("boundcheck", *folder.relative_to(PACKAGE).parts))
        read = graph._imports(name)
        assert dict(read.homes) == importlib.import_module(name)._HOMES


# What their arguments name: statement files, which are counted with their source; the function of
# a unit, written as text where the unit is made; a module that is written as text too; packages
# of others.
KNOWN = {("library", 3), ("supervision/worker", 1), ("expressions/lazy_imports", 1),
         ("search/documented", 2)}  # fmt: skip


def test_every_import_by_a_computed_name_is_known():
    found = ImportGraph({"boundcheck": PACKAGE}).files([DECIDES, DIAGNOSES_IT])
    computed = {}
    for path in found.values():
        for node in ast.walk(ast.parse(path.read_text())):
            name = getattr(getattr(node, "func", None), "id", getattr(
                getattr(node, "func", None), "attr", ""))  # fmt: skip
            if name in ("import_module", "__import__") and not _readable(node.args[0]):
                where = path.relative_to(PACKAGE).with_suffix("").as_posix()
                computed[where] = computed.get(where, 0) + 1
    assert set(computed.items()) == KNOWN


def _readable(argument):
    """Whether the graph reads the name: a text, an f-string that begins with one, a table."""
    if isinstance(argument, ast.JoinedStr):
        return isinstance(argument.values[0], ast.Constant)
    table = isinstance(argument, ast.Subscript) and getattr(argument.value, "id", "") == "HOMES"
    return table or isinstance(argument, ast.Constant)


def test_a_module_that_comes_later_stands_being_renamed():
    """As readers of packages do with what they take for a part of one."""
    later = Later("math")
    later.__name__ = "boundcheck.math"
    assert later.floor(2.5) == 2
