"""True statements up to a constant in which a number has no end that does not look like it.

Bounded numbers as divisors, functions that grow or fall faster than every power, roots close to
each other, values that a constant may depend on, outcomes that move with the world: no world of any
of them refutes, and no law along a ray from one.
"""

from math import comb

import pytest
from flint import arb, fmpq, fmpq_mat
from sympy import Max, Min, Rational, erf, exp, factorial, log, sympify, tanh

from boundcheck import Claim, Source
from boundcheck.arithmetic import PRECISIONS, precision
from boundcheck.certify import certify
from boundcheck.checker.growing import law
from boundcheck.claim import Expected, Holds, UpToConstant
from boundcheck.errors import Undecided
from boundcheck.exact import value_of
from boundcheck.expressions import (
    average,
    define,
    determinant,
    exponential,
    identity,
    index,
    infimum,
    inner,
    multiplied,
    norm,
    ones,
    outcome,
    parameter,
    primitive,
    smallest_eigenvalue,
    supremum,
    table,
    total,
    trace,
    variable,
    world,
)
from boundcheck.setting import Setting
from boundcheck.settings.counting import poisson_tail
from boundcheck.settings.fourier import normal_quantile
from boundcheck.worlds import Choice, Gram, Integer, Matrix, Real, Vector, Weights
from boundcheck.worlds.composed import Derived
from boundcheck.worlds.draws import Listed
from boundcheck.worlds.families import _exact
from boundcheck.worlds.fields import Increasing, Probabilities

from .laws_along_rays import rays

PLACE = Source("A", 2024, "Example").at("1")
FAR = [fmpq(2) ** power for power in (8, 16, 32, 64, 100, 140, 200, 400, 1000, 3000, 9000, 40000)]
STEPS = [fmpq(k) for k in (2, 5, 10, 30, 50, 100, 200, 500, 900)]
BIG = fmpq(10) ** 30

d = world("d", Integer(1, 40, searched=4))
few = world("few", Vector(d, 1, 2))
HERE = {"d": 1, "few": (fmpq(1),)}
q, r = parameter("q", Real(0, None)), parameter("r", Real(0, None))
x, y = (parameter(name, Real(0, 1, open_low=True)) for name in "xy")
u = parameter("u", Real(0, 1, open_high=True))
t = parameter("t", Real(0, 100))
small, many = parameter("small", Choice((1, 2))), parameter("many", Choice((1, 30)))
N = world("N", Integer(1, searched=4))
n, thirty = parameter("n", Integer(1, searched=100)), parameter("thirty", Integer(1, 30))
v = world("v", Vector(N))
A = world("A", Matrix(N, N))
near = {
    "entry": world("e", Vector(d, 0, 1, open_low=True)), "weights": world("w", Weights(d)),
    "probabilities": world("p", Probabilities(d)), "gaps": world("g", Increasing(d, 0, 1)),
}  # fmt: skip
gram = world("gram", Gram(d, 1))
i = index("i", N)
one = q * few[0]
unit = identity(sympify(1))


def cut(size, at=100):
    """A factor that is zero where log(1 + size) is above a number."""
    return Max(0, 1 - log(1 + size) / at)


def accused(relation, worlds, depends=(), given=()):
    """What refutes a statement up to a constant: worlds that leave none, laws from the first."""
    form = relation if isinstance(relation, UpToConstant) else UpToConstant(relation, depends)
    claim = Claim(source=PLACE, statement=form, given=list(given))
    places = [Setting(claim, {name: _exact(each[name]) for name in claim.fields})
              for each in worlds]  # fmt: skip
    assert all(not place.misfit() and place.failed_hypothesis() is None for place in places)
    hopeless = [place for place in places if certify(place)[0]]
    return hopeless + [ray for ray in rays(claim, places[0].values) if law(claim, ray)]


def at(names, values):
    return [{**HERE, **dict.fromkeys(names, value)} for value in values]


def two(name, value):
    return {"d": 2, "few": (fmpq(1),) * 2, name: value}


