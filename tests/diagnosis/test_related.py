"""Relations between fields as hypotheses: matrices that commute, steps without a drift."""

import numpy
import pytest
from flint import fmpq, fmpq_mat
from sympy import Eq, Max, exp

from boundcheck import Claim, Holds, Source
from boundcheck.diagnosis import diagnose
from boundcheck.diagnosis.hypotheses import hypotheses
from boundcheck.diagnosis.related import Commuting, CommutingList, NoDrift
from boundcheck.expressions import (
    define,
    exponential as e,
    form,
    frobenius_norm,
    indicator,
    multiplied,
    total,
    trace,
    world,
)
from boundcheck.library import Library
from boundcheck.search.admissible import Candidates
from boundcheck.settings import scalar_laws
from boundcheck.settings.adapted import P, adapted, after, ever, i, j, n
from boundcheck.settings.concentration import n as number, t
from boundcheck.settings.matrices import d, projector, semidefinite, several, u
from boundcheck.worlds import Gram, Integer, Symmetric
from boundcheck.worlds.kinds import Hermitian, Projector
from boundcheck.worlds.sources import Coordinates

WORK = Source("Author", 2000, "A title")
A, B = semidefinite("A"), semidefinite("B")
x, factors = adapted("x", -1, 1), adapted("x", 0, searched=(0, 2))
steps = P(total(after(x, i), i) >= t)
wealth = multiplied(1 + indicator(i <= j) * (after(factors, i) - 1), i)


def claimed(relation, **others):
    return Claim(source=WORK.at("1"), statement=Holds(relation), **others)


def under(claim, words):
    """The claim under the hypothesis that is said with some words."""
    (found,) = [item.claim for item in hypotheses(claim) if words in item.words]
    return found


def drawn(claim, count=24):
    candidates, rng = Candidates(claim), numpy.random.default_rng(0)
    found = [candidates.random(rng) for _ in range(count)]
    return [item.setting.values for item in found if item is not None]


@pytest.mark.parametrize("kind", [Gram(d), Symmetric(d), Hermitian(d)])
def test_matrices_that_commute_are_built_and_told_from_others(kind):
    one, two = several("A", number, kind=kind), several("B", number, kind=kind)
    lists = claimed(trace(one[0] * two[0]) >= 0)
    worlds = drawn(under(lists, "the matrices A commute"))
    assert len(worlds) >= 6
    for values in worlds:
        assert all(M * N == N * M for M in values["A"] for N in values["A"])


def test_a_matrix_commutes_with_an_earlier_one():
    worlds = drawn(under(claimed(form(A * B + B * A, u) >= 0), "A and B commute"))
    assert len(worlds) >= 6
    assert all(world["A"] * world["B"] == world["B"] * world["A"] for world in worlds)
    assert any(world["A"].nrows() > 1 and world["B"].rank() > 1 for world in worlds)
    field = Commuting(Symmetric("d"), "A")
    flip, stretch = fmpq_mat([[0, 1], [1, 0]]), fmpq_mat([[1, 0], [0, 2]])
    assert not field.admits(stretch, {"d": 2, "A": flip})
    assert not CommutingList(several("A", number).meaning.domain).admits(
        (flip, stretch), {"n": 2, "d": 2})


def test_definite_matrices_that_commute_may_be_large_where_the_other_is_small():
    """tr(A) tr(B) <= d tr(AB) holds of eigenvalues that are ordered alike."""
    P, Q = world("P", Gram(d)), world("Q", Gram(d))
    words = "P and Q commute"
    claim = under(claimed(trace(P) * trace(Q) <= d * trace(P * Q)), words)
    worlds = drawn(claim, 200)
    assert all(each["P"] * each["Q"] == each["Q"] * each["P"] for each in worlds)

    def spread(M):
        return sum(M[i, i] for i in range(M.nrows()))

    gaps = [each["d"] * spread(each["P"] * each["Q"]) - spread(each["P"]) * spread(each["Q"])
            for each in worlds]  # fmt: skip
    assert min(gaps) < 0 < max(gaps)


def test_the_mean_of_every_step_is_zero_or_at_most_one():
    words = "mean zero under each of chances"
    for values in drawn(under(claimed(steps <= exp(-(t**2) / (2 * n))), words)):
        groups = [values["x"][at : at + values["K"]]
                  for at in range(0, len(values["x"]), values["K"])]  # fmt: skip
        for law, group in zip(values["chances"], groups, strict=True):
            assert sum(p * v for p, v in zip(law, group, strict=True)) == 0
        assert all(abs(v) <= 1 for v in values["x"])
    laws = {"nodes": 1, "K": 2, "edges": 2, "chances": ((fmpq(1, 2), fmpq(1, 2)),)}
    below = NoDrift(factors.meaning.domain, "chances", at_most_one=True)
    assert below.admits((fmpq(1, 2), fmpq(3, 2)), laws)
    assert not below.admits((fmpq(1), fmpq(3, 2)), laws)


@pytest.mark.parametrize(
    ("relation", "edit"),
    [
        (form(A * B + B * A, u) >= 0, "A and B commute"),
        pytest.param(Eq(frobenius_norm(e(A + B) - e(A) * e(B)), 0), "A and B commute",
                     marks=pytest.mark.long),
        pytest.param(steps <= exp(-(t**2) / (2 * n)), "x has mean zero under each of chances",
                     marks=pytest.mark.long),
        pytest.param(P(ever(wealth >= t)) <= 1 / t, "x has mean at most 1 under each of chances",
                     marks=pytest.mark.long),
    ],
)  # fmt: skip
def test_a_lost_relation_is_the_repair(tmp_path, relation, edit):
    claim = claimed(relation)
    found = diagnose("mine/a:printed", Library(tmp_path, {"mine/a:printed": claim}))
    assert found.grade == "hypothesis"
    assert found.repairs[0].edit == f"the hypothesis that {edit}"


def test_projectors_commute_with_the_identity_and_with_themselves():
    P_, Q = projector("P"), projector("Q")
    worlds = drawn(under(claimed(form(P_ * Q, u) >= 0), "P and Q commute"))
    assert len(worlds) >= 6
    assert all(each["P"] * each["Q"] == each["Q"] * each["P"] for each in worlds)
    assert any(each["Q"] not in (each["P"], each["P"] * 0) for each in worlds)
    field, flat = Commuting(Projector("d"), "A"), fmpq_mat([[1, 1], [1, 1]])
    beside = {"d": 2, "A": flat}
    for number_ in (0, 1):
        assert field.build(Coordinates((fmpq(number_),)), beside) in (flat * 0, flat**0)


def test_vectors_are_nonnegative_together_and_bounded_from_above_alone():
    E, k = scalar_laws.E, scalar_laws.k
    X, Y = scalar_laws.values()[k], scalar_laws.values(name="y")[k]
    claim = claimed(E(Max(X, Y)) <= E(X) + E(Y))
    assert all(min(*each["x"], *each["y"]) >= 0
               for each in drawn(under(claim, "x and y are nonnegative")))  # fmt: skip
    below = drawn(under(claim, "x is at most 1"))
    assert all(max(each["x"]) <= 1 for each in below)
    assert any(min(each["x"]) < -1 for each in below)


def test_a_number_of_things_is_not_asked_to_be_none():
    half = world("half", Integer(0, searched=2))
    order, gap = define("order", 2 * half + 1), define("gap", trace(A))
    words = {item.words for item in hypotheses(claimed(number <= order * gap))}
    assert "the hypothesis Eq(gap, 0)" in words
    assert not any("Eq(order, 0)" in each for each in words)
