"""Values of a law that its atoms of positive weight have: laws of false claims, none of others."""

from itertools import product

import pytest
from flint import fmpq
from sympy import sqrt

from boundcheck import Claim, Source, witness
from boundcheck.checker.atoms import MOST
from boundcheck.checker.judge import Place
from boundcheck.checker.spreads import Spread, law_of
from boundcheck.checker.writing import Unwritten
from boundcheck.checker.written import Written
from boundcheck.checks.base import Task, budget_named
from boundcheck.checks.trend import run
from boundcheck.claim import UpToConstant
from boundcheck.errors import WitnessError
from boundcheck.expressions import greatest
from boundcheck.library import Library
from boundcheck.settings.scalar_laws import E, Var, k, largest, median, smallest, values

PLACE = Source("A", 2024, "Example").at("1")
x = values(low=0, open_low=True)
X = x[k]
ZERO, ONE, HALF, THREE = fmpq(0), fmpq(1), fmpq(1, 2), fmpq(3)
UP = {"x[0]": (ONE, ZERO)}
RARE = {"p[0]": (-ONE, ZERO), "p[1]": (-ONE, ONE)}  # where it has none, it gets none
AWAY = {"p[0]": (-ONE, HALF), "p[1]": (-ONE, HALF)}  # from no mass to half of it


def claim_of(relation, *given):
    return Claim(PLACE, UpToConstant(relation), given=given)


def spread_of(moves, first=HALF, start=(THREE, ONE), size="", copied=()):
    return Spread({"K": 2, "p": (first, 1 - first), "x": start}, moves, size, copied)


FALSE = [
    (E(X) * E(1 / X) <= sqrt(largest(x) / smallest(x)), spread_of(UP)),
    (largest(x) <= E(X), spread_of(RARE | UP)),
    (largest(x) <= E(X), spread_of(RARE | UP, size="K", copied=(1,))),
    (greatest(X, k) <= largest(x), spread_of(UP, ZERO)),
    (E(X) <= median(x), spread_of({"x[1]": (ONE, ZERO)}, fmpq(3, 4), (ONE, THREE))),
    (E(X) <= median(x), spread_of(UP)),
    (median(x) <= smallest(x), spread_of(UP, fmpq(3, 4))),
    (E(X) <= median(x), spread_of(UP, size="K", copied=(1,))),
]  # fmt: skip
TRUE = [
    (E(X) * E(1 / X) <= largest(x) / smallest(x), spread_of(UP)),
    (E(X) <= largest(x), spread_of(RARE | UP)),
    (largest(x) <= 2 * E(X), spread_of(UP)),
    (E(X) <= largest(x), spread_of(UP, ZERO)),
    (Var(X) <= (largest(x) - smallest(x)) ** 2, spread_of(UP)),
    (median(x) <= E(X), spread_of(UP, fmpq(3, 4))),
    (median(x) <= 2 * E(X), spread_of({}, size="K", copied=(0,))),
    ((E(X) - median(x)) ** 2 <= Var(X), spread_of(RARE | UP)),
]  # fmt: skip
# Atoms without mass at t = 1 or for ever, and values that change places: true claims of what seems
# to grow where the atoms of t = 1 are taken, or all of them.
CHANGING = [
    (E(X) <= largest(x), spread_of(AWAY | UP, ZERO)),
    (largest(x) <= 1 + E(X), spread_of(RARE | UP, ZERO)),
    (largest(x) <= 1 + E(X), spread_of(UP, ZERO)),
    (E(X) <= median(x) + largest(x), spread_of(AWAY | UP, ZERO)),
    (median(x) <= smallest(x), spread_of(UP, HALF, (HALF, ONE))),
]  # fmt: skip


@pytest.mark.parametrize(("relation", "spread"), FALSE)
def test_false_orders_have_a_law(relation, spread):
    assert law_of(claim_of(relation), spread)


@pytest.mark.parametrize(("relation", "spread"), [*TRUE, *CHANGING])
def test_true_orders_have_none(relation, spread):
    assert not law_of(claim_of(relation), spread)


@pytest.mark.parametrize("made", [smallest, largest, median])
@pytest.mark.parametrize("first", [ZERO, fmpq(1, 4), HALF, fmpq(3, 4), ONE])
def test_what_is_written_out_is_the_value_of_the_world(made, first):
    starts = (THREE, ONE), (ONE, THREE), (ONE, ONE)
    for start, moves, size in product(starts, [UP, {}], ["", "K"]):
        written = Written(claim_of(made(x) <= 1), spread_of(moves, first, start, size, (1,)))
        for octaves in range(3):
            numbers = written.ray.at(octaves)
            whole = Place(written.whole, written.world(numbers)).value(made(x))
            assert Place(written.claim, numbers).value(
                written.claim.statement.relation.lts) == whole  # fmt: skip


def test_growth_is_found_where_a_claim_speaks_of_values_with_mass():
    claim, true = (claim_of(E(X) * E(1 / X) <= right) for right in (
        sqrt(largest(x) / smallest(x)), largest(x) / smallest(x)))  # fmt: skip
    found = run(Task("a/b:c", claim, budget_named("quick")))
    assert (found.outcome, found.kind) == ("refuted", "trend"), found.detail
    document = found.witness.as_json()
    assert "for every t" in str(witness.confirm(witness.seal(document), library_of(claim)))
    forged = {**document, "fingerprint": true.fingerprint()}
    with pytest.raises(WitnessError):
        witness.confirm(witness.seal(forged), library_of(true))


def library_of(claim):
    library = Library.__new__(Library)
    object.__setattr__(library, "claims", {"a/b:c": claim})
    return library


def test_a_law_of_many_atoms_has_no_median_written_out():
    count = MOST + 1
    start = {"K": count, "p": (fmpq(1, count),) * count, "x": (ONE,) * count}
    with pytest.raises(Unwritten):
        Written(claim_of(median(x) <= 1), Spread(start, UP)).law()
