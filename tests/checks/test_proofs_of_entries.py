"""Proofs about vectors and matrices of any size, in entries: nothing false is proved."""

import json
from dataclasses import replace

import pytest
from sympy import And, Eq

from boundcheck import Claim, Expected, Holds, Source
from boundcheck.certificates.document import certificate, recheck
from boundcheck.certificates.search import prove
from boundcheck.certificates.statement import read_problem, verify
from boundcheck.certificates.terms import Rejected
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.checks.proofs.attempt import Case
from boundcheck.checks.proofs.certified import problems_of
from boundcheck.checks.proofs.definite import regular
from boundcheck.checks.proofs.definitions import cases
from boundcheck.checks.proofs.places import NoSum
from boundcheck.errors import WitnessError
from boundcheck.expressions import form, identity, inner, outer, pick, trace, world
from boundcheck.expressions.nodes import total
from boundcheck.quantities.rkhs import squared_norm_of_values
from boundcheck.settings.averaged_sgd import M, counts, k_th, phi, tau
from boundcheck.settings.random_features import (
    E_feature,
    b,
    fixed,
    fixed_features,
    peak,
    psi,
    ridge,
    s,
    test,
    v,
)
from boundcheck.settings.rkhs import K, n
from boundcheck.worlds import Symmetric, Vector

PLACE = Source("Test", 2026, "Entries").at("here")
Kx, k, k_ = fixed_features.K, fixed_features.k(test), fixed_features.k_(test)
w, drawn = world("w", Vector(fixed_features.n)), fixed.K_
c, d = world("c", Vector(n)), world("d", Vector(n))
S = world("S", Symmetric(n), rank=2)
alpha = fixed.alpha
BOUNDED = [peak <= b]
second = total(counts[k_th] ** 2, k_th)
TRUE = {
    "mean of the drawn kernel": (Expected(Eq(inner(k_, w), inner(k, w))), []),
    "mean of a matrix": (Expected(Eq(outer(k_, w), outer(k, w))), []),
    "variance of the drawn kernel": (
        Expected(inner(k_ - k, w) ** 2 <= b / s * form(Kx, w) - inner(k, w) ** 2 / s), BOUNDED),
    "second moment of counts": (
        Expected(Eq(second, M + M * (M - 1) * total(tau[k_th] ** 2, k_th))), []),
    "a kernel is semi-definite": (Holds(form(Kx, alpha) >= 0), []),
    "norm of values": (
        Holds(Eq(squared_norm_of_values(K, K * c + K * d) - squared_norm_of_values(K, K * c),
                 form(K, d) + 2 * inner(c, K * d))), []),
    "symmetric": (Holds(Eq(inner(c, S * d), inner(S * c, d))), []),
    "powers": (Holds(Eq(form(S**2, c), inner(S * c, S * c))), []),
}  # fmt: skip
FALSE = {
    "mean of a square": (Expected(Eq(inner(k_, w) ** 2, inner(k, w) ** 2)), []),
    "no bound on the features": (
        Expected(inner(k_ - k, w) ** 2 <= b / s * form(Kx, w) - inner(k, w) ** 2 / s), []),
    "variance too small": (
        Expected(inner(k_ - k, w) ** 2 <= b / s * form(Kx, w) - inner(k, w) ** 2), BOUNDED),
    "variance halved": (
        Expected(2 * inner(k_ - k, w) ** 2 <= b / s * form(Kx, w) - inner(k, w) ** 2 / s),
        BOUNDED),
    "one feature for all": (
        Expected(Eq(inner(k_, w) ** 2, E_feature(psi[test, v] ** 2) * form(Kx, w))), []),
    "counts squared": (Expected(Eq(second, M**2 * total(tau[k_th] ** 2, k_th))), []),
    "counts without pairs": (Expected(Eq(second, M)), []),
    "at every draw": (Holds(Eq(inner(k_, w), inner(k, w))), []),
    "definite": (Holds(form(Kx, alpha) > 0), []),
    "any symmetric matrix": (Holds(form(S, c) >= 0), []),
    "square of a trace": (Holds(trace(K) ** 2 <= trace(K**2)), []),
    "norm of values, linear": (
        Holds(Eq(squared_norm_of_values(K, K * c + K * d),
                 squared_norm_of_values(K, K * c) + squared_norm_of_values(K, K * d))), []),
    "norm of other values": (Holds(Eq(squared_norm_of_values(K, S * c), form(S, c))), []),
    "another order": (Holds(Eq(form(K * S, c), form(S**2, c))), []),
    "transposed": (Holds(Eq(outer(c, d), outer(d, c))), []),
    "other training targets": (Holds(Eq(alpha, fixed.y)), []),
    "reversed": (Expected(inner(k_ - k, w) ** 2 >= b / s * form(Kx, w)), BOUNDED),
}  # fmt: skip


