"""Slips of statements from other fields: units, counts of things, distances, norms of inverses."""

from dataclasses import replace
from types import SimpleNamespace

import numpy
import pytest
from flint import fmpq, fmpq_mat
from sympy import Abs, Ne, Rational, Symbol, binomial, exp, log, sqrt

from boundcheck import Claim, Holds, Source, WithProbability
from boundcheck.checks.base import budget_named
from boundcheck.diagnosis import diagnose
from boundcheck.diagnosis.alike import of_units
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.columns import _node
from boundcheck.diagnosis.counted import lost_counts
from boundcheck.diagnosis.domain import sizes
from boundcheck.diagnosis.edits import edits
from boundcheck.diagnosis.enlarged import fails_enlarged
from boundcheck.diagnosis.frontier import _at
from boundcheck.diagnosis.growing import is_of_search, rises
from boundcheck.diagnosis.hypotheses import hypotheses
from boundcheck.diagnosis.inside import inside
from boundcheck.diagnosis.kin import means_of_two
from boundcheck.diagnosis.pointless import bounds_no_chance
from boundcheck.diagnosis.screen import Candidate, screened
from boundcheck.diagnosis.sharp import sharpened
from boundcheck.diagnosis.tighter import tighter_first
from boundcheck.diagnosis.trial import Bench
from boundcheck.engine import verify
from boundcheck.expressions import (
    entry,
    form,
    greatest,
    identity,
    index,
    indicator,
    largest_eigenvalue,
    least,
    norm,
    operator_norm,
    outer,
    parameter,
    row,
    smallest_eigenvalue,
    total,
    world,
)
from boundcheck.library import Library
from boundcheck.settings import classes, concentration, online
from boundcheck.settings.counting import mean, poisson_tail
from boundcheck.settings.matrices import A, B, c, d, r, semidefinite, square, u
from boundcheck.settings.online import T, eta, hedge_regret, losses
from boundcheck.settings.scalar_laws import (
    E,
    P,
    delta,
    k,
    law,
    p,
    relative_entropy,
    sample_mean,
    t,
    values,
)
from boundcheck.settings.smooth_convex import L, gamma, gap, gradient_descent, gradient_squared
from boundcheck.worlds import Index, Integer, Real

WORK = Source("Folklore", 1900, "Statements")
q = law("q")
chi_square = total((p[k] - q[k]) ** 2 / q[k], k)
i, j = parameter("i", Integer(1, d)), parameter("j", Integer(1, d))
v = parameter("v", Real(None, None))
m, n = parameter("m", Integer(1, searched=9)), world("n", Integer(1, searched=9))
G, M, N = semidefinite("G"), square("M"), square("N")


def claim_of(relation, given=(), **more):
    return Claim(source=WORK.at("1"), statement=Holds(relation), given=given, **more)


def failing(relation, given=(), **more):
    claim = claim_of(relation, given, **more)
    found = SimpleNamespace(outcome="refuted", witness=None)
    return Case("a/b:c", claim, found, Bench("a/b:c", budget_named("quick")))


def diagnosed(tmp_path, relation, given=(), **more):
    library = Library(tmp_path, {"a/b:c": claim_of(relation, given, **more)})
    return diagnose("a/b:c", library, known={})


def cheapest(claim, text):
    return min(edit.cost for edit in edits(claim) if edit.words.startswith(text))


def test_a_number_at_which_a_part_has_no_value_is_passed_over():
    x = parameter("x", Real(0, 1, open_low=True, open_high=True))
    entropy = (-x * log(x) - (1 - x) * log(1 - x)) / log(2)
    assert list(sharpened(failing(entropy <= 4 * x * (1 - x)))) == []


def test_a_change_that_brings_the_units_together_comes_first():
    case = failing(G[i - 1, j - 1] ** 2 <= G[i - 1, i - 1] + G[j - 1, j - 1])
    found = list(screened(case, edits(case.claim)))
    told = {item.words: (item.cost, other.cost)
            for item, other in zip(found, of_units(case, found), strict=True)}  # fmt: skip
    product = next(costs for words, costs in told.items() if words.startswith("product"))
    assert product[1] < product[0]
    squares = [costs for words, costs in told.items() if words.endswith("**2 for G[j - 1, j - 1]")]
    assert squares and all(before == after for before, after in squares)


