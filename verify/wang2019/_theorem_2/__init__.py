"""Theorem 2 from both sides, for all points, targets, s and lambda, and its steps.

Setting    features with psi^2 = 1, so that tr K~ = n; x' uniform on the training set,
           alpha = (K + n lambda I)^-1 y, D = K~ - K.
Steps      ||K~|| <= tr K~ = n, hence lambda / (1 + lambda) <= n lambda / (sigma + n lambda) <= 1
           for every eigenvalue sigma of K~; n E_{x'}(f~ - f)^2 = ||n lambda (K~ + n lambda)^-1 D
           alpha||^2; E_V ||D alpha||^2 = (n/s) alpha^T (K - K^2 / n) alpha, an equality.
"""

from sympy import And, Eq

from boundcheck import Claim, Expected, Holds
from boundcheck.expressions import define, inner, operator_norm, parameter
from boundcheck.settings import sign_features as sphere
from boundcheck.settings.random_features import fixed, psi, ridge, s, sign_table
from boundcheck.worlds import Real

from .. import NOTES

PLACE = NOTES.at("Theorem 2, (9), from both sides")
STEP = "wang2019/theorem_2:step_"
n, K, K_, alpha = fixed.n, fixed.K, fixed.K_, fixed.alpha
SIGNS = {psi: sign_table}
gap = (K_ - K) * alpha
image = define("image", inner(gap, gap), latex=r"\|D\alpha\|_2^2")
mean = fixed.E_training(lambda x: (fixed.f_(x) - fixed.f(x)) ** 2)
sigma = parameter("sigma", Real(0, None), latex=r"\sigma")
factor = ridge / (1 + ridge)

step_trace = Claim(
    PLACE, Holds(operator_norm(K_) <= n), domains=SIGNS, reading="For every draw of the features."
)
step_shrinkage = Claim(
    PLACE,
    Holds(And(factor <= n * ridge / (sigma + n * ridge), n * ridge / (sigma + n * ridge) <= 1)),
    given=[sigma <= n],
)
step_in_sample = Claim(
    PLACE,
    Holds(And(factor**2 * image <= n * mean, n * mean <= image)),
    domains=SIGNS,
    uses=(STEP + "trace", STEP + "shrinkage", "wang2019/in_sample_error:repaired"),
    reading="For every draw of the features.",
    cost=4.0,
)
step_mean_gap = Claim(
    PLACE,
    Expected(Eq(image, n / s * inner(alpha, (K - K**2 / n) * alpha))),
    domains=SIGNS,
    uses=("wang2019/second_moment_30:printed",),
    cost=2.0,
)

_world = (sphere.design, sphere.angles, sphere.y)
mse = sphere.mean_squared_difference(*_world, sphere.s, sphere.ridge)
bound = sphere.lower_norm(*_world, sphere.ridge) / sphere.s
repaired_two_sided = Claim(
    PLACE,
    Holds(And((sphere.ridge / (1 + sphere.ridge)) ** 2 * bound <= mse, mse <= bound)),
    uses=(STEP + "in_sample", STEP + "mean_gap"),
    reading="For all points of either kind, targets, s and lambda.",
    cost=8.0,
)
