"""(21): mean of Delta_2 over the features.

Setting    fixed training set and targets, s independent features with psi^2 <= b,
           alpha = (K + n lambda I)^-1 y.
Claim      E_V Delta_2 <= alpha^T ((n b / s) K - (1/s) K^2) alpha <= (n b / s) ||K^(1/2) alpha||^2.
"""

from sympy import And, symbols

from boundcheck import Claim, Expected
from boundcheck.quantities.features import peak
from boundcheck.quantities.ridge import matrix_gap_term, square_norm, training_norm

from . import NOTES, b, fixed_training, n, norm, s, top

delta_2, square = symbols("Delta_2 square", real=True)

printed = Claim(
    source=NOTES.at("(21)"),
    statement=Expected(
        And(
            delta_2 <= n * b / s * norm - square / s,
            n * b / s * norm - square / s <= n * b / s * norm,
        )
    ),
    measure={delta_2: matrix_gap_term, norm: training_norm, square: square_norm, top: peak},
    uses=("wang2019/lemma_4:printed",),
    cost=4.0,
    **fixed_training(),
)
