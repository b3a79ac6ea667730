"""Classes of all words: logarithms of a number of functions that a bound has lost."""

from dataclasses import replace
from itertools import product

import pytest
from flint import arb, fmpq, fmpq_mat
from sympy import Abs, Max, Rational, log, sqrt

from boundcheck import Claim, Expected, Source, witness
from boundcheck.arithmetic import to_ball
from boundcheck.checker.judge import Place
from boundcheck.checker.spreads import Spread, as_extra, from_extra, law_of
from boundcheck.checker.words import Worded
from boundcheck.checker.writing import Unwritten
from boundcheck.checks.base import Task, budget_named
from boundcheck.checks.trend import run
from boundcheck.claim import UpToConstant
from boundcheck.expressions import (
    average,
    define,
    greatest,
    index,
    inner,
    named,
    norm,
    outcome,
    row,
    total,
    world,
)
from boundcheck.settings.classes import F, H, Z, empirical_rademacher, h, z
from boundcheck.settings.online import K as EXPERTS, T, eta, hedge_regret, losses
from boundcheck.worlds import Integer, Matrix, Signs, Vector, Weights

SHORT = replace(budget_named("quick"), share=0.125)
PLACE = Source("A", 2024, "Example").at("1")
n = world("n", Integer(1, searched=3))
N = world("N", Integer(2, searched=4))
A = world("A", Matrix(N, n), units={"value": 1})
B = world("B", Matrix(n, N, -1, 1))
p = world("p", Weights(N))
c = world("c", Vector(n))
i, k = index("i", n), index("k", N)
xi = outcome("xi", Signs("xi", n))
ROWS = {"n": 1, "N": 2, "A": fmpq_mat([[-1], [1]])}
COLS = {"n": 1, "N": 2, "B": fmpq_mat([[-1, 1]])}
ZERO_ONE = {"Z": 1, "H": 2, "F": fmpq_mat([[0], [1]])}
r = greatest(norm(row(A, k)), k)
by_inner = greatest(inner(row(A, k), xi), k)
by_total = greatest(total(xi[i] * A[k, i], i), k)
across = greatest(Abs(total(xi[i] * B[i, k], i)) / n, k)
mean_square = greatest(sqrt(total(A[k, i] ** 2, i)), k)
F_length = greatest(sqrt(total(F[h, z] ** 2, z)), h)


def width(body):
    return average(body, xi)


def claim_of(relation, *given, **more):
    return Claim(PLACE, UpToConstant(relation), given=given, **more)


FALSE = [
    (width(by_inner) <= r, ROWS), (width(by_total) <= mean_square, ROWS),
    (width(named("best", by_inner)) / n <= r / n * log(N) ** Rational(1, 4), ROWS),
    (width(by_total) <= sqrt(n) * greatest(Abs(A[k, i]), k, i), ROWS),
    (width(across) <= 1 / sqrt(n), COLS),
    (width(across) <= sqrt(log(log(2 * N)) / n), COLS),
    (empirical_rademacher(F) <= F_length / Z, ZERO_ONE),
]
TRUE = [
    (width(by_inner) <= r * sqrt(log(N)), ROWS), (width(by_total) <= r * sqrt(log(2 * N)), ROWS),
    (width(by_total) <= sqrt(n) * r, ROWS), (r <= width(by_inner), ROWS),
    (width(across) <= sqrt(log(2 * N) / n), COLS), (width(across) <= 1, COLS),
    (empirical_rademacher(F) <= F_length * sqrt(log(2 * H)) / Z, ZERO_ONE),
]


def spread(start):
    (name,) = {"A", "B", "F"} & set(start)
    return Spread(start, {}, "Z" if name == "F" else "n", (0,), name)


@pytest.mark.parametrize(("relation", "start"), FALSE, ids=str)
def test_bounds_without_the_logarithm_have_a_law(relation, start):
    assert law_of(claim_of(relation), spread(start))


@pytest.mark.parametrize(("relation", "start"), TRUE, ids=str)
def test_bounds_with_it_have_none(relation, start):
    assert not law_of(claim_of(relation), spread(start))


def test_hypotheses_on_the_number_of_words_are_kept_or_refused():
    relation = width(by_inner) <= r
    assert law_of(claim_of(relation, N >= 2), spread(ROWS))
    assert law_of(claim_of(relation, N > 1), spread(ROWS))
    for given in (N <= 100, n * 2 >= N, N <= n**3, r <= 10):
        assert not law_of(claim_of(relation, given), spread(ROWS)), given
    for domain in ({N: Integer(2, 9)}, {n: Integer(1, 9)}, {A: Matrix(N, n, 0, 1)}):
        assert not law_of(claim_of(relation, domains=domain), spread(ROWS)), domain
    for depends in (("N",), ("n",), ("A",)):
        claim = Claim(PLACE, UpToConstant(relation, depends=depends))
        assert not law_of(claim, spread(ROWS)), depends


