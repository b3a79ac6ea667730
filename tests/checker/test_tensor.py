"""Kronecker powers of a world: factors against values, and what may not be concluded."""

import numpy
import pytest
from flint import fmpq, fmpq_mat
from sympy import Abs, Eq, Rational, exp, log, sqrt

from boundcheck import Claim, Source, UpToConstant
from boundcheck.arithmetic import PRECISIONS, precision, sign
from boundcheck.checker.judge import Place
from boundcheck.checker.laws import NoLaw
from boundcheck.checker.multiplicative import Powers
from boundcheck.checker.tensor import TENSOR, fails_as_power, laws, powered, together
from boundcheck.checks.base import Task, budget_named
from boundcheck.checks.endless import as_powers
from boundcheck.errors import WitnessError
from boundcheck.exact import add, multiply
from boundcheck.expressions import (
    determinant,
    diagonal,
    entrywise,
    form,
    frobenius_norm,
    greatest,
    identity,
    index,
    indicator,
    inner,
    largest_eigenvalue,
    largest_entry,
    least,
    matrix_rank,
    matrix_root,
    norm,
    ones,
    operator_norm,
    outer,
    parameter,
    row,
    smallest_eigenvalue,
    spectral_radius,
    table,
    total,
    trace,
    world,
)
from boundcheck.settings import matrices as M
from boundcheck.witness import confirm, seal
from boundcheck.worlds import Gram, Integer, Matrix, Real, Vector, Weights

PLACE = Source("A", 2000, "T").at("here")
n, m = (world(name, Integer(1, searched=3)) for name in "nm")
A, B, K = world("A", Matrix(n, n)), world("B", Matrix(n, n)), world("K", Gram(n))
F, x, p = world("F", Matrix(n, m)), world("x", Vector(n)), world("p", Weights(n))
t = parameter("t", Real(0, None, open_low=True))
i, j, k = index("i", n), index("j", n), index("k", m)
modulus = table(Abs(A[i, j]), i, j)
KNOWN = [
    operator_norm(modulus), operator_norm(entrywise(A, 2 * B)), largest_entry(-t * A * B),
    trace(A * B.T) ** 2, trace(matrix_root(K)), trace(matrix_root(A.T * A)) / t, n * sqrt(n * t),
    spectral_radius(A * B), matrix_rank(A * K), frobenius_norm(A**-1), norm(3 * A * x),
    form(K, x), inner(A * x, x), largest_eigenvalue(K), smallest_eigenvalue(K),
    total(A[i, j], i, j),
    greatest(Abs(A[i, j]) * x[i] ** 2, i, j), least(t * Abs(x[i]), i), total(p[i] * x[i] ** 2, i),
    total(sqrt(total(A[i, j] ** 2, j)), i), Abs(determinant(A)) ** (1 / n), operator_norm(F) / m,
    greatest(norm(row(F, i)), i), frobenius_norm(outer(x, ones(n))),
    trace(diagonal(x) * identity(n)), operator_norm(table(x[i] * A[j, i], i, j)),
    greatest(p[i], i), total(F[i, k] * x[i], i, k),
]  # fmt: skip
UNKNOWN = [
    trace(A + B), trace(A) + n, operator_norm(A + t * identity(n)), greatest(A[i, j], i, j),
    A[0, 0], total(i * x[i], i), total(indicator(i <= j) * A[i, j], i, j), log(n), exp(n), t**n,
    determinant(A), determinant(A) ** (1 / m), largest_eigenvalue(A), matrix_rank(t * A),
    operator_norm(table(A[i, j] - A[j, i], i, j)), total(Abs(F[j, k]), j, k) ** n, n**t,
    Abs(determinant(2 * A)) ** (1 / n),
]  # fmt: skip


def claim_of(relation, given=(), depends=()):
    return Claim(PLACE, UpToConstant(relation, depends=depends), given=given)


def values(rng):
    def entries(count):
        return [fmpq(int(each), 2) for each in rng.integers(-4, 5, count)]

    factor = fmpq_mat(2, 2, entries(4))
    return {"n": 2, "m": 3, "A": fmpq_mat(2, 2, entries(4)), "B": fmpq_mat(2, 2, entries(4)),
            "K": factor * factor.transpose(), "F": fmpq_mat(2, 3, entries(6)),
            "x": tuple(entries(2)), "p": (fmpq(1, 3), fmpq(2, 3)), "t": fmpq(3, 2)}  # fmt: skip


EVERYTHING = t + n + m + trace(A + B + K) + norm(x) + norm(p) + operator_norm(F)


@pytest.mark.parametrize("place", range(len(KNOWN)))
def test_factors_are_those_of_values(place):
    side = KNOWN[place]
    claim, rng, seen = claim_of(side <= EVERYTHING), numpy.random.default_rng(place), 0
    while seen < 3:
        start = values(rng)
        if start["A"].det() == 0 or start["B"].det() == 0 or 0 in start["x"]:
            continue
        seen += 1
        powers = Powers(claim, frozenset({"n", "m"}))
        found = powers.of(claim.statement.relation.lhs)
        with precision(PRECISIONS[-1]):
            first = Place(claim, start)
            assert all(sign(first.value(expr)) in (0, 1) for expr in powers.signs)
            for times in (1, 2):
                later = Place(claim, powered(claim, start, "n", times))
                wanted = first.value(found.factor * found.base**times)
                gap = add(later.value(claim.statement.relation.lhs), -multiply(fmpq(1), wanted))
                assert sign(gap) in (0, None), (side, times)


