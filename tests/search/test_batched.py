"""Worlds built and bred in float batches: the same worlds as exact ones, and better than raw."""

import numpy
import pytest

from boundcheck.search.ascent import climbed, swept
from boundcheck.search.batched import LEVELS, ROUND, Niche, Populations, offspring
from boundcheck.worlds import (
    Choice,
    Custom,
    Derived,
    Gram,
    Increasing,
    Independent,
    Index,
    Integer,
    Matrix,
    Probabilities,
    Real,
    Space,
    Symmetric,
    Tuples,
    Vector,
    Weights,
    as_floats,
)
from boundcheck.worlds.columns import Columns, build, buildable
from boundcheck.worlds.kinds import Binary, Hermitian, SemidefiniteHermitian

N = Integer(1, searched=3)
SPACES = {
    "laws": Space(n=N, p=Weights("n"), q=Weights("n", zeros=True), c=Probabilities("n")),
    "vectors": Space(n=N, x=Vector("n", -2, 3), y=Vector("n", 0), z=Vector("n", searched=(2, 5)),
                     w=Vector("n", 0, 1, open_low=True, open_high=True)),
    "rising": Space(n=N, x=Increasing("n"), y=Increasing("n", 0, 1)),
    "numbers": Space(
        a=Real(0, None, open_low=True), b=Real(None, None), c=Real(None, 2), d=Real(1, 3, log=True),
        e=Real(0, 1, ends=True), m=Integer(1, searched=10**9, wide=True), k=Integer(2, 900),
        i=Index(4), s=Choice(("one", "two")), u=Real(0, "a"), v=Vector(2, 0, "a"),
    ),
    "matrices": Space(
        n=N, r=Integer(1, searched=2), A=Matrix("n", "r"), B=Matrix("n", "n", 0, 1), G=Gram("n"),
        H=Gram("n", 2), J=Gram("n", regular=True), S=Symmetric("n", searched=(-3, 3)),
        Z=Binary("n", "r"),
    ),
    "tuples": Space(
        n=N, t=Tuples("n", Symmetric(2)), l=Tuples("n", Weights(2)), j=Tuples("n", Integer(0, 1)),
        m=Derived(lambda n: 2**n - 1), w=Vector("m"), h=Independent(3, 2),
    ),
    "Hermitian": Space(
        n=N, A=Hermitian("n"), B=Hermitian(2, searched=(-3, 3)), C=SemidefiniteHermitian("n"),
        t=Tuples("n", Hermitian(2)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SPACES)
def test_a_row_of_coordinates_is_the_world_in_floats(name):
    space = SPACES[name]
    for seed in range(12):
        source = Columns(numpy.random.default_rng(seed), 20)
        values = build(space.fields, source, frozenset("nrm" if name != "numbers" else ""))
        for place in range(20):
            exact = as_floats(space.decode(source.vectors[place].tolist()))
            for field, value in values.items():
                found = value[place] if numpy.ndim(value) else value
                if isinstance(found, str):
                    assert found == exact[field]
                else:
                    # Exact entries stand on a grid of 2^20, unbounded ones at u/(1-u) of it.
                    near = 1e-3 * numpy.maximum(abs(exact[field]), 1) ** 2
                    assert (abs(found - exact[field]) <= near).all(), (field, seed)


def test_a_rule_of_a_statement_file_has_no_batch():
    assert not buildable({"x": Custom(lambda source, earlier: 1, Integer(0, 2))})
    assert not buildable({"x": Tuples(2, Custom(lambda source, earlier: 1, Integer(0, 2)))})
    assert buildable(SPACES["laws"].fields)


def populations(scores):
    space = Space(n=Integer(1, searched=3), x=Vector("n", 0, 1))
    return Populations(space.fields, frozenset({"n"}), scores, lambda v: [list(range(1, len(v)))])


def test_breeding_climbs_where_random_worlds_do_not_come():
    """A product of narrow peaks: the raw worlds reach less than what is bred from them."""

    def peak(values, count):
        return 0.9 * numpy.exp(-300 * ((values["x"] - 0.37) ** 2).sum(axis=1))

    made = populations(peak)
    best = made.best(numpy.random.default_rng(0), 12_000, 9)
    assert len(best) == 9
    three = max(niche.best for niche in made.niches.values() if niche.vectors.shape[1] == 4)
    raw = Columns(numpy.random.default_rng(1), 12_000).coordinate
    drawn = 0.9 * numpy.exp(-300 * sum((raw() - 0.37) ** 2 for _ in range(3))).max()
    assert three > 0.8999 > drawn


def test_the_top_of_a_hill_in_many_coordinates_is_climbed():
    """The largest eigenvalue of Hilbert's matrix: breeding comes to a thousandth of it."""
    size = 30
    matrix = 1 / (1.0 + numpy.add.outer(numpy.arange(size), numpy.arange(size)))
    largest = float(numpy.linalg.eigvalsh(matrix)[-1])

    def share(values, count):
        x = values["x"]
        squares = numpy.maximum((x**2).sum(axis=1), 1e-300)
        return 0.9 * numpy.einsum("wi,ij,wj->w", x, matrix, x) / squares / largest

    space = Space(x=Vector(size, 0, 1))
    groups = [list(range(size))]
    made = Populations(space.fields, frozenset(), share, lambda v: groups)
    made.best(numpy.random.default_rng(0), 10_000, 9)
    assert 0.9 - 1e-9 < max(niche.best for niche in made.niches.values()) <= 0.9 + 1e-12
    assert made.looked <= 15_000 + ROUND  # half as many again for sweeps


def test_a_climb_stays_in_the_box_and_leaves_what_it_may_not_move():
    def inwards(rows):
        return 1 / (1 + ((rows - [2.0, -1.0, 0.3]) ** 2).sum(axis=1))

    start = numpy.array([0.5, 0.5, 0.9])
    assert climbed(inwards, start, [0, 1], 900).tolist() == [1.0, 0.0, 0.9]
    assert climbed(inwards, start, [0, 1], 9).tolist() == start.tolist()
    assert climbed(lambda rows: None, start, [0, 1], 900).tolist() == start.tolist()


def test_sweeps_meet_what_jumps():
    """A step that only an exact place crosses, first in one coordinate, then in the other."""

    def steps(rows):
        first = numpy.where(rows[:, 0] > 0.75, rows[:, 0] / 2, 0.1)
        return first + numpy.where((rows[:, 0] > 0.75) & (rows[:, 1] < 0.01), 0.3, 0.0)

    start = numpy.array([0.2, 0.5])
    top, value = swept(steps, start, 0.1, [0, 1], numpy.random.default_rng(0), 2_000)
    assert value == pytest.approx(0.8) and top[0] == 1 and top[1] < 0.01
    top, value = swept(steps, start, 0.1, [0, 1], numpy.random.default_rng(0), 60)
    assert value == 0.1 and (top == start).all()


def test_sweeps_climb_the_hill_they_stand_on():
    """A far end is worth more than the next step; the hill beyond the step is worth most."""

    def hill(rows):
        x = rows[:, 0]
        return numpy.where(x == 1.0, 0.9, numpy.where(x < 0.6, x, 0.1)) * (1 + rows[:, 1])

    start = numpy.array([0.3, 0.0])
    top, value = swept(hill, start, 0.3, [0, 1], numpy.random.default_rng(0), 64)
    assert 0.3 < top[0] < 0.45 or 0 < top[1] <= 0.125
    assert value > 0.3


def test_worlds_far_from_tight_are_swept():
    """Random worlds and their children stay where the bound is tight; one number must jump."""

    def event(values, count):
        x = values["x"]
        tail = (abs(x[:, 0] - 0.70710678) < 1e-5) & (x.shape[1] == 3)
        return numpy.where(tail, 1.5, 0.5 + 0.3 * (1 - abs(x[:, 0] - 0.70710678)))

    made = populations(event)
    made.best(numpy.random.default_rng(0), 3_000, 9)
    assert max(niche.best for niche in made.niches.values()) == 1.5


def test_worlds_of_choices_alone_end_without_sweeps():
    space = Space(n=Integer(1, 3), m=Integer(0, 4))
    made = Populations(space.fields, frozenset(), lambda values, count: numpy.full(count, 0.3),
                       lambda v: [])  # fmt: skip
    assert made.best(numpy.random.default_rng(0), 600, 3)


def test_worlds_that_are_tight_leave_their_place_to_others():
    def flat(values, count):
        inside = values["x"][:, 0] < 0.5
        return numpy.where(inside, 1.0, values["x"][:, 0] / 2)

    best = populations(flat).best(numpy.random.default_rng(0), 2_000, 20)
    assert best and all(vector[1] >= 0.5 for vector in best)


def test_every_shape_keeps_a_world():
    def by_size(values, count):
        return numpy.full(count, values["x"].shape[1] / 4)

    best = populations(by_size).best(numpy.random.default_rng(0), 10_000, 3)
    assert sorted(len(vector) for vector in best) == [2, 3, 4]


def test_a_value_without_a_batch_leaves_the_worlds_to_others():
    assert populations(lambda values, count: None).best(numpy.random.default_rng(0), 900, 3) is None


def test_children_keep_their_shape_and_their_range():
    rng = numpy.random.default_rng(0)
    niche = Niche(rng.random((50, 6)), rng.random(50), (0, 3), [[1, 2], [4, 5]])
    children = offspring(rng, niche)
    assert (children[:, [0, 3]] == niche.vectors[:, [0, 3]]).all()
    assert ((children >= 0) & (children <= 1)).all() and (children != niche.vectors).any()


def test_worlds_with_many_outcomes_are_fewer():
    plain, drawn = (populations(lambda values, count: numpy.zeros(count)) for _ in range(2))
    drawn.outcomes = lambda values: 48.0
    for made in (plain, drawn):
        made.best(numpy.random.default_rng(0), 20_000, 3)
    assert 3 < plain.looked / drawn.looked < 5


def test_many_coordinates_are_climbed_at_once_and_a_clear_violation_ends_the_look():
    """(sum x)^2 over sum x^2 for 30 entries: random worlds stay near 22, the bound is 29."""
    size = 30
    fields = {"x": Vector(size, 0, 1)}

    def scores(values, count):
        x = values["x"]
        return x.sum(-1) ** 2 / (29 * (x * x).sum(-1) + 1e-300)

    def groups(vector):
        return [list(range(size))]

    made = Populations(fields, frozenset(), scores, groups)
    (first, *_) = made.best(numpy.random.default_rng(0), 40_000, 10, hurried=True)
    assert made.stopped and made.looked < 2_000
    assert scores({"x": numpy.array([first])}, 1)[0] > 1.01
    patient = Populations(fields, frozenset(), scores, groups)
    patient.best(numpy.random.default_rng(0), 40_000, 10)
    assert not patient.stopped and patient.looked > 30_000


def tail(values, count):
    """Tight where all is sure, and false on a narrow hill where it is not."""
    x = values["x"]
    return numpy.where(x[:, 0] > 0.75, 0.95 + 0.04 * x[:, 0],
                       1.2 * numpy.exp(-60 * ((x - 0.37) ** 2).sum(axis=1)))  # fmt: skip


def test_worlds_of_a_probability_are_bred_apart_by_how_large_it_is():
    seen = []

    def scores(values, count):
        seen[:] = [values["x"][:, 0]]
        return tail(values, count)

    made = Populations({"x": Vector(6, 0, 1)}, frozenset(), scores, lambda v: [list(range(6))],
                       chances=lambda: seen[0])  # fmt: skip
    made.best(numpy.random.default_rng(0), 6_000, 9)
    assert max(niche.best for niche in made.niches.values()) > 1.1


def test_a_crowd_stays_at_its_level():
    seen = []

    def scores(values, count):
        seen[:] = [values["x"][:, 0]]
        return 0.2 + values["x"][:, 0] / 2

    made = Populations({"x": Vector(3, 0, 1)}, frozenset(), scores, lambda v: [list(range(3))],
                       chances=lambda: seen[0])  # fmt: skip
    made.best(numpy.random.default_rng(0), 6_000, 9)
    lows = (0.0, *LEVELS)
    for (_, level), crowd in made.crowds.items():
        first = crowd.vectors[:, 0]
        assert len(first) and (first >= lows[level]).all() and (first < LEVELS[level]).all()
