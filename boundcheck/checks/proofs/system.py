"""What is known of some reals, and whether a comparison follows from it.

The routes, cheapest first: logarithms of products, Z3 on the statement, Z3 on polynomials. Each
says which it was, or nothing; what Z3 showed is kept for a second solver.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import sympy

from boundcheck.arithmetic import FUNCTIONS
from boundcheck.checks.proofs.reals import polynomial_integer
from boundcheck.setting import INEQUALITIES, flatten

QUICK = 200_000
BRANCHES = 2
TRIED_AT_ZERO = 3
SERIES = (sympy.Sum, sympy.Product)
READABLE = 500  # operations of a statement that is handed to the routes
Z3_ROUTE = "Z3, nonlinear real arithmetic"


def forget_terms() -> None:
    """Starts Z3 anew: what it finds depends on the terms it has numbered before, and a verdict must
    not depend on which claims the process has seen."""
    from z3 import z3

    z3._main_ctx = None


@dataclass
class System:
    """Premises over real symbols and the provers that use them.

    Args:
        premises: relations that hold. hypotheses: printed ones, which hold and so have a value.
        whole: names of symbols that take integer values.
        steps: of Z3, per query.
    """

    premises: list[sympy.Basic]
    hypotheses: list[sympy.Basic]
    whole: set[str]
    steps: int

    def __post_init__(self) -> None:
        self.low: dict[sympy.Symbol, sympy.Rational] = {}
        self.high: dict[sympy.Symbol, sympy.Rational] = {}
        self.strict: set[sympy.Symbol] = set()
        for premise in self.known():
            self._bound(premise)
        self._positive: dict[sympy.Expr, bool] = {}
        self.shown: list[str] = []  # what Z3 showed, for a second solver
        self.countered = False  # whether Z3 found the last goal to fail somewhere

    def known(self) -> list[sympy.Basic]:
        """All premises, conjunctions taken apart."""
        found = (c for condition in (*self.hypotheses, *self.premises) for c in flatten(condition))
        return [condition for condition in found if condition is not sympy.true]

    def with_premise(self, *conditions: sympy.Basic) -> System:
        """The same with more known."""
        return self._alike([*self.premises, *conditions], self.hypotheses)

    def _alike(self, premises: list[sympy.Basic], hypotheses: list[sympy.Basic]) -> System:
        new = System(premises, hypotheses, self.whole, self.steps)
        new.shown = self.shown
        return new

    def _bound(self, premise: sympy.Basic) -> None:
        if not isinstance(premise, INEQUALITIES):
            return
        small, large = premise.lts, premise.gts
        strict = isinstance(premise, (sympy.Lt, sympy.Gt))
        if large.is_Symbol and small.is_Rational:
            if large not in self.low or small > self.low[large]:
                self.low[large] = small
            if strict and small >= 0:
                self.strict.add(large)
        if small.is_Symbol and large.is_Rational:
            self.high[small] = min(large, self.high.get(small, large))

    # Signs.

    def positive(self, expr: sympy.Expr) -> bool:
        """Whether an expression is shown to be positive."""
        if expr not in self._positive:
            self._positive[expr] = self._shows_positive(expr)
        return self._positive[expr]

    def _shows_positive(self, expr: sympy.Expr) -> bool:
        if expr.is_number:
            return bool(expr.is_positive)
        if expr.is_Symbol:
            if self.low.get(expr, sympy.S.NegativeOne) > 0 or expr in self.strict:
                return True
            return any(c.has(expr) for c in self.known()) and self.follows([expr > 0], QUICK)
        if isinstance(expr, sympy.exp):
            return True
        if expr.is_Pow and self.positive(expr.base):
            return True
        if isinstance(expr, sympy.Abs) and self.positive(expr.args[0]):
            return True
        if expr.is_Mul and all(self.positive(arg) for arg in expr.args):
            return True
        if isinstance(expr, sympy.Min) and all(self.positive(arg) for arg in expr.args):
            return True
        if isinstance(expr, sympy.Max) and any(self.positive(arg) for arg in expr.args):
            return True
        if expr.is_Add and all(self.positive(arg) for arg in expr.args):
            return True
        return sympy.count_ops(expr) <= 40 and self.follows([expr > 0], QUICK)

    def nonnegative(self, expr: sympy.Expr) -> bool:
        """Whether an expression is shown to be at least zero by ranges alone."""
        if expr.is_number:
            return bool(expr.is_nonnegative)
        if expr.is_Symbol:
            return bool(self.low.get(expr, sympy.S.NegativeOne) >= 0)
        if expr.is_Add or expr.is_Mul:
            return all(self.nonnegative(arg) for arg in expr.args)
        if expr.is_Pow:
            return (expr.exp.is_Integer and expr.exp % 2 == 0) or self.nonnegative(expr.base)
        return isinstance(expr, (sympy.exp, sympy.Abs))

    # Z3.

    def follows(self, goals: list[sympy.Basic], steps: int = 0, *, valued: bool = True) -> bool:
        """Whether Z3 shows all goals. Args: valued: their parts are known to have values."""
        from boundcheck.checks.proofs.reals import Translation, Untranslatable

        translation = Translation(self.whole)
        try:
            found = [translation.relation(goal) for goal in goals]
        except Untranslatable:
            return False
        needed = list(translation.obligations)
        premises = [
            term for kept, values in ((self.hypotheses, True), (self.premises, False))
            for condition in kept
            for term in translation.premise(condition, with_values=values)
        ]  # fmt: skip
        if valued:
            premises += needed
        else:
            found += needed
        return self._closes(found, premises + translation.axioms, steps)

    def _closes(self, goals: list[Any], premises: list[Any], steps: int = 0) -> bool:
        import z3

        solver = z3.SolverFor("QF_NRA")
        # Steps, not seconds, so that a verdict does not depend on the machine.
        solver.set("rlimit", min(steps or self.steps, self.steps))
        solver.add(*premises)
        solver.add(z3.Not(z3.And(goals)))
        result = solver.check()
        self.countered = result == z3.sat
        if result == z3.unsat:
            self.shown.append(solver.to_smt2())
        return bool(result == z3.unsat)

    # One comparison.

    def shows(self, goal: sympy.Basic, *, branches: int = BRANCHES) -> str | None:
        """How a statement, whose parts are known to have values, follows from the premises."""
        if goal in (sympy.true, True):
            return "SymPy evaluation"
        if goal in (sympy.false, False) or sympy.count_ops(goal) > READABLE:
            return None
        if isinstance(goal, sympy.And):
            return joined(self.shows(arg, branches=branches) for arg in goal.args)
        if isinstance(goal, sympy.Implies):
            premise, conclusion = goal.args
            return self.with_premise(premise).shows(conclusion, branches=branches)
        if isinstance(goal, sympy.Rel):
            if not goal.free_symbols:
                return "ball arithmetic" if _holds(goal) else None
            found = self._logarithms(goal)
            if found:
                return found
        if self.follows([goal], QUICK):
            return Z3_ROUTE
        if self.countered and all(_polynomial(part) for part in (goal, *self.known())):
            return None
        if isinstance(goal, sympy.Rel):
            found = self._polynomials(goal) or (self._at_zero(goal, branches) if branches else None)
            if found:
                return found
        return Z3_ROUTE if self.follows([goal]) else None

    def _cleared(self, goal: sympy.Rel) -> tuple[sympy.Basic | None, System]:
        from boundcheck.checks.proofs.polynomials import Letters, cleared

        at_least_zero = {symbol for symbol, low in self.low.items() if low >= 0}
        letters = Letters(at_least_zero, [goal, *self.known()])
        try:
            polynomial = cleared(letters.put(goal))
            premises = []
            for premise in (*self.known(), *requirements(goal)):
                moved = letters.put(premise)
                simple = cleared(moved) if isinstance(moved, sympy.Rel) else None
                premises.append(moved if simple is None else simple)
        except (sympy.polys.polyerrors.BasePolynomialError, NotImplementedError, TypeError):
            return None, self
        premises += [each >= 0 for power in letters.letters.values() for each in power.free_symbols]
        kept = [p for p in premises if p not in (sympy.true, sympy.false)]
        return polynomial, self._alike(kept, [])

    def _polynomials(self, goal: sympy.Rel) -> str | None:
        polynomial, moved = self._cleared(goal)
        if polynomial is None or polynomial is sympy.false:
            return None
        # Where x = 0 a root of x y has a value, and sqrt(x) sqrt(y) need not: values are shown.
        return f"{Z3_ROUTE} on polynomials" if moved.follows([polynomial], valued=False) else None

    def _logarithms(self, goal: sympy.Rel) -> str | None:
        from boundcheck.checks.proofs.logarithms import Logarithms, small_powers
        from boundcheck.checks.proofs.reals import Translation

        powers = goal.atoms(sympy.Pow)
        if not powers or isinstance(goal, (sympy.Eq, sympy.Ne)) or not small_powers([goal]):
            return None
        numbers = Translation(self.whole)
        logs = Logarithms(self.positive, numbers)
        wanted = logs.relation(goal)
        if wanted is None:
            return None
        known = [logs.relation(premise) for premise in self.known()]
        for premise in self.known():
            known += numbers.premise(premise, with_values=False)
        premises = [p for p in known if p is not None]
        steps = self.steps // 2
        if self._closes([wanted], premises + logs.axioms + numbers.axioms, steps):
            return "logarithms of products, Z3"
        return None

    def _at_zero(self, goal: sympy.Rel, branches: int) -> str | None:
        """Apart where a nonnegative symbol is zero, which has no logarithm."""
        symbols = [s for s in sorted(goal.free_symbols, key=str) if self.nonnegative(s)]
        for symbol in [s for s in symbols if not self.positive(s)][:TRIED_AT_ZERO]:
            above = self.with_premise(symbol > 0).shows(goal, branches=branches - 1)
            if above is None:
                continue
            rest = [_at(condition, symbol) for condition in self.known()]
            if sympy.false in rest:
                return above
            kept = [c for c in rest if c is not None and c is not sympy.true]
            at = self._alike(kept, [])
            here = _at(goal, symbol)
            if here is None:
                continue
            below = at.shows(here, branches=branches - 1)
            if below is not None:
                return above if below == above else f"{above}; {below} at {symbol} = 0"
        return None


def _at(condition: sympy.Basic, symbol: sympy.Symbol) -> sympy.Basic | None:
    """A condition where a symbol is zero; None if it has no value there."""
    try:
        found = condition.subs(symbol, 0)
    except TypeError:  # SymPy refuses to compare what has no value
        return None
    return None if found.has(sympy.nan, sympy.zoo, sympy.oo) else found


def requirements(condition: sympy.Basic) -> list[sympy.Basic]:
    """What must hold for every part of a statement to have a value, under the premises it names."""
    if isinstance(condition, sympy.Implies):
        premise, conclusion = condition.args
        guarded = [sympy.Implies(premise, needed) for needed in requirements(conclusion)]
        return [*requirements(premise), *guarded]
    if isinstance(condition, (sympy.And, sympy.Or, sympy.Not)):
        return [needed for arg in condition.args for needed in requirements(arg)]
    return _of_expression(condition)


def _of_expression(expr: sympy.Basic) -> list[sympy.Basic]:
    if isinstance(expr, sympy.Piecewise):
        found: list[sympy.Basic] = []
        earlier: list[sympy.Basic] = []
        for value, condition in expr.args:
            found += requirements(condition)
            here = sympy.And(condition, *[sympy.Not(other) for other in earlier])
            found += [sympy.Implies(here, needed) for needed in _of_expression(value)]
            earlier.append(condition)
        return [*found, sympy.Or(*earlier)]
    if isinstance(expr, SERIES):
        return _of_series(expr)
    if not expr.args:
        return []
    inner = [needed for arg in expr.args for needed in _of_expression(arg)]
    return [*inner, *own_requirements(expr)]


def own_requirements(expr: sympy.Basic) -> list[sympy.Basic]:
    """What the arguments of one operation must meet for it to have a value."""
    if isinstance(expr, sympy.Pow) and expr.base is not sympy.E:
        if isinstance(expr.exp, sympy.Integer):
            return [sympy.Ne(expr.base, 0, evaluate=False)] if expr.exp < 0 else []
        if isinstance(expr.exp, sympy.Rational):
            kind = sympy.Ge if expr.exp > 0 else sympy.Gt
            return [kind(expr.base, 0, evaluate=False)]
        above = sympy.Gt(expr.base, 0, evaluate=False)
        at_zero = sympy.And(sympy.Eq(expr.base, 0), sympy.Gt(expr.exp, 0))
        return [above if at_zero is sympy.false else sympy.Or(above, at_zero)]
    if isinstance(expr, sympy.log):
        return [sympy.Gt(expr.args[0], 0, evaluate=False)]
    if isinstance(expr, (sympy.asin, sympy.acos)):
        return [sympy.Le(sympy.Abs(expr.args[0]), 1, evaluate=False)]
    if isinstance(expr, sympy.tan):
        return [sympy.Ne(sympy.cos(expr.args[0]), 0, evaluate=False)]
    if isinstance(expr, sympy.gamma):
        return [sympy.Gt(expr.args[0], 0, evaluate=False)]
    # Of factorials, and of what has no exact rule, nothing is known.
    known = type(expr) in FUNCTIONS and not isinstance(expr, (sympy.factorial, sympy.binomial))
    return [] if known or not isinstance(expr, sympy.Function) else [sympy.false]


def _of_series(expr: sympy.Basic) -> list[sympy.Basic]:
    """No sum begins after its end, and its terms have values at all indices between them."""
    found: list[sympy.Basic] = [sympy.Ge(last, first - 1) for _, first, last in expr.limits]
    moved = {index: sympy.Dummy(f"index {index}", real=True) for index, *_ in expr.limits}
    between = [c.xreplace(moved) for index, first, last in expr.limits
               for c in (sympy.Ge(index, first), sympy.Le(index, last))]  # fmt: skip
    needed = [c.xreplace(moved) for c in _of_expression(expr.function)]
    return [*found, *[sympy.Implies(sympy.And(*between), c) for c in needed]]


def integral(series: sympy.Basic, whole: set[str]) -> bool:
    """Whether the ends of a sum are integers."""
    ends = [end for _, first, last in series.limits for end in (first, last)]
    return all(
        polynomial_integer(end) and all(s.name in whole for s in end.free_symbols) for end in ends
    )


def joined(found: Iterable[str | None]) -> str | None:
    """The methods of several parts in one text, or None if one part has none."""
    methods: dict[str, None] = {}
    for method in found:
        if method is None:
            return None
        methods.setdefault(method)
    return "; ".join(methods)


def _holds(goal: sympy.Basic) -> bool:
    from boundcheck.errors import Undefined
    from boundcheck.exact import PRECISIONS, decide, precision

    for bits in PRECISIONS:
        with precision(bits):
            try:
                truth = decide(goal, dict[str, Any]().__getitem__)
            except (Undefined, NotImplementedError):
                return False
        if truth is not None:
            return truth
    return False


def _polynomial(goal: sympy.Basic) -> bool:
    return all(
        isinstance(part, sympy.Rel) and (part.lhs - part.rhs).is_polynomial()
        for part in goal.atoms(sympy.Rel)
    )