NEAR = {
    "a number": (few[0] / x * cut(1 / x), at("x", [1 / s for s in FAR])),
    "a root": (few[0] / x * Max(0, 1 - x ** Rational(-1, 100) / 5), at("x", [1 / s for s in FAR])),
    "a right side": (few[0] * Max(0, x ** Rational(1, 100) - Rational(1, 5)) / x,
                     at("x", [1 / s for s in FAR])),
    "one minus it": (few[0] / (1 - u) * cut(1 / (1 - u)), at("u", [1 - 1 / s for s in FAR])),
    "a logarithm alone": (few[0] * exp(-log(x)) * Max(0, 1 + log(x) / 100),
                          at("x", [1 / s for s in FAR])),
    "steep": (few[0] * exp(1 / x) * Max(0, 1 - 1 / (1000 * x)), at("x", [1 / s for s in STEPS])),
    "an entry": (few[0] / near["entry"][0] * cut(1 / near["entry"][0]),
                 [{**HERE, "e": (1 / s,)} for s in FAR]),
    "a weight": (few[0] / near["weights"][0] * cut(1 / near["weights"][0]),
                 [two("w", (1 / s, 1 - 1 / s)) for s in FAR]),
    "a probability": (few[0] / near["probabilities"][0] * cut(1 / near["probabilities"][0]),
                      [two("p", (1 / s, 1 - 1 / s)) for s in FAR]),
    "a gap": (few[0] / (near["gaps"][1] - near["gaps"][0])
              * cut(1 / (near["gaps"][1] - near["gaps"][0])),
              [two("g", (fmpq(0), 1 / s)) for s in FAR]),
    "an eigenvalue": (few[0] / smallest_eigenvalue(gram) * cut(1 / smallest_eigenvalue(gram)),
                      [{**HERE, "gram": [[1 / s]]} for s in FAR[:8]]),
    "bounds of another": (
        few[0] / x * Max(0, 1 - y**30 / x) * Max(0, 1 - 1 / (4 * y)),
        [{**HERE, "y": fmpq(1, 2), "x": fmpq(1, 2) ** 29}]),
}  # fmt: skip
FAST = {
    "a matrix exponential": (
        few[0] * trace(exponential(r * unit)) * Max(0, 1 - r / 1000), 1, at("r", STEPS)),
    "tanh": (few[0] * Max(0, 1 - r / 1000), 1 - tanh(r), at("r", STEPS)),
    "erf": (few[0] * Max(0, 1 - r / 30), 1 - erf(r), at("r", [*STEPS[:3], fmpq(6), fmpq(8)])),
    "a tail": (few[0] * Max(0, 1 - r / 1000), poisson_tail(r, 0), at("r", STEPS)),
    "a quantile": (one * Max(0, 1 - normal_quantile(1 / (2 + q)) / 12), 1, at("q", FAR[:8])),
    "roots close to each other": (
        one * Max(0, 1 - one ** Rational(1, 100) * (1 + one) ** Rational(-1, 101) / 5), 1,
        at("q", FAR)),
    "a difference of roots": (
        one * Max(0, 1 + 5 * one ** Rational(1, 31) - one ** Rational(1, 30)), 1, at("q", FAR)),
}  # fmt: skip
L = define("L", norm(v) ** 5)
KEPT = {
    "a norm": (norm(v), BIG), "its power": (norm(v) ** 20, BIG), "an entry": (v[0], BIG),
    "a sum of powers": (total(v[i] ** 20, i), BIG), "a product": (multiplied(v[i], i), BIG),
    "an exponential": (exp(total(v[i], i)), fmpq(600)),
    "a sum of exponentials": (total(exp(v[i]), i), fmpq(600)), "an inner product": (
        inner(v, v) ** 3, BIG), "a definition": (L**5, BIG), "a divisor": (v[0] ** -4, 1 / BIG),
}  # fmt: skip


@pytest.mark.parametrize("name", NEAR)
def test_a_bounded_number_near_zero_has_no_end(name):
    left, worlds = NEAR[name]
    assert not accused(left <= 1, worlds)


def test_a_right_side_that_falls_to_zero_is_a_divisor():
    left = few[0] * Max(0, x ** Rational(1, 100) - Rational(1, 5))
    assert not accused(left <= x, at("x", [1 / s for s in FAR]))


