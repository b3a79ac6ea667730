"""False statements of many fields, and the change that is told first."""

import pytest
from sympy import Abs, Eq, Max, Min, Rational, binomial, ceiling, exp, factorial, log, sqrt

from boundcheck import Claim, Expected, Holds, Source, UpToConstant
from boundcheck.diagnosis import diagnose
from boundcheck.expressions import (
    average,
    define,
    determinant,
    greatest,
    identity,
    index,
    inner,
    largest_eigenvalue,
    least,
    matrix_rank,
    multiplied,
    norm,
    operator_norm,
    outcome,
    parameter,
    probability,
    smallest_eigenvalue,
    solution,
    total,
    trace,
    world,
)
from boundcheck.library import Library
from boundcheck.settings.concentration import n as draws, signs
from boundcheck.settings.continuous import E as expected, normal
from boundcheck.settings.matrices import c, d, r, semidefinite, square, symmetric, u as u_
from boundcheck.settings.scalar_laws import (
    E as mean,
    K,
    P,
    Var,
    counts,
    k,
    law,
    n as sample,
    p,
    relative_entropy,
    values,
)
from boundcheck.worlds import Increasing, Integer, Real, Signs, Vector

AT = Source("Folklore", 1900, "Statements").at("1")


def positive(name):
    return parameter(name, Real(0, None, open_low=True, searched=("1/100", 10)))


def size(name, least=1):
    return parameter(name, Integer(least, searched=30))


a, x, L, s, t, u, v = (positive(name) for name in ("a", "x", "L", "s", "t", "u", "v"))
m, n, N = size("m"), size("n"), size("N", 2)
share = parameter("gamma", Real(0, 1, open_high=True))
weight = parameter("w", Real(0, 1))
epsilon, delta = (parameter(name, Real(0, 1, open_low=True, open_high=True))
                  for name in ("epsilon", "delta"))  # fmt: skip
share_, other_share = (parameter(name, Real(0, 1, open_low=True, open_high=True))
                       for name in ("p", "q"))  # fmt: skip
