"""Statements that fail at sizes beyond those that search draws from."""

from contextlib import suppress
from math import isqrt

import numpy
import pytest
from flint import fmpq, fmpq_mat
from sympy import Abs, Rational, exp, log, sin, sqrt

from boundcheck import Claim, Expected, Holds, Source, WithProbability, verify
from boundcheck.encoding import decode
from boundcheck.errors import Undefined
from boundcheck.expressions import (
    average,
    determinant,
    frobenius_norm,
    index,
    inner,
    largest_eigenvalue,
    multiplied,
    norm,
    operator_norm,
    outcome,
    parameter,
    smallest_eigenvalue,
    total,
    trace,
    world,
)
from boundcheck.search import portfolio
from boundcheck.search.admissible import Candidates
from boundcheck.search.arena import Arena, Entry
from boundcheck.search.ends import OCTAVES
from boundcheck.search.enlarging import (
    FARTHEST,
    NEAREST,
    _stretched,
    counts,
    endless,
    larger_worlds,
)
from boundcheck.search.growth import Immovable, cut
from boundcheck.search.objective import assess
from boundcheck.search.portfolio import Search
from boundcheck.worlds import (
    Counts,
    Gram,
    Increasing,
    Index,
    Integer,
    Matrix,
    Real,
    Signs,
    Space,
    Symmetric,
    Tuples,
    Vector,
    Weights,
)
from boundcheck.worlds.composed import Derived
from boundcheck.worlds.kinds import Binary, Hermitian, Independent, SemidefiniteHermitian

PLACE = Source("Nobody", 2000, "Sizes").at("1")


def vector(top=None, low=None, high=None):
    n = world("n", Integer(1, top, searched=3))
    v = world("v", Vector(n, low, high))
    return n, v, index("j", n)


def verdict(relation):
    return verify("sizes", Claim(PLACE, Holds(relation)))


def size_of(found):
    return decode(found.witness.values["n"])


def test_the_square_of_a_sum_needs_the_number_of_its_terms():
    _, v, j = vector()
    found = verdict(total(v[j], j) ** 2 <= 6 * total(v[j] ** 2, j))
    assert found.outcome == "refuted"
    assert 7 <= size_of(found) <= 9  # 7 fails too, but not clearly
    assert len(set(decode(found.witness.values["v"]))) == 1


def test_sizes_end_where_the_statement_says_so():
    _, v, j = vector(top=6)
    claim = Claim(PLACE, Holds(total(v[j], j) ** 2 <= 6 * total(v[j] ** 2, j)))
    assert verdict(claim.statement.relation).outcome in ("supported", "proved")
    assert {len(values["v"]) for values in larger(claim, ones(3))} == {3, 6}  # 3: twice as large


def ones(size, **others):
    return {"n": size, "v": (fmpq(1),) * size, **others}


def larger(claim, values):
    """The worlds that are proposed from one world, each taken for better than the last."""
    candidates = Candidates(claim)
    arena, seen, value = Arena(candidates, None), [], -1.0
    arena.record(Entry(value, 0.3, candidates.from_values(values)), generic=False)
    steps = larger_worlds(arena)
    with suppress(StopIteration):
        proposal = next(steps)
        while True:
            seen += [] if proposal is None else [proposal.setting.values]
            value += 1
            proposal = steps.send(value)
    return seen


def test_worlds_grow_no_larger_than_can_be_assessed():
    n, v, j = vector()
    xi = outcome("xi", Signs("xi", n))
    numbers = Claim(PLACE, Holds(total(v[j], j) <= 0))
    assert max(values["n"] for values in larger(numbers, ones(3))) == 3 * 2**7
    drawn = Claim(PLACE, Holds(average(Abs(inner(v, xi)), xi) <= 0))
    assert max(values["n"] for values in larger(drawn, ones(3))) == 12  # 4096 outcomes
    summed = Claim(PLACE, Holds(average(inner(v, xi) ** 4, xi) <= 0))
    assert max(values["n"] for values in larger(summed, ones(3))) == 3 * 2**7
    matrix = world("A", Gram(n))
    square = Claim(PLACE, Holds(trace(matrix) <= 0))
    base = {"n": 3, "A": fmpq_mat(3, 3, [1, 0, 0, 0, 1, 0, 0, 0, 1])}
    assert max(values["n"] for values in larger(square, base)) == 24  # rows


