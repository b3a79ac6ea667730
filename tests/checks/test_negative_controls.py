"""Every form and check has claims it must refute within the quick budget, and sharp true ones.

Each false claim is one printed mistake away from a true sharp one: constant halved, factor lost,
sign flipped, root dropped, wrong power, hypothesis removed, logarithm lost, strict for non-strict,
quantifiers exchanged.
"""

import itertools

import pytest
import sympy
from flint import fmpq

from boundcheck import Claim, Expected, Holds, Source, UpToConstant, WithProbability
from boundcheck.checks import controls
from boundcheck.checks.base import Task, budget_named
from boundcheck.checks.controls import HALVED, mutated_relations
from boundcheck.engine import perform, verify
from boundcheck.expressions import determinant, indicator, norm, trace as matrix_trace, world
from boundcheck.quantities import quantity
from boundcheck.quantities.complexity import kernel_trace, rademacher_complexity
from boundcheck.setting import guarded
from boundcheck.shards import CONTRACT
from boundcheck.worlds import (
    Counts,
    Family,
    Gram,
    Integer,
    Listed,
    Real,
    Signs,
    Space,
    Vector,
    Weights,
    doublings,
    gram_matrices,
    scalar_laws,
)

PLACE = Source("Test", 2026, "Controls").at("here")
t, delta, n, mean, tail, second, square, value, total, Q = sympy.symbols(
    "t delta n mean tail second square value total Q", real=True
)
trace, complexity, deviation, M, a, b = sympy.symbols(
    "trace complexity deviation M a b", real=True
)

REALS = Real(None, None)


def mean_of(x, p):
    return sum((u * w for u, w in zip(x, p, strict=True)), fmpq(0))


def second_of(x, p):
    return sum((u * u * w for u, w in zip(x, p, strict=True)), fmpq(0))


def tail_of(x, p, t):
    return sum((w for u, w in zip(x, p, strict=True) if u >= t), fmpq(0))


def markov(relation, given=(t > 0,), low=0):
    return Claim(
        source=PLACE, statement=Holds(relation), given=given,
        worlds=scalar_laws(low=low, high=2), parameters={t: Real(0, 2)},
        measure={mean: mean_of, tail: tail_of, second: second_of},
    )  # fmt: skip


def drawn(x, p):
    return [(weight, {"value": number}) for number, weight in zip(x, p, strict=True)]


def expected(relation):
    return Claim(
        source=PLACE, statement=Expected(relation), worlds=scalar_laws(low=-1),
        measure={mean: mean_of, second: second_of, square: lambda value: value**2},
        draw=Listed(("value",), drawn),
    )  # fmt: skip


UNIT = sympy.And(delta > 0, delta < 1)


def likely(level, relation, given=(UNIT,)):
    return Claim(
        source=PLACE, statement=WithProbability(level, relation), given=given,
        worlds=scalar_laws(), measure={mean: mean_of},
        parameters={delta: Real(0, 1, open_low=True, open_high=True)},
        draw=Listed(("value",), drawn),
    )  # fmt: skip


def rademacher(relation):
    return Claim(
        source=PLACE, statement=Expected(relation), given=[Q > 0], worlds=gram_matrices(),
        parameters={Q: Real(0, None)},
        measure={complexity: rademacher_complexity, trace: kernel_trace},
    )  # fmt: skip


def total_of(signs):
    return sum(signs)


def walk(relation, families=True):
    family = Family("n grows", lambda size: {"n": size}, doublings(1, 8))
    return Claim(
        source=PLACE, statement=UpToConstant(relation), worlds=Space(n=Integer(1, searched=6)),
        measure={square: lambda n: n}, families=(family,) if families else (),
    )  # fmt: skip


@quantity(estimator=lambda counts, tau, M: abs(counts[:, 0] / M - tau[0]))
def deviation_of(counts, tau, M):
    return abs(fmpq(counts[0], M) - tau[0])


