"""The minimal conditional risk is concave.

Setting    non-negative convex phi; l_*(mu) the least value of mu phi(a) + (1 - mu) phi(-a).
Claim      l_* is concave.
"""

from flint import fmpq
from sympy import Ge, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities import losses
from boundcheck.worlds import Choice, Integer, Real, Space, Vector

from . import ARXIV

mu, mu_prime, share = symbols("mu mu_prime share", real=True)
middle, first, second = symbols("middle first second", real=True)


def polygon(slopes, offsets, v):
    """phi(v) = max(0, max_i s_i v + o_i): any non-negative convex function up to approximation."""
    return max(fmpq(0), *(s * v + o for s, o in zip(slopes, offsets, strict=True)))


def least_risk(loss, slopes, offsets, mu):
    """l_*(mu): by formula for a named loss, at the corners of the conditional risk for a polygon.

    The risk of a polygon is convex, piecewise linear and non-negative, so it attains its least
    value at a corner, or everywhere if it has none.
    """
    if loss != "polygon":
        return losses.minimal_risk(loss, 1, 1, mu)
    lines = [(fmpq(0), fmpq(0)), *zip(slopes, offsets, strict=True)]
    corners = {fmpq(0)}
    for i, (s, o) in enumerate(lines):
        for t, q in lines[:i]:
            if s != t:
                corner = (q - o) / (s - t)
                corners |= {corner, -corner}
    return min(
        mu * polygon(slopes, offsets, c) + (1 - mu) * polygon(slopes, offsets, -c)
        for c in corners
    )


def at(name):
    """l_* at a named parameter."""
    if name == "mu":
        return lambda loss, slopes, offsets, mu: least_risk(loss, slopes, offsets, mu)
    return lambda loss, slopes, offsets, mu_prime: least_risk(loss, slopes, offsets, mu_prime)


printed = Claim(
    source=ARXIV.at("Section 4, (38)"),
    statement=Holds(Ge(middle, share * first + (1 - share) * second)),
    worlds=Space(
        loss=Choice((*losses.NAMES, "polygon", "polygon")),
        J=Integer(1, searched=4),
        slopes=Vector("J", searched=(-4, 4)),
        offsets=Vector("J", searched=(-4, 4)),
    ),
    parameters={mu: Real(0, 1), mu_prime: Real(0, 1), share: Real(0, 1)},
    measure={
        first: at("mu"),
        second: at("mu_prime"),
        middle: lambda loss, slopes, offsets, mu, mu_prime, share: least_risk(
            loss, slopes, offsets, share * mu + (1 - share) * mu_prime
        ),
    },
    reading="the least value is an infimum where it is not attained",
)
