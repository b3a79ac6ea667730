"""The errata of a source: per failing statement what is printed, what is wrong, what to write.

Everything comes from diagnoses; nothing about a particular statement is written by hand. HTML is
one page without scripts, Markdown is plain, LaTeX needs the article class with amsmath.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from boundcheck.diagnosis.record import MEANING, bracket
from boundcheck.errors import InvalidArgument
from boundcheck.library import Library
from boundcheck.report.formula import mathml, statement_latex
from boundcheck.report.markdown import text
from boundcheck.report.prose import humane, natural, split_key

FORMATS = ("html", "md", "latex")
GRADES = tuple(MEANING)


@dataclass(frozen=True)
class Erratum:
    """One failing statement, ready to be written in any format.

    Args: place: where it is printed; grade and what it means; printed: the statement in LaTeX;
    wrong: one sentence; world: (name, value) pairs; lines: the calculation; repairs: (edit, LaTeX,
    verdict); downstream: sentences.
    """

    key: str
    place: str
    grade: str
    printed: str
    wrong: str
    world: tuple[tuple[str, str], ...]
    lines: tuple[str, ...]
    repairs: tuple[tuple[str, str, str], ...]
    downstream: tuple[str, ...]


def require_format(name: str) -> str:
    """The name of a format.

    Raises: InvalidArgument for any other name.
    """
    if name not in FORMATS:
        raise InvalidArgument(
            f"--format {name!r} is none of {', '.join(FORMATS)}; choose one of them"
        )
    return name


def entries(library: Library, diagnoses: Mapping[str, Mapping[str, Any]]) -> list[Erratum]:
    """Errata in order of the source, from diagnoses as JSON by key."""
    return [_entry(library, key, diagnoses[key]) for key in sorted(diagnoses, key=natural)]


def _entry(library: Library, key: str, found: Mapping[str, Any]) -> Erratum:
    claim, telling = library[key], found["telling"] or {"values": {}, "lines": []}
    constant = found["constant"]
    wrong = [f"{found['reason'].rstrip('.')}"]
    if found["fails_on"].removeprefix("fails only ") not in found["reason"]:
        wrong.append(found["fails_on"])
    if constant is not None and constant[1] is not None:
        wrong.append(bracket(*constant))
    return Erratum(
        key, claim.source.where, found["grade"], statement_latex(claim),
        "; ".join(dict.fromkeys(wrong)) + ".",
        tuple(telling["values"].items()), tuple(telling["lines"]),
        tuple((item["edit"], item["latex"], item["verdict"]) for item in found["repairs"]),
        tuple(f"{item['key']} {item['status']}: {item['why']}" for item in found["downstream"]),
    )  # fmt: skip


def errata(
    library: Library, source: str, diagnoses: Mapping[str, Mapping[str, Any]], form: str
) -> str:
    """The errata of a source in a format.

    Raises: InvalidArgument for an unknown format.
    """
    write = WRITERS[require_format(form)]
    found = entries(library, diagnoses)
    work = library[found[0].key].source.source if found else source
    counts = [(grade, sum(item.grade == grade for item in found)) for grade in GRADES]
    said = ", ".join(f"{count} {grade}" for grade, count in counts if count)
    fail = "statement fails" if len(found) == 1 else "statements fail"
    return write(f"Errata of {_line(work)}", f"{len(found)} {fail}: {said}.", found)


def _markdown(title: str, total: str, found: list[Erratum]) -> str:
    lines = [f"# {text(title)}", "", total, ""]
    for item in found:
        lines += [f"## {text(_heading(item))}", "", f"Printed: ${item.printed}$", ""]
        lines += [text(item.wrong), ""]
        if item.repairs:
            edit, latex, verdict = item.repairs[0]
            lines += [f"{_word(0, verdict)} ({verdict}, {text(edit)}): ${latex}$", ""]
            lines += [f"- {_word(1, verdict).lower()} {verdict}, {text(edit)}: ${latex}$"
                      for edit, latex, verdict in item.repairs[1:]]  # fmt: skip
            lines += [""] if item.repairs[1:] else []
        if item.lines:
            values = ", ".join(f"{name} = {value}" for name, value in item.world)
            world = text(values or "the values stated")
            fence = "`" * (1 + max([2, *map(len, re.findall("`+", "".join(item.lines)))]))
            lines += [f"At {world}:", "", fence, *item.lines, fence, ""]
        lines += [f"- {text(line)}" for line in item.downstream] + ([""] if item.downstream else [])
    return "\n".join(lines)


def _word(place: int, verdict: str) -> str:
    """What a repair is introduced by: only one that stands is said to come instead."""
    if verdict == "undecided":
        return "Perhaps"
    return "Instead" if place == 0 else "Also"


def _heading(item: Erratum) -> str:
    _, statement, claim = split_key(item.key)
    tail = "" if claim == "printed" else f", {claim.replace('_', ' ')}"
    return _line(f"{humane(statement)}{tail} ({item.place}): {item.grade}")


def _line(said: object) -> str:
    """A text as one line, which headings of all formats have to be."""
    return " ".join(str(said).split())


POLICY = """<meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
style-src 'unsafe-inline'">"""
STYLE = """body{font:16px/1.5 Georgia,serif;max-width:46rem;margin:2rem auto;padding:0 1rem}
h2{font-size:1.1rem;margin-top:2rem;border-top:1px solid #bbb;padding-top:1rem}
pre{background:#f5f5f2;padding:.6rem;overflow-x:auto}.formula{overflow-x:auto}"""


