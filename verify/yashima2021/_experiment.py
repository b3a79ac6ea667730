"""Section 5, described once: figures, claims, benchmark and requirements read it from here.

Printed: the four squares, P(Y = 1 | x) in {4/5, 1/5}, logistic loss, gamma, lambda, T, M, 100 runs.
Not printed: the width of the Gaussian kernel, which two squares have the likelier label 1, whether
features are real. What depends on them is drawn at DRAWN and claimed there, at the ends of WIDTHS
and for both layouts; the features are those of the text, exp(i w.x) with R = 1. Errors are
integrals with certified bounds where the source has 100,000 test samples (standard error of an
error near 1/5: .0013).
"""

from flint import fmpq

from boundcheck.experiments.four_squares import Experiment
from boundcheck.quantities.losses import entropy, margin_threshold

LIKELIER, DELTA = fmpq(4, 5), fmpq(3, 10)
GAMMA, LAMBDA, ITERATIONS = fmpq(500), fmpq(1, 1000), fmpq(12_000)
MOST_FEATURES = fmpq(1000)
WIDTHS = (0.1, 0.2, 0.3, 0.5, 1.0)
DRAWN = Experiment(
    width=0.3, features=(100, 200, 500, int(MOST_FEATURES)), gamma=float(GAMMA),
    lambda_=float(LAMBDA), iterations=int(ITERATIONS), likelier=float(LIKELIER), runs=100,
)  # fmt: skip


def margin():
    """m(delta) of logistic loss at delta = 3/10: log 4."""
    return margin_threshold("logistic", fmpq(1), fmpq(1), DELTA)


def least_risk():
    """L(g_*) of logistic loss: the entropy of (4/5, 1/5)."""
    return entropy(1 - LIKELIER)
