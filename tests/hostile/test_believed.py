"""What was once believed without being shown: of values, primitives, masses, names and letters.

Each statement is false, or has no value, at a number that no sample of worlds meets.
"""

import functools
import json

import pytest
from flint import fmpq, fmpq_mat
from sympy import (
    And,
    Eq,
    Implies,
    Ne,
    Or,
    Piecewise,
    Rational,
    Sum,
    binomial,
    factorial,
    gamma,
    log,
    sqrt,
)

from boundcheck import Claim, Expected, Holds, Source
from boundcheck.certificates import document
from boundcheck.certificates.terms import negated
from boundcheck.checker.judge import Place
from boundcheck.checker.ray import Ray
from boundcheck.checker.rays import stays
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.checks.proof import run, unsuitable
from boundcheck.checks.proofs.certified import stated_problems
from boundcheck.claim import UpToConstant
from boundcheck.errors import InvalidArgument, MalformedStatement, Undecided, WitnessError
from boundcheck.expressions import (
    average,
    clipped,
    define,
    determinant,
    direct_sum,
    identity,
    index,
    indicator,
    inner,
    largest_entry,
    named,
    ones,
    outcome,
    outer,
    parameter,
    probability,
    total,
    transpose,
    world,
)
from boundcheck.expressions.matrix_words import worded
from boundcheck.expressions.nodes import Primitive
from boundcheck.expressions.signs import facts_of
from boundcheck.setting import Setting
from boundcheck.worlds import Derived, Indices, Integer, Matrix, Real, Vector, Weights

PLACE = Source("A", 2024, "Example").at("1")
ROOT = Rational(12345, 67891)
big = parameter("big", Real(None, None, searched=(0, 1)))
RARE = Eq(big**5 + big**3 + big, ROOT**5 + ROOT**3 + ROOT)
x = parameter("x", Real(None, None, searched=(1, 5)))
m = parameter("m", Integer(1, searched=5))
n, s = world("n", Integer(1, searched=2)), world("s", Integer(1, searched=1))
i, j, l = index("i", n), index("j", n), index("l", n)
v, w = world("v", Vector(n, searched=(0, 1))), world("w", Vector(n, searched=(0, 1)))
A = world("A", Matrix(n, n))


def claim(relation, *given):
    return Claim(PLACE, Holds(relation), given=given)


def outcome_of(statement):
    return run(Task("a/b:c", statement, BUDGETS["quick"])).outcome


HYPOTHESES = {  # that hold although what is asked elsewhere of their parts does not
    "a factorial": (m <= 2, factorial(m) <= 100),
    "a binomial": (m <= 2, binomial(m, 2) <= 100),
    "a gamma function": (x >= 0, gamma(x) <= 3),
    "a conjunction in a case": (
        x > 0, Piecewise((5, And(x > 0, log(x) > 1)), (0, True)) <= 1),
    "the condition of a later case": (
        x > 0, Piecewise((0, x <= 0), (1, log(x) > 1), (0, True)) <= 1),
    "a conjunction in an indicator": (
        x > 0, indicator(And(x > 0, log(x) > 1)) <= Rational(1, 2)),
}  # fmt: skip


@pytest.mark.parametrize("name", HYPOTHESES)
def test_what_is_enough_for_a_value_is_no_premise(name):
    goal, given = HYPOTHESES[name]
    assert outcome_of(claim(Implies(RARE, goal), given)) != "proved"


def test_a_hypothesis_still_tells_what_its_values_need():
    assert outcome_of(claim(Implies(RARE, x > 0), log(x) <= 1)) == "proved"


@pytest.mark.parametrize("inside", [
    lambda k, c: Sum(c, (k, 1, m)), lambda k, c: total(c * v[index("k", n)], index("k", n)),
])  # fmt: skip
def test_no_index_has_the_name_of_what_a_definition_is_about(inside):
    k = parameter("k", Real(None, None))
    with pytest.raises(MalformedStatement, match="binds k"):
        claim(inside(k, define("c", k**2)) >= 0).worlds  # noqa: B018


def test_no_index_has_the_name_of_a_size():
    own = index("n", s)
    with pytest.raises(MalformedStatement, match="binds n"):
        claim(total(v[own - 1], own) ** 2 + n >= 0).worlds  # noqa: B018


