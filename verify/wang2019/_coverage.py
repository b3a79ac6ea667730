"""What Theorem 1 would need for the experiments of section 6 to be covered.

The regularisation by `require` and the number of training points by `plan`, for b = 2 (features
sqrt(2) cos), delta = 1/10; and the value of the bound (4 b / s) ||K^(1/2) (K + n lambda I)^-1 y||^2
on the data at the regularisation needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from boundcheck.experiments.coverage import Coverage, Need
from boundcheck.explore import plan, require

from . import theorem_1
from ._experiment import FACTORS, GROWING, SIZES
from ._figures import read, split, title

THEOREM, REPAIRED = "wang2019/theorem_1:printed", "wang2019/theorem_1:repaired"
B, DELTA = 2, "1/10"


def coverage(data: Sequence[str] = (), seed: int = 0) -> Coverage:
    """The table for every data set, both kernels.

    Args: data: FILE[:TARGET] entries as for the figures.
    """
    found = [
        need for world in read(data) for kernel in ("rbf", "laplace")
        for need in _of_data(world, kernel, seed)
    ]  # fmt: skip
    return Coverage(
        [*_rows_needed(), *found],
        "Theorem 1 bounds the mean squared difference of the predictions; targets have mean 0 and "
        "largest value 1, and their variance, which predicting 0 attains, is given with each "
        f"set. b = {B}, delta = {DELTA}, s = {SIZES[-1]}. As lambda = c / sqrt(n) with a fixed c, "
        "more points alone would not meet the printed condition: c itself is too small. Whether "
        f"the bound holds under it is the claim {THEOREM}; the other condition is of {REPAIRED}.",
    )


def _rows_needed() -> Iterator[Need]:
    """Training points at which each lambda used at the largest n would be allowed."""
    used = GROWING[-1]
    for factor in FACTORS:
        lambda_ = factor / used**0.5
        given = {"lambda": lambda_, "s": SIZES[-1], "b": B, "delta": DELTA}
        need = plan({THEOREM: theorem_1.printed}, None, "n", given, rates=False).sizes["n"]
        yield Need(
            f"lambda = {lambda_:.3g}, that of c = {factor:g} at n = {used}", "training points",
            "n", used, float(need), None,
        )  # fmt: skip


def _of_data(world: Any, kernel: str, seed: int) -> Iterator[Need]:
    """The lambdas of one set against those of the theorem, printed and repaired."""
    import numpy

    from boundcheck.experiments.ridge_difference import fit_exact

    rng = numpy.random.default_rng([seed, 0])
    x, y, x_test = split(world, rng)
    given = {"n": len(y), "s": SIZES[-1], "b": B, "delta": DELTA}
    needed = {
        "Theorem 1 as printed": require(theorem_1.printed, "lambda", given),
        "Theorem 1 repaired": require(theorem_1.repaired, "lambda", {"b": B}),
    }
    lambdas = [float(need.answer) for need in needed.values()]
    largest = max(FACTORS)
    exact = fit_exact(x, y, x_test[:1], kernel=kernel, lambdas=lambdas, rng=rng)
    for name, lambda_, norm2 in zip(needed, lambdas, exact.norm2, strict=True):
        yield Need(
            f"{title(world)}, n = {len(y)}, {kernel}, variance {float(y.var()):.3g}",
            f"{name}, against c = {largest:g}", "lambda", largest / len(y) ** 0.5, lambda_,
            4 * B / SIZES[-1] * float(norm2),
        )  # fmt: skip
