"""Skeleton of a source folder and a statement file, for theorems of one's own."""

from __future__ import annotations

import keyword
from pathlib import Path

from boundcheck.boundary.messages import reason, shown
from boundcheck.boundary.writing import drafted
from boundcheck.errors import InvalidArgument, OutputError

LONGEST_NAME = 80

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
    return plain and len(name) <= LONGEST_NAME and not name.startswith("_") and name != "conftest"


def write_skeleton(statement: str, root: Path) -> list[Path]:
    """Write `<root>/<source>/<statement>.py` and the source's `__init__.py` if missing.

    Raises: InvalidArgument for a name that is no pair of identifiers, OutputError if the
        statement exists or the folder cannot be written.
    """
    source, _, name = statement.partition("/")
    if not all(_usable(part) for part in (source, name)):
        raise InvalidArgument(
            f"{shown(statement)} is not SOURCE/STATEMENT with two Python names of at most "
            f"{LONGEST_NAME} letters (no keyword, no underscore in front); "
            "write e.g. mypaper/theorem_1"
        )
    folder = root / source
    target = folder / f"{name}.py"
    if target.exists():
        raise OutputError(f"{target} exists; choose another name or edit it")
    try:
        with drafted(root) as draft:
            own = draft.content / source
            own.mkdir()
            if not (folder / "__init__.py").exists():
                (own / "__init__.py").write_text(INIT.format(title=source), encoding="utf-8")
            text = STATEMENT.format(title=name.replace("_", " "))
            (own / target.name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise OutputError(
            f"{folder} cannot be written ({reason(error)}); give another --root"
        ) from error
    return draft.written
