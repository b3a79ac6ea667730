"""The audit of any claim whose symbols the data supply: a world is made of each subsample.

Floats measure both sides on every subsample; where the claim speaks of a draw, it is drawn and
violations are counted, or the sides are averaged. Nothing here is evidence on the claim itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import sympy
from flint import fmpq

from boundcheck.audit.request import LEVEL, AuditRequest, interval
from boundcheck.audit.supply import NumbersWanted, Subsample, subsamples, world_of
from boundcheck.boundary.messages import cut, reason
from boundcheck.claim import Claim, Expected, WithProbability
from boundcheck.encoding import show
from boundcheck.errors import InvalidArgument, Undecided, Undefined
from boundcheck.scores import float_function
from boundcheck.setting import Setting, fits, flatten, guarded, sides
from boundcheck.verdict import without_infinities
from boundcheck.worlds.drawn import exact_entry
from boundcheck.worlds.fields import Integer, Real, Weights
from boundcheck.worlds.space import float_value

if TYPE_CHECKING:
    from boundcheck.worlds.data import DataWorld

ROWS = 60  # of a subsample
DRAWS = 2_000  # of a claim's draw, over all subsamples
ROUNDING = 1e-9  # of the larger side of a hypothesis: sides that are nearer may be equal
WORDS = {True: "met", False: "NOT met", None: "unknown"}


class Numbers:
    """Float values of the names of a claim on one subsample, over a batch of outcomes if any."""

    def __init__(
        self, key: str, claim: Claim, values: Mapping[str, Any], outcomes: Mapping[str, Any]
    ) -> None:
        self.key, self.claim, self.values, self.outcomes = key, claim, values, outcomes
        self.found: dict[str, Any] = {}

    def __call__(self, name: str) -> Any:
        if name in self.outcomes:
            return self.outcomes[name]
        if name not in self.found:
            value = self.values[name] if name in self.values else self._measured(name)
            self.found[name] = float_value(value) if isinstance(value, tuple) else value
        return self.found[name]

    def _measured(self, name: str) -> Any:
        quantity = self.claim.measured[name]
        estimator = getattr(quantity, "estimator", None)
        if estimator is None:
            raise InvalidArgument(
                f"{self.key}: {name} has exact values only and cannot be measured on data; "
                "audit another claim"
            )
        return self._run(estimator, [*self.claim.arguments(quantity)], name)

    def _run(self, function: Callable[..., Any], names: Sequence[str], what: object) -> Any:
        """A function of arrays by name.

        Raises: InvalidArgument if the arrays are too large for it, or no values that it takes.
        """
        import numpy

        from boundcheck.expressions.batch import NoBatch

        values = [self(name) for name in names]
        try:
            with numpy.errstate(all="ignore"):
                return function(*values)
        except NoBatch as error:
            raise InvalidArgument(
                f"{self.key}: {cut(str(what))} cannot be measured here ({reason(error)}); give a "
                "smaller --rows, or audit another claim"
            ) from error
        except (ValueError, IndexError, TypeError, ArithmeticError, NotImplementedError) as error:
            raise InvalidArgument(
                f"{self.key}: {cut(str(what))} takes no values like those of the data "
                f"({reason(error)}); audit another claim"
            ) from error

    def value(self, expr: sympy.Basic) -> Any:
        """An expression or condition as an array."""
        import numpy

        from boundcheck.expressions.batch import NoBatch

        try:
            function, names = float_function(sympy.sympify(expr))
        except NoBatch as error:
            raise InvalidArgument(f"{self.key}: {reason(error)}; audit another claim") from error
        return numpy.asarray(self._run(function, names, expr))


@dataclass(frozen=True)
class Measured:
    """One comparison on all subsamples: both sides, and the least right/left.

    Args: ratio: None where the right side is smaller and the left one not above zero, so that no
    factor tells by how much. over: what the intervals are over; "" where nothing varies.
    """

    relation: str
    left: tuple[float, float, float]
    right: tuple[float, float, float]
    ratio: float | None
    over: str


@dataclass(frozen=True)
class WorldAudit:
    """Result of an audit on subsamples."""

    key: str
    standing: str
    measures: str
    facts: tuple[tuple[str, str], ...]
    hypotheses: tuple[tuple[str, bool | None], ...]
    rows: tuple[Measured, ...]
    violations: tuple[int, int, float, float, float] | None
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """The `--json` form."""
        found: dict[str, Any] = without_infinities({
            "key": self.key, "verdict": self.standing, "measures": self.measures,
            "facts": dict(self.facts),
            "hypotheses": [{"hypothesis": text, "met": met} for text, met in self.hypotheses],
            "comparisons": [
                {"relation": row.relation, "left": _interval(row.left),
                 "right": _interval(row.right), "ratio": row.ratio} for row in self.rows
            ],
            "violations": None if self.violations is None else dict(zip(
                ("violated", "draws", "low", "high", "allowed"), self.violations, strict=True)),
            "seconds": round(self.seconds, 2),
        })  # fmt: skip
        return found

    def __str__(self) -> str:
        lines = [f"audit of {self.key}", f"  {'verdict':14} {self.standing}",
                 f"  {'measures':14} {self.measures}"]  # fmt: skip
        lines += [f"  {name:14} {value}" for name, value in self.facts]
        lines.append("hypotheses" if self.hypotheses else "hypotheses: none beyond the ranges")
        lines += [f"  {WORDS[met]:8} {text}" for text, met in self.hypotheses]
        for row in self.rows:
            least = "no factor: the right side is smaller, the left one not above zero"
            if row.ratio is not None:
                least = f"{row.ratio:.6g} where it is least"
            lines += [f"comparison   {row.relation}", f"  left       {_said(row.left, row.over)}",
                      f"  right      {_said(row.right, row.over)}",
                      f"  right/left {least}"]  # fmt: skip
        if self.violations is not None:
            hits, draws, low, high, allowed = self.violations
            lines.append(f"violated     in {hits} of {draws} draws, probability [{low:.4g}, "
                         f"{high:.4g}] at level {LEVEL:g}; allowed {allowed:.4g}")  # fmt: skip
        lines.append(f"time         {self.seconds:.1f} s")
        return "\n".join(lines)


def _interval(values: tuple[float, float, float]) -> dict[str, float]:
    return dict(zip(("mean", "low", "high"), values, strict=True))


def _said(values: tuple[float, float, float], over: str) -> str:
    mean, low, high = values
    within = f"   [{low:.6g}, {high:.6g}] at level {LEVEL:g} over {over}" if over else ""
    return f"{mean:.6g}{within}"


def audit_worlds(request: AuditRequest, claim: Claim, standing: str) -> WorldAudit:
    """The audit of a claim on subsamples of the data.

    Raises: InvalidArgument for a claim that the data and options do not fill; DataError.
    """
    from boundcheck.worlds.data import load_data

    start = time.perf_counter()
    world = load_data(request.data, request.target)
    return audit_of(request, claim, standing, world, start)


def audit_of(
    request: AuditRequest, claim: Claim, standing: str, world: DataWorld, start: float
) -> WorldAudit:
    """The audit on data that were read. Raises: InvalidArgument as `audit_worlds` does."""
    from boundcheck.audit.facts import estimates

    parts = subsamples(request, world, request.rows or ROWS)
    given = _options(request)
    found = [_looked(request, claim, part, given) for part in parts]
    over = _varying(claim, parts, len(world.y))
    facts = [
        ("data", f"{world.name}, {len(world.y)} rows, {world.x.shape[1]} columns in [-1, 1]"),
        ("target", world.target),
        ("kernel", f"{request.kernel}, bandwidth {parts[0].sigma:.4g}, lambda {request.lambda_:g}"),
        *_settings(claim, found),
        *estimates(parts, len(world.y)),
    ]  # fmt: skip
    return WorldAudit(
        request.key, standing, _measures(claim), tuple(facts), _hypotheses(claim, found),
        _rows(claim, found, over), _violations(claim, found), time.perf_counter() - start,
    )  # fmt: skip


def _settings(claim: Claim, found: list[Numbers]) -> Iterator[tuple[str, str]]:
    """The claim's numbers that are the same on every subsample, given or assumed."""
    names = {symbol.name for symbol in claim.parameters} & set(found[0].values)
    seen = {name: {float(look(name)) for look in found} for name in sorted(names)}
    same = [f"{name} = {values.pop():g}" for name, values in seen.items() if len(values) == 1]
    if same:
        yield "settings", ", ".join(same)