real, at_ = (parameter(name, Real(None, None)) for name in "yz")
T = index("T", n)
X, W = values(), values(low=0, name="z", open_low=True, searched=("1/20", 3))[k]
q_ = law("q")
matrix = symmetric("A")
i = index("i", draws)
between = weight * u**2 + (1 - weight) * v**2 - (weight * u + (1 - weight) * v) ** 2
chosen = parameter("j", Integer(1, n))
prevalence, specificity = define("r", (a + s) / (a + s + x + v)), define("c", v / (v + x))
FIRST = {
    "a ratio turned round": ((1 - 1 / n) ** m <= exp(-n / m), (), "slip", "-m/n for -n/m"),
    "a lost share": (Eq(between, weight * (u - v) ** 2), (), "slip",
                     "a factor 1 - w at w*(u - v)**2"),
    "an index off by one": ((N - n) / (N - 1) <= 1 - n / N, [n <= N], "slip", "n - 1 for n"),
    "a lost union bound": (n**2 * exp(-(epsilon**2) * m / 8) <= delta,
                           [m >= 8 * log(1 / delta) / epsilon**2], "slip",
                           "the hypothesis m >= 8*log(n**2/delta)/epsilon**2"),
    "a number that is approached": ((1 + 1 / n) ** n <= Rational(5, 2), (), "constant",
                                    "E for 5/2"),
    "e": (factorial(n) >= (2 * n / 5) ** n, (), "constant", "(n*exp(-1))**n for (2*n/5)**n"),
    "a covering": (ceiling(L / (2 * s)) <= L / s, (), "hypothesis", "the hypothesis s <= L"),
    "a root of a parameter": ((x + a / x) / 2 - sqrt(a) <= (x - sqrt(a)) ** 2 / (2 * sqrt(a)), (),
                              "hypothesis", "the hypothesis x >= sqrt(a)"),
    "a whole square": (total(share**T * (T + 1), T) <= 1 / (1 - share), (), "slip",
                       "(1 - gamma)**(-2) for 1/(1 - gamma)"),
    "a term of a bound from below": ((1 + x) ** n >= 1 + (n + 1) * x, (), "slip",
                                     "n for n + 1"),
    "no formula that is nowhere attained": (
        -weight * log(weight) - (1 - weight) * log(1 - weight)
        <= 4 * weight * (1 - weight) * log(2), [weight > 0, weight < 1], "slip", ">= for <="),
    "a printed number before a new one": (exp(-x) <= 1 - x + x**2 / 4, (), "constant",
                                          "x**2/2 for x**2/4"),
    "a share times what is left": (
        Eq(share_ * (1 - other_share) ** 2 + (1 - share_) * other_share**2,
           (other_share - share_) ** 2 + share_**2), (), "slip", "p*(1 - p) for p**2"),
    "no end of a share that is no level": (share_ / (1 - share_) <= 2 * share_, (), "hypothesis",
                                           "the hypothesis p <= 1/2"),
    "the complement of a share": (
        Eq(share_ * other_share / (1 - share_ * other_share - (1 - share_) * (1 - other_share)),
           share_ * other_share / (share_ * (1 - other_share) + (1 - share_) * (1 - other_share))),
        (), "slip", "q for 1 - q"),
    "one symbol for another in all of a factor": (
        share_ * log(share_ / other_share) + (1 - share_) * log((1 - share_) / (1 - other_share))
        <= (share_ - other_share) ** 2 / (share_ * (1 - share_)), (), "slip",
        "q for p in p*(1 - p)"),
    "one more, as it is printed elsewhere": (
        ceiling(n * (1 - delta)) / (n + 1) >= 1 - delta, (), "slip", "n + 1 for n"),
    "a factor that is too many": (weight * (1 - weight) <= weight**2 / 4, (), "slip",
                                  "no factor w**2 in w**2/4"),
    "a number before a symbol that leaves a term over": (
        log(1 + exp(-real)) <= log(1 + exp(-at_)) - (real - at_) / (1 + exp(at_))
        + (real - at_) ** 2 / 16, (), "constant", "(y - z)**2/8 for (y - z)**2/16"),
    "a cube root": ((a + x + L) / 3 >= sqrt(a * x * L), (), "slip",
                    "(L*a*x)**(1/3) for sqrt(L*a*x)"),
    "a sign before a square that asks for a sign": (
        Eq(Max(real - a, 0) + Max(-real - a, 0) + Max(-a, Min(a, real)), real), (), "slip",
        "the other sign of Max(0, -a - y)"),
    "a half from below": (share_**2 / (share_**2 + (1 - share_) ** 2) >= share_, (), "hypothesis",
                          "the hypothesis p >= 1/2"),
    "an order that divides": (1 - other_share / share_ >= share_ - other_share, (), "hypothesis",
                              "the hypothesis q <= p"),
    "the printed number of a bound from below": (
        sqrt(1 + real**2) - 1 >= Abs(real) - Rational(1, 2), (), "constant", "1 for 1/2"),
    "no hypothesis under which nothing is bounded": (
        real * a <= (real**2 + a**2) / 4, (), "constant", "2 for the factor 1"),
    "no square of a square": (-log(weight) >= 1 - weight + (1 - weight) ** 2, [weight > 0],
                              "constant", "(1 - w)**2/2 for (1 - w)**2"),
    "the number of a hypothesis on its bound": (
        exp(-2 * n * a**2) <= delta, [a >= sqrt(log(1 / delta) / n) / 2], "constant",
        "the hypothesis a >= sqrt(2)*sqrt(log(1/delta)/n)/2"),
    "a square before an end of the domain where it says more": (
        L * Abs(real) - s * L / 2 <= L * Abs(at_) + (real - at_) ** 2 / (2 * s), (), "slip",
        "L**2 for L"),
    "a number before a smaller domain than the printed one": (
        exp(real) <= 1 + real + real**2 / 2, [real <= 1], "constant", "y**2 for y**2/2"),
    "a ratio turned round in a difference": (
        log(u / v) + (u**2 + real**2) / (2 * v**2) - Rational(1, 2) >= 0, (), "slip",
        "v/u for u/v"),
    "a ratio turned round before a ratio of sums that is lost": (
        Eq((share_ - other_share) / (1 - other_share),
           1 - (1 - other_share) / (1 - share_)), (), "slip",
        "-(1 - p)/(1 - q) for -(1 - q)/(1 - p)"),
    "no divisor that is a difference from a quotient": (
        (1 - 1 / (n + 1)) * a / (n + 1) + a / (n + 1) ** 2 <= a / (n + 2), (), "slip",
        "n for n + 2"),
    "one less than a size beside it": (
        (1 - weight) ** n <= 1 - n * weight + n * weight**2 / 2, (), "slip",
        "a factor n - 1 at n*w**2/2"),
    "the power of a sum to itself": (
        binomial(n, chosen) <= n**n / (chosen**chosen * (n - chosen) ** chosen), [chosen < n],
        "slip", "(-j + n)**(j - n) for (-j + n)**(-j)"),
    "e in a power": (binomial(n, chosen) <= (n / chosen) ** chosen, (), "constant",
                     "(E*n/j)**j for (n/j)**j"),
    "the right side of an equation": (
        Eq((n * a + n * (n - 1) * weight * a) / n**2, weight * a + a / n), (), "slip",
        "a factor (n - 1)/n at a*w"),
    "the complement of a part of a sum": (
        Eq(a / (a + x), a / (a + s) * prevalence / (
            a / (a + s) * prevalence + specificity * (1 - prevalence))), (), "slip",
        "1 - c for c"),
    "a ratio inside a product": ((1 - a / x) ** n <= exp(-n * x / a), [a <= x], "slip",
                                 "a/x for x/a"),
    "no corner": (-log(1 - share) <= share + share**2, (), "hypothesis",
                  "the hypothesis gamma <= 1/2"),
}  # fmt: skip
entry, other, psd, square_ = matrix[r, c], symmetric("B"), semidefinite("S"), square("M")
Z, Y = X[k], values(low=0, name="ys")[k]
many = world("many", Integer(2, searched=5))
other_u, other_psd = world("w", Vector(d)), semidefinite("R")
e, v_, v_of = index("e", many), world("v", Vector(many)), world("v", Vector(draws))
few = world("m", Integer(1, searched=4))
b_, xi = world("b", Vector(few)), outcome("xi", Signs("xi", few))
other_square, within = square("N"), values(0, 1, name="zs")[k]
weights = world("h", Vector(many, 0, searched=(0, 4)))
average_, rising = total(v_[e], e) / many, world("r", Increasing(many))
OF_WORLDS = {
    "a power up to one": (mean(W**s) <= mean(W) ** s, "hypothesis", "the hypothesis s <= 1"),
    "a squared bias": (
        Eq(mean((X[k] - real) ** 2), mean(X[k] ** 2) - mean(X[k]) ** 2), "slip",
        "a term (sum_k(p[k]*x[k]) - y)**2 on the right"),
    "an entropy of the other law": (
        -total(q_[k] * log(p[k]), k) >= -total(p[k] * log(p[k]), k), "slip",
        "q for p in sum_k(log(p[k])*p[k])"),
    "an inverse too many": (mean(log(W)) <= log(mean(1 / W)), "slip",
                            "z[k] for 1/z[k] in sum_k(p[k]/z[k])"),
    "no modulus that makes the sides equal": (mean(Abs(X[k])) <= Abs(mean(X[k])), "slip",
                                              ">= for <="),
    "a variance under the other law": (
        (total(q_[k] * X[k], k) - mean(X[k])) ** 2
        <= (total(q_[k] * X[k] ** 2, k) - total(q_[k] * X[k], k) ** 2)
        * total((q_[k] - p[k]) ** 2 / p[k], k), "slip",
        "p for q in sum_k(q[k]*x[k]**2) - sum_k(q[k]*x[k])**2"),
    "the number of draws under a variance beside a bias": (
        Expected(Eq((total(counts[k] * X[k], k) / sample - real) ** 2,
                    mean(X[k] ** 2) - mean(X[k]) ** 2 + (mean(X[k]) - real) ** 2)), "slip",
        "a divisor n at sum_k(p[k]*x[k]**2) - sum_k(p[k]*x[k])**2"),
    "an order of extremes": (
        greatest(least(entry, c), r) >= least(greatest(entry, r), c), "slip", "<= for >="),
    "a modulus": (largest_eigenvalue(matrix) <= greatest(total(matrix[r, c], c), r), "slip",
                  "Abs(A[r, c]) for A[r, c] in max_r(sum_c(A[r, c]))"),
    "the value of a binder on one side alone": (
        mean(Y) ** 2 <= P(Y > 0) * mean(Y), "slip", "ys[k]**2 for ys[k] in sum_k(p[k]*ys[k])"),
    "a power by which the sides scale alike": (
        mean(Abs(Z) ** 3) <= sqrt(mean(Z**4)), "slip",
        "sum_k(p[k]*x[k]**4)**(3/4) for sqrt(sum_k(p[k]*x[k]**4))"),
    "one less than a number of things": (
        (greatest(v_[e], e) - average_) ** 2 <= total((v_[e] - average_) ** 2, e) / many, "slip",
        "a factor many - 1 at sum_e((v[e] - sum_e(v[e])/many)**2)/many"),
    "a size as a power": (Abs(determinant(square_)) <= operator_norm(square_) ** 2, "slip",
                          "‖M‖_op**d for ‖M‖_op**2"),
    "the square of what is symmetric": (
        trace(matrix * other) ** 2 <= trace(matrix**2) * trace(other), "slip",
        "B**2 for B in tr(B)"),
    "another eigenvalue that says more": (
        norm(u_ - share * psd * u_) <= (1 - share * largest_eigenvalue(psd)) * norm(u_), "slip",
        "λ_min (S) for λ_max (S)"),
    "no hypothesis that makes the sides equal": (
        trace(matrix * other * matrix * other) >= trace(matrix**2 * other**2), "slip",
        "<= for >="),
    "a ratio turned round beside other factors": (
        Eq(v_[0] - (total(v_[e], e) - v_[0]) / (many - 1),
           (many - 1) / many * (v_[0] - total(v_[e], e) / many)), "slip",
        "many/(many - 1) for (many - 1)/many"),
    "what a sum begins with": (
        Eq(total(6 * e**2 / (many * (many + 1) * (2 * many + 1)), e), 1), "slip",
        "e + 1 for e in sum_e(6*e**2/(many*(many + 1)*(2*many + 1)))"),
    "a direction before what only may stand": (
        log(total(exp(v_[e]), e)) >= greatest(v_[e], e) + log(many), "slip", "<= for >="),
    "a number before a hypothesis of an equation": (
        Eq(norm(u_ - other_u) ** 2, norm(u_) ** 2 - inner(u_, other_u) + norm(other_u) ** 2),
        "slip", "-2*⟨u, w⟩ for -⟨u, w⟩"),
    "nothing that both sides are": (
        largest_eigenvalue(square_.T * square_) <= operator_norm(square_), "slip",
        "‖M‖_op**2 for ‖M‖_op"),
    "the largest for the least": (
        trace(psd * other_psd) <= smallest_eigenvalue(other_psd) * trace(psd), "slip",
        "λ_max (R) for λ_min (R)"),
    "a sum for a product": (
        operator_norm(psd - other_psd) <= operator_norm(psd) * operator_norm(other_psd), "slip",
        "sum for product in ‖R‖_op*‖S‖_op"),
    "the square of a mean over signs": (
        Expected(total(signs[i] * v_of[i], i) ** 2 <= norm(v_of)), "slip", "‖v‖**2 for ‖v‖"),
    "the power of a number that parts at one": (
        Expected(exp(s * total(signs[i] * v_of[i], i)) <= exp(s * norm(v_of) ** 2 / 2)), "slip",
        "s**2 for s"),
    "the next power": (
        mean((Z - mean(Z)) ** 4) * Var(Z) >= Var(Z) ** 2 + mean((Z - mean(Z)) ** 3) ** 2, "slip",
        "(sum_k(p[k]*x[k]**2) - sum_k(p[k]*x[k])**2)**3"
        " for (sum_k(p[k]*x[k]**2) - sum_k(p[k]*x[k])**2)**2"),
    "a number before a size that larger worlds do not ask for": (
        average(inner(b_, xi) ** 4, xi) <= norm(b_) ** 4, "constant", "3 for the factor 1"),
    "the order of another vector": (
        total(v_[e] * rising[e], e) * many >= total(v_[e], e) * total(rising[e], e), "hypothesis",
        "the hypothesis that v is increasing"),
    "what says more where the print fails clearly": (
        inner(u_, solution(psd + identity(d), u_)) >= norm(u_) ** 2 * (1 + largest_eigenvalue(psd)),
        "slip", "1/(λ_max (S) + 1) for λ_max (S) + 1"),
    "no hypothesis on a whole side": (
        multiplied(1 - weights[e], e) >= 1 - total(weights[e], e), "hypothesis",
        "the hypothesis that h is at most 1"),
    "a number of every row": (
        Eq(determinant(real * square_), real * determinant(square_)), "slip", "y**d for y"),
    "a threshold": (P(Z + Y >= real) <= P(Z >= real) + P(Y >= real), "constant",
                    "2*y for y in sum_k(p[k]*indicator(x[k] + ys[k] >= y))"),
    "a size less": (
        matrix_rank(square_ * other_square) >= matrix_rank(square_) + matrix_rank(other_square),
        "slip", "a term -d beside rank(M) + rank(N)"),
    "a share in a bound from below": (
        P(within > epsilon) >= (mean(within) - epsilon) / epsilon, "slip",
        "1 - epsilon for epsilon"),
    "the mean of an exponential beside a number": (
        P(Z >= real) <= exp(mean(Z) - real), "slip",
        "sum_k(exp(x[k])*p[k]) for exp(sum_k(p[k]*x[k]))"),
    "the size of what is drawn": (average(Abs(total(signs[i], i)), signs) <= 1, "slip",
                                  "a factor sqrt(n) at 1"),
}  # fmt: skip


