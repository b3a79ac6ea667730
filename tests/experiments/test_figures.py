"""Figures and benchmarks of the sources: what they fit and state; that they run, scaled down."""

import csv
import json
import math
from dataclasses import replace

import numpy
import pytest
from typer.testing import CliRunner

from boundcheck.cli import app
from boundcheck.errors import DataError, OutputError
from boundcheck.experiments.processes import spread
from boundcheck.figures import companion, compare_speed
from boundcheck.library import Library, shipped_root


@pytest.fixture(scope="module")
def library():
    return Library(shipped_root().resolve())  # no statement is needed


@pytest.fixture
def wang(library):
    return companion(library, "wang2019", "_figures")


@pytest.fixture
def livni(library):
    return companion(library, "livni2017", "_figures")


def test_exponent_and_its_interval(wang):
    rng, sizes = numpy.random.default_rng(0), wang.SIZES
    shared = rng.gamma(4.0, 0.25, (400, 1))  # all points of a draw move together
    own = rng.gamma(4.0, 0.25, (400, len(sizes)))
    law = numpy.asarray(sizes, float) ** -0.8
    common, separate = wang.exponent(shared * law, sizes), wang.exponent(own * law, sizes)
    assert common["exponent"] == pytest.approx(-0.8, abs=1e-12)
    assert common["high"] - common["low"] < 1e-12  # a common factor does not move the slope
    x = numpy.log(sizes)
    weights = (x - x.mean()) / ((x - x.mean()) ** 2).sum()
    # The standard error is that of 400 draws with coefficient of variation 1/2 at every point.
    width = 2 * 1.966 * 0.5 * numpy.linalg.norm(weights) / math.sqrt(400)
    assert separate["high"] - separate["low"] == pytest.approx(width, rel=0.25)
    assert separate["low"] < -0.8 < separate["high"]
    assert wang.exponent(own[:1] * law, sizes)["high"] == math.inf


def test_a_bending_curve_shows_in_the_late_exponent(wang):
    sizes = numpy.asarray(wang.SIZES, float)
    curve = numpy.tile(1 / sizes + 0.01, (5, 1))  # a floor, as the printed features have
    found = wang.exponent(curve, wang.SIZES)
    assert found["late"] > found["exponent"] + 0.1


def test_entries_name_a_file_and_a_target(wang, tmp_path):
    path = tmp_path / "small.csv"
    path.write_text("a,b,target\n1,2,1\n2,5,3\n3,1,2\n5,4,9\n")
    default, named = wang.read([str(path), f"{path}:b"])
    assert (default.columns, named.columns) == (("a", "b"), ("a", "target"))
    assert wang.title(default) == "small"
    assert [(wang.title(world), len(world.y), world.x.shape[1]) for world in wang.read([])] == [
        ("cadata", 20_640, 8), ("cpusmall", 8_192, 12)
    ]  # fmt: skip
    assert wang.read(["diabetes"])[0].target == "target"
    with pytest.raises(DataError, match="neither a file"):
        wang.read(["missing.csv:y"])


def test_split_of_the_source(wang):
    world = wang.read([])[0]
    cpusmall = type(world)("cpusmall.tsv.gz", ("i",), numpy.zeros((8192, 1)), numpy.zeros(8192))
    x, y, x_test = wang.split(cpusmall, numpy.random.default_rng(0))
    assert (len(x), len(y), len(x_test)) == (5000, 5000, 3192)
    cadata = type(world)("cadata.tsv.gz", ("i",), numpy.zeros((20640, 1)), numpy.zeros(20640))
    assert [len(part) for part in wang.split(cadata, numpy.random.default_rng(0))] == [10_000] * 3


