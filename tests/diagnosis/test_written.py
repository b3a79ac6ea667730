"""Claims of a statement against each other: symbols of one name are one."""

from dataclasses import replace

import pytest
from sympy import And, Eq, Function, Ge, Gt, Le, Lt, Max, cbrt, exp, symbols

from boundcheck import Claim, Holds, Source
from boundcheck.diagnosis import diagnose
from boundcheck.diagnosis.edits import edits
from boundcheck.diagnosis.instead import instead
from boundcheck.diagnosis.repairs import _of_written
from boundcheck.diagnosis.single import single
from boundcheck.diagnosis.written import _restated, compared, neighbours, same_domain
from boundcheck.expressions import (
    define,
    frobenius_norm,
    identity,
    indicator,
    operator_norm,
    parameter,
    trace,
)
from boundcheck.library import Library
from boundcheck.settings.matrices import A, d, semidefinite
from boundcheck.worlds import Real

WORK = Source("Folklore", 1900, "Statements")
K = semidefinite("K")


def claim(right, *, given=(), low=0):
    x = parameter("x", Real(low, None))
    return Claim(source=WORK.at("1"), statement=Holds(x**2 <= right(x)), given=given)


def half(x):
    return define("bound", x / 2)


def double(x):
    return define("bound", 2 * x)


def test_symbols_of_one_name_are_one_whoever_made_them():
    near = compared(claim(lambda x: x + 1), claim(lambda x: x + 2), "a/b:repaired")
    assert (near.kind, near.distance) == ("constant", 1.0)
    assert near.words == "x + 2 for x + 1, as in 1"


def test_words_of_a_repair_say_what_stands_instead_where_a_sentence_holds_it():
    one = compared(claim(lambda x: x / exp(x)), claim(lambda x: x / exp(2 * x)), "a/b:repaired")
    assert one.words == "-2*x for -x, as in 1"
    defined = compared(claim(half), claim(double), "a/b:repaired")
    assert defined.words == "another definition of bound: 2*x for x/2"
    x, y = symbols("x y")
    long = sum(x**k for k in range(40))
    assert instead(Le(x, y), Le(x, long)) == instead(Le(x, y), Lt(x, y)) == ""


def test_a_function_in_the_place_of_another_is_told_with_what_it_is_applied_to():
    gap = A - K
    assert instead(operator_norm(gap) <= 1, frobenius_norm(gap) <= 1) == "‖A - K‖_F for ‖A - K‖_op"


def test_another_definition_of_one_name_is_seen_and_the_same_one_is_none():
    assert compared(claim(half), claim(double), "a/b:repaired").kind == "definition"
    same = compared(claim(half), claim(half, low=1), "a/b:repaired")
    assert same.kind == "hypothesis"


def test_a_formula_and_its_name_are_one_text():
    x, y = parameter("x", Real(0, None)), parameter("y", Real(0, None))
    written = Claim(source=WORK.at("1"), statement=Holds(Eq(x * y, x * (y + 1) / 2)))
    named = define("product", x * (y + 1) / 2)
    found = compared(written, Claim(source=WORK.at("2"), statement=Holds(Eq(x * y, named))), "k")
    assert found is not None and found.distance <= 1.0


@pytest.mark.parametrize(
    ("mine", "its", "wanted"),
    [
        ("step_tail", "repaired_tail", True),
        ("step_tail", "tail_repaired", True),
        ("step_tail", "repaired", True),
        ("step_tail", "repaired_head", False),
        ("step_tail", "head_repaired", False),
        ("printed", "tail_repaired", False),
        ("printed", "step_tail", False),
        ("printed", "repaired", True),
    ],
)
def test_a_step_is_repaired_by_its_own_repair(tmp_path, mine, its, wanted):
    claims = {f"a/b:{mine}": claim(lambda x: x), f"a/b:{its}": claim(lambda x: x + 1)}
    found = [item.key for item in neighbours(f"a/b:{mine}", Library(tmp_path, claims))]
    assert found == ([f"a/b:{its}"] if wanted else [])


def test_a_narrower_domain_makes_another_inequality_no_slip():
    y = symbols("y", real=True)
    wide, narrow = (Claim(source=WORK.at("1"), statement=Holds(relation),
                          parameters={y: Real(low, None)})
                    for relation, low in ((y**2 <= y, 0), (y**3 <= y, 1)))  # fmt: skip
    assert compared(wide, narrow, "a/b:repaired").kind == "restatement"


def test_where_search_looks_is_no_part_of_the_domain():
    wide, narrow, other = (
        replace(claim(lambda x: x), parameters={symbols("x", real=True): field})
        for field in (Real(0, None), Real(0, None, searched=(0, 3)), Real(0, 3))
    )
    assert same_domain(wide, narrow)
    assert not same_domain(wide, other)


def test_a_repair_that_takes_an_end_in_asks_for_nothing_more():
    x = parameter("x", Real(0, None))
    strict, whole = (
        Claim(WORK.at("1"), Holds(x**2 <= bound(x)), given=[condition])
        for bound, condition in ((half, x > 1), (double, x >= 1))
    )
    assert compared(strict, whole, "a/b:repaired").kind == "definition"
    assert compared(whole, strict, "a/b:repaired").kind == "tie"
    wide, narrow = (
        Claim(WORK.at("1"), Holds(2 * z <= z**2))
        for z in (x, parameter("x", Real(0, None, open_low=True)))
    )
    assert same_domain(narrow, wide) and not same_domain(wide, narrow)