UNDER = {"a variance under the other law": [least(p[k], k) > 0],
         "an entropy of the other law": [least(p[k], k) > 0, least(q_[k], k) > 0],
         "another eigenvalue that says more": [share * largest_eigenvalue(psd) <= 1]}


def first(tmp_path, claim):
    found = diagnose("a/b:c", Library(tmp_path, {"a/b:c": claim}))
    return found.grade, found.repairs[0].edit if found.repairs else ""


def some(names):
    """One name of three; the others where there is time for all."""
    return [name if place % 3 == 1 else pytest.param(name, marks=pytest.mark.long)
            for place, name in enumerate(names)]  # fmt: skip


@pytest.mark.parametrize("name", some(FIRST))
def test_the_change_that_was_made_is_told_first(tmp_path, name):
    relation, given, grade, edit = FIRST[name]
    assert first(tmp_path, Claim(AT, Holds(relation), given=list(given))) == (grade, edit)


@pytest.mark.parametrize("name", some(OF_WORLDS))
def test_so_is_one_about_what_is_measured(tmp_path, name):
    relation, grade, edit = OF_WORLDS[name]
    form = relation if isinstance(relation, Expected) else Holds(relation)
    assert first(tmp_path, Claim(AT, form, given=UNDER.get(name, ()))) == (grade, edit)


