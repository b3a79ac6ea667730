"""Lemma 3: empirical and population second moment of the features.

Setting    s given features with psi^2 <= b, n independent points, Xi = E psi psi^T (s x s).
Claim      for n >= (8 b^2 / (3 epsilon^2)) log(s / delta), with probability at least 1 - delta
           over the points, ||Xi - (1/n) Psi^T Psi||_2 <= epsilon.
Steps      size of the summands Z_i = (psi_i psi_i^T - Xi) / n, their variance, the Bernstein tail
           with the factor s, and the sample size solved from it.
Repaired   the tail of a norm carries the factor 2 s; the solution needs epsilon <= b.
"""

from flint import fmpq
from sympy import And, Eq, Piecewise, exp, log, symbols

from boundcheck import Claim, Holds, WithProbability
from boundcheck.quantities.features import (
    centred_square,
    moment_deviation,
    outer_of_row,
    peak,
    population_moment,
)
from boundcheck.quantities.operators import operator_norm, quadratic_form
from boundcheck.worlds import Indices, Integer, Matrix, Real, Space, Vector, Weights

from . import NOTES, b, delta, epsilon, n, s, t, top, unit

WORLDS = Space(
    m=Integer(1, searched=3),
    s=Integer(1, searched=3),
    rho=Weights("m"),
    phi=Matrix("m", "s", searched=(-2, 2)),
)
POINTS = Indices("sample", "rho", "n", over="the training set")
POSITIVE = Real(0, None, open_low=True)
SIZES = {
    b: POSITIVE, epsilon: POSITIVE, delta: Real(0, 1, open_low=True, open_high=True),
    n: Integer(1, searched=6),
}  # fmt: skip
deviation, longest, summand = symbols("deviation longest summand", real=True)
square, expanded, plain = symbols("square expanded plain", real=True)
squared, size_xi = symbols("squared size_xi", real=True)


def longest_row(phi):
    """max over points of ||psi(x)||^2 = (1/s) sum_l psi(x; v_l)^2."""
    rows, cols = phi.nrows(), phi.ncols()
    return max(sum((phi[a, j] ** 2 for j in range(cols)), fmpq(0)) / cols for a in range(rows))


def largest_summand(phi, rho, n):
    """max over points of ||Z_i||_2, Z_i = (psi_i psi_i^T - Xi) / n."""
    mean = population_moment(phi, rho)
    norms = [operator_norm(outer_of_row(phi, a) - mean) for a in range(phi.nrows())]
    top = norms[0]
    for value in norms[1:]:
        top = top.max(value)
    return top / n


def moment_norm(phi, rho):
    """||Xi||_2."""
    return operator_norm(population_moment(phi, rho))


def square_form(phi, rho, w):
    """w^T E (n Z_i)^2 w."""
    return quadratic_form(centred_square(phi, rho), w)


def expanded_form(phi, rho, w):
    """w^T (E[psi (psi^T psi) psi^T] + Xi^2 - Xi Xi - Xi Xi) w."""
    mean = population_moment(phi, rho)
    fourth = mean * 0
    for a, weight in enumerate(rho):
        outer = outer_of_row(phi, a)
        fourth += outer * outer * weight
    return quadratic_form(fourth + mean * mean - mean * mean - mean * mean, w)


def moment_form(phi, rho, w):
    """w^T Xi w."""
    return quadratic_form(population_moment(phi, rho), w)


def moment_square_form(phi, rho, w):
    """w^T Xi^2 w."""
    mean = population_moment(phi, rho)
    return quadratic_form(mean * mean, w)


CONDITION = n >= 8 * b**2 / (3 * epsilon**2) * log(s / delta)
ASSUMED = [unit, top <= b]

printed = Claim(
    source=NOTES.at("Lemma 3"),
    statement=WithProbability(1 - delta, deviation <= epsilon),
    given=[*ASSUMED, CONDITION],
    worlds=WORLDS,
    parameters=SIZES,
    measure={deviation: moment_deviation, top: peak},
    draw=POINTS,
    uses=("wang2019/lemma_3:step_bernstein", "wang2019/lemma_3:step_solve"),
    reading="The features are given, as the text says; only the points are random.",
)

