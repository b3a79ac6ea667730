"""Finite classes of functions on finitely many points: risks, complexities, empirical processes.

Function h has the value F[h, z] at the point z, which has probability p[z]; a sample of size m is
drawn as counts of the points, so that sample means are exact sums. `patterns` are 0-1 tables.

>>> uniform = E(deviation(F)) <= 1
>>> complexity = empirical_rademacher(F) <= 1
>>> B = patterns()
>>> shattering = 2 ** vc_dimension(B) <= distinct_rows(B)
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import sympy

from boundcheck.arithmetic import whole
from boundcheck.expressions import (
    average,
    greatest,
    index,
    outcome,
    parameter,
    primitive,
    probability,
    total,
    world,
)
from boundcheck.expressions.nodes import Average
from boundcheck.expressions.symbols import Known
from boundcheck.worlds import Counts, Indices, Integer, Matrix, Real, Signs, Weights
from boundcheck.worlds.kinds import Binary

H = world("H", Integer(1, searched=4), says="Number of functions.")
Z = world("Z", Integer(1, searched=3), says="Number of points.")
p = world("p", Weights(Z, zeros=True), says="Law of the points.")
F = world("F", Matrix(H, Z, 0, 1), units={"value": 1}, says="Values of the functions in rows.")
m = parameter("m", Integer(1, searched=5), says="Size of the sample.")
delta = parameter(
    "delta", Real(0, 1, open_low=True, open_high=True), says="Probability of failure."
)
h, z, s = index("h", H), index("z", Z), index("s", m)
counts = outcome("counts", Counts("counts", p, m, over="the sample"), says="The sample, counted.")
sample = outcome("sample", Indices("sample", p, m), says="The sample in its order.")
xi = outcome("xi", Signs("xi", m), says="Independent fair signs.")


def patterns(name: str = "B") -> Known:
    """A class of sets: a 0-1 table, one row a set."""
    return world(name, Binary(H, Z), says="Which set holds which point.")


def risk(F: Known, h: sympy.Expr) -> sympy.Expr:
    """Mean of function h over the law."""
    return total(p[z] * F[h, z], z)


def empirical(F: Known, h: sympy.Expr) -> sympy.Expr:
    """Mean of function h over the sample: random, through `counts`."""
    return total(counts[z] * F[h, z], z) / m


def deviation(F: Known) -> sympy.Expr:
    """sup_h of risk minus empirical mean: random, through `counts`."""
    return greatest(risk(F, h) - empirical(F, h), h)


def E(variable: sympy.Expr) -> Average:
    """Expectation over the sample."""
    return average(variable, counts)


def P(event: sympy.Basic) -> Average:
    """Probability over the sample."""
    return probability(event, counts)


def rademacher(F: Known) -> Average:
    """Rademacher complexity E sup_h (1/m) sum_s xi_s F(h, z_s), over sample and signs."""
    width = greatest(total(xi[s] * F[h, sample[s]], s), h) / m
    return average(average(width, xi), sample)


def empirical_rademacher(F: Known) -> sympy.Expr:
    """The same on all points of the world, each taken once: E sup_h (1/Z) sum_z xi_z F(h, z)."""
    signs = outcome("signs", Signs("signs", Z), says="Independent fair signs.")
    return average(greatest(total(signs[z] * F[h, z], z), h), signs) / Z


def _rows(table: Any) -> set[tuple[int, ...]]:
    return {tuple(whole(entry) for entry in row) for row in table.tolist()}


def _each(rule: Any) -> Any:
    """A rule on 0-1 tables over a batch of them."""
    import numpy

    def run(tables: Any) -> Any:
        if tables.ndim == 2:
            return float(rule({tuple(row) for row in tables.astype(int).tolist()}))
        return numpy.array([run(table) for table in tables])

    return run


def _shattered(rows: set[tuple[int, ...]]) -> int:
    width = len(next(iter(rows)))
    for size in range(min(width, len(rows).bit_length() - 1), 0, -1):
        for chosen in combinations(range(width), size):
            if len({tuple(row[at] for at in chosen) for row in rows}) == 2**size:
                return size
    return 0


@primitive(batch=_each(_shattered), ranks=(2,), facts=("nonnegative", "integer"), units="none",
           latex=r"\operatorname{{VC}}({0})")  # fmt: skip
def vc_dimension(table: Any) -> Any:
    """The largest number of columns on which the rows of a 0-1 table show all patterns."""
    return _shattered(_rows(table))


@primitive(batch=_each(len), ranks=(2,), facts=("positive", "integer"), units="none",
           latex=r"\Pi({0})")  # fmt: skip
def distinct_rows(table: Any) -> Any:
    """Number of patterns that a class has on the points: distinct rows of a 0-1 table."""
    return len(_rows(table))
