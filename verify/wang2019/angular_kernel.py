"""Sections 3.2 and 5: kernel of the random sign feature, printed in two ways.

Setting    psi(x; v) = sgn(x^T v), v uniform on the unit sphere; Assumption 1 asks for
           kappa(x, x') = E_v psi(x; v) psi(x'; v).
Main       kappa = (1 / (2 pi)) arcsin(x^T x' / (||x|| ||x'||)).
Appendix   kappa = (2 / pi) arcsin(x^T x' / (||x|| ||x'||)).
"""

from sympy import Eq, asin, cos, pi, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.features import circle_patterns
from boundcheck.worlds import Real

from . import NOTES

agreement, turn = symbols("agreement turn", real=True)


def sign_agreement(turn):
    """E_v sgn(x^T v) sgn(x'^T v) for two points a number of turns apart, arc by arc."""
    law = circle_patterns((0, turn))
    return sum(weight * first * second for weight, (first, second) in law)


SETTING = {
    "parameters": {turn: Real(0, 1)},
    "measure": {agreement: sign_agreement},
    "reading": "Two points span a plane, onto which v projects to a uniform direction, so the "
    "circle decides every dimension.",
}
COSINE = cos(2 * pi * turn)

main = Claim(
    source=NOTES.at("Section 3.2"),
    statement=Holds(Eq(agreement, asin(COSINE) / (2 * pi))),
    **SETTING,
)

appendix = Claim(
    source=NOTES.at("Section 5"),
    statement=Holds(Eq(agreement, 2 / pi * asin(COSINE))),
    **SETTING,
)