def test_where_units_agree_no_change_is_nearer_for_it():
    case = failing(trace_of_square() <= operator_norm(A) ** 2)
    found = list(screened(case, edits(case.claim)))
    assert found and [item.cost for item in of_units(case, found)] == [item.cost for item in found]


def trace_of_square():
    return total(A[r, c] ** 2, r, c)


def test_one_more_within_a_logarithm_is_offered():
    case = failing(relative_entropy(p, q) <= log(chi_square),
                   [least(q[k], k) > 0, chi_square > 0])  # fmt: skip
    found = {str(item.claim.statement.relation) for item in screened(case, edits(case.claim))}
    assert any(text.endswith("k) + 1)") and "<= log(" in text for text in found)


def test_a_sign_within_a_distance_is_farther_than_one_outside():
    case = failing(relative_entropy(p, q) <= chi_square / 2, [least(q[k], k) > 0])
    signs = [item.cost for item in inside(case) if item.words.startswith("the other sign")]
    assert not signs or min(signs) > 3.5


def test_the_root_of_a_probability_is_farther_than_another_power():
    Z, theta = values(low=0)[k], parameter("theta", Real(0, 1))
    claim = claim_of((1 - theta) * E(Z) ** 2 <= P(Z > theta * E(Z)) * E(Z**2), [E(Z) > 0])
    root = f"sqrt({P(Z > theta * E(Z))}) for"
    assert cheapest(claim, root) > cheapest(claim, "(1 - theta)**2 for")


def test_a_number_of_sets_is_no_probability():
    place = index("place", n + 1)
    sets = total(indicator(place <= m) * binomial(n, place), place)
    case = failing(sets <= (exp(1) * n / m) ** m)
    assert not bounds_no_chance(case, claim_of(sets <= (exp(1) * n / m) ** m, [m <= n]))
    chance = failing(P(values()[k] >= t) <= 2 - t / (1 + t))
    assert bounds_no_chance(chance, chance.claim)


def test_the_largest_within_the_least_may_be_a_sum():
    off = Abs(A[r, c]) * indicator(Ne(r, c))
    case = failing(smallest_eigenvalue(A) >= least(A[r, r] - greatest(off, c), r))
    meant = claim_of(smallest_eigenvalue(A) >= least(A[r, r] - total(off, c), r))
    found = {str(item.claim.statement.relation) for item in inside(case)}
    assert str(meant.statement.relation) in found


def test_a_modulus_of_the_other_side_may_be_lost():
    X = values()[k]
    case = failing(P(Abs(X) >= t) <= E(X) / t)
    meant = claim_of(P(Abs(X) >= t) <= E(Abs(X)) / t)
    assert str(meant.statement.relation) in {
        str(item.claim.statement.relation) for item in inside(case)}


def test_the_norm_of_an_inverse_may_be_lost_or_another_ones():
    lost = claim_of(norm(M**-1 * u) * norm(M * u) <= operator_norm(M) * norm(u) ** 2)
    assert any(edit.words == "a factor operator_norm(M**(-1)) at operator_norm(M)"
               for edit in edits(lost))  # fmt: skip
    moved = operator_norm((M + N) ** -1 - M**-1)
    other = claim_of(moved <= operator_norm(M**-1) ** 2 * operator_norm(N))
    assert any("operator_norm(M**(-1))*operator_norm((M + N)**(-1)) for" in edit.words
               for edit in edits(other))  # fmt: skip


def test_the_root_of_a_product_of_two_entries_is_offered():
    claim = claim_of(Abs(G[i - 1, j - 1]) <= G[i - 1, i - 1])
    words = {edit.words.partition(" for ")[0] for edit in edits(claim)}
    assert "sqrt(G[i - 1, i - 1]*G[j - 1, j - 1])" in words
    assert "Max(G[i - 1, i - 1], G[j - 1, j - 1])" in words


def test_the_logarithm_of_a_number_of_things_is_offered_where_print_names_none():
    F, H, Z = classes.F, classes.H, classes.Z
    case = failing(classes.empirical_rademacher(F) <= sqrt(1 / (2 * Z)))
    words = {edit.words for edit in lost_counts(case)}
    assert any(text.startswith(f"a factor sqrt(log({H})) at sqrt(2)") for text in words)
    named = failing(classes.empirical_rademacher(F) <= sqrt(H / (2 * Z)))
    assert list(lost_counts(named)) == []


