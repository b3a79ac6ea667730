"""Constants bracketed on statements whose best constants are known by hand."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
import sympy
from sympy import symbols

from boundcheck import Claim, Holds
from boundcheck.certify import certify
from boundcheck.checks.base import Task, budget_named
from boundcheck.claim import UpToConstant, WithProbability
from boundcheck.diagnosis.trial import Bench
from boundcheck.encoding import decode
from boundcheck.errors import InvalidArgument
from boundcheck.explore import sharpen, turned
from boundcheck.explore.bracket import Bracket
from boundcheck.explore.bracketing import Work
from boundcheck.explore.constants_page import PAGE, Page, digest, main, rows_of
from boundcheck.explore.fuel import Fuel
from boundcheck.explore.golden import stands_by_golden
from boundcheck.explore.knobs import knobs
from boundcheck.explore.leaving import hypotheses
from boundcheck.explore.open_sizes import (
    Growth,
    at_size,
    open_sizes,
    random_scores,
    sizes_to_look_at,
)
from boundcheck.explore.simple import simplest_between
from boundcheck.expressions import index, outcome, total, world
from boundcheck.library import load_library
from boundcheck.setting import Setting
from boundcheck.verdict import Verdict
from boundcheck.worlds import Integer, Real, Signs, Vector

from .conftest import PLACE

a, b, x, y = symbols("a b x y", real=True)
UNIT = {x: Real(0, 1), y: Real(0, 1)}


def product(constant, given=(), **changes):
    """x y <= constant (x^2 + y^2): the best constant is 1/2."""
    fields = {
        "source": PLACE, "statement": Holds(x * y <= constant * (x**2 + y**2)),
        "given": list(given), "parameters": UNIT,
    }  # fmt: skip
    return Claim(**{**fields, **changes})


def test_a_loose_factor_is_bracketed_and_the_best_one_proved():
    found = sharpen(product(3), kinds=("factor",))
    bracket = found.brackets[0]
    assert bracket.knob.printed == 3 and bracket.evidence == "exact"
    assert Fraction(499, 1000) < Fraction(str(bracket.lower)) < Fraction(1, 2)
    assert bracket.best == sympy.Rational(1, 2) == bracket.proved and bracket.sharper
    assert found.claim is not None
    assert found.claim.statement.relation.subs({x: 1, y: 1}) == sympy.true
    assert json.loads(json.dumps(found.as_json()))["constants"][0]["proved"] == "1/2"
    assert "fails at 0.49" in str(found) and "proved at 1/2" in str(found)


def test_the_value_below_fails_in_its_world():
    bracket = sharpen(product(3), kinds=("factor",)).brackets[0]
    claim = bracket.knob.turned(bracket.lower)
    values = {name: decode(value) for name, value in bracket.witness.values.items()}
    assert certify(Setting(claim, values))[0]
    with_half = bracket.knob.turned(sympy.Rational(1, 2))
    assert not certify(Setting(with_half, values))[0]


def test_the_best_constant_is_left_alone():
    found = sharpen(product(sympy.Rational(1, 2)), kinds=("factor",))
    assert not found.brackets[0].sharper and found.claim is None
    assert found.brackets[0].lower < sympy.Rational(1, 2)
    with pytest.raises(InvalidArgument, match="there is no new claim"):
        found.source()


def test_hypotheses_are_needed_or_not():
    # y^2 <= y holds on [0, 1] anyway; x <= y does not, and the statement needs it.
    claim = product(1, given=[x * x <= 2 * y + 1, x <= y],
                    statement=Holds(2 * x**2 <= x**2 + y**2))  # fmt: skip
    found = sharpen(claim, kinds=("factor", "hypothesis"))
    assert found.needed == (x <= y,) and not found.superfluous
    assert found.hypotheses.implied == (x * x <= 2 * y + 1,)
    assert "follows from the rest: x**2 <= 2*y + 1" in str(found)
    assert [str(c) for c, _ in hypotheses(claim)] == ["x**2 <= 2*y + 1", "x <= y"]


def test_the_new_claim_is_saved_as_it_stood(tmp_path):
    found = sharpen(product(3), kinds=("factor",))
    text = found.source("sharper", "base")
    scope = {"base": product(3)}
    exec(compile(text, "statement", "exec"), scope)
    assert scope["sharper"].fingerprint() == found.claim.fingerprint()
    assert "# x*y <= x**2/2 + y**2/2" in text and "'1/2'" in text


def test_what_cannot_be_sharpened_is_refused_in_one_line():
    with pytest.raises(InvalidArgument, match="it is refuted, and constants are sharpened of what"):
        sharpen(product(sympy.Rational(1, 3)), kinds=("factor",))
    for statement in (Holds(sympy.Eq(x, y)), UpToConstant(x <= sympy.exp(y))):
        with pytest.raises(InvalidArgument, match="no constant to sharpen"):
            sharpen(product(1, statement=statement))
    with pytest.raises(InvalidArgument, match="it has no exponent number 7"):
        turned(product(3), "exponent", 1, place=7)


def test_constants_are_found_in_the_tree():
    claim = Claim(
        source=PLACE,
        statement=Holds(sympy.And(x <= 3 * sympy.sqrt(y) + 4 * x, x * y <= 5 * x)),
        given=[x**2 <= 2 * y], parameters=UNIT,
    )  # fmt: skip
    kinds = [(k.kind, str(k.printed), k.place) for k in knobs(claim)]
    order = [k.printed for k in knobs(claim) if k.kind == "factor"]
    assert {str(c) for c in order} == {"1", "5"}
    assert {k[1] for k in kinds if k[0] == "summand"} == {"3", "4"}
    assert ("exponent", "1/2", 0) in kinds and ("threshold", "2", 0) in kinds
    place = next(k[2] for k in kinds if k[:2] == ("summand", "4"))
    half = turned(claim, "summand", "1/2", place=place)
    assert str(half.statement.relation) == "(x*y <= 5*x) & (x <= x/2 + 3*sqrt(y))"
    assert str(turned(claim, "threshold", 1).given[0]) == "x**2 <= y"


@pytest.mark.parametrize(("low", "high", "best"), [
    ("1/3", "1/2", "1/2"), ("0.333", "0.334", "1/3"), ("2.1", "7", "3"),
    ("0.701", "0.702", "40/57"),
])  # fmt: skip
def test_simplest_numbers(low, high, best):
    found = simplest_between(sympy.Rational(low), sympy.Rational(high))
    assert found == sympy.Rational(best)
    smaller = [Fraction(p, q) for q in range(1, found.q) for p in range(1, 8 * q)]
    assert not any(Fraction(str(sympy.Rational(low))) <= f <= Fraction(str(sympy.Rational(high)))
                   for f in smaller)  # fmt: skip


def test_rows_of_the_page_stay_where_nothing_was_asked(tmp_path):
    row = rows_of("classical/example:printed", product(3))[0]
    assert row.startswith("| classical/example:printed | 3 |") and "| **1/2** |" in row
    page = tmp_path / "page.md"
    page.write_text("# Constants\n\n| claim | x |\n|---|---|\n" + row + "\n| gone/a:b | 1 |\n")
    kept = Page.read(page, ["classical/example:printed"])
    assert kept.rows == {"classical/example:printed": [row]} and not kept.asked
    kept.rows["a/b:c"] = ["| a/b:c | 1 | `x` | 0.9 | 1 |  |  |"]
    kept.rows["a/b:d"] = ["| a/b:d | 1 | `x` | 0.2 | 1† |  | 1/4 |"]
    kept.asked["a/b:c"] = "0123"
    page.write_text(str(kept))
    text = page.read_text()
    sharper, printed = text.index("## Sharper than printed"), text.index("## As printed")
    assert sharper < text.index(row) < text.index("## Open") < text.index("| a/b:d |")
    assert text.index("| a/b:d |") < printed < text.index("| a/b:c |")
    assert Page.read(page, ["a/b:c"]).asked == {"a/b:c": "0123"}


def test_a_run_drops_claims_that_no_longer_stand(tmp_path, capsys):
    page, refuted = tmp_path / "page.md", "gallery_concentration/tropp_chernoff:without_dimension"
    kept, library = "classical/cantelli:printed", load_library(None)
    marks = f"<!-- asked {kept} {digest(library[kept])} -->\n<!-- asked {refuted} 12 -->\n"
    rows = [f"| {key} | 1 | `x` | 0.9 | 1 |  |" for key in (kept, refuted)]  # of an older page
    page.write_text("\n".join([*rows, marks]))
    assert main([kept, "--out", str(page)]) == 0
    text = page.read_text()
    assert f"{rows[0]}  |" in text and f"asked {kept}" in text and refuted not in text
    assert "1 constants; 0 claims asked" in capsys.readouterr().out


def test_the_committed_page_lists_only_what_stands():
    root = load_library(None).root
    keys = [line.split("|")[1].strip() for line in PAGE.read_text().splitlines()
            if line.startswith("| ") and "/" in line.split("|")[1]]  # fmt: skip
    assert len(keys) >= 40 and all(stands_by_golden(root, key) for key in keys)
    assert not stands_by_golden(root, "wang2019/theorem_1:printed")


def settled(key, lower, supported, fuel=float("inf"), parts=1):
    """What is left of a factor that search supported, after a look at larger worlds."""
    knob = next(knobs(load_library(None, [key])[key]))
    verdict = Verdict(key, "supported", "", None, 0.0, None, False, None, (), 0.0)
    budget = budget_named("quick")
    bracket = Bracket(knob, sympy.Rational(lower), "exact", sympy.sympify(supported), None)
    work = Work(Bench(key, budget), verdict, Fuel(fuel, parts))
    with work.fuel.part():
        return work._settled(bracket)


@pytest.mark.parametrize(("key", "lower", "supported", "doubt"), [
    # The best constants are 2 and sqrt(2), for many draws and for many vectors.
    pytest.param("gallery_concentration/dkw:printed", "1.648150804", "5/3", " K, n ",
                 marks=pytest.mark.long),
    ("gallery_concentration/massart_finite_class:printed", "1.201121", "1/sqrt(log(2))",
     "random worlds still rising at n, N = "),
])  # fmt: skip
def test_what_larger_worlds_may_break_is_not_called_supported(key, lower, supported, doubt):
    found = settled(key, lower, supported)
    assert found.supported == found.knob.printed and not found.sharper and found.proved is None
    assert doubt in found.doubt and "no sharper constant is called supported" in str(found)
    assert found.unbroken in (None, sympy.sympify(supported))  # a question, if anything


MEDIAN = "classical/mean_and_median:printed"


def test_a_loose_factor_is_sharpened_with_a_part_of_the_fuel():
    # Climbing and larger worlds would take all of a part of 6,000 units.
    claim = load_library(None, [MEDIAN])[MEDIAN]
    loose = replace(claim, statement=next(knobs(claim)).turned(sympy.Integer(2)).statement)
    bench = Bench("a/b:loose", budget_named("quick"))
    work = Work(bench, bench.verdict(loose, "as printed"), Fuel(30_000, parts=5))
    (found,) = work.brackets([next(knobs(loose))], several=False)
    assert found.supported == 1 and found.evidence == "exact" and found.sharper
    assert 1 - sympy.Rational(1, 10**5) < found.lower < 1


def test_a_world_with_both_sides_zero_hides_no_failing_one():
    # As where p = q in Pinsker's inequality: left over right side counts as 1 there, 1/2 elsewhere.
    claim = of_size(lambda n: (n + 1) / (2 * n + 2), 1)
    knob = next(knob for knob in knobs(claim) if knob.kind == "factor")
    verdict = Bench("a/b:c", budget_named("quick")).verdict(claim, "as printed")
    work = Work(Bench("a/b:c", budget_named("quick")), verdict, Fuel(30_000))
    work._ratio = lambda knob, warm: sympy.S.One  # of a world where both sides are zero
    value, evidence, _ = work._failing(knob, verdict, [])
    assert evidence == "exact" and abs(value - sympy.Rational(1, 2)) < sympy.Rational(1, 10**5)


@pytest.mark.parametrize(("fuel", "parts", "doubt"), [
    # The part of one constant is too little to see that random vectors climb; all of it is enough.
    (20_000, 20, "random worlds still rising at n, N = 8"),
    (500, 1, "worlds of larger n, N were not looked at"),
])  # fmt: skip
def test_what_there_is_no_fuel_to_look_at_is_not_called_supported(fuel, parts, doubt):
    key = "gallery_concentration/massart_finite_class:printed"
    found = settled(key, "1.201121", "1/sqrt(log(2))", fuel, parts)
    assert found.doubt == doubt and not found.sharper
    assert (found.unbroken is None) == ("rising" in doubt)


def test_what_one_fair_sign_attains_stays():
    key, best = "classical/hoeffding:printed", sympy.exp(sympy.Rational(1, 2))
    found = settled(key, "1.648719622", best)
    assert found.supported == best and found.sharper and not found.doubt
    below = settled(key, "1.6", best)  # the same where no world was seen that needs it
    assert below.supported == 2 and below.doubt.startswith("no world attains")
    assert below.unbroken == best and not below.sharper
    assert "no world that was tried breaks exp(1/2)" in str(below)


@pytest.mark.parametrize(("key", "supported"), [
    ("classical/chebyshev:printed", "1"), ("classical/kantorovich:printed", "1/4"),
    ("classical/popoviciu:printed", "1/4"), ("gallery_learning/drori_teboulle:printed", "1"),
])  # fmt: skip
def test_what_worlds_of_all_sizes_attain_stays(key, supported):
    knob = next(knobs(load_library(None, [key])[key]))
    loose = replace(knob, printed=3 * knob.printed)
    growth = Work(
        Bench(key, replace(budget_named("quick"), evaluations=400)), None, Fuel(float("inf"))
    )._growth(loose, sympy.sympify(supported))  # fmt: skip
    assert growth.tightest and growth.typical and not growth.doubt(attained=True)


def of_size(side, factor=1):
    n = symbols("n", integer=True)
    return Claim(
        source=PLACE, statement=Holds(side(n) * x <= factor * x),
        parameters={n: Integer(1, searched=4), x: Real(0, 1, open_low=True)},
    )  # fmt: skip


def test_a_number_that_grows_with_a_size_is_told_as_rising():
    # (1 + 1/n)^n increases to e = 2.718...; up to n = 4 it is 2.44, up to n = 64 it is 2.697.
    claim = of_size(lambda n: (1 + 1 / n) ** n, 4)
    found = sharpen(claim, kinds=("factor",))
    bracket = found.brackets[0]
    assert bracket.lower < sympy.E and bracket.doubt
    assert bracket.supported == 4 and not bracket.sharper and bracket.unbroken == sympy.E
    assert found.as_json()["constants"][0]["doubt"] == bracket.doubt
    assert bracket.doubt in found._repr_html_()


def test_larger_worlds_of_a_dear_claim_are_not_looked_at():
    # Up to n = 4, where search goes, (1 + 1/n)^n is (5/4)^4 = 2.44; beyond it is up to e.
    claim = replace(of_size(lambda n: (1 + 1 / n) ** n, 4), cost=4.0)
    assert sizes_to_look_at(claim) == [1, 2, 4]
    bracket = sharpen(claim, kinds=("factor",)).brackets[0]
    assert Fraction(2) < Fraction(str(bracket.lower)) < Fraction(5, 4) ** 4
    assert bracket.supported == 4 and bracket.doubt and not bracket.sharper


def test_a_number_that_falls_with_a_size_is_found():
    # (1 + 1/n)^(n + 1) decreases to e from 4 at n = 1.
    bracket = sharpen(of_size(lambda n: (1 + 1 / n) ** (n + 1), 9), kinds=("factor",)).brackets[0]
    assert bracket.best == 4 and bracket.sharper and not bracket.doubt


def test_a_rate_that_only_extreme_magnitudes_need_is_not_called_supported():
    # From y >= 2 log(2 x), x exp(-c y) <= 1 needs c >= log(x) / (2 log(2 x)), which rises to 1/2:
    # 34/69 fails only beyond x = 10^20.
    claim = Claim(
        source=PLACE, statement=Holds(x * sympy.exp(-y / 2) <= 1),
        given=[y >= 2 * sympy.log(2 * x)],
        parameters={x: Real(1, None, searched=(1, 10**6)), y: Real(0, None)},
    )  # fmt: skip
    knob = next(knob for knob in knobs(claim) if knob.kind == "inside")
    bracket = Bracket(knob, sympy.Rational(49, 100), "exact", sympy.Rational(34, 69), knob.printed)
    work = Work(Bench("a/b:c", budget_named("quick")), None, Fuel(float("inf")))
    work.verdict = Verdict("a/b:c", "proved", "", None, 0.0, None, False, None, (), 0.0)
    found = work._settled(replace(bracket, knob=replace(knob, direction=-1)))
    assert found.supported is None and found.proved == knob.printed and not found.sharper
    assert found.doubt == "no world attains a sharper one, and x, y have no end"
    assert found.unbroken == sympy.Rational(34, 69)
    reached = replace(bracket, lower=sympy.Rational(34, 69) * (1 - sympy.Rational(1, 10**7)))
    assert not work._settled(reached).doubt


def test_growth_is_told_from_noise():
    assert Growth(("n",), {1: 0.5, 2: 0.6, 4: 0.8}).doubt(True) == "still rising at n = 4"
    assert not Growth(("n",), {1: 0.8, 2: 0.6, 4: 0.8}).doubt(True)
    assert not Growth(("n",), {1: 0.5, 2: 0.6, 4: 0.603}).doubt(True)  # within noise
    assert Growth(("n",), {1: 1.0, 2: 1.01, 4: 0.9}).doubt(True)  # a world beyond the bound
    assert Growth(("n",), {1: 0.8, 2: 0.6, 4: 0.5}).doubt(False).startswith("no world attains")
    for sizes, cut in (({1: 0.8, 2: 0.6}, False), ({1: 0.8, 2: 0.6, 4: 0.5}, True)):
        assert Growth(("n",), sizes, cut=cut).doubt(True) == "worlds of larger n were not looked at"
    wide = {2: [0.1, 0.9] * 5, 4: [0.4, 1.2] * 5}  # a rise by less than its error
    assert not Growth(("n",), {}, wide).climbing
    assert Growth(("n",), {}, {size: s * 100 for size, s in wide.items()}).climbing


def test_open_sizes_are_counts_without_an_end():
    claim = of_size(lambda n: 1 / n)
    assert set(open_sizes(claim)) == {"n"} and sizes_to_look_at(claim) == [1, 2, 4, 8, 16, 32, 64]
    pinned = at_size(claim, 8)
    assert [f.low for f in pinned.fields.values() if isinstance(f, Integer)] == [8]
    assert not open_sizes(pinned) and not open_sizes(product(1))
    key = "livni2017/lemma_1:adaptive_hindsight"  # a rule builds its T
    steps = load_library(None, [key])[key]
    assert set(open_sizes(steps)) == {"T"} and at_size(steps, 8).fields["T"] == Integer(8, 8)


def test_rows_of_an_older_rule_or_claim_are_dropped(tmp_path, capsys):
    key = "classical/motzkin:printed"
    claim = load_library(None, [key])[key]
    row = f"| {key} | 2 | `x` | 1.6 | **5/3** |  |  |"
    for asked, kept in ((f"{claim.fingerprint()}-fuel", False), (digest(claim), True)):
        page = tmp_path / "page.md"
        page.write_text(str(Page({key: [row]}, {key: asked})))
        assert main(["classical/cantelli", "--most", "1e-9", "--out", str(page)]) == 0
        assert (row in page.read_text()) == kept
    capsys.readouterr()


def test_steps_of_proofs_stand_apart():
    rows = {f"a/b:{name}": [f"| a/b:{name} | 2 | `x` | 1 | **3/2** |  |  |"]
            for name in ("step_one", "printed")}  # fmt: skip
    told = str(Page(rows, {}))
    assert told.index("## Sharper than printed") < told.index("a/b:printed")
    heading = told.index("## Sharper in steps")
    assert told.index("a/b:printed") < heading < told.index("a/b:step_one")


def test_of_dear_draws_fewer_worlds_are_looked_at():
    """2^9 outcomes of nine signs each."""
    n = world("n", Integer(1, searched=3))
    v, j = world("v", Vector(n, 0, 1)), index("j", n)
    xi = outcome("xi", Signs("xi", n))
    claim = Claim(PLACE, WithProbability("1/2", total(xi[j] * v[j], j) <= total(v[j], j)))
    seen = [len(random_scores(Task("k", at_size(claim, size), budget_named("quick"))))
            for size in (2, 9)]  # fmt: skip
    assert seen[0] == 100 and 0 < seen[1] < 20


def test_a_power_in_a_cell_is_not_bold(tmp_path):
    key = "classical/cantelli:printed"
    page = Page(rows={key: [f"| {key} | 1 | `x` | 1.2 |  | 2**(1/4) |  |",
                            f"| {key} | 2 | `x` | 1.2 | **7/5** |  |  |"]})  # fmt: skip
    told = str(page)
    assert told.index("## Sharper") < told.index("7/5") < told.index("## As") < told.index("(1/4)")


def test_what_there_was_no_fuel_for_is_told_on_the_page(tmp_path, capsys):
    key = "classical/motzkin:printed"
    claim = load_library(None, [key])[key]
    rows = rows_of("a/b:c", product(3), fuel=1)
    assert rows[-1] == "| a/b:c | not asked further | `4 of 5` | the fuel was spent |  |  |  |"
    assert len(rows) == 2  # one is begun while anything is left
    row = rows[-1].replace("a/b:c", key)
    path = tmp_path / "page.md"
    path.write_text(str(Page({key: [row]}, {key: digest(claim)})))
    page = Page.read(path, [key])
    assert page.left_something(key) and not page.constants and row in str(page)
    assert main([key, "--out", str(path)]) == 0 and row in path.read_text()
    assert main([key, "--out", str(path), "--further", "--fuel", "1"]) == 0
    assert "1 claims asked" in capsys.readouterr().out
