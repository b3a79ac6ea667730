"""Adversaries that see the run: exact laws against a recursion over the printed lines."""

import itertools
import math

import numpy
import pytest
from flint import fmpq, fmpq_mat

from boundcheck.quantities.online import (
    DESCENT,
    PRINTED,
    TooManyStates,
    combination,
    estimated_product,
    inner,
    l1_norm,
    next_coefficients,
    pick_law,
    row,
    squared_loss,
)
from boundcheck.quantities.online_adversaries import Contest, encounters, fixed_sequence
from boundcheck.quantities.online_comparators import best_in_ball
from boundcheck.quantities.online_descent import along, best_on_line, convex_loss, descend
from boundcheck.quantities.online_laws import Masses, expected_losses, pass_laws
from boundcheck.quantities.online_simulation import least_totals, simulate, simulate_against

HALF = fmpq(1, 2)
MU = (fmpq(1, 4), fmpq(3, 4))
PSI = fmpq_mat(2, 2, [HALF, -fmpq(1, 3), fmpq(3, 4), HALF])
# State 0 looks at the error of its estimate, state 1 at the side of f, state 2 at both.
SHOWN, ANSWERS = (0, 1, 0, 1), (fmpq(1), -HALF, fmpq(-1), fmpq(1))
MOVES = ((1, 2, 1, 2), (2, 2, 3, 3), (0, 1, 2, 3), (3, 0, 0, 1))
ETA, T = fmpq(2, 3), 4


def by_recursion(psi, B, m, update, adversary, rounds=T):
    """Every path as (chance, [(point, label, alpha, E)]), by recursion over all draws.

    `adversary` maps the history to (point, label): any function of the draws so far.
    """
    def play(chance, history, points, alpha):
        if len(history) == rounds:
            yield chance, history
            return
        point, label = adversary(history)
        seen = [*points, point]
        rows = [row(psi, index) for index in seen] + [row(psi, 0)] * (rounds - len(seen))
        for share, picks in pick_law(alpha, MU, m):
            estimate = estimated_product(alpha, rows, row(psi, point), picks)
            new = next_coefficients(alpha, len(seen), label, estimate, B, ETA, update)
            step = (point, label, function(psi, points, alpha), estimate, l1_norm(alpha),
                    function(psi, seen, new))  # fmt: skip
            yield from play(chance * share, [*history, step], seen, new)

    yield from play(fmpq(1), [], [], (fmpq(0),) * rounds)


def function(psi, points, alpha):
    rows = [row(psi, index) for index in points]
    return combination(alpha[: len(rows)], rows) if rows else (fmpq(0),) * psi.ncols()


def automaton(history):
    """The adversary above, from the history alone."""
    state = 0
    for point, _, f, estimate, _, following in history:
        x = row(PSI, point)
        error, side = estimate > inner(f, x, MU), inner(following, x, MU) > 0
        state = MOVES[state][error + 2 * side]
    return SHOWN[state], ANSWERS[state]


def merged(items):
    table = {}
    for chance, value in items:
        table[value] = table.get(value, fmpq(0)) + chance
    return table


@pytest.mark.parametrize("update", [PRINTED, DESCENT])
@pytest.mark.parametrize("B", [fmpq(1), fmpq(1, 100)])  # the small ball makes rounds shrink
def test_paths_against_an_adversary_are_those_of_the_printed_lines(update, B):
    paths = list(by_recursion(PSI, B, 1, update, automaton))
    law = encounters(PSI, MU, T, SHOWN, ANSWERS, MOVES, B, ETA, 1, update)
    for t in range(T):
        left = merged((p, path[t]) for p, path in paths)
        right = merged(
            (e.chance, (SHOWN[e.states[-1]], ANSWERS[e.states[-1]], e.f, e.estimate, e.l1,
                        e.following))
            for e in law[t]
        )  # fmt: skip
        assert left == right and sum(left.values()) == 1

    contest = Contest(law, PSI, MU, SHOWN, ANSWERS, B, ETA)
    f_star = (fmpq(1, 3), fmpq(-2, 5))

    def mean(rule):
        return sum((p * rule(*step) for p, path in paths for step in path), fmpq(0))

    def loss(f):
        return lambda i, y, own, *_: squared_loss(own if f is None else f, row(PSI, i), y, MU)

    assert contest.losses() == mean(loss(None)) and contest.losses_of(f_star) == mean(loss(f_star))
    kernel = [inner(row(PSI, i), row(PSI, i), MU) for i in (0, 1)]
    assert contest.squares() == mean(
        lambda i, y, f, *_: (inner(f, row(PSI, i), MU) - y) ** 2 * kernel[i]
    )
    assert contest.variances() == mean(
        lambda i, y, f, e, *_: (inner(f, row(PSI, i), MU) - e) ** 2 * kernel[i]
    )
    best = sum(
        (p * best_in_ball(PSI, *zip(*((i, y) for i, y, *_ in path), strict=True), MU, B)
         for p, path in paths), fmpq(0),
    )  # fmt: skip
    assert contest.least_losses().overlaps(best)
    assert float((contest.least_losses() - best).abs_upper()) < 1e-10
    largest = max(inner(f, f, MU) for _, path in paths for _, _, f, *_ in path)
    assert (contest.largest_norm() ** 2 - largest).contains(0) if largest else True
    if update == DESCENT:
        assert contest.overruled(f_star) <= contest.shrinks()
        assert (contest.shrinks() > 0) == (B < 1)


