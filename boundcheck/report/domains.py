"""Parameters, worlds and measured quantities of a claim in words, read off the claim itself."""

from __future__ import annotations

from typing import Any

import sympy
from markupsafe import Markup, escape

from boundcheck.claim import Claim
from boundcheck.report.formula import math, mathml, symbol, symbol_latex


def field_words(field: Any) -> Markup:
    """What a field of a world or a parameter ranges over."""
    kind = type(field).__name__
    if kind == "Integer":
        if field.high is None:
            return Markup("integer, at least {}").format(_bound(field.low))
        return Markup("integer from {} to {}").format(_bound(field.low), _bound(field.high))
    if kind == "Real":
        return Markup("real in {}").format(_interval(field))
    if kind == "Weights":
        return Markup("probability vector of size {}").format(_bound(field.size))
    if kind == "Vector":
        return Markup("vector of size {}, entries in {}").format(
            _bound(field.size), _interval(field)
        )
    if kind == "Matrix":
        return Markup("{} × {} matrix, entries in {}").format(
            _bound(field.rows), _bound(field.cols), _interval(field)
        )
    if kind in ("Gram", "Symmetric"):
        what = "positive semi-definite" if kind == "Gram" else "symmetric"
        size = _bound(field.size)
        return Markup("{} × {} {} matrix").format(size, size, what)
    if kind == "Choice":
        return Markup("one of {}").format(", ".join(str(item) for item in field.items))
    if kind == "Derived":
        import inspect

        return Markup("computed from {}").format(
            ", ".join(inspect.signature(field.rule).parameters)
        )
    return escape(first_sentence(getattr(getattr(field, "rule", None), "__doc__", None) or ""))


def _bound(bound: Any) -> Markup:
    if bound is None:
        return Markup("∞")
    text = str(bound)
    return symbol(text) if text.isidentifier() else escape(text)


def _interval(field: Any) -> Markup:
    low, high = field.low, field.high
    left = "(" if low is None or getattr(field, "open_low", False) else "["
    right = ")" if high is None or getattr(field, "open_high", False) else "]"
    return mathml(
        f"{left}{'-' if low is None else ''}{_bound_latex(low)}, {_bound_latex(high)}{right}"
    )


def _bound_latex(bound: Any) -> str:
    if bound is None:
        return r"\infty"
    text = str(bound)
    if text.isidentifier():
        return symbol_latex(text)
    return "".join(letter for letter in text if letter.isalnum() or letter in "-/._ ")


def first_sentence(text: str) -> str:
    """The first sentence of a docstring on one line."""
    paragraph = " ".join(text.strip().split("\n\n")[0].split())
    head, stop, _ = paragraph.partition(". ")
    return (head + ("." if stop else "")).removesuffix(".")


def parameters(claim: Claim) -> list[tuple[Markup, Markup]]:
    """(symbol, domain) of the parameters."""
    return [(math(s), field_words(field)) for s, field in claim.parameters.items()]


def world_fields(claim: Claim) -> list[tuple[Markup, Markup]]:
    """(name, domain) of the fields of the worlds."""
    fields = getattr(claim.worlds, "fields", None) or {}
    return [(symbol(name), field_words(field)) for name, field in fields.items()]


def domain_words(claim: Claim | None, name: str) -> Markup:
    """What one field or parameter ranges over; empty for anything else."""
    if claim is None:
        return Markup("")
    return field_words(claim.fields[name]) if name in claim.fields else Markup("")


def quantities(claim: Claim) -> list[tuple[Markup, Markup]]:
    """(symbol, definition) of the measured quantities: its formula, else its first sentence."""
    return [(math(s), meaning(s, q)) for s, q in claim.measure.items()]


def meaning(symbol: sympy.Symbol, quantity: object) -> Markup:
    """What a measured symbol stands for: the formula of its definition and its sentence."""
    from boundcheck.expressions.binding import Definition
    from boundcheck.expressions.symbols import Known

    said = escape(first_sentence(getattr(quantity, "__doc__", None) or ""))
    if not isinstance(quantity, Definition) or (
        isinstance(symbol, Known) and symbol.meaning.inline
    ):
        return said
    return Markup("{} {}").format(math(quantity.whole), said)
