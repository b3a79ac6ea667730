"""Edits of expression trees: each kind is offered, nothing is offered twice."""

import pytest
import sympy
from sympy import And, Eq, Implies, Max, exp, sqrt, symbols

from boundcheck import Claim, Expected, Holds, Source, WithProbability
from boundcheck.diagnosis.changes import UNTURNED, signs
from boundcheck.diagnosis.domain import kind_of
from boundcheck.diagnosis.edits import changed_relation, edits
from boundcheck.expressions import identity, inner, parameter
from boundcheck.expressions.nodes import Apply
from boundcheck.settings.matrices import d, square, u
from boundcheck.worlds import Integer, Listed, Real

WORK = Source("Folklore", 1900, "Statements")
x, y, z = symbols("x y z", real=True)
n = symbols("n", real=True)
A, I = symbols("A I", commutative=False)


def claim(relation, *, given=(), form=Holds, **parameters):
    fields = {symbol: Real(0, None) for symbol in (x, y, z)} | {n: Integer(1, 9)}
    return Claim(source=WORK.at("1"), statement=form(relation), given=given, parameters=fields,
                 **parameters)  # fmt: skip


def relations(relation, **options):
    return {edit.statement.relation for edit in edits(claim(relation, **options))}


@pytest.mark.parametrize(
    ("printed", "repaired"),
    [
        (x < y, x <= y),
        (x <= y, sympy.Ge(x, y, evaluate=False)),
        (x <= y, sympy.Le(x, z, evaluate=False)),
        (x <= y, sympy.Le(x, 2 * y, evaluate=False)),
        (x <= y, sympy.Le(x, sqrt(y), evaluate=False)),
        (x <= y + z, sympy.Le(x, y**2 + z, evaluate=False)),
        (x <= y + z, sympy.Le(x, 1 / y + z, evaluate=False)),
        (x <= y, sympy.Le(x, y * n, evaluate=False)),
        (x <= y, sympy.Le(x, y / n, evaluate=False)),
        (x <= y - z, sympy.Le(x, y + z, evaluate=False)),
        (x <= y + z, sympy.Le(x, Max(y, z), evaluate=False)),
        (x <= y * z, sympy.Le(x, y, evaluate=False)),
        (x <= y / (z * (1 - z)), sympy.Le(x, y / (y * (1 - y)), evaluate=False)),
        (exp(y + z) + x <= exp(y), sympy.Le(exp(y + z) + x, exp(y + z), evaluate=False)),
        (x <= y ** (1 / z), sympy.Le(x, y ** (1 - 1 / z), evaluate=False)),
        (x <= z * (y - 1) + y**2, sympy.Le(x, z + y**2 * (y - 1), evaluate=False)),
        (x <= y**2 - z**2 + z, sympy.Le(x, (y**2 - z**2) / n + z, evaluate=False)),
        (sympy.ceiling(n * x) / (n + 1) >= x,
         sympy.Ge(sympy.ceiling((n + 1) * x) / (n + 1), x, evaluate=False)),
    ],
)
def test_the_repair_is_among_the_edits(printed, repaired):
    assert repaired in relations(printed)


def test_parameters_are_not_exchanged_for_sizes():
    assert sympy.Le(x, n, evaluate=False) not in relations(x <= y)
    assert kind_of(claim(x <= y), n) != kind_of(claim(x <= y), y)


def test_an_inverse_is_put_where_one_is_missing():
    measure = {A: lambda n: n, I: lambda n: n}
    printed = Claim(source=WORK.at("1"), statement=Holds(Eq(A * I, 0)), measure=measure,
                    parameters={n: Integer(1, 2)})  # fmt: skip
    found = {edit.statement.relation for edit in edits(printed)}
    assert Eq(A**-1 * I, 0, evaluate=False) in found


def test_a_difference_of_vectors_has_no_modulus():
    found = [change.node for change in signs(A - I)]
    assert A + I in found
    assert not any(node.has(sympy.Abs) for node in found)


def test_what_occurs_twice_changes_at_both_places():
    printed = Eq(x * (y + 1), y * (y + 1))
    both = Eq(x * (y - 1), y * (y - 1), evaluate=False)
    assert both in relations(printed)


