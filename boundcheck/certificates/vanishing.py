"""Steps by which the difference of an equation between matrices vanishes, found by trying."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from boundcheck.certificates.facts import Context
from boundcheck.certificates.terms import Rejected
from boundcheck.certificates.words import Algebra, Matrices, Words, step

Moves = list[list[object]]
CLEARED, PASSES = 8, 2


def vanishing(context: Context, matrices: Matrices) -> list[Moves] | None:
    """Steps for every equation, or None if one is not seen to hold."""
    algebra = Algebra(context, matrices)
    found: list[Moves] = []
    for index in range(len(matrices.inverses)):
        algebra.require_regular(index)
    for left, right in matrices.equations:
        moves = _moves(algebra, algebra.minus(algebra.words(left), algebra.words(right)))
        if moves is None:
            return None
        found.append(moves)
    return found


def _moves(algebra: Algebra, difference: Words) -> Moves | None:
    """The first of some strategies that works: nothing, ends cleared, words of bases solved for."""
    for strategy in (_nothing, _cleared, _solved):
        here = _Here(algebra, difference)
        try:
            for move in strategy(here):
                here.move(move)
                if not here.words:
                    break
        except Rejected:
            continue
        if not here.words:
            return here.moves
    return None


@dataclass
class _Here:
    """The difference of an equation after some steps."""

    algebra: Algebra
    words: Words
    moves: Moves = field(default_factory=list)

    def move(self, move: list[object]) -> None:
        self.words = step(self.algebra, self.words, move)
        self.moves.append(move)


def _nothing(here: _Here) -> Iterator[list[object]]:
    yield from ()


def _cleared(here: _Here) -> Iterator[list[object]]:
    yield from _ends(here)
    for index in range(len(here.algebra.bases)):
        yield ["expand", index]


def _ends(here: _Here) -> Iterator[list[object]]:
    """Inverses at the ends of words removed by multiplying with their base."""
    for _ in range(CLEARED):
        words = here.words
        left = next((w[0] for w in sorted(words) if w and w[0][0] == "Z"), None)
        right = next((w[-1] for w in sorted(words) if w and w[-1][0] == "Z"), None)
        if left is not None:
            yield ["left", int(left[1:])]
        elif right is not None:
            yield ["right", int(right[1:])]
        else:
            return


def _solved(here: _Here) -> Iterator[list[object]]:
    for _ in range(PASSES):
        for index, base in enumerate(here.algebra.bases):
            words = [w for w in base if w and not any(letter[0] == "Z" for letter in w)]
            for word in sorted(words, key=lambda w: (len(w), w)):
                if here.algebra.normal.sign(base[word]) == 2:
                    yield ["solve", index, list(word)]
                    break
