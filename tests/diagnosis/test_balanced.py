"""What one side forgot: sizes of arrays, moduli, roots, squares, numbers under a root of a tail."""

from dataclasses import replace
from types import SimpleNamespace

import numpy
import pytest
import sympy
from sympy import Abs, exp, log, sqrt

from boundcheck import Claim, Holds, Source
from boundcheck.checks.base import budget_named
from boundcheck.diagnosis.balanced import lost_lengths
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.edits import edits
from boundcheck.diagnosis.excluded import restates
from boundcheck.diagnosis.grade import _mends
from boundcheck.diagnosis.inside import inside
from boundcheck.diagnosis.lost import squared_apart
from boundcheck.diagnosis.moduli import lost_moduli
from boundcheck.diagnosis.outside import outside
from boundcheck.diagnosis.record import EVERYWHERE, Extent, Repair
from boundcheck.diagnosis.related import MeanZero
from boundcheck.diagnosis.screen import Candidate, screened
from boundcheck.diagnosis.spelling import in_print
from boundcheck.diagnosis.tails import is_of_exponent
from boundcheck.diagnosis.tighter import tighter_first
from boundcheck.diagnosis.trial import Bench
from boundcheck.expressions import (
    eigenvalues,
    entry,
    form,
    index,
    inner,
    largest_eigenvalue,
    least,
    multiplied,
    norm,
    operator_norm,
    parameter,
    total,
    world,
)
from boundcheck.library import Library
from boundcheck.settings.counting import binomial_tail, p as chance
from boundcheck.settings.matrices import A, d, semidefinite, u
from boundcheck.worlds import Independent, Integer, Real, Vector, Weights
from boundcheck.worlds.sources import Randomness

WORK = Source("Folklore", 1900, "Statements")
S = semidefinite("S")
W = world("W", Independent(d, d), units={"matrix": 1})
v = world("v", Vector(d), units={"other": 1})
t = parameter("t", Real(None, None, searched=(-4, 4)))
y = parameter("y", Real(0, None, open_low=True))
n = parameter("n", Integer(1, searched=60))
level = parameter("level", Real(0, 1, open_low=True, open_high=True))
g = world("g", Vector(3, "-1/2", "1/2"))
i, k = index("i", 3), index("k", d)


def failing(relation, given=()):
    claim = Claim(source=WORK.at("1"), statement=Holds(relation), given=given)
    found = SimpleNamespace(outcome="refuted", witness=None)
    return Case("a/b:c", claim, found, Bench("a/b:c", budget_named("brief")))


def bounded_by(case, bound):
    printed = case.claim.statement.relation
    return replace(case.claim, statement=Holds(printed.func(printed.lhs, bound, evaluate=False)))


def lengths(relation, given=()):
    return {edit.words for edit in lost_lengths(failing(relation, given))}


def test_the_norm_is_lost_of_which_one_side_has_a_power():
    assert lengths(form(S, u) <= largest_eigenvalue(S)) == {"a factor norm(u)**2 on the right"}


def residual():
    nearest = least(Abs(eigenvalues(A)[k] - t), k)
    return failing(nearest <= norm(A * u - t * u), given=[norm(u) > 0])


def test_the_side_that_lacks_a_size_gets_it():
    case = residual()
    assert {edit.words for edit in lost_lengths(case)} == {"a factor norm(u) on the left"}
    assert [item.words for item in screened(case, lost_lengths(case))] == [
        "a factor norm(u) on the left"]


def test_the_norm_of_a_matrix_is_lost_where_that_of_its_inverse_stands():
    found = lengths(norm(W**-1 * u) * norm(W * v) <= operator_norm(W**-1) * norm(u) * norm(v))
    assert {"a factor operator_norm(W) on the right",
            "a factor frobenius_norm(W) on the right"} <= found  # fmt: skip


@pytest.mark.parametrize("relation", [
    inner(u, v) <= norm(u) * norm(v) / 2, norm(u + v) <= norm(u), norm(u) <= norm(u) ** 2 + 1,
])  # fmt: skip
def test_no_size_is_lost_where_sides_balance_or_nothing_has_a_power(relation):
    assert not lengths(relation)


def test_a_part_of_a_hypothesis_may_come_into_the_statement():
    case = failing(operator_norm(S) <= norm(v), given=[norm(u) > 0])
    measured = next(iter(case.claim.given)).gts
    changed = replace(case.claim, statement=Holds(operator_norm(S) * norm(u) <= norm(u)))
    assert measured in changed.statement.free_symbols()


def test_a_number_of_either_sign_may_have_lost_its_modulus():
    found = {edit.words: edit.statement.relation for edit in lost_moduli(failing(t**3 <= exp(t)))}
    assert [*found] == ["Abs(t) for t"] and found["Abs(t) for t"] == (t**3 <= exp(Abs(t)))
    assert not [*lost_moduli(failing(y**3 <= exp(y)))]


@pytest.mark.parametrize(("relation", "words"), [
    (y <= 1 - level**2, "(1 - level)**2 for 1 - level**2"),
    (y <= 4 * y**2 - level**2, "(-level + 2*y)**2 for -level**2 + 4*y**2"),
    (y <= (1 - level) ** 2, "1 - level**2 for (1 - level)**2"),
    (y <= sqrt(y) - sqrt(level), "no roots of level, y"),
])  # fmt: skip
def test_squares_and_roots_are_lost_in_two_places_at_once(relation, words):
    assert words in {edit.words for edit in edits(failing(relation).claim)}


