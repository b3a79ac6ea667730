"""True statements up to a constant whose constant is large: one world refutes none of them.

Each holds with a constant of its own numbers, printed, computed or hidden in a definition.
"""

import math
from itertools import pairwise

import pytest
import sympy
from flint import arb, fmpq
from sympy import (
    And,
    Implies,
    Max,
    Min,
    Piecewise,
    Product,
    Rational,
    Sum,
    binomial,
    cosh,
    exp,
    factorial,
    gamma,
    log,
    pi,
    sqrt,
)

from boundcheck import Claim, Source
from boundcheck.checker.growing import law
from boundcheck.checker.judge import is_admissible, is_false
from boundcheck.checker.ray import Ray
from boundcheck.checker.rays import stays
from boundcheck.claim import UpToConstant, WithProbability
from boundcheck.engine import verify
from boundcheck.expressions import (
    define,
    determinant,
    exponential,
    greatest,
    index,
    indicator,
    inner,
    multiplied,
    named,
    norm,
    operator_norm,
    parameter,
    primitive,
    total,
    trace,
    world,
)
from boundcheck.settings.counting import binomial_tail
from boundcheck.worlds import (
    Choice,
    Custom,
    Derived,
    Family,
    Integer,
    Matrix,
    Real,
    Symmetric,
    Tuples,
    Vector,
    doublings,
)

from .laws_along_rays import laws_of

PLACE = Source("A", 2024, "Example").at("1")
q, w = parameter("q", Real(0, None)), parameter("w", Real(0, 100))
m, n = parameter("m", Integer(0, 60)), parameter("n", Integer(1, searched=10**6))
tenth = parameter("tenth", Real("1/10", None))
N = world("N", Integer(1, searched=4))
v, i = world("v", Vector(N, 0)), index("i", N)
d = world("d", Integer(1, 40, searched=4))
few, l = world("few", Vector(d, 1, 2)), index("l", d)
twice, listed = parameter("twice", Integer(1, 40)), parameter("s", Choice((1, 10**7, 10**14)))
letters = [parameter(f"w{k}", Real(0, 100)) for k in range(6)]
chain = [parameter(f"q{k}", Real(0, None)) for k in range(6)]
A, S = world("A", Matrix(d, d, 0, 100)), world("S", Symmetric(d, -100, 100))
indices = [index(f"i{k}", d) for k in range(8)]
p, likely = parameter("p", Real("1/100", 1)), parameter("likely", Integer(1, 60))
large = world("large", Derived(lambda d: 10**9 * d), rank=0, needs=(d,))
listed_reals = world("listed", Tuples(d, Real(0, 10**9)))
custom = world("custom", Custom(lambda source, earlier: 1, Real(0, 10**9)), rank=0)
k, size = sympy.Symbol("k", integer=True), sympy.Symbol("size", real=True)
HUGE = 10**30


@primitive()
def enlarged(value):
    return value * 10**30


@primitive()
def scaled(value):
    return value * HUGE


@primitive()
def looped(value):
    found = value
    for _ in range(30):
        found = found * value + 1
    return found


@primitive()
def steep(value):
    return value**20


@primitive()
def cut_in_code(value):
    ball = arb(value)
    return ball * (1 - (1 + ball).log() / 100).max(arb(0))


@primitive(ranks=(None,))
def first_of(values):
    return values[0]


def written(q):
    return q * 10**30