def test_wang2019_writes_its_figures(wang, monkeypatch, tmp_path):
    monkeypatch.setattr(wang, "SIZES", (4, 8, 16, 32))
    monkeypatch.setattr(wang, "SPLITS", 2)
    monkeypatch.setattr(wang, "FACTORS", (0.2, 1.0))
    seen = []
    paths = wang.run(tmp_path, runs=3, data=["diabetes"], progress=seen.append)
    assert len(seen) == 2 and all(path.stat().st_size for path in paths)
    names = {path.name for path in paths}
    assert {f"wang2019.figure_{i}.{end}" for i in (1, 2, 3, 4) for end in ("svg", "csv", "txt")
            } < names  # fmt: skip
    rows = (tmp_path / "wang2019.figure_1.csv").read_text().splitlines()
    assert len(rows) == 1 + 2 * 4  # two lambdas, four s
    document = json.loads((tmp_path / "wang2019.json").read_text())
    entry = document["sets"]["diabetes"]["laplace"]
    # Single precision is no part of the result: its effect is measured and small.
    assert entry["against_s"]["effect_of_single_precision"] < 1e-3
    curve = entry["against_s"]["curves"]["1.0"]
    assert all(low < mean for low, mean in zip(curve["low"], curve["mean"], strict=True))
    assert entry["against_n"]["n"] == [27, 55, 110, 221]


@pytest.mark.long
def test_yashima2021_writes_its_figures_with_tables(library, tmp_path):
    module = companion(library, "yashima2021", "_figures")
    paths = module.run(tmp_path, runs=2, iterations=60, seed=1)
    assert {f"yashima2021.figure_{i}.{end}" for i in (1, 2, 3, 4) for end in (
        "svg", "csv", "txt")} < {path.name for path in paths}  # fmt: skip
    svg = (tmp_path / "yashima2021.figure_3.svg").read_text()
    assert 'role="img"' in svg and "<title" in svg and ">M = 100<" in svg  # text is text
    rows = (tmp_path / "yashima2021.figure_2.csv").read_text().splitlines()
    document = json.loads((tmp_path / "yashima2021.json").read_text())
    curve = document["curves"]["1000"]["error"]
    assert rows[-1].split(",")[1] == "excess logistic loss"
    assert float(rows[1].split(",")[4]) == pytest.approx(curve["mean"][0], rel=1e-5)
    for place, mean in enumerate(curve["mean"]):
        assert 0 <= curve["low"][place] <= mean <= curve["high"][place] <= 0.6
        assert curve["quadrature"][place] <= 0.1 * mean + 1e-6
    again = tmp_path / "again"
    again.mkdir()
    module.run(again, runs=2, iterations=60, seed=1, jobs=2)
    for path in paths:
        assert (again / path.name).read_bytes() == path.read_bytes()


def test_one_command_redraws_every_source_with_its_coverage(tmp_path):
    for name in ("first", "second"):
        folder = tmp_path / "library" / name
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text("")
        (folder / "_figures.py").write_text(
            "def run(out, *, runs, seed):\n"
            f"    (out / '{name}.figure_1.svg').write_text(str(runs))\n"
        )
    (folder / "_coverage.py").write_text(
        "from boundcheck.experiments.coverage import Coverage, Need\n"
        "def coverage(seed=0):\n"
        "    return Coverage([Need('toy', 'rounds', 'T', 200, 256, None)], f'Seed {seed}.')\n"
    )
    call = ["figures", "--root", str(tmp_path / "library"), "--out", str(tmp_path), "--seed", "3"]
    found = CliRunner().invoke(app, [*call, "--runs", "7"])
    assert found.exit_code == 0, found.output
    written = {path.name: path.read_text() for path in (tmp_path / "figures").iterdir()}
    assert written == {
        "first.figure_1.svg": "7", "second.figure_1.svg": "7",
        "second.coverage.csv": "experiment,hypothesis,symbol,used,needed,met,bound there\n"
        "toy,rounds,T,200,256,no,\n",
        "second.coverage.txt": "0 of 1 met. Seed 3.\n",
    }  # fmt: skip


