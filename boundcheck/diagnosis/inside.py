"""Slips inside what a statement measures: under a trace, a norm, a sum over atoms.

Tables of floats do not follow there, so every change is put to failing worlds at once.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy

from boundcheck.claim import Claim
from boundcheck.diagnosis.change import COSTS, Change
from boundcheck.diagnosis.changes import powers, signs
from boundcheck.diagnosis.edits import changed
from boundcheck.diagnosis.idle import LEFT_OVER, idles
from boundcheck.diagnosis.kin import BINDERS, kindred
from boundcheck.diagnosis.pointless import SAME_THING, is_of_all, levels_sides, makes_equal
from boundcheck.diagnosis.screen import Candidate
from boundcheck.diagnosis.tails import beside_roots, wider_roots
from boundcheck.expressions.algebra import entry
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.nodes import Apply, Greatest, Indicator, Total
from boundcheck.expressions.symbols import Known
from boundcheck.setting import INEQUALITIES, guarded
from boundcheck.worlds.composed import promised_field
from boundcheck.worlds.fields import Field, Matrix, Vector

if TYPE_CHECKING:
    from boundcheck.diagnosis.case import Case

FARTHER = 0.5  # than the same slip outside
OF_ENTRIES = 0.3  # what another matrix costs more of which one entry is compared
AS_FAR = 0.01  # nearer than the square of a whole sum
OTHER = {sympy.Lt: sympy.Le, sympy.Le: sympy.Lt, sympy.Gt: sympy.Ge, sympy.Ge: sympy.Gt}
EVENT = " in the event "
MOST = 120  # changes that are put to worlds


def inside(case: Case) -> Iterator[Candidate]:
    """Claims with one slip inside a measured value, which no known failing world refutes.

    Of an inequality the side on the right alone changes, which bounds the left one, and from where
    on an event is counted.
    """
    claim = case.claim
    bodies = {symbol: quantity.shown for symbol, quantity in claim.measure.items()
              if isinstance(quantity, Definition) and str(quantity.shown) == symbol.name}
    relation = claim.statement.relation
    moduli = {size.args[0] for body in bodies.values() for size in body.atoms(sympy.Abs)}
    free = sorted((symbol for symbol in bodies if _may_change(case, symbol)),
                  key=lambda symbol: symbol in _on_the_left(case))  # those of the bound first
    offered = (item for symbol in free for body in (bodies[symbol],)
               for item in (*_conditions(relation, symbol, body), *_moduli(relation, symbol, body),
                            *_changed(relation, symbol, body, moduli)))  # fmt: skip
    events = (item for symbol, body in bodies.items() if symbol in _on_the_left(case)
              for item in (*_ties(relation, symbol, body), *_thresholds(claim, symbol, body)))
    without_value = bodies.items() if case.verdict.outcome == "malformed" else ()
    begun = [item for symbol, body in without_value for item in _begun(relation, symbol, body)]
    if isinstance(relation, sympy.Eq):
        begun += [item for symbol, body in bodies.items() for item in _next(relation, symbol, body)]
    for change in itertools.islice(itertools.chain(begun, events, offered), MOST):
        statement = claim.statement.with_relation(change.node)
        try:
            candidate = replace(claim, statement=statement)
        except Exception:  # no statement is left, or shapes that do not fit
            continue
        plain = isinstance(statement.relation, INEQUALITIES)
        if plain and is_of_all(candidate, statement.relation):
            continue
        if not case.killed(candidate) and not levels_sides(case, candidate):
            cost = change.cost + SAME_THING * makes_equal(case, candidate)
            cost += LEFT_OVER * idles(case, candidate)
            yield Candidate(change.words, change.kind, cost, candidate)


def _on_the_left(case: Case) -> set[sympy.Symbol]:
    """The symbols on the left of inequalities."""
    return set().union(*(part.lhs.free_symbols for part in _inequalities(case)))


def _may_change(case: Case, symbol: sympy.Symbol) -> bool:
    """Whether a measured value stands in an equation, or on the right of inequalities."""
    return all(symbol in part.rhs.free_symbols or symbol not in part.lhs.free_symbols
               for part in _inequalities(case))  # fmt: skip


def _inequalities(case: Case) -> list[sympy.Rel]:
    return [part for _, part in guarded(case.claim.statement.relation)
            if not isinstance(part, (sympy.Eq, sympy.Ne))]  # fmt: skip


def _changed(
    relation: sympy.Basic, symbol: sympy.Symbol, body: sympy.Expr,
    moduli: Collection[sympy.Expr] = (),
) -> Iterator[Change]:
    """Changes of a measured value. Args: moduli: what the statement has within a modulus."""
    for change in changed(body, lambda node: _slips(node, body, moduli)):
        if change.node.func is body.func:  # what is outside changes elsewhere
            whole = _with(relation, symbol, change.node)
            farther = -AS_FAR if _is_lost_square(body, change) else FARTHER
            words = f"{change.words} in {symbol}"
            yield replace(change, words=words, cost=change.cost + farther, node=whole)


def _moduli(relation: sympy.Basic, symbol: sympy.Symbol, body: sympy.Expr) -> Iterator[Change]:
    """What is summed, or the largest of which is taken, with the modulus that it has lost."""
    for node in sorted(body.atoms(Total, Greatest), key=str):
        term, *indices = node.args
        size = sympy.Abs(term)
        if not node.is_commutative or term.atoms(Total, Greatest, sympy.log):
            continue  # nobody drops the modulus of a divergence
        if size != term:
            other = body.xreplace({node: node.func(size, *indices)})
            yield Change(f"{size} for {term} in {symbol}", "symbol",
                         COSTS["sign"] + FARTHER, _with(relation, symbol, other))  # fmt: skip


def _begun(relation: sympy.Basic, symbol: sympy.Symbol, body: sympy.Expr) -> Iterator[Change]:
    """Divisors and logarithms of an index, which begins at zero, as those of the next number."""
    for node in sorted(body.atoms(Known), key=str):
        if node.meaning.size is None:
            continue
        parts = [part for part in body.atoms(sympy.Pow, sympy.log) if part.args[0] == node
                 and (isinstance(part, sympy.log) or part.exp.is_negative)]  # fmt: skip
        if parts:
            later = body.xreplace({part: part.xreplace({node: node + 1}) for part in parts})
            yield Change(f"{node + 1} for {node} in {symbol}", "symbol", COSTS["power"],
                         _with(relation, symbol, later))  # fmt: skip


def _next(relation: sympy.Basic, symbol: sympy.Symbol, body: sympy.Expr) -> Iterator[Change]:
    """What is summed over an index, which begins at zero, of the next number: sum_i (i + 1)."""
    for node in sorted(body.atoms(Total), key=str):
        term, *indices = node.args
        if len(indices) == 1 and _is_formula_of(term, indices[0]):
            later = node.func(term.xreplace({indices[0]: indices[0] + 1}), *indices)
            whole = _with(relation, symbol, body.xreplace({node: later}))
            words = f"{indices[0] + 1} for {indices[0]} in {symbol}"
            yield Change(words, "symbol", COSTS["power"], whole)


def _is_formula_of(term: sympy.Expr, index: sympy.Symbol) -> bool:
    """Whether a summand is made of its index, and of nothing that it tells a place in."""
    return index in term.free_symbols and not any(
        index in part.free_symbols for part in term.atoms(Apply))


def _events(body: sympy.Expr) -> Iterator[tuple[sympy.Rel, sympy.Rel, sympy.Expr]]:
    """(comparison, the same weak for strict or strict for weak, the body with it)."""
    for counted in sorted(body.atoms(Indicator), key=str):
        condition = counted.condition
        kind = OTHER.get(type(condition))
        if kind is not None:
            other = kind(*condition.args)
            yield condition, other, body.xreplace({counted: Indicator(other)})


def _conditions(relation: sympy.Basic, symbol: sympy.Symbol, body: sympy.Expr) -> Iterator[Change]:
    """Comparisons that are counted or summed over, weak for strict and strict for weak."""
    for condition, other, whole in _events(body):
        yield Change(f"{other} for {condition} in {symbol}", "symbol", COSTS["strict"] + FARTHER,
                     _with(relation, symbol, whole))  # fmt: skip


def _ties(relation: sympy.Basic, symbol: sympy.Symbol, body: sympy.Expr) -> Iterator[Change]:
    """The events of a chance that is bounded, with equal sides for without and without for with."""
    for condition, other, whole in _events(body):
        words = f"{other.rel_op} for {condition.rel_op}{EVENT}{condition}"
        yield Change(words, "tie", COSTS["strict"], _with(relation, symbol, whole))


def _thresholds(claim: Claim, symbol: sympy.Symbol, body: sympy.Expr) -> Iterator[Change]:
    """What a deviation is measured in with a lost term beside a root, a number under it, a lost
    root or a lost square: P(|X| >= t sqrt(V)) for P(|X| >= t V)."""
    relation, own = claim.statement.relation, set(claim.parameters)
    for root, term in beside_roots(body, relation):
        yield Change(f"a term {term} beside {root}", "symbol", COSTS["symbol"],
                     _with(relation, symbol, body.xreplace({root: root + term})))  # fmt: skip
    for root, wider in wider_roots(body, relation):
        yield Change(f"{wider} for {root}", "constant", COSTS["number"],
                     _with(relation, symbol, body.xreplace({root: wider})))  # fmt: skip
    conditions = [counted.condition for counted in body.atoms(Indicator)]
    if len(conditions) != 1 or not isinstance(conditions[0], INEQUALITIES):
        return
    (condition,) = conditions
    for place, side in enumerate(condition.args):
        if not side.free_symbols & own or condition.args[1 - place].free_symbols & own:
            continue
        for factor in sympy.Mul.make_args(side):
            if factor.is_Symbol or not factor.free_symbols or factor.free_symbols <= own:
                continue
            for power in (sympy.S.Half, 2):
                args = [*condition.args]
                args[place] = side / factor * factor**power
                other = body.xreplace({condition: condition.func(*args, evaluate=False)})
                words = f"{factor**power} for {factor} in {condition}"
                yield Change(words, "symbol", COSTS["power"] + FARTHER,
                             _with(relation, symbol, other))  # fmt: skip


def _is_lost_square(body: sympy.Expr, change: Change) -> bool:
    """Whether a sum becomes one of squares, which says more than the square of a sum."""
    return isinstance(body, Total) and isinstance(change.node, Total) and (
        change.action == "power" and change.node.body == body.body**2)


def _with(relation: sympy.Basic, symbol: sympy.Symbol, node: sympy.Expr) -> sympy.Basic:
    """A relation with something else for a symbol, of both sides of an inequality on the right."""
    if isinstance(relation, INEQUALITIES) and symbol in relation.rhs.free_symbols:
        bound = relation.rhs.xreplace({symbol: node})
        return relation.func(relation.lhs, bound, evaluate=False)
    if isinstance(relation, (sympy.Rel, sympy.And, sympy.Implies)):
        args = (_with(arg, symbol, node) for arg in relation.args)
        return relation.func(*args, evaluate=False)
    return relation.xreplace({symbol: node})


def _slips(
    node: sympy.Basic, body: sympy.Expr, moduli: Collection[sympy.Expr]
) -> Iterator[Change]:
    """Lost inverses, transposes, signs and moduli, factors in the wrong order, the largest of
    several for their sum."""
    if isinstance(node, BINDERS) and node != body:  # the whole body changes elsewhere
        for other in kindred(node):
            yield Change(f"{other} for {node}", "symbol", COSTS["kin"] - FARTHER, other)
    if node in moduli:
        size = sympy.Abs(node)
        yield Change(f"{size} for {node}", "symbol", COSTS["sign"] - FARTHER, size)
    is_index = isinstance(node, Known) and node.meaning.size is not None
    if isinstance(node, sympy.Number) or is_index:
        return
    if not node.is_commutative:
        dearer = OF_ENTRIES * (isinstance(body, Apply) and body.primitive is entry)
        yield from (replace(change, cost=change.cost + dearer) for change in powers(node))
    elif _is_entry(node.as_base_exp()[0]) or _is_size(node):
        yield from (replace(change, cost=change.cost - FARTHER * (change.action == "inverse"))
                    for change in powers(node) if change.action in ("power", "inverse"))
    if isinstance(node, sympy.Add):
        yield from signs(node)


def _is_size(node: sympy.Basic) -> bool:
    """Whether a node is a norm or another number of a vector or matrix, such as a trace."""
    return isinstance(node, Apply) and not node.rank and node.primitive is not entry


def _is_entry(node: sympy.Basic) -> bool:
    """Whether a node is an entry of a list of numbers that are no weights of atoms."""
    if not isinstance(node, Apply) or node.primitive is not entry:
        return False
    listed = node.operands[0]
    domain = listed.meaning.domain if isinstance(listed, Known) else None
    return isinstance(domain, Field) and isinstance(promised_field(domain), (Vector, Matrix))
