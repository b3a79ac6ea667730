"""Statements as mathematics: SymPy to LaTeX to MathML, escaped, and as one line of text.

Names and LaTeX of symbols are user-supplied. The MathML is serialised here from the element tree,
because the converter's own serialisation unescapes markup characters, and of that tree only what
`TAGS` and `ATTRIBUTES` name is kept: LaTeX has commands for links and styles.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from xml.etree import ElementTree

import sympy
from markupsafe import Markup, escape
from sympy.printing.latex import LatexPrinter

from boundcheck.claim import Claim, Expected, Form, UpToConstant, WithProbability
from boundcheck.expressions.printed import as_printed
from boundcheck.setting import INEQUALITIES

LETTERS = """alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma
tau upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"""
GREEK = frozenset(LETTERS.split())
FUNCTIONS = "log exp sin cos tan arcsin arccos arctan tanh max min sup inf"
NAMED = frozenset(FUNCTIONS.split())
ACCENTS = {"hat": "hat", "bar": "bar", "tilde": "tilde"}
RELATIONS = {
    sympy.Le: r"\leq", sympy.Lt: "<", sympy.Ge: r"\geq", sympy.Gt: ">", sympy.Eq: "=",
    sympy.Ne: r"\neq",
}  # fmt: skip
UP_TO = {sympy.Le: r"\lesssim", sympy.Lt: r"\lesssim", sympy.Ge: r"\gtrsim",
         sympy.Gt: r"\gtrsim", sympy.Eq: r"\asymp"}  # fmt: skip

ELEMENTS = """math menclose mfrac mi mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle
msub msubsup msup mtable mtd mtext mtr munder munderover"""
SET_WITH = """accent accentunder columnalign columnlines columnspacing depth displaystyle fence form
height linethickness lspace mathsize mathvariant maxsize minsize movablelimits notation rowlines
rowspacing rspace scriptlevel separator stretchy voffset width"""
TAGS, ATTRIBUTES = frozenset(ELEMENTS.split()), frozenset(SET_WITH.split())
WORD = r"(?:[a-z][a-z-]*|[+-]?(?:[0-9]{1,2}(?:\.[0-9]{1,4})?|\.[0-9]{1,4})[a-z]*)"
PLAIN = re.compile(rf"{WORD}(?: {WORD})*")  # words and lengths that stay on the page


def symbol_latex(name: str) -> str:
    """LaTeX of a symbol name: Greek, subscripts, primes, norms; words stay upright words.

    >>> symbol_latex("lambda"), symbol_latex("g_lambda"), symbol_latex("delta_prime")
    ('\\\\lambda', 'g_{\\\\lambda}', "\\\\delta'")
    >>> symbol_latex("norm_f_H"), symbol_latex("kernel_trace")
    ('\\\\left\\\\|f\\\\right\\\\|_{H}', '\\\\text{kernel trace}')
    """
    parts = [part for part in name.split("_") if part]
    if len(parts) > 1 and parts[0] == "norm":
        inner = r"\left\|" + _atom(parts[1]) + r"\right\|"
        return inner + _subscript(parts[2:])
    if not parts or not _is_letter(parts[0]):
        return _words(" ".join(parts) or name)
    head, rest = _atom(parts[0]), parts[1:]
    while rest and rest[0] in ACCENTS:
        head, rest = rf"\{ACCENTS[rest[0]]}{{{head}}}", rest[1:]
    above = r"\ast" if "star" in rest else "'" * rest.count("prime")
    above = f"^{{{above}}}" if "star" in rest else above
    return head + above + _subscript([part for part in rest if part not in ("prime", "star")])


def _is_letter(part: str) -> bool:
    return part in GREEK or bool(re.fullmatch(r"[A-Za-z]\d*", part))


def _atom(part: str) -> str:
    if part in GREEK:
        return "\\" + part
    if re.fullmatch(r"[A-Za-z]\d+", part):
        return f"{part[0]}_{{{part[1:]}}}"
    return part if re.fullmatch(r"[A-Za-z]|\d+", part) else _words(part)


def _subscript(parts: list[str]) -> str:
    return "_{" + ",".join(_atom(part) for part in parts) + "}" if parts else ""


def _words(text: str) -> str:
    # What would steer LaTeX is dropped; markup characters are escaped at serialisation.
    return r"\text{" + re.sub(r"[\\{}$%#&~^]", "", text) + "}"


class _Printer(LatexPrinter):
    """LaTeX with the naming rules above; applied functions with long names are upright."""

    def _print_Symbol(self, expr: sympy.Symbol, style: str = "plain") -> str:
        return symbol_latex(expr.name)

    _print_Dummy = _print_Symbol

    def _print_MatrixSymbol(self, expr: Any, style: str = "plain") -> str:
        return symbol_latex(str(expr.name))

    def _print_Integer(self, expr: sympy.Integer) -> str:
        digits = str(abs(int(expr)))
        zeros = len(digits) - len(digits.rstrip("0"))
        if zeros < 6:
            return str(int(expr))
        lead = digits[: len(digits) - zeros]
        sign = "-" if expr < 0 else ""
        return f"{sign}10^{{{zeros}}}" if lead == "1" else rf"{sign}{lead} \cdot 10^{{{zeros}}}"

    def _print_Mul(self, expr: sympy.Mul) -> str:
        # SymPy splits sqrt(2 x) into sqrt(2) sqrt(x); print the root as one.
        roots = [arg for arg in expr.args if arg.is_Pow and arg.exp == sympy.S.Half]
        numeric = [arg for arg in roots if arg.base.is_Number]
        if not numeric or len(roots) != 2:
            return str(super()._print_Mul(expr))
        other = next(arg for arg in roots if arg is not numeric[0])
        inside = sympy.Mul(numeric[0].base, other.base, evaluate=False)
        whole = sympy.Pow(inside, sympy.S.Half, evaluate=False)
        rest = [arg for arg in expr.args if arg not in roots]
        if not rest:
            return str(self._print(whole))
        return str(super()._print_Mul(sympy.Mul(*rest, whole, evaluate=False)))

    def _print_AppliedUndef(self, expr: Any) -> str:
        name = type(expr).__name__
        inside = ", ".join(self._print(arg) for arg in expr.args)
        head = {"smallest_eigenvalue": r"\lambda_{\min}", "largest_eigenvalue": r"\lambda_{\max}"}
        return rf"{head.get(name, symbol_latex(name))}\left({inside}\right)"


def latex(expr: Any) -> str:
    """LaTeX of an expression under the naming rules of this report."""
    return str(_Printer({"inv_trig_style": "full"}).doprint(sympy.sympify(expr)))


@lru_cache(maxsize=4096)
def mathml(source: str) -> Markup:
    """Inline MathML in display style, safe to embed; LaTeX in a code element if conversion fails.

    >>> mathml("x")
    Markup('<math displaystyle="true"><mi>x</mi></math>')
    """
    from latex2mathml.converter import convert_to_element

    try:
        tree = convert_to_element(source)
    except Exception:  # the converter raises many types on what it does not know
        return Markup("<code>{}</code>").format(source)
    _strip(tree)
    tree.attrib = {"displaystyle": "true"}
    for element in tree.iter():
        if element.text:
            element.text = html.unescape(element.text)
    _space_functions(tree)
    if len(tree) == 1 and tree[0].tag == "mrow":
        row = tree[0]
        tree.remove(row)
        tree.extend(list(row))
    return Markup(ElementTree.tostring(tree, encoding="unicode"))


def _strip(tree: ElementTree.Element) -> None:
    """Nothing but formulas: no links, styles and colours, and no elements that are not known."""
    for element in tree.iter():
        if element.tag not in TAGS:
            element.tag = "mrow" if len(element) else "mtext"
        element.attrib = {name: value for name, value in element.items()
                          if name in ATTRIBUTES and PLAIN.fullmatch(value)}  # fmt: skip


def _space_functions(tree: ElementTree.Element) -> None:
    """A thin space between factors where a word or a function name would touch its neighbour."""
    for parent in list(tree.iter()):
        if parent.tag not in ("math", "mrow"):
            continue
        for position in range(len(parent) - 1, 0, -1):
            here, before = parent[position], parent[position - 1]
            if {here.tag, before.tag} & {"mo", "mspace"}:
                continue
            if _is_word(here) or (_is_word(before) and not _opens(here)):
                parent.insert(position, ElementTree.Element("mspace", width="0.2em"))


def _is_word(element: ElementTree.Element) -> bool:
    base = element[0] if element.tag in ("msup", "msub", "msubsup") else element
    return base.tag == "mtext" or (base.tag == "mi" and base.text in NAMED)


def _opens(element: ElementTree.Element) -> bool:
    first = next((e for e in element.iter() if e.tag not in ("mrow", "msup", "msub")), element)
    return first.tag == "mo" and first.text == "("


def math(expr: Any) -> Markup:
    """MathML of a SymPy expression; its text in a code element if SymPy cannot print it."""
    try:
        return mathml(latex(expr))
    except Exception:
        return Markup("<code>{}</code>").format(str(expr))


def symbol(name: str) -> Markup:
    """MathML of a symbol name."""
    return mathml(symbol_latex(name))


def condition(expr: sympy.Basic) -> Markup:
    """A hypothesis: And and Or in words, so that lines can break between their members."""
    return Markup("").join(_condition(expr, {}, None))


def _condition(
    expr: sympy.Basic, relations: Mapping[type, str], claim: Claim | None
) -> list[Markup]:
    if isinstance(expr, sympy.And):
        interval = _interval(expr)
        if interval and claim is None:
            return [mathml(interval)]
        return _joined([_condition(arg, relations, claim) for arg in _ordered(expr)], " and ")
    if isinstance(expr, sympy.Or):
        return _joined([_condition(arg, relations, claim) for arg in _ordered(expr)], " or ")
    if isinstance(expr, sympy.Implies):
        premise = _condition(expr.args[0], {}, None)
        return [Markup("if "), *premise, Markup(", then "),
                *_condition(expr.args[1], relations, claim)]  # fmt: skip
    if isinstance(expr, sympy.Rel):
        sign = relations.get(type(expr), RELATIONS[type(expr)])
        # Three elements instead of one: browsers break lines between them, not inside.
        return [
            mathml(_side(expr.lhs, claim)), Markup(" "),
            mathml(sign), Markup(" "), mathml(_side(expr.rhs, claim)),
        ]  # fmt: skip
    return [math(expr)]


def _ordered(expr: sympy.Basic) -> list[sympy.Basic]:
    return sorted(expr.args, key=sympy.default_sort_key)


def _joined(groups: list[list[Markup]], word: str) -> list[Markup]:
    joined: list[Markup] = []
    for position, group in enumerate(groups):
        joined += ([Markup(word)] if position else []) + group
    return joined


def _interval(expr: sympy.And) -> str | None:
    """`0 < x < 1` for And(0 < x, x < 1); None for any other conjunction."""
    if len(expr.args) != 2:
        return None
    bounds: dict[str, tuple[sympy.Basic, str, sympy.Basic]] = {}
    for arg in expr.args:
        if not isinstance(arg, INEQUALITIES):
            return None
        low, high = (arg.rhs, arg.lhs) if isinstance(arg, (sympy.Ge, sympy.Gt)) else arg.args
        sign = "<" if isinstance(arg, (sympy.Lt, sympy.Gt)) else r"\leq"
        bounds["upper" if low.is_Symbol else "lower"] = (low, sign, high)
    if set(bounds) != {"lower", "upper"} or bounds["lower"][2] != bounds["upper"][0]:
        return None
    (low, first, middle), (_, second, high) = bounds["lower"], bounds["upper"]
    return f"{latex(low)} {first} {latex(middle)} {second} {latex(high)}"


def _side(expr: sympy.Basic, claim: Claim | None) -> str:
    text = latex(expr)
    if claim is None:
        return text
    random = {symbol.name for symbol in expr.free_symbols} & claim.random_names
    return rf"\mathbb{{E}}\left[{text}\right]" if random else text


def statement(claim: Claim) -> tuple[Markup, Markup]:
    """(words that introduce the relation, the relation as MathML)."""
    form: Form = claim.statement
    words: list[Markup] = []
    relations: Mapping[type, str] = {}
    if isinstance(form, UpToConstant):
        words.append(Markup("up to an absolute constant"))
        relations, form = UP_TO, form.inner
    over = escape(f" over {claim.draw.over}") if claim.draw is not None else Markup("")
    averaged: Claim | None = None
    if isinstance(form, WithProbability):
        words.append(Markup("with probability at least ") + math(form.level) + over)
    elif isinstance(form, Expected):
        words.append(Markup("in expectation") + over)
        averaged = claim
    elif claim.draw is not None:
        words.append(Markup("for every outcome of ") + escape(claim.draw.over))
    body = Markup("").join(_condition(form.relation, relations, averaged))
    return Markup(", ").join(words), body


def statement_text(claim: Claim) -> str:
    """The statement in one line of plain text, in the notation of the field."""
    form: Form = claim.statement
    prefix = ""
    if isinstance(form, UpToConstant):
        prefix, form = "up to a constant: ", form.inner
    if isinstance(form, WithProbability):
        return f"{prefix}P({as_printed(form.relation)}) >= {as_printed(form.level)}"
    if isinstance(form, Expected):
        prefix += "in expectation: "
    return prefix + as_printed(form.relation)


def statement_latex(claim: Claim) -> str:
    """The statement as one LaTeX formula, its words included."""
    form: Form = claim.statement
    relations, words = dict(RELATIONS), ""
    if isinstance(form, UpToConstant):
        relations, form = UP_TO, form.inner
    averaged: Claim | None = None
    if isinstance(form, WithProbability):
        words = rf"\text{{with probability at least }} {latex(form.level)}: \quad "
    elif isinstance(form, Expected):
        averaged = claim
    return words + condition_latex(form.relation, relations, averaged)


def condition_latex(
    expr: sympy.Basic, relations: Mapping[type, str] | None = None, claim: Claim | None = None
) -> str:
    """A relation, or several with words between them, as LaTeX.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> condition_latex(sympy.And(x < y, y < 1, evaluate=False))
    'x < y \\\\text{ and } y < 1'
    """
    signs = relations or RELATIONS
    for kind, word in ((sympy.And, "and"), (sympy.Or, "or")):
        if isinstance(expr, kind):
            parts = [condition_latex(arg, signs, claim) for arg in _ordered(expr)]
            return rf" \text{{ {word} }} ".join(parts)
    if isinstance(expr, sympy.Implies):
        premise, conclusion = expr.args
        head = condition_latex(premise, RELATIONS, None)
        return rf"{head} \Rightarrow {condition_latex(conclusion, signs, claim)}"
    if isinstance(expr, sympy.Rel):
        sign = signs.get(type(expr), RELATIONS[type(expr)])
        return f"{_side(expr.lhs, claim)} {sign} {_side(expr.rhs, claim)}"
    return latex(expr)
