"""Draws in worlds that go on: laws of false claims, none of true ones, and what they rest on."""

from dataclasses import replace

import pytest
from flint import arb, fmpq, fmpq_mat
from scipy.stats import binom
from sympy import Abs, Integer, Max, Rational, Symbol, log, sqrt

from boundcheck import Claim, Source, witness
from boundcheck.checker import chance
from boundcheck.checker.judge import Place
from boundcheck.checker.moments import between
from boundcheck.checker.spreads import Spread, law_of
from boundcheck.checker.undrawn import Undrawn
from boundcheck.checker.writing import Parts, Unwritten, Writing
from boundcheck.checker.written import Written
from boundcheck.checks.base import Task, budget_named
from boundcheck.checks.trend import run
from boundcheck.claim import UpToConstant, WithProbability
from boundcheck.expressions import (
    average,
    define,
    form,
    greatest,
    index,
    indicator,
    inner,
    named,
    norm,
    outcome,
    parameter,
    total,
    trace,
    world,
)
from boundcheck.search.spreads import drawn, tossed
from boundcheck.settings import concentration as free, rkhs
from boundcheck.settings.scalar_laws import E, K, Var, counts, delta, k, n, p, values
from boundcheck.worlds import Indices, Integer as Whole, Matrix, Real, Symmetric, Vector

SHORT = replace(budget_named("quick"), share=0.125)
PLACE = Source("A", 2024, "Example").at("1")
x, unit = values(), values(0, 1)
q, low = parameter("q", Real(0, None)), parameter("low", Real(0, "1/2"))
gap = counts[k] / n - p[k]
ZERO, ONE, HALF = fmpq(0), fmpq(1), fmpq(1, 2)
MORE = {"n": (ONE, ZERO)}
RARE = {"p[0]": (-ONE, ZERO), "p[1]": (-ONE, ONE), "delta": (-ONE, ZERO)}


def dev(each):
    return Abs(total(gap * each[k], k))


def surely(level, relation, *given):
    return Claim(PLACE, UpToConstant(WithProbability(level, relation)), given=given)


def holds(relation, *given):
    return Claim(PLACE, UpToConstant(relation), given=given)


def spreads(claim):
    """As search proposes them, and others: rare atoms and levels, scales that move."""
    world = {"K": 2, "p": (HALF, HALF), "x": (ONE, ZERO), "n": 3, "delta": fmpq(1, 4), "q": ONE,
             "low": fmpq(1, 4)}  # fmt: skip
    base = {name: value for name, value in world.items() if name in claim.fields}
    yield from drawn(claim, base)
    up = {"q": (ONE, ZERO)} if "q" in base else {}
    rare = {name: move for name, move in RARE.items() if name.partition("[")[0] in base}
    for trials in (1, 2, 3):
        for moves in (MORE | up, rare | up, rare, MORE | rare):
            for small in (HALF, fmpq(1, 4), fmpq(1, 100), fmpq(99, 100)):
                changed = {"n": trials} | ({"delta": small} if "delta" in base else {})
                yield Spread({**base, **changed}, moves)
                for parts in ((0, 1), (0,), (1,)):
                    stay = {name: move for name, move in moves.items() if "p[" not in name}
                    yield Spread({**base, **changed, "n": 1}, stay, "K", parts)


