"""Answers over a range of values, as a table that pandas reads and a plot.

>>> from boundcheck import Claim, Holds, Source
>>> from boundcheck.worlds import Integer, Real
>>> M, xi = sympy.symbols("M xi", real=True)
>>> claim = Claim(
...     source=Source("A", 2024, "Example").at("Theorem 1"), statement=Holds(xi >= 1 / M),
...     given=[M >= 2 / xi], parameters={M: Integer(1, searched=9), xi: Real(0, None)},
... )
>>> sweep(claim, "M", {"xi": ["1/10", "1/100"]}).rows
({'xi': 0.1, 'M': 20}, {'xi': 0.01, 'M': 200})
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import sympy

from boundcheck.errors import InvalidArgument
from boundcheck.explore.display import table
from boundcheck.explore.grammar import parse_value
from boundcheck.explore.planning import plan
from boundcheck.explore.requirement import require


@dataclass(frozen=True)
class Sweep:
    """Rows of plain numbers: `pandas.DataFrame(sweep.rows)` is the table.

    Args: over: names that were varied; answers: names of what came out. None where nothing does.
    """

    over: tuple[str, ...]
    answers: tuple[str, ...]
    rows: tuple[dict[str, float | int | None], ...]

    def plot(self, axes: Any = None) -> Any:
        """Every answer against the first varied name, on logarithmic axes; a line per value of
        the second. Returns the matplotlib axes."""
        import matplotlib.pyplot

        if axes is None:
            axes = matplotlib.pyplot.figure(layout="constrained").subplots()
        first, *others = self.over
        groups = dict.fromkeys(tuple(row[n] for n in others) for row in self.rows)
        for answer, group in itertools.product(self.answers, groups):
            chosen = [row for row in self.rows if tuple(row[n] for n in others) == group]
            points = [(row[first], row[answer]) for row in chosen if row[answer] is not None]
            label = ", ".join([answer, *(f"{n} = {v:g}" for n, v in zip(others, group, strict=True)
                                         if v is not None)])  # fmt: skip
            axes.plot(*zip(*points, strict=True), ".-", label=label)
        axes.set(xscale="log", yscale="log", xlabel=first)
        axes.legend()
        return axes

    def pareto(self, first: str, second: str) -> tuple[dict[str, float | int | None], ...]:
        """The rows that no other row beats in one answer without losing in the other, by the first.

        >>> rows = ({"a": 1, "x": 1, "y": 9}, {"a": 2, "x": 3, "y": 4}, {"a": 3, "x": 4, "y": 4})
        >>> [row["a"] for row in Sweep(("a",), ("x", "y"), rows).pareto("x", "y")]
        [1, 2]
        """
        found: list[dict[str, Any]] = []
        for row in sorted(self._known(first, second), key=lambda r: (r[first], r[second])):
            if not found or row[second] < found[-1][second]:
                found.append(row)
        return tuple(found)

    def _known(self, *names: str) -> list[dict[str, Any]]:
        """Rows that have all of these. Raises: InvalidArgument for a name that no row has."""
        for name in names:
            if name not in (*self.over, *self.answers):
                raise InvalidArgument(
                    f"the sweep has no {name}; it has {', '.join((*self.over, *self.answers))}"
                )
        return [row for row in self.rows if None not in [row[n] for n in names]]

    def trade_off(self, first: str, second: str, axes: Any = None) -> Any:
        """One answer against another, with what nothing beats (Pareto) and lines of equal product.

        Args: first, second: names of answers, such as M and T; their product is the cost of a run.
        Returns: the matplotlib axes, logarithmic. Raises: InvalidArgument for other names.
        """
        import matplotlib.pyplot
        import numpy

        if axes is None:
            axes = matplotlib.pyplot.figure(layout="constrained").subplots()
        rows, best = self._known(first, second), self.pareto(first, second)
        axes.plot([r[first] for r in rows], [r[second] for r in rows], ".", label="plans")
        axes.plot([r[first] for r in best], [r[second] for r in best], "o-", label="nothing better")
        costs = [float(r[first]) * float(r[second]) for r in rows]
        wide = numpy.geomspace(min(r[first] for r in rows), max(r[first] for r in rows), 50)
        for cost in numpy.geomspace(min(costs), max(costs), 4):
            axes.plot(wide, cost / wide, ":", color="gray", linewidth=0.8)
        axes.set(xscale="log", yscale="log", xlabel=first, ylabel=second)
        axes.legend()
        return axes

    def _repr_html_(self) -> str:
        cells = [[escape("" if v is None else f"{v:.6g}") for v in row.values()]
                 for row in self.rows]  # fmt: skip
        return table([*self.over, *self.answers], cells)


def sweep(
    claim: Any, symbol: str, over: Mapping[str, Sequence[Any]],
    given: Mapping[str, Any] | None = None, *, target: Any = None, root: Any = None,
) -> Sweep:  # fmt: skip
    """What is required of a symbol at every combination of values.

    Raises: InvalidArgument as `require`; where there is no answer the row has None.
    """
    name, rows = str(symbol), []
    for point in _points(over):
        try:
            need = require(claim, name, {**(given or {}), **point}, target, root=root)
            answer = None if need.answer is None else _plain(need.answer)
        except InvalidArgument:
            answer = None
        rows.append({**_numbers(point), name: answer})
    if all(row[name] is None for row in rows):
        require(claim, name, {**(given or {}), **next(_points(over))}, target, root=root)
    return Sweep(tuple(over), (name,), tuple(rows))


def sweep_plans(
    keys: Any, over: Mapping[str, Sequence[Any]], given: Mapping[str, Any] | None = None, *,
    target: str | None = None, minimise: str | None = None, root: Any = None,
) -> Sweep:  # fmt: skip
    """The cheapest plan at every combination of values: its cost, sizes and choices."""
    rows: list[dict[str, Any]] = []
    for point in _points(over):
        found = plan(keys, target, minimise, {**(given or {}), **point}, rates=False, root=root)
        numbers = {n: _plain(v) for n, v in {**found.sizes, **found.chosen}.items()}
        rows.append({**_numbers(point), **numbers, "cost": float(found.cost_value)})
    answers = tuple(n for n in rows[0] if n not in over)
    return Sweep(tuple(over), answers, tuple(rows))


def around(need: Any, against: str | None) -> Sweep:
    """A requirement at a hundredth to a hundred times one of its values, where that is possible."""
    moving = {row.name: abs(row.elasticity) for row in need.sensitivity}
    name = against or max(moving, key=lambda n: moving[n], default="")
    values = {**need.given, **need.assumed}
    if name not in moving:
        raise InvalidArgument(
            f"{need.label}: {need.symbol} does not depend on {name or 'anything'} there; it does "
            f"on {', '.join(moving) or 'nothing'}"
        )
    fixed = {n: v for n, v in need.given.items() if n != name}
    scales = [sympy.Rational(10) ** sympy.Rational(k) for k in range(-2, 3)]
    finer = [scale * step for scale in scales for step in (1, 2, 5)]
    start = sympy.Rational(str(values[name]))
    return sweep(need.asked_of, need.symbol.name, {name: [start * f for f in finer]}, fixed)


def _points(over: Mapping[str, Sequence[Any]]) -> Any:
    if not over or not all(over.values()):
        raise InvalidArgument("a sweep over nothing; name a symbol and its values")
    return (dict(zip(over, values, strict=True)) for values in itertools.product(*over.values()))


def _numbers(point: Mapping[str, Any]) -> dict[str, float | int]:
    return {n: _plain(parse_value(v)) for n, v in point.items()}


def _plain(value: Any) -> float | int:
    number = sympy.Rational(str(value))
    return int(number) if number.q == 1 else float(number)