def test_a_primitive_is_of_this_package_only_where_it_stands_there():
    taken = Primitive(inner.exact, facts=("nonnegative",), ranks=(1, 1))
    wrapped = Primitive(functools.wraps(inner.exact)(lambda one, other: one[0]),
                        facts=("nonnegative",), ranks=(1, 1))  # fmt: skip
    for own in (taken, wrapped):
        assert own.standard == "" and not facts_of(own(v, w))
        assert outcome_of(claim(own(v, w) >= 0)) != "proved"
    assert inner.standard == "inner"


def test_ones_have_a_size_that_is_an_integer_of_the_world():
    length = parameter("length", Real(1, 3))
    whole = claim(total(ones(n)[i], i) ** 2 + x**2 >= 2 * x * total(ones(n)[i], i))
    assert outcome_of(whole) == "proved"
    part = ones(length)[0]
    assert outcome_of(claim(part**2 + x**2 >= 2 * x * part, Or(Eq(length, 1), RARE))) != "proved"


def test_an_integer_has_a_least_value():
    with pytest.raises(InvalidArgument, match="no least value"):
        Integer(None, None, searched=3)


def test_a_node_is_no_letter_of_another_name():
    """`named` chooses its text; letters of words are told apart by what they are."""
    for relation in (
        Eq(outer(v, w) * A, outer(named("v", w), named("w", v)) * A),
        Eq(A * named("v", w), A * v),
    ):
        assert outcome_of(claim(relation)) != "proved"
        assert worded(relation).relation != True  # noqa: E712
    assert outcome_of(claim(Eq(A * named("u", v), A * v))) == "proved"


# Laws.


class Far(Indices):
    """Outcomes beyond the atoms."""

    def outcomes(self, look):
        yield fmpq(1), {self.indices: (5,)}


def test_masses_are_a_law_only_where_they_are_weights():
    share = parameter("share", Real(0, 2, searched=(0, 1)))
    two = world("two", Derived(lambda share: (share, 1 - share)))
    drawn = outcome("V", Indices("V", "two", "s"), needs=(two, s, share))
    sides = probability(drawn[0] >= 1, drawn), average((drawn[0] - x) ** 2, drawn)
    for side in sides:
        assert not facts_of(side)
        assert outcome_of(claim(side + x**2 >= x**2)) != "proved"
    here = {"share": fmpq(3, 2), "x": fmpq(0), "s": 1, "two": (fmpq(3, 2), fmpq(-1, 2))}
    mean = Claim(PLACE, Expected(drawn[0] <= 1), given=[share + x >= 0, s >= 1])
    with pytest.raises(Undecided, match="negative"):
        list(Place(mean, here).outcomes())
    with pytest.raises(Undecided, match="negative"):
        Setting(claim(sides[0] + share + x >= 0), here).evaluate(sides[0])


def test_outcomes_prove_no_mean_over_masses_that_may_be_no_law():
    masses = world("masses", Vector(n, searched=(1, 1)))
    drawn = outcome("U", Indices("U", masses, s))
    squares = v[drawn[0]] ** 2 + x**2 >= 2 * x * v[drawn[0]]
    mean = Claim(PLACE, Expected(squares), given=[Eq(total(masses[i], i), 1)])
    assert unsuitable(mean)[1] == "masses"
    law = outcome("V", Indices("V", world("p", Weights(n)), s))
    lawful = Claim(PLACE, Expected(v[law[0]] ** 2 + x**2 >= 2 * x * v[law[0]]))
    assert outcome_of(lawful) == "proved"


def test_weights_of_atoms_are_a_law():
    law = world("p", Weights(n))
    drawn = outcome("V", Indices("V", law, s))
    assert "nonnegative" in facts_of(probability(drawn[0] >= 1, drawn))


def test_a_draw_of_somebody_else_promises_nothing():
    law = world("p", Weights(n))
    drawn = outcome("F", Far("F", law, s))
    assert unsuitable(claim(v[drawn[0]] ** 2 + x**2 >= 2 * x * v[drawn[0]]))[1] == (
        "classes of draws"
    )


# Rays and certificates.


def test_what_is_cut_is_not_homogeneous():
    z = parameter("z", Real(0, None))
    x = parameter("x", Real(0, None))
    cut = Claim(PLACE, UpToConstant(x <= 1), given=(z <= clipped(z, 0, 1), x <= 10**50 * z))
    start = {"x": fmpq(1), "z": fmpq(1)}
    assert not stays(cut, Ray(start, {"x": fmpq(1), "z": fmpq(1)}, {}))
    both = Claim(PLACE, UpToConstant(x <= 1), given=(z <= 2 * clipped(z, 0, x),))
    assert stays(both, Ray(start, {"x": fmpq(1), "z": fmpq(1)}, {}))


