"""Sums over a size that moves: enclosures of them for every size, and the laws that follow."""

import pytest
from flint import arb, fmpq
from sympy import Abs, Max, Piecewise, Rational, cos, exp, log, pi, sin, sqrt

from boundcheck import Claim, Source, UpToConstant
from boundcheck.arithmetic import precision, to_ball
from boundcheck.checker import sums
from boundcheck.checker.along import Along
from boundcheck.checker.germs import NoGerm
from boundcheck.checker.growing import law
from boundcheck.checker.judge import Place
from boundcheck.checker.ray import Ray
from boundcheck.expressions import define, index, named, parameter, total, world
from boundcheck.worlds import Integer, Real, Vector

PLACE = Source("A", 2024, "Example").at("1")
N, M = parameter("N", Integer(1, searched=9)), parameter("M", Integer(1, searched=9))
few, w = parameter("few", Integer(1, 90)), parameter("w", Real(0, None, open_low=True))
d = world("d", Integer(1, searched=4))
x, i = world("x", Vector(d, 0)), index("i", d)
k, same, other, l = index("k", N), index("k", M), index("j", M), index("l", few)
H = total(1 / (k + 1), k)
TERMS = [
    1 / (k + 1), (k + 1) ** Rational(-1, 2), sqrt(k), k**2 + 1, 1 / (k + 1) ** 2, log(k + 1),
    log(k + 2) / (k + 2), log(k + 2) ** 2 / (k + 2), 1 / ((k + 2) * log(k + 2)),
    1 / ((k + 2) * log(k + 2) ** 2), 1 / sqrt((k + 1) * log(k + 3)), log(k + 1) ** 2 / (k + 1) ** 2,
    k * log(k + 2) ** Rational(3, 2), exp(-k), (3 - k) / (k + 1) ** 2, Abs(50 - k), k - 70 + w,
    w * (k + 1) ** Rational(-7, 5), 1 / ((k + 2) ** 2 * log(k + 2)), k**3 - w * k * log(k + 1),
]  # fmt: skip
GROWING = [
    (H, 1), (H, sqrt(1 + log(N))), (H**2, 1 + log(N)), (named("h", H), 1), (define("h", H), 1),
    (total(log(k + 1) / (k + 1), k), 1 + log(N)), (N * H, N + total(1 / (k + 1) ** 2, k)),
    (total(1 / sqrt(k + 1), k), N ** Rational(49, 100)), (total(k, k), N * (1 + log(N))),
    (total(N / (k + 1), k), N), (N, define("h", total((k + 1) ** Rational(-1, 9), k))), (N, H**2),
    (N**3 * total(1 / (k + 1) ** 2, k), total(k, k)), (1 + log(N), 1 + total(1 / (k + 1) ** 2, k)),
    (log(total(1 / sqrt(k + 1), k)), 1),
]  # fmt: skip
BOUNDED = [  # true, or beyond what is enclosed
    (H, 1 + log(N)), (1 + log(N), 1 + H), (H - log(N), 1), (log(N) - H, 1),
    (H, total(1 / (2 * k + 1), k)), (H - total(1 / (k + 2), k), 1), (total(1 / (k + N), k), 1),
    (total(1 / (k + 1) ** 2, k), 1), (total(exp(-k), k), 2), (total((-1) ** k / (k + 1), k), 1),
    (total(cos(pi * k), k), 1), (total(sin(k) / (k + 1), k), 9), (total(Max(0, 99 - k), k), 1),
    (total(Piecewise((1, k < 40), (0, True)), k), 1), (total(Max(0, 1 - k / N) / N, k), 1),
    (total(1 / ((k + 2) * log(k + 2) ** 2), k), 1), (total(1 / (l + 1), l), 1),
    (Max(0, 1 - H / 60) * N, 1), (N * Max(0, 1 - total(1 / sqrt(k + 1), k)), 1),
    (total(1 / (k + 1), k, other) / M, 1 + log(N)), (total(total(1, other) / (k + 1), k), M * N),
    (total(k, k), N**2), (total(1 / sqrt(k + 1), k), sqrt(N)), (1 / H, 1), (exp(-H) * N, 2),
    (total(k + 1 - k, k), N), (total(k - (k + 1), k), 1), (total(w / (k + 1) ** 2, k), w),
]  # fmt: skip


def ray_of(claim, start, **powers):
    values = {"N": start, "M": 5, "few": 7, "w": fmpq(1, 2), "d": 1, "x": (fmpq(1),)}
    world = {name: value for name, value in values.items() if name in claim.fields}
    moves = {name: fmpq(power) for name, power in powers.items() if name in world}
    return Ray(world, moves, {})


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("term", TERMS)
def test_sums_lie_in_their_germs(term, power):
    claim = Claim(PLACE, UpToConstant(total(term, k) <= N + w))
    with precision(192):
        ray = ray_of(claim, 1100, N=power)
        along = Along(claim, ray)
        germ = along.germ(sums.enclosed(along, total(term, k)))
        for octaves in (0, 1, 2):
            value = to_ball(Place(claim, ray.at(octaves)).value(total(term, k)))
            grown = arb(2) ** octaves
            scale = grown ** arb(germ.power) * (1 + grown.log()) ** arb(germ.logs)
            assert (germ.ball * scale).overlaps(value)


@pytest.mark.parametrize(("left", "right"), GROWING)
def test_sums_that_outgrow_refute(left, right):
    claim = Claim(PLACE, UpToConstant(left <= right))
    assert law(claim, ray_of(claim, 3, N=1))
    assert not law(claim, ray_of(claim, 3, M=1))


@pytest.mark.parametrize(("left", "right"), BOUNDED)
def test_sums_that_do_not_refute_nothing(left, right):
    claim = Claim(PLACE, UpToConstant(left <= right * (1 + 0 * N)))
    for powers in ({"N": 1}, {"N": 2}, {"N": 1, "M": 1}, {"N": 1, "w": 1}, {"N": 1, "w": -1}):
        for start in (2, 3, 100, 2000):
            assert not law(claim, ray_of(claim, start, **powers))


def test_indices_of_one_name_over_other_sizes_are_told_apart():
    claim = Claim(PLACE, UpToConstant(H <= total(1 / (same + 1), same)))
    assert law(claim, ray_of(claim, 3, N=1))
    assert not law(claim, ray_of(claim, 3, N=1, M=1))
    assert not law(claim, ray_of(claim, 3, M=1))


def test_vectors_that_would_grow_too_have_no_rule():
    claim = Claim(PLACE, UpToConstant(total(x[i] / (i + 1), i) <= 1))
    assert not law(claim, ray_of(claim, 1, d=1))


def test_a_term_that_moves_by_itself_has_no_rule():
    claim = Claim(PLACE, UpToConstant(total(1 / (k + w), k) <= 1))
    along = Along(claim, ray_of(claim, 2000, N=1, w=1))
    with pytest.raises(NoGerm):
        sums.enclosed(along, claim.statement.relation.lts)
