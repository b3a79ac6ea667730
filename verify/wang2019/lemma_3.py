"""Lemma 3: empirical and population second moment of the features.

Setting    s given features with psi^2 <= b, n independent points, Xi = E psi psi^T (s x s).
Claim      for n >= (8 b^2 / (3 epsilon^2)) log(s / delta), with probability at least 1 - delta
           over the points, ||Xi - (1/n) Psi^T Psi||_2 <= epsilon.
Steps      size of the summands Z_i = (psi_i psi_i^T - Xi) / n, their variance, the Bernstein tail
           with the factor s, and the sample size solved from it.
Repaired   the tail of a norm carries the factor 2 s; the solution needs epsilon <= b.
"""

from sympy import And, Eq, Piecewise, exp, log

from boundcheck import Claim, Holds, WithProbability
from boundcheck.expressions import form, greatest, inner, operator_norm, outer, parameter, world
from boundcheck.settings.random_features import POSITIVE, E_test, b, delta, drawn_points, peak, x
from boundcheck.worlds import Integer, Real, Vector

from . import NOTES

n, s, Xi = drawn_points.n, drawn_points.s, drawn_points.Xi
epsilon = parameter("epsilon", POSITIVE, units={"feature": 2})
t = parameter("t", Real(0, None), units={"feature": 2})
w = world("w", Vector(s), says="Any vector.")
deviation = operator_norm(Xi - drawn_points.moment)
psi_i = drawn_points.psi(x)
nZ = outer(psi_i, psi_i) - Xi
square = E_test(form(nZ**2, w))
expanded = E_test(inner(psi_i, psi_i) * inner(psi_i, w) ** 2) + form(Xi**2 - Xi * Xi - Xi * Xi, w)


def sample_size(failures):
    return n >= 8 * b**2 / (3 * epsilon**2) * log(failures / delta)


printed = Claim(
    NOTES.at("Lemma 3"),
    WithProbability(1 - delta, deviation <= epsilon),
    given=[peak <= b, sample_size(s)],
    uses=("wang2019/lemma_3:step_bernstein", "wang2019/lemma_3:step_solve"),
    reading="The features are given, as the text says; only the points are random.",
)
repaired = Claim(
    NOTES.at("Lemma 3"),
    WithProbability(1 - delta, deviation <= epsilon),
    given=[peak <= b, sample_size(2 * s)],
    cost=4.0,
)
step_bounded = Claim(
    NOTES.at("(11) and the bound on Z_i, Section 4.2"),
    Holds(
        And(greatest(inner(psi_i, psi_i), x) <= b, greatest(operator_norm(nZ), x) / n <= b / n)
    ),
    given=[peak <= b],
)
step_variance = Claim(
    NOTES.at("Variance of the summands, Section 4.2"),
    Holds(
        And(
            Eq(square, expanded),
            square <= b * form(Xi, w) - form(Xi**2, w),
            b * form(Xi, w) - form(Xi**2, w) <= b * form(Xi, w),
            b / n * operator_norm(Xi) <= b**2 / n,
        )
    ),
    given=[peak <= b],
    uses=("wang2019/lemma_3:step_bounded",),
    reading="The order of matrices is stated through the quadratic forms at every vector w.",
)
v, L = b / n * operator_norm(Xi), b / n
# At t = 0 the exponent is 0 also where the variance is, so the bound there is s.
tail = Piecewise((1, Eq(t, 0)), (exp(-(t**2) / 2 / (v + L * t / 3)), True))

step_bernstein = Claim(
    NOTES.at("Matrix Bernstein, Section 4.2"),
    WithProbability(1 - s * tail, deviation < t),
    given=[peak <= b],
    uses=("wang2019/lemma_3:step_bounded", "wang2019/lemma_3:step_variance"),
)
bernstein_repaired = Claim(
    NOTES.at("Matrix Bernstein, Section 4.2"),
    WithProbability(1 - 2 * s * tail, deviation < t),
    given=[peak <= b],
    cost=4.0,
)
solved = s * exp(-(epsilon**2) / 2 / (b**2 / n + b * epsilon / (3 * n))) <= delta
WIDE = {n: Integer(1, wide=True, searched=10**9), s: Integer(1, wide=True, searched=10**6)}

step_solve = Claim(
    NOTES.at("Section 4.2, after the tail"),
    Holds(solved),
    given=[sample_size(s)],
    domains=WIDE,
    uses=("wang2019/lemma_3:step_bernstein",),
    reading="The tail at t = epsilon, with v at its bound b^2 / n, is to be at most delta.",
)
solve_repaired = Claim(
    NOTES.at("Section 4.2, after the tail"),
    Holds(solved),
    given=[epsilon <= b, sample_size(s)],
    domains=WIDE,
)