def test_larger_worlds_take_no_more_than_the_search_before(monkeypatch):
    """A search of few worlds ends soon, however much each doubling pays and costs."""
    monkeypatch.setattr(portfolio, "GRANTED", 0)
    monkeypatch.setattr(portfolio, "APART", 0)
    _, v, j = vector()
    claim = Claim(PLACE, Holds(total(v[j], j) ** 2 <= 10**9 * (1 + total(v[j] ** 2, j))))
    lengths = []

    def objective(candidate):
        lengths.append(len(candidate.setting.values["v"]))
        return assess(candidate.setting, outcomes=1)

    search = Search(Candidates(claim), objective, numpy.random.default_rng(0), evaluations=40)
    search.run()
    small, beyond = lengths[:40], lengths[40:]
    assert max(small) <= 3 < max(beyond)
    most = sum((size + 1) * isqrt(size + 1) for size in small)
    assert 0 < sum((size + 1) * isqrt(size + 1) for size in beyond[:-1]) < most


def test_between_doublings_lie_worlds_whose_draw_is_listed():
    """E |s_1 + ... + s_n| is at most 2.1875 up to n = 8, and 2.46 for nine signs: 512 outcomes."""
    n, v, j = vector(low=-1, high=1)
    s = outcome("s", Signs("s", n))
    claim = Claim(PLACE, Expected(Abs(total(s[j] * v[j], j)) <= Rational(12, 5)))
    candidates = Candidates(claim)
    for listed, sizes in ((700, [2, 4, 8, 9]), (5000, [2, 4, 8, 12])):
        arena, value, seen = Arena(candidates, None, listed=listed), None, []
        arena.record(Entry(-1.0, 0.3, candidates.from_values(ones(1))), generic=False)
        steps = larger_worlds(arena, ends=False)
        while not seen or value < 0:
            proposal = steps.send(value)
            values = {} if proposal is None else proposal.setting.values
            repeated = values.get("v") == (1,) * values.get("n", 0)
            value = assess(proposal.setting, outcomes=listed).score - 1 if repeated else -1.0
            seen += [values["n"]] if repeated and value > -1 else []
        assert list(dict.fromkeys(seen)) == sizes and arena.spent == 0


@pytest.mark.parametrize("relation", [
    lambda A, M, d: trace(A) * trace(A**-1) <= 2 * d**2,
    lambda A, M, d: trace(A**-1) <= d**2 / operator_norm(A),  # tight at every size of search
    lambda A, M, d: trace(A) ** d <= (2 * d) ** d * determinant(A),
    lambda A, M, d: largest_eigenvalue(M.T * M) <= 1000 * smallest_eigenvalue(M.T * M),
])  # fmt: skip
def test_definite_matrices_and_independent_columns_come_near_singular_ones(relation):
    """Search adds the identity to the former, and takes a unit triangle into the latter."""
    d, n = (world(name, Integer(1, searched=4)) for name in "dn")
    A, M = world("A", Gram(d, regular=True)), world("M", Independent(n, d))
    assert verdict(relation(A, M, d)).outcome == "refuted"


def test_a_column_is_moved_alone_and_a_direction_of_a_form_with_its_row():
    form, table = fmpq_mat(2, 2, [4, 1, 1, 2]), fmpq_mat(2, 2, [4, 1, 0, 2])
    half = fmpq(1, 2)
    assert _stretched(form, half, NEAREST).tolist() == [[4, half], [half, half]]
    assert _stretched(table, fmpq(2), FARTHEST).tolist() == [[8, 1], [0, 2]]
    with pytest.raises(Immovable):
        _stretched(fmpq_mat(2, 1, [1, 2]), fmpq(2), FARTHEST)


def test_worlds_that_hypotheses_exclude_are_counted_too():
    """To find that out took most of the time of some searches, and was free."""
    n, v, j = vector(low=0, high=1)
    claim = Claim(PLACE, Holds(total(v[j], j) <= 0), given=[n <= 3])
    candidates = Candidates(claim)
    arena = Arena(candidates, None)
    arena.record(Entry(-1.0, 0.3, candidates.from_values(ones(3))), generic=False)
    steps = larger_worlds(arena)
    assert next(steps) is None
    assert arena.spent == 7 * isqrt(7)  # six entries and their number


