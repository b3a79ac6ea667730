"""The second judge of worlds: what it calls false is false, at edges too, and it is asked."""

import pytest
from flint import fmpq
from sympy import And, Eq, Implies, Or, log, sqrt

from boundcheck import Claim, Expected, Holds, Source, UpToConstant, WithProbability, witness
from boundcheck.checker import judge
from boundcheck.errors import WitnessError
from boundcheck.expressions import outcome, parameter, world
from boundcheck.library import Library
from boundcheck.setting import Setting
from boundcheck.worlds import Custom, Integer, Listed, Real, Signs

PLACE = Source("Nobody", 2000, "Worlds of known truth").at("here")
HALF = fmpq(1, 2)
x = parameter("x", Real(0, 1))
t = parameter("t", Real(None, None))
n = world("n", Integer(1, searched=3))
xi = outcome("xi", Signs("xi", n))
head = (1 + xi[0]) / 2  # 0 or 1, equally likely
LAW = [(fmpq(1, 4), {"coin": 1}), (fmpq(3, 4), {"coin": 0})]
coin = outcome("coin", Listed(("coin",), lambda n: LAW), rank=0, needs=(n,))


def claim(statement, **more):
    return Claim(PLACE, statement, **more)


FALSE = {
    "an inequality": (Holds(t**2 <= t), {"t": fmpq(2)}),
    "one member of several": (Holds(And(t <= 3, sqrt(t) >= 2)), {"t": fmpq(1)}),
    "beside a member without value": (Holds(And(log(-t) <= 3, t <= 0)), {"t": fmpq(1)}),
    "under a premise": (Holds(Implies(t > 0, t > 1)), {"t": HALF}),
    "irrational by a hair": (Holds(sqrt(t) <= fmpq(3, 2)), {"t": fmpq(9, 4) + fmpq(1, 10**60)}),
    "too likely": (WithProbability(fmpq(3, 4), head <= 0), {"n": 1}),
    "at one outcome": (Holds(head <= 0), {"n": 1}),
    "in the mean": (Expected(head <= fmpq(2, 5)), {"n": 2}),
    "for every constant": (UpToConstant(t <= 1 - t), {"t": fmpq(1)}),
    "for every constant in the mean": (
        UpToConstant(Expected(head <= t * head)), {"n": 1, "t": fmpq(0)}
    ),
}  # fmt: skip
NOT_FALSE = {
    "at equality": (Holds(t**2 <= t), {"t": fmpq(1)}),
    "premise false": (Holds(Implies(t > 1, t > 2)), {"t": HALF}),
    "an alternative": (Holds(Or(t > 1, t < 1)), {"t": HALF}),
    "as likely as allowed": (WithProbability(HALF, head <= 0), {"n": 1}),
    "the mean at equality": (Expected(head <= HALF), {"n": 2}),
    "the mean of an uneven law": (Expected(coin <= fmpq(1, 4)), {"n": 1}),
    "some constant serves": (UpToConstant(t <= 1 - t), {"t": HALF}),
    "no positive left side": (UpToConstant(t <= -(t**2)), {"t": fmpq(-2)}),
    "some constant serves the mean": (
        UpToConstant(Expected(head <= t * head)), {"n": 1, "t": HALF}
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_called_false(name):
    statement, values = FALSE[name]
    assert judge.is_false(claim(statement), values)


@pytest.mark.parametrize("name", NOT_FALSE)
def test_what_is_not_is_not(name):
    statement, values = NOT_FALSE[name]
    assert not judge.is_false(claim(statement), values)


def test_a_constant_mends_what_has_a_positive_right_side():
    for start, false in ((0, True), (1, False)):
        below = claim(UpToConstant(1 <= sqrt(t) * 10**-9))
        assert judge.is_false(below, {"t": fmpq(start)}) is false
    assert not judge.is_false(claim(UpToConstant(-t <= -2 * t - 1)), {"t": fmpq(1)})


def test_a_lost_member_is_said():
    lost = claim(Holds(And(log(t) <= 3, t <= 0)))
    assert judge.has_no_value(lost, {"t": fmpq(0)})
    assert not judge.has_no_value(lost, {"t": fmpq(1)})
    assert judge.has_no_value(claim(Holds(head <= log(head))), {"n": 1})


def test_a_law_that_does_not_sum_to_one_refutes_nothing():
    part = outcome("part", Listed(("part",), lambda n: [(HALF, {"part": 2})]), rank=0, needs=(n,))
    assert not judge.is_false(claim(Holds(part <= 1)), {"n": 1})


def test_domains_and_hypotheses():
    stated = claim(Holds(x <= 0), given=[x < HALF])
    assert judge.is_admissible(stated, {"x": fmpq(0)})
    for values in ({"x": HALF}, {"x": fmpq(-1)}, {}, {"x": fmpq(0), "y": 1}):
        assert not judge.is_admissible(stated, values)
    free = world("free", Custom(lambda source, earlier: 1), rank=0)
    assert not judge.is_admissible(claim(Holds(free <= 0)), {"free": 1})
    lost = claim(Holds(t <= 1), given=[log(t) >= 0])
    assert not judge.is_admissible(lost, {"t": fmpq(-1)})


@pytest.mark.parametrize("careless", ["certify", "failed_hypothesis"])
def test_an_error_of_the_first_judge_confirms_nothing(careless, monkeypatch):
    stated = claim(Holds(Eq(x, x**2)), given=[x < HALF])
    values = {"x": fmpq(1)} if careless == "failed_hypothesis" else {"x": fmpq(0)}
    shown = {"left": "1", "right": "1"}
    monkeypatch.setattr(witness, "certify", lambda setting: (True, shown))
    if careless == "failed_hypothesis":
        monkeypatch.setattr(Setting, "failed_hypothesis", lambda self: None)
        monkeypatch.setattr(judge, "is_false", lambda *_: True)
    document = {"claim": "a/b:c", "fingerprint": stated.fingerprint(), "kind": "exact",
                "values": {"x": {"q": "1/1"}}, "shown": shown, "extra": {}}  # fmt: skip
    from boundcheck.encoding import encode

    document["values"] = {name: encode(value) for name, value in values.items()}
    with pytest.raises(WitnessError, match="not confirmed a second time"):
        witness.confirm(document, Library(None, {"a/b:c": stated}))
