"""True statements up to a constant that no syntax tells: values of closed expressions, degrees in
inverses, counts and norms that are slow in a size, ratios that floats round.

One world of each needs a constant beyond every one that is printed. None is refuted, and no file
that says so is confirmed.
"""

from dataclasses import replace

import pytest
from flint import fmpq, fmpq_mat
from sympy import Abs, Max, Min, Rational, Symbol, cos, erf, exp, log, sqrt, sympify, tanh

from boundcheck import Claim, Holds, Source, witness
from boundcheck.certify import exclude
from boundcheck.checker.ray import Ray
from boundcheck.checker.rays import as_extra, stays
from boundcheck.checker.spreads import Spread, as_extra as as_spread
from boundcheck.checks import enumeration, trend
from boundcheck.checks.base import Task, budget_named
from boundcheck.claim import UpToConstant, WithProbability
from boundcheck.encoding import encode
from boundcheck.errors import MalformedStatement, WitnessError
from boundcheck.expressions import (
    define,
    determinant,
    entry,
    identity,
    index,
    indicator,
    matrix_rank,
    norm,
    operator_norm,
    outcome,
    parameter,
    smallest_eigenvalue,
    supremum,
    table,
    total,
    trace,
    variable,
    world,
)
from boundcheck.setting import Setting
from boundcheck.verdict import WITNESS_FORMAT
from boundcheck.worlds import (
    Counts,
    Family,
    Gram,
    Integer,
    Real,
    Sampled,
    Space,
    Vector,
    Weights,
    doublings,
)
from boundcheck.worlds.families import _exact

from .laws_along_rays import laws_of

PLACE = Source("A", 2024, "Example").at("1")
BEYOND = 10**12  # a constant that is excluded in the worlds below
q = parameter("q", Real(0, None))
d = world("d", Integer(1, 40, searched=4))
few = world("few", Vector(d, 1, 2))
N = world("N", Integer(1, searched=4))
k, one = index("k", N), index("one", 1)
SIZE, STEPS = 15, 30
i, j = index("i", SIZE), index("j", SIZE)
hilbert = table(1 / (i + j + 1), i, j)
a, b = index("a", STEPS), index("b", STEPS)
shift = identity(sympify(STEPS)) - table(q * Max(0, 1 - Abs(b - a - 1)), a, b)
power = N**16
matrix, ones_or_more = world("matrix", Gram(N)), world("ones_or_more", Vector(N, 1, None))
count = total(indicator(k**2 <= N), k)
column = operator_norm(table(1 + 0 * k, k, one))
s = variable("s")


def here(**values):
    return {"d": 1, "few": (1,), **values}


CLOSED = {  # statement, hypotheses, a world that needs a large constant
    "one minus erf of a number": (
        q * few[0] * Max(0, 1 - q * (1 - erf(8))) <= 1, [], here(q=2**80)),
    "one minus tanh of a number along a ray": (
        q * few[0] * Max(0, 1 - q * (1 - tanh(60))) <= 1, [few[0] <= q], here(q=2**80)),
    "an entry of an inverse": (few[0] * entry(hilbert**-1, 7, 7) <= 1, [], here()),
    "a determinant": (few[0] <= determinant(hilbert), [], here()),
    "a difference of values": (few[0] <= tanh(61) - tanh(60), [], here()),
    "a smallest eigenvalue": (few[0] <= smallest_eigenvalue(hilbert), [], here()),
    "a supremum": (few[0] <= 1 - supremum(tanh(s), (s, 0, 40)), [], here()),
    "a degree in an inverse": (
        few[0] * entry(shift**-1, 0, STEPS - 1) * Max(0, 1 - q / 10) <= 1, [], here(q=9)),
    "a degree in an inverse along a ray": (
        few[0] * entry(shift**-1, 0, STEPS - 1) * Max(0, 1 - q / 10) <= 1, [few[0] <= q],
        here(q=9)),
}  # fmt: skip
COUNTED = {
    "a count": (power * Max(0, 1 - count / 30) <= 1, [], {"N": 512}),
    "a norm of ones": (power * Max(0, 1 - column / 40) <= 1, [], {"N": 256}),
}
UP = (*doublings(2, 8), 2**40, 2**60, 2**80)


def claim_of(name):
    relation, given, far = (CLOSED | COUNTED)[name]
    moved = [each for each in ("q", "N") if each in far]

    def rule(size):
        return {**far, **{each: min(size, far[each]) for each in moved}}

    sizes = UP if "q" in far and far["q"] > 10**9 else doublings(1, 7)
    return Claim(PLACE, UpToConstant(relation), given=given,
                 families=(Family("towards its constant", rule, sizes),))  # fmt: skip


