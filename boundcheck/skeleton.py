"""Skeleton of a source folder and a statement file, for theorems of one's own."""

from __future__ import annotations

import keyword
from pathlib import Path

from boundcheck.errors import InvalidArgument, OutputError

INIT = '''"""{title}: symbols shared by its statements."""

from sympy import symbols

from boundcheck import Source

WORK = Source("Author", 2000, "{title}")

t, p_tail, mean = symbols("t p_tail mean", real=True)
'''

STATEMENT = '''"""{title}: a tail bound, to be replaced by your statement.

Setting    a random variable X >= 0 on finitely many atoms with values x and weights p.
Claim      P(X >= t) <= E[X] / t.
"""

from flint import fmpq

from boundcheck import Claim, Holds
from boundcheck.worlds import Real, scalar_laws

from . import WORK, mean, p_tail, t


def tail(x, p, t):
    """P(X >= t)."""
    return sum((weight for value, weight in zip(x, p) if value >= t), fmpq(0))


def expectation(x, p):
    """E[X]."""
    return sum((value * weight for value, weight in zip(x, p)), fmpq(0))


printed = Claim(
    source=WORK.at("{title}"),
    statement=Holds(p_tail <= mean / t),
    given=[t > 0],
    worlds=scalar_laws(),
    parameters={{t: Real(0, 2)}},
    measure={{p_tail: tail, mean: expectation}},
)
'''


def _usable(name: str) -> bool:
    """Whether discovery finds a folder or file of this name and Python can import it."""
    plain = name.isidentifier() and not keyword.iskeyword(name)
    return plain and not name.startswith("_") and name != "conftest"


def write_skeleton(statement: str, root: Path) -> list[Path]:
    """Write `<root>/<source>/<statement>.py` and the source's `__init__.py` if missing.

    Raises: InvalidArgument for a name that is no pair of identifiers, OutputError if the
        statement exists or the folder cannot be written.
    """
    source, _, name = statement.partition("/")
    if not all(_usable(part) for part in (source, name)):
        raise InvalidArgument(
            f"{statement!r} is not SOURCE/STATEMENT with two Python names (no keyword, no "
            "underscore in front); "
            "write e.g. mypaper/theorem_1"
        )
    folder = root / source
    target = folder / f"{name}.py"
    if target.exists():
        raise OutputError(f"{target} exists; choose another name or edit it")
    written: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        init = folder / "__init__.py"
        if not init.exists():
            init.write_text(INIT.format(title=source), encoding="utf-8")
            written.append(init)
        title = name.replace("_", " ")
        target.write_text(STATEMENT.format(title=title), encoding="utf-8")
        written.append(target)
    except OSError as error:
        for path in written:
            path.unlink(missing_ok=True)
        raise OutputError(
            f"{folder} cannot be written ({error.strerror}); give another --root"
        ) from error
    return written
