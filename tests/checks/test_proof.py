"""Proofs: what must close, what must never close, and countermodels that are certified."""

import pytest
import sympy
from flint import fmpq
from sympy import Eq, Implies, Max, Rational, Sum, exp, log, sin, sqrt, symbols

from boundcheck import Claim, Expected, Holds, Source
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.checks.proof import domain_text, run
from boundcheck.checks.proofs.polynomials import cleared
from boundcheck.claim import UpToConstant, WithProbability
from boundcheck.engine import verify
from boundcheck.expressions import define, identity, outcome, parameter, world
from boundcheck.library import load_library, shipped_root
from boundcheck.setting import Setting
from boundcheck.worlds import Choice, Gram, Integer, Matrix, Real, Signs, Space, Vector

x, y, a, n, delta = symbols("x y a n delta", real=True)
mean = sympy.Symbol("mean", real=True)
ANY, POSITIVE = Real(None, None), Real(0, None, open_low=True)
PLACE = Source("A", 2024, "Example").at("1")


def prove(statement, budget="quick", **fields):
    fields.setdefault("parameters", {s: ANY for s in (x, y) if s in statement.free_symbols()})
    claim = Claim(source=PLACE, statement=statement, **fields)
    return run(Task("a/b:c", claim, BUDGETS[budget]))