@pytest.mark.parametrize(("cost", "doublings"), [(0.5, 7), (1, 7), (100, 0)])
def test_the_dearest_worlds_are_not_doubled(cost, doublings):
    _, v, j = vector()
    claim = Claim(PLACE, Holds(total(v[j], j) <= 0), cost=cost)
    assert max([3, *(values["n"] for values in larger(claim, ones(3)))]) == 3 * 2**doublings


def test_matrices_grow_by_direct_sums():
    n, _, _ = vector()
    A = world("A", Gram(n))
    found = verdict(trace(A) <= 3 * frobenius_norm(A))
    assert found.outcome == "refuted" and size_of(found) >= 10


def test_moments_of_many_signs():
    n, v, _ = vector()
    xi = outcome("xi", Signs("xi", n))
    found = verdict(average(inner(v, xi) ** 4, xi) <= norm(v) ** 4 * 5 / 2)
    assert found.outcome == "refuted" and size_of(found) == 5


def test_numbers_follow_the_size():
    n, _, _ = vector(low=1, high=1)
    t = parameter("t", Real(0, None, searched=(0, 4)))
    found = verdict(n * exp(-Abs(n - t)) <= 20)
    assert found.outcome == "refuted" and size_of(found) > 20


FIELDS = {"n": Integer(1, searched=3), "p": Weights("n"), "x": Vector("n"), "A": Matrix("n", 2),
          "k": Index("n"), "T": Tuples("n", Vector("n"))}  # fmt: skip
VALUES = {"n": 3, "p": (fmpq(1, 2), fmpq(1, 4), fmpq(1, 4)), "x": (fmpq(1), fmpq(2), fmpq(3)),
          "A": fmpq_mat(3, 2, [1, 2, 3, 4, 5, 6]), "k": 1,
          "T": ((fmpq(1), fmpq(2), fmpq(3)),) * 3}  # fmt: skip


def test_a_cut_keeps_the_first_parts_of_everything():
    assert cut(FIELDS, VALUES, "n", 2) == {
        "n": 2, "p": (fmpq(2, 3), fmpq(1, 3)), "x": (1, 2), "A": fmpq_mat(2, 2, [1, 2, 3, 4]),
        "k": 1, "T": ((1, 2), (1, 2)),
    }  # fmt: skip


@pytest.mark.parametrize("changed", [{"k": 2}, {"p": (fmpq(0), fmpq(0), fmpq(1))}])
def test_what_points_to_a_lost_part_stops_a_cut(changed):
    with pytest.raises(Immovable):
        cut(FIELDS, VALUES | changed, "n", 2)


def test_entries_without_end_are_carried_up_too():
    """Search draws from [0, 1], where a product is below a mean."""
    n, v, j = vector(low=0)
    mean = total(v[j], j) / n
    found = verdict(multiplied(v[j], j) <= 10 * mean)
    assert found.outcome == "refuted"
    assert verdict(multiplied(v[j], j) <= mean**n).outcome in ("supported", "proved")
    assert endless(Claim(PLACE, Holds(norm(v) <= total(v[j], j)))) == ["v"]
    bounded = vector(low=0, high=1)[1]
    assert endless(Claim(PLACE, Holds(norm(bounded) <= 2 * norm(bounded)))) == []


@pytest.mark.parametrize("bound", [10**9, 10**30])
def test_arrays_without_end_pass_explicit_numbers(bound):
    """Search draws from [-1, 1]; small steps of a scale end at 2^12."""
    n, v, _ = vector()
    M = world("M", Matrix(n, n))
    assert verdict(norm(v) <= bound).outcome == "refuted"
    assert verdict(inner(M * v, v) >= -bound * norm(v) ** 2).outcome == "refuted"
    assert verdict(norm(v) <= bound + norm(v) ** 2).outcome in ("supported", "proved")


