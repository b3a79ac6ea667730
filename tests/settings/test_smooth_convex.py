"""Functions seen by a method: interpolation conditions, worst cases, what is no function."""

import pytest
from flint import fmpq, fmpq_mat

from boundcheck import Claim, Holds, Source, verify
from boundcheck.checks.base import Budget
from boundcheck.errors import InvalidArgument
from boundcheck.expressions import parameter, world
from boundcheck.settings import smooth_convex as sc
from boundcheck.worlds import Integer, Real, Space
from boundcheck.worlds.composed import Derived

PLACE = Source("Author", 2000, "Gradient descent").at("here")
SMALL = Budget("quick", 150, 64, 600, 40, 4.0)


def huber_worst(N):
    """The Huber function on which N unit steps end LD^2 / (4N + 2) above the least value."""
    h = sc.unit_steps(N)
    return h, sc._seen(h, [fmpq(1)], [sc.Huber(fmpq(1, 2 * N + 1), fmpq(0))])


@pytest.mark.parametrize("N", [1, 2, 5])
def test_the_worst_case_of_gradient_descent_is_met(N):
    h, seen = huber_worst(N)
    assert sc.Seen("h").admits(seen, {"h": h})
    assert seen[N + 1, N + 2] == fmpq(1, 4 * N + 2)


def test_every_function_that_search_builds_is_admitted():
    import numpy

    space = Space(N=Integer(1, 3), gamma=Real("1/10", "19/10"), q=Real(0, "9/10"),
                  h=Derived(sc.equal_steps), seen=sc.Seen("h", "q", 3))  # fmt: skip
    rng = numpy.random.default_rng(3)
    for _ in range(40):
        values, _ = space.sample(rng)
        assert space.fields["seen"].admits(values["seen"], values)


def test_what_no_function_has_is_refused():
    h, seen = huber_worst(2)
    field = sc.Seen("h")
    for row, column, by in [(3, 4, "1/100"), (3, 4, "-1/100"), (2, 4, "1/50"), (0, 0, "-1/2")]:
        changed = fmpq_mat(seen)
        changed[row, column] += fmpq(*map(int, by.split("/")))
        assert not field.admits(changed, {"h": h})
    concave = fmpq_mat(seen)
    concave[3, 3] += 1  # a gradient that the values do not allow, still positive semi-definite
    assert not field.admits(concave, {"h": h})
    assert not field.admits(fmpq_mat(4, 4), {"h": h})
    # Curvature of a tenth: the flat part of the function is none of such a class.
    assert not sc.Seen("h", "1/10").admits(seen, {"h": h})


def test_a_quadratic_is_interpolated_in_any_dimension():
    # f(x) = (x_1^2 + x_2^2 / 2 + x_3^2 / 4) / 2 from (1, 1, 1), by hand.
    h, x, rows, values = sc.unit_steps(1), (fmpq(1),) * 3, [(fmpq(1),) * 3], [fmpq(0)]
    curves = fmpq(1), fmpq(1, 2), fmpq(1, 4)
    for _ in range(2):
        g = tuple(c * v for c, v in zip(curves, x, strict=True))
        rows.append(g)
        values.append(sum((c * v * v for c, v in zip(curves, x, strict=True)), fmpq(0)) / 2)
        x = tuple(v - d for v, d in zip(x, g, strict=True))
    gram = fmpq_mat(3, 3, [e for row in rows for e in row])
    gram *= gram.transpose()
    entries = [e for row, f in zip(gram.tolist(), values, strict=True) for e in (*row, f)]
    seen = fmpq_mat(3, 4, entries)
    assert sc.Seen("h").admits(seen, {"h": h})
    assert sc.Seen("h", "1/4").admits(seen, {"h": h})
    assert not sc.Seen("h", "1/3").admits(seen, {"h": h})


run = sc.gradient_descent()
D2 = sc.distance_squared(run)


def test_the_rate_of_gradient_descent_is_tight_and_a_better_one_is_refuted():
    printed = Claim(PLACE, Holds(sc.gap(run) <= sc.L * D2 / (4 * sc.N + 2)))
    found = verify("a/b:c", printed, budget=SMALL)
    assert found.outcome == "supported" and found.slack == pytest.approx(1, abs=1e-9)
    better = Claim(PLACE, Holds(sc.gap(run) <= sc.L * D2 / (5 * sc.N)))
    found = verify("a/b:d", better, budget=SMALL)
    # 5 N exceeds 4 N + 2 from three steps on.
    assert found.outcome == "refuted" and int(found.witness.values["N"]) == 3


def test_steps_and_curvature_are_numbers_of_the_world():
    q = world("q", Real(0, 1, open_high=True))
    faster = sc.gradient_descent(sc.gamma, convexity=q)
    bound = sc.L**2 * sc.distance_squared(faster)
    claim = Claim(PLACE, Holds(sc.gradient_squared(faster, 0) <= bound))
    assert {"q", "gamma", "h", "N", "seen"} <= set(claim.worlds.names)


def test_a_step_that_is_a_parameter_is_chosen_with_the_world():
    step = parameter("gamma", Real(0, 1))
    moved = sc.gradient_descent(step)
    claim = Claim(PLACE, Holds(sc.gap(moved) <= step * sc.L * sc.distance_squared(moved)))
    found = verify("a/b:f", claim, budget=SMALL)
    assert found.outcome == "refuted" and found.witness.values["gamma"] == "0/1"
    with pytest.raises(InvalidArgument, match="read N, gamma, the numbers given are called N, eta"):
        sc.gradient_descent(parameter("eta", Real(0, 1)))


def test_a_number_of_steps_of_its_own_reaches_what_fails_late():
    number = world("N", Integer(9, searched=12))
    long = sc.gradient_descent(number=number)
    assert sc.gap(long) == sc.L * long[number + 1, number + 2]
    # 5 N - 6 exceeds 4 N + 2 from nine steps on.
    bound = sc.L * sc.distance_squared(long) / (5 * number - 6)
    found = verify("a/b:e", Claim(PLACE, Holds(sc.gap(long) <= bound)), budget=SMALL)
    assert found.outcome == "refuted" and int(found.witness.values["N"]) == 9