def _options(request: AuditRequest) -> dict[str, Any]:
    """Numbers of a claim that options stand for; those of --set come last."""
    named = {
        "lambda": request.lambda_, "delta": request.delta, "eta": request.delta,
        "s": request.features, "M": request.features, "n": 50, "m": 50, "epsilon": 0.1, "eps": 0.1,
    }  # fmt: skip
    return {**named, **request.values}


def _looked(
    request: AuditRequest, claim: Claim, data: Subsample, given: Mapping[str, Any]
) -> Numbers:
    sized = {"n", "m", "s", "eta"} & set(claim.worlds.names if claim.worlds is not None else ())
    extra = {name: value for name, value in given.items()
             if name not in sized or name in request.values}  # fmt: skip
    values = world_of(request.key, claim, data, extra)
    _require_inside(request.key, claim, values)
    outcomes: Mapping[str, Any] = {}
    if claim.draw is not None:
        outcomes = _drawn(request, claim, values, data.rng)
    return Numbers(request.key, claim, values, outcomes)


def _require_inside(key: str, claim: Claim, values: Mapping[str, Any]) -> None:
    """Raises: InvalidArgument for a number or a law that the claim does not speak of.

    Its ranges are hypotheses, too; those of what data fill entry by entry are kept by the rules.
    """
    kinds = (Integer, Real, Weights)
    plain = {name: value if isinstance(value, tuple) else _plain(value)
             for name, value in values.items() if isinstance(claim.fields.get(name), kinds)}
    for name, value in plain.items():
        if not fits(claim.fields[name], name, {**values, **plain}):
            said = f"{key}: {name} = {cut(show(value))} is no value that it can take"
            if name not in {symbol.name for symbol in claim.parameters}:
                raise InvalidArgument(f"{said}; give other data, or audit another claim")
            raise NumbersWanted(f"{said}; give another --set {name}=NUMBER", [name])


