"""What Lemma 3 and the second moments ask of n, and Theorem 1 of lambda."""

from boundcheck.explore.plans_page import Worked

WORKED = (
    Worked(
        "Random feature ridge regression: the sample at which lambda = 1/20 is large enough",
        ("wang2019/event_18:as_used", "wang2019/combination_23:repaired"), "n",
        {"delta": "1/10", "b": 2, "s": 100, "lambda": "1/20"}, None, {"n": "from 200 on"},
        "sections 6.1-6.3 take lambda of the order 1/sqrt(n)",
    ),
)  # fmt: skip
