"""The grade follows from extent, constant, repairs and dependants, whatever the claim."""

from types import SimpleNamespace

import pytest
from flint import fmpq
from sympy import Symbol

from boundcheck.diagnosis.grade import DIVIDING, OF_SIGN, grade, is_of_sign
from boundcheck.diagnosis.record import EVERYWHERE, Constant, Dependant, Extent, Repair
from boundcheck.worlds import Integer, Real

WHOLE = Extent("fails everywhere tried", corner=False)
SMALL = Extent("fails only for m = 1", corner=True, excluded=("m = 1",))
PROVED = Extent("fails only for m = 1", corner=True, excluded=("m = 1",), proved=True)
LEVEL = Extent("fails only for delta > 0.9", corner=True, excluded=("delta above 1/2",))


NOWHERE = Extent("has no value on a part", corner=True, excluded=("values",), undefined=True)


def failing(inequality, undefined=(), concrete=False, worlds="some", kept_by=(), fields=None):
    claim = SimpleNamespace(undefined=frozenset(undefined), worlds=worlds, fields=fields or {})
    return SimpleNamespace(has_inequality=inequality, concrete=concrete, seldom_defined=False,
                           lost_sizes=set(), kept_by=list(kept_by), shown="a <= b", claim=claim)


def repair(kind, cost=2.0, written="", verdict="supported", slack=None, **others):
    edit = f"an edit of kind {kind}"
    return Repair(edit, "a <= b", kind, cost, verdict, slack, written, **others)


@pytest.mark.parametrize(
    ("extent", "constant", "repairs", "inequality", "expected"),
    [
        (WHOLE, None, (), True, "false"),
        (WHOLE, Constant(1.2, 1.25), (), True, "constant"),
        (WHOLE, Constant(1e5, 1e6), (), True, "false"),
        (WHOLE, Constant(1e6, None), (), True, "false"),
        (WHOLE, None, (repair("tie", 1.0),), True, "corner"),
        (LEVEL, None, (repair("symbol"),), True, "corner"),
        (SMALL, None, (repair("symbol"),), True, "corner"),
        (SMALL, None, (repair("constant", written="a/b:repaired"),), True, "constant"),
        (SMALL, None, (repair("constant"),), True, "constant"),
        (SMALL, None, (repair("constant", verdict="undecided"),), True, "corner"),
        (SMALL, None, (repair("restatement", written="a/b:printed"),), True, "false"),
        (PROVED, None, (repair("constant"),), True, "corner"),
        (WHOLE, None, (repair("factor"),), True, "slip"),
        (WHOLE, None, (repair("constant", 2.1), repair("factor", 2.6)), True, "constant"),
        (WHOLE, Constant(1.6, 2.0), (repair("constant", 2.2, verdict="undecided", slack=1.2),
                                     repair("hypothesis", 3.1, slack=1.0)), True, "hypothesis"),
        (WHOLE, Constant(1.6, 2.0), (repair("constant", 2.2, slack=1.2),
                                     repair("hypothesis", 3.1, slack=1.0)), True, "constant"),
        (WHOLE, None, (repair("factor"),), False, "slip"),
        (LEVEL, None, (repair("constant", written="a/b:repaired"),), True, "corner"),
        (NOWHERE, None, (), True, "hypothesis"),
        (NOWHERE, None, (repair("symbol"),), True, "hypothesis"),
        (WHOLE, None, (repair("symbol"),), False, "slip"),
        (WHOLE, None, (repair("constant"),), False, "slip"),
        (WHOLE, None, (repair("constant"),), True, "constant"),
        (WHOLE, None, (repair("constant", 2.1), repair("symbol", 2.6)), True, "constant"),
        (WHOLE, None, (repair("symbol", 2.1), repair("constant", 2.6)), True, "slip"),
        (WHOLE, None, (repair("constant", 2.1, verdict="undecided"), repair("symbol", 2.6)), True,
         "slip"),
        (WHOLE, None, (repair("symbol", 2.1, verdict="undecided"), repair("constant", 2.6)), True,
         "constant"),
        (WHOLE, None, (repair("symbol", verdict="undecided", slack=2.5),), True, "false"),
        (WHOLE, None, (repair("constant", 2.1, verdict="undecided", slack=1.8),
                       repair("symbol", 2.6, verdict="undecided", slack=1.1)), True, "slip"),
        (WHOLE, None, (repair("constant", 2.1, verdict="undecided", slack=1.1),
                       repair("symbol", 2.6, verdict="undecided", slack=1.8)), True, "constant"),
        (WHOLE, None, (repair("constant", 2.25, verdict="undecided", slack=1.53),
                       repair("symbol", 2.37, verdict="undecided", slack=1.44)), True, "constant"),
        (WHOLE, None, (repair("symbol", verdict="undecided", slack=1.1),), True, "slip"),
        (WHOLE, None, (repair("symbol", slack=2.5),), True, "slip"),
        (WHOLE, None, (repair("hypothesis", 3.0),), True, "hypothesis"),
        (WHOLE, None, (repair("hypothesis", 3.0), repair("symbol", 2.1)), True, "slip"),
        (WHOLE, None, (repair("hypothesis", 3.0), repair("symbol", 2.1, verdict="undecided")), True,
         "hypothesis"),
        (WHOLE, None, (repair("hypothesis", 3.0, verdict="undecided"),
                       repair("symbol", 2.1, verdict="undecided")), True, "slip"),
        (WHOLE, None, (repair("hypothesis", 3.0),
                       repair("symbol", 2.1, "a/b:c", verdict="undecided")), True, "slip"),
        (WHOLE, Constant(1.2, 1.25), (repair("hypothesis", 1.6, "a/b:c"),), True, "hypothesis"),
        (WHOLE, Constant(1.2, 1.25), (repair("hypothesis", 1.6),), True, "constant"),
        (WHOLE, Constant(1.2, 1.25), (repair("hypothesis", 1.6, "a/b:c", "undecided"),), True,
         "constant"),
        (WHOLE, None, (repair("symbol", 2.75, verdict="undecided", distant=True),), True, "false"),
        (WHOLE, None, (repair("symbol", 2.75, distant=True),), True, "slip"),
        (WHOLE, None, (repair("restatement", 2.0),), True, "false"),
        (WHOLE, None, (repair("constant", slack=2.1), repair("hypothesis", slack=1.0)), True,
         "hypothesis"),
        (WHOLE, None, (repair("constant", slack=1.9), repair("hypothesis", slack=1.0)), True,
         "constant"),
        (WHOLE, None, (repair("constant", slack=2.1), repair("hypothesis", slack=1.1)), True,
         "constant"),
        (WHOLE, Constant(1.2, 1.25), (repair("constant", slack=2.1),
                                      repair("hypothesis", slack=1.0)), True, "constant"),
    ],
)
def test_the_grade_is_a_conclusion(extent, constant, repairs, inequality, expected):
    case = failing(inequality)
    assert grade(case, extent, constant, repairs, ())[0] == expected