def sampled(level, relation):
    """Hoeffding for a frequency at M beyond enumeration: decided by the sequential test."""
    return Claim(
        source=PLACE, statement=WithProbability(level, relation),
        given=[sympy.And(delta > 0, delta < 1)],
        worlds=Space(K=Integer(2, 2), tau=Weights("K")),
        parameters={M: Integer(2_000, searched=4_000),
                    delta: Real("1/20", "1/2")},
        measure={deviation: deviation_of}, draw=Counts("counts", "tau", "M"),
    )  # fmt: skip


radius = sympy.sqrt(sympy.log(2 / delta) / (2 * M))
FALSE = {
    "constant halved": markov(tail <= mean / (2 * t)),
    "wrong power": markov(tail <= (mean / t) ** 2),
    "hypothesis removed": markov(tail <= mean / t, low=-2),
    "strict for non-strict": markov(tail < mean / t, given=[t > 0, mean > 0]),
    "direction": markov(tail >= mean / t),
    "sign flipped": expected(sympy.Eq(square, -second)),
    "jensen reversed": expected(square <= mean**2),
    "level for its complement": likely(delta, value <= mean / delta),
    "probability too high": likely(1 - delta / 2, value <= mean / delta),
    "quantifiers exchanged": Claim(
        source=PLACE, statement=Holds(value <= mean / delta), draw=Listed(("value",), drawn),
        worlds=scalar_laws(), measure={mean: mean_of}, parameters={delta: Real("1/10", "9/10")},
    ),
    "square root dropped": rademacher(complexity <= Q * trace / n),
    "radius squared": rademacher(complexity <= Q**2 * sympy.sqrt(trace) / n),
    "growing constant": walk(n <= sympy.sqrt(n)),
    "root dropped, sampled": sampled(1 - delta, deviation <= sympy.log(2 / delta) / (2 * M)),
    "constant, sampled": sampled(1 - delta, deviation <= radius / 4),
}  # fmt: skip
TRUE = {
    "markov": markov(tail <= mean / t),
    "second moment": expected(sympy.Eq(square, second)),
    "jensen": expected(square >= mean**2),
    "markov, level": likely(1 - delta, value <= mean / delta),
    "rademacher": rademacher(complexity <= Q * sympy.sqrt(trace) / n),
    "linear": walk(square <= n),
    "hoeffding, sampled": sampled(1 - delta, deviation <= radius),
}


@pytest.mark.parametrize("name", sorted(FALSE))
def test_false_claims_are_refuted(name):
    verdict = verify(f"controls/{name}", FALSE[name], controls=False)
    assert verdict.outcome == "refuted", str(verdict)


@pytest.mark.parametrize("relation", [
    n * sympy.log(1 + n) ** 2 <= square, square <= sympy.sqrt(n), square**9 <= 1,
])  # fmt: skip
def test_growth_of_what_is_computed_in_code_is_left_open_and_said(relation):
    """However large the constants are that worlds exclude, no law says that they go on to grow."""
    verdict = verify("controls/code", walk(relation), controls=False)
    assert verdict.outcome == "undecided" and "no constant below" in verdict.summary


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", sorted(TRUE))
def test_sharp_claims_are_not(name, seed):
    verdict = verify(f"controls/{name}", TRUE[name], controls=False, seed=seed)
    assert verdict.outcome in ("supported", "proved"), str(verdict)


def test_a_crash_of_a_check_is_never_a_verdict():
    def broken(x):
        raise RuntimeError("a bug")

    claim = Claim(
        source=PLACE, statement=Holds(mean <= 1), worlds=scalar_laws(), measure={mean: broken}
    )
    verdict = verify("controls/bug", claim, controls=False)
    assert verdict.outcome == "broken" and "a bug" in verdict.summary


