"""Claims in words of the language whose truth is known: matrices, laws, trees, suprema, draws.

Each true one is a known inequality; it becomes false by a gap that shows only where it is tight.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy

from boundcheck.claim import Holds, WithProbability
from boundcheck.expressions import (
    entry,
    exists,
    form,
    frobenius_norm,
    identity,
    index,
    indicator,
    largest_eigenvalue,
    norm,
    operator_norm,
    smallest_eigenvalue,
    supremum,
    total,
    trace,
    variable,
    world,
)
from boundcheck.settings import adapted
from boundcheck.settings.scalar_laws import (
    E,
    P,
    Var,
    delta,
    k as atom,
    n as draws,
    sample_mean,
    values,
)
from boundcheck.truths import ANY, Grammar, Known, claim_of, x
from boundcheck.worlds import Gram, Integer, Real, Symmetric, Vector

COST = 20.0  # of one of their worlds, so that many are made in the time of one
z = variable("z")
share = sympy.Symbol("w", real=True)
SHARE = {share: Real(0, 1)}
size_ = world("d", Integer(1, searched=3), says="Rows.")
S, G = world("S", Symmetric(size_)), world("G", Gram(size_))
vector, row = world("u", Vector(size_)), index("r", size_)
X, Y = values(name="a"), values(0, 1, name="b")
process = adapted.adapted("x")


def _spoken(kind: str, g: Grammar, pair: Any, true: bool, shape: Any = Holds, **more: Any) -> Known:
    """left <= right as it stands, or with so small a gap that only few worlds show it."""
    left, right = pair
    gap = 0 if true else sympy.Rational(1, 10 ** int(g.rng.integers(1, 25)))
    scale = abs(g.constant()) + 1
    relation = sympy.Le(scale * left, scale * right - gap, evaluate=False)
    parameters = {p: field for p, field in {x: ANY, share: SHARE[share]}.items()
                  if p in relation.free_symbols}  # fmt: skip
    more.setdefault("cost", COST)
    return Known(kind, claim_of(relation, shape, parameters=parameters, **more), true)


def _stepped(g: Grammar) -> Any:
    inner = g.pick(x, 2 * x, x / 3 + g.constant(), x**2)
    return g.pick(
        (sympy.floor(inner), inner), (inner, sympy.ceiling(inner)),
        (sympy.ceiling(inner), sympy.floor(inner) + 1),
        (inner * indicator(inner >= 1), inner**2),
        (indicator(inner > 0) + indicator(inner < 0), sympy.S.One),
    )  # fmt: skip


def _extreme(g: Grammar) -> Any:
    low, high = int(g.rng.integers(-3, 1)), int(g.rng.integers(1, 4))
    box = (z, low, high)
    return g.pick(
        (share * low, supremum(share * z, box)), (supremum(share * z, box), share * high),
        (supremum(-(z**2) * share, box), share),
        (supremum(z * share - z**2 / 2, box), share**2 / 2),
        (supremum(sympy.Abs(z) * share, box), share * max(high, -low)),
    )  # fmt: skip


def _of_matrices(g: Grammar) -> Any:
    return g.pick(
        (smallest_eigenvalue(S), largest_eigenvalue(S)), (operator_norm(S), frobenius_norm(S)),
        (trace(S) ** 2, size_ * trace(S * S)), (-trace(G * G), trace(G)),
        (largest_eigenvalue(G), trace(G)), (form(S, vector), operator_norm(S) * norm(vector) ** 2),
        (entry(G, 0, 0), largest_eigenvalue(G)), (trace(S * G), operator_norm(S) * trace(G)),
        (operator_norm((G + identity(size_)) ** -1), sympy.S.One),
        (total(vector[row], row) ** 2, size_ * norm(vector) ** 2),
    )  # fmt: skip


def _of_laws(g: Grammar) -> Any:
    a, b = X[atom], Y[atom]
    return g.pick(
        (E(a) ** 2, E(a**2)), (sympy.Abs(E(a)), E(sympy.Abs(a))), (E(b) ** 2, E(b)),
        (Var(b), sympy.Rational(1, 4)), (E(a * b) ** 2, E(a**2) * E(b**2)),
        (P(b >= share), 1 - P(b < share)), (P(a > 0) + P(a < 0), sympy.S.One),
        (share * P(b >= share), E(b)), (sympy.exp(E(a)), E(sympy.exp(a))),
    )  # fmt: skip


def _of_trees(g: Grammar) -> Any:
    end, last = adapted.martingale(process), adapted.j + 1
    level = 1 + share
    return g.pick(
        (adapted.E(end), 0 * share), (adapted.E(end**2), adapted.E(adapted.variation(process))),
        (level**2 * adapted.P(end >= level), adapted.E(adapted.variation(process))),
        (adapted.P(end >= level),
         adapted.P(adapted.ever(adapted.martingale(process, last) >= level))),
        (level**2 * adapted.P(adapted.ever(adapted.martingale(process, last) >= level)),
         adapted.E(adapted.variation(process))),
    )  # fmt: skip


def stepped(g: Grammar) -> Known:
    """Floors, ceilings and indicators, at whole numbers too."""
    return _spoken("stepped", g, _stepped(g), True)


def extreme(g: Grammar) -> Known:
    """Suprema over intervals, reached at an end or inside."""
    return _spoken("extreme", g, _extreme(g), True)


def chosen(g: Grammar) -> Known:
    """What exists on an interval."""
    kind = g.pick(sympy.Le(z**2, share), sympy.Eq(z, share), sympy.Ge(z * (1 - z) * 4, share))
    return Known("chosen", claim_of(exists(kind, (z, 0, 1)), parameters=SHARE), True)


def of_matrices(g: Grammar) -> Known:
    """Norms, eigenvalues, traces and inverses of symmetric matrices."""
    return _spoken("of matrices", g, _of_matrices(g), True)


def of_laws(g: Grammar) -> Known:
    """Means and probabilities of a law with atoms of mass zero."""
    return _spoken("of laws", g, _of_laws(g), True)


def of_trees(g: Grammar) -> Known:
    """Martingales on trees of laws."""
    return _spoken("of trees", g, _of_trees(g), True)


def sampled(g: Grammar) -> Known:
    """Chebyshev's bound of a mean of draws, with the probability that it allows."""
    gap = (sample_mean(Y[atom]) - E(Y[atom])) ** 2
    room = Var(Y[atom]) / (delta * draws) + g.pick(0, Var(Y[atom]))
    return Known("sampled", claim_of(gap <= room, lambda r: WithProbability(1 - delta, r),
                                   parameters={}, cost=COST), True)  # fmt: skip


def less(make: Callable[[Grammar], Any], kind: str) -> Callable[[Grammar], Known]:
    """The same with a gap that is not there where both sides are equal."""
    return lambda g: _spoken(f"less {kind}", g, make(g), False)


def overdrawn(g: Grammar) -> Known:
    """A mean of draws is its expectation: of laws with one atom only."""
    relation = (sample_mean(Y[atom]) - E(Y[atom])) ** 2 <= 0
    level = 1 - sympy.Rational(1, 10 ** int(g.rng.integers(1, 9)))
    return Known("overdrawn", claim_of(relation, lambda r: WithProbability(level, r),
                                     parameters={}, cost=COST), False)  # fmt: skip


SPOKEN_TRUE = (stepped, extreme, chosen, of_matrices, of_laws, of_trees, sampled)
SPOKEN_FALSE = (
    less(_stepped, "stepped"), less(_extreme, "extreme"), less(_of_matrices, "of matrices"),
    less(_of_laws, "of laws"), less(_of_trees, "of trees"), overdrawn,
)  # fmt: skip