TRUE = {
    "a number in a definition": (define("h", HUGE * q) <= q, HUGE),
    "a number under a name": (named("h", HUGE * q) <= q, HUGE),
    "a number in a sum": (total(HUGE * v[i], i) <= total(v[i], i), HUGE),
    "a number in the code of a primitive": (enlarged(q) <= q, HUGE),
    "an exponential of a number": (exp(100) * q <= q, math.exp(100)),
    "a power of a constant": (pi**50 * q <= q, math.pi**50),
    "an exponential of a bounded parameter": (exp(w) <= 1 + q, math.exp(100)),
    "a hyperbolic cosine": (cosh(w) <= 1, math.cosh(100)),
    "a quotient by a power": (q <= q * Rational(1, 2) ** w, 2.0**100),
    "an exponential of a bump": (exp(w * (100 - w)) <= 1, 10**1000),
    "a factorial": (factorial(m) * q <= q, math.factorial(60)),
    "a gamma function": (gamma(w + 1) <= 1, math.gamma(101)),
    "a binomial": (binomial(60, m) <= 1, math.comb(60, 30)),
    "a sum of powers": (Sum(k**9, (k, 1, m)) <= 1, sum(j**9 for j in range(61))),
    "a product": (Product(1000, (k, 1, m)) <= 1, 1000**60),
    "a product over an index": (multiplied(Min(q, 100), index("i", 9)) <= 1, 100**9),
    "a power of a number next to zero": (1 <= tenth**100, 10**100),
    "a global number in the code of a primitive": (scaled(q) <= q, HUGE),
    "a power in the code of a primitive": (steep(w) <= 1, 100**20),
    "a loop in the code of a primitive": (looped(w) <= 1, 2 * 100**31),
    "a number in the code of a field": (large <= 1, 40 * 10**9),
    "a number in the entries of a field": (first_of(listed_reals) <= 1, 10**9),
    "a number in the domain of a field": (custom <= 1, 10**9),
    "a product of letters": (sympy.Mul(*letters) <= 1, 100**6),
    "a product of small letters": (1 <= sympy.Mul(*letters), 100**6),
    "a bound of a product of letters": (q <= 1, 100**6),
    "a chain of hypotheses": (chain[5] <= 1, 100**6),
    "a chain of squares": (chain[5] <= 1, 100**32),
    "a product of sums": (
        sympy.Mul(*(100 * q + each for each in letters)) <= sympy.Mul(*(q + e for e in letters)),
        100**6,
    ),
    "a sum over many indices": (total(sympy.Integer(1), *indices) <= 1, 40**8),
    "a power of a matrix": (trace(A * A * A * A * A) <= 1, (40 * 100) ** 5),
    "a determinant": (determinant(A) <= 1, 20**40),
    "an exponential of a matrix": (trace(exponential(S)) <= 1, math.exp(100)),
    "a tail of a bounded count": (1 <= binomial_tail(likely, p, likely), 100**60),
    "a hypothesis on the base": (1 <= q**100, 10**100),
    "a power of what is cut": (Min(q, 10**9) ** 9 <= 1, 10**81),
    "a power of a bounded sequence": ((1 + 1 / n) ** 100 <= 1, 2**100),
    "a power of entries that a hypothesis bounds": (
        total(v[i] ** 40, i) <= total(v[i], i), 10**39),
    "an exponential of a share": (exp(60 * n / (n + 1)) <= 1, math.exp(60)),
    "an exponential of an exponential of one": (exp(exp(4 * n / (n + 1))) <= 1, math.exp(54)),
    "a product of entries of a bounded number": (multiplied(few[l], l) <= 1, 2**40),
    "a listed number": (listed <= 1, 10**14),
    "a hypothesis on a logarithm": (q <= q**2, math.exp(40)),
    "a hypothesis on a logarithm of one": (q <= q**2, math.exp(math.exp(5))),
    "a hypothesis on a logarithm by its name": (q <= q**2, math.exp(40)),
    "a hypothesis on a root": (q <= q**2, 4**40),
    "a hypothesis on a square root": (q <= q**2, 10**18),
}  # fmt: skip
GIVEN = {
    "a product of small letters": [each >= Rational(1, 100) for each in letters],
    "a bound of a product of letters": [q <= sympy.Mul(*letters)],
    "a chain of hypotheses": [
        chain[0] <= 100, *(b <= 100 * a for a, b in pairwise(chain))],
    "a chain of squares": [chain[0] <= 100, *(b <= a**2 for a, b in pairwise(chain))],
    "a hypothesis on the base": [q >= Rational(1, 10)],
    "a hypothesis on a logarithm": [log(1 / q) <= 40],
    "a hypothesis on a logarithm of one": [log(log(1 / q)) <= 5],
    "a hypothesis on a logarithm by its name": [define("h", log(1 / q)) * (1 + w) <= 40],
    "a hypothesis on a root": [q ** (1 / twice) >= Rational(1, 4)],
    "a hypothesis on a square root": [sqrt(q) >= Rational(1, 10**9)],
    "a power of entries that a hypothesis bounds": [greatest(v[i], i) <= 10],
}


