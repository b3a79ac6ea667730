"""Sobolev interpolation, at m = 1: functions by the squares of their norms, supremum one."""

from sympy import Eq, Piecewise, Rational, exp, log, pi

from boundcheck import Claim, UpToConstant
from boundcheck.expressions import define, world
from boundcheck.worlds import Choice, Family, Integer, doublings

from .. import ARXIV

a = world("a", Integer(1, searched=40), says="Which function of the kind.")
other = world("other", Choice((0, 1), searched=(0,)), says="0: x^a on [0, 1]; 1: the other kind.")
m = define("m", Rational(1), says="Order of the Sobolev space.")
OF_POWERS = Rational(1) / (2 * a + 1), a**2 / (2 * a - 1)
# Indicators of intervals of length 1 / a: their weak derivative on the pieces is zero.
OF_INTERVALS = 1 / a, Rational(0)
# log(1/r) / log(1/e) cut at one, e = 2^-a, on the unit disc.
W = a * log(2)
OF_LOGARITHMS = (
    pi * exp(-2 * W) + (pi / 2 - pi * exp(-2 * W) * (W**2 + W + Rational(1, 2))) / W**2,
    2 * pi / W,
)


def sobolev(where, beyond, d, others, sizes, name, **options):
    """sup |f| against norms in L2 and W^m; d is the dimension of a kind."""
    d = define("d", d, says="Dimension.")
    parts = [Piecewise((power, Eq(other, 0)), (second, True))
             for power, second in zip(OF_POWERS, others, strict=True)]  # fmt: skip
    l2 = define("l2", parts[0], latex=r"\|f\|_2^2")
    whole = define("sobolev", parts[0] + parts[1], latex=r"\|f\|_{W^m}^2")
    largest = define("supremum", Rational(1), latex=r"\|f\|_\infty")
    share = d / (2 * m)
    kinds = [("x^j on [0, 1], d = 1", 0, doublings(1, 8 if name else 10)), (name, 1, sizes)]
    return Claim(
        ARXIV.at(where),
        UpToConstant(largest <= whole ** (share / 2) * l2 ** ((1 - share) / 2)),
        given=[beyond(m, d / 2), d >= 1],
        domains={} if name else {other: Choice((0,))},
        families=tuple(
            Family(kind, lambda size, place=place: {"a": size, "other": place}, sizes)
            for kind, place, sizes in kinds if kind
        ),
        **options,
    )


step_sobolev = sobolev(
    "Appendix D, (136), from (28)-(29); AISTATS (25)", lambda m, half: m >= half, 1 + other,
    OF_LOGARITHMS, doublings(2, 14),
    "log(1/r) / log(1/e) cut at one, on the unit disc, d = 2, m = d/2",
    reading="m >= d/2, the end included: m = 1 on an interval and on a disc",
)  # fmt: skip
step_sobolev_above_half = sobolev(
    "Appendix D, (136), for m > d/2 on every bounded set", lambda m, half: m > half, 1,
    OF_INTERVALS, doublings(2, 10),
    "indicators of intervals, lengths 1/2, 1/4, ..., of one bounded set, d = 1",
    reading="a bounded support, as printed, may have infinitely many components; on its interior "
    "the weak derivative of the indicator of one of them is zero",
)  # fmt: skip
repaired_sobolev = sobolev(
    "Appendix D, (136), for m > d/2 on an interval", lambda m, half: m > half, 1, OF_INTERVALS,
    (), "",
)  # fmt: skip
