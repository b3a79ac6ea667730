"""False statements in every class by which one was once proved: none may be proved again.

Each fails at numbers above 10^40 or at a point that no sample of worlds meets.
"""

from dataclasses import dataclass

import pytest
from flint import fmpq
from sympy import (
    Add,
    And,
    Eq,
    Float,
    Implies,
    Le,
    Max,
    Mul,
    Ne,
    Or,
    Piecewise,
    Pow,
    Product,
    Rational,
    Sum,
    Symbol,
    acos,
    cos,
    cosh,
    exp,
    log,
    sqrt,
    symbols,
)

from boundcheck import Claim, Expected, Holds, Source, WithProbability
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.checks.proof import run
from boundcheck.checks.proofs.attempt import Attempt
from boundcheck.checks.proofs.definitions import Formula, cases
from boundcheck.claim import UpToConstant
from boundcheck.errors import MalformedStatement, Undecided
from boundcheck.expressions import (
    average,
    define,
    entrywise,
    form,
    frobenius_norm,
    greatest,
    identity,
    index,
    inner,
    mean,
    named,
    norm,
    outcome,
    parameter,
    primitive,
    probability,
    solution,
    supremum,
    total,
    world,
)
from boundcheck.expressions.signs import facts_of
from boundcheck.setting import Setting
from boundcheck.worlds import (
    Choice,
    Counts,
    Custom,
    Gram,
    Indices,
    Integer,
    Listed,
    Matrix,
    Real,
    Signs,
    Space,
    Vector,
    Weights,
)
from boundcheck.worlds.fields import Field

x, y, n, k, a, large, i1 = symbols("x y n k a large i1", real=True)
ANY, POSITIVE, ABOVE = Real(None, None), Real(0, None, open_low=True), Real(0, None)
PLACE = Source("A", 2024, "Example").at("1")
HUGE = 10**40
RARE = large >= HUGE
one, long = world("one", Integer(1, 1)), world("n", Integer(1, searched=3))
v, each = world("v", Vector(long)), index("each", long)


def prove(statement, **fields):
    fields.setdefault("parameters", {})
    claim = Claim(source=PLACE, statement=statement, **fields)
    return run(Task("a/b:c", claim, BUDGETS["quick"]))


def rare(relation):
    return Holds(Implies(RARE, relation))


def numbers(*names, **fields):
    return {"parameters": {**{name: ANY for name in names}, large: ANY}, **fields}


# Names.