lam = parameter("lambda", POSITIVE)
d, k = world("d", Integer(1, searched=3)), world("k", Integer(1, searched=3))
A, B, P = world("K", Gram(d)), world("L", Gram(d)), world("F", Matrix(d, k))
I, J, Pt = identity(d), identity(k), P.T
v = world("v", Vector(2))
coin = outcome("eps", Signs("eps", world("one", Integer(1, 1))))
half = define("mean", (v[0] + v[1]) / 2)
TRUE = {
    "means": (Holds(x * y <= (x**2 + y**2) / 2), {}),
    "roots": (Holds(sqrt(x + y) <= sqrt(x) + sqrt(y)), {"given": [x >= 0, y >= 0]}),
    "logarithm": (Holds(log(1 + x) <= x), {"given": [x >= 0]}),
    "exponential": (Holds(1 + x <= exp(x)), {}),
    "cancellation": (Holds(Eq((x**2 - 1) / (x - 1), x + 1)), {"given": [x > 1]}),
    "solved for": (
        Holds(Implies(n >= 2 * log(2 / delta) / x**2, sqrt(2 * log(2 / delta) / n) <= x)),
        {"parameters": {x: POSITIVE, n: Integer(1, searched=9),
                        delta: Real(0, 1, open_low=True, open_high=True)}},
    ),
    "a sum": (Holds(Eq(Sum(a, (a, 1, n)), n * (n + 1) / 2)),
        {"parameters": {n: Integer(1, searched=9)}}),
    "a tail solved for n": (
        Holds(y * exp(-n * x) <= delta),
        {"given": [n >= log(y / delta) / x, y >= 1],
         "parameters": {x: POSITIVE, y: ANY, n: Integer(1, searched=9),
                        delta: Real(0, 1, open_low=True, open_high=True)}},
    ),
    "a maximum under a minimum": (
        Holds(Max(sqrt(2 * x / (3 * n)), (2 * x / n) ** Rational(1, 4)) <= y / 2),
        {"given": [x > 0, y > 0, Max(Rational(8, 3) / y**2, 32 / y**4) * x <= n],
         "parameters": {x: ANY, y: ANY, n: Integer(1, searched=9)}},
    ),
    "true of whole numbers": (Holds(n**2 - 5 * n + 6 >= 0),
                              {"parameters": {n: Integer(1, searched=9)}}),
    "a box": (Holds(sin(x) * exp(-x) <= Rational(33, 100)), {"parameters": {x: Real(0, 3)}}),
    "up to a constant": (UpToConstant(x + y <= Max(x, y)), {"given": [x >= 0, y >= 0]}),
    "with a level": (WithProbability(1 - delta, x**2 >= 2 * x - 1),
                     {"parameters": {x: ANY, delta: Real(0, 1)}}),
    "inverses": (Holds(Eq((A + lam * I)**-1 - (B + lam * I)**-1,
                          (A + lam * I)**-1 * (B - A) * (B + lam * I)**-1)), {}),
    "push-through": (Holds(Eq((P * Pt + lam * I)**-1 * P, P * (Pt * P + lam * J)**-1)), {}),
    "a measured number": (Holds(half**2 + 1 >= 2 * half), {}),
}  # fmt: skip
FALSE = {
    "means": (Holds(x * y <= (x**2 + y**2) / 3), {}),
    "roots": (Holds(sqrt(x) + sqrt(y) <= sqrt(x + y)), {"given": [x >= 0, y >= 0]}),
    "a dropped hypothesis": (Holds(x**3 >= 0), {}),
    "an integer": (Holds(n**2 - 5 * n + 6 >= Rational(1, 10)),
        {"parameters": {n: Integer(1, searched=9)}}),
    "a strict sign": (Holds(x**2 > 0), {}),
}
NEVER = {
    "division by zero": (Holds(Eq((x**2 - 1) / (x - 1), x + 1)), {}),
    "root of a negative": (Holds(sqrt(x) >= -1), {}),
    "an empty sum": (Holds(Eq(Sum(a, (a, 1, n)), n * (n + 1) / 2)),
                     {"parameters": {n: Integer(-5, 9)}}),
    "true on integers only": (Holds(x**2 - 5 * x + 6 >= 0), {"given": [x >= 1]}),
    "false above the searched range": (Holds(n <= 9), {"parameters": {n: Integer(1, searched=9)}}),
    "false beyond the other hypotheses": (Holds(x >= 1), {"given": [x >= 0]}),
    "inverse with the wrong sign": (
        Holds(Eq((A + lam * I)**-1 - (B + lam * I)**-1,
                 (A + lam * I)**-1 * (A - B) * (B + lam * I)**-1)), {}),
    "letters do not commute": (Holds(Eq(A * B, B * A)), {}),
    # A (B A)^-1 B is a projection; it is the identity for square factors only.
    "inverse of rectangular factors": (Holds(Eq(P * (Pt * P + lam * J)**-1 * Pt, I)), {}),
    "no constant": (UpToConstant(x**2 <= x), {"given": [x >= 0]}),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_close(name):
    statement, fields = TRUE[name]
    found = prove(statement, **fields)
    assert found.outcome == "proved", found.detail
    assert found.numbers["method"] in found.detail
    assert found.numbers["domain"] in found.detail


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_refuted_exactly(name):
    statement, fields = FALSE[name]
    found = prove(statement, **fields)
    assert found.outcome == "refuted" and found.kind == "exact", found.detail
    # The witness is checked by substitution, apart from certify and from Z3.
    from boundcheck.encoding import decode

    values = {key: decode(value) for key, value in found.witness.values.items()}
    at = {s: sympy.Rational(int(fmpq(values[s.name]).p), int(fmpq(values[s.name]).q))
          for s in statement.free_symbols()}  # fmt: skip
    assert bool(statement.relation.subs(at)) is False
    assert all(bool(c.subs(at)) for c in fields.get("given", ()))


@pytest.mark.parametrize("name", NEVER)
def test_nothing_is_proved_beyond_its_domain(name):
    statement, fields = NEVER[name]
    assert prove(statement, **fields).outcome != "proved"


def test_the_identity_check_refuses_rectangular_inverses():
    # SymPy alone expands (A B)^-1 to B^-1 A^-1 and would call this an identity.
    words = P * (Pt * P) ** -1 * Pt
    assert sympy.expand(words) == 1
    given = [sympy.Ne(lam, 0)]
    assert prove(Holds(Eq(words, I, evaluate=False)), given=given).outcome != "proved"


def test_pointwise_proofs_cover_expectations():
    sign = coin[0]
    assert prove(Expected(sign * x <= (sign**2 + x**2) / 2)).outcome == "proved"


def test_contradictory_hypotheses_prove_nothing():
    assert prove(Holds(x >= 5), given=[x > 1, x < 0]).outcome is None


def test_a_proof_agrees_with_random_points():
    statement, fields = TRUE["solved for"]
    claim = Claim(source=PLACE, statement=statement, **fields)
    for k in range(1, 40):
        values = {"n": k, "x": fmpq(k, 7), "delta": fmpq(1, k + 1)}
        assert Setting(claim, values).decide(statement.relation) is True


def test_a_strict_bound_up_to_a_constant_is_not_proved_by_its_weak_form():
    """At x = y = 0 no constant makes x < C y."""
    given = [y >= 0, x <= 2 * y]
    assert prove(UpToConstant(x <= y), given=given).outcome == "proved"
    assert prove(UpToConstant(x < y), given=given).outcome != "proved"


def test_what_holds_at_every_outcome_need_not_hold_for_means():
    """Signs differ from zero, their mean does not; premises on outcomes are none on means."""
    toss, positive = define("toss", coin[0]), {"parameters": {x: POSITIVE}}
    assert prove(Expected(sympy.Ne(toss**2 + x, 0)), **positive).outcome != "proved"
    assert prove(Expected(Implies(toss >= 1, toss >= 0))).outcome != "proved"
    assert prove(Holds(Implies(toss >= 1, toss >= 0))).outcome == "proved"


def test_a_countermodel_does_not_depend_on_the_claims_before_it():
    """Z3 numbers its terms in one table for the whole process."""
    statement = "yashima2021/theorem_3_full"
    library = load_library(shipped_root(), [statement])

    def found(claim):
        key = f"{statement}:{claim}"
        return run(Task(key, library[key], BUDGETS["quick"]))

    first = found("step_expectation")
    assert first.outcome == "refuted" and "countermodel" in first.detail
    for other in ("step_excess", "fixed_average"):
        found(other)
    assert found("step_expectation").witness == first.witness


def test_a_commuting_name_for_a_matrix_is_a_defect():
    statement = Holds(Eq(x * (mean + x), x * mean + x**2))
    claim = Claim(
        PLACE, statement, worlds=Space(d=Integer(1, searched=3), K=Gram("d"), L=Gram("d")),
        measure={x: lambda K: K, mean: lambda L: L},
    )  # fmt: skip
    found = verify("a/b:c", claim)
    assert found.outcome == "broken"
    assert any("declared a number" in item.detail for item in found.evidence)


@pytest.mark.parametrize("make", [parameter, world])
def test_a_proof_for_values_that_are_listed_says_which(make):
    sign = make("c", Choice((-1, 0, 1)))
    claim = Claim(source=PLACE, statement=Holds(Eq(sign**3, sign)))
    assert domain_text(claim) == "c in {-1, 0, 1}"
    assert "(-oo" not in run(Task("a/b:c", claim, BUDGETS["quick"])).detail


def test_what_is_steep_is_made_no_polynomial():
    x = sympy.Symbol("x", real=True)
    assert cleared(x * sympy.exp(-(10**7) * x) <= x**2) is None
    assert cleared(x ** (10**6) <= x) is None
    assert cleared(sympy.exp(3 * x) <= sympy.exp(2 * x) + x) is not None


def test_a_sum_that_cancels_to_a_number_is_no_fault():
    """sympy.Poly of it raises GeneratorsNeeded, which is no PolynomialError."""
    sides = (1 + x) ** 2 - x**2, 2 * x + 1
    assert cleared(Eq(*sides)) == sympy.true
    assert prove(Holds(Eq(*sides)), parameters={x: Real(0, 100)}).outcome == "proved"


def test_a_polynomial_steep_in_two_exponentials_is_not_taken_apart():
    """exp(-20 (x - 11/2)^2) is of degree 220 in exp(x), 20 in exp(x^2): factors take minutes."""
    for large in (9 * exp(30 * x) - 10 * exp(300 * y), exp(100 * y) - exp(-200 * y) * x):
        for relation in (sympy.Ge(large, 0), sympy.Gt(large, 0), Eq(large, 0)):
            assert cleared(relation) is None
    assert cleared(9 * exp(20 * x) <= 10 * exp(100 * y)) is not None
    assert cleared(x**300 <= 1) is not None  # alone it is quick
    window = Holds(exp(-20 * (x - Rational(11, 2)) ** 2) <= Rational(9, 10))
    assert prove(window, parameters={x: Real(0, 100)}).outcome == "refuted"