@pytest.mark.parametrize("update", [PRINTED, DESCENT])
def test_a_tree_of_equal_branches_is_the_fixed_sequence(update):
    sequence, y = (0, 1, 0), (fmpq(1), -HALF, fmpq(1, 4))
    world = (PSI, MU, 3)
    laws = pass_laws(PSI, sequence, y, MU, fmpq(1), ETA, 2, update)
    chain = encounters(*world, *fixed_sequence(sequence, y), fmpq(1), ETA, 2, update)
    # A full binary tree over the errors whose nodes of one depth agree: it sees, and cannot use it.
    depth = [0, 1, 1, 2, 2, 2, 2]
    tree = (
        tuple(sequence[d] for d in depth), tuple(y[d] for d in depth),
        tuple(tuple(min(2 * s + 1 + look % 2, 6) for look in range(4)) for s in range(7)),
    )  # fmt: skip
    branched = encounters(*world, *tree, fmpq(1), ETA, 2, update)
    for law, left, right in zip(laws, chain, branched, strict=True):
        fixed = merged((p, (f, l1, e)) for p, f, l1, e in law)
        for found in (left, right):
            assert merged((e.chance, (e.f, e.l1, e.estimate)) for e in found) == fixed
    runs = Masses(PSI, sequence, y, MU, fmpq(1), ETA, 2, update)
    for law, adversary in ((chain, fixed_sequence(sequence, y)), (branched, tree)):
        contest = Contest(law, PSI, MU, *adversary[:2], fmpq(1), ETA)
        assert contest.losses() == sum(expected_losses(runs))
        assert contest.least_losses().overlaps(best_in_ball(PSI, sequence, y, MU, fmpq(1)))


def test_seeing_the_draws_costs_the_algorithm_more_than_any_fixed_sequence():
    """Two orthogonal points; the last label may answer to the sign of the noise, or may not."""
    psi, mu = fmpq_mat(2, 2, [fmpq(9, 10)] * 3 + [-fmpq(9, 10)]), (HALF, HALF)

    def regret(shown, answers, moves):
        law = encounters(psi, mu, 3, shown, answers, moves, fmpq(1), fmpq(1), 1, DESCENT)
        contest = Contest(law, psi, mu, shown, answers, fmpq(1), fmpq(1))
        return contest.losses() - contest.least_losses()

    shows = list(itertools.product((0, 1), (fmpq(-1), fmpq(1))))
    moves = ((1,) * 4, (2, 3, 2, 3), (2,) * 4, (3,) * 4)  # a last round for either error
    found = {}
    for states in itertools.product(shows, repeat=4):
        value = regret(*zip(*states, strict=True), moves)
        found[states] = float(value.lower()), float(value.upper())
    fixed = max(high for states, (_, high) in found.items() if states[2] == states[3])
    assert max(low for low, _ in found.values()) > 1.05 * fixed


def test_laws_that_grow_too_large_are_refused():
    with pytest.raises(TooManyStates):
        encounters(PSI, MU, 7, SHOWN, ANSWERS, MOVES, fmpq(1), HALF, 2, DESCENT)


@pytest.mark.parametrize("update", [PRINTED, DESCENT])
def test_simulated_adversaries_agree_with_the_exact_law(update):
    runs, m = 40_000, 1
    law = encounters(PSI, MU, T, SHOWN, ANSWERS, MOVES, fmpq(1), ETA, m, update)
    found = simulate_against(
        [[0.5, -1 / 3], [0.75, 0.5]], [0.25, 0.75], T, SHOWN, [1, -0.5, -1, 1], MOVES, 1.0, 2 / 3,
        m, runs=runs, rng=numpy.random.default_rng(2), update=update,
    )  # fmt: skip
    for t, items in enumerate(law):
        for name, value in (
            ("estimates", lambda e: e.estimate), ("l1", lambda e: e.l1),
            ("y", lambda e: ANSWERS[e.states[-1]]), ("sequence", lambda e: SHOWN[e.states[-1]]),
            ("products", lambda e: inner(e.f, row(PSI, SHOWN[e.states[-1]]), MU)),
        ):  # fmt: skip
            mean = float(sum((e.chance * value(e) for e in items), fmpq(0)))
            spread = max(float(abs(value(e))) for e in items)
            # Values lie in [-spread, spread]: Hoeffding at 1e-9 per comparison.
            tolerance = spread * math.sqrt(2 * math.log(2 / 1e-9) / runs)
            assert abs(found[name][:, t].mean() - mean) <= tolerance + 1e-12, (name, t)