def test_binomial_coefficients_of_large_numbers_are_floats():
    assert numpy.isclose(_node(binomial, 2)(65536.0, 2.0), 65536 * 65535 / 2)


def test_zero_is_the_end_of_what_fails_at_zero(tmp_path):
    found = diagnosed(tmp_path, indicator(v <= 0) <= log(1 + exp(-v)))
    assert found.extent.fails_on.endswith("v <= 0")
    assert not found.extent.corner


def test_a_hypothesis_on_a_number_of_worlds_comes_before_a_lost_term(tmp_path):
    run = gradient_descent(gamma)
    step = gap(run, 1) <= gap(run, 0) - gamma * gradient_squared(run, 0) / (2 * L)
    found = diagnosed(tmp_path, step, cost=4.0)
    assert found.grade == "hypothesis" and "gamma <= 1" in found.reason


@pytest.mark.parametrize("seed", [0, 1])
def test_sides_in_unlike_units_are_moved_in_worlds_of_several_things(seed):
    claim = claim_of(G[i - 1, j - 1] ** 2 <= G[i - 1, i - 1] + G[j - 1, j - 1] ** 2)
    assert verify("a/b:c", claim, budget="quick", seed=seed).outcome == "refuted"


@pytest.mark.long
def test_a_hypothesis_is_looked_at_far_beyond_the_range_of_search(tmp_path):
    tail = poisson_tail(mean, mean + t) <= exp(-(t**2) / (2 * mean))
    found = diagnosed(tmp_path, tail, rescalings=())
    assert not [repair for repair in found.repairs if repair.edit == "the hypothesis t <= mu"]
    assert "t > mu" not in found.extent.fails_on


def test_an_entry_at_another_place_that_the_statement_names_is_offered():
    a, b = (world(name, Index(d), rank=0) for name in "ab")
    claim = claim_of(entry(G * u, a) ** 2 <= form(G, u) * G[a, b])
    words = {edit.words for edit in edits(claim)}
    assert "G[a, a] for G[a, b]" in words and "G[b, b] for G[a, b]" in words


def test_all_that_a_bound_divides_by_may_lack_its_square():
    penalty = parameter("lambda", Real(0, None, open_low=True))
    claim = claim_of(operator_norm((G + d * penalty * identity(d)) ** -1 * M)
                     <= operator_norm(M) * norm(u) / (d * penalty))  # fmt: skip
    words = {edit.words.replace("d**2*lambda**2", "lambda**2*d**2") for edit in edits(claim)}
    assert "1/(lambda**2*d**2) for 1/(lambda*d)" in {
        text.replace("1/(d*lambda)", "1/(lambda*d)") for text in words}


def test_how_many_values_a_law_has_is_no_factor_of_a_bound_for_draws_from_it():
    X = values()[k]
    error = sample_mean(X) - E(X)
    drawn = Claim(WORK.at("1"), WithProbability(1 - delta, Abs(error) <= sqrt(E(X**2) / delta)))
    assert "K" not in {str(size) for size in sizes(drawn)}
    assert "K" in {str(size) for size in sizes(claim_of(E(X) <= E(Abs(X))))}
    least_of_all = greatest(Abs(error), k)
    over_all = Claim(WORK.at("1"), WithProbability(1 - delta, least_of_all <= E(X**2)))
    assert "K" in {str(size) for size in sizes(over_all)}


def test_a_failing_world_is_pushed_with_all_that_a_change_of_unit_moves():
    values_ = {"b": fmpq(4), "x": (fmpq(2), fmpq(1)), "s": 3}
    moved = _at(values_, "b", fmpq(1), {"b": 2, "x": 1})
    assert moved == {"b": fmpq(1), "x": (fmpq(1), fmpq(1, 2)), "s": 3}
    assert _at(values_, "b", fmpq(-1), {"b": 2, "x": 1}) is None
    assert _at(values_, "b", fmpq(-1), {}) == {**values_, "b": fmpq(-1)}


def test_a_size_lost_beside_a_number_is_offered():
    S = concentration.S
    claim = claim_of(concentration.Var(S) <= Rational(1, 4))
    assert "a factor n at 1/4" in {edit.words for edit in edits(claim)}


