"""Yashima, Nitanda, Suzuki 2021: classification error of SGD with random features. Two editions.

The Lipschitz constant of the loss is L in the conference edition and G in the preprint, whose L is
the smoothness constant.
"""

from boundcheck import Source

AUTHORS = "Yashima, Nitanda, Suzuki"
TITLE = (
    "Exponential Convergence Rates of Classification Errors on Learning with SGD and Random "
    "Features"
)
AISTATS = Source(AUTHORS, 2021, TITLE, edition="AISTATS")
ARXIV = Source(AUTHORS, 2021, TITLE, edition="arXiv")
