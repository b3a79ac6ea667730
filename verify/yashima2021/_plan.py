"""What Theorem 3 asks at the numbers of section 5."""

from boundcheck.explore.plans_page import Worked

from ._experiment import DELTA, DRAWN, GAMMA, ITERATIONS, LAMBDA

WORKED = (
    Worked(
        "Classification by SGD with random features: excess risk at most 0.01",
        ("yashima2021/theorem_3_full:arxiv",), "M*t",
        {"lambda": LAMBDA, "gamma": GAMMA, "R": 1, "delta": DELTA}, "tail_bound <= 0.01",
        {"M": f"{DRAWN.features[0]:,} to {DRAWN.features[-1]:,}", "T": f"{int(ITERATIONS):,}",
         "t": f"{int(ITERATIONS):,}", "lambda": f"{float(LAMBDA):g}", "gamma": str(GAMMA)},
        "section 5: gamma, lambda, T and the numbers of features of the figures",
    ),
)  # fmt: skip
