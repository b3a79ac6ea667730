"""Yashima, Nitanda, Suzuki 2021: classification error of SGD with random features. Two editions.

Symbols shared by its statements. The Lipschitz constant of the loss is L in the conference edition
and G in the preprint, whose L is the smoothness constant.
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

M, T, n, d, m, t = symbols("M T n d m t", real=True)
gamma, delta, epsilon, p, xi = symbols("gamma delta epsilon p xi", real=True)
delta_prime = symbols("delta_prime", real=True)
lam = symbols("lambda", real=True)
R, G, L, C = symbols("R G L C", real=True)
