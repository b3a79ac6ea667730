"""Runs of averaged SGD in the RKHS of any kernel on the points of `averaged_sgd`.

The kernel `gram` is k_M of a draw or any other, so that a function is given by coefficients, one
for each point. A run starts at g_1 and sees T samples; `average` is its averaged iterate,
`expected` the expectation of that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy
from flint import fmpq

from boundcheck.expressions import define, greatest, outcome, parameter, world
from boundcheck.quantities import averaged_sgd as runs, losses
from boundcheck.settings.averaged_sgd import (
    Minimiser,
    R,
    T,
    eta,
    gamma,
    gram,
    i,
    lam,
    n,
    rho,
    rkhs_norm,
)
from boundcheck.settings.margin_losses import kind, loss
from boundcheck.worlds import Choice, Custom, Derived, Gram, Indices, Integer, Real, Vector
from boundcheck.worlds.sources import Coordinates

COEFFICIENT = {"value": 1, "feature": -2}
start = world(
    "start", Vector(n, searched=(-20, 20)), units=COEFFICIENT, latex="g_1",
    says="Coefficients of the first iterate.",
)  # fmt: skip
joint = world(
    "joint", Derived(runs.joint_law), rank=1, needs=(rho, eta),
    says="Law of the samples: (x_1, 1), (x_1, -1), (x_2, 1), ...",
)  # fmt: skip
samples = outcome("samples", Indices("samples", joint, T, over="the samples"), latex="Z")
g_lambda = Minimiser(gram)
eta_1 = 2 / (lam * (gamma + 1))
average = runs.sampled_average(gram, samples, start, lam, gamma, *loss.of)
expected = define(
    "expected", runs.mean_average(gram, rho, eta, start, lam, gamma, T, *loss.of),
    latex=r"\mathbb{E}[\bar g_{T+1}]",
)  # fmt: skip
spread = define(
    "spread", runs.rkhs_distance(gram, average, expected),
    latex=r"\|\bar g_{T+1}-\mathbb{E}[\bar g_{T+1}]\|_{\mathcal{H}_M}",
)  # fmt: skip
bias = define(
    "bias", g_lambda.distance(expected) ** 2, facts=("nonnegative",),
    latex=r"\|\mathbb{E}[\bar g_{T+1}]-g_{M,\lambda}\|_{\mathcal{H}_M}^2",
)  # fmt: skip
start_gap = define(
    "start_gap", g_lambda.distance(start) ** 2, facts=("nonnegative",),
    latex=r"\|g_1-g_{M,\lambda}\|_{\mathcal{H}_M}^2",
)  # fmt: skip
start_norm = define("start_norm", rkhs_norm(gram, start), latex=r"\|g_1\|_{\mathcal{H}_M}")
BOUNDED = greatest(gram[i, i], i) <= R**2


def within(offset: sympy.Expr, G: sympy.Expr) -> sympy.Basic:
    """||g_1|| <= (2 offset + 1 / lambda) G R."""
    return start_norm <= (2 * offset + 1 / lam) * G * R


# Where search looks: kernels of all scales, differentiable losses, few steps.
_base = world("base", Gram(n), units={"feature": 2}, says="The kernel at scale one.")
_scale = world("scale", Real(0, None, open_low=True, log=True, searched=("1/10", 10)))
SMALL = {
    n: Integer(1, searched=2),
    gram: world("gram", Derived(lambda base, scale: base * scale), rank=2, needs=(_base, _scale)),
    kind: Choice(losses.SMOOTH),
    lam: Real(0, None, open_low=True, log=True, searched=("1/100", 100)),
    T: Integer(1, searched=3),
}


def _labels(source: Coordinates, earlier: Mapping[str, Any]) -> tuple[fmpq, ...]:
    """Fair labels for long runs, else any."""
    if earlier["fair"]:
        return (fmpq(1, 2),) * earlier["n"]
    return Vector("n", 0, 1).build(source, earlier)


def _starts(source: Coordinates, earlier: Mapping[str, Any]) -> tuple[fmpq, ...]:
    """Zero for long runs, else anything."""
    found = Vector("n").build(source, earlier)
    return tuple(value * (1 - earlier["fair"]) for value in found)


# Runs of hundreds of steps have a known expectation where labels are fair and g_1 is zero.
_fair = world("fair", Choice((0, 1)), says="Whether the run is long, with fair labels.")
_horizon = world("horizon", Derived(lambda fair: 300 if fair else 4), rank=0, needs=(_fair,))
LONG = {
    **SMALL,
    eta: world("eta", Custom(_labels, Vector("n", 0, 1)), rank=1, needs=(n, _fair)),
    start: world(
        "start", Custom(_starts, Vector("n")), rank=1, needs=(n, _fair), units=COEFFICIENT
    ),
    T: parameter("T", Integer(1, searched=_horizon)),
}
