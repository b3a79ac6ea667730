"""Descent on the line with noisy gradients, and with steps that may be overruled.

A round has the convex loss l(f) = (a/2)(f - b)^2 + c |f - e|, the tuple (a, b, c, e). A coin of
each round, or one for the whole run, adds noise of mean zero to the gradient; where it shows its
second side a detour may replace the step by a multiple of f_t. Losses are fixed before the run, or
hang on a binary tree over the coins that were tossed so far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from flint import fmpq
from sympy import Expr

from boundcheck.arithmetic import sign
from boundcheck.errors import Undecided
from boundcheck.expressions import inner, outcome, parameter, primitive, supremum, world
from boundcheck.expressions.symbols import Known
from boundcheck.quantities import online_descent
from boundcheck.quantities.losses import largest
from boundcheck.settings.sampled_features import Earlier, Look
from boundcheck.worlds import Choice, Custom, Draw, Field, Integer, Real, Tuples, Vector
from boundcheck.worlds.sources import Coordinates

ROUNDS, SHARED_ROUNDS, TREE_ROUNDS = 6, 16, 3  # with a coin per round, one coin, and on a tree
Build = Callable[[], Any]


def _mirrored(entry: Any) -> Any:
    """A loss, or a noise scale, reflected in zero."""
    if isinstance(entry, tuple):
        a, b, c, e = entry
        return a, -b, c, -e
    return -entry


def _repeated(source: Coordinates, rounds: int, build: Build) -> tuple[Any, ...]:
    """One value per round: all free, all equal, a first one and then all equal, or one that takes
    turns with its mirror image (the sequence that descent follows to its own loss)."""
    shape = source.choice(("free", "equal", "first", "turns"))
    if shape == "free":
        return tuple(build() for _ in range(rounds))
    if shape == "equal":
        return (build(),) * rounds
    if shape == "turns":
        value = build()
        return tuple(value if t % 2 == 0 else _mirrored(value) for t in range(rounds))
    return (build(), *(build(),) * (rounds - 1))


def _tree(source: Coordinates, rounds: int, build: Build) -> tuple[Any, ...]:
    """One entry per node: free, the same throughout a round, or right subtrees mirroring left ones
    (an adversary that answers to the sign of the noise)."""
    shape = source.choice(("mirrored", "free", "mirrored", "rounds"))
    if shape == "free":
        return tuple(build() for _ in range(2**rounds - 1))
    entries: list[Any] = []
    for t in range(rounds):
        left = [build() for _ in range(max(2**t // 2, 1) if shape == "mirrored" else 1)]
        if shape == "rounds":
            entries += left * 2**t
        else:
            entries += left if t == 0 else [*left, *(_mirrored(entry) for entry in reversed(left))]
    return tuple(entries)


def _free_loss(source: Coordinates) -> tuple[fmpq, ...]:
    a, c = (source.rational(fmpq(0), fmpq(3)) for _ in range(2))
    b, e = (source.rational(fmpq(-3), fmpq(3)) for _ in range(2))
    return a, b, c, e


def _tree_loss(source: Coordinates) -> tuple[fmpq, ...]:
    kind = source.choice(("none", "slope", "slope", "free"))
    if kind == "none":
        return (fmpq(0),) * 4
    if kind == "slope":  # linear on the ball: its kink lies outside
        c = source.rational(fmpq(0), fmpq(3))
        return fmpq(0), fmpq(0), c, source.choice((fmpq(-100), fmpq(100)))
    return _free_loss(source)


def _losses(source: Coordinates, earlier: Earlier) -> tuple[Any, ...]:
    return _repeated(source, earlier["T"], lambda: _free_loss(source))


def _tree_losses(source: Coordinates, earlier: Earlier) -> tuple[Any, ...]:
    return _tree(source, earlier["T"], lambda: _tree_loss(source))


def _scales(source: Coordinates, earlier: Earlier) -> tuple[Any, ...]:
    size = source.choice((1, 10))
    return _repeated(source, earlier["T"], lambda: size * source.rational(fmpq(-1), fmpq(1)))


def _tree_scales(source: Coordinates, earlier: Earlier) -> tuple[Any, ...]:
    size = source.choice((1, 10))
    return _tree(source, earlier["T"], lambda: size * source.rational(fmpq(-1), fmpq(1)))


def _detours(source: Coordinates, earlier: Earlier) -> tuple[Any, ...]:
    if source.choice((True, False)):
        return ((),) * earlier["T"]
    return tuple(
        () if source.choice((True, False)) else (source.rational(fmpq(-2), fmpq(2)),)
        for _ in range(earlier["T"])
    )


def _is_loss(value: Any, world: Earlier) -> bool:
    """a |f - b| + c |f - e| with weights that are not negative."""
    return Vector(4).admits(value, world) and value[0] >= 0 and value[2] >= 0


def _is_detour(value: Any, world: Earlier) -> bool:
    return Vector(0).admits(value, world) or Vector(1).admits(value, world)


def _on_tree(entry: Field) -> Callable[[Any, Earlier], bool]:
    """Predicate: one entry for every way in which the coins before a round can fall."""

    def fits(value: Any, world: Earlier) -> bool:
        return Tuples(2 ** min(world["T"], 20) - 1, entry).admits(value, world)

    return fits


LOSS = Custom(lambda source, earlier: _free_loss(source), _is_loss)
DETOUR = Custom(_detours, _is_detour)


def tosses(T: int, p: Any, one_coin: int) -> list[tuple[Any, tuple[int, ...]]]:
    """All sequences of coins with their probabilities; 0 has probability p."""
    sides = ((p, 0), (1 - p, 1))
    if one_coin:
        return [(chance, (side,) * T) for chance, side in sides]
    found: list[tuple[Any, tuple[int, ...]]] = [(fmpq(1), ())]
    for _ in range(T):
        found = [(q * chance, (*coins, side)) for q, coins in found for chance, side in sides]
    return found


@dataclass(frozen=True)
class Descent(Draw):
    """The run for the coins: the losses met, f_t, f^_t, gradients and noisy gradients.

    f^_t = f_{t-1} - eta (noisy gradient of round t - 1); before round 1 there is no step.
    """

    tree: bool
    over: str = "the noise of the gradients"
    names = ("l", "f", "hat", "gradient", "noisy")

    def count(self, look: Look) -> float:
        return 2 if look("one_coin") else 2 ** look("T")

    def outcomes(self, look: Look) -> Iterator[tuple[Any, dict[str, Any]]]:
        p = look("p")
        for chance, coins in tosses(look("T"), p, look("one_coin")):
            losses, scales = look("losses"), look("scales")
            if self.tree:
                losses, scales = (online_descent.along(of, coins) for of in (losses, scales))
            noise = [
                s if side == 0 else -s * p / (1 - p)
                for s, side in zip(scales, coins, strict=True)
            ]
            taken = [d if side == 1 else () for d, side in zip(look("detours"), coins, strict=True)]
            run = online_descent.descend(losses, noise, taken, look("start"), look("eta"))
            values = losses, run.iterates, run.stepped, run.gradients, run.noisy
            yield chance, dict(zip(self.names, values, strict=True))


@primitive(latex=r"\sum_t \ell_t({1}_t)")
def losses_along(losses: Any, f: Any) -> Any:
    """sum_t l_t(f_t)."""
    pairs = zip(f, losses, strict=True)
    return sum((online_descent.convex_loss(point, loss) for point, loss in pairs), fmpq(0))


@primitive(latex=r"\sum_t \ell_t({1})")
def losses_at(losses: Any, f: Any) -> Any:
    """sum_t l_t(f) of one f."""
    return sum((online_descent.convex_loss(f, loss) for loss in losses), fmpq(0))


@primitive(facts=("nonnegative", "integer"), latex=r"\sum_t \mathbf{{1}}[\mathcal{{E}}_t]")
def overruled(f: Any, hat: Any, f_star: Any) -> int:
    """Number of rounds with |f_t - f*| > |f^_t - f*|."""
    sides = [sign(abs(a - f_star) - abs(b - f_star)) for a, b in zip(f, hat, strict=True)]
    if None in sides:
        raise Undecided("which of two estimates is nearer")
    return sides.count(1)


@primitive(facts=("nonnegative",), latex=r"\max_t |{0}_t|")
def furthest(f: Any) -> Any:
    """max over t of |f_t|."""
    return largest(abs(value) for value in f)


@primitive(latex=r"\operatorname{{argmin}}_{{|f|\leq {1}}}\sum_t \ell_t(f)")
def best_on_line(losses: Any, B: Any) -> Any:
    """The best f of [-B, B] for the losses met, chosen when the run is over."""
    return online_descent.best_on_line(losses, B)


POSITIVE = Real(0, None, open_low=True)
B = parameter("B", POSITIVE, says="Radius of the ball.")
B_T = parameter("B_T", POSITIVE, says="Bound of all |f_t|.")
eta = parameter("eta", POSITIVE, latex=r"\eta", says="Step size.")
f_star = parameter("f_star", Real(None, None), latex="f^*", says="A point to compare with.")


class NoisyDescent:
    """Runs with their losses, regret, squared gradients, variances and overruled steps.

    Args:
        shared: whether one coin may serve the whole run: noise is then unbiased, but not given
            the past.
        start: whether f_1 is free, else 0.
        detours: whether steps may be overruled.
        tree: whether losses and noise of a round may depend on the coins before it.
    """

    def __init__(
        self, *, shared: bool = False, start: bool = False, detours: bool = False,
        tree: bool = False,
    ) -> None:  # fmt: skip
        most = TREE_ROUNDS if tree else ROUNDS
        self.one_coin = world("one_coin", Choice((0, 1, 1)) if shared else Integer(0, 0))
        rounds = Custom(
            lambda source, earlier: source.integer(
                1, SHARED_ROUNDS if earlier["one_coin"] else most
            ),
            Integer(1, searched=most),
        )
        self.T = T = world("T", rounds, rank=0, needs=(self.one_coin,), says="Number of rounds.")
        losses = Custom(_tree_losses, _on_tree(LOSS)) if tree else (
            Custom(_losses, Tuples("T", LOSS))
        )  # fmt: skip
        scales = Custom(_tree_scales, _on_tree(Real(None, None))) if tree else (
            Custom(_scales, Vector("T"))
        )  # fmt: skip
        taken = Custom(_detours, Tuples("T", DETOUR)) if detours else Tuples("T", Vector(0))
        self.needs = (
            self.one_coin, T, world("losses", losses, needs=(T,)),
            world("scales", scales, rank=1, needs=(T,), says="Size of the noise."),
            world("p", Real(0, 1, open_low=True, open_high=True, searched=("1/10", "9/10"))),
            world("detours", taken, rank=2, needs=(T,)),
            world("start", Real(None, None, searched=(-10, 10)) if start else Integer(0, 0)),
            eta,
        )  # fmt: skip
        draw = Descent(tree)
        self.losses, self.f, self.hat, self.gradient, self.noisy = (
            outcome(name, draw, rank=1 if name != "l" else None, needs=self.needs, latex=shown)
            for name, shown in zip(
                draw.names, (r"\ell", "f", r"\hat{f}", r"\nabla", r"\bar\nabla"), strict=True
            )
        )

    def regret(self, f_star: Expr) -> Expr:
        """sum_t l_t(f_t) - l_t(f*)."""
        return losses_along(self.losses, self.f) - losses_at(self.losses, f_star)

    @property
    def squares(self) -> Expr:
        """sum_t |gradient_t|^2."""
        return inner(self.gradient, self.gradient)

    @property
    def noisy_squares(self) -> Expr:
        """sum_t |noisy gradient_t|^2."""
        return inner(self.noisy, self.noisy)

    @property
    def variances(self) -> Expr:
        """sum_t |noisy gradient_t - gradient_t|^2."""
        return inner(self.noisy - self.gradient, self.noisy - self.gradient)

    def overruled(self, f_star: Expr) -> Expr:
        """Number of rounds with |f_t - f*| > |f^_t - f*|."""
        return overruled(self.f, self.hat, f_star)

    @property
    def largest(self) -> Expr:
        """max over sample paths and rounds of |f_t|."""
        return supremum(furthest(self.f), self.f)

    def best_afterwards(self, B: Known) -> Expr:
        """The best point of [-B, B] for the losses that came."""
        return best_on_line(self.losses, B)
