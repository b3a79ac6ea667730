"""False statements in every class by which one was once proved: none may be proved again.

Each fails at numbers above 10^40 or at a point that no sample of worlds meets.
"""

import functools
import math

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
    Or,
    Pow,
    Product,
    Rational,
    Sum,
    Symbol,
    acos,
    cos,
    exp,
    log,
    sqrt,
    symbols,
)

from boundcheck import Claim, Expected, Holds, Source, WithProbability
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.checks.proof import run
from boundcheck.claim import UpToConstant
from boundcheck.quantities.base import facts, quantity
from boundcheck.worlds import (
    Choice,
    Counts,
    Indices,
    Integer,
    Real,
    Signs,
    Space,
    Vector,
    Weights,
)

x, y, z, n, k, a, large, size, other, gap, i1 = symbols(
    "x y z n k a large size other gap i1", real=True
)
ANY, POSITIVE, ABOVE = Real(None, None), Real(0, None, open_low=True), Real(0, None)
PLACE = Source("A", 2024, "Example").at("1")
HUGE = 10**40
RARE = large >= HUGE
LINE = Space(u=ANY)
ROWS = Space(n=Integer(1, searched=3), v=Vector("n"), w=Vector("n"))


def prove(statement, **fields):
    fields.setdefault("parameters", {})
    claim = Claim(source=PLACE, statement=statement, **fields)
    return run(Task("a/b:c", claim, BUDGETS["quick"]))


def rare(relation):
    return Holds(Implies(RARE, relation))


def numbers(*names, **fields):
    return {"parameters": {**{name: ANY for name in names}, large: ANY}, **fields}


# Code that does not run as it is read.


def doubled(function):
    """A decorator that keeps the name and changes the value."""

    @functools.wraps(function)
    def changed(u):
        return function(u) + (1 if u > HUGE else 0)

    return changed


@doubled
def zero(u):
    return 0


class Wrapping:
    def __init__(self, definition):
        self.__wrapped__ = self.definition = definition

    def __call__(self, u):
        return self.definition(u) + (1 if u > HUGE else 0)


def helper(u):
    return 1 if u > HUGE else 0


def by_kind(u):
    return 0 if not isinstance(u, (int, fmpq)) else helper(u)


def by_default(u, function=helper):
    return function(u)


def by_kind_default(u, function=by_kind):
    return function(u)


PARTIAL = functools.partial(by_default, function=by_kind)


class Holder:
    function = staticmethod(helper)


def store(u, seen=[]):  # noqa: B006
    seen.append(1)
    return 0 if len(seen) < 10**6 else 1


helper.attribute = helper
COUNT = {"calls": 0}


def counting(u):
    COUNT["calls"] += 1
    return 0 if COUNT["calls"] < 10**6 else 1


def math_like(module_name):
    """A helper that says it comes from a module that is not read."""

    def hidden(u):
        return 1 if isinstance(u, fmpq) and u > HUGE else 0

    hidden.__module__ = module_name
    return hidden


MATH, NUMPY = math_like("mathematics"), math_like("numpy_extra")
FLINT = math_like("flint.helpers")


def waiting(u):
    while u > 0:
        u = u - 1
    return u


def halving(u):
    steps = 0
    while u > 1:
        u = u / 2
        steps += 1
    return steps * 0 + (1 if u > HUGE else 0)