def _html(title: str, total: str, found: list[Erratum]) -> str:
    safe = html.escape
    body = [f"<h1>{safe(title)}</h1>", f"<p>{safe(total)}</p>"]
    for item in found:
        body.append(f"<h2 id='{safe(item.key, quote=True)}'>{safe(_heading(item))}</h2>")
        body.append(f"<div class='formula'>{mathml(item.printed)}</div>")
        body.append(f"<p>{safe(item.wrong)}</p>")
        for place, (edit, latex, verdict) in enumerate(item.repairs):
            word = _word(place, verdict)
            body.append(f"<p>{word} ({safe(verdict)}, {safe(edit)}):</p>"
                        f"<div class='formula'>{mathml(latex)}</div>")  # fmt: skip
        if item.lines:
            world = ", ".join(f"{name} = {value}" for name, value in item.world)
            body.append(f"<p>At {safe(world or 'the values stated')}:</p>")
            body.append(f"<pre>{safe(chr(10).join(item.lines))}</pre>")
        if item.downstream:
            rows = "".join(f"<li>{safe(line)}</li>" for line in item.downstream)
            body.append(f"<ul>{rows}</ul>")
    head = f"<meta charset='utf-8'>{POLICY}<title>{safe(title)}</title><style>{STYLE}</style>"
    return f"<!DOCTYPE html><html lang='en'><head>{head}</head><body>{''.join(body)}</body></html>"


SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "_": r"\_", "%": r"\%", "^": r"\^{}", "~": r"\~{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}",
}  # fmt: skip


ACCENTS = {"\u0302": r"\^", "\u0304": r"\=", "\u0303": r"\~", "\u0307": r"\.", "\u0308": r"\""}


def latex_text(text: str) -> str:
    r"""Text with every character that steers LaTeX escaped, others than ASCII as commands.

    >>> latex_text("50% of a_b"), latex_text("a⊤ b"), latex_text("f\u0302")
    ('50\\% of a\\_b', 'a\\ensuremath{\\top} b', '\\^{f}')
    """
    from pylatexenc.latexencode import UnicodeToLatexEncoder  # most commands write no LaTeX

    beyond = UnicodeToLatexEncoder(unknown_char_policy="unihex", unknown_char_warning=False)
    written: list[str] = []
    for letter in text:
        if letter in ACCENTS and written:
            written.append(f"{ACCENTS[letter]}{{{written.pop()}}}")
        elif letter.isascii():
            written.append(SPECIAL.get(letter, letter))
        else:
            written.append(str(beyond.unicode_to_latex(letter)))
    return "".join(written)


def _item(line: str) -> str:
    return rf"\item {'{}' if line.startswith('[') else ''}{latex_text(line)}"  # no label


def _latex(title: str, total: str, found: list[Erratum]) -> str:
    lines = [
        r"\documentclass{article}", r"\usepackage{amsmath,amssymb}", r"\sloppy",
        rf"\title{{{latex_text(title)}}}", r"\date{}", r"\begin{document}", r"\maketitle",
        latex_text(total), "",
    ]  # fmt: skip
    for item in found:
        lines += [rf"\section*{{{latex_text(_heading(item))}}}", rf"\[ {item.printed} \]"]
        lines += [latex_text(item.wrong), ""]
        for place, (edit, latex, verdict) in enumerate(item.repairs):
            word = _word(place, verdict)
            lines += [latex_text(f"{word} ({verdict}, {edit}):"), rf"\[ {latex} \]"]
        if item.lines:
            world = ", ".join(f"{name} = {value}" for name, value in item.world)
            lines += [latex_text(f"At {world or 'the values stated'}:"), r"\begin{itemize}"]
            lines += [_item(line) for line in item.lines] + [r"\end{itemize}"]
        if item.downstream:
            lines += [r"\begin{itemize}"]
            lines += [_item(line) for line in item.downstream]
            lines += [r"\end{itemize}"]
    return "\n".join([*lines, r"\end{document}", ""])


Writer = Callable[[str, str, list[Erratum]], str]
WRITERS: dict[str, Writer] = {"html": _html, "md": _markdown, "latex": _latex}
