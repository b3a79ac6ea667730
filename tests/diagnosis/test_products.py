"""Other means, sizes and numbers; of two repairs, the one that is nearer to what was meant."""

from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy
import pytest
from sympy import Gt, Lt, Rational, S, exp, log, sqrt

from boundcheck import Claim, Holds, Source
from boundcheck.diagnosis import diagnose, offered, tighter
from boundcheck.diagnosis.edits import edits
from boundcheck.diagnosis.grade import SETTLED
from boundcheck.diagnosis.hypotheses import _domains
from boundcheck.diagnosis.products import beside_size, other_means, slower
from boundcheck.diagnosis.record import Repair
from boundcheck.diagnosis.tighter import _says_more, _signs_first, _wider_first
from boundcheck.expressions import (
    index,
    inner,
    multiplied,
    operator_norm,
    outcome,
    parameter,
    probability,
    total,
    world,
)
from boundcheck.library import Library
from boundcheck.settings.matrices import A
from boundcheck.worlds import Integer, Real, Signs, Vector

HERE = Source("Folklore", 1900, "Statements").at("1")
a, b = (parameter(name, Real(0, None, open_low=True)) for name in "ab")
p, q = (parameter(name, Real(0, 1, open_low=True, open_high=True)) for name in "pq")
n = world("n", Integer(1, searched=4))
i = index("i", n)
chances = world("chances", Vector(n, low=0, high=1))
c = world("c", Vector(n))
xi = outcome("xi", Signs("xi", n))


def diagnosed(tmp_path, relation, given=()):
    claim = Claim(HERE, Holds(relation), given=list(given))
    return diagnose("a/b:c", Library(tmp_path, {"a/b:c": claim}))


def test_a_one_may_have_been_a_size_less_one(tmp_path):
    found = diagnosed(tmp_path, multiplied(chances[i], i) >= total(chances[i], i) - 1)
    assert (found.grade, found.repairs[0].edit) == ("slip", "n - 1 for 1")
    assert [change.node for change in beside_size(S.NegativeOne, n)] == [1 - n, -n]
    assert [change for change in beside_size(S(3), n)] == []


@pytest.mark.long
def test_the_mean_may_stand_for_the_geometric_one(tmp_path):
    found = diagnosed(tmp_path, (a - b) / log(a / b) <= sqrt(a * b), [a > b])
    assert found.repairs[0].edit == "the mean of a and b for their geometric mean"
    assert found.grade == "slip"


@pytest.mark.parametrize(("node", "other"), [
    (a / 2 + b / 2, [sqrt(a * b)]), (a / 2 + b / 3, []), (a / 2 + b / 2 + 1, []),
    (a / 2 + Rational(1, 2), []), (sqrt(a * b), [a / 2 + b / 2]), (a * b, []), (sqrt(a), []),
    (sqrt(a) * b, []), (3 * sqrt(a) * sqrt(b), [3 * a / 2 + 3 * b / 2]), (sqrt(a + b), []),
], ids=str)  # fmt: skip
def test_means_of_two_things_alone(node, other):
    assert [change.node for change in other_means(node)] == other


def test_an_exponent_may_have_the_next_share():
    assert [change.node for change in slower(exp(-a / 2))] == [exp(-a / 3)]
    assert [change.node for change in slower(exp(b * a / 3))] == [exp(a * b / 4)]
    for node in (exp(-2 * a), exp(-a), exp(-2 * a / 3), a / 2, log(a / 2)):
        assert list(slower(node)) == []


def test_two_symbols_may_have_been_exchanged_in_a_sum():
    entropy = p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))
    other = q * log(q / p) + (1 - q) * log((1 - q) / (1 - p))

    def exchanged(bound):
        return [edit.statement.relation for edit in edits(Claim(HERE, Holds(p <= bound)))
                if "exchanged in" in edit.words]  # fmt: skip

    assert exchanged(exp(-entropy)) == [p <= exp(-other)]
    assert exchanged(1 / (1 + entropy)) == [p <= 1 / (1 + other)]
    assert exchanged(p * q + (1 - p) * (1 - q)) == exchanged(p + q) == []


def test_the_sign_of_a_difference_is_settled_before_it_is_squared(tmp_path):
    found = diagnosed(tmp_path, exp(a - b) >= 1)
    assert found.repairs[0].edit == "the hypothesis b <= a"
    assert found.grade == "hypothesis"


def test_equal_sides_may_belong_to_an_event(tmp_path):
    found = diagnosed(tmp_path, probability(inner(c, xi) > 0, xi) >= Rational(1, 2))
    assert found.repairs[0].edit == ">= for > in the event ⟨c, xi⟩ > 0"
    assert (found.grade, found.reason) == (
        "corner", f"fails only for equal sides: {found.repairs[0].edit}")


