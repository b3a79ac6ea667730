"""Worlds of Lemma 1: convex losses on the line, noisy gradients, steps that may be overruled.

Losses are fixed before the run, or hang on a binary tree over the coins that were tossed so far.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from flint import fmpq
from sympy import symbols

from boundcheck.quantities.online_descent import along, best_on_line, convex_loss, descend
from boundcheck.worlds import Choice, Custom, Draw, Field, Integer, Real, Space, Tuples, Vector

f_star, regret, squares, variances, penalties, largest = symbols(
    "f_star regret squares variances penalties largest", real=True
)

ROUNDS = 6  # with noise of its own in each round; one shared coin allows longer runs


def _repeated(source: Any, rounds: int, build: Callable[[], Any]) -> tuple[Any, ...]:
    """One value per round: all free, all equal, a first one and then all equal, or one that takes
    turns with its mirror image (the sequence that descent follows to its own loss)."""
    shape = source.choice(("free", "equal", "first", "turns"))
    if shape == "free":
        return tuple(build() for _ in range(rounds))
    if shape == "equal":
        return (build(),) * rounds
    if shape == "turns":
        value = build()
        return tuple(value if t % 2 == 0 else mirrored(value) for t in range(rounds))
    return (build(), *(build(),) * (rounds - 1))


def mirrored(entry: Any) -> Any:
    """A loss, or a noise scale, reflected in zero."""
    if isinstance(entry, tuple):
        a, b, c, e = entry
        return a, -b, c, -e
    return -entry


def _losses(source: Any, earlier: Any) -> tuple[Any, ...]:
    def one() -> tuple[Any, ...]:
        a, c = (source.rational(fmpq(0), fmpq(3)) for _ in range(2))
        b, e = (source.rational(fmpq(-3), fmpq(3)) for _ in range(2))
        return a, b, c, e

    return _repeated(source, earlier["T"], one)


def _scales(source: Any, earlier: Any) -> tuple[Any, ...]:
    size = source.choice((1, 10))
    return _repeated(source, earlier["T"], lambda: size * source.rational(fmpq(-1), fmpq(1)))


def _detours(source: Any, earlier: Any) -> tuple[Any, ...]:
    if source.choice((True, False)):
        return ((),) * earlier["T"]
    return tuple(
        () if source.choice((True, False)) else (source.rational(fmpq(-2), fmpq(2)),)
        for _ in range(earlier["T"])
    )


def _is_loss(value: Any, world: Any) -> bool:
    """a |f - b| + c |f - e| with weights that are not negative."""
    return Vector(4).admits(value, world) and value[0] >= 0 and value[2] >= 0


def _is_detour(value: Any, world: Any) -> bool:
    return Vector(0).admits(value, world) or Vector(1).admits(value, world)


LOSS, DETOUR = Custom(_losses, _is_loss), Custom(_detours, _is_detour)


def on_tree(entry: Field) -> Any:
    """Predicate: one entry for every way in which the coins before a round can fall."""

    def fits(value: Any, world: Any) -> bool:
        size = 2 ** min(world["T"], 20) - 1
        return Tuples(size, entry).admits(value, world)

    return fits


def descent_space(*, shared: bool, start: bool, detours: bool) -> Space:
    """T losses; noise of scale_t: the coin of a round gives scale with probability p, else a
    multiple of mean zero in total. A detour is taken when the coin shows its second side.

    Args: shared: the coin may be tossed once for the whole run. start: f_1 is free, else 0.
    """
    fields: dict[str, Any] = {}
    if shared:
        fields["one_coin"] = Choice((0, 1, 1))
        fields["T"] = Custom(
            lambda source, earlier: source.integer(1, 16 if earlier["one_coin"] else ROUNDS),
            Integer(1, searched=16),
        )
    else:
        fields["one_coin"] = Integer(0, 0)
        fields["T"] = Integer(1, searched=ROUNDS)
    fields |= {
        "losses": Custom(_losses, Tuples("T", LOSS)),
        "scales": Custom(_scales, Vector("T")),
        "p": Real("1/10", "9/10"),
        "detours": Custom(_detours, Tuples("T", DETOUR)) if detours
        else Tuples("T", Vector(0)),
        "start": Real(-10, 10) if start else Integer(0, 0),
    }  # fmt: skip
    return Space(**fields)


@dataclass(frozen=True)
class Coins(Draw):
    """One coin per round, or one for the whole run; 0 has probability p."""

    over: str = "the noise of the gradients"
    names = ("coins",)

    def count(self, look: Callable[[str], Any]) -> float:
        return 2 if look("one_coin") else 2 ** look("T")

    def outcomes(self, look: Callable[[str], Any]) -> Iterator[tuple[fmpq, dict[str, Any]]]:
        for chance, coins in tosses(look("T"), look("p"), look("one_coin")):
            yield chance, {"coins": coins}


def tosses(T: int, p: Any, one_coin: int) -> list[tuple[Any, tuple[int, ...]]]:
    """All sequences of coins with their probabilities."""
    sides = ((p, 0), (1 - p, 1))
    if one_coin:
        return [(chance, (side,) * T) for chance, side in sides]
    found: list[tuple[Any, tuple[int, ...]]] = [(fmpq(1), ())]
    for _ in range(T):
        found = [(q * chance, (*coins, side)) for q, coins in found for chance, side in sides]
    return found


def path(losses: Any, scales: Any, p: Any, detours: Any, start: Any, eta: Any, coins: Any) -> Any:
    """The run for given coins; noise has mean zero over each coin."""
    noise = [s if side == 0 else -s * p / (1 - p) for s, side in zip(scales, coins, strict=True)]
    taken = [d if side == 1 else () for d, side in zip(detours, coins, strict=True)]
    return descend(losses, noise, taken, start, eta)


def total_regret(losses: Any, run: Any, f_star: Any) -> Any:
    """sum_t l_t(f_t) - l_t(f*)."""
    return sum(
        convex_loss(f, loss) - convex_loss(f_star, loss)
        for f, loss in zip(run.iterates, losses, strict=True)
    )


def largest_iterate(
    losses: Any, scales: Any, p: Any, detours: Any, start: Any, eta: Any, T: Any, one_coin: Any
) -> Any:
    """max over sample paths and rounds of |f_t|."""
    return furthest(path, losses, scales, p, detours, start, eta, T, one_coin)


def furthest(
    route: Callable[..., Any], losses: Any, scales: Any, p: Any, detours: Any, start: Any,
    eta: Any, T: Any, one_coin: Any,
) -> Any:  # fmt: skip
    """max over coins and rounds of |f_t|, the run on each sequence of coins made by `route`."""
    return max(
        abs(f)
        for _, coins in tosses(T, p, one_coin)
        for f in route(losses, scales, p, detours, start, eta, coins).iterates
    )


run = symbols("run", real=True)
measures = {
    run: path,
    regret: total_regret,
    squares: lambda run: sum(g**2 for g in run.gradients),
    variances: lambda run: sum((a - b) ** 2 for a, b in zip(run.noisy, run.gradients, strict=True)),
    penalties: lambda run, f_star: sum(run.overruled(f_star)),
    largest: largest_iterate,
}


# --- losses that depend on the run ---------------------------------------------------------------

DEEPEST = 3  # rounds against a tree of losses


def _tree(source: Any, earlier: Any, build: Callable[[], Any]) -> tuple[Any, ...]:
    """One entry per node: free, the same throughout a round, or right subtrees mirroring left ones
    (an adversary that answers to the sign of the noise)."""
    rounds = earlier["T"]
    shape = source.choice(("mirrored", "free", "mirrored", "rounds"))
    if shape == "free":
        return tuple(build() for _ in range(2**rounds - 1))
    entries: list[Any] = []
    for t in range(rounds):
        left = [build() for _ in range(max(2**t // 2, 1) if shape == "mirrored" else 1)]
        if shape == "rounds":
            entries += left * 2**t
        else:
            entries += left if t == 0 else [*left, *(mirrored(entry) for entry in reversed(left))]
    return tuple(entries)


def _tree_losses(source: Any, earlier: Any) -> tuple[Any, ...]:
    def one() -> tuple[Any, ...]:
        kind = source.choice(("none", "slope", "slope", "free"))
        if kind == "none":
            return (fmpq(0),) * 4
        if kind == "slope":  # linear on the ball: its kink lies outside
            c = source.rational(fmpq(0), fmpq(3))
            return fmpq(0), fmpq(0), c, source.choice((fmpq(-100), fmpq(100)))
        a, c = (source.rational(fmpq(0), fmpq(3)) for _ in range(2))
        b, e = (source.rational(fmpq(-3), fmpq(3)) for _ in range(2))
        return a, b, c, e

    return _tree(source, earlier, one)


def _tree_scales(source: Any, earlier: Any) -> tuple[Any, ...]:
    size = source.choice((1, 10))
    return _tree(source, earlier, lambda: size * source.rational(fmpq(-1), fmpq(1)))


def adaptive_space(*, rounds: int = DEEPEST, detours: bool = True) -> Space:
    """Losses and noise scales of a round depend on the coins before it; f_1 = 0."""
    base = descent_space(shared=False, start=False, detours=detours)
    return base.and_fields(
        T=Integer(1, searched=rounds), losses=Custom(_tree_losses, on_tree(LOSS)),
        scales=Custom(_tree_scales, on_tree(Real(None, None)))
    )


def tree_path(
    losses: Any, scales: Any, p: Any, detours: Any, start: Any, eta: Any, coins: Any
) -> Any:
    """The run for given coins; its losses and noise are those that the tree holds for them."""
    return path(along(losses, coins), along(scales, coins), p, detours, start, eta, coins)


def tree_regret(losses: Any, run: Any, f_star: Any, coins: Any) -> Any:
    """sum_t l_t(f_t) - l_t(f*) for the losses met."""
    return total_regret(along(losses, coins), run, f_star)


def best_afterwards(losses: Any, coins: Any, B: Any) -> Any:
    """The best f* of the ball for the losses met, chosen when the run is over."""
    return best_on_line(along(losses, coins), B)


def largest_on_tree(
    losses: Any, scales: Any, p: Any, detours: Any, start: Any, eta: Any, T: Any, one_coin: Any
) -> Any:
    """max over sample paths and rounds of |f_t|."""
    return furthest(tree_path, losses, scales, p, detours, start, eta, T, one_coin)


adaptive_measures = measures | {run: tree_path, regret: tree_regret, largest: largest_on_tree}
