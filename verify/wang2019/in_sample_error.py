"""(26)-(28): mean squared difference over a test point from the training set.

Setting    fixed training set and feature draw, x' uniform on the training set,
           alpha = (K + n lambda I)^-1 y, D = K~ - K.
Claim      E_{x'}(f~ - f)^2 = alpha^T theta theta^T alpha
           >= (1/n) (n lambda / (||K~||_2 + n lambda))^2 alpha^T D^2 alpha.
Repaired   the middle term carries the expectation over x', on which theta depends.
"""

from flint import fmpq
from sympy import And, Eq, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities import renamed
from boundcheck.quantities.operators import operator_norm
from boundcheck.quantities.ridge import approximate_gram, matrix_gap_term, squared_difference
from boundcheck.worlds import Real

from . import NOTES, drawn_features, n, ridge
from .theta import theta_form

mean, form, mean_theta, delta_2, size = symbols("mean form mean_theta Delta_2 size", real=True)
approximate = symbols("approximate", commutative=False)


def mean_difference(phi, tau, features, sample, y, lambda_):
    """E over x' uniform on the training set of (f~ - f)^2."""
    terms = [squared_difference(phi, tau, features, sample, y, lambda_, a) for a in sample]
    return sum(terms, fmpq(0)) / len(sample)


def mean_theta_form(phi, tau, features, sample, y, lambda_):
    """E over x' uniform on the training set of alpha^T theta theta^T alpha."""
    terms = [theta_form(phi, tau, features, sample, y, lambda_, a) for a in sample]
    return sum(terms, fmpq(0)) / len(sample)


LOWER = 1 / n * (n * ridge / (size + n * ridge)) ** 2 * delta_2
MEASURE = {
    mean: mean_difference, approximate: approximate_gram, delta_2: matrix_gap_term,
    size: renamed(operator_norm, matrix="approximate"),
}  # fmt: skip


def training_point(sample, test):
    """The test point, one of the training points."""
    return sample[test % len(sample)]


point = symbols("point", real=True)

printed = Claim(
    source=NOTES.at("(26)-(28)"),
    statement=Holds(And(Eq(mean, form), form >= LOWER)),
    given=[ridge > 0],
    worlds=drawn_features(),
    parameters={ridge: Real(0, None, open_low=True)},
    measure={**MEASURE, form: theta_form, point: training_point},
    uses=("wang2019/theta:printed", "wang2019/theta:step_square"),
    reading="(27) has no expectation over x', so its theta is the one of a test point.",
)

repaired = Claim(
    source=NOTES.at("(26)-(28)"),
    statement=Holds(And(Eq(mean, mean_theta), mean_theta >= LOWER)),
    given=[ridge > 0],
    worlds=drawn_features(),
    parameters={ridge: Real(0, None, open_low=True)},
    measure={**MEASURE, mean_theta: mean_theta_form},
    cost=5.0,
)
