"""Yashima, Nitanda, Suzuki 2021: classification error of SGD with random features. Two editions.

Symbols of its experiments. The Lipschitz constant of the loss is L in the
conference edition and G in the preprint, whose L is the smoothness constant.
"""

from sympy import symbols

from boundcheck import Source

AUTHORS = "Yashima, Nitanda, Suzuki"
TITLE = (
    "Exponential Convergence Rates of Classification Errors on Learning with SGD and Random "
    "Features"
)
AISTATS = Source(AUTHORS, 2021, TITLE, edition="AISTATS")
ARXIV = Source(AUTHORS, 2021, TITLE, edition="arXiv")

M, T, m, t = symbols("M T m t", real=True)
gamma, delta, lam = symbols("gamma delta lambda", real=True)
R, L = symbols("R L", real=True)
