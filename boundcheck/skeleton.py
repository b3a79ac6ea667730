"""Skeletons of a source folder and a statement file, for theorems of one's own."""

from __future__ import annotations

import keyword
from pathlib import Path

import sympy

from boundcheck.boundary.messages import reason, shown
from boundcheck.boundary.writing import drafted
from boundcheck.errors import InvalidArgument, MissingExtra, OutputError

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

FORMULA = '''{imports}from boundcheck import Claim, Holds
from boundcheck.expressions import parameter
from boundcheck.worlds import {fields}

from . import WORK

# Say of each symbol what it ranges over, or what it is: see the settings of boundcheck.
{symbols}

printed = Claim(WORK.at("{title}"), Holds({relation}))
'''


def _usable(name: str) -> bool:
    """Whether discovery finds a folder or file of this name and Python can import it."""
    plain = name.isidentifier() and not keyword.iskeyword(name)
    return plain and len(name) <= LONGEST_NAME and not name.startswith("_") and name != "conftest"


def relation_of(latex: str) -> sympy.Rel:
    """The inequality or equation that a LaTeX formula states, by SymPy's own grammar.

    Raises: InvalidArgument if it is none or cannot be read, MissingExtra without the parser.

    >>> relation_of(r"\\frac{a+b}{2} \\geq \\sqrt{a b}")
    a/2 + b/2 >= sqrt(a*b)
    """
    if len(latex) > LONGEST_FORMULA:
        raise InvalidArgument(
            f"--latex has {len(latex)} letters and may have {LONGEST_FORMULA}; shorten it"
        )
    try:
        import lark
        from sympy.parsing.latex import parse_latex
    except ImportError as error:
        raise MissingExtra("--latex needs a parser; run `pip install lark`") from error
    try:
        found = parse_latex(latex, backend="lark")
    except (lark.exceptions.LarkError, ValueError, TypeError, NotImplementedError) as error:
        raise InvalidArgument(
            f"--latex {shown(latex)} cannot be read ({_first(error)}); write one inequality in "
            "letters, \\\\frac, \\\\sqrt, \\\\log, \\\\sum, and bind norms afterwards"
        ) from error
    found = found.subs(sympy.Symbol("e"), sympy.E) if isinstance(found, sympy.Basic) else found
    if not isinstance(found, sympy.Rel):
        raise InvalidArgument(
            f"--latex {shown(latex)} states no comparison; write left \\\\leq right"
        )
    return found


def _first(error: Exception) -> str:
    """What a parser says, without the list of all that it would have taken."""
    return reason(error).partition(" Expected one of")[0]


def _from_formula(latex: str, title: str) -> str:
    relation = relation_of(latex)
    names = sorted(symbol.name for symbol in relation.free_symbols)
    for name in names:
        if not name.replace("_", "a").isalnum() or not (name[0].isalpha()):
            raise InvalidArgument(f"--latex has the symbol {shown(name)}; use letters and digits")
    python = {name: f"{name}_" if keyword.iskeyword(name) else name for name in names}
    bound = sorted({s.name for s in relation.atoms(sympy.Symbol)} - set(names))
    text = sympy.sstr(relation.xreplace({s: sympy.Symbol(python[s.name])
                                         for s in relation.free_symbols}))  # fmt: skip
    functions = sorted({type(part).__name__ for part in sympy.preorder_traversal(relation)
                        if isinstance(part, (sympy.Function, sympy.Sum))})  # fmt: skip
    functions += ["sqrt"] * ("sqrt(" in text) + ["Symbol"] * bool(bound)
    whole = [name for name in names if name in ("n", "m", "N", "M", "T", "K", "d", "k")]
    lines = [
        f'{python[name]} = parameter("{name}", '
        + ("Integer(1, searched=20))" if name in whole else "Real(None, None))")
        for name in names
    ]
    lines += [f'{name} = Symbol("{name}", integer=True)' for name in bound]
    fields = ["Integer"] * bool(whole) + ["Real"] * bool(set(names) - set(whole))
    head = f"from sympy import {', '.join(sorted(set(functions)))}\n\n" if functions else ""
    return FORMULA.format(
        imports=head, fields=", ".join(fields) or "Real", symbols="\n".join(lines), title=title,
        relation=text,
    )  # fmt: skip


def statement_text(kind: str, latex: str, title: str) -> str:
    """The text of a statement file.

    Raises: InvalidArgument for an unknown kind or an unreadable formula.
    """
    if kind not in KINDS:
        raise InvalidArgument(f"--kind {shown(kind)} is none of {', '.join(KINDS)}; choose one")
    body = _from_formula(latex, title) if latex else KINDS[kind].format(title=title)
    return HEAD.format(title=title) + body


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
