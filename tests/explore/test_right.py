"""Requirements that were once wrong: expressions as values, facts, ends of search, levels."""

import math

import pytest
import sympy
from flint import fmpq
from sympy import And, Ne, exp, log, sqrt, symbols

from boundcheck import Claim, Holds
from boundcheck.claim import WithProbability
from boundcheck.errors import InvalidArgument
from boundcheck.explore import compare, elasticity, limit_at, require
from boundcheck.explore.conditions import as_system
from boundcheck.explore.facts import facts_of
from boundcheck.expressions import define, norm as norm_of, parameter, world
from boundcheck.quantities import known
from boundcheck.setting import Setting
from boundcheck.worlds import Integer, Real, Space, Vector

from .conftest import OTHER, PLACE, B, T, delta, iterations, lam, m, n, p, t

tail, rate, mass, norm = symbols("tail rate mass norm", real=True)


def by_definition(**changes):
    """A bound that is a definition in lambda, not a symbol of any condition."""
    fields = {
        "source": PLACE, "statement": Holds(norm <= tail), "given": [lam > 0, t >= 1],
        "parameters": {lam: Real(0, None, open_low=True), t: Integer(1, searched=9),
                       m: Real(0, None, open_low=True)},
        "worlds": Space(v=Vector(2)),
        "measure": {tail: lambda lambda_, t: fmpq(1) / (lambda_ * t),
                    norm: lambda v: v[0] ** 2},
    }  # fmt: skip
    return Claim(**{**fields, **changes})


def test_a_value_given_as_an_expression_reaches_definitions():
    # 1 / (lambda t) <= 1/100 with lambda = m/40, m = 4: t >= 1000.
    need = require(by_definition(), "t", {"lambda": "m/40", "m": 4}, "tail <= 0.01")
    assert need.answer == 1000
    plain = require(by_definition(), "t", {"lambda": "0.1"}, "tail <= 0.01")
    assert plain.answer == 1000


def test_values_defined_by_each_other_are_refused():
    with pytest.raises(InvalidArgument, match="expressions of each other"):
        require(by_definition(), "t", {"lambda": "m/40", "m": "lambda"}, "tail <= 0.01")


def test_a_given_expression_stays_in_its_range():
    with pytest.raises(InvalidArgument, match=r"no admissible point|hypothesis is false"):
        require(by_definition(), "t", {"lambda": "-m", "m": 4}, "tail <= 0.01")


def test_a_target_on_the_left_side_is_asked_of_the_bound():
    # excess <= 2 exp(-a (2 gamma + t)): the guarantee 1/100 comes from the right side.
    given = {"gamma": 500, "lambda": "0.001", "delta": 0.3, "norm": 1, "t": "T"}
    left = require(iterations(), "T", given, "excess <= 0.01")
    assert left.answer == require(iterations(), "T", given, "rhs <= 0.01").answer


def test_the_level_can_be_a_target():
    need = require(iterations(), "delta", {"lambda": 1, "T": 10**9, "gamma": 9}, "level >= 0.99")
    assert need.sense == "least" and need.other_end == sympy.Rational(1, 100)
    high = require(iterations(), "delta", {"lambda": 1, "T": 10**9, "gamma": 9}, "level >= 0.99",
                   sense="greatest")  # fmt: skip
    assert high.answer == sympy.Rational(1, 100)


def bounded(**changes):
    fields = {
        "source": PLACE, "statement": Holds(norm <= 1), "given": [norm > delta, delta > 0],
        "parameters": {delta: Real(0, None, open_low=True)}, "worlds": Space(v=Vector(2)),
        "measure": known({norm: lambda v: abs(v[0])}, norm >= 0, norm <= sympy.Rational(1, 2)),
    }  # fmt: skip
    return Claim(**{**fields, **changes})


def test_facts_exclude_impossible_points():
    assert facts_of(bounded(), norm) == [norm >= 0, norm <= sympy.Rational(1, 2)]
    with pytest.raises(InvalidArgument, match=r"norm = 1 is outside \(0, 1/2\]"):
        require(bounded(), "delta", {"norm": 1})
    need = require(bounded(), "norm", {"delta": "1/10"})
    assert float(need.answer) == pytest.approx(0.1) and need.sense == "least"
    assert need.assumed == {} and require(bounded(), "delta").assumed["norm"] <= fmpq(1, 2)
    with pytest.raises(InvalidArgument, match=r"delta = 1 is outside \(0, 1/2\)"):
        require(bounded(), "norm", {"delta": 1})  # which norm > delta says, as norm <= 1/2


