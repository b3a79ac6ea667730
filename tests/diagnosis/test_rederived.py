"""A repair of a statement, carried over to the steps of its proof."""

from dataclasses import replace

from sympy import Eq

from boundcheck import Claim, Holds, Source, UpToConstant
from boundcheck.diagnosis import diagnose
from boundcheck.diagnosis.rederived import under_repair
from boundcheck.diagnosis.written import neighbours
from boundcheck.expressions import define, parameter
from boundcheck.library import Library
from boundcheck.worlds import Real

WORK = Source("Folklore", 1900, "Statements")
x, y = (parameter(name, Real(0, None)) for name in "xy")
near = parameter("near", Real(0, 1))
STEP = "mine/lemma_1:step_one"


def claim(statement, given=()):
    return Claim(WORK.at("Lemma 1"), statement, given=given)


def library(tmp_path, **claims):
    return Library(tmp_path, {f"mine/lemma_1:{name}": item for name, item in claims.items()})


def small(tmp_path, step):
    return library(
        tmp_path, step_one=step, printed=claim(UpToConstant(x**2 * y <= y)),
        repaired=claim(Holds(x**2 * y <= 2 * y), [x <= 1]),
    )  # fmt: skip


def test_a_repair_with_the_printed_bound_adds_hypotheses(tmp_path):
    found = neighbours("mine/lemma_1:printed", small(tmp_path, claim(Holds(x**3 <= x))))
    assert [(item.kind, item.key) for item in found] == [("hypothesis", "mine/lemma_1:repaired")]


def test_another_bound_is_another_statement(tmp_path):
    claims = {"printed": claim(UpToConstant(x**2 <= y)),
              "repaired": claim(Holds(x**2 <= y**2 + x), [x <= 1])}  # fmt: skip
    found = neighbours("mine/lemma_1:printed", library(tmp_path, **claims))
    assert [item.kind for item in found] == ["restatement"]


def test_a_step_is_put_under_what_the_repair_asks_for(tmp_path):
    step = claim(Holds(x**3 <= x))
    (found,) = under_repair(STEP, small(tmp_path, step))
    assert (found.words, found.claim.given) == ("the hypotheses of Lemma 1", (x <= 1,))
    assert found.claim.statement == step.statement


def test_a_step_that_fails_there_too_is_not_mended_by_it(tmp_path):
    found = diagnose(STEP, small(tmp_path, claim(Holds(x <= x**3))))
    assert "the hypotheses of Lemma 1" not in [repair.edit for repair in found.repairs]


def test_the_quantities_of_the_repair_replace_the_printed_ones(tmp_path):
    size, instead = define("size", x**2), define("size", near**2)
    claims = {
        "step_one": claim(Holds(Eq(size**2, size))), "printed": claim(Holds(size <= y)),
        "repaired": claim(Holds(instead <= y), [y >= 1]),
    }  # fmt: skip
    (found,) = under_repair(STEP, library(tmp_path, **claims))
    assert found.claim.statement.relation == Eq(instead**2, instead)
    assert found.claim.given == (y >= 1,)


def test_a_step_with_a_repair_of_its_own_is_left_to_it(tmp_path):
    step = claim(Holds(x**3 <= x))
    own = {"step_one": step, "step_one_repaired": replace(step, given=[x <= 1])}
    whole = {"printed": claim(UpToConstant(x**2 * y <= y)),
             "repaired": claim(Holds(x**2 * y <= 2 * y), [x <= 1])}  # fmt: skip
    assert list(under_repair(STEP, library(tmp_path, **own, **whole))) == []
