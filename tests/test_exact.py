"""Exact evaluation against SymPy's own arithmetic, and three-valued truth."""

import pytest
import sympy
from flint import arb, arb_mat, fmpq, fmpq_mat

from boundcheck import Claim, Holds, Source, exact
from boundcheck.claim import require_exact
from boundcheck.engine import verify
from boundcheck.errors import MalformedStatement, ShapeMismatch, Undecided, Undefined
from boundcheck.worlds import Real

x, y = sympy.symbols("x y", real=True)
EXPRESSIONS = [
    x + 2 * y, x * y - 3, x / (1 + y), sympy.sqrt(x), sympy.log(1 + x), sympy.exp(-x * y),
    x ** sympy.Rational(3, 4), sympy.Max(x, y, 1), sympy.Min(x, y), sympy.Abs(x - y),
    sympy.floor(7 * x), sympy.ceiling(7 * y), sympy.sin(x) + sympy.cos(y), sympy.asin(x / 4),
    sympy.Sum(x**y, (y, 0, 4)), sympy.binomial(5, 2) * x, 2**x,
    sympy.Piecewise((x, x < y), (y, True)),
]  # fmt: skip


@pytest.mark.parametrize("expr", EXPRESSIONS, ids=str)
@pytest.mark.parametrize("point", [(fmpq(3, 7), fmpq(2)), (fmpq(5, 2), fmpq(1, 3))])
def test_value_is_sympys_to_fifty_digits(expr, point):
    values = dict(zip("xy", point, strict=True))
    with exact.precision(256):
        found = exact.compiled(expr)(values.__getitem__)
        ball = exact.to_ball(found)
        known = expr.subs({x: sympy.Rational(str(point[0])), y: sympy.Rational(str(point[1]))})
        target = arb(str(sympy.N(known.doit(), 60)))
        # Sixty digits of SymPy against 256 bits: 1e-50 leaves ten digits for its last one.
        assert abs(ball - target) < arb("1e-50")


@pytest.mark.parametrize(
    ("expr", "message"),
    [
        (sympy.log(x), "logarithm of a negative"),
        (sympy.sqrt(x), "square root of a negative"),
        (1 / (x + 1), "division by zero"),
        (sympy.asin(2 * x), "outside"),
    ],
)
def test_no_value_is_said_not_guessed(expr, message):
    with pytest.raises(Undefined, match=message):
        exact.compiled(expr)({"x": fmpq(-1)}.__getitem__)


def test_truth_is_three_valued():
    values = {"x": arb(2).sqrt() ** 2, "y": fmpq(2)}.__getitem__
    assert exact.decide(x <= y, values) is None
    assert exact.decide(x < y + 1, values) is True
    assert exact.decide(sympy.Implies(y < 0, x < 0), values) is True
    assert exact.decide(sympy.And(x <= y, y < 0), values) is False


def test_an_undefined_member_does_not_hide_a_false_one():
    condition = sympy.And(x > 0, sympy.log(x) > 5, evaluate=False)
    assert exact.decide(condition, {"x": fmpq(-1)}.__getitem__) is False


def test_matrices_multiply_in_order_and_shapes_are_checked():
    A, B = sympy.symbols("A B", commutative=False)
    values = {"A": fmpq_mat(2, 2, [1, 2, 3, 4]), "B": fmpq_mat(2, 2, [0, 1, 1, 0])}
    assert exact.compiled(A * B)(values.__getitem__) == values["A"] * values["B"]
    assert exact.compiled(A**-1 * A)(values.__getitem__) == 1
    values["B"] = fmpq_mat(3, 1, [1, 2, 3])
    with pytest.raises(ShapeMismatch, match="2 x 2 matrix and a 3 x 1"):
        exact.compiled(A * B)(values.__getitem__)


def test_fractions_are_not_cut_to_integers():
    n, k = sympy.symbols("n k")
    for expr in (sympy.binomial(n, 2), sympy.factorial(n), sympy.Sum(k, (k, 1, n))):
        with pytest.raises(Undecided, match="integer is needed"):
            exact.compiled(expr)({"n": fmpq(5, 2)}.__getitem__)
    with pytest.raises(Undefined, match="gamma"):
        exact.compiled(sympy.gamma(n))({"n": fmpq(-2)}.__getitem__)


def test_a_ball_that_lost_its_value_is_undecided_not_undefined():
    around_zero = arb(2).sqrt() ** 2 - 2
    assert exact.sign(arb("nan")) is None
    with pytest.raises(Undecided):
        exact.reciprocal(arb_mat(1, 1, [around_zero]))
    with pytest.raises(Undefined):
        exact.reciprocal(fmpq_mat(1, 1, [0]))
    with pytest.raises(Undecided):
        exact.power(arb(-2), arb(8).log() / arb(2).log())  # -2 to the power 3


