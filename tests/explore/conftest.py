"""Claims in the shape of the library's, small enough to know every answer by hand."""

import pytest
import sympy
from sympy import And, Eq, Max, Min, Rational, exp, log, sqrt, symbols

from boundcheck import Claim, Holds, Source
from boundcheck.claim import UpToConstant, WithProbability
from boundcheck.worlds import Choice, Integer, Real, Space, Vector

M, T, t, n, s, m, B, p = symbols("M T t n s m B p", real=True)
gamma, lam, delta, xi, eta, R, norm, excess = symbols(
    "gamma lambda delta xi eta R norm excess", real=True
)
PLACE = Source("A", 2024, "Example", edition="first").at("Theorem 1")
OTHER = Source("A", 2024, "Example", edition="second").at("Theorem 1")


def features(**changes):
    """M from xi, xi from p: exponents that explode as p goes to 1."""
    fields = {
        "source": PLACE,
        "statement": Holds(xi >= 1 / M),
        "given": [Max(8 * (R / xi) ** 2 / 3, 32 * (R / xi) ** 4) * log(2 / delta) <= M, R > 0],
        "parameters": {
            M: Integer(1, searched=10**6), xi: Real(0, None, open_low=True),
            delta: Real(0, 1, open_low=True, open_high=True),
        },
        "worlds": Space(phi=Vector(2)),
        "measure": {R: lambda phi: max(abs(v) for v in phi)},
    }  # fmt: skip
    return Claim(**{**fields, **changes})


def margin(delta):
    """log((1 + 2 delta) / (1 - 2 delta))."""
    from boundcheck.exact import logarithm

    return logarithm((1 + 2 * delta) / (1 - 2 * delta))


def iterations(**changes):
    """T inside a maximum, gamma coupled to the first step eta, m measured from delta."""
    fields = {
        "source": PLACE,
        "statement": WithProbability(
            1 - delta,
            excess <= 2 * exp(-(lam**2) * (2 * gamma + t) * m**2 / (2**12 * 9)),
        ),
        "given": [
            And(delta > 0, delta < Rational(1, 2)), lam > 0,
            Max(36 / (lam**2 * (2 * gamma + T)),
                gamma * (gamma - 1) * norm**2 / ((2 * gamma + T) * (T + 1))) <= m**2 / 64,
            eta <= Min(4, 1 / (2 * lam)),
            t >= T,
        ],
        "parameters": {
            gamma: Real(1, 10**9), lam: Real(0, None, open_low=True), T: Integer(1, searched=3),
            t: Integer(1, searched=4), delta: Real(0, "1/2"),
        },
        "worlds": Space(phi=Vector(2)),
        "measure": {
            eta: lambda lambda_, gamma: 2 / (lambda_ * (gamma + 1)), m: margin,
            norm: lambda phi: phi[0] ** 2, excess: lambda phi, t: phi[1] ** 2 / t,
        },
        "trivial": sympy.Integer(1),
    }  # fmt: skip
    return Claim(**{**fields, **changes})


def ridge(**changes):
    """A greatest s or n in the same condition as a least lambda."""
    fields = {
        "source": PLACE,
        "statement": Holds(excess <= 4 * B / s),
        "given": [lam >= 2 * B / sqrt(n) * sqrt(log(s / delta)), B > 0],
        "parameters": {
            lam: Real(0, None), n: Integer(1, searched=100), s: Integer(1, searched=100),
            B: Real(0, None),
            delta: Real(0, 1, open_low=True, open_high=True),
        },
        "worlds": Space(phi=Vector(2), loss=Choice(("logistic", "hinge"))),
        "measure": {excess: lambda phi: phi[0] ** 2},
    }  # fmt: skip
    return Claim(**{**fields, **changes})


def budget(**changes):
    """m is fixed by an equation, and T by a target."""
    fields = {
        "source": PLACE,
        "statement": Holds(excess <= B * sqrt(T)),
        "given": [Eq(m, B**4 * T * log(B * T)), B >= 1],
        "parameters": {m: Real(0, None), T: Integer(1, searched=50), B: Real(1, None)},
        "worlds": Space(phi=Vector(2)),
        "measure": {excess: lambda phi: phi[0] ** 2},
    }
    return Claim(**{**fields, **changes})


def hidden_constant(**changes):
    """No condition on n or lambda; the right side is known up to a constant."""
    fields = {
        "source": PLACE,
        "statement": UpToConstant(WithProbability(1 - delta, excess <= lam * R + R / sqrt(n))),
        "given": [And(delta > 0, delta < 1), R > 0],
        "parameters": {
            n: Integer(1, searched=10), delta: Real(0, 1), lam: Real(0, None, open_low=True),
            R: Real(0, None), excess: Real(0, None),
        },
        "trivial": sympy.Integer(2),
    }  # fmt: skip
    return Claim(**{**fields, **changes})


@pytest.fixture
def made():
    return {
        "features": features(), "iterations": iterations(), "ridge": ridge(), "budget": budget(),
        "hidden": hidden_constant(),
    }  # fmt: skip