def claim_of(name):
    return Claim(source=PLACE, statement=UpToConstant(TRUE[name][0]), given=GIVEN.get(name, []))


@pytest.mark.parametrize("name", TRUE)
def test_no_law_refutes_a_statement_whose_constant_is_large(name):
    assert not list(laws_of(claim_of(name)))


SHORT = (
    "a number in a definition", "a factorial", "a power of a number next to zero",
    "a product of entries of a bounded number", "a listed number", "a hypothesis on a logarithm",
    "a product of letters", "a number in the code of a field",
)  # fmt: skip


@pytest.mark.parametrize("name", SHORT)
def test_a_large_constant_refutes_nothing(name):
    verdict = verify("mine/it", claim_of(name), controls=False)
    assert verdict.outcome != "refuted", str(verdict)


def test_what_grows_without_end_is_still_refuted():
    claim = Claim(source=PLACE, statement=UpToConstant(q**2 <= q + 10**3))
    assert verify("mine/it", claim, controls=False).outcome == "refuted"


def test_a_hypothesis_that_zero_times_a_logarithm_satisfies_leaves_growth_alone():
    claim = Claim(source=PLACE, statement=UpToConstant(q <= q**2), given=[log(1 / q) * w <= 40])
    assert any("{'q': -1}" in each for each in laws_of(claim))


def test_a_bound_beyond_floats_ends_no_search():
    claim = Claim(source=PLACE, statement=UpToConstant(q <= q**2), given=[log(log(1 / q)) <= 40])
    assert verify("mine/it", claim, controls=False).outcome == "undecided"


# Hypotheses in chains: each statement is true with a constant far above what its numbers make.

