"""Search: admissible settings, repair of hypotheses, shrinking, and its own power."""

import math

import numpy
import pytest
import sympy
from flint import fmpq

from boundcheck import Claim, Holds, Source, WithProbability
from boundcheck.checks import enumeration
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.encoding import decode
from boundcheck.engine import verify
from boundcheck.search import admissible
from boundcheck.search.admissible import Candidates
from boundcheck.search.objective import assess
from boundcheck.search.shrink import _written, complexity, digits, dimensions
from boundcheck.setting import Setting
from boundcheck.worlds import Counts, Integer, Real, Space, Weights, scalar_laws, symmetric_matrices

M, lam, u, v = sympy.symbols("M lambda u v", real=True)
PLACE = Source("Test", 2026, "Search").at("here")


def claim(**changes):
    base = {"source": PLACE, "statement": Holds(u <= v)}
    return Claim(**{**base, **changes})


def test_parameters_are_moved_onto_their_bounds():
    tested = claim(
        statement=Holds(M >= 1), given=[100 / lam**2 <= M, lam > 0],
        parameters={lam: Real(0, 1), M: Integer(1, searched=10**40)},
    )  # fmt: skip
    candidates, rng = Candidates(tested), numpy.random.default_rng(0)
    found = [candidates.random(rng) for _ in range(300)]
    inside = [c for c in found if c is not None]
    assert len(inside) > 200
    for candidate in inside:
        assert candidate.setting("M") * candidate.setting("lambda") ** 2 >= 100
    tight = [c for c in inside
             if (c.setting("M") - 1) * fmpq(c.setting("lambda")) ** 2 < 100]  # fmt: skip
    assert len(tight) > 50


def test_implicit_conditions_are_met_by_doubling():
    tested = claim(
        statement=Holds(M >= 1), given=[M / sympy.log(M) >= 50],
        parameters={M: Integer(2, searched=10**9)}
    )
    candidates, rng = Candidates(tested), numpy.random.default_rng(0)
    assert all(candidates.random(rng) is not None for _ in range(20))


def test_a_range_beyond_counting_is_no_end_to_what_a_hypothesis_asks():
    """Where search looks up to 10^12 a number may be moved on, where it looks up to 9 it may not;
    with `far` it may."""
    for top, far, met in ((10**12, False, True), (9, False, False), (9, True, True)):
        tested = claim(
            statement=Holds(M >= 1), given=[10**30 * lam <= M],
            parameters={M: Integer(1, searched=top, wide=True), lam: Real(1, 2)},
        )  # fmt: skip
        found = Candidates(tested, far=far).random(numpy.random.default_rng(0))
        assert (found is not None) == met


def test_worlds_that_break_a_hypothesis_are_counted_not_used():
    tested = claim(given=[u > 2], parameters={u: Real(0, 1), v: Real(0, 1)})
    verdict = verify("search/empty", tested, controls=False)
    assert verdict.outcome == "undecided" and "u > 2" in verdict.summary


def test_a_counterexample_is_shrunk_to_few_digits():
    tested = claim(statement=Holds(u * v <= 1), parameters={u: Real(0, 5), v: Real(0, 5)})
    verdict = verify("search/shrink", tested, controls=False)
    assert verdict.outcome == "refuted"
    assert sum(digits(value) for value in verdict.witness.values.values()) <= 8


@pytest.mark.parametrize("seed", range(3))
def test_narrow_violations_are_found(seed):
    """True outside a region of volume 1e-4: uniform sampling of the budget misses it mostly."""
    gap = sympy.Rational(1, 100)
    tested = claim(
        statement=Holds((u - gap) ** 2 + (v - gap) ** 2 >= gap**2 / 2),
        parameters={u: Real(0, 1), v: Real(0, 1)},
    )
    verdict = verify("search/narrow", tested, seed=seed, controls=False, budget=BUDGETS["standard"])
    assert verdict.outcome == "refuted"


def refuted(tested, seed=0):
    found = enumeration.run(Task("search/shrink", tested, BUDGETS["quick"], seed))
    assert found.outcome == "refuted"
    return {name: decode(value) for name, value in found.witness.values.items()}, found.numbers


@pytest.mark.parametrize("seed", range(3))
def test_superfluous_points_are_dropped_and_weights_made_equal(seed):
    """E X^2 <= (E X)^2 fails first on two points; nobody would draw more, or unequal weights."""
    mean, second = sympy.symbols("mean second", real=True)
    tested = claim(
        statement=Holds(second <= mean**2), worlds=scalar_laws(atoms=6, low=-3, high=3),
        measure={
            mean: lambda x, p: sum(u * w for u, w in zip(x, p, strict=True)),
            second: lambda x, p: sum(u * u * w for u, w in zip(x, p, strict=True)),
        },
    )  # fmt: skip
    values, numbers = refuted(tested, seed)
    assert values["K"] == 2 and values["p"] == (fmpq(1, 2), fmpq(1, 2))
    assert numbers["digits"] <= 8 and numbers["atoms"] == 2


def test_an_integer_that_no_list_is_as_long_as_is_made_smaller():
    n, x = sympy.symbols("n x", real=True)
    tested = claim(statement=Holds(n * x <= 10**25), worlds=Space(
        n=Integer(1, searched=10**40, wide=True, small=True), x=Real(0, 1)))  # fmt: skip
    values, _ = refuted(tested, 0)
    assert values["n"] < 10**27