@pytest.mark.parametrize("target", ["delta <= 0", "delta > 2"])
def test_a_target_outside_the_range_of_its_symbol_has_no_admissible_point(target):
    message = f"no admissible point: the target {target}, but delta lies in .* always; change the"
    with pytest.raises(InvalidArgument, match=message):
        require(several(n >= 1 / delta, {
            n: Integer(1, searched=10), delta: Real(0, 1, open_low=True, open_high=True),
        }), "n", target=target)  # fmt: skip


def test_facts_between_symbols_exclude_points():
    claim = bounded(
        given=[norm > 0, B > 0], parameters={B: Real(0, None, open_low=True)},
        measure=known({norm: lambda v: v[0] ** 2}, norm >= 0, norm <= B**2),
    )  # fmt: skip
    beyond = r"no admissible point: the target norm >= 5, but norm lies in \(0, 1\] always"
    with pytest.raises(InvalidArgument, match=beyond):
        require(claim, "norm", {"B": 1}, "norm >= 5")
    with pytest.raises(InvalidArgument, match=r"no admissible point: .*norm <= B\*\*2 always"):
        require(claim, "B", {"norm": 5}, "B <= 1")


def several(relation, parameters):
    """A claim with one condition on several numbers."""
    return Claim(source=PLACE, statement=Holds(relation), given=[relation], parameters=parameters)


def single(relation, symbol, low=None, high=None, **more):
    """A claim with one condition on one number."""
    return Claim(source=PLACE, statement=Holds(symbol <= exp(symbol)), given=[relation],
                 parameters={symbol: Real(low, high, **more)})  # fmt: skip


def test_ends_of_ranges_are_no_requirements():
    # 1/x <= 2^40 x holds on all of [1/1000, 10].
    x = symbols("x", real=True)
    need = require(single(1 / x <= 2**40 * x, x, "1/1000", 10), "x")
    assert need.sense == "any" and need.answer is None
    assert "every x that was tried will do" in str(need)
    assert "1/1000" not in str(need)
    # x = 0 has no value and is no size either.
    assert require(single(Ne(x, 0), x), "x").sense == "any"


def test_an_end_that_a_condition_shares_with_the_range_is_one():
    x = symbols("x", real=True)
    need = require(single(2 * x < 1, x, 0, "1/2", open_low=True, open_high=True), "x")
    assert need.sense == "greatest" and float(need.answer) == pytest.approx(0.5)


def test_an_end_that_is_not_attained_is_told_so():
    real = {t: Real(0, None), p: Real(0, None)}
    need = require(several(t > 3 * p, real), "t", {"p": "0.01"})
    assert need.strict and ": t more than 0.03" in str(need)
    assert "t more than 0.03" in need._repr_html_()
    assert need._repr_latex_() == r"$\displaystyle t > 3 p = 0.03$"
    whole = {n: Integer(1, searched=10), m: Integer(1, searched=10)}
    below = require(several(n < m, whole), "n", {"m": 10})
    assert not below.strict and ": n at most 9" in str(below)
    assert below._repr_latex_() == r"$\displaystyle n < m,\quad n \le 9$"
    attained = require(several(t >= 3 * p, real), "t", {"p": "1/3"})
    assert attained._repr_latex_() == r"$\displaystyle t \ge 3 p = 1$"


def test_undecided_is_not_failed():
    # 1 >= 1 - 2 exp(-rate) for every rate; far out, exp(-rate) is below any precision.
    claim = Claim(source=PLACE, statement=Holds(rate <= exp(rate)),
                  given=[mass >= 1 - 2 * exp(-rate)],
                  parameters={rate: Real(None, None), mass: Real(0, 1)})  # fmt: skip
    assert require(claim, "rate", {"mass": 1}).sense == "any"
    half = require(claim, "rate", {"mass": "1/2"})
    assert half.sense == "greatest" and float(half.answer) == pytest.approx(math.log(4))


def test_gaps_are_told():
    x = symbols("x", real=True)
    need = require(single((x - 1) * (x - 3) >= 0, x, 0), "x", sense="least")
    assert need.answer is None or len(need.intervals) == 2
    need = require(single((x - 1) * (x - 3) >= 0, x), "x")
    assert need.sense == "least" and need.answer == 3 and len(need.intervals) == 2
    assert "admits" in str(need)


def test_conditions_with_square_roots_of_products_have_closed_forms():
    claim = Claim(
        source=PLACE, statement=Holds(p <= 1),
        given=[lam * B + 2 * B / sqrt(n) + sqrt(log(1 / delta) / n) <= p,
               And(delta > 0, delta < 1)],
        parameters={n: Integer(1, searched=9), lam: Real(0, None), B: Real(0, None),
                    delta: Real(0, 1), p: Real(0, None)},
    )  # fmt: skip
    need = require(claim, "n", {"lambda": "0.01", "B": 2, "delta": "0.1", "p": "0.1"})
    expected = ((4 + math.sqrt(math.log(10))) / 0.08) ** 2
    assert need.formula is not None and need.answer == math.ceil(expected)
    assert require(claim, "n", assume=False).formula is not None


