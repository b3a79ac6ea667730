"""Algorithm 1 with points and labels that may depend on the run, in terms of automata.

In state s the adversary shows the point shown[s] with the label answers[s], and moves by what the
draws have done so far (see `boundcheck.quantities.online_adversaries`). A chain or a cycle of
states with equal moves is a sequence that is fixed before the run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flint import fmpq
from sympy import Expr

from boundcheck.expressions import outcome, primitive, world
from boundcheck.expressions.symbols import Known
from boundcheck.quantities.online import DESCENT, PRINTED
from boundcheck.quantities.online_adversaries import LOOKS, Contest as Played, encounters
from boundcheck.quantities.online_simulation import least_totals, simulate_against
from boundcheck.settings.sampled_features import B, Earlier, Look, N, RunDraw, eta, m, mu, psi
from boundcheck.worlds import Custom, Derived, Index, Integer, Tuples, Vector
from boundcheck.worlds.sources import Coordinates
from boundcheck.worlds.space import float_value

STATES = 7  # a full binary tree of three rounds


def _answers(source: Coordinates, earlier: Earlier) -> tuple[fmpq, ...]:
    ends = (fmpq(1), fmpq(-1), fmpq(0))
    return tuple(
        source.choice((*ends, source.rational(fmpq(-1), fmpq(1)))) for _ in range(earlier["S"])
    )


def _moves(source: Coordinates, earlier: Earlier) -> tuple[tuple[int, ...], ...]:
    """A tree over the errors of the estimates, one over the sides of the iterates, or free."""
    states = earlier["S"]
    shape = source.choice(("errors", "sides", "free"))
    if shape == "free":
        return tuple(
            tuple(source.integer(0, states - 1) for _ in range(LOOKS)) for _ in range(states)
        )
    bit = 1 if shape == "errors" else 2
    return tuple(
        tuple(min(2 * s + 1 + (look & bit) // bit, states - 1) for look in range(LOOKS))
        for s in range(states)
    )


def in_turn(S: int) -> tuple[tuple[int, ...], ...]:
    """The moves of states that take turns: a sequence fixed before the run."""
    return tuple(((s + 1) % S,) * LOOKS for s in range(S))


@dataclass(frozen=True)
class Coefficients(RunDraw):
    """||alpha^(t)||_1 in the last round against the adversary."""

    def law(self, look: Look) -> list[tuple[Any, ...]]:
        rounds = encounters(*(look(name) for name in self.fields), self.update)  # type: ignore[call-arg]
        return [(item.chance, item.l1) for item in rounds[-1]]


@dataclass(frozen=True)
class Simulated(Coefficients):
    """What is seen of simulated runs. `tossed` in a world: every label has a fair sign."""

    def count(self, look: Look) -> float:
        return float("inf")

    def played(self, look: Look, rng: Any, size: int) -> dict[str, Any]:
        """As of `quantities.online_simulation.simulate_against`."""
        world = {name: float_value(look(name)) for name in self.fields}
        world["T"], world["m"] = int(world.pop(self.fields[2])), int(world["m"])
        tossed = bool(look("tossed"))
        return simulate_against(**world, runs=size, rng=rng, update=self.update, tossed=tossed)


@dataclass(frozen=True)
class Regrets(Simulated):
    """Regret of each run against the best function after it."""

    over: str = "the draws of Algorithms 1 and 2 (and of the labels)"

    def sample(self, look: Look, rng: Any, size: int) -> dict[str, Any]:
        found = self.played(look, rng, size)
        total = ((found["products"] - found["y"]) ** 2 / 2).sum(axis=1)
        psi, mu, B = (float_value(look(name)) for name in ("psi", "mu", "B"))
        return {self.drawn[0]: total - least_totals(psi, mu, found["sequence"], found["y"], B)}


@dataclass(frozen=True)
class LastRounds(Simulated):
    """f_t, E_t, Phi(x_t) and y_t of the last round."""

    def sample(self, look: Look, rng: Any, size: int) -> dict[str, Any]:
        found, psi = self.played(look, rng, size), float_value(look("psi"))
        values = (
            found["functions"], found["estimates"][:, -1],
            psi[found["sequence"][:, -1].astype(int)], found["y"][:, -1],
        )  # fmt: skip
        return dict(zip(self.drawn, values, strict=True))


@primitive(rank=None)
def contest(
    psi: Any, mu: Any, T: Any, shown: Any, answers: Any, moves: Any, B: Any, eta: Any, m: Any
) -> Played:
    """Algorithm 1 with a descent step against the adversary, every sample path."""
    rounds = encounters(psi, mu, T, shown, answers, moves, B, eta, m, DESCENT)
    return Played(rounds, psi, mu, shown, answers, B, eta)


@primitive(latex=r"\mathbb{{E}}\sum_{{t=1}}^T \ell_t(f_t)")
def losses(game: Any) -> Any:
    """E sum_t l_t(f_t)."""
    return game.losses()


@primitive(latex=r"\mathbb{{E}}\sum_{{t=1}}^T \ell_t({1})")
def losses_of(game: Any, f: Any) -> Any:
    """E sum_t l_t(f)."""
    return game.losses_of(f)


@primitive(latex=r"\mathbb{{E}}\min_{{\|f^*\|<B}}\sum_{{t=1}}^T \ell_t(f^*)")
def least_losses(game: Any) -> Any:
    """E inf over ||f*|| < B of sum_t l_t(f*): the infimum is taken after the run."""
    return game.least_losses()


@primitive(facts=("nonnegative",), latex=r"\sum_{{t=1}}^T\mathbb{{E}}\|\nabla_t\|^2")
def squares(game: Any) -> Any:
    """sum_t E ||gradient of l_t at f_t||^2."""
    return game.squares()


@primitive(facts=("nonnegative",), latex=r"\sum_{{t=1}}^T V[\bar\nabla_t]")
def variances(game: Any) -> Any:
    """sum_t V of the gradient estimate (E_t - y_t) Phi(x_t)."""
    return game.variances()


@primitive(facts=("nonnegative",), latex=r"\sum_{{t=1}}^T P_t({1})")
def overruled(game: Any, f: Any) -> Any:
    """sum_t P_t(f)."""
    return game.overruled(f)


@primitive(facts=("nonnegative",), latex=r"\sum_{{t<T}} P(|E_t|\geq 16B)")
def shrinks(game: Any) -> Any:
    """Expected number of rounds before the last that shrink, at least sum_t P_t of any f*."""
    return game.shrinks()


@primitive(facts=("nonnegative",), latex="B_T")
def largest_norm(game: Any) -> Any:
    """max over sample paths and rounds of ||f_t||."""
    return game.largest_norm()


class Contest:
    """Runs against an adversary of up to so many states.

    Args:
        T: symbol for the number of rounds.
        states: how many states search tries.
        seeing: whether the moves may depend on the run.
    """

    def __init__(self, T: Known, *, states: int = STATES, seeing: bool = True) -> None:
        self.S = world("S", Integer(1, searched=states), says="States of the adversary.")
        self.shown = world("shown", Tuples(self.S, Index("N")), rank=1, needs=(N,))
        self.answers = world("answers", Custom(_answers, Vector("S", -1, 1)), rank=1,
                             needs=(self.S,), units={"label": 1})  # fmt: skip
        moves = Custom(_moves, Tuples("S", Tuples(LOOKS, Index("S")))) if seeing else (
            Derived(in_turn)
        )  # fmt: skip
        self.moves = world("moves", moves, rank=2, needs=(self.S,))
        self.tossed = world("tossed", Integer(0, 1), says="Whether labels have fair signs.")
        self.fields = (psi, mu, T, self.shown, self.answers, self.moves, B, eta, m)
        self.game = contest(*self.fields)

    def _sampled(self, kind: type[Simulated], *drawn: str) -> Any:
        return kind(drawn, self.fields, DESCENT)

    @property
    def l1_norm(self) -> Known:
        """||alpha^(t)||_1 in the last round, with the update as printed."""
        draw = Coefficients(("alpha_norm",), self.fields, PRINTED)
        return outcome("alpha_norm", draw, rank=0, units={"label": 1},
                       latex=r"\|\alpha^{(t)}\|_1")  # fmt: skip

    @property
    def run_regret(self) -> Known:
        """Regret of a simulated run against the best function after it."""
        draw = self._sampled(Regrets, "regret")
        return outcome("regret", draw, rank=0, needs=(self.tossed,), units={"label": 2})

    @property
    def last_round(self) -> tuple[Known, Known, Known, Known]:
        """f_t, E_t, Phi(x_t) and y_t of the last round of a simulated run."""
        draw = self._sampled(LastRounds, "f", "estimate", "point", "label")
        f, point = (outcome(name, draw, needs=(self.tossed,)) for name in ("f", "point"))
        E, label = (outcome(name, draw, rank=0) for name in ("estimate", "label"))
        return f, E, point, label

    @property
    def losses(self) -> Expr:
        """E sum_t l_t(f_t)."""
        return losses(self.game)

    def losses_of(self, f: Expr) -> Expr:
        """E sum_t l_t(f)."""
        return losses_of(self.game, f)

    @property
    def least_losses(self) -> Expr:
        """E inf of sum_t l_t over the ball, taken after the run."""
        return least_losses(self.game)

    def overruled(self, f: Expr) -> Expr:
        """sum_t P_t(f)."""
        return overruled(self.game, f)

