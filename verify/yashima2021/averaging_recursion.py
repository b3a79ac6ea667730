"""The averaged iterate can be updated step by step.

Setting    iterates beta_1, ..., beta_{T+1}, offset gamma >= 0, theta_t as printed.
Claim      mean_1 = beta_1, mean_{t+1} = (1 - theta_t) mean_t + theta_t beta_{t+1} ends at the
           weighted average sum_t alpha_t beta_t, at every horizon.
"""

from sympy import Eq, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.sgd import recursive_average, weighted_average
from boundcheck.worlds import Derived, Integer, Real, Space, Vector

from . import ARXIV, gamma

recursive, weighted = symbols("recursive weighted", real=True)

printed = Claim(
    source=ARXIV.at("Section 2.3, (16)-(17)"),
    statement=Holds(Eq(recursive, weighted)),
    given=[2 * gamma + 1 > 0],
    worlds=Space(
        T=Integer(1, searched=8),
        count=Derived(lambda T: T + 1),
        iterates=Vector("count", searched=(-10, 10)),
    ),
    parameters={gamma: Real(None, None)},
    measure={recursive: recursive_average, weighted: weighted_average},
    uses=("yashima2021/weights:printed",),
    reading="iterates are one coordinate of beta; the offset keeps the normalisers positive",
)
