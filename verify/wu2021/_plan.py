"""What the explicit forms of Theorems 4.2 and 4.3 ask of the sample."""

from boundcheck.explore.plans_page import Worked

WORKED = (
    Worked(
        "Regularised risk: excess at most 1/10", ("wu2021/theorem_4_2:accuracy",), "n",
        {"epsilon": "1/10", "Q": 1, "L": 1, "B": 1, "delta": "1/10"}, None, {},
        "the source has no experiment",
    ),
    Worked(
        "Clipped regression with noise: error at most 1/2", ("wu2021/theorem_4_3:accuracy",), "n",
        {"epsilon": "1/2", "Q": 1, "sigma": "1/2", "delta": "1/10"}, None, {},
        "the source has no experiment; it takes lambda of the order 1/sqrt(n)",
    ),
)  # fmt: skip
