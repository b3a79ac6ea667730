"""LaTeX as a list of tokens: spacing and sizes dropped, bars told apart as opening or closing."""

from __future__ import annotations

import re
from dataclasses import dataclass

from boundcheck.boundary.messages import shown
from boundcheck.errors import InvalidArgument
from boundcheck.formulas.spelled import require_commands

TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|[0-9]+(?:\.[0-9]+)?|\.[0-9]+|[A-Za-z]|'+|[^\s]")
POINTS = re.compile(r"[0-9]*\.[0-9]+\.[0-9]+")
IMAGINARY = re.compile(  # e^{i \pi} in one of its writings
    r"(?<![A-Za-z\\])e\s*\^\s*\{[^{}]*?(?<![A-Za-z_\\])i\s*"
    r"\\(?:pi|theta|omega|phi|varphi)(?![A-Za-z])"
)
TYPED = re.compile(r"[0-9]e[-+]?[0-9]+")  # 1e-3, which LaTeX sets as 1 times e, less 3
DROPPED = {
    *(rf"\{sign}" for sign in ",;!:> "), "~", "&", "$", r"\left", r"\right", r"\middle", r"\big",
    r"\Big", r"\bigg", r"\Bigg", r"\bigl", r"\bigr", r"\Bigl", r"\Bigr", r"\biggl", r"\biggr",
    r"\Biggl", r"\Biggr", r"\quad", r"\qquad", r"\displaystyle", r"\textstyle", r"\limits",
    r"\nolimits", r"\nonumber", r"\!",
}
DISPLAYS = ((r"\(", r"\)"), (r"\[", r"\]"))
SPACE = re.compile(r"\\[,;:> ]|~|\\q?quad")  # that LaTeX sets, between bars
CONTINUES = {r"\le", r"\ge", r"\lt", r"\gt", "=", r"\lesssim", r"\gtrsim", "+", "-",
             r"\cdot"}  # fmt: skip
SAME = {
    r"\leq": r"\le", r"\leqslant": r"\le", r"\geq": r"\ge", r"\geqslant": r"\ge", "<": r"\lt",
    ">": r"\gt", r"\leqq": r"\le", r"\geqq": r"\ge", r"\lvert": "|", r"\rvert": "|",
    r"\vert": "|", r"\mid": "|", r"\lVert": r"\|", r"\rVert": r"\|", r"\Vert": r"\|",
    r"\dfrac": r"\frac", r"\tfrac": r"\frac", r"\times": r"\cdot", "*": r"\cdot",
    r"\ast": r"\star", r"\widehat": r"\hat", r"\widetilde": r"\tilde", r"\overline": r"\bar",
    r"\lbrace": r"\{", r"\rbrace": r"\}", r"\lbrack": "[", r"\rbrack": "]", r"\intercal": r"\top",
    r"\varepsilon": r"\epsilon", r"\ldots": r"\dots", r"\cdots": r"\dots", r"\dotsc": r"\dots",
    r"\wedge": r"\land", r"\to": r"\rightarrow", "−": "-",
    r"\operatorname*": r"\operatorname", r"\dotsb": r"\dots", r"\mathrm": r"\operatorname",
    r"\textrm": r"\operatorname", r"\mathsf": r"\operatorname", r"\rm": r"\operatorname",
    r"\parallel": r"\|", r"\textnormal": r"\text", r"\mbox": r"\text", r"\textup": r"\text",
}  # fmt: skip
BARS = ("|", r"\|")
SEPARATOR = r"\Vert"  # of two laws
BEFORE_OPENING = {
    "", "+", "-", r"\cdot", "/", "(", "[", r"\{", "{", ",", r"\le", r"\ge", r"\lt", r"\gt", "=",
    r"\lesssim", r"\gtrsim", "^", "_", r"\langle", r"\lfloor", r"\lceil", "open |", r"open \|",
    r"\max", r"\min", r"\sup", r"\inf", r"\log", r"\ln", r"\exp", r"\land", ":", r"\Pr",
}  # fmt: skip
ARGUMENTS = {
    r"\frac": 2, r"\binom": 2, **dict.fromkeys((
        r"\sqrt", r"\operatorname", r"\text", r"\hat", r"\bar", r"\tilde", r"\mathcal", r"\mathbf",
        r"\mathbb", r"\boldsymbol", r"\bm", r"\mathfrak", r"\mathscr", r"\mathds"), 1),
}  # fmt: skip # how many each command takes
AFTER_SCRIPT = {r"\sum", r"\prod", r"\max", r"\min", r"\sup", r"\inf", r"\mathbb", r"\mathbf"}


