"""Rules for primitives that move hold at values: exact definitions lie between their bounds."""

import random
from itertools import product

import pytest
import sympy
from flint import fmpq, fmpq_mat

from boundcheck import Claim, Source, UpToConstant, exact
from boundcheck.arithmetic import to_ball
from boundcheck.checker import primitives
from boundcheck.checker.along import Along
from boundcheck.checker.bounds import BOUNDS, Moving, number
from boundcheck.checker.germs import NoGerm, constant, hull, of_terms
from boundcheck.checker.ray import Ray
from boundcheck.expressions import parameter, primitive
from boundcheck.quantities.clipped_regression import clipped_estimator_error, estimator_error
from boundcheck.quantities.regularised import penalised_minimisers, worst_risk
from boundcheck.settings.online_to_batch import chance_free_average
from boundcheck.settings.sampled_features import needed_draws
from boundcheck.settings.shrinking_gradient import expected_losses, least_losses
from boundcheck.settings.sign_features import lower_norm, mean_squared_difference
from boundcheck.worlds import Real

SEEDS = range(12)


def a_number(rng, low=-3, high=3):
    return fmpq(rng.randint(low * 16, high * 16), 16)


def require_between(primitive, operands, moving):
    """The value lies between the bounds of the rule, the operands by these names moving."""
    names = primitive.parameters
    letters = {name: sympy.Symbol(name, real=True) for name in moving}
    given = [Moving(letters[name], value) if name in moving else value
             for name, value in zip(names, operands, strict=True)]  # fmt: skip
    bounds = BOUNDS[primitive.token.name](*given)
    assert bounds is not None
    known = dict(zip(names, operands, strict=True))
    value = primitive.exact(*operands)
    values = value if isinstance(value, tuple) else (value,)
    low, high = (end if isinstance(end, tuple) else (end,) for end in bounds)
    for below, inside, above in zip(low, values, high, strict=True):
        least, most = (to_ball(exact.value_of(end, known.__getitem__)) for end in (below, above))
        assert not to_ball(inside) < least and not to_ball(inside) > most


def a_run(rng, rounds):
    features = rng.choice((1, 2))
    psi = fmpq_mat(2, features, [fmpq(rng.randint(-15, 15), 16) for _ in range(2 * features)])
    sequence = tuple(rng.randint(0, 1) for _ in range(rounds))
    y = tuple(fmpq(rng.randint(-16, 16), 16) for _ in range(rounds))
    mu = (fmpq(1),) if features == 1 else (fmpq(1, 3), fmpq(2, 3))
    return psi, sequence, y, mu, fmpq(rng.randint(1, 60), 16), fmpq(rng.randint(1, 200), 16)


@pytest.mark.parametrize(("seed", "rounds", "update"), list(product(SEEDS, (1, 2), (-1, 1))))
def test_runs_of_one_and_two_rounds(seed, rounds, update):
    run = a_run(random.Random(seed), rounds)
    draws = (random.Random(seed).randint(1, 4), update)
    require_between(expected_losses, (*run, *draws), {"B", "eta", "m"})
    require_between(least_losses, run[:-1], {"B"})
    if run[0].ncols() == 1:  # nothing is random
        require_between(chance_free_average, (*run, *draws), {"B", "eta", "m"})


def test_longer_runs_have_no_rule():
    run = a_run(random.Random(0), 3)
    for each in (expected_losses, chance_free_average):
        assert BOUNDS[each.token.name](*run, 1, 1) is None
    short = a_run(random.Random(0), 2)
    at_zero = (*short[:4], Moving(sympy.Symbol("B"), fmpq(0)), short[5], 1, 1)
    assert BOUNDS[expected_losses.token.name](*at_zero) is None


@pytest.mark.parametrize("seed", SEEDS)
def test_orthonormal_points(seed):
    rng = random.Random(seed)
    size = rng.randint(1, 5)
    angles, y = (fmpq(0),) * size, tuple(a_number(rng) for _ in range(size))
    ridge = fmpq(rng.randint(1, 40), 16)
    require_between(lower_norm, ("orthonormal", angles, y, ridge), {"ridge"})
    for s in (1, 100, 10**9):
        operands = ("orthonormal", angles, y, s, ridge)
        require_between(mean_squared_difference, operands, {"s", "ridge"})


