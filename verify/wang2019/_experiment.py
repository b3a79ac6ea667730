"""Section 6, described once: figures, claims, benchmark, plan and coverage read it from here.

Printed: bandwidths, scaling, the three lambdas c / sqrt(n), s = 100 and n from 200 to 5,000 in
figures 3 and 4, training and test sizes, 100 repeats in figures 1 and 2, 10 splits in 3 and 4. Two
of the four sets come with the package. Not printed: the values of s in figures 1 and 2. Features
are sqrt(2) cos(.), unbiased for the kernel, beside the cosines as printed.
"""

from flint import fmpq

from boundcheck.experiments.ridge_shares import Draws

SETS = ("cadata", "cpusmall")  # of the source's Table 2; MSD and Covtype are too large to ship
DIMENSIONS = (8, 12, 54, 90)  # of all four
SIZES = (10, 19, 37, 72, 139, 268, 518, 1000)
RIDGES = (fmpq(1, 5), fmpq(1), fmpq(5))  # lambda sqrt(n)
FACTORS = tuple(float(c) for c in RIDGES)
ROWS = 10_000
TRAINING = {"cpusmall": 5_000}  # of the source's table; other sets are halved
GROWING, FEATURES, SPLITS = (200, 500, 1000, 2000, 5000), 100, 10
REPEATS = 100
DRAWS = Draws("cpusmall", TRAINING["cpusmall"], SIZES, FACTORS, REPEATS)
