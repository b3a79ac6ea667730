"""Lemma 4: second moment of the approximate kernel matrix over the features.

Setting    fixed training set, s independent features with psi^2 <= b, K~ = Psi Psi^T.
Claim      E_V[K~^2] <= ((s-1)/s) K^2 + (n b / s) K in the order of semi-definite matrices; stated
           as an inequality between the quadratic forms at every vector w.
Steps      (12)-(13): the terms p != q, whose middle line reads v_p inside the expectation over
           v_q; (14)-(15): the terms p = q.
"""

from sympy import And, Eq, Ne

from boundcheck import Claim, Expected, Holds
from boundcheck.expressions import entry, form, index, indicator, outer, total, world
from boundcheck.settings.random_features import (
    E_feature,
    V,
    b,
    fixed_features,
    kappa,
    peak,
    psi,
    s,
    v,
)
from boundcheck.worlds import Index, Vector

from . import NOTES

n, X, K, K_ = fixed_features.n, fixed_features.X, fixed_features.K, fixed_features.K_
w = world("w", Vector(n), says="Any vector.")
i, j = (world(name, Index(n), rank=0, says="A training point.") for name in "ij")
l, p, q = index("l", n), index("p", s), index("q", s)


column = fixed_features.column(v)
plain = E_feature(outer(column, column))
loaded = E_feature(total(psi[X[l], v] ** 2, l) * outer(column, column))

printed = Claim(
    NOTES.at("Lemma 4"),
    Expected(form(K_**2, w) <= form((s - 1) / s * K**2 + n * b / s * K, w)),
    given=[peak <= b],
    uses=("wang2019/lemma_4:step_off_diagonal", "wang2019/lemma_4:step_diagonal"),
    reading="The features are independent with one law, as Section 1.1 draws them.",
)
middle = total(
    indicator(Ne(p, q)) * kappa[X[l], X[i]] * psi[X[l], V[p]] * psi[X[j], V[p]], l, p, q
)
step_off_diagonal = Claim(
    NOTES.at("(12)-(13)"),
    Holds(Eq(middle, (s**2 - s) * entry(K**2, i, j))),
    reading="The middle line takes the mean over v_q of a function of v_p, which leaves it as it "
    "is; the equality is then between a random and a fixed value.",
)
terms = psi[X[l], V[p]] * psi[X[i], V[p]] * psi[X[l], V[q]] * psi[X[j], V[q]]
off_diagonal = total(indicator(Ne(p, q)) * terms, l, p, q)
on_diagonal = total(psi[X[l], V[p]] ** 2 * psi[X[i], V[p]] * psi[X[j], V[p]], l, p)
off_diagonal_repaired = Claim(
    NOTES.at("(12)-(13)"),
    Expected(
        And(
            Eq(entry(K_**2, i, j), (off_diagonal + on_diagonal) / s**2),
            Eq(off_diagonal, (s**2 - s) * entry(K**2, i, j)),
        )
    ),
    reading="(12), then the first and last expression of (13), with v_q inside the expectation "
    "over v_q.",
)
step_diagonal = Claim(
    NOTES.at("(14)-(15) and the displays between"),
    Expected(
        And(
            Eq(on_diagonal, s * (s * entry(loaded, i, j))),
            Eq(K_**2, (s - 1) / s * K**2 + loaded),
            Eq(plain, K / s),
            form(loaded, w) <= n * b * form(plain, w),
        )
    ),
    given=[peak <= b],
    uses=("wang2019/lemma_4:step_off_diagonal",),
)
