"""Diagnoses of small statements whose true form is known."""

import json

import pytest
import sympy
from sympy import Abs, Eq, Implies, Rational, exp, log, sqrt, symbols

from boundcheck import Claim, Holds, Source, UpToConstant
from boundcheck.cli import main
from boundcheck.diagnosis import NotFailing, diagnose
from boundcheck.diagnosis.hypotheses import hypotheses
from boundcheck.diagnosis.record import EVERYWHERE
from boundcheck.library import Library
from boundcheck.settings.scalar_laws import Var, k as j, values
from boundcheck.worlds import Integer, Real, Space

WORK = Source("Folklore", 1900, "Statements")
x, y, delta = symbols("x y delta", real=True)
n, k, z = symbols("n k z", real=True)
POSITIVE = {x: Real(0, None, open_low=True), y: Real(0, None, open_low=True)}


def diagnosed(tmp_path, relation, parameters=POSITIVE, given=(), **others):
    claim = Claim(source=WORK.at("Lemma 1"), statement=Holds(relation), given=given,
                  parameters=parameters)  # fmt: skip
    claims = {"mine/lemma_1:printed": claim}
    claims |= {f"mine/lemma_1:{name}": other for name, other in others.items()}
    return diagnose("mine/lemma_1:printed", Library(tmp_path, claims))


def test_a_tie_is_a_corner(tmp_path):
    found = diagnosed(tmp_path, 2 * x * y < x**2 + y**2)
    assert found.grade == "corner"
    assert "equal" in found.extent.fails_on
    assert found.repairs[0].kind == "tie"
    assert found.repairs[0].verdict == "proved"


def test_a_corner_of_a_level_is_bisected(tmp_path):
    level = log(1 / delta) >= log(Rational(4, 3))
    found = diagnosed(tmp_path, level, {delta: Real(0, 1, True, True)})
    assert found.grade == "corner"
    assert found.extent.fails_on == "fails only for delta > 0.75"


def test_a_level_bounded_by_hypotheses_has_the_same_corner(tmp_path):
    found = diagnosed(tmp_path, delta <= 0.75, {delta: Real(0, None)}, [delta > 0, delta < 1])
    assert found.extent.fails_on == "fails only for delta > 0.75"


def test_a_failure_at_one_alone_is_a_corner_where_the_rest_is_proved(tmp_path):
    found = diagnosed(tmp_path, n + 1 <= n**2, {n: Integer(1, searched=9)})
    assert found.grade == "corner"
    assert found.extent.fails_on == "fails only for n = 1"


def test_what_is_bounded_from_below_by_a_number_is_no_hypothesis():
    value = symbols("value", real=True)
    claim = Claim(source=WORK.at("1"), statement=Holds(value >= 0),
                  parameters={x: Real(None, None)}, measure={value: lambda x: x})  # fmt: skip
    assert not any(value in item.claim.given[-1].free_symbols for item in hypotheses(claim)
                   if item.claim.given)  # fmt: skip


def test_numbers_of_worlds_may_lack_a_hypothesis_too():
    claim = Claim(source=WORK.at("1"), statement=Holds(x <= 1),
                  worlds=Space(x=Real(0, 2)))  # fmt: skip
    assert "the hypothesis x <= 1" in [item.words for item in hypotheses(claim)]


@pytest.mark.long
def test_two_quantities_under_one_law_may_lack_that_they_are_uncorrelated(tmp_path):
    one, two = values()[j], values(name="y")[j]
    claim = Claim(source=WORK.at("1"), statement=Holds(Eq(Var(one + two), Var(one) + Var(two))))
    found = diagnose("mine/a:printed", Library(tmp_path, {"mine/a:printed": claim}))
    assert found.grade == "hypothesis"
    assert found.repairs[0].stands
    assert found.repairs[0].edit == "the hypothesis that x and y are uncorrelated"


