"""Worlds carried to larger sizes keep their domains, and what a move says of them is true."""

import pytest
from flint import fmpq, fmpq_mat

from boundcheck.search.growth import MOVES, Immovable, grown, sizes
from boundcheck.worlds import (
    Custom,
    Derived,
    Gram,
    Index,
    Integer,
    Matrix,
    Probabilities,
    Space,
    Symmetric,
    Tuples,
    Vector,
    Weights,
)

FIELDS = Space(
    n=Integer(1, searched=2), K=Integer(1, searched=2), p=Weights("n"), q=Weights("n", zeros=True),
    x=Vector("n", -1, 1), c=Probabilities("n"), G=Gram("n"), S=Symmetric("n"),
    A=Matrix("n", "K"), t=Tuples("n", Weights(2)), l=Tuples("K", Symmetric("n")),
    j=Tuples(2, Index("n")),
).fields  # fmt: skip
WORLD = {
    "n": 2, "K": 2, "p": (fmpq(1, 3), fmpq(2, 3)), "q": (fmpq(1), fmpq(0)),
    "x": (fmpq(1), fmpq(-1, 2)), "c": (fmpq(1, 2), fmpq(1)), "G": fmpq_mat(2, 2, [2, 1, 1, 1]),
    "S": fmpq_mat(2, 2, [0, 1, 1, 0]), "A": fmpq_mat(2, 2, [1, 2, 3, 4]),
    "t": ((fmpq(1, 2),) * 2,) * 2, "l": (fmpq_mat(2, 2, [1, 0, 0, 2]),) * 2,
    "j": (0, 1),
}  # fmt: skip


@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize("size", ["n", "K"])
def test_every_move_stays_among_the_worlds(move, size):
    world = grown(FIELDS, WORLD, size, move, 3)
    assert world[size] == 6
    for name, field in FIELDS.items():
        assert field.admits(world[name], world), (name, move)


def test_sizes_are_read_off_the_fields():
    assert list(sizes(FIELDS)) == ["n", "K"]
    assert not list(sizes({"n": Integer(1, 3), "m": Integer(1, "n")}))


def test_moves_do_what_they_say():
    def at(move):
        return grown(FIELDS, WORLD, "n", move, 2)

    assert at("repeat")["G"].rank() == 2 and at("direct sum")["G"].rank() == 4
    # Vectors and matrices name their atoms in the same order, whatever the move.
    for move in ("repeat", "direct sum"):
        world = at(move)
        place = 2 if move == "repeat" else 1
        assert world["x"][place] == WORLD["x"][1] and world["c"][place] == WORLD["c"][1]
        assert world["G"][place, place] == WORLD["G"][1, 1]
        assert world["A"][place, 0] == WORLD["A"][1, 0] and world["j"] == (0, place)
    assert at("repeat")["A"].ncols() == 2 and at("repeat")["A"].nrows() == 4
    assert at("pad")["x"] == (1, fmpq(-1, 2), 0, 0)
    assert [1 / v for v in at("spread")["x"]] == [1, 2, 3, 4]
    assert at("split")["p"] == (fmpq(1, 9),) * 3 + (fmpq(2, 3),)


def test_a_field_without_a_rule_stops_the_move():
    fields = {"n": Integer(1, searched=2), "r": Custom(lambda source, earlier: 0, Vector("n"))}
    with pytest.raises(Immovable):
        grown(fields, {"n": 1, "r": "no tuple"}, "n", "repeat", 2)
    derived = {"n": Integer(1, searched=2), "m": Derived(lambda n: 2**n), "x": Vector("m")}
    with pytest.raises(Immovable):
        grown(derived, {"n": 1, "m": 2, "x": (fmpq(0),) * 2}, "n", "repeat", 2)
