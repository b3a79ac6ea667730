"""The provers close elementary truths with certificates, and the checker refuses false ones."""

import copy
import itertools
import json

import pytest
import sympy
from sympy import Abs, Eq, Implies, Max, Min, Rational, cosh, exp, log, sin, sqrt, symbols

from boundcheck.certificates.axioms import AXIOMS
from boundcheck.certificates.problem import Inexpressible, problem
from boundcheck.certificates.search import prove
from boundcheck.certificates.statement import Problem, read_problem, verify
from boundcheck.certificates.terms import Rejected

x, y, a, b, c, n, p = symbols("x y a b c n p", real=True)
MOTZKIN = x**4 * y**2 + x**2 * y**4 + 1 - 3 * x**2 * y**2
SCHUR = x * (x - y) * (x - a) + y * (y - x) * (y - a) + a * (a - x) * (a - y)
TRUE = {
    "means": ([], x**2 + y**2 >= 2 * x * y),
    "Nesbitt": ([a > 0, b > 0, c > 0],
                a / (b + c) + b / (a + c) + c / (a + b) >= Rational(3, 2)),
    "roots": ([x > 0, y > 0], sqrt(x * y) <= (x + y) / 2),
    "triangle": ([], Abs(x + y) <= Abs(x) + Abs(y)),
    "extremes": ([], Min(x, y) <= (x + y) / 2),
    "whole numbers": ([n > 1, n < 3], Eq(n, 2)),
    "powers": ([x >= 1, p >= 0, p <= 1], x**p <= x),
    "a premise": ([], Implies(x >= 2, x**2 >= 4)),
    "an equation": ([x > 1], Eq((x**2 - 1) / (x - 1), x + 1)),
    "a box": ([x >= 0, x <= 3], sin(x) * exp(-x) <= Rational(33, 100)),
    "a constant": ([x >= 1], log(2) * x >= Rational(69, 100)),
    "contact at an end": ([x >= 0], exp(-x) <= 1 - x + x**2 / 2),
    "Bennett": ([x >= 0], (1 + x) * log(1 + x) - x >= x**2 / (2 + 2 * x / 3)),
    "contact inside": ([], exp(x) >= 1 + x),
    "logarithms first": ([], cosh(x) <= exp(x**2 / 2)),
    "Bernoulli": ([x >= -1, n >= 1], (1 + x) ** n >= 1 + n * x),
    "Motzkin": ([], MOTZKIN >= 0),
    "Motzkin times squares": ([], MOTZKIN * (x**2 + y**2) >= 0),
    "Motzkin's form": ([], x**4 * y**2 + x**2 * y**4 + a**6 >= 3 * x**2 * y**2 * a**2),
    "Schur": ([x >= 0, y >= 0, a >= 0], SCHUR >= 0),
    "four means": ([x > 0, y > 0, a > 0, b > 0], x * y * a * b <= ((x + y + a + b) / 4) ** 4),
    "a discriminant": ([a > 0, b**2 <= 4 * a * c], a * x**2 + b * x + c >= 0),
    "Cauchy and Schwarz": ([], (a * x + b * y + c * p) ** 2
                           <= (a**2 + b**2 + c**2) * (x**2 + y**2 + p**2)),
    "contact inside of a domain": ([x > 0], x * log(x) >= x - 1),
    "contact at another symbol": ([x > 0, y > 0], log((x + y) / 2) >= (log(x) + log(y)) / 2),
    "contact at e": ([x > 0], log(x) <= x * exp(-1)),
    "weighted means": ([x > 0, y > 0, p >= 0, p <= 1],
                       x**p * y ** (1 - p) <= p * x + (1 - p) * y),
    "a chord": ([x >= 0, x <= 1], exp(x) <= 1 + (exp(1) - 1) * x),
    "sine": ([x >= 0], sin(x) >= x - x**3 / 6),
    "compound interest": ([n >= 1], (1 + 1 / n) ** n <= exp(1)),
    "a falling power": ([x > 0, a > 0], x**a * exp(-x) <= a**a * exp(-a)),
    "exponents": ([a > 0, a <= 1, b >= 1, n >= 1], n ** (-b / (b + a)) <= n ** Rational(-1, 2)),
    "fractions in exponents": ([a > 0, x > 0], exp(-x / (1 + a)) <= exp(-x / (2 + a))),
    "squares in exponents": ([a > 0], exp(-(x**2) / (1 + a)) <= exp(-(x**2) / (2 + a))),
    "a fraction": ([x >= 0], 1 - exp(-x) >= x / (1 + x)),
    "a largest entropy": ([x > 0, x < 1], -x * log(x) - (1 - x) * log(1 - x) <= log(2)),
    "pieces": ([], sympy.Piecewise((x, x > 0), (-x, True)) >= 0),
}  # fmt: skip
FALSE = {
    "reversed": ([], x**2 + y**2 <= 2 * x * y),
    "too small": ([a > 0, b > 0, c > 0],
                  a / (b + c) + b / (a + c) + c / (a + b) >= Rational(3, 2) + Rational(1, 10**9)),
    "strict": ([], x**2 > 0),
    "false": ([x >= 0], sympy.false),
    "without a value": ([x >= 0], 1 / x >= 0),
    "a root of a negative number": ([], sqrt(x) >= -1),
    "a logarithm at zero": ([x >= 0, x <= 1], log(x) <= 2),
    "not whole": ([x > 1, x < 3], Eq(x, 2)),
    "contact with another slope": ([x >= 0], exp(-x) <= 1 - x + x**2 / 3),
    "too large a curvature": ([], cosh(x) <= exp(x**2 / 3)),
    "no base": ([x >= -1, n >= 0], (1 + x) ** n >= 2 + n * x),
    "no step": ([x >= -1, n >= 1], (1 + x) ** n >= 1 + n * x + n * (n - 1) * x**2),
    "sine of what is negative": ([], sin(x) >= x - x**3 / 6),
    "sine below": ([x >= 0], sin(x) >= x - x**3 / 7),
    "compound interest above": ([n >= 1], (1 + 1 / n) ** (n + 1) <= exp(1)),
    "a falling power at another place": ([x > 0, a > 0],
                                         x**a * exp(-x) <= (a / 2) ** a * exp(-a / 2)),
    "exponents turned round": ([a > 0, a <= 1, b >= 1, n >= 1],
                               n ** (-a / (b + a)) <= n ** Rational(-1, 2)),
    "fractions in exponents, strictly": ([a > 0, x >= 0], exp(-x / (1 + a)) < exp(-x / (2 + a))),
    "fractions in exponents turned round": ([a > 0, x > 0],
                                            exp(-x / (2 + a)) <= exp(-x / (1 + a))),
    "exponents with a factor": ([a > 0, x > 0], 2 * exp(-x / (1 + a)) <= exp(-x / (2 + a))),
    "exponents below one": ([a > 0, a <= 1, b >= 1, x > 0],
                            x ** (-b / (b + a)) <= x ** Rational(-1, 2)),
    "a power at zero": ([x >= -1, p >= 0], (1 + x) ** p >= 1 + p * x),
    "less than Motzkin": ([], MOTZKIN >= Rational(1, 10**9)),
    "Motzkin, strictly": ([], MOTZKIN > 0),
    "Motzkin with another factor": ([], x**4 * y**2 + x**2 * y**4 + a**6
                                    >= Rational(3000001, 10**6) * x**2 * y**2 * a**2),
    "Schur without a sign": ([x >= 0, y >= 0], SCHUR >= 0),
    "a discriminant beyond": ([a > 0, b**2 <= 4 * a * c + Rational(1, 10**6)],
                              a * x**2 + b * x + c >= 0),
    "a discriminant without a sign": ([b**2 <= 4 * a * c], a * x**2 + b * x + c >= 0),
    "contact lost": ([x > 0], x * log(x) >= x - Rational(999, 1000)),
    "contact, strictly": ([x > 0, y > 0], log((x + y) / 2) > (log(x) + log(y)) / 2),
    "weights beyond one": ([x > 0, y > 0, p >= 0, p <= Rational(11, 10)],
                           x**p * y ** (1 - p) <= p * x + (1 - p) * y),
    "a chord beyond its end": ([x >= 0, x <= Rational(11, 10)], exp(x) <= 1 + (exp(1) - 1) * x),
    "a chord of a concave function": ([x >= 0, x <= 1], sqrt(1 + 3 * x) <= 1 + x),
    "in one case only": ([], Max(x, y) <= x),
}  # fmt: skip


