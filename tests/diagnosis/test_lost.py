"""Sizes that a bound forgot, comparisons inside sums, numbers in logarithms, larger worlds."""

import pytest
from sympy import Abs, binomial, exp, log, sqrt

from boundcheck import Claim, Holds, Source, WithProbability
from boundcheck.checks.base import budget_named
from boundcheck.diagnosis import diagnose
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.edits import edits
from boundcheck.diagnosis.enlarged import fails_enlarged
from boundcheck.diagnosis.hypotheses import hypotheses
from boundcheck.diagnosis.offered import of_grade_first
from boundcheck.diagnosis.pointless import bounds_no_chance
from boundcheck.diagnosis.record import Repair
from boundcheck.diagnosis.trial import Bench
from boundcheck.engine import verify
from boundcheck.expressions import (
    average,
    greatest,
    index,
    indicator,
    inner,
    norm,
    parameter,
    row,
    total,
    world,
)
from boundcheck.library import Library
from boundcheck.settings.classes import (
    F,
    H,
    Z,
    delta,
    deviation,
    distinct_rows,
    m,
    patterns,
    rademacher,
    vc_dimension,
)
from boundcheck.settings.concentration import n, signs
from boundcheck.settings.scalar_laws import E, P, k, values
from boundcheck.worlds import Integer, Matrix, Real

WORK = Source("Author", 2000, "A title")
N = world("N", Integer(2, searched=8))
A = world("A", Matrix(N, n), units={"value": 1})
q = index("q", N)
X = values(-1, 1)[k]
s = parameter("s", Real(None, None, searched=(-3, 3)))


def claimed(statement, **others):
    form = statement if hasattr(statement, "relation") else Holds(statement)
    return Claim(source=WORK.at("1"), statement=form, **others)


def case_of(claim, key="mine/a:printed"):
    found = verify(key, claim, budget="quick", controls=False)
    return Case(key, claim, found, Bench(key, budget_named("quick")))


def diagnosed(tmp_path, claim):
    return diagnose("mine/a:printed", Library(tmp_path, {"mine/a:printed": claim}))


def test_a_bound_of_the_largest_forgets_a_size_unless_it_depends_on_it():
    bound = sqrt(log(1 / delta) / (2 * m))
    lost = claimed(WithProbability(1 - delta, deviation(F) <= bound))
    named = claimed(WithProbability(1 - delta, deviation(F) <= bound * H))
    within = claimed(WithProbability(1 - delta, deviation(F) <= bound + 2 * rademacher(F)))
    found = [Case("a", claim, None, None).lost_sizes for claim in (lost, named, within)]
    assert found == [{"H"}, set(), set()]


@pytest.mark.long
def test_the_number_of_functions_is_missing_from_a_union_bound(tmp_path):
    bound = sqrt(log(1 / delta) / (2 * m))
    found = diagnosed(tmp_path, claimed(WithProbability(1 - delta, deviation(F) <= bound)))
    assert found.grade == "slip"
    assert found.repairs[0].edit == "a factor H at 1/delta"
    assert not any(repair.kind == "constant" for repair in found.repairs)


def test_a_number_that_only_small_products_bear_is_refuted():
    width = average(greatest(inner(row(A, q), signs), q), signs)
    largest = greatest(norm(row(A, q)), q)
    case = case_of(claimed(width <= largest * sqrt(log(N))))
    assert fails_enlarged(case, claimed(width <= largest * sqrt(log(2 * N))))
    assert not fails_enlarged(case, claimed(width <= largest * sqrt(2 * log(N))))


def test_shorter_trials_spend_less_effort_and_pass_over_dear_worlds():
    claim = claimed(WithProbability(1 - delta, deviation(F) <= sqrt(log(1 / delta) / (2 * m))))
    bench = Bench("mine/a:printed", budget_named("quick"))
    efforts = [bench.task(claim, "a trial", share).budget.effort for share in (1.0, 0.25)]
    assert efforts == [bench.effort, bench.effort / 2]
    found = Case("mine/a:printed", claim, None, bench).search(claim, "dear", 0.1, most=0)
    assert found.violation is None
    assert found.evaluated == found.silent > 0


def test_a_comparison_inside_a_sum_is_mended(tmp_path):
    B, i = patterns(), index("i", Z + 1)
    d = vc_dimension(B)
    count = total(indicator(i < d) * binomial(Z, i), i)
    claim = claimed(distinct_rows(B) <= count, domains={H: Integer(1, searched=9)})
    found = diagnosed(tmp_path, claim)
    assert found.grade == "slip"
    assert "indicator(i <= VC(B))" in found.repairs[0].statement


def test_twice_the_argument_of_a_logarithm_is_farther_than_twice_the_logarithm():
    y = parameter("y", Real(1, None))
    offered = {edit.statement.relation: edit.cost for edit in edits(claimed(y - 1 <= log(y)))}
    inside, outside = offered[y - 1 <= log(2 * y)], offered[y - 1 <= 2 * log(y)]
    assert inside > outside + 0.35


@pytest.mark.long
def test_a_mean_of_zero_is_nearer_than_a_number_beside_which_the_bound_is_nothing(tmp_path):
    found = diagnosed(tmp_path, claimed(log(E(exp(s * X))) <= s**2 / 2))
    assert found.grade == "hypothesis"
    assert found.repairs[0].edit == "the hypothesis that x has mean zero"


def test_a_hypothesis_that_makes_a_bound_of_a_probability_one_says_nothing():
    case = case_of(claimed(P(Abs(X) >= s) <= exp(-s), given=[s > 0]))
    small, large = (next(item.claim for item in hypotheses(case.claim) if item.words == words)
                    for words in ("the hypothesis s <= 0", "the hypothesis s >= 1"))  # fmt: skip
    assert bounds_no_chance(case, small)
    assert not bounds_no_chance(case, large)


def test_what_the_library_states_stays_first():
    stated = Repair("a", "", "symbol", 2.0, "supported", written="a/b:repaired")
    found = (stated, Repair("b", "", "constant", 2.0, "supported"))
    assert of_grade_first(found, found[1]) == found


@pytest.mark.parametrize(("of_grade", "order"), [(0, "abc"), (1, "abc"), (2, "acb"), (None, "abc")])
def test_what_a_grade_rests_on_comes_before_all_but_hypotheses(of_grade, order):
    kinds = {"a": "hypothesis", "b": "symbol", "c": "constant"}
    found = tuple(Repair(name, "", kind, 2.0, "supported") for name, kind in kinds.items())
    chosen = None if of_grade is None else found[of_grade]
    assert "".join(repair.edit for repair in of_grade_first(found, chosen)) == order
