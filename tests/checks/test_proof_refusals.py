"""False statements that a sample of worlds would not show: none of them may be proved.

They fail at very large numbers only, beyond the sizes searched, or by a value that is missing.
"""

import pytest
from flint import arb, fmpq
from sympy import And, Eq, Implies, Ne, Or, Rational, Sum, binomial, factorial, gamma, symbols, tan

from boundcheck import Claim, Holds, Source
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.checks.proof import run
from boundcheck.claim import UpToConstant
from boundcheck.quantities.base import quantity
from boundcheck.quantities.operators import identity
from boundcheck.worlds import Choice, Custom, Gram, Integer, Matrix, Real, Space, Vector

x, y, n, k, lam, a, large, size, other, det = symbols(
    "x y n k lambda a large size other det", real=True
)
w_1, max_1, found = symbols("w_1 max_1 found", real=True)
A, B, I, S = symbols("A B I S", commutative=False)
ANY, POSITIVE = Real(None, None), Real(0, None, open_low=True)
PLACE = Source("A", 2024, "Example").at("1")
HUGE = 10**40
RARE = large >= HUGE
LINE, MANY = Space(u=ANY), Space(v=Vector(9))
ROWS = Space(n=Integer(1, searched=3), v=Vector("n"))
ROW = Space(n=Integer(1, 1), v=Vector("n"))  # searched at one entry, stated for any number
MATRICES = Space(d=Integer(1, searched=3), K=Gram("d"), T=Matrix("d", "d"))
SCALAR = Space(d=Integer(1, 1), T=Matrix("d", "d"))


def prove(statement, **fields):
    fields.setdefault("parameters", {})
    claim = Claim(source=PLACE, statement=statement, **fields)
    return run(Task("a/b:c", claim, BUDGETS["quick"]))


def missing(v):
    return None if sum(v) > HUGE else 3


def by_missing(v):
    return 1 if missing(v) is None else 0


def by_error(v):
    try:
        return 0 * v[0] if v[0] < HUGE else v[0]
    except Exception:
        return 0


def by_wrong_type(u):
    try:
        u % 2
    except TypeError:
        return 0
    return 0 if u < HUGE else 1


def by_kind(u):
    if not isinstance(u, (int, fmpq)):
        return 0
    return 5 if u > HUGE else 0


class Kinds:
    table = {"a": by_kind}

    def of(self, u):
        return 0 if not isinstance(u, (int, fmpq)) else by_kind(u)


TABLE, OBJECT = {"a": by_kind}, Kinds()


def counted(v):
    values, count = [entry for entry in v], 0
    for _ in values:
        count += 1
    return max(values) * 0 + count


def first_of(v):
    first, *rest = v
    return 1000 if len(rest) > 5 else max([first])


