"""Markov's inequality.

Setting    X >= 0 with finitely many values, t > 0.
Claim      P(X >= t) <= E X / t, with equality for X in {0, t}.
False      without X >= 0; with strict inequality.
"""

from boundcheck import Claim, Holds
from boundcheck.quantities import laws
from boundcheck.worlds import Real, scalar_laws

from . import MARKOV, mean, t, tail

SETTING = {
    "source": MARKOV.at("inequality"),
    "given": [t > 0],
    "parameters": {t: Real(0, 2)},
    "measure": {mean: laws.mean, tail: laws.upper_tail},
}

printed = Claim(statement=Holds(tail <= mean / t), worlds=scalar_laws(high=2), **SETTING)
signed = Claim(statement=Holds(tail <= mean / t), worlds=scalar_laws(low=-2, high=2), **SETTING)
strict = Claim(
    statement=Holds(tail < mean / t), worlds=scalar_laws(high=2),
    **{**SETTING, "given": [t > 0, mean > 0]},
)  # fmt: skip
