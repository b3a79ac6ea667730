"""Adversaries that see the run, and hard sequences: worlds of Algorithm 1 in their terms.

A world holds an automaton (see `boundcheck.quantities.online_adversaries`): in state s it shows
the point shown[s] with the label answers[s], and moves by what the draws have done so far. A chain
or a cycle of states with equal moves is a sequence that is fixed before the run.
"""

from collections.abc import Callable, Sequence
from math import isqrt
from typing import Any

from flint import fmpq, fmpq_mat
from sympy import Max, Min

from boundcheck.exact import FUNCTIONS, logarithm
from boundcheck.quantities import quantity
from boundcheck.quantities.online import DESCENT
from boundcheck.quantities.online_adversaries import LOOKS
from boundcheck.quantities.online_simulation import least_totals, simulate_against
from boundcheck.worlds import (
    Choice,
    Custom,
    Derived,
    Family,
    Index,
    Integer,
    Sampled,
    Space,
    Tuples,
    Vector,
    doublings,
)
from boundcheck.worlds.space import float_value

from . import feature_space, floor_of

CUT = 4  # in units of the measured symbol `cap`


# --- worlds --------------------------------------------------------------------------------------


def _answers(source: Any, earlier: Any) -> tuple[fmpq, ...]:
    ends = (fmpq(1), fmpq(-1), fmpq(0))
    return tuple(
        source.choice((*ends, source.rational(fmpq(-1), fmpq(1)))) for _ in range(earlier["S"])
    )


