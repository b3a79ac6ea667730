"""Sections 3.2 and 5: kernel of the random sign feature, printed in two ways.

Setting    psi(x; v) = sgn(x^T v), v uniform on the unit sphere; Assumption 1 asks for
           kappa(x, x') = E_v psi(x; v) psi(x'; v).
Main       kappa = (1 / (2 pi)) arcsin(x^T x' / (||x|| ||x'||)).
Appendix   kappa = (2 / pi) arcsin(x^T x' / (||x|| ||x'||)).
"""

from sympy import Eq, asin, cos, pi

from boundcheck import Claim, Holds
from boundcheck.expressions import parameter
from boundcheck.settings.sign_features import sign_agreement
from boundcheck.worlds import Real

from . import NOTES

turn = parameter("turn", Real(0, 1), says="Turns between the two points.")
READING = (
    "Two points span a plane, onto which v projects to a uniform direction, so the circle decides "
    "every dimension."
)

main = Claim(
    NOTES.at("Section 3.2"),
    Holds(Eq(sign_agreement(turn), asin(cos(2 * pi * turn)) / (2 * pi))),
    reading=READING,
)
appendix = Claim(
    NOTES.at("Section 5"),
    Holds(Eq(sign_agreement(turn), 2 / pi * asin(cos(2 * pi * turn)))),
    reading=READING,
)
