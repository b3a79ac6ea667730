"""True statements about values in their domain, accused by worlds outside it."""

import pytest
import sympy
from flint import fmpq, fmpq_mat

from boundcheck import Claim, Holds, Source, WithProbability, witness
from boundcheck.checks.base import Task, budget_named
from boundcheck.claim import Rescaling
from boundcheck.engine import verify
from boundcheck.errors import MalformedStatement, WitnessError
from boundcheck.expressions import define, parameter
from boundcheck.library import Library
from boundcheck.setting import Setting
from boundcheck.settings.continuous import E, P, exponential, normal
from boundcheck.worlds import (
    Custom,
    Indices,
    Integer,
    Matrix,
    Real,
    Space,
    Symmetric,
    Vector,
    Weights,
)

PLACE = Source("A", 2000, "T").at("here")
n, top, mean, t = sympy.symbols("n top mean t", real=True)


def forged(claim, values):
    """A witness as a forger writes it: the true numbers of a world that is none."""
    from boundcheck.certify import certify

    setting = Setting(claim, values)
    violated, shown = certify(setting)
    assert violated, "the forgery does not even violate the relation"
    task = Task("mine/it", claim, budget_named("quick"))
    return witness.seal(task.witness("exact", setting, shown).as_json())


def refusal(claim, values):
    library = Library.__new__(Library)
    object.__setattr__(library, "claims", {"mine/it": claim})
    with pytest.raises(WitnessError) as found:
        witness.confirm(forged(claim, values), library)
    assert "\n" not in str(found.value)
    return str(found.value)


def largest(table):
    return max(table.entries())


HALF = fmpq(1, 2)
ACCUSED = {
    "a table in [0, 1], accused at 10": (
        Claim(source=PLACE, statement=Holds(top <= 1), worlds=Space(table=Matrix(1, 2, 0, 1)),
              measure={top: largest}),
        {"table": fmpq_mat(1, 2, [10, 0])}, "table"),
    "Hoeffding at deviations of 9": (
        Claim(source=PLACE, statement=WithProbability(1 - sympy.exp(-2 * t**2), mean < t),
              given=[t > 0],
              worlds=Space(v=Vector(2, 0, 1), p=Weights(2)), parameters={t: Real(0, None)},
              measure={mean: lambda v, p, i: v[i[0]] - p[0] * v[0] - p[1] * v[1],
                       n: lambda p: 1}, draw=Indices("i", "p", "n")),
        {"v": (fmpq(0), fmpq(10)), "p": (HALF, HALF), "t": fmpq(4)}, "v"),
    "three values, accused at the fourth": (
        Claim(source=PLACE, statement=Holds(n <= 3), parameters={n: Integer(1, 3)}), {"n": 4}, "n"),
    "a symmetric matrix, accused at a shear": (
        Claim(source=PLACE, statement=Holds(sympy.Eq(top, 0)), worlds=Space(S=Symmetric(2)),
              measure={top: lambda S: S[0, 1] - S[1, 0]}),
        {"S": fmpq_mat(2, 2, [0, 1, 0, 0])}, "S"),
    "a law, accused at mass two": (
        Claim(source=PLACE, statement=Holds(sympy.Eq(top, 1)), worlds=Space(p=Weights(2)),
              measure={top: lambda p: p[0] + p[1]}), {"p": (fmpq(1), fmpq(1))}, "p"),
    "a field that says nothing": (
        Claim(source=PLACE, statement=Holds(top <= 1), measure={top: lambda c: c},
              worlds=Space(c=Custom(lambda source, world: source.rational(fmpq(0), fmpq(1))))),
        {"c": fmpq(2)}, "c does not say"),
    "a measured symbol overwritten": (
        Claim(source=PLACE, statement=Holds(top <= 1), worlds=Space(u=Real(0, 1)),
              measure={top: lambda u: u}), {"u": HALF, "top": fmpq(5)}, "top"),
}  # fmt: skip


@pytest.mark.parametrize("name", ACCUSED)
def test_a_world_outside_the_domain_accuses_nobody(name):
    claim, values, culprit = ACCUSED[name]
    assert culprit in refusal(claim, values)


@pytest.mark.parametrize("name", ACCUSED)
def test_a_setting_says_itself_that_it_is_no_world(name):
    claim, values, culprit = ACCUSED[name]
    assert culprit in Setting(claim, values).misfit()