def stated(premises, goal):
    return problem(premises, [], goal, ["n"])


def through_json(value):
    return json.loads(json.dumps(value))


@pytest.fixture(scope="module")
def proved():
    found = {}
    for name, (premises, goal) in TRUE.items():
        what = stated(premises, goal)
        found[name] = what, through_json(prove(what))
    return found


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_have_certificates(name, proved):
    what, proofs = proved[name]
    assert proofs is not None
    assert verify(read_problem(through_json(what.as_json())), proofs) > 0


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_have_none(name, proved):
    what = stated(*FALSE[name])
    assert prove(what, work=8_000) is None
    for _, proofs in proved.values():
        with pytest.raises(Rejected):
            verify(what, proofs)


@pytest.mark.parametrize("name", TRUE)
def test_a_certificate_is_for_its_own_goal_only(name, proved):
    """The negation of what was proved must not follow from the same steps."""
    what, proofs = proved[name]
    other = Problem(what.integers, what.premises, what.needed, ("not", what.goal))
    with pytest.raises(Rejected):
        verify(other, proofs)


@pytest.mark.parametrize("name", TRUE)
def test_a_certificate_without_one_of_its_steps_proves_nothing(name, proved):
    what, proofs = proved[name]
    for place, steps in enumerate(proofs):
        shorter = copy.deepcopy(proofs)
        shorter[place] = steps[:-1]
        with pytest.raises(Rejected):
            verify(what, shorter)


