"""(12): the gradient estimate as displayed.

Setting    x_t a point, E_t the output of Algorithm 2 for <f_t, Phi(x_t)>.
"""

from sympy import Eq

from boundcheck import Claim, Expected
from boundcheck.expressions import world
from boundcheck.settings.sampled_features import E, K, product, x
from boundcheck.worlds import Integer, Real, Vector

from . import NOTES

d = world("d", Integer(1, searched=3), says="Number of coordinates of a point.")
x_t = world("x_t", Vector(d, searched=(-5, 5)), says="Coordinates of the point.")
y = world("y", Real(-1, 1), units={"label": 1}, says="Its label.")
gradient = (product - y) * x
HERE = NOTES.at("(12)")
setting = dict(
    uses=("livni2017/algorithm_2:printed", "livni2017/loss_gradient:printed"),
    cost=3,
)

printed = Claim(
    HERE,
    Expected(Eq((E - y) * x_t, gradient)),
    reading="Points are vectors with coordinates of their own; x is the values of Phi(x_t).",
    **setting,
)

step_same_length = Claim(
    HERE,
    Expected(Eq((E - y) * x_t, gradient)),
    given=[Eq(d, K)],
    reading="As displayed, for points with as many coordinates as there are features.",
    **setting,
)

repaired = Claim(HERE, Expected(Eq((E - y) * x, gradient)), **setting)
