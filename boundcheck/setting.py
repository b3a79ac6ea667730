"""A setting: one world with parameter values (and a draw outcome), and the truth of a claim there.

This is the exact route that search, checks and the witness re-check share: definitions and balls.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import sympy

from boundcheck import exact
from boundcheck.claim import Claim, Expected, Form, UpToConstant
from boundcheck.contract import evaluated
from boundcheck.encoding import show
from boundcheck.errors import MalformedStatement, Undecided, Undefined
from boundcheck.exact import PRECISIONS, Value, precision, value_of

INEQUALITIES = exact.INEQUALITIES
LONGEST = 14_000  # bits of a number that is written in a statement


class _Known:
    """Quantities computed at one precision."""

    def __init__(self) -> None:
        self.bits = 0
        self.values: dict[str, Value] = {}

    def at(self, bits: int) -> dict[str, Value]:
        """Those of a precision; another precision begins anew."""
        if bits != self.bits:
            self.bits, self.values = bits, {}
        return self.values


class Setting:
    """Named exact values with measured quantities computed on demand and kept.

    Args:
        claim: whose quantities are used.
        values: world fields and parameters by name: int, fmpq, arb, matrices, text or tuples.
        outcome: a draw outcome by name, or nothing.
        built: the world was made by its own fields just now, which need not be asked again.
    """

    def __init__(
        self,
        claim: Claim,
        values: Mapping[str, Value],
        outcome: Mapping[str, Value] | None = None,
        base: Setting | None = None,
        *,
        built: bool = False,
    ) -> None:
        self.claim = claim
        self.values = dict(values)
        self.outcome = dict(outcome or {})
        self.built = built
        self._base = base
        self.memo: dict[Any, Value] = {}  # exact values of expressions and inverses
        self._known = _Known()

    def under(self, claim: Claim) -> Setting:
        """The same world and outcome judged by a claim with the same quantities, worlds and draw.

        What one of the two computes serves both.
        """
        other = Setting(claim, self.values, self.outcome, self._base, built=self.built)
        other.memo, other._known = self.memo, self._known
        return other

    def with_outcome(self, outcome: Mapping[str, Value]) -> Setting:
        """The same world with another outcome; what does not depend on the draw is shared."""
        base = self._base or self
        return Setting(self.claim, self.values, outcome, base=base, built=self.built)

    def afresh(self) -> Setting:
        """The same setting with nothing computed yet."""
        return Setting(self.claim, self.values, self.outcome)

    def computed(self) -> tuple[int, dict[str, Value]]:
        """The precision in bits of the last evaluation, and the quantities known at it."""
        return self._known.bits, dict(self._known.values)

    def replaced(self, **changes: Value) -> Setting:
        """The same setting with some values changed."""
        space = self.claim.worlds
        built = self.built and not (space is not None and set(changes) & set(space.names))
        return Setting(self.claim, {**self.values, **changes}, self.outcome, built=built)

    def __call__(self, name: str) -> Value:
        import flint

        if name in self.values:
            return self.values[name]
        if name in self.outcome:
            return self.outcome[name]
        if self._base is not None and name not in self.claim.random_names:
            return self._base(name)
        known = self._known.at(flint.ctx.prec)
        if name not in known:
            quantity, needed, printed = _asked(self.claim).get(name, MISSING)
            if quantity is None:
                raise Undefined(f"the symbol {name} is undefined")
            try:
                arguments = [self(argument) for argument in needed]
            except Undefined:
                # A definition may not ask for it: an indicator of two conditions, one of which
                # fails, does not ask for the other.
                whole = getattr(quantity, "whole", None)
                if not isinstance(whole, sympy.Expr) or not whole.is_commutative:
                    raise
                known[name] = value_of(whole, self)
                return known[name]
            known[name] = evaluated(name, quantity, arguments, self._world, printed, self)
        return known[name]

    def _world(self) -> dict[str, Value]:
        """All that is given here, for messages."""
        return {**(self._base or self).values, **self.outcome}

    @property
    def draw(self) -> Any:
        """The draw of the claim, for those who know that it has one."""
        if self.claim.draw is None:
            raise MalformedStatement("the claim has no draw; give it `draw=`")
        return self.claim.draw

    def evaluate(self, expr: sympy.Basic) -> Value:
        """Value of an expression at the current precision; a vector is a column."""
        if not isinstance(expr, sympy.Basic):
            expr = sympy.sympify(expr)
        return exact.as_column(value_of(expr, self))

    def decide(self, condition: sympy.Basic) -> bool | None:
        """Truth of a condition, raising the precision until balls settle it (None if never).

        Raises: Undefined for one that has no value, at the highest precision too.
        """
        for bits in PRECISIONS:
            with precision(bits):
                try:
                    truth = exact.decide(condition, self)
                except Undecided:
                    truth = None
                except Undefined:  # a ball may be the cause: the narrowest one has to say so too
                    if bits < PRECISIONS[-1]:
                        continue
                    raise
            if truth is not None:
                return truth
        return None

    def admissible(self) -> bool:
        """True only if every hypothesis is certified."""
        return self.failed_hypothesis() is None

    def outside(self) -> str:
        """The first value of the world or parameter that leaves its domain; "" if none does.

        A value that is missing here is not judged: a hypothesis that needs it is.
        """
        fields = {} if self.built or self.claim.worlds is None else dict(self.claim.worlds.fields)
        fields |= {symbol.name: field for symbol, field in self.claim.parameters.items()}
        for name, field in fields.items():
            if name in self.values and field.says_domain and not fits(field, name, self.values):
                return name
        return ""

    def misfit(self) -> str:
        """Why this is no world of the claim with its parameters, in words; "" if it is one.

        Every name of a world and every parameter has a value, nothing else has one, and each
        field says what it promises and admits its value. Only then may a violation count.
        """
        fields = self.claim.fields
        for name in sorted(set(fields) ^ set(self.values)):
            lost = name in fields
            return f"{name} is missing" if lost else f"{name} is no value of a world of this claim"
        for name, field in fields.items():
            if not field.says_domain:
                return f"the field {name} does not say which values it may take; give it a domain"
            if not fits(field, name, self.values):
                return f"{name} = {show(self.values[name])} is no value that it can take"
        return ""

    def failed_hypothesis(self) -> sympy.Basic | None:
        """The first hypothesis that is false, undefined or undecided here; None if all hold.

        That every value of the world and every parameter lies in its domain is a hypothesis too.
        """
        outside = self.outside()
        if outside:
            return sympy.Symbol(f"{outside} in its domain")
        for condition in self.claim.given:
            try:
                if self.decide(condition) is not True:
                    return condition
            except Undefined:
                return condition
        return None


@lru_cache(maxsize=512)
def printed_symbols(claim: Claim) -> dict[str, sympy.Basic]:
    """What the relation or a hypothesis reads, by name: there a number or a matrix must stand."""
    symbols = claim.statement.free_symbols()
    for condition in claim.given:
        symbols |= condition.free_symbols
    return {symbol.name: symbol for symbol in sorted(symbols, key=str)}


MISSING: tuple[Any, tuple[str, ...], Any] = (None, (), None)


@lru_cache(maxsize=512)
def _asked(claim: Claim) -> dict[str, tuple[Any, tuple[str, ...], Any]]:
    """By name of a measured symbol: its quantity, names of what it takes, the symbol printed."""
    printed = printed_symbols(claim)
    return {name: (quantity, claim.arguments(quantity), printed.get(name))
            for name, quantity in claim.measured.items()}  # fmt: skip


def fits(field: Any, name: str, values: Mapping[str, Value]) -> bool:
    """Whether a field admits its value beside the others; a value of the wrong kind does not."""
    try:
        return bool(field.admits(values[name], values))
    except Exception:  # a value of the wrong kind may fail in any way
        return False


def flatten(condition: sympy.Basic) -> list[sympy.Basic]:
    """The members of a conjunction, or the condition itself."""
    if isinstance(condition, sympy.And):
        return [rel for arg in condition.args for rel in flatten(arg)]
    return [condition]


def parts(relation: sympy.Basic) -> list[sympy.Rel]:
    """The comparisons that a statement asserts: itself, the members of an And, a conclusion."""
    return [part for _, part in guarded(relation)]


def guarded(relation: sympy.Basic) -> list[tuple[tuple[sympy.Basic, ...], sympy.Rel]]:
    """Every comparison of `parts` with the premises under which it is asserted.

    >>> x = sympy.Symbol("x", real=True)
    >>> guarded(sympy.And(x <= 1, sympy.Implies(x > 0, x**2 <= x), evaluate=False))
    [((), x <= 1), ((x > 0,), x**2 <= x)]
    """
    return [(premises, part) for premises, part in asserted(relation)
            if isinstance(part, sympy.Rel)]  # fmt: skip


def asserted(relation: sympy.Basic) -> list[tuple[tuple[sympy.Basic, ...], sympy.Basic]]:
    """The pairs of `guarded`, and with them what is no comparison: alternatives."""
    if isinstance(relation, sympy.And):
        return [pair for arg in relation.args for pair in asserted(arg)]
    if isinstance(relation, sympy.Implies):
        premise, conclusion = relation.args
        return [((premise, *more), part) for more, part in asserted(conclusion)]
    return [((), relation)]


def require_written(form: Form, given: Iterable[sympy.Basic]) -> None:
    """Refuse what is more than comparisons, as `_require_compared` says, and numbers of more digits
    than Python prints: every text of a claim would fail.

    Raises: MalformedStatement naming the part, or how many digits a number may have.
    """
    _require_compared(form)
    for relation in (form.relation, *given):
        if any(max(abs(number.p), number.q).bit_length() > LONGEST
               for number in sympy.sympify(relation).atoms(sympy.Rational)):  # fmt: skip
            raise MalformedStatement(
                f"a number of more than {LONGEST * 3 // 10} digits, which is not printed; compare "
                "logarithms, or write a parameter for it"
            )


def _require_compared(form: Form) -> None:
    """Refuse what is more than comparisons between expectations, or up to a constant: a part that
    `guarded` does not list would count as true.

    Raises: MalformedStatement naming the part.
    """
    if not isinstance(form, (Expected, UpToConstant)):
        return
    for _, part in asserted(form.relation):
        if not isinstance(part, sympy.Rel):
            raise MalformedStatement(
                f"{part} is no comparison; expectations, and sides up to a constant, are compared "
                "in pairs, several with And or behind Implies"
            )


def under(premises: tuple[sympy.Basic, ...], part: sympy.Basic) -> sympy.Basic:
    """A comparison as it is asserted, the inverse of `guarded`.

    >>> x = sympy.Symbol("x", real=True)
    >>> under((x > 0,), x**2 <= x)
    Implies(x > 0, x**2 <= x)
    """
    return sympy.Implies(sympy.And(*premises), part) if premises else part


def met(premises: tuple[sympy.Basic, ...], setting: Setting) -> bool | None:
    """Whether all premises hold in a setting; None where balls or a missing outcome cannot tell."""
    truths = []
    for premise in premises:
        names = {symbol.name for symbol in premise.free_symbols}
        open_ = names & setting.claim.random_names and not setting.outcome
        truths.append(None if open_ else setting.decide(premise))
        if truths[-1] is False:
            return False
    return None if None in truths else True


def live(relation: sympy.Basic, setting: Setting) -> list[sympy.Rel]:
    """The comparisons whose premises are certified in a setting."""
    return [part for premises, part in guarded(relation) if met(premises, setting)]


def sides(relation: sympy.Rel) -> tuple[sympy.Basic, sympy.Basic]:
    """(smaller, larger) side of an inequality; (lhs, rhs) of an equation."""
    if isinstance(relation, (sympy.Ge, sympy.Gt)):
        return relation.rhs, relation.lhs
    return relation.lhs, relation.rhs


def pressure(relation: sympy.Rel, smaller: Any, larger: Any) -> float:
    """`ratio` of an inequality, except that zero against zero counts as 0: that says nothing about
    tightness. Where the inequality is strict it is false all the same; ask `Setting.decide`."""
    score = ratio(smaller, larger)
    if score != 1.0 or exact.to_float(larger) != 0:
        return score
    if exact.sign(larger) in (0, None) or exact.sign(smaller) is None:
        return 0.0
    # Both sides are too small for floats, not zero.
    return exact.to_float(exact.to_ball(smaller) / exact.to_ball(larger))


def ratio(smaller: Any, larger: Any) -> float:
    """left/right as a float: above 1 is a violation.

    With a right side of zero or below the quotient is turned so that "above 1" keeps its meaning;
    a positive left over a right that is not positive is infinite.
    """
    low, high = exact.to_float(smaller), exact.to_float(larger)
    if low != low or high != high:
        return 0.0
    if math.inf in (abs(low), abs(high)):
        return _ratio_beyond_floats(smaller, larger)
    if low == high:
        return 1.0
    if high > 0:
        return low / high
    if low >= 0:
        return float("inf")
    return high / low


def _ratio_beyond_floats(smaller: Any, larger: Any) -> float:
    """The same where a side is infinite or larger than any float."""
    low, high = exact.to_ball(smaller), exact.to_ball(larger)
    if low.is_finite() and high.is_finite() and high > 0:
        return exact.to_float(low / high)
    if high.is_finite() and low >= 0:
        return float("inf")
    if exact.to_float(larger) == math.inf:
        return 1.0 if exact.to_float(smaller) == math.inf else 0.0
    return exact.to_float(high / low) if low.is_finite() and low < 0 else 1.0
