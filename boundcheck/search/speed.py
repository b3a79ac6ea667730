"""Worlds a second in float batches, and inequalities with logarithms decided exactly a second.

    python -m boundcheck.search.speed

prints the table that BENCHMARK.md keeps; processor seconds of one core.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy
import sympy
from flint import fmpq

from boundcheck.boundary.tools import ToolParser, parser_of, run
from boundcheck.claim import Claim, Holds, Source
from boundcheck.expressions import largest_eigenvalue, operator_norm, world
from boundcheck.search.admissible import Candidates
from boundcheck.search.screening import Screen
from boundcheck.setting import Setting
from boundcheck.settings.scalar_laws import E, P, Var, k, t, values
from boundcheck.worlds import Matrix, Real, Symmetric

PLACE = Source("boundcheck", 2026, "Search benchmark").at("speed")
SIZE = 8  # of matrices


def batch_claims() -> dict[str, Claim]:
    """True inequalities of scalar laws and of 8 x 8 matrices."""
    x = values()[k]
    A, B = (world(name, Matrix(SIZE, SIZE)) for name in "AB")
    C, D = (world(name, Symmetric(SIZE)) for name in "CD")
    top = largest_eigenvalue
    relations = {
        "Chebyshev, scalar laws": P(sympy.Abs(x - E(x)) >= t) <= Var(x) / t**2,
        "moments, scalar laws": E(x) ** 2 <= E(x**2),
        "largest eigenvalues, 8 x 8": top(C + D) <= top(C) + top(D),
        "operator norms, 8 x 8": operator_norm(A * B) <= operator_norm(A) * operator_norm(B),
    }
    return {name: Claim(PLACE, Holds(relation)) for name, relation in relations.items()}


def float_rate(claim: Claim, worlds: int) -> float:
    """Worlds built and assessed in floats in one second of computing."""
    screen = Screen(Candidates(claim), numpy.random.default_rng(0))
    for populations in (screen.populations(), screen.populations()):  # the first loads libraries
        before = time.process_time()
        if populations.best(numpy.random.default_rng(1), worlds, 60) is None:
            return 0.0
    return populations.looked / (time.process_time() - before)


def exact_rate(decisions: int) -> float:
    """Inequalities between logarithms decided by balls in one second of computing."""
    a, b = sympy.symbols("a b", real=True)
    log = sympy.log
    claim = Claim(
        PLACE, Holds(log(1 + a) * b <= a * log(1 + b) + log(2 + a * b)),
        parameters={a: Real(0, None), b: Real(0, None)},
    )  # fmt: skip
    before = time.process_time()
    for place in range(decisions):
        Setting(claim, {"a": fmpq(place + 1, 7), "b": fmpq(place + 3, 11)}, built=True).decide(
            claim.statement.relation
        )
    return decisions / (time.process_time() - before)


def rows(worlds: int, decisions: int) -> Iterator[str]:
    """Lines of the table."""
    yield from ("| what | a second |", "|---|---:|")
    for name, claim in batch_claims().items():
        yield f"| worlds in floats: {name} | {float_rate(claim, worlds):,.0f} |"
    yield f"| exact decisions with logarithms | {exact_rate(decisions):,.0f} |"


def parser() -> ToolParser:
    """The arguments of this tool."""
    return parser_of("search.speed", __doc__)


def main(arguments: list[str]) -> None:
    """Print the table."""
    parser().parse_args(arguments)
    for line in rows(20_000, 3_000):
        print(line, flush=True)


if __name__ == "__main__":
    run(main)
