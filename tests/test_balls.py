"""Systems of balls: what the solver does not invert may be regular, and is no lack of a value."""

import pytest
import sympy
from flint import arb, arb_mat, fmpq, fmpq_mat
from sympy import Abs, And, Eq, Le, Rational, sqrt

from boundcheck import Claim, Expected, Holds, Source, WithProbability
from boundcheck.arithmetic import precision
from boundcheck.balls import solved
from boundcheck.certify import certify, why_undefined
from boundcheck.checker import judge
from boundcheck.errors import ShapeMismatch, Undecided, Undefined
from boundcheck.expressions import (
    index,
    indicator,
    norm,
    outcome,
    parameter,
    solution,
    table,
    world,
)
from boundcheck.setting import Setting
from boundcheck.worlds import Integer, Real, Signs, Vector

PLACE = Source("Nobody", 2000, "Systems of known solution").at("here")
i, j = index("i", 2), index("j", 2)
e = parameter("e", Real(0, 1, open_low=True))
y = world("y", Vector(2, 0, 1))
NEAR = table(sqrt(2) + e * indicator(And(i >= 1, j >= 1)), i, j)  # of determinant sqrt(2) e > 0
ROOTS = table(sqrt(2) * (1 + 0 * i), i)  # equal to NEAR (1, 0)


def near(bits):
    """The balls of [[r, r], [r, r + 2^-100]] for r = sqrt(2)."""
    with precision(bits):
        root = arb(2).sqrt()
        return arb_mat(2, 2, [root, root, root, root + fmpq(1, 2**100)]), arb_mat(2, 1, [root] * 2)


def test_a_regular_matrix_in_wide_balls_is_undecided_and_in_narrow_ones_solved():
    with precision(64), pytest.raises(Undecided, match="singular"):
        solved(*near(64))
    with precision(640):
        found = solved(*near(640)).entries()
    assert abs(found[0] - 1) < fmpq(1, 2**100) and abs(found[1]) < fmpq(1, 2**100)


def test_only_a_rational_matrix_is_known_to_be_singular():
    flat = fmpq_mat(2, 2, [1, 2, 2, 4])
    for right in (fmpq_mat(2, 1, [1, 2]), arb_mat(2, 1, [arb(2).sqrt()] * 2)):
        with pytest.raises(Undefined, match="singular"):
            solved(flat, right)
    with pytest.raises(Undecided):
        solved(arb_mat(flat), fmpq_mat(2, 1, [1, 2]))


def test_a_rational_matrix_is_solved_for_an_irrational_right_side():
    root = arb(2).sqrt()
    assert solved(fmpq_mat(1, 1, [2]), arb_mat(1, 1, [root]))[0, 0].overlaps(root / 2)
    assert solved(arb_mat(1, 1, [root]), fmpq_mat(1, 1, [2]))[0, 0].overlaps(root)
    with pytest.raises(ShapeMismatch, match="1 x 1 matrix is solved for 2 rows"):
        solved(fmpq_mat(1, 1, [2]), arb_mat(2, 1, [root, root]))


def test_the_roots_of_two_numbers_are_their_own_solution():
    """|(sqrt(y1), sqrt(y2))|^2 = y1 + y2, by the system of the identity."""
    roots = solution(table(sympy.Integer(1) * indicator(Eq(i, j)), i, j), table(sqrt(y[i]), i))
    claim = Claim(PLACE, Holds(norm(roots) ** 2 <= y[0] + y[1] + 1))
    assert Setting(claim, {"y": (fmpq(1, 2), fmpq(1, 3))}).decide(claim.statement.relation)


@pytest.mark.parametrize("small", [fmpq(1, 10**30), fmpq(1, 10**250)])
def test_what_only_wide_balls_take_for_singular_has_a_value(small):
    """The first entry is 1; beyond the reach of every precision nothing is said."""
    claim = Claim(PLACE, Holds(Le(Abs(solution(NEAR, ROOTS)[0] - 1), Rational(1, 10))))
    here = Setting(claim, {"e": small})
    assert here.decide(claim.statement.relation) is (True if small > fmpq(1, 10**99) else None)
    assert why_undefined(here) == "" and not judge.has_no_value(claim, {"e": small})


def only_wide_balls_lack_it(bits):
    """A number without a value up to a precision, which no definition should be: 2 above it."""

    def quantity(e):
        import flint

        if flint.ctx.prec < bits:
            raise Undefined("balls of too few bits")
        return 2 * e

    return quantity


q = sympy.Symbol("q", real=True)
xi = outcome("xi", Signs("xi", parameter("one", Integer(1, 1))))
FORMS = [Holds(q <= e), Expected(q + xi[0] <= e), WithProbability(q, xi[0] <= 2 * e)]


@pytest.mark.parametrize("bits", [100, 500])
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_no_value_counts_only_at_the_highest_precision(form, bits):
    """q = 2 e = 3/2 is above e = 3/4, in the mean too, and no probability."""
    claim = Claim(PLACE, form, measure={q: only_wide_balls_lack_it(bits)})
    values = {"e": fmpq(3, 4), **({"one": 1} if "one" in claim.fields else {})}
    assert certify(Setting(claim, values))[0] and why_undefined(Setting(claim, values)) == ""
    assert judge.is_false(claim, values) and not judge.has_no_value(claim, values)


def test_no_value_at_the_highest_precision_is_none():
    claim = Claim(PLACE, Holds(q <= e), measure={q: only_wide_balls_lack_it(10**6)})
    values = {"e": fmpq(3, 4), **({"one": 1} if "one" in claim.fields else {})}
    assert why_undefined(Setting(claim, values)) == "balls of too few bits"
    assert judge.has_no_value(claim, values)