@pytest.mark.parametrize("name", FAST)
def test_what_is_faster_than_every_power_turns_where_no_number_tells(name):
    left, right, worlds = FAST[name]
    assert not accused(left <= right, worlds)


@pytest.mark.parametrize("name", KEPT)
def test_what_a_constant_depends_on_counts_by_its_value(name):
    value, size = KEPT[name]
    worlds = [{**HERE, "N": 1, "q": s, "v": (size,)} for s in (fmpq(1), *FAR[:9])]
    assert not accused(Min(one, value) <= 1, worlds, depends=("v", "N"))


def test_a_matrix_that_a_constant_depends_on_counts_by_its_value():
    worlds = [{**HERE, "N": 1, "q": s, "A": [[BIG]]} for s in (fmpq(1), *FAR[:9])]
    assert not accused(Min(one, trace(A * A * A * A * A)) <= 1, worlds, depends=("A",))


def moved(law):
    return outcome("z", Listed(("z",), law), rank=0, needs=(q,))


def half(q):
    return [(fmpq(1, 2), {"z": q}), (fmpq(1, 2), {"z": fmpq(0)})]


def twenty(q):
    return [(fmpq(1, 2), {"z": fmpq(1)}), (fmpq(1, 2), {"z": 10**30 + 0 * q})]


def cut_far_out(q):
    return [(fmpq(1), {"z": q if arb(1 + q).log() < 100 else fmpq(0)})]


@pytest.mark.parametrize("form", [Expected, Holds])
def test_outcomes_move_with_what_they_read(form):
    z = moved(half)
    worlds = [{"q": s} for s in FAR[:8]]
    assert not accused(UpToConstant(form(z * cut(z) <= 1)), worlds)
    assert not accused(UpToConstant(form(exp(z) * Max(0, 1 - z / 1000) <= 1)),
                       [{"q": s} for s in STEPS])  # fmt: skip


def test_a_law_in_code_may_turn_where_a_logarithm_does():
    z = moved(cut_far_out)
    assert not accused(UpToConstant(Expected(z <= 1)), [{"q": s} for s in FAR])


def test_an_average_moves_with_what_its_draw_reads():
    z = moved(half)
    assert not accused(average(z * cut(z), z) <= few[0], at("q", FAR[:8]))


def test_numbers_of_a_law_count():
    z = moved(twenty)
    assert not accused(UpToConstant(Expected(z <= 1 + q)), [{"q": fmpq(0)}])


def test_what_is_derived_is_code_over_what_it_reads():
    first = world("d1", Derived(lambda t: t**30), rank=0, needs=(t,))
    second = world("d2", Derived(lambda d1: d1**30), rank=0, needs=(first,))
    here = {**HERE, "t": fmpq(100), "d1": fmpq(100) ** 30, "d2": fmpq(100) ** 900}
    assert not accused(few[0] * second <= 1, [here])
    eighth = world("d4", Derived(lambda t: t * t * t * t * t * t * t * t), rank=0, needs=(t,))
    again = world("d5", Derived(lambda d4: d4 * d4 * d4 * d4), rank=0, needs=(eighth,))
    here = {**HERE, "t": fmpq(100), "d4": fmpq(100) ** 8, "d5": fmpq(100) ** 32}
    assert not accused(few[0] * again <= 1, [here])
    inverse = world("d3", Derived(lambda x: 1 / x), rank=0, needs=(x,))
    assert not accused(few[0] * inverse * cut(inverse) <= 1,
                       [{**HERE, "x": 1 / s, "d3": s} for s in FAR])  # fmt: skip


def test_variables_of_extreme_values_have_ends():
    s = variable("s")
    for sup in (supremum(s**20 * (10 - s), (s, 0, 10)), supremum(exp(s * (20 - s)), (s, 0, 20))):
        assert not accused(few[0] * Min(q, sup) <= 1, at("q", FAR[:6]))
    worlds = [{**each, "t": fmpq(100)} for each in at("q", FAR)]
    for sup in (supremum(exp(s), (s, 0, t)), supremum(s**9, (s, 0, t**9))):
        assert not accused(few[0] * Min(q, sup) <= 1, worlds)


