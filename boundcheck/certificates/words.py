"""Equations between matrices of any size: words in letters that do not commute.

A sum of words has scalar factors, known by their normal forms. Each inverse is a letter Z beside a
letter P for its base, P Z = Z P = 1. An equation holds where its difference vanishes after steps
that change nothing: P multiplied from the left or right, P written as its base, a word of the base
written as P minus the rest. That an inverse exists is shown by form: c > 0 times the identity plus
nonnegative multiples of positive semi-definite words, or by a hypothesis.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from boundcheck.certificates.facts import Context, entries
from boundcheck.certificates.polynomials import Poly, added, number, scaled
from boundcheck.certificates.terms import Rejected, Term, read_term

Word = tuple[str, ...]
Words = dict[Word, Poly]
Listed = tuple[tuple[Term, Word], ...]
LONGEST, MOST = 60, 4_000
LETTER = re.compile(r":.{1,200}|[PZ][0-9]{1,3}", re.DOTALL)  # a matrix, or a base and its inverse


@dataclass(frozen=True)
class Matrices:
    """What is to be shown of matrices.

    Args:
        equations: pairs of sums of words. inverses: base of every inverse, "Z0" being that of the
            first. transposes: pairs of letters; a symmetric letter is paired with itself.
        semidefinite: letters of positive semi-definite matrices.
        regular: places of the bases that a hypothesis says to be regular.
    """

    equations: tuple[tuple[Listed, Listed], ...]
    inverses: tuple[Listed, ...]
    transposes: tuple[tuple[str, str], ...]
    semidefinite: tuple[str, ...]
    regular: tuple[int, ...]

    def as_json(self) -> dict[str, object]:
        """The same as JSON."""
        return {
            "equations": [[_as_list(left), _as_list(right)] for left, right in self.equations],
            "inverses": [_as_list(base) for base in self.inverses],
            "transposes": [list(pair) for pair in self.transposes],
            "semidefinite": list(self.semidefinite), "regular": list(self.regular),
        }  # fmt: skip


def _as_list(words: Listed) -> list[object]:
    return [[_term(factor), list(word)] for factor, word in words]


def _term(term: Term) -> object:
    return term if isinstance(term, str) else [_term(part) for part in term]


def read_matrices(value: object) -> Matrices:
    """What is to be shown of matrices, from JSON. Raises: Rejected."""
    names = {"equations", "inverses", "transposes", "semidefinite", "regular"}
    if not isinstance(value, Mapping) or set(value) != names:
        raise Rejected("matrices are not given by equations, inverses, transposes and signs")
    pairs = [entries(pair) for pair in entries(value["transposes"])]
    equations = [entries(pair) for pair in entries(value["equations"])]
    if any(len(pair) != 2 for pair in (*pairs, *equations)):
        raise Rejected("a pair is no pair")
    inverses = tuple(_read(base) for base in entries(value["inverses"]))
    regular = [i for i in entries(value["regular"]) if isinstance(i, int)]
    return Matrices(
        tuple((_read(left), _read(right)) for left, right in equations), inverses,
        tuple((_letter(left), _letter(right)) for left, right in pairs),
        tuple(_letter(letter) for letter in entries(value["semidefinite"])), tuple(regular),
    )  # fmt: skip


def _read(value: object) -> Listed:
    found = []
    for row in entries(value):
        pair = entries(row)
        if len(pair) != 2 or len(entries(pair[1])) > LONGEST:
            raise Rejected("a word is no factor with at most 60 letters")
        found.append((read_term(pair[0]), tuple(_letter(x) for x in entries(pair[1]))))
    return tuple(found)


def _letter(value: object) -> str:
    if not isinstance(value, str) or not LETTER.fullmatch(value):
        raise Rejected(f"{str(value)[:60]!r} is no letter")
    return value


class Algebra:
    """Sums of words with the scalars of a context."""

    def __init__(self, context: Context, matrices: Matrices) -> None:
        self.normal, self.matrices = context.normal, matrices
        self.bases = [self.words(base) for base in matrices.inverses]

    def words(self, listed: Listed) -> Words:
        """A sum of words with normal factors."""
        total: Words = {}
        for factor, word in listed:
            total = self.sum(total, {cancelled(word): self.normal.of(factor)})
        return total

    def sum(self, left: Words, right: Words) -> Words:
        """Sum."""
        total = dict(left)
        for word, factor in right.items():
            value = added(total.get(word, {}), factor)
            if value:
                total[word] = value
            else:
                total.pop(word, None)
        if len(total) > MOST:
            raise Rejected(f"more than {MOST} words")
        return total

    def times(self, left: Words, right: Words) -> Words:
        """Product, inverses beside their bases cancelled."""
        total: Words = {}
        for a, x in left.items():
            for b, y in right.items():
                total = self.sum(total, {cancelled(a + b): self.normal.product(x, y)})
        return total

    def minus(self, left: Words, right: Words) -> Words:
        """Difference."""
        return self.sum(left, {word: scaled(factor, -1) for word, factor in right.items()})

    def put(self, words: Words, pattern: Word, by: Words) -> Words:
        """Every occurrence of a word, from the left, written as a sum."""
        total: Words = {}
        for word, factor in words.items():
            rest: Word = word
            done: Words = {(): factor}
            while (place := _place(rest, pattern)) is not None:
                done = self.times(done, self.times({rest[:place]: number(1)}, by))
                rest = rest[place + len(pattern) :]
            total = self.sum(total, self.times(done, {rest: number(1)}))
        return total

    def solved(self, words: Words, index: int, pattern: Word) -> Words:
        """A word of a base written as P minus the rest of the base."""
        base = self.bases[index]
        factor = base.get(pattern)
        if not pattern or factor is None or self.normal.sign(factor) != 2:
            raise Rejected("a base is solved for a word without a positive factor")
        rest = {word: value for word, value in base.items() if word != pattern}
        inverse = self.normal.inverse(factor)
        by = self.times({(): inverse}, self.minus({(f"P{index}",): number(1)}, rest))
        return self.put(words, pattern, by)

    def require_regular(self, index: int) -> None:
        """Raises: Rejected unless the base of an inverse is regular by its form."""
        if index in self.matrices.regular:
            return
        base = self.bases[index]
        if self.normal.sign(base.get((), {})) != 2 or not all(
            self.normal.sign(factor) and self._semidefinite(word)
            for word, factor in base.items() if word
        ):
            raise Rejected("a matrix that is inverted is not seen to be regular")

    def _semidefinite(self, word: Word) -> bool:
        pairs = set(self.matrices.transposes)
        while len(word) > 1 and ((word[0], word[-1]) in pairs or (word[-1], word[0]) in pairs):
            word = word[1:-1]
        return not word or (len(word) == 1 and word[0] in self.matrices.semidefinite)


def _place(word: Word, pattern: Word) -> int | None:
    for place in range(len(word) - len(pattern) + 1):
        if word[place : place + len(pattern)] == pattern:
            return place
    return None


def cancelled(word: Word) -> Word:
    """A word without P beside its own Z.

    >>> cancelled((":A", "P0", "Z0", ":B"))
    (':A', ':B')
    """
    kept: list[str] = []
    for letter in word:
        if kept and kept[-1][1:] == letter[1:] and {kept[-1][0], letter[0]} == {"P", "Z"}:
            kept.pop()
        else:
            kept.append(letter)
    return tuple(kept)


def step(algebra: Algebra, words: Words, move: Sequence[object]) -> Words:
    """The difference of an equation after one step that keeps whether it is zero."""
    if len(move) < 2 or not isinstance(move[1], int) or not 0 <= move[1] < len(algebra.bases):
        raise Rejected("a step on words names no inverse")
    kind, index = move[0], move[1]
    letter: Words = {(f"P{index}",): number(1)}
    if kind == "left":
        return algebra.times(letter, words)
    if kind == "right":
        return algebra.times(words, letter)
    if kind == "expand":
        return algebra.put(words, (f"P{index}",), algebra.bases[index])
    if kind == "solve" and len(move) == 3:
        return algebra.solved(words, index, tuple(_letter(x) for x in entries(move[2])))
    raise Rejected(f"{str(kind)[:40]!r} is no step on words")


def check_equations(context: Context, matrices: Matrices, proofs: object) -> int:
    """Steps by which the differences of all equations vanish. Raises: Rejected."""
    algebra = Algebra(context, matrices)
    for index in range(len(matrices.inverses)):
        algebra.require_regular(index)
    found = entries(proofs)
    if len(found) != len(matrices.equations):
        raise Rejected(f"{len(matrices.equations)} equations, {len(found)} proofs")
    count = 0
    for (left, right), proof in zip(matrices.equations, found, strict=True):
        words = algebra.minus(algebra.words(left), algebra.words(right))
        for move in entries(proof):
            words = step(algebra, words, entries(move))
            count += 1
        if words:
            raise Rejected("the difference of an equation does not vanish")
    return count
