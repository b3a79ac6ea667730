"""The audit of bounds on the squared difference of kernel ridge regression and its features.

The claim's printed conditions and its right side are evaluated symbol by symbol with values of the
data set; the left side is measured. What the claim calls `n`, `s`, `lambda`, `delta`, `b` and
`norm` is filled from the data and the options.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Any

import sympy

from boundcheck import exact
from boundcheck.audit.request import LEVEL, AuditRequest, interval
from boundcheck.claim import Claim
from boundcheck.errors import InvalidArgument
from boundcheck.setting import flatten, parts, sides
from boundcheck.worlds.drawn import exact_entry

FEATURE_BOUND = 2  # sup psi^2 of sqrt(2) cos(.): the features that estimate k without bias
KNOWN = frozenset({"n", "s", "lambda", "delta", "b", "norm"})
MOST_BYTES = 4 * 2**30  # of the kernel matrix, features and data
ESTIMATING = 60  # rows of the subsamples that noise level, dimension and others are estimated on
FITTING = 10_000  # rows of a subsample, where all of them would take more
MEASURES = "the mean squared difference of the two predictors on test rows"
SECONDS = 5  # beyond which the expected time is said even without a terminal


@dataclass(frozen=True)
class Audit:
    """Result: hypotheses with their status, both sides and their ratio."""

    key: str
    standing: str
    facts: tuple[tuple[str, str], ...]
    hypotheses: tuple[tuple[str, bool | None, str], ...]
    requirements: tuple[str, ...]
    bound: float
    measured: float
    low: float
    high: float
    seconds: float

    @property
    def ratio(self) -> float:
        """Bound over measured mean squared difference: the slack on this data."""
        return self.bound / self.measured if self.measured > 0 else float("inf")

    def as_json(self) -> dict[str, Any]:
        """The `--json` form."""
        return {
            "key": self.key,
            "verdict": self.standing,
            "measures": MEASURES,
            "facts": dict(self.facts),
            "hypotheses": [
                {"hypothesis": text, "met": met, "detail": detail}
                for text, met, detail in self.hypotheses
            ],
            "requirements": list(self.requirements),
            "bound": self.bound,
            "measured": self.measured,
            "interval": {"low": self.low, "high": self.high, "level": LEVEL},
            "ratio": self.ratio,
            "seconds": round(self.seconds, 2),
        }

    def __str__(self) -> str:
        words = {True: "met", False: "NOT met", None: "unknown"}
        lines = [f"audit of {self.key}", f"  {'verdict':12} {self.standing}",
                 f"  {'measures':12} {MEASURES}"]  # fmt: skip
        lines += [f"  {name:12} {value}" for name, value in self.facts]
        lines.append("hypotheses")
        for text, met, detail in self.hypotheses:
            lines.append(f"  {words[met]:8} {text}" + (f"   ({detail})" if detail else ""))
        if self.requirements:
            lines.append("to meet the hypotheses, with the rest as it is")
            lines += [f"  {need}" for need in self.requirements]
        lines += [
            f"bound        {self.bound:.6g}",
            f"measured     {self.measured:.6g}   [{self.low:.6g}, {self.high:.6g}] at level "
            f"{LEVEL:g} over feature draws",
            f"ratio        {self.ratio:.6g}   (bound over measured)",
            f"time         {self.seconds:.1f} s",
        ]
        return "\n".join(lines)


def compares_predictors(claim: Claim) -> bool:
    """Whether the right side of a claim is a bound in these numbers."""
    compared = parts(claim.statement.relation)
    if not compared or not isinstance(compared[0], sympy.Rel):
        return False
    names = {symbol.name for symbol in sides(compared[0])[1].free_symbols}
    return names <= KNOWN and "norm" in names


def audit_ridge(request: AuditRequest, claim: Claim, standing: str) -> Audit:
    """Measure the difference of the predictors and evaluate the bound.

    Raises: InvalidArgument, DataError: one line, before any long work.
    """
    import numpy

    from boundcheck.audit.facts import estimates
    from boundcheck.audit.supply import subsamples
    from boundcheck.experiments.ridge_difference import compare_predictors, seconds_expected
    from boundcheck.worlds.data import load_data

    world = load_data(request.data, request.target)
    rng = numpy.random.default_rng([request.seed, 7])
    rows = _rows(request, len(world.y), world.x.shape[1])
    x, y, x_test, _ = world.split(rng, rows)
    expected = seconds_expected(len(y), len(x_test), request.features, request.repeats)
    if sys.stderr.isatty() or expected > SECONDS:
        print(
            f"n = {len(y)} training and {len(x_test)} test rows, d = {x.shape[1]}; "
            f"about {math.ceil(expected)} s", file=sys.stderr,
        )  # fmt: skip
    found = compare_predictors(
        x, y, x_test, kernel=request.kernel, sizes=[request.features],
        lambdas=[request.lambda_], repeats=request.repeats, rng=rng,
    )  # fmt: skip
    values = _values(request, len(y), float(found.norm2[0]))
    mean, low, high = interval(found.msd[:, 0, 0])
    columns = len(world.columns)
    dropped = f", constant columns dropped: {', '.join(world.dropped)}" if world.dropped else ""
    facts = [
        ("data", f"{world.name}, {columns} column{'s' * (columns > 1)} in [-1, 1]{dropped}"),
        ("target", world.target),
        ("kernel", f"{request.kernel}, bandwidth {found.sigma:.6g}"),
        ("settings", f"n = {len(y)}, s = {request.features}, lambda = {request.lambda_:g}, "
         f"delta = {request.delta:g}, b = {FEATURE_BOUND}"),
        ("norm", f"||K^(1/2) (K + n lambda I)^-1 y||^2 = {found.norm2[0]:.6g}"),
    ]  # fmt: skip
    if rows != request.rows:
        facts.insert(1, ("rows", f"a random subsample of {len(y)} training and {len(x_test)} test "
                         f"rows of {len(world.y)}, which fit in memory"))  # fmt: skip
    rows_of_each = min(request.rows or ESTIMATING, ESTIMATING)
    facts += estimates(subsamples(request, world, rows_of_each), len(world.y))
    bound = _right_side(claim, values)
    hypotheses = _hypotheses(claim, values)
    needs = _requirements(claim, values) if any(met is False for _, met, _ in hypotheses) else ()
    return Audit(request.key, standing, tuple(facts), hypotheses, needs, bound, mean, low, high,
                 found.seconds)  # fmt: skip


def _bytes(train: int, test: int, columns: int, features: int) -> int:
    """Memory of the kernel matrix, the features and the data."""
    wanted = 8 * (train**2 + 2 * features**2 + train * features // 2 + columns * features)
    return wanted + 8 * (train + test) * columns


def _rows(request: AuditRequest, total: int, columns: int) -> int | None:
    """How many rows fit: those asked for, all, or a subsample.

    Raises: InvalidArgument if the rows asked for do not fit, before any of it is allocated.
    """
    half = min(total // 2, request.rows or total)
    if _bytes(half, half, columns, request.features) <= MOST_BYTES:
        return request.rows
    if request.rows is None and _bytes(FITTING, FITTING, columns, request.features) <= MOST_BYTES:
        return FITTING
    wanted = _bytes(half, half, columns, request.features)
    raise InvalidArgument(
        f"{half} training rows, {columns} columns and --features {request.features} take "
        f"{wanted / 2**30:.1f} GB, more than {MOST_BYTES / 2**30:.0f}; "
        "give e.g. --rows 10000 --features 1000"
    )


def _values(request: AuditRequest, n: int, norm: float) -> dict[str, Any]:
    return {
        "n": n, "s": request.features, "b": FEATURE_BOUND,
        "lambda": exact_entry(request.lambda_), "delta": exact_entry(request.delta),
        "norm": exact_entry(norm), "peak": FEATURE_BOUND,
    }  # fmt: skip


def _right_side(claim: Claim, values: dict[str, Any]) -> float:
    _, larger = sides(parts(claim.statement.relation)[0])
    return exact.to_float(exact.compiled(larger)(values.__getitem__))


def _hypotheses(
    claim: Claim, values: dict[str, Any]
) -> tuple[tuple[str, bool | None, str], ...]:
    rows: list[tuple[str, bool | None, str]] = []
    for condition in (r for given in claim.given for r in flatten(given)):
        if not {symbol.name for symbol in condition.free_symbols} <= set(values):
            rows.append((str(condition), None, "cannot be computed from data"))
            continue
        met = exact.decide(condition, values.__getitem__)
        rows.append((str(condition), met, _numbers(condition, values)))
    rows.append(("features unbiased for the kernel", True, "sqrt(2) cos(.), by construction"))
    rows.append(("training and test samples from one law", True, "random split of the rows"))
    return tuple(rows)


def _requirements(claim: Claim, values: dict[str, Any]) -> tuple[str, ...]:
    """What one symbol at a time would have to be."""
    from boundcheck.explore import require
    from boundcheck.explore.wording import grouped

    words = {"least": "at least", "greatest": "at most", "exactly": "exactly"}
    found = []
    for name in ("lambda", "n", "s"):
        given = {key: value for key, value in values.items() if key not in (name, "norm")}
        try:
            need = require(claim, name, given)
        except InvalidArgument:  # no value of this symbol alone is enough
            continue
        if need.answer is None:
            continue
        answer = f"{float(need.answer):.6g}"
        if name != "lambda":
            whole = math.ceil if need.sense == "least" else math.floor
            answer = grouped(int(whole(need.answer)))
        found.append(f"{name} {words[need.sense]} {answer}")
    return tuple(found)


def _numbers(condition: sympy.Basic, values: dict[str, Any]) -> str:
    if not isinstance(condition, sympy.Rel):
        return ""
    left, right = (
        exact.to_float(exact.compiled(side)(values.__getitem__))
        for side in (condition.lhs, condition.rhs)
    )
    return f"{left:.6g} against {right:.6g}"
