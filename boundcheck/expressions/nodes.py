"""Kinds of nodes beyond SymPy's own: primitives, and operations that bind an index or an outcome.

A node's `rank` says what its value is: 0 scalar, 1 vector, 2 matrix, None any other object.
The readings (`exactly`, `batch`, `units`, `signs`, `shapes`) hold one rule per kind of node.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import sys
from collections.abc import Callable, Iterator
from typing import Any, Self

import sympy
from sympy.core.symbol import Str

from boundcheck.arithmetic import as_said, holds_balls
from boundcheck.encoding import as_expression
from boundcheck.errors import MalformedStatement, Undecided
from boundcheck.expressions.display import Shown, as_expectation, as_term, averaged
from boundcheck.expressions.symbols import Constant, Entries, Known, known_symbols, rests_on
from boundcheck.wholes import handed


class Node(Entries, sympy.Expr):
    """Base of all nodes."""

    rank: int | None = 0
    kind = ""

    @classmethod
    def made(cls, *args: Any) -> Self:
        """The node of these arguments, as SymPy makes it."""
        node: Self = sympy.Expr.__new__(cls, *args)
        return node

    @property
    def is_commutative(self) -> bool:
        """Scalars commute, everything else keeps its place in a product."""
        return self.rank == 0

    def _eval_is_extended_real(self) -> bool | None:
        return True if self.rank == 0 else None
    _eval_is_real = _eval_is_extended_real


def rank_of(expr: sympy.Basic) -> int | None:
    """Rank of the value of an expression; a product ends in a vector where a matrix meets one.

    A symbol without meaning that does not commute is taken for a matrix.
    """
    if isinstance(expr, (Known, Node)):
        return expr.rank
    if getattr(expr, "is_commutative", True):
        return 0
    if isinstance(expr, sympy.Add):
        ranks = {rank_of(arg) for arg in expr.args} - {0}
        return ranks.pop() if len(ranks) == 1 else 2
    if isinstance(expr, sympy.Mul):
        return rank_of([arg for arg in expr.args if not arg.is_commutative][-1])
    if isinstance(expr, sympy.Pow):
        return rank_of(expr.base)
    return 2


class Apply(Node):
    """A primitive applied to expressions: `operator_norm(A)`."""

    kind = "primitive"

    def __new__(cls, token: Str, *args: sympy.Basic) -> Apply:
        return cls.made(token, *args)

    @property
    def primitive(self) -> Primitive:
        """The primitive that is applied."""
        return PRIMITIVES[self.args[0].name]

    @property
    def operands(self) -> tuple[sympy.Basic, ...]:
        """What it is applied to."""
        return tuple(self.args[1:])

    @property
    def rank(self) -> int | None:  # type: ignore[override]
        rank = self.primitive.rank
        return rank(*self.operands) if callable(rank) else rank

    def _sympystr(self, printer: Any) -> str:
        shown = [printer._print(arg) for arg in self.operands]
        return self.primitive.text(shown)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        shown = [Shown.of(printer._print(arg), arg) for arg in self.operands]
        template = self.primitive.latex
        if callable(template):
            text = template(shown)
        elif template:
            text = template.format(*shown)
        else:
            name = self.primitive.name.replace("_", r"\ ")
            text = rf"\operatorname{{{name}}}\left({', '.join(shown)}\right)"
        return text if exp is None else rf"\left({text}\right)^{{{exp}}}"


PRIMITIVES: dict[str, Primitive] = {}
KINDS = {0: "a number", 1: "a vector", 2: "a matrix", None: "an object"}


class Primitive:
    """A function that no closed formula gives, or that has a better algorithm than its formula.

    Called with expressions it makes a node, called with values it computes.

    Args:
        exact: the definition in exact arithmetic: int, fmpq, arb, fmpq_mat, arb_mat, tuples.
        batch: the same in floats; arrays with a batch axis first on what varies, or None.
        rank: of the value: 0, 1, 2, None, or a function of the operands.
        facts: what every value is, of `boundcheck.expressions.signs.FACTS`.
        ranks: of the operands, checked where a node is made; None leaves one unchecked.
        units: function of the operands' units, or "same" (of the first operand), or "none".
        shape: function of the operands' shapes, giving the shape of the value.
        bounds: values between which every value lies, for means; takes the same arguments.
        latex: template with {0}, {1}, ... for the operands, or a function of their LaTeX.
        text: function of the operands' texts; None writes them in brackets.
        ranked: whether `batch` is also given `ranks`, those of the operands.
        rewrite: function of the operands: an equal expression with a better algorithm, or None.
        degrees: of the operands in which the value is homogeneous: (1, 2) of v^T A v in A and v.
        rational: whether it compares numbers, looks them up or sorts them as only rationals allow:
            of balls it is undecided.
    """

    def __init__(
        self,
        exact: Callable[..., Any],
        *,
        batch: Callable[..., Any] | None = None,
        rank: int | Callable[..., int | None] | None = 0,
        ranks: tuple[int | None, ...] = (),
        facts: tuple[str, ...] = (),
        units: str | Callable[..., Any] = "unknown",
        shape: Callable[..., Any] | None = None,
        bounds: Callable[..., Any] | None = None,
        latex: str | Callable[[list[Shown]], str] = "",
        text: Callable[[list[str]], str] | None = None,
        ranked: bool = False,
        degrees: tuple[int, ...] = (),
        rational: bool = False,
        rewrite: Callable[..., sympy.Expr | None] | None = None,
    ) -> None:
        self.exact, self.batch, self.rank, self.ranks = exact, batch, rank, ranks
        self.facts, self.units, self.shape, self.bounds = facts, units, shape, bounds
        self.latex, self.ranked, self.degrees, self.rewrite = latex, ranked, degrees, rewrite
        self.name, self._own = exact.__name__.strip("_"), False
        self.text = text or (lambda shown: f"{self.name}({', '.join(shown)})")
        self.spelled, self.rational = text is not None, rational
        signature = inspect.signature(exact).parameters
        self.parameters = tuple(signature)
        several = [p for p in signature.values() if p.kind is p.VAR_POSITIONAL]
        needed = [p for p in signature.values() if p.default is p.empty and p not in several]
        self.fewest = len(needed)
        self.most = math.inf if several else len(signature)
        self.__name__, self.__doc__ = exact.__name__, exact.__doc__
        self.__module__, self.__wrapped__ = exact.__module__, exact
        token = f"{exact.__module__}.{exact.__qualname__}"
        while token in PRIMITIVES:
            token += "'"
        PRIMITIVES[token] = self
        self.token = Str(token)

    @property
    def standard(self) -> str:
        """The name by which readings know what stands in this package; else empty."""
        if not self._own and self.__module__.startswith("boundcheck."):
            self._own = any(it is self for it in vars(sys.modules[self.__module__]).values())
        return self.name if self._own else ""

    def __call__(self, *args: Any) -> Any:
        if any(isinstance(arg, sympy.Basic) for arg in args):
            return self.of(*args)
        return self.value(*args)

    def value(self, *args: Any) -> Any:
        """The exact value. Raises: Undecided for balls where it reads rationals only."""
        if self.rational and holds_balls(args):
            raise Undecided(f"{self.name} of numbers that are not rational")
        taken = args if self.standard == "entry" else handed(args)  # it divides nothing
        found = self.exact(*taken)
        return as_said(self.name, found, self.facts) if self.facts and self.standard else found

    def of(self, *args: Any) -> Apply:
        """The node of this primitive at expressions.

        Raises: MalformedStatement for a wrong number of operands.
        """
        if not self.fewest <= len(args) <= self.most:
            raise MalformedStatement(
                f"{self.name} is applied to {len(args)} operands and takes "
                f"{', '.join(self.parameters)}; give one for each"
            )
        operands = [operand(arg) for arg in args]
        for place, (rank, each) in enumerate(zip(self.ranks, operands, strict=False)):
            if rank is not None and rank_of(each) not in (rank, None):
                raise MalformedStatement(
                    f"operand {place + 1} of {self.name} is {each}, "
                    f"{KINDS.get(rank_of(each), 'an object')}; it takes {KINDS[rank]}"
                )
        return Apply(self.token, *operands)

    def __repr__(self) -> str:
        return f"<primitive {self.name}({', '.join(self.parameters)})>"


def operand(value: Any) -> sympy.Basic:
    """A value as an operand of a node: numbers, texts and data become SymPy objects."""
    if dataclasses.is_dataclass(value):
        return Constant(value)
    return Str(value) if isinstance(value, str) else as_expression(value)


def primitive(**known: Any) -> Callable[[Callable[..., Any]], Primitive]:
    """Decorator: makes a primitive of its exact definition; arguments as for `Primitive`.

    >>> @primitive(batch=lambda x: 2 * x, facts=())
    ... def doubled(x):
    ...     return 2 * x
    >>> doubled(3), doubled(sympy.Symbol("x"))
    (6, doubled(x))
    """
    return lambda exact: Primitive(exact, **known)


class Binder(Node):
    """An operation over an index: its body, then the indices it binds."""

    def __new__(cls, body: sympy.Basic, *indices: Known) -> Binder:
        for each in indices:
            if not isinstance(each, Known) or each.meaning.role != "index":
                raise MalformedStatement(
                    f"{cls.kind} runs over {each}, which is no index; make one with "
                    "index(name, size)"
                )
        return cls.made(sympy.sympify(body), *indices)

    @property
    def body(self) -> sympy.Expr:
        """What is added, compared or tabulated."""
        return self.args[0]

    @property
    def indices(self) -> tuple[Known, ...]:
        """The indices it binds."""
        return tuple(self.args[1:])

    @property
    def free_symbols(self) -> set[sympy.Basic]:
        """Symbols of the body and of the sizes, without the indices."""
        inside = set(self.body.free_symbols) - set(self.indices)
        for each in self.indices:
            inside |= sympy.sympify(each.meaning.size).free_symbols
        return inside

    def _sympystr(self, printer: Any) -> str:
        inside = ", ".join(printer._print(arg) for arg in self.args)
        return f"{self.kind}({inside})"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        below = ",".join(printer._print(each) for each in self.indices)
        text = rf"{self.sign}_{{{below}}} {as_term(self.body, printer)}"
        return rf"\left({text}\right)" + ("" if exp is None else f"^{{{exp}}}")

    sign = ""


class Total(Binder):
    """Sum of the body over the indices."""

    kind, sign = "total", r"\sum"

    @property
    def rank(self) -> int | None:  # type: ignore[override]
        return rank_of(self.body)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return as_expectation(self, printer, exp) or super()._latex(printer, exp)


class Greatest(Binder):
    """Largest value of the body over the indices."""

    kind, sign = "greatest", r"\max"


class Least(Binder):
    """Smallest value of the body over the indices."""

    kind, sign = "least", r"\min"


class Multiplied(Binder):
    """Product of the body over the indices."""

    kind, sign = "multiplied", r"\prod"


class Table(Binder):
    """Vector (one index) or matrix (two) whose entries are the body."""

    kind = "table"

    @property
    def rank(self) -> int | None:  # type: ignore[override]
        return len(self.indices)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        below = ",".join(printer._print(each) for each in self.indices)
        text = rf"\left[{printer._print(self.body)}\right]_{{{below}}}"
        return text if exp is None else rf"\left({text}\right)^{{{exp}}}"


class Average(Node):
    """Expectation of the body over an outcome of a draw, in one world."""

    kind = "average"

    def __new__(cls, body: sympy.Basic, drawn: Known) -> Average:
        if not isinstance(drawn, Known) or drawn.meaning.role != "outcome":
            raise MalformedStatement(
                f"an average is over {drawn}, which is no outcome of a draw; make one with "
                "outcome(name, draw)"
            )
        body = sympy.sympify(body)
        for symbol in known_symbols(body):
            if symbol.meaning.role == "defined" and drawn in rests_on(symbol):
                raise MalformedStatement(
                    f"an average over {drawn} of {symbol}, which is measured outside of it; use "
                    "named(...) in the place of define(...)"
                )
        return cls.made(body, drawn)

    @property
    def body(self) -> sympy.Expr:
        """What is averaged."""
        return self.args[0]

    @property
    def drawn(self) -> Known:
        """The outcome that is averaged over."""
        drawn: Known = self.args[1]
        return drawn

    @property
    def rank(self) -> int | None:  # type: ignore[override]
        return rank_of(self.body)

    @property
    def free_symbols(self) -> set[sympy.Basic]:
        """Symbols of the body and of the law."""
        hidden = {self.drawn}
        return (set(self.body.free_symbols) - hidden) | set(self.drawn.meaning.needs)

    def _sympystr(self, printer: Any) -> str:
        return f"average({printer._print(self.body)}, {self.drawn.name})"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return averaged(self.body, printer._print(self.drawn), printer, exp)


class Indicator(Node):
    """1 where a condition holds, else 0."""

    kind = "indicator"

    def __new__(cls, condition: sympy.Basic) -> Indicator:
        if not isinstance(condition, (sympy.logic.boolalg.Boolean, bool)):
            raise MalformedStatement(
                f"indicator({condition}) holds no condition; write a comparison in it"
            )
        return cls.made(sympy.sympify(condition))

    @property
    def condition(self) -> sympy.Basic:
        """What is asked."""
        return self.args[0]

    def _sympystr(self, printer: Any) -> str:
        return f"indicator({printer._print(self.condition)})"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return rf"\mathbf{{1}}\left[{printer._print(self.condition)}\right]"


def total(body: Any, *indices: Known) -> Total:
    """Sum over indices: `total(rho[i] * phi[i, k]**2, i)`; a weight of zero excuses no term."""
    return Total(body, *indices)


def greatest(body: Any, *indices: Known) -> Greatest:
    """Largest value over indices."""
    return Greatest(body, *indices)


def least(body: Any, *indices: Known) -> Least:
    """Smallest value over indices."""
    return Least(body, *indices)


def multiplied(body: Any, *indices: Known) -> Multiplied:
    """Product over indices."""
    return Multiplied(body, *indices)


def table(body: Any, *indices: Known) -> Table:
    """Vector or matrix with the body as entries: `table(phi[i, k]**2, i, k)`."""
    return Table(body, *indices)


def average(body: Any, drawn: Known) -> Average:
    """Expectation over a draw inside a world: `average(norm(K * xi), xi)`."""
    return Average(body, drawn)


def indicator(condition: sympy.Basic) -> Indicator:
    """1 where a condition holds, else 0."""
    return Indicator(condition)


def probability(condition: sympy.Basic, drawn: Known) -> Average:
    """Probability of a condition over a draw inside a world."""
    return Average(Indicator(condition), drawn)


def mean(body: Any, each: Known, weights: Known) -> Total:
    """Expectation over an index with weights: `mean(x[i]**2, i, rho)` is sum_i rho_i x_i^2; at
    atoms of weight zero, roots, logarithms and inverses in the body need no value."""
    from boundcheck.expressions.signs import weighted

    return Total(weighted(sympy.sympify(body), weights[each], each), each)


def nodes(expr: sympy.Basic) -> Iterator[Node]:
    """All nodes of an expression, outermost first; the same in every process."""
    if isinstance(expr, Node):
        yield expr
    unordered = isinstance(expr, (sympy.And, sympy.Or))  # sets, in the order of hashes
    for part in sorted(expr.args, key=sympy.srepr) if unordered else expr.args:
        yield from nodes(part)
