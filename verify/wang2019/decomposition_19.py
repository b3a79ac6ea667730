"""(19): the squared difference of the two predictions split into two terms.

Setting    fixed training set, feature draw and test point; R~ = (K~ + n lambda I)^-1,
           Delta_1 = R~ k~' k~'^T R~, Delta_2 = ||(K~ - K)(K + n lambda I)^-1 y||^2,
           Delta_3 = [(k~' - k')^T (K + n lambda I)^-1 y]^2.
Claim      (f~ - f)^2 <= 2 ||Delta_1||_2 Delta_2 + 2 Delta_3.
"""

from sympy import symbols

from boundcheck import Claim, Holds
from boundcheck.quantities import renamed
from boundcheck.quantities.operators import operator_norm
from boundcheck.quantities.ridge import (
    feature_term,
    matrix_gap_term,
    squared_difference,
    vector_gap_term,
)
from boundcheck.worlds import Real

from . import NOTES, drawn_features, ridge

gap, size_1, delta_2, delta_3 = symbols("gap size_1 Delta_2 Delta_3", real=True)
delta_1 = symbols("Delta_1", commutative=False)

printed = Claim(
    source=NOTES.at("(19)"),
    statement=Holds(gap <= 2 * size_1 * delta_2 + 2 * delta_3),
    given=[ridge > 0],
    worlds=drawn_features(),
    parameters={ridge: Real(0, None, open_low=True)},
    measure={
        gap: squared_difference,
        delta_1: feature_term,
        size_1: renamed(operator_norm, matrix="Delta_1"),
        delta_2: matrix_gap_term,
        delta_3: vector_gap_term,
    },
    uses=("wang2019/inverse_difference:printed",),
    cost=4.0,
)
