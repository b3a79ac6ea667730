"""Rescalings: alike on both sides, a violation somewhere on the orbit, no constant at all."""

import pytest
from flint import fmpq, fmpq_mat
from sympy import Eq, symbols

from boundcheck import Claim, Expected, Holds, Source
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.checks.invariance import along, rescaled, run, side_ratio
from boundcheck.claim import Rescaling, UpToConstant
from boundcheck.encoding import decode
from boundcheck.expressions import define, index, parameter, total, transpose, world
from boundcheck.search.admissible import Candidates
from boundcheck.setting import Setting
from boundcheck.worlds import Indices, Integer, Matrix, Real, Space, Vector, Weights

norm, mean, picked = symbols("norm mean picked", real=True)
c, lam = symbols("c lambda", real=True)
BY_S = Rescaling("features by s", {"v": 1})
WORLDS = Space(n=Integer(1, searched=3), v=Vector("n"), rho=Weights("n"))


def square(v):
    return sum((entry**2 for entry in v), fmpq(0))


def average(v, rho):
    return sum((a * b for a, b in zip(v, rho, strict=True)), fmpq(0))


def make(statement, rescaling=BY_S, **fields):
    settings = {
        "source": Source("A", 2024, "Example").at("1"), "statement": statement, "worlds": WORLDS,
        "measure": {norm: square, mean: average}, "rescalings": (rescaling,),
    }  # fmt: skip
    return Claim(**{**settings, **fields})


N = world("n", Integer(1, searched=3))
VECTOR = world("v", Vector(N))
RHO = world("rho", Weights(N))
K = index("k", N)
MEAN = define("mean", total(RHO[K] * VECTOR[K], K))
LENGTH = define("norm", total(VECTOR[K] ** 2, K))


def told(statement, rescaling=BY_S, **fields):
    """The same with quantities that are expressions."""
    source = Source("A", 2024, "Example").at("1")
    return Claim(source=source, statement=statement, rescalings=(rescaling,), **fields)


def check(claim):
    return run(Task("a/b:c", claim, BUDGETS["quick"]))


def test_a_homogeneous_statement_is_unchanged():
    found = check(make(Holds(mean**2 <= norm)))
    assert found.outcome is None and "unchanged under features by s" in found.detail
    assert found.numbers["orbits"]["features by s"]["worlds"] > 0


def test_a_missing_square_fails_on_the_orbit():
    # mean <= 1 + norm / 4 ... holds for |v| <= 1 and all large v; mean^2 <= 1 fails at s = 2^k.
    found = check(make(Holds(mean**2 <= 1)))
    assert found.outcome == "refuted" and found.kind == "exact"
    assert found.witness.extra["rescaling"] == "features by s"
    values = {key: decode(value) for key, value in found.witness.values.items()}
    assert average(values["v"], values["rho"]) ** 2 > 1


def test_a_constant_that_may_depend_on_what_moves_is_not_refuted_by_the_move():
    assert check(told(UpToConstant(LENGTH <= 1))).outcome == "refuted"
    found = check(told(UpToConstant(LENGTH <= 1, depends=("v",))))
    assert found.outcome is None and "moves v, on which the constant may depend" in found.detail


def test_small_scales_are_tried_too():
    found = check(make(Holds(norm <= norm**2 + 1 - (norm**2 + 1) / 2 + norm / 2)))
    assert found.outcome is None  # (norm - 1)^2 >= 0: true, and not homogeneous
    found = check(make(Holds(norm <= 4 * norm**2), given=[norm > 0]))
    assert found.outcome == "refuted" and "2^-" in found.witness.extra["scale"]


def test_hypotheses_stop_the_orbit():
    found = check(make(Holds(mean**2 <= 3), given=[norm <= 3]))
    assert found.outcome is None


def test_no_constant_survives_a_power_of_s():
    claim = told(UpToConstant(LENGTH <= MEAN), given=[MEAN > 0])
    found = check(claim)
    assert found.outcome == "refuted" and found.kind == "trend"
    assert found.numbers["exponent"] == 1
    assert found.witness.shown == {"law": "left / right grows at least as t"}
    assert found.witness.extra["ray"] == {"v": ["1", "0"]}


def test_a_hypothesis_that_python_defines_is_not_certified_along_an_orbit():
    found = check(make(UpToConstant(norm <= mean), given=[mean > 0]))
    assert found.outcome is None


def test_the_inverse_direction_counts_as_growth():
    found = check(told(UpToConstant(MEAN <= LENGTH), given=[MEAN > 0]))
    assert found.outcome == "refuted" and found.numbers["exponent"] == -1


def test_statements_up_to_a_constant_that_scale_alike_stay():
    assert check(make(UpToConstant(mean**2 <= norm))).outcome is None


def test_parameters_move_with_the_world():
    both = Rescaling("features by s, lambda by s^2", {"v": 1, "lambda": 2})
    parameters = {lam: Real(0, None, open_low=True)}
    held = check(make(Holds(mean**2 / lam <= norm / lam), both, parameters=parameters))
    assert held.outcome is None
    scale = parameter("lambda", Real(0, None, open_low=True))
    broken = told(UpToConstant(LENGTH / scale <= scale), both, given=[LENGTH > 0])
    assert check(broken).numbers["exponent"] == -2


def test_expectations_are_followed_along_the_orbit():
    drawn = {"draw": Indices("sample", "rho", "k"), "worlds": WORLDS.and_fields(k=Integer(1, 1)),
             "measure": {picked: lambda v, sample: v[sample[0]] ** 2, norm: square}}  # fmt: skip
    assert check(make(Expected(picked <= norm), **drawn)).outcome is None
    assert check(make(Expected(picked <= 1), **drawn)).outcome == "refuted"


def test_no_rescaling_no_word():
    assert "no rescaling" in check(make(Holds(mean**2 <= norm), rescalings=())).detail


def test_a_rescaling_of_nothing_is_said_aloud():
    assert "which no world has" in check(make(Holds(mean <= 1), Rescaling("w", {"w": 1}))).detail


def test_ratios_are_exact_powers():
    claim = make(Holds(norm <= mean))
    setting = Setting(claim, {"n": 2, "v": (fmpq(1), fmpq(2)), "rho": (fmpq(1, 2), fmpq(1, 2))})
    step = side_ratio(rescaled(setting, BY_S, 7)) - side_ratio(setting)
    assert step == pytest.approx(7, abs=1e-12)


def test_a_relation_of_matrices_has_no_ratio_and_is_moved_all_the_same():
    A = world("A", Matrix(2, 2), units={"matrix": 1})
    source = Source("A", 2024, "Example").at("1")
    found = check(Claim(source, Holds(Eq(transpose(A * A), A.T * A.T))))
    assert "unchanged under matrices by s" in found.detail
    assert found.numbers["orbits"]["matrices by s"]["settings"] > 0
    idempotent = Claim(source, Holds(Eq(A * A, A)))
    task, (scale,) = Task("a/b:c", idempotent, BUDGETS["quick"]), idempotent.rescalings
    one = Candidates(idempotent).from_values({"A": fmpq_mat([[1, 0], [0, 1]])})
    refuted = along(task, scale, [one])
    assert refuted.outcome == "refuted" and "fails at s = 2" in refuted.detail
