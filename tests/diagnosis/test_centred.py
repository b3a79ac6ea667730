"""One side of a statement knows the origin of a variable, the other does not."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from flint import fmpq
from sympy import Abs, exp

from boundcheck import Claim, Holds, Source
from boundcheck.diagnosis import diagnose
from boundcheck.diagnosis.centred import of_origins
from boundcheck.diagnosis.grade import CENTRED, DIVIDING, MIRRORED, is_meant
from boundcheck.diagnosis.hypotheses import hypotheses
from boundcheck.diagnosis.record import Repair
from boundcheck.diagnosis.related import MeanZero
from boundcheck.diagnosis.screen import Candidate
from boundcheck.expressions import greatest, inner, norm, parameter, world
from boundcheck.library import Library
from boundcheck.settings.scalar_laws import (
    E,
    P,
    Var,
    k,
    law,
    p,
    relative_entropy,
    t,
    values,
)
from boundcheck.worlds import Integer, Matrix, Real, Vector

HERE = Source("Folklore", 1900, "Statements").at("1")
X = values()[k]
a, b = (parameter(name, Real(None, None)) for name in "ab")
Y = values(a, b, name="y")[k]
WORLD = {"K": 2, "p": (fmpq(1, 3), fmpq(2, 3)), "x": (fmpq(1), fmpq(-2)), "t": fmpq(1),
         "a": fmpq(0), "b": fmpq(2), "y": (fmpq(1), fmpq(1, 2))}  # fmt: skip
CANTELLI, MOMENTS = P(X >= t) <= Var(X) / (Var(X) + t**2), E(X**2) <= E(Abs(X)) ** 2


def costs(relation, *changed):
    claim = Claim(HERE, Holds(relation))
    name = "x" if "x" in claim.fields else "y"
    seen = SimpleNamespace(setting=SimpleNamespace(values=WORLD))
    case = SimpleNamespace(claim=claim, explicit=True, worlds=[seen])
    weighted = {**claim.worlds.fields, name: MeanZero(claim.fields[name], "p")}
    centred = Claim(HERE, Holds(relation), worlds=type(claim.worlds)(**weighted))
    offered = [Candidate("mean zero", "hypothesis", 3.1, centred),
               *(Candidate(str(each), "constant", 2.4, Claim(HERE, Holds(each)))
                 for each in changed)]  # fmt: skip
    return [item.cost for item in of_origins(case, offered)]


def test_mean_zero_comes_nearer_where_one_side_alone_knows_the_origin():
    variance = 2 * E(X**2) - E(X) ** 2
    assert costs(CANTELLI, P(X >= t) <= variance / (variance + t**2)) == [CENTRED, 2.4 + 0.75]
    assert costs(CANTELLI, P(X >= t) <= 2 * Var(X) / (Var(X) + t**2)) == [CENTRED, 2.4]
    assert costs(MOMENTS, E(X**2) <= 3 * E(Abs(X)) ** 2) == [3.1, 2.4]  # both know it
    centred = P(X - E(X) >= t) <= Var(X) / (2 * t**2)
    assert costs(centred, P(X - E(X) >= t) <= Var(X) / t**2) == [3.1, 2.4]  # neither does
    assert costs(E(X) <= t) == [3.1]  # a number stays whatever is shifted


def test_numbers_that_bound_a_variable_are_shifted_with_it():
    assert costs(E(Y**2) <= (b - a) ** 2 / 4)[0] == CENTRED
    assert costs(E(exp(t * Y)) <= exp(t**2 * (b - a) ** 2 / 8))[0] == CENTRED
    assert costs(E((Y - a) ** 2) <= (b - a) ** 2 / 4)[0] == 3.1
    assert costs(E(Y**2) <= b**2)[0] == 3.1


def test_a_statement_of_the_library_comes_before_mean_zero():
    centred = Repair("mean zero", "", "hypothesis", CENTRED, "supported")
    number = Repair("2 for 1", "", "constant", 2.4, "supported", slack=1.0)
    assert is_meant(centred, number) and not is_meant(replace(centred, verdict="undecided"), number)
    assert not is_meant(centred, replace(number, written="a/b:c"))


def test_a_slip_far_off_comes_after_a_line_between_what_holds_and_what_fails():
    line = Repair("x <= y", "", "hypothesis", DIVIDING, "proved")
    far, near = (Repair("x**2", "", "symbol", DIVIDING + by, "proved") for by in (0.5, 0.3))
    assert is_meant(line, far) and not is_meant(line, near)
    assert not is_meant(replace(line, verdict="undecided"), far)


def test_what_is_asked_of_two_things_may_have_to_be_asked_the_other_way_round():
    """Of epsilon-private outputs p and q the relative entropy is at most epsilon^2 / 2, where
    neither is above e^epsilon times the other."""
    q, epsilon = law("q"), parameter("epsilon", Real(0, 3))
    above = greatest(p[k] - exp(epsilon) * q[k], k)
    claim = Claim(HERE, Holds(relative_entropy(p, q) <= epsilon**2 / 2), given=[above <= 0])
    (found,) = (item for item in hypotheses(claim) if item.mirrored)
    assert found.words == "the hypothesis greatest(-exp(epsilon)*p[k] + q[k], k) <= 0"
    assert found.claim.given[0] == claim.given[0] and len(found.claim.given) == 2
    alike = greatest(Abs(p[k] - q[k]), k)
    assert not any(item.mirrored for relation in (alike <= epsilon, epsilon <= 1)
                   for item in hypotheses(replace(claim, given=[relation])))  # fmt: skip
    n, d = (world(name, Integer(1, searched=3)) for name in "nd")
    u, v, A = world("u", Vector(n)), world("v", Vector(d)), world("A", Matrix(n, d))
    unlike = Claim(HERE, Holds(norm(u) <= norm(v)), given=[inner(u, A * v) <= 1])
    assert not any(item.mirrored for item in hypotheses(unlike))  # A u has no value
    other = Repair(found.words, "", "hypothesis", MIRRORED, "supported")
    slip = Repair("a term 1/2 beside epsilon**2/2", "", "symbol", 2.9, "supported")
    assert is_meant(other, slip) and not is_meant(replace(other, verdict="undecided"), slip)


@pytest.mark.long
def test_a_variable_that_is_not_centred_is_told(tmp_path):
    claim = Claim(HERE, Holds(CANTELLI))
    found = diagnose("a/b:c", Library(tmp_path, {"a/b:c": claim}))
    assert found.repairs[0].edit == "the hypothesis that x has mean zero"
    assert found.grade == "hypothesis"