# What grows all the same still falls.

FALLS = {
    "a divisor": (few[0] / x <= 1, at("x", [1 / s for s in FAR[:6]]), ()),
    "a divisor that keeps away": (
        one / (1 + x) <= 1, [{**each, "x": fmpq(1)} for each in at("q", FAR[:6])], ()),
    "a root": (one ** Rational(1, 2) <= 1 + one ** Rational(1, 3), at("q", FAR[-3:]), ()),
    "what is kept": (one <= norm(v), [{**HERE, "N": 1, "q": s, "v": (BIG,)}
                                      for s in (fmpq(1), *FAR)], ("v",)),
}  # fmt: skip


@pytest.mark.parametrize("name", FALLS)
def test_growth_without_end_is_still_refuted(name):
    assert accused(*FALLS[name])


def test_a_bounded_number_that_keeps_away_from_zero_has_its_ends():
    low = parameter("low", Real("1/2", 1))
    worlds = [{**HERE, "low": fmpq(1), "x": fmpq(1), "q": s} for s in FAR]
    for part in (1 / low, 1 / (low + x), log(1 + low + x), 1 / Max(low, x), 1 / (x - 3)):
        assert accused(one / (1 + part**2) <= 1, worlds), part
    assert not accused(one * cut(one * (1 / x)) <= 1, worlds)


# What a reader found afterwards: values of bounded nodes in steep functions, ends in another
# writing, sizes from a list, derived sizes, slow sums and norms, small eigenvalues, tails.

places = world("places", Derived(lambda n: 2**n), rank=0, needs=(n,))
bits = world("bits", Derived(lambda n: n.bit_length()), rank=0, needs=(n,))
listed = world("listed", Choice((1, 10, 30)))
unit_share, tiny = parameter("unit_share", Real(0, 1)), parameter("tiny", Real(0, 1))
dd = world("dd", Integer(1, 20))
u100 = world("u100", Vector(dd, 0, 100))
k, j, kk, kd, kl = (index(f"k{place}", size)
                    for place, size in enumerate((n, n, thirty, dd, listed)))  # fmt: skip
defined = define("defined", 60 * unit_share)


def hilbert(one, two):
    return table(1 / (one + two + 1), one, two)


k30, low = index("k30", thirty), variable("low")
SIZES = [{"n": size} for size in (2, 15, 30)]
GROWN = [{**HERE, "n": size, "places": 2 ** min(size, 80), "bits": size.bit_length()}
         for size in (20, 40, 60, 80, 2**40, 2**60)]  # fmt: skip
