"""Exact binomial limits for one look at a fixed number of draws.

Not valid under optional stopping: a process that decides when to stop uses `martingale`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.statistics.arguments import counts, open_unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike


def clopper_pearson_upper(hits: ArrayLike, trials: ArrayLike, *, level: float = 1e-6) -> np.ndarray:
    """Exact upper confidence limit for a Bernoulli probability; valid for one look only.

    The largest p with P(Bin(trials, p) <= hits) >= level, that is the root u of
    I_{1-u}(trials - hits, hits + 1) = level; 1 when every trial hits.

    Args:
        hits: successes, integers in [0, trials], shape (...,).
        trials: independent draws, at least 1, broadcast against `hits`.
        level: error probability in (0, 1).
    Returns: limits in [0, 1], float64, the common shape.
    Raises: InvalidArgument if an argument leaves its range.
    Source: Clopper and Pearson, Biometrika 26 (1934) 404-413.

    >>> float(clopper_pearson_upper(0, 100, level=0.05).round(4))
    0.0295
    """
    import numpy as np
    from scipy.special import betainccinv

    open_unit("level", level)
    hit, trial = counts(hits, trials)
    # The complemented inverse keeps full relative precision at levels far below 1e-16.
    limit = betainccinv(hit + 1.0, np.maximum(trial - hit, 1.0), level)
    return np.where(hit == trial, 1.0, limit)


def clopper_pearson_lower(hits: ArrayLike, trials: ArrayLike, *, level: float = 1e-6) -> np.ndarray:
    """Exact lower confidence limit for a Bernoulli probability; valid for one look only.

    The least p with P(Bin(trials, p) >= hits) >= level, that is the root l of
    I_l(hits, trials - hits + 1) = level; 0 when nothing hits. Arguments, shapes, errors and
    source as for `clopper_pearson_upper`.

    >>> float(clopper_pearson_lower(100, 100, level=0.05).round(4))
    0.9705
    """
    import numpy as np
    from scipy.special import betaincinv

    open_unit("level", level)
    hit, trial = counts(hits, trials)
    limit = betaincinv(np.maximum(hit, 1.0), trial - hit + 1.0, level)
    return np.where(hit == 0, 0.0, limit)


def clopper_pearson(
    hits: ArrayLike, trials: ArrayLike, *, level: float = 1e-6
) -> tuple[np.ndarray, np.ndarray]:
    """Exact two-sided confidence interval (lower, upper), level / 2 for either side.

    Arguments, shapes, errors and source as for `clopper_pearson_upper`; valid for one look only.

    >>> low, high = clopper_pearson([0, 5], 10, level=0.05)
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.0, 0.1871], [0.3085, 0.8129])
    """
    open_unit("level", level)
    return (
        clopper_pearson_lower(hits, trials, level=level / 2),
        clopper_pearson_upper(hits, trials, level=level / 2),
    )
