"""Names of commands and functions without a backslash, which LaTeX sets as products of letters."""

from __future__ import annotations

import re

from boundcheck.errors import InvalidArgument

PIECE = re.compile(r"\\[A-Za-z]+\*?|\\.|[A-Za-z]+|[^A-Za-z\\]", re.DOTALL)
WORDY = {rf"\{name}" for name in (
    "operatorname", "operatorname*", "mathrm", "mathsf", "text", "textrm", "textnormal", "textup",
    "textbf", "textit", "mbox", "begin", "end", "label", "tag")}  # fmt: skip # braces of words
RELATION = re.compile(r"[=<>]|\\(?:l|g)(?:e|eq|eqslant|eqq|t)(?![A-Za-z])|\\in(?![A-Za-z])")
COMMANDS = {
    "alpha", "beta", "gamma", "delta", "epsilon", "varepsilon", "zeta", "eta", "theta", "vartheta",
    "iota", "kappa", "lambda", "mu", "nu", "xi", "pi", "rho", "varrho", "sigma", "tau", "upsilon",
    "phi", "varphi", "chi", "psi", "omega", "ell", "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi",
    "Sigma", "Upsilon", "Phi", "Psi", "Omega", "log", "ln", "exp", "sqrt", "sin", "cos", "tan",
    "cot", "sec", "csc", "sinh", "cosh", "tanh", "coth", "arcsin", "arccos", "arctan", "max", "min",
    "sup", "inf", "det", "sum", "prod", "int", "lim", "limsup", "liminf", "infty", "frac", "dfrac",
    "tfrac", "binom", "cdot", "cdots", "ldots", "dots", "times", "leq", "geq", "neq", "nabla",
    "partial", "langle", "rangle", "lfloor", "rfloor", "lceil", "rceil", "lvert", "rvert", "lVert",
    "rVert", "mathbb", "mathcal", "mathrm", "operatorname", "forall", "exists", "approx",
}  # fmt: skip
OPERATORS = {
    "erf", "erfc", "sgn", "sign", "rank", "diag", "diam", "dist", "supp", "argmin", "argmax",
    "esssup", "essinf", "polylog", "poly", "Corr", "median", "mean", "trace", "softmax", "relu",
    "ReLU", "sigmoid", "logit", "prox", "proj", "conv", "span", "Prob", "floor", "ceil", "norm",
}  # fmt: skip
ALONE = {  # too short to be meant within other letters
    **{name: rf"\operatorname{{{name}}}" for name in (
        "tr", "Tr", "Var", "var", "Cov", "cov", "corr", "std", "Rad", "vol", "Ent", "lcm", "abs",
        "Im", "Re")},
    **{name: rf"\{name}" for name in (
        "arg", "dim", "ker", "gcd", "mod", "Pr", "hat", "bar", "top", "text", "in", "to", "le",
        "ge", "sim", "mid", "quad", "left", "right")},
    **{name.upper(): rf"\{name}" for name in (
        "log", "exp", "sqrt", "sin", "cos", "tan", "max", "min", "sup", "inf", "det", "sum", "prod",
        "lim")},
    "lg": r"\log_2 or \log_{10}",
    **dict.fromkeys(("for", "all", "and", "or", "if", "where", "with", "when", "then", "such",
                     "that", "every", "some", "any", "otherwise"), ""),
}  # fmt: skip # the remedy, "" for words about a formula
WITHIN = {**{name: rf"\{name}" for name in COMMANDS},
          **{name: rf"\operatorname{{{name}}}" for name in OPERATORS}}  # fmt: skip
CAPITAL = {name.capitalize(): way for name, way in WITHIN.items() if name.capitalize() not in WITHIN
           and name not in ("mu", "nu")}  # fmt: skip # Log, which is \log
REMEDIES = {**WITHIN, **CAPITAL, **ALONE}
NAME = re.compile("|".join(sorted({**WITHIN, **CAPITAL}, key=len, reverse=True)))


def require_commands(latex: str) -> None:
    """Raises: InvalidArgument for letters side by side that spell a command or a function.

    >>> require_commands(r"ab \\log n \\leq x_{max} \\operatorname{log}(m n)")
    """
    name = _spelled(latex)
    if name:
        way = f"write {REMEDIES[name]}" if REMEDIES[name] else "leave words out"
        raise InvalidArgument(
            f"--latex cannot be read: {name}, which LaTeX sets as a product of its letters; "
            f"{way}, or spaces between the letters"
        )


def _spelled(latex: str) -> str:
    """The first name that letters spell, "" for none."""
    pieces = [match.group() for match in PIECE.finditer(latex) if not match.group().isspace()]
    place = 0
    while place < len(pieces):
        piece, before = pieces[place], pieces[place - 1] if place else ""
        if piece == "{" and (before in WORDY or before == "_"):
            end = _closing(pieces, place)
            if before in WORDY or not RELATION.search(" ".join(pieces[place:end])):
                place = end  # what it names stays a name
        elif piece[0].isalpha():
            power = pieces[place + 1 : place + 2] == ["^"] and piece.endswith("e")  # l e^x
            found = NAME.search(piece)
            if found or (piece in ALONE and not power):
                return found.group() if found and piece not in ALONE else piece
        place += 1
    return ""


def _closing(pieces: list[str], start: int) -> int:
    """Where the braces end that open at a place."""
    depth = 0
    for place in range(start, len(pieces)):
        depth += {"{": 1, "}": -1}.get(pieces[place], 0)
        if depth == 0:
            return place
    return len(pieces)
