"""Laws along rays for statements over draws and worlds: what grows is told, what stays is not."""

import pytest
from flint import fmpq
from sympy import Abs, log, sqrt

from boundcheck import Claim, Expected, Source, UpToConstant, WithProbability
from boundcheck.checker.along import Along
from boundcheck.checker.germs import NoGerm
from boundcheck.checker.growing import branches, law
from boundcheck.checker.ray import Ray
from boundcheck.expressions import (
    average,
    index,
    norm,
    outcome,
    parameter,
    primitive,
    total,
    world,
)
from boundcheck.quantities.laws import median
from boundcheck.worlds import Counts, Indices, Integer, Real, Signs, Vector, Weights

PLACE = Source("A", 2024, "Example").at("1")
q = parameter("q", Real(0, None))
delta = parameter("delta", Real(0, 1, open_low=True, open_high=True))
n, d = world("n", Integer(1, searched=3)), world("d", Integer(1, 3))
rho, v = world("rho", Weights(d, zeros=True)), world("v", Vector(d))
signs = outcome("signs", Signs("signs", n))
counts = outcome("counts", Counts("counts", rho, n))
picked = outcome("picked", Indices("picked", rho, n))
i = index("i", d)
HALVES, ONE = (fmpq(1, 2),) * 2, (fmpq(1),)


def law_of(statement, start, powers, ends=(), given=()):
    claim = Claim(PLACE, UpToConstant(statement), given=given)
    values = {name: start[name] for name in claim.fields}
    powers = {name: fmpq(power) for name, power in powers.items()}
    return law(claim, Ray(values, powers, dict(ends)))


FAIR = q * (1 + signs[0]) <= 1


@pytest.mark.parametrize(("level", "grows"), [("1/2", False), ("51/100", True), ("1/10", False)])
def test_outcomes_that_grow_must_weigh_more_than_is_allowed(level, grows):
    found = law_of(WithProbability(level, FAIR), {"n": 1, "q": fmpq(1)}, {"q": 1})
    assert bool(found) is grows


def test_a_level_that_moves_is_followed_too():
    start = {"n": 1, "q": fmpq(1), "delta": fmpq(1, 2)}
    rising = {"powers": {"q": 1, "delta": -1}, "ends": {"delta": fmpq(1)}}
    assert not law_of(WithProbability(1 - delta, FAIR), start, **rising)
    assert law_of(WithProbability(1 - delta, FAIR), {**start, "delta": fmpq(1, 3)}, {"q": 1})
    sure = WithProbability(1 - delta, 1 + 0 * signs[0] + q**2 <= sqrt(log(1 / delta)))
    assert law_of(sure, {**start, "q": fmpq(0)}, {"delta": -1}, {"delta": fmpq(1)})


def test_means_are_compared_and_not_outcomes():
    start = {"n": 1, "q": fmpq(1)}
    assert law_of(Expected(FAIR), start, {"q": 1})
    assert not law_of(Expected(q * signs[0] <= 1), start, {"q": 1})
    assert not law_of(Expected(q * Abs(signs[0]) <= q * (1 + signs[0])), start, {"q": 1})


def test_draws_of_one_atom_are_followed_whatever_their_number():
    start = {"d": 1, "n": 3, "rho": ONE, "v": ONE}
    spread = {**start, "d": 2, "rho": HALVES, "v": HALVES}
    relation = total(counts[i] * v[i] ** 2, i) <= sqrt(n)
    assert "t^(1/2)" in law_of(WithProbability("1/2", relation), start, {"n": 1})
    assert not law_of(WithProbability("1/2", relation), spread, {"n": 1})
    assert not law_of(WithProbability("1/2", relation.lhs <= n), start, {"n": 1})
    unlike = {**start, "d": 2, "rho": (fmpq(1), fmpq(0)), "v": HALVES}
    assert law_of(WithProbability("1/2", relation), unlike, {"n": 1})


def test_a_draw_that_reads_what_moves_has_no_branches():
    claim = Claim(PLACE, UpToConstant(WithProbability("1/2", v[picked[0]] <= n)))
    ray = Ray({"d": 2, "n": 2, "rho": HALVES, "v": HALVES}, {"n": fmpq(1)}, {})
    with pytest.raises(NoGerm):
        list(branches(claim, ray))


def test_a_mean_within_a_world_is_homogeneous_where_its_law_stays():
    claim = Claim(PLACE, UpToConstant(average(v[picked[0]] ** 2, picked) <= norm(v)))
    start = {"d": 2, "n": 1, "rho": HALVES, "v": HALVES}
    assert law(claim, Ray(start, {"v": fmpq(1)}, {})) == "left / right grows at least as t"
    moving = Claim(PLACE, UpToConstant(average(n * v[picked[0]] ** 2, picked) <= norm(v)))
    with pytest.raises(NoGerm):
        Along(moving, Ray(start, {"n": fmpq(1)}, {})).germ(moving.statement.relation.lhs)


def test_nothing_is_computed_far_out_that_no_rule_follows():
    asked = []

    @primitive()
    def counted(value):
        asked.append(value)
        return value

    claim = Claim(PLACE, UpToConstant(counted(n) <= q))
    assert not law(claim, Ray({"n": 1, "q": fmpq(1)}, {"n": fmpq(1)}, {}))
    assert all(value == 1 for value in asked)


def test_weights_that_grow_move_a_median_however_late():
    K = world("K", Integer(2, searched=3))
    x, p = world("x", Vector(K, 0, 1)), world("p", Weights(K))
    s = parameter("s", Real(1, None))
    claim = Claim(PLACE, UpToConstant(s * median(x, s * p) <= 1 / p[0]), given=[x[0] <= 0])
    rare = fmpq(1, 2**201)  # the median is zero from s = 2^200 on
    start = {"K": 2, "x": (fmpq(0), fmpq(1)), "p": (rare, 1 - rare), "s": fmpq(1)}
    assert not law(claim, Ray(start, {"s": fmpq(1)}, {}))