def test_a_symbol_is_seldom_lost_in_an_exponent():
    B = classes.patterns()
    claim = claim_of(classes.distinct_rows(B) <= 2 ** classes.vc_dimension(B))
    costs = {edit.words: edit.cost for edit in edits(claim)}
    inside_, outside_ = (next(cost for words, cost in costs.items() if words.startswith(text))
                         for text in ("a factor H at vc", "a factor H at 2**"))  # fmt: skip
    assert inside_ >= outside_ + 1


def test_a_hypothesis_on_laws_is_put_to_uneven_ones_of_many_atoms():
    """log(1 + chi^2(u, p)) is log 2 for half of the mass on one atom, and KL(p, u) log(K) / 2."""
    print_ = relative_entropy(p, q) <= log(1 + total((p[k] - q[k]) ** 2 / p[k], k))
    case = failing(print_, [least(q[k], k) > 0, least(p[k], k) > 0])
    uniform = next(h.claim for h in hypotheses(case.claim) if "q is uniform" in h.words)
    assert fails_enlarged(case, uniform)


def test_a_number_near_the_least_does_not_come_before_one_as_near_to_the_print():
    entropy, bound = log(1 + exp(v)), exp(v / 2)
    case = failing(entropy <= bound / 2)
    plain, near = (Candidate(words, "constant", cost, replace(case.claim, statement=Holds(said)),
                             near=words == "near")
                   for words, cost, said in (("plain", 2.4, entropy <= bound),
                                             ("near", 2.6, entropy <= 5 * bound / 6)))  # fmt: skip
    assert [item.words for item in tighter_first(case, [plain, near])] == ["plain", "near"]
    near = replace(near, near=False)
    assert [item.words for item in tighter_first(case, [plain, near])] == ["near", "plain"]


@pytest.mark.parametrize(("third", "more"), [(1, True), (0, False)])
def test_a_number_that_larger_worlds_ask_more_of_does_not_stand(third, more):
    """Of leaders followed the regret is T (1 - 1/K): 2/3 serves for three experts alone."""
    case = failing(hedge_regret(losses, eta) <= log(online.K) / eta + T / 8)
    case.__dict__["worlds"] = []
    for each in ([0, 1], [0, 1, third]):
        size = len(each)
        case.killers.append({"T": 1, "K": size, "losses": fmpq_mat(1, size, each),
                             "eta": fmpq(100)})  # fmt: skip
    assert rises(case) is more
    number = Candidate("2/3 for 1/8", "constant", 2.2, case.claim)
    assert is_of_search(case, number, {"factor"}) is more
    assert not is_of_search(case, number, {"hypothesis"})


def test_a_matrix_that_a_statement_inverts_may_have_to_be_regular(tmp_path):
    other = semidefinite("H")
    found = diagnosed(tmp_path, form((G + other) ** -1, u) <= form(G**-1, u))
    assert (found.grade, found.repairs[0].edit) == (
        "hypothesis", "the hypothesis that G is regular")  # fmt: skip


def test_the_norm_of_a_difference_is_offered_for_its_largest_eigenvalue():
    claim = claim_of(Abs(largest_eigenvalue(A) - largest_eigenvalue(B))
                     <= largest_eigenvalue(A - B))  # fmt: skip
    assert any(edit.words.startswith("operator_norm(A - B) for") for edit in edits(claim))


def test_a_power_of_what_base_and_exponent_share_is_farther_than_a_lost_e():
    place = parameter("k", Integer(1, m))
    claim = claim_of(binomial(m, place) <= (m / place) ** place)
    costs = {edit.statement.relation.rhs: edit.cost for edit in edits(claim)}
    assert costs[(exp(1) * m / place) ** place] < costs[(m / sqrt(place)) ** place]


def test_a_matrix_at_another_place_has_no_root_with_itself():
    matrix, value = Symbol("matrix"), Symbol("value")
    bodies = {matrix: outer(row(M, i), row(M, i)), value: M[i, 0], Symbol("other"): M[j, 0]}
    assert list(means_of_two(matrix, bodies)) == []
    assert sqrt(value * M[j, 0]) in list(means_of_two(value, bodies))
