"""Worlds, parameters, measures, draw and rescalings of a claim follow from the symbols it uses."""

import pytest
import sympy
from flint import fmpq
from sympy import Eq, Rational, exp, sqrt

from boundcheck import Claim, Expected, Holds, Source, UpToConstant, WithProbability
from boundcheck.engine import verify
from boundcheck.errors import InvalidArgument, MalformedStatement, Undecided, Undefined
from boundcheck.exact import precision
from boundcheck.expressions import (
    average,
    clipped,
    define,
    entry,
    form,
    index,
    indicator,
    norm,
    outcome,
    parameter,
    primitive,
    probability,
    spectral_radius,
    total,
    trace,
    world,
)  # fmt: skip
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.nodes import PRIMITIVES
from boundcheck.settings import classes, random_features
from boundcheck.worlds import Counts, Derived, Each, Indices, Integer, Real, Signs, Vector

HERE = Source("Test", 2000, "Binding").at("1")


def complexity(s):
    return average(s.t * sqrt(form(s.gram, s.signs)) / s.n, s.signs)


def test_a_claim_is_its_statement_and_hypotheses(s):
    claim = Claim(HERE, Holds(complexity(s) <= s.t * sqrt(trace(s.gram)) / s.n), given=[s.t > 0])
    assert claim.worlds.names == ("n", "gram") and [p.name for p in claim.parameters] == ["t"]
    assert claim.draw is None and len(claim.measure) == 2
    assert {r.name: dict(r.powers) for r in claim.rescalings} == {"kernels by s": {"gram": 1}}
    assert verify("t/a:b", claim).outcome == "supported"


def test_what_is_false_is_refuted(s):
    bound = s.t * sqrt(trace(s.gram)) / s.n * Rational(99, 100)
    verdict = verify("t/a:c", Claim(HERE, Holds(complexity(s) <= bound), given=[s.t > 0]))
    assert verdict.outcome == "refuted" and verdict.kind == "exact"


def test_the_draw_follows_from_outcomes_and_levels(s):
    share = define("share", sympy.Abs(s.counts[0] / s.M - s.tau[0]))
    level = 1 - 2 * exp(-2 * s.M * s.t**2)
    claim = Claim(HERE, WithProbability(level, share <= s.t), given=[s.t > 0])
    assert claim.draw.names == ("counts",) and claim.random_names >= {"counts", "share"}
    assert [p.name for p in claim.parameters] == ["t", "M"]
    assert verify("t/a:d", claim).outcome == "supported"
    false = Claim(HERE, WithProbability(1 - exp(-2 * s.M * s.t), share <= s.t), given=[s.t > 0])
    assert verify("t/a:e", false).outcome == "refuted"
    mean = Claim(HERE, UpToConstant(Expected(share <= 1)))
    assert mean.draw == claim.draw


def test_common_parts_are_computed_once(s):
    T = s.phi * diagonal_of(s.tau) * s.phi.T * diagonal_of(s.rho)
    claim = Claim(HERE, Holds(spectral_radius(T) <= trace(T)))
    assert len(claim.shared) == 1
    assert claim.measure.keys().isdisjoint(claim.shared)


def diagonal_of(vector):
    from boundcheck.expressions import diagonal

    return diagonal(vector)


def test_a_field_given_to_a_claim_may_take_its_size_from_another_symbol(s):
    m = world("m", Integer(2, 3))
    claim = Claim(HERE, Holds(norm(s.x) >= 0), domains={s.x: Vector(m, 0, 1)})
    assert claim.worlds.names == ("n", "m", "x") and claim.fields["x"].size == "m"
    assert verify("t/a:s", claim).outcome in ("supported", "proved")


def test_a_domain_of_its_own_stands_for_that_of_the_setting(s):
    claim = Claim(HERE, Holds(norm(s.x) * s.t >= 0), domains={s.n: Integer(1, 1)})
    assert claim.worlds.fields["n"] == Integer(1, 1)


