"""Statements over the reals for Z3: polynomials exactly, the rest through sound abstractions.

Every symbol becomes an arbitrary real. Roots become numbers with the right power, logarithms,
exponentials and symbolic powers become numbers of which only true inequalities are stated. So
every world is a model of the translation, and what Z3 proves holds in every world; what it
refutes need not.

What must hold for an expression to have a value (denominators, radicands, arguments of
logarithms) is collected as `obligations`. Axioms are guarded by them.
"""

from __future__ import annotations

from typing import Any

import sympy
import z3
from flint import arb, fmpq

from boundcheck.arithmetic import FUNCTIONS, midpoint
from boundcheck.errors import Undecided
from boundcheck.exact import precision
from boundcheck.expressions.nodes import Indicator
from boundcheck.setting import INEQUALITIES

HIGHEST_POWER = 24
UNTOLD = (sympy.factorial, sympy.binomial, sympy.gamma)
MOST_TERMS = 1000  # of a sum between numbers


class Untranslatable(Exception):
    """An expression without a sound translation."""


class Translation:
    """Terms, axioms and obligations of one proof attempt.

    Args: whole: names of symbols that only take integer values (summation limits need that).
    """

    def __init__(self, whole: set[str]) -> None:
        self.whole = whole
        self.axioms: list[Any] = []
        self.obligations: list[Any] = []
        self._terms: dict[sympy.Basic, Any] = {}
        self._logs: list[tuple[Any, Any]] = []
        self._exps: list[tuple[Any, Any]] = []

    def variable(self, name: str) -> Any:
        """The real variable of a symbol."""
        return z3.Real(name)

    def _fresh(self) -> Any:
        return z3.FreshReal("t")

    def term(self, expr: sympy.Basic) -> Any:
        """The Z3 term of an expression. Raises: Untranslatable."""
        # Obligations are added on every use: a cached term may be needed outside the guard of
        # the implication it was first met in.
        if expr in self._terms:
            term, needed = self._terms[expr]
            self.obligations += needed
            return term
        before = len(self.obligations)
        term = self._term(expr)
        self._terms[expr] = (term, self.obligations[before:])
        return term

    def _term(self, expr: sympy.Basic) -> Any:
        if isinstance(expr, sympy.Symbol):
            if not expr.is_commutative:
                raise Untranslatable(f"{expr} is a matrix")
            # A letter of the provers is none of the claim, whatever a symbol of it is called.
            fresh = isinstance(expr, sympy.Dummy)
            return z3.FreshReal("letter") if fresh else self.variable(expr.name)
        if isinstance(expr, sympy.Float):
            expr = sympy.Rational(str(expr))
        if isinstance(expr, sympy.Rational):
            return z3.RealVal(str(fmpq(int(expr.p), int(expr.q))))
        if expr in (sympy.pi, sympy.E, sympy.EulerGamma):
            return self._constant(expr)
        if isinstance(expr, sympy.Add):
            return z3.Sum([self.term(arg) for arg in expr.args])
        if isinstance(expr, sympy.Mul):
            return z3.Product([self.term(arg) for arg in expr.args])
        if isinstance(expr, (sympy.Max, sympy.Min)):
            return self._extreme(expr)
        if isinstance(expr, sympy.Abs):
            inner = self.term(expr.args[0])
            return z3.If(inner >= 0, inner, -inner)
        if isinstance(expr, sympy.exp):
            return self._exponential(self.term(expr.args[0]))
        if isinstance(expr, sympy.Pow):
            return self._power(expr.base, expr.exp)
        if isinstance(expr, sympy.log):
            return self._logarithm(expr.args[0])
        if isinstance(expr, (sympy.floor, sympy.ceiling)):
            return self._rounded(expr)
        if isinstance(expr, (sympy.sin, sympy.cos, sympy.tanh, sympy.erf)):
            self.term(expr.args[0])
            value = self._fresh()
            self.axioms += [value <= 1, value >= -1]
            return value
        if isinstance(expr, (sympy.Sum, sympy.Product)):
            return self._series(expr)
        if isinstance(expr, sympy.Piecewise):
            return self._piecewise(expr)
        raise Untranslatable(f"no translation of {type(expr).__name__}")

    def _piecewise(self, expr: sympy.Piecewise) -> Any:
        """Its first piece whose condition holds; pieces need a value only where they apply."""
        branches: list[tuple[Any, Any]] = []
        earlier: list[Any] = []
        for value, condition in expr.args:
            met = self.relation(condition)
            before = len(self.obligations)
            term = self.term(value)
            here = z3.And(met, *[z3.Not(other) for other in earlier])
            self.obligations[before:] = [
                z3.Implies(here, needed) for needed in self.obligations[before:]
            ]
            branches.append((met, term))
            earlier.append(met)
        self.obligations.append(z3.Or(earlier))
        result = branches[-1][1]
        for met, term in reversed(branches[:-1]):
            result = z3.If(met, term, result)
        return result

    def _constant(self, expr: sympy.Expr) -> Any:
        value = self._fresh()
        low, high = enclosure(expr)
        self.axioms += [value > low, value < high]
        return value

    def _extreme(self, expr: sympy.Expr) -> Any:
        terms = [self.term(arg) for arg in expr.args]
        result = terms[0]
        for term in terms[1:]:
            larger = term >= result if isinstance(expr, sympy.Max) else term <= result
            result = z3.If(larger, term, result)
        return result

    def _power(self, base: sympy.Expr, exponent: sympy.Expr) -> Any:
        if base is sympy.E:
            return self._exponential(self.term(exponent))
        root = self.term(base)
        if isinstance(exponent, sympy.Rational) and abs(exponent.p) <= HIGHEST_POWER:
            if exponent.q > HIGHEST_POWER:
                raise Untranslatable(f"the exponent {exponent}")
            if exponent.q != 1:
                self.obligations.append(root > 0 if exponent.p < 0 else root >= 0)
                value = self._fresh()
                is_root = z3.And(value >= 0, _whole_power(value, exponent.q) == root)
                self.axioms.append(z3.Implies(root >= 0, is_root))
                root = value
            if exponent.p >= 0:
                return _whole_power(root, int(exponent.p))
            if exponent.q == 1:
                self.obligations.append(root != 0)
            inverse = self._fresh()
            self.axioms.append(z3.Implies(root != 0, inverse * root == 1))
            return _whole_power(inverse, -int(exponent.p))
        rise = self.term(exponent)
        if not exponent.is_Integer:
            self.obligations.append(z3.Or(root > 0, z3.And(root == 0, rise > 0)))
        elif exponent < 0:
            self.obligations.append(root != 0)
        value = self._fresh()
        self.axioms += [
            z3.Implies(z3.And(root == 0, rise > 0), value == 0),
            z3.Implies(root > 0, value > 0),
            z3.Implies(z3.And(root >= 1, rise >= 0), value >= 1),
            z3.Implies(z3.And(root >= 1, rise <= 0), value <= 1),
            z3.Implies(z3.And(root > 0, root <= 1, rise >= 0), value <= 1),
            z3.Implies(z3.And(root > 0, root <= 1, rise <= 0), value >= 1),
            z3.Implies(z3.And(root > 0, rise == 0), value == 1),
            z3.Implies(z3.And(root > 0, rise == 1), value == root),
            # Bernoulli's inequality for real exponents.
            z3.Implies(
                z3.And(root > 0, z3.Or(rise >= 1, rise <= 0)), value >= 1 + rise * (root - 1)
            ),
            z3.Implies(
                z3.And(root > 0, rise >= 0, rise <= 1), value <= 1 + rise * (root - 1)
            ),
        ]
        return value

    def _exponential(self, inner: Any) -> Any:
        value = self._fresh()
        self.axioms += [
            value > 0,
            value >= 1 + inner,
            z3.Implies(inner < 1, value * (1 - inner) <= 1),
        ]
        for other, known in self._exps[-6:]:
            self.axioms += [
                z3.Implies(inner < other, value < known),
                z3.Implies(inner > other, value > known),
                z3.Implies(inner == other, value == known),
            ]
        self._exps.append((inner, value))
        for argument, log in self._logs[-4:]:
            self._link(inner, value, argument, log)
        return value

    def _link(self, inner: Any, value: Any, argument: Any, log: Any) -> None:
        """exp(u) against a and 1/a, by u against log a and -log a."""
        there = argument > 0
        self.axioms += [
            z3.Implies(z3.And(there, inner < log), value < argument),
            z3.Implies(z3.And(there, inner > log), value > argument),
            z3.Implies(z3.And(there, inner == log), value == argument),
            z3.Implies(z3.And(there, inner < -log), value * argument < 1),
            z3.Implies(z3.And(there, inner > -log), value * argument > 1),
            z3.Implies(z3.And(there, inner == -log), value * argument == 1),
        ]

    def _logarithm(self, argument: sympy.Expr) -> Any:
        inner = self.term(argument)
        self.obligations.append(inner > 0)
        value = self._fresh()
        if argument.is_Rational and argument > 0:
            low, high = enclosure(sympy.log(argument))
            self.axioms += [value >= low, value <= high]
        else:
            self.axioms += [
                z3.Implies(inner > 0, value <= inner - 1),
                z3.Implies(inner > 0, inner * value >= inner - 1),
            ]
        factors = positive_factors(argument)
        if len(factors) > 1:
            self._sum_of_logs(inner, value, factors)
        for other, known in self._logs[-6:]:
            both = z3.And(inner > 0, other > 0)
            self.axioms += [
                z3.Implies(z3.And(both, inner < other), value < known),
                z3.Implies(z3.And(both, inner > other), value > known),
                z3.Implies(z3.And(both, inner == other), value == known),
            ]
        self._logs.append((inner, value))
        for exponent, known in self._exps[-4:]:
            self._link(exponent, known, inner, value)
        return value

    def _sum_of_logs(
        self, inner: Any, value: Any, factors: list[tuple[sympy.Expr, int]]
    ) -> None:
        """log of a product as a sum, where all its factors are positive."""
        kept, self.obligations = self.obligations, []
        terms = [(self.term(base), self.term(sympy.log(base)), power) for base, power in factors]
        self.obligations = kept
        positive = z3.And(inner > 0, *[base > 0 for base, _, _ in terms])
        total = z3.Sum([power * log for _, log, power in terms])
        self.axioms.append(z3.Implies(positive, value == total))

    def _rounded(self, expr: sympy.Expr) -> Any:
        inner, value = self.term(expr.args[0]), self._fresh()
        if isinstance(expr, sympy.floor):
            self.axioms += [value <= inner, inner < value + 1]
        else:
            self.axioms += [value >= inner, inner > value - 1]
        return value

    def _series(self, expr: sympy.Basic) -> Any:
        if len(expr.limits) != 1:
            raise Untranslatable("more than one summation index")
        _, first, last = expr.limits[0]
        ends = (first.free_symbols | last.free_symbols)
        integral = all(symbol.name in self.whole for symbol in ends)
        if not integral or not polynomial_integer(first) or not polynomial_integer(last):
            raise Untranslatable("a sum whose ends may be no integers")
        if (last - first).is_Integer and last - first > MOST_TERMS:
            raise Untranslatable("a sum of too many numbers")
        closed = expr.doit()
        if closed.has(sympy.Sum, sympy.Product, sympy.Piecewise):
            raise Untranslatable("a sum without a closed form")
        # SymPy continues sums below their start by Karr's convention; here they are empty. Where a
        # closed form has no value, nothing is known of the sum: its terms may have values there.
        self.obligations.append(self.term(last) >= self.term(first) - 1)
        before = len(self.obligations)
        ends, value = (self.term(first), self.term(last)), self.term(closed)
        told, self.obligations[before:] = self.obligations[before:], []
        if not told and _vanishes_empty(expr):
            return value
        empty = z3.RealVal(0 if isinstance(expr, sympy.Sum) else 1)
        return z3.If(ends[0] > ends[1], empty, z3.If(z3.And(told), value, self._fresh()))

    def relation(self, condition: sympy.Basic) -> Any:
        """The Z3 formula of a condition. Raises: Untranslatable."""
        if condition in (sympy.true, sympy.false):
            return z3.BoolVal(condition == sympy.true)
        if isinstance(condition, sympy.And):
            return z3.And([self.relation(arg) for arg in condition.args])
        if isinstance(condition, sympy.Or):
            return z3.Or([self.relation(arg) for arg in condition.args])
        if isinstance(condition, sympy.Not):
            return z3.Not(self.relation(condition.args[0]))
        if isinstance(condition, sympy.Implies):
            premise = self.relation(condition.args[0])
            before = len(self.obligations)
            conclusion = self.relation(condition.args[1])
            self.obligations[before:] = [
                z3.Implies(premise, needed) for needed in self.obligations[before:]
            ]
            return z3.Implies(premise, conclusion)
        if not isinstance(condition, sympy.Rel):
            raise Untranslatable(f"the condition {condition}")
        left, right = self.term(condition.lhs), self.term(condition.rhs)
        kinds = {
            sympy.Le: left <= right, sympy.Lt: left < right, sympy.Ge: left >= right,
            sympy.Gt: left > right, sympy.Eq: left == right, sympy.Ne: left != right,
        }  # fmt: skip
        return kinds[type(condition)]

    def premise(self, condition: sympy.Basic, *, with_values: bool = True) -> list[Any]:
        """What a hypothesis that holds says; [] if unknown.

        Args: with_values: say too that all its parts have a value, as those of a printed one do.
        """
        kept = self.obligations
        self.obligations = []
        try:
            found = [self.relation(condition)]
            if with_values and tells_values(condition):
                found += self.obligations
        except Untranslatable:
            found = []
        self.obligations = kept
        return found