@pytest.mark.parametrize(
    ("relation", "edit"),
    [pytest.param(total(1 / (T + 1), T) <= 1, "a factor log(n) + 1 at 1", marks=pytest.mark.long),
     (binomial(2 * n, n) <= 4**n / n, "a factor sqrt(n) at 4**n/n")],
)
def test_the_rate_that_a_law_tells_is_the_one_that_was_lost(tmp_path, relation, edit):
    """Growth is refuted by a law along n; the slowest rate along which left over right ends."""
    assert first(tmp_path, Claim(AT, UpToConstant(relation))) == ("slip", edit)


def test_a_formula_of_a_bound_from_below_may_lose_a_term_where_it_is_attained(tmp_path):
    squares = Claim(AT, Holds(total(p[k] ** 2, k) >= 1 / (K - 1)),
                    domains={K: Integer(2, searched=5)})  # fmt: skip
    assert first(tmp_path, squares) == ("slip", "K for K - 1")


def test_a_number_on_the_right_of_an_equation_comes_before_a_power_on_the_left(tmp_path):
    Z = normal("Z", 0, s)
    moment = Claim(AT, Holds(Eq(expected(exp(Z * t), Z), exp(t**2 * s**2))))
    assert first(tmp_path, moment) == ("slip", "s**2*t**2/2 for s**2*t**2")


