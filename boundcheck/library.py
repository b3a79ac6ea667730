"""Discovery: the folders are the registry. Keys are file names and module attributes.

A root is a folder of source folders, each a package with `__init__.py` and one file per statement;
the steps of a long `lemma.py` lie in a folder `_lemma/` beside it, whose claims are its own.
The first of `--root`, `./verify` and the library shipped with the package is used.
"""

from __future__ import annotations

import fnmatch
import importlib
import importlib.util
import re
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Generic, TypeVar

from boundcheck.boundary.messages import plain
from boundcheck.errors import InvalidArgument, MalformedStatement, UnknownKey
from boundcheck.faults import frames, is_ours, place, remedy, said

if TYPE_CHECKING:
    from boundcheck.claim import Claim
    from boundcheck.supervision.limits import Limits

Begin = Callable[[str], object]
SKIPPED = {"__init__", "__main__", "conftest"}
Held = TypeVar("Held")


@dataclass
class Shelf(Generic[Held]):
    """Something for each claim under one root, found by selectors.

    Args:
        root: the folder. claims: key to what is held of the claim, sorted.
        broken: statement (source/statement) to the one-line reason its file cannot be used.
    """

    root: Path
    claims: dict[str, Held] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)
    about: dict[str, str] = field(default_factory=dict)
    calibrating: set[str] = field(default_factory=set)

    def __getitem__(self, key: str) -> Held:
        if key in self.claims:
            return self.claims[key]
        statement = key.partition(":")[0]
        if statement in self.broken:
            raise MalformedStatement(f"{key}: {self.broken[statement]}")
        raise UnknownKey(f"no claim {key!r} under {self.root}; {self._hint(key)}")

    def names(self, beginning: str) -> bool:
        """Whether a statement, usable or not, begins with a text; with a colon it is the text."""
        named = {key.partition(":")[0] + ":" for key in self.claims}
        return any(name.startswith(beginning) for name in (*named, *(f"{b}:" for b in self.broken)))

    def select(self, selectors: Iterable[str]) -> list[str]:
        """Keys that match any selector: a key alone, else a prefix or a glob; all for none given.

        Raises: UnknownKey for a selector without a match, MalformedStatement if what it names is
            a file that cannot be used.
        """
        chosen: list[str] = []
        for selector in selectors:
            if not selector.strip():
                raise UnknownKey(
                    f"selector {selector!r} is empty; give a key, a prefix or a glob, "
                    "or none for every claim"
                )
            matched = [selector] if selector in self.claims else [
                key for key in self.claims if _matches(key, selector)]  # fmt: skip
            if not matched:
                for statement, reason in self.broken.items():
                    if _matches(statement, selector.partition(":")[0]):
                        raise MalformedStatement(f"{statement}: {reason}")
                raise UnknownKey(
                    f"selector {selector!r} matches no claim under {self.root}; "
                    + self._hint(selector)
                )
            chosen += matched
        if not selectors:
            chosen = list(self.claims)
        return sorted(set(chosen))

    def broken_among(self, selectors: Iterable[str]) -> dict[str, str]:
        """The statements that selectors name and that cannot be used; all for no selector."""
        asked = [selector.partition(":") for selector in selectors]
        return {
            statement: reason
            for statement, reason in self.broken.items()
            if not asked
            or any(statement == name if colon else _matches(statement, name)
                   for name, colon, _ in asked)
        }  # fmt: skip

    def one(self, selector: str) -> str:
        """The key of one claim; a statement alone means its only claim, or the printed one.

        Raises: UnknownKey, MalformedStatement as `select`, InvalidArgument for several claims.
        """
        if selector in self.claims or ":" in selector:
            self[selector]
            return selector
        own = [key for key in self.claims if key.partition(":")[0] == selector]
        if f"{selector}:printed" in own:
            return f"{selector}:printed"
        keys = own or self.select([selector])
        if len(keys) > 1:
            shown = ", ".join(keys[:6]) + (", ..." if len(keys) > 6 else "")
            raise InvalidArgument(f"{selector!r} names {len(keys)} claims; give one key: {shown}")
        return keys[0]

    def _hint(self, selector: str) -> str:
        """Where a name without a match may be found."""
        source, shipped = selector.partition("/")[0], shipped_root()
        if self.root != shipped and source and (shipped / source / "__init__.py").is_file():
            return f"the shipped library has {source}; give --root {shipped}"
        near = _near(selector, self.claims, 1)
        return (f"the nearest is {near[0]!r}; " if near else "") + (
            "`boundcheck list` shows all keys, --root DIR names another library"
        )