def tells_values(condition: sympy.Basic) -> bool:
    """Whether a hypothesis that holds shows what is asked elsewhere for its parts to have values.

    A disjunction may hold although one of its parts has no value. A power with a free exponent has
    one at whole exponents for every base, which is more than is asked for.
    """
    if condition.has(sympy.Or, sympy.Not, sympy.Implies):
        return False
    if any(branch.has(sympy.And) for branch in condition.atoms(sympy.Piecewise, Indicator)):
        return False  # a conjunction inside stops at the first member that fails
    if any(later is not sympy.true for branch in condition.atoms(sympy.Piecewise)
           for _, later in branch.args[1:]):
        return False  # only the condition of the first piece is always asked
    asked = {type(part) for part in condition.atoms(sympy.Function)}
    if any(issubclass(kind, UNTOLD) or kind not in FUNCTIONS for kind in asked - {sympy.Piecewise}):
        return False  # what is asked of their arguments is enough for a value, and not needed
    return all(
        power.base is sympy.E
        or (isinstance(power.exp, sympy.Rational) and abs(power.exp.p) <= HIGHEST_POWER)
        for power in condition.atoms(sympy.Pow)
    )


def positive_factors(argument: sympy.Expr) -> list[tuple[sympy.Expr, int]]:
    """Factors and powers of a rational function, signs put where they can be positive together.

    >>> d = sympy.Symbol("d", real=True)
    >>> positive_factors((d + sympy.Rational(1, 2)) / (sympy.Rational(1, 2) - d))
    [(1 - 2*d, -1), (2*d + 1, 1)]
    """
    if argument.is_number or sympy.count_ops(argument) > 60:
        return []
    if not argument.is_rational_function(*argument.free_symbols):
        return []
    number, found = sympy.S.One, []
    top, bottom = sympy.fraction(sympy.together(argument))
    for part, side in ((top, 1), (bottom, -1)):
        constant, factors = sympy.factor_list(part)
        number *= constant**side
        found += [(base, side * int(power)) for base, power in factors]
    if number < 0 and found:
        # One factor takes the sign: the one that is negative at the origin, if there is one.
        odd = [place for place, (base, power) in enumerate(found) if power % 2]
        at_origin = [p for p in odd if found[p][0].subs(dict.fromkeys(
            found[p][0].free_symbols, 0)).is_negative]  # fmt: skip
        for place in (at_origin or odd)[:1]:
            found[place] = (sympy.expand(-found[place][0]), found[place][1])
            number = -number
    if number <= 0:
        return []
    if number != 1:
        found.append((number, 1))
    return sorted(found, key=str)


