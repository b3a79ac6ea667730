"""What is lost or wrong in formulas of many fields, and the change that is told first."""

import pytest
from flint import fmpq
from sympy import Abs, Eq, Ge, Min, exp, log, pi, sin, symbols

from boundcheck import Claim, Holds, Source
from boundcheck.checks.base import budget_named
from boundcheck.diagnosis import diagnose
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.divided import Side, _asked
from boundcheck.diagnosis.edits import edits
from boundcheck.diagnosis.hypotheses import hypotheses
from boundcheck.diagnosis.products import doubled, over_sum
from boundcheck.diagnosis.related import Normalised
from boundcheck.diagnosis.trial import Bench
from boundcheck.expressions import index, inner, multiplied, norm, parameter, total, world
from boundcheck.library import Library
from boundcheck.settings.scalar_laws import Cov, E, K, P, Var, k, p, values
from boundcheck.worlds import Integer, Real, Vector

HERE = Source("Folklore", 1900, "Statements").at("1")
n, N = world("n", Integer(1, searched=4)), world("N", Integer(1, searched=9))
i, steps = index("i", n), index("l", n - 1)
x, y = (world(name, Vector(n, searched=(-3, 3))) for name in "xy")
w = world("w", Vector(n, 0, None, (0, 2), True))
a, b, c = (parameter(name, Real(None, None, searched=(-3, 3))) for name in "abc")
u, v = (parameter(name, Real(0, None, open_low=True, searched=(0, 4))) for name in "uv")
t = parameter("t", Real(0, None, searched=(0, 4)))
share, part = (parameter(name, Real(0, 1, open_low=True, open_high=True)) for name in "qr")
stake = parameter("f", Real(-1, 1, open_low=True, open_high=True))
players, others = (parameter(name, Integer(0, searched=9)) for name in ("y", "z"))
X, Y = values()[k], values(name="y")[k]


def diagnosed(tmp_path, relation):
    return diagnose("a/b:c", Library(tmp_path, {"a/b:c": Claim(HERE, Holds(relation))}))


@pytest.mark.parametrize(
    ("printed", "mended", "grade", "where"),
    [
        (Ge((a + b + c) ** 2, 4 * (a * b + b * c + c * a)), "3 for 4", "constant", None),
        (Ge((1 - a) ** 2 * u + a**2 * v, u * v), "a divisor u + v at u*v", "slip", None),
        (share * log(1 + stake) + (1 - share) * log(1 - stake)
         <= share * log(share) + (1 - share) * log(1 - share),
         "a term log(2) beside q*log(q) + (1 - q)*log(1 - q)", "slip", None),
        (multiplied(1 - i / N, i) <= exp(-(n**2) / (2 * N)), "n*(n - 1) for n**2", "slip", None),
        (total(x[i], i) ** 2 <= total(x[i] ** 2 / w[i], i),
         "a factor sum_i(w[i]) on the right", "slip", None),
        (sin(t) >= 2 * t / pi, "the hypothesis t <= pi/2", "hypothesis",
         "fails only for t > pi/2"),
        ((x[n - 1] - x[0]) ** 2 <= total((x[steps + 1] - x[steps]) ** 2, steps),
         "a factor n - 1 at sum_l((-x[l] + x[l + 1])**2)", "slip", None),
        (part * log(part / share) + (1 - part) * log((1 - part) / (1 - share))
         >= (part - share) ** 2 / (2 * Min(part, share)),
         "maximum for minimum in Min(q, r)", "slip", None),
        (players * (others + 1) <= 4 * players**2 / 3 + others**2 / 3, "5/3 for 4/3", "constant",
         "fails only for y = 1"),
    ],
)  # fmt: skip
def test_the_lost_thing_is_told_first(tmp_path, printed, mended, grade, where):
    found = diagnosed(tmp_path, printed)
    assert (found.repairs[0].edit, found.grade) == (mended, grade)
    assert found.repairs[0].stands
    assert where in (None, found.extent.fails_on)
    assert not found.extent.corner


def test_an_exponent_has_a_least_one_and_no_other_number_of_worlds_has():
    s = parameter("s", Real(0, None, searched=(0, 4)))
    side = Side(s, -1, fmpq(1, 2), fmpq(3), False, 9, None)
    exponent = Case("a", Claim(HERE, Holds(K ** (1 - s) <= total(p[k] ** s, k))), None, None)
    scale = Case("a", Claim(HERE, Holds(P(Abs(X) >= s) <= E(X**2) / s)), None, None)
    assert _asked(exponent, side, fmpq(1)) == {Ge(s, 1): True}
    assert not _asked(exponent, side, fmpq(7, 5))
    assert not _asked(scale, side, fmpq(1))


def test_a_factor_that_is_a_difference_may_have_to_be_positive():
    bound = (a**2 - norm(x) ** 2) * (b**2 - norm(y) ** 2)
    claim = Claim(HERE, Holds((a * b - inner(x, y)) ** 2 >= bound))
    asked = {str(item.claim.given[-1]) for item in hypotheses(claim) if item.claim.given}
    assert {"a**2 >= norm(x)**2", "b**2 >= norm(y)**2"} <= asked


def test_weights_that_a_sum_divides_by_may_have_to_sum_to_one():
    claim = Claim(HERE, Holds(total(x[i], i) ** 2 <= total(x[i] ** 2 / w[i], i)))
    made = [item.claim for item in hypotheses(claim) if item.words.endswith("w sums to 1")]
    assert [type(each.fields["w"]) for each in made] == [Normalised]
    assert not made[0].fields["w"].admits((fmpq(1, 2), fmpq(1)), {"n": 2})
    bench = Bench("a/b:c", budget_named("quick"))
    assert bench.verdict(made[0], "weights").outcome in ("supported", "proved")


def test_a_covariance_is_doubled_as_a_whole():
    one, two, both, mean, other = symbols("one two both mean other", real=True)
    found = [change.node for change in doubled(one + two - both + mean * other)]
    assert one + two - 2 * both + 2 * mean * other in found
    assert not list(doubled(one - two))  # another number of the whole
    claim = Claim(HERE, Holds(Eq(Var(X - Y), Var(X) + Var(Y) - Cov(X, Y))))
    assert any(edit.words.startswith("a factor 2 at -") for edit in edits(claim))


def test_a_product_of_two_numbers_of_a_kind_lost_their_sum():
    kinds = {u: ("real", False), v: ("real", False), share: ("real", True)}
    assert [change.node for change in over_sum(u * v, kinds)] == [u * v / (u + v)]
    assert not list(over_sum(u * share, kinds))
