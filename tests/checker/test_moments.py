"""Powers of lengths of random sums: means within their balls, laws of what is false alone."""

from dataclasses import replace
from itertools import product
from math import sqrt as root

import numpy
import pytest
from flint import arb, fmpq, fmpq_mat
from sympy import Abs, Rational, log, sqrt

from boundcheck import Claim, Expected, Source, witness
from boundcheck.checker.moments import between
from boundcheck.checker.spreads import Spread, law_of, of_means
from boundcheck.checker.writing import Parts, Unwritten, Writing
from boundcheck.checker.written import Written
from boundcheck.checks.base import Task, budget_named
from boundcheck.checks.trend import run
from boundcheck.claim import UpToConstant
from boundcheck.expressions import (
    average,
    greatest,
    index,
    indicator,
    inner,
    norm,
    outcome,
    row,
    total,
    world,
)
from boundcheck.settings.scalar_laws import E, K, Var, counts, k, n as draws, sample_mean, values
from boundcheck.worlds import Integer, Matrix, Signs, Vector

SHORT = replace(budget_named("quick"), share=0.125)
PLACE = Source("A", 2024, "Example").at("1")
n = world("n", Integer(1, searched=3))
d = world("d", Integer(1, searched=3))
x = world("x", Vector(n), units={"value": 1})
A = world("A", Matrix(d, n), units={"value": 1})
i, j = index("i", n), index("j", d)
xi = outcome("xi", Signs("xi", n))
S = inner(x, xi)
lines = [inner(row(A, j), xi), total(A[j, i] * xi[i], i)]
longest = greatest(norm(row(A, j)), j)
vector, summed = norm(A * xi), norm(total(xi[i] * row(A.T, i), i))
spread_ = sqrt(total(A[j, i] ** 2, i, j))
X = values()[k]
gap = sample_mean(X) - E(X)
ZERO, ONE, HALF = fmpq(0), fmpq(1), fmpq(1, 2)
RARE = {"p[0]": (-ONE, ZERO), "p[1]": (-ONE, ONE)}
NUMBERS = {"n": 2, "x": (ONE, fmpq(2)), "d": 2, "A": fmpq_mat([[1, 2], [1, -1]])}
LAW = {"K": 2, "p": (HALF, HALF), "x": (ONE, ZERO), "n": 4}
MORE = {"n": (ONE, ZERO)}


def mean(expr):
    return average(expr, xi)


def claim_of(relation, *given):
    return Claim(PLACE, UpToConstant(relation), given=given)


def start_of(claim, start):
    return {name: value for name, value in start.items() if name in claim.fields}


FALSE = [
    norm(x) <= mean(S**4) ** Rational(1, 4) / sqrt(n),
    mean(S**4) <= norm(x) ** 4 / n,
    mean(Abs(S)) <= norm(x) / n ** Rational(1, 8),
    mean(sqrt(Abs(S))) <= greatest(Abs(x[i]), i) ** HALF,
    mean(Abs(S / n) ** 3) <= greatest(Abs(x[i]), i) ** 3 / n**2,
    mean(vector) <= longest / sqrt(n) * sqrt(d),
    mean(summed**2) <= total(A[j, i] ** 2, i, j) / n,
    mean(vector) <= greatest(Abs(A[j, i]), i, j) * log(1 + n),
    *(mean(greatest(each, j)) <= longest / log(1 + n) for each in lines),
    *(mean(greatest(Abs(each), j)) <= longest / log(1 + n) for each in lines),
]
TRUE = [
    norm(x) <= mean(S**4) ** Rational(1, 4),
    mean(S**4) <= norm(x) ** 4,
    mean(Abs(S)) <= norm(x),
    norm(x) <= mean(Abs(S)),
    mean(Abs(S / n) ** 3) <= greatest(Abs(x[i]), i) ** 3 / n ** Rational(3, 2),
    mean(vector) <= spread_,
    spread_ <= mean(summed),
    mean(vector) <= longest * sqrt(d),
    *(mean(greatest(each, j)) <= longest * sqrt(log(1 + d)) for each in lines),
    *(longest <= mean(greatest(Abs(each), j)) for each in lines),
]


