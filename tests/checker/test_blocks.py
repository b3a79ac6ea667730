"""Matrices of few parts written out: as in full, laws of false claims and none of true ones."""

import pytest
from flint import fmpq, fmpq_mat
from sympy import Abs, Rational, log, sqrt

from boundcheck import Claim, Source
from boundcheck.arithmetic import PRECISIONS, precision, sign, to_ball
from boundcheck.checker.judge import Place
from boundcheck.checker.spreads import Spread, law_of
from boundcheck.checker.writing import Unwritten
from boundcheck.checker.written import Written
from boundcheck.claim import UpToConstant
from boundcheck.expressions import (
    determinant,
    diagonal,
    form,
    frobenius_norm,
    identity,
    index,
    inner,
    largest_eigenvalue,
    largest_entry,
    matrix_root,
    norm,
    operator_norm,
    outer,
    parameter,
    smallest_eigenvalue,
    trace,
    world,
)
from boundcheck.settings.online import K as EXPERTS, T, eta, hedge_regret, losses
from boundcheck.worlds import Gram, Integer, Matrix, Real, Symmetric, Vector

PLACE = Source("A", 2024, "Example").at("1")
n = world("n", Integer(1, searched=4))
K, A = world("K", Gram(n)), world("A", Matrix(n, n))
S = world("S", Symmetric(n))
y = world("y", Vector(n))
lam = parameter("lam", Real(0, None, open_low=True))
i = index("i", n)
Id = identity(n)
R = (K + n * lam * Id) ** -1
ONE, ZERO = fmpq(1), fmpq(0)
GRAM = fmpq_mat([[3, 1], [1, 2]])
START = {"n": 2, "K": GRAM, "A": fmpq_mat([[1, 2], [-1, 3]]), "S": fmpq_mat([[0, 2], [2, -1]]),
         "y": (fmpq(2), fmpq(-1)), "lam": fmpq(1, 2)}  # fmt: skip
COPIED = [
    trace(K * R), form(K, R * y), form(R, y), norm(R * y) ** 2, inner(y, K * R * y), trace(R * R),
    frobenius_norm(R), frobenius_norm(lam * Id + K), trace((K + lam * Id) ** 3), form(K * K, y),
    trace((2 * Id + outer(y, y)) ** -2 * K), trace(K * diagonal(y) * K), largest_entry(outer(y, y)),
    trace(diagonal(y) * A * A.T), frobenius_norm(A * diagonal(y)), norm((A * A - 3 * A) * y),
    operator_norm(K * R), form((A.T * A + Id) ** -1, y) + trace(A.T + A),
]  # fmt: skip
WHOLE = [
    determinant(A), determinant(K + lam * Id), trace(A**-1), largest_eigenvalue(S),
    smallest_eigenvalue(S), largest_eigenvalue(K * K), trace(matrix_root(K)), largest_entry(A**-2),
    smallest_eigenvalue(K + lam * Id), operator_norm(matrix_root(K)), form(diagonal(y), y),
    largest_entry(K - Id), trace((K - diagonal(y)) ** -1), trace(K + diagonal(y)),
]  # fmt: skip


def claim_of(relation, *given):
    return Claim(PLACE, UpToConstant(relation), given=given)


def of(claim, start=START):
    return {name: start[name] for name in claim.fields}


def agree(spread, claim, octaves):
    written = Written(claim, spread)
    numbers = written.ray.at(octaves)
    whole = Place(claim, written.world(numbers)).value(claim.statement.relation.lts)
    made = Place(written.claim, numbers).value(written.claim.statement.relation.lts)
    return sign(to_ball(whole) - to_ball(made)) in (0, None)


@pytest.mark.parametrize("expr", COPIED)
def test_what_is_written_out_is_what_copies_give(expr):
    claim = claim_of(expr <= 1)
    with precision(PRECISIONS[-1]):
        for parts in ((0,), (1,), (0, 1)):
            assert all(agree(Spread(of(claim), {}, "n", parts), claim, k) for k in range(3)), parts


@pytest.mark.parametrize("expr", [*COPIED, *WHOLE])
def test_what_is_written_out_is_what_moved_entries_give(expr):
    claim = claim_of(expr <= 1)
    moves = {"K[0,0]": (ONE, ZERO), "K[1,1]": (fmpq(1, 2), ZERO), "A[0,1]": (-ONE, ONE),
             "S[0,1]": (fmpq(2), ZERO), "lam": (-ONE, ZERO)}  # fmt: skip
    here = {name: way for name, way in moves.items() if name.partition("[")[0] in claim.fields}
    with precision(PRECISIONS[-1]):
        assert all(agree(Spread(of(claim), here), claim, octaves) for octaves in (0, 2, 4))


