"""(4) and Section 2.1: the feature vector and what unbiasedness gives.

Setting    psi(x; v) with E_v psi(x; v) psi(x'; v) = kappa(x, x'), features v_1..v_s of one law.
Repaired   with x in place of x_i, E_V psi(x; V)^T psi(x'; V) = kappa(x, x') and
           E_V[Psi Psi^T] = K.
"""

from sympy import And, Eq, Function, sqrt, symbols

from boundcheck import Claim, Expected, Holds
from boundcheck.expressions import entry, inner
from boundcheck.settings.random_features import V, fixed_features, kappa, psi, s, test

from . import NOTES

i = symbols("i", real=True)
psi_of_x_i = Function("psi_of_x", real=True)
K, Psi, first = fixed_features.K, fixed_features.Psi, fixed_features.X[0]

printed = Claim(
    NOTES.at("(4)"),
    Holds(Eq(psi[test, V[0]] / sqrt(s), 1 / sqrt(s) * psi_of_x_i(i))),
    undefined={i},
    reading="Both sides of (4) at the first entry; the right side is the feature of x_i for an "
    "index i that nothing binds. The consequences of unbiasedness are the claim `repaired`.",
)
repaired = Claim(
    NOTES.at("(4) and the displays after it"),
    Expected(
        And(
            Eq(
                inner(fixed_features.psi(test), fixed_features.psi(first)),
                entry(kappa, test, first),
            ),
            Eq(Psi * Psi.T, K),
        )
    ),
    cost=2.0,
)
