"""`boundcheck audit`: a bound's hypotheses and both of its sides on the user's own data.

The claim's printed conditions and its right side are evaluated symbol by symbol with values of the
data set; the left side is measured. What the claim calls `n`, `s`, `lambda`, `delta`, `b` and
`norm` is filled from the data and the options; a claim with other free symbols has no audit.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Any

import sympy

from boundcheck import exact
from boundcheck.boundary import numbers
from boundcheck.boundary.messages import shown
from boundcheck.claim import Claim
from boundcheck.errors import InvalidArgument
from boundcheck.library import Library
from boundcheck.setting import flatten, parts, sides
from boundcheck.worlds.draws import exact_entry

LEVEL = 0.95
FEATURE_BOUND = 2  # sup psi^2 of sqrt(2) cos(.): the features that estimate k without bias
KNOWN = frozenset({"n", "s", "lambda", "delta", "b", "norm"})
LAMBDAS = (1e-12, 1e12)  # beyond, the ridge system is singular in doubles or its solution zero
DELTAS = (1e-100, 0.999999)
MOST_FEATURES, MOST_REPEATS = 20_000, 100_000
MOST_BYTES = 4 * 2**30  # of the kernel matrix, features and data
SECONDS = 5  # beyond which the expected time is said even without a terminal


@dataclass(frozen=True)
class AuditRequest:
    """Options of one audit; see `boundcheck audit --help`."""

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


@dataclass(frozen=True)
class Audit:
    """Result: hypotheses with their status, both sides and their ratio."""

    key: str
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
        lines = [f"audit of {self.key}"]
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


def run_audit(request: AuditRequest, library: Library) -> Audit:
    """Check the options, read the data, measure, and evaluate the claim's formulas.

    Raises: InvalidArgument, DataError: one line, before any long work.
    """
    claim = library[request.key]
    _require_auditable(request.key, claim)
    _require_ranges(request)
    import numpy

    from boundcheck.experiments.ridge_difference import compare_predictors, seconds_expected
    from boundcheck.worlds.data import load_data

    world = load_data(request.data, request.target)
    rng = numpy.random.default_rng([request.seed, 7])
    x, y, x_test, _ = world.split(rng, request.rows)
    _require_room(len(y), len(x_test), x.shape[1], request.features)
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
    mean, low, high = (float(array[0, 0]) for array in found.interval(LEVEL))
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
    bound = _right_side(claim, values)
    hypotheses = _hypotheses(claim, values)
    needs = _requirements(claim, values) if any(met is False for _, met, _ in hypotheses) else ()
    return Audit(request.key, tuple(facts), hypotheses, needs, bound, mean, low, high,
                 found.seconds)  # fmt: skip


def _require_auditable(key: str, claim: Claim) -> None:
    _, larger = sides(parts(claim.statement.relation)[0])
    unknown = {symbol.name for symbol in larger.free_symbols} - KNOWN
    if unknown or "norm" not in {symbol.name for symbol in larger.free_symbols}:
        raise InvalidArgument(
            f"{key} has no audit on data (its right side is {larger}); "
            "use wang2019/theorem_1:printed or a claim in norm, n, s, lambda, delta, b"
        )


def _require_ranges(request: AuditRequest) -> None:
    from boundcheck.experiments.ridge_difference import KERNELS

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


def _require_room(train: int, test: int, columns: int, features: int) -> None:
    """Refuse what would not fit in memory before any of it is allocated."""
    wanted = 8 * (train**2 + 2 * features**2 + train * features // 2 + columns * features)
    wanted += 8 * (train + test) * columns
    if wanted > MOST_BYTES:
        raise InvalidArgument(
            f"{train} training rows, {columns} columns and --features {features} take "
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
