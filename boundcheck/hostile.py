"""Random claims whose truth is known by construction, against proofs, refutations and the re-check.

`python -m boundcheck.hostile --claims 20000` makes claims from a grammar of expressions. A true one
adds to a side what cannot be negative, hides an identity, or rests on a hypothesis or an end of its
domain; a false one fails everywhere, in a corner, beyond 10^30, or has no value at one point. No
true claim may be refuted or accused by a forged witness, no false one proved; else exit code 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy
import sympy
from flint import fmpq

from boundcheck import witness
from boundcheck.boundary.numbers import LARGEST_SEED
from boundcheck.boundary.tools import ToolParser, integer, parser_of, run
from boundcheck.certify import certify
from boundcheck.checks.base import Budget, Task
from boundcheck.claim import Claim, Expected, Holds, Rescaling, Source, WithProbability
from boundcheck.engine import verify
from boundcheck.errors import BoundcheckError, MalformedStatement
from boundcheck.library import Library
from boundcheck.setting import Setting
from boundcheck.worlds import Indices, Integer, Real, Space, Vector, Weights

KEY = "hostile/claim:random"
SMALL = Budget("quick", 40, 64, 600, 8, 4.0)
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


def _claim(relation: Any, form: Any = Holds, **fields: Any) -> Claim:
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
    return Known("dominated", _claim(relation), True)


def tied(g: Grammar) -> Known:
    """Two forms of one expression."""
    one, two = g.term(1) + g.constant(), g.term(1) - g.constant()
    whole = one * two
    kind = g.pick(sympy.Le, sympy.Ge, sympy.Eq)
    return Known("tied", _claim(kind(sympy.expand(whole), whole)), True)


def assumed(g: Grammar) -> Known:
    """What a hypothesis gives, times what is not negative."""
    base, least, share = g.term(1) + x, g.constant(), g.nonnegative(1)
    relation = sympy.Ge(sympy.expand(base * share), least * share)
    return Known("assumed", _claim(relation, given=[sympy.Ge(base, least)]), True)


def inside(g: Grammar) -> Known:
    """An end that the domain leaves out, with a forged witness at it or beyond."""
    low, width = g.constant(), abs(g.constant()) + 1
    high = low + width
    field = Real(_text(low), _text(high), open_high=True)
    slope = abs(g.constant()) + 1
    relation = slope * x + y < slope * high + y + g.pick(0, g.nonnegative(1))
    beyond = g.pick(high, high + 10**6)
    parameters = {x: field, y: ANY}
    return Known("inside", _claim(relation, parameters=parameters), True, _values(beyond, 0))


def promised(g: Grammar) -> Known:
    """A sum of numbers of a range, accused by numbers outside it."""
    count, top = int(g.rng.integers(1, 5)), int(g.rng.integers(1, 9))
    claim = _claim(
        size <= count * top, parameters={}, worlds=Space(v=Vector(count, 0, top)),
        measure={size: lambda v: sum(v)},
        rescalings=g.pick((), (Rescaling("v by s", {"v": 1}),)),
    )  # fmt: skip
    return Known("promised", claim, True, {"v": (fmpq(top * 10),) * count})


def averaged(g: Grammar) -> Known:
    """A mean of numbers of a range, with weights that may vanish."""
    count, top = int(g.rng.integers(1, 4)), int(g.rng.integers(1, 9))
    claim = _claim(
        size <= top, Expected, parameters={}, draw=Indices("i", "p", "n"),
        worlds=Space(n=Integer(1, 1), p=Weights(count, zeros=True), v=Vector(count, -top, top)),
        measure={size: lambda v, i: v[i[0]]},
    )  # fmt: skip
    forged = {"n": 1, "p": (fmpq(2),) + (fmpq(0),) * (count - 1), "v": (fmpq(top),) * count}
    return Known("averaged", claim, True, forged)


def almost_surely(g: Grammar) -> Known:
    """What fails at outcomes of probability zero only."""
    count = int(g.rng.integers(2, 4))
    claim = _claim(
        size <= 1, lambda r: WithProbability(1, r), parameters={}, draw=Indices("i", "p", "n"),
        worlds=Space(n=Integer(1, 2), p=Weights(count, zeros=True)),
        measure={size: lambda p, i: max(1 if p[k] > 0 else 10**9 for k in i)},
    )
    return Known("almost surely", claim, True)


def cancelling(g: Grammar) -> Known:
    """A definition that loses every digit in floats."""
    shift = 10 ** int(g.rng.integers(16, 40))
    claim = _claim(
        size <= x + g.pick(0, y**2), measure={size: lambda x: (x + shift) - shift}
    )
    return Known("cancelling", claim, True)


def whole(g: Grammar) -> Known:
    """True of whole numbers only."""
    step = int(g.rng.integers(0, 6))
    relation = sympy.expand((n - step) * (n - step - 1)) >= 0
    parameters = {n: Integer(1, wide=True, searched=10**30)}
    return Known("whole", _claim(relation, parameters=parameters), True,
                 {"n": fmpq(2 * step + 1, 2)})  # fmt: skip


# False claims.


def shifted(g: Grammar) -> Known:
    """False everywhere."""
    left, more = g.term(), g.nonnegative() + sympy.Rational(1, 10 ** int(g.rng.integers(0, 20)))
    return Known("shifted", _claim(sympy.Le(g.hidden(left + more), left, evaluate=False)), False)


def cornered(g: Grammar) -> Known:
    """False next to one point only."""
    left, place = g.term(1), g.constant()
    gap = sympy.Rational(1, 10 ** int(g.rng.integers(1, 30)))
    relation = sympy.Le(left, g.hidden(left + (x - place) ** 2) - gap)
    return Known("cornered", _claim(relation), False)


def far(g: Grammar) -> Known:
    """False beyond 10^30 only."""
    left = g.term(1)
    return Known("far", _claim(sympy.Le(left + x, g.hidden(left + FAR + y**2))), False)


def strict(g: Grammar) -> Known:
    """Strict between equals."""
    one, two = g.term(1) + g.constant() + x, g.term(1) - g.constant()
    kind = g.pick(sympy.Lt, sympy.Gt, sympy.Ne)
    return Known("strict", _claim(kind(sympy.expand(one * two), one * two)), False)


def closed(g: Grammar) -> Known:
    """Strict at an end that belongs to the domain."""
    high = g.constant()
    slope = abs(g.constant()) + 1
    relation = slope * x + y < slope * high + y + g.pick(0, (x - high) ** 2)
    parameters = {x: Real(None, _text(high)), y: ANY}
    return Known("closed", _claim(relation, parameters=parameters), False)


def pierced(g: Grammar) -> Known:
    """Without a value at one point, true elsewhere."""
    place = g.constant()
    gap = x - place
    relation = g.pick(
        lambda: sympy.Le(sympy.log(gap**2), gap**2), lambda: sympy.Ge(1 / gap**2, -(y**2)),
        lambda: sympy.Eq(sympy.Mul(gap * (y**2 + 1), 1 / gap, evaluate=False), y**2 + 1),
        lambda: sympy.Le(-(y**2), sympy.Abs(y / gap)),
    )()  # fmt: skip
    return Known("pierced", _claim(relation), False)


def unassumed(g: Grammar) -> Known:
    """A hypothesis is missing."""
    base, least = (abs(g.constant()) + 1) * x + y, g.constant()
    relation = sympy.Ge(base * (1 + y**2), least * (1 + y**2))
    return Known("unassumed", _claim(relation, given=[sympy.Ge(y, least)]), False)


def partly(g: Grammar) -> Known:
    """One member of a conjunction is false in a corner."""
    left, more = g.term(1), g.nonnegative()
    return Known("partly", _claim(sympy.And(left <= left + more, x <= FAR)), False)


TRUE = (dominated, tied, assumed, inside, promised, averaged, almost_surely, cancelling, whole)
FALSE = (shifted, cornered, far, strict, closed, pierced, unassumed, partly)


def _text(value: sympy.Rational) -> str:
    return f"{value.p}/{value.q}"


def _values(at: sympy.Rational, other: int) -> dict[str, Any]:
    return {"x": fmpq(int(at.p), int(at.q)), "y": fmpq(other)}


def known(seed: int, place: int) -> Known | None:
    """The claim at a place; None where SymPy settles its relation before it is one."""
    g = Grammar(numpy.random.default_rng([seed, place]))
    make: Callable[[Grammar], Known] = (TRUE, FALSE)[place % 2][place // 2 % (9 - place % 2)]
    try:
        return make(g)
    except (MalformedStatement, AttributeError, TypeError):
        return None  # a truth value is no relation


def errors_on(item: Known) -> list[str]:
    """What went wrong on a claim: "false proof", "false refutation", "forgery"."""
    found = []
    verdict = verify(KEY, item.claim, budget=SMALL, controls=False)
    if not item.true and verdict.outcome == "proved":
        found.append("false proof")
    if item.true and verdict.outcome in ("refuted", "malformed"):
        found.append("false refutation")
    if item.true and item.forged is not None and forgery_confirms(item.claim, item.forged):
        found.append("forgery")
    return found


def forgery_confirms(claim: Claim, values: dict[str, Any]) -> bool:
    """Whether the re-check believes a witness with these values and their own true numbers."""
    setting = Setting(claim, values)
    try:
        shown = certify(setting)[1]
    except (BoundcheckError, ArithmeticError):  # no number can be had of it
        shown = {}
    task = Task(KEY, claim, SMALL)
    document = witness.seal(task.witness("exact", setting, shown).as_json())
    library = Library.__new__(Library)
    object.__setattr__(library, "claims", {KEY: claim})
    try:
        witness.confirm(document, library)
    except BoundcheckError:
        return False
    return True


def survey(claims: int, seed: int, *, say: Callable[[str], object] = print) -> int:
    """Check so many claims and say what was found. Returns: the number of errors."""
    seen, wrong, place = Counter[str](), Counter[str](), 0
    while sum(seen.values()) < claims:
        item = known(seed, place)
        place += 1
        if item is None:
            continue
        seen[item.kind] += 1
        for error in errors_on(item):
            wrong[error] += 1
            say(f"{error}: seed {seed}, place {place - 1}, {item.kind}: {item.claim.statement}")
    say(f"{sum(seen.values())} claims of {len(seen)} kinds: " + ", ".join(
        f"{wrong[error]} {error}s" for error in ("false proof", "false refutation", "forgery")
    ).replace("forgerys", "forgeries confirmed"))  # fmt: skip
    return sum(wrong.values())


def parser() -> ToolParser:
    """The arguments of this tool."""
    made = parser_of("hostile", __doc__, "--claims 200 --seed 1")
    made.add_argument("--claims", type=integer(1, 10**9), default=20_000,
                      help="how many are made, default %(default)s")  # fmt: skip
    made.add_argument("--seed", type=integer(0, LARGEST_SEED), default=0, help="of the claims")
    return made


def main(arguments: list[str]) -> int:
    """Returns 1 if any error was found."""
    chosen = parser().parse_args(arguments)
    return 1 if survey(chosen.claims, chosen.seed) else 0


if __name__ == "__main__":
    run(main)
