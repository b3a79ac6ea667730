"""Audits of claims on data: what stands for what, both sides, intervals, refusals."""

import json

import numpy
import pytest
import sympy
from typer.testing import CliRunner

from boundcheck import Claim, Holds, Source, WithProbability
from boundcheck.audit import AuditRequest, run_audit
from boundcheck.audit.facts import decay, effective_dimension, estimates, lipschitz, margin, noise
from boundcheck.audit.having import audited
from boundcheck.audit.request import interval, numbers_of
from boundcheck.audit.ridge import FITTING, _rows
from boundcheck.audit.supply import Subsample, world_of
from boundcheck.audit.worlds import audit_worlds
from boundcheck.cli import app
from boundcheck.errors import InvalidArgument
from boundcheck.library import load_library, shipped_root
from boundcheck.settings import rkhs, scalar_laws as law

AUDITED = [
    "gallery_learning/gretton_mmd:printed", "gallery_learning/caponnetto_de_vito:printed",
    "gallery_learning/hedge:printed", "gallery_learning/sauer_shelah:printed",
    "gallery_concentration/maurer_pontil:printed", "wu2021/lemma_3_2:printed",
    "wu2021/krr_closed_form:printed", "wang2019/remark_1:printed", "wang2019/lemma_4:printed",
    "wang2019/theorem_1:printed", "yashima2021/lemma_1:aistats",
    "yashima2021/proposition_1:printed", "livni2017/lemma_4:printed", "livni2017/setup:printed",
]  # fmt: skip
ASKING = "classical/paley_zygmund:printed"
OTHER = "livni2017/class_inclusion"  # of which nothing can be measured on data
PLACE = Source("Author", 2000, "Bounds").at("here")


@pytest.fixture(scope="module")
def library():
    return load_library(shipped_root(), AUDITED)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """y = x_0 with noise of standard deviation 0.1, before scaling."""
    rng = numpy.random.default_rng(0)
    x = rng.uniform(-1, 1, (300, 3))
    y = x[:, 0] + 0.1 * rng.standard_normal(300)
    path = tmp_path_factory.mktemp("data") / "data.csv"
    numpy.savetxt(path, numpy.column_stack([x, y]), delimiter=",", header="a,b,c,y", comments="")
    return str(path)


def asked(key, table, **more):
    known = {"kernel": "rbf", "features": 20, "lambda_": 0.1, "delta": 0.1, "repeats": 2,
             "rows": 12, "seed": 0, "target": "y", **more}  # fmt: skip
    return AuditRequest(key=key, data=table, **known)


@pytest.mark.parametrize("key", AUDITED)
def test_claims_of_every_source_have_an_audit(library, table, key):
    found = run_audit(asked(key, table), library)
    text = str(found)
    assert f"audit of {key}" in text and "verdict" in text and "measures" in text
    document = found.as_json()
    assert document["verdict"] and document["measures"]
    assert {"subsamples", "noise level", "dimension", "decay", "margin", "Lipschitz",
            "features"} <= set(document["facts"])  # fmt: skip
    for row in document.get("comparisons", ()):
        assert row["left"]["low"] <= row["left"]["mean"] <= row["left"]["high"]


def test_both_sides_are_those_of_the_data(table):
    # ||K^(1/2) (K + n lambda I)^-1 y||^2 <= ||y||^2 / (4 n lambda), by its own route.
    from boundcheck.expressions import form, identity, inner

    y = rkhs.responses()
    a = (rkhs.K + rkhs.n * rkhs.penalty * identity(rkhs.n)) ** -1 * y
    claim = Claim(PLACE, Holds(form(rkhs.K, a) <= inner(y, y) / (4 * rkhs.n * rkhs.penalty)))
    data = subsample(table)
    world = world_of("a/b:c", claim, data, {"lambda": 0.1})
    assert world["n"] == 12 and world["K"].shape == (12, 12)
    found = audit_worlds(asked("a/b:c", table), claim, "supported")
    values, vectors = numpy.linalg.eigh(data.gram)
    left = ((values / (values + 12 * 0.1) ** 2) * (vectors.T @ data.y) ** 2).sum()
    assert found.rows[0].left[0] < found.rows[0].right[0] and found.rows[0].ratio > 1
    assert left == pytest.approx(data.dual @ data.gram @ data.dual, rel=1e-9)


