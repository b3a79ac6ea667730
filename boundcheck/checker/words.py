"""Matrices whose rows, or columns, are all words over two letters: N = 2^t words of length t.

Among all words there is a best one for every draw, letter by letter: the largest sum of terms that
each read one letter is the sum of their largest values, and that of fair signs times letters has
the mean (b - a) / 2 times the sum of the moduli of their factors, as E max(xi a, xi b) =
(b - a) / 2. A bound on a class of N functions that has lost its log(N) fails there.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import sympy
from flint import fmpq, fmpq_mat

from boundcheck.arithmetic import Value
from boundcheck.checker.moments import apart
from boundcheck.checker.writing import COPIED, COPIES, Grid, Parts, Places, Unwritten, Writing
from boundcheck.checker.written import Spread, Written
from boundcheck.claim import Claim
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import Apply, Average, Greatest, Total
from boundcheck.worlds.draws import Signs
from boundcheck.worlds.fields import Integer, Matrix

Letters = tuple[sympy.Expr, sympy.Expr]
TWO = sympy.Integer(2)


class OfWords(Writing):
    """Expressions over a world of words; whatever reads them but a largest value is unwritten."""

    def __init__(self, claim: Claim, parts: Parts, spread: Spread) -> None:
        super().__init__(claim, parts)
        field, matrix = claim.fields[spread.words], spread.start[spread.words]
        assert isinstance(matrix, fmpq_mat)  # as `Worded` requires
        self.matrix_name, self.across = spread.words, field.rows == spread.size
        self.number_of_words = field.cols if self.across else field.rows
        self.letters = [sympy.Rational(int(x.p), int(x.q)) for x in matrix.entries()]

    def number(self, expr: sympy.Basic, at: Places | None = None) -> sympy.Expr:
        """A number written out. Raises: Unwritten where no rule does."""
        at = at or {}
        if self._is_number(expr):
            return TWO**COPIES
        if isinstance(expr, sympy.log):
            return self._logarithm(self.number(expr.args[0], at))
        if isinstance(expr, Greatest) and self._over_words(expr):
            return self._largest(expr, at)
        if isinstance(expr, Apply) and expr.primitive.standard == "hedge_regret":
            return self._regret(expr)
        if isinstance(expr, Average):
            outside, inside = apart(expr.body, expr.drawn)
            best = inside[0] if len(inside) == 1 else None
            while isinstance(best, Named):
                best = best.body
            if isinstance(best, Greatest) and self._over_words(best):
                return self.number(outside, at) * self._mean(best, expr.drawn, at)
        return super().number(expr, at)

    def condition(self, expr: sympy.Basic, at: Places | None = None) -> sympy.Basic:
        """A condition written out; that there are so many words as one about their length."""
        least = expr.args[1] if isinstance(expr, (sympy.Ge, sympy.Gt)) else None
        if getattr(least, "is_Rational", False) and str(expr.args[0]) == self.number_of_words:
            length = 0
            while not expr.func(2**length, least):
                length += 1
            return sympy.Ge(COPIES, length)
        return super().condition(expr, at)

    def _logarithm(self, inside: sympy.Expr) -> sympy.Expr:
        """log(2^t c) is t log 2 + log c."""
        powers = [each for each in sympy.Mul.make_args(inside) if each == TWO**COPIES]
        rest = sympy.Mul(*(each for each in sympy.Mul.make_args(inside) if each not in powers))
        return len(powers) * COPIES * sympy.log(TWO) + sympy.log(rest)

    def _table(self, name: str, field: object) -> Grid:
        if name == self.matrix_name:
            raise Unwritten(name)
        return super()._table(name, field)

    def _over_words(self, expr: Greatest) -> bool:
        return any(self._is_number(index.meaning.size) for index in expr.indices)

    def _is_number(self, size: sympy.Basic) -> bool:
        return isinstance(size, sympy.Symbol) and size.name == self.number_of_words

    def _word(self, expr: Greatest) -> sympy.Symbol:
        """The index of the words. Raises: Unwritten unless it runs over them alone."""
        found = [index for index in expr.indices if self._is_number(index.meaning.size)]
        if len(found) != 1 or len(expr.indices) != 1:
            raise self.unwritten(expr)
        return found[0]

    def _largest(self, expr: Greatest, at: Places) -> sympy.Expr:
        """Of what rises with a sum of terms that read one letter each."""
        if len(expr.indices) == 2:  # the largest entry of all
            word, index = sorted(
                expr.indices, key=lambda each: not self._is_number(each.meaning.size))
            if self.key(index.meaning.size) != self.parts.grown:
                raise self.unwritten(expr)
            return sympy.Max(*self._terms(expr.body, word, index, at))
        return self._rising(expr.body, self._word(expr), at)

    def _rising(
        self, body: sympy.Expr, word: sympy.Symbol, at: Places, *, least: bool = False
    ) -> sympy.Expr:
        """Args: least: whether no term may be below zero."""
        if isinstance(body, Named):
            return self._rising(body.body, word, at)
        if isinstance(body, sympy.Pow) and body.exp.is_Rational and body.exp.is_positive:
            if isinstance(body.base, Total) and not body.exp.is_Integer:
                return self._rising(body.base, word, at, least=True) ** body.exp
            if isinstance(body.base, Apply) and body.base.primitive.standard == "norm":
                return self._rising(body.base, word, at) ** body.exp
        if isinstance(body, Apply) and body.primitive.standard in ("norm", "inner"):
            one, *others = body.operands
            if self._is_word(one, word) and all(other == one for other in others):
                square = self.copies * sympy.Max(*(letter**2 for letter in self.letters))
                return sympy.sqrt(square) if not others else square
        if isinstance(body, Total) and len(body.indices) == 1:
            (index,) = body.indices
            if self.key(index.meaning.size) == self.parts.grown:
                terms = self._terms(body.body, word, index, at)
                if not least or all(term.is_nonnegative for term in terms):
                    return self.copies * sympy.Max(*terms)
        raise self.unwritten(body)

    @property
    def copies(self) -> sympy.Expr:
        """How many letters a word has."""
        return sympy.Add(*self.parts.times(self.parts.grown))

    def _terms(
        self, body: sympy.Expr, word: sympy.Symbol, index: sympy.Symbol, at: Places
    ) -> list[sympy.Expr]:
        """The values of what reads the letter of a word at an index, for both letters."""
        entry = self._entry_at(word, index)
        found = []
        for letter in self.letters:
            put = body.xreplace({entry: letter})
            if word in put.free_symbols:
                raise self.unwritten(body)
            found.append(self.number(put, {**at, index: 0}))
        return found

    def _entry_at(self, word: sympy.Symbol, index: sympy.Symbol) -> sympy.Expr:
        matrix = self.claim_symbol
        return matrix[index, word] if self.across else matrix[word, index]

    @cached_property
    def claim_symbol(self) -> sympy.Symbol:
        """The matrix of words."""
        stated = [self.claim.statement.relation, *self.claim.given]
        whole = [getattr(each, "whole", None) for each in self.claim.measured.values()]
        for expr in (*stated, *(each for each in whole if each is not None)):
            for part in sympy.preorder_traversal(expr):
                if isinstance(part, sympy.Symbol) and part.name == self.matrix_name:
                    return part
        raise Unwritten(self.matrix_name)

    def _is_word(self, vector: sympy.Basic, word: sympy.Symbol) -> bool:
        """Whether a vector is the word of an index."""
        if not isinstance(vector, Apply) or vector.primitive.standard != "row":
            return False
        matrix, place = vector.operands
        if self.across:
            turned = isinstance(matrix, Apply) and matrix.primitive.standard == "transpose"
            matrix = matrix.operands[0] if turned else None
        return bool(place == word and matrix == self.claim_symbol)

    def _regret(self, expr: Apply) -> sympy.Expr:
        """Of experts that are all words: before every round each letter weighs as much as the
        other, whatever came before, and the best expert has the lower one in every round."""
        if not self.across or expr.operands[0] != self.claim_symbol:
            raise self.unwritten(expr)
        low, high = sorted(self.letters)
        return self.copies * (high - low) / 2

    # Means of largest sums of signs.

    def _mean(self, expr: Greatest, drawn: sympy.Symbol, at: Places) -> sympy.Expr:
        draw, body = drawn.meaning.draw, expr.body
        if type(draw) is not Signs or draw.length != self.parts.grown:
            raise self.unwritten(expr)
        word, (low, high) = self._word(expr), sorted(self.letters)
        outside, inside = apart(body, drawn)
        if len(inside) == 1 and isinstance(inside[0], sympy.Abs) and low == -high:
            # With a word stands its negative.
            if word in outside.free_symbols or not self._is_nonnegative(outside, at):
                raise self.unwritten(expr)
            body = outside * inside[0].args[0]
        return self.copies * self._factor(body, word, drawn, at) * (high - low) / 2

    def _is_nonnegative(self, expr: sympy.Expr, at: Places) -> bool:
        """Whether a number is not below zero for any number of copies."""
        found = self.number(expr, at)
        lows = {symbol: getattr(self.claim.fields.get(symbol.name), "low", None)
                for symbol in found.free_symbols}  # fmt: skip
        known = {symbol: sympy.Dummy(nonnegative=True) for symbol, low in lows.items()
                 if isinstance(low, int) and low >= 0}  # fmt: skip
        found = found.xreplace({**known, COPIES: sympy.Dummy(positive=True)})
        return bool(found.is_nonnegative)

    def _factor(
        self, body: sympy.Expr, word: sympy.Symbol, drawn: sympy.Symbol, at: Places
    ) -> sympy.Expr:
        """|c| where the body is the sum of c times sign times letter."""
        outside, inside = apart(body, drawn)
        if len(inside) != 1 or word in outside.free_symbols:
            raise self.unwritten(body)
        (node,) = inside
        factor = sympy.Abs(self.number(outside, at))
        if isinstance(node, Named):
            return factor * self._factor(node.body, word, drawn, at)
        if isinstance(node, Apply) and node.primitive.standard == "inner":
            other = [each for each in node.operands if each != drawn]
            if len(other) == 1 and self._is_word(other[0], word):
                return factor
        if isinstance(node, Total) and len(node.indices) == 1:
            (index,) = node.indices
            beside = sympy.Mul.make_args(node.body)
            wanted = [drawn[index], self._entry_at(word, index)]
            rest = [each for each in beside if each not in wanted]
            left = sympy.Mul(*rest)
            if len(rest) == len(beside) - 2 and not {word, drawn} & left.free_symbols and (
                self.key(index.meaning.size) == self.parts.grown
            ):
                return factor * sympy.Abs(self.number(left, {**at, index: 0}))
        raise self.unwritten(body)


class Worded(Written):
    """The statement about numbers alone that a claim is in worlds of more and longer words."""

    def _writing(self) -> Writing:
        return OfWords(self.whole, self.parts, self.spread)

    def _require_fields(self) -> None:
        super()._require_fields()
        spread, fields = self.spread, self.whole.fields
        field, matrix = fields.get(spread.words), spread.start.get(spread.words)
        if type(field) is not Matrix or not isinstance(matrix, fmpq_mat) or spread.moves:
            raise Unwritten(spread.words)
        sides = {field.rows, field.cols}
        number, *more = map(str, sides - {spread.size} or {""})
        count = fields.get(number)
        of_words = [name for name, other in fields.items() if number in (
            getattr(other, each, None) for each in ("size", "rows", "cols", "low", "high"))]
        if more or len(sides) != 2 or of_words != [spread.words] or (
            not isinstance(count, Integer) or count.high is not None
            or spread.start[number] != 2 or spread.start[spread.size] != 1
            or number in getattr(self.whole.statement, "depends", ())
        ):
            raise Unwritten(spread.words)
        self.number_of_words = number

    @cached_property
    def parts(self) -> Parts:
        """Sizes without the number of words, which no sum may run over."""
        whole = super().parts
        sizes = {name: size for name, size in whole.sizes.items() if name != self.number_of_words}
        return Parts(sizes, whole.grown, whole.copied)

    @cached_property
    def start(self) -> dict[str, Value]:
        """Every number but the words."""
        words = f"{self.spread.words}["
        return {name: value for name, value in super().start.items()
                if name != self.number_of_words and not name.startswith(words)}  # fmt: skip

    def world(self, numbers: Mapping[str, Value]) -> dict[str, Value]:
        """The world of these numbers in full."""
        times = int(numbers[COPIED])
        words, count = self.spread.words, 2**times
        letters = self.spread.start[words].entries()
        rows = [[fmpq(letters[word >> place & 1]) for place in range(times)]
                for word in range(count)]  # fmt: skip
        table = fmpq_mat(rows)
        across = self.whole.fields[words].rows == self.spread.size
        return {name: count if name == self.number_of_words
                else (table.transpose() if across else table) if name == words
                else self.value(name, field, numbers, times)
                for name, field in self.whole.fields.items()}  # fmt: skip