first, second, third = chain[:3]
matrix = world("L", Matrix(d, d))
CHAINED = {
    "powers of products": (
        first**4 * second**4 * third**4 <= 1,
        [first <= 100, second <= 100 * first, third <= 100 * second],
        lambda size: {"q0": min(size, 100), "q1": min(size, 100) ** 2, "q2": min(size, 100) ** 3},
    ),
    "a norm through a power": (
        operator_norm(matrix * matrix * matrix * matrix) <= 1, [operator_norm(matrix) <= 10**4],
        lambda size: {"d": 1, "L": [[min(size, 10**4)]]},
    ),
    "exponentials three deep": (
        first <= 1, [third <= 5, second <= exp(third), first <= exp(second)],
        lambda size: {"q0": min(size, 10**60), "q1": min(size, 148), "q2": min(size, 5)},
    ),
    "squares that meet late": (
        first <= 1, [first <= second**30, second <= third**30, third <= 2],
        lambda size: {"q0": min(size, 2**900), "q1": min(size, 2**30), "q2": min(size, 2)},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CHAINED)
@pytest.mark.parametrize("declared", [True, pytest.param(False, marks=pytest.mark.long)])
def test_a_chain_of_hypotheses_refutes_nothing(name, declared):
    relation, given, rule = CHAINED[name]
    family = Family("to the end of the chain", rule, (*doublings(2, 8), 2**60, 2**900))
    claim = Claim(source=PLACE, statement=UpToConstant(relation), given=given,
                  families=[family] if declared else [])  # fmt: skip
    found = verify("mine/it", claim, controls=False)
    assert found.outcome in ("undecided", "supported"), str(found)


# What cuts growth far out within a statement: one world, however large its constant, says nothing.

CUT = {
    "a logarithm": (first * Max(0, 1 - log(first + 1) / 100) <= 1, [], lambda size: {"q0": size}),
    "a logarithm on a ray": (
        first * Max(0, 1 - log(first + 1) / 100) <= 1, [first <= second],
        lambda size: {"q0": size, "q1": size},
    ),
    "premises": (
        Implies(And(first <= 100 * second**4, second <= 100 * third**4, third <= 100), first <= 1),
        [], lambda size: {"q0": min(size, 10**50), "q1": min(size, 10**10), "q2": min(size, 100)},
    ),
    "conditions": (
        first * indicator(And(first <= second**30, second <= third**30, third <= 2)) <= 1, [],
        lambda size: {"q0": min(size, 2**900), "q1": min(size, 2**30), "q2": min(size, 2)},
    ),
    "differences of powers": (
        first * Max(0, 1 - first / (1 + second**30)) * Max(0, 1 - second / (1 + third**30))
        * Max(0, 1 - third / 100) <= 1, [],
        lambda size: {"q0": Rational(min(size, 2**899)), "q1": Rational(min(size, 2**30), 2),
                      "q2": Rational(min(size, 2))},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CUT)
def test_what_is_cut_far_out_refutes_nothing(name):
    relation, given, rule = CUT[name]
    family = Family("towards the cut", rule, (*doublings(2, 8), 2**40, 2**60, 2**120, 2**900))
    claim = Claim(source=PLACE, statement=UpToConstant(relation), given=given, families=[family])
    found = verify("mine/it", claim, controls=False)
    assert found.outcome in ("undecided", "supported"), str(found)


GROWING = {
    "a power": first**2 <= first + 1000,
    "a power over a logarithm": first <= log(2 + first) ** 2 * (1 + second),
    "an exponential undone": first <= log(2 * exp(sqrt(first))),
    "a premise that stays": Implies(first >= 1, first**2 <= first * (1 + second)),
}  # fmt: skip


@pytest.mark.parametrize("name", GROWING)
def test_growth_of_numbers_alone_is_refuted_by_its_law(name):
    family = Family("up", lambda size: {"q0": size, "q1": 1}, doublings(2, 8))
    claim = Claim(source=PLACE, statement=UpToConstant(GROWING[name]), families=[family])
    assert verify("mine/it", claim, controls=False).outcome == "refuted"


# What no law follows: each is true, and turns further out than a world that beats its numbers.

size_v, far_q = norm(v), 10**400
CUT_FAR_OUT = {
    "a logarithm": (size_v * Max(0, 1 - log(1 + size_v) / 100) <= 1, "vq"),
    "a logarithm of a logarithm": (size_v * Max(0, 1 - log(1 + log(1 + size_v)) / 5) <= 1, "vq"),
    "a root": (size_v * Max(0, 1 - size_v ** Rational(1, 100) / 5) <= 1, "vq"),
    "a falling exponential of a root": (size_v * exp(-(size_v ** Rational(1, 500))) <= 1, "vq"),
    "a falling exponential of a logarithm": (
        size_v * exp(-(log(1 + size_v) ** 2) / 1000) <= 1, "vq"),
    "a power of a logarithm": (log(1 + size_v) ** 100 <= size_v ** Rational(1, 100), "vq"),
    "more than is written out": (Min(size_v, exp(exp(12))) <= 1, "vq"),
    "a square of a norm": (inner(v, v) * Max(0, 1 - size_v / 10**10) <= 1, "vq"),
    "another power of t": (q * Max(0, 1 - size_v / 10**10) <= 1, "v"),
    "a factorial": (10 ** (5 * n) * v[0] ** 2 <= factorial(n) * v[0] ** 2, "n"),
    "a level": (UpToConstant(WithProbability(
        Max(0, 1 - log(1 + size_v) / 100), size_v <= 1)), "vq"),
}  # fmt: skip


@pytest.mark.parametrize("name", CUT_FAR_OUT)
@pytest.mark.parametrize("octaves", [4, 16, 64, 256, 2048, 300_000])
def test_what_turns_far_out_is_not_refuted_along_a_ray(name, octaves):
    relation, moving = CUT_FAR_OUT[name]
    given = [size_v <= q, n <= q]
    statement = relation if isinstance(relation, UpToConstant) else UpToConstant(relation)
    claim = Claim(source=PLACE, statement=statement, given=given if "q" in moving else ())
    start = {"N": 1, "v": (fmpq(1),), "q": fmpq(1), "n": 1}
    if octaves > 12 and "n" in moving:
        return
    ray = Ray({each: start[each] for each in claim.fields}, {
        each: fmpq(5 if each == "q" and "q" not in moving else 1)
        for each in claim.fields if each in moving or (each == "q")}, {})  # fmt: skip
    values = ray.at(octaves)
    assert stays(claim, ray) and is_admissible(claim, values)
    assert not law(claim, ray) and not is_false(claim, values)


@pytest.mark.parametrize("given", [
    Piecewise((0, q <= far_q), (q, True)) <= 1,
    q <= Piecewise((q, q <= far_q), (0, True)),
])  # fmt: skip
def test_which_case_of_a_hypothesis_holds_must_not_change(given):
    claim = Claim(source=PLACE, statement=UpToConstant(q <= 1 + tenth), given=[given, tenth <= q])
    ray = Ray({"q": fmpq(1), "tenth": fmpq(1, 10)}, {"q": fmpq(1)}, {})
    assert not stays(claim, ray)


def test_what_outgrows_behind_a_premise_that_fails_is_not_asserted():
    relation = And(Implies(q <= w, q <= 1), q <= q + w, evaluate=False)
    claim = Claim(source=PLACE, statement=UpToConstant(relation))
    assert not law(claim, Ray({"q": fmpq(2), "w": fmpq(1)}, {"q": fmpq(1)}, {}))


def test_a_level_that_falls_to_zero_asserts_nothing_far_out():
    level = Max(0, 1 - log(1 + q) / 100)
    claim = Claim(source=PLACE, statement=UpToConstant(WithProbability(level, q <= 1)))
    assert not law(claim, Ray({"q": fmpq(1)}, {"q": fmpq(1)}, {}))


D = parameter("D", Real(1, None))
first, second, third = (world(name, Vector(N)) for name in ("v1", "v2", "v3"))
one, two, three = map(norm, (first, second, third))
low = parameter("low", Integer(1, searched=100))
UP = (*doublings(2, 8), 2**20, 2**40, 2**60, 2**120, 2**300, 2**900)


def along_family(relation, rule, depends=()):
    """A statement with the family that a hostile reader declares for it."""
    return Claim(PLACE, UpToConstant(relation, depends=depends),
                 families=(Family("up", rule, UP),))  # fmt: skip


def vectors(**values):
    return {"N": 1, **{name: (value,) for name, value in values.items()}}


BOUND_BY_EACH_OTHER = {  # the next bounds what one of them turns at
    "sizes in a condition": along_family(
        n * indicator(And(n <= m**30, m <= low**30, low <= 2)) <= 1,
        lambda s: {"n": min(s, 2**900), "m": min(s, 60), "low": min(s, 2)}),
    "norms in sides": along_family(
        one * Max(0, 1 - one / (1 + two**30)) * Max(0, 1 - two / (1 + three**30))
        * Max(0, 1 - three / 4) <= 1,
        lambda s: vectors(v1=min(s, 2**899), v2=min(s, 2**30), v3=min(s, 2))),
    "norms and a number": along_family(
        one * Max(0, 1 - one / (1 + q**30)) * Max(0, 1 - q / 4) <= 1,
        lambda s: {**vectors(v1=min(s, 2**29)), "q": min(s, 2)}),
}  # fmt: skip
DEPENDING = {  # on what a family keeps, or does not
    "an exponential": along_family(
        one * Min(one, exp(D)) <= one, lambda s: {**vectors(v1=s), "D": 500}, ("D",)),
    "a power": along_family(Min(one, n**n) <= 1, lambda s: {**vectors(v1=s), "n": 60}, ("n",)),
    "a norm to a power": along_family(
        Min(one, two**n) <= 1 + two, lambda s: {**vectors(v1=s, v2=3), "n": 200}, ("v2", "n")),
    "an exponential beside a size": along_family(
        Min(n * norm(few), exp(D)) <= 1,
        lambda s: {"n": s, "d": 1, "few": (1,), "D": 500}, ("D",)),
    "a number that moves": along_family(
        one * D <= one, lambda s: {**vectors(v1=1), "D": s}, ("D",)),
    "a size that moves": along_family(
        one**2 * n**8 <= one**2, lambda s: {**vectors(v1=1), "n": s}, ("n",)),
    "a vector that moves": along_family(
        one**2 <= one, lambda s: vectors(v1=s), ("v1",)),
}  # fmt: skip


@pytest.mark.parametrize("name", BOUND_BY_EACH_OTHER | DEPENDING)
def test_a_declared_family_refutes_no_true_statement(name):
    """Constants of 4^30 to 2^900 serve, or e^500, 60^60, 3^200, whatever the family shows."""
    claim = (BOUND_BY_EACH_OTHER | DEPENDING)[name]
    assert verify("hostile/constants", claim).outcome == "undecided"
