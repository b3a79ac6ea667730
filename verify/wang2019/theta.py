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

from sympy import And, Eq

from boundcheck import Claim, Holds
from boundcheck.expressions import form, identity, named, operator_norm, outer, world
from boundcheck.settings.random_features import E_test, fixed, ridge, test, x
from boundcheck.worlds import Vector

from . import NOTES

n, K, K_, R, k, k_ = fixed.n, fixed.K, fixed.K_, fixed.R_, fixed.k, fixed.k_
I, D = identity(n), K_ - K
w = world("w", Vector(n), says="Any vector.")


def theta(x):
    return named("theta", (K - K_) * R * k_(x) + (k_(x) - k(x)), r"\theta")


def square(x):
    return outer(theta(x), theta(x))


gap = (fixed.f_(test) - fixed.f(test)) ** 2
pointwise = Claim(
    NOTES.at("(24)"),
    Holds(Eq(gap, form(square(test), fixed.alpha))),
    cost=4.0,
)
expansion = (
    (K - K_) * R * E_test(outer(k_(x), k_(x)) - outer(k_(x), k(x)))
    + E_test(outer(k_(x), k_(x)) - outer(k(x), k_(x))) * R * (K - K_)
    + (K - K_) * R * E_test(outer(k_(x), k_(x))) * R * (K - K_)
    + E_test(outer(k_(x) - k(x), k_(x) - k(x)))
)
printed = Claim(
    NOTES.at("(24) and the display after it"),
    Holds(And(Eq(gap, form(square(test), fixed.alpha)), Eq(E_test(square(x)), expansion))),
    uses=("wang2019/inverse_difference:printed",),
    cost=8.0,
)


def mean(left, right):
    """E over x' uniform on the training set of left(x') right(x')^T."""
    return fixed.E_training(lambda x: outer(left(x), right(x)))


step_moments = Claim(
    NOTES.at("Moments of the kernel vectors, Section 5"),
    Holds(
        And(
            Eq(mean(k, k), K**2 / n), Eq(mean(k_, k_), K_**2 / n), Eq(mean(k_, k), K_ * K / n)
        )
    ),
    cost=4.0,
)  # fmt: skip
moment = n * mean(theta, theta)
shrunk = (n * ridge / (operator_norm(K_) + n * ridge)) ** 2
summed = 2 * (K - K_) * R * K_ * (K_ - K) + (K - K_) * R * K_**2 * R * (K - K_) + D**2
step_square = Claim(
    NOTES.at("(25)"),
    Holds(
        And(
            Eq(moment, summed),
            Eq(moment, D * (-2 * R * K_ + R * K_**2 * R + I) * D),
            Eq(moment, D * (R * K_ - I) ** 2 * D),
            Eq(moment, D * (n * ridge * R) ** 2 * D),
            form(moment, w) >= shrunk * form(D**2, w),
        )
    ),
    uses=("wang2019/theta:printed", "wang2019/theta:step_moments"),
    reading="The sign between the matrices is read as the order of semi-definite matrices, which "
    "is how (28) uses it; stated through the quadratic forms at every vector w.",
    cost=8.0,
)