FALSE = {
    "a rate of one over n": surely(1 - delta, dev(unit) <= log(2 / delta) / n),
    "half of all outcomes": surely(Rational(3, 4), total(gap * unit[k], k) <= 1 / n),
    "behind names": surely(1 - delta, define("d", dev(unit)) <= named("r", log(2 / delta) / n)),
    "no range in a tail": surely(1 - delta, dev(x) <= sqrt(E(x[k] ** 2) * log(2 / delta) / n)),
    "no size of a law": surely(1 - delta, total(Abs(gap), k) <= sqrt(log(2 / delta) / n)),
    "no size of a law, squared": surely(1 - delta, total(Abs(gap), k) ** 2 / 2 <= 1 / sqrt(n)),
    "a variance in small samples": surely(
        1 - delta, dev(unit) <= sqrt(Var(unit[k]) * log(2 / delta) / n)),
}  # fmt: skip
TRUE = {
    "Hoeffding": surely(1 - delta, dev(unit) <= sqrt(log(2 / delta) / n)),
    "Bernstein": surely(1 - delta, dev(unit) <= (
        sqrt(Var(unit[k]) * log(2 / delta) / n) + log(2 / delta) / n)),
    "Chebyshev": surely(1 - delta, dev(x) <= sqrt(E(x[k] ** 2) / (n * delta))),
    "a law": surely(1 - delta, total(Abs(gap), k) <= sqrt((K + log(2 / delta)) / n)),
    "a law in squares": surely(1 - delta, total(gap**2, k) <= 1 / (n * delta)),
    "the largest": surely(1 - delta, greatest(Abs(gap), k) <= sqrt(log(2 * K / delta) / n)),
    "medians": surely(HALF_OF := Rational(1, 2), total(gap * unit[k], k) <= 1 / n),
    "a quarter": surely(Rational(1, 4), total(gap * unit[k], k) <= 1 / n),
    "no level": surely(Max(0, low - HALF_OF), total(Abs(gap), k) <= sqrt(1 / n)),
    "exactly what is allowed": surely(1 - delta, q * counts[0] <= 1, n * p[0] <= delta),
    "what may be negative": surely(
        1 - delta, total(1 - 2 * counts[k], k) <= 1 + 0 * delta, K <= 2 * n),
    "atoms that are drawn": surely(1 - delta, total(indicator(counts[k] >= 1), k) <= n),
    "a difference that cancels": surely(1 - delta, n * Abs(total(gap, k)) <= 1),
    "within a width": surely(
        HALF_OF, Max(0, 1 / 9 - n * total(gap * unit[k], k) ** 2) * n <= n * dev(unit) ** 2 * 10**9
        + n * indicator(n * total(gap * unit[k], k) ** 2 <= 1)),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_false_orders_have_a_law(name):
    claim = FALSE[name]
    assert any(law_of(claim, spread) for spread in spreads(claim))


@pytest.mark.parametrize("name", TRUE)
def test_true_orders_have_none(name):
    claim = TRUE[name]
    for spread in spreads(claim):
        assert not law_of(claim, spread), spread


# Means inside a world.

i, xi = free.i, free.signs
row = free.table[i, 0]
walk = average(Abs(total(xi[i] * row, i)), xi)
square = total(row**2, i)
length = average(sqrt(form(rkhs.K, rkhs.xi)), rkhs.xi)
S, EX, VarX = free.S, free.E, free.Var
GROWING = [
    walk <= greatest(row, i), length <= 1 + sqrt(greatest(rkhs.K[rkhs.i, rkhs.i], rkhs.i)),
    trace(rkhs.K) <= length, sqrt(VarX(S)) <= 1, EX(S) <= VarX(S) / EX(S), EX(S**2) <= 1 + EX(S),
    average(3 * Abs(2 * total(xi[i] * row, i)), xi) <= 1, define("w", walk) <= 1,
]  # fmt: skip
BOUNDED = [
    walk <= sqrt(square), sqrt(square) <= walk, walk <= sqrt(free.n) * greatest(row, i),
    length <= sqrt(trace(rkhs.K)), sqrt(trace(rkhs.K)) <= length, walk - sqrt(square) <= 1,
    free.n * Max(0, sqrt(square) / 4 - walk) <= 1, sqrt(VarX(S)) <= sqrt(free.n), EX(S) <= free.n,
    EX(S**2) <= EX(S) ** 2 + free.n, EX(S) ** 2 <= EX(S**2), VarX(S) <= EX(S),
    EX(S**2) <= free.n**2, average(total(xi[i] * row, i), xi) <= 1,
    average(Abs(xi[0] * free.n), xi) <= free.n,
    average(Abs(total(xi[i] * xi[free.j] * row, i, free.j)), xi) <= free.n**2,
    EX(Abs(S - EX(S))) <= sqrt(free.n), VarX(total(free.table[i, free.X[0]], i)) <= free.n**2,
    VarX(total(free.table[i, free.X[i]] * free.table[0, free.X[0]], i)) <= free.n**2,
]  # fmt: skip


def grown(relation):
    claim = holds(relation)
    table, gram = fmpq_mat([[HALF, ONE]]), fmpq_mat([[ONE]])
    world = {"n": 1, "K": gram if "K" in claim.fields and "table" not in claim.fields else 2,
             "table": table, "chances": ((HALF, HALF),), "Q": ONE}  # fmt: skip
    return law_of(claim, Spread({name: world[name] for name in claim.fields}, {}, "n", (0,)))


@pytest.mark.parametrize("relation", GROWING)
def test_means_that_outgrow(relation):
    assert grown(relation)


@pytest.mark.parametrize("relation", BOUNDED)
def test_means_that_do_not(relation):
    assert not grown(relation)


def test_laws_whose_atoms_are_copied_are_no_numbers():
    claim = holds(EX(S) <= 1)
    start = {"n": 1, "K": 2, "table": fmpq_mat([[ONE, ONE]]), "chances": ((HALF, HALF),)}
    spread = Spread({name: start[name] for name in claim.fields}, {}, "K", (0,))
    with pytest.raises(Unwritten, match="chances"):
        Written(claim, spread).law()


# What they rest on.


def test_what_is_left_undrawn_does_not_read_other_atoms():
    # (1 + sum_j c_j x_j)^2 is no less without atom k, but nothing where x_1 = -1 and c_1 = 1.
    other = index("j", K)
    claim = surely(1 - delta, total((1 + total(counts[other] * x[other], other)) ** 2, k) <= 1)
    writing = Undrawn(claim, Parts({"K": 2, "n": 1}, "K", frozenset({1})))
    with pytest.raises(Unwritten, match="may be negative"):
        writing.below(claim.statement.relation.lts)


def test_roots_of_forms_of_signs_have_means_where_the_matrix_is_a_kernel():
    # The form of ((1, 2), (2, 1)) is -2 where the signs differ, and has no root.
    matrix = world("A", Symmetric(rkhs.n))
    mean = average(sqrt(form(matrix, rkhs.xi)), rkhs.xi)
    claim = holds(mean <= 1)
    with pytest.raises(Unwritten):
        Writing(claim, Parts({"n": 2}, "", frozenset())).number(mean)


def parts_of(claim, start):
    names = ("K", "n")
    return Parts({name: start[name] for name in names if name in claim.fields}, "", frozenset())


def test_masses_of_listed_outcomes_are_those_of_the_draw():
    claim = FALSE["a rate of one over n"]
    start = {"K": 3, "p[0]": HALF, "p[1]": fmpq(1, 3), "p[2]": fmpq(1, 6), "n": 2}
    world = {"K": 3, "p": (HALF, fmpq(1, 3), fmpq(1, 6)), "n": 2}
    listed = chance.readings(claim, parts_of(claim, start), start, {})
    drawn_ = {tuple(outcome["counts"]): mass for mass, outcome in claim.draw.outcomes(world.get)}
    assert len(listed) == len(drawn_) == 6
    for reading in listed:
        mass = reading.mass.subs({Symbol(name, real=True): Rational(str(value))
                                  for name, value in start.items()})  # fmt: skip
        assert mass == Rational(str(drawn_[reading.one(start)[0]["counts"]]))


@pytest.mark.parametrize("share", ["1/2", "1/9", "1/500"])
def test_deviations_weigh_what_they_are_said_to(share):
    claim = FALSE["a rate of one over n"]
    first = fmpq(Rational(share).p, Rational(share).q)
    start = {"K": 2, "p[0]": first, "p[1]": 1 - first, "n": 2}
    up, down = chance.readings(claim, parts_of(claim, start), start, MORE)
    draws = 10**8
    law, mean = binom(draws, float(first)), draws * float(first)
    for reading, sign in ((up, 1), (down, -1)):
        ((ball, one),) = reading.unknown.values()
        low, high = (mean + float(end) * draws**0.5 for end in (ball.lower(), ball.upper()))
        # The bound is for 2^48 draws and more; here normal laws are off by at most
        # 0.4748 * 500^(1/2) / 10^4 < 0.0011 on either side.
        assert law.cdf(high) - law.cdf(low) >= float(reading.mass) - 0.0022
        assert ball.contains(arb(one)) and sign * one > 0
        assert 0.49 < float(reading.mass) < 0.5


def test_means_of_signs_are_within_their_ball():
    ball = between(Integer(1))
    for weights in ((1,), (1, 1), (3, 1, 2), (1,) * 9):
        claim = holds(walk <= 1)
        table = fmpq_mat([[fmpq(w), ONE] for w in weights])
        place = Place(claim, {"n": len(weights), "K": 2, "table": table})
        mean = place.value(claim.statement.relation.lts)
        norm = arb(sum(w**2 for w in weights)).sqrt()
        assert ball.contains(arb(mean) / norm) or (arb(mean) / norm).overlaps(ball)


@pytest.mark.parametrize("name", [
    "a rate of one over n", pytest.param("no size of a law", marks=pytest.mark.long)])
def test_whole_runs_refute_and_witnesses_are_confirmed(name):
    claim = FALSE[name]
    evidence = run(Task(f"a/b:{len(name)}", claim, SHORT))
    assert evidence.outcome == "refuted"
    made = witness.seal(evidence.witness.as_json())
    assert "confirmed" in str(witness.confirm(made, {made["claim"]: claim}))
    for other in (TRUE["Hoeffding"], TRUE["a law"]):
        changed = {**made, "fingerprint": other.fingerprint()}
        with pytest.raises(Exception, match=r"law|refutes nothing"):
            witness.confirm(witness.seal(changed), {made["claim"]: other})


# Sequences of independent draws.

a = world("a", Vector(free.n))
signed = total(a[i] * xi[i], i)
peak = greatest(Abs(a[i]), i)
apart = Abs(S - EX(S))
order = outcome("v", Indices("v", p, n))
step = index("s", n)
mean_in_order = Abs(total(unit[order[step]], step) / n - E(unit[k]))
ORDERS = {
    "signs, a logarithm": surely(1 - delta, Abs(signed) <= peak * log(2 / delta)),
    "signs, a scalar product": surely(1 - delta, Abs(inner(a, xi)) <= peak * log(2 / delta)),
    "signs, a square": surely(1 - delta, signed**2 <= sqrt(free.n) * peak**2),
    "variables, a logarithm": surely(1 - delta, apart <= log(2 / delta)),
    "variables, a rate": surely(1 - delta, free.n * apart <= sqrt(VarX(S)) * log(2 / delta)),
    "a sequence, a rate": surely(1 - delta, mean_in_order <= log(2 / delta) / n),
}  # fmt: skip
WITHIN = {
    "signs, Hoeffding": surely(1 - delta, Abs(signed) <= norm(a) * sqrt(log(2 / delta))),
    "signs, Chebyshev": surely(1 - delta, signed**2 <= norm(a) ** 2 / delta),
    "signs, a scalar product": surely(1 - delta, Abs(inner(a, xi)) <= sqrt(free.n) * peak / delta),
    "signs, those of one": surely(1 - delta, Abs(total(a[i] * xi[0], i)) <= free.n * peak),
    "signs, squares": surely(1 - delta, Abs(total(a[i] * (xi[i] ** 2 - 1), i)) <= 1),
    "variables, Hoeffding": surely(1 - delta, apart <= sqrt(free.n * log(2 / delta))),
    "variables, all": surely(1 - delta, S <= free.n),
    "variables, a median": surely(HALF_OF, S - EX(S) <= 1 + sqrt(VarX(S))),
    "variables, half of all outcomes": surely(Rational(9, 20), S - EX(S) <= 1),
    "a sequence, Hoeffding": surely(1 - delta, mean_in_order <= sqrt(log(2 / delta) / n)),
}  # fmt: skip
ALONE = {
    "n": 1, "K": 2, "table": fmpq_mat([[ONE, ZERO]]), "chances": ((HALF, HALF),), "a": (ONE,),
    "p": (fmpq(1, 4), fmpq(3, 4)), "x": (ONE, ZERO), "delta": fmpq(1, 4),
}  # fmt: skip


def orders(claim):
    world = {name: ALONE[name] for name in claim.fields}
    yield from tossed(claim, world)
    moves = [{}, {"delta": (-ONE, ZERO)}] if "delta" in world else [{}]
    for move in moves:
        yield Spread(world, move, "n", (0,))
        yield Spread(world, {**move, **MORE})


@pytest.mark.parametrize("name", ORDERS)
def test_false_orders_of_sequences_have_a_law(name):
    claim = ORDERS[name]
    assert any(law_of(claim, spread) for spread in orders(claim))


@pytest.mark.parametrize("name", WITHIN)
def test_true_orders_of_sequences_have_none(name):
    claim = WITHIN[name]
    for spread in orders(claim):
        assert not law_of(claim, spread), spread


def test_sums_that_read_one_draw_beside_others_are_not_written_out():
    beside = surely(1 - delta, Abs(total(a[i] * xi[0] * xi[i], i)) <= peak)
    for claim in (beside, WITHIN["signs, those of one"]):
        spread = Spread({name: ALONE[name] for name in claim.fields}, {}, "n", (0,))
        plain = Written(claim, spread)
        for reading in chance.readings(claim, plain.parts, plain.start, plain.moves):
            with pytest.raises(Unwritten):
                assert Written(claim, spread, reading).claim


def test_sequences_of_more_than_copies_of_one_variable_are_not_written_out():
    claim = ORDERS["variables, a logarithm"]
    two = {"n": 2, "K": 2, "table": fmpq_mat([[ONE, ZERO], [ONE, ZERO]]),
           "chances": ((HALF, HALF), (fmpq(1, 4), fmpq(3, 4))), "delta": fmpq(1, 4)}  # fmt: skip
    three = {"n": 1, "K": 3, "table": fmpq_mat([[ONE, ZERO, ONE]]), "delta": fmpq(1, 4),
             "chances": ((fmpq(1, 3),) * 3,)}  # fmt: skip
    for start, parts in ((two, (0, 1)), (two, (0,)), (three, (0,))):
        world = {name: start[name] for name in claim.fields}
        spread = Spread(world, {}, "n", parts)
        assert not law_of(claim, spread)
        plain = Written(claim, spread)
        with pytest.raises(Unwritten):
            chance.readings(claim, plain.parts, plain.start, plain.moves)
    moving = {"chances[0][0]": (-ONE, ZERO), "chances[0][1]": (-ONE, ONE)}
    alone = {name: ALONE[name] for name in claim.fields}
    assert not law_of(claim, Spread(alone, moving, "n", (0,)))


# The largest of some sums.


rows_of = world("N", Whole(1, searched=3))
F = world("F", Matrix(rows_of, K, 0, 1))
row_of = index("h", rows_of)
largest = average(greatest(total(gap * F[row_of, k], k), row_of), counts)
moduli = average(greatest(Abs(total(gap * F[row_of, k], k)), row_of), counts)
shifted = average(greatest(total(counts[k] / n * F[row_of, k], k), row_of), counts)


@pytest.mark.parametrize(("relation", "grows"), [
    (largest <= log(2 * rows_of) / n, True), (largest <= 1 / sqrt(n), False),
    (moduli <= log(2 * rows_of) / n, True), (moduli <= 1 / sqrt(n), False),
    (1 / sqrt(n) <= largest, False), (1 / sqrt(n) <= moduli, False),
    (1 / n ** Rational(1, 3) <= moduli, True), (shifted <= sqrt(1 / n), True),
    (shifted <= 1, False), (average(greatest(total(gap * F[row_of, k], k), row_of), counts) ** 2
                            <= 1 / n, False),
])  # fmt: skip
def test_means_of_the_largest_sum(relation, grows):
    claim = holds(relation)
    world = {"K": 2, "p": (HALF, HALF), "n": 1, "N": 2, "F": fmpq_mat([[ONE, ZERO], [ZERO, ONE]])}
    spread = Spread({name: world[name] for name in claim.fields}, MORE)
    assert bool(law_of(claim, spread)) is grows


# The rarest outcome, and a level that falls with its probability.

RAREST = {
    "signs": surely(1 - delta, Abs(signed) <= norm(a)),
    "signs, beside a product": surely(1 - delta / 2, Abs(inner(a, xi)) <= sqrt(free.n) * peak),
    "variables": surely(1 - delta, apart <= sqrt(free.n)),
    "variables, a root of the logarithm": surely(
        1 - delta, apart <= sqrt(free.n) * log(2 / delta) ** Rational(1, 3)),
    "counts": surely(1 - delta, dev(unit) <= 1 / sqrt(n)),
    "a sequence": surely(1 - delta, mean_in_order <= 1 / sqrt(n)),
}  # fmt: skip
NOT_RARE = {
    "a fixed level": surely(Rational(1, 2), Abs(signed) <= norm(a) + 0 * delta * norm(a)),
    "all that is lost": surely(1 - delta, apart <= free.n),
    "the level above": surely(1 - 2 * delta, apart <= sqrt(free.n)),
    "counts, Hoeffding": surely(1 - delta, dev(unit) <= sqrt(log(2 / delta) / n)),
    "a level that falls faster": surely(1 - delta * 3 ** (-free.n), apart <= sqrt(free.n)),
    "one that is bounded": surely(1 - delta, apart <= sqrt(free.n), delta >= Rational(1, 99)),
}  # fmt: skip


def rarest(claim):
    world = {name: ALONE[name] for name in claim.fields}
    for proposal in (*tossed(claim, world), *drawn(claim, {**world, "K": 2})):
        if proposal.rare:
            yield proposal


@pytest.mark.parametrize("name", RAREST)
def test_levels_that_fall_with_the_rarest_outcome_have_a_law(name):
    assert any(law_of(RAREST[name], spread) for spread in rarest(RAREST[name]))


@pytest.mark.parametrize("name", {**WITHIN, **NOT_RARE})
def test_true_orders_have_none_at_the_rarest_outcome(name):
    claim = {**WITHIN, **NOT_RARE}[name]
    for spread in rarest(claim):
        assert not law_of(claim, spread), spread
    if "delta" in claim.fields:
        world = {field: ALONE[field] for field in claim.fields}
        for parts, moves in (((0,), {}), ((), MORE)):
            for level in (fmpq(1, 4), fmpq(1, 100)):
                made = Spread({**world, "delta": level}, moves, "n" if parts else "", parts,
                              rare="delta")  # fmt: skip
                assert not law_of(claim, made)


def test_draws_that_are_not_all_alike_have_no_rarest_outcome():
    claim = RAREST["variables"]
    two = {**ALONE, "n": 2, "table": fmpq_mat([[ONE, ZERO]] * 2), "chances": ((HALF, HALF),) * 2}
    moving = {"chances[0][0]": (-ONE, ZERO), "chances[0][1]": (-ONE, ONE)}
    with pytest.raises(Unwritten):
        chance.all_alike(claim, two, "n", {})
    with pytest.raises(Unwritten):
        chance.all_alike(claim, ALONE, "n", moving)
    for start in ({**ALONE, "chances": ((ONE, ZERO),)}, {**ALONE, "chances": ((ZERO, ONE),)}):
        with pytest.raises(Unwritten):
            chance.all_alike(claim, start, "n", {})
    with pytest.raises(Unwritten):
        chance.all_alike(RAREST["counts"], ALONE, "", {"n": (-ONE, ZERO)})
    assert chance.all_alike(claim, ALONE, "n", {}).mass.free_symbols
    counts = RAREST["counts"]
    atoms = str(counts.fields[counts.draw.weights].size)
    assert chance.all_alike(counts, ALONE, "", MORE).mass.free_symbols
    with pytest.raises(Unwritten):  # more atoms share what the first weighs
        chance.all_alike(counts, ALONE, atoms, MORE)


def test_a_level_with_an_end_above_zero_does_not_fall():
    ended = parameter("ended", Real(Rational(1, 999), 1, open_high=True))
    claim = surely(1 - ended, apart <= sqrt(free.n))
    world = {name: {**ALONE, "ended": fmpq(1, 4)}[name] for name in claim.fields}
    spread = Spread(world, {}, "n", (0,), rare="ended")
    assert not law_of(claim, spread)
    with pytest.raises(Unwritten):
        Written(claim, spread, chance.all_alike(claim, world, "n", {}))


def test_means_over_the_signs_that_are_counted_are_not_those_of_the_outcome():
    # E |xi_i - 1| is one, whatever the sign at i is.
    beside = total((xi[i] + 1) * average(Abs(xi[i] - 1), xi), i)
    claim = surely(1 - delta, beside <= peak)
    spread = Spread({name: ALONE[name] for name in claim.fields}, {}, "n", (0,))
    plain = Written(claim, spread)
    reading, *_ = chance.readings(claim, plain.parts, plain.start, plain.moves)
    with pytest.raises(Unwritten):
        Written(claim, spread, reading).writing.number(beside)