@pytest.mark.parametrize("seed", range(3))
def test_matrices_shrink_by_rows_and_columns(seed):
    """A product of two symmetric matrices need not be symmetric: two by two shows it."""
    gap = sympy.Symbol("gap", real=True)
    tested = claim(
        statement=Holds(gap <= 0), worlds=symmetric_matrices(size=4),
        measure={gap: lambda A, B: sum(abs(v) for v in (A * B - B * A).entries())},
    )  # fmt: skip
    values, numbers = refuted(tested, seed)
    assert values["d"] == 2 and numbers["digits"] <= 10


def test_parameters_moved_onto_a_bound_are_written_shortly():
    tested = claim(
        statement=Holds(M <= 100), given=[10 / lam**2 <= M, lam > 0],
        parameters={lam: Real(0, 1), M: Integer(1, searched=10**12)},
    )  # fmt: skip
    values, _ = refuted(tested)
    # At least half the violation on a log scale is kept, and that in two digits.
    assert len(str(values["M"]).rstrip("0")) <= 2 and digits(values["lambda"]) <= 3


def test_written_numbers_come_shortest_first():
    found = list(_written(fmpq(31415926, 10**7), False))
    assert fmpq(3) in found and fmpq(22, 7) not in found
    sizes = [complexity(value) for value in found]
    assert sizes == sorted(sizes)
    assert 4_000_000 in list(_written(3_999_123, True))


def test_complexity_prefers_what_people_draw():
    zero, one, half, odd = fmpq(0), fmpq(1), fmpq(1, 2), fmpq(123, 457)
    assert complexity(zero) < complexity(one) < complexity(-one) < complexity(half)
    assert complexity(half) < complexity(odd)
    assert complexity((half, half)) < complexity((half, fmpq(1, 3)))
    assert dimensions({"rho": (half, half), "tau": (one,)}) == {
        "points": 2, "features": 1, "digits": 5,
    }  # fmt: skip


def test_zero_against_zero_says_nothing_and_violates_a_strict_sign():
    x, t = sympy.symbols("x t", real=True)
    domain = {x: Real(0, 1), t: Real(0, 1)}
    for relation, score, violated in (
        (x * t <= t, 0.0, False), (x * t < t, 1.0, True), (x * t <= 2 * t, 0.0, False),
    ):  # fmt: skip
        claim = Claim(source=PLACE, statement=Holds(relation), parameters=domain)
        found = assess(Setting(claim, {"x": fmpq(1, 2), "t": fmpq(0)}), outcomes=1)
        assert (found.score, found.violated) == (score, violated)


def test_sides_too_small_for_floats_are_compared_all_the_same():
    n, c = sympy.symbols("n c", real=True)
    claim = Claim(
        source=PLACE, statement=Holds(sympy.exp(-n) <= c * sympy.exp(-n)),
        parameters={n: Integer(1, searched=10**9), c: Real(1, 3)},
    )  # fmt: skip
    found = assess(Setting(claim, {"n": 10**6, "c": fmpq(2)}), outcomes=1)
    assert found.score == pytest.approx(0.5) and not found.violated


def test_a_probability_of_at_least_zero_is_no_promise():
    """Whatever the draw does: such a world is not counted as tested."""
    x, delta = sympy.symbols("x delta", real=True)
    claim = Claim(
        source=PLACE, statement=WithProbability(1 - delta, x <= 0), worlds=Space(tau=Weights(2)),
        parameters={delta: Real(0, 3)}, draw=Counts("counts", "tau", "M"),
        measure={x: lambda counts: counts[0], sympy.Symbol("M", real=True): lambda: 1},
    )  # fmt: skip
    half = (fmpq(1, 2), fmpq(1, 2))
    for level, score in ((fmpq(3, 2), None), (fmpq(1), None), (fmpq(3, 4), 0.0)):
        found = assess(Setting(claim, {"tau": half, "delta": level}), outcomes=10)
        assert math.isnan(found.score) if score is None else found.score == score


@pytest.mark.parametrize("power", [1, 16, 17, 31, 35, 71, 143, 160])
@pytest.mark.parametrize("upwards", [True, False])
def test_doubling_finds_the_first_power_that_meets_a_hypothesis(monkeypatch, power, upwards):
    """Powers left out on the way are gone back to, and a range that ends between two is used up."""
    edge = fmpq(2) ** (power if upwards else -power)
    met = (lambda v: v >= edge) if upwards else (lambda v: v <= edge)
    found, count = _first(monkeypatch, met, upwards, None, None)
    assert found == (edge, edge / 2 if upwards else edge * 2) and count <= 52
    ends = (None, edge) if upwards else (edge, None)
    assert _first(monkeypatch, lambda v: v == edge, upwards, *ends)[0] == found


def test_doubling_gives_up_after_few_values(monkeypatch):
    for never, most in ((False, 44), (None, 7)):
        found, count = _first(monkeypatch, lambda v, never=never: never, True, None, None)
        assert found is None and count == most


def test_halving_an_integer_ends_at_one(monkeypatch):
    tried = []
    found, _ = _first(monkeypatch, tried.append, False, None, None, start=5, whole=True)
    assert found is None and tried == [3, 2, 1]


def _first(monkeypatch, met, upwards, low, high, start=1, whole=False):
    """What `_first_met` finds for a hypothesis on one parameter, and at how many values."""
    seen = []
    monkeypatch.setattr(
        admissible, "_met", lambda moved, failed: seen.append(moved("u")) or met(moved("u"))
    )
    field = Integer(1, searched=9) if whole else Real(0, None)
    candidates = Candidates(claim(parameters={u: field, v: Real(0, 1)}))
    candidates.ends = lambda field, earlier: (low, high)
    setting = Setting(candidates.claim, {"u": fmpq(start), "v": fmpq(1)})
    return candidates._first_met(setting, "u", u > 0, upwards), len(seen)
