"""What is said of every value of a quantity, at arguments that its docstring does not speak of.

A prover believes a fact wherever there is a value, so that there must be none where it is false.
"""

import pytest
from flint import arb, fmpq, fmpq_mat

from boundcheck import Claim, Holds, Source
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.checks.proof import run
from boundcheck.errors import Undefined
from boundcheck.expressions import parameter
from boundcheck.quantities import complexity, lasso, losses, regularised, rkhs
from boundcheck.settings.fourier import normal_quantile
from boundcheck.settings.margin_losses import polygon_least_risk
from boundcheck.worlds import Choice, Real

PLACE = Source("A", 2024, "Example").at("1")
ONE, LESS, MORE = fmpq(1), fmpq(-1), fmpq(3, 2)
INDEFINITE = fmpq_mat([[0, 1], [1, 0]])
WITHOUT_VALUE = {
    "a loss of negative height": lambda: losses.loss_value("hinge", LESS, ONE, fmpq(0)),
    "its slope": lambda: losses.lipschitz_constant("hinge", LESS, ONE),
    "a stretch below zero": lambda: losses.lipschitz_constant("hinge", ONE, LESS),
    "values of a loss": lambda: losses.loss_value("logistic", LESS, ONE, fmpq(0)),
    "its smoothness": lambda: losses.smoothness_constant("logistic", LESS, ONE),
    "its least risk": lambda: losses.minimal_risk("hinge", LESS, ONE, fmpq(1, 2)),
    "a chance above one": lambda: losses.minimal_risk("modified huber", ONE, ONE, MORE),
    "a chance below zero": lambda: losses.minimal_risk("hinge", ONE, ONE, LESS),
    "a risk of weights": lambda: polygon_least_risk((LESS,), (ONE,), MORE),
    "a quantile above one": lambda: normal_quantile(MORE),
    "a quantile of a ball": lambda: normal_quantile(arb("1.5")),
    "a reward for size": lambda: lasso.lasso_value(fmpq_mat(1, 1, [1]), (ONE,), LESS),
    "an indefinite form": lambda: rkhs.squared_norm_of_values(INDEFINITE, (ONE, LESS)),
    "weights below zero": lambda: rkhs.least_coefficient_norm(
        fmpq_mat(1, 1, [1]), (LESS,), (ONE,)),
    "a ball of negative radius": lambda: complexity.sample_complexity(
        fmpq_mat(1, 1, [1]), (1,), LESS),
}  # fmt: skip


@pytest.mark.parametrize("name", WITHOUT_VALUE)
def test_there_is_no_value_where_a_fact_would_be_false(name):
    with pytest.raises(Undefined):
        WITHOUT_VALUE[name]()


def test_slopes_between_knots_in_any_order_count_by_their_size():
    assert regularised.lipschitz_constant(fmpq_mat([[1, 0]]), fmpq_mat([[0, 2]])) == 2


kind = parameter("kind", Choice(("logistic", "hinge", "modified huber")))
height = parameter("height", Real(None, None, searched=(0, 1)))
stretch = parameter("stretch", Real(0, None, open_low=True))
chance = parameter("chance", Real(0, 1))
risk = losses.minimal_risk(kind, height, stretch, chance)


@pytest.mark.parametrize("relation", [risk >= 0, 1 + risk >= 1, 2 * risk >= risk])
def test_a_height_below_zero_that_no_sample_meets_is_proved_nothing_of(relation):
    def outcome(*given):
        claim = Claim(PLACE, Holds(relation), given=given)
        return run(Task("hostile/facts", claim, BUDGETS["quick"])).outcome

    assert outcome() != "proved"
    assert outcome(height >= 0) == "proved"
