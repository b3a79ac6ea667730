"""Throughput of the core: `python -m boundcheck.experiments.throughput` prints a table.

Rates per second on one core: operator norms of T - T_M on 8 x 8 worlds with M drawn as counts,
hostile worlds generated, one inequality at settings exactly and in floats, exact matrix identities
at n <= 4, certified clipped estimators.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import Any

from boundcheck.boundary.tools import ToolParser, parser_of, run

SECONDS = 1.0  # for each rate


def rate(work: Callable[[], int]) -> float:
    """Items a second of `work`, which returns how many it did."""
    work()
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        done += work()
    return done / (time.perf_counter() - start)


def blas_threads() -> int:
    """Threads of the linear algebra in this process."""
    from threadpoolctl import threadpool_info

    pools = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
    return max(pools, default=1)


def lines() -> Iterator[str]:
    """The table as Markdown."""
    yield "| what | per second |"
    yield "|---|---|"
    for name, work in (
        ("operator norms, 8 x 8, batched draws", operator_norms()),
        ("feature worlds generated", worlds()),
        ("settings of an inequality assessed exactly", inequalities_exactly()),
        ("the same looked at in floats, together", inequalities_in_floats()),
        ("exact matrix identities, n <= 4", identities()),
        ("clipped minimisers enclosed, 3 correlated points", minimisers()),
    ):
        yield f"| {name} | {rate(work):.3g} |"


def operator_norms(batch: int = 20_000) -> Callable[[], int]:
    """Norms of T - T_M for multinomial counts of 8 features on 8 points."""
    import numpy

    from boundcheck.quantities.operators import batched_operator_norm

    rng = numpy.random.default_rng(0)
    phi, tau = rng.uniform(-1, 1, (8, 8)), numpy.full(8, 1 / 8)
    atoms = (phi.T[:, :, None] * phi.T[:, None, :] / 8).reshape(8, 64)

    def work() -> int:
        counts = rng.multinomial(1000, tau, size=batch)
        difference = ((counts / 1000 - tau) @ atoms).reshape(batch, 8, 8)
        batched_operator_norm((difference + difference.transpose(0, 2, 1)) / 2)
        return batch

    return work


def worlds(batch: int = 500) -> Callable[[], int]:
    """Hostile feature worlds in exact rationals."""
    import numpy

    from boundcheck.worlds import feature_worlds

    rng, space = numpy.random.default_rng(0), feature_worlds()

    def work() -> int:
        for _ in range(batch):
            space.sample(rng)
        return batch

    return work


def _solved_bernstein() -> Any:
    """s exp(-n e^2 / (2 b^2 + 2 b e / 3)) <= delta for n >= (8 b^2 / (3 e^2)) log(s / delta)."""
    import sympy

    from boundcheck.claim import Claim, Holds, Source
    from boundcheck.worlds import Integer, Real

    n, s, b, e, delta = sympy.symbols("n s b e delta", real=True)
    positive = Real(0, None, open_low=True)
    return Claim(
        source=Source("boundcheck", 2026, "throughput").at("Bernstein's inequality solved for n"),
        statement=Holds(s * sympy.exp(-n * e**2 / (2 * b**2 + 2 * b * e / 3)) <= delta),
        given=[n >= 8 * b**2 / (3 * e**2) * sympy.log(s / delta), e <= b],
        parameters={
            n: Integer(1, wide=True, searched=10**9), s: Integer(1, wide=True, searched=10**6),
            b: positive,
            e: positive, delta: Real(0, 1, open_low=True, open_high=True),
        },
    )  # fmt: skip


def inequalities_exactly() -> Callable[[], int]:
    """Settings built and assessed as a search does it."""
    return _assessed(_solved_bernstein(), 200)


def _assessed(claim: Any, batch: int) -> Callable[[], int]:
    import numpy

    from boundcheck.search.admissible import Candidates
    from boundcheck.search.objective import assess

    rng, candidates = numpy.random.default_rng(0), Candidates(claim)

    def work() -> int:
        for _ in range(batch):
            candidate = candidates.random(rng)
            assert candidate is not None and not assess(candidate.setting, outcomes=1).violated
        return batch

    return work


def inequalities_in_floats(batch: int = 2000) -> Callable[[], int]:
    """Worlds built and looked at before a search assesses the best of them."""
    import numpy

    from boundcheck.search.admissible import Candidates
    from boundcheck.search.screening import Screen

    rng = numpy.random.default_rng(0)
    screen = Screen(Candidates(_solved_bernstein()), rng)
    assert screen.works

    def work() -> int:
        screen.best(rng, batch, 20)
        return batch

    return work


def identities() -> Callable[[], int]:
    """(A + I)^-1 = I - A (A + I)^-1 on generated Gram matrices, decided exactly."""
    import sympy

    from boundcheck.claim import Claim, Holds, Source
    from boundcheck.quantities.operators import identity
    from boundcheck.worlds import gram_matrices

    A, one = sympy.symbols("A one", commutative=False)
    claim = Claim(
        source=Source("boundcheck", 2026, "throughput").at("identity"),
        statement=Holds(sympy.Eq((A + one) ** -1, one - A * (A + one) ** -1)),
        worlds=gram_matrices(),
        measure={A: lambda gram: gram, one: lambda n: identity(n)},
    )
    return _assessed(claim, 500)


def minimisers(batch: int = 20) -> Callable[[], int]:
    """Enclosures of the clipped estimator with unsquared norm on three correlated points."""
    import numpy
    from flint import fmpq, fmpq_mat

    from boundcheck.quantities.clipped_minimisers import clipped_minimisers
    from boundcheck.quantities.rkhs import gram_of

    rng = numpy.random.default_rng(0)

    def number(top: int) -> fmpq:
        return fmpq(int(rng.integers(-64 * top, 64 * top + 1)), 64)

    def work() -> int:
        for _ in range(batch):
            gram = gram_of(fmpq_mat(3, 3, [number(1) for _ in range(9)]))
            clipped_minimisers(gram, (1, 1, 1), tuple(number(2) for _ in range(3)), fmpq(1, 10))
        return batch

    return work


def parser() -> ToolParser:
    """The arguments of this tool."""
    return parser_of("experiments.throughput", __doc__)


def main(arguments: list[str]) -> None:
    """Print the table."""
    parser().parse_args(arguments)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for line in lines():
        print(line, flush=True)


if __name__ == "__main__":
    run(main)