def far_world(name, claim):
    far = (CLOSED | COUNTED)[name][2]
    return {each: _exact(far[each]) if each != "few" else (fmpq(1),) for each in claim.fields}


@pytest.mark.parametrize("name", CLOSED | COUNTED)
def test_growth_up_to_a_constant_that_no_syntax_tells_refutes_nothing(name):
    claim = claim_of(name)
    assert exclude(Setting(claim, far_world(name, claim)), BEYOND)
    assert trend.run(Task("hostile/large", claim, budget_named("quick"))).outcome != "refuted"
    assert not list(laws_of(claim))


@pytest.mark.parametrize("name", CLOSED | COUNTED)
def test_a_file_that_says_so_is_rejected_by_its_kind(name):
    claim = claim_of(name)
    values = far_world(name, claim)
    moved = {each: fmpq(1) for each in ("q", "N") if each in values}
    ray = as_extra(Ray(values, moved, {}), 3) if moved else {}
    family = {"family": "towards its constant", "size": "64", "start": "1"}
    drawn = {**family, "seed": 0, "alpha": 1e-9, "budget": "quick"}
    for extra in ({}, ray, family, drawn):
        document = witness.seal({
            "format": WITNESS_FORMAT, "claim": "hostile/large", "kind": "trend", "extra": extra,
            "fingerprint": claim.fingerprint(), "shown": {"constant excluded": str(BEYOND)},
            "values": {each: encode(value) for each, value in values.items()},
        })  # fmt: skip
        with pytest.raises(WitnessError, match="excludes some constants refutes no statement"):
            witness.confirm(document, {"hostile/large": claim})


@pytest.mark.parametrize("name", ["an entry of an inverse", "a difference of values"])
def test_nor_does_it_where_no_family_is_declared(name):
    claim = replace(claim_of(name), families=())
    assert trend.run(Task("hostile/large", claim, budget_named("quick"))).outcome != "refuted"


@pytest.mark.parametrize("name", [name for name in CLOSED | COUNTED if {"q", "N"} & set(
    (CLOSED | COUNTED)[name][2])])  # fmt: skip
def test_a_file_that_says_a_law_is_rejected(name):
    claim = claim_of(name)
    values = far_world(name, claim)
    (moved,) = {"q", "N"} & set(values)
    for extra in (as_extra(Ray(values, {moved: fmpq(1)}, {}), 3),
                  as_spread(Spread(values, {moved: (fmpq(1), fmpq(0))}, "", ()))):  # fmt: skip
        document = witness.seal({
            "format": WITNESS_FORMAT, "claim": "hostile/large", "kind": "trend",
            "extra": {**extra, "law": True}, "fingerprint": claim.fingerprint(),
            "shown": {"law": "left / right grows at least as t"},
            "values": {each: encode(value) for each, value in values.items()},
        })  # fmt: skip
        with pytest.raises(WitnessError, match="no law says"):
            witness.confirm(document, {"hostile/large": claim})


x = Symbol("x", real=True)


def uniform(look, rng, count):
    return {"x": rng.random(count)}


@pytest.mark.parametrize("relation", [
    x <= (sqrt(10**30 + x) - 10**15) * 10**16, x**2 <= (1 - cos(x / 10**9)) * 10**18,
    x * Rational(1, 2) <= (sqrt(10**30 + x) - 10**15) * 10**16,
])  # fmt: skip
@pytest.mark.parametrize("given", [[], [N <= Symbol("m", real=True)]])
def test_ratios_that_floats_round_say_nothing(relation, given):
    """The right side is about 5 x, or x^2 / 2; in floats it is zero."""
    sizes = ("N", "m") if given else ("N",)
    family = Family("N grows", lambda size: dict.fromkeys(sizes, size), doublings(1, 8))
    claim = Claim(
        PLACE, UpToConstant(WithProbability("1/2", relation)), families=(family,),
        worlds=Space(**{each: Integer(1, searched=100) for each in sizes}), given=given,
        draw=Sampled(("x",), uniform),
    )  # fmt: skip
    found = trend.run(Task("hostile/large", claim, budget_named("quick")))
    assert found.outcome == "undecided" and "floats take left/right" in found.detail


QUARTER = {"N": 2, "matrix": fmpq_mat([[fmpq(1, 4), 0], [0, fmpq(1, 4)]])}


