"""Worlds whose entries move and whose parts are copied: laws of false claims, none of true ones."""

import pytest
from flint import fmpq, fmpq_mat
from sympy import Abs, Eq, Implies, Piecewise, exp, log, sqrt

from boundcheck import Claim, Holds, Source, witness
from boundcheck.checker import spreads
from boundcheck.checker.spreads import Spread, law_of
from boundcheck.checks.base import Task, budget_named
from boundcheck.checks.trend import run
from boundcheck.claim import UpToConstant
from boundcheck.errors import WitnessError
from boundcheck.expressions import (
    define,
    frobenius_norm,
    greatest,
    index,
    indicator,
    inner,
    least,
    multiplied,
    norm,
    operator_norm,
    table,
    total,
    trace,
    world,
)
from boundcheck.library import Library
from boundcheck.settings.scalar_laws import E, K, P, k, law, p, relative_entropy
from boundcheck.worlds import Integer, Matrix, Vector

PLACE = Source("A", 2024, "Example").at("1")
n = world("n", Integer(1, searched=4))
x = world("x", Vector(n, 0, None))
M = world("M", Matrix(n, n))
q = law("q", zeros=False)
z = world("z", Vector(K, 0, None))
i, j = index("i", n), index("j", n)
entropy = -total(Piecewise((0, Eq(p[k], 0)), (p[k] * log(p[k]), True)), k)
rest = 1 - greatest(p[k], k)
chi = total(q[k] ** 2 / p[k], k) - 1
POSITIVE = [least(p[k], k) > 0]
columns = greatest(total(Abs(M[i, j]), i), j)
rows = greatest(total(Abs(M[i, j]), j), i)
mean_square = define("mean_square", total(x[i] ** 2, i) / n)
ZERO, ONE = fmpq(0), fmpq(1)
HALF, RATIONAL = fmpq(1, 2), fmpq(1, 3)
TWO = {"n": 2, "x": (ONE, fmpq(3))}
ROW = {"n": 2, "M": fmpq_mat([[ONE, ONE], [ZERO, ZERO]])}
LAWS = {"K": 2, "p": (HALF, HALF), "q": (RATIONAL, 1 - RATIONAL), "z": (ZERO, ONE)}
RARE = {"p[0]": (-ONE, ONE), "p[1]": (-ONE, ZERO)}


def copies(start, size, *parts):
    return Spread(start, {}, size, parts)


def claim_of(relation, *given, **more):
    return Claim(PLACE, UpToConstant(relation), given=given, **more)


def of(start, relation):
    """The world without what a claim does not speak of."""
    fields = claim_of(relation).fields
    return {name: value for name, value in start.items() if name in fields}


FALSE = [
    (entropy <= 1, LAWS, {}, "K", (0, 1), []),
    (entropy <= sqrt(log(K)), LAWS, {}, "K", (1,), [K >= 2]),
    (entropy <= rest * log(K + 1), LAWS, RARE, "", (), []),
    (chi <= relative_entropy(q, p), LAWS, RARE, "", (), POSITIVE),
    (sqrt(E(z[k]) / sqrt(E(z[k] ** 2))) <= P(z[k] > 0), LAWS, RARE, "", (), [E(z[k]) > 0]),
    (total(x[i], i) <= log(n + 1) * norm(x), TWO, {}, "n", (0, 1), []),
    (log(total(exp(x[i]), i)) <= 1 + greatest(x[i], i), TWO, {}, "n", (1,), []),
    (n * greatest(x[i], i) <= total(x[i], i), {"n": 2, "x": (ZERO, ONE)}, {}, "n", (0,), []),
    (multiplied(1 + x[i], i) <= 1 + total(x[i], i), TWO, {}, "n", (0, 1), []),
    (mean_square <= (total(x[i], i) / n) ** 2, {"n": 2, "x": (ZERO, ONE)},
     {"x[1]": (HALF, ZERO)}, "n", (0,), []),
    (operator_norm(M) <= columns, ROW, {}, "n", (1,), []),
    (frobenius_norm(M) <= greatest(Abs(M[i, j]), i, j), ROW, {}, "n", (0,), []),
]  # fmt: skip
TRUE = [
    (entropy <= log(K), LAWS, {}, "K", (0, 1), [K >= 2]),
    (entropy <= 1 + log(K), LAWS, RARE, "K", (1,), []),
    (entropy <= rest * log((K + 1) / rest), LAWS, RARE, "", (), [rest > 0]),
    (entropy**2 <= rest, LAWS, RARE, "", (), []),
    (relative_entropy(q, p) <= chi, LAWS, RARE, "", (), POSITIVE),
    (total(Abs(q[k] - p[k]), k) ** 2 <= relative_entropy(q, p), LAWS, RARE, "K", (0,), POSITIVE),
    (E(z[k]) ** 2 / E(z[k] ** 2) <= P(z[k] > 0), LAWS, RARE, "", (), [E(z[k]) > 0]),
    (total(x[i], i) <= sqrt(n) * norm(x), TWO, {}, "n", (0, 1), []),
    (log(total(exp(x[i]), i)) <= log(n + 1) + greatest(x[i], i), TWO, {}, "n", (1,), []),
    (total(x[i], i) <= n * greatest(x[i], i), {"n": 2, "x": (ZERO, ONE)}, {}, "n", (0,), []),
    (1 + total(x[i], i) <= multiplied(1 + x[i], i), TWO, {}, "n", (0, 1), []),
    ((total(x[i], i) / n) ** 2 <= mean_square, {"n": 2, "x": (ZERO, ONE)},
     {"x[1]": (HALF, ZERO)}, "n", (0,), []),
    (operator_norm(M) ** 2 <= columns * rows, ROW, {}, "n", (1,), []),
    (operator_norm(M) <= frobenius_norm(M), ROW, {}, "n", (0, 1), []),
    (trace(M * M.T) <= frobenius_norm(M) ** 2, ROW, {}, "n", (0,), []),
    (inner(x, x) <= norm(x) ** 2, TWO, {}, "n", (1,), []),
]  # fmt: skip


