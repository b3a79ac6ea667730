"""Expectations of sums of entries at drawn places, in closed form.

What is drawn stands in products of entries, at the places V[p] of independent indices or as counts
of a multinomial. A product of d of them has the mean of all ways in which the d draws can be the
same or not: s (s - 1) ... (s - b + 1) times the means of b draws apart, for every partition of the
d into b blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sympy

from boundcheck.certificates.terms import Rejected, Relation, Term, places, reindexed, whole_number
from boundcheck.checks.proofs.places import NoSum
from boundcheck.worlds.draws import Counts, Draw, Indices

if TYPE_CHECKING:
    from boundcheck.checks.proofs.sums import Sums

MOST, TOKENS = 400, 4  # products in one expectation, draws in one product
Bound = tuple[tuple[str, str], ...]  # (size, index)


@dataclass(frozen=True)
class Product:
    """A product of factors, summed over its indices."""

    bound: Bound
    factors: tuple[Term, ...]

    def term(self) -> Term:
        """The term that it is."""
        body: Term = ("*", *self.factors) if self.factors else "1"
        for size, index in reversed(self.bound):
            body = ("sum", size, index, body)
        return body


class Expectation:
    """Expectations over one draw of indices or counts."""

    def __init__(self, sums: Sums, draw: Draw | None) -> None:
        if draw is None or type(draw) not in (Indices, Counts):
            raise NoSum(f"means over {type(draw).__name__}")
        self.sums, self.draw = sums, draw
        self.name = draw.names[0]
        self.law = str(draw.weights)  # type: ignore[attr-defined]
        self.size = sums.law(self.law)
        trials = draw.length if isinstance(draw, Indices) else draw.trials  # type: ignore[attr-defined]
        self.trials = sums.size(str(trials))

    def of(self, term: Term) -> Term:
        """The mean of a term. Raises: NoSum for what is no polynomial in what is drawn."""
        if not self._drawn(term):
            return term
        try:
            found = list(self._products(term))
        except Rejected as error:
            raise NoSum(str(error)) from error
        return ("+", *[self._mean(product) for product in found])

    def _drawn(self, term: Term) -> bool:
        """Whether a term depends on the outcome."""
        if isinstance(term, str) or term[0] == "x":
            if not isinstance(term, str) and self._is_random(str(term[1]), set()):
                raise NoSum(f"{term[1]} depends on the outcome")
            return False
        if term[0] == "at":
            if term[1] in self.sums.random:
                raise NoSum(f"{term[1]} depends on the outcome")
            return term[1] == self.name or self.name in self.sums.origin.get(str(term[1]), ("",))
        if term[0] == "sum":
            return self._drawn(term[3])
        return any(self._drawn(part) for part in term[1:] if not isinstance(part, str))

    def _is_random(self, name: str, seen: set[str]) -> bool:
        """Whether a letter depends on the outcome: as an entry at a drawn place, an extreme over
        such entries, a node or a definition."""
        known = self.sums.knowledge
        if name in self.sums.random or name in known.claim.random_names:
            return True
        if name in seen:
            return False
        seen.add(name)
        texts = (known.claim.stands.get(name), known.nodes.get(name))
        inner = [symbol.name for text in texts if isinstance(text, sympy.Basic)
                 for symbol in text.free_symbols]  # fmt: skip
        for entry, (row, label) in known.rows.entries.items():
            inner += [row, label.partition("[")[0]] if entry.name == name else []
        for extreme in known.rows.extremes.values():
            letters = extreme.expr.free_symbols if extreme.letter.name == name else ()
            inner += [letter.name for letter in letters]
        return any(self._is_random(each, seen) for each in inner)

    # A term as a sum of products.

    def _products(self, term: Term) -> list[Product]:
        if isinstance(term, str) or not self._drawn(term) or term[0] == "at":
            return [Product((), (term,))]
        if term[0] == "+":
            return _few([p for part in term[1:] for p in self._products(part)])
        if term[0] == "*":
            found = [Product((), ())]
            for part in term[1:]:
                factors = self._products(part)
                found = _few([self._times(a, b) for a in found for b in factors])
            return found
        power = whole_number(term[2]) if term[0] == "^" else None
        if power is not None and 0 < power <= TOKENS:
            return self._products(("*", *[term[1]] * power))
        if term[0] == "sum":
            bound = ((str(term[1]), str(term[2])),)
            return [Product((*bound, *p.bound), p.factors) for p in self._products(term[3])]
        raise NoSum("no polynomial in what is drawn")

    def _times(self, left: Product, right: Product) -> Product:
        """The product of two, the indices of the second being new ones."""
        bound, factors = [], list(right.factors)
        for size, index in right.bound:
            new = self.sums.fresh("e", size)
            bound.append((size, new))
            factors = [reindexed(factor, index, new) for factor in factors]
        return Product((*left.bound, *bound), (*left.factors, *factors))

    # The mean of a product.

    def _mean(self, product: Product) -> Term:
        bound, factors = product.bound, list(product.factors)
        for inner in factors:
            if not isinstance(inner, str) and inner[0] not in ("at", "x") and self._drawn(inner):
                raise NoSum("no polynomial in what is drawn")
        if isinstance(self.draw, Counts):
            return self._of_counts(bound, factors)
        return self._of_indices(bound, factors)

    def _of_counts(self, bound: Bound, factors: list[Term]) -> Term:
        labels = [str(f[2]) for f in factors if f[0] == "at" and f[1] == self.name]
        rest = [f for f in factors if f[0] != "at" or f[1] != self.name]
        if any(self._drawn(factor) for factor in rest):
            raise NoSum("counts at places of their own")
        total: list[Term] = []
        for blocks in _partitions(len(labels)):
            product = self._joined(Product(bound, tuple(rest)), labels, blocks)
            total.append(("*", *self._falling(len(blocks)), product.term()))
        return ("+", *total)

    def _joined(
        self, product: Product, labels: Sequence[str], blocks: list[list[int]]
    ) -> Product:
        """Draws of one block are one atom: their indices are the same, weighed once."""
        bound, factors, labels = list(product.bound), list(product.factors), list(labels)
        for block in blocks:
            kept = labels[block[0]]
            for other in {labels[place] for place in block} - {kept}:
                here = {index for _, index in bound}
                if other not in here:
                    kept, other = other, kept
                if other not in here:
                    raise NoSum("two given places")
                bound = [pair for pair in bound if pair[1] != other]
                factors = [reindexed(factor, other, kept) for factor in factors]
                labels = [kept if label == other else label for label in labels]
            factors.append(("at", self.law, kept))
        return Product(tuple(bound), tuple(factors))

    def _of_indices(self, bound: Bound, factors: list[Term]) -> Term:
        for factor in factors:
            if isinstance(factor, str) or not self._drawn(factor):
                continue
            array = self.sums.origin.get(str(factor[1]), (factor[1],))[0]
            if array == self.name or not any(self._tokens(factor)):
                raise NoSum("what is drawn, as a number")
        tokens = sorted({token for factor in factors for token in self._tokens(factor)})
        given = [token for token in tokens if token not in {index for _, index in bound}]
        if len(given) > 1 or (given and len(tokens) > 1):
            raise NoSum("more than one given draw")
        self._require_apart(tokens, factors)
        free = tuple(pair for pair in bound if pair[1] not in tokens)
        total: list[Term] = []
        for blocks in _partitions(len(tokens)):
            here, moved = list(free), list(factors)
            for block in blocks:
                atom = self.sums.fresh("v", self.size)
                here.append((self.size, atom))
                for place in block:
                    moved = [self._at_atom(factor, tokens[place], atom) for factor in moved]
                moved.append(("at", self.law, atom))
            count = [] if given else self._falling(len(blocks))
            total.append(("*", *count, Product(tuple(here), tuple(moved)).term()))
        return ("+", *total)

    def _tokens(self, factor: Term) -> Iterator[str]:
        """Which of the draws a factor is at."""
        if factor[0] == "at":
            through = self.sums.origin.get(str(factor[1]), ())[1:]
            for index, sequence in zip(factor[2:], through, strict=False):
                if sequence == self.name:
                    yield str(index)

    def _require_apart(self, tokens: Sequence[str], factors: Sequence[Term]) -> None:
        """Raises: NoSum if the number of a draw is used otherwise."""
        for factor in factors:
            other = places(factor) - set(self._tokens(factor))
            through = self.sums.origin.get(str(factor[1]), ())[1:] if factor[0] == "at" else ()
            plain = {str(index) for index, sequence in zip(factor[2:], through, strict=False)
                     if sequence != self.name}  # fmt: skip
            if set(tokens) & (other | plain):
                raise NoSum("the number of a draw as a place")

    def _at_atom(self, factor: Term, token: str, atom: str) -> Term:
        """A factor at an atom in the place of a draw."""
        if token not in set(self._tokens(factor)):
            return factor
        array, *through = self.sums.origin[str(factor[1])]
        indices, left = [], []
        for index, sequence in zip(factor[2:], through, strict=True):
            hit = sequence == self.name and index == token
            indices.append(atom if hit else str(index))
            left.append("" if hit else sequence)
        return ("at", self.sums.composed(array, left), *indices)

    def _falling(self, count: int) -> list[Term]:
        """s (s - 1) ... , as many factors as blocks."""
        s: Term = ("x", self.trials)
        return [s if i == 0 else ("+", s, str(-i)) for i in range(count)]


def _few(products: list[Product]) -> list[Product]:
    if len(products) > MOST:
        raise NoSum("too many products")
    return products


def _partitions(count: int) -> Iterator[list[list[int]]]:
    """All ways to put 0, ..., count - 1 into blocks."""
    if count > TOKENS:
        raise NoSum(f"a product of more than {TOKENS} draws")
    if count == 0:
        yield []
        return
    for rest in _partitions(count - 1):
        for place in range(len(rest)):
            yield [[*block, count - 1] if i == place else block for i, block in enumerate(rest)]
        yield [*rest, [count - 1]]


def expected(relation: Relation, mean: Expectation) -> Relation:
    """A conjunction of comparisons between means. Raises: NoSum for any other relation."""
    head, *rest = relation
    if head == "and":
        return ("and", *[expected(part, mean) for part in rest])  # type: ignore[arg-type]
    if head not in ("=", "<=", "<"):
        raise NoSum("alternatives of what is drawn")
    return (head, *[mean.of(side) for side in rest])