@dataclass
class Library(Shelf["Claim"]):
    """The claims under one root.

    Args: titles: statement to docstring.
    """

    claims: dict[str, Claim] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)

    def title(self, key: str) -> str:
        """First line of the docstring of the statement file."""
        text = self.titles.get(key.partition(":")[0], "").strip()
        return text.splitlines()[0] if text else key

    def companion(self, source: str, name: str) -> ModuleType:
        """A private module of a source folder, such as its figures."""
        return importlib.import_module(f"{_root_package(self.root)}.{source}.{name}")

    def siblings(self, key: str) -> list[str]:
        """The other claims of the same statement."""
        statement = key.partition(":")[0] + ":"
        return [other for other in self.claims if other.startswith(statement) and other != key]


def _matches(key: str, selector: str) -> bool:
    return key == selector or key.startswith(selector) or fnmatch.fnmatchcase(key, selector)


def _near(text: str, names: Iterable[str], most: int) -> list[str]:
    """Names that may be meant by one that is none: its source is left out or a letter wrong."""
    import difflib

    def rank(name: str) -> tuple[bool, bool, str]:
        whole = name.partition("/")[2].startswith(text.removesuffix(":") + ":")
        return not whole, not name.endswith(":printed"), name

    known = sorted(names)
    found = [name for name in known if name.partition("/")[2].startswith(text)]
    found.sort(key=rank)
    return [*found, *difflib.get_close_matches(text, known, n=most, cutoff=0.4)][:most]


def shipped_root() -> Path:
    """The library inside the installed package, or the repository's own in a checkout."""
    inside = Path(__file__).parent / "_library"
    return inside if inside.is_dir() else Path(__file__).parent.parent / "verify"


def find_root(root: str | Path | None = None) -> Path:
    """The folder to use.

    Raises: UnknownKey if it does not exist or holds no statement file.
    """
    if root is not None:
        chosen = Path(root)
    elif Path("verify").is_dir() and any(Path("verify").glob("*/__init__.py")):
        chosen = Path("verify")
    else:
        chosen = shipped_root()
    if not chosen.is_dir():
        raise UnknownKey(f"--root {chosen} is not a folder; give one that holds source folders")
    return chosen.resolve()


def command_path(path: Path) -> str:
    """A path as a command pasted in this folder must name it."""
    import shlex

    whole, here = path.resolve(), Path.cwd()
    return shlex.quote(str(whole.relative_to(here) if whole.is_relative_to(here) else whole))


def root_option(root: Path) -> str:
    """" --root DIR" as it must stand behind a command, or nothing for the default library."""
    return "" if root.resolve() == find_root() else f" --root {command_path(root)}"


def load_library(
    root: str | Path | None = None, selectors: Iterable[str] = (), limits: Limits | None = None
) -> Library:
    """Every claim under a root; a file that fails lands in `broken` and harms no other.

    Files of users are imported in a forked process first: one that loops, leaks, aborts or ends
    the process is broken like any other.

    Args: selectors: if given and each matches something, only the statements that they may name
    are loaded, which is quicker. limits: of a claim, where a file may take less than a minute.

    Raises: UnknownKey if the root holds no statement at all.
    """
    folder = find_root(root)
    # SOURCE/STATEMENT:... is that statement alone, not others whose names begin with its name.
    asked = list(selectors)
    wanted = [re.split(r"(?<=:)|[*?\[]", selector, maxsplit=1)[0] for selector in asked]
    if asked and folder == shipped_root().resolve():
        from boundcheck.unbound import bound_when_needed

        with bound_when_needed():  # files that are known to be sound
            library = _rehearsed(folder, wanted, limits)
    else:
        library = _rehearsed(folder, wanted, limits)
    unknown = [text for text in wanted if not library.names(_statement_of(text))]
    if unknown:  # the rest of the library would be loaded for a hint alone
        library = _rehearsed(folder, [*wanted, *_statements_near(folder, unknown)], limits)
    if not library.claims and not library.broken and not _statement_names(folder):
        raise UnknownKey(
            f"{folder} holds no statement file; expected <source>/__init__.py and "
            "<source>/<statement>.py (`boundcheck new SOURCE/STATEMENT` makes both)"
        )
    return library


