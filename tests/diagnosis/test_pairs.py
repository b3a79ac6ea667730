"""Two slips at once, what was measured instead, and which of two repairs says more."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
import sympy
from sympy import Abs, Eq, Max, exp, log, sqrt

from boundcheck import Claim, Holds, Source, WithProbability
from boundcheck.checks.base import budget_named
from boundcheck.diagnosis import diagnose
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.edits import edits
from boundcheck.diagnosis.pairs import MOST, pairs
from boundcheck.diagnosis.screen import Candidate, screened
from boundcheck.diagnosis.tighter import tighter_first
from boundcheck.diagnosis.trial import Bench
from boundcheck.expressions import (
    identity,
    index,
    largest_eigenvalue,
    norm,
    operator_norm,
    parameter,
    total,
    world,
)
from boundcheck.expressions.printed import as_printed
from boundcheck.library import Library
from boundcheck.settings.matrices import square, u
from boundcheck.settings.rkhs import K, n as size, penalty
from boundcheck.settings.scalar_laws import (
    E,
    Var,
    delta,
    k,
    largest,
    law,
    n as size_of_sample,
    p,
    sample_mean,
    smallest,
    values,
)
from boundcheck.worlds import Integer, Real

WORK = Source("Folklore", 1900, "Statements")
a, b = (parameter(name, Real(0, None, open_low=True)) for name in "ab")
w, v = (parameter(name, Real(None, None)) for name in "wv")
z = parameter("z", Real(0, 1))
n = world("n", Integer(1, searched=9), says="A size.")
i = index("i", n)
x = values()
X = x[k]
q = law("q")
M, N = square("M"), square("N")


def made(relation, **options):
    return Claim(source=WORK.at("1"), statement=Holds(relation), **options)


def failing(relation):
    found = SimpleNamespace(outcome="refuted", witness=None)
    return Case("a/b:c", made(relation), found, Bench("a/b:c", budget_named("quick")))


def offered(relation):
    return {str(edit.statement.relation) for edit in edits(made(relation))}


def text(relation):
    return str(made(relation).statement.relation)


def shown(relation):
    return as_printed(made(relation).statement.relation)


def diagnosed(tmp_path, relation):
    return diagnose("a/b:c", Library(tmp_path, {"a/b:c": made(relation)}))


def kept(relation):
    case = failing(relation)
    return tighter_first(case, screened(case, edits(case.claim)))


def test_two_slips_of_an_equation_are_mended_together(tmp_path):
    centred = E((X - E(X)) ** 2)
    found = diagnosed(tmp_path, Eq(centred, E(X**2) + E(X)))
    assert found.grade == "slip"
    assert found.reason.startswith("two symbols mend it")
    assert found.repairs[0].statement == shown(Eq(centred, E(X**2) - E(X) ** 2))


def test_pairs_are_of_two_places_and_bounded():
    claim = made(Eq((a + b) ** 2 * exp(-a) / sqrt(a * b + 1), a**2 + b**2 + a * b + exp(a - b)))
    words = [edit.words for edit in pairs(claim)]
    assert 0 < len(words) <= MOST
    assert all(" and " in text for text in words)


@pytest.mark.parametrize(
    ("printed", "meant"),
    [
        (E(X) <= smallest(x), E(X) <= largest(x)),
        (norm(M * u) <= operator_norm(M) + norm(u), norm(M * u) <= operator_norm(M) * norm(u)),
        (E(X) <= total(p[k] ** 3 / q[k] ** 3, k), E(X) <= total(q[k] ** 3 / p[k] ** 3, k)),
        (total(1 / (i + 1), i) <= log(n), total(1 / (i + 1), i) <= 1 + log(n)),
    ],
)
def test_what_was_meant_instead_is_offered(printed, meant):
    assert text(meant) in offered(printed)


def test_no_even_power_of_a_negative_and_no_negative_number_is_dropped():
    found = offered(sympy.Ge(1 - z, exp(-2 * z), evaluate=False))
    assert "z**2 + 1 >= exp(-2*z)" not in found
    assert "log(a + 1) <= a**2 + a" not in offered(log(1 + a) <= a - a**2 / 2)


def test_a_maximum_of_a_difference_is_no_edit():
    assert not any("Max" in found for found in offered(log(1 + a) <= a - a**2 / 2))


def test_an_inequality_turned_round_is_nearer_than_a_term_less(tmp_path):
    found = diagnosed(tmp_path, log(1 + a) <= a - a**2 / 2)
    assert found.repairs[0].statement == shown(sympy.Ge(log(1 + a), a - a**2 / 2, evaluate=False))


def test_measured_numbers_keep_their_order():
    printed = Var(X) <= (largest(x) - E(X)) * (E(X) + smallest(x))
    meant = Var(X) <= (largest(x) - E(X)) * (E(X) - smallest(x))
    assert text(meant) in {str(item.claim.statement.relation) for item in kept(printed)}


def test_a_size_too_many_is_dropped_where_the_rest_is_attained():
    found = {str(item.claim.statement.relation) for item in kept(sqrt(a * b) <= (a + b) / (2 * n))}
    assert text(sqrt(a * b) <= (a + b) / 2) in found


def test_of_two_repairs_about_as_near_the_stronger_comes_first():
    case = failing(operator_norm(M + N) <= Max(operator_norm(M), operator_norm(N)))
    printed = case.claim.statement.relation
    twice, added = (replace(case.claim, statement=Holds(printed.func(printed.lhs, bound)))
                    for bound in (2 * printed.rhs, sympy.Add(*printed.rhs.args)))  # fmt: skip
    offered = [Candidate("twice", "constant", 2.3, twice), Candidate("sum", "symbol", 2.4, added)]
    assert [item.words for item in tighter_first(case, offered)] == ["sum", "twice"]


def test_a_bound_at_another_level_is_compared_with_none():
    """The printed bound is smaller than a mended one, and at another level says no more for it."""
    away = Abs(sample_mean(X) - E(X))
    printed = WithProbability(1 - delta, away <= sqrt(Var(X) / delta) / size_of_sample)
    found = SimpleNamespace(outcome="refuted", witness=None)
    claim = Claim(WORK.at("1"), printed)
    case = Case("a/b:c", claim, found, Bench("a/b:c", budget_named("quick")))
    costs = {"1/sqrt(n) for 1/n": 2.4, "a factor n at delta": 2.5}
    offered = [Candidate(edit.words, edit.kind, costs[edit.words],
                         replace(claim, statement=edit.statement))
               for edit in edits(claim) if edit.words in costs]  # fmt: skip
    assert tighter_first(case, offered)[-1].words == "a factor n at delta"


def test_a_slip_in_a_level_is_dearer_than_in_the_bound():
    claim = Claim(WORK.at("1"), WithProbability(1 - delta, sample_mean(X) <= log(1 / delta)))
    costs = {edit.words: edit.cost for edit in edits(claim)}
    assert costs["2*delta for delta"] > costs["2/delta for 1/delta"]


def test_a_fifth_of_the_range_of_a_number_is_no_corner_and_of_a_level_it_is(tmp_path):
    found = diagnosed(tmp_path, sympy.Ge(1 - z, exp(-2 * z), evaluate=False))
    assert found.grade == "hypothesis"
    assert "z <= 1/2" in found.repairs[0].edit


def test_a_zero_denominator_at_one_thing_is_a_corner(tmp_path):
    found = diagnosed(tmp_path, 1 / (n - 1) <= a / (a * (n - 1)))
    assert (found.grade, found.extent.fails_on) == ("corner", "has no value for n = 1")


@pytest.mark.long
def test_a_failure_of_one_atom_that_two_equal_ones_share_is_no_corner(tmp_path):
    found = diagnosed(tmp_path, E(exp(X)) <= 1 + E(X) + E(X**2))
    assert not found.extent.corner


@pytest.mark.long
def test_a_square_of_a_difference_may_stand_for_its_modulus(tmp_path):
    found = diagnosed(tmp_path, sympy.Abs(sympy.sin(w) - sympy.sin(v)) <= (w - v) ** 2)
    assert found.repairs[0].statement == shown(sympy.Abs(sympy.sin(w) - sympy.sin(v)) <= abs(w - v))
    assert found.grade == "slip"


@pytest.mark.long
def test_a_mended_formula_comes_before_a_hypothesis_that_only_may_stand(tmp_path):
    resolvent = largest_eigenvalue((K + penalty * identity(size)) ** -1)
    found = diagnosed(tmp_path, resolvent <= 1 / penalty**2)
    assert found.repairs[0].statement == shown(resolvent <= 1 / penalty)
