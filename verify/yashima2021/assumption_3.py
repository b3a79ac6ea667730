"""An empirical measure meets the sup-norm interpolation condition with exponent zero.

Setting    rho the empirical measure of N sample points, ties allowed; H_M^+ the RKHS of k + k_M.
Claim      a constant C, here sqrt(N), serves in sup |f| <= C ||f||_{L2(rho)} for all f in H_M^+ and
           every draw of features, so with any probability 1 - delta.
"""

from flint import fmpq
from sympy import Le, sqrt, symbols

from boundcheck import Claim, WithProbability
from boundcheck.quantities.losses import essential_supremum, l2_norm
from boundcheck.quantities.minimisers import feature_kernel, sampled_kernel
from boundcheck.quantities.rkhs import apply
from boundcheck.worlds import Counts, Custom, Derived, Integer, Matrix, Real, Space, Vector, Weights

from . import ARXIV, M, delta

supremum, l2 = symbols("supremum l2", real=True)
N = symbols("N", real=True)

printed = Claim(
    source=ARXIV.at("Section 3.1, Assumption 3 and Comparison to Previous Results"),
    statement=WithProbability(1 - delta, Le(supremum, sqrt(N) * l2)),
    worlds=Space(
        n=Integer(1, 3),
        K=Integer(1, 3),
        ties=Custom(lambda source, earlier: tuple(
            source.integer(1, 9) for _ in range(earlier["n"])
        )),
        N=Derived(lambda ties: sum(ties)),
        rho=Derived(lambda ties, N: tuple(fmpq(t, N) for t in ties)),
        tau=Weights("K"),
        phi=Matrix("n", "K"),
        a=Vector("n", -1, 1),
    ),
    parameters={M: Integer(1, 4), delta: Real(0, 1, open_low=True)},
    draw=Counts("counts", "tau", "M"),
    measure={
        supremum: lambda phi, tau, counts, a, rho: essential_supremum(
            rho, apply(feature_kernel(phi, tau) + sampled_kernel(phi, counts), a)
        ),
        l2: lambda phi, tau, counts, a, rho: l2_norm(
            rho, apply(feature_kernel(phi, tau) + sampled_kernel(phi, counts), a)
        ),
    },
    reading="the constant may depend on the sample size, as the condition allows",
    cost=2,
)  # fmt: skip
