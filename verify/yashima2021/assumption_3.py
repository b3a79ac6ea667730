"""An empirical measure meets the sup-norm interpolation condition with exponent zero.

Setting    rho the empirical measure of N sample points, ties allowed; H_M^+ the RKHS of k + k_M.
Claim      a constant C, here sqrt(N), serves in sup |f| <= C ||f||_{L2(rho)} for all f in H_M^+ and
           every draw of features, so with any probability 1 - delta. For one kernel with bounded
           eigenfunctions and eigenvalues i^(-1/p) the condition holds with exponent p.
"""

from flint import fmpq
from sympy import Le, sqrt, symbols

from boundcheck import Claim, UpToConstant, WithProbability
from boundcheck.exact import square_root
from boundcheck.quantities.losses import essential_supremum, l2_norm
from boundcheck.quantities.minimisers import feature_kernel, sampled_kernel
from boundcheck.quantities.rkhs import apply
from boundcheck.worlds import (
    Counts,
    Derived,
    Family,
    Integer,
    Matrix,
    Real,
    Space,
    Tuples,
    Vector,
    Weights,
    doublings,
)

from . import ARXIV, M, delta, p

supremum, l2 = symbols("supremum l2", real=True)
N = symbols("N", real=True)

printed = Claim(
    source=ARXIV.at("Section 3.1, Assumption 3 and Comparison to Previous Results"),
    statement=WithProbability(1 - delta, Le(supremum, sqrt(N) * l2)),
    worlds=Space(
        n=Integer(1, searched=3),
        K=Integer(1, searched=3),
        ties=Tuples("n", Integer(1, searched=9)),
        N=Derived(lambda ties: sum(ties)),
        rho=Derived(lambda ties, N: tuple(fmpq(t, N) for t in ties)),
        tau=Weights("K"),
        phi=Matrix("n", "K"),
        a=Vector("n", -1, 1),
    ),
    parameters={M: Integer(1, searched=4), delta: Real(0, 1, open_low=True)},
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

largest_value, norm, norm_2 = symbols("largest_value norm norm_2", real=True)


def weighted_squares(c, power):
    """sum_i c_i^2 i^power, i = 1, 2, ..."""
    return sum((value**2 * i**power for i, value in enumerate(c, 1)), fmpq(0))


def profile(size, q):
    """c_i = 1 / (1 + (i / size)^q): the largest sum for given norms, up to scale."""
    count = 8 * size
    return {
        "J": count, "q": q,
        "c": tuple(1 / (1 + fmpq(i, size) ** q) for i in range(1, count + 1)),
    }  # fmt: skip


eigenvalue_decay = Claim(
    source=ARXIV.at("Section 3.1, after Assumption 3"),
    statement=UpToConstant(Le(largest_value, norm**p * norm_2 ** (1 - p))),
    worlds=Space(J=Integer(1, searched=12), c=Vector("J", -1, 1), q=Integer(2, searched=4)),
    measure={
        p: lambda q: fmpq(1, q),
        largest_value: lambda c: sum((abs(value) for value in c), fmpq(0)),
        norm: lambda c, q: square_root(weighted_squares(c, q)),
        norm_2: lambda c: square_root(weighted_squares(c, 0)),
    },
    families=tuple(
        Family(
            f"smoother and smoother profiles, eigenvalues i^-{q}",
            lambda size, q=q: profile(size, q),
            doublings(1, 7),
        )
        for q in (2, 3, 4)
    ),
    reading=(
        "a fixed kernel, f = sum_i c_i e_i with |e_i| <= 1 and eigenvalues i^(-1/p), p = 1/q; "
        "sup |f| is at most sum_i |c_i|"
    ),
)