def test_two_symbols_of_one_name_are_an_error(s):
    other = parameter("t", Real(0, 1))
    with pytest.raises(MalformedStatement, match="two symbols are called t"):
        Claim(HERE, Holds(s.t <= norm(s.x) + other))


def test_opaque_quantities_stand_beside_definitions(s):
    z = sympy.Symbol("z", real=True)
    claim = Claim(HERE, Holds(z <= norm(s.x)), measure={z: lambda x: max(abs(v) for v in x)})
    assert verify("t/a:f", claim).outcome == "supported"


def test_an_explicit_field_stands_for_that_of_a_symbol(s):
    from boundcheck.worlds import Space

    claim = Claim(HERE, Holds(norm(s.x) <= 2), worlds=Space(n=Integer(1, 4), x=Vector("n", 0, 1)))
    assert claim.worlds.fields["x"] == Vector("n", 0, 1)


def test_an_outcome_brings_what_its_law_needs(s):
    fresh = world("m", Integer(1, 3))
    weights = world("w", Vector(fresh))
    drawn = outcome("c", Counts("c", weights, fresh))
    claim = Claim(HERE, Expected(drawn[0] >= 0))
    assert claim.worlds.names == ("m", "w")


@pytest.mark.parametrize("made", [
    lambda: Counts("c", "w", 1), lambda: Signs("xi", 1), lambda: Indices("i", "w", sympy.S(2)),
    lambda: Each("c", (1, 2)),
])  # fmt: skip
def test_the_length_of_a_draw_is_a_symbol(made):
    """A number there would be an undefined symbol of the statement."""
    with pytest.raises(InvalidArgument, match="names nothing; give the symbol, as one = world"):
        made()


def test_what_an_average_runs_over_is_not_shared(s):
    Z = s.x[s.sample[0]] * s.t
    first, second = average(total(Z * s.x[s.i], s.i), s.sample), average(Z**2, s.sample)
    both = average(total(Z * s.x[s.i], s.i) ** 2, s.sample)
    claim = Claim(HERE, Holds(first**2 <= both + second))
    assert not any("sample" in claim.arguments(q) for q in claim.measured.values())
    assert verify("t/a:g", claim, budget="brief").outcome in ("supported", "proved")


def fingerprint_of(expr):
    return Claim(HERE, Holds(define("value", expr) >= 0)).fingerprint()


def test_the_digest_covers_what_an_expression_rests_on(s):
    plain = fingerprint_of(total(s.x[s.i] ** 2, s.i))
    assert plain == fingerprint_of(total(s.x[s.i] ** 2, s.i))
    assert plain != fingerprint_of(total(s.x[s.i] ** 2 + 0 * s.t + s.x[s.i], s.i))
    shorter = index("i", s.n - 1)
    assert plain != fingerprint_of(total(s.x[shorter] ** 2, shorter))


def test_the_digest_covers_the_code_of_primitives(s):
    def made(function):
        return fingerprint_of(primitive()(function)(s.t))

    def one(x):
        return x

    def two(x):
        return x + 0

    two.__name__, two.__qualname__ = one.__name__, one.__qualname__
    assert made(one) != made(two)


def test_the_digest_does_not_depend_on_what_was_evaluated(s):
    claims = [Claim(HERE, Holds(define("value", norm(s.x) * s.t) >= 0)) for _ in range(2)]
    verify("t/a:h", claims[0], controls=False)
    _ = [q.estimator for q in claims[0].measure.values()]
    assert claims[0].fingerprint() == claims[1].fingerprint()


def test_a_probability_beside_a_bound_is_no_crash_of_the_prover(s):
    chance = probability(norm(s.gram * s.signs) >= s.t, s.signs)
    verdict = verify("t/a:i", Claim(HERE, Holds(chance <= 1)), controls=False)
    assert verdict.outcome == "proved"