def test_members_of_conjunctions_and_conclusions_change_one_at_a_time():
    relation = And(x < y, Implies(z > 0, x < z), evaluate=False)
    weak = [c.node for c in changed_relation(relation, lambda node: iter(())) if c.kind == "tie"]
    assert len(weak) == 2
    assert Implies(z > 0, sympy.Le(x, z, evaluate=False), evaluate=False) in weak[1].args
    assert all(sympy.Gt(z, 0) in node.args[1].args for node in weak)


def test_a_probability_gets_its_factor_and_its_slower_exponent():
    printed = claim(x <= y, form=lambda relation: WithProbability(1 - exp(-n * y), relation))
    levels = {edit.statement.level for edit in edits(printed)}
    assert {1 - 2 * exp(-n * y), 1 - exp(-n * y / 2), 1 - 2 * exp(-n * y / 2)} <= levels


def test_hypotheses_become_stronger_never_weaker():
    printed = claim(x <= y, given=[x <= z])
    changed = {edit.given[0] for edit in edits(printed)} - {x <= z}
    assert sympy.Lt(x, z, evaluate=False) in changed
    assert all(condition.subs({x: 0, z: 1}) and not condition.subs({x: 2, z: 1})
               for condition in changed)  # fmt: skip


def test_edits_come_cheapest_first_and_once():
    found = edits(claim(x < y * z))
    assert [edit.cost for edit in found] == sorted(edit.cost for edit in found)
    assert len({edit.statement.relation for edit in found}) == len(found)
    assert found[0].kind == "tie"


def test_sizes_of_matrices_stay_and_matrices_are_transposed():
    X = square("X")
    relation = Eq(identity(d) * X * u, u)
    printed = Claim(source=WORK.at("1"), statement=Holds(relation))
    found = {edit.statement.relation.lhs for edit in edits(printed)}
    assert identity(d) * X.T * u in found
    assert not any(node != identity(d) for side in found for node in side.atoms(Apply)
                   if node.primitive is identity)  # fmt: skip


def test_a_statement_about_every_outcome_may_have_meant_the_mean():
    coin = Listed(("c",), lambda n: [(1, {"c": 1})], over="a coin")
    printed = Claim(source=WORK.at("1"), statement=Holds(Eq(x, y)), draw=coin,
                    parameters={x: Real(0, 1), y: Real(0, 1), n: Integer(1, 2)})  # fmt: skip
    assert any(isinstance(edit.statement, Expected) for edit in edits(printed))
    still = edits(claim(Eq(x, y)))
    assert not any(isinstance(edit.statement, Expected) for edit in still)


def test_a_symbol_is_no_factor_or_divisor_of_itself():
    found = edits(claim(x <= y))
    assert not any(edit.words in ("a divisor y at y", "a factor y at y") for edit in found)
    assert "a divisor x at y" in {edit.words for edit in found}


def test_what_grows_where_it_fell_costs_more_than_a_missing_factor():
    cost = {edit.statement.relation: edit.cost for edit in edits(claim(x <= y + z))}
    inverse, factor = (sympy.Le(x, right, evaluate=False) for right in (1 / y + z, n * y + z))
    assert cost[inverse] > cost[factor]


def test_a_number_in_a_sum_that_is_left_out_is_a_lost_term_and_no_other_number():
    without = sympy.Le(x, sympy.log(n), evaluate=False)
    (edit,) = [e for e in edits(claim(x <= sympy.log(n - 1))) if e.statement.relation == without]
    assert (edit.kind, edit.words) == ("symbol", "n for n - 1")


def test_a_size_inside_what_is_measured_and_another_number_of_a_kind_are_put_in():
    rounds = parameter("T", Integer(1, searched=9))
    dev, mu = (parameter(name, Real(0, None, open_low=True)) for name in ("dev", "mu"))

    def offered(relation):
        return {edit.words for edit in edits(Claim(WORK.at("1"), Holds(relation)))}

    assert "d for T" in offered(inner(u, u) <= sqrt(rounds))
    assert "a term dev beside mu" in offered(exp(-(dev**2)) <= exp(-(dev**2) / (2 * mu)))
    assert not any("beside d" in words for words in offered(rounds <= 2 * d))


def test_the_square_of_two_terms_that_are_no_difference_costs_more():
    a, b, c = symbols("a b c", real=True)
    cheap, dear = (min(change.cost for change in signs(node) if change.words.startswith("("))
                   for node in (a - b + c, a / b - sympy.log(a / b) + c))  # fmt: skip
    assert dear == cheap + UNTURNED
