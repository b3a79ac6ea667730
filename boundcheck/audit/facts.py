"""What bounds ask of data, estimated on subsamples with intervals over them."""

from __future__ import annotations

from typing import Any

from boundcheck.audit.request import LEVEL, interval
from boundcheck.audit.supply import Subsample


def estimates(parts: list[Subsample], total: int) -> list[tuple[str, str]]:
    """Noise level, effective dimension, eigenvalue decay, margins, Lipschitz constant, in words.

    What they are estimated on comes first. Subsamples of all rows are one sample, over which
    nothing varies: no interval is shown then.

    Args: total: rows of the data.
    """
    rows = {
        "noise level": ([noise(part) for part in parts],
                        "root of half the mean squared difference to the nearest row"),
        "dimension": ([effective_dimension(part) for part in parts],
                      "effective, tr K (K + n lambda I)^-1"),
        "decay": ([decay(part) for part in parts], "of eigenvalues, k^-decay"),
        "margin": ([margin(part) for part in parts],
                   "lower quartile of sign(y) times the fitted value"),
        "Lipschitz": ([lipschitz(part) for part in parts],
                      "99% of difference quotients of the target are below"),
        "features": ([float(abs(part.features).max()) for part in parts], "largest modulus"),
    }  # fmt: skip
    whole = parts[0].n >= total
    drawn = (f"{len(parts)} of {parts[0].n} rows without replacement; over them, what follows "
             f"with intervals at level {LEVEL:g}")  # fmt: skip
    if whole:
        drawn = f"all {total} rows every time, so that no interval follows; --rows sets fewer"
    return [("subsamples", drawn), *((name, _said(interval(values), words, whole))
                                     for name, (values, words) in rows.items())]  # fmt: skip


def _said(values: tuple[float, float, float], words: str, whole: bool) -> str:
    mean, low, high = values
    return f"{mean:.4g}: {words}" if whole else f"{mean:.4g} [{low:.4g}, {high:.4g}]: {words}"


def _distances(part: Subsample) -> Any:
    from scipy.spatial.distance import cdist

    return cdist(part.x, part.x)


def noise(part: Subsample) -> float:
    """Rice's estimate with nearest neighbours: half the mean squared difference, rooted."""
    import numpy

    gaps = _distances(part) + numpy.diag([numpy.inf] * part.n)
    nearest = gaps.argmin(1)
    return float(numpy.sqrt(((part.y - part.y[nearest]) ** 2).mean() / 2))


def _spectrum(part: Subsample) -> Any:
    import numpy

    return numpy.maximum(numpy.linalg.eigvalsh(part.gram)[::-1], 0.0)


def effective_dimension(part: Subsample) -> float:
    """tr K (K + n lambda I)^-1."""
    values = _spectrum(part)
    return float((values / (values + part.n * part.ridge)).sum())


def decay(part: Subsample) -> float:
    """The slope of log eigenvalues in log rank, over those above 10^-10 of the largest."""
    import numpy

    values = _spectrum(part)
    values = values[values > 1e-10 * values[0]]
    if len(values) < 3:
        return 0.0
    ranks = numpy.log(numpy.arange(1, len(values) + 1))
    return float(-numpy.polyfit(ranks, numpy.log(values), 1)[0])


def margin(part: Subsample) -> float:
    """Lower quartile of the margins sign(y) f(x) of the fit."""
    import numpy

    return float(numpy.quantile(numpy.sign(part.y) * part.fitted, 0.25))


def lipschitz(part: Subsample) -> float:
    """The 99% quantile of |y - y'| / |x - x'| over pairs of different rows."""
    import numpy

    gaps = _distances(part)
    apart = gaps > 0
    if not apart.any():
        return 0.0
    return float(numpy.quantile((abs(part.y[:, None] - part.y[None]))[apart] / gaps[apart], 0.99))