def test_a_symbol_of_the_same_name_may_stand_for_another(s):
    size = world("size", Real(1, 2))
    scaled = world("t", Derived(lambda size: 3 * size), rank=0, needs=(size,))
    claim = Claim(HERE, Holds(s.t <= 6), domains={s.t: scaled})
    assert claim.worlds.names == ("size", "t") and claim.parameters == {}
    assert verify("t/a:s", claim).outcome == "supported"  # proofs do not read a rule in Python
    fixed = Claim(HERE, Holds(s.t + size >= 4), domains={s.t: define("t", 2 * size)})
    assert fixed.worlds.names == ("size",) and [q.name for q in fixed.measure] == ["t"]
    assert verify("t/a:f", fixed).outcome == "refuted"  # 3 size >= 4 fails at size = 1


def test_parts_that_read_alike_stay_two(s):
    @primitive(batch=None, text=lambda shown: shown[0])
    def twice(x):
        return 2 * x

    @primitive(batch=None, text=lambda shown: shown[0])
    def thrice(x):
        return 3 * x

    one, other = define("one", twice(s.t) + thrice(s.t)), define("other", twice(s.t) - thrice(s.t))
    claim = Claim(HERE, Holds(one + other <= 4 * s.t), given=[s.t > 0])
    assert len(claim.shared) == 2
    assert verify("t/a:two", claim).outcome == "supported"  # 5 t - t = 4 t


def test_the_same_objects_are_computed_once_and_others_anew(s):
    calls = []

    @primitive(batch=None)
    def counted(x):
        calls.append(x)
        return x

    (definition,) = Claim(HERE, Holds(counted(s.t) <= s.t)).measure.values()
    first, second = fmpq(10**20, 3), fmpq(10**20, 3)
    assert [definition(v) for v in (first, first, second, first)] == [first] * 4
    assert len(calls) == 2
    with precision(192):
        assert definition(first) == first and len(calls) == 3


@pytest.mark.parametrize("kind", [Undefined, Undecided])
def test_what_has_no_value_is_computed_once_too(s, kind):
    calls = []

    @primitive(batch=None)
    def missing(x):
        calls.append(x)
        raise kind(f"none at {x}")

    (definition,) = Claim(HERE, Holds(missing(s.t) <= s.t)).measure.values()
    first, second = fmpq(10**20, 3), fmpq(10**20, 7)
    for value, count in ((first, 1), (first, 1), (second, 2), (first, 2)):
        with pytest.raises(kind, match=f"none at {value}"):
            definition(value)
        assert len(calls) == count


def test_a_tie_that_balls_cannot_settle_is_told_by_a_text_made_once(s, monkeypatch):
    tie = indicator(sqrt(s.t) * sqrt(s.t + 1) >= sqrt(s.t**2 + s.t))
    definition, printed = Definition(tie), []
    monkeypatch.setattr(type(tie.condition), "__str__", lambda own: printed.append(own) or "tie")
    for value in (fmpq(2), fmpq(5), fmpq(7)):
        with pytest.raises(Undecided, match="whether tie"):
            definition(value)
    assert len(printed) == 1


def test_what_is_cut_or_a_probability_says_its_ends(s):
    top = sympy.Symbol("a", real=True)
    cut = Definition(clipped(s.t, 0, 2 * top))
    assert cut.bounds_in() == (0, 2 * top)
    assert Definition(indicator(s.t > 1)).bounds_in() == (0, 1)
    assert Definition(s.t + 1).bounds_in() is None
    for value, kept in ((-1, 0), (1, 1), (7, 6)):
        assert cut(fmpq(3), fmpq(value)) == kept == cut.estimator(3.0, float(value))


def test_a_value_cut_at_reversed_ends_is_the_upper_one_in_both_readings():
    """min(max(v, 2), -1) = -1 for every v, as the formula that is printed says."""
    for value in (-5, 0, 5):
        assert clipped(fmpq(value), fmpq(2), fmpq(-1)) == -1
        assert float(PRIMITIVES[clipped.token.name].batch(float(value), 2.0, -1.0)) == -1