@pytest.mark.parametrize("side", UNKNOWN)
def test_what_has_no_rule_has_no_factor(side):
    claim = claim_of(side <= EVERYTHING)
    with pytest.raises(NoLaw):
        Powers(claim, frozenset({"n", "m"})).of(claim.statement.relation.lhs)


S, P, Z = M.square("S"), M.projector("P"), M.binary("Z")
r, c, d = M.r, M.c, M.d
sizes = table(Abs(S[r, c]), r, c)
nuclear = trace(matrix_root(S.T * S))
other = M.square("T")
FALSE = {
    "sizes of entries": operator_norm(sizes) <= operator_norm(S),
    "beside a logarithm": operator_norm(sizes) <= (1 + log(1 + d)) * operator_norm(S),
    "below the root": operator_norm(sizes) <= d ** Rational(49, 100) * operator_norm(S),
    "squares of entries": operator_norm(entrywise(S, S)) <= operator_norm(S) * largest_entry(S),
    "a sum of two": operator_norm(sizes) <= operator_norm(S) + spectral_radius(S),
    "a nuclear norm": nuclear <= d * largest_entry(S),
    "Hadamard": Abs(determinant(S)) ** (1 / d) <= largest_entry(S),
    "entries of a projector": total(Abs(P[r, c]), r, c) <= d,
    "a rank": nuclear <= sqrt(matrix_rank(S)) * operator_norm(S),
}
TRUE = {
    "sizes of entries": operator_norm(sizes) <= sqrt(d) * operator_norm(S),
    "two matrices": operator_norm(entrywise(S, other)) <= operator_norm(S) * operator_norm(other),
    "squares of entries": operator_norm(entrywise(S, S)) <= operator_norm(S) ** 2,
    "a nuclear norm": nuclear <= sqrt(d) ** 3 * largest_entry(S),
    "Hadamard": Abs(determinant(S)) ** (1 / d) <= sqrt(d) * largest_entry(S),
    "entries of a projector": total(Abs(P[r, c]), r, c) <= sqrt(d) * d,
    "a rank": nuclear <= matrix_rank(S) * operator_norm(S),
    "a radius": spectral_radius(S) <= operator_norm(S),
    "a Frobenius norm": frobenius_norm(S) <= sqrt(matrix_rank(S)) * operator_norm(S),
    "words of zeros and ones": spectral_radius(Z) <= d,
}


@pytest.mark.parametrize("name", FALSE)
def test_what_fails_along_powers_is_refuted(name):
    claim = claim_of(FALSE[name])
    found = as_powers(Task("mine/it", claim, budget_named("quick")))
    assert found.outcome == "refuted" and found.witness.extra["move"] == TENSOR
    document = seal(found.witness.as_json())
    assert "confirmed  no constant serves" in str(confirm(document, {"mine/it": claim}))
    for extra in ({"repeated": "e"}, {"move": "direct sum"}):
        forged = {**document, "extra": {**document["extra"], **extra}}
        with pytest.raises(WitnessError):
            confirm(seal(forged), {"mine/it": claim})


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_not_refuted(name):
    claim = claim_of(TRUE[name])
    assert laws(claim, "d")
    assert as_powers(Task("mine/it", claim, budget_named("quick"))) is None


ROOT = {"n": 2, "A": fmpq_mat(2, 2, [1, 1, 1, -1])}
HADAMARD = operator_norm(modulus) <= operator_norm(A)


def test_hypotheses_hold_for_every_power():
    assert fails_as_power(claim_of(HADAMARD, [frobenius_norm(A) <= n]), ROOT, "n") is not None
    assert fails_as_power(claim_of(HADAMARD, [n >= 2]), ROOT, "n") is not None
    for given in (frobenius_norm(A) <= 2, n <= 5, trace(A) >= -n, Eq(n, 2), n + 1 <= 9):
        assert fails_as_power(claim_of(HADAMARD, [given]), ROOT, "n") is None
    assert fails_as_power(claim_of(HADAMARD), {"n": 1, "A": fmpq_mat(1, 1, [1])}, "n") is None
    assert laws(claim_of(HADAMARD, depends=("n",)), "n") == []


@pytest.mark.parametrize(("field", "holds"), [
    (Matrix(n, n, -1, 1), True), (Matrix(n, n, 0, 1), True), (Matrix(n, n, -2, 2), False),
    (Matrix(n, n, -1, None), False), (Matrix(n, 2), False), (Gram(n, 2), False),
    (Gram(n, 1), True), (Vector(n, -1, 1, open_high=True), False), (Vector(n, 1, None), True),
    (Vector(n, 0, "n"), False), (Vector(n, -1, 1, open_low=True), True),
])  # fmt: skip
def test_domains_hold_the_products_of_what_they_hold(field, holds):
    array = world("V", field)
    side = norm(array) if isinstance(field, Vector) else frobenius_norm(array)
    assert bool(laws(claim_of(side <= t * n), "n")) == holds


def test_sizes_of_one_matrix_become_powers_together():
    claim = claim_of(operator_norm(F) <= largest_entry(F))
    assert together(claim.fields, "n") == together(claim.fields, "m") == {"n", "m"}
    world_of = {"n": 2, "m": 2, "F": fmpq_mat(2, 2, [1, 1, 1, 1])}
    assert fails_as_power(claim, world_of, "n") is not None
    assert fails_as_power(claim_of(operator_norm(F) <= sqrt(n * m) * largest_entry(F)),
                          world_of, "n") is None  # fmt: skip