def test_the_reason_of_a_corner_says_where_in_one_clause():
    _, reason, _ = grade(failing(inequality=True), SMALL, None, (), ())
    assert reason == "fails only at ends of the domain, for m = 1"


@pytest.mark.parametrize(("extent", "repairs", "expected"), [
    (Extent("fails only for equal sides", corner=True, excluded=("sides equal",)), (),
     "fails only for equal sides"),
    (Extent("fails only for equal sides", corner=True, excluded=("sides equal",)),
     (repair("tie", 1.0),), "fails only for equal sides"),
    (WHOLE, (Repair("<= for <", "a <= b", "tie", 1.0, "supported"),),
     "fails only for equal sides: <= for <"),
    (WHOLE, (Repair("< for <= in the premise", "a", "tie", 1.0, "supported"),),
     "fails only at ends of the domain: < for <= in the premise"),
])  # fmt: skip
def test_equal_sides_are_no_ends_of_the_domain(extent, repairs, expected):
    # 2 (max(x, y) - min(x, y)) < 2 |x - y| fails everywhere, m^2 - 3 floor(m^2 / 3) < 1 mostly.
    assert grade(failing(inequality=True), extent, None, repairs, ())[1] == expected


@pytest.mark.parametrize(("distant", "slack", "verdict", "expected"), [
    (True, 1.0, "supported", "hypothesis"), (False, 1.0, "supported", "slip"),
    (True, 1.5, "supported", "slip"), (True, 1.0, "undecided", "slip"),
])  # fmt: skip
def test_a_formula_attained_under_a_hypothesis_was_meant(distant, slack, verdict, expected):
    repairs = (repair("symbol", distant=distant), repair("hypothesis", 3.0, "", verdict, slack))
    assert grade(failing(inequality=True), WHOLE, None, repairs, ())[0] == expected


