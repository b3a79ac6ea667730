"""(22): mean of Delta_3 over the features, at any test point.

Setting    fixed training set, targets and test point, s independent features with psi^2 <= b,
           alpha = (K + n lambda I)^-1 y.
Claim      E_V Delta_3 <= (b/s) alpha^T K alpha <= (b/s) ||K^(1/2) alpha||^2.
"""

from sympy import And, symbols

from boundcheck import Claim, Expected
from boundcheck.quantities.features import peak
from boundcheck.quantities.operators import entries, quadratic_form
from boundcheck.quantities.ridge import (
    ridge_solution,
    training_gram,
    training_norm,
    vector_gap_term,
)

from . import NOTES, b, fixed_training, norm, s, top

delta_3, form = symbols("Delta_3 form", real=True)


def kernel_form(phi, tau, sample, y, lambda_):
    """alpha^T K alpha, by the quadratic form."""
    gram = training_gram(phi, tau, sample)
    return quadratic_form(gram, entries(ridge_solution(gram, y, lambda_)))


printed = Claim(
    source=NOTES.at("(22)"),
    statement=Expected(And(delta_3 <= b / s * form, b / s * form <= b / s * norm)),
    measure={delta_3: vector_gap_term, form: kernel_form, norm: training_norm, top: peak},
    uses=("wang2019/lemma_5:printed",),
    cost=4.0,
    **fixed_training(),
)
