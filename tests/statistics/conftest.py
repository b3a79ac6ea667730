import math
from collections.abc import Callable

import numpy as np
import pytest

from boundcheck.statistics import mixture_log_e


def _survival(delta: float, p: float, alpha: float, horizon: int) -> np.ndarray:
    threshold = math.log(1 / alpha)
    alive, least = np.ones(1), 1
    left = np.ones(horizon + 1)
    for t in range(1, horizon + 1):
        alive = np.append(alive * (1 - p), 0.0) + np.append(0.0, alive * p)
        while least <= t and float(mixture_log_e(least, t, delta)) < threshold:
            least += 1
        alive = alive[:least]
        left[t] = alive.sum()
    return left


@pytest.fixture(scope="session")
def survival() -> Callable[[float, float, float, int], np.ndarray]:
    """P(no rejection within t draws of Bernoulli(p)), t = 0 .. horizon, by dynamic programming.

    Of (delta, p, alpha, horizon). Uses that at a fixed number of hits the wealth falls with every
    miss, so the least number of hits that rejects never decreases in t.
    """
    return _survival
