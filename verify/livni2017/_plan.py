"""What Theorem 1 with its constants asks for a mean regret."""

from boundcheck.explore.plans_page import Worked

from ._experiment import TOY

WORKED = (
    Worked(
        "Infinite layer: mean regret at most 1/10 against comparators of norm 2",
        ("livni2017/theorem_1:mean_regret",), "m*T", {"epsilon": "1/10", "B": 2}, None,
        {"T": TOY.rounds}, "section 6: the length of the toy data",
    ),
)  # fmt: skip