def test_a_lost_sign_or_term_is_no_constant():
    x = parameter("x", Real(0, None))
    printed, repaired, scaled = (
        Claim(source=WORK.at("1"), statement=Holds(x <= right))
        for right in (1 - 2 * exp(-x), 2 * exp(-x), 1 - 3 * exp(-x))
    )
    assert compared(printed, repaired, "a/b:repaired").kind == "symbol"
    assert compared(printed, scaled, "a/b:repaired").kind == "constant"


def test_two_formulas_for_one_side_are_mended_by_one():
    x, y = parameter("x", Real(0, None)), parameter("y", Real(0, None))
    both = Claim(source=WORK.at("1"), statement=Holds(And(Eq(x, y), Eq(x, y + 1))))
    one = Claim(source=WORK.at("1"), statement=Holds(Eq(x, y)))
    assert compared(both, one, "a/b:repaired").distance <= 1.0


def test_the_repair_of_a_part_mends_that_part_only(tmp_path):
    claims = {f"a/b:{name}": claim(lambda x: x) for name in ("printed", "part_3")}
    claims["a/b:repaired_part_3"] = claim(lambda x: x + 1)
    library = Library(tmp_path, claims)
    assert "a/b:repaired_part_3" not in [n.key for n in neighbours("a/b:printed", library)]
    assert "a/b:repaired_part_3" in [n.key for n in neighbours("a/b:part_3", library)]


def test_claims_elsewhere_that_share_little_are_about_different_things():
    norm = Holds(frobenius_norm(A) <= cbrt(d) * operator_norm(A))
    other = Holds(trace(K * (K + identity(d)) ** -1) <= trace(K) / 2)
    mine = Claim(source=WORK.at("1"), statement=norm)
    its = Claim(source=WORK.at("2"), statement=other)
    assert compared(mine, its, "a/b:other") is None
    mended = Claim(source=WORK.at("2"), statement=Holds(frobenius_norm(A) <= d * operator_norm(A)))
    assert compared(mine, mended, "a/b:mended") is not None


def test_sides_are_compared_in_their_order():
    y = parameter("y", Real(1, None))
    small, large = y**2, y**4
    one, two = (Claim(source=WORK.at("1"), statement=Holds(text))
                for text in (small <= large, large <= small))  # fmt: skip
    assert compared(one, two, "a/b:two").distance == 2.0


def test_what_differs_at_one_place_alone_is_told_by_what_stands_there():
    x, y = parameter("x", Real(0, None)), parameter("y", Real(0, None))
    def stated(relation):
        return Claim(source=WORK.at("1"), statement=Holds(relation))

    counted = [stated(indicator(sign(x + y, 1) & (x < 1)) <= y) for sign in (Gt, Ge)]
    assert compared(*counted, "a/b:repaired").kind == "tie"
    other = symbols("other", real=True)
    many = Function("regret")(*symbols("a_long_name_of_its_own:9"), y)
    assert single(stated(y <= x), many.subs(y, -1) <= x, many.subs(y, 1) <= x) == (
        "symbol", "the other sign")  # fmt: skip
    assert single(stated(y <= x), x * y <= 2 * y, x * other <= 3 * y) is None  # at two places
    assert single(stated(y <= x), exp(y) <= x, exp(other) <= x) == ("symbol", "")
    formula = compared(stated(x <= y), stated(x <= 1 + x / 2), "a/b:repaired")
    assert (formula.kind, formula.words) == ("hypothesis", "the hypothesis y = x/2 + 1 (1)")
    kept = compared(stated(x * y <= y), stated(x * y <= 1 + x / 2), "a/b:repaired")
    assert kept is None or kept.kind != "hypothesis"


@pytest.mark.parametrize(("sign", "words"), [
    (1, "the hypotheses x >= 2 and y <= 1 (1, descending)"),
    (-1, "the hypotheses of 1, descending"),
])  # fmt: skip
def test_what_stands_of_another_run_is_not_said_of_the_printed_one(sign, words):
    x, y = parameter("x", Real(0, None)), parameter("y", Real(0, None))
    last, other = define("last", x + y), define("last", x + sign * y)
    printed = Claim(source=WORK.at("1"), statement=Holds(last <= x))
    repaired = Claim(source=WORK.at("1, descending"), statement=Holds(Max(other, -y) <= 4 * x),
                     given=[x >= 2, y <= 1])  # fmt: skip
    assert _restated(printed, repaired, "a/b:repaired", None).words == words


def test_what_stands_as_one_of_several_comparisons_is_the_edit_that_leads_to_it():
    x = parameter("x", Real(1, None))
    printed = Claim(WORK.at("1"), Holds(x**2 <= x))
    both = Claim(WORK.at("2"), Holds(And(x <= x**2, x**2 <= x**3)))
    item = compared(printed, both, "a/b:printed")
    assert item.kind == "restatement"
    told = _of_written(item, edits(printed))
    assert (told.kind, told.words, told.claim) == ("symbol", ">= for <=, as in 2", both)


def test_an_inequality_turned_round_is_told_beside_the_same_under_other_hypotheses(tmp_path):
    x = parameter("x", Real(None, None, searched=(-2, 2)))
    claims = {"a/b:reversed_": Claim(WORK.at("1"), Holds(exp(x) <= 1 + x), given=[x >= 0]),
              "a/b:printed": Claim(WORK.at("1"), Holds(1 + x <= exp(x)))}  # fmt: skip
    found = diagnose("a/b:reversed_", Library(tmp_path, claims))
    assert found.grade == "slip" and ">= for <=" in {repair.edit for repair in found.repairs}
