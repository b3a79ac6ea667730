"""Risk of the average of f_1, ..., f_T when points and labels are drawn from a law.

The law has J cases: the point cases[j] with the label targets[j] and probability chances[j]; with
one case (x, y) alone a run may be free of chance, and is then exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flint import fmpq

from boundcheck.errors import Undecided
from boundcheck.expressions import index, named, outcome, primitive, table, world
from boundcheck.quantities import online_comparators, online_laws
from boundcheck.quantities.online_simulation import least_of_worlds, simulate
from boundcheck.settings.sampled_features import (
    B,
    Look,
    N,
    Phi,
    eta,
    m,
    mu,
    point,
    psi,
    squared_loss,
)
from boundcheck.settings.shrinking_gradient import DESCENT, T, least_losses
from boundcheck.worlds import Draw, Index, Integer, Real, Tuples, Vector, Weights
from boundcheck.worlds.space import float_value


@dataclass(frozen=True)
class Risks(Draw):
    """L(f_S) of independent samples S, each with its own run of Algorithm 1 (descent step)."""

    over: str = "the sample and the draws of Algorithms 1 and 2"
    names = ("risk",)

    def sample(self, look: Look, rng: Any, size: int) -> dict[str, Any]:
        names = ("psi", "mu", "cases", "targets", "chances", "B", "eta", "m", "T")
        psi, mu, cases, targets, chances, B, eta, m, T = (float_value(look(n)) for n in names)
        cases = cases.astype(int)
        picks = rng.choice(len(cases), p=chances / chances.sum(), size=(size, int(T)))
        found = simulate(
            psi, cases[picks], targets[picks], mu, B, eta, int(m), runs=size, rng=rng,
            update=DESCENT,
        )  # fmt: skip
        values = (found["averages"] * mu) @ psi[cases].T
        return {"risk": ((values - targets) ** 2 / 2) @ chances}


@primitive(rank=1, latex="f_S")
def chance_free_average(
    psi: Any, sequence: Any, y: Any, mu: Any, B: Any, eta: Any, m: Any, update: Any
) -> tuple[Any, ...]:
    """(1/T) sum_t f_t of a run whose estimates are all exact.

    Raises: Undecided if the run is not free of chance.
    """
    run = online_laws.Masses(psi, sequence, y, mu, B, eta, m, int(update))
    total: list[Any] = [fmpq(0)] * psi.ncols()
    for law, _, _ in run:
        if len(law) != 1:
            raise Undecided("the run is not free of chance")
        ((_, f, _, _),) = law
        total = [a + b for a, b in zip(total, f, strict=True)]
    return tuple(value / len(y) for value in total)


@primitive(facts=("nonnegative",), batch=least_of_worlds, latex=r"\inf_{{\|f^*\|<B}} L(f^*)")
def least_risk(psi: Any, cases: Any, targets: Any, chances: Any, mu: Any, B: Any) -> Any:
    """inf over ||f|| < B of E (1/2) (<f, Phi(x)> - y)^2."""
    return online_comparators.least_risk(psi, cases, targets, chances, mu, B)


x = point("x")
y = world("y", Real(-1, 1), units={"label": 1}, says="The label of the one point.")
_s, _one = index("s", T), index("one", 1)


def excess_on_one_case(update: int) -> Any:
    """L(f_S) - inf L for a law on one (x, y)."""
    fields = psi, table(x, _s), table(y, _s), mu, B, eta, m
    risk = squared_loss(chance_free_average(*fields, update), Phi(x), y)
    best = least_losses(psi, table(x, _one), table(y, _one), mu, B)
    return named("L(f_S)", risk) - named("inf L", best, r"\inf_{\|f^*\|<B} L(f^*)")


J = world("J", Integer(1, searched=4), says="Number of cases.")
cases = world("cases", Tuples(J, Index("N")), rank=1, needs=(N,), says="Their points.")
targets = world("targets", Vector(J, -1, 1), units={"label": 1}, says="Their labels.")
chances = world("chances", Weights(J, zeros=True), says="Their probabilities.")
risk = outcome(
    "risk", Risks(), rank=0, latex="L(f_S)",
    needs=(psi, mu, cases, targets, chances, B, eta, m, T),
)  # fmt: skip
least = least_risk(psi, cases, targets, chances, mu, B)