@pytest.mark.parametrize("relation", FALSE, ids=str)
def test_false_orders_of_signs_have_a_law(relation):
    claim = claim_of(relation)
    start = start_of(claim, NUMBERS)
    assert any(law_of(claim, Spread(start, {}, "n", parts)) for parts in ((0,), (0, 1)))


@pytest.mark.parametrize("relation", TRUE, ids=str)
def test_true_orders_of_signs_have_none(relation):
    claim = claim_of(relation)
    start = start_of(claim, NUMBERS)
    for size in {"n", "d"} & set(start):
        for parts in ((0,), (1,), (0, 1)):
            assert not law_of(claim, Spread(start, {}, size, parts))


@pytest.mark.parametrize("expr", [
    xi[0], S**3, inner(A * xi, row(A.T, 0)) * S, greatest(Abs(xi[i] * x[i]), i),
    greatest(S + x[i], i), indicator(S >= 0), greatest(Abs(S) * inner(row(A, j), x), j),
    norm(A * xi + A * x), total(xi[i] ** 2, i), sqrt(S), Abs(S) ** 40,
], ids=str)  # fmt: skip
def test_what_no_rule_says_has_no_law(expr):
    claim = claim_of(n * norm(x) <= mean(expr))
    reverse = claim_of(mean(expr) * n**4 <= norm(x))
    for each in (claim, reverse):
        start = start_of(each, NUMBERS)
        assert not law_of(each, Spread(start, {}, "n", (0, 1)))


# Means over counts.

LAWS = [
    (Abs(gap) <= sqrt(Var(X)) / draws, MORE, True),
    (Abs(gap) <= sqrt(Var(X) / draws), MORE, False),
    (gap**2 <= Var(X) / draws**2, MORE, True),
    (gap**2 <= Var(X) / draws, MORE, False),
    (sqrt(Var(X) / draws) <= Abs(gap), MORE, False),
    (sqrt(Var(X) / draws) <= Abs(gap), RARE, True),
    (Abs(gap) <= sqrt(Var(X) / draws), RARE, False),
    (sqrt(Var(X)) / draws ** Rational(1, 3) <= sqrt(Abs(gap)) ** 2, MORE, True),
    (Abs(gap) ** 3 <= sqrt(Var(X) / draws) ** 3 / draws, MORE, True),
    (sample_mean(X) ** 2 <= Var(X) / draws, MORE, True),
    (E(X**2) <= sample_mean(X) ** 2, MORE, False),
]


@pytest.mark.parametrize(("relation", "moves", "grows"), LAWS, ids=str)
def test_laws_of_means_over_counts(relation, moves, grows):
    claim = Claim(PLACE, UpToConstant(Expected(relation)))
    assert bool(law_of(claim, Spread(LAW, moves))) is grows


@pytest.mark.parametrize("expr", [
    Abs(sample_mean(X)), Abs(gap) ** 5, gap**3, greatest(counts[k] ** 2, k), Abs(gap * counts[0]),
], ids=str)  # fmt: skip
def test_what_no_rule_says_of_counts_has_no_law(expr):
    for relation in (E(X**2) * draws <= expr, expr * draws**5 <= E(X**2)):
        claim = Claim(PLACE, UpToConstant(Expected(relation)))
        assert not law_of(claim, Spread(LAW, MORE))
        with pytest.raises(Unwritten):
            assert Written(of_means(claim), Spread(LAW, MORE)).claim


def test_counts_of_atoms_that_are_copied_have_no_law():
    claim = Claim(PLACE, UpToConstant(Expected(greatest(counts[k], k) * K <= draws)))
    copied = Spread({**LAW, "n": 1}, {}, "K", (0, 1))
    assert not law_of(claim, copied)
    with pytest.raises(Unwritten):
        assert Written(of_means(claim), copied).claim


# Balls against what they enclose.

POWERS = [Rational(1, 3), Rational(1), Rational(3, 2), Rational(2), Rational(3), Rational(4),
          Rational(5), Rational(6)]  # fmt: skip


