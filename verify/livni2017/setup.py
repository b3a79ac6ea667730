"""(1)-(5): functions integrated over features, their inner product and the feature norm.

Setting    features w with law mu, |psi(w; x)| < 1, Phi(x)[w] = psi(w; x),
           <f, g> = integral of f g under mu.
"""

from sympy import And, Eq

from boundcheck import Claim, Expected
from boundcheck.settings.sampled_features import Phi, feature, function, inner, norm, point, psi

from . import NOTES

f, x, z = function("f"), point("x"), point("z")

printed = Claim(
    NOTES.at("(1)-(5)"),
    Expected(
        And(
            Eq(inner(Phi(x), Phi(z)), psi[x, feature] * psi[z, feature]),
            Eq(inner(f, Phi(x)), psi[x, feature] * f[feature]),
            norm(Phi(x)) < 1,
        )
    ),
    reading="The two orders of the arguments of psi, (1) against section 2, name one function.",
)
