"""(30): second moment of K~ - K for features of square one.

Setting    fixed training set, s independent features with psi^2 = 1.
Claim      E_V[(K~ - K)^2] = -(1/s) K^2 + (n/s) K.
"""

from sympy import Eq, symbols

from boundcheck import Claim, Expected
from boundcheck.quantities.ridge import approximate_gram, training_gram
from boundcheck.worlds import Custom, Integer, Matrix

from . import FEATURES, NOTES, n, s, training

gap, gram = symbols("gap gram", commutative=False)


def _signs(source, earlier):
    from flint import fmpq_mat

    shape = earlier["m"], earlier["K"]
    return fmpq_mat(*shape, [source.choice((1, -1)) for _ in range(shape[0] * shape[1])])


def is_sign_table(value, world):
    return Matrix("m", "K").admits(value, world) and all(abs(v) == 1 for v in value.entries())


def squared_gap(phi, tau, features, sample):
    """(K~ - K)^2."""
    gap = approximate_gram(phi, features, sample) - training_gram(phi, tau, sample)
    return gap * gap


printed = Claim(
    source=NOTES.at("(30)"),
    statement=Expected(Eq(gap, -gram * gram / s + n / s * gram)),
    worlds=training().and_fields(phi=Custom(_signs, is_sign_table)),
    parameters={s: Integer(1, searched=3)},
    measure={gap: squared_gap, gram: training_gram},
    draw=FEATURES,
    uses=("wang2019/lemma_4:step_diagonal",),
    cost=2.0,
)