CODE = {
    "a decorator": lambda u: zero(u),
    "a decorated quantity": zero,
    "an object that wraps": Wrapping(lambda u: 0),
    "a partial that hides a helper": lambda u: PARTIAL(u),
    "a helper in a default": lambda u: by_default(u),
    "a kind asked in a default": lambda u: by_kind_default(u),
    "a helper in an attribute": lambda u: helper.attribute(u),
    "a helper in a class": lambda u: Holder.function(u),
    "a module named math...": lambda u: MATH(u),
    "a module named numpy_...": lambda u: NUMPY(u),
    "a module named flint...": lambda u: FLINT(u),
    "a call of a call": lambda u: (lambda f: f(u))(helper),
    "getattr": lambda u: getattr(u, "q", 5) * 0 + (1 if hasattr(u, "imag") else 0),
    "hasattr": lambda u: 0 if hasattr(u, "p") else 1,
    "is": lambda u: 1 if u is not None and helper(u) else 0,
    "is itself": lambda u: 0 if u is u + 0 else 1,
    "callable": lambda u: 1 if not callable(u) and helper(u) else 0,
    "id": lambda u: 0 * id(u) + helper(u),
    "a mutable default": lambda u: store(u),
    "a count of calls": counting,
    "while": waiting,
    "while halving": halving,
    "sorted": lambda u: sorted([u, HUGE])[1] - HUGE,
    "any": lambda u: int(any(v > HUGE for v in [u])),
    "sum": lambda u: sum(1 for v in [u] if v > HUGE),
    "a dictionary": lambda u: {True: 1, False: 0}[u > HUGE],
    "round": lambda u: round(u) * 0 + helper(u),
    "divmod": lambda u: divmod(u, 2)[0] * 0 + helper(u),
    "a remainder": lambda u: 0 if u % 2 < 1 else 1,
    "eval": lambda u: eval("1 if u > 10**40 else 0", {"u": u}),
    "math": lambda u: math.floor(u) * 0 + helper(u),
    "sign of zero": lambda u: (1 if u > 0 else -1) * 0 + helper(u),
}  # fmt: skip


@pytest.mark.parametrize("name", CODE)
def test_code_is_traced_or_refused(name):
    found = prove(Holds(size <= 0), worlds=LINE, measure={size: CODE[name]})
    assert found.outcome != "proved", found.detail


# Rows of a free size.

ROW_CODE = {
    "length above ten": lambda v: 1 if len(v) > 10 else 0,
    "length by counting": lambda v: sum(1 for _ in v) - sum(1 for _ in v) % 100,
    "the fifth entry": lambda v: 1 if len([e for e in v]) > 4 else 0,
    "unpacking": lambda v: 1 if len((*v,)) > 8 else 0,
    "enumerate": lambda v: max(i * 0 + (1 if i > 8 else 0) for i, _ in enumerate(v)),
    "zip with a range": lambda v: max(i // 9 for i, _ in zip(range(18), v, strict=False)),
    "a slice": lambda v: len(tuple(v)[8:]),
    "reversed": lambda v: len([e for e in reversed(tuple(v))][8:]),
    "a set": lambda v: int(len(set(v)) > 8),
    "a ninth entry by next": lambda v: 0 if next(iter(v)) == v[0] else 1,
    "sorted entries": lambda v: int(len(sorted(v)) > 8),
    "a dictionary of entries": lambda v: int(len(dict(enumerate(v))) > 8),
    "a generator run twice": lambda v: int(len([1 for _ in v for _ in v]) > 80),
    "a product of sizes": lambda v, w: int(len([1 for _ in v for _ in w]) > 80),
}  # fmt: skip


@pytest.mark.parametrize("name", ROW_CODE)
def test_rows_of_any_size_are_not_certified_from_three_lengths(name):
    found = prove(Holds(size <= 0), worlds=ROWS, measure={size: ROW_CODE[name]})
    assert found.outcome != "proved", found.detail


def test_a_statement_true_of_small_rows_only_is_not_proved():
    found = prove(Holds(size <= 7), worlds=ROWS, measure={size: lambda v: min(len(v), 8)})
    assert found.outcome != "proved", found.detail


# Names.

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
        Implies(RARE, Eq(Sum(size, (a, 1, k)), k * size)),
        {"worlds": Space(k=Integer(1, searched=9)), "parameters": {a: ANY, large: ANY},
         "measure": {size: lambda a, k: a + (1 if k > HUGE else 0)}}),
    "two symbols of one name": (
        Implies(RARE, Le(twin_real - twin_plain, -1)), numbers(twin_real)),
    "a row index under the name of a parameter": (
        Implies(RARE, size <= i1),
        {"worlds": ROWS, "parameters": {i1: ANY, large: ANY}, "measure": {size: lambda v: max(v)}}),
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


@facts("positive")
def wrongly_positive(v):
    return v[0] * v[1] - hash(v) % 1


@quantity(bounds=lambda u: (0, 1))
def wrongly_bounded(u):
    return 1 if int(u) <= HUGE else 2


