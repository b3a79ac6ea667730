"""Section 2, after (2.5): the closed form of kernel ridge regression.

Setting    kernel matrix K of n points, responses y, objective
           (1/n) ||K a - y||^2 + lambda a^T K a, convex in a.
Claim      a = (K/n + I)^{-1} y minimises it: the gradient 2 K (K a - y)/n + 2 lambda K a vanishes.
           With lambda = 1 (unit_penalty) the factor 1/n alone is missing.
Repair     a = (K + n lambda I)^{-1} y.
"""

from sympy import Eq, symbols

from boundcheck import Claim, Holds
from boundcheck.claim import Rescaling
from boundcheck.quantities.operators import column, identity
from boundcheck.worlds import Real, Vector, gram_matrices

from . import NOTES, n, penalty

K, I, Y = symbols("K I Y", commutative=False)


def gradient(a):
    """Half the gradient of the objective."""
    return K * (K * a - Y) / n + penalty * K * a


def kernel_matrix(gram):
    return gram


def unit_matrix(n):
    return identity(n)


def responses(y):
    return column(y)


shared = {
    "worlds": gram_matrices().and_fields(y=Vector("n")),
    "given": [penalty > 0],
    "parameters": {penalty: Real(0, None, open_low=True)},
    "measure": {K: kernel_matrix, I: unit_matrix, Y: responses},
    "rescalings": (Rescaling("responses by s", {"y": 1}),),
    "cost": 0.5,
}

printed = Claim(
    source=NOTES.at("after (2.5)"),
    statement=Holds(Eq(gradient((K / n + I) ** -1 * Y), 0)),
    uses=("wu2021/krr_reduction:printed",),
    reading="minimising is stated by the gradient, so a singular kernel matrix is no objection",
    **shared,
)

unit_penalty = Claim(
    **{
        **shared,
        "source": NOTES.at("after (2.5), with lambda = 1"),
        "statement": Holds(Eq(gradient((K / n + I) ** -1 * Y), 0)),
        "given": [Eq(penalty, 1)],
        "parameters": {penalty: Real(1, 1)},
        "reading": "as if the unit matrix stood for a penalty of weight one",
    }
)

repaired = Claim(
    source=NOTES.at("after (2.5), repaired"),
    statement=Holds(Eq(gradient((K + n * penalty * I) ** -1 * Y), 0)),
    **shared,
)