def test_a_world_outside_the_hypotheses_accuses_nobody():
    claim = Claim(source=PLACE, statement=Holds(n <= 1), given=[n <= 1],
                  parameters={n: Real(0, 3)})  # fmt: skip
    assert "hypothesis n <= 1" in refusal(claim, {"n": fmpq(2)})


def test_a_world_that_was_built_is_asked_again_once_it_is_changed():
    claim, values, _ = ACCUSED["a table in [0, 1], accused at 10"]
    built = Setting(claim, {"table": fmpq_mat(1, 2, [1, 1])}, built=True)
    assert built.admissible() and not built.replaced(**values).admissible()


def test_a_family_named_in_the_file_excuses_no_world():
    claim, values, _ = ACCUSED["a table in [0, 1], accused at 10"]
    document = forged(claim, values)
    for extra in ({"family": "n grows"}, {"family": "n grows", "size": 4}, {"rescaling": "by s"}):
        library = Library.__new__(Library)
        object.__setattr__(library, "claims", {"mine/it": claim})
        with pytest.raises(WitnessError, match="table"):
            witness.confirm(witness.seal({**document, "extra": extra}), library)


def test_a_rescaling_that_leaves_the_domain_of_a_field_refutes_nothing():
    """Weights that are doubled are no weights: the statement holds for all that are."""
    for powers, space, quantity in (
        ({"rho": 1}, Space(rho=Weights(1)), lambda rho: rho[0]),
        ({"table": 1}, Space(table=Matrix(1, 1, 0, 1)), lambda table: table[0, 0]),
        ({"v": 2}, Space(v=Vector(2, -1, 1)), lambda v: max(v)),
    ):
        claim = Claim(source=PLACE, statement=Holds(top <= 1), worlds=space,
                      measure={top: quantity}, rescalings=[Rescaling("by s", powers)])  # fmt: skip
        verdict = verify("mine/it", claim, controls=False)
        assert verdict.outcome not in ("refuted", "malformed"), str(verdict)


def test_a_rescaling_inside_the_domain_still_refutes():
    claim = Claim(
        source=PLACE, statement=Holds(top <= 100), worlds=Space(v=Vector(2)),
        measure={top: max_of}, rescalings=[Rescaling("by s", {"v": 1})],
    )  # fmt: skip
    assert verify("mine/it", claim, controls=False).outcome == "refuted"


def max_of(v):
    return max(v)


def test_a_claim_with_a_field_that_says_nothing_is_never_refuted():
    field = Custom(lambda source, world: source.rational(fmpq(0), fmpq(3)))
    claim = Claim(source=PLACE, statement=Holds(top <= 1), worlds=Space(c=field),
                  measure={top: lambda c: c})  # fmt: skip
    verdict = verify("mine/it", claim, controls=False)
    assert verdict.outcome == "undecided" and "does not say" in verdict.summary


H = parameter("H", Real(0, None, open_low=True))
Z, X, Y = normal("Z"), exponential("X", H), normal("Y")
CLOSED = {  # true of any H but zero, or of no law
    "by a name": P(H * Z >= 1, Z) <= sympy.Rational(1, 2),
    "in a sum": 2 * P(H * Z >= 1, Z) - 1 <= 0,
    "in a definition": define("tail", P(H * Z >= 1, Z) + 0 * H) <= sympy.Rational(1, 2),
    "in another mean": E(P(H * Z >= 1, Z) * Y**2, Y) <= sympy.Rational(1, 2),
    "of a law": E(X, X) >= 0,
}


@pytest.mark.parametrize("name", CLOSED)
def test_a_closed_form_is_of_the_domain_it_was_made_for(name):
    """P(H Z >= 1) is P(Z >= 1 / H) for positive H only."""
    own = Claim(PLACE, Holds(CLOSED[name]))
    assert verify("mine/it", own, controls=False).outcome in ("proved", "supported")
    with pytest.raises(MalformedStatement, match="takes H as positive"):
        Claim(PLACE, Holds(CLOSED[name]), domains={H: Real(-2, 2)}, given=[sympy.Ne(H, 0)])
    Claim(PLACE, Holds(CLOSED[name]), domains={H: Real(1, 2)})