@pytest.mark.parametrize(("relation", "start", "moves", "size", "parts", "given"), FALSE)
def test_false_orders_have_a_law(relation, start, moves, size, parts, given):
    spread = Spread(of(start, relation), moves, size, parts)
    assert law_of(claim_of(relation, *given), spread)


@pytest.mark.parametrize(("relation", "start", "moves", "size", "parts", "given"), TRUE)
def test_true_orders_have_none(relation, start, moves, size, parts, given):
    spread = Spread(of(start, relation), moves, size, parts)
    assert not law_of(claim_of(relation, *given), spread)


def test_what_cannot_be_written_out_has_no_law():
    grows = total(x[i], i) <= 1
    assert law_of(claim_of(grows), copies(TWO, "n", 0))
    refused = [
        claim_of(total(i * x[i], i) <= 1), claim_of(total(x[i], i) <= x[0]),
        claim_of(grows, n <= 10**6), claim_of(grows, total(x[i], i) <= 10**9),
        claim_of(Implies(n <= 2, grows)),
        Claim(PLACE, UpToConstant(grows, depends=("n",))),
        Claim(PLACE, UpToConstant(grows, depends=("x",))),
        claim_of(grows, domains={n: Integer(1, 10)}),
        Claim(PLACE, Holds(grows)),
    ]  # fmt: skip
    for claim in refused:
        assert not law_of(claim, copies(TWO, "n", 0)), claim.statement


def test_a_condition_on_which_condition_is_asked_has_no_law_and_no_crash():
    above = total(indicator(x[i] >= 1), i) >= 1
    claim = claim_of(indicator(above) * total(x[i] ** 2, i) <= total(x[i], i) ** 2)
    assert not law_of(claim, copies(TWO, "n", 0))


def test_moves_that_leave_the_worlds_have_no_law():
    claim = claim_of(chi <= relative_entropy(q, p), *POSITIVE)
    start = of(LAWS, claim.statement.relation)
    assert law_of(claim, Spread(start, RARE))
    for moves in (
        {"p[1]": (-ONE, ZERO)}, {"p[0]": (ONE, ZERO), "p[1]": (-ONE, ZERO)}, {"K": (ONE, ZERO)},
        {"p[0]": (ONE, fmpq(1)), "p[1]": (ONE, ZERO)}, {"p[7]": (ONE, ZERO)},
        {"p": (-ONE, ZERO)},
    ):  # fmt: skip
        assert not law_of(claim, Spread(start, moves)), moves
    assert not law_of(claim, Spread(start, RARE, "K", (5,)))
    assert not law_of(claim, Spread(start, RARE, "K", ()))


def test_a_table_is_written_out_as_its_entries():
    relation = total(x[i], i) <= norm(table(x[i] / n, i))
    assert law_of(claim_of(relation), copies(TWO, "n", 0, 1))


# Whole runs.


def library_of(claim):
    library = Library.__new__(Library)
    object.__setattr__(library, "claims", {"a/b:c": claim})
    return library


def test_growth_of_entropies_is_found_and_confirmed_and_no_forgery_is():
    claim = claim_of(entropy <= sqrt(log(K)), K >= 2)
    found = run(Task("a/b:c", claim, budget_named("quick")))
    assert (found.outcome, found.kind) == ("refuted", "trend"), found.detail
    document = found.witness.as_json()
    assert "for every t" in str(witness.confirm(witness.seal(document), library_of(claim)))
    true = claim_of(entropy <= log(K), K >= 2)
    forgeries = [
        (true, {**document, "fingerprint": true.fingerprint()}),
        (claim, {**document, "extra": {**document["extra"], "repeated": ""}}),
        (claim, {**document, "extra": {**document["extra"], "copied": [9]}}),
        (claim, {**document, "extra": {**document["extra"], "ray": {"p[0]": ["1", "0"]}}}),
    ]
    for stated, forged in forgeries:
        with pytest.raises(WitnessError):
            witness.confirm(witness.seal(forged), library_of(stated))


def test_a_spread_is_read_back_from_its_witness():
    spread = Spread(LAWS, RARE, "K", (0, 1))
    assert spreads.from_extra(spreads.as_extra(spread), LAWS) == spread


def test_places_are_numbers_where_no_part_is_copied():
    later = total(Piecewise((x[j], i < j), (0, True)), i, j)
    moves = {"x[1]": (ONE, ZERO)}
    assert law_of(claim_of(later <= x[0]), Spread(TWO, moves))
    assert not law_of(claim_of(later <= x[1]), Spread(TWO, moves))
    assert not law_of(claim_of(later <= x[0]), Spread(TWO, moves, "n", (0,)))
    lengths = total(j * x[j], j) <= log(1 + x[1])
    assert law_of(claim_of(lengths), Spread(TWO, moves))
