"""True inequalities that a certificate may use by name, for terms of its choice.

Each takes the normal forms in force and returns relations that hold of all reals for which its own
conditions show; conditions that do not show are refused.
"""

from __future__ import annotations

from collections.abc import Callable

from boundcheck.certificates.normal import Normal
from boundcheck.certificates.terms import (
    Rejected,
    Relation,
    Term,
    parts_of,
    read_term,
    whole_number,
)

Axiom = Callable[..., list[Relation]]


def _positive(normal: Normal, term: Term) -> None:
    if normal.sign(normal.of(term)) != 2:
        raise Rejected("an axiom needs a positive number")


def _nonnegative(normal: Normal, term: Term) -> None:
    if normal.sign(normal.of(term)) == 0:
        raise Rejected("an axiom needs a nonnegative number")


def _minus(a: Term, b: Term) -> Term:
    return ("+", a, ("*", "-1", b))


def tangent_of_exp(normal: Normal, u: Term) -> list[Relation]:
    """exp(u) >= 1 + u."""
    return [("<=", ("+", "1", u), ("exp", u))]


def tangent_of_log(normal: Normal, u: Term) -> list[Relation]:
    """log u <= u - 1 and log u >= 1 - 1/u for positive u."""
    _positive(normal, u)
    low = _minus("1", ("^", u, "-1"))
    return [("<=", ("log", u), _minus(u, "1")), ("<=", low, ("log", u))]


def absolute(normal: Normal, u: Term) -> list[Relation]:
    """|u| is u or -u, whichever is not negative."""
    size: Term = ("abs", u)
    other: Term = ("*", "-1", u)
    return [("<=", "0", size), ("<=", u, size), ("<=", other, size),
            ("or", ("and", ("<=", "0", u), ("=", size, u)),
             ("and", ("<", u, "0"), ("=", size, other)))]  # fmt: skip


def maximum(normal: Normal, *terms: Term) -> list[Relation]:
    """The largest of some numbers is one of them and at least each."""
    whole = read_term(["max", *terms])  # of no numbers there is none
    return [*[("<=", term, whole) for term in terms], ("or", *[("=", whole, t) for t in terms])]


def minimum(normal: Normal, *terms: Term) -> list[Relation]:
    """The least of some numbers is one of them and at most each."""
    whole = read_term(["min", *terms])
    return [*[("<=", whole, term) for term in terms], ("or", *[("=", whole, t) for t in terms])]


def piecewise(normal: Normal, term: Term) -> list[Relation]:
    """The first piece whose condition holds, if one does."""
    if isinstance(term, str) or term[0] != "piecewise":
        raise Rejected("no pieces")
    members: list[Relation] = []
    earlier: list[Relation] = []
    for value, condition in parts_of(term[1:]):
        before = [("not", other) for other in earlier]
        members.append(("and", condition, *before, ("=", term, value)))
        earlier.append(condition)
    return [("or", *members, ("and", *[("not", other) for other in earlier]))]


def rounding(normal: Normal, u: Term) -> list[Relation]:
    """floor u <= u < floor u + 1, and ceiling u - 1 < u <= ceiling u."""
    down: Term = ("floor", u)
    up: Term = ("ceiling", u)
    return [("<=", down, u), ("<", u, ("+", down, "1")), ("<=", u, up), ("<", _minus(up, "1"), u)]


def bounded(normal: Normal, term: Term) -> list[Relation]:
    """sin, cos, tanh and erf lie in [-1, 1]."""
    if isinstance(term, str) or term[0] not in ("sin", "cos", "tanh", "erf"):
        raise Rejected("not known to lie in [-1, 1]")
    return [("<=", "-1", term), ("<=", term, "1")]


def circle(normal: Normal, u: Term) -> list[Relation]:
    """sin^2 + cos^2 = 1."""
    return [("=", ("+", ("^", ("sin", u), "2"), ("^", ("cos", u), "2")), "1")]


def root(normal: Normal, u: Term, order: Term) -> list[Relation]:
    """The root of a nonnegative number is nonnegative and its power is that number."""
    _nonnegative(normal, u)
    whole = whole_number(order)
    if whole is None or not 2 <= whole <= 60:
        raise Rejected("a root of no order")
    value: Term = ("^", u, f"1/{whole}")
    return [("<=", "0", value), ("=", ("^", value, order), u)]


def power_at_zero(normal: Normal, u: Term, p: Term) -> list[Relation]:
    """0^p is 0 for positive p."""
    _positive(normal, p)
    return [("or", ("!=", u, "0"), ("=", ("^", u, p), "0"))]


def next_power(normal: Normal, u: Term, p: Term) -> list[Relation]:
    """u^p >= 0 and u^(p + 1) = u u^p for nonnegative u and positive p."""
    _nonnegative(normal, u)
    _positive(normal, p)
    power: Term = ("^", u, p)
    return [("<=", "0", power), ("=", ("^", u, ("+", p, "1")), ("*", u, power))]


def bernoulli(normal: Normal, u: Term, p: Term) -> list[Relation]:
    """u^p >= 1 + p (u - 1) for p >= 1 or p <= 0; <= between; u positive."""
    _positive(normal, u)
    power: Term = ("^", u, p)
    line: Term = ("+", "1", ("*", p, _minus(u, "1")))
    return [("or", ("and", ("<=", "0", p), ("<=", p, "1"), ("<=", power, line)),
             ("and", ("or", ("<", p, "0"), ("<", "1", p)), ("<=", line, power)))]  # fmt: skip


def inverse(normal: Normal, u: Term) -> list[Relation]:
    """u times 1/u is 1 unless u is 0."""
    return [("or", ("=", u, "0"), ("=", ("*", u, ("^", u, "-1")), "1"))]


AXIOMS: dict[str, Axiom] = {
    "exp above tangent": tangent_of_exp, "log below tangent": tangent_of_log,
    "absolute value": absolute, "maximum": maximum, "minimum": minimum, "pieces": piecewise,
    "rounding": rounding, "bounded": bounded, "circle": circle, "root": root,
    "power at zero": power_at_zero, "next power": next_power, "Bernoulli": bernoulli,
    "inverse": inverse,
}  # fmt: skip
