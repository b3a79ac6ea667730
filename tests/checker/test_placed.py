"""Vectors written by place: what fails along them, and what is not taken on trust."""

import pytest
from flint import fmpq
from sympy import Abs, Piecewise, Rational, log, sqrt

from boundcheck import Claim, Source, UpToConstant
from boundcheck.checker import by_place as writing
from boundcheck.checker.by_place import FORMS
from boundcheck.checker.placed import BY_PLACE, fails_by_place, placeable, world_of
from boundcheck.checks.base import Task, budget_named
from boundcheck.checks.endless import by_place
from boundcheck.errors import WitnessError
from boundcheck.expressions import (
    greatest,
    index,
    indicator,
    inner,
    largest_entry,
    least,
    norm,
    parameter,
    table,
    total,
    world,
)
from boundcheck.settings import matrices as M
from boundcheck.witness import confirm, seal
from boundcheck.worlds import Integer, Matrix, Real, Vector

PLACE = Source("A", 2000, "T").at("here")
n, m = (world(name, Integer(1, searched=4)) for name in "nm")
a, b, u = world("a", Vector(n)), world("b", Vector(n, 0)), world("u", Vector(n, 0, 1))
i, j = index("i", n), index("j", n)
t = parameter("t", Real(0, None, open_low=True))
before = total(indicator(j <= i) * b[j], j)
FALSE = {
    "harmonic weights": total(b[i] / (i + 1), i) <= greatest(b[i], i),
    "at most one": total(u[i] / (i + 1), i) <= 1,
    "beside a number": total(Abs(a[i]) / (i + 1), i) <= t * greatest(Abs(a[i]), i),
    "rising weights": total((i + 1) * b[i], i) <= sqrt(n) ** 3 * greatest(b[i], i),
    "a weighted norm": total(b[i], i) <= sqrt(total((i + 1) * b[i] ** 2, i)),
    "distances": total(a[i] * a[j] / (1 + Abs(i - j)), i, j) <= inner(a, a),
    "two vectors": total(a[i] * b[j] / (1 + Abs(j - i)), i, j) <= norm(a) * norm(b),
    "means of the first": total(before / (i + 1), i) <= total(b[i], i),
    "sums of the first": greatest(Abs(total(indicator(i >= j) * a[j], j)), i)
        <= norm(a) * sqrt(log(n + 1)),
    "shares of the first": total(b[i] / before, i) <= sqrt(log(n + 1)),
    "by cases": total(Piecewise((a[j], j < i), (0, True)), j, i) <= n * norm(a),
    "a table": norm(table((i + 1) * b[i], i)) <= n * greatest(b[i], i),
}  # fmt: skip
TRUE = {
    "harmonic weights": total(b[i] / (i + 1), i) <= log(n + 2) * greatest(b[i], i),
    "squares": total(b[i] / (i + 1) ** 2, i) <= greatest(b[i], i),
    "against a norm": total(b[i] / (i + 1), i) <= norm(b),
    "a weighted norm":
        total(b[i], i) <= sqrt(log(n + 2)) * sqrt(total((i + 1) * b[i] ** 2, i)),
    "distances": total(a[i] * a[j] / (1 + Abs(i - j)) ** 2, i, j) <= inner(a, a),
    "Hardy": total(before**2 / (i + 1) ** 2, i) <= total(b[i] ** 2, i),
    "AdaGrad": total(b[i] / sqrt(before), i) <= sqrt(total(b[i], i)),
    "sums of the first": greatest(Abs(total(indicator(j <= i) * a[j], j)), i) <= sqrt(n) * norm(a),
    "the least": n * least(b[i], i) <= total(b[i], i),
}  # fmt: skip


def claim_of(relation, given=(), depends=()):
    return Claim(PLACE, UpToConstant(relation, depends=depends), given=given)


def ways(claim, forms, many=3, **rest):
    chosen = dict.fromkeys(placeable(claim, "n"), forms)
    return fails_by_place(claim, world_of(rest, "n", chosen, many), "n", chosen)


