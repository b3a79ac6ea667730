"""From a distance below m the signs, and from the two parts the distance: (160)-(164)."""

from sympy import And, Eq, Rational, sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import at, greatest, indicator, parameter, total, world
from boundcheck.settings.averaged_sgd import (
    combination,
    constant,
    delta,
    eta,
    function,
    i,
    n,
    noise,
    rkhs_norm,
    supremum,
)
from boundcheck.settings.margin_losses import huber, logistic
from boundcheck.worlds import Gram, Real, Vector

from .. import ARXIV
from . import STEP

m = constant("m")
g_M, g_lambda, g_star = (function(name, span=4) for name in ("g_M", "g_lambda", "g_star"))
HALF = Rational(1, 2)
MARGIN = Real(0, "1/2", open_low=True, open_high=True)

step_split = Claim(
    ARXIV.at("proof of Theorem 3, (160)-(161); AISTATS Appendix E"),
    Holds(
        And(
            supremum(g_M - g_star) <= supremum(g_M - g_lambda) + supremum(g_lambda - g_star),
            supremum(g_M - g_star) <= Rational(3, 4) * m,
        )
    ),
    given=[supremum(g_M - g_lambda) <= m / 4, supremum(g_lambda - g_star) <= m / 2],
    uses=("yashima2021/theorem_1_full:arxiv", "yashima2021/proposition_4:printed"),
    reading="the conclusions of Theorem 1 at accuracy m/4 and of Proposition 4 are given; on which "
    "event Theorem 1 gives its part is not said in this step",
)

gram = world("gram", Gram(n), units={"kernel": 1}, says="Kernel matrix of k_M.")
closer = world("closer", Vector(n, -1, 1), says="g_{M,lambda} - g_* in units of 3 m / 4.")
a = function("a", span=1)
R = sqrt(greatest(gram[i, i], i))
margin = logistic.margin(delta)
g = logistic.link(eta[i]) + 3 * margin / 4 * closer[i] + at(combination(gram, a), i)

step_sign = Claim(
    ARXIV.at("proof of Theorem 3, (162)-(164); AISTATS Appendix E"),
    Holds(Eq(total(abs(indicator(g > 0) - indicator(eta[i] > HALF)), i), 0)),
    given=[noise > delta, rkhs_norm(gram, a) <= margin / (4 * R)],
    domains={
        eta: Vector("n", 0, 1, searched=("1/1000", "999/1000"), open_low=True, open_high=True),
        delta: MARGIN,
    },
    uses=(STEP + "split", "yashima2021/assumption_2:printed", "yashima2021/margin:printed"),
    reading="logistic loss; |g_*| > m strictly, as the low-noise condition gives it, though the "
    "proof cites only |g_*| >= m",
)

probability = parameter("probability", Real("1/2", 1, open_low=True, open_high=True), latex=r"\eta")
drop, move = (parameter(name, Real(0, None)) for name in ("drop", "move"))

step_sign_as_argued = Claim(
    ARXIV.at("proof of Theorem 3, (164) with |g_*| >= m; AISTATS Appendix E"),
    Holds(huber.link(probability) - drop - move > 0),
    given=[
        huber.link(probability) >= huber.link(HALF + delta),
        drop <= Rational(3, 4) * huber.link(HALF + delta),
        move <= huber.link(HALF + delta) / 4,
    ],
    domains={delta: MARGIN},
    uses=(STEP + "split", "yashima2021/margin:printed"),
    reading="the two inequalities the proof gives as its reason, neither strict; one point, the "
    "loss whose g_* is 2 eta - 1 and m(delta) = 2 delta; a tie has sgn(0) = -1",
)