def test_coverage_of_yashima2021_follows_the_formulas(library):
    coverage = companion(library, "yashima2021", "_coverage").coverage()
    needs = {(need.experiment.split(", ")[1], need.symbol): need for need in coverage.needs}
    alone, together = "the rest as it is", "all hypotheses at once"
    # gamma >= 2 / lambda - 1; the others from the formulas at lambda = 1/1000 and m = log 4.
    assert needs[alone, "gamma"].needed == pytest.approx(1999) and not needs[alone, "gamma"].met
    least = 2304e6 / math.log(4) ** 2 - 1000
    assert needs[alone, "T"].needed == pytest.approx(least)
    assert needs[together, "T"].needed == math.ceil(least)
    assert needs[alone, "t"].bound == pytest.approx(0.01)
    assert coverage.caption().startswith("0 of 7 met.")
    assert "experiment_bayes_rule:printed" in coverage.caption()


def test_coverage_of_wang2019_takes_bound_and_condition_at_the_same_lambda(library):
    coverage = companion(library, "wang2019", "_coverage").coverage(["linnerud"])
    n, s = 10, 1000
    needs = [need for need in coverage.needs if need.symbol == "lambda"]
    printed, repaired = needs[:2]
    assert printed.needed == pytest.approx(4 * math.sqrt(math.log(10 * s) / n))
    assert repaired.needed == 0.5 and repaired.used == pytest.approx(5 / math.sqrt(n))
    assert repaired.met and not printed.met
    # alpha^T K alpha <= |y|^2 / (4 n lambda) for every K, and |y|^2 <= n.
    assert 0 < printed.bound <= 8 / s / (4 * printed.needed)
    # More points: lambda >= 4 sqrt(log(s / delta) / n) solved for n at lambda = c / sqrt(5000).
    points = [need.needed for need in coverage.needs if need.symbol == "n"]
    assert points == [
        math.ceil(16 * math.log(10 * s) * 5000 / c**2) for c in (0.2, 1.0, 5.0)
    ]  # fmt: skip


def test_coverage_of_livni2017_plans_for_the_loss_of_predicting_zero(library):
    coverage = companion(library, "livni2017", "_coverage").coverage()
    rounds, samples, step, values = coverage.needs[:4]
    assert (rounds.used, samples.used, step.used) == (200, 200, 8)
    radius = 3 / 20 * rounds.bound * math.sqrt(rounds.needed)  # 20/3 B / sqrt(T) is the bound
    assert step.needed == pytest.approx(radius / math.sqrt(rounds.needed))
    assert rounds.needed >= 64 * radius**2 and not step.met and not values.met
    assert all(need.met for need in coverage.needs if "pixels" in need.experiment
               and need.symbol == "psi")  # fmt: skip
    row = step.row()
    assert row["met"] == "no" and row["bound there"] == rounds.bound


