"""Packages that compute with their own docstrings, imported so that they keep them under -OO, and
without what they load for plots."""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType


class Whole(SourceFileLoader):
    """Compiles asserts and docstrings too, past the compiled files that Python keeps."""

    def get_code(self, fullname: str) -> CodeType:
        """The code of a module."""
        path = self.get_filename(fullname)
        return compile(self.get_data(path), path, "exec", dont_inherit=True, optimize=0)


class Finder(MetaPathFinder):
    """Finds one package and what is in it."""

    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module as Python finds it, loaded whole."""
        if fullname.partition(".")[0] != self.package:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = Whole(spec.loader.name, spec.loader.path)
        return spec


def documented(package: str, without: Sequence[str] = ()) -> ModuleType:
    """The package, as it is without -OO.

    Args: without: modules that it can do without, and that take longer to load than all the rest;
    not looked for meanwhile, unless they are loaded already.
    """
    if package in sys.modules:
        return sys.modules[package]
    with _absent(without):
        if sys.flags.optimize < 2:
            return importlib.import_module(package)
        finder = Finder(package)
        sys.meta_path.insert(0, finder)
        try:
            return importlib.import_module(package)
        finally:
            sys.meta_path.remove(finder)


@contextmanager
def _absent(modules: Sequence[str]) -> Iterator[None]:
    """Modules that are not loaded cannot be imported inside, and nobody warns that they are not."""
    missing: dict[str, None] = dict.fromkeys(name for name in modules if name not in sys.modules)
    sys.modules.update(missing)  # type: ignore[arg-type]  # None stands for what is not there
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for name in missing:
            sys.modules.pop(name, None)