def test_a_step_that_is_too_steep_is_followed_by_small_ones():
    _, v, j = vector(low=0)
    candidates = Candidates(Claim(PLACE, Holds(total(v[j], j) <= 0)))
    arena = Arena(candidates, None)
    arena.record(Entry(-1.0, 0.3, candidates.from_values({"n": 1, "v": (fmpq(1),)})), generic=False)
    steps, value, seen = larger_worlds(arena), None, []
    while len(seen) < 8:
        seen.append(int(steps.send(value).setting.values["v"][0]))
        value = 10**6 - abs(seen[-1] - 600.0)
    assert seen == [2, 4, 16, 256, 65536, 512, 2048, 1024]


def test_an_integer_that_sizes_nothing_is_carried_up():
    """The sum of 1/k^2 passes 1.64 from 203 terms on, in worlds that are all listed up to 4."""
    n = world("n", Integer(1, searched=4))
    k = index("k", n)
    found = verdict(total(1 / (k + 1) ** 2, k) <= Rational(164, 100))
    assert found.outcome == "refuted" and 203 <= size_of(found) <= 512
    assert verdict(total(1 / (k + 1) ** 2, k) <= Rational(165, 100)).outcome == "supported"


@pytest.mark.parametrize(("relation", "sizes"), [
    (lambda n: n * exp(-n / 50) <= 18, range(41, 61)),  # which no doubling of 9 meets
    (lambda n: Abs(sin(n)) >= Rational(1, 100), range(22, 23)),
    (lambda n: n <= 100 * log(n) + 1, range(649, 4096)),  # equal at 1, and far from it up to 9
])  # fmt: skip
def test_an_integer_goes_on_one_by_one_and_in_small_steps(relation, sizes):
    found = verdict(relation(world("n", Integer(1, searched=9))))
    assert found.outcome == "refuted" and size_of(found) in sizes


def test_integers_end_where_worlds_cost_or_others_rest_on_them():
    n = world("n", Integer(1, searched=4))
    k, j = index("k", n), parameter("j", Integer(1, n))
    bounded = Claim(PLACE, Holds(total(k, k) <= 0))
    assert 3 * 2**10 < max(values["n"] for values in larger(bounded, {"n": 3})) <= 4096
    assert counts(bounded) == ["n"] and counts(Claim(PLACE, Holds(n <= j))) == []
    ended = world("n", Integer(1, 9, searched=4))
    assert counts(Claim(PLACE, Holds(ended <= 9))) == []


@pytest.mark.parametrize(("values", "sizes"), [
    ({}, [6, 12, 24]),  # nothing pays: as it is, and two doublings more
    ({12: 1.0}, [6, 12, 24, 48, 96]),  # the second pays: two more after the next one
    ({6: 1.0, 12: 2.0}, [6, 12, 24, 48, 96]),
])  # fmt: skip
def test_a_world_that_grows_may_become_worse_before_it_becomes_better(values, sizes):
    n = world("n", Integer(1, searched=3))
    candidates = Candidates(Claim(PLACE, Holds(n <= 5)))
    arena = Arena(candidates, None)
    arena.record(Entry(-1.0, 0.3, candidates.from_values({"n": 3})), generic=False)
    steps, value, seen = larger_worlds(arena), None, []
    with suppress(StopIteration):
        while True:
            seen.append(steps.send(value).setting.values["n"])
            value = values.get(seen[-1], -5.0)
    assert seen[: len(sizes)] == sizes
    assert seen[len(sizes) : len(sizes) + 64] == [*range(4, 68)]
    assert {step for step in seen if step >= 4096} <= {2**octave for octave in OCTAVES}


@pytest.mark.parametrize(("paid", "sizes"), [({}, {4, 8}), ({8: 0.1}, {4, 8, 16})])
def test_a_size_that_does_not_pay_is_doubled_again_while_its_worlds_take_little(paid, sizes):
    """Worlds may cost without bound: iterates of exact runs double their digits every round."""
    d = world("d", Integer(1, searched=3))
    Z = world("Z", Binary(d, d))
    candidates = Candidates(Claim(PLACE, Holds(determinant(Z) <= d)))
    arena = Arena(candidates, None)
    start = candidates.from_values({"d": 2, "Z": fmpq_mat(2, 2, [1, 0, 0, 1])})
    arena.record(Entry(-1.0, 0.3, start), generic=False)
    steps, value, seen = larger_worlds(arena), None, []
    with suppress(StopIteration):
        while True:
            proposal = steps.send(value)
            seen += [] if proposal is None else [proposal.setting.values["d"]]
            value = paid.get(seen[-1], -5.0) if seen else -5.0
    assert set(seen) == sizes


