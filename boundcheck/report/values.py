"""Numbers as people read them: slack, seconds, error probabilities, exact values of witnesses."""

from __future__ import annotations

import math
import re
from typing import Any

from flint import arb, fmpq, fmpq_mat
from markupsafe import Markup, escape

MOST_DIGITS, ENDS = 1000, 40  # of a number that is written in full, and of its ends else
LONG = 19  # characters from which a rational is written on one line instead of as a fraction
FOLDED = 150  # matrix entries from which a matrix starts folded


def plain(value: float) -> str:
    """Three significant digits; powers of ten beyond four digits.

    >>> plain(1.0), plain(0.25), plain(123456789.0), plain(0.0000012)
    ('1.00', '0.250', '1.23 × 10⁸', '1.20 × 10⁻⁶')
    """
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "unbounded"
    exponent = math.floor(math.log10(abs(value)))
    if -3 <= exponent <= 3:
        return f"{value:.{max(2 - exponent, 0)}f}"
    mantissa, _, power = f"{value:.2e}".partition("e")
    return f"{mantissa} × 10{superscript(int(power))}"


def superscript(number: int) -> str:
    """An integer in superscript characters."""
    return str(number).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def probability(value: float | None) -> str:
    """An error probability; a bare power of ten where it is one."""
    if not value:
        return "0"
    text = plain(value)
    return text.removeprefix("1.00 × ")


def finite(value: Any) -> float | None:
    """A float, or None for anything that is not a finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if math.isfinite(value) else None


def written(value: Any) -> Markup:
    """An exact value in full: fractions as fractions, matrices as matrices, vectors in brackets."""
    if isinstance(value, fmpq_mat):
        return _matrix(value)
    if isinstance(value, tuple):
        if len(value) > FOLDED:
            text = ", ".join(str(entry) for entry in value)
            return _folded(f"vector of {len(value)}", text)
        parts = [written(entry) for entry in value]
        return Markup('<span class="vector">(') + Markup(", ").join(parts) + Markup(")</span>")
    if isinstance(value, fmpq):
        return _rational(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return _rational(fmpq(value))
    return escape(str(value))


def _folded(what: str, text: str) -> Markup:
    return Markup("<details><summary>{}, in full</summary><pre>{}</pre></details>").format(
        what, text
    )


def _rational(value: fmpq) -> Markup:
    text = str(value)  # of any length, where Python stops at 4,300 digits
    sign, size = Markup("<mo>−</mo>") if value < 0 else Markup(""), text.lstrip("-")
    top, _, bottom = size.partition("/")
    if not bottom and len(text) <= 24:
        return Markup("<math><mrow>{}<mn>{}</mn></mrow></math>").format(sign, top)
    if bottom and len(text) <= LONG:
        return Markup("<math><mrow>{}<mfrac><mn>{}</mn><mn>{}</mn></mfrac></mrow></math>").format(
            sign, top, bottom
        )
    cut = text if len(text) <= MOST_DIGITS else f"{text[:ENDS]}…{text[-ENDS:]}, {len(size)} digits"
    near = arb(value).str(6, radius=False)
    return Markup('<span class="long">{}</span> <span class="near">(about {})</span>').format(
        cut, near
    )


def _matrix(value: fmpq_mat) -> Markup:
    size = f"{value.nrows()} × {value.ncols()}"
    if value.nrows() * value.ncols() > FOLDED:
        text = "\n".join("  ".join(str(entry) for entry in row) for row in value.tolist())
        return _folded(f"{size} matrix", text)
    rows = [
        Markup("<tr>")
        + Markup("").join(Markup("<td>{}</td>").format(written(entry)) for entry in row)
        + Markup("</tr>")
        for row in value.tolist()
    ]
    return Markup(
        '<table class="matrix" role="table" aria-label="{} matrix"><tbody>{}</tbody></table>'
    ).format(size, Markup("").join(rows))


def breakable(text: str) -> Markup:
    """A key that a browser may break after its marks only."""
    marked = re.sub(r"([/:_])", "\\1\0", text)
    return Markup("<wbr>").join(escape(part) for part in marked.split("\0"))