def subsample(table, rows=12):
    from boundcheck.worlds.data import load_data

    data = load_data(table, "y")
    return Subsample(data.x[:rows], data.y[:rows], "rbf", 1.5, 0.1, numpy.random.default_rng(1))


def test_violations_are_counted_over_the_draw(table):
    X = law.values(low=0, high=1)[law.k]
    gap = law.E(X) - law.sample_mean(X)
    claim = Claim(PLACE, WithProbability(1 - law.delta, gap <= 0))
    hits, draws, low, high, allowed = audit_worlds(
        asked("a/b:c", table), claim, "no verdict").violations
    # A mean of 50 draws lies above its expectation in about half of them: 2000 draws, and the
    # probability of less than 0.4 or more than 0.6 is below 1e-9 by Hoeffding (lattice and skew
    # of a mean of 50 move it by less than 0.05).
    assert draws == 2000 and 0.4 < hits / draws < 0.6 and low < 0.5 < high + 0.05
    assert allowed == pytest.approx(0.1)


def columns(tmp_path, y):
    path = tmp_path / "columns.csv"
    path.write_text("a,y\n" + "".join(f"{k % 7},{value}\n" for k, value in enumerate(y)))
    return str(path)


def test_hypotheses_are_met_where_that_is_certain(tmp_path):
    """Of what has no number floats tell nothing; what rounding may have made is told exactly."""
    from boundcheck.expressions import index, total

    data, y = columns(tmp_path, [-1, 0, 1] * 10), rkhs.responses()
    i = index("i", rkhs.n)
    p = law_of(rkhs.n)
    given = {
        sympy.Not(total(sympy.log(sympy.Abs(y[i])), i) > 1): None,
        sympy.Eq(total(p[i], i), 1): True, total(y[i] ** 2, i) > rkhs.n: False,
        total(p[i], i) < 1 - sympy.Rational(1, 10**20): False,
    }  # fmt: skip
    claim = Claim(PLACE, Holds(total(p[i] * y[i] ** 2, i) <= 1), given=list(given))
    found = audit_worlds(asked("a/b:c", data, rows=30), claim, "")
    assert dict(found.hypotheses) == {str(each): met for each, met in given.items()}


def law_of(size):
    from boundcheck.expressions import world
    from boundcheck.worlds import Weights

    return world("p", Weights(size))


def test_what_a_claim_does_not_speak_of_is_refused(tmp_path, table, library):
    from boundcheck.expressions import parameter
    from boundcheck.worlds import Integer, Real

    for field, value in ((Real(0, 1), 5.0), (Real("1/10", 1), 0.09), (Integer(1, 5), 2.5)):
        claim = Claim(PLACE, Holds(law.E(law.values()[law.k]) <= parameter("zeta", field)))
        with pytest.raises(InvalidArgument, match=r"zeta = .* is no value that it can take"):
            audit_worlds(asked("a/b:c", table, values={"zeta": value}), claim, "")
    claim = Claim(PLACE, Holds(law.E(law.values()[law.k]) <= parameter("zeta", Real(0, "1/10"))))
    assert audit_worlds(asked("a/b:c", table, values={"zeta": 0.1}), claim, "").rows
    above = columns(tmp_path, [0] * 4 + [1] * 16)  # no row lies above the median
    with pytest.raises(InvalidArgument, match=r"p = .* is no value that it can take"):
        run_audit(asked("gallery_learning/gretton_mmd:printed", above, rows=20), library)


def test_a_draw_without_a_number_is_no_violation(tmp_path, library):
    same = tmp_path / "same.csv"
    same.write_text("a,b,y\n" + "".join(f"{k // 20},{k // 20},{k % 2}\n" for k in range(40)))
    found = run_audit(asked("gallery_learning/gretton_mmd:printed", str(same), rows=40), library)
    hits, draws, *_ = found.violations
    assert hits == 0 and 1000 < draws < 2000