def test_no_square_is_made_of_what_is_none():
    assert not [*squared_apart(1 - 2 * level**2)] and not [*squared_apart(1 - y * level**2)]


def test_a_deviation_may_lack_a_number_under_its_root():
    tail = binomial_tail(n, chance, n * chance + sqrt(n * log(1 / level)) / 2)
    found = {item.words: item.kind for item in inside(failing(tail <= level))}
    wider = [words for words in found if words.startswith("sqrt(2)*")]
    assert wider and found[wider[0]] == "constant"


def test_a_linear_term_is_lost_beside_the_root_of_a_variance():
    deviation = sqrt(2 * n * chance * (1 - chance) * y)
    tail = binomial_tail(n, chance, n * chance + deviation)
    words = {item.words for item in inside(failing(tail <= exp(-y)))}
    assert any(each.startswith("a term y beside") for each in words)


def test_sums_that_an_edit_makes_are_told_and_compared():
    printed = multiplied(sqrt(1 - 4 * g[i] ** 2), i) <= exp(-4 * total(g[i] ** 2, i))
    case = failing(printed)
    changed = [item for item in screened(case, edits(case.claim)) if item.words in (
        "-2*total(g[i]**2, i) for -4*total(g[i]**2, i)",)]
    fourth = bounded_by(case, exp(-4 * total(g[i] ** 4, i)))
    slip = Candidate("fourth powers", "symbol", changed[0].cost - 0.2, fourth)
    assert tighter_first(case, [slip, *changed])[0].words == changed[0].words


def test_what_a_change_measures_anew_is_put_to_known_worlds_now_that_it_is_told():
    case = failing(largest_eigenvalue(S) <= norm(u))
    kin = Candidate("kin", "symbol", 2.6, bounded_by(case, least(Abs(u[k]), k)))
    assert tighter_first(case, [kin]) == []


def test_a_number_in_an_exponent_is_told_from_one_before_a_tail():
    case = failing(exp(-n * y) <= exp(-2 * n * y))
    for bound, is_one in ((exp(-n * y / 2), True), (9 * exp(-2 * n * y), False)):
        assert is_of_exponent(case, sympy.Le(exp(-n * y), bound, evaluate=False)) is is_one


def test_a_power_of_the_statement_is_no_hypothesis():
    case = failing(n * y <= sqrt(level), given=[n * y**2 <= level])
    for asked, says in ((n**2 * y**2 <= level, True), (n**3 * y**2 <= level, False)):
        assert restates(case, replace(case.claim, given=(asked,))) is says
    words = {item.words for item in screened(case, edits(case.claim))}
    assert not any(each == f"the hypothesis {n**2 * y**2 <= level}" for each in words)


def test_the_product_of_two_entries_is_kin_of_one_and_nearer_than_other_matrices():
    one, two = (parameter(name, Integer(1, d)) for name in ("one", "two"))
    case = failing(entry(S, one - 1, two - 1) ** 2 <= entry(S, one - 1, one - 1))
    words = {item.words for item in screened(case, edits(case.claim))}
    assert any("S[one - 1, one - 1]*S[two - 1, two - 1] for" in in_print(each, [
        case.claim.statement.relation]) or "two - 1, two - 1" in each for each in words)
    squares = [item.cost for item in inside(case) if "S.T*S for S" in item.words]
    assert all(cost > 2.7 for cost in squares)


def test_a_lost_factor_comes_before_the_other_direction():
    printed = total(sqrt(g[i] ** 2), i) <= sqrt(total(g[i] ** 2, i))
    case = failing(printed)
    bound = case.claim.statement.relation.rhs
    lost = Candidate("a factor", "factor", 2.66, bounded_by(case, sqrt(3) * bound))
    turned = Candidate(">= for <=", "symbol", 2.55, case.claim, turned=True)
    assert [item.words for item in tighter_first(case, [turned, lost])] == ["a factor", ">= for <="]
    far = replace(lost, cost=3.5)
    assert tighter_first(case, [turned, far])[0].turned


def test_values_of_mean_zero_stay_in_their_range():
    rng = numpy.random.default_rng(0)
    field = MeanZero(Vector(3, None, 1), "p")
    law = Weights(3).build(Randomness(rng), {})
    for _ in range(20):
        value = field.build(Randomness(rng), {"p": law})
        assert field.admits(value, {"p": law})


REPAIR = Repair("the hypothesis t >= 0", "", "hypothesis", 2.15, "proved")


def test_a_hypothesis_that_stands_is_a_part_of_the_domain():
    case, found = failing(exp(t) <= 1 + t), Extent(EVERYWHERE, corner=False)
    library = Library(None, {})
    told = outside(case, library, found, None, [REPAIR])
    assert told.fails_on == f"{EVERYWHERE}, but not under the hypothesis t >= 0"
    perhaps = replace(REPAIR, verdict="undecided")
    assert outside(case, library, found, None, [perhaps]).fails_on == EVERYWHERE


def test_a_constant_of_a_hypothesis_is_said_to_be_one():
    asked = Repair("the hypothesis t <= 1/2", "", "constant", 2.15, "supported")
    assert _mends("constant", asked, asked.edit) == (
        "true with another constant in a hypothesis: t <= 1/2")


def test_powers_of_what_prints_in_several_words_are_bracketed():
    bound = sympy.Le(form(A, u) ** 2, 1)
    assert in_print(f"{form(A, u) ** 2} for {form(A, u)}", [bound]) == (
        "(u^⊤ A u)**2 for u^⊤ A u")