WRONG = {
    "half a constant": (x * y <= (x**2 + y**2) / 4, "constant", "x*y <= x**2/2 + y**2/2"),
    "a sign": (Eq((x - y) ** 2, x**2 + 2 * x * y + y**2), "slip",
               "(x - y)**2 = x**2 - 2*x*y + y**2"),
    "an exponent": (Eq(x**3 - y**3, (x - y) * (x**2 + x * y + y)), "slip",
                    "x**3 - y**3 = (x - y)*(x**2 + x*y + y**2)"),
    "a symbol": (Eq((x + y) * z, x * z + y * x), "slip", "z*(x + y) = x*z + y*z"),
    "a modulus": (Abs(x - y) <= Abs(x) - Abs(y), "slip", "Abs(x - y) <= Abs(x) + Abs(y)"),
    "a bounded number": (x**2 <= x, "hypothesis", "x**2 <= x"),
    "a direction": (exp(x) <= 1 + x, "slip", "exp(x) >= x + 1"),
    "a sum for a norm": (x + y <= sqrt(x**2 + y**2), "constant",
                         "x + y <= sqrt(2)*sqrt(x**2 + y**2)"),
    "a number on the left": (4 * x**2 * y**2 <= x**4 * y**2 + x**2 * y**4 + 1, "constant",
                             "3*x**2*y**2 <= x**4*y**2 + x**2*y**4 + 1"),
    "a lost number": (3 * x**2 * y**2 <= x**4 * y**2 + x**2 * y**4, "slip",
                      "3*x**2*y**2 <= x**4*y**2 + x**2*y**4 + 1"),
    "a tail": (exp(-x) <= exp(-2 * x), "constant", "exp(-x) <= exp(-x/2)"),
    "a log": (log(x) <= x - 2, "constant", "log(x) <= x - 1"),
    "a geometric sum": (Eq(1 - x**3, (1 - x) * (1 + x - x**2)), "slip",
                        "1 - x**3 = (1 - x)*(x**2 + x + 1)"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_was_done_to_a_true_statement_is_found(tmp_path, name):
    relation, grade, right = WRONG[name]
    fields = {symbol: Real(0, None, open_low=True) for symbol in (x, y, z)
              if symbol in relation.free_symbols}  # fmt: skip
    found = diagnosed(tmp_path, relation, fields)
    assert found.grade == grade
    assert right in [repair.statement for repair in found.repairs if repair.stands]


def test_an_end_without_a_value_is_a_corner(tmp_path):
    closed = {x: Real(0, 1)}
    found = diagnosed(tmp_path, sqrt(x) <= 1 / x, closed)
    assert found.grade == "corner"
    assert found.extent.fails_on == "has no value for x = 0"


def test_no_value_inside_is_no_corner_but_a_lacking_hypothesis(tmp_path):
    sizes = {n: Integer(1, 9), k: Integer(1, 9)}
    found = diagnosed(tmp_path, sqrt(n - k) <= n, sizes)
    assert found.grade == "hypothesis"
    assert any("k <= n" in repair.edit for repair in found.repairs)


def test_a_level_that_no_constant_reaches_is_a_corner(tmp_path):
    printed = Claim(source=WORK.at("1"), statement=UpToConstant(log(4 / delta) <= log(1 / delta)),
                    parameters={delta: Real(0, 1, True, True)})  # fmt: skip
    found = diagnose("mine/a:printed", Library(tmp_path, {"mine/a:printed": printed}))
    assert found.grade == "corner"
    assert found.extent.fails_on == "fails only for delta above 1/2"


def test_a_tie_in_a_premise_is_a_corner(tmp_path):
    relation = Implies(sympy.Le(x, y, evaluate=False), x < 2 * y - x, evaluate=False)
    found = diagnosed(tmp_path, relation)
    assert found.grade == "corner"
    assert found.repairs[0].edit == "< for <= in the premise"


def test_bounds_on_one_side_that_need_moduli(tmp_path):
    signed = {x: Real(None, None), z: Real(None, None), y: Real(0, None)}
    found = diagnosed(tmp_path, (x + z) ** 2 <= 4 * y**2, signed, [x <= y, z <= y])
    assert "the hypotheses Abs(x) <= y, Abs(z) <= y" in [r.edit for r in found.repairs]


def test_a_repair_that_fails_at_sizes_beyond_the_search_does_not_stand(tmp_path):
    # exp(-n/32) >= 1/2 up to n = 22.
    found = diagnosed(tmp_path, exp(-n / 4) >= delta, {n: Integer(1, searched=6),
                                                        delta: Real("1/4", "1/2")})  # fmt: skip
    assert not any(repair.kind == "constant" for repair in found.repairs)
    assert found.grade != "constant"


def test_a_repair_that_the_library_states_goes_before_another_reading(tmp_path):
    stated = Claim(source=WORK.at("Lemma 1, repaired"), statement=Holds(x <= x**3),
                   parameters={**POSITIVE, x: Real(1, None)})  # fmt: skip
    other = Claim(source=WORK.at("Lemma 1"), statement=Holds(x <= x**3 + 1), parameters=POSITIVE)
    found = diagnosed(tmp_path, x <= x**3, repaired=stated, almost=other)
    assert [repair.written for repair in found.repairs] == ["mine/lemma_1:repaired"]
    assert found.grade == "hypothesis"


def test_the_domain_that_a_neighbour_states_is_offered(tmp_path):
    stronger = Claim(source=WORK.at("Lemma 2"), statement=Holds(2 * x <= x**3), given=[x >= y],
                     parameters={x: Real(2, None), y: Real(2, None)})  # fmt: skip
    found = diagnosed(tmp_path, x * y <= x**3, other=stronger)
    assert any(repair.edit == "the domain of other (Lemma 2)" for repair in found.repairs)


def test_a_symbol_for_an_undefined_one_in_a_hypothesis_is_a_slip(tmp_path):
    loose = symbols("loose", real=True)
    printed = Claim(source=WORK.at("1"), statement=Holds(x <= x**3), given=[x >= loose],
                    parameters=POSITIVE, undefined={loose})  # fmt: skip
    stated = Claim(source=WORK.at("1, repaired"), statement=Holds(x <= x**3), given=[x >= 1 + y],
                   parameters=POSITIVE)  # fmt: skip
    claims = {"mine/a:printed": printed, "mine/a:repaired": stated}
    found = diagnose("mine/a:printed", Library(tmp_path, claims))
    assert found.grade == "slip"
    assert found.repairs[0].edit == "a symbol for the undefined loose"


def test_a_lost_factor_is_a_constant_and_bracketed(tmp_path):
    found = diagnosed(tmp_path, (x + y) ** 2 <= x**2 + y**2)
    assert found.grade == "constant"
    assert found.constant.low == pytest.approx(2, rel=0.01)
    assert found.constant.high == 2
    assert any(repair.statement == "(x + y)**2 <= 2*x**2 + 2*y**2" for repair in found.repairs)


def test_a_wrong_sign_in_an_identity_is_a_slip(tmp_path):
    found = diagnosed(tmp_path, Eq((x - y) * (x + y), x**2 + y**2))
    assert found.grade == "slip"
    assert found.repairs[0].verdict == "proved"
    assert found.extent.fails_on.startswith(EVERYWHERE)


def test_a_missing_hypothesis_is_found(tmp_path):
    found = diagnosed(tmp_path, x <= x**3)
    assert found.grade == "hypothesis"
    assert any("x >= 1" in repair.edit for repair in found.repairs)


def test_what_nothing_mends_is_false(tmp_path):
    found = diagnosed(tmp_path, x**3 + 5 * x <= x**2 * y)
    assert found.grade == "false"
    assert found.constant.high is None


def test_no_repair_that_is_false_far_outside_the_search_range_stands(tmp_path):
    # 1/(4 y - 2 x) is positive for y >= 3 and x <= 3 alone.
    fields = {x: Integer(1, 3), y: Real(3, None)}
    found = diagnosed(tmp_path, 1 / y <= 1 / (2 * x + 4 * y), fields)
    assert not any("4*y - 2*x" in repair.statement or "-2*x + 4*y" in repair.statement
                   for repair in found.repairs)  # fmt: skip


def test_a_repair_that_the_library_states_is_named(tmp_path):
    relation = (x + y) ** 2 <= 2 * (x**2 + y**2)
    stated = Claim(source=WORK.at("Lemma 1, repaired"), statement=Holds(relation),
                   parameters=POSITIVE)  # fmt: skip
    found = diagnosed(tmp_path, (x + y) ** 2 <= x**2 + y**2, repaired=stated)
    assert [repair.written for repair in found.repairs if repair.written] == [
        "mine/lemma_1:repaired"
    ]


def test_an_edit_that_the_library_states_too_has_its_verdict(tmp_path):
    stated = Claim(source=WORK.at("Lemma 1, repaired"), statement=Holds(2 * x * y <= x**2 + y**2),
                   parameters=POSITIVE)  # fmt: skip
    found = diagnosed(tmp_path, 2 * x * y < x**2 + y**2, repaired=stated)
    assert [(repair.kind, repair.written) for repair in found.repairs] == [
        ("tie", "mine/lemma_1:repaired")
    ]


def test_the_same_diagnosis_twice(tmp_path):
    first, second = (diagnosed(tmp_path, x <= x**3).as_json() for _ in range(2))
    assert first == second


def test_a_claim_that_holds_has_none(tmp_path):
    with pytest.raises(NotFailing, match="is proved; a diagnosis needs"):
        diagnosed(tmp_path, 2 * x * y <= x**2 + y**2)


def test_the_command_writes_what_it_prints(small_library, capsys, tmp_path):
    target = tmp_path / "found.json"
    with pytest.raises(SystemExit) as stop:
        main(["diagnose", "mine", "--root", str(small_library), "--jobs", "1", "--json",
              str(target)])  # fmt: skip
    assert stop.value.code == 0
    (entry,) = json.loads(target.read_text())["claims"]
    assert entry["key"] == "mine/lemma_2:printed"
    assert f"{entry['key']}: {entry['diagnosis']['grade']}." in capsys.readouterr().out
    assert entry["diagnosis"]["telling"]["lines"]


def test_the_command_wants_a_claim_that_fails(small_library, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["diagnose", "mine/theorem_1", "--root", str(small_library), "--jobs", "1"])
    assert stop.value.code == 2
    assert "none of the claims chosen fails (mine/theorem_1" in capsys.readouterr().err


def test_a_formula_that_search_alone_supports_does_not_stand_beside_a_stated_one(tmp_path):
    relation = (x + y) ** 2 <= 2 * (x**2 + y**2)
    stated = Claim(source=WORK.at("Lemma 1, repaired"), statement=Holds(relation),
                   parameters=POSITIVE)  # fmt: skip
    found = diagnosed(tmp_path, (x + y) ** 2 <= x**2 + y**2, repaired=stated)
    assert [repair.kind for repair in found.repairs if not repair.written] in ([], ["hypothesis"])


def test_the_reading_under_which_the_print_is_true_is_named(tmp_path):
    stated = Claim(source=WORK.at("Lemma 1"), statement=Holds(x <= x**3), given=[x >= 2],
                   parameters=POSITIVE, reading="x is large")  # fmt: skip
    found = diagnosed(tmp_path, x <= x**3, large=stated)
    assert found.reading == "true as read in mine/lemma_1:large: x is large"
    assert found.grade == "hypothesis"