def test_what_data_do_not_supply_is_asked_for(table, library):
    from boundcheck.expressions import parameter, world
    from boundcheck.worlds import Real, Vector

    z, X = parameter("zeta", Real(0, None)), law.values()[law.k]
    claim = Claim(PLACE, Holds(law.E(X**2) <= z))
    with pytest.raises(InvalidArgument, match="say nothing about zeta; give --set zeta=NUMBER"):
        audit_worlds(asked("a/b:c", table), claim, "")
    knots = world("knots", Vector(7))
    array = Claim(PLACE, Holds(law.E(X**2) <= z * knots[0]))
    with pytest.raises(InvalidArgument, match="nothing about knots, which --set cannot give"):
        audit_worlds(asked("a/b:c", table), array, "")
    found = audit_worlds(asked("a/b:c", table, values={"zeta": 2.0}), claim, "")
    assert found.rows[0].right[0] == 2.0 and dict(found.facts)["settings"] == "zeta = 2"
    alone = Claim(PLACE, Holds(z >= 0))
    with pytest.raises(InvalidArgument, match="nothing that data supply"):
        audit_worlds(asked("a/b:c", table), alone, "")
    assert numbers_of(["a=1/2", "n=10"]) == {"a": 0.5, "n": 10}
    with pytest.raises(InvalidArgument, match="unknown symbol b"):
        numbers_of(["a=b+1"])


@pytest.mark.parametrize(("key", "remedy"), [
    ("wang2019/theorem_1:printed", "data and the other options supply all; leave it out"),
    ("gallery_learning/gretton_mmd:printed", "it takes "),
])  # fmt: skip
def test_a_number_that_no_audit_reads_is_refused(key, remedy, table, library):
    with pytest.raises(InvalidArgument, match=f"--set 'zz' is no number of {key}; {remedy}"):
        run_audit(asked(key, table, values={"zz": 5}), library)


def test_intervals_of_what_is_never_negative_are_not():
    mean, low, high = interval([0.0, 0.0, 0.0, 8.0])
    assert low == 0.0 and mean == 2.0 and high > 2.0
    assert interval([-1.0, 1.0])[1] < -1.0


def test_estimates_against_known_data():
    rng = numpy.random.default_rng(2)
    x = rng.uniform(-1, 1, (900, 1))
    y = 0.5 * x[:, 0] + 0.05 * rng.standard_normal(900)
    part = Subsample(x, y, "rbf", 1.0, 0.01, rng)
    # Neighbours are 1/900 apart: their targets differ by noise alone. Rice's estimate has a
    # relative deviation of about 900^-1/2; five of them are far below a factor-2 slip.
    assert noise(part) == pytest.approx(0.05, rel=0.2)
    assert effective_dimension(part) == pytest.approx(
        numpy.trace(numpy.linalg.solve(part.gram + 9 * numpy.eye(900), part.gram)), rel=1e-6)
    line = Subsample(x, 0.5 * x[:, 0], "rbf", 1.0, 1e-6, rng)
    assert lipschitz(line) == pytest.approx(0.5) and margin(line) > 0.05
    power = Subsample(x, y, "rbf", 1.0, 0.01, rng)
    power.gram = numpy.diag(numpy.arange(1, 901) ** -2.0)
    assert decay(power) == pytest.approx(2, rel=1e-3)


def test_many_rows_become_a_subsample_and_a_wish_that_does_not_fit_is_refused():
    request = asked("a/b:c", "x", rows=None)
    assert _rows(request, 100_000, 20) == FITTING and _rows(request, 2_000, 20) is None
    with pytest.raises(InvalidArgument, match="more than 4"):
        _rows(asked("a/b:c", "x", rows=50_000), 100_000, 20)


