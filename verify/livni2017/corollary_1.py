"""Corollary 1: expected risk of the averaged functions.

Setting    S drawn independently from a law P of (x, y); Algorithm 1 as in Theorem 1 with
           T = O(B^2 / eps^2), any eps > 0; f_S = (1/T) sum_t f_t; L the expected loss.
Claim      E L(f_S) < inf over ||f*|| < B of L(f*) + eps.
"""

from flint import fmpq
from sympy import Rational, sqrt, symbols

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.quantities.online import DESCENT, PRINTED, squared_loss
from boundcheck.quantities.online_comparators import best_in_ball
from boundcheck.quantities.online_laws import Masses
from boundcheck.worlds import Family, Real

from . import (
    AT_LEAST_ONE,
    NOTES,
    B,
    T,
    epsilon,
    eta,
    m,
    one_point,
    point_of,
    proof_samples,
    runs,
    theorem_step,
)

excess = symbols("excess", real=True)


def excess_of(update):
    """L(f_S) - inf L for a law on one (x, y), where a run is free of chance."""

    def measured(psi, sequence, y, mu, B, eta, m):
        run = Masses(psi, sequence, y, mu, B, eta, m, update)
        total = [fmpq(0)] * psi.ncols()
        for law, _, _ in run:
            ((_, f, _, _),) = law
            total = [a + b for a, b in zip(total, f, strict=True)]
        average = tuple(value / len(y) for value in total)
        least = best_in_ball(psi, sequence[:1], y[:1], mu, B)
        return squared_loss(average, point_of(psi, sequence), y[0], mu) - least

    return measured


long_samples = Family(
    "eps -> 0 at B = 1, one point with label 1",
    lambda size: one_point(4 * size, 1, feature="1/2"),
    sizes=(1, 4, 16, 64, 128, 256),
)
coarse = Family(
    "eps grows with B at T = 2, one point with label 1",
    lambda size: one_point(2, size),
    sizes=(8, 16, 32, 64, 128, 256, 512),
)
setting = dict(
    statement=UpToConstant(excess <= B / sqrt(T)),
    given=[B >= 1],
    worlds=runs(),
    parameters={B: AT_LEAST_ONE},
    families=(long_samples, coarse),
    cost=30,
)

printed = Claim(
    source=NOTES.at("Corollary 1"),
    measure={eta: theorem_step, m: proof_samples, excess: excess_of(PRINTED)},
    uses=("livni2017/theorem_1:printed",),
    reading="T = C B^2 / eps^2 for some C says that the excess risk after T rounds is at most a "
    "constant times B / sqrt(T), for every B and T since eps > 0 is free.",
    **setting,
)

descent_every_accuracy = Claim(
    source=NOTES.at("Corollary 1, with a descent step"),
    measure={eta: theorem_step, m: proof_samples, excess: excess_of(DESCENT)},
    uses=("livni2017/theorem_1:descent_every_step",),
    reading="As printed, but for the sign of the update: any eps > 0.",
    **setting,
)

label, feature = symbols("label feature", real=True)
rounds = symbols("T", real=True)


def repaired_excess(feature, label, B, T):
    """The excess on one point with a descent step, at the step and m of Theorem 1."""
    world = one_point(int(T), B, feature=feature, label=label)
    values = [world[name] for name in ("psi", "sequence", "y", "mu", "B")]
    step = theorem_step(world["B"], int(T))
    return excess_of(DESCENT)(*values, step, proof_samples(world["B"], int(T), step))


repaired = Claim(
    source=NOTES.at("Corollary 1, with a descent step, eps <= 1/2 and T = 64 B^2 / eps^2"),
    statement=Holds(excess < epsilon),
    given=[epsilon <= Rational(1, 2), B >= 1],
    parameters={
        B: Real(1, "5/4"), epsilon: Real("2/5", "1/2"), feature: Real("-1/2", "1/2"),
        label: Real(0, 1),
    },
    measure={
        rounds: lambda B, epsilon: int((64 * B**2 / epsilon**2).ceil()),
        excess: repaired_excess,
    },
    uses=("livni2017/theorem_1:repaired",),
    cost=100,
)  # fmt: skip
