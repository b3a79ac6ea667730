"""The excess risk as an expected Bregman divergence.

Setting    differentiable convex non-negative phi whose link function h_* is differentiable,
           increasing and invertible on (0, 1); label probabilities in (0, 1); any function g.
Claim      L(g) - L(g_*) = E d(h_*^{-1}(g(X)), rho(1|X)), g_* = h_*(rho(1|X)).
"""

from flint import fmpq
from sympy import Eq, Gt, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.losses import bregman_divergence, expected_loss, inverse_link
from boundcheck.quantities.minimisers import bayes_values
from boundcheck.worlds import Choice, Integer, Real, Space, Vector, Weights

from . import ARXIV

excess, divergence, least_probability, most_probability = symbols(
    "excess divergence least_probability most_probability", real=True
)


def excess_of(rho, eta, loss, height, stretch, g):
    """L(g) - L(g_*)."""
    best = bayes_values(eta, loss, height, stretch)
    return expected_loss(rho, eta, loss, height, stretch, g) - expected_loss(
        rho, eta, loss, height, stretch, best
    )


def mean_divergence(rho, eta, loss, height, stretch, g):
    """E d(h^{-1}(g(X)), eta(X))."""
    total = fmpq(0)
    for weight, probability, value in zip(rho, eta, g, strict=True):
        implied = inverse_link(loss, height, stretch, value)
        total = total + weight * bregman_divergence(loss, height, stretch, implied, probability)
    return total


printed = Claim(
    source=ARXIV.at("Section 4, (41)"),
    statement=Holds(Eq(excess, divergence)),
    given=[Gt(least_probability, 0), most_probability < 1],
    worlds=Space(
        n=Integer(1, searched=3),
        rho=Weights("n"),
        eta=Vector("n", 0, 1),
        g=Vector("n", searched=(-6, 6)),
        loss=Choice(("logistic", "modified huber")),
        height=Real("1/2", 2),
        stretch=Real("1/2", 2),
    ),
    measure={
        excess: excess_of,
        divergence: mean_divergence,
        least_probability: lambda eta: min(eta),
        most_probability: lambda eta: max(eta),
    },
    uses=("yashima2021/link_function:printed", "yashima2021/bregman_divergence:printed"),
    reading=(
        "every loss that meets the stated assumptions and every g; the range of h_* may be bounded"
    ),
)

repaired = Claim(
    source=ARXIV.at("Section 4, (41), for link functions onto the real line"),
    statement=printed.statement,
    given=printed.given,
    worlds=printed.worlds.and_fields(loss=Choice(("logistic",))),
    measure=printed.measure,
    uses=printed.uses,
    reading="h_* maps (0, 1) onto the real line, so that its inverse has a value at every g(x)",
)

in_range = Claim(
    source=ARXIV.at("Section 4, (41), for g with values in the range of the link function"),
    statement=printed.statement,
    given=printed.given,
    worlds=printed.worlds.and_fields(
        loss=Choice(("modified huber",)), g=Vector("n", "-49/100", "49/100")
    ),
    measure=printed.measure,
    uses=printed.uses,
)