def _statement_names(folder: Path) -> list[str]:
    """All statements under a root as selectors, by their files alone."""
    return [f"{source.name}/{path.stem}:"
            for source in _sources(folder) for path in statement_files(source)]  # fmt: skip


def _statements_near(folder: Path, beginnings: Iterable[str]) -> list[str]:
    """Statements whose names are near to texts that begin none."""
    names = _statement_names(folder)
    return [name for text in beginnings for name in _near(_statement_of(text), names, 2)]


def _rehearsed(folder: Path, beginnings: list[str], limits: Limits | None) -> Library:
    """`_loaded` without what ends the process that imports it."""
    refused: dict[str, str] = {}
    if folder != shipped_root().resolve() and _is_new(folder, beginnings):
        from boundcheck.supervision import worker
        from boundcheck.supervision.limits import import_limits
        from boundcheck.supervision.rehearsal import rehearsed

        # A worker is under limits itself, and threads do not survive a fork.
        if not worker.IN_WORKER and threading.active_count() == 1:
            importlib.import_module("boundcheck.claim")  # once, before the fork
            refused = rehearsed(
                lambda known, begin: _loaded(folder, beginnings, known, begin).broken,
                import_limits(limits), "mend the file",
            )  # fmt: skip
    return _loaded(folder, beginnings, refused)


def _is_new(folder: Path, beginnings: list[str]) -> bool:
    """Whether any of the files is not imported yet."""
    package = _root_package(folder)
    return any(
        f"{package}.{source.name}.{path.stem}" not in sys.modules
        for source in _sources(folder) for path in _statements(source, beginnings)
    )  # fmt: skip


def _loaded(
    folder: Path, beginnings: list[str], refused: Mapping[str, str], begin: Begin = str
) -> Library:
    """The claims whose statement, with a colon, begins with one of the texts; all for none.

    Args: refused: why, for statements and sources that are not to be imported; begin: called with
    the name of each before it is.
    """
    library, package = Library(folder), _root_package(folder)
    for source in _sources(folder):
        _load_source(library, package, source, beginnings, refused, begin)
    library.claims = dict(sorted(library.claims.items()))
    return library


def _sources(folder: Path) -> list[Path]:
    found = sorted(path.parent for path in folder.glob("*/__init__.py"))
    return [source for source in found if source.name.isidentifier()]


def _statements(source: Path, beginnings: list[str]) -> list[Path]:
    """The statements of a source whose name, with a colon, begins with one; all for none."""
    found = statement_files(source)
    if not beginnings:
        return found
    return [path for path in found
            if any(f"{source.name}/{path.stem}:".startswith(_statement_of(text))
                   for text in beginnings)]


def _statement_of(beginning: str) -> str:
    """What begins like the names of statements that a text means: up to its colon."""
    return beginning[: beginning.find(":") + 1] or beginning


def _root_package(folder: Path) -> str:
    """A private package name for a root, so that two roots never share modules."""
    import hashlib

    name = "_boundcheck_" + hashlib.sha256(str(folder).encode()).hexdigest()[:12]
    if name not in sys.modules:
        module = ModuleType(name)
        module.__path__ = [str(folder)]
        sys.modules[name] = module
    return name


def statement_files(source: Path) -> list[Path]:
    """The files of a folder that state claims: all but private ones."""
    found = [path for path in source.glob("*.py") if path.stem not in SKIPPED]
    return sorted(path for path in found if not path.stem.startswith("_"))


