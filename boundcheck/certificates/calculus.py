"""Rules of the checker about one symbol: slopes, curvature and whole numbers.

Each is given the way to close a branch by steps; there is no solver and no prover here.
"""

from __future__ import annotations

from collections.abc import Callable

from boundcheck.certificates.facts import Context, Step, entries
from boundcheck.certificates.terms import (
    Rejected,
    Relation,
    Term,
    derivative,
    needs,
    negated,
    read_relation,
    read_term,
    regular,
    replaced,
    symbols,
)

Closes = Callable[[Context, object, str], None]  # raises Rejected for steps that do not end it


def monotone(context: Context, step: Step, closes: Closes) -> bool:
    """f >= 0 at x from f >= 0 at one end and f' >= 0 (from above: <= 0) between.

    The proofs of the slope and of what f needs to be differentiable know no fact on x but that it
    lies between the end and what bounds it on the other side.
    """
    side = step.get("side")
    if side not in ("from", "to"):
        raise Rejected("monotone from no side")
    name, f, (end,) = _of_symbol(context, step, "end")
    x: Term = ("x", name)
    here: Relation = ("<=", end, x) if side == "from" else ("<=", x, end)
    closes(context.branch(negated(here)), step.get("inside"), "an end")
    between = [here]
    for index in entries(step.get("other", [])):
        bound = context.fact(index)
        other = bound[2] if side == "from" else bound[1]
        same = bound[1] if side == "from" else bound[2]
        if bound[0] not in ("<", "<=") or same != x or name in symbols(other):
            raise Rejected(f"fact {index} bounds {name} on no side")
        between.append(bound)
    apart = _differentiable(context, step, name, f, between, closes)
    closes(context.branch(("<", replaced(f, name, end), "0")), step.get("base"), "an end's value")
    slope = derivative(f, name)
    falls: Relation = ("<", slope, "0") if side == "from" else ("<", "0", slope)
    closes(apart.branch(falls), step.get("slope"), "the sign of a slope")
    context.add(("<=", "0", f))
    return False


def concave(context: Context, step: Step, closes: Closes) -> bool:
    """f >= 0 at x between two ends from f >= 0 at both and f'' <= 0 between."""
    name, f, (low, high) = _of_symbol(context, step, "low", "high")
    between: list[Relation] = [("<=", low, ("x", name)), ("<=", ("x", name), high)]
    for relation, proof in zip(between, _two(step, "inside"), strict=True):
        closes(context.branch(negated(relation)), proof, "an end")
    apart = _differentiable(context, step, name, f, between, closes)
    for end, proof in zip((low, high), _two(step, "ends"), strict=True):
        closes(context.branch(("<", replaced(f, name, end), "0")), proof, "an end's value")
    curve = derivative(derivative(f, name), name)
    closes(apart.branch(("<", "0", curve)), step.get("slope"), "the sign of a curvature")
    context.add(("<=", "0", f))
    return False


def _two(step: Step, name: str) -> list[object]:
    found = list(entries(step.get(name)))
    if len(found) != 2:
        raise Rejected(f"{name} are not two")
    return found


def _of_symbol(context: Context, step: Step, *ends: str) -> tuple[str, Term, list[Term]]:
    """(symbol, term, ends that do not depend on it) of a step about a derivative."""
    name = step.get("symbol")
    if not isinstance(name, str) or name in context.signs.letters:
        raise Rejected("a derivative in no symbol")
    f, *places = [read_term(step.get(part)) for part in ("term", *ends)]
    if any(name in symbols(term) for term in context.signs.letters.values()):
        raise Rejected(f"facts on other symbols depend on {name}")
    if any(name in symbols(end) for end in places):
        raise Rejected("an end depends on the symbol")
    return name, f, places


def _differentiable(
    context: Context, step: Step, name: str, f: Term, between: list[Relation], closes: Closes
) -> Context:
    """Facts that hold wherever the symbol is between, where f is shown to be differentiable."""
    apart = context.branch(*between, without=name)
    apart.integers.discard(name)
    proofs = entries(step.get("regular", []))
    wanted = [*needs(f), *regular(f, name)]
    if len(proofs) != len(wanted):
        raise Rejected(f"{len(wanted)} conditions for a derivative, {len(proofs)} proofs")
    for relation, proof in zip(wanted, proofs, strict=True):
        closes(apart.branch(negated(relation)), proof, "a condition for a derivative")
        apart.add(relation)
    return apart


def induction(context: Context, step: Step, closes: Closes) -> bool:
    """A fact for a whole symbol from a first number on, by its value there and one step."""
    name, fact, first = step.get("symbol"), read_relation(step.get("fact")), step.get("first")
    if name not in context.integers or not isinstance(first, int) or name in context.signs.letters:
        raise Rejected("induction over no whole number")
    n: Term = ("x", str(name))
    start: Relation = ("<=", str(first), n)
    closes(context.branch(negated(start)), step.get("inside"), "the first number")
    base = context.branch(negated(replaced(fact, str(name), str(first))), without=str(name))  # type: ignore[arg-type]
    closes(base, step.get("base"), "the base")
    later = negated(replaced(fact, str(name), ("+", n, "1")))  # type: ignore[arg-type]
    apart = context.branch(start, fact, later, without=str(name))
    closes(apart, step.get("step"), "the inductive step")
    context.add(fact)
    return False
