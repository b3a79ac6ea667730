"""(31) and footnote 2: the bound without the factor 4 b.

Setting    that of Theorem 1.
Claim      Bound = (1/s) ||K^(1/2) (K + n lambda I)^-1 y||^2 bounds E (f~ - f)^2, the factor 4 b
           being an artefact.
Repaired   with the factor b, for x' uniform on the training set.
"""

from sympy import log, sqrt

from boundcheck import Claim, Holds, WithProbability
from boundcheck.claim import Rescaling
from boundcheck.quantities.features import peak
from boundcheck.quantities.ridge import in_sample_difference, training_norm

from . import NOTES, b, delta, fixed_training, mse, n, norm, ridge, s, top, unit
from .theorem_1 import MEASURE, TRAINING, WORLDS

printed = Claim(
    source=NOTES.at("(31) and footnote 2"),
    statement=WithProbability(1 - delta, mse <= norm / s),
    given=[unit, top <= b, ridge >= 2 * b / sqrt(n) * sqrt(log(s / delta))],
    worlds=WORLDS,
    measure=MEASURE,
    draw=TRAINING,
    rescalings=(Rescaling("features by s, b and lambda by s^2", {"phi": 1, "b": 2, "lambda": 2}),),
    uses=("wang2019/theorem_1:printed",),
    reading="As an upper bound on the mean squared difference, under the hypotheses of Theorem 1.",
)

repaired = Claim(
    source=NOTES.at("(31) and footnote 2"),
    statement=Holds(mse <= b / s * norm),
    measure={mse: in_sample_difference, norm: training_norm, top: peak},
    cost=2.0,
    **{**fixed_training(), "draw": None},
)
