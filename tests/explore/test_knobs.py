"""The constants of claims whose definitions share parts."""

from sympy import Integer, Rational

from boundcheck import Claim, Holds
from boundcheck.explore.knobs import knobs
from boundcheck.explore.leaving import hypotheses
from boundcheck.expressions import define, inner, norm, parameter, world
from boundcheck.library import load_library
from boundcheck.worlds import Matrix, Real, Vector

A, v = world("A", Matrix(2, 2)), world("v", Vector(2))
bound = parameter("bound", Real(0, None))


def shared():
    """A v stands in three parts, A^T A v in two: each is computed once."""
    return Claim(
        "a page", Holds(norm(A * v) <= 3 * bound),
        given=[inner(A * v, v) <= 2 * bound, norm(A.T * A * v) <= bound],
    )  # fmt: skip


def test_claims_made_of_one_with_shared_parts_bind_them_anew():
    assert shared().shared  # else this tests nothing
    assert [k.kind for k in knobs(shared())] == ["factor", "threshold"]
    for _, without in hypotheses(shared()):
        assert without.fingerprint() != shared().fingerprint()


def test_constants_of_a_statement_with_shared_definitions():
    claim = load_library(None, ["livni2017/lemma_3"])["livni2017/lemma_3:printed"]
    assert claim.shared and all(knob.turned(knob.printed) for knob in knobs(claim))


def test_numbers_that_a_source_fixes_have_no_constants():
    rate, steps = define("rate", Rational(1, 20)), define("steps", Integer(200))
    fixed = Claim("a page", Holds(steps <= 3 / rate**2), given=[bound <= 2])
    assert [k.kind for k in knobs(fixed)] == ["threshold"]
    beside = Claim("a page", Holds(bound <= 3 * bound + steps**2))
    assert {str(k.beside) for k in knobs(beside)} == {"3*bound + steps**2", "bound"}
