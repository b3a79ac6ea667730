"""Samples per round of Theorem 1, and the bound of its proof."""

from sympy import Max, Rational, log, sqrt

from boundcheck.settings.sampled_features import AT_LEAST_ONE, B, eta, m
from boundcheck.settings.shrinking_gradient import THEOREM_STEP, T
from boundcheck.worlds import Integer

SAMPLES = Integer(1, wide=True, searched=10**9)
stated_samples = B**4 * T * log(B * T)
# The m of the proof at the step of the theorem, where B / eta = sqrt(T).
samples = ((16 * B + 1) * B) ** 2 * T * log(((16 * B + 1) * T + sqrt(T)) ** 2)
fewer_samples = ((16 * B + 1) * B) ** 2 * T * Max(1, log(T) / 20)
bound = Rational(20, 3) * B * sqrt(T)
STEP = {**AT_LEAST_ONE, eta: THEOREM_STEP, m: SAMPLES}
