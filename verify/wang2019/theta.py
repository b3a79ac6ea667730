"""(24)-(25): the squared difference as a quadratic form, for a test point from the training set.

Setting    fixed training set and feature draw, alpha = (K + n lambda I)^-1 y,
           theta = (K - K~)(K~ + n lambda I)^-1 k~' + (k~' - k').
Claim      (f~ - f)^2 = alpha^T theta theta^T alpha, and the four-term expansion of
           E_{x'} theta theta^T, for any law of x'.
Steps      moments of k' and k~' for x' uniform on the training set; then, with
           R = (K~ + n lambda I)^-1, n E theta theta^T = -2 D R K~ D + D R K~^2 R D + D^2
                             = D [I - 2 R K~ + R K~^2 R] D = D [R K~ - I]^2 D
                             = D [n lambda R]^2 D
                             >= (n lambda / (||K~||_2 + n lambda))^2 D^2, D = K~ - K.
"""

from flint import fmpq, fmpq_mat
from sympy import And, Eq, symbols

from boundcheck import Claim, Expected, Holds
from boundcheck.quantities import renamed
from boundcheck.quantities.operators import column, entries, identity, operator_norm, quadratic_form
from boundcheck.quantities.ridge import (
    approximate_gram,
    approximate_vector,
    kernel_vector,
    resolvent,
    ridge_solution,
    squared_difference,
    training_gram,
)
from boundcheck.worlds import Listed, Real, Vector

from . import NOTES, drawn_features, n, ridge

gap, form, w_form, w_square, size = symbols("gap form w_form w_square size", real=True)
moment, K, A, R, I = symbols("moment gram approximate inverse unit", commutative=False)
kk, aa, ak, ka = symbols("kk aa ak ka", commutative=False)
RIDGE = {ridge: Real(0, None, open_low=True)}
WORLDS = drawn_features()
# x' of any law on the atoms; x' uniform on the training set.
ANY = Listed(
    ("point",), lambda rho: [(p, {"point": a}) for a, p in enumerate(rho)], over="the test point",
)
UNIFORM = Listed(
    ("point",),
    lambda sample: [(fmpq(1, len(sample)), {"point": a}) for a in sample],
    over="the test point, uniform on the training set",
)


def theta(phi, tau, features, sample, lambda_, point):
    """theta (n x 1) at one test point."""
    gram, approximate = training_gram(phi, tau, sample), approximate_gram(phi, features, sample)
    vector = approximate_vector(phi, features, sample, point)
    exact = kernel_vector(phi, tau, sample, point)
    return (gram - approximate) * resolvent(approximate, lambda_) * vector + vector - exact


def theta_moment(phi, tau, features, sample, lambda_, point):
    """theta theta^T (n x n)."""
    vector = theta(phi, tau, features, sample, lambda_, point)
    return vector * vector.transpose()


def theta_form(phi, tau, features, sample, y, lambda_, point):
    """alpha^T theta theta^T alpha."""
    alpha = ridge_solution(training_gram(phi, tau, sample), y, lambda_)
    moment = theta_moment(phi, tau, features, sample, lambda_, point)
    return quadratic_form(moment, entries(alpha))


def approximate_inverse(phi, features, sample, lambda_):
    """(K~ + n lambda I)^-1."""
    return resolvent(approximate_gram(phi, features, sample), lambda_)


def unit_matrix(sample):
    """I (n x n)."""
    return identity(len(sample))


def _outer(left, right):
    return left * right.transpose()


def exact_outer(phi, tau, sample, point):
    """k' k'^T."""
    vector = kernel_vector(phi, tau, sample, point)
    return _outer(vector, vector)


def approximate_outer(phi, features, sample, point):
    """k~' k~'^T."""
    vector = approximate_vector(phi, features, sample, point)
    return _outer(vector, vector)


def mixed_outer(phi, tau, features, sample, point):
    """k~' k'^T."""
    vector = approximate_vector(phi, features, sample, point)
    return _outer(vector, kernel_vector(phi, tau, sample, point))