def forged(statement, proof):
    """A certificate with a proof for each target, honest in all else."""
    cases = []
    for fixed, ways in stated_problems(statement, 1):
        context, proofs = ways[0].context(), []
        for target in ways[0].targets():
            proofs.append(proof(target, context.branch(negated(target))))
            context.add(target)
        cases.append({"fixed": fixed, "problem": ways[0].as_json(), "proofs": proofs})
    return json.loads(json.dumps(document.certificate("a/b:c", statement, 1, cases)))


def test_a_factor_and_an_inverse_that_may_be_of_nothing_do_not_cancel():
    below = claim(total(v[i], i) ** 2 + 1 <= total(v[i] ** 2, i))

    def counted(target, branch):
        at = len(branch.facts)
        some = next(k for k, fact in enumerate(branch.facts) if fact == ("<=", "1", ("x", "n")))
        rows = ["+", ["at", "v", "i"], ["at", "v", "j"], ["at", "v", "k"]]
        null = ["piecewise", ["case", "1", ["<", rows, rows]], ["case", "0", ["and"]]]
        inverse = ["^", null, "-1"]
        term = ["sum", "n", "i", ["sum", "n", "j", ["sum", "n", "k", ["*", "-1", null, inverse]]]]
        within = len(branch.anywhere([("n", "i"), ("n", "j"), ("n", "k")]).facts)
        inner_proof = [
            {"rule": "axiom", "name": "pieces", "terms": [null]},
            {"rule": "cases", "fact": within + 1, "proofs": [
                [{"rule": "evident", "fact": within + 2}],
                [{"rule": "combine", "products": [["1", None, [within]]],
                  "equations": [[inverse, within + 3]]}],
                [{"rule": "cases", "fact": within + 3, "proofs": []}],
            ]},
        ]  # fmt: skip
        return [
            {"rule": "sum", "term": term, "proof": inner_proof},
            {"rule": "clear", "fact": at, "by": []},
            {"rule": "combine", "equations": [], "products": [
                ["1", None, [at + 1]], ["1", None, [some] * 3], ["3", None, [some] * 2],
                ["3", None, [some]]]},
        ]  # fmt: skip

    with pytest.raises(WitnessError, match="proves nothing"):
        document.recheck(forged(below, counted), below)


def test_a_fact_about_a_value_is_no_premise_that_there_is_one():
    roots = claim(total(sqrt(x), i) >= -1)
    for _, ways in stated_problems(roots, 1):
        for problem in ways:
            assert not any("sum" in str(premise) for premise in problem.premises), problem.premises


# Matrices.

B, D = world("B", Matrix(n, n)), world("D", Matrix(n, n))
REGULAR = Or(Ne(determinant(A), 0), RARE)
inverse = define("AI", A**-1)
scaled = define("M", B * log(x))
other = world("m", Integer(1, searched=2))
WORDS = {
    "a definition with an inverse": (Eq(inverse * A * v, v), [REGULAR]),
    "a named inverse": (Eq(named("W", A**-1) * A * v, v), [REGULAR]),
    "an inverse under a transpose": (
        Eq(transpose(A**-1) * transpose(A) * (B + D) * v, B * v + D * v), [REGULAR]),
    "a logarithm in a definition": (
        Eq(A * (scaled + D) * v, A * scaled * v + A * D * v), []),
    "an identity of another size": (
        Eq(A * identity(other) * (B + D), A * B + A * D), [Or(Eq(n, other), RARE)]),
}  # fmt: skip


@pytest.mark.parametrize("name", WORDS)
def test_an_equation_of_matrices_is_asked_for_its_value(name):
    relation, given = WORDS[name]
    assert outcome_of(claim(relation, *given)) != "proved"


def test_an_inverse_that_is_shown_to_exist_may_stand():
    shown = claim(Eq(A**-1 * (B + A) * v, A**-1 * B * v + v), Ne(determinant(A), 0))
    assert outcome_of(shown) == "proved"


def test_a_size_has_no_other_name():
    with pytest.raises(MalformedStatement, match="another name"):
        claim(total(x, index("i", named("n", other))) >= n * x).worlds  # noqa: B018


def test_what_stands_side_by_side_moves_alike():
    wide = Claim(PLACE, UpToConstant(largest_entry(A) <= 1),
                 given=[largest_entry(direct_sum(B, A)) <= 10**50])  # fmt: skip
    start = {"n": 1, "A": fmpq_mat(1, 1, [1]), "B": fmpq_mat(1, 1, [10**30])}
    assert not stays(wide, Ray(start, {"A": fmpq(1)}, {}))