@facts("nonnegative")
def wrongly_nonnegative(u):
    return 1 if isinstance(u, str) else (-1 if int(u) > HUGE else 1)


PREMISES = {
    "a declared sign that is wrong": (
        Implies(RARE, size > 0),
        {"worlds": Space(v=Vector(9), u=ANY), "parameters": {large: ANY},
         "measure": {size: lambda v: wrongly_positive(v)}}),
    "a declared sign that fails far away": (
        size >= 0, {"worlds": LINE, "measure": {size: wrongly_nonnegative}}),
    "declared bounds that fail far away": (
        size <= 1, {"worlds": LINE, "measure": {size: wrongly_bounded}}),
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


CODE_VALUES = {
    "a quotient of equals": lambda u: u / u,
    "a zero times a quotient": lambda u: 0 * (1 / u) + 1,
    "a quotient in a dead sum": lambda u: 1 / u - 1 / u + 1,
    "a root squared": lambda u: u.sqrt() * u.sqrt() * 0 + 1 if hasattr(u, "sqrt") else 1,
    "a power of zero": lambda u: u**-1 * u,
}


@pytest.mark.parametrize("name", CODE_VALUES)
def test_code_without_a_value_somewhere_is_not_proved(name):
    found = prove(Holds(Eq(size, 1)), worlds=LINE, measure={size: CODE_VALUES[name]})
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


CONSTANTS = {
    "a negative side": (x <= y, {"given": [y <= 0]}, {}),
    "cases of either sign": (
        size <= other, {"worlds": Space(kind=Choice(("up", "down")), u=POSITIVE)},
        {size: lambda kind, u: 2 * u if kind == "up" else -u,
         other: lambda kind, u: u if kind == "up" else -2 * u}),
    "cases that need different constants": (
        size <= other, {"worlds": Space(kind=Choice(("a", "b")), u=POSITIVE)},
        {size: lambda kind, u: 31 * u if kind == "a" else -u,
         other: lambda kind, u: u if kind == "a" else -u / 30}),
    "a bound of zero": (x <= 0 * y, {"given": [x >= 0]}, {}),
    "two comparisons": (And(x <= y, y <= -x), {"given": [y >= 1, x >= 0, x <= 1]}, {}),
}  # fmt: skip


@pytest.mark.parametrize("name", CONSTANTS)
def test_a_constant_must_serve_every_case(name):
    relation, fields, measure = CONSTANTS[name]
    found = prove(UpToConstant(relation), parameters={x: ANY, y: ANY}, measure=measure, **fields)
    assert found.outcome != "proved", found.detail


# Means and probabilities.


def test_what_holds_of_outcomes_need_not_hold_of_means():
    drawn = {
        "draw": Signs("signs", "n"), "worlds": Space(n=Integer(1, searched=1)),
        "measure": {size: lambda signs: signs[0], gap: lambda signs: 1 - abs(signs[0])},
    }  # fmt: skip
    assert prove(Expected(Or(size >= 1, size <= -1)), **drawn).outcome != "proved"
    assert prove(Expected(Implies(size >= 1, size >= Rational(1, 2))), **drawn).outcome != "proved"


def test_a_draw_of_no_atoms_has_no_largest():
    drawn = {"draw": Indices("i", "p", "k"), "parameters": {k: Integer(0, searched=3), large: ANY},
             "worlds": Space(n=Integer(1, searched=3), p=Weights("n"), v=Vector("n", 0, 1)),
             "measure": {size: lambda v, i: v[i[0]]}}  # fmt: skip
    assert prove(Holds(Implies(RARE, size >= 0)), **drawn).outcome != "proved"


def test_counts_are_not_read_as_positive():
    drawn = {"draw": Counts("c", "p", "k"), "parameters": {k: Integer(1, searched=3), large: ANY},
             "worlds": Space(p=Weights(2)), "measure": {size: lambda c: c[0]}}  # fmt: skip
    assert prove(Holds(Implies(RARE, size >= 1)), **drawn).outcome != "proved"


def test_a_nonnegative_half_line_is_not_positive():
    assert prove(rare(x > 0), **numbers(x, parameters={x: ABOVE, large: ANY})).outcome != "proved"
