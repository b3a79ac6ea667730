"""Section 6, described once: figure, claims, benchmark, plan and assumptions read it from here.

Printed: points, labels, D = 550, ..., 800, T = 200, one pass, a uniform coordinate as feature, r, k
and m for the same overall number of features, step sizes and schedules explored for each method.
Not printed: m, over the range of SAMPLES here; what the same overall number of features means, so
that all readings stand side by side; how sparse the combination is (five points, standard normal
coefficients); the scale of the labels (max |y_t| = 1); B (the norm of the target, at least 1); the
grid of steps (2^-7, ..., 2^3, constant and over sqrt(t)). DIGITS is the same experiment on real
points where the source has simulated ones only: pixels of images, 60 of them for D = 64 > T, with
|psi| < 1 as section 2 asks for, which clipped Gaussian entries are not.
"""

from boundcheck.experiments.feature_budgets import Experiment

TOY = Experiment(
    dimensions=(550, 600, 650, 700, 750, 800), rounds=200, samples=(20, 200), runs=100
)
DIGITS = Experiment(
    dimensions=(64,), rounds=60, samples=(5, 10, 20, 40, 80), runs=100, points="digits"
)
