"""The checker of certificates: rationals and balls, no solver and no prover.

A certificate shows that a goal follows from premises about real numbers. It is a list of steps,
each a rule with its numbers. Every goal is refuted in its negation: a branch ends when its facts
cannot hold together. The rules are

    combine      a sum of products of facts, squares and equations that is 0 > 0
    evident      a fact that contradicts the signs known
    have, split  a fact shown apart; one relation or its negation
    cases        the members of a disjunction
    clear        a fact multiplied by its denominators
    root         a nonnegative symbol as the power of a new one
    integer      p > 0 for a whole number p says p >= 1
    logarithm    the logarithms of both sides; exponential likewise
    elementary   a fact with elementary functions written by few of their values
    apart        a <= b and a != b say a < b
    put          a fact with the right side of an equation for its left
    axiom        a true inequality about logarithms, exponentials, roots, extremes and so on
    enclose      rational ends around a constant, by balls
    monotone     the sign of an expression from one end and its derivative
    concave      the sign of an expression between two ends from its second derivative
    induction    a fact for all whole numbers from a first one on
    boxes        a compact box cut into pieces on each of which some fact fails
    sum          a sum is at least zero because its terms are, at any place of its rows
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import signature

import flint
from flint import arb, fmpq

from boundcheck.certificates import axioms, balls, calculus
from boundcheck.certificates.elementary import Elementary, times
from boundcheck.certificates.facts import Context, Step, entries, positive, rows, term_of
from boundcheck.certificates.polynomials import (
    Poly,
    add_to,
    added,
    constant,
    minus,
    rational,
    scaled,
)
from boundcheck.certificates.terms import (
    COMPARISONS,
    Rejected,
    Relation,
    Term,
    negated,
    places,
    put_in,
    read_relation,
    read_term,
    sizes_summed,
    symbols,
)

STEPS, BOXES, BITS = 20_000, 20_000, 128


def check(context: Context, steps: object) -> bool:
    """Whether some steps end the branch. Raises: Rejected for a step that is wrong."""
    if not isinstance(steps, (list, tuple)):
        raise Rejected("a proof is no list of steps")
    for step in steps:
        context.count.steps += 1
        if context.count.steps > STEPS:
            raise Rejected(f"more than {STEPS} steps")
        if not isinstance(step, dict) or step.get("rule") not in RULES:
            raise Rejected(f"{str(step)[:60]!r} is no step")
        if RULES[str(step["rule"])](context, step):
            return True
    return False


def closes(context: Context, steps: object, what: str) -> None:
    """Raises: Rejected if some steps do not end a branch."""
    if not check(context, steps):
        raise Rejected(f"the proof of {what} is not complete")


# Ends of a branch.


def _combine(context: Context, step: Step) -> bool:
    """Products of facts with nonnegative factors, squares and multiples of equations: 0 > 0."""
    total: Poly = {}
    strict = False
    normal = context.normal
    for factor, square, indices in rows(step, "products", 3):
        weight = positive(factor)
        part = scaled({(): fmpq(1)}, weight)
        if square is not None:
            side = normal.of(read_term(square))
            part = normal.product(part, normal.product(side, side))
        kinds = []
        for index in entries(indices):
            part = normal.product(part, context.gap(index, "<", "<="))
            kinds.append(context.fact(index)[0])
        strict = strict or (square is None and all(kind == "<" for kind in kinds))
        add_to(total, part)
    for factor, index in rows(step, "equations", 2):
        add_to(total, normal.product(normal.of(read_term(factor)), context.gap(index, "=")))
    value = constant(total)
    if value is None or value > 0 or (value == 0 and not strict):
        raise Rejected("a combination does not add up to a contradiction")
    return True


def _evident(context: Context, step: Step) -> bool:
    fact, poly = context.fact(step.get("fact")), context.gap(step.get("fact"))
    sign, against = context.normal.sign(poly), context.normal.sign(scaled(poly, -1))
    wrong = {
        "<": against >= 1, "<=": against == 2, "!=": not poly,
        "=": max(sign, against) == 2 or context.normal.nonzero(poly),
    }  # fmt: skip
    if not wrong[str(fact[0])]:
        raise Rejected(f"fact {step.get('fact')} contradicts no sign")
    return True


def _boxes(context: Context, step: Step) -> bool:
    """A tree: [symbol, left, right] cuts a box in half; an integer is a fact that fails on it."""
    ends: dict[str, tuple[fmpq, fmpq]] = {}
    for name, low, high in rows(step, "ends", 3):
        if not isinstance(name, str):
            raise Rejected("a box is in no symbol")
        ends[name] = (end_of(context, name, low, 1), end_of(context, name, high, -1))
    before = flint.ctx.prec
    flint.ctx.prec = BITS
    try:
        _piece(context, step.get("tree"), ends)
    finally:
        flint.ctx.prec = before
    return True


def end_of(context: Context, name: str, index: object, side: int) -> fmpq:
    """The number that a fact says a symbol is at least (side 1) or at most (side -1)."""
    poly = context.gap(index, "<", "<=", "=")
    atom = context.table.number(("x", name))
    value = poly.get(((atom, 1),), fmpq(0))
    rest = poly.get((), fmpq(0))
    equal = context.fact(index)[0] == "="
    if set(poly) - {(), ((atom, 1),)} or not value or (value * side < 0 and not equal):
        raise Rejected(f"fact {index} bounds {name} on no side")
    return -rest / value


def _piece(context: Context, tree: object, ends: dict[str, tuple[fmpq, fmpq]]) -> None:
    context.count.boxes += 1
    if context.count.boxes > BOXES:
        raise Rejected(f"more than {BOXES} boxes")
    if isinstance(tree, int):
        values = {name: arb(low).union(arb(high)) for name, (low, high) in ends.items()}
        if balls.truth(context.fact(tree), values) is not False:
            raise Rejected(f"fact {tree} does not fail on a box")
        return
    parts = entries(tree)
    if len(parts) != 3 or parts[0] not in ends:
        raise Rejected("a box is cut along no symbol")
    low, high = ends[str(parts[0])]
    middle = (low + high) / 2
    _piece(context, parts[1], {**ends, str(parts[0]): (low, middle)})
    _piece(context, parts[2], {**ends, str(parts[0]): (middle, high)})


# Branches.


def _have(context: Context, step: Step) -> bool:
    relation = read_relation(step.get("fact"))
    closes(context.branch(negated(relation)), step.get("proof"), "a fact")
    context.add(relation)
    return False


def _split(context: Context, step: Step) -> bool:
    relation = read_relation(step.get("on"))
    closes(context.branch(relation), step.get("yes"), "a case")
    closes(context.branch(negated(relation)), step.get("no"), "a case")
    return True


def _cases(context: Context, step: Step) -> bool:
    head, *members = context.fact(step.get("fact"))
    proofs = entries(step.get("proofs"))
    if head != "or" or len(proofs) != len(members):
        raise Rejected("cases of no disjunction, or not of all its members")
    for member, proof in zip(members, proofs, strict=True):
        closes(context.branch(member), proof, "a case")  # type: ignore[arg-type]
    return True


# New facts.


def _clear(context: Context, step: Step) -> bool:
    """A fact times powers of denominators: of positive ones, or even powers of nonzero ones."""
    kind = context.fact(step.get("fact"))[0]
    poly, normal = context.gap(step.get("fact")), context.normal
    for term, power in rows(step, "by", 2):
        base = normal.of(read_term(term))
        if not isinstance(power, int) or not 0 < power <= 40:
            raise Rejected("a fact is cleared by no power")
        sign = normal.sign(base)
        even = power % 2 == 0 or kind in ("=", "!=")
        if sign != 2 and not (even and normal.nonzero(base)):
            raise Rejected("a fact is cleared by what may be zero or negative")
        poly = times(normal, poly, base, power)
    context.add((str(kind), "0", term_of(context.table, poly)))
    return False


def _elementary(context: Context, step: Step) -> bool:
    """A fact with tanh, cos, sin, exp and log written by few of their values, without bottoms."""
    fact = context.fact(step.get("fact"))
    if fact[0] not in COMPARISONS or sizes_summed(fact):
        raise Rejected("elementary functions of no comparison, or in a sum")
    normal = Elementary(context.table, context.signs, step.get("parts"))
    gap = minus(normal.of(fact[2]), normal.of(fact[1]))
    top, _ = normal.fraction(gap, positive=fact[0] in ("<", "<="))
    context.add((fact[0], "0", term_of(context.table, top)))
    return False


def _put(context: Context, step: Step) -> bool:
    """A fact with the right side of an equation wherever its left side stands, outside of sums."""
    fact, equation = context.fact(step.get("fact")), context.fact(step.get("equation"))
    if fact[0] not in COMPARISONS or sizes_summed(fact) or equation[0] != "=":
        raise Rejected("what is put in is no equation, or into no comparison, or in a sum")
    context.add(put_in(fact, equation[1], equation[2]))  # type: ignore[arg-type]
    return False


def _apart(context: Context, step: Step) -> bool:
    """a <= b and a != b: a < b."""
    gap, other = context.gap(step.get("order"), "<="), context.gap(step.get("fact"), "!=")
    if minus(gap, other) and added(gap, other):
        raise Rejected("what is ordered and what differs are not the same")
    context.add(("<", *context.fact(step.get("order"))[1:]))
    return False


def _root(context: Context, step: Step) -> bool:
    """x = letter^power for a nonnegative symbol x and a new nonnegative letter."""
    name, letter, power = step.get("symbol"), step.get("letter"), step.get("power")
    if not isinstance(name, str) or not isinstance(letter, str) or not isinstance(power, int):
        raise Rejected("a root of no symbol")
    known = {n for fact in context.facts for n in symbols(fact)} | set(context.signs.letters)
    known |= {n for term in context.signs.letters.values() for n in symbols(term)}
    known |= context.signs.sizes | {n for _, fact in context.each for n in symbols(fact)}
    poly = context.normal.of(("x", name))
    if letter in known or letter in context.integers or name in context.signs.letters:
        raise Rejected(f"{letter} is no new symbol, or {name} is a root already")
    if not 1 < power <= 60 or context.normal.sign(poly) == 0:
        raise Rejected(f"{name} is not known to be nonnegative")
    strict = context.normal.sign(poly) == 2
    old, context.signs = context.signs, context.signs.fresh()
    context.signs.letters = {**old.letters, name: ("^", ("x", letter), str(power))}
    context.add(("<" if strict else "<=", "0", ("x", letter)))
    context._settle()
    return False


def _integer(context: Context, step: Step) -> bool:
    """p > 0 and p whole: p >= 1."""
    fact, poly = context.fact(step.get("fact")), context.gap(step.get("fact"), "<")
    if any(c.q != 1 for c in poly.values()) or not all(
        power > 0 and _whole_atom(context, atom) for m in poly for atom, power in m
    ):
        raise Rejected("a fact is not about whole numbers")
    context.add(("<=", ("+", fact[1], "1"), fact[2]))
    return False


def _whole_atom(context: Context, atom: int) -> bool:
    kind = context.table.atoms[atom]
    return kind[0] in ("floor", "ceiling") or (kind[0] == "x" and kind[1] in context.integers)


def _logarithm(context: Context, step: Step) -> bool:
    """a < b for positive a: log a < log b; the same for <= and =, for != if both are positive."""
    fact, normal = context.fact(step.get("fact")), context.normal
    sides = fact[1:3] if fact[0] == "!=" else fact[1:2]
    if fact[0] not in COMPARISONS or any(normal.sign(normal.of(side)) != 2 for side in sides):
        raise Rejected("the logarithm of what is not known to be positive")
    context.add((fact[0], ("log", fact[1]), ("log", fact[2])))
    return False


def _exponential(context: Context, step: Step) -> bool:
    fact = context.fact(step.get("fact"))
    if fact[0] not in COMPARISONS:
        raise Rejected("the exponential of no comparison")
    context.add((fact[0], ("exp", fact[1]), ("exp", fact[2])))
    return False


def _axiom(context: Context, step: Step) -> bool:
    rule = axioms.AXIOMS.get(str(step.get("name")))
    if rule is None:
        raise Rejected(f"there is no axiom {str(step.get('name'))[:60]!r}")
    terms = [read_term(term) for term in entries(step.get("terms"))]
    try:
        signature(rule).bind(context.normal, *terms)
    except TypeError:
        raise Rejected(f"{step['name']!r} is no axiom about {len(terms)} values") from None
    # Read as if they stood in the certificate: of no terms a rule may make no relation at all.
    context.add(*map(read_relation, rule(context.normal, *terms)))
    return False


def _enclose(context: Context, step: Step) -> bool:
    """Rational ends around an expression without symbols."""
    term, low, high = read_term(step.get("term")), step.get("low"), step.get("high")
    ends = [read_term(low), read_term(high)]
    before = flint.ctx.prec
    flint.ctx.prec = BITS
    try:
        found = balls.ball(term, {})
        inside = arb(rational(str(ends[0]))) <= found <= arb(rational(str(ends[1])))
    except balls.NoValue as error:
        raise Rejected(f"a constant has no ball: {error}") from error
    finally:
        flint.ctx.prec = before
    if not inside:
        raise Rejected("a constant is not between the ends given")
    context.add(("<=", ends[0], term), ("<=", term, ends[1]))
    return False


def _sum(context: Context, step: Step) -> bool:
    """A sum of terms that are at least zero wherever the index is, of which no more is known."""
    whole = body = read_term(step.get("term"))
    bound: list[tuple[str, str]] = []
    while not isinstance(body, str) and body[0] == "sum":
        bound.append((str(body[1]), str(body[2])))
        body = body[3]
    names = [index for _, index in bound]
    known = set().union(*[places(fact) for fact in context.facts])
    if not names or len(set(names)) < len(names) or known & set(names):
        raise Rejected("a sum over no index, or over one of which something is known")
    if any(name.startswith("#") for name in names):
        raise Rejected("a sum over an index of normal forms")
    strict = step.get("strict", False) is not False
    wrong: Relation = ("<=", _share(context, bound, body), "0") if strict else ("<", body, "0")
    anywhere = context.anywhere(bound)
    closes(anywhere.branch(wrong), step.get("proof"), "the sign of the terms of a sum")
    context.add(("<" if strict else "<=", "0", whole))
    return False


def _share(context: Context, bound: list[tuple[str, str]], body: Term) -> Term:
    """What a probability law weighs in the terms of a sum over its places."""
    ((size, index),) = bound if len(bound) == 1 else (("", ""),)
    weight: Term = body[1] if body[0] == "*" and len(body) > 2 else ""
    law = context.signs.laws.get(str(weight[1])) if len(weight) == 3 else None
    if law is None or law != size or weight != ("at", weight[1], index):
        raise Rejected("a sum is positive if a law weighs what is positive")
    return ("*", *body[2:])


RULES: dict[str, Callable[[Context, Step], bool]] = {
    "combine": _combine, "evident": _evident, "boxes": _boxes, "have": _have, "split": _split,
    "cases": _cases, "clear": _clear, "root": _root, "integer": _integer,
    "logarithm": _logarithm, "exponential": _exponential, "axiom": _axiom, "enclose": _enclose,
    "elementary": _elementary, "put": _put, "apart": _apart,
    "monotone": partial(calculus.monotone, closes=closes),
    "concave": partial(calculus.concave, closes=closes),
    "induction": partial(calculus.induction, closes=closes), "sum": _sum,
}  # fmt: skip
