"""Words of cubes, classes, matrices and online learning against direct computation."""

import itertools
import math

import numpy
import pytest
import sympy
from flint import arb, fmpq, fmpq_mat

from boundcheck import exact
from boundcheck.expressions import identity, largest_eigenvalue, total, trace
from boundcheck.expressions.batch import compiled
from boundcheck.settings import classes, cube, matrices, online, random_matrices
from boundcheck.worlds import Gram, Integer, Space, Tuples
from boundcheck.worlds.kinds import Binary, Hermitian, Projector, SemidefiniteHermitian
from boundcheck.worlds.space import float_value


def rational(*texts):
    return tuple(fmpq(*map(int, (text + "/1").split("/")[:2])) for text in texts)


def both(expr, world):
    """The exact value as a float, after the float reading has agreed with it."""
    value = exact.to_float(exact.compiled(expr)(world.__getitem__))
    floats = {name: float_value(entry) for name, entry in world.items()}
    # Sums of a few terms of order one: far above rounding, far below any slip.
    assert float(numpy.ravel(compiled(expr)(floats.__getitem__))[0]) == pytest.approx(value, 1e-9)
    return value


def test_functions_on_the_cube_obey_parseval_and_influences_count_edges():
    f = cube.function("f")
    world = {"n": 3, "places": 8, "f": rational("1", "-1", "1/2", "2", "0", "3", "-2", "1")}
    squares = total(cube.coefficient(f, cube.S) ** 2, cube.S)
    assert both(squares, world) == both(cube.E(f[cube.x] ** 2), world)
    weighted = total(cube.size(cube.S) * cube.coefficient(f, cube.S) ** 2, cube.S)
    influences = total(cube.influence(f, cube.i), cube.i)
    assert both(weighted, world) == pytest.approx(both(influences, world))
    majority = rational("-1", "-1", "-1", "1", "-1", "1", "1", "1")
    assert both(cube.influence(f, 0), {**world, "f": majority}) == 0.5


def test_complexities_of_a_class_by_enumeration():
    F = classes.F
    table = [[0, 1], [1, 0], [1, 1]]
    world = {"H": 3, "Z": 2, "m": 2, "p": rational("1/3", "2/3"), "F": fmpq_mat(table)}
    values = numpy.array(table, float)
    p, mean = numpy.array([1 / 3, 2 / 3]), 0.0
    gap = 0.0
    for sample in itertools.product(range(2), repeat=2):
        weight = p[list(sample)].prod()
        gap += weight * (values @ p - values[:, list(sample)].mean(1)).max()
        for signs in itertools.product((1, -1), repeat=2):
            mean += weight / 4 * (values[:, list(sample)] * signs).sum(1).max() / 2
    assert both(classes.rademacher(F), world) == pytest.approx(mean, rel=1e-12)
    assert both(classes.E(classes.deviation(F)), world) == pytest.approx(gap, rel=1e-12)
    assert gap <= 2 * mean
    assert both(classes.empirical_rademacher(F), world) == (2 + 1 + 1 - 1) / 8


@pytest.mark.parametrize("rows, dimension, patterns", [
    ([[0, 0], [0, 1], [1, 0], [1, 1]], 2, 4), ([[0, 0, 1], [0, 1, 1], [0, 0, 1]], 1, 2),
    ([[1, 1]], 0, 1), ([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]], 1, 4),
])  # fmt: skip
def test_vc_dimension(rows, dimension, patterns):
    B = classes.patterns()
    world = {"H": len(rows), "Z": len(rows[0]), "B": fmpq_mat(rows)}
    assert both(classes.vc_dimension(B), world) == dimension
    assert both(classes.distinct_rows(B), world) == patterns


def test_matrices_of_a_kind_are_built_as_promised_and_others_refused():
    space = Space(d=Integer(1, 3), P=Projector("d"), B=Binary("d", "d"), H=Hermitian("d"),
                  A=Tuples("d", Gram("d")))  # fmt: skip
    rng, ranks = numpy.random.default_rng(5), set()
    for _ in range(60):
        values, _ = space.sample(rng)
        for name, field in space.fields.items():
            assert field.admits(values[name], values)
        ranks.add((values["d"], values["P"].rank()))
    assert {(3, 0), (3, 1), (3, 2), (3, 3)} <= ranks
    two = {"d": 2}
    assert not Projector("d").admits(fmpq_mat([[1, 1], [0, 0]]), two)  # oblique
    assert not Projector("d").admits(fmpq_mat([[2, 0], [0, 0]]), two)
    assert not Binary("d", "d").admits(fmpq_mat([[2, 0], [0, 0]]), two)
    one = {"d": 1}
    assert Hermitian("d").admits(fmpq_mat([[3, 0], [0, 3]]), one)
    assert not Hermitian("d").admits(fmpq_mat([[3, 0], [0, 2]]), one)