@pytest.mark.parametrize("expr", WHOLE)
def test_copies_of_what_differs_on_them_are_not_written_out(expr):
    claim = claim_of(expr <= 1)
    with pytest.raises(Unwritten):
        Written(claim, Spread(of(claim), {}, "n", (0, 1))).law()


UP, DOWN = (ONE, ZERO), (-ONE, ZERO)
FALSE = [
    (determinant(K + Id) <= 1 + trace(K), {"K[0,0]": UP, "K[1,1]": UP}, ""),
    (trace(K + Id) * trace((K + Id) ** -1) <= n**2, {"K[0,0]": UP}, ""),
    (trace(K) <= log(determinant(K + Id)), {"K[0,0]": UP}, ""),
    (form(R, y) <= norm(y) ** 2, {"lam": DOWN, "K[0,0]": DOWN}, ""),
    (form(K, R * y) <= lam * norm(y) ** 2, {"lam": DOWN}, ""),
    (largest_eigenvalue(S) <= sqrt(Abs(determinant(S))), {"S[0,0]": UP}, ""),
    (operator_norm(matrix_root(K)) <= operator_norm(K), {"K[0,0]": DOWN, "K[1,1]": DOWN}, ""),
    (norm(y) ** 2 <= n * lam * form(R, y), {"K[0,0]": UP, "K[1,1]": UP}, ""),
    (norm(y) ** 2 <= form(R, y) * sqrt(lam), {}, "n"),
]  # fmt: skip
TRUE = [
    (1 + trace(K) <= determinant(K + Id), {"K[0,0]": UP, "K[1,1]": UP}, ""),
    (n**2 <= trace(K + Id) * trace((K + Id) ** -1), {"K[0,0]": UP}, ""),
    (log(determinant(K + Id)) <= trace(K), {"K[0,0]": UP}, ""),
    (form(R, y) <= norm(y) ** 2 / (n * lam), {"lam": DOWN, "K[0,0]": DOWN}, ""),
    (lam * form(K, R * y) <= norm(y) ** 2, {"lam": DOWN}, ""),
    (smallest_eigenvalue(K) <= sqrt(determinant(K)), {"K[0,0]": UP}, ""),
    (operator_norm(matrix_root(K)) ** 2 <= operator_norm(K), {"K[0,0]": DOWN, "K[1,1]": DOWN}, ""),
    (n * lam * form(R, y) <= norm(y) ** 2, {"K[0,0]": UP, "K[1,1]": UP}, ""),
    (trace(K * R) <= n, {}, "n"),
    (trace(A**-1) <= 1 + trace(A**-1) ** 2, {"A[0,0]": DOWN}, ""),
]  # fmt: skip
DIAGONAL = START | {"K": fmpq_mat([[2, 0], [0, 1]]), "S": fmpq_mat([[2, 0], [0, 1]])}


@pytest.mark.parametrize(("relation", "moves", "size"), FALSE)
def test_false_orders_have_a_law(relation, moves, size):
    claim = claim_of(relation)
    assert law_of(claim, Spread(of(claim, DIAGONAL), moves, size, (0, 1) if size else ()))


@pytest.mark.parametrize(("relation", "moves", "size"), TRUE)
def test_true_orders_have_none(relation, moves, size):
    claim = claim_of(relation)
    assert not law_of(claim, Spread(of(claim, DIAGONAL), moves, size, (0, 1) if size else ()))


def test_a_kernel_matrix_that_moves_stays_one():
    claim = claim_of(K[0, 1] ** 2 <= 1 + lam)
    assert law_of(claim, Spread(of(claim), {"K[0,1]": UP, "K[0,0]": UP, "K[1,1]": UP}))
    assert not law_of(claim, Spread(of(claim), {"K[0,1]": UP, "K[0,0]": UP}))
    other = claim_of(-K[0, 0] <= 1)
    assert not law_of(other, Spread(of(other), {"K[0,0]": (ONE, fmpq(4))}))
    third = claim_of(trace(K) <= 1)
    large = {"n": 3, "K": fmpq_mat([[3, -1, -1], [-1, 3, -1], [-1, -1, 3]])}
    pair = dict.fromkeys(("K[0,1]", "K[0,2]", "K[1,2]"), UP)
    whole = pair | dict.fromkeys(("K[0,0]", "K[1,1]", "K[2,2]"), UP)
    assert law_of(third, Spread(large, whole))
    # Minors of two rows stay, and the determinant falls below zero at last.
    falls = {name: (-ONE, fmpq(-31, 20)) for name in pair}
    fourth = claim_of(1 / lam + trace(K) <= 1)
    assert law_of(fourth, Spread({**large, "lam": ONE}, {"lam": DOWN}))
    assert not law_of(fourth, Spread({**large, "lam": ONE}, {**falls, "lam": DOWN}))


