"""Proposition 5: how far the expected average of SGD is from the regularised minimiser.

Setting    kernel matrix of k_M on n points with k_M(x, x) <= R^2, differentiable convex loss with
           Lipschitz constant L (conference edition) or G; steps 2/(lambda (gamma + t)), average of
           g_1, ..., g_{T+1} with weights proportional to gamma + t - 1.
Claim      ||E average - g_{M,lambda}||^2 <= (2/lambda)(18 G^2 R^2 / (lambda (2 gamma + T))
           + lambda gamma (gamma - 1) / (2 (2 gamma + T)(T + 1)) ||g_1 - g_{M,lambda}||^2):
           the conference edition without a condition on g_1 and eta_1; the preprint for
           ||g_1|| <= (2 gamma_1 + 1/lambda) G R, where gamma_1 is never defined, and
           eta_1 <= min(1/L, 1/(2 lambda)).
"""

from sympy import Min, Symbol

from boundcheck import Claim, Holds
from boundcheck.settings.averaged_sgd import R, T, gamma, lam, n
from boundcheck.settings.sgd_runs import BOUNDED, SMALL, bias, eta_1, start, start_gap, within
from boundcheck.worlds import Real, Vector

from . import AISTATS, ARXIV
from ._theorem_3 import LIPSCHITZ, G, L

gamma_1 = Symbol("gamma_1", real=True)


def proposition(place, G, given, offset, reading, **options):
    """The statement with a Lipschitz constant and further hypotheses; offset: of gamma."""
    second = lam * gamma * (gamma - 1) / (2 * (2 * gamma + T) * (T + 1)) * start_gap
    return Claim(
        place,
        Holds(bias <= (2 / lam) * (18 * G**2 * R**2 / (lam * (2 * gamma + T)) + second)),
        given=[BOUNDED, R > 0, *given],
        domains={**SMALL, gamma: offset, **options.pop("domains", {})},
        reading=reading,
        cost=8,
        **options,
    )


def small_steps(L):
    return eta_1 <= Min(1 / L, 1 / (2 * lam))


POSITIVE = Real(0, None, open_low=True, searched=(0, 100))
CONFERENCE = Real(0, None, open_low=True, log=True, searched=(3, 100))
PREPRINT = Real(0, None, open_low=True, log=True, searched=(3, 1000))

aistats = proposition(
    AISTATS.at("Proposition 5, Appendix E"), LIPSCHITZ, [], POSITIVE,
    "L is the least Lipschitz constant, gamma any positive offset",
)  # fmt: skip
aistats_small_steps = proposition(
    AISTATS.at("Proposition 5, Appendix E, with eta_1 <= min(1/L, 1/(2 lambda))"), LIPSCHITZ,
    [small_steps(LIPSCHITZ)], CONFERENCE, "the steps of Theorem 3 and still no condition on g_1",
)  # fmt: skip
arxiv = proposition(
    ARXIV.at("Proposition 5, (154)"), G, [within(gamma_1, G), small_steps(L)], PREPRINT,
    "the text defines gamma but no gamma_1; Theorem 3 has eta_1 in its place, which is the claim "
    "`repaired`; G and convexity come from Assumption 1, which is not listed here",
    undefined={gamma_1},
)  # fmt: skip
repaired = proposition(
    ARXIV.at("Proposition 5, (154), eta_1 for gamma_1, in H_M, Lipschitz loss"), G,
    [small_steps(L), within(eta_1, G)], PREPRINT, "the reading that Theorem 3 uses",
    domains={start: Vector(n.name, searched=(-2, 2))},
)  # fmt: skip