def test_weights_of_a_combination_must_add_up(proved):
    what, proofs = proved["means"]
    for wrong in ("-1", "0", "2/0", "x", "1e3", 1, None, "7/5"):
        edited = copy.deepcopy(proofs)
        edited[-1][-1]["products"][0][0] = wrong
        with pytest.raises(Rejected):
            verify(what, edited)


@pytest.mark.parametrize("steps", [
    [], None, [7], [{"rule": "trust me"}], [{"rule": "combine"}], [{"rule": "evident", "fact": 99}],
    [{"rule": "evident", "fact": True}], [{"rule": "cases", "fact": 0, "proofs": []}],
    [{"rule": "axiom", "name": "x <= 0", "terms": []}],
    [{"rule": "axiom", "name": "log below tangent", "terms": [["x", "x"]]}],
    [{"rule": "enclose", "term": "1", "low": "2", "high": "3"}],
    [{"rule": "root", "symbol": "x", "letter": "r", "power": 2}],
    [{"rule": "integer", "fact": 0}], [{"rule": "logarithm", "fact": 0}],
    [{"rule": "boxes", "ends": [["x", 0, 0]], "tree": 0}],
])  # fmt: skip
def test_wrong_steps_are_refused_in_one_line(steps):
    with pytest.raises(Rejected) as refusal:
        verify(stated([x <= 1], x**3 <= 5), [steps])
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", sorted(AXIOMS))
def test_no_axiom_of_no_terms_or_numbers_shows_what_is_false(name):
    what = stated([x <= 1], x**3 <= 5)
    what_is_false = stated([], x <= 0)
    for terms, goal in itertools.product(([], ["1"], ["1", "2"], ["0", "1", "2"]),
                                         (what, what_is_false)):  # fmt: skip
        step = {"rule": "axiom", "name": name, "terms": terms}
        for facts in range(12):
            closing = {"rule": "cases", "fact": facts, "proofs": []}
            with pytest.raises(Rejected):
                verify(goal, [[step, closing]] * len(list(goal.targets())))


def test_sizes_are_limited_before_they_are_spent():
    deep = ["x", "x"]
    for _ in range(500):
        deep = ["abs", deep]
    with pytest.raises(Rejected):
        read_problem({"integers": [], "premises": [], "needed": [], "matrices": None,
                      "goal": ["<=", deep, "1"]})
    tower = stated([], (x + y + a + b + c + n) ** 150 >= 0)
    with pytest.raises(Rejected):
        verify(tower, [[{"rule": "evident", "fact": 0}]])


@pytest.mark.parametrize("deep", [1, 3])
def test_powers_of_powers_of_numbers_end(deep):
    term = "9" * 2000
    for _ in range(deep):
        term = ["^", term, "200"]
    with pytest.raises(Rejected, match="bits"):
        verify(stated([x <= 1], x**3 <= 5),
               [[{"rule": "have", "fact": ["<=", term, "0"], "proof": []}]])  # fmt: skip


def test_what_has_no_term_is_said():
    with pytest.raises(Inexpressible, match="gamma"):
        stated([], sympy.gamma(x) >= 0)
    assert stated([], cosh(x) >= 1).goal[0] == "<="


def test_a_concave_expression_needs_both_ends_and_its_curvature(proved):
    what, proofs = proved["a chord"]
    place, step = next((i, s) for i, steps in enumerate(proofs) for s in steps
                       if s["rule"] == "concave")  # fmt: skip
    for part, wrong in (("ends", [step["ends"][0], []]), ("slope", []), ("inside", []),
                        ("high", "2"), ("low", ["x", "x"]), ("term", ["exp", ["x", "x"]])):
        edited = copy.deepcopy(proofs)
        next(s for s in edited[place] if s["rule"] == "concave")[part] = wrong
        with pytest.raises(Rejected):
            verify(what, edited)