def test_without_a_closed_form_the_conditions_are_the_answer():
    x = symbols("x", real=True)
    claim = Claim(source=PLACE, statement=Holds(x <= exp(x)), given=[x * log(x) >= B],
                  parameters={x: Real(1, None), B: Real(0, None)})  # fmt: skip
    need = require(claim, "x", assume=False)
    assert need.sense == "implicit" and need.missing == ("B",) and "no closed form" in str(need)


def test_an_answer_says_why_it_is_one():
    need = require(iterations(), "T", {"gamma": 500, "lambda": "0.001", "delta": 0.3, "norm": 1})
    assert need.proof.startswith("all conditions hold at 1,") and "one below" in need.proof
    assert need.as_json()["proof"] == need.proof


def test_a_number_that_the_source_fixes_is_freed():
    T_ = symbols("T", real=True)
    claim = Claim(source=PLACE, statement=Holds(sympy.Rational(1, 10**6) >= 36 / (1000 + T_)),
                  measure={T_: lambda: fmpq(12000)})  # fmt: skip
    need = require(claim, "T")
    assert need.answer == 36 * 10**6 - 1000 and need.sense == "least"
    assert "the source has T = 12000, where it fails" in str(need)


def test_statements_that_differ_in_their_level_differ_at_a_point():
    first = iterations(given=[lam > 0])
    second = iterations(
        given=[lam > 0], source=OTHER,
        statement=WithProbability(1 - delta / 2, first.statement.relation),
    )
    found = compare(first, second)
    assert found.levels and [d.what for d in found.differences] == ["the probability"]


def test_a_least_value_is_asked_at_the_values_it_is_printed_with():
    """Moving a value that nobody gave changes the other conditions too."""
    need = require(iterations(), "gamma", {"lambda": "0.001"})
    values = {**need.given, **need.assumed}
    from boundcheck.explore.conditions import System

    system = System(iterations())
    for relation in need.binding:
        assert system.holds(relation, {**values, "gamma": fmpq(int(need.answer))})
        assert system.holds(relation, {**values, "gamma": fmpq(int(need.answer) - 1)}) is False
    assert T in iterations().parameters


def test_rates_and_limits_find_a_symbol_by_its_name():
    own, plain = sympy.Symbol("n", positive=True), sympy.Symbol("n", real=True)
    assert limit_at(1 / sympy.sqrt(own), plain) == 0
    assert elasticity(3 / own**2, plain) == -2


def by_language():
    """A bound that is a definition in a definition of a vector, which stands for itself."""
    v = world("v", Vector(2))
    size = define("size", norm_of(v))
    least = define("least", norm_of(v) / 3, most=sympy.Rational(1, 2))
    share = parameter("share", Real(0, None, open_low=True))
    steps = parameter("steps", Integer(1, searched=9))
    ceiling = define("ceiling", size / (share * steps))
    return Claim(PLACE, Holds(v[0] <= ceiling), given=[least > share, steps >= 1])


def test_a_target_on_a_definition_of_definitions_is_not_dropped():
    # size / (share steps) <= 1/100 with share = size/40: steps >= 4000 whatever the size.
    assert require(by_language(), "steps", {"share": "size/40"}, "ceiling <= 0.01").answer == 4000
    plain = require(by_language(), "steps", {"size": 3, "share": "0.1"}, "ceiling <= 0.01")
    assert plain.answer == 3000 and plain.trials[1].holds is False


def test_what_nobody_gave_lies_below_the_most_that_bounds_it():
    # share < least <= 1/2: it is not assumed to be 1.
    need = require(by_language(), "steps", {"size": 1}, "ceiling <= 0.01")
    assert need.assumed["share"] < fmpq(1, 2)


def test_a_target_without_the_symbol_holds_at_the_answer_and_is_named():
    need = require(iterations(), "T", {"gamma": 500, "lambda": "0.001", "norm": 1},
                   "level >= 0.99")  # fmt: skip
    assert "does not depend on T" in str(need) and need.assumed["delta"] <= fmpq(1, 100)
    with pytest.raises(InvalidArgument, match=r"target does not depend on T and .* fails"):
        require(iterations(), "T", {"delta": "0.3", "norm": 1}, "level >= 0.99")


def test_values_nobody_gave_leave_room_for_a_size():
    # At lambda = B = p = 1 no n will do; what is assumed then does not make every n do.
    claim = Claim(
        source=PLACE, statement=Holds(p <= 1), given=[lam * B + B / sqrt(n) <= p],
        parameters={n: Integer(1, searched=9), lam: Real(0, None, open_low=True),
                    B: Real(0, None, open_low=True), p: Real(0, None, open_low=True)},
    )  # fmt: skip
    need = require(claim, "n")
    assert need.sense == "least" and need.answer > 1 and need.trials[1].holds is False


