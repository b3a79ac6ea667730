"""One description of a comparison: equal budgets, the same streams for all, steps chosen apart."""

from dataclasses import replace

import numpy
import pytest

from boundcheck.experiments import feature_budgets as budgets

TOY = budgets.Experiment((10,), rounds=8, samples=(2, 5), tuning=3, runs=4)


def test_budgets_are_equal_by_their_own_count():
    toy = replace(TOY, rounds=200, samples=(20, 200))
    for m in toy.samples:
        assert toy.features("fixed", "drawn", m) == m * 200
        computed = 2 * m * 199
        assert abs(toy.features("fixed", "computed", m) * 200 - computed) <= 100
        stochastic = toy.features("stochastic", "computed", m)
        if stochastic > 1:
            assert abs(stochastic * 200 * 201 / 2 / computed - 1) < 0.15
        assert {toy.features(name, "per point", m) for name in budgets.METHODS} == {m}


def test_all_methods_meet_the_same_data_and_steps_are_chosen_on_other_streams(monkeypatch):
    seen = []

    def record(method, data, steps, count, rng):
        seen.append((len(steps), data[0].sum(), rng.random()))
        return numpy.zeros((3, len(data[0]), len(steps)))

    monkeypatch.setattr(budgets, "losses", record)
    budgets.compared(TOY, 10, TOY.settings(), seed=1)
    grid = len(TOY.step_rows())
    tuning = {total for rows, total, _ in seen if rows == grid}
    final = {total for rows, total, _ in seen if rows == 1}
    assert len(final) == 1 and len(tuning) == 1 and not tuning & final
    assert len({number for *_, number in seen}) == len(seen)  # own draws for every setting


def test_a_setting_does_not_depend_on_the_others_and_takes_its_best_step(monkeypatch):
    every = budgets.compared(TOY, 10, TOY.settings())
    for setting in TOY.settings():
        row, values = budgets.compared(TOY, 10, [setting])[setting]
        assert row == every[setting][0] and (values == every[setting][1]).all()
    setting = ("fixed", 5)
    eta, schedule = TOY.step(every[setting][0])
    steps = eta / numpy.arange(1, 9) ** budgets.SCHEDULES[schedule]
    assert steps.tolist() == TOY.step_rows()[every[setting][0]].tolist()
    # Any other row has a mean loss on the tuning streams that is no smaller.
    rng = numpy.random.default_rng([0, 0, 10, 0])
    data = TOY.streams(rng, 3, 10)
    own = numpy.random.default_rng([0, 0, 10, 0, list(budgets.METHODS).index("fixed"), 5])
    totals = budgets.losses("fixed", data, TOY.step_rows(), 5, own)[0].sum(axis=0)
    assert totals.argmin() == every[setting][0]


def test_real_points_are_pixels_and_their_labels_a_sparse_combination():
    digits = budgets.Experiment((64,), rounds=20, samples=(2,), points="digits")
    x, y, norm = digits.streams(numpy.random.default_rng(0), 3, 64)
    assert x.shape == (3, 20, 64) and x.min() == 0 and 0.9 < x.max() < 1
    assert abs(y).max(axis=1) == pytest.approx(numpy.ones(3))
    for points, labels, size in zip(x, y, norm, strict=True):
        rest = labels - points @ numpy.linalg.lstsq(points, labels, rcond=None)[0]
        assert abs(rest).max() < 1e-9  # the target is linear in the pixels
        assert (abs(labels) <= size * numpy.linalg.norm(points, axis=1) / 8 * (1 + 1e-9)).all()
