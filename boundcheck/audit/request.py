"""Options of one audit, and what they may be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from boundcheck.boundary import numbers
from boundcheck.boundary.messages import shown
from boundcheck.errors import InvalidArgument

LEVEL = 0.95
LAMBDAS = (1e-12, 1e12)  # beyond, the ridge system is singular in doubles or its solution zero
DELTAS = (1e-100, 0.999999)
MOST_FEATURES, MOST_REPEATS = 20_000, 100_000


@dataclass(frozen=True)
class AuditRequest:
    """Options of one audit; see `boundcheck audit --help`.

    Args: values: further numbers of the claim by name, which the data do not supply.
    """

    key: str
    data: str
    target: str | None
    kernel: str
    features: int
    lambda_: float
    delta: float
    repeats: int
    rows: int | None
    seed: int
    values: Mapping[str, float] = field(default_factory=dict)


def require_ranges(request: AuditRequest) -> None:
    """Raises: InvalidArgument naming the first option outside its range."""
    from boundcheck.experiments.kernel_ridge import KERNELS

    if request.kernel not in KERNELS:
        raise InvalidArgument(
            f"--kernel {shown(request.kernel)} is none of {', '.join(KERNELS)}; choose one"
        )
    numbers.seed(request.seed)
    numbers.whole("--repeats", request.repeats, 2, MOST_REPEATS, 20)
    numbers.whole("--features", request.features, 1, MOST_FEATURES, 100)
    if request.rows is not None:
        numbers.whole("--rows", request.rows, 2, numbers.LARGEST_SEED, 1000)
    numbers.real("--lambda", request.lambda_, *LAMBDAS, "0.01")
    numbers.real("--delta", request.delta, *DELTAS, "0.05")


def numbers_of(settings: list[str] | None) -> dict[str, float]:
    """The numbers of --set options by name; whole numbers stay whole.

    Raises: InvalidArgument for what is no number.
    """
    from boundcheck.explore.grammar import assignments, parse_value

    found: dict[str, float] = {}
    for name, text in assignments(settings).items():
        value = parse_value(text)
        found[name] = int(value) if value.is_Integer else float(value)
    return found


def interval(values: object, level: float = LEVEL) -> tuple[float, float, float]:
    """Mean of independent repetitions with Student's interval; of numbers >= 0 one without less.

    >>> interval([0.0, 0.0, 3.0])[1]
    0.0
    """
    import numpy
    from scipy.stats import t

    found = numpy.asarray(values, dtype=float)
    mean = float(found.mean())
    if len(found) < 2:
        return mean, mean, mean
    half = float(t.ppf((1 + level) / 2, len(found) - 1) * found.std(ddof=1) / len(found) ** 0.5)
    low = mean - half
    return mean, max(low, 0.0) if float(found.min()) >= 0 else low, mean + half
