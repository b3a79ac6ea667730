"""Values along a ray for every t >= 1: what moves, by which power, between which germs.

A node over arrays that move as c t^p is homogeneous by one rule per kind of node; a primitive of
this package without a rule by its units, which are then seen again further along the ray.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import sympy
from flint import arb, fmpq

from boundcheck import exact
from boundcheck.arithmetic import Value, sign, to_ball
from boundcheck.checker import primitives
from boundcheck.checker.functions import FUNCTIONS
from boundcheck.checker.germs import (
    Germ,
    NoGerm,
    added,
    closer,
    constant,
    exponential,
    is_nonnegative,
    logarithm,
    multiplied,
    negated,
    of_terms,
    raised,
)
from boundcheck.checker.judge import Place
from boundcheck.checker.ray import Ray
from boundcheck.checker.together import is_steep, side_by_side
from boundcheck.claim import Claim
from boundcheck.errors import InvalidArgument, Undecided, Undefined
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import (
    Apply,
    Average,
    Binder,
    Greatest,
    Least,
    Node,
    Table,
    Total,
)
from boundcheck.expressions.symbols import Known
from boundcheck.worlds.fields import Integer

ONE = fmpq(1)
FEW = 9  # less than this many of a binomial coefficient are written out
MOST_OUTCOMES = 500  # of a draw whose values are looked at one by one
SEEN_AT = (2, 4)  # octaves at which a homogeneous value is looked at again
UNKNOWN = (Undefined, Undecided, ArithmeticError, InvalidArgument, ValueError, TypeError, KeyError)


class Along:
    """Germs of the expressions of a claim along a ray.

    Args: outcome: of the draw, at t = 1. powers: of its values that move as c t^p, by name.
        known: numbers that are only known to lie in a ball, whatever t is; in the outcome is one.
    """

    def __init__(
        self, claim: Claim, ray: Ray, outcome: Mapping[str, Value] | None = None,
        powers: Mapping[str, fmpq] | None = None, known: Mapping[str, arb] | None = None,
    ) -> None:  # fmt: skip
        self.claim, self.ray, self.outcome = claim, ray, outcome or {}
        self.powers = {**ray.powers, **(powers or {})}
        whole = Place(claim, ray.start)
        self.place = whole.at(self.outcome) if self.outcome else whole
        self._moving: dict[tuple[sympy.Basic, bool], bool] = {}
        self.sums: dict[sympy.Basic, sympy.Symbol] = {}  # in whose place a symbol stands
        self.known = {name: Germ(ball) for name, ball in (known or {}).items()}

    def of(self, ray: Ray) -> Along:
        """Germs along another ray of the same claim."""
        return Along(self.claim, ray, self.outcome)

    def later(self, octaves: int) -> Place | None:
        """The world at t = 2^octaves, with the outcome there; None where it has none."""
        values = self.ray.at(octaves)
        if values is None:
            return None
        own = {name: power for name, power in self.powers.items() if name in self.outcome}
        outcome = Ray(self.outcome, own, {}).at(octaves)
        return Place(self.claim, values).at(outcome) if outcome else Place(self.claim, values)

    def number(self, name: str, value: fmpq) -> Germ:
        """The germ of a number, or of an entry of an array, that has this value at t = 1."""
        end = self.ray.ends.get(name, fmpq(0))
        power = self.powers[name]
        return added([of_terms({power: value - end}), constant(end)])

    def is_whole(self, name: str) -> bool:
        """Whether a number is an integer wherever a world of the ray is made."""
        end, value = self.ray.ends.get(name, fmpq(0)), fmpq(self.ray.start[name])
        return bool(self.ray.powers[name] > 0 and end.q == 1 and value.q == 1)

    def moves(self, expr: sympy.Basic, *, drawn: bool = False) -> bool:
        """Whether a value may depend on t. Raises: NoGerm where a size does, or a draw, if not
        asked for, or one that reads what moves."""
        key = expr, drawn
        if key not in self._moving:
            self._moving[key] = self._moves(expr, drawn)
        return self._moving[key]

    def _moves(self, expr: sympy.Basic, drawn: bool) -> bool:
        for symbol in expr.atoms(sympy.Symbol) | expr.free_symbols:
            if isinstance(symbol, Known) and symbol.meaning.role == "index":
                if self.moves(sympy.sympify(symbol.meaning.size)):
                    raise NoGerm(f"the range of {symbol} moves")
            elif symbol.name in {*self.powers, *self.known} or self._measured_moves(symbol, drawn):
                return True
        return False

    def _measured_moves(self, symbol: sympy.Symbol, drawn: bool) -> bool:
        if symbol.name in self.outcome:
            return False
        quantity = self.claim.measured.get(symbol.name)
        known = self.outcome or (drawn and self.draw_stays)
        if symbol.name in self.claim.random_names and not known:
            raise NoGerm(f"{symbol} is drawn")
        if quantity is None:
            return False
        if isinstance(quantity, Definition):
            return self.moves(quantity.whole, drawn=drawn)
        names = self.claim.arguments(quantity)
        return any(self.moves(sympy.Symbol(name), drawn=drawn) for name in names)

    @cached_property
    def draw_stays(self) -> bool:
        """Whether the outcomes of the draw and their probabilities read nothing that moves."""
        read: set[str] = set()
        draw = self.claim.draw

        def look(name: str) -> Value:
            read.add(name)
            return self.place(name)

        if draw is None or draw.count(look) > MOST_OUTCOMES:
            return False
        list(draw.outcomes(look))
        return not any(self.moves(sympy.Symbol(name)) for name in read)

    def keeps(self, condition: sympy.Basic) -> bool:
        """Whether a hypothesis that holds at t = 1 is certain to hold for every t."""
        if not self.moves(condition):
            return True
        if not isinstance(condition, (*exact.INEQUALITIES, sympy.Ne)):
            return False
        gap = added([self.germ(condition.lhs), negated(self.germ(condition.rhs))])
        if isinstance(condition, (sympy.Le, sympy.Lt)):
            gap = negated(gap)
        if isinstance(condition, sympy.Ne):
            return is_nonnegative(gap, strictly=True) or is_nonnegative(
                negated(gap), strictly=True)  # fmt: skip
        return is_nonnegative(gap, strictly=isinstance(condition, (sympy.Lt, sympy.Gt)))

    def settles(self, condition: sympy.Basic) -> bool:
        """Whether a condition is certain to be, for every t, what it is at t = 1."""
        if not self.moves(condition, drawn=True):
            return True
        truth = exact.decide(condition, self.place)
        return truth is not None and self.keeps(condition if truth else sympy.Not(condition))

    def germ(self, expr: sympy.Basic) -> Germ:
        """The germ of a number. Raises: NoGerm where no rule gives it."""
        if not self.moves(expr):
            return constant(self._scalar(expr))
        if isinstance(expr, sympy.Symbol):
            quantity = self.claim.measured.get(expr.name)
            if expr.name in self.known:
                return self.known[expr.name]
            if expr.name in self.powers:
                return self.number(expr.name, fmpq(self._scalar(expr)))
            if isinstance(quantity, Definition):
                return self.germ(quantity.whole)
            raise NoGerm(expr.name)
        if isinstance(expr, Named):
            return self.germ(expr.body)
        if isinstance(expr, Node):
            found = self._of_node(expr)
            self._require_seen(expr, found)
            return found
        return self._combined(expr)

    def _of_node(self, expr: Node) -> Germ:
        """Of a homogeneous value, else between the bounds of a primitive."""
        try:
            scale = of_terms({self.degree(expr): ONE})  # before what may be dear to compute
            return multiplied(constant(self._scalar(expr)), scale)
        except NoGerm:
            if not isinstance(expr, Apply):
                raise
        return primitives.germ(self, expr)

    def _combined(self, expr: sympy.Basic) -> Germ:
        if isinstance(expr, sympy.Mul):
            return self._product(expr)
        if isinstance(expr, sympy.Pow) and expr.base is not sympy.E:
            exponent = self.germ(expr.exp).terms
            if exponent is None or set(exponent) - {fmpq(0)}:
                return exponential(self._logarithm_of_power(expr))
            return raised(self.germ(expr.base), exponent.get(fmpq(0), fmpq(0)))
        if isinstance(expr, sympy.log):
            return self.logarithm(expr.args[0])
        if isinstance(expr, sympy.Piecewise):
            return self.germ(self._case(expr))
        if isinstance(expr, sympy.Add):
            return self._sum(expr)
        if isinstance(expr, sympy.binomial):
            return self.germ(self._written_out(expr))
        rule = FUNCTIONS.get(sympy.exp if isinstance(expr, sympy.Pow) else expr.func)
        if rule is None:
            raise NoGerm(str(expr))
        return rule([self.germ(arg) for arg in expr.args[-1:]] if isinstance(expr, sympy.Pow)
                    else [self.germ(arg) for arg in expr.args])  # fmt: skip

    def _written_out(self, expr: sympy.binomial) -> sympy.Expr:
        """A binomial coefficient of few that are chosen or left, as a product.

        Raises: NoGerm for others, and where what is chosen from may be no natural number.
        """
        top, chosen = expr.args
        whole = {symbol: sympy.Dummy(integer=True) for symbol in expr.free_symbols
                 if isinstance(self.claim.fields.get(symbol.name), Integer)}  # fmt: skip
        if not (top.xreplace(whole).is_integer and self.germ(top).ball >= 0):
            raise NoGerm(str(expr))
        for few in (chosen, top - chosen):
            terms = self.germ(few).terms
            count = fmpq(-1) if terms is None or set(terms) - {fmpq(0)} else terms.get(fmpq(0), 0)
            if count in range(FEW):
                return sympy.Mul(*((top - i) / (i + 1) for i in range(int(count))))
        raise NoGerm(str(expr))

    def _case(self, expr: sympy.Piecewise) -> sympy.Expr:
        """The case that holds for every t. Raises: NoGerm where it may be another one."""
        asked = {part for _, condition in expr.args for part in condition.atoms(sympy.Rel)}
        if not all(map(self.settles, asked)):
            raise NoGerm(f"which case of {expr} it is")
        return next(value for value, condition in expr.args
                    if exact.decide(condition, self.place))  # fmt: skip

    def opened(self, expr: sympy.Expr) -> sympy.Expr:
        """What stands behind names that move, and the case that holds, as written."""
        quantity = self.claim.measured.get(expr.name) if isinstance(expr, sympy.Symbol) else None
        if isinstance(quantity, Definition) and self.moves(expr):
            return self.opened(quantity.whole)
        if isinstance(expr, Named):
            return self.opened(expr.body)
        if isinstance(expr, sympy.Piecewise) and self.moves(expr):
            return self.opened(self._case(expr))
        return expr

    def _product(self, expr: sympy.Mul) -> Germ:
        """Factor by factor; where a power among them grows, all of them in one exponential."""
        found = constant(ONE)
        try:
            for arg in expr.args:
                found = multiplied(found, self.germ(arg))
        except NoGerm:
            if not any(map(is_steep, expr.args)) or not all(map(self._positive, expr.args)):
                raise
            return exponential(added([self.logarithm(arg) for arg in expr.args]))
        return found

    def _sum(self, expr: sympy.Add) -> Germ:
        """Part by part; where parts may cancel, logarithms, roots and exponentials
        side by side, too."""
        found = added([self.germ(arg) for arg in expr.args])
        if found.terms is None and found.ball.contains(0):
            try:
                return closer(found, side_by_side(self, expr))
            except NoGerm:
                return found
        return found

    def logarithm(self, expr: sympy.Expr) -> Germ:
        """The germ of log x of an expression x, part by part, so that steep powers in it need not
        be followed. Raises: NoGerm unless x is certain to be positive."""
        expr = self.opened(expr)
        if isinstance(expr, sympy.exp):
            return self.germ(expr.args[0])
        if isinstance(expr, sympy.Pow) and (is_steep(expr) or self._positive(expr.base)):
            return self._logarithm_of_power(expr)
        steep = isinstance(expr, sympy.Mul) and any(map(is_steep, expr.args))
        if steep and all(self._positive(arg) for arg in expr.args):
            return added([self.logarithm(arg) for arg in expr.args])
        try:
            return logarithm(self.germ(expr))
        except NoGerm:
            if not isinstance(expr, sympy.Add):
                raise
            return self._logarithm_of_sum(expr)

    def _logarithm_of_power(self, expr: sympy.Pow) -> Germ:
        if not self._positive(expr.base):
            raise NoGerm(f"a power of {expr.base}, which may not be positive")
        return multiplied(self.germ(expr.exp), self.logarithm(expr.base))

    def _logarithm_of_sum(self, expr: sympy.Add) -> Germ:
        """log(e^x + y) = x + log(1 + y e^-x), for a steep power beside which the rest is seen."""
        factors = [f for arg in expr.args for f in sympy.Mul.make_args(arg) if is_steep(f)]
        for factor in dict.fromkeys(factors):
            rest = sympy.Add(*(arg / factor for arg in expr.args))
            try:
                return added([self.logarithm(factor), logarithm(self.germ(rest))])
            except NoGerm:
                continue
        raise NoGerm(str(expr))

    def _positive(self, expr: sympy.Expr) -> bool:
        if isinstance(expr, sympy.Pow) and is_steep(expr):
            return self._positive(expr.base)
        if isinstance(expr, (sympy.Add, sympy.Mul)) and all(map(self._positive, expr.args)):
            return True
        return isinstance(expr, sympy.exp) or bool(self.germ(expr).ball > 0)

    def _scalar(self, expr: sympy.Basic) -> Value:
        value = self.place.value(expr)
        if isinstance(value, (tuple, *exact.MATRICES)):
            raise NoGerm(f"{expr} is no number")
        return value

    def degree(self, expr: sympy.Basic) -> fmpq:
        """The power of t by which a homogeneous value is multiplied, entry by entry."""
        if not self.moves(expr):
            return fmpq(0)
        if isinstance(expr, sympy.Symbol):
            quantity = self.claim.measured.get(expr.name)
            if isinstance(quantity, Definition):
                return self.degree(quantity.whole)
            if self.ray.ends.get(expr.name) or expr.name not in self.powers:
                raise NoGerm(expr.name)
            return self.powers[expr.name]
        if isinstance(expr, (Named, Greatest, Least, Total, Table)):
            return self.degree(expr.body)
        if isinstance(expr, Apply):
            return primitives.degree(self, expr)
        if isinstance(expr, Average) and not any(map(self.moves, expr.drawn.meaning.needs)):
            return self.degree(expr.body)
        if isinstance(expr, Binder):
            raise NoGerm(str(expr))
        if isinstance(expr, (sympy.Add, sympy.Max, sympy.Min, sympy.Abs)):
            found = {self.degree(arg) for arg in expr.args if arg != 0}
            if len(found) != 1:
                raise NoGerm(str(expr))
            return found.pop()
        if isinstance(expr, sympy.Mul):
            return sum((self.degree(arg) for arg in expr.args), fmpq(0))
        if isinstance(expr, sympy.Pow) and expr.exp.is_Rational:
            return self.degree(expr.base) * fmpq(int(expr.exp.p), int(expr.exp.q))
        raise NoGerm(str(expr))

    def _require_seen(self, expr: sympy.Basic, germ: Germ) -> None:
        """Raises: NoGerm where a homogeneous value is another one further along the ray."""
        for octaves in SEEN_AT:
            later = self.later(octaves)
            factor = (arb(2).log() * octaves * arb(germ.power)).exp()
            value = None if later is None else later.value(expr)
            if value is None or sign(to_ball(value) - germ.ball * factor) not in (0, None):
                raise NoGerm(f"{expr} does not follow its units")
