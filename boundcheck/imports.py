"""Which files a module rests on: everything that it may import, told without importing anything.

An import counts wherever it stands, in functions too. Left out are blocks under TYPE_CHECKING,
which never run, and methods that a notebook calls to show a value (`_repr_html_` and its like).
A name as text ("boundcheck.checks.proof", also with ":function") counts as an import, and an
f-string that begins with one ("boundcheck.checks.{name}") as the import of everything below.
A package that serves names from its modules when they are asked for keeps a table of homes; of
those, the modules of the names that are asked for count. A package that is only passed on the way
to a module is run, not called: what its functions import does not count.
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from boundcheck.boundary.files import content

DOTTED = re.compile(r"[A-Za-z_]\w*(\.\w+)+(:\w+)?")
BEGINNING = re.compile(r"[A-Za-z_]\w*(\.\w+)*\.")
SHOWN = re.compile(r"_(repr|ipython)_\w+_")
INIT = "__init__.py"
ALL, BELOW = "*", "**"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True)
class Asked:
    """One import: of a name from a module, of all that it serves (ALL), of all below it (BELOW)."""

    module: str
    name: str


@dataclass(frozen=True)
class Imports:
    """What one file asks for.

    Args: path: where it lies. run: by being imported; called: by its functions as well. homes:
    module of each name that a package serves on demand.
    """

    path: Path
    run: frozenset[Asked] = frozenset()
    called: frozenset[Asked] = frozenset()
    homes: Mapping[str, str] = field(default_factory=dict)


@dataclass
class ImportGraph:
    """Imports between the modules of some packages, read from their files once.

    Args: packages: folder of each package by its name; imports of others are not followed.

    >>> import boundcheck
    >>> graph = ImportGraph({"boundcheck": Path(boundcheck.__file__).parent})
    >>> sorted(graph.files(["boundcheck.errors"]))
    ['boundcheck', 'boundcheck.errors']
    """

    packages: Mapping[str, Path]
    _read: dict[str, Imports | None] = field(default_factory=dict)

    def files(self, roots: Iterable[str]) -> dict[str, Path]:
        """Files that modules rest on, themselves among them, by name of the module.

        Raises: OSError for a file that cannot be read. One that is no Python imports nothing.
        """
        seen: set[tuple[str, bool]] = set()
        found: dict[str, Path] = {}
        waiting = [(root, True) for root in roots]
        while waiting:
            name, called = waiting.pop()
            own = self._imports(name)
            if own is None or (name, called) in seen:
                continue
            seen.add((name, called))
            found[name] = own.path
            for asked in own.called if called else own.run:
                waiting += [(other, True) for other in self._resolved(asked)]
            waiting += [(parent, False) for parent in _parents(name)]
        return found

    def _imports(self, name: str) -> Imports | None:
        """What a module asks for, None for one of no package."""
        if name not in self._read:
            path = self._file(name)
            self._read[name] = None if path is None else imports_of(name, path, content(path))
        return self._read[name]

    def _file(self, name: str) -> Path | None:
        first, *rest = name.split(".")
        if first not in self.packages or not all(rest):
            return None
        place = self.packages[first].joinpath(*rest)
        for path in (place / "__init__.py", place.parent / f"{place.name}.py"):
            if path.is_file():
                return path
        return None

    def _resolved(self, asked: Asked) -> Iterator[str]:
        """Modules whose functions an import may call."""
        if asked.name == BELOW:
            yield from self._below(asked.module)
            return
        inside = f"{asked.module}.{asked.name}"
        if asked.name != ALL and self._imports(inside) is not None:
            yield from self._resolved(Asked(inside, ALL))
            return
        own = self._imports(asked.module)
        homes = {} if own is None else own.homes
        if asked.name not in homes:
            yield asked.module
        wanted = homes.values() if asked.name == ALL else [homes.get(asked.name, "")]
        yield from (f"{asked.module}.{home}" for home in wanted if home)

    def _below(self, name: str) -> Iterator[str]:
        """Every module below a package, at any depth."""
        own = self._imports(name)
        if own is None or own.path.name != INIT:
            return
        for each in sorted(own.path.parent.rglob("*.py")):
            parts = each.relative_to(own.path.parent).with_suffix("").parts
            yield ".".join([name, *(parts[:-1] if each.name == INIT else parts)])


def _parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts))]


@lru_cache(maxsize=1024)
def imports_of(name: str, path: Path, text: bytes) -> Imports:
    """What a module asks for by the text of its file."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return Imports(path)
    package = name if path.name == INIT else name.rpartition(".")[0]
    homes = _homes(tree)
    own = name + "." if homes else ""
    run, called = (
        frozenset(asked for node in _running(tree, functions)
                  for asked in _asked(node, package, own))
        for functions in (False, True)
    )  # fmt: skip
    return Imports(path, run, called, homes)


def _running(node: ast.AST, functions: bool) -> Iterator[ast.AST]:
    """Nodes below one that may run, with those of functions or without."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and _is_typing(child.test):
            for other in child.orelse:
                yield other
                yield from _running(other, functions)
        elif isinstance(child, FUNCTIONS) and (
            not functions or SHOWN.fullmatch(getattr(child, "name", ""))
        ):
            continue
        else:
            yield child
            yield from _running(child, functions)


def _is_typing(test: ast.expr) -> bool:
    return getattr(test, "id", getattr(test, "attr", "")) == "TYPE_CHECKING"


def _asked(node: ast.AST, package: str, own: str) -> Iterator[Asked]:
    """What one node asks for; `own`: the beginning of names that the table of homes completes."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield Asked(alias.name, ALL)
            if alias.asname is None:  # binds the package, and with it all that it serves
                yield Asked(alias.name.partition(".")[0], ALL)
    elif isinstance(node, ast.ImportFrom):
        parts = package.split(".")
        above = parts[: len(parts) - node.level + 1] if node.level else []
        module = ".".join([*above, *filter(None, [node.module])])
        yield from (Asked(module, alias.name) for alias in node.names)
    elif isinstance(node, ast.JoinedStr):
        first = node.values[0] if node.values else None
        text = first.value if isinstance(first, ast.Constant) else None
        if isinstance(text, str) and BEGINNING.fullmatch(text) and text != own:
            yield Asked(text.rstrip("."), BELOW)
    elif isinstance(node, ast.Constant) and DOTTED.fullmatch(str(node.value)):
        yield Asked(str(node.value).partition(":")[0], ALL)


def _homes(tree: ast.Module) -> dict[str, str]:
    """The table `_HOMES` of a package: {name: module} with `**dict.fromkeys((name, ...), module)`;
    nothing for one of another form.
    """
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "_HOMES":
            with contextlib.suppress(ValueError, AttributeError, TypeError):
                return dict(_entries(node.value))
    return {}


def _entries(table: Any) -> Iterator[tuple[str, str]]:
    for key, value in zip(table.keys, table.values, strict=True):
        if key is None:
            names, home = map(ast.literal_eval, value.args)
            yield from dict.fromkeys(names, home).items()
        else:
            yield ast.literal_eval(key), ast.literal_eval(value)
