"""Corollary 1: expected risk of the averaged functions.

Setting    S drawn independently from a law P of (x, y); Algorithm 1 as in Theorem 1 with
           T = O(B^2 / eps^2), any eps > 0; f_S = (1/T) sum_t f_t; L the expected loss.
Claim      E L(f_S) < inf over ||f*|| < B of L(f*) + eps.
"""

from math import isqrt

from flint import fmpq
from sympy import Rational, symbols

from boundcheck import Claim, Expected, UpToConstant
from boundcheck.errors import Undecided
from boundcheck.quantities.online import DESCENT, PRINTED, squared_loss
from boundcheck.quantities.online_comparators import best_in_ball, least_risk
from boundcheck.quantities.online_laws import Masses
from boundcheck.quantities.online_simulation import simulate
from boundcheck.worlds import Family, Index, Integer, Sampled, Tuples, Vector, Weights
from boundcheck.worlds.space import float_value

from . import (
    AT_LEAST_ONE,
    NOTES,
    POSITIVE,
    B,
    T,
    enough_samples,
    epsilon,
    eta,
    feature_space,
    m,
    one_point,
    point_of,
    runs,
    theorem_step,
)
from ._long import cut_excess
from .theorem_1 import SAMPLES, samples, stated_samples

excess, least, cap = symbols("excess least cap", real=True)
STATED_ROUNDS = B**2 / epsilon**2


def excess_of(update):
    """L(f_S) - inf L for a law on one (x, y), where a run is free of chance."""

    def measured(psi, sequence, y, mu, B, eta, m):
        run = Masses(psi, sequence, y, mu, B, eta, m, update)
        total = [fmpq(0)] * psi.ncols()
        for law, _, _ in run:
            if len(law) != 1:
                raise Undecided("the run is not free of chance")
            ((_, f, _, _),) = law
            total = [a + b for a, b in zip(total, f, strict=True)]
        average = tuple(value / len(y) for value in total)
        least = best_in_ball(psi, sequence[:1], y[:1], mu, B)
        return squared_loss(average, point_of(psi, sequence), y[0], mu) - least

    return measured


def noise_free(rounds, radius, accuracy, **more):
    """A law on one point, at more samples than Theorem 1 or its proof ask for."""
    count = enough_samples(radius, rounds)
    return one_point(rounds, radius, m=count, epsilon=accuracy, **more)


setting = dict(
    statement=UpToConstant(excess <= epsilon),
    worlds=runs(rounds=2),
    parameters={B: AT_LEAST_ONE, epsilon: POSITIVE, m: SAMPLES},
    families=(
        Family(
            "eps -> 0 at B = 1, one point with label 1",
            lambda size: noise_free(4 * size, 1, fmpq(1, isqrt(4 * size)), feature="1/2"),
            sizes=(1, 4, 16, 64, 128, 256),
        ),
        Family(
            "eps grows with B at T = 2, one point with label 1",
            lambda size: noise_free(2, size, fmpq(5, 7) * size),  # above B / sqrt(2)
            sizes=(8, 16, 32, 64, 128, 256, 512),
        ),
    ),
    cost=30,
)

printed = Claim(
    source=NOTES.at("Corollary 1"),
    given=[B >= 1, epsilon > 0, T >= STATED_ROUNDS, m >= stated_samples],
    measure={eta: theorem_step, excess: excess_of(PRINTED)},
    uses=("livni2017/theorem_1:printed",),
    reading="Orders are written with constant 1. That T = C B^2 / eps^2 rounds suffice for some C "
    "says that B^2 / eps^2 rounds give an excess risk of a constant times eps, for every eps > 0.",
    **setting,
)

descent_every_accuracy = Claim(
    source=NOTES.at("Corollary 1, with a descent step"),
    given=[B >= 1, epsilon > 0, T >= STATED_ROUNDS, m >= samples],
    measure={eta: theorem_step, excess: excess_of(DESCENT)},
    uses=("livni2017/theorem_1:descent_every_step",),
    reading="As printed, but for the sign of the update and the m of the proof: any eps > 0.",
    **setting,
)


def averages(look, rng, size):
    """L(f_S) of independent samples S, each with its own run of Algorithm 1 (descent step)."""
    names = ("psi", "mu", "cases", "targets", "chances", "B", "eta", "m", "T")
    psi, mu, cases, targets, chances, B, eta, m, T = (float_value(look(name)) for name in names)
    cases = cases.astype(int)
    picks = rng.choice(len(cases), p=chances / chances.sum(), size=(size, int(T)))
    found = simulate(
        psi, cases[picks], targets[picks], mu, B, eta, int(m), runs=size, rng=rng, update=DESCENT
    )
    values = (found["averages"] * mu) @ psi[cases].T
    return {"risk": ((values - targets) ** 2 / 2) @ chances}


repaired = Claim(
    source=NOTES.at("Corollary 1, with a descent step, eps <= 1/2 and T >= 64 B^2 / eps^2"),
    statement=Expected(excess < epsilon),
    given=[
        B >= 1, epsilon > 0, epsilon <= Rational(1, 2), T >= 64 * STATED_ROUNDS, m >= samples,
    ],
    worlds=feature_space(points=3, atoms=3).and_fields(
        J=Integer(1, searched=4), cases=Tuples("J", Index("N")), targets=Vector("J", -1, 1),
        chances=Weights("J", zeros=True),
    ),
    parameters={B: AT_LEAST_ONE, epsilon: POSITIVE, T: Integer(256, searched=400), m: SAMPLES},
    measure={
        eta: theorem_step, least: least_risk, cap: lambda epsilon: epsilon,
        excess: cut_excess("risk", "least"),
    },
    draw=Sampled(("risk",), averages, over="the sample and the draws of Algorithms 1 and 2"),
    uses=("livni2017/theorem_1:repaired",),
    reading="The expectation is over the sample and over the draws of the algorithm; an excess is "
    "cut at 4 eps, so that its mean can be tested.",
    cost=4,
)  # fmt: skip