def claim_of(stated):
    statement, given = stated
    return Claim(PLACE, statement, given=given)


def problem(stated):
    claim = claim_of(stated)
    return problems_of(Case(Task("", claim, BUDGETS["quick"]), next(cases(claim))))[-1:]


@pytest.fixture(scope="module")
def proved():
    found = {name: problem(stated)[0] for name, stated in TRUE.items()}
    return {name: (what, json.loads(json.dumps(prove(what, work=6_000))))
            for name, what in found.items()}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_have_certificates(name, proved):
    what, proofs = proved[name]
    assert proofs is not None
    assert verify(read_problem(json.loads(json.dumps(what.as_json()))), proofs) > 0


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_have_none_and_no_other_certificate_serves(name, proved):
    for what in problem(FALSE[name]):
        assert prove(what, work=600) is None
        for _, proofs in proved.values():
            with pytest.raises((Rejected, KeyError, ValueError, TypeError)):
                verify(what, proofs)


def test_numbers_of_a_certificate_cannot_be_changed(proved):
    what, proofs = proved["variance of the drawn kernel"]
    text = json.dumps(proofs)
    places = [i for i, sign in enumerate(text) if sign.isdigit() and text[i - 1] == '"']
    failed = 0
    for place in places[:: max(len(places) // 12, 1)]:
        other = text[:place] + str((int(text[place]) + 1) % 10) + text[place + 1 :]
        try:
            verify(what, json.loads(other))
        except Exception:  # any refusal will do
            failed += 1
    assert failed == len(places[:: max(len(places) // 12, 1)])


def test_a_certificate_of_another_premise_is_refused(proved):
    what, proofs = proved["variance of the drawn kernel"]
    with pytest.raises(Rejected):
        verify(replace(what, premises=()), proofs)
    claim = claim_of(TRUE["variance of the drawn kernel"])
    document = certificate("here", claim, 1, [
        {"fixed": {}, "problem": what.as_json(), "proofs": proofs}])  # fmt: skip
    assert recheck(document, claim).lines
    other = claim_of(FALSE["no bound on the features"])
    with pytest.raises(WitnessError, match="not the claim of this certificate"):
        recheck(document, other)
    moved = document | {"fingerprint": other.fingerprint()}
    with pytest.raises(WitnessError, match="other premises"):
        recheck(moved, other)


def test_an_inverse_exists_only_by_form():
    fields = {"K": next(iter(cases(claim_of(TRUE["norm of values"])))).fields["K"]}
    I = identity(n)
    assert regular(fields, K + ridge * I) == [ridge > 0]
    for base in (K, K - ridge * I + S, S + ridge * I, K * S + I, K + outer(c, d) + I):
        with pytest.raises(NoSum):
            regular(fields, base)
    assert set(regular(fields, ridge * K + I)) >= {ridge >= 0}


def test_conjunctions_are_shown_member_by_member(proved):
    both = Holds(And(form(Kx, alpha) >= 0, form(Kx, w) >= 0)), []
    (what,) = problem(both)
    assert len(what.targets()) >= 2
    assert prove(what, work=6_000) is not None
    broken = Holds(And(form(Kx, alpha) >= 0, form(Kx, w) > 0)), []
    assert prove(problem(broken)[0], work=600) is None


def test_a_solution_at_drawn_places_is_no_constant():
    stated = Expected(Eq(inner(pick(alpha, fixed.X), w), inner(alpha, w))), []
    assert all(prove(what, work=600) is None for what in problem(stated))


def test_entries_are_those_of_the_same_feature():
    assert all(prove(what, work=600) is None
               for what in problem((Holds(Eq(phi.T * phi, phi * phi.T)), [])))  # fmt: skip