def modules_of(statement: Path) -> list[str]:
    """Modules that state claims of a statement: its file, and those of the folder of its steps.

    Files of the folder whose names begin with an underscore are for the others to import.
    """
    folder = statement.parent / f"_{statement.stem}"
    own = [folder.name] if (folder / "__init__.py").is_file() else []
    return [statement.stem, *own,
            *(f"{folder.name}.{path.stem}" for path in statement_files(folder))]  # fmt: skip


def _claims_of(modules: Iterable[ModuleType]) -> dict[str, Claim]:
    """Claims by the names they are bound to.

    Raises: MalformedStatement for a number that Python has rounded, or two claims of one name.
    """
    from boundcheck.claim import LATER, Claim, require_exact

    found: dict[str, Claim] = {}
    for module in modules:
        for name, claim in vars(module).items():
            if not isinstance(claim, Claim) or name.startswith("_"):
                continue
            if found.setdefault(name, claim) is not claim:
                raise MalformedStatement(
                    f"{module.__file__} binds a second claim called {name}; give it another name"
                )
    for claim in () if LATER.get() else found.values():
        defined = [getattr(each, "expression", None) for each in claim.measure.values()]
        for part in (claim.statement.relation, *claim.given, *defined):
            require_exact(part)
    return found


def _load_source(
    library: Library, package: str, source: Path, beginnings: list[str],
    refused: Mapping[str, str], begin: Begin,
) -> None:  # fmt: skip
    name = f"{package}.{source.name}"
    statements = _statements(source, beginnings)
    if beginnings and not statements:
        return
    for folder in sorted(path.parent for path in source.glob("[!_]*/__init__.py")):
        library.broken[f"{source.name}/{folder.name}"] = (
            f"{folder} is a folder; call it _{folder.name} and write {folder.name}.py beside it"
        )
    if statements and all(f"{source.name}/{path.stem}" in refused for path in statements):
        library.broken |= {key: refused[key] for path in statements
                           if (key := f"{source.name}/{path.stem}")}  # fmt: skip
        return
    try:
        _admit(source.name, refused)
        begin(source.name)
        own = importlib.import_module(name)
    except BaseException as error:  # any failure of user code must redden its own rows only
        if isinstance(error, KeyboardInterrupt) and is_ours(error):
            raise
        for path in statements:
            library.broken[f"{source.name}/{path.stem}"] = _one_line(error, source / "__init__.py")
        return
    else:
        library.about[source.name] = own.__doc__ or ""
        if getattr(own, "CALIBRATION", False) is True:
            library.calibrating.add(source.name)
    if not statements:
        library.broken[source.name] = f"folder {source} holds no statement file; add one"
    for path in statements:
        statement = f"{source.name}/{path.stem}"
        if not path.stem.isprintable():
            library.broken[plain(statement)] = "holds a control character; rename the file"
            continue
        if not path.is_file():  # reading a pipe would wait for its writer
            library.broken[statement] = f"{path} is no regular file; remove it"
            continue
        try:
            _admit(statement, refused)
            begin(statement)
            modules = [importlib.import_module(f"{name}.{each}") for each in modules_of(path)]
            claims = _claims_of(modules)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and is_ours(error):
                raise
            library.broken[statement] = _one_line(error, path)
            continue
        if not claims:
            library.broken[statement] = f"{path} binds no Claim; write `printed = Claim(...)`"
        library.titles[statement] = modules[0].__doc__ or ""
        for attribute, claim in claims.items():
            library.claims[f"{statement}:{attribute}"] = claim


class Refused(Exception):
    """Why a file is not imported, in one line."""


def _admit(name: str, refused: Mapping[str, str]) -> None:
    """Raises: Refused for what a rehearsal did not survive."""
    if name in refused:
        raise Refused(refused[name])


def _one_line(error: BaseException, path: Path) -> str:
    if isinstance(error, Refused):
        return str(error)
    file, line = place(frames(error))
    if isinstance(error, SyntaxError) and error.filename:
        file, line = error.filename, error.lineno or 0
    where = f"{file or path}" + (f", line {line}" if line else "")
    return f"{type(error).__name__} in {where}: {said(error)}; {remedy(error)}"