def test_what_a_measured_divisor_asks_for():
    size = operator_norm(A)
    claim = Claim(HERE, Holds(size <= 1 / (1 - size)))
    (symbol,) = claim.measure
    assert list(_domains(claim)) == [Lt(symbol, 1, evaluate=False)]
    assert list(_domains(Claim(HERE, Holds(1 / size <= a)))) == []
    assert list(_domains(Claim(HERE, Holds(1 / (1 - a) <= b)))) == [Lt(a, 1, evaluate=False)]
    assert Gt(a, 1, evaluate=False) in _domains(Claim(HERE, Holds(log(a - 1) <= b)))


def test_a_bound_says_more_by_a_share_of_what_the_other_moves():
    printed = numpy.array([1.0, 1.0, 1.0])
    moved, other = (printed + numpy.array([by, 0.001, 0.0]) for by in (0.002, 0.003))
    assert _says_more(moved, other, printed)
    assert not _says_more(moved, other)
    assert not _says_more(other, moved, printed)
    assert not _says_more(moved, moved + 1e-7, printed)  # what floats do not tell apart


@dataclass(frozen=True)
class Asked:
    """As much of a candidate as its place among others asks for."""

    cost: float
    claim: SimpleNamespace
    kind: str = "hypothesis"
    written: bool = False
    words: str = ""


def test_the_sign_comes_before_the_square_where_the_square_is_nearest():
    def asked(words, cost, condition=None):
        given = [] if condition is None else [condition]
        kind = "symbol" if condition is None else "hypothesis"
        return Asked(cost, SimpleNamespace(given=given), kind, words=words)

    square = asked("(a - b)**2 for a - b", 2.7)
    sign, number = asked("b <= a", 3.0, b <= a), asked("a <= 1", 3.0, a <= 1)
    far = asked("b <= a", 3.1, b <= a)

    def costs(*items):
        return [item.cost for item in _signs_first(list(items))]

    assert costs(square, sign, number) == [2.7, SETTLED, 3.0]
    assert costs(square, far) == [2.7, 3.1]
    assert costs(asked("2*a for a", 2.2), square, sign) == [2.2, 2.7, 3.0]
    assert costs() == []


def test_of_hypotheses_as_near_the_wider_one_comes_first():
    truths = {"narrow": [True, False, False], "wide": [True, True, False],
              "other": [False, False, True]}  # fmt: skip
    table = SimpleNamespace(evaluate=lambda name: numpy.array(truths[name]))
    case = SimpleNamespace(table=table, claim=SimpleNamespace(given=[]))

    def costs(**asked):
        found = [Asked(cost, SimpleNamespace(given=[name])) for name, cost in asked.items()]
        return [round(item.cost, 2) for item in _wider_first(case, found)]

    assert costs(narrow=3.0, wide=3.1, other=3.05) == [3.0, 2.99, 3.05]
    assert costs(narrow=3.0, wide=3.5) == [3.0, 3.5]
    assert costs(narrow=3.2, wide=3.0) == [3.2, 3.0]


@pytest.mark.parametrize(("with_size", "with_number", "follows"), [
    ({2.0: 1.0, 3.0: 1.1, 4.0: 1.7}, {2.0: 2.0, 3.0: 1.4, 4.0: 1.7}, True),
    ({2.0: 1.0, 3.0: 1.3}, {2.0: 2.0, 3.0: 1.4}, False),  # it falls behind the size
    ({2.0: 1.0, 3.0: 1.1}, {2.0: 1.1, 3.0: 1.4}, False),  # the number is as tight
    ({2.0: 1.0}, {2.0: 2.0}, False),  # one size tells nothing
])
def test_failures_follow_a_size_or_a_number(monkeypatch, with_size, with_number, follows):
    levels = numpy.array(sorted(with_size))
    slacks = {"size": with_size, "number": with_number}
    table = SimpleNamespace(
        evaluate=lambda size: levels, index=numpy.arange(len(levels)),
        slack=lambda form, rows: min(slacks[form][level] for level in levels[rows]))
    case = SimpleNamespace(table=table, failing=numpy.ones(len(levels), bool))
    monkeypatch.setattr(tighter, "_whole", lambda case, item: item)
    assert tighter._follows(case, "number", "size", n) is follows


def test_a_number_in_an_exponent_may_stand_where_failures_grow(monkeypatch):
    monkeypatch.setattr(offered, "grows", lambda case, least=1: True)
    case = SimpleNamespace(lost_sizes=())
    number = Repair("-a for -2*a", "", "constant", 2.3, "undecided")
    assert offered.is_superseded(case, number, [number])
    assert not offered.is_superseded(case, replace(number, of_exponent=True), [number])