def test_a_part_without_a_value_waits_for_parts_that_may_settle_it():
    look = {"x": fmpq(-1), "y": arb(2).sqrt() ** 2 - 2}.__getitem__
    root = sympy.sqrt(x) >= 0
    assert exact.decide(sympy.Or(y > 0, root, evaluate=False), look) is None
    assert exact.decide(sympy.Implies(y > 0, root, evaluate=False), look) is None
    with pytest.raises(Undefined):
        exact.decide(sympy.Implies(x < 0, root, evaluate=False), look)


def settings_of(statement, **fields):
    from boundcheck import Claim, Holds, Source
    from boundcheck.setting import Setting
    from boundcheck.worlds import Choice

    parameters = {sympy.Symbol(name, real=True): Choice((value,)) for name, value in fields.items()}
    claim = Claim(
        source=Source("A", 2024, "Example").at("1"), statement=Holds(statement),
        parameters=parameters,
    )  # fmt: skip
    return Setting(claim, fields)


def test_what_a_setting_remembers_ends_with_it():
    setting = settings_of(sympy.Le(1 / x, y), x=fmpq(2), y=fmpq(1))
    assert setting.evaluate(1 / x) == fmpq(1, 2) == setting.evaluate(1 / x)
    assert setting.replaced(x=fmpq(4)).evaluate(1 / x) == fmpq(1, 4)
    for _ in range(2):  # having no value is not remembered as having one
        with pytest.raises(Undefined, match="division by zero"):
            setting.replaced(x=fmpq(0)).evaluate(1 / x)


def test_balls_are_not_remembered_across_precisions():
    setting = settings_of(sympy.Le(sympy.sqrt(x), y), x=fmpq(2), y=fmpq(1))
    with exact.precision(64):
        coarse = setting.evaluate(sympy.sqrt(x))
    with exact.precision(640):
        assert setting.evaluate(sympy.sqrt(x)).rad() < coarse.rad() / 2**500


def test_inverses_are_remembered_where_they_exist_only():
    from boundcheck import Claim, Holds, Source
    from boundcheck.setting import Setting
    from boundcheck.worlds import Gram, Space

    A = sympy.Symbol("A", commutative=False)
    claim = Claim(
        source=Source("A", 2024, "Example").at("1"), worlds=Space(gram=Gram(2)),
        statement=Holds(sympy.Eq(A * A**-1 * A, A, evaluate=False)),
        measure={A: lambda gram: gram},
    )  # fmt: skip
    regular = Setting(claim, {"gram": fmpq_mat(2, 2, [2, 1, 1, 2])})
    assert regular.evaluate(A**-1 + A**-2) == regular("A").inv() + regular("A").inv() ** 2
    assert regular.decide(sympy.Eq(A**-1, A, evaluate=False)) is False
    singular = Setting(claim, {"gram": fmpq_mat(2, 2, [1, 1, 1, 1])})
    for _ in range(2):
        with pytest.raises(Undefined, match="singular"):
            singular.decide(sympy.Eq(A**-1, A, evaluate=False))


def test_numbers_that_no_memory_holds_are_not_written_out():
    assert exact.midpoint(arb(3) / 8) == fmpq(3, 8)
    with pytest.raises(Undecided, match="bits is not written out"):
        exact.midpoint(arb(30).exp().exp())


def test_a_proof_with_such_a_number_ends_without_one():
    tower = sympy.exp(sympy.exp(sympy.exp(5)))
    claim = Claim(
        Source("Test", 2000, "Towers").at("1"), Holds(x**2 * tower <= x + tower),
        parameters={x: Real(0, 1)},
    )  # fmt: skip
    assert verify("mine/tower:printed", claim, controls=False).outcome != "refuted"


@pytest.mark.parametrize("top, taken", [(10**4, 4000), (6000, 3000), (-3000, 2500), (-20, 2001)])
def test_a_binomial_of_thousands_is_a_ball_around_the_number(top, taken):
    n, k = sympy.symbols("n k")
    found = exact.compiled(sympy.binomial(n, k))({"n": top, "k": taken}.__getitem__)
    assert exact.to_ball(found).contains(int(sympy.binomial(top, taken)))
    assert exact.to_ball(found).rel_accuracy_bits() > 25


def test_a_binomial_of_millions_is_found_at_once():
    n, k = sympy.symbols("n k")
    found = exact.compiled(sympy.binomial(n, k))({"n": 10**12, "k": 10**6}.__getitem__)
    assert found > arb(10) ** 6_000_000


@pytest.mark.parametrize(("number", "told"), [
    (1 / 3, "write Rational(1, 3) or"), (1e-40, 'write Rational("1e-40") or'),
    (2**0.5, 'write Rational("1.4142135623730951") or'),
])  # fmt: skip
def test_what_python_rounded_is_refused_with_what_to_write(number, told):
    with pytest.raises(MalformedStatement) as refused:
        require_exact(x <= number)
    assert told in str(refused.value)


def test_a_short_decimal_is_read_as_it_is_written():
    require_exact(x <= 0.05)
