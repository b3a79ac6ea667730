"""Every axiom that Z3 is given is true of the functions it stands for, at random numbers."""

import math
import random

import pytest
import sympy
import z3

from boundcheck.checks.proofs.reals import Translation, Untranslatable

x, y = sympy.symbols("x y", real=True)
k = sympy.Symbol("k")
SLACK = 1e-9  # of floats: some hundred units in the last place of the numbers met
EXPRESSIONS = (
    sympy.exp(x), sympy.log(x), x**y, sympy.sqrt(x), 1 / x, sympy.Abs(x - y), sympy.Max(x, y, 1),
    sympy.Min(x, y), sympy.sin(x), sympy.tanh(x), sympy.erf(y), sympy.floor(x), sympy.ceiling(y),
    sympy.log(x * y**2), sympy.exp(x) * sympy.exp(y) + sympy.log(y) - sympy.log(x), sympy.pi * x,
    sympy.cbrt(x), x**3, 1 / (x + y), sympy.log(sympy.Rational(7, 3)) * sympy.E,
    sympy.exp(x - y) + sympy.log(1 + sympy.exp(x)), x ** (y - 2),
)


def value(term, known):
    """A Z3 term in floats; comparisons within SLACK count as true."""
    kind, parts = term.decl().kind(), term.children()
    if z3.is_rational_value(term):
        return term.numerator_as_long() / term.denominator_as_long()
    if z3.is_const(term) and kind == z3.Z3_OP_UNINTERPRETED:
        return known[term.decl().name()]
    if kind == z3.Z3_OP_ITE:
        return value(parts[1] if value(parts[0], known) else parts[2], known)
    if kind == z3.Z3_OP_IMPLIES:
        # A premise that only rounding makes true asks for nothing.
        return not firmly(parts[0], known) or value(parts[1], known)
    found = [value(part, known) for part in parts]
    if kind == z3.Z3_OP_POWER:
        return found[0] ** found[1]
    rules = {
        z3.Z3_OP_ADD: lambda: sum(found), z3.Z3_OP_MUL: lambda: math.prod(found),
        z3.Z3_OP_SUB: lambda: found[0] - sum(found[1:]), z3.Z3_OP_UMINUS: lambda: -found[0],
        z3.Z3_OP_DIV: lambda: found[0] / found[1], z3.Z3_OP_AND: lambda: all(found),
        z3.Z3_OP_OR: lambda: any(found), z3.Z3_OP_NOT: lambda: not found[0],
        z3.Z3_OP_TO_REAL: lambda: found[0], z3.Z3_OP_TRUE: lambda: True,
        z3.Z3_OP_LE: lambda: found[0] <= found[1] + slack(found),
        z3.Z3_OP_LT: lambda: found[0] < found[1] + slack(found),
        z3.Z3_OP_GE: lambda: found[0] >= found[1] - slack(found),
        z3.Z3_OP_GT: lambda: found[0] > found[1] - slack(found),
        z3.Z3_OP_EQ: lambda: abs(found[0] - found[1]) <= slack(found),
    }  # fmt: skip
    return rules[kind]()


def slack(pair):
    return SLACK * max(1.0, *map(abs, pair))


def firmly(premise, known):
    """Whether a premise holds with room, so that floats cannot have made it true."""
    kind, parts = premise.decl().kind(), premise.children()
    if kind in (z3.Z3_OP_AND, z3.Z3_OP_OR):
        return (all if kind == z3.Z3_OP_AND else any)(firmly(part, known) for part in parts)
    if kind == z3.Z3_OP_NOT:
        return not value(parts[0], known)
    left, right = (value(part, known) for part in parts)
    gap = slack((left, right))
    return {
        z3.Z3_OP_LE: left <= right - gap, z3.Z3_OP_LT: left < right - gap,
        z3.Z3_OP_GE: left >= right + gap, z3.Z3_OP_GT: left > right + gap,
        z3.Z3_OP_EQ: left == right, z3.Z3_OP_DISTINCT: abs(left - right) > gap,
    }[kind]  # fmt: skip


def true_values(translation, point):
    """Floats of every variable that stands for an expression, by its name."""
    known = {symbol.name: number for symbol, number in point.items()}
    for expr, (term, _) in translation._terms.items():
        if z3.is_const(term) and not z3.is_rational_value(term):
            known.setdefault(term.decl().name(), float(expr.subs(point).evalf(30)))
    return known


@pytest.mark.parametrize("expr", EXPRESSIONS, ids=str)
def test_axioms_hold_at_random_numbers(expr):
    rng = random.Random(str(expr))
    translation = Translation(set())
    translation.term(expr)
    checked = 0
    for _ in range(40):
        numbers = rng.uniform(0.01, 1), rng.uniform(1, 6), float(rng.randint(1, 5))
        point = {s: rng.choice(numbers) for s in (x, y)}
        known = true_values(translation, point)
        for axiom in translation.axioms:
            try:
                assert value(axiom, known), (axiom, point)
            except KeyError:
                continue  # speaks of a part that has no expression of its own
            checked += 1
    assert checked or not translation.axioms


def test_a_sum_of_a_billion_numbers_is_not_made():
    with pytest.raises(Untranslatable, match="too many"):
        Translation(set()).term(sympy.Sum(1 / k**3, (k, 1, 10**9)))


class Continued(sympy.Sum):
    """A sum of ones whose closed form goes on where there is nothing to sum."""

    def doit(self, **hints):
        return self.limits[0][2] + 1


@pytest.mark.parametrize("series", [
    Continued(1, (k, 1, y)), sympy.Sum(1 / ((k + x) * (k + x + 1)), (k, 1, y)),
])  # fmt: skip
def test_a_sum_of_nothing_is_zero_whatever_its_closed_form_is(series):
    translation = Translation({"y"})
    found = translation.term(series)
    solver = z3.Solver()
    solver.add(*translation.axioms, translation.variable("y") == 0, found != 0)
    assert solver.check() == z3.unsat