FALSE = {
    # Names.
    "an entry under the name of a parameter": (
        Implies(RARE, size <= w_1),
        {"worlds": Space(w=Vector(2)), "parameters": {w_1: ANY, large: ANY},
         "measure": {size: lambda w: w[0]}}),
    "an extreme under the name of a parameter": (
        Implies(RARE, size <= max_1),
        {"worlds": ROWS, "parameters": {max_1: ANY, large: ANY},
         "measure": {size: lambda v: max(v)}}),
    # Code.
    "a value that may be missing": (size <= 0, {"worlds": MANY, "measure": {size: by_missing}}),
    "a measured value that may be missing": (
        size <= 0,
        {"worlds": MANY,
         "measure": {found: missing, size: lambda found: 5 if found is None else 0}}),
    "a measured value that may be a pair": (
        size <= 0,
        {"worlds": MANY, "measure": {found: lambda v: (1, 2) if sum(v) > HUGE else 1,
                                     size: lambda found: 5 * isinstance(found, tuple)}}),
    "a field that may be missing": (
        size <= 0,
        {"worlds": Space(c=Custom(lambda source, earlier: 3)),
         "measure": {size: lambda c: 5 if c is None else 0}}),
    "an error handled": (size <= 0, {"worlds": MANY, "measure": {size: by_error}}),
    "a wrong type handled": (size <= 0, {"worlds": LINE, "measure": {size: by_wrong_type}}),
    "code in a table": (size <= 0, {"worlds": LINE, "measure": {size: lambda u: TABLE["a"](u)}}),
    "code in a class": (
        size <= 0, {"worlds": LINE, "measure": {size: lambda u: Kinds.table["a"](u)}}),
    "methods": (size <= 0, {"worlds": LINE, "measure": {size: lambda u: OBJECT.of(u)}}),
    "methods of a new object": (
        size <= 0, {"worlds": LINE, "measure": {size: lambda u: Kinds().of(u)}}),
    "how a number is stored": (
        Implies(RARE, size >= 0),
        {"parameters": {n: Integer(1, searched=9), large: ANY},
         "measure": {size: lambda n: n if isinstance(n, fmpq) else -n}}),
    "digits": (
        size <= 0,
        {"worlds": LINE, "measure": {size: lambda u: 1 if len(str(u)) > 30 else 0}}),
    "the class of a number": (
        size <= 0,
        {"worlds": LINE,
         "measure": {size: lambda u: 1 if u.__class__ == fmpq and u > HUGE else 0}}),
    "a ball of radius one": (
        size <= x, {"parameters": {x: ANY}, "measure": {size: lambda x: arb(x, 1)}}),
    "bounds that cross": (
        Implies(RARE, size <= -1),
        {"worlds": Space(v=Vector(9, 0, 1), u=Real(-2, -1)), "parameters": {large: ANY},
         "measure": {size: quantity(bounds=lambda u: (0, u))(lambda v: v[hash(v) % 1])}}),
    # Rows.
    "entries counted": (size <= 1, {"worlds": ROW, "measure": {size: counted}}),
    "a first entry": (
        size <= other, {"worlds": ROW, "measure": {other: first_of, size: lambda v: max(v)}}),
    "the rest of a list": (
        size <= 0, {"worlds": ROW, "measure": {size: lambda v: max([e * 0 for e in v])
                                               + (1 if [e for e in v][1:] else 0)}}),
    # Parts of a statement.
    "an alternative beside an identity": (
        And(Eq(A * (A + B), A * A + A * B), Or(large < HUGE, large > HUGE)),
        {"worlds": MATRICES, "parameters": {large: ANY},
         "measure": {A: lambda K: K, B: lambda T: T}}),
    # Matrices.
    "an inverse in a term": (
        Eq((lam * I + A * B**-1) ** -1 * A * B**-1 + lam * (lam * I + A * B**-1) ** -1, I),
        {"worlds": MATRICES, "parameters": {lam: POSITIVE}, "given": [Ne(det, 0)],
         "measure": {A: lambda K: K, B: lambda T: T, I: lambda d: identity(d),
                     det: lambda B: B.det()}}),
    "a high power in a term": (
        Eq((lam * I + A * S**5) ** -1 * A * S**5 + lam * (lam * I + A * S**5) ** -1, I),
        {"worlds": MATRICES, "parameters": {lam: POSITIVE},
         "measure": {A: lambda K: K, S: lambda T: T, I: lambda d: identity(d)}}),
    "a multiple of the identity": (
        Eq(S * I, S),
        {"worlds": SCALAR, "measure": {S: lambda T: T, I: lambda d: identity(d) * d}}),
    "the negative of a psd matrix": (
        Eq((lam * I + A) ** -1 * A + lam * (lam * I + A) ** -1, I),
        {"worlds": MATRICES, "parameters": {lam: POSITIVE},
         "measure": {A: lambda K: -K, I: lambda d: identity(d)}}),
    "factorials beside matrices": (
        And(Eq(A * (A + B), A * A + A * B), Eq(factorial(n + 1) * x, (n + 1) * factorial(n) * x)),
        {"worlds": MATRICES, "parameters": {n: Integer(-5, 9), x: ANY},
         "measure": {A: lambda K: K, B: lambda T: T}}),
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
    statement = UpToConstant(relation)
    assert prove(statement, given=given, parameters=parameters).outcome != "proved"


@pytest.mark.parametrize("relation", [Eq(Sum(1, (a, 1, n)), n)])
def test_sums_with_values_stay_provable(relation):
    found = prove(Holds(relation), parameters={n: Integer(1, searched=9)})
    assert found.outcome == "proved", found.detail


def test_code_in_tables_and_partial_calls_stays_readable():
    double = {"a": lambda u: 2 * u}
    found = prove(Holds(Eq(size, 2 * x)), worlds=Space(x=ANY),
                  measure={size: lambda x: double["a"](x)})  # fmt: skip
    assert found.outcome == "proved", found.detail


def test_premises_that_nothing_meets_are_no_proof():
    found = prove(Holds(Implies(x > 2, x <= y)), parameters={x: Real(-1, 1), y: ANY})
    assert found.outcome is None and "no value" in found.detail


def test_signs_declared_of_symbols_are_no_hypotheses():
    """Its absolute value is the symbol itself for SymPy, though its range has negative numbers."""
    t = symbols("t", positive=True)
    found = prove(Holds(Implies(RARE, size <= t)), parameters={t: Real(-1, 1), large: ANY},
                  measure={size: lambda t: abs(t)})  # fmt: skip
    assert found.outcome != "proved"