@dataclass(frozen=True)
class Token:
    """A piece of a formula and where it stands in the text that was given."""

    text: str
    at: int


def tokens(latex: str) -> list[Token]:
    """The tokens of a formula, with bars as `open |`, `close |`, `open \\|` and `close \\|`.

    Raises: InvalidArgument for bars that do not pair, and for signs that are no LaTeX.

    >>> [token.text for token in tokens(r"|a| \\leq 1")]
    ['open |', 'a', 'close |', '\\\\le', '1']
    """
    found = [Token(SAME.get(match.group(), match.group()), match.start())
             for match in TOKEN.finditer(latex)]  # fmt: skip
    kept = _inside_display([token for token in found if token.text not in DROPPED])
    _require_latex(latex, kept)
    kept = _one_line(kept)
    for place, token in enumerate(kept):  # a star in a superscript is no product
        before = [each.text for each in kept[max(0, place - 2) : place]]
        if token.text == r"\cdot" and (before[-1:] in (["^"], ["_"]) or before == ["^", "{"]):
            kept[place] = Token(r"\star", token.at)
    kept = _unpunctuated(_subscripts_first(kept))
    return _paired(_separated(kept), latex)


def argument_end(texts: list[str], place: int) -> int:
    """Where the argument ends that a script or command takes at a place: braces, a command with
    its own arguments, or one token.

    >>> argument_end(["^", "\\\\frac", "{", "a", "}", "2", "x"], 1)
    6
    """
    end, due, depth = place, 1, 0
    while (due or depth) and end < len(texts):
        text = texts[end]
        depth += {"{": 1, "}": -1}.get(text, 0)
        due += 0 if depth else ARGUMENTS.get(text, 0) - (text != "{")
        end += 1
    return end


def _unpunctuated(found: list[Token]) -> list[Token]:
    """Without the signs that end a sentence."""
    end = len(found)
    while end and found[end - 1].text in (".", ",", ";"):
        end -= 1
    return found[:end]


def _inside_display(found: list[Token]) -> list[Token]:
    r"""What stands within \(...\) or \[...\] around the whole, and before its number \tag{...}."""
    made = _unpunctuated(found)
    texts = [token.text for token in made]
    if (*texts[:1], *texts[-1:]) in DISPLAYS:
        made = _unpunctuated(made[1:-1])
    tags = [place for place, token in enumerate(made) if token.text in (r"\tag", r"\tag*")]
    texts = [token.text for token in made]
    if len(tags) == 1 and texts[tags[0] + 1 : tags[0] + 2] == ["{"] and (
        argument_end(texts, tags[0] + 1) == len(made) and texts[-1] == "}"
    ):  # fmt: skip
        made = made[: tags[0]]
    return made or found


def _subscripts_first(found: list[Token]) -> list[Token]:
    """x^k_1 as x_1^k, which LaTeX sets alike."""
    made = list(found)
    for place in range(1, len(made)):
        if made[place].text != "^":
            continue
        texts = [token.text for token in made]
        middle = argument_end(texts, place + 1)
        if texts[middle : middle + 1] != ["_"]:
            continue
        end, raised = argument_end(texts, middle + 1), "".join(texts[place + 1 : middle])
        if texts[place - 1] == "e" and raised.strip("{}").removeprefix(r"\operatorname{") not in (
            "T", r"\top",
        ):  # fmt: skip
            raise InvalidArgument(
                f"--latex cannot be read: {shown(f'e^{raised}_')}, of which LaTeX sets the "
                "subscript below e; write e^{x_i}, or e_i^{x}"
            )
        made[place:end] = [*made[middle:end], *made[place:middle]]
    return made


def _separated(found: list[Token]) -> list[Token]:
    """Double bars that stand alone within their brackets separate what stands there: (P \\| Q)."""
    made, bars = list(found), [[]]  # type: list[Token | None], list[list[int]]
    for place, token in enumerate(found):
        if token.text in ("(", "["):
            bars.append([])
        elif token.text in (")", "]") and len(bars) > 1:
            inside = bars.pop()
            signs = [found[each].text for each in inside]
            double = signs == ["|", "|"] and inside[1] == inside[0] + 1
            if signs == [r"\|"] or double:
                made[inside[0]] = Token(SEPARATOR, found[inside[0]].at)
                for each in inside[1:]:
                    made[each] = None
        elif token.text in BARS:
            bars[-1].append(place)
    return [token for token in made if token is not None]


