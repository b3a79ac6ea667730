"""Processes on trees of laws against direct computation, and what their worlds must refuse."""

import itertools
import math

import numpy
import pytest
import sympy
from flint import fmpq, fmpq_mat

from boundcheck import Claim, Holds, Source, exact
from boundcheck.at import at
from boundcheck.expressions import largest_eigenvalue, trace
from boundcheck.expressions.batch import compiled
from boundcheck.settings import adapted as tree
from boundcheck.worlds import Walk
from boundcheck.worlds.space import float_value

HALF, THIRD = fmpq(1, 2), fmpq(1, 3)
CHANCES = ((THIRD, 2 * THIRD), (HALF, HALF), (fmpq(0), fmpq(1)))
SIZES = {"n": 2, "K": 2, "nodes": 3, "edges": 6, "chances": CHANCES}
VALUES = tuple(fmpq(v) for v in (1, -2, 3, 5, -4, 7))
x = tree.adapted("x")


def both(expr, world):
    """The exact value as a float, after the float reading has agreed with it."""
    value = exact.to_float(exact.compiled(expr)(world.__getitem__))
    floats = {name: float_value(entry) for name, entry in world.items()}
    # Sums of at most a hundred products of order ten: rounding stays far below 1e-9.
    assert float(numpy.ravel(compiled(expr)(floats.__getitem__))[0]) == pytest.approx(
        value, rel=1e-9, abs=1e-9
    )
    return value


def paths():
    """(probability, edges) by hand: edges 0, 1 leave the root, 2, 3 node 1 and 4, 5 node 2."""
    return [(THIRD * HALF, (0, 2)), (THIRD * HALF, (0, 3)), (2 * THIRD, (1, 5))]


def test_paths_follow_the_law_of_every_node():
    draw = Walk("path", "chances", "n")
    found = [(chance, outcome["path"]) for chance, outcome in draw.outcomes(SIZES.__getitem__)]
    assert found == paths()
    size = 40_000
    drawn = draw.sample(SIZES.__getitem__, numpy.random.default_rng(1), size)["path"]
    # A frequency misses its probability by more than tol with probability 1e-9 (Hoeffding).
    tol = math.sqrt(math.log(2 / 1e-9) / (2 * size))
    for chance, edges in paths():
        share = (drawn == edges).all(1).mean()
        assert share == pytest.approx(float(chance.p) / float(chance.q), abs=tol)
    assert {tuple(row) for row in drawn} == {edges for _, edges in paths()}


def test_differences_are_centred_given_the_past():
    world = {**SIZES, "x": VALUES}
    for node in range(3):
        mean = sum((CHANCES[node][b] * VALUES[2 * node + b] for b in range(2)), fmpq(0))
        at_node = tree.conditional_mean(x, sympy.Integer(node))
        assert exact.compiled(at_node)(world.__getitem__) == mean
        left = [tree.deviation(x, sympy.Integer(2 * node + b)) for b in range(2)]
        inside = [exact.compiled(each)(world.__getitem__) for each in left]
        assert CHANCES[node][0] * inside[0] + CHANCES[node][1] * inside[1] == 0
    assert both(tree.drift(x), world) == 7
    assert both(tree.E(tree.martingale(x)), world) == pytest.approx(0, abs=1e-12)
    second = both(tree.E(tree.martingale(x) ** 2), world)
    assert second == pytest.approx(both(tree.E(tree.variation(x)), world))
    # The root has variance 2; node 1, reached with probability 1/3, has variance 1; node 2 none.
    assert second == pytest.approx(2 + 1 / 3, rel=1e-12)


def test_rounds_and_crossings():
    world = {**SIZES, "x": VALUES}
    rounds = [[exact.compiled(tree.of_round(sympy.Integer(i), sympy.Integer(v)))(world.__getitem__)
               for v in range(3)] for i in range(2)]  # fmt: skip
    assert rounds == [[1, 0, 0], [0, 1, 1]]
    # The first difference is 2 on edge 0 and -1 on edge 1; later ones are -1, 1 or 0.
    crosses = tree.P(tree.ever(tree.martingale(x, tree.j + 1) >= 2))
    ends = tree.P(tree.martingale(x) >= 2)
    assert both(crosses, world) == pytest.approx(1 / 3)
    assert both(ends, world) == pytest.approx(1 / 6)


def test_matrices_take_the_place_of_numbers():
    X = tree.adapted_matrices("X")
    rng = numpy.random.default_rng(3)
    tables = [rng.integers(-3, 4, (2, 2)) for _ in range(6)]
    matrices = tuple(fmpq_mat((t + t.T).tolist()) for t in tables)
    world = {**SIZES, "d": 2, "X": matrices}
    mean = exact.compiled(tree.E(tree.martingale(X)))(world.__getitem__)
    assert all(entry == 0 for entry in mean.entries())
    second = both(tree.E(trace(tree.martingale(X) ** 2)), world)
    assert second == pytest.approx(both(tree.E(trace(tree.variation(X))), world))
    floats = [numpy.array(t + t.T, float) for t in tables]
    laws = [[float(chance.p) / float(chance.q) for chance in law] for law in CHANCES]
    means = [sum(laws[v][b] * floats[2 * v + b] for b in range(2)) for v in range(3)]
    sums = [sum(floats[e] - means[e // 2] for e in edges) for _, edges in paths()]
    expected = sum(
        float(chance.p) / float(chance.q) * numpy.linalg.eigvalsh(each).max()
        for (chance, _), each in zip(paths(), sums, strict=True)
    )
    top = both(tree.E(largest_eigenvalue(tree.martingale(X))), world)
    assert top == pytest.approx(expected)


@pytest.mark.parametrize("change, words", [
    ({}, "holds here"),
    ({"x": [1, 0, 0, 0, 0]}, "outside the domain"),  # the second node has lost its past
    ({"chances": [["1/2", "1/2"]]}, "outside the domain"),
    ({"chances": [["1/2", "1/2"], ["1/2", "1/3"], ["1/2", "1/2"]]}, "outside the domain"),
    ({"x": [2, 2, 0, 0, 0, 0]}, "a hypothesis fails"),
])  # fmt: skip
def test_a_world_that_is_no_adapted_process_is_refused(change, words):
    claim = Claim(Source("Author", 2000, "Title").at("1"),
                  Holds(tree.E(tree.after(x, 0)) <= 1), given=[tree.drift(x) <= 1])  # fmt: skip
    values = {"n": 2, "K": 2, "chances": [["1/2", "1/2"]] * 3, "x": [1, 0, 0, 0, 0, 0], **change}
    assert words in str(at("mine/process:printed", claim, values))


def test_places_of_every_size_are_edges_of_the_tree():
    for branches, steps in itertools.product((2, 3), (1, 2, 3)):
        nodes = (branches**steps - 1) // (branches - 1)
        world = {"chances": ((fmpq(1, branches),) * branches,) * nodes, "n": steps}
        found = [o["path"] for _, o in Walk("path", "chances", "n").outcomes(world.__getitem__)]
        assert len({*found}) == branches**steps
        assert max(edge for edges in found for edge in edges) == nodes * branches - 1