@pytest.mark.parametrize("name", FALSE)
def test_what_fails_by_place_is_refuted(name):
    claim = claim_of(FALSE[name])
    found = by_place(Task("mine/it", claim, budget_named("quick")))
    assert found.outcome == "refuted" and found.witness.extra["move"] == BY_PLACE
    document = seal(found.witness.as_json())
    assert "confirmed  no constant serves" in str(confirm(document, {"mine/it": claim}))
    first, *_ = found.witness.extra["forms"]
    for extra in ({"repeated": "e"}, {"move": "copies"}, {"forms": {}}, {"forms": [first]},
                  {"forms": {first: 1}}, {"forms": {first: "least"}}):  # fmt: skip
        forged = {**document, "extra": {**document["extra"], **extra}}
        with pytest.raises(WitnessError):
            confirm(seal(forged), {"mine/it": claim})


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_not_refuted(name):
    claim = claim_of(TRUE[name])
    assert by_place(Task("mine/it", claim, budget_named("quick"))) is None


@pytest.mark.parametrize(("given", "holds"), [
    ([n >= 2], True), ([norm(b) <= n], True), ([greatest(b[i], i) <= 1], True),
    ([n <= 9], False), ([norm(b) <= 2], False), ([total(b[i] / (i + 1), i) <= 2], False),
    ([least(b[i], i) <= Rational(1, 2)], False), ([b[0] >= 1], False),
])  # fmt: skip
def test_hypotheses_hold_at_every_size(given, holds):
    claim = claim_of(FALSE["harmonic weights"], given)
    assert bool(ways(claim, "ones")) is holds


@pytest.mark.parametrize(("field", "met"), [
    (Vector(n, 0, 1), "ones falling first"), (Vector(n, 0, 1, open_low=True), "ones falling"),
    (Vector(n, 0, 1, open_high=True), ""), (Vector(n, 1), "ones rising"),
    (Vector(n, -1, t), ""), (Vector(n, 0, Rational(1, 2)), ""), (Vector(n, 2), ""),
    (Vector(n, 1, open_low=True), ""), (Vector(n, 0, 100), "ones falling first"),
    (Vector(n), "ones falling first rising"),
])  # fmt: skip
def test_entries_lie_in_their_domain(field, met):
    v = world("v", field)
    claim = claim_of(n ** Rational(1, 4) * total((i + 1) ** 2 * v[i] ** 2, i) <= t * inner(v, v))
    assert " ".join(form for form in FORMS if ways(claim, form, t=fmpq(1))) == met


def test_only_vectors_of_a_size_without_end_are_written():
    assert placeable(claim_of(total(a[i], i) <= norm(a)), "n") == ["a"]
    assert placeable(claim_of(total(a[i], i) <= norm(a), depends=("a",)), "n") == []
    ended, square = world("n", Integer(1, 9)), world("S", Matrix(n, n))
    v, k = world("v", Vector(ended)), index("k", ended)
    assert placeable(claim_of(total(v[k], k) <= norm(v)), "n") == []
    mixed = claim_of(total(a[i], i) <= norm(a) + total(square[i, j], i, j))
    assert placeable(mixed, "n") == []
    assert placeable(claim_of(largest_entry(M.square("S")) <= 1), "d") == []


def test_the_world_that_is_shown_is_written_so():
    claim, chosen = claim_of(FALSE["harmonic weights"]), {"b": "ones"}
    shown = world_of({}, "n", chosen, 4)
    assert fails_by_place(claim, shown, "n", chosen)
    for other in ({"b": (fmpq(1), fmpq(1), fmpq(1), fmpq(2))}, {"n": 2, "b": (fmpq(1),) * 2}):
        assert not fails_by_place(claim, {**shown, **other}, "n", chosen)


def test_what_is_written_must_be_the_claim(monkeypatch):
    """A wrong closed sum gives a law all the same; the values tell that it is of another claim."""
    claim = claim_of(total((i + 1) * b[i], i) <= sqrt(n) ** 3 * greatest(b[i], i))
    assert ways(claim, "ones")
    closed = writing._closed
    monkeypatch.setattr(writing, "_closed", lambda *args: 2 * closed(*args))
    assert not ways(claim, "ones")
