"""How far out a statement may turn that no law follows.

`|v| max(0, 1 - log(1 + |v|) / 100)` is bounded, by a constant that a world at |v| = 2^64 cannot
tell from growth: a slow function turns exponentially far out, a polynomial by its degree, what
grows faster than every power nowhere that its numbers tell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence

import sympy
from flint import fmpq

from boundcheck import exact
from boundcheck.checker.along import UNKNOWN, Along
from boundcheck.checker.gains import raised
from boundcheck.checker.germs import NoGerm
from boundcheck.checker.incode import MOST_BITS, is_steep_or_slow, size_of
from boundcheck.checker.nearing import drawn_by
from boundcheck.checker.ray import Ray
from boundcheck.checker.rays import outgrows
from boundcheck.claim import Claim
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.boxes import Extreme
from boundcheck.expressions.nodes import Apply, Binder, Multiplied, Total
from boundcheck.worlds.composed import Derived

LONGEST = 4000  # of what a logarithm undoes
PRODUCTS = {"inner", "outer", "entrywise", "form"}
NORMS = {"norm", "frobenius_norm"}
ENDLESS: int = 1 << MOST_BITS  # a constant that refutes nothing
FAST = (sympy.Function, sympy.Sum, sympy.Product, Multiplied, Extreme)
TAME = (  # functions that are no faster than every power, nor tend to a number as fast
    sympy.log, sympy.sin, sympy.cos, sympy.Abs, sympy.Max, sympy.Min, sympy.floor, sympy.ceiling,
    sympy.sign, sympy.atan, sympy.Piecewise,
)  # fmt: skip
FAST_PRIMITIVES = {
    "exponential", "matrix_root", "binomial_tail", "poisson_tail", "chi_square_tail",
    "normal_quantile", "variance_proxy", "largest_proxy", "hedge_regret", "circle_point",
    "cosine_of_turns", "spectral_radius", "determinant", "smallest_eigenvalue", "eigenvalues",
}  # fmt: skip


class Turning:
    """Args: moves: whether a value has no end among the worlds that are looked at; weight: of a
    symbol that moves, its power of t; known: a number that does not move, None where it is not one
    fraction; power: of t that a value goes like for every t, None where it may turn or nobody
    knows; made: what numbers make by themselves.
    """

    def __init__(
        self, claim: Claim, moves: Callable[[sympy.Basic], bool], weight: Callable[[str], fmpq],
        known: Callable[[sympy.Basic], fmpq | None],
        power: Callable[[sympy.Basic], fmpq | None], made: int,
    ) -> None:  # fmt: skip
        self.claim, self.moves, self.weight, self.known = claim, moves, weight, known
        self.power, self.made, self.drawn = power, made, drawn_by(claim)

    def of(self, texts: Sequence[sympy.Basic]) -> int:
        """A constant above what turning makes of numbers."""
        parts = [part for text in texts for part in sympy.preorder_traversal(text)]
        if len(texts) == 1 and self._tends_to_infinity(texts[0]):
            return 1
        steep = {_steepness(part) for part in parts if self._is_fast(part)}
        if None in steep or len(steep) > 1:
            return ENDLESS
        factors = [pair for text in texts for pair in self._factors(text, fmpq(1))]
        logarithms = 1  # as factors of a side: (log t)^k t^-a is largest at log t = k / a
        finest = math.lcm(
            *(int((power * (self.power(factor) or 1)).q) for factor, power in factors)
        )
        for power in (int(abs(power).ceil()) for factor, power in factors if _is_log(factor)):
            logarithms = min(logarithms * raised(finest * power, power), ENDLESS)
        within = [part for factor, _ in factors for part in sympy.preorder_traversal(
            factor.args[0] if _is_log(factor) else factor) if self.power(factor) is None]
        slow = {part for part in within if _is_slow(part) and self._moving(part)}
        far = max(self._undone(slow, self.made), self.made)
        if all(_is_log(factor) or self._is_plain(factor) for factor, _ in factors):
            return logarithms
        degree = int(max(map(self._of_sides, texts), default=fmpq(0)).ceil())
        times = raised(steep.pop() or 1, far) if steep else 1
        degree = max(degree, 1)
        return raised(far * (degree if times > 1 else 1), degree) * times * logarithms

    def _tends_to_infinity(self, text: sympy.Basic) -> bool:
        """Whether the left side is a product of as many factors as one likes, each larger than any
        number from some place on, and all else stands still."""
        if not isinstance(text, exact.INEQUALITIES) or self._moving(text.gts):
            return False
        moved = [pair for pair in self._factors(text.lts, fmpq(1)) if self._moving(pair[0])]
        if len(moved) != 1 or not isinstance(moved[0][0], Multiplied) or moved[0][1] < 0:
            return False
        (product, _), degree = moved[0], fmpq(0)
        for factor, power in self._factors(product.body, fmpq(1)):
            if len(product.indices) != 1 or (
                self._moving(factor) and not factor.has(product.indices[0])
            ):
                return False
            if not factor.has(product.indices[0]):
                continue
            if not factor.is_polynomial(product.indices[0]):
                return False
            written = sympy.Poly(factor, product.indices[0])
            if not all(c.is_Rational and c > 0 for c in written.coeffs()):
                return False
            degree += power * written.degree()
        return degree > 0

    def _factors(
        self, expr: sympy.Basic, power: fmpq
    ) -> Iterator[tuple[sympy.Basic, fmpq]]:
        """Factors of sides with their powers: no root of one turns anything, sums and maxima do."""
        if isinstance(expr, (sympy.Rel, sympy.And, sympy.Mul)):
            for arg in expr.args:
                yield from self._factors(arg, power)
        elif isinstance(expr, sympy.Pow) and not self._moving(expr.exp):
            yield from self._factors(expr.base, power * self._exponent(expr))
        else:
            yield expr, power

    def _is_fast(self, part: sympy.Basic) -> bool:
        """Whether it may outgrow every power, or is code that reads slow or fast functions."""
        if isinstance(part, FAST) and not isinstance(part, TAME):
            return self._moving(part)
        if isinstance(part, sympy.Pow):
            return self._moving(part.exp)
        if isinstance(part, Total):  # of 1 / (i + 1) over i < n it is log n
            divided = any(p.exp.is_negative for p in self._written(part.body).atoms(sympy.Pow))
            sizes = {size for index in part.indices
                     for size in sympy.sympify(index.meaning.size).free_symbols}  # fmt: skip
            other = divided or any(map(self._is_fast, sizes))
            return other and self.power(part) is None and any(map(self.moves, part.indices))
        if isinstance(part, Apply):
            code = is_steep_or_slow(part.primitive.exact)
            fast = code or part.primitive.standard in FAST_PRIMITIVES
            return fast and self._moving(part) and self.power(part) is None
        if isinstance(part, sympy.Symbol) and part.name in self.drawn:
            law = getattr(self.drawn[part.name], "rule", None)
            return is_steep_or_slow(law) and self._moving(part)
        quantity = self._quantity(part)
        if quantity is None or isinstance(quantity, Definition):
            return False
        return is_steep_or_slow(quantity) and self._moving(part)

    def _is_plain(self, factor: sympy.Basic) -> bool:
        """Whether it is a number, one symbol of the world, or goes like a power."""
        code = isinstance(factor, sympy.Symbol) and self._quantity(factor) is not None
        lone = isinstance(factor, sympy.Symbol) and not code
        return not factor.free_symbols or lone or self.power(factor) is not None

    def _quantity(self, part: sympy.Basic) -> Callable[..., object] | None:
        if not isinstance(part, sympy.Symbol):
            return None
        field = self.claim.fields.get(part.name)
        return field.rule if isinstance(field, Derived) else self.claim.measured.get(part.name)

    def _written(self, expr: sympy.Basic) -> sympy.Basic:
        """An expression with definitions put in."""
        for _ in range(len(self.claim.measured)):
            stands = {symbol: quantity.whole for symbol in expr.free_symbols
                      if isinstance(quantity := self._quantity(symbol), Definition)}  # fmt: skip
            if not stands:
                break
            expr = expr.xreplace(stands)
        return expr

    def _moving(self, part: sympy.Basic) -> bool:
        return bool(part.free_symbols) and self.moves(part)

    def _undone(self, slow: set[sympy.Basic], made: int) -> int:
        """How far out slow functions have the size `made`, one within the other.

        Roots beside each other differ by as little as one over the product of what they are of:
        t^(1/100) / t^(1/101) is 2 at 2^10100.
        """
        found = 1
        made = raised(made, self._finest(slow))
        inner = {part for outer in slow for part in slow
                 if part != outer and outer.has(part)}  # fmt: skip
        for part in sorted(slow - inner, key=str):
            within = {each for each in slow if each != part and part.has(each)}
            top = self._inverted(part, made)
            found = min(found * max(top, self._undone(within, top)), ENDLESS)
        return found

    def _finest(self, slow: set[sympy.Basic]) -> int:
        """What the exponents of roots have in common as their denominator, beside the largest."""
        roots = {self._root(part) for part in slow if not isinstance(part, sympy.log)}
        return math.lcm(*roots) // max(roots, default=1)

    def _inverted(self, part: sympy.Basic, made: int) -> int:
        """How large the argument of a slow function is where its value is `made`."""
        if isinstance(part, sympy.log):
            if self.power(part) is not None:
                return made
            return 3**made if made <= LONGEST else ENDLESS
        return raised(made, self._root(part))

    def _root(self, part: sympy.Basic) -> int:
        """Of which degree a root is; norms are square roots of how many entries there are."""
        return int(self._exponent(part).q) if isinstance(part, sympy.Pow) else 2

    def _exponent(self, part: sympy.Pow) -> fmpq:
        """The exponent of a power; the largest in sight with its root where it is unknown."""
        if part.exp.is_Rational:
            return exact.ratio_of(part.exp)
        found = None if self._moving(part.exp) else self.known(part.exp)
        return fmpq(LONGEST**2, LONGEST + 1) if found is None else found

    def _of_sides(self, text: sympy.Basic) -> fmpq:
        """The degree of left over right: that of powers as they cancel, and of all else."""
        if isinstance(text, sympy.And):
            return max(map(self._of_sides, text.args))
        if not isinstance(text, sympy.Rel):
            return self.degree(text)
        found, net, alone = fmpq(0), fmpq(0), dict[sympy.Basic, fmpq]()
        for side, sign in ((text.lhs, 1), (text.rhs, -1)):
            for factor, power in self._factors(side, fmpq(sign)):
                exact_power = self.power(factor)
                if exact_power is not None:
                    net += power * exact_power
                elif self._is_plain(factor):
                    alone[factor] = alone.get(factor, fmpq(0)) + power
                elif not _is_log(factor):
                    found += abs(power) * self.degree(factor)
        each = (power * self.degree(factor) for factor, power in alone.items())
        return found + abs(net) + sum(map(abs, each), fmpq(0))

    def degree(self, expr: sympy.Basic) -> fmpq:
        """The power of t that an expression is of at most, beside slow factors."""
        if isinstance(expr, sympy.Symbol):
            quantity = self._quantity(expr)
            if quantity is None:
                return self.weight(expr.name) if self._moving(expr) else fmpq(0)
            if isinstance(quantity, Definition):
                return self.degree(quantity.whole)
            return self._largest(map(sympy.Symbol, Claim.arguments(quantity)))
        if isinstance(expr, sympy.Pow) and not self._moving(expr.exp):
            return self.degree(expr.base) * abs(self._exponent(expr))
        if isinstance(expr, Apply):
            operands = list(expr.operands)
            if expr.primitive.standard not in PRODUCTS:
                return self._largest(operands)
            operands += operands[1:] if expr.primitive.standard == "form" else []
            return sum(map(self.degree, operands), fmpq(0))
        if isinstance(expr, Binder):
            return self.degree(expr.body)
        if isinstance(expr, (sympy.Add, sympy.Max, sympy.Min, sympy.Piecewise, sympy.And)):
            return self._largest(expr.args)
        return sum(map(self.degree, expr.args), fmpq(0))

    def _largest(self, exprs: Iterable[sympy.Basic]) -> fmpq:
        return max(map(self.degree, exprs), default=fmpq(0))


def turned_along(
    claim: Claim, ray: Ray, counted: int, texts: Sequence[sympy.Basic]
) -> int:
    """What turning far out makes of numbers where no law follows both sides along a ray."""
    if outgrows(claim, ray):
        return 1
    along = Along(claim, ray)
    least = min(map(abs, ray.powers.values()))

    def moves(expr: sympy.Basic) -> bool:
        try:
            return along.moves(expr, drawn=True)
        except NoGerm:
            return True

    def known(expr: sympy.Basic) -> fmpq | None:
        value = along.place.value(expr)
        return fmpq(value) if isinstance(value, (int, fmpq)) else None

    def power_of(expr: sympy.Basic) -> fmpq | None:
        try:
            germ = along.germ(expr)
        except (NoGerm, *UNKNOWN):
            return None
        size = abs(germ.ball)
        clean = germ.logs == 0 and size.lower() > 0 and size.upper() < 2 * size.lower()
        return germ.power / least if clean else None

    def weight(name: str) -> fmpq:
        return abs(ray.powers.get(name, least)) / least

    return Turning(claim, moves, weight, known, power_of, counted).of(texts)


def _is_log(part: sympy.Basic) -> bool:
    return isinstance(part, sympy.log) and bool(part.free_symbols)


def _is_slow(part: sympy.Basic) -> bool:
    """A logarithm, a power that is no whole one, or a norm."""
    if isinstance(part, Apply):
        return part.primitive.standard in NORMS
    root = isinstance(part, sympy.Pow) and not part.exp.is_Integer
    return isinstance(part, sympy.log) or (root and part.base.free_symbols != set())


def _steepness(part: sympy.Basic) -> int | None:
    """The base of a plain exponential c^(k + x) or c^(k - x), by how far it is from one."""
    if not isinstance(part, sympy.Pow) or not part.base.is_Rational:
        return None
    moved = [part.exp.coeff(symbol) for symbol in part.exp.free_symbols]
    rest = part.exp - sum(part.exp.coeff(symbol) * symbol for symbol in part.exp.free_symbols)
    plain = len(moved) == 1 and abs(moved[0]) == 1 and rest.is_Integer
    return size_of(exact.ratio_of(part.base)) if plain else None
