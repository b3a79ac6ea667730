"""False statements that a sample of worlds would not show: none of them may be proved.

They fail at very large numbers only, beyond the sizes searched, or by a value that is missing.
"""

import pytest
from flint import fmpq
from sympy import (
    Abs,
    And,
    Eq,
    Implies,
    Ne,
    Or,
    Rational,
    Sum,
    Symbol,
    binomial,
    factorial,
    gamma,
    symbols,
    tan,
)

from boundcheck import Claim, Holds, Source
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.checks.proof import run
from boundcheck.claim import UpToConstant
from boundcheck.errors import MalformedStatement
from boundcheck.expressions import (
    define,
    determinant,
    greatest,
    identity,
    index,
    parameter,
    primitive,
    world,
)
from boundcheck.worlds import Choice, Gram, Integer, Matrix, Real, Space, Vector

x, y, n, k, a, large, size = symbols("x y n k a large size", real=True)
w_1, max_1 = symbols("w_1 max_1", real=True)
ANY, POSITIVE = Real(None, None), Real(0, None, open_low=True)
PLACE = Source("A", 2024, "Example").at("1")
HUGE = 10**40
RARE = large >= HUGE
pair, u_ = world("w", Vector(2)), world("u", Vector(9))
long, d = world("n", Integer(1, searched=3)), world("d", Integer(1, searched=3))
v, i = world("v", Vector(long)), index("i", long)
K, T, I = world("K", Gram(d)), world("T", Matrix(d, d)), identity(d)
ridge = parameter("lambda", POSITIVE)


@primitive(facts=("nonnegative",))
def claimed(v):
    """Whose sign is wrong far away."""
    return 1 if v[0] < HUGE else -1


def prove(statement, **fields):
    fields.setdefault("parameters", {})
    claim = Claim(source=PLACE, statement=statement, **fields)
    return run(Task("a/b:c", claim, BUDGETS["quick"]))


def split(term):
    """(lambda I + A)^-1 A + lambda (lambda I + A)^-1 = I."""
    inverse = (ridge * I + term) ** -1
    return Eq(inverse * term + ridge * inverse, I)


FALSE = {
    # Names.
    "an entry under the name of a parameter": (
        Implies(RARE, pair[0] <= w_1), {"parameters": {w_1: ANY, large: ANY}}),
    "an extreme under the name of a parameter": (
        Implies(RARE, greatest(v[i], i) <= max_1), {"parameters": {max_1: ANY, large: ANY}}),
    # Code: what a definition in Python does beyond what it says is not seen.
    "a definition in Python": (
        size <= 0, {"worlds": Space(u=ANY), "measure": {size: lambda u: 1 if u > HUGE else 0}}),
    "a sign that a statement file declares": (
        Implies(RARE, define("size", claimed(u_)) >= 0), {"parameters": {large: ANY}}),
    # Parts of a statement.
    "an alternative beside an identity": (
        And(Eq(K * (K + T), K * K + K * T), Or(large < HUGE, large > HUGE)),
        {"parameters": {large: ANY}}),
    # Matrices.
    "an inverse in a term": (split(K * T**-1), {"given": [Ne(determinant(T), 0)]}),
    "a high power in a term": (split(K * T**5), {}),
    "a multiple of the identity": (Eq(T * (d * I), T), {}),
    "the negative of a psd matrix": (split(-K), {}),
    "factorials beside matrices": (
        And(Eq(K * (K + T), K * K + K * T), Eq(factorial(n + 1) * x, (n + 1) * factorial(n) * x)),
        {"parameters": {n: Integer(-5, 9), x: ANY}}),
    # Sums and functions without a value.
    "a term without a value": (
        Eq(Sum(y / (a - 1000), (a, 1, n)), y * Sum(1 / (a - 1000), (a, 1, n))),
        {"parameters": {y: ANY, n: Integer(1, searched=9)}}),
    "a sum up to a fraction": (
        Implies(RARE, Eq(Sum(1, (a, 1, n)), n)),
        {"worlds": Space(n=Choice((1, 2, 3, fmpq(5, 2)))), "parameters": {large: ANY}}),
    "a hypothesis on an empty sum": (
        Implies(RARE, n >= 0),
        {"parameters": {n: Integer(-9, 9), large: ANY}, "given": [Sum(a, (a, 1, n)) >= -1]}),
    "a hypothesis on whole powers of negative numbers": (
        Eq(x, 1), {"parameters": {x: ANY, y: ANY},
                    "given": [Rational(-1, 3) ** (y - x) >= 1, x >= -1, x <= 1]}),
    "a hypothesis on whole powers of a symbol": (
        Implies(RARE, y >= 0),
        {"parameters": {x: ANY, y: ANY, large: ANY}, "given": [y**x <= 5, x >= 0]}),
    "a high power of a negative number": (
        Implies(RARE, y >= 0),
        {"parameters": {y: ANY, large: ANY}, "given": [y**25 <= 5]}),
    "decimals that rounding loses": (
        Implies(RARE, Eq((x + 1.0) ** 2 + 1e-17, x**2 + 2 * x + 1)),
        {"parameters": {x: ANY, large: ANY}}),
    "gamma at its poles": (
        Implies(RARE, Eq(gamma(x + 1), x * gamma(x))), {"parameters": {x: ANY, large: ANY}}),
    "a factorial below zero": (
        Implies(RARE, Eq(factorial(n + 1), (n + 1) * factorial(n))),
        {"parameters": {n: Integer(-5, 9), large: ANY}}),
    "binomials below zero": (
        Implies(RARE, Eq(binomial(n, k) * factorial(k) * factorial(n - k), factorial(n))),
        {"parameters": {n: Integer(-5, 9), k: Integer(-5, 9), large: ANY}}),
    "a tangent at its poles": (
        Implies(RARE, Eq(tan(x) * x**2, x * tan(x) * (x + 1) - x * tan(x))),
        {"parameters": {x: ANY, large: ANY}}),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_what_fails_in_a_corner_is_not_proved(name):
    relation, fields = FALSE[name]
    found = prove(Holds(relation), **fields)
    assert found.outcome != "proved", found.detail


def test_an_alternative_is_no_comparison_up_to_a_constant():
    relation = And(x <= 2 * y, Or(large < HUGE, large > HUGE))
    given = [y >= 0, x <= 4 * y]
    parameters = {x: ANY, y: ANY, large: ANY}
    with pytest.raises(MalformedStatement, match="is no comparison"):
        prove(UpToConstant(relation), given=given, parameters=parameters)


@pytest.mark.parametrize("relation", [Eq(Sum(1, (a, 1, n)), n)])
def test_sums_with_values_stay_provable(relation):
    found = prove(Holds(relation), parameters={n: Integer(1, searched=9)})
    assert found.outcome == "proved", found.detail


def test_premises_that_nothing_meets_are_no_proof():
    found = prove(Holds(Implies(x > 2, x <= y)), parameters={x: Real(-1, 1), y: ANY})
    assert found.outcome is None and "no value" in found.detail


def test_signs_declared_of_symbols_are_no_hypotheses():
    """Its absolute value is the symbol itself for SymPy, though its range has negative numbers."""
    t = symbols("t", positive=True)
    relation = Implies(RARE, define("size", Abs(Symbol("t", real=True))) <= t)
    with pytest.raises(MalformedStatement, match="t is declared positive"):
        prove(Holds(relation), parameters={t: Real(-1, 1), large: ANY})
    found = prove(Holds(relation), parameters={t: Real(1, 2), large: ANY})
    assert found.outcome != "proved"
