"""Whether left outgrows every multiple of right along a ray, by enclosures of both for every t.

Where a draw reads nothing that moves, each of its outcomes has a law of its own; a draw of one atom
has one outcome, however many draws there are. A statement with probability fails where outcomes
heavier than it allows have one, a statement between expectations by the law of the means.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import sympy
from flint import arb, fmpq

from boundcheck import exact
from boundcheck.arithmetic import PRECISIONS, Value, midpoint, precision, to_ball
from boundcheck.checker import stirling, sums
from boundcheck.checker.along import UNKNOWN, Along
from boundcheck.checker.germs import (
    Germ,
    NoGerm,
    added,
    constant,
    is_nonnegative,
    multiplied,
    negated as minus,
)
from boundcheck.checker.products import least_logarithm, over_what_moves
from boundcheck.checker.ray import Ray
from boundcheck.claim import Claim, Expected, UpToConstant, WithProbability
from boundcheck.errors import Undecided, Undefined
from boundcheck.setting import guarded
from boundcheck.worlds.draws import Counts

FAR = 64  # octaves from which on a law is looked for
NEAR = 2  # octaves at which products and sums over a size are computed
Sides = tuple[Germ, Germ]


@dataclass(frozen=True)
class Branch:
    """An outcome of a draw for every t: its probability, which stays, and what moves in it.

    Args: known: numbers of the outcome that stand for all in a ball.
    """

    mass: fmpq
    outcome: Mapping[str, Value] = field(default_factory=dict)
    powers: Mapping[str, fmpq] = field(default_factory=dict)
    known: Mapping[str, arb] = field(default_factory=dict)

    def along(self, claim: Claim, ray: Ray) -> Along:
        """Germs at this outcome."""
        return Along(claim, ray, self.outcome, self.powers, self.known)


@dataclass(frozen=True)
class Law:
    """How a comparison grows, in words, and where it does: its branches, all of them in a mean."""

    words: str
    part: sympy.Rel
    branches: tuple[Branch, ...]


def law(
    claim: Claim, ray: Ray, among: Sequence[Branch] = (), slower: Ray | None = None
) -> str:
    """How left over right grows without end along a ray that stays, in words; "" if that is not
    certain. No constant serves then, however slow the growth is.

    Enclosures of both sides for every t from 2^FAR on, left / right >= c t^a (1 + log t)^b with
    c > 0 and (a, b) above (0, 0), are a closed form that tends to infinity; so is the same of
    log(left / right). The values themselves must rise, too, where they are computed.

    Args:
        among: branches that the draw of the claim does not say.
        slower: along which the values are looked at, if that is another ray.
    """
    from boundcheck.checker.rays import stays

    known = {name: ball for branch in among for name, ball in branch.known.items()}
    if not isinstance(claim.statement, UpToConstant) or not stays(claim, ray, known):
        return ""
    found = found_law(claim, ray, among)
    return found.words if found and _seen(claim, slower or ray, found) else ""


def found_law(claim: Claim, ray: Ray, among: Sequence[Branch] = ()) -> Law | None:
    """The law of a comparison that is asserted along a ray, without a look at its values."""
    far = ray.at(FAR)
    if far is None:
        return None
    moved = Ray(far, ray.powers, ray.ends)
    with precision(PRECISIONS[-1]):
        try:
            return _law(claim, moved, list(among or branches(claim, moved)))
        except (NoGerm, *UNKNOWN):
            return None


def _law(claim: Claim, ray: Ray, found: Sequence[Branch]) -> Law | None:
    inner = getattr(claim.statement, "inner", None)
    if isinstance(inner, Expected):
        return _of_means(claim, ray, found)
    laws = [(branch, _of_branch(claim, ray, branch)) for branch in found]
    failing = [(branch, made) for branch, made in laws if made is not None and branch.mass > 0]
    if not failing:
        return None
    if isinstance(inner, WithProbability):
        mass = sum((branch.mass for branch, _ in failing), fmpq(0))
        level = Along(claim, ray).germ(inner.level)
        if not is_nonnegative(added([constant(mass - 1), level]), strictly=True):
            return None
    return failing[0][1]


def branches(claim: Claim, ray: Ray) -> Iterator[Branch]:
    """The outcomes of the draw. Raises: NoGerm where they are not known for every t."""
    draw, whole = claim.draw, Along(claim, ray)
    if draw is None:
        yield Branch(fmpq(1))
    elif whole.draw_stays:
        for mass, here in whole.place.outcomes():
            yield Branch(mass, here.outcome)
    elif isinstance(draw, Counts) and not whole.moves(sympy.Symbol(draw.weights)):
        # Draws of one atom are as many as there are draws.
        weights, trials = whole.place(draw.weights), whole.place(draw.trials)
        if sorted(weights) != [*(0 for _ in weights[1:]), 1]:
            raise NoGerm("the number of draws moves")
        power = whole.degree(sympy.Symbol(draw.trials))
        counts = tuple(trials if weight else 0 for weight in weights)
        yield Branch(fmpq(1), {draw.counts: counts}, {draw.counts: power})
    else:
        raise NoGerm("the draw moves")


def _asserted(along: Along) -> Iterator[sympy.Rel]:
    """The inequalities under premises that hold."""
    for premises, part in guarded(along.claim.statement.relation):
        if isinstance(part, exact.INEQUALITIES) and all(
            exact.decide(premise, along.place) is True for premise in premises
        ):
            yield part


def _of_branch(claim: Claim, ray: Ray, branch: Branch) -> Law | None:
    along = branch.along(claim, ray)
    for part in _asserted(along):
        words = (_by_orders(along, part) or _by_logarithms(along, part)
                 or _by_stirling(along, part))  # fmt: skip
        if words:
            return Law(words, part, (branch,))
    return None


def _of_means(claim: Claim, ray: Ray, found: Sequence[Branch]) -> Law | None:
    for part in _asserted(Along(claim, ray)):
        sides = [_mean(claim, ray, found, side) for side in (part.lts, part.gts)]
        words = _compared(*sides)
        if words:
            return Law(words, part, tuple(found))
    return None


def _mean(claim: Claim, ray: Ray, found: Sequence[Branch], expr: sympy.Expr) -> Germ:
    return added([multiplied(constant(branch.mass), _germ(branch.along(claim, ray), expr))
                  for branch in found])  # fmt: skip


def _germ(along: Along, expr: sympy.Expr) -> Germ:
    """Of a side, sums over what moves enclosed."""
    return along.germ(sums.enclosed(along, expr))


def _by_orders(along: Along, part: sympy.Rel) -> str:
    try:
        return _compared(_germ(along, part.lts), _germ(along, part.gts))
    except (NoGerm, *UNKNOWN):
        return ""


def _compared(left: Germ, right: Germ) -> str:
    if not left.ball > 0 or not right.ball.is_finite() or left.scale <= right.scale:
        return ""
    return f"left / right grows {_order(left.power - right.power, left.logs - right.logs)}"


def _by_logarithms(along: Along, part: sympy.Rel) -> str:
    try:
        least, most = (sums.enclosed(along, side) for side in (part.lts, part.gts))
        gap = added([least_logarithm(along, least), minus(along.logarithm(most))])
    except (NoGerm, *UNKNOWN):
        return ""
    grows = gap.ball > 0 and gap.grows
    return f"log(left / right) grows {_order(gap.power, gap.logs)}" if grows else ""


def _by_stirling(along: Along, part: sympy.Rel) -> str:
    try:
        if along.outcome or not stirling.counts_of_what_moves(along, part):
            return ""
        power, logs, factor = stirling.least_growth(along, part)
    except (NoGerm, *UNKNOWN):
        return ""
    if power == 0 and logs == 1 and factor.is_exact():
        return f"left / right grows {_order(midpoint(factor), fmpq(0))}"
    return f"log(left / right) grows {_order(fmpq(int(power.p), int(power.q)), fmpq(logs))}"


def _order(power: fmpq, logs: fmpq) -> str:
    powers = [("t", power), ("log(t)", logs)]
    shown = [name if exponent == 1 else f"{name}^{exponent}" if exponent.q == 1
             else f"{name}^({exponent})" for name, exponent in powers if exponent]  # fmt: skip
    return f"at least as {' '.join(shown)}"


def _seen(claim: Claim, ray: Ray, found: Law) -> bool:
    """Whether left over right is larger where it is computed further out."""
    along = Along(claim, ray)
    listed = over_what_moves(along, found.part) or sums.over_what_moves(along, found.part)
    counted = stirling.counts_of_what_moves(along, found.part)
    near = NEAR if listed else 2 * NEAR if counted else FAR
    octaves = near, 2 * near
    start = Ray(ray.at(octaves[0]) or {}, ray.powers, ray.ends)
    with precision(PRECISIONS[-1]):
        try:
            first, second = (_quotient(claim, start, found, each) for each in (0, octaves[0]))
        except (Undefined, Undecided, ArithmeticError):
            return False
    return bool(second > first > 0)


def _quotient(claim: Claim, ray: Ray, found: Law, octaves: int) -> arb:
    """Left over right at t = 2^octaves, of means where the law is one of means."""
    left, right = arb(0), arb(0)
    for branch in found.branches:
        here = branch.along(claim, ray).later(octaves)
        if here is None:
            raise Undefined("no world of the ray has rational numbers here")
        left += to_ball(here.value(found.part.lts)) * branch.mass
        right += to_ball(here.value(found.part.gts)) * branch.mass
    return left / right
