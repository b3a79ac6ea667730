"""The theorem for losses with l >= 0 and l(y, y) = 0, which its proof uses, with constants."""

from sympy import Eq, log, sqrt

from boundcheck import Claim, WithProbability
from boundcheck.expressions import greatest, index, indicator, least, named, parameter, table, world
from boundcheck.quantities.regularised import by_label, losses_at
from boundcheck.worlds import Matrix, Real, Vector

from .. import NOTES
from . import B, L, N, Q, a, delta, f, hypotheses, n, penalty, risk

left, right = (
    world(name, Vector(N, 0, open_low=True, searched=("1/64", 2)), units={"function": 1})
    for name in ("left", "right")
)
ends = world("ends", Matrix(N, 2, searched=(0, 1)), units={"loss": 1},
             says="Values of the losses at their ends.")  # fmt: skip
place = index("place", 3)
below, above = indicator(Eq(place, 0)), indicator(Eq(place, 2))
around = table(f[a] - below * left[a] + above * right[a], a, place)
knots = named("knots", by_label(around, f))
losses = named("loss", by_label(table(below * ends[a, 0] + above * ends[a, 1], a, place), f),
               r"\ell")  # fmt: skip

given = [
    *hypotheses(knots, losses),
    least(losses[a, place], a, place) >= 0,
    Eq(greatest(losses_at(knots, losses, f)[a], a), 0),
]
risk_bound = penalty * Q + 2 * L * Q / sqrt(n) + B * sqrt(log(1 / delta) / (2 * n))

repaired = Claim(
    NOTES.at("Theorem 4.2, repaired"),
    WithProbability(1 - delta, risk(knots, losses) <= risk_bound),
    given=given,
    reading="with l >= 0 and l(y, y) = 0, which the proof uses; losses with three knots, one of "
    "them at the label",
    trivial=B,
    cost=3.0,
)

epsilon = parameter(
    "epsilon", Real(0, None, open_low=True), units={"loss": 1}, latex=r"\varepsilon"
)

accuracy = Claim(
    NOTES.at("Theorem 4.2, repaired: n and lambda for a risk of epsilon"),
    WithProbability(1 - delta, risk(knots, losses) <= epsilon),
    given=[*given, epsilon > 0, risk_bound <= epsilon],
    reading="the sample size and the largest lambda at which the repaired bound is at most "
    "epsilon; no lambda > 0 is too small",
    trivial=B,
    cost=3.0,
)
