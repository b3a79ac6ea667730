"""True statements about draws on a sphere, a simplex or a grid that floats can only miss.

Each quantity is constant on the constraint and blows up the last digit of whatever leaves it.
"""

import numpy
import pytest
import sympy
from flint import fmpq, fmpq_mat

from boundcheck import Claim, Expected, Source, WithProbability
from boundcheck.engine import verify
from boundcheck.quantities.base import quantity
from boundcheck.worlds import Integer, Listed, Sampled, Space
from boundcheck.worlds.continuous import GAUSSIAN_FOURIER
from boundcheck.worlds.drawn import ball_entry, on_constraint
from boundcheck.worlds.draws import Jointly, Signs
from boundcheck.worlds.laws import Continuous

PLACE = Source("A", 2000, "T").at("here")
size, d, n = sympy.symbols("size d n", real=True)
BIG = 10**18
ONE = Space(d=Integer(3, 3), n=Integer(2, 2))


def sphere(look, rng, count):
    points = rng.standard_normal((count, 3))
    return {"x": points / numpy.linalg.norm(points, axis=1, keepdims=True)}


def simplex(look, rng, count):
    return {"x": rng.dirichlet((1, 1, 1), size=count)}


def frames(look, rng, count):
    rows = rng.standard_normal((count, 2, 3))
    return {"x": rows / numpy.linalg.norm(rows, axis=2, keepdims=True)}


def tripled(look, rng, count):
    third = rng.random(count) / 3
    return {"x": third, "y": 3 * third + 0.1 - 0.1}


def thirds(n):
    return [(fmpq(1, 3), {"x": fmpq(k, 3)}) for k in range(3)]


def length(x):
    return sum(value * value for value in x)


def off_sphere(x):
    return abs(length(x) - 1) * BIG


@quantity(estimator=lambda x: abs((x**2).sum(-1) - 1) * 1e18 + 1, bounds=lambda: (0, 1))
def capped(x):
    return min(off_sphere(x), fmpq(1))


TRUE = {
    "the length of a point of the sphere": (
        Sampled(("x",), sphere), WithProbability("1/2", size <= 1), off_sphere,
        lambda x: abs((x**2).sum(-1) - 1) * 1e18 + 1),
    "the length told by a branch": (
        Sampled(("x",), sphere), WithProbability("1/2", size <= 1),
        lambda x: 0 if length(x) == 1 else 5, lambda x: 5.0 * ((x**2).sum(-1) != 1)),
    "the mass of weights": (
        Sampled(("x",), simplex), WithProbability("1/2", size <= 1),
        lambda x: abs(sum(x) - 1) * BIG, lambda x: abs(x.sum(-1) - 1) * 1e18 + 1),
    "the lengths of rows": (
        Sampled(("x",), frames), WithProbability("1/2", size <= 1),
        lambda x: max(off_sphere(row) for row in x.tolist()),
        lambda x: abs((x**2).sum(-1) - 1).max(-1) * 1e18 + 1),
    "three times a third": (
        Sampled(("x", "y"), tripled), WithProbability("1/2", size <= 1),
        lambda x, y: abs(3 * x - y) * BIG, lambda x, y: abs(3 * x - y) * 1e18 + 2),
    "a law of thirds": (
        Listed(("x",), thirds, size=lambda n: 10**9), WithProbability("1/2", size <= 1),
        lambda x: abs(3 * x - round_(3 * x)) * BIG,
        lambda x: abs(3 * x - numpy.rint(3 * x)) * 0 + 9),
}  # fmt: skip


def round_(value):
    return int((value + fmpq(1, 2)).floor())


@pytest.mark.parametrize("name", TRUE)
def test_a_last_digit_refutes_nothing(name):
    draw, statement, definition, estimator = TRUE[name]
    claim = Claim(
        source=PLACE, statement=statement, worlds=ONE, draw=draw,
        measure={size: quantity(estimator=estimator)(definition)},
    )
    verdict = verify("mine/it", claim, controls=False)
    assert verdict.outcome not in ("refuted", "malformed"), str(verdict)


def test_a_mean_of_last_digits_refutes_nothing():
    claim = Claim(source=PLACE, statement=Expected(size <= sympy.Rational(1, 2)), worlds=ONE,
                  draw=Sampled(("x",), sphere), measure={size: capped})  # fmt: skip
    assert verify("mine/it", claim, controls=False).outcome != "refuted"


def test_what_is_false_by_a_margin_is_still_refuted():
    first = quantity(estimator=lambda x: x[:, 0] ** 2)(lambda x: x[0] ** 2)
    claim = Claim(
        source=PLACE, statement=WithProbability("9/10", size <= sympy.Rational(1, 9)), worlds=ONE,
        draw=Sampled(("x",), sphere), measure={size: first},
    )  # fmt: skip
    assert verify("mine/it", claim, controls=False).outcome == "refuted"


@pytest.mark.parametrize(("rule", "measured"), [(sphere, length), (simplex, sum)])
def test_points_are_moved_onto_their_constraint_by_a_rounding_only(rule, measured):
    for found in rule({}, numpy.random.default_rng(0), 20)["x"]:
        exact = on_constraint(found)
        assert measured(exact) == 1
        assert all(
            ball.contains(value) for ball, value in zip(ball_entry(found), exact, strict=True)
        )
        # A rounding: balls are a thousand times as wide as the last digit of one.
        assert all(float(ball.rad()) < 1e-11 for ball in ball_entry(found))


def test_what_lies_on_no_constraint_stays_where_it_is():
    values = numpy.array([0.25, 0.5, 0.125])
    assert on_constraint(values) == (fmpq(1, 4), fmpq(1, 2), fmpq(1, 8))
    assert on_constraint(numpy.array([2.0, -1.0])) == (2, -1)


@pytest.mark.parametrize(("kind", "given"), [
    ("uniform", (fmpq(0), fmpq(2**60))), ("normal", (fmpq(2**60), fmpq(1))),
    ("normal", (fmpq(0), fmpq(2**60))), ("exponential", (fmpq(1, 2**60),)),
])  # fmt: skip
def test_a_small_number_of_a_wide_law_lies_on_the_grid_of_its_large_ones(kind, given):
    draw = Jointly(Continuous("x", kind, given), Signs("signs", "n"))
    batch = draw.sample({"n": 3}.__getitem__, numpy.random.default_rng(0), 50)
    batch["x"][:] = 1.0
    assert all(float(draw.rounded(batch, place)["x"].rad()) > 2**17 for place in range(50))


def test_a_cosine_of_a_large_angle_is_known_to_what_the_angle_is():
    draw = GAUSSIAN_FOURIER.draw("points", "s")
    far = {"points": fmpq_mat(2, 1, [10**17, 10**17 + 1]), "s": 2}
    batch = draw.sample(far.__getitem__, numpy.random.default_rng(0), 5)
    assert (batch["phi"][:, 0] == batch["phi"][:, 1]).all()  # in floats, not in truth
    assert float(draw.rounded(batch, 0)["phi"][0, 0].rad()) > 1