def _require_latex(latex: str, found: list[Token]) -> None:
    if not found:
        raise InvalidArgument("--latex is blank; give a formula, such as x^2 \\geq 0")
    points, turned = POINTS.search(latex), IMAGINARY.search(latex)
    if points:
        raise InvalidArgument(
            f"--latex cannot be read: the number {shown(points.group())}; write one point"
        )
    if turned:
        raise InvalidArgument(
            f"--latex cannot be read: {shown(turned.group())}, of which i may be no real number; "
            r"write \cos and \sin, or give the letter another name"
        )
    typed = TYPED.search(latex)
    if typed:
        raise InvalidArgument(
            f"--latex cannot be read: the number {shown(typed.group())}, which LaTeX sets as a "
            "product with e; write 10^{-3}"
        )
    require_commands(latex)
    strange = next((token.text for token in found if not token.text.isascii()), "")
    if strange:
        raise InvalidArgument(
            f"--latex cannot be read: the sign {shown(strange)}; write its LaTeX command"
        )
    if re.search(r"\\epsilon(?![A-Za-z])", latex) and r"\varepsilon" in latex:
        raise InvalidArgument(
            r"--latex has \epsilon and \varepsilon, which would have one name; rename one of them"
        )


def _one_line(found: list[Token]) -> list[Token]:
    """Line breaks dropped where the next line goes on with a sign; elsewhere they stay."""
    return [token for token, after in zip(found, [*found[1:], Token("+", 0)], strict=True)
            if token.text != r"\\" or after.text not in CONTINUES]  # fmt: skip


def _paired(found: list[Token], latex: str) -> list[Token]:
    """Bars close the last open one of their kind, unless an operand is due where they stand."""
    made: list[Token] = []
    waiting: list[str] = []
    for token in found:
        if token.text not in BARS:
            made.append(token)
            waiting = _brackets(token.text, waiting)
            continue
        previous = made[-1].text if made else ""
        inside = bool(waiting) and waiting[-1] == token.text
        opens = not inside or previous in BEFORE_OPENING or _is_script_of_operator(made)
        made.append(Token(f"{'open' if opens else 'close'} {token.text}", token.at))
        waiting = [*waiting, token.text] if opens else waiting[:-1]
    if waiting and waiting[-1] in BARS:
        raise InvalidArgument(
            f"--latex {shown(latex)} has a {waiting[-1]} that nothing closes; write "
            r"\lVert x \rVert or \lvert x \rvert, and bind what is conditional in the file"
        )
    return _doubled(made, latex)


def _doubled(made: list[Token], latex: str) -> list[Token]:
    """||x|| as \\|x\\|: a modulus of a modulus alone is the norm that LaTeX sets alike."""
    waiting: list[int] = []
    partner: dict[int, int] = {}
    for place, token in enumerate(made):
        if token.text == "open |":
            waiting.append(place)
        elif token.text == "close |":
            partner[waiting.pop()] = place
    found, gone = [*made], set[int]()
    for start, end in sorted(partner.items()):
        apart = any(SPACE.search(latex[made[at].at : made[at + 1].at]) for at in (start, end - 1))
        if start not in gone and partner.get(start + 1) == end - 1 and not apart:
            found[start] = Token(r"open \|", made[start].at)
            found[end - 1] = Token(r"close \|", made[end - 1].at)
            gone |= {start + 1, end}
    return [token for place, token in enumerate(found) if place not in gone]


def _brackets(text: str, waiting: list[str]) -> list[str]:
    """Bars within brackets pair within them."""
    if text in ("(", "[", "{", r"\{"):
        return [*waiting, text]
    if text in (")", "]", "}", r"\}") and waiting and waiting[-1] not in BARS:
        return waiting[:-1]
    return waiting


def _is_script_of_operator(made: list[Token]) -> bool:
    """Whether the last token ends the script of a sum, maximum or expectation: `\\sup_{f} |f|`."""
    if not made:
        return False
    before = _group_start(made) - 1
    if before >= 0 and made[before].text in ("_", "^"):
        return before > 0 and (
            made[before - 1].text in AFTER_SCRIPT or _is_script_of_operator(made[:before])
        )
    return made[-1].text == "}" and before >= 0 and made[before].text in AFTER_SCRIPT


def _group_start(made: list[Token]) -> int:
    """Where the group in braces begins that the last token ends, or that it is."""
    depth = 0
    for place in range(len(made) - 1, -1, -1):
        depth += {"}": 1, "{": -1}.get(made[place].text, 0)
        if depth <= 0:
            return place
    return 0
