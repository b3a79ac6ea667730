"""A claim as text: statement, hypotheses, domains, and the definitions with all that they call.

The digest of this text binds a witness to its claim. Definitions count by their syntax tree, so
that comments, spacing and the version of Python do not change it, and every other edit does.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import re
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sympy
from flint import fmpq, fmpq_mat, fmpz

if TYPE_CHECKING:
    from boundcheck.claim import Claim

OUTSIDE = ("numpy", "scipy", "sympy", "flint", "math", "itertools", "functools", "operator",
           "collections", "builtins", "typing")  # fmt: skip
# Of this package, what statements are made of; the rest is its machinery, one version for all.
WRITTEN_OUT = ("boundcheck.quantities", "boundcheck.settings")
KEPT = "_KEPT"  # the name of such a memory in this package
HINTS = ("searched", "wide", "log")  # where search looks: no part of what a statement says
FUNCTIONS = ast.FunctionDef | ast.Lambda | ast.AsyncFunctionDef


def claim_text(claim: Claim) -> str:
    """Everything that decides whether a world refutes a claim, as text."""
    writer = Writer()
    form = getattr(claim.statement, "inner", claim.statement)
    lines = [
        f"{claim.statement.name} {form.name} {sympy.srepr(claim.statement.relation)}",
        f"level {sympy.srepr(sympy.sympify(getattr(form, 'level', 0)))}",
        *[f"given {sympy.srepr(condition)}" for condition in claim.given],
    ]
    fields = dict(claim.worlds.fields) if claim.worlds is not None else {}
    lines += [f"world {name}: {writer.of(field)}" for name, field in fields.items()]
    lines += [f"parameter {s.name}: {writer.of(field)}" for s, field in claim.parameters.items()]
    measured = sorted(claim.measured.items())
    lines += [f"measure {name}{claim.arguments(quantity)}: {writer.of(quantity)}"
              for name, quantity in measured]  # fmt: skip
    lines.append(f"draw {writer.of(claim.draw)}")
    depends = getattr(claim.statement, "depends", ())
    if depends:  # only families show what such a constant cannot do
        lines.append(f"depends {depends} along {writer.of(claim.families)}")
    lines.append(f"undefined {sorted(symbol.name for symbol in claim.undefined)}")
    # The name that a library is loaded under depends on where it lies.
    return re.sub(r"_boundcheck_[0-9a-f]+", "library", "\n".join([*lines, *writer.definitions()]))


class Writer:
    """Texts of values; functions are named where they stand and written out once, at the end."""

    def __init__(self) -> None:
        self._written: dict[str, str] = {}
        self._named: dict[int, tuple[Any, str]] = {}

    def definitions(self) -> list[str]:
        """The functions and classes met, in the order in which they were met."""
        return [f"{name} = {text}" for name, text in self._written.items()]

    def of(self, value: Any) -> str:
        """One value as text; what has no text of its own is told by its type."""
        if isinstance(value, (types.FunctionType, type)):
            return self._code(value)
        if isinstance(value, types.MethodType):
            return f"{self.of(value.__self__)}.{value.__name__}"
        if isinstance(value, functools.partial):
            parts = (value.func, value.args, value.keywords)
            return f"partial({', '.join(self.of(part) for part in parts)})"
        if value is None or isinstance(value, (bool, int, str, float, bytes, fmpz, fmpq)):
            return f"{type(value).__name__} {value!r}"
        if isinstance(value, fmpq_mat):
            return f"matrix {value.tolist()}"
        if isinstance(value, sympy.Basic):
            return str(sympy.srepr(value))
        if isinstance(value, Mapping):
            return "{" + ", ".join(f"{self.of(k)}: {self.of(v)}" for k, v in value.items()) + "}"
        if isinstance(value, (tuple, list)):
            return f"{type(value).__name__}({', '.join(self.of(item) for item in value)})"
        if isinstance(value, (set, frozenset)):
            return "set " + ", ".join(sorted(self.of(item) for item in value))
        return self._object(value)

    def _object(self, value: Any) -> str:
        kind = type(value)
        wrapped = getattr(value, "__wrapped__", None)
        if callable(wrapped) and kind.__module__ == "functools":
            return f"cached {self.of(wrapped)}"
        if kind.__module__.partition(".")[0] in OUTSIDE:
            return f"{kind.__module__}.{kind.__qualname__}"
        known = self._named.get(id(value))
        if known is not None:
            return known[1]
        self._named[id(value)] = value, f"the {kind.__name__} above"
        told = getattr(kind, "digest", None)  # what an expression says of itself
        state = _state(value) if told is None else told(value)
        inside = ", ".join(f"{name}={self.of(item)}" for name, item in state.items())
        return f"{self._code(kind)}({inside})"

    def _code(self, thing: Any) -> str:
        """The name of a function or class; its text and those that it uses are written out."""
        module = str(getattr(thing, "__module__", ""))
        if _outside(thing):
            return f"{module}.{thing.__qualname__}"
        if id(thing) in self._named:
            return self._named[id(thing)][1]
        name = f"#{len(self._named)} {thing.__qualname__}"
        self._named[id(thing)] = thing, name
        self._written[name] = ""  # keeps the place in the order
        if isinstance(thing, type):
            self._written[name] = self._class(thing)
        else:
            self._written[name] = self._function(thing)
        return name

    def _function(self, function: types.FunctionType) -> str:
        code = function.__code__
        lines = [source_of(code)]
        lines.append(f"defaults {self.of(function.__defaults__)}")
        lines.append(f"named {self.of(function.__kwdefaults__)}")
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            try:
                lines.append(f"{name} is {self.of(cell.cell_contents)}")
            except ValueError:  # not bound yet
                lines.append(f"{name} is open")
        for name in sorted(_names(code)):
            if name == KEPT:  # values remembered between calls, which are no part of a definition
                continue
            if name in function.__globals__ and name != function.__name__:
                lines.append(f"{name} is {self._global(function.__globals__[name])}")
        return "; ".join(lines)

    def _global(self, value: Any) -> str:
        if isinstance(value, types.ModuleType):
            return f"module {value.__name__.rpartition('.')[2]}"
        return self.of(value)

    def _class(self, kind: type) -> str:
        bases = ", ".join(self._code(base) for base in kind.__bases__ if base is not object)
        members = [
            f"{name} {self.of(inner)}"
            for name, member in sorted(vars(kind).items())
            for inner in _functions(member)
        ]
        plain = [
            f"{name} {self.of(member)}" for name, member in sorted(vars(kind).items())
            if not name.startswith("__") and isinstance(member, (int, str, tuple, fmpq))
        ]  # fmt: skip
        return f"class({bases}) {'; '.join([*members, *plain])}"


def _functions(member: Any) -> Iterator[types.FunctionType]:
    """Functions of a member of a class, but for those that dataclasses write."""
    parts = (member.fget,) if isinstance(member, property) else (
        getattr(member, "__func__", None) or getattr(member, "func", None) or member,)  # fmt: skip
    for part in parts:
        if isinstance(part, types.FunctionType) and part.__code__.co_filename != "<string>":
            yield part


def _state(value: Any) -> dict[str, Any]:
    if type(value).__name__ == "Custom" and hasattr(value, "says_domain"):
        return {"domain": value.domain}
    if hasattr(value, "exact") and hasattr(value, "batch"):  # a definition beside its float form
        return {"exact": value.exact, "bounds": getattr(value, "bounds", None)}
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value)]
        return {name: getattr(value, name) for name in names if name not in HINTS}
    found = getattr(value, "__dict__", {})
    computed = {
        name for kind in type(value).__mro__ for name, member in vars(kind).items()
        if isinstance(member, functools.cached_property)
    }  # fmt: skip
    return {
        name: item for name, item in found.items()
        if not name.startswith("_") and name not in computed
    }  # fmt: skip


def _outside(thing: Any) -> bool:
    """Whether a name stands for code: of other packages, and of the machinery of this one."""
    module = str(getattr(thing, "__module__", ""))
    root = module.partition(".")[0]
    return root in OUTSIDE or (root == "boundcheck" and not module.startswith(WRITTEN_OUT))


def _names(code: types.CodeType) -> set[str]:
    inner = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return set(code.co_names).union(*[_names(part) for part in inner])


def source_of(code: types.CodeType) -> str:
    """The syntax tree of a function as text; of lambdas that begin on one line, all of them.

    Code without a file counts by its instructions.
    """
    tree = _tree(code.co_filename)
    found = [] if tree is None else [
        node for node in tree.get(code.co_firstlineno, [])
        if _named(node) == code.co_name and _arguments(node) == _expected(code)
    ]  # fmt: skip
    if not found:
        return f"{code.co_code.hex()} {_constants(code)} {code.co_names}"
    return " | ".join(ast.unparse(_bare(node)) for node in found)


def _constants(code: types.CodeType) -> list[str]:
    return [
        source_of(const) if isinstance(const, types.CodeType) else repr(const)
        for const in code.co_consts
    ]


@functools.lru_cache(maxsize=512)
def _tree(file: str) -> dict[int, list[FUNCTIONS]] | None:
    """Functions of a file by the line of their first decorator or of themselves."""
    try:
        tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return None
    found: dict[int, list[FUNCTIONS]] = {}
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS):
            decorators = getattr(node, "decorator_list", [])
            line = min([node.lineno, *[item.lineno for item in decorators]])
            found.setdefault(line, []).append(node)
    return found


def _named(node: FUNCTIONS) -> str:
    return getattr(node, "name", "<lambda>")


def _arguments(node: FUNCTIONS) -> list[str]:
    given = node.args
    return [item.arg for item in (*given.posonlyargs, *given.args, *given.kwonlyargs)]


def _expected(code: types.CodeType) -> list[str]:
    return list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])


def _bare(node: FUNCTIONS) -> ast.AST:
    """A function without docstring and decorators: what those do shows in what is called."""
    if isinstance(node, ast.Lambda):
        return node
    kept: dict[str, Any] = {name: getattr(node, name, None) for name in node._fields}
    first = node.body[0]
    text = first.value if isinstance(first, ast.Expr) else None
    if isinstance(text, ast.Constant) and isinstance(text.value, str):
        kept["body"] = node.body[1:] or [ast.Pass()]
    return ast.fix_missing_locations(type(node)(**{**kept, "decorator_list": []}))
