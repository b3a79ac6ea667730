"""Repairs that a reader of the field would have written, and none that only happen to hold."""

import pytest
import sympy
from flint import fmpq
from sympy import Le, Rational, binomial, exp, log, sqrt

from boundcheck import Claim, Holds, Source
from boundcheck.claim import UpToConstant
from boundcheck.diagnosis import diagnose
from boundcheck.diagnosis.domain import sizes
from boundcheck.diagnosis.edits import edits
from boundcheck.diagnosis.pointless import pointless
from boundcheck.diagnosis.written import compared, neighbours
from boundcheck.expressions import define, index, norm, parameter, total, world
from boundcheck.library import Library, load_library
from boundcheck.worlds import Integer, Real, Vector

AT = Source("Folklore", 1900, "Statements").at("lemmas")
a, b, x, eta, L = (parameter(name, Real(0, None, open_low=True))
                   for name in ("a", "b", "x", "eta", "L"))  # fmt: skip
p, q = (parameter(name, Real(0, 1, open_low=True, open_high=True)) for name in "pq")
kl = q * log(q / p) + (1 - q) * log((1 - q) / (1 - p))


def library(tmp_path, **claims):
    return Library(tmp_path, {f"test/lemmas:{name}": claim for name, claim in claims.items()})


def diagnosed(tmp_path, relation, given=()):
    claims = library(tmp_path, printed=Claim(AT, Holds(relation), given=given))
    return diagnose("test/lemmas:printed", claims, known={})


def offered(relation):
    """The edits of a formula that are no pointless ones, as text."""
    claim = Claim(AT, Holds(relation))
    return {str(edit.statement.relation) for edit in edits(claim) if not pointless(claim, edit)}


def test_a_symbol_may_be_another_one_in_a_bound_from_below():
    assert str(kl >= (p - q) ** 2 / (2 * p)) in offered(kl >= (p - q) ** 2 / (2 * q))


def test_a_side_that_comes_into_the_other_one_is_no_repair():
    bound = q + sqrt(2 * q * kl)
    claim = Claim(AT, Holds(p <= bound))
    circular = str(Le(p, p + sqrt(2 * q * kl), evaluate=False))
    assert circular in {str(edit.statement.relation) for edit in edits(claim)}
    assert circular not in offered(p <= bound)


def test_the_print_at_minus_x_is_no_repair_of_a_bound_for_small_numbers(tmp_path):
    found = diagnosed(tmp_path, a * (exp(a) - 1) <= 2 * a**2)
    assert found.grade == "hypothesis" and "a <= 1" in found.reason


def test_a_step_is_compared_with_one_over_a_curvature(tmp_path):
    found = diagnosed(tmp_path, eta - L * eta**2 / 2 >= eta / 2)
    assert found.grade == "hypothesis" and "eta <= 1/L" in found.reason


def test_a_term_whose_sign_does_not_matter_has_the_right_one(tmp_path):
    found = diagnosed(tmp_path, a**2 / 2 - a**3 / 3 >= a**2 / 6)
    assert found.grade == "hypothesis" and "a <= 1" in found.reason


def test_a_sign_inside_a_hypothesis_is_offered():
    m = parameter("m", Integer(1, searched=20))
    claim = Claim(AT, Holds((1 - p) ** m <= q), given=[m >= log(q) / p])
    assert any("-log(q)/p" in edit.words for edit in edits(claim))


def test_claims_of_one_place_about_other_things_are_no_repairs(tmp_path):
    printed = Claim(AT, Holds(x >= a * log(x)))
    others = {"other": Claim(AT, Holds(x <= a + b * sqrt(x))),
              "same": Claim(AT, Holds(x >= a * log(x) / 9 - a))}  # fmt: skip
    found = neighbours("test/lemmas:printed", library(tmp_path, printed=printed, **others))
    assert [item.key for item in found] == ["test/lemmas:same"]


def test_a_narrower_range_is_told():
    wide, narrow = (parameter("z", Real(low, None)) for low in (0, 1))
    near = compared(Claim(AT, Holds(wide <= wide**2)), Claim(AT, Holds(narrow <= narrow**2)), "k")
    assert near.words == "z real in [1, oo), as in lemmas"


def test_a_range_of_one_number_is_told_by_it():
    several, one = (parameter("z", Integer(2, high, searched=3)) for high in (None, 2))
    near = compared(Claim(AT, Holds(several <= 2)), Claim(AT, Holds(one <= 2)), "k")
    assert near.words == "z = 2, as in lemmas"


def test_integers_of_a_world_of_numbers_are_no_lengths():
    power, n = world("power", Integer(1, searched=4)), world("n", Integer(1, searched=4))
    size = define("size", x**power)
    vector = world("v", Vector(n))
    assert not sizes(Claim(AT, UpToConstant(size <= x)))
    assert [each.name for each in sizes(Claim(AT, UpToConstant(norm(vector) <= x)))] == ["n"]


def test_an_end_may_be_a_fraction_of_sympy():
    half = parameter("h", Real(0, Rational(1, 2), open_low=True))
    claim = Claim(AT, Holds(sqrt(1 - 4 * half**2) <= exp(-4 * half**2)))
    assert claim.fields["h"].admits(fmpq(1, 4), {}) and not claim.fields["h"].admits(fmpq(1), {})


def test_a_sign_that_makes_a_term_less_than_nothing_is_no_repair(tmp_path):
    relation = a * (exp(a) - 1) + b <= 2 * b
    found = diagnosed(tmp_path, relation)
    assert not any("sign" in repair.edit for repair in found.repairs)


@pytest.mark.long
def test_a_nearer_hypothesis_that_may_stand_comes_before_a_slip_that_may(tmp_path):
    m, d = (parameter(name, Integer(1, searched=20)) for name in "md")
    i = index("i", d + 1)
    found = diagnosed(tmp_path, total(binomial(m, i), i) <= (sympy.E * m / d) ** d)
    assert found.grade == "hypothesis" and "d <= m" in found.reason


@pytest.mark.long
def test_what_the_library_states_is_judged_however_dear_its_worlds_are():
    key = "livni2017/lemma_1:printed"  # a trial of counted effort ends after two of its worlds
    found = diagnose(key, load_library(None, [key]), known={})
    assert found.grade == "hypothesis" and found.repairs[0].stands
    assert found.repairs[0].written == "livni2017/lemma_1:repaired"