def test_dear_worlds_are_carried_as_long_as_all_of_them_take_little_and_never_with_a_draw():
    _, v, j = vector()
    relation = total(v[j], j) ** 2 <= 6 * total(v[j] ** 2, j)
    dear = Claim(PLACE, Holds(relation), cost=8.0)
    assert verify("sizes", dear).outcome == "refuted"
    few = [values["n"] for values in larger(dear, ones(3))]
    assert few and max(few) < max(values["n"] for values in larger(
        Claim(PLACE, Holds(relation)), ones(3)))  # fmt: skip
    K = world("K", Integer(1, searched=2))
    p = world("p", Weights(K))
    times = outcome("times", Counts("times", p, K))
    drawn = total(v[j], j) ** 2 <= 6 * times[0] * total(v[j] ** 2, j)
    event = WithProbability(Rational(1, 2), drawn)
    assert not list(larger(Claim(PLACE, event, cost=8.0), ones(3, K=1, p=(fmpq(1),))))


def test_a_value_that_larger_worlds_do_not_have_stops_them():
    n, v, j = vector()

    def few(n):
        if n > 3:
            raise Undefined("nothing follows from so many")
        return fmpq(n)

    followed = world("followed", Derived(few), rank=0, needs=(n,))
    claim = Claim(PLACE, Holds(total(v[j], j) <= followed))
    assert max([3, *(values["n"] for values in larger(claim, ones(3, followed=fmpq(3))))]) == 3


d = world("d", Integer(1, searched=3))
k = world("k", Integer(1, searched=3))
WITHOUT_END = {
    "semidefinite": Gram(d), "regular": Gram(d, regular=True), "increasing": Increasing(d),
    "negative": Vector(d, None, 0), "hermitian": Hermitian(d), "a list": Tuples(k, Vector(d)),
    "matrices": Tuples(k, Symmetric(d)), "independent": Independent(d, 1),
    "complex": SemidefiniteHermitian(d),
}  # fmt: skip
ENDED = (Gram(d, scale=1), Vector(d, -1, 1), Tuples(k, Gram(d, scale=2)), Tuples(k, Real(0, 1)))


@pytest.mark.parametrize("kind", WITHOUT_END)
def test_arrays_of_every_kind_without_an_end_are_carried_up(kind):
    """Search draws entries near one: det G <= tr G holds for all that it draws, |v| <= 10^6 too."""
    array = world("A", WITHOUT_END[kind])
    i = index("i", k)
    size = {1: norm, 2: frobenius_norm}
    if isinstance(WITHOUT_END[kind], Tuples):
        left = total(size[array.rank - 1](array[i]), i)
    else:
        left = size[array.rank](array)
    claim = Claim(PLACE, Holds(left <= 10**6))
    assert endless(claim) == ["A"] and verify("sizes", claim).outcome == "refuted"
    if kind == "semidefinite":
        assert verdict(determinant(array) <= trace(array)).outcome == "refuted"


@pytest.mark.parametrize("field", ENDED)
def test_arrays_between_two_ends_are_not(field):
    array = world("A", field)
    worlds = Space(d=Integer(1, searched=3), k=Integer(1, searched=3), A=array.meaning.domain)
    assert endless(Claim(PLACE, Holds(d + k >= 2), worlds=worlds)) == []


def test_an_atom_of_a_table_is_split_into_its_copies():
    """In one round Hedge has a regret of (K - 1) / K at most, above sqrt(log 2) from K = 6 on."""
    from boundcheck.settings.online import K, T, hedge_regret, losses

    regret = hedge_regret(losses, sqrt(8 * log(K) / T))
    found = verify("sizes", Claim(PLACE, Holds(regret <= sqrt(T * log(2 * T))), cost=2.0))
    assert found.outcome == "refuted"