def test_a_hermitian_matrix_has_the_spectrum_of_its_complex_form():
    H = matrices.hermitian("H")
    # [[1, 2 - i], [2 + i, -1]] has the eigenvalues +-sqrt(6).
    found = fmpq_mat([[1, 2, 0, 1], [2, -1, -1, 0], [0, -1, 1, 2], [1, 0, 2, -1]])
    world = {"d": 2, "H": found}
    assert Hermitian("d").admits(found, {"d": 2})
    assert both(largest_eigenvalue(H), world) == pytest.approx(math.sqrt(6))
    assert both(trace(H * H) / 2, world) == pytest.approx(12)
    assert sympy.sstr(H + identity(2 * matrices.d))


def test_a_positive_hermitian_matrix_is_refused_where_it_is_not_positive():
    space = Space(d=Integer(1, 3), A=SemidefiniteHermitian("d"))
    rng, complex_ones = numpy.random.default_rng(3), 0
    for _ in range(40):
        values, _ = space.sample(rng)
        assert space.fields["A"].admits(values["A"], values)
        complex_ones += any(values["A"][i, values["d"]] for i in range(values["d"]))
    assert complex_ones > 5
    # [[1, 2i], [-2i, 1]] has the eigenvalues 3 and -1, [[1, i], [-i, 1]] has 2 and 0.
    for side, positive in ((2, False), (1, True)):
        found = fmpq_mat([[1, 0, 0, -side], [0, 1, side, 0], [0, side, 1, 0], [-side, 0, 0, 1]])
        assert Hermitian("d").admits(found, {"d": 2})
        assert SemidefiniteHermitian("d").admits(found, {"d": 2}) is positive


def test_random_matrices_have_their_means_and_variances():
    A = random_matrices.values("A")
    one = [fmpq_mat(2, 2, [a, 0, 0, a]) for a in (1, -2, 5, 0)]
    world = {"n": 2, "K": 2, "atoms": 4, "d": 1, "A": tuple(one),
             "chances": (rational("1/2", "1/2"), rational("1/4", "3/4"))}  # fmt: skip
    S = total(random_matrices.centred(A, random_matrices.i), random_matrices.i)
    # Values 1, -2 with equal chances: variance 9/4; values 5, 0 with 1/4, 3/4: 75/16.
    assert both(random_matrices.E(trace(S)), world) == 0
    assert both(random_matrices.E(trace(S * S)) / 2, world) == 9 / 4 + 75 / 16
    assert both(trace(random_matrices.variance(A)) / 2, world) == 9 / 4 + 75 / 16
    third = random_matrices.deviation(A, sympy.Integer(2))
    assert both(trace(third) / 2, world) == 5 - 5 / 4


def test_regret_of_hedge():
    losses = [[0, 1, "1/2"], [1, 0, 0], ["1/4", 1, 0]]
    exact_losses = fmpq_mat(3, 3, [rational(str(v))[0] for row in losses for v in row])
    world = {"losses": exact_losses, "eta": fmpq(1, 2)}
    table = numpy.array([[0, 1, 0.5], [1, 0, 0], [0.25, 1, 0]])
    played, so_far = 0.0, numpy.zeros(3)
    for row in table:
        w = numpy.exp(-0.5 * so_far)
        played += (w * row).sum() / w.sum()
        so_far += row
    assert both(online.hedge_regret(online.losses, online.eta), world) == pytest.approx(
        played - so_far.min()
    )


def test_descent_on_a_ball_projects_and_meets_the_interval_in_one_dimension():
    steps = rational("1", "1/2")
    slopes = fmpq_mat([[3, -4], [1, 2]])
    # From 0: x_1 = -(3, -4) leaves the unit ball and becomes (-3/5, 4/5); the losses are 0 and 1.
    found = online.ball_regret(slopes, steps, fmpq(1))
    assert exact.to_float(found) == pytest.approx(1 + math.sqrt(16 + 4))
    world = {"slopes": slopes, "eta": fmpq(1, 2), "R": fmpq(1), "T": 2}
    from boundcheck.expressions import table

    both(online.ball_regret(online.slopes, table(online.eta, online.t), online.R), world)
    on_edge = online._on_ball([arb(1), arb(0)], arb(1))
    assert on_edge[0].contains(1)
    # On [-1, 1], shifted to [0, 2]: linear losses gain slope times the shift on both sides.
    line = fmpq_mat([[2], [-1]])
    centred = online.ball_regret(line, steps, fmpq(1))
    assert centred == online.linear_regret((fmpq(2), fmpq(-1)), steps, fmpq(2), fmpq(1))
