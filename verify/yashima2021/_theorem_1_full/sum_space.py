"""The norm of the sum of two spaces: (127)."""

from sympy import And, Eq, sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import named, world
from boundcheck.quantities.minimisers import norm_of_values
from boundcheck.quantities.sum_spaces import least_norm_sum
from boundcheck.settings.averaged_sgd import n
from boundcheck.worlds import Integer, Vector

from .. import ARXIV
from . import k, k_M

a = world("a", Vector(n, -1, 1), says="Coefficients of a function of the sum space.")
values = named("g", (k + k_M) * a)
sum_norm, least_sum = norm_of_values(k + k_M, values), least_norm_sum(k, k_M, values)
OPTIONS = {"domains": {n: Integer(1, searched=2)}, "cost": 4}

step_sum_space_norm = Claim(
    ARXIV.at("Appendix C, (127); AISTATS after (22)"), Holds(Eq(sum_norm, least_sum)), **OPTIONS
)
repaired_sum_space_norm = Claim(
    ARXIV.at("Appendix C, (127) as the inequality that (126) needs"),
    Holds(And(sum_norm <= least_sum, least_sum <= sqrt(2) * sum_norm)),
    reading="the norm of the sum space is the least root of the sum of squares (Aronszajn 1950)",
    **OPTIONS,
)
