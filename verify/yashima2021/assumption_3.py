"""An empirical measure meets the sup-norm interpolation condition with exponent zero.

Setting    rho the empirical measure of N sample points, ties allowed; H_M^+ the RKHS of k + k_M.
Claim      a constant C, here sqrt(N), serves in sup |f| <= C ||f||_{L2(rho)} for all f in H_M^+ and
           every draw of features, so with any probability 1 - delta. For one kernel with bounded
           eigenfunctions and eigenvalues i^(-1/p) the condition holds with exponent p.
"""

from flint import fmpq
from sympy import Abs, Le, sqrt

from boundcheck import Claim, UpToConstant, WithProbability
from boundcheck.expressions import at, index, total, world
from boundcheck.settings.averaged_sgd import (
    combination as values,
    delta,
    function,
    i,
    k,
    k_M,
    n,
    supremum,
)
from boundcheck.worlds import Family, Integer, Tuples, Vector, doublings

from . import ARXIV

ties = world("ties", Tuples(n, Integer(1, searched=9)), says="How often each point occurs.")
N = total(ties[i], i)
f = values(k + k_M, function("a"))
l2_norm = sqrt(total(ties[i] / N * at(f, i) ** 2, i))

printed = Claim(
    ARXIV.at("Section 3.1, Assumption 3 and Comparison to Previous Results"),
    WithProbability(1 - delta, Le(supremum(f), sqrt(N) * l2_norm)),
    reading="the constant may depend on the sample size, as the condition allows",
    cost=2,
)

J = world("J", Integer(1, searched=12), says="Number of eigenfunctions.")
q = world("q", Integer(2, searched=4), says="1 / p.")
c = world("c", Vector(J, searched=(-1, 1)), says="f = sum_i c_i e_i.")
m = index("m", J)
p = 1 / q
norm, norm_2 = sqrt(total(c[m] ** 2 * (m + 1) ** q, m)), sqrt(total(c[m] ** 2, m))


def profiles(q):
    """Hint: c_i = 1 / (1 + (i / s)^q), the largest sum for given norms up to scale."""

    def profile(s):
        c = tuple(1 / (1 + fmpq(i, s) ** q) for i in range(1, 8 * s + 1))
        return {"J": 8 * s, "q": q, "c": c}

    name = f"smoother and smoother profiles, eigenvalues i^-{q}"
    return Family(name, profile, doublings(1, 7))


eigenvalue_decay = Claim(
    ARXIV.at("Section 3.1, after Assumption 3"),
    UpToConstant(Le(total(Abs(c[m]), m), norm**p * norm_2 ** (1 - p))),
    families=(profiles(2), profiles(3), profiles(4)),
    reading="a fixed kernel, f = sum_i c_i e_i with |e_i| <= 1 and eigenvalues i^(-1/p), p = 1/q "
    "with an integer q, so that they are rational; sup |f| is at most sum_i |c_i|",
)
