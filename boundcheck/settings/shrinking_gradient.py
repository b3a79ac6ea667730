"""Algorithm 1 of Livni, Carmon and Globerson (ICML 2017) on sequences fixed before the run.

In each round a point and a label are met; E_t estimates <f_t, Phi(x_t)> by Algorithm 2 from m
draws; f_t takes a step of size eta where |E_t| < 16 B, else it shrinks to a quarter. The update is
`PRINTED` (it climbs) or `DESCENT`. `ShrinkingGradient` has the last of its rounds in symbols, and
sums over all of them as primitives.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt
from typing import Any, TypeVar

import sympy
from flint import fmpq, fmpq_mat
from sympy import Abs, E, Eq, Expr, Max, Piecewise, ceiling, log, sqrt

from boundcheck.expressions import (
    at,
    define,
    index,
    named,
    outcome,
    primitive,
    row,
    table,
    total,
    world,
)
from boundcheck.expressions.names import Named
from boundcheck.expressions.symbols import Known
from boundcheck.quantities import online_comparators, online_laws
from boundcheck.quantities.online import DESCENT as DESCENT, PRINTED as PRINTED
from boundcheck.quantities.online_simulation import least_of_worlds, simulate
from boundcheck.settings.sampled_features import (
    B,
    Earlier,
    K,
    Look,
    N,
    Phi,
    RunDraw,
    eta,
    inner,
    l1_norm,
    m,
    mu,
    norm,
    psi,
    squared_loss,
    squared_norm,
    w,
)
from boundcheck.worlds import Custom, Index, Integer, Tuples, Vector
from boundcheck.worlds.fields import as_rational
from boundcheck.worlds.sources import Coordinates
from boundcheck.worlds.space import float_value

Entry = TypeVar("Entry")
Rule = Callable[[Coordinates, Earlier], Any]
LONG = 6  # longer runs repeat one point and label: their exact laws stay small
PERIOD = 4

T = world("T", Integer(1, searched=4), says="Number of rounds.")
t = world("t", Integer(1, searched=4), says="The round that is looked at.")


def rounds(*values: int) -> Custom:
    """Any number of rounds; search tries some."""
    return Custom(lambda source, earlier: source.choice(values), Integer(1, searched=1))


# --- sequences -----------------------------------------------------------------------------------


def _short_sequence(T: str) -> Rule:
    """Which point each round meets; a repeated first point and a new last one are common."""

    def build(source: Coordinates, earlier: Earlier) -> tuple[int, ...]:
        many, points = earlier[T], earlier["N"]
        if source.choice((True, False)) or many > LONG:
            return (0,) * (many - 1) + (points - 1,)
        return tuple(source.integer(0, points - 1) for _ in range(many))

    return build


def _short_labels(T: str) -> Rule:
    """Labels in [-1, 1]: free, or one label throughout."""

    def build(source: Coordinates, earlier: Earlier) -> tuple[fmpq, ...]:
        many = earlier[T]
        if source.choice((True, False)) or many > LONG:
            return (source.choice((fmpq(1), source.rational(fmpq(-1), fmpq(1)))),) * many
        return tuple(source.rational(fmpq(-1), fmpq(1)) for _ in range(many))

    return build


def _periodic(source: Coordinates, many: int, one: Callable[[], Entry]) -> tuple[Entry, ...]:
    """A free first and last value, and a pattern of free values that repeats in between."""
    pattern = [one() for _ in range(source.integer(1, PERIOD))]
    values = [one(), *(pattern[t % len(pattern)] for t in range(many - 2)), one()]
    return tuple(values[:many])


def _blocks(source: Coordinates, many: int, one: Callable[[], Entry]) -> tuple[Entry, ...]:
    """Two values that take turns for a number of rounds: one, some, or as many as a step forgets
    in (sqrt(T)), so that the best function of one block is the worst of the next."""
    length = source.choice((1, 2, isqrt(many), 2 * isqrt(many), source.integer(1, many)))
    values = one(), one()
    return tuple(values[t // length % 2] for t in range(many))


def _long_sequence(T: str) -> Rule:
    """Which point each round meets; one point and a last one of its own are common."""

    def build(source: Coordinates, earlier: Earlier) -> tuple[int, ...]:
        many, points = earlier[T], earlier["N"]
        shape = source.choice(("one", "one", "periodic", "blocks"))
        if shape == "one":
            return (0,) * (many - 1) + (points - 1,)
        shaped = _periodic if shape == "periodic" else _blocks
        return shaped(source, many, lambda: source.integer(0, points - 1))

    return build


def _long_labels(T: str) -> Rule:
    """Labels in [-1, 1]; the ends and 0 are common."""

    def build(source: Coordinates, earlier: Earlier) -> tuple[fmpq, ...]:
        many = earlier[T]

        def one() -> fmpq:
            return source.choice((fmpq(1), fmpq(0), fmpq(-1), source.rational(fmpq(-1), fmpq(1))))

        shape = source.choice(("periodic", "periodic", "blocks", "drift"))
        if shape == "drift":
            low, high = one(), one()
            return tuple(low + (high - low) * fmpq(t, many) for t in range(many))
        return (_periodic if shape == "periodic" else _blocks)(source, many, one)

    return build


# --- draws ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lines(RunDraw):
    """Algorithm 1 line by line up to its last round: alpha^(t), and the estimate E_t from it."""

    def law(self, look: Look) -> list[tuple[Any, ...]]:
        return online_laws.round_laws(*(look(name) for name in self.fields), self.update)[-1]  # type: ignore[call-arg]


@dataclass(frozen=True)
class Pass(Lines):
    """The same in the form of the analysis: f_t and E_t. Long passes are simulated."""

    def law(self, look: Look) -> list[tuple[Any, ...]]:
        laws = online_laws.pass_laws(*(look(name) for name in self.fields), self.update)  # type: ignore[call-arg]
        return [(chance, f, estimate) for chance, f, _, estimate in laws[-1]]

    def simulated(self, look: Look, rng: Any, size: int) -> dict[str, Any]:
        """Independent runs in floats, as of `quantities.online_simulation.simulate`."""
        values = [float_value(look(name)) for name in self.fields]
        return simulate(*values[:-1], int(values[-1]), runs=size, rng=rng, update=self.update)  # type: ignore[misc]

    def sample(self, look: Look, rng: Any, size: int) -> dict[str, Any]:
        found = self.simulated(look, rng, size)
        return dict(zip(self.drawn, (found["functions"], found["estimates"][:, -1]), strict=True))


@dataclass(frozen=True)
class Losses(Pass):
    """sum_t l_t(f_t) of a run, simulated."""

    def count(self, look: Look) -> float:
        return float("inf")

    def sample(self, look: Look, rng: Any, size: int) -> dict[str, Any]:
        labels = float_value(look(self.fields[2]))
        gaps = self.simulated(look, rng, size)["products"] - labels
        return {self.drawn[0]: (gaps**2 / 2).sum(axis=1)}


# --- sums over all rounds ------------------------------------------------------------------------


@primitive(latex=r"\mathbb{{E}}\sum_{{t=1}}^T\ell_t(f_t)")
def expected_losses(
    psi: Any, sequence: Any, y: Any, mu: Any, B: Any, eta: Any, m: Any, update: Any
) -> Any:
    """E sum_t l_t(f_t), exact or in balls."""
    run = online_laws.Masses(psi, sequence, y, mu, B, eta, m, int(update))
    return online_laws.expected_regret(run, fmpq(0))


@primitive(facts=("nonnegative",), latex="B_T")
def largest_norm(
    psi: Any, sequence: Any, y: Any, mu: Any, B: Any, eta: Any, m: Any, update: Any
) -> Any:
    """max over sample paths and t <= T of ||f_t||: the least B_T."""
    laws = online_laws.pass_laws(psi, sequence, y, mu, B, eta, m, int(update))
    return online_laws.largest_norm(laws, mu)


@primitive(facts=("nonnegative",), latex=r"\sum_{{t=1}}^T P_t({8})")
def overruled(
    psi: Any, sequence: Any, y: Any, mu: Any, B: Any, eta: Any, m: Any, update: Any, f_star: Any
) -> Any:
    """sum_{t <= T} P_t(f*) with f^_t of Lemma 1; no step comes before round 1, so P_1 = 0."""
    run = online_laws.Masses(psi, sequence, y, mu, B, eta, m, int(update))
    return online_laws.overruled(run, f_star)


def _batch_least(psi: Any, sequence: Any, y: Any, mu: Any, B: Any) -> Any:
    return least_of_worlds(psi, sequence, y, y * 0 + 1, mu, B)


@primitive(
    facts=("nonnegative",), batch=_batch_least,
    latex=r"\min_{{\|f^*\|<B}}\sum_{{t=1}}^T\ell_t(f^*)",
)  # fmt: skip
def least_losses(psi: Any, sequence: Any, y: Any, mu: Any, B: Any) -> Any:
    """inf over ||f|| < B of sum_t l_t(f)."""
    return online_comparators.best_in_ball(psi, sequence, y, mu, B)


@primitive(rank=1, latex="f_t")
def descended(psi: Any, sequence: Any, y: Any, mu: Any, eta: Any) -> Any:
    """f_T, T the last round, of gradient descent from 0 with exact products."""
    return online_laws.descended(psi, sequence, y, mu, eta)


@primitive(facts=("probability",), latex=r"\mathbf{{1}}[{0} \in \text{{span }} \Phi({3})]")
def is_combination(f: Any, psi: Any, mu: Any, points: Any) -> int:
    """Whether f is a combination of the functions of some points in L2(mu)."""
    rows = [[psi[i, w] for w, weight in enumerate(mu) if weight] for i in points]
    own = [value for value, weight in zip(f, mu, strict=True) if weight]
    return int(fmpq_mat(rows).rank() == fmpq_mat([*rows, own]).rank())


# --- vocabulary ----------------------------------------------------------------------------------


class Round:
    """One round: f_t, E_t, Phi(x_t), y_t, and what is made of them.

    Args: update: PRINTED or DESCENT.
    """

    def __init__(self, f: Expr, E: Expr, Phi: Expr, label: Expr, update: int) -> None:
        self.f, self.E, self.Phi, self.label, self.update = f, E, Phi, label, update
        self.product = inner(f, Phi)
        self.loss = squared_loss(f, Phi, label)

    @property
    def hat(self) -> Named:
        """f_t - eta (E_t - y_t) Phi(x_t), the step of online gradient descent."""
        body = table(at(self.f, w) - eta * (self.E - self.label) * at(self.Phi, w), w)
        return named("hat", body, r"\hat{f}_{t+1}")

    @property
    def following(self) -> Named:
        """f_{t+1} by the branch of Algorithm 1, in the form of the analysis."""
        step = at(self.f, w) - self.update * eta * (self.E - self.label) * at(self.Phi, w)
        shrunk = at(self.f, w) / 4
        body = table(Piecewise((step, Abs(self.E) < 16 * B), (shrunk, True)), w)
        return named("f_next", body, "f_{t+1}")


class ShrinkingGradient(Round):
    """A run of Algorithm 1: its last round in symbols, its sums over rounds as primitives.

    Args:
        T: symbol for the number of rounds; the last one is t = T.
        update: PRINTED or DESCENT.
        lines: whether alpha^(t) is drawn line by line, or f_t in the form of the analysis.
        long: whether sequences are those of long runs.
    """

    def __init__(self, T: Known, update: int, *, lines: bool = False, long: bool = False) -> None:
        sequence, labels = (_long_sequence, _long_labels) if long else (
            _short_sequence, _short_labels
        )  # fmt: skip
        self.T, self.s = T, index("s", T)
        self.sequence = world(
            "sequence", Custom(sequence(T.name), Tuples(T.name, Index("N"))), rank=1,
            needs=(T, N), latex="x", says="The point that each round meets.",
        )  # fmt: skip
        self.y = world(
            "y", Custom(labels(T.name), Vector(T.name, -1, 1)), rank=1, needs=(T,),
            units={"label": 1}, says="Its label.",
        )  # fmt: skip
        self.fields = (psi, self.sequence, self.y, mu, B, eta, m)
        name, kind = ("alpha", Lines) if lines else ("f", Pass)
        draw = kind((name, "estimate"), self.fields, update)
        state = outcome(name, draw, latex=r"\alpha^{(t)}" if lines else "f_t",
                        says="State before the last round.")  # fmt: skip
        E = outcome("estimate", draw, rank=0, latex="E_t", says="Estimate of <f_t, Phi(x_t)>.")
        point, label = named("x_t", self.sequence[T - 1]), named("y_t", self.y[T - 1])
        self.alpha, self.size = state, l1_norm(state, self.s)
        f = self.combination(state) if lines else state
        super().__init__(f, E, Phi(point), label, update)

    def combination(self, alpha: Expr, latex: str = "f_t") -> Expr:
        """sum_s alpha_s Phi(x_s)."""
        body = total(at(alpha, self.s) * row(psi, self.sequence[self.s]), self.s)
        return named(f"f({alpha})", body, latex)

    @property
    def next_alpha(self) -> Named:
        """alpha^(t+1) by the lines of Algorithm 1."""
        new = self.update * eta * (self.label - self.E)
        old = at(self.alpha, self.s)
        kept = Piecewise((new, Eq(self.s, self.T - 1)), (old, True))
        body = Piecewise((kept, Abs(self.E) < 16 * B), (old / 4, True))
        return named("alpha_next", table(body, self.s), r"\alpha^{(t+1)}")

    @property
    def latest(self) -> Expr:
        """The point of the last round, as a list of one."""
        return table(self.sequence[self.T - 1], index("one", 1))

    @property
    def descended(self) -> Expr:
        """f_t of gradient descent from 0."""
        return descended(psi, self.sequence, self.y, mu, eta)

    @property
    def losses(self) -> Expr:
        """E sum_t l_t(f_t)."""
        return expected_losses(*self.fields, self.update)

    @property
    def least_losses(self) -> Expr:
        """inf over ||f*|| < B of sum_t l_t(f*)."""
        return least_losses(psi, self.sequence, self.y, mu, B)

    def losses_of(self, f: Expr) -> Expr:
        """sum_t l_t(f)."""
        each = self.s
        body = total(squared_loss(f, Phi(self.sequence[each]), self.y[each]), each)
        return named(f"losses({f})", body, rf"\sum_{{t=1}}^T \ell_t({sympy.latex(f)})")

    @property
    def regret(self) -> Expr:
        """E sum_t l_t(f_t) - inf over ||f*|| < B of sum_t l_t(f*)."""
        return self.losses - self.least_losses

    @property
    def largest_norm(self) -> Expr:
        """max over sample paths and rounds of ||f_t||."""
        return largest_norm(*self.fields, self.update)

    def overruled(self, f: Expr) -> Expr:
        """sum_t P_t(f)."""
        return overruled(*self.fields, self.update, f)

    @property
    def total(self) -> Known:
        """sum_t l_t(f_t) of one run."""
        draw = Losses(("total",), self.fields, self.update)
        return outcome("total", draw, rank=0, units={"label": 2})


direction = world("direction", Vector(K, -1, 1), says="f* in units of B.")
f_star = define("f_star", B * direction, latex="f^*", says="A function to compare with.")
star_norm = norm(f_star)


def distance(f: Expr) -> Named:
    """||f - f*||^2."""
    return squared_norm(f - f_star)


THEOREM_STEP = define("eta", B / sqrt(T), latex=r"\eta", says="The step of Theorem 1.")
PROOF_STEP = define("eta", B / (2 * sqrt(T)), latex=r"\eta", says="The step of its proof.")
size = (16 * B + 1) * eta * T
gamma = Max((size + B) ** 2 / eta**2, E)
samples = ((16 * B + 1) * B) ** 2 * T * log(gamma)
PROOF_SAMPLES = define("m", ceiling(samples), says="The number of draws of the proof, rounded up.")


def one_point(
    many: int, B: Any, *, feature: Any = "9/10", label: Any = 1, **more: Any
) -> dict[str, Any]:
    """A noise-free world of any length: one feature, one point met in every round, one label.

    All coefficients have one sign while the labels do, so every estimate is exact for every m.
    """
    return {
        "N": 1, "K": 1, "mu": (fmpq(1),), "psi": fmpq_mat(1, 1, [as_rational(feature, {})]),
        "T": many, "sequence": (0,) * many, "y": (as_rational(label, {}),) * many,
        "B": as_rational(B, {}), **more,
    }  # fmt: skip


def enough_samples(B: int, T: int) -> int:
    """A whole number above the m of the proof of Theorem 1 at whole B and T, for either step.

    (16 B + 1)^2 <= 289 B^2, and gamma is at most the square of 18 B T.
    """
    return 2 * 289 * B**4 * T * (18 * B * T).bit_length()