@pytest.mark.parametrize("power", POWERS, ids=str)
def test_lengths_are_within_their_balls(power):
    rng = numpy.random.default_rng(7)
    ball = between(power)
    for size in (1, 2, 5, 9):
        signs = numpy.array(list(product((-1, 1), repeat=size)))
        for vectors in (numpy.ones((size, 1)), rng.normal(size=(size, 3)),
                        rng.exponential(size=(size, 1)) ** 3):  # fmt: skip
            ratio = (numpy.linalg.norm(signs @ vectors, axis=1) ** float(power)).mean() / (
                (vectors**2).sum() ** (float(power) / 2))
            assert ball.overlaps(arb(ratio, 1e-9)), (size, ratio)
    # Of many equal signs the even moments come near the upper end.
    if power in (4, 6):
        assert float(ball.upper()) == pytest.approx({4: 3, 6: 15}[power])


def test_the_largest_of_numbers_is_within_its_ball():
    rng = numpy.random.default_rng(8)
    for rows, size in product((2, 3, 5), (1, 3, 8)):
        signs = numpy.array(list(product((-1, 1), repeat=size)))
        for A in (rng.normal(size=(rows, size)), numpy.eye(rows, size)):
            found = (signs @ A.T).max(1).mean()
            gaps = root(((A - A[0]) ** 2).sum())
            low = between(Rational(1)).lower() / (2 * root(rows - 1))
            assert float(low) * gaps <= found + 1e-12 <= root(rows - 1) * gaps + 1e-9


@pytest.mark.long
def test_a_whole_run_refutes_and_its_witness_is_confirmed():
    claim = Claim(PLACE, UpToConstant(Expected(Abs(gap) <= sqrt(Var(X)) / draws)))
    found = run(Task("a/b:c", claim, SHORT))
    assert (found.outcome, found.kind) == ("refuted", "trend"), found.detail
    made = witness.seal(found.witness.as_json())
    assert "confirmed" in str(witness.confirm(made, {"a/b:c": claim}))
    true = Claim(PLACE, UpToConstant(Expected(Abs(gap) <= sqrt(Var(X) / draws))))
    forged = witness.seal({**made, "fingerprint": true.fingerprint()})
    with pytest.raises(Exception, match=r"law|refutes nothing"):
        witness.confirm(forged, {"a/b:c": true})


def test_lengths_of_sums_of_signs_differ_from_outcome_to_outcome():
    # E |xi_1 + xi_2| / 2^(1/2) is no E |xi_1|: a difference of both must not cancel.
    size = world("s", Integer(1, searched=3))
    place, signs = index("l", size), outcome("sigma", Signs("sigma", size))
    factor = world("b", Vector(size))[place] * counts[0] + 2 * counts[1]
    inside = average(Abs(total(factor * signs[place], place)), signs)
    whole = average((counts[0] - counts[1]) * inside, counts)
    claim = Claim(PLACE, UpToConstant(whole <= 1))
    held = {"p[0]": fmpq(1, 2), "p[1]": fmpq(1, 2), "n": 1}
    writing = Writing(claim, Parts({"K": 2, "s": 2}, "", frozenset()), held=held)
    assert len(writing.unknown) == 0 and writing.number(whole) and len(writing.unknown) == 2


def test_a_number_known_to_a_factor_inside_a_mean_over_counts_is_not_the_same_for_all():
    size = world("s", Integer(1, searched=3))
    place, signs = index("l", size), outcome("sigma", Signs("sigma", size))
    inside = average(Abs(total(world("b", Vector(size))[place] * signs[place], place)), signs)
    claim = Claim(PLACE, UpToConstant(average(counts[0] * inside, counts) <= 1))
    writing = Writing(claim, Parts({"K": 2, "s": 2}, "", frozenset()), held={})
    assert writing.number(inside)
    fresh = Writing(claim, Parts({"K": 2, "s": 2}, "", frozenset()), held={})
    with pytest.raises(Unwritten):
        fresh.number(average(counts[0] * inside, counts))
