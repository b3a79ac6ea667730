"""Skeletons of a source folder and a statement file, for theorems of one's own."""

from __future__ import annotations

import keyword
import tempfile
from pathlib import Path

from boundcheck.boundary.messages import reason, shown
from boundcheck.boundary.writing import drafted
from boundcheck.errors import InvalidArgument, OutputError
from boundcheck.formulas.template import formula_text, printed_parts

LONGEST_NAME = 80
LONGEST_FORMULA = 2_000

INIT = '''"""{title}: statements of one work."""

from boundcheck import Source

WORK = Source("Author", 2000, "{title}")
'''

HEAD = '''"""{title}: to be replaced by your statement."""

'''

KINDS = {
    "scalar": """from boundcheck import Claim, Holds
from boundcheck.settings.scalar_laws import E, P, k, t, values

from . import WORK

X = values(low=0)[k]

printed = Claim(WORK.at("{title}"), Holds(P(X >= t) <= E(X) / t))
""",
    "matrix": """from boundcheck import Claim, Holds
from boundcheck.expressions import trace
from boundcheck.settings.matrices import semidefinite

from . import WORK

A, B = semidefinite("A"), semidefinite("B")

printed = Claim(WORK.at("{title}"), Holds(trace(A * B) <= trace(A) * trace(B)))
""",
    "probability": """from sympy import log, sqrt

from boundcheck import Claim, WithProbability
from boundcheck.settings.scalar_laws import E, delta, k, n, sample_mean, values

from . import WORK

X = values(low=0, high=1)[k]
gap = E(X) - sample_mean(X)
bound = sqrt(log(1 / delta) / (2 * n))

printed = Claim(WORK.at("{title}"), WithProbability(1 - delta, gap <= bound))
""",
    "online": """from boundcheck import Claim, Holds
from boundcheck.expressions import table, total
from boundcheck.settings.online import D, eta, g, linear_regret, start, t

from . import WORK

regret = linear_regret(g, table(eta, t), D, start)
bound = D**2 / (2 * eta) + eta / 2 * total(g[t] ** 2, t)

printed = Claim(WORK.at("{title}"), Holds(regret <= bound))
""",
    "regression": """from boundcheck import Claim, Holds
from boundcheck.expressions import identity, norm
from boundcheck.settings.rkhs import K, n, penalty, responses

from . import WORK

y = responses()
a = (K + n * penalty * identity(n)) ** -1 * y

printed = Claim(WORK.at("{title}"), Holds(norm(a) <= norm(y) / (n * penalty)))
""",
    "optimisation": """from boundcheck import Claim, Holds
from boundcheck.settings.smooth_convex import L, N, distance_squared, gap, gradient_descent

from . import WORK

run = gradient_descent()
bound = L * distance_squared(run) / (4 * N + 2)

printed = Claim(WORK.at("{title}"), Holds(gap(run) <= bound))
""",
    "asymptotic": """from sympy import sqrt

from boundcheck import Claim, UpToConstant
from boundcheck.expressions import greatest
from boundcheck.settings.rkhs import K, Q, i, n, rademacher_complexity

from . import WORK

bound = Q * sqrt(greatest(K[i, i], i)) / sqrt(n)

printed = Claim(WORK.at("{title}"), UpToConstant(rademacher_complexity(K, Q) <= bound))
""",
}  # fmt: skip

def _usable(name: str) -> bool:
    """Whether discovery finds a folder or file of this name and Python can import it."""
    plain = name.isidentifier() and not keyword.iskeyword(name)
    return plain and len(name) <= LONGEST_NAME and not name.startswith("_") and name != "conftest"


def statement_text(kind: str, latex: str, title: str) -> str:
    """The text of a statement file.

    Raises: InvalidArgument for an unknown kind or an unreadable formula.
    """
    if kind not in KINDS:
        raise InvalidArgument(f"--kind {shown(kind)} is none of {', '.join(KINDS)}; choose one")
    if len(latex) > LONGEST_FORMULA:
        raise InvalidArgument(
            f"--latex has {len(latex)} letters and may have {LONGEST_FORMULA}; shorten it"
        )
    body = formula_text(latex, title) if latex else KINDS[kind].format(title=title)
    return HEAD.format(title=title) + body


def _require_statement(source: str, name: str, text: str, latex: str) -> None:
    """Raises: InvalidArgument where SymPy makes no statement of what was read, or cancels a printed
    part that has no value everywhere."""
    from boundcheck.expressions.signs import nonnegative, positive
    from boundcheck.formulas.partial import require_kept
    from boundcheck.library import load_library

    statement, parts = printed_parts(latex)  # again, for a claim gives names to parts of its own
    printed = f"STATED, ASKED = {statement}, [{', '.join(asked for _, asked in parts)}]\n"
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder) / source
        own.mkdir()
        (own / "__init__.py").write_text(INIT.format(title=source), encoding="utf-8")
        (own / name).write_text(text + printed, encoding="utf-8")
        library = load_library(Path(folder))
        if library.broken:
            (said, *_) = map(str, library.broken.values())
            why = said.partition(": ")[2].partition("; mend the file")[0]
            raise InvalidArgument(f"--latex leaves no statement about real numbers ({why}); "
                                  "write one that numbers decide")  # fmt: skip
        read = library.companion(source, Path(name).stem)
    level = getattr(read.STATED, "level", None)
    stated = [read.STATED.relation, *([] if level is None else [level])]
    asked = [(part, expr) for (part, _), expr in zip(parts, read.ASKED, strict=True)]
    require_kept(asked, stated, positive, nonnegative)


def write_skeleton(
    statement: str, root: Path, kind: str = "scalar", latex: str = ""
) -> list[Path]:
    """Write `<root>/<source>/<statement>.py` and the source's `__init__.py` if missing.

    Args: kind: of `KINDS`. latex: a formula that becomes the relation, or "".

    Raises: InvalidArgument for a name that is no pair of identifiers, an unknown kind or an
        unreadable formula; OutputError if the statement exists or the folder cannot be written.
    """
    source, _, name = statement.partition("/")
    if not all(_usable(part) for part in (source, name)):
        raise InvalidArgument(
            f"{shown(statement)} is not SOURCE/STATEMENT with two Python names of at most "
            f"{LONGEST_NAME} letters (no keyword, no underscore in front); "
            "write e.g. mypaper/theorem_1"
        )
    text = statement_text(kind, latex, name.replace("_", " "))
    folder = root / source
    target = folder / f"{name}.py"
    if target.exists():
        raise OutputError(f"{target} exists; choose another name or edit it")
    if latex:
        _require_statement(source, target.name, text, latex)
    try:
        with drafted(root) as draft:
            own = draft.content / source
            own.mkdir()
            if not (folder / "__init__.py").exists():
                (own / "__init__.py").write_text(INIT.format(title=source), encoding="utf-8")
            (own / target.name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise OutputError(
            f"{folder} cannot be written ({reason(error)}); give another --root"
        ) from error
    return draft.written
