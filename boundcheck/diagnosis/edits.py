"""Single edits of a statement's expression tree, cheapest first.

An edit changes one node of a comparison, of a probability level or of a hypothesis. Nothing here
knows what a symbol means beyond its field: swaps stay among parameters of one field and among
measured symbols of one signature.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import sympy
from sympy.core.symbol import Str

from boundcheck.claim import Claim, Expected, Form, Holds, UpToConstant, WithProbability
from boundcheck.diagnosis.change import AS_GOOD, COSTS, Action, Change, Local
from boundcheck.diagnosis.changes import in_distance, is_signed, local_changes
from boundcheck.diagnosis.contact import lost_slopes
from boundcheck.diagnosis.domain import sizes
from boundcheck.diagnosis.kin import replaced_in
from boundcheck.diagnosis.letters import lost_sizes_beside
from boundcheck.diagnosis.lost import (
    lost_by_symmetry,
    lost_exponents,
    lost_logarithms,
    lost_number,
    lost_roots,
    lost_sizes,
    off_levels,
    other_exponents,
    regrouped,
    roots_apart,
    squared_apart,
)
from boundcheck.diagnosis.pricing import priced
from boundcheck.diagnosis.record import Kind
from boundcheck.expressions.algebra import entry
from boundcheck.expressions.nodes import Apply
from boundcheck.expressions.symbols import Known
from boundcheck.setting import INEQUALITIES, sides
from boundcheck.worlds.fields import Integer, Real

CONDITIONS = (sympy.Rel, sympy.logic.boolalg.BooleanFunction, sympy.logic.boolalg.BooleanAtom)
OF_HYPOTHESES = 0.3  # what a slip in a hypothesis costs more than one in the statement
OF_LEVELS = 0.4  # the same of one in a level that is a number of its own
LARGEST = 2500  # edits of one statement that are offered
MOSTLY_ROOTS = 0.3  # what a lost square of a whole bound costs more than a lost root


@dataclass(frozen=True)
class Edit:
    """A changed statement and what was changed, in words; `action` names slips of the pen."""

    words: str
    kind: Kind
    cost: float
    statement: Form
    given: tuple[sympy.Basic, ...]
    action: Action = ""


def edits(claim: Claim, expand: Callable[[sympy.Basic], sympy.Basic] | None = None) -> list[Edit]:
    """Edits of the statement and hypotheses of a claim, cheapest first, without repetition.

    Args: expand: replaces symbols of a relation by their definitions, so that edits reach inside.
    """
    form, hypotheses = claim.statement, tuple(claim.given)
    relation = expand(form.relation) if expand else form.relation
    local = local_changes(claim, relation)
    found: dict[tuple[sympy.Basic, ...], Edit] = {}

    def offer(change: Change, statement: Form, given: tuple[sympy.Basic, ...]) -> None:
        key = (statement.relation, level_of(statement) or sympy.S.Zero, *given)
        if key not in found or found[key].cost > change.cost:
            found[key] = Edit(
                change.words, change.kind, change.cost, statement, given, change.action
            )

    offered = itertools.chain(
        _unlike_sums(relation), lost_by_symmetry(claim, relation),
        lost_logarithms(claim, relation), lost_sizes(claim, relation),
        lost_sizes_beside(relation, sizes(claim)), lost_slopes(claim, relation),
        lost_exponents(claim, relation), other_exponents(relation), roots_apart(relation),
        off_levels(claim, changed_relation(relation, local)), _everywhere(relation, local),
    )  # fmt: skip
    for change in itertools.islice(offered, LARGEST):
        statement = with_relation(form, change.node)
        if statement is not None:
            offer(change, statement, hypotheses)
    if isinstance(form, Holds) and claim.draw is not None:
        mean = Expected(relation)
        found[(sympy.Symbol("mean"), relation)] = Edit(
            "means of both sides", "symbol", COSTS["sign"], mean, hypotheses
        )
    level = level_of(form)
    for change in () if level is None else changed_level(level, local):
        if change.kind == "factor" and not change.node.free_symbols <= form.free_symbols():
            continue  # a chance is shared among what the statement names
        statement = _with_level(form, change.node)
        if statement is not None:
            offer(change, statement, hypotheses)
    for place, condition in enumerate(claim.given):
        for change in (*_stronger(condition), *_of_sizes(claim, condition, local)):
            given = (*claim.given[:place], change.node, *claim.given[place + 1 :])
            offer(change, form, given)
    both_sided = tuple(_both_sided(condition) for condition in claim.given)
    if sum(one != two for one, two in zip(both_sided, claim.given, strict=True)) > 1:
        listed = ", ".join(str(new) for new, old in zip(both_sided, claim.given, strict=True)
                           if new != old)  # fmt: skip
        offer(Change(f"the hypotheses {listed}", "symbol", COSTS["hypothesis"], relation),
              form, both_sided)  # fmt: skip
    return sorted(found.values(), key=lambda edit: (edit.cost, edit.words))


def level_of(form: Form) -> sympy.Expr | None:
    """The level of a probability statement, also inside one up to a constant."""
    inner = form.inner if isinstance(form, UpToConstant) else form
    return inner.level if isinstance(inner, WithProbability) else None


def with_relation(form: Form, relation: sympy.Basic) -> Form | None:
    """The form around another relation; None where SymPy settles it."""
    try:
        return form.with_relation(relation)
    except Exception:  # malformed: nothing is left of the statement
        return None


def _with_level(form: Form, level: sympy.Basic) -> Form | None:
    """The form with another level; None where SymPy settles it."""
    try:
        changed = WithProbability(level, form.relation)
        return UpToConstant(changed) if isinstance(form, UpToConstant) else changed
    except Exception:  # malformed: nothing is left of the statement
        return None


def changed_relation(relation: sympy.Basic, local: Local) -> Iterator[Change]:
    """Every single change of a comparison, of one member of a conjunction or of a conclusion.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> [change.node for change in changed_relation(x < y, lambda node: iter(()))][:3]
    [x <= y, x > y, x < y + 1]
    """
    if isinstance(relation, sympy.Implies):
        for change in _strict_premise(relation.args[0]):
            node = sympy.Implies(change.node, relation.args[1], evaluate=False)
            yield replace(change, node=node)
    if isinstance(relation, (sympy.And, sympy.Implies)):
        first = 1 if isinstance(relation, sympy.Implies) else 0
        for place in range(first, len(relation.args)):
            for change in changed_relation(relation.args[place], local):
                args = (*relation.args[:place], change.node, *relation.args[place + 1 :])
                node = relation.func(*args, evaluate=False)
                yield replace(change, node=node)
        return
    if not isinstance(relation, sympy.Rel):
        return
    yield from _changed_sign(relation)
    for place, side in enumerate(relation.args):
        equation = isinstance(relation, (sympy.Eq, sympy.Ne))
        whole = set() if equation else {side**2}
        if not equation and not isinstance(side, sympy.Symbol):
            whole.add(side**-1)
        for change in (*changed(side, local), *lost_number(relation, side)):
            if change.node in whole and change.action in ("power", "inverse"):
                bounds = not equation and side == sides(relation)[1]
                if change.action == "inverse" or not bounds:
                    continue  # of the powers of a whole bound print mostly loses the root alone
                change = replace(change, cost=change.cost + MOSTLY_ROOTS, action="attained")
            args = (change.node, relation.rhs) if place == 0 else (relation.lhs, change.node)
            node = relation.func(*args, evaluate=False)
            yield replace(change, node=node)


def _strict_premise(premise: sympy.Basic) -> Iterator[Change]:
    """The premise with one weak comparison made strict."""
    members = premise.args if isinstance(premise, sympy.And) else (premise,)
    for place, member in enumerate(members):
        strict = {sympy.Le: sympy.Lt, sympy.Ge: sympy.Gt}.get(type(member))
        if strict is not None:
            node = strict(*member.args, evaluate=False)
            words = f"{strict.rel_op} for {member.rel_op} in the premise"
            args = (*members[:place], node, *members[place + 1 :])
            whole = sympy.And(*args, evaluate=False) if len(args) > 1 else node
            yield Change(words, "tie", COSTS["strict"], whole)


def _changed_sign(relation: sympy.Rel) -> Iterator[Change]:
    weak = {sympy.Lt: sympy.Le, sympy.Gt: sympy.Ge}.get(type(relation))
    turned = {
        sympy.Le: sympy.Ge, sympy.Lt: sympy.Gt, sympy.Ge: sympy.Le, sympy.Gt: sympy.Lt,
    }.get(type(relation))  # fmt: skip
    if weak is not None:
        node = weak(*relation.args, evaluate=False)
        yield Change(f"{weak.rel_op} for {relation.rel_op}", "tie", COSTS["strict"], node)
    if turned is not None:
        node = turned(*relation.args, evaluate=False)
        words = f"{turned.rel_op} for {relation.rel_op}"
        yield Change(words, "symbol", COSTS["direction"], node, "direction")


def changed(expr: sympy.Basic, local: Local) -> Iterator[Change]:
    """Every single change of an arithmetic expression, at any depth."""
    yield from local(expr)
    yield from itertools.chain(lost_roots(expr), regrouped(expr), squared_apart(expr))
    for place, part in enumerate(expr.args):
        if isinstance(part, (*CONDITIONS, Str)) or isinstance(expr, (sympy.Sum, sympy.Piecewise)):
            continue
        if _is_settled(expr, part):
            continue
        if isinstance(expr, sympy.Pow) and place == 1 and part.is_number:
            continue  # exponents that are numbers are changed with their power
        if isinstance(expr, sympy.Mul) and part == -1:
            continue  # a sign, which is changed with its term
        for change in in_distance(expr, part, changed(part, local)):
            if change.node == 0 and isinstance(expr, sympy.Mul):
                continue  # a term that is left out
            if isinstance(expr, sympy.Pow) and place == 0 and change.action and (
                change.node.as_base_exp()[0] == part.as_base_exp()[0]
            ):
                continue  # a change of the power
            args = (*expr.args[:place], change.node, *expr.args[place + 1 :])
            try:
                node = expr.func(*args)
            except Exception:  # an argument that this function does not take
                continue
            if isinstance(expr, sympy.Add) and change.node - part in (1, -1):
                change = replace(change, words=f"{node} for {expr}")  # not "n + 1 for n" in n - 1
            if isinstance(expr, sympy.log) and change.action == "power":
                node = _multiple_of(expr, change.node) or node  # log(m^2) is 2 log(m)
                change = replace(change, kind="constant", words=f"{node} for {expr}",
                                 cost=max(change.cost, COSTS["number"] + AS_GOOD))
            dearer = priced(expr, part, place, change)
            yield replace(change, node=node, cost=change.cost + dearer)


def _multiple_of(logarithm: sympy.log, other: sympy.Expr) -> sympy.Expr | None:
    """That of another power of what a logarithm is of, as a number times it; None of no power."""
    (base, power), (its, changed_to) = logarithm.args[0].as_base_exp(), other.as_base_exp()
    return changed_to / power * logarithm if base == its else None


def _is_settled(expr: sympy.Basic, part: sympy.Basic) -> bool:
    """Whether a part is an index, the place of an entry, or a size that fits beside others."""
    is_index = isinstance(part, Known) and part.meaning.size is not None
    place = isinstance(expr, Apply) and expr.primitive is entry and part in expr.operands[1:]
    return is_index or place or (isinstance(expr, Apply) and _is_size(part))


def _is_size(expr: sympy.Basic) -> bool:
    return isinstance(expr, Known) and isinstance(expr.meaning.domain, Integer)


def changed_level(level: sympy.Expr, local: Local) -> Iterator[Change]:
    """Changes of a probability level 1 - failure, made on the failure."""
    failure = 1 - level
    dearer = OF_LEVELS if failure.is_Symbol else 0.0
    for change in changed(failure, local):
        yield replace(change, cost=change.cost + dearer, node=1 - change.node)
    for exponential in failure.atoms(sympy.exp):
        for share in map(sympy.Rational, ("1/2", "1/4", "1/8")):
            for front in (2, 4):
                slower = failure.subs(exponential, sympy.exp(exponential.args[0] * share)) * front
                words = f"{front} exp({share} ...) for exp(...) in the probability"
                yield Change(words, "constant", COSTS["two constants"], 1 - slower)


def _everywhere(relation: sympy.Basic, local: Local) -> Iterator[Change]:
    """One change of a part that occurs several times, made at all of them."""
    counts: dict[sympy.Basic, int] = {}
    for node in sympy.preorder_traversal(relation):
        if isinstance(node, sympy.Expr) and not isinstance(node, sympy.Number):
            counts[node] = counts.get(node, 0) + 1
    sizes = {size for node in counts if isinstance(node, Apply) for size in node.operands
             if _is_size(size)}  # fmt: skip
    several = [node for node, times in counts.items() if times > 1 and node not in sizes]
    for node in sorted(several, key=str):
        for change in local(node):
            if node.is_Symbol and (change.action == "sign" or change.node in counts):
                continue  # the print at -x, or at x = y
            if node.is_Symbol and change.action == "power" and _of_either_sign(node):
                continue  # the print at x^2, for no negative x
            try:
                replaced = replaced_in(relation, {node: change.node})
            except Exception:  # an argument that some function does not take
                continue
            words = f"{change.words} throughout"
            yield replace(change, words=words, cost=change.cost + 0.2, node=replaced)


def _of_either_sign(symbol: sympy.Basic) -> bool:
    """Whether a symbol is a real number without a least one."""
    field = symbol.meaning.domain if isinstance(symbol, Known) else None
    return isinstance(field, Real) and field.low is None


UNLIKE = {
    sympy.Add: ((sympy.Max, "max"), (sympy.Mul, "product")),
    sympy.Max: ((sympy.Add, "sum"), (sympy.Min, "max")),
    sympy.Min: ((sympy.Max, "max"),),
    sympy.Mul: ((sympy.Add, "two constants"),),
}  # what stands for what, and what it costs
NAMES = {sympy.Add: "sum", sympy.Mul: "product", sympy.Max: "maximum", sympy.Min: "minimum"}


def _unlike_sums(relation: sympy.Basic) -> Iterator[Change]:
    """The largest term or the product for a sum of terms, a sum or the least for the largest."""
    for node in sorted(relation.atoms(*UNLIKE), key=str):
        terms = node.args
        alike = not any(t.is_number or t.could_extract_minus_sign() or is_signed(t) for t in terms)
        for other, cost in UNLIKE[type(node)] if node.is_commutative and node.free_symbols else ():
            if not alike and (other is sympy.Mul or type(node) in (sympy.Add, sympy.Mul)):
                continue  # of a difference no term is the largest
            if type(node) is sympy.Mul and not all(term.is_Symbol for term in terms):
                continue
            try:
                replaced = relation.xreplace({node: other(*terms)})
            except Exception:
                continue
            words = f"{NAMES[other]} for {NAMES[type(node)]} in {node}"
            of_factors: Action = "attained" if type(node) is sympy.Mul else ""
            yield Change(words, "symbol", COSTS[cost], replaced, of_factors)


def _both_sided(condition: sympy.Basic) -> sympy.Basic:
    """A bound from above on a symbol of either sign as one on its modulus."""
    if not isinstance(condition, INEQUALITIES):
        return condition
    low = condition.lts
    if not isinstance(low, sympy.Symbol) or low.is_nonnegative or not low.is_commutative:
        return condition
    args = (sympy.Abs(arg) if arg == low else arg for arg in condition.args)
    return condition.func(*args, evaluate=False)


def _of_sizes(claim: Claim, condition: sympy.Basic, local: Local) -> Iterator[Change]:
    """A hypothesis about parameters alone, such as a sample size, whose bound lost a symbol."""
    if not isinstance(condition, INEQUALITIES) or not condition.free_symbols <= set(
        claim.parameters
    ):
        return
    low, high = condition.lts, condition.gts
    bound, other = (low, high) if isinstance(high, sympy.Symbol) else (high, low)
    if bound.is_number or bound.is_Symbol or not other.is_Symbol:
        return
    for change in changed(bound, local):
        slip = change.kind == "factor" or change.action in ("power", "sign", "inverse", "swap")
        if not slip or change.kind == "constant" or other in change.node.free_symbols:
            continue
        sides = (change.node, high) if bound is low else (low, change.node)
        node = condition.func(*(sides if condition.lts == condition.args[0] else sides[::-1]),
                              evaluate=False)  # fmt: skip
        cost = change.cost + OF_HYPOTHESES
        yield replace(change, words=f"the hypothesis {node}", cost=cost, node=node)


def _stronger(condition: sympy.Basic) -> Iterator[Change]:
    """A hypothesis that asks for more: strict, or with a larger constant or logarithm."""
    if not isinstance(condition, INEQUALITIES):
        return
    low, high = condition.lts, condition.gts
    if isinstance(condition, (sympy.Le, sympy.Ge)):
        yield Change(f"the strict hypothesis {low} < {high}", "tie", COSTS["hypothesis"],
                     sympy.Lt(low, high, evaluate=False))  # fmt: skip
    modulus = _both_sided(condition)
    if modulus != condition:
        yield Change(f"the hypothesis {modulus}", "symbol", COSTS["hypothesis"], modulus)
    bound = low if isinstance(high, sympy.Symbol) else high
    if bound.is_number:
        return
    for factor in (2, 4):
        lower, upper = (factor * low, high) if bound is low else (low, high / factor)
        words = f"the hypothesis {lower} <= {upper}"
        yield Change(words, "constant", COSTS["two constants"],
                     sympy.Le(lower, upper, evaluate=False))  # fmt: skip
    for logarithm in sorted(bound.atoms(sympy.log), key=str):
        larger = bound.subs(logarithm, sympy.log(2 * logarithm.args[0]))
        sides = (larger, high) if bound is low else (low, larger)
        words = f"the hypothesis {sides[0]} <= {sides[1]}"
        yield Change(words, "constant", COSTS["two constants"],
                     sympy.Le(*sides, evaluate=False))  # fmt: skip
