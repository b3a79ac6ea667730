"""The exact law of sign features on the circle."""

import itertools
import math

import pytest
from flint import arb, fmpq, fmpq_mat

from boundcheck.quantities import features as F

ANGLES = (fmpq(0), fmpq(1, 7), fmpq(2, 5), fmpq(9, 10))


def test_circle_patterns_average_to_the_kernel():
    law = F.circle_patterns(ANGLES)
    assert sum((p for p, _ in law), fmpq(0)) == 1
    size = len(ANGLES)
    mean = fmpq_mat(size, size)
    for p, signs in law:
        mean += fmpq_mat(size, size, [u * v for u in signs for v in signs]) * p
    assert mean == F.circle_kernel(ANGLES)


def test_circle_kernel_is_the_arcsine_kernel():
    gram = F.circle_kernel(ANGLES)
    for i, j in itertools.combinations(range(len(ANGLES)), 2):
        cosine = math.cos(2 * math.pi * float(arb(ANGLES[i] - ANGLES[j]).mid()))
        expected = 2 / math.pi * math.asin(cosine)
        # asin loses accuracy near 1 only; cosines here stay below 0.82, so 1e-14 is generous.
        assert float(arb(gram[i, j]).mid()) == pytest.approx(expected, abs=1e-14)
