from pathlib import Path

import numpy as np
import pytest

import boundcheck
import boundcheck.statistics.calibration as calibration
from boundcheck.statistics import (
    ViolationTest,
    clopper_pearson_lower,
    clopper_pearson_upper,
    kt_bet,
)

PRINTED = Path(boundcheck.__file__).with_name("CALIBRATION.md").read_text().splitlines()


def cells(start):
    """Cells of the printed table whose header starts with `start`, header and rule left out."""
    first = next(i for i, line in enumerate(PRINTED) if line.startswith(start))
    table = []
    for line in PRINTED[first + 2 :]:
        if not line:
            break
        table.append([cell.strip() for cell in line.strip("|").split("|")])
    return table


def test_simulated_alarms_agree_with_the_exact_probability(survival):
    delta, runs, horizon = 0.05, 4000, 300
    rng = np.random.default_rng(1)
    count = calibration.alarms(calibration.mixture(delta), delta, delta, 0.05, runs, horizon, rng)
    exact = 1 - survival(delta, delta, 0.05, horizon)[-1]
    # An exact two-sided interval at 2e-9.
    assert clopper_pearson_lower(count, runs, level=1e-9) <= exact
    assert clopper_pearson_upper(count, runs, level=1e-9) >= exact


@pytest.mark.parametrize("case", ["bets below delta", "bets that see the draw", "best of 20"])
def test_invalid_procedures_are_caught(case):
    delta, p, pooled, bet = 0.05, 0.05, True, calibration.krichevsky_trofimov(0.05)
    if case == "bets below delta":
        p, bet = 0.03, calibration.oracle(0.025)
    if case == "best of 20":
        pooled = False
    rng = np.random.default_rng(2)
    if case == "bets that see the draw":
        # A twin of the generator tells the bet what comes: the predictability is broken.
        twin = np.random.default_rng(2)
        twin.random((300, calibration.WORLDS))

        def bet(hits, trials):
            twin.integers(calibration.WORLDS, size=len(hits))
            twin.random(len(hits))
            return np.where(twin.random(len(hits)) < delta, 0.5, kt_bet(hits, trials, delta))

    count = calibration.alarms(bet, delta, p, 0.05, 300, 600, rng, pooled=pooled)
    assert clopper_pearson_lower(count, 300, level=1e-9) > 0.05


@pytest.mark.parametrize("p1", [0.1, 0.5])
def test_simulated_draws_agree_with_the_exact_law(survival, p1):
    delta, runs = 0.05, 2000
    rng = np.random.default_rng(3)
    times = calibration.draws_to_reject(calibration.mixture(delta), delta, p1, 0.05, runs, rng)
    left = survival(delta, p1, 0.05, 2000)
    for t in np.quantile(times, [0.25, 0.5, 0.9]).astype(int):
        later = int((times > t).sum())
        assert clopper_pearson_lower(later, runs, level=1e-9) <= left[t]
        assert clopper_pearson_upper(later, runs, level=1e-9) >= left[t]


def test_bets_of_the_benchmark_are_those_of_the_shipped_test():
    rng = np.random.default_rng(4)
    draws = rng.random(200) < 0.1
    bet, log_e, hits = calibration.mixture(0.05), 0.0, 0
    for t, x in enumerate(draws):
        miss, hit = calibration.log_payoffs(bet(np.array([hits]), t), 0.05)
        log_e += float((hit if x else miss)[0])
        hits += int(x)
    # 200 payoffs below 3, each from differences of logarithms rounded to 1e-14.
    assert ViolationTest(0.05, 0.05).update(draws).log_e == pytest.approx(log_e, abs=1e-9)


def test_coverage_routes_agree():
    law = calibration.LAWS[1]
    unit = law.sample(np.random.default_rng(5), (50, 200))
    one = calibration._excluded(unit, 0.1, 0.05)
    other = calibration._excluded_by_hits(unit, 0.1, 0.05)
    assert one.any() and not one.all()
    assert (one == other).all()


def test_printed_table_meets_its_requirements():
    for name, *_, valid in cells("| test |"):
        assert valid == ("NO" if name.startswith("control") else "yes"), name
    assert all(int(row[3]) >= 10_000 for row in cells("| test |") if row[0] == "ViolationTest")
    rows = cells("| delta |")
    multiples = [[float(cell.split("(")[1].rstrip(")")) for cell in row[3:]] for row in rows]
    for _, ours, _, exact, hoeffding in multiples:
        assert ours <= exact < hoeffding
    assert all(row[1] <= 1.6 for row in multiples[2:])
    coverage = [row for row in cells("| law |") if row[-1] in ("yes", "NO")]
    assert {row[-1] for row in coverage} == {"yes"}
    assert any(row[0] == "Bernoulli(1e-05)" for row in coverage)


def test_printed_alarms_of_the_pipeline_meet_the_requirement():
    rows = cells("| pipeline |")
    assert [row[-1] for row in rows] == ["yes", "yes", "yes", "NO"]
    assert all(int(row[3]) >= 10_000 for row in rows[:-1])
    assert all(row[1] == row[2] for row in rows)


def test_printed_rows_reproduce(monkeypatch):
    monkeypatch.setattr(calibration, "PAIRS", calibration.PAIRS[:1])
    for line in list(calibration.draws_table())[2:]:
        assert line in PRINTED
    monkeypatch.setattr(calibration, "LAWS", calibration.LAWS[3:4])
    for line in calibration.coverage_table():
        assert line in PRINTED
