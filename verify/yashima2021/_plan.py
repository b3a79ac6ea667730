"""What Theorem 3 asks at the numbers of section 5."""

from boundcheck.explore.plans_page import Worked

WORKED = (
    Worked(
        "Classification by SGD with random features: excess risk at most 0.01",
        ("yashima2021/theorem_3_full:arxiv",), "M*t",
        {"lambda": "1/1000", "gamma": 500, "R": 1, "delta": "3/10"}, "tail_bound <= 0.01",
        {"M": "100 to 1,000", "T": "12,000", "t": "12,000", "lambda": "0.001", "gamma": "500"},
        "section 5: gamma, lambda, T and the numbers of features of the figures",
    ),
)  # fmt: skip
