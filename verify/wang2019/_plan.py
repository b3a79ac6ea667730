"""What Lemma 3 and the second moments ask of n, and Theorem 1 of lambda."""

from boundcheck.explore.plans_page import Worked

from ._experiment import FEATURES, GROWING

WORKED = (
    Worked(
        "Random feature ridge regression: the sample at which lambda = 1/20 is large enough",
        ("wang2019/event_18:as_used", "wang2019/combination_23:repaired"), "n",
        {"delta": "1/10", "b": 2, "s": FEATURES, "lambda": "1/20"}, None,
        {"n": f"from {GROWING[0]} on"},
        "sections 6.1-6.3 take lambda of the order 1/sqrt(n)",
    ),
)  # fmt: skip