def test_what_rests_on_a_slip_is_said():
    case = failing(False)
    rests = (Dependant("a/c:printed", "conditional", "why"), Dependant("a/d:x", "survives", "why"))
    _, reason, _ = grade(case, WHOLE, None, (repair("symbol"),), rests)
    assert reason.endswith("1 statements rest on the mended form")


@pytest.mark.parametrize(("stated", "wanted"), [("a/b:repaired", "slip"), ("", "false")])
def test_a_symbol_defined_nowhere_is_a_slip_once_a_repair_is_stated(stated, wanted):
    mends = (repair("restatement", written=stated),)
    assert grade(failing(False, "i"), WHOLE, None, mends, ())[0] == wanted


def test_a_bracket_from_search_alone_is_told_with_its_doubt():
    _, reason, _ = grade(failing(True), WHOLE, Constant(1.2, 1.25), (), ())
    assert reason.startswith("perhaps ")
    assert "no factor below 1.2 serves" in reason


def test_given_numbers_have_no_constant():
    near = Constant(1.2, 1.25)
    assert grade(failing(True, concrete=True), WHOLE, near, (), ())[0] == "false"
    assert grade(failing(True), WHOLE, near, (), ())[0] == "constant"


@pytest.mark.parametrize("kind", ["symbol", "constant", "hypothesis"])
def test_a_repair_that_may_fail_at_larger_sizes_is_told_with_its_doubt(kind):
    for verdict, doubted in (("undecided", True), ("supported", False), ("proved", False)):
        found = (repair(kind, verdict=verdict),)
        assert grade(failing(True), WHOLE, None, found, ())[1].startswith("perhaps ") == doubted


def test_what_nearly_never_has_a_value_and_one_symbol_gives_it_is_a_slip():
    seldom = failing(True)
    seldom.seldom_defined = True
    assert grade(seldom, NOWHERE, None, (repair("symbol"),), ())[0] == "slip"
    assert grade(seldom, NOWHERE, None, (), ())[0] == "hypothesis"


@pytest.mark.parametrize(("worlds", "kept_by", "written", "cost", "wanted"), [
    (None, ["n >= 4"], "", DIVIDING, "hypothesis"), (None, ["n >= 4"], "", 3.0, "constant"),
    (None, ["n >= 4"], "a/b:x", DIVIDING, "constant"), (None, [], "", DIVIDING, "constant"),
    ("some", ["n >= 4"], "", DIVIDING, "constant"),
])  # fmt: skip
def test_a_number_does_not_mend_what_stands_from_some_integer_on(
    worlds, kept_by, written, cost, wanted
):
    case = failing(True, worlds=worlds, kept_by=kept_by)
    mends = (repair("constant", written=written), repair("hypothesis", cost))
    assert grade(case, WHOLE, Constant(2.0, 2.0), mends, ())[0] == wanted


def test_a_slip_that_may_fail_yields_where_a_statement_stands_from_some_integer_on():
    """n! >= 2^n fails for n = 1, 2, 3: n >= 4 mends it, 2^(-n) for 2^n may fail farther out."""
    mends = (repair("symbol", verdict="undecided", slack=1.0), repair("hypothesis", DIVIDING))
    for kept, wanted in ((["n >= 4"], "hypothesis"), ([], "slip")):
        case = failing(True, worlds=None, kept_by=kept)
        assert grade(case, WHOLE, None, mends, ())[0] == wanted


def test_a_stated_hypothesis_with_another_number_leaves_a_constant():
    stated = Repair("a smaller domain", "2*a <= b", "hypothesis", 1.6, "supported", None, "a/b:c")
    assert grade(failing(True), WHOLE, Constant(1.2, 1.25), (stated,), ())[0] == "constant"


@pytest.mark.parametrize(("excluded", "edit", "expected"), [
    ("x > 1", "the hypothesis x <= 1", "hypothesis"),
    ("x > 0.999", "the hypothesis x <= 1", "hypothesis"),
    ("x > 0.5", "the hypothesis x <= 1/2", "hypothesis"),
    ("x < 1.9", "the hypothesis x >= 2", "constant"),
    ("x > 1", "the hypothesis x >= 1", "constant"),
    ("x > 1", "the hypothesis x <= y", "constant"),
    ("x > 1", "the hypothesis y <= 1", "constant"),
])  # fmt: skip
def test_a_hypothesis_that_is_where_the_print_fails_comes_before_another_number(
    excluded, edit, expected
):
    part = Extent(f"fails only for {excluded}", corner=False, excluded=(excluded,))
    assumed = Repair(edit, "a <= b", "hypothesis", 3.0, "supported")
    assert grade(failing(True), part, None, (assumed, repair("constant")), ())[0] == expected
    stated = repair("constant", written="a/b:repaired")
    assert grade(failing(True), part, None, (assumed, stated), ())[0] == "constant"


