"""Single edits of a statement's expression tree, cheapest first.

An edit changes one node of a comparison, of a probability level or of a hypothesis. Nothing here
knows what a symbol means beyond its field: swaps stay among parameters of one field and among
measured symbols of one signature.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import sympy
from sympy.core.symbol import Str

from boundcheck.claim import Claim, Expected, Form, Holds, UpToConstant, WithProbability
from boundcheck.diagnosis.domain import is_share
from boundcheck.diagnosis.record import Kind
from boundcheck.expressions.algebra import transpose
from boundcheck.expressions.nodes import Apply
from boundcheck.expressions.symbols import Known
from boundcheck.setting import INEQUALITIES
from boundcheck.worlds.fields import Integer, Real

COSTS: dict[str, float] = {
    "strict": 1.0, "sign": 2.0, "swap": 2.0, "power": 2.0, "inverse": 2.8, "number": 2.2,
    "symbol": 2.5, "dropped": 2.5, "max": 2.5, "hypothesis": 3.0, "direction": 3.5,
    "two constants": 3.2,
}  # fmt: skip
NUMBERS = tuple(map(sympy.Rational, ("2", "1/2", "4", "1/4", "8", "1/8")))
CONDITIONS = (sympy.Rel, sympy.logic.boolalg.BooleanFunction, sympy.logic.boolalg.BooleanAtom)
LARGEST = 2500  # edits of one statement that are offered


@dataclass(frozen=True)
class Edit:
    """A changed statement and what was changed, in words."""

    words: str
    kind: Kind
    cost: float
    statement: Form
    given: tuple[sympy.Basic, ...]


@dataclass(frozen=True)
class Change:
    """One node replaced by another."""

    words: str
    kind: Kind
    cost: float
    node: sympy.Basic


Local = Callable[[sympy.Basic], Iterator[Change]]


def edits(claim: Claim, expand: Callable[[sympy.Basic], sympy.Basic] | None = None) -> list[Edit]:
    """Edits of the statement and hypotheses of a claim, cheapest first, without repetition.

    Args: expand: replaces symbols of a relation by their definitions, so that edits reach inside.
    """
    form = claim.statement
    relation = expand(form.relation) if expand else form.relation
    local = _local(claim, relation)
    found: dict[tuple[sympy.Basic, ...], Edit] = {}

    def offer(change: Change, statement: Form, given: tuple[sympy.Basic, ...]) -> None:
        key = (statement.relation, level_of(statement) or sympy.S.Zero, *given)
        if key not in found or found[key].cost > change.cost:
            found[key] = Edit(change.words, change.kind, change.cost, statement, given)

    offered = itertools.chain(
        _unlike_sums(relation), changed_relation(relation, local), _everywhere(relation, local)
    )
    for change in itertools.islice(offered, LARGEST):
        statement = _with(form, relation=change.node)
        if statement is not None:
            offer(change, statement, claim.given)
    if isinstance(form, Holds) and claim.draw is not None:
        mean = Expected(relation)
        found[(sympy.Symbol("mean"), relation)] = Edit(
            "means of both sides", "symbol", COSTS["sign"], mean, claim.given
        )
    level = level_of(form)
    for change in () if level is None else changed_level(level, local):
        statement = _with(form, level=change.node)
        if statement is not None:
            offer(change, statement, claim.given)
    for place, condition in enumerate(claim.given):
        for change in _stronger(condition):
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


def _with(
    form: Form, relation: sympy.Basic | None = None, level: sympy.Basic | None = None
) -> Form | None:
    """The form around another relation or with another level; None where SymPy settles it."""
    try:
        if relation is not None:
            return form.with_relation(relation)
        if isinstance(form, UpToConstant):
            return UpToConstant(WithProbability(level, form.relation))
        return WithProbability(level, form.relation)
    except Exception:  # malformed: nothing is left of the statement
        return None


def changed_relation(relation: sympy.Basic, local: Local) -> Iterator[Change]:
    """Every single change of a comparison, of one member of a conjunction or of a conclusion.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> [change.node for change in changed_relation(x < y, lambda node: iter(()))]
    [x <= y, x > y]
    """
    if isinstance(relation, sympy.Implies):
        for change in _strict_premise(relation.args[0]):
            node = sympy.Implies(change.node, relation.args[1], evaluate=False)
            yield Change(change.words, change.kind, change.cost, node)
    if isinstance(relation, (sympy.And, sympy.Implies)):
        first = 1 if isinstance(relation, sympy.Implies) else 0
        for place in range(first, len(relation.args)):
            for change in changed_relation(relation.args[place], local):
                args = (*relation.args[:place], change.node, *relation.args[place + 1 :])
                node = relation.func(*args, evaluate=False)
                yield Change(change.words, change.kind, change.cost, node)
        return
    if not isinstance(relation, sympy.Rel):
        return
    yield from _changed_sign(relation)
    for place, side in enumerate(relation.args):
        whole = set() if isinstance(relation, (sympy.Eq, sympy.Ne)) else {
            change.node for change in _powers(side)
        }  # fmt: skip
        for change in changed(side, local):
            if change.node in whole and not _is_root(change.node):
                continue  # another power of a whole bound is no slip of the pen
            args = (change.node, relation.rhs) if place == 0 else (relation.lhs, change.node)
            node = relation.func(*args, evaluate=False)
            yield Change(change.words, change.kind, change.cost, node)


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


def _is_root(expr: sympy.Basic) -> bool:
    """Whether an expression is a square root, which print loses easily."""
    return isinstance(expr, sympy.Pow) and expr.exp == sympy.S.Half


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
        yield Change(words, "symbol", COSTS["direction"], node)


def changed(expr: sympy.Basic, local: Local) -> Iterator[Change]:
    """Every single change of an arithmetic expression, at any depth."""
    yield from local(expr)
    for place, part in enumerate(expr.args):
        if isinstance(part, (*CONDITIONS, Str)) or isinstance(expr, (sympy.Sum, sympy.Piecewise)):
            continue
        if isinstance(expr, Apply) and _is_size(part):
            continue  # of a matrix that fits beside others in one shape alone
        if isinstance(expr, sympy.Pow) and place == 1 and part.is_number:
            continue  # exponents that are numbers are changed with their power
        for change in changed(part, local):
            args = (*expr.args[:place], change.node, *expr.args[place + 1 :])
            try:
                node = expr.func(*args)
            except Exception:  # an argument that this function does not take
                continue
            yield Change(change.words, change.kind, change.cost, node)


def _is_size(expr: sympy.Basic) -> bool:
    return isinstance(expr, Known) and isinstance(expr.meaning.domain, Integer)


def changed_level(level: sympy.Expr, local: Local) -> Iterator[Change]:
    """Changes of a probability level 1 - failure, made on the failure."""
    failure = 1 - level
    for change in changed(failure, local):
        yield Change(change.words, change.kind, change.cost, 1 - change.node)
    for exponential in failure.atoms(sympy.exp):
        for share in map(sympy.Rational, ("1/2", "1/4", "1/8")):
            for front in (2, 4):
                slower = failure.subs(exponential, sympy.exp(exponential.args[0] * share)) * front
                words = f"{front} exp({share} ...) for exp(...) in the probability"
                yield Change(words, "constant", COSTS["two constants"], 1 - slower)


def _local(claim: Claim, relation: sympy.Basic) -> Local:
    """Changes of one node: swaps, powers, signs, factors, numbers."""
    own = sorted(claim.statement.free_symbols() | relation.free_symbols, key=str)
    kinds = {symbol: kind_of(claim, symbol) for symbol in [*own, *claim.parameters, *claim.measure]}
    factors = [
        symbol for symbol in kinds
        if symbol.is_commutative and (symbol in own or symbol in claim.parameters)
        and symbol.name not in claim.random_names
    ]  # fmt: skip

    def local(node: sympy.Basic) -> Iterator[Change]:
        if isinstance(node, sympy.Symbol):
            yield from _swaps(node, kinds)
        if isinstance(node, sympy.Number):
            yield from _numbers(node)
            return
        yield from _powers(node)
        yield from _multiplied(node, factors)
        if isinstance(node, sympy.Mul):
            yield from _fewer_factors(node)
        if isinstance(node, sympy.Add):
            yield from _signs(node)

    return local


def kind_of(claim: Claim, symbol: sympy.Symbol) -> tuple[object, ...]:
    """What makes two symbols exchangeable: role, field, randomness, whether numbers or matrices."""
    if symbol in claim.measure:
        return ("measured", symbol.is_commutative, symbol.name in claim.random_names)
    field = claim.parameters.get(symbol)
    if field is None and claim.worlds is not None:
        field = claim.worlds.fields.get(symbol.name)
    if isinstance(field, Integer):
        return ("whole",)
    if isinstance(field, Real):
        return ("real", is_share(claim, symbol))
    return ("other", type(field).__name__)


def _swaps(node: sympy.Symbol, kinds: dict[sympy.Symbol, tuple[object, ...]]) -> Iterator[Change]:
    for other, kind in kinds.items():
        if other != node and kind == kinds.get(node):
            yield Change(f"{other} for {node}", "symbol", COSTS["swap"], other)


def _powers(node: sympy.Basic) -> Iterator[Change]:
    base, exponent = node.as_base_exp() if node.is_commutative else node.args[:2] or (node, None)
    if not node.is_commutative:
        yield from _transposed(node)
        if isinstance(node, sympy.Symbol):
            yield Change(f"the inverse of {node}", "symbol", COSTS["power"], node**-1)
        elif isinstance(node, sympy.Pow) and node.exp == -1:
            yield Change(f"no inverse of {node.base}", "symbol", COSTS["power"], node.base)
        return
    if not exponent.is_number or node.is_number:
        return
    for power in dict.fromkeys((exponent * 2, exponent / 2, -exponent, sympy.S.One)):
        if power != exponent:
            words = f"{base**power} for {node}"
            # What grows where it fell is likelier another statement than a lost sign.
            cost = COSTS["inverse" if power == -exponent else "power"]
            yield Change(words, "symbol", cost, base**power)


def _transposed(node: sympy.Basic) -> Iterator[Change]:
    """A matrix for its transpose and back."""
    if isinstance(node, Known) and node.rank == 2:
        yield Change(f"the transpose of {node}", "symbol", COSTS["power"], node.T)
    if isinstance(node, Apply) and node.primitive is transpose:
        (inner,) = node.operands
        yield Change(f"no transpose of {inner}", "symbol", COSTS["power"], inner)


def _multiplied(node: sympy.Basic, factors: Iterable[sympy.Symbol]) -> Iterator[Change]:
    shown = _text(node)
    for number in NUMBERS:
        words = f"{number}*({shown}) for {shown}"
        yield Change(words, "constant", COSTS["number"] + abs(sympy.log(number, 2)) / 10 - 0.1,
                     number * node)  # fmt: skip
    yield Change(f"the other sign of {shown}", "symbol", COSTS["sign"], -node)
    for symbol in factors:
        if symbol == node:  # a square and nothing at all are other edits
            continue
        yield Change(f"a factor {symbol} at {shown}", "factor", COSTS["symbol"], symbol * node)
        yield Change(f"a divisor {symbol} at {shown}", "factor", COSTS["symbol"], node / symbol)


@lru_cache(maxsize=4096)
def _text(node: sympy.Basic) -> str:
    """The text of a node, printed once for all its changes."""
    return str(node)


def _fewer_factors(node: sympy.Mul) -> Iterator[Change]:
    for place, factor in enumerate(node.args):
        rest = sympy.Mul(*node.args[:place], *node.args[place + 1 :])
        yield Change(f"no factor {factor} in {node}", "symbol", COSTS["dropped"], rest)


def _signs(node: sympy.Add) -> Iterator[Change]:
    for place, term in enumerate(node.args):
        others = (*node.args[:place], *node.args[place + 1 :])
        words = f"the other sign of {term}"
        yield Change(words, "symbol", COSTS["sign"], sympy.Add(*others, -term))
        yield Change(f"no term {term}", "symbol", COSTS["dropped"], sympy.Add(*others))


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
            try:
                replaced = _replaced(relation, node, change.node)
            except Exception:  # an argument that some function does not take
                continue
            words = f"{change.words} throughout"
            yield Change(words, change.kind, change.cost + 0.2, replaced)


def _replaced(relation: sympy.Basic, old: sympy.Basic, new: sympy.Basic) -> sympy.Basic:
    """`xreplace` that leaves relations unevaluated."""
    if isinstance(relation, (sympy.Rel, sympy.And, sympy.Or, sympy.Implies)):
        args = [_replaced(arg, old, new) for arg in relation.args]
        return relation.func(*args, evaluate=False)
    return relation.xreplace({old: new})


def _unlike_sums(relation: sympy.Basic) -> Iterator[Change]:
    """The largest term for a sum of terms, and a sum for a maximum."""
    for node in sorted(relation.atoms(sympy.Add, sympy.Max), key=str):
        other = sympy.Max if isinstance(node, sympy.Add) else sympy.Add
        if node.is_commutative and node.free_symbols:
            try:
                replaced = relation.xreplace({node: other(*node.args)})
            except Exception:
                continue
            words = f"{other.__name__.lower()} for {type(node).__name__.lower()} in {node}"
            yield Change(words, "symbol", COSTS["max"], replaced)


def _numbers(node: sympy.Number) -> Iterator[Change]:
    if node.is_infinite or node == 0:
        return
    others = [-node]
    if node.is_Integer:
        others += [2 * node, node + 1, node - 1]
    for other in dict.fromkeys(others):
        kind: Kind = "symbol" if other == -node else "constant"
        cost = COSTS["sign"] if other == -node else COSTS["number"]
        yield Change(f"{other} for {node}", kind, cost, other)


def _both_sided(condition: sympy.Basic) -> sympy.Basic:
    """A bound from above on a symbol of either sign as one on its modulus."""
    if not isinstance(condition, INEQUALITIES):
        return condition
    low = condition.lts
    if not isinstance(low, sympy.Symbol) or low.is_nonnegative or not low.is_commutative:
        return condition
    args = (sympy.Abs(arg) if arg == low else arg for arg in condition.args)
    return condition.func(*args, evaluate=False)


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
