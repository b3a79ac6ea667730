"""Claims whose truth is known by construction, from a grammar of expressions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy
from flint import fmpq

from boundcheck.claim import Claim, Expected, Holds, Rescaling, Source, WithProbability
from boundcheck.worlds import Indices, Integer, Real, Space, Vector, Weights

PLACE = Source("Nobody", 2000, "Claims of known truth").at("random")
x, y, n, size = sympy.symbols("x y n size", real=True)
ANY = Real(None, None)
FAR = 10**30


@dataclass(frozen=True)
class Known:
    """A claim with its truth.

    Args: kind: how it was made. true: whether it holds and has a value everywhere.
    forged: values that violate the relation outside its domain, or nothing.
    """

    kind: str
    claim: Claim
    true: bool
    forged: dict[str, Any] | None = None


class Grammar:
    """Random expressions that have a value for all real numbers."""

    def __init__(self, rng: Any) -> None:
        self.rng = rng

    def pick(self, *items: Any) -> Any:
        """One of the items."""
        return items[int(self.rng.integers(len(items)))]

    def constant(self) -> sympy.Rational:
        """A small fraction, seldom a very large or very small one."""
        top, bottom = int(self.rng.integers(-9, 10)), int(self.rng.integers(1, 8))
        scale = self.pick(*[1] * 12, 10**12, sympy.Rational(1, 10**12))
        return sympy.Rational(top, bottom) * scale

    def term(self, depth: int = 2) -> sympy.Expr:
        """Any expression."""
        if depth == 0 or self.rng.random() < 0.2:
            return self.pick(x, y, x, self.constant())
        inner, other = self.term(depth - 1), self.term(depth - 1)
        return self.pick(
            inner + other, inner - other, inner * other, inner**2, sympy.Abs(inner),
            sympy.Max(inner, other), sympy.Min(inner, other), sympy.sqrt(1 + inner**2),
            sympy.log(1 + inner**2), 1 / (1 + inner**2), self.constant() * inner,
        )  # fmt: skip

    def nonnegative(self, depth: int = 2) -> sympy.Expr:
        """An expression that is never negative."""
        inner = self.term(depth - 1)
        plain = self.pick(
            inner**2, sympy.Abs(inner), sympy.Max(inner, 0), sympy.sqrt(1 + inner**2),
            sympy.log(1 + inner**2), 1 / (1 + inner**2), sympy.exp(self.pick(x, -y, x - y)),
        )  # fmt: skip
        if depth > 1 and self.rng.random() < 0.4:
            more = self.nonnegative(depth - 1)
            return self.pick(plain + more, plain * more)
        return plain

    def hidden(self, expr: sympy.Expr) -> sympy.Expr:
        """The same value in another form."""
        return self.pick(lambda e: e, sympy.expand, sympy.expand, sympy.factor_terms)(expr)


def claim_of(relation: Any, form: Any = Holds, **fields: Any) -> Claim:
    """A claim of a relation, about two reals if nothing else is said."""
    fields.setdefault("parameters", {x: ANY, y: ANY})
    return Claim(source=PLACE, statement=form(relation), **fields)


# True claims.


def dominated(g: Grammar) -> Known:
    """E <= E + P with P >= 0."""
    left, more = g.term(), g.nonnegative()
    # Unevaluated: SymPy would settle the plainest of them.
    relation = g.pick(
        sympy.Le(left, g.hidden(left + more), evaluate=False),
        sympy.Ge(g.hidden(left + more), left, evaluate=False),
        sympy.Le(g.hidden(left - more), left, evaluate=False),
        sympy.Gt(left + more + 1, left, evaluate=False),
    )
    return Known("dominated", claim_of(relation), True)


def tied(g: Grammar) -> Known:
    """Two forms of one expression."""
    one, two = g.term(1) + g.constant(), g.term(1) - g.constant()
    whole = one * two
    kind = g.pick(sympy.Le, sympy.Ge, sympy.Eq)
    return Known("tied", claim_of(kind(sympy.expand(whole), whole)), True)


def assumed(g: Grammar) -> Known:
    """What a hypothesis gives, times what is not negative."""
    base, least, share = g.term(1) + x, g.constant(), g.nonnegative(1)
    relation = sympy.Ge(sympy.expand(base * share), least * share)
    return Known("assumed", claim_of(relation, given=[sympy.Ge(base, least)]), True)


def inside(g: Grammar) -> Known:
    """An end that the domain leaves out, with a forged witness at it or beyond."""
    low, width = g.constant(), abs(g.constant()) + 1
    high = low + width
    field = Real(_text(low), _text(high), open_high=True)
    slope = abs(g.constant()) + 1
    relation = slope * x + y < slope * high + y + g.pick(0, g.nonnegative(1))
    beyond = g.pick(high, high + 10**6)
    parameters = {x: field, y: ANY}
    return Known("inside", claim_of(relation, parameters=parameters), True, _values(beyond, 0))


def promised(g: Grammar) -> Known:
    """A sum of numbers of a range, accused by numbers outside it."""
    count, top = int(g.rng.integers(1, 5)), int(g.rng.integers(1, 9))
    claim = claim_of(
        size <= count * top, parameters={}, worlds=Space(v=Vector(count, 0, top)),
        measure={size: lambda v: sum(v)},
        rescalings=g.pick((), (Rescaling("v by s", {"v": 1}),)),
    )  # fmt: skip
    return Known("promised", claim, True, {"v": (fmpq(top * 10),) * count})


def averaged(g: Grammar) -> Known:
    """A mean of numbers of a range, with weights that may vanish."""
    count, top = int(g.rng.integers(1, 4)), int(g.rng.integers(1, 9))
    claim = claim_of(
        size <= top, Expected, parameters={}, draw=Indices("i", "p", "n"),
        worlds=Space(n=Integer(1, 1), p=Weights(count, zeros=True), v=Vector(count, -top, top)),
        measure={size: lambda v, i: v[i[0]]},
    )  # fmt: skip
    forged = {"n": 1, "p": (fmpq(2),) + (fmpq(0),) * (count - 1), "v": (fmpq(top),) * count}
    return Known("averaged", claim, True, forged)


def almost_surely(g: Grammar) -> Known:
    """What fails at outcomes of probability zero only."""
    count = int(g.rng.integers(2, 4))
    claim = claim_of(
        size <= 1, lambda r: WithProbability(1, r), parameters={}, draw=Indices("i", "p", "n"),
        worlds=Space(n=Integer(1, 2), p=Weights(count, zeros=True)),
        measure={size: lambda p, i: max(1 if p[k] > 0 else 10**9 for k in i)},
    )
    return Known("almost surely", claim, True)


def cancelling(g: Grammar) -> Known:
    """A definition that loses every digit in floats."""
    shift = 10 ** int(g.rng.integers(16, 40))
    claim = claim_of(
        size <= x + g.pick(0, y**2), measure={size: lambda x: (x + shift) - shift}
    )
    return Known("cancelling", claim, True)


def whole(g: Grammar) -> Known:
    """True of whole numbers only."""
    step = int(g.rng.integers(0, 6))
    relation = sympy.expand((n - step) * (n - step - 1)) >= 0
    parameters = {n: Integer(1, wide=True, searched=10**30)}
    return Known("whole", claim_of(relation, parameters=parameters), True,
                 {"n": fmpq(2 * step + 1, 2)})  # fmt: skip


# False claims.


def shifted(g: Grammar) -> Known:
    """False everywhere."""
    left, more = g.term(), g.nonnegative() + sympy.Rational(1, 10 ** int(g.rng.integers(0, 20)))
    return Known("shifted", claim_of(sympy.Le(g.hidden(left + more), left, evaluate=False)), False)


def cornered(g: Grammar) -> Known:
    """False next to one point only."""
    left, place = g.term(1), g.constant()
    gap = sympy.Rational(1, 10 ** int(g.rng.integers(1, 30)))
    relation = sympy.Le(left, g.hidden(left + (x - place) ** 2) - gap)
    return Known("cornered", claim_of(relation), False)


def far(g: Grammar) -> Known:
    """False beyond 10^30 only."""
    left = g.term(1)
    return Known("far", claim_of(sympy.Le(left + x, g.hidden(left + FAR + y**2))), False)


def strict(g: Grammar) -> Known:
    """Strict between equals."""
    one, two = g.term(1) + g.constant() + x, g.term(1) - g.constant()
    kind = g.pick(sympy.Lt, sympy.Gt, sympy.Ne)
    return Known("strict", claim_of(kind(sympy.expand(one * two), one * two)), False)


def closed(g: Grammar) -> Known:
    """Strict at an end that belongs to the domain."""
    high = g.constant()
    slope = abs(g.constant()) + 1
    relation = slope * x + y < slope * high + y + g.pick(0, (x - high) ** 2)
    parameters = {x: Real(None, _text(high)), y: ANY}
    return Known("closed", claim_of(relation, parameters=parameters), False)


def pierced(g: Grammar) -> Known:
    """Without a value at one point, true elsewhere."""
    place = g.constant()
    gap = x - place
    relation = g.pick(
        lambda: sympy.Le(sympy.log(gap**2), gap**2), lambda: sympy.Ge(1 / gap**2, -(y**2)),
        lambda: sympy.Eq(sympy.Mul(gap * (y**2 + 1), 1 / gap, evaluate=False), y**2 + 1),
        lambda: sympy.Le(-(y**2), sympy.Abs(y / gap)),
    )()  # fmt: skip
    return Known("pierced", claim_of(relation), False)


def unassumed(g: Grammar) -> Known:
    """A hypothesis is missing."""
    base, least = (abs(g.constant()) + 1) * x + y, g.constant()
    relation = sympy.Ge(base * (1 + y**2), least * (1 + y**2))
    return Known("unassumed", claim_of(relation, given=[sympy.Ge(y, least)]), False)


def partly(g: Grammar) -> Known:
    """One member of a conjunction is false in a corner."""
    left, more = g.term(1), g.nonnegative()
    return Known("partly", claim_of(sympy.And(left <= left + more, x <= FAR)), False)


def _text(value: sympy.Rational) -> str:
    return f"{value.p}/{value.q}"


def _values(at: sympy.Rational, other: int) -> dict[str, Any]:
    return {"x": fmpq(int(at.p), int(at.q)), "y": fmpq(other)}


PLAIN_TRUE = (
    dominated, tied, assumed, inside, promised, averaged, almost_surely, cancelling, whole,
)  # fmt: skip
PLAIN_FALSE = (shifted, cornered, far, strict, closed, pierced, unassumed, partly)
