"""Points that refute problems, checked by exact arithmetic; and none for what is true."""

from fractions import Fraction

import pytest

from boundcheck.certificates import points, search
from boundcheck.certificates.points import refuting_point
from boundcheck.certificates.statement import Problem
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.checks.proofs.attempt import Attempt
from boundcheck.checks.proofs.certified import stated_problems
from boundcheck.library import load_library, shipped_root

X, Y, Z, W, N = (("x", name) for name in "xyzwn")
POSITIVE = ("<", "0", X), ("<", "0", Y)


def times(*terms):
    return ("*", *terms)


def plus(*terms):
    return ("+", *terms)


FALSE = {
    "free": ((), ("<=", X, Y)),
    "a factor": ((*POSITIVE, ("<=", X, Y)), ("<=", Y, times("1000000", X))),
    "a square": (POSITIVE, ("<=", times(X, Y), plus(times("499/1000", X, X), times("1/2", Y, Y)))),
    "an interval": ((("<=", "0", X), ("<=", X, "1")), ("<=", times(X, X), "1/2")),
    "an end": ((("<=", "1", X),), ("<", "1", X)),
    "a definition": ((*POSITIVE, ("=", Z, times(X, Y))), ("<=", Z, plus(X, Y))),
    "a defined definition": ((*POSITIVE, ("=", Z, times(X, Y)), ("=", W, plus(Z, "1"))),
                             ("<=", W, plus(X, Y))),
    "a chain": ((*POSITIVE, ("<=", plus(X, Y), Z), ("<=", times(Z, Z), times("100", X, Y))),
                ("<=", times(Z, Z), times("10", X, Y))),
    "whole numbers": ((("<=", "1", N),), ("<=", times(N, N), times("3", N))),
    "powers apart": ((*POSITIVE, ("<", "0", Z)),
                     ("<=", times(X, Y, Z), times("1000000", plus(
                         times(X, X, X), times(Y, Y, Y), times(Z, Z))))),
    "a part": (POSITIVE, ("and", ("<", "0", plus(X, Y)), ("<=", X, Y))),
    "a value": ((), ("<=", times(X, ("^", X, "-1")), "1")),
    "a premise of the goal": (POSITIVE, ("implies", ("<=", X, Y), ("<=", times("2", X), Y))),
}  # fmt: skip
TRUE = {
    "a square": ((), ("<=", times("2", X, Y), plus(times(X, X), times(Y, Y)))),
    "nothing at all": ((("<", X, "0"), ("<", "0", X)), ("<", "1", "0")),
    "whole numbers": ((("<=", "1", N),), ("<=", plus(times("3", N), "-2"), times(N, N))),
    "a definition": ((("=", Z, times(X, X)),), ("<=", "0", Z)),
    "whole numbers above a half": ((("<=", "1/2", N),), ("<=", "1", N)),
    "whole numbers below a half": ((("<=", N, "5/2"),), ("<=", N, "2")),
    "two definitions": ((("=", Z, X), ("=", X, Z)), ("=", X, Z)),
    "an equal value": ((("=", X, times(Y, Y)), ("=", X, Z)), ("<=", "0", Z)),
    "powers of one order": ((*POSITIVE, ("<", "0", Z)),
                            ("<=", times(X, Y, Z), plus(
                                times(X, X, X), times(Y, Y, Y), times(Z, Z, Z)))),
    "only just": (POSITIVE, ("<", times("1048576", X), plus(times("1048576", X), Y))),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_a_point_refutes_what_is_false(name):
    premises, goal = FALSE[name]
    point = refuting_point(Problem(("n",), premises, (), goal))
    assert point is not None
    values = {symbol: exactly(value) for symbol, value in point.items()}
    assert all(holds(premise, values) for premise in premises)
    assert (name == "a value" and values["x"] == 0) or not holds(goal, values)
    assert values.get("n", Fraction(1)).denominator == 1


@pytest.mark.parametrize("name", TRUE)
def test_no_point_refutes_what_is_true(name):
    premises, goal = TRUE[name]
    assert refuting_point(Problem(("n",), premises, (), goal)) is None


def exactly(value):
    """The number that an exact ball is; definitions of products of short numbers are exact."""
    assert value.is_exact()
    mantissa, exponent = value.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def holds(relation, values):
    head, *args = relation
    if head == "and":
        return all(holds(arg, values) for arg in args)
    if head == "implies":
        return not holds(args[0], values) or holds(args[1], values)
    one, other = (value_of(arg, values) for arg in args)
    return {"<": one < other, "<=": one <= other, "=": one == other}[head]


def value_of(term, values):
    if isinstance(term, str):
        return Fraction(term)
    head, *args = term
    if head == "x":
        return values[args[0]]
    parts = [value_of(arg, values) for arg in args]
    if head == "+":
        return sum(parts)
    if head == "^":
        return parts[0] ** int(parts[1])
    result = Fraction(1)
    for part in parts:
        result *= part
    return result


ROWS = {"p": True, "x": False}
MEAN = ("sum", "K", "k", times(("at", "p", "k"), ("at", "x", "k")))
SQUARE = ("sum", "K", "k", times(("at", "p", "k"), ("at", "x", "k"), ("at", "x", "k")))
SIGNED = ((("K",), ("<=", "1", ("at", "x", "_0"))),)
OF_ROWS = {  # goal, what holds of entries, whether it is false
    "Jensen": (("<=", times(MEAN, MEAN), SQUARE), (), False),
    "Jensen reversed": (("<=", SQUARE, times("1000", MEAN, MEAN)), (), True),
    "an entry": (("<=", "1", ("at", "x", "i")), SIGNED, False),
    "an entry below": (("<=", "2", ("at", "x", "i")), SIGNED, True),
    "a mean": (("<=", "1", MEAN), SIGNED, False),
    "a mean below": (("<=", ("x", "K"), times("2", MEAN)), SIGNED, True),
    "a size": (("<=", ("x", "K"), "2"), (), True),
    "a sum of ones": (("=", ("sum", "K", "k", "1"), ("x", "K")), (), False),
    "a law": (("=", ("sum", "K", "k", ("at", "p", "k")), "1"), (), False),
    "no law": (("<=", ("sum", "K", "k", ("at", "x", "k")), "1"), SIGNED, True),
    "two places": (("=", ("at", "x", "i"), ("at", "x", "j")), (), True),
}  # fmt: skip


@pytest.mark.parametrize("name", OF_ROWS)
def test_rows_are_refuted_at_small_sizes(name):
    goal, each, false = OF_ROWS[name]
    rows = tuple((row, ("K",), int(law), law) for row, law in ROWS.items())
    named = (("i", "K"), ("j", "K"), ("k", "K"))
    problem = Problem(("K",), (("<=", "1", ("x", "K")),), (), goal, None, rows, each, named)
    assert (refuting_point(problem) is not None) == false


def test_a_large_problem_is_looked_at_less(monkeypatch):
    premises = (("<=", "1", times(*[("x", f"x{place}") for place in range(60)])),)
    looked = []
    monkeypatch.setattr(points, "truth", lambda relation, values: looked.append(relation))
    assert refuting_point(Problem((), premises, (), ("<=", "0", "1"))) is None
    small = len(looked)
    assert refuting_point(Problem((), premises * 20, (), ("<=", "0", "1"))) is None
    assert 0 < len(looked) - small < small / 4


PROVED = {
    "wang2019/cost:given_features": 32, "yashima2021/complexity:comparison": 10**6,
    "livni2017/proof_third_term:step_used": 1, "classical/popoviciu:printed": 1,
    "wu2021/ridge_closed_form:repaired": 1,
}  # fmt: skip


@pytest.mark.parametrize("key", PROVED)
def test_no_point_refutes_a_claim_that_is_proved(key):
    claim = load_library(shipped_root(), [key]).claims[key]
    problems = [problem for _, ways in stated_problems(claim, PROVED[key]) for problem in ways[:1]]
    assert problems and all(refuting_point(problem) is None for problem in problems)


def test_no_proof_is_looked_for_where_a_point_refutes_it(monkeypatch):
    def forbidden(*args, **kwargs):
        raise AssertionError("searched")

    monkeypatch.setattr(search, "prove", forbidden)
    key = "livni2017/lemma_3:printed"
    claim = load_library(shipped_root(), [key]).claims[key]
    attempt = Attempt(Task(key, claim, BUDGETS["quick"]))
    assert attempt._certified() is None