@pytest.mark.parametrize("relation, start", [
    (N * smallest_eigenvalue(matrix) <= trace(matrix), QUARTER),
    (N * smallest_eigenvalue(matrix) <= operator_norm(matrix) * matrix_rank(matrix), QUARTER),
    (N <= norm(ones_or_more) ** 2, {"N": 2, "ones_or_more": (fmpq(1), fmpq(1))}),
])  # fmt: skip
def test_a_size_does_not_grow_beside_arrays_that_keep_theirs(relation, start):
    claim = Claim(PLACE, UpToConstant(relation))
    assert not any(stays(claim, Ray(start, {"N": fmpq(power), name: fmpq(1)}, {}))
                   for power in (1, 3) for name in start if name != "N")  # fmt: skip
    assert not list(laws_of(claim, [start]))


def test_what_is_defined_in_steps_turns_where_it_does():
    square = define("square", N * N)
    fourth = define("fourth", square * square)
    claim = Claim(PLACE, UpToConstant(fourth**4 * Max(0, 1 - count / 30) <= 1))
    assert not list(laws_of(claim))


n, z, L, u = (Symbol(name, real=True) for name in ("n", "z", "L", "u"))
ANY = {x: Real(0, None, open_low=True), z: Real(0, None, open_low=True), L: Real(0, None),
       u: Real(0, 1, open_low=True, open_high=True), n: Integer(1, searched=9)}  # fmt: skip
LASTING = [  # true, and growing over every size that a search looks at, or zero beside what grows
    n / (n + 10**4) <= Rational(1, 10**4), tanh(n / 10**3) <= Rational(1, 10**3),
    log(1 + log(1 + n)) <= 1 + log(1 + log(2 + n)), log(1 + log(1 + log(n))) <= log(2 + log(n)),
    x * (2 + cos(n)) <= x, Max(x, 10**6 * x * (1 - exp(-n / 10**6))) <= x,
    Min(n, 10**5) <= L * n + 1, Min(n, 10**5) * x <= L * n * z + x, Min(x, 10**4) <= 1 + L * x,
    Min(x, 10**4) * Max(0, 1 - x**5 / z) <= 1, z**5 / (z**5 + 10**6 * x) <= Rational(1, 10**6),
    Min(1 / u, 10**5) <= 1, 1 - u**n <= n * (1 - u), log(1 / u) <= (1 - u) / u,
]  # fmt: skip


@pytest.mark.parametrize("relation", LASTING, ids=str)
def test_growth_that_lasts_long_refutes_nothing_where_search_begins_in_its_best_world(relation):
    used = {symbol: ANY[symbol] for symbol in relation.free_symbols}
    claim = Claim(PLACE, UpToConstant(relation), parameters=used)
    task = Task("hostile/large", claim, budget_named("quick"))
    seen = enumeration.run(task)
    assert "world" in seen.numbers
    assert trend.run(replace(task, seen=(seen,))).outcome not in ("refuted", "supported")
    assert not list(laws_of(claim))


@pytest.mark.long
def test_a_true_deviation_up_to_a_constant_is_not_accused_as_its_level_goes_to_its_end():
    """Hoeffding: frequencies are within sqrt(log(2 / delta) / (2 n)); with log(1 / delta) they are
    within no multiple of it, as delta goes to one."""
    atoms, trials = world("atoms", Integer(1, searched=3)), world("trials", Integer(1, searched=3))
    rho = world("rho", Weights(atoms))
    counts = outcome("counts", Counts("counts", rho, trials))
    delta = parameter("delta", Real(0, 1, open_low=True, open_high=True))
    off = Abs(counts[0] / trials - rho[0])

    def refuted(logarithm):
        within = off <= sqrt(logarithm / trials)
        claim = Claim(PLACE, UpToConstant(WithProbability(1 - delta, within)))
        task = Task("hostile/large", claim, replace(budget_named("quick"), share=0.125))
        return trend.run(replace(task, seen=(enumeration.run(task),))).outcome == "refuted"

    assert not refuted(log(2 / delta))
    assert refuted(log(1 / delta))


@pytest.mark.parametrize("number", [10**10_000, Rational(1, 10**10_000)], ids=["large", "small"])
def test_numbers_that_python_does_not_print_are_refused_in_one_line(number):
    with pytest.raises(MalformedStatement, match="more than 4200 digits") as caught:
        Claim(PLACE, Holds(x <= number), parameters={x: Real(0, None)})
    assert "\n" not in str(caught.value)
    with pytest.raises(MalformedStatement, match="more than 4200 digits"):
        Claim(PLACE, Holds(x <= 1), given=[x >= number], parameters={x: Real(0, None)})
    Claim(PLACE, Holds(x <= 10**4000), parameters={x: Real(0, None)})