def test_signs_are_all_enumerated():
    claim = Claim(
        source=PLACE, statement=Expected(sympy.Eq(square, n)),
        worlds=Space(n=Integer(1, searched=5)),
        measure={total: total_of, square: lambda total: total**2}, draw=Signs("signs", "n"),
    )  # fmt: skip
    assert verify("controls/signs", claim, controls=False).outcome in ("supported", "proved")
    outcomes = list(claim.draw.outcomes({"n": 3}.__getitem__))
    assert {o["signs"] for _, o in outcomes} == set(itertools.product((1, -1), repeat=3))
    assert sum(p for p, _ in outcomes) == 1


@pytest.mark.parametrize(
    ("factor", "vacuous"), [(2, True), (1, True), (sympy.Rational(1, 2), False)]
)
def test_bound_that_never_beats_the_trivial_one_is_vacuous(factor, vacuous):
    claim = Claim(
        source=PLACE, statement=Holds(a <= factor * (1 + b)), trivial=sympy.Integer(1),
        given=[a <= sympy.Rational(1, 2)], parameters={a: Real(0, 1), b: Real(0, 1)},
    )  # fmt: skip
    verdict = verify("test", claim, controls=False)
    assert (verdict.outcome in ("proved", "supported"), verdict.vacuous) == (True, vacuous)


def test_every_comparison_has_its_own_slack_and_control():
    found = verify("a/b:c", markov(sympy.And(t * tail <= mean, mean <= 2000)), budget="quick")
    rows = {row["relation"]: row for row in found.as_json()["parts"]}
    assert found.outcome in ("supported", "proved")
    assert rows[str(t * tail <= mean)]["slack"] == pytest.approx(1, abs=0.2)
    assert rows["mean <= 2000"]["slack"] > 900
    assert all(row["control"] for row in rows.values())


def test_mutants_are_single_comparisons_of_every_place():
    relation = sympy.And(a <= 1, sympy.Eq(b, 2 * a), sympy.Implies(a > 0, b <= 2))
    before, found = guarded(relation), list(mutated_relations(relation))
    assert {place for _, place, _ in found} == {0, 1, 2}
    for _, place, changed in found:
        ((premises, part), *more) = guarded(changed)
        assert premises == before[place][0] and (part != before[place][1] or more)


def test_half_of_a_negative_bound_is_no_weaker_bound():
    """x > -1 halved is x > -1/2, not x > -2."""
    halved = dict((name, changed) for name, _, changed in mutated_relations(a > -1))[HALVED]
    assert not halved.subs(a, sympy.Rational(-3, 4)) and halved.subs(a, sympy.Rational(-1, 4))


def test_an_equation_of_matrices_with_zero_has_a_control():
    left, right = sympy.symbols("A B", commutative=False)
    (changed,) = [c for _, _, c in mutated_relations(sympy.Eq(left - right, 0))]
    assert changed.subs({left: 2, right: 2}) is sympy.false


def test_a_half_that_falls_gives_its_comparison_a_slack():
    """What the main search called unbounded is not, if its mutant finds a tight world."""
    row = {"mutant": HALVED, "caught": True, "part": 0, "slack": 1.5}
    reversed_ = {"mutant": "direction reversed", "caught": True, "part": 0}
    found = controls.concluded(["a <= b"], None, [row, reversed_], [], True)
    assert found.slack == found.numbers["parts"][0]["slack"] == 1.5


def test_halves_below_the_slack_are_owed():
    made = {m.name: m for m in controls.mutants(markov(tail <= mean / t))}
    assert made[HALVED].owed(1.9) and not made[HALVED].owed(2.1) and not made[HALVED].owed(None)
    assert made["direction reversed"].owed(None)


def test_a_comparison_that_no_world_decides_is_an_untested_part():
    never = sympy.Implies(mean >= 3, tail <= mean / 100)
    found = verify("a/b:c", markov(sympy.And(t * tail <= mean, never)), budget="quick")
    assert found.outcome == "undecided" and "untested part" in found.summary
    assert [row["untested"] for row in found.parts].count(True) == 1
    assert found.as_json()["untested_part"]


