"""Hard sequences for Algorithm 1, as hints: adversaries that are fixed or see the run.

The words are those of `boundcheck.settings.seeing_adversaries`.
"""

from collections.abc import Callable, Sequence
from math import isqrt
from typing import Any

from flint import fmpq, fmpq_mat
from sympy import ceiling

from boundcheck.exact import FUNCTIONS, logarithm
from boundcheck.quantities.online_adversaries import LOOKS
from boundcheck.settings.seeing_adversaries import in_turn
from boundcheck.worlds import Family, doublings

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
        "moves": moves, "B": fmpq(1), "m": FUNCTIONS[ceiling](rounds * logarithm(fmpq(rounds))),
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