def test_a_blind_adversary_is_simulated_as_its_sequence():
    psi, mu, y = [[0.5, -0.3], [0.7, 0.2]], [0.25, 0.75], (1.0, -0.5, 0.25, 1.0)
    rest = dict(B=1.0, eta=0.4, m=3, runs=6, update=DESCENT)
    shown, answers, moves = fixed_sequence((0, 1, 0, 1), y)
    left = simulate_against(
        psi, mu, 4, shown, answers, moves, rng=numpy.random.default_rng(7), **rest
    )
    right = simulate(psi, (0, 1, 0, 1), y, mu, rng=numpy.random.default_rng(7), **rest)
    for name in ("products", "estimates", "l1", "functions"):
        assert numpy.array_equal(left[name], right[name]), name


@pytest.mark.parametrize("B", [fmpq(1, 2), fmpq(1), fmpq(10)])
def test_least_totals_of_many_runs(B):
    rng = numpy.random.default_rng(0)
    sequence, y = rng.integers(0, 2, size=(5, 9)), rng.integers(-4, 5, size=(5, 9)) / 4
    table = numpy.array([[0.5, -0.25], [0.75, 0.5]])
    psi = fmpq_mat(2, 2, [fmpq(*float(v).as_integer_ratio()) for v in table.ravel()])
    found = least_totals(table, [0.25, 0.75], sequence, y, float(B))
    for value, points, labels in zip(found, sequence, y, strict=True):
        exact = best_in_ball(
            psi, tuple(map(int, points)), tuple(fmpq(int(4 * v), 4) for v in labels), MU, B
        )
        # From above, as the loss of a feasible function; rounding is of the order of 1e-14.
        assert -1e-11 <= value - float(exact.mid()) <= 1e-9


def test_the_best_point_on_the_line_against_a_grid():
    rng = numpy.random.default_rng(1)
    for _ in range(40):
        losses = [
            tuple(fmpq(int(v), 4) for v in (*rng.integers(0, 9, 1), *rng.integers(-9, 10, 1),
                                            *rng.integers(0, 9, 1), *rng.integers(-9, 10, 1)))
            for _ in range(3)
        ]  # fmt: skip
        radius = fmpq(int(rng.integers(1, 9)), 4)
        best = best_on_line(losses, radius)
        least = sum(convex_loss(best, loss) for loss in losses)
        grid = [radius * fmpq(i, 200) for i in range(-200, 201)]
        assert abs(best) <= radius
        assert all(least <= sum(convex_loss(f, loss) for loss in losses) for f in grid)


def test_half_of_lemma_1_fails_for_the_best_function_after_an_adaptive_run_only():
    """Noise of one fair sign; the loss after it slopes against the sign, or does not know it."""
    zero = (fmpq(0),) * 4
    up, down = ((fmpq(0), fmpq(0), fmpq(2), fmpq(kink)) for kink in (-100, 100))
    tree = (zero, down, up)  # heads: f is pushed down, and the loss falls to the right
    eta = B = fmpq(1)

    def both_sides(losses_of):
        """Expected regret after the run, and half of the bound (15)."""
        regret = right = fmpq(0)
        for coin, noise in ((0, fmpq(1)), (1, fmpq(-1))):
            losses = losses_of(coin)
            run = descend(losses, (noise, fmpq(0)), ((), ()), 0, eta)
            best = best_on_line(losses, B)
            regret += sum(
                convex_loss(f, loss) - convex_loss(best, loss)
                for f, loss in zip(run.iterates, losses, strict=True)
            ) / 2
            right += (sum(g**2 for g in run.gradients) + noise**2) * eta / 2 / 2
        return regret, B**2 / eta / 2 + right

    regret, half = both_sides(lambda coin: along(tree, (coin, 0)))
    # Slope 2: the run is 1 off on the wrong side, f* another 1; squared gradients 4, variance 1.
    assert (regret, half) == (4, 3) and regret <= 2 * half
    for fixed in ((zero, up), (zero, down)):
        regret, half = both_sides(lambda coin, losses=fixed: losses)
        assert regret <= half