def _moves(source: Any, earlier: Any) -> tuple[tuple[int, ...], ...]:
    """A tree over the errors of the estimates, one over the sides of the iterates, or free."""
    states = earlier["S"]
    shape = source.choice(("errors", "sides", "free"))
    if shape == "free":
        return tuple(
            tuple(source.integer(0, states - 1) for _ in range(LOOKS)) for _ in range(states)
        )
    bit = 1 if shape == "errors" else 2
    return tuple(
        tuple(min(2 * s + 1 + (look & bit) // bit, states - 1) for look in range(LOOKS))
        for s in range(states)
    )


def in_turn_of(S: int) -> tuple[tuple[int, ...], ...]:
    """States that take turns, whatever the draws do."""
    return in_turn(S)


def in_turn(states: int) -> tuple[tuple[int, ...], ...]:
    """The moves of a sequence that comes round again: fixed before the run."""
    return tuple(((s + 1) % states,) * LOOKS for s in range(states))


def adversaries(space: Space, states: int = 4, *, seeing: bool = True) -> Space:
    """The space with an adversary of up to so many states at its end.

    Args: seeing: whether its moves may depend on the run.
    """
    return space.and_fields(
        S=Integer(1, searched=states), shown=Tuples("S", Index("N")),
        answers=Custom(_answers, Vector("S", -1, 1)),
        moves=Custom(_moves, Tuples("S", Tuples(LOOKS, Index("S")))) if seeing
        else Derived(in_turn_of),
    )  # fmt: skip


def long_contests(
    rounds: Sequence[int], points: int = 2, atoms: int = 2, *, seeing: bool = True, **fields: Any
) -> Space:
    """Runs of one of the given numbers of rounds against an adversary of few states.

    Args: seeing: as for `adversaries`; fields: further ones, or others in place of the usual.
    """
    space = feature_space(points, atoms).and_fields(
        T=Choice(rounds), tossed=Integer(0, 1), **fields
    )
    return adversaries(space, states=4, seeing=seeing)


# --- exact laws ----------------------------------------------------------------------------------

CONTEST_FIELDS = ("psi", "mu", "T", "shown", "answers", "moves", "B", "eta", "m")


# --- simulation ----------------------------------------------------------------------------------


def _played(look: Callable[[str], Any], rng: Any, size: int) -> dict[str, Any]:
    world = {name: float_value(look(name)) for name in CONTEST_FIELDS}
    world["T"], world["m"] = int(world["T"]), int(world["m"])
    return simulate_against(
        **world, runs=size, rng=rng, update=DESCENT, tossed=bool(look("tossed"))
    )  # fmt: skip


def _regrets(look: Callable[[str], Any], rng: Any, size: int) -> dict[str, Any]:
    found = _played(look, rng, size)
    total = ((found["products"] - found["y"]) ** 2 / 2).sum(axis=1)
    psi, mu, B = (float_value(look(name)) for name in ("psi", "mu", "B"))
    return {"found": total - least_totals(psi, mu, found["sequence"], found["y"], B)}


# Against the best function after each run; descent steps.
REGRETS = Sampled(("found",), _regrets, over="the draws of Algorithms 1 and 2 (and of the labels)")


def _sampled_part(found: Any, cap: Any) -> Any:
    import numpy

    return numpy.clip(found, 0, CUT * cap)


@quantity(estimator=_sampled_part, bounds=lambda cap: (0, CUT * cap))
def positive_regret(found: Any, cap: Any) -> Any:
    """The positive part of a run's regret, cut at CUT times the measured symbol `cap`.

    Its mean is above that of the regret; bounds of the regret itself are too wide for a test.
    """
    return FUNCTIONS[Max](FUNCTIONS[Min](found, CUT * cap), fmpq(0))


# --- hard sequences ------------------------------------------------------------------------------

NEAR_ONE = fmpq(9, 10)
ONE_POINT = fmpq_mat(1, 1, [NEAR_ONE])
ORTHOGONAL = fmpq_mat(2, 2, [NEAR_ONE, NEAR_ONE, NEAR_ONE, -NEAR_ONE])  # under the uniform law


def _world(
    rounds: int, psi: fmpq_mat, shown: Sequence[int], answers: Sequence[Any], moves: Any,
    **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """A world of B = 1; without an m at the least one of the stated order, m >= T log(T)."""
    atoms = psi.ncols()
    return {
        "N": psi.nrows(), "K": atoms, "mu": (fmpq(1, atoms),) * atoms, "psi": psi, "T": rounds,
        "tossed": 0, "S": len(shown), "shown": tuple(shown), "answers": tuple(map(fmpq, answers)),
        "moves": moves, "B": fmpq(1), "m": -floor_of(-rounds * logarithm(fmpq(rounds))),
        **more,
    }  # fmt: skip


def cycle(
    rounds: int, psi: fmpq_mat, shown: Sequence[int], answers: Sequence[Any], **more: Any
) -> dict[str, Any]:
    """Points and labels that come round again and again, whatever the draws do."""
    return _world(rounds, psi, shown, answers, in_turn(len(shown)), **more)


def far_label(rounds: int) -> dict[str, Any]:
    """A feature so short that f* = B gets no nearer than B / sqrt(T) to the label 1: every loss is
    nearly linear, and the run needs all T rounds for the way to f*."""
    return cycle(rounds, fmpq_mat(1, 1, [fmpq(1, isqrt(rounds))]), (0,), (1,))


def far_and_alternating(rounds: int) -> dict[str, Any]:
    """A long way to go along one direction, while labels alternate along another: the distance and
    the squared gradients are both as large as the bound allows, up to a fifth of the rounds."""
    short = min(fmpq(5, isqrt(rounds)), NEAR_ONE)
    psi = fmpq_mat(2, 2, [short, short, NEAR_ONE, -NEAR_ONE])
    return cycle(rounds, psi, (0, 1, 1, 1, 1), (1, 1, -1, 1, -1))


def against_side(rounds: int) -> dict[str, Any]:
    """One point; the label is 1 where the prediction is not positive, else -1."""
    return _world(rounds, ONE_POINT, (0, 0), (1, -1), ((0, 0, 1, 1),) * 2)


def with_error(rounds: int) -> dict[str, Any]:
    """One point; the label is 1 after an estimate above the prediction, else -1: it calls for what
    the error has just pushed f away from."""
    return _world(rounds, ONE_POINT, (0, 0), (-1, 1), ((0, 1, 0, 1),) * 2)


def against_both_sides(rounds: int) -> dict[str, Any]:
    """Two orthogonal points in turn, each with the sign that its last prediction had not.

    State 4 i + 2 j + k shows point i with label (-1)^j and keeps (-1)^k for the other point.
    """
    states = [(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    moves = tuple(
        tuple(4 * (1 - i) + 2 * k + look // 2 for look in range(LOOKS)) for i, _, k in states
    )
    shown, answers = (i for i, _, _ in states), ((-1) ** j for _, j, _ in states)
    return _world(rounds, ORTHOGONAL, tuple(shown), tuple(answers), moves)


def far_and_against_side(rounds: int) -> dict[str, Any]:
    """As `far_and_alternating`, with labels against the side of the prediction at the second point.

    State 2 p + j is phase p of five and keeps the label (-1)^j for the second point.
    """
    world = far_and_alternating(rounds)
    states = [(p, j) for p in range(5) for j in (0, 1)]
    moves = tuple(
        tuple(2 * ((p + 1) % 5) + (look // 2 if p else j) for look in range(LOOKS))
        for p, j in states
    )
    shown = tuple(int(p > 0) for p, _ in states)
    answers = tuple((-1) ** j if p else 1 for p, j in states)
    return _world(rounds, world["psi"], shown, answers, moves)


SIZES, MORE = doublings(64, 6), (4096, 8192)


def _families(**rules: Callable[[int], dict[str, Any]]) -> tuple[Family, ...]:
    return tuple(
        Family(f"T grows: {name.replace('_', ' ')}", rule, SIZES, MORE)
        for name, rule in rules.items()
    )


FIXED = _families(
    labels_alternate=lambda n: cycle(n, ONE_POINT, (0, 0), (1, -1)),
    fair_signs_on_orthogonal_points=lambda n: cycle(n, ORTHOGONAL, (0, 1), (1, 1), tossed=1),
    a_label_far_beyond_the_ball=far_label,
    a_far_label_and_alternating_ones=far_and_alternating,
)
SEEING = _families(
    labels_against_the_prediction=against_side,
    labels_with_the_error_of_the_estimate=with_error,
    labels_against_the_predictions_at_orthogonal_points=against_both_sides,
    a_far_label_and_labels_against_the_prediction=far_and_against_side,
)


def noisy(rounds: int) -> dict[str, Any]:
    """A label to be learnt on one point; at the other, orthogonal to it, single draws are noise."""
    return cycle(rounds, ORTHOGONAL, (0, 1), (fmpq(4, 5), 0), m=1)


NOISY = (
    Family(
        "T grows, m = 1: one point to learn, one where estimates are noise", noisy,
        doublings(64, 7), MORE[1:],
    ),
)  # fmt: skip