def test_a_verdict_has_its_grade_where_the_reference_report_speaks_of_this_text(tmp_path):
    import json

    from boundcheck import load_library
    from boundcheck.audit.standing import standing
    from boundcheck.skeleton import write_skeleton

    write_skeleton("mine/lemma", tmp_path / "verify", "scalar", r"x \leq x^2")
    library = load_library(tmp_path / "verify")
    key = "mine/lemma:printed"
    place = f"{key} --root {tmp_path / 'verify'}"
    assert standing(library, key) == f"no verdict yet; run boundcheck verify {place}"
    (tmp_path / "verify/mine/verdicts.toml").write_text('[lemma]\nprinted = "refuted (exact)"\n')
    golden = f"refuted (exact) (golden: verdicts.toml); its grade: boundcheck diagnose {place}"
    assert standing(library, key) == golden
    entry = {"key": key, "verdict": "refuted", "evidence": "exact",
             "diagnosis": {"grade": "hypothesis"},
             "witness": {"fingerprint": library[key].fingerprint()}}  # fmt: skip
    report = tmp_path / "reports" / "report.json"
    report.parent.mkdir()
    report.write_text(json.dumps({"budget": "quick", "claims": [entry]}))
    found = "refuted (exact), grade hypothesis (reference report, budget quick)"
    assert standing(library, key) == found
    entry["witness"]["fingerprint"] = "another text"
    report.write_text(json.dumps({"budget": "quick", "claims": [entry]}))
    assert standing(library, key) == golden
    report.write_text("[")
    assert standing(library, key) == golden


def test_the_reference_report_tells_the_grade_of_a_shipped_claim(library, tmp_path, monkeypatch):
    from boundcheck.audit.standing import standing
    from boundcheck.describe import describe_claim, golden_verdict

    monkeypatch.chdir(tmp_path)  # no report of its own
    key = "wang2019/theorem_1:printed"
    assert golden_verdict(library, key).startswith("refuted (exact)")
    assert standing(library, key).startswith("refuted (exact), grade ")
    assert "(golden: verdicts.toml)" in describe_claim(library, key, {})
    assert golden_verdict(library, "nowhere/at:all") == ""


def test_what_is_listed_as_audited_is_audited_and_nothing_else(library, table):
    found = audited(library, AUDITED)
    assert set(found) == set(AUDITED)
    others = load_library(shipped_root(), [OTHER])
    assert others.claims and not audited(others, others.claims)


def test_the_list_shows_claims_with_an_audit_and_the_numbers_that_it_asks_for():
    found = CliRunner().invoke(app, ["list", ASKING, OTHER, "--audited"])
    (line,) = found.stdout.splitlines()
    assert found.exit_code == 0 and line.startswith(ASKING) and "=NUMBER" in line
    shown = CliRunner().invoke(app, ["list", ASKING, "--audited", "--json"]).stdout
    (row,) = json.loads(shown)["claims"]
    assert row["set"] and all(f"--set {name}=NUMBER" in line for name in row["set"])


def test_subsamples_of_all_rows_have_no_interval():
    rng = numpy.random.default_rng(3)
    x = rng.uniform(-1, 1, (20, 2))
    parts = [Subsample(x, x[:, 0], "rbf", 1.0, 0.01, rng)] * 2
    whole, some = dict(estimates(parts, 20)), dict(estimates(parts, 21))
    assert "no interval follows" in whole["subsamples"] and "level" in some["subsamples"]
    assert "[" not in whole["noise level"] and "[" in some["noise level"]


def test_intervals_are_over_what_varies_and_factors_of_what_is_above_zero(tmp_path):
    path = tmp_path / "five.csv"
    path.write_text("a,b,y\n1,2,3\n2,3,4\n3,4,5\n4,4,1\n9,2,3\n")

    def audit(relation):
        return str(audit_worlds(asked("a:b", str(path)), Claim(PLACE, Holds(relation)), ""))

    square = law.E(law.values()[law.k] ** 2)
    assert "over" not in audit(square <= 9).partition("comparison")[2]
    above = audit(-1 - square <= -3 - 2 * square)
    assert "right/left no factor" in above and "inf" not in above.partition("comparison")[2]