AT_END = [{"dd": 1, "u100": (fmpq(100),)}]
LATER = {
    "a bounded norm in an exponential": (exp(norm(u100)) <= 1, AT_END, ()),
    "a bounded sum in an exponential": (exp(total(u100[kd], kd)) <= 1, AT_END, ()),
    "an entry in an exponential": (exp(u100[0]) <= 1, AT_END, ()),
    "a norm as an exponent": (2 ** norm(u100) <= 1, AT_END, ()),
    "a definition that falls": (
        few[0] <= exp(-defined), [{**HERE, "unit_share": fmpq(1)}], ()),
    "a factorial of a sum": (
        factorial(total(kk, kk)) <= 1, [{"thirty": size} for size in (5, 8)], ()),
    "an end of twice a size": (multiplied(k + 1, k) <= 1, SIZES, (2 * n <= 60,)),
    "an end of minus a size": (multiplied(k + 1, k) <= 1, SIZES, (-n >= -30,)),
    "a lower end of twice a number": (
        few[0] <= tiny**20, [{**HERE, "tiny": fmpq(1, 100)}], (2 * tiny >= Rational(1, 50),)),
    "a size from a list": (multiplied(kl + 1, kl) <= 1, [{"listed": 30}], ()),
    "a derived size": (places * Max(0, 1 - n / 100) <= 1, GROWN[:4], ()),
    "a slow derived number": (few[0] * n * Max(0, 1 - bits / 100) <= 1, GROWN, ()),
    "a harmonic sum": (n**12 * Max(0, 1 - total(1 / (k + 1), k) / 20) <= 1,
                       [{"n": size} for size in (300, 1000, 4000)], ()),
    "a norm of ones": (n**20 * Max(0, 1 - norm(ones(n)) / 100) <= 1,
                       [{"n": size} for size in (1000, 5000, 8000)], ()),
    "a determinant": (determinant(2 * identity(n)) * Max(0, 1 - n / 100) <= 1,
                      [{"n": size} for size in (30, 40, 60)], ()),
    "a small eigenvalue": (Max(0, 1 - n / 100) <= smallest_eigenvalue(hilbert(k, j)),
                           [{"n": size} for size in (5, 8, 12)], ()),
    "a small eigenvalue of few sizes": (
        few[0] <= smallest_eigenvalue(hilbert(kk, k30)),
        [{**HERE, "thirty": size} for size in (5, 8, 12)], ()),
    "a bounded tail": (few[0] <= poisson_tail(1 + unit_share, 30),
                       [{**HERE, "unit_share": fmpq(0)}], ()),
    "a tail at a bounded size": (few[0] <= poisson_tail(1, many), [{**HERE, "many": 30}], ()),
    "an infimum of what moves": (
        few[0] * q * Max(0, Rational(4, 5) - infimum(q * low**101 + 1 - low, (low, 0, 1))) <= 1,
        at("q", [fmpq(2) ** 60]), ()),
}  # fmt: skip


@pytest.mark.parametrize("name", LATER)
def test_true_statements_of_a_later_reader_stand(name):
    relation, worlds, given = LATER[name]
    assert not accused(relation, worlds, given=given)


def doubled(value):
    return 2 ** int(value)


def squared_often(value):
    for _ in range(10):
        value = value * value
    return value


def squared_inside(value):
    def twice(number):
        return number * number

    return twice(twice(twice(twice(twice(twice(twice(value)))))))


def slow_peak(value):
    return max(fmpq(0), 1 - fmpq(int(1 / value).bit_length(), 100)) / value


def test_code_that_grows_or_falls_otherwise_than_by_powers():
    made = {code.__name__: primitive()(code)
            for code in (doubled, squared_often, squared_inside, slow_peak)}  # fmt: skip
    cut_off = made["doubled"](n) * few[0] * Max(0, 1 - n / 1000)
    assert not accused(cut_off <= 1, [{**HERE, "n": size} for size in (80, 200, 500)])
    half = parameter("half", Real("1/2", 1))
    for name in ("squared_often", "squared_inside"):
        assert not accused(few[0] <= made[name](half), [{**HERE, "half": fmpq(1, 2)}]), name
    assert not accused(few[0] * made["slow_peak"](x) <= 1, at("x", [1 / s for s in FAR[:4]]))


def binomial_law(thirty):
    return [(fmpq(comb(thirty, hits), 2**thirty), {"S": fmpq(hits)}) for hits in range(thirty + 1)]


def rare_law(thirty):
    chance = fmpq(1, 5 ** (thirty * thirty))
    return [(chance, {"S": fmpq(1)}), (1 - chance, {"S": fmpq(0)})]


def test_a_rare_outcome_of_a_bounded_draw():
    hits = outcome("S", Listed(("S",), binomial_law), rank=0, needs=(thirty,))
    rare = average(Max(0, hits - thirty + 1), hits)
    assert not accused(few[0] <= rare, [{**HERE, "thirty": 30}])
    once = outcome("S", Listed(("S",), rare_law), rank=0, needs=(thirty,))
    assert not accused(few[0] <= average(once, once), [{**HERE, "thirty": 30}])


def test_a_matrix_exponential_too_large_for_a_ball_is_undecided():
    """No fault of its definition, whatever a forged world says."""
    M = world("M", Matrix(d, d))
    large = fmpq_mat([[-3, 1], [1, fmpq(10) ** 100_000]])
    for bits in PRECISIONS:
        with precision(bits), pytest.raises(Undecided):
            value_of(exponential(M), {"M": large}.__getitem__)
