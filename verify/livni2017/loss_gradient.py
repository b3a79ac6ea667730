"""(6), (9): the squared loss and its gradient.

Setting    l(f) = (1/2) (<f, Phi(x)> - y)^2 on L2(mu).
Claim      its gradient is (<f, Phi(x)> - y) Phi(x): in every direction h the derivative of l at f
           is <gradient, h>. For a quadratic the central difference is the derivative, exactly.
           Descent f_{t+1} = f_t - eta gradient_t from 0 gives f_t = sum_{i<=t} alpha_i Phi(x_t).
"""

from sympy import Eq

from boundcheck import Claim, Holds
from boundcheck.expressions import world
from boundcheck.settings.sampled_features import (
    K,
    N,
    Phi,
    eta,
    function,
    inner,
    mu,
    point,
    psi,
    squared_loss,
)
from boundcheck.settings.shrinking_gradient import DESCENT, ShrinkingGradient, is_combination, t
from boundcheck.worlds import Integer, Real

from . import NOTES

f, h, x = function("f", span=20), function("h", span=20), Phi(point("x"))
y = world("y", Real(-1, 1), units={"label": 1})

printed = Claim(
    NOTES.at("(6), (9)"),
    Holds(
        Eq(
            (squared_loss(f + h, x, y) - squared_loss(f - h, x, y)) / 2,
            inner((inner(f, x) - y) * x, h),
        )
    ),
    uses=("livni2017/setup:printed",),
)

run = ShrinkingGradient(t, DESCENT)
setting = dict(
    given=[eta > 0],
    domains={N: Integer(1, searched=3), K: Integer(1, searched=3)},
    uses=("livni2017/loss_gradient:printed",),
)

step_expansion = Claim(
    NOTES.at("section 5, after (9)"),
    Holds(Eq(is_combination(run.descended, psi, mu, run.latest), 1)),
    reading="f_t is a multiple of Phi(x_t), as displayed.",
    **setting,
)

repaired_expansion = Claim(
    NOTES.at("section 5, after (9), with Phi(x_i) in the sum"),
    Holds(Eq(is_combination(run.descended, psi, mu, run.sequence), 1)),
    **setting,
)