def test_a_freed_number_keeps_its_sign():
    T_ = symbols("T", real=True)
    claim = Claim(source=PLACE, statement=Holds(sympy.Rational(1, 2) >= 1 / (T_ + 5)),
                  measure={T_: lambda: fmpq(3)})  # fmt: skip
    assert all(low is None or low >= 0 for low, _ in require(claim, "T").intervals)


def test_requirements_speak_the_notation_of_the_field():
    v = world("v", Vector(2))
    claim = Claim(PLACE, Holds(v[0] <= 1), given=[norm_of(v) <= lam],
                  parameters={lam: Real(0, None)})  # fmt: skip
    need = require(claim, "lambda")
    told = need.as_json()
    assert "‖v‖" in told["binding"][0] and told["conditions"][0]["condition"] == told["binding"][0]
    assert told["binding"][0] in str(need.conditions[0])


@pytest.mark.parametrize(("key", "symbol", "target", "answer", "sense"), [
    ("experiment_iterations:printed", "T", "T >= 1e12", 10**12, "least"),
    ("experiment_features:printed", "M", "M >= 1e40", 10**40, "least"),
    ("experiment_step_size:arxiv", "gamma", "gamma <= 100", 100, "greatest"),
    # t >= 2^12 9 log(200) / (lambda m)^2 - 2 gamma.
    ("experiment_bound:printed", "t", "rhs <= 0.01", 101_631_774_503, "least"),
    ("experiment_iterations:printed", "T", None, 1_198_867_534, "least"),
])  # fmt: skip
def test_a_target_on_a_number_that_the_source_fixes_is_asked(key, symbol, target, answer, sense):
    need = require(f"yashima2021/{key}", symbol, target=target)
    assert (need.answer, need.sense) == (answer, sense) and "the source has" in need.note


def test_a_target_that_fails_at_what_follows_from_values_is_refused():
    with pytest.raises(InvalidArgument, match=r"m = 0\.2.* follows from delta, .* there; ask for"):
        require("yashima2021/theorem_3:arxiv", "m", {"delta": "1/20"}, target="m >= 2")
    chosen = require("yashima2021/theorem_3:arxiv", "m", target="m >= 2").assumed
    assert chosen["delta"] > fmpq(3, 8)
    with pytest.raises(InvalidArgument, match=r"m = 1\.38.* is fixed by the source, .* change the"):
        require("yashima2021/experiment_iterations:printed", "m", target="T >= 20000")
    need = require("yashima2021/theorem_3:arxiv", "m", target="m <= 2")
    assert need.sense == "exactly" and need.answer < 1


def test_a_free_choice_is_put_where_the_answer_is_best():
    # lambda + 3.07 / sqrt(n) <= 1/10: least 945 as lambda falls to nothing.
    given = {"epsilon": "0.1", "Q": 1, "L": 1, "B": 1, "delta": "0.1"}
    need = require("wu2021/theorem_4_2:accuracy", "n", given)
    assert need.answer == 945 and need.assumed["lambda"] < fmpq(1, 10**4)
    # The plan with lambda at its best needs 9,755.
    given = {"epsilon": "0.5", "Q": 1, "sigma": "0.5", "delta": "0.1"}
    need = require("wu2021/theorem_4_3:accuracy", "n", given)
    assert 9_750 <= need.answer <= 9_900


def test_an_accuracy_that_nobody_gave_is_no_end_of_a_condition():
    need = require("wu2021/theorem_4_2:accuracy", "n")
    assert need.assumed["epsilon"] >= 2 * need.assumed["lambda"] and need.answer < 100


def test_an_answer_that_is_what_values_were_moved_for_is_refused():
    told = r"delta is limited by .* where M = \d{20} would be chosen for delta = 1/20; give --set M"
    with pytest.raises(InvalidArgument, match=told):
        require("yashima2021/theorem_3_full:arxiv", "delta")
    given = {"M": 10**20, "bias": "0.05"}
    need = require("yashima2021/theorem_3_full:arxiv", "delta", given)
    assert 0.0399 < need.answer < 0.05


def test_an_exponential_of_an_astronomical_number_is_not_multiplied_out():
    size = parameter("size", Integer(1, searched=9))
    steep = size >= sympy.Max(size - sympy.Rational(1, 4), sympy.exp(-size))
    claim = Claim(PLACE, Holds(size >= 0), given=[steep])
    _, system = as_system(claim, None, None)
    assert system._cancelled(steep, Setting(claim, {"size": 2})) is None  # else 2^8000 would be
    assert require(claim, size).answer == 1