def _whole_power(term: Any, exponent: int) -> Any:
    result = z3.RealVal(1)
    for _ in range(exponent):
        result = result * term
    return z3.simplify(result) if exponent <= 1 else result


def _vanishes_empty(series: sympy.Basic) -> bool:
    """Whether the closed form of a sum is zero, of a product one, just before its start."""
    index, first, _ = series.limits[0]
    end = sympy.Dummy("end", integer=True)
    closed = series.func(series.function, (index, first, end)).doit()
    neutral = 0 if isinstance(series, sympy.Sum) else 1
    return bool(sympy.expand(closed.subs(end, first - 1)) == neutral)


def polynomial_integer(expr: sympy.Expr) -> bool:
    """Integer for integer symbols: polynomials with integer coefficients only."""
    if not expr.free_symbols:
        return bool(expr.is_Integer)
    poly = expr.as_poly(*expr.free_symbols)
    return poly is not None and all(c.is_Integer for c in poly.coeffs())


def enclosure(expr: sympy.Expr) -> tuple[Any, Any]:
    """Rational ends of an interval that contains a constant, as Z3 numbers."""
    from boundcheck.exact import compiled, to_ball

    with precision(128):
        ball = to_ball(compiled(expr)(dict[str, Any]().__getitem__))
        try:
            middle, radius = midpoint(ball), fmpq(1, 10**25)
        except Undecided as error:
            raise Untranslatable(str(error)) from error
        if not arb(middle - radius) < ball < arb(middle + radius):
            raise Untranslatable(f"no rationals close to {expr} enclose it")
    return tuple(z3.RealVal(f"{end.p}/{end.q}") for end in (middle - radius, middle + radius))


def pieces(relation: sympy.Basic) -> list[sympy.Basic]:
    """Relations that together say the same, each as small as possible.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> pieces(sympy.Max(x, y) <= sympy.Min(1, x + y))
    [x <= 1, x <= x + y, y <= 1, y <= x + y]
    """
    if isinstance(relation, sympy.And):
        return [piece for arg in relation.args for piece in pieces(arg)]
    if isinstance(relation, sympy.Implies):
        premise, conclusion = relation.args
        return [sympy.Implies(premise, piece) for piece in pieces(conclusion)]
    if not isinstance(relation, INEQUALITIES):
        return [relation]
    small = relation.lts.args if isinstance(relation.lts, sympy.Max) else (relation.lts,)
    large = relation.gts.args if isinstance(relation.gts, sympy.Min) else (relation.gts,)
    if len(small) == len(large) == 1:
        return [relation]
    kind = sympy.Lt if isinstance(relation, (sympy.Lt, sympy.Gt)) else sympy.Le
    found = [kind(a, b) for a in small for b in large]
    return [piece for piece in found if piece is not sympy.true]