@pytest.mark.parametrize("left", [
    width(greatest(inner(row(A, k), xi) + A[k, 0], k)),
    width(greatest(inner(row(A, k), xi) * norm(row(A, k)), k)), width(greatest(by_inner**2, k)),
    width(greatest(total(xi[i] * A[k, i] ** 2, i), k)), total(A[k, i], i, k),
    greatest(total(A[k, i], i) ** 2, k), norm(row(A, 0)), width(total(inner(row(A, k), xi), k)),
    greatest(inner(row(A, k), row(A, 1)), k), width(greatest(inner(row(A, k), xi) * A[k, 0], k)),
    width(greatest(total(xi[i] * A[0, i], i), k)),
    greatest(sqrt(total(A[k, i] + Rational(1, 2), i)), k),
    width(greatest(Abs(by_inner) * (10 - n), k)),
], ids=str)  # fmt: skip
def test_what_reads_words_otherwise_is_not_written_out(left):
    for relation in (left * n**3 <= r, n**3 * r <= left):
        assert not law_of(claim_of(relation), spread(ROWS))
        with pytest.raises(Unwritten):
            Worded(claim_of(relation), spread(ROWS)).writing.number(left)


def test_other_worlds_have_no_law():
    claim = claim_of(width(by_inner) <= r)
    assert law_of(claim, spread(ROWS))
    more = {"n": 1, "N": 3, "A": fmpq_mat([[-1], [1], [1]])}
    longer = {"n": 2, "N": 2, "A": fmpq_mat([[-1, 1], [1, 1]])}
    for start in (more, longer):
        assert not law_of(claim, spread(start))
    for forged in (Spread(ROWS, {}, "N", (0,), "A"), Spread(ROWS, {}, "n", (0,), "n"),
                   Spread(ROWS, {}, "n", (0,), "B"), Spread(ROWS, {}, "", (), "A")):  # fmt: skip
        assert not law_of(claim, forged)
    on_words = claim_of(width(by_inner) <= r * greatest(p[k], k))
    assert not law_of(on_words, spread({**ROWS, "p": (fmpq(1, 2),) * 2}))


def test_widths_of_words_are_what_is_written():
    """A class of all words of length t has the width t (b - a) / 2, by enumeration."""
    for letters, t in product(((-1, 1), (0, 1), (-2, 5)), (1, 2, 3)):
        words = fmpq_mat([list(word) for word in product(letters, repeat=t)])
        place = Place(claim_of(width(by_inner) <= r), {"n": t, "N": 2**t, "A": words})
        found = to_ball(place.value(width(by_inner)))
        assert found.overlaps(arb(t * (letters[1] - letters[0])) / 2)


def test_a_coefficient_stays_beside_the_letters():
    weighted = width(greatest(total(c[i] * xi[i] * A[k, i], i), k))
    start = {**ROWS, "c": (fmpq(-2),)}
    assert law_of(claim_of(weighted <= norm(c) * greatest(Abs(A[k, i]), k, i)), spread(start))
    assert not law_of(claim_of(weighted <= total(Abs(c[i]), i) * Max(r, 1)), spread(start))


def test_whole_runs_find_the_words_and_witnesses_are_confirmed():
    claim = Claim(PLACE, UpToConstant(Expected(across <= 1 / sqrt(n))))
    found = run(Task("a/b:c", claim, SHORT))
    assert (found.outcome, found.kind) == ("refuted", "trend"), found.detail
    made = witness.seal(found.witness.as_json())
    assert "confirmed" in str(witness.confirm(made, {"a/b:c": claim}))
    true = Claim(PLACE, UpToConstant(Expected(across <= sqrt(log(2 * N) / n))))
    with pytest.raises(Exception, match=r"law|refutes nothing"):
        witness.confirm(witness.seal({**made, "fingerprint": true.fingerprint()}),
                        {"a/b:c": true})  # fmt: skip
    one = spread(ROWS)
    assert from_extra(as_extra(one), ROWS) == one


def test_a_defined_class_is_looked_through():
    size = define("size", greatest(norm(row(A, k)), k))
    assert law_of(claim_of(define("w", width(by_inner)) <= size), spread(ROWS))


def test_hedge_loses_half_of_every_round_to_the_best_of_all_words():
    start = {"T": 1, "K": 2, "losses": fmpq_mat([[0, 1]]), "eta": fmpq(1)}

    def law_(relation):
        claim = Claim(PLACE, UpToConstant(relation))
        world_ = {name: start[name] for name in claim.fields}
        return law_of(claim, Spread(world_, {}, "T", (0,), "losses"))

    assert law_(hedge_regret(losses, 1 / sqrt(T)) <= sqrt(T))
    assert law_(hedge_regret(losses, eta) <= 1 / eta)
    assert not law_(hedge_regret(losses, sqrt(log(EXPERTS) / T)) <= sqrt(T * log(EXPERTS)))
    assert not law_(hedge_regret(losses, eta) <= T)