def test_an_inverse_that_is_none_somewhere_has_no_law():
    claim = claim_of(trace(A) + trace(A**-1) <= 1)
    start = {"n": 1, "A": fmpq_mat([[4]])}
    assert law_of(claim, Spread(start, {"A[0,0]": (ONE, fmpq(3))}))
    singular = {"n": 1, "A": fmpq_mat([[-2]])}  # at t = 3
    assert not law_of(claim, Spread(singular, {"A[0,0]": (ONE, fmpq(-3))}))


def test_regret_of_few_rounds_has_a_law():
    start = {"K": 2, "T": 2, "losses": fmpq_mat([[1, 0], [0, 1]]), "eta": ONE}
    regret = hedge_regret(losses, eta)
    false = Claim(PLACE, UpToConstant(regret <= 1 / eta))
    spread = Spread({name: start[name] for name in false.fields}, {"eta": UP})
    assert law_of(false, spread)
    assert not law_of(Claim(PLACE, UpToConstant(regret <= 1 / eta + eta * T)), spread)
    assert not law_of(Claim(PLACE, UpToConstant(regret <= T)), spread)


def test_a_promised_diagonal_whose_bound_moves_is_no_world_of_the_claim():
    # diag K <= lam at both places that are looked at in full, and nowhere from lam = 3 on.
    bounded = world("K", Gram(n, "lam"))
    claim, other = claim_of(trace(bounded) <= n * lam), claim_of(lam <= 1 + trace(bounded))
    start = of(claim, START | {"lam": fmpq(100)})
    assert not law_of(claim, Spread(start, {"lam": DOWN}))
    assert not law_of(other, Spread(start, {"lam": UP}))  # true worlds, but not written out
    third = claim_of(lam * y[0] <= form(bounded, y))
    falling = {"y[0]": DOWN, "y[1]": DOWN}
    assert law_of(third, Spread(of(third, START | {"lam": fmpq(100)}), falling))


IN_TURN = {"K": 2, "T": 2, "losses": fmpq_mat([[1, 0], [0, 1]]), "eta": ONE}


def law_in_turn(relation, rows=IN_TURN["losses"], copied=(0, 1)):
    claim = Claim(PLACE, UpToConstant(relation))
    start = {name: (IN_TURN | {"losses": rows})[name] for name in claim.fields}
    return law_of(claim, Spread(start, {}, "T", copied))


def test_regret_in_rounds_that_come_in_turn_has_a_law():
    tuned = hedge_regret(losses, sqrt(log(EXPERTS) / T))
    assert law_in_turn(tuned <= log(EXPERTS)) == "left / right grows at least as t^(1/2)"
    assert law_in_turn(tuned <= log(EXPERTS) * T ** Rational(1, 4))
    assert law_in_turn(hedge_regret(losses, eta) <= log(EXPERTS) / eta)


def test_no_law_where_regret_in_turn_is_bounded_or_rounds_leave_one_behind():
    assert not law_in_turn(hedge_regret(losses, sqrt(log(EXPERTS) / T)) <= sqrt(T * log(EXPERTS)))
    assert not law_in_turn(hedge_regret(losses, 1 / T) <= log(EXPERTS))
    assert not law_in_turn(hedge_regret(losses, eta) <= log(EXPERTS) / eta + eta * T)
    behind = fmpq_mat([[1, 0], [0, 0]])
    assert not law_in_turn(hedge_regret(losses, eta) <= 1 / eta, behind)
    assert not law_in_turn(hedge_regret(losses, eta) <= 1 / eta, copied=(0,))
    claim = Claim(PLACE, UpToConstant(hedge_regret(losses, eta) <= 1 / eta))
    with pytest.raises(Unwritten):
        _ = Written(claim, Spread(IN_TURN | {"losses": behind}, {}, "T", (0, 1))).claim


@pytest.mark.parametrize("rows", [
    [[1, 0], [0, 1]], [[1, fmpq(1, 2)], [0, fmpq(1, 3)], [fmpq(1, 5), fmpq(11, 30)]],
])  # fmt: skip
def test_regret_is_that_of_the_world_however_often_rounds_come(rows):
    claim = Claim(PLACE, UpToConstant(hedge_regret(losses, eta) <= T))
    start = {"K": 2, "T": len(rows), "losses": fmpq_mat(rows), "eta": fmpq(1, 3)}
    written = Written(claim, Spread(start, {}, "T", tuple(range(len(rows)))))
    assert written.agrees()