@pytest.mark.parametrize("wrong, part", [
    (lambda t: sympy.Mod(t, 2) <= 2, "Mod"), (lambda t: sympy.zeta(t) <= 2, "zeta"),
    (lambda t: define("area", sympy.Integral(exp(-t), (t, 0, 1))) <= 1, "Integral"),
    (lambda t: total(sympy.I * t, index("i", 3)) >= 0, "ImaginaryUnit"),
    (lambda t: 1e400 * t <= 1, "infinity"),
])  # fmt: skip
def test_a_part_without_an_exact_rule_is_refused_where_it_is_written(s, wrong, part):
    with pytest.raises(MalformedStatement, match=part):
        Claim(HERE, Holds(wrong(s.t))).worlds  # noqa: B018


@pytest.mark.parametrize("wrong", [
    sympy.oo, -sympy.oo, sympy.zoo, sympy.nan, sympy.I, sympy.Mod(sympy.Symbol("a", real=True), 2),
])  # fmt: skip
def test_a_part_without_an_exact_rule_is_refused_of_plain_symbols_too(wrong):
    a = sympy.Symbol("a", real=True)
    for relation in (Eq(a, wrong, evaluate=False), sympy.And(a <= 1, Eq(a, wrong, evaluate=False))):
        for stated, given in ((relation, []), (a <= 1, [relation])):
            with pytest.raises(MalformedStatement, match=r"has no rule|with infinity"):
                Claim(HERE, Holds(stated), given=given, parameters={a: Real(0, 1)})
    with pytest.raises(MalformedStatement, match=r"has no rule|with infinity"):
        Claim(HERE, WithProbability(wrong, a <= 1), parameters={a: Real(0, 1)})


def test_a_definition_that_refers_to_itself_is_one_line_at_import(s):
    a, b = sympy.symbols("a b", real=True)
    alone = define("a", s.t + a)
    first, second = define("a", s.t * b), define("b", a / s.t)
    for circle, way in ((Holds(alone <= 1), "a -> a"), (Holds(first + second <= 1), "a -> b -> a")):
        with pytest.raises(MalformedStatement, match=f"refers to itself .{way}.; break the circle"):
            Claim(HERE, circle)
    with pytest.raises(MalformedStatement, match="refers to itself"):
        Claim(HERE, Holds(a <= 1), measure={a: lambda b: b, b: lambda a: a})


def test_an_entry_of_a_long_outcome_does_not_copy_it(monkeypatch):
    def copies(arguments):
        raise AssertionError("a sum over entries would take the square of their number")

    monkeypatch.setattr("boundcheck.expressions.nodes.handed", copies)
    assert entry.value(tuple(range(10**6)), 7) == 7


def test_one_sample_is_not_drawn_twice():
    """(1/m) sum_i f(X_i) read from the list and from the counts is one number, not two."""
    m, p = classes.m, classes.p
    i, k, f = index("i", m), index("k", classes.Z), world("f", Vector(classes.Z))
    both = Eq(total(f[classes.sample[i]], i), total(classes.counts[k] * f[k], k))
    with pytest.raises(MalformedStatement) as told:
        Claim(HERE, Holds(both))
    assert str(told.value) == (
        "counts and sample would be two independent samples of m draws from p; use one of them, "
        "or a second number of draws for a second sample"
    )
    features = random_features
    with pytest.raises(MalformedStatement, match="times and V would be two independent samples"):
        Claim(HERE, Holds(features.times[0] + features.V[0] >= 0))
    few = parameter("few", Integer(1, searched=3))
    second = outcome("second", Indices("second", p, few))
    assert len(Claim(HERE, Holds(classes.counts[0] + second[0] >= 0)).draw.members) == 2
    assert Claim(HERE, Holds(average(classes.counts[0], classes.counts) <= m + classes.sample[0]))