def _plain(value: Any) -> fmpq:
    """A number of the options as it was written, one of the data as it is."""
    written = Fraction(repr(float(value)))
    return fmpq(written.numerator, written.denominator)


def _drawn(
    request: AuditRequest, claim: Claim, values: Mapping[str, Any], rng: Any
) -> Mapping[str, Any]:
    """Outcomes of the claim's draw; draws take weights and matrices as rationals."""
    import numpy

    def look(name: str) -> Any:
        value = values[name]
        return exact_entry(value) if isinstance(value, (numpy.ndarray, float)) else value

    try:
        return claim.draw.sample(look, rng, max(DRAWS // request.repeats, 20))  # type: ignore[union-attr]
    except (KeyError, NotImplementedError) as error:
        raise InvalidArgument(
            f"{request.key}: its draw is listed and not sampled, which data are too large for; "
            "audit another claim"
        ) from error


def _form(claim: Claim) -> Any:
    return getattr(claim.statement, "inner", claim.statement)


def _measures(claim: Claim) -> str:
    """What the audit compares, in words."""
    form = _form(claim)
    text = "both sides on every subsample"
    if isinstance(form, WithProbability):
        over = claim.draw.over if claim.draw is not None else "the draw"
        text = f"how often the inequality fails over {over}, and both sides"
    elif isinstance(form, Expected):
        text = "means of both sides over the draw"
    constant = "; the constant is taken as 1" if form is not claim.statement else ""
    return text + constant


def _hypotheses(claim: Claim, found: list[Numbers]) -> tuple[tuple[str, bool | None], ...]:
    rows = []
    for condition in (part for given in claim.given for part in flatten(given)):
        try:
            each = [_met(condition, look) for look in found]
        except (InvalidArgument, TypeError):
            each = [None]
        rows.append((str(condition), False if False in each else None if None in each else True))
    return tuple(rows)


def _compared(condition: sympy.Basic) -> Iterator[sympy.Rel]:
    """The comparisons that a condition is made of, not those inside of their sides."""
    if isinstance(condition, sympy.Rel):
        yield condition
    elif isinstance(condition, sympy.logic.boolalg.BooleanFunction):
        for part in condition.args:
            yield from _compared(part)


def _met(condition: sympy.Basic, look: Numbers) -> bool | None:
    """Whether a hypothesis holds on one subsample; None where that is not certain.

    Floats tell nothing of what has no number and of numbers that rounding may have told apart or
    made equal: those are compared as the rationals that they are, where all of them are data.
    """
    import numpy

    for part in _compared(condition):
        left, right = (numpy.asarray(look.value(side), dtype=float) for side in sides(part))
        near = abs(left - right) <= ROUNDING * numpy.maximum(abs(left), abs(right))
        if not (numpy.isfinite(left) & numpy.isfinite(right) & ~near).all():
            return _exactly(condition, look)
    return bool(look.value(condition).all())


def _exactly(condition: sympy.Basic, look: Numbers) -> bool | None:
    values = {n: v if isinstance(v, tuple) else exact_entry(v) for n, v in look.values.items()}
    try:
        return Setting(look.claim, values).decide(condition)
    except (Undefined, Undecided, LookupError, TypeError, ValueError, ArithmeticError):
        return None


def _varying(claim: Claim, parts: list[Subsample], total: int) -> str:
    """What differs from one subsample to the next: those of all rows are one sample."""
    drawn = claim.draw is not None
    if parts[0].n >= total:
        return "draws" if drawn else ""
    return "subsamples and draws" if drawn else "subsamples"


def _rows(claim: Claim, found: list[Numbers], over: str) -> tuple[Measured, ...]:
    import numpy

    rows = []
    for _, part in guarded(_form(claim).relation):
        small, large = sides(part)
        pairs = [(look.value(small), look.value(large)) for look in found]
        if isinstance(part, (sympy.Eq, sympy.Ne)):  # of matrices: how far apart, and how large
            pairs = [(abs(a - b).max(), abs(b).max()) for a, b in pairs]
        left, right = (numpy.array([float(numpy.mean(pair[side])) for pair in pairs])
                       for side in (0, 1))  # fmt: skip
        with numpy.errstate(divide="ignore", invalid="ignore"):
            ratio = numpy.where(left > 0, right / left, numpy.inf)
        said = str(part) if len(str(part)) <= 300 else str(part)[:297] + "..."
        kind = "largest difference in " if isinstance(part, sympy.Eq) else ""
        unlike = bool(((left <= 0) & (right < left)).any())
        least = None if unlike else float(ratio.min())
        rows.append(Measured(kind + said, interval(left), interval(right), least, over))
    return tuple(rows)


def _violations(
    claim: Claim, found: list[Numbers]
) -> tuple[int, int, float, float, float] | None:
    """How often the relation fails over the draw: hits, draws, their interval, what is allowed."""
    import numpy

    from boundcheck.statistics import clopper_pearson

    form = _form(claim)
    if not isinstance(form, WithProbability):
        return None
    hits = draws = 0
    for look in found:
        size = len(next(iter(look.outcomes.values())))
        holds = numpy.broadcast_to(look.value(form.relation), (size,)).astype(bool)
        values = [look.value(side) for _, part in guarded(form.relation) for side in sides(part)]
        # Floats have no number for the root of what rounding puts below zero.
        told = numpy.ones(size, bool) & ~numpy.isnan(sum(v for v in values if v.ndim < 2))
        hits, draws = hits + int((told & ~holds).sum()), draws + int(told.sum())
    allowed = max(float(numpy.max(1 - look.value(form.level))) for look in found)
    if not draws:
        return None
    low, high = clopper_pearson(hits, draws, level=1 - LEVEL)
    return hits, draws, float(low), float(high), min(max(allowed, 0.0), 1.0)