def mixed_outer_transposed(phi, tau, features, sample, point):
    """k' k~'^T."""
    return mixed_outer(phi, tau, features, sample, point).transpose()


def moment_form(phi, tau, features, sample, lambda_, w):
    """w^T (n E theta theta^T) w for x' uniform on the training set."""
    size = len(sample)
    total = fmpq_mat(size, size)
    for point in sample:
        total += theta_moment(phi, tau, features, sample, lambda_, point)
    return quadratic_form(total, w)


def gap_form(phi, tau, features, sample, w):
    """w^T (K~ - K)^2 w."""
    image = (
        approximate_gram(phi, features, sample) - training_gram(phi, tau, sample)
    ) * column(w)
    return (image.transpose() * image)[0, 0]


MATRICES = {K: training_gram, A: approximate_gram, R: approximate_inverse}
EXPANSION = (
    (K - A) * R * (aa - ak)
    + (aa - ka) * R * (K - A)
    + (K - A) * R * aa * R * (K - A)
    + (aa - ak - ka + kk)
)

printed = Claim(
    source=NOTES.at("(24) and the display after it"),
    statement=Expected(And(Eq(gap, form), Eq(moment, EXPANSION))),
    given=[ridge > 0],
    worlds=WORLDS,
    parameters=RIDGE,
    measure={
        gap: renamed(squared_difference, test="point"), form: theta_form, moment: theta_moment,
        kk: exact_outer, aa: approximate_outer, ak: mixed_outer, ka: mixed_outer_transposed,
        **MATRICES,
    },
    draw=ANY,
    uses=("wang2019/inverse_difference:printed",),
    reading="The square is taken pointwise and then both sides in the mean over x', which the "
    "pointwise identity implies; the claim `pointwise` states it at every x'.",
    cost=8.0,
)  # fmt: skip

pointwise = Claim(
    source=NOTES.at("(24)"),
    statement=Holds(Eq(gap, form)),
    given=[ridge > 0],
    worlds=WORLDS,
    parameters=RIDGE,
    measure={gap: renamed(squared_difference, test="point"), form: theta_form},
    draw=ANY,
    cost=4.0,
)

step_moments = Claim(
    source=NOTES.at("Moments of the kernel vectors, Section 5"),
    statement=Expected(And(Eq(kk, K * K / n), Eq(aa, A * A / n), Eq(ak, A * K / n))),
    worlds=WORLDS,
    measure={
        kk: exact_outer, aa: approximate_outer, ak: mixed_outer,
        K: training_gram, A: approximate_gram,
    },
    draw=UNIFORM,
    cost=4.0,
)  # fmt: skip

SUMMED = (
    2 * (K - A) * R * A * (A - K) + (K - A) * R * A * A * R * (K - A) + (A - K) * (A - K)
)

step_square = Claim(
    source=NOTES.at("(25)"),
    statement=Expected(
        And(
            Eq(n * moment, SUMMED),
            Eq(SUMMED, (A - K) * (I - 2 * R * A + R * A * A * R) * (A - K)),
            Eq(n * moment, (A - K) * (R * A - I) * (R * A - I) * (A - K)),
            Eq(n * moment, (A - K) * (n * ridge * R) * (n * ridge * R) * (A - K)),
            w_form >= (n * ridge / (size + n * ridge)) ** 2 * w_square,
        )
    ),
    given=[ridge > 0],
    worlds=WORLDS.and_fields(w=Vector("n")),
    parameters=RIDGE,
    measure={
        moment: theta_moment, **MATRICES, I: unit_matrix, w_form: moment_form,
        w_square: gap_form, size: renamed(operator_norm, matrix="approximate"),
    },
    draw=UNIFORM,
    uses=("wang2019/theta:printed", "wang2019/theta:step_moments"),
    reading="The sign between the matrices is read as the order of semi-definite matrices, which "
    "is how (28) uses it; stated through the quadratic forms at every vector w.",
    cost=8.0,
)  # fmt: skip