@pytest.mark.parametrize(("words", "excluded", "nearest", "expected"), [
    ("the hypothesis x >= 0", "x < 0", fmpq(-1, 4), True),
    ("the hypothesis x >= 0", "x < 0", fmpq(-3), False),
    ("the hypothesis x <= 0", "x > 0", fmpq(1, 3), True),
    ("the hypothesis x > 0", "x < 0", fmpq(-1, 4), False),
    ("the hypothesis x >= 0", "x > 0", fmpq(1, 4), False),
    ("the hypothesis L <= 1", "L > 1", fmpq(1, 4), False),
    ("the hypothesis that A is positive semi-definite", "x < 0", fmpq(-1, 4), False),
])  # fmt: skip
def test_a_hypothesis_on_the_sign_with_which_alone_a_statement_fails(
    words, excluded, nearest, expected
):
    where = Extent(f"fails only for {excluded}", corner=False, excluded=(excluded,))
    worlds = [SimpleNamespace(violated=True, setting=lambda name: nearest)]
    case = SimpleNamespace(worlds=worlds, claim=SimpleNamespace(given=()))
    assert is_of_sign(case, where, words) is expected
    y = Symbol("x", real=True)
    printed = SimpleNamespace(given=(y >= -1, y <= 1))
    assert not is_of_sign(SimpleNamespace(worlds=worlds, claim=printed), where, words)


def test_no_number_is_missing_where_a_sign_is():
    where = Extent("fails only for x < 0", corner=False, excluded=("x < 0",))
    added = Repair("a term 1/2 beside 1/(1 - x)", "s", "symbol", 2.19, "supported", 1.0)
    sign = Repair("the hypothesis x >= 0", "s", "hypothesis", OF_SIGN, "supported", 1.0)
    assert grade(failing(inequality=True), where, None, (sign, added), ())[0] == "hypothesis"


def turned(slack=1.0, edit=">= for <="):
    return Repair(edit, "a >= b", "symbol", 3.5, "supported", slack, "", distant=True)


@pytest.mark.parametrize(
    ("extent", "slip", "number", "expected"),
    [
        (Extent(EVERYWHERE, corner=False), turned(), repair("constant", slack=1.5), "slip"),
        (Extent(EVERYWHERE, corner=False), turned(), repair("constant", slack=1.0), "constant"),
        (Extent(EVERYWHERE, corner=False), turned(1.1), repair("constant", slack=1.5), "constant"),
        (Extent(EVERYWHERE, corner=False), turned(edit="a for b"), repair("constant", slack=1.5),
         "constant"),
        (Extent(EVERYWHERE, corner=False), turned(), repair("constant", slack=1.5, written="a/b:c"),
         "constant"),
        (WHOLE, turned(), repair("constant", slack=1.5), "constant"),
    ],
)  # fmt: skip
def test_what_fails_everywhere_and_is_attained_turned_round_was_turned(
    extent, slip, number, expected
):
    """(1 - 1/n)^(n-1) <= 1/e, which no number but the sign mends so that some n comes near."""
    assert grade(failing(True), extent, None, (slip, number), ())[0] == expected


def test_of_integers_alone_a_number_that_one_of_them_attains_is_not_what_was_meant():
    """(1 + 1/n)^n >= e: e/2 for e is attained at n = 1."""
    repairs, where = (turned(), repair("constant", slack=1.0)), Extent(EVERYWHERE, corner=False)
    fields = {"n": Integer(1, searched=9), "x": Real(0, None)}
    assert grade(failing(True, fields=fields), where, None, repairs, ())[0] == "constant"
    del fields["x"]
    assert grade(failing(True, fields=fields), where, None, repairs, ())[0] == "slip"
    near = (turned(1.003), repairs[1])  # n! <= 5/2 sqrt(n) (n/e)^n, turned round not the best
    assert grade(failing(True, fields=fields), where, None, near, ())[0] == "constant"