def test_points_on_a_circle_have_no_rule():
    assert BOUNDS[lower_norm.token.name]("circle", (fmpq(0),), (fmpq(1),), fmpq(1)) is None


@pytest.mark.parametrize("seed", SEEDS)
def test_the_estimator_on_one_point(seed):
    rng = random.Random(seed)
    gram, penalty = fmpq_mat(1, 1, [rng.choice((1, fmpq(1, 4)))]), fmpq(rng.randint(1, 64), 16)
    response = (a_number(rng),), (a_number(rng),)
    operands = (gram, (rng.randint(1, 9),), *response, (fmpq(1),), penalty)
    for each in (estimator_error, clipped_estimator_error):
        require_between(each, operands, {"cells", "lambda_"})
        twice = gram, (rng.randint(1, 9), rng.randint(0, 9)), response[0], response[1] * 2
        require_between(each, (*twice, *operands[-2:]), {"cells", "lambda_"})
        apart = (response[1][0], response[1][0] + 1)
        assert BOUNDS[each.token.name](*twice[:3], apart, *operands[-2:]) is None


@pytest.mark.parametrize("seed", SEEDS)
def test_the_risk_of_any_minimiser(seed):
    rng = random.Random(seed)
    knots = fmpq_mat(2, 3, [0, 1, 2] * 2)
    losses = fmpq_mat(2, 3, [a_number(rng) for _ in range(6)])
    gram, weights = fmpq_mat(2, 2, [1, 0, 0, 1]), (fmpq(1, 4), fmpq(3, 4))
    found = penalised_minimisers(gram, (1, 2), knots, losses, fmpq(1, 8))
    require_between(worst_risk, (found, knots, losses, weights), {"minimisers"})
    assert BOUNDS[worst_risk.token.name](found, knots, losses, (fmpq(-1), fmpq(2))) is None


def test_needed_draws_below_an_end_that_is_not_met():
    operands = ((fmpq(-1, 2),), fmpq_mat(1, 2, [fmpq(9, 10)] * 2), (fmpq(9, 10), fmpq(-9, 10)),
                (fmpq(1, 2),) * 2, fmpq(1, 4))  # fmt: skip
    rule = BOUNDS[needed_draws.token.name]
    letter = sympy.Symbol("delta")
    for start, end in ((fmpq(1, 2), fmpq(1)), (fmpq(1, 8), fmpq(1, 2)), (fmpq(1, 16), fmpq(1, 4))):
        least, most = rule(*operands, Moving(letter, start, end))
        for step in range(8):
            value = needed_draws.exact(*operands, end - (end - start) / 2**step)
            assert least <= number(value) <= most
    assert rule(*operands, Moving(letter, fmpq(1, 2), fmpq(0))) is None
    assert rule(*operands, Moving(letter)) is None


def test_a_rule_of_a_user_is_no_ground(monkeypatch):
    @primitive()
    def cut(x):
        return min(x, fmpq(1))

    q = parameter("q", Real(0, None))
    claim = Claim(Source("A", 2024, "Example").at("1"), UpToConstant(cut(q) <= 1))
    monkeypatch.setitem(BOUNDS, cut.token.name, lambda x: (number(x), number(x)))
    along = Along(claim, Ray({"q": fmpq(1, 2)}, {"q": fmpq(1)}, {}))
    with pytest.raises(NoGerm):
        primitives.germ(along, cut(q))


def test_the_hull_of_germs_holds_each_of_them():
    one, t = constant(fmpq(1)), of_terms({fmpq(1): fmpq(2)})
    found = hull([one, t])
    assert found.power == 1 and found.ball.contains(2) and found.ball.contains(fmpq(1, 10**9))
    assert hull([of_terms({}), of_terms({fmpq(-2): fmpq(3)})]).power == -2


def test_every_rule_is_tried_here():
    tried = {
        expected_losses, least_losses, chance_free_average, lower_norm, mean_squared_difference,
        needed_draws, estimator_error, clipped_estimator_error, worst_risk,
    }  # fmt: skip
    assert set(BOUNDS) == {primitive.token.name for primitive in tried}
