"""Section 5, described once: figures, claims, benchmark and requirements read it from here.

Printed: the four squares, P(Y = 1 | x) in {4/5, 1/5}, logistic loss, gamma, lambda, T, M, 100 runs.
Not printed: the width of the Gaussian kernel, which two squares have the likelier label 1, whether
features are real. What depends on them is drawn at DRAWN and claimed there, at the ends of WIDTHS
and for both layouts; the features are those of the text, exp(i w.x) with R = 1. Errors are
integrals with certified bounds where the source has 100,000 test samples (standard error of an
error near 1/5: .0013).
"""

from sympy import Integer, Rational

from boundcheck.experiments.four_squares import Experiment
from boundcheck.expressions import define
from boundcheck.settings.four_squares import LIKELIER
from boundcheck.settings.margin_losses import logistic

DELTA = Rational(3, 10)
GAMMA, LAMBDA, ITERATIONS = Integer(500), Rational(1, 1000), Integer(12_000)
MOST_FEATURES = Integer(1000)
WIDTHS = (0.1, 0.2, 0.3, 0.5, 1.0)
DRAWN = Experiment(
    width=0.3, features=(100, 200, 500, int(MOST_FEATURES)), gamma=float(GAMMA),
    lambda_=float(LAMBDA), iterations=int(ITERATIONS), likelier=float(LIKELIER), runs=100,
)  # fmt: skip
MARGIN = logistic.margin(DELTA)  # log 4
LEAST_RISK = logistic.least_risk(1 - LIKELIER)

gamma = define("gamma", GAMMA, says="Offset of the step sizes.")
lam = define("lambda", LAMBDA, says="Regularisation.")
T = define("T", ITERATIONS, says="Number of steps.")
M = define("M", MOST_FEATURES, says="Largest number of features.")
m = define("m", MARGIN, latex=r"m(\delta)", says="Of logistic loss at delta = 3/10.")
risk_star = define("risk_star", LEAST_RISK, latex="L(g_*)", says="Of logistic loss.")