def between_reals(relation, field=REALS):
    used = sorted(relation.free_symbols, key=str)
    return verify("a/b:c", Claim(PLACE, Holds(relation), parameters=dict.fromkeys(used, field)))


def test_an_inequation_that_worlds_cross_is_not_supported():
    """x^2 is 2 for no rational number, and passes 2 between 1 and 2."""
    found = between_reals(sympy.Ne(a**2, 2))
    assert found.outcome == "undecided" and "fails wherever sides are equal" in found.summary
    assert between_reals(sympy.Ne(a * (a + 1) + 1, sympy.sin(b) - 1)).outcome != "undecided"


def test_strict_alternatives_that_no_world_shares_are_not_supported():
    """Where one gives way to the other none holds: at a root of 2, or of e^x = 2."""
    for left in (a**2, a**3, sympy.exp(a)):
        found = between_reals(sympy.Or(left < 2, left > 2))
        assert found.outcome == "undecided" and "no alternative is left" in found.summary
    found = between_reals(sympy.Implies(a**2 >= 2, a**2 > 2))
    assert found.outcome == "undecided" and "no alternative is left" in found.summary
    asked = Claim(PLACE, Holds(a**2 > 2), given=[a**2 >= 2, b > 0, a * b > -5],
                  parameters={a: REALS, b: REALS})  # fmt: skip
    assert verify("a/b:c", asked).outcome == "undecided"
    steps = indicator(sympy.sin(a) > 0)
    for true in (sympy.Or(a**3 < 3, a**3 > 2), sympy.Or(sympy.exp(a) < 2, a > -5),
                 sympy.Or(steps < sympy.Rational(1, 2), steps > sympy.Rational(1, 2))):  # fmt: skip
        assert between_reals(true).outcome in ("supported", "proved"), true


def test_an_inequation_of_integers_is_supported_and_states_no_bound():
    """2 b^2 is the square of no integer from 1 on, and such squares lie on both sides of it."""
    found = between_reals(sympy.Ne(a**2, 2 * b**2), Integer(1, searched=9))
    assert found.outcome == "supported"
    assert "no bound" in found.summary and "identity" not in found.summary


def test_alternatives_that_fail_are_told_without_sides():
    found = between_reals(sympy.Or(a < b, b < a))
    assert found.outcome == "refuted" and ": " not in found.summary


def test_alternatives_alone_are_searched_for_where_all_of_them_nearly_fail():
    """Nothing that search draws from is beyond 10^5; a matrix and a vector that grow are."""
    d = world("d", Integer(1, searched=3))
    G, v = world("G", Gram(d)), world("v", Vector(d))
    for either in (
        sympy.Or(matrix_trace(G) <= 10**5, determinant(G) >= 1),
        sympy.Or(norm(v) <= 10**6, v[0] <= 10**5),
    ):
        assert verify("a/b:c", Claim(PLACE, Holds(either))).outcome == "refuted"
    stands = sympy.Or(matrix_trace(G) <= 10**5, determinant(G) >= 0)
    assert verify("a/b:c", Claim(PLACE, Holds(stands))).outcome in ("supported", "proved")


def test_a_brief_look_searches_the_mutants_that_decide_alone():
    """Whether a comparison was tested is told by its reverse; roots, halves and hypotheses are
    for readers."""
    claim = markov(tail <= mean / t)
    made = {}
    for budget in ("brief", "quick"):
        rows = (controls.row(Task("a/b:c", claim, budget_named(budget)), place, 1.0)
                for place in range(controls.count(claim)))  # fmt: skip
        made[budget] = [row["mutant"] for row in rows if row is not None]
    assert made["brief"] == ["direction reversed"] and len(made["quick"]) > 2
    contract = {budget: perform(Task("a/b:c", claim, budget_named(budget)), CONTRACT, {})
                for budget in made}  # fmt: skip
    assert contract["quick"]["layout"]["challenged"] and not (
        contract["brief"]["layout"]["challenged"])