stepped = define("stepped", a + Piecewise((1, k > HUGE), (0, True)))
twin_real, twin_plain = Symbol("x", real=True), Symbol("x")
NAMES = {
    "a bound index under the name of a parameter": (
        Implies(RARE, Eq(Sum(n, (n, 1, k)), k * n)),
        numbers(worlds=Space(k=Integer(1, searched=9)), parameters={n: ANY, large: ANY})),
    "a bound index in a product": (
        Implies(RARE, Eq(Product(n, (n, 1, k)), n**k)),
        numbers(worlds=Space(k=Integer(1, searched=9)), parameters={n: POSITIVE, large: ANY})),
    "a bound index in a limit": (
        Implies(RARE, Eq(Sum(1, (n, 1, n)), n)),
        {"parameters": {n: Integer(-9, searched=9), large: ANY}}),
    "an index that a formula uses": (
        Implies(RARE, Eq(Sum(stepped, (a, 1, k)), k * stepped)),
        {"worlds": Space(k=Integer(1, searched=9)), "parameters": {a: ANY, large: ANY}}),
    "two symbols of one name": (
        Implies(RARE, Le(twin_real - twin_plain, -1)), numbers(twin_real)),
    "a row index under the name of a parameter": (
        Implies(RARE, greatest(v[each], each) <= i1), {"parameters": {i1: ANY, large: ANY}}),
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_names_are_kept_apart(name):
    relation, fields = NAMES[name]
    try:
        found = prove(Holds(relation), **fields)
    except Exception as error:  # refused as a statement is as good
        assert "\n" not in str(error)
        return
    assert found.outcome != "proved", found.detail


# Premises and facts.


@primitive(facts=("positive",))
def wrongly_positive(v):
    return v[0] * v[1]


@primitive(bounds=lambda u: (0, 1))
def wrongly_bounded(u):
    return 1 if int(u) <= HUGE else 2


@primitive(facts=("nonnegative",))
def wrongly_nonnegative(u):
    return -1 if int(u) > HUGE else 1


nine, line = world("v", Vector(9)), world("u", ANY)
PREMISES = {
    "a declared sign that is wrong": (
        Implies(RARE, wrongly_positive(nine) > 0), {"parameters": {large: ANY}}),
    "a declared sign that fails far away": (
        wrongly_nonnegative(line) >= 0, {}),
    "declared bounds that fail far away": (
        wrongly_bounded(line) <= 1, {}),
    "a premise that no rule knows": (
        Implies(RARE, x <= 0), numbers(x, given=[acos(x) <= 4])),
    "a parameter taken as positive": (Implies(RARE, 2 * x >= x), numbers(x)),
    "a level above one": (
        None, {"statement": WithProbability(y, x**2 - 2 * x * y + y**2 >= 0),
               "parameters": {x: ANY, y: ANY}}),
    "a premise that only balls tell": (
        Implies(And(RARE, cos(x) <= 1), y <= 1), numbers(x, y)),
}  # fmt: skip


@pytest.mark.parametrize("name", PREMISES)
def test_premises_are_stated_or_shown(name):
    relation, fields = PREMISES[name]
    statement = fields.pop("statement", None) or Holds(relation)
    found = prove(statement, **fields)
    assert found.outcome != "proved", found.detail


def test_premises_are_no_facts_that_a_file_declares():
    assert not facts_of(wrongly_positive(nine)) and not facts_of(wrongly_nonnegative(line))


# Points without a value. Each holds wherever it has one, and has none at some admissible point.

VALUES = {
    "x / x": (Eq(Mul(x, 1 / x, evaluate=False), 1), [x]),
    "x^2 / x": (Eq(Mul(x**2, 1 / x, evaluate=False), x), [x]),
    "exp(log x)": (Eq(exp(log(x), evaluate=False), x), [x]),
    "a root of a product": (Le(-y**2, sqrt(x) * sqrt(y) * 0 + sqrt(x * y)), [x, y]),
    "a multiple of a logarithm": (Le(-x**2, (y * log(x)) ** 2), [x, y]),
    "log x - log x": (Le(Add(log(x), -log(x), evaluate=False), x**2 + y**2), [x, y]),
    "log of a square": (Le(log(x**2), x**2), [x]),
    "1 / (x - y)": (Le(0, 1 / (x - y) ** 2), [x, y]),
    "a root of a difference": (Le(0, sqrt(x - y)), [x, y]),
    "a root under a square": (Le(-y**2, Pow(sqrt(x), 4, evaluate=False)), [x, y]),
    "a quotient of quotients": (Eq(Mul(1 / x, 1 / (1 / x + y), evaluate=False),
                                   1 / (1 + x * y)), [x, y]),
    "a quotient of equal sums": (Eq(Mul(x + y, 1 / (x + y), evaluate=False), 1), [x, y]),
    "a maximum of logarithms": (Le(log(x), Max(log(x), 0)), [x]),
    "a power of a negative number": (Le(0, (x**2) ** Rational(1, 2) + x ** Rational(2, 3)), [x]),
    "exp(2 log x)": (Eq(exp(2 * log(x), evaluate=False), x**2), [x]),
    "a logarithm of a quotient": (Eq(log(x / y) + log(y), log(x)), [x, y]),
}  # fmt: skip


@pytest.mark.parametrize("name", VALUES)
def test_a_statement_without_a_value_somewhere_is_not_proved(name):
    relation, names = VALUES[name]
    assert relation.free_symbols, "SymPy has evaluated it, and no claim can be made of it"
    for statement in (Holds(relation), rare(relation)):
        found = prove(statement, **numbers(*names))
        assert found.outcome != "proved", found.detail


def test_a_root_of_a_product_says_nothing_of_its_factors_where_one_is_zero():
    """Where x = 0 the root of x y is 0, whatever y is."""
    for power in (Rational(1, 3), Rational(2, 3)):
        found = prove(rare(Le(-y, (x * y) ** power)), given=[x * y >= 0],
                      parameters={x: ABOVE, y: ANY, large: ANY})  # fmt: skip
        assert found.outcome != "proved", found.detail


def test_a_mean_keeps_the_printed_parts_of_what_it_is_taken_of():
    scale, shares = parameter("scale", ANY), world("shares", Weights(long))
    printed = mean(Mul(scale, 1 / scale, evaluate=False), each, shares)
    found = run(Task("a/b:c", Claim(PLACE, Holds(Eq(printed, 1))), BUDGETS["quick"]))
    assert found.outcome != "proved", found.detail


counted, rows_ = parameter("counted", Integer(1, searched=9)), world("rows_", Vector(long, 1))
shares_, TO_A_MILLION = world("shares_", Weights(long)), 2_000_001 - 2 * counted
LOG, ROOT = named("LOG", log(TO_A_MILLION)), named("ROOT", sqrt(TO_A_MILLION))
WITHIN_MEANS = {
    "exp of a name for a logarithm": exp(LOG),
    "the square of a name for a root": ROOT**2,
    "a name less what it stands for": LOG - log(TO_A_MILLION),
    "cosh of a logarithm": cosh(log(TO_A_MILLION)),
}  # fmt: skip


@pytest.mark.parametrize("name", WITHIN_MEANS)
def test_a_part_of_a_mean_without_a_value_somewhere_is_not_merged_away(name):
    """There is none for more than a million, where no search looks."""
    bound = (TO_A_MILLION**2 + 1 + TO_A_MILLION**-2) * mean(rows_[each], each, shares_)
    relation = mean(WITHIN_MEANS[name] * rows_[each], each, shares_) <= bound
    claim = Claim(PLACE, Holds(relation), given=[Ne(TO_A_MILLION, 0)])
    found = run(Task("a/b:c", claim, BUDGETS["quick"]))
    assert found.outcome != "proved", found.detail


# Numbers and parts.

TINY = Float("1e-17", 30)
OTHERS = {
    "a literal of twenty digits": (
        Eq(x * Float("0.12345678901234567891", 25), x * Float("0.123456789012345", 25)), [x]),
    "a literal next to one": (Le(x * Float("1.00000000000000000001", 30), x), [x]),
    "a tiny literal": (Eq((x + 1) ** 2 + TINY, x**2 + 2 * x + 1), [x]),
    "an alternative": (Or(Le(x, y), x <= 5), [x, y]),
    "an alternative beside a truth": (And(Le(x, x + 1), Or(large < HUGE, large > HUGE)), [x]),
    "a conjunct at the end": (And(Le(0, x**2), Le(x, HUGE)), [x]),
    "a conjunct of a premise": (Implies(And(x >= 0, y >= 0), And(x + y >= 0, x <= HUGE)), [x, y]),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_numbers_and_parts_are_exact(name):
    relation, names = OTHERS[name]
    for statement in (Holds(relation), rare(relation)):
        if "large" in str(relation) and statement.relation != relation:
            continue
        found = prove(statement, **numbers(*names))
        assert found.outcome != "proved", found.detail


either, scale = world("either", Choice((0, 1)), rank=0), world("scale", POSITIVE)


def case(first, second):
    return Piecewise((first, Eq(either, 0)), (second, True))


CONSTANTS = {
    "a negative side": (x <= y, {"given": [y <= 0]}),
    "cases of either sign": (
        case(2 * scale, -scale) <= case(scale, -2 * scale), {}),
    "cases that need different constants": (
        case(31 * scale, -scale) <= case(scale, -scale / 30), {}),
    "a bound of zero": (x <= 0 * y, {"given": [x >= 0]}),
    "two comparisons": (And(x <= y, y <= -x), {"given": [y >= 1, x >= 0, x <= 1]}),
}  # fmt: skip


@pytest.mark.parametrize("name", CONSTANTS)
def test_a_constant_must_serve_every_case(name):
    relation, fields = CONSTANTS[name]
    found = prove(UpToConstant(relation), parameters={x: ANY, y: ANY}, **fields)
    assert found.outcome != "proved", found.detail


def test_a_constant_of_one_case_must_serve_the_others():
    """31 s <= c s needs c >= 31, and -s <= -c s / 30 needs c <= 30."""
    small, bound = define("small", scale + 0), define("bound", scale + 1)
    task = Task("a/b:c", Claim(PLACE, UpToConstant(small <= bound)), BUDGETS["quick"])
    sides = {"first": (31 * scale, scale), "second": (-scale, -scale / 30)}
    for names, proved in ((("first",), 32), (("second",), 1), (("first", "second"), None)):
        attempt = Attempt(task)
        attempt.cases = [next(cases(task.claim)) for _ in names]
        for known, name in zip(attempt.cases, names, strict=True):
            known.formulas |= dict(zip((small, bound), map(Formula, sides[name]), strict=True))
        found = attempt.prove()
        assert (found and found.constant) == proved


# Means and probabilities.


def test_what_holds_of_outcomes_need_not_hold_of_means():
    toss = define("toss", outcome("signs", Signs("signs", one))[0])
    with pytest.raises(MalformedStatement, match="is no comparison"):
        prove(Expected(Or(toss >= 1, toss <= -1)))
    assert prove(Expected(Implies(toss >= 1, toss >= Rational(1, 2)))).outcome != "proved"


def test_a_draw_of_no_atoms_has_no_largest():
    often = parameter("k", Integer(0, searched=3))
    law, values = world("p", Weights(long)), world("v", Vector(long, 0, 1))
    place = outcome("i", Indices("i", law, often))
    for given in ([], [Or(often >= 1, RARE)], [often >= 1]):
        found = prove(Holds(values[place[0]] >= 0), given=given, parameters={large: ANY})
        assert (found.outcome == "proved") == (given == [often >= 1]), found.detail


def test_counts_are_not_read_as_positive():
    law, often = world("p", Weights(2)), parameter("k", Integer(1, searched=3))
    count = outcome("c", Counts("c", law, often))
    assert prove(Holds(Implies(RARE, count[0] >= 1)), parameters={large: ANY}).outcome != "proved"


def test_a_nonnegative_half_line_is_not_positive():
    assert prove(rare(x > 0), **numbers(x, parameters={x: ABOVE, large: ANY})).outcome != "proved"


# Names that the provers give to letters of their own.

ROOT = Rational(12345, 67891)  # of a polynomial that no sample and no search meets
RARELY = Eq(large**5 + large**3 + large, ROOT**5 + ROOT**3 + ROOT)
THIRD = Symbol("k", real=True)
FAR = 10**6


def test_an_index_of_a_sum_is_no_parameter():
    q = parameter("index k", Real(3, 4))
    terms = Sum(1 / ((THIRD - FAR) * (THIRD - FAR - 1)), (THIRD, 1, long))
    relation = And(Eq(terms, -Rational(1, FAR) - 1 / (long - FAR)), q <= 4)
    assert prove(Holds(relation), given=[Ne(long, FAR)]).outcome != "proved"


def test_a_root_is_no_parameter():
    half = parameter("half", Real(0, None))
    for name in ("root of half", "letter!1"):
        q = parameter(name, Real(3, 4))
        found = prove(Holds(Implies(RARELY, sqrt(half) <= 4)), given=[q <= 4],
                      parameters={large: ANY})  # fmt: skip
        assert found.outcome != "proved", found.detail


def test_a_prime_is_no_parameter():
    two = Symbol("prime 2")
    found = prove(Holds(two**2 <= 4), given=[two > 0, two < 2 + Rational(1, 10**30)],
                  parameters={two: POSITIVE})  # fmt: skip
    assert found.outcome != "proved", found.detail


def test_rows_at_places_and_sizes_are_no_texts():
    drawn = outcome("V", Indices("V", world("s", Weights(long)), MANY))
    twin, place = world("v[V]", Vector(MANY)), index("place", MANY)
    summed = Eq(total(v[drawn[place]], place), total(twin[place], place), evaluate=False)
    five = world("5", Integer(1, searched=3))
    for relation in (Implies(RARELY, summed), Implies(RARELY, world("e", Vector(five))[4] <= 1)):
        assert prove(Holds(relation), parameters={large: ANY}).outcome != "proved"


def test_indices_are_no_places_by_their_names():
    drawn = outcome("V", Indices("V", world("s", Weights(long)), MANY))
    p_, q_ = index("p", MANY), index("p@V", long)
    told = Eq(total(v[drawn[p_]] * total(v[q_], q_), p_), long * total(v[drawn[p_]] ** 2, p_))
    found = prove(Holds(Implies(RARELY, told)), parameters={large: ANY})
    assert found.outcome != "proved", found.detail


# Fields of somebody else, and operands that do not fit.


@dataclass(frozen=True)
class Wide(Real):
    def admits(self, value, earlier):
        return True


@dataclass(frozen=True)
class Signed(Weights):
    def admits(self, value, earlier):
        return True


@dataclass(frozen=True)
class Lower(Field):
    low: int = 0

    def build(self, source, earlier):
        return source.rational(-1, 1)

    def admits(self, value, earlier):
        return True


def test_a_class_of_somebody_else_promises_nothing():
    q, low = parameter("q", Wide(0, 1)), parameter("low", Lower())
    law, inside = world("s", Signed(2)), parameter("h", Custom(lambda low: low, Wide(0, 1)))
    for relation in (q <= 1, low >= 0, law[0] >= 0, inside <= 1):
        found = prove(Holds(relation))
        assert found.outcome != "proved" and "class of its own" in found.detail, found.detail


MANY = world("m", Integer(1, searched=3))
V, W = world("V", Vector(long)), world("W", Vector(MANY))
F, G = world("F", Matrix(long, long)), world("G", Matrix(MANY, MANY))
K, t = world("K", Gram(long)), parameter("t", Real(0, None, open_low=True))
UNFIT = {
    "inner": inner(V, W) ** 2 + x**2 >= 2 * x * inner(V, W),
    "form": form(G, V) ** 2 + x**2 >= 2 * x * form(G, V),
    "entrywise": frobenius_norm(entrywise(F, G)) + x >= x,
    "solution": norm(solution(K + t * identity(long), W)) + x >= x,
}  # fmt: skip


@pytest.mark.parametrize("name", UNFIT)
def test_operands_of_other_sizes_have_no_value(name):
    numbers_ = {large: ANY, x: ANY}
    found = prove(Holds(UNFIT[name]), given=[Or(Eq(long, MANY), RARELY)], parameters=numbers_)
    assert found.outcome != "proved", found.detail
    assert prove(Holds(UNFIT[name]), parameters=numbers_).outcome != "proved"
    fitting = prove(Holds(UNFIT[name]), given=[Eq(long, MANY)], parameters=numbers_)
    assert fitting.outcome == "proved", fitting.detail


# Masses that are no law, and suprema that are no means.


def test_masses_of_somebody_else_are_no_law():
    share = parameter("share", Real(0, 2, searched=(0, 1)))
    rule = Listed(("coin",), lambda share: [(share, {"coin": 1}), (1 - share, {"coin": 0})])
    coin = outcome("coin", rule, rank=0, needs=(share,))
    assert not facts_of(probability(coin >= 1, coin)) and not facts_of(average(coin**2, coin))
    for relation in (probability(coin >= 1, coin) <= 1, average((coin - x) ** 2, coin) + x >= x):
        found = prove(Holds(relation), parameters={x: ANY})
        assert found.outcome != "proved", found.detail
        claim = Claim(PLACE, Holds(relation), parameters={x: ANY})
        with pytest.raises(Undecided, match="probabilit"):
            Setting(claim, {"share": fmpq(3, 2), "x": fmpq(0)}).evaluate(relation.lhs)
        assert Setting(claim, {"share": fmpq(1, 2), "x": fmpq(0)}).evaluate(relation.lhs) > 0


def test_a_supremum_over_outcomes_is_no_mean():
    law, drawn_values = world("p", Weights(long)), world("v", Vector(long))
    place, each_ = outcome("i", Indices("i", law, one)), index("j", long)
    top = supremum(drawn_values[place[0]], place)
    mean = total(law[each_] * drawn_values[each_], each_)
    below = prove(Holds(Implies(RARELY, top <= mean)), parameters={large: ANY})
    assert below.outcome != "proved", below.detail
    same = Holds(Eq(average(drawn_values[place[0]], place), mean))
    assert prove(same).outcome == "proved"