def test_that_a_probability_is_at_most_one_mends_nothing(tmp_path):
    """Two of n draws agree with a chance of some n^2/2 times the sum of squares; the square of the
    sum is one."""
    agree = probability(greatest(counts[k], k) >= 2, counts) <= total(p[k] ** 2, k)
    found = diagnose("a/b:c", Library(tmp_path, {"a/b:c": Claim(AT, Holds(agree))}))
    assert not [repair for repair in found.repairs if repair.edit.startswith("sum_k(p[k])**2")]


def test_that_a_divergence_is_zero_is_no_hypothesis(tmp_path):
    q = law("q", zeros=False)
    bounded = Claim(AT, Holds(total(q[k] * X[k], k) <= relative_entropy(q, p) + mean(X[k])),
                    given=[least(p[k], k) > 0])  # fmt: skip
    assert "= 0" not in first(tmp_path, bounded)[1]


@pytest.mark.parametrize("most", [3, 10])
def test_a_multiple_of_what_is_bounded_is_no_bound(tmp_path, most):
    """E X^4 <= 3 E X^4 says nothing of the kurtosis."""
    claim = Claim(AT, Holds(mean(X[k] ** 4) <= most * mean(X[k] ** 2) ** 2))
    assert "x[k]**4" not in first(tmp_path, claim)[1]


def test_no_law_of_another_kind_is_said_to_stand_beside_a_hypothesis_on_moments(tmp_path):
    """With E X^2 at most one and X symmetric, 8 has a chance of 1/128, and E e^X is above 2."""
    claim = Claim(AT, Holds(mean(exp(X[k])) <= 1 + mean(X[k]) + mean(X[k] ** 2)),
                  given=[mean(X[k] ** 2) <= 1])  # fmt: skip
    found = diagnose("a/b:c", Library(tmp_path, {"a/b:c": claim}))
    assert not any(repair.stands for repair in found.repairs)