def test_livni2017_writes_its_figures_with_tables(livni, monkeypatch, tmp_path):
    toy = replace(livni.TOY, dimensions=(20, 30), rounds=12, samples=(3, 6), tuning=3)
    monkeypatch.setattr(livni, "TOY", toy)
    monkeypatch.setattr(livni, "DIGITS", replace(livni.DIGITS, rounds=12, samples=(3,), tuning=2))
    paths = livni.run(tmp_path, runs=12)
    figures = ("figure_1", "figure_1_real_points")
    assert {path.name for path in paths} == {"livni2017.json"} | {
        f"livni2017.{name}.{end}" for name in figures for end in ("svg", "csv", "txt")
    }
    document = json.loads((tmp_path / "livni2017.json").read_text())
    svg = (tmp_path / "livni2017.figure_1.svg").read_text()
    assert 'role="img"' in svg and "<desc" in svg and "m = 3, equal features drawn" in svg
    with (tmp_path / "livni2017.figure_1.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 3 * 4 * 2  # m, budgets, methods, D
    entries = [
        entry for panel in document["figure_1"]["panels"]
        for curve in panel["curves"].values() for entry in curve["by_dimension"]
    ]  # fmt: skip
    for row, entry in zip(rows, entries, strict=True):
        assert float(row["mean loss"]) == pytest.approx(entry["mean"][0], rel=1e-5)
        if row["method"] == "shrinking gradient":  # it is not below itself
            assert row["share at least"] == row["shrinking gradient lower in"] == ""
            continue
        assert int(row["shrinking gradient lower in"]) == entry["shrinking lower"] <= 12
        assert float(row["share at least"]) <= entry["shrinking lower"] / 12
    again = tmp_path / "again"
    again.mkdir()
    livni.run(again, runs=12, jobs=2)
    for path in paths:
        assert (again / path.name).read_bytes() == path.read_bytes()


def test_functions_of_a_source_run_in_other_processes(wang):
    tasks = [(total,) for total in (8192, 20_640, 442)]
    inline, spread_out = (list(spread(wang.growing, tasks, jobs)) for jobs in (1, 2))
    assert inline == spread_out and inline[2] == [27, 55, 110, 221]


@pytest.mark.parametrize("source", ["wang2019", "livni2017"])
def test_benchmarks_print_tables_and_agree_with_the_direct_way(library, monkeypatch, source):
    module = companion(library, source, "_benchmark")
    if source == "wang2019":
        monkeypatch.setattr(module, "ROWS", 120)
        monkeypatch.setattr(module, "SIZES", (4, 8))
    else:
        monkeypatch.setattr(module, "TASKS", ((8, 2),))
        monkeypatch.setattr(module, "WORLDS", ((8, 2),))
    lines = list(module.lines(0.02))
    assert sum(line.startswith("|---") for line in lines) == (1 if source == "wang2019" else 2)
    if source == "wang2019":
        assert float(lines[1].split("agree within ")[1].split(";")[0]) < 1e-8


def test_the_table_of_a_benchmark_is_kept_when_it_is_done(library, monkeypatch, tmp_path):
    module = companion(library, "livni2017", "_benchmark")
    rows = ["two tables", "| a |", "|---|", "| 1 |"]
    monkeypatch.setattr(module, "lines", lambda share: iter(rows))
    kept = tmp_path / "benchmarks" / "livni2017.md"
    lines = compare_speed(library, "livni2017", 0.5, tmp_path)
    assert next(lines) == rows[0] and not kept.exists()
    assert list(lines) == rows[1:]
    assert kept.read_text().splitlines() == [
        "`boundcheck benchmark livni2017 --share 0.5`", "", *rows[:1], "", *rows[1:]
    ]  # fmt: skip
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match=r"cannot be kept in .*; give another --out"):
        list(compare_speed(library, "livni2017", 0.5, tmp_path / "file"))


def test_direct_simulation_follows_the_same_law(library):
    module = companion(library, "livni2017", "_benchmark")
    from boundcheck.experiments.infinite_layer import shrinking_gradient

    toy = replace(module.TOY, rounds=6, support=3)
    x, y, _ = toy.streams(numpy.random.default_rng(0), 1, 5)
    runs, step = 2000, 0.5
    steps = numpy.full((runs, 6), step)
    ours = shrinking_gradient(
        x, y, steps=steps, bound=1.0, samples=2, rng=numpy.random.default_rng(1), measure=False
    ).estimates[0, :, -1]
    rng = numpy.random.default_rng(2)
    theirs = numpy.array([module.direct(x[0], y[0], step, 1.0, 2, rng)[0][-1] for _ in range(runs)])
    # |E_T| <= ||alpha||_1 max x^2 <= reach: Hoeffding at 1e-9 for each side. Both laws are the
    # same, so the means differ by at most twice that; their spreads agree more loosely.
    reach = max(abs(ours).max(), abs(theirs).max())
    tol = 2 * 2 * reach * math.sqrt(math.log(2 / 1e-9) / (2 * runs))
    assert abs(ours.mean() - theirs.mean()) < tol
    assert ours.std() == pytest.approx(theirs.std(), rel=0.3)
