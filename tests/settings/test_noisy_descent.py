"""Descent on the line: runs for all coins, sums over rounds, fields that hold what they promise."""

import pytest
from flint import fmpq

from boundcheck.exact import compiled
from boundcheck.expressions.scope import Scope, unknown
from boundcheck.settings import noisy_descent as d

# Losses (f - 1)^2 / 2 and |f|, noise 2 or -1 with chances 1/3 and 2/3, a detour at the second side.
WORLD = {
    "one_coin": 0, "T": 2, "losses": ((1, 1, 0, 0), (0, 0, 1, 0)), "scales": (fmpq(2), fmpq(2)),
    "p": fmpq(1, 3), "detours": ((fmpq(1, 2),), ()), "start": 0, "eta": fmpq(1),
}  # fmt: skip
RUN = d.NoisyDescent(detours=True)


def at(expr, **more):
    return compiled(expr)(Scope(unknown, {**WORLD, **more}))


def outcomes(run=RUN, **more):
    draw = run.f.meaning.draw
    return list(draw.outcomes({**WORLD, **more}.__getitem__))


def test_runs_for_all_coins():
    # f_1 = 0, gradient -1; noisy 1 (f^_2 = -1) or -2 (f^_2 = 2, overruled to f_2 = 0).
    found = {(o["f"], o["hat"]): 0 for _, o in outcomes()}
    for chance, o in outcomes():
        found[o["f"], o["hat"]] += chance
    assert found == {((0, -1), (0, -1)): fmpq(1, 3), ((0, 0), (0, 2)): fmpq(2, 3)}
    assert len(outcomes()) == 4 and len(outcomes(one_coin=1)) == 2
    noise = sum(chance * (o["noisy"][0] - o["gradient"][0]) for chance, o in outcomes())
    assert noise == 0


def test_sums_over_rounds():
    _, drawn = outcomes()[0]
    assert at(RUN.regret(d.f_star), f_star=fmpq(1), **drawn) == (fmpq(1, 2) + 1) - (0 + 1)
    assert at(RUN.squares, **drawn) == 1 + 1
    assert at(RUN.variances, **drawn) == 4 + 4
    assert at(RUN.noisy_squares, **drawn) == 1 + 1
    _, shrunk = outcomes()[-1]
    assert [at(RUN.overruled(d.f_star), f_star=fmpq(f), **shrunk) for f in (0, 2)] == [0, 1]
    assert at(RUN.largest) == 1
    assert at(RUN.best_afterwards(d.B), B=fmpq(1, 2), **drawn) == 0


def test_losses_on_a_tree_follow_the_coins():
    losses = ((0, 0, 1, 5), (0, 0, 0, 0), (1, 1, 0, 0))
    run = d.NoisyDescent(tree=True)
    met = {o["l"] for _, o in outcomes(run, losses=losses, scales=(fmpq(0),) * 3)}
    assert met == {(losses[0], losses[1]), (losses[0], losses[2])}


@pytest.mark.parametrize("name, value, inside", [
    ("losses", ((1, 0, 1, 0),), True), ("losses", ((-1, 0, 1, 0),), False),
    ("scales", (fmpq(7),), True), ("detours", ((fmpq(3),),), True), ("detours", ((),), True),
    ("detours", ((1, 2),), False), ("p", fmpq(1, 100), True), ("p", fmpq(0), False),
])  # fmt: skip
def test_fields_promise_what_the_statement_speaks_of(name, value, inside):
    (symbol,) = (s for s in RUN.needs if s.name == name)
    assert symbol.meaning.domain.admits(value, {"T": 1}) is inside
    free = {s.name: s for s in d.NoisyDescent().needs}["detours"].meaning.domain
    assert free.admits(((),), {"T": 1}) and not free.admits(((fmpq(3),),), {"T": 1})


def test_a_tree_has_an_entry_for_every_way_the_coins_can_fall():
    tree = {s.name: s for s in d.NoisyDescent(tree=True).needs}
    for count in (1, 3, 7):
        fits = tree["scales"].meaning.domain.admits((fmpq(1),) * count, {"T": 2})
        assert fits is (count == 3)