repaired = Claim(
    source=NOTES.at("Lemma 3"),
    statement=WithProbability(1 - delta, deviation <= epsilon),
    given=[*ASSUMED, n >= 8 * b**2 / (3 * epsilon**2) * log(2 * s / delta)],
    worlds=WORLDS,
    parameters=SIZES,
    measure={deviation: moment_deviation, top: peak},
    draw=POINTS,
    cost=4.0,
)

step_bounded = Claim(
    source=NOTES.at("(11) and the bound on Z_i, Section 4.2"),
    statement=Holds(And(longest <= b, summand <= b / n)),
    given=[top <= b],
    worlds=WORLDS,
    parameters={b: POSITIVE, n: Integer(1, searched=6)},
    measure={longest: longest_row, summand: largest_summand, top: peak},
)

step_variance = Claim(
    source=NOTES.at("Variance of the summands, Section 4.2"),
    statement=Holds(
        And(
            Eq(square, expanded),
            square <= b * plain - squared,
            b * plain - squared <= b * plain,
            b / n * size_xi <= b**2 / n,
        )
    ),
    given=[top <= b],
    worlds=WORLDS.and_fields(w=Vector("s")),
    parameters={b: POSITIVE, n: Integer(1, searched=6)},
    measure={
        square: square_form, expanded: expanded_form, plain: moment_form,
        squared: moment_square_form, size_xi: moment_norm, top: peak,
    },
    uses=("wang2019/lemma_3:step_bounded",),
    reading="The order of matrices is stated through the quadratic forms at every vector w.",
)  # fmt: skip

VARIANCE, LARGEST = b / n * size_xi, b / n
# At t = 0 the exponent is 0 also where the variance is, so the bound there is s.
TAIL = Piecewise((1, Eq(t, 0)), (exp(-(t**2) / 2 / (VARIANCE + LARGEST * t / 3)), True))

step_bernstein = Claim(
    source=NOTES.at("Matrix Bernstein, Section 4.2"),
    statement=WithProbability(1 - s * TAIL, deviation < t),
    given=[top <= b],
    worlds=WORLDS,
    parameters={b: POSITIVE, t: Real(0, None), n: Integer(1, searched=6)},
    measure={deviation: moment_deviation, size_xi: moment_norm, top: peak},
    draw=POINTS,
    uses=("wang2019/lemma_3:step_bounded", "wang2019/lemma_3:step_variance"),
)

bernstein_repaired = Claim(
    source=NOTES.at("Matrix Bernstein, Section 4.2"),
    statement=WithProbability(1 - 2 * s * TAIL, deviation < t),
    given=[top <= b],
    worlds=WORLDS,
    parameters={b: POSITIVE, t: Real(0, None), n: Integer(1, searched=6)},
    measure={deviation: moment_deviation, size_xi: moment_norm, top: peak},
    draw=POINTS,
    cost=4.0,
)

SCALARS = Space(s=Integer(1, wide=True, searched=10**6))
SOLVED = s * exp(-(epsilon**2) / 2 / (b**2 / n + b * epsilon / (3 * n))) <= delta

step_solve = Claim(
    source=NOTES.at("Section 4.2, after the tail"),
    statement=Holds(SOLVED),
    given=[unit, CONDITION],
    worlds=SCALARS,
    parameters={**SIZES, n: Integer(1, wide=True, searched=10**9)},
    uses=("wang2019/lemma_3:step_bernstein",),
    reading="The tail at t = epsilon, with v at its bound b^2 / n, is to be at most delta.",
)

solve_repaired = Claim(
    source=NOTES.at("Section 4.2, after the tail"),
    statement=Holds(SOLVED),
    given=[unit, epsilon <= b, CONDITION],
    worlds=SCALARS,
    parameters={**SIZES, n: Integer(1, wide=True, searched=10**9)},
)
