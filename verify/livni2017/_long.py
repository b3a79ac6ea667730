"""Runs of many rounds for simulation, and what is measured on them.

Sequences are fixed before the run: points and labels that repeat with a short period, blocks that
take turns, or labels that drift. Adversaries that see the run are in `_adversaries`.
"""

from collections.abc import Callable, Sequence
from math import isqrt
from typing import Any

from flint import fmpq, fmpq_mat
from sympy import Min

from boundcheck.exact import FUNCTIONS
from boundcheck.quantities import Paired, quantity, renamed
from boundcheck.worlds import Choice, Custom, Index, Space, Tuples

from . import LABELS, feature_space

PERIOD, CUT = 4, 4


def cut_excess(value: str, least: str) -> Paired:
    """value - least, cut at CUT times the measured symbol `cap`: the mean is below that of
    value - least, and a mean of bounded values can be tested.

    Args: value, least: names of the draw outcome and of what is subtracted.
    """

    def sampled(found: Any, lowest: Any, cap: Any) -> Any:
        import numpy

        return numpy.minimum(found - lowest, CUT * cap)

    @quantity(estimator=sampled, bounds=lambda lowest, cap: (-lowest, CUT * cap))
    def cut(found: Any, lowest: Any, cap: Any) -> Any:
        return FUNCTIONS[Min](found - lowest, CUT * cap)

    return renamed(cut, found=value, lowest=least)


def _periodic(source: Any, rounds: int, one: Callable[[], Any]) -> tuple[Any, ...]:
    """A free first and last value, and a pattern of free values that repeats in between."""
    pattern = [one() for _ in range(source.integer(1, PERIOD))]
    values = [one(), *(pattern[t % len(pattern)] for t in range(rounds - 2)), one()]
    return tuple(values[:rounds])


def _blocks(source: Any, rounds: int, one: Callable[[], Any]) -> tuple[Any, ...]:
    """Two values that take turns for a number of rounds: one, some, or as many as a step forgets
    in (sqrt(T)), so that the best function of one block is the worst of the next."""
    length = source.choice((1, 2, isqrt(rounds), 2 * isqrt(rounds), source.integer(1, rounds)))
    values = one(), one()
    return tuple(values[t // length % 2] for t in range(rounds))


def _sequence(source: Any, earlier: Any) -> tuple[int, ...]:
    """Which point each round meets; one point and a last one of its own are common."""
    rounds, points = earlier["T"], earlier["N"]

    def one() -> int:
        return source.integer(0, points - 1)

    shape = source.choice(("one", "one", "periodic", "blocks"))
    if shape == "one":
        return (0,) * (rounds - 1) + (points - 1,)
    return (_periodic if shape == "periodic" else _blocks)(source, rounds, one)


def _labels(source: Any, earlier: Any) -> tuple[fmpq, ...]:
    """Labels in [-1, 1]; the ends and 0 are common."""
    rounds = earlier["T"]

    def one() -> fmpq:
        return source.choice((fmpq(1), fmpq(0), fmpq(-1), source.rational(fmpq(-1), fmpq(1))))

    shape = source.choice(("periodic", "periodic", "blocks", "drift"))
    if shape == "drift":
        low, high = one(), one()
        return tuple(low + (high - low) * fmpq(t, rounds) for t in range(rounds))
    return (_periodic if shape == "periodic" else _blocks)(source, rounds, one)


def scaled_features(source: Any, earlier: Any) -> fmpq_mat:
    """Features of any size: the shorter they are, the longer a run stays away from its target."""
    psi = feature_space().fields["psi"].build(source, earlier)
    return psi / 2 ** source.integer(0, 4)


def long_runs(rounds: Sequence[int], points: int = 2, atoms: int = 2) -> Space:
    """What Algorithm 1 meets in one of the given numbers of rounds; the last round is t = T."""
    return feature_space(points, atoms).and_fields(
        T=Choice(rounds), sequence=Custom(_sequence, Tuples("T", Index("N"))),
        y=Custom(_labels, LABELS)
    )
