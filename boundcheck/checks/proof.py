"""Proofs for all admissible values: identities, nonlinear real arithmetic, boxes of balls.

A claim is proved pointwise: for every value of its symbols that the hypotheses allow, drawn or
not. That covers every world, every outcome and every expectation. The other way round, only a
claim about parameters alone is refuted here, by a countermodel that is certified exactly.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import sympy

from boundcheck.checks.base import Task
from boundcheck.checks.proofs.countermodel import refuted_by
from boundcheck.checks.proofs.soundness import unsound
from boundcheck.claim import Claim, Expected, UpToConstant
from boundcheck.errors import InvalidArgument, WitnessError
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.nodes import Average
from boundcheck.expressions.shapes import fits_everywhere
from boundcheck.expressions.signs import has_weights
from boundcheck.setting import parts
from boundcheck.verdict import TWO_SOLVERS, Evidence
from boundcheck.worlds.composed import Custom, Derived, is_foreign, promised_field
from boundcheck.worlds.draws import Draw
from boundcheck.worlds.fields import Choice, Integer, Real

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.checks.proofs.attempt import Proof
    from boundcheck.checks.proofs.definitions import Knowledge

NAME = "proof"
ALTERNATIVES = "no comparison"  # of which only a countermodel is sought
NAME_OF_FIELD = re.compile(r"[^\W\d]\w*[*']*")
ROW_AT_PLACES = re.compile(r"[^\W\d]\w*\[[^()]*\]")
CERTIFIED = "certified"


def run(task: Task) -> Evidence:
    """Prove the claim for all values, or refute it by an exact countermodel in its parameters."""
    from boundcheck.checks.proofs.attempt import Attempt
    from boundcheck.checks.proofs.system import forget_terms

    claim = task.claim
    reason, kind = unsuitable(claim)
    if reason and kind != ALTERNATIVES:
        return _open(reason, kind)
    forget_terms()
    try:
        attempt = Attempt(task)
        proof = None if reason else attempt.prove()
    except _refusals() as error:  # no proof and no verdict; anything else is a fault
        return _open(f"not translated: {type(error).__name__}: {error}", "not translated")
    if proof is not None:
        reason = unsound(task, attempt.cases)
        if not reason:
            try:
                return _proved(task, proof, attempt.cases)
            except InvalidArgument as error:  # premises that no value of a parameter meets
                return _open(f"proved of no value at all: {error}", "value not shown")
        return _open(f"proved for real numbers by {proof.method}, but {reason}", "value not shown")
    model = attempt.countermodel()
    refuted = None if model is None else refuted_by(task, model)
    return refuted or _open(reason or f"no proof found: {attempt.report}", kind or attempt.kind)


def proves(task: Task) -> bool:
    """Whether the provers show the claim of a task to hold, whatever its worlds say."""
    from boundcheck.checks.proofs.attempt import Attempt
    from boundcheck.checks.proofs.system import forget_terms

    if unsuitable(task.claim)[0]:
        return False
    forget_terms()
    try:
        return Attempt(task).prove() is not None
    except _refusals():
        return False


def _refusals() -> tuple[type[Exception], ...]:
    """What says that a statement is beyond the provers."""
    import z3
    from sympy.polys.polyerrors import BasePolynomialError

    from boundcheck.checks.proofs.reals import Untranslatable

    return (z3.Z3Exception, Untranslatable, BasePolynomialError, NotImplementedError)


def _open(reason: str, kind: str) -> Evidence:
    """Evidence that decides nothing, with the reason in words to count by."""
    return Evidence(NAME, None, reason, numbers={"reason": kind})


def domain_text(
    claim: Claim, cases: Sequence[Knowledge] = (), *, certified: bool = False
) -> str:
    """For which values a proof is: numbers in their ranges, formulas as defined, the rest free.

    Args: certified: sums stand for themselves, over rows of any size.
    """
    from boundcheck.explore.conditions import System

    system = System(claim)
    formulas = {s.name for case in cases for s in case.formulas}
    used = {s.name for s in claim.statement.free_symbols()}
    used |= {s.name for case in cases for f in case.formulas.values() for s in f.expr.free_symbols}
    ranged = [
        f"{s.name} in {listed(field) or system.ranges[s.name]}"
        for s, field in claim.parameters.items() if s.name in used
    ]  # fmt: skip
    for name in sorted(used - {s.name for s in claim.parameters}):
        text = world_range(claim, name)
        if text:
            ranged.append(f"{name} in {text}")
            formulas.add(name)
    read = {name for case in cases for name in case.sums.terms} if certified else set()
    rest = [s for s in claim.statement.free_symbols()
            if s.name not in {p.name for p in claim.parameters} | formulas | read]  # fmt: skip
    for kind, group in (
        ("reals", [s.name for s in rest if s.is_commutative]),
        ("matrices", [s.name for s in rest if not s.is_commutative]),
    ):
        if group:
            ranged.append(f"{', '.join(sorted(group))} any {kind}")
    stated = sorted({s.name for case in cases for s in case.formulas}
                    & {s.name for s in claim.statement.free_symbols()})  # fmt: skip
    if stated:
        ranged.append(f"{', '.join(stated)} as defined")
    sizes = {size for case in cases for size in case.rows.sizes.values()}
    if read & {s.name for s in claim.statement.free_symbols()}:
        sizes |= {size for case in cases for row in case.sums.rows.values() for size in row[0]
                  if size in case.fields}  # fmt: skip
    if sizes:
        ranged.append(f"rows of any size {', '.join(sorted(sizes))}")
    return "; ".join(ranged) + (" under the hypotheses" if claim.given else "")


def world_range(claim: Claim, name: str) -> str:
    """Range of a number among the world fields, in words; "" for anything else."""
    field = claim.worlds.fields.get(name) if claim.worlds is not None else None
    if isinstance(field, Integer):
        if field.high is None:
            return f"the integers of [{field.low}, oo)"
        return f"the integers of [{field.low}, {field.high}]"
    if not isinstance(field, Real):
        return listed(field)
    left = "(" if field.open_low or field.low is None else "["
    right = ")" if field.open_high or field.high is None else "]"
    low, high = (end if end is not None else "oo" for end in (field.low, field.high))
    return f"{left}{'-oo' if field.low is None else low}, {high}{right}"


def listed(field: object) -> str:
    """The values of a choice in braces; "" for anything else.

    >>> listed(Choice((-1, 1, 1)))
    '{-1, 1}'
    """
    if not isinstance(field, Choice):
        return ""
    return "{" + ", ".join(dict.fromkeys(map(str, field.items))) + "}"


def _proved(task: Task, proof: Proof, cases: Sequence[Knowledge]) -> Evidence:
    from boundcheck.certificates.document import certificate, recheck
    from boundcheck.checks.proofs.bookkeeping import by_definition

    claim = task.claim
    domain = domain_text(claim, cases, certified=bool(proof.certified))
    if proof.where:
        domain = f"{domain}; {proof.where}" if domain else proof.where
    constant = f" with constant {proof.constant}" if isinstance(
        claim.statement, UpToConstant) else ""  # fmt: skip
    document = None
    if proof.certified:
        members = [case.as_json() for case in proof.certified]
        document = certificate(task.key, claim, proof.constant, members)
        try:
            recheck(json.loads(json.dumps(document)), claim)
        except WitnessError as error:
            return _open(f"a certificate that is not confirmed: {error}", "value not shown")
    told = f"proved{constant} by {proof.method} for {domain or 'the numbers given'}"
    same, count = by_definition(claim, cases), len(parts(claim.statement.relation))
    if same:
        told += "; by definition" if len(same) == count else (
            f"; {len(same)} of {count} comparisons by definition")  # fmt: skip
    return Evidence(
        NAME, "proved", told, certificate=document,
        numbers={
            "method": proof.method, "domain": domain, "constant": proof.constant,
            "standing": CERTIFIED if document else TWO_SOLVERS,
            "by_definition": len(same) == count, "same": [str(part) for part in same],
        },
    )  # fmt: skip


def unsuitable(claim: Claim) -> tuple[str, str]:
    """Why no proof is tried, in a sentence and in words to count by; "" if one is."""
    if claim.undefined:
        return "symbols are undefined", "symbols are undefined"
    if claim.statement.relation.has(sympy.MatrixSymbol):
        return "matrix symbols are checked on worlds", "matrices"
    if any(_declared(s) for s in (*_symbols(claim), *claim.parameters)):
        return "symbols are declared to be more than real", "declared symbols"
    for name, field in claim.fields.items():
        if is_foreign(field):
            return f"{name} is of a class of its own, {type(field).__name__}", "classes of fields"
    for draw in _draws(claim):
        if is_foreign(draw):
            told = f"{draw.over} is of a class of its own, {type(draw).__name__}"
            return told, "classes of draws"
    if name := _unnamed(claim):
        return f"{name!r} is a name that letters of proofs have", "names"
    if name := _replaced(claim):
        return f"{name} is an array that is measured by another rule", "replaced definitions"
    if not parts(claim.statement.relation):
        return "the statement asserts no comparison", ALTERNATIVES
    texts = [claim.statement.relation, *claim.given, *claim.stands.values()]
    code = sorted(str(symbol) for symbol, quantity in claim.measure.items()
                  if not isinstance(quantity, Definition))  # fmt: skip
    read = {symbol.name for text in texts if isinstance(text, sympy.Basic)
            for symbol in text.free_symbols}  # fmt: skip
    code += [name for name, field in claim.fields.items() if name in read
             and isinstance(promised_field(field), (Custom, Derived))]  # fmt: skip
    if code:
        return f"{code[0]} is Python code, which may have no value somewhere", "Python code"
    if not all(fits_everywhere(text, claim.fields) for text in texts
               if isinstance(text, sympy.Basic)):  # fmt: skip
        return "sizes that must be the same are written as different ones", "sizes"
    form = getattr(claim.statement, "inner", claim.statement)
    if claim.draw is not None and not has_weights(claim.draw, claim.fields.get):
        return "the masses of what is drawn may be no law", "masses"
    if isinstance(form, Expected) and not _survives_means(claim, form.relation):
        return "what holds at every outcome need not hold for expectations here", "expectations"
    return "", ""


def _draws(claim: Claim) -> list[Draw]:
    """The draws of a claim, and of averages inside its statement, hypotheses and definitions."""
    texts = [claim.statement.relation, *claim.given, *claim.stands.values()]
    averages = [node for text in texts if isinstance(text, sympy.Basic)
                for node in text.atoms(Average)]  # fmt: skip
    found = [claim.draw, *[node.drawn.meaning.draw for node in averages]]
    return [member for draw in found if draw is not None
            for member in (draw, *getattr(draw, "members", ()))]  # fmt: skip


def _symbols(claim: Claim) -> set[sympy.Symbol]:
    return claim.statement.free_symbols().union(*[c.free_symbols for c in claim.given])


def _unnamed(claim: Claim) -> str:
    """A name that is more than letters, digits and marks, as texts of expressions and what the
    provers call letters of their own are; "" if none is. Definitions are called as they read."""
    from boundcheck.expressions.binding import Definition
    from boundcheck.expressions.symbols import Known

    given = [name for name, rule in claim.measured.items() if not isinstance(rule, Definition)]
    given += [symbol.name for symbol in claim.measure
              if not symbol.is_commutative and ROW_AT_PLACES.fullmatch(symbol.name)]
    drawn = claim.random_names - set(claim.measured)
    texts = [claim.statement.relation, *claim.given, *claim.stands.values()]
    indices = {each.name for text in texts if isinstance(text, sympy.Basic)
               for each in sympy.preorder_traversal(text)
               if isinstance(each, Known) and each.meaning.role == "index"}  # fmt: skip
    return next((name for name in (*claim.fields, *sorted(drawn), *given, *sorted(indices))
                 if not NAME_OF_FIELD.fullmatch(name)), "")  # fmt: skip


def _replaced(claim: Claim) -> str:
    """A vector or matrix for whose definition the claim has another rule; "" if none is.

    Numbers are read by the rule of the claim, arrays by the definition that they carry.
    """
    from boundcheck.expressions.binding import Definition
    from boundcheck.expressions.names import seen_through
    from boundcheck.expressions.symbols import Known, known_symbols

    waiting, met = [s for s in _symbols(claim) if isinstance(s, Known)], set[str]()
    while waiting:
        symbol = waiting.pop()
        definition = symbol.meaning.definition
        if definition is None or symbol.name in met:
            continue
        met.add(symbol.name)
        quantity = claim.measured.get(symbol.name)
        own = isinstance(quantity, Definition) and quantity.whole == seen_through(definition)
        if not own and symbol.rank != 0:
            return str(symbol.name)
        waiting += known_symbols(definition)
    return ""


def _declared(symbol: sympy.Symbol) -> bool:
    """Whether SymPy takes a sign or a kind of number for granted that no hypothesis states."""
    known = (symbol.is_extended_nonnegative, symbol.is_extended_nonpositive, symbol.is_nonzero,
             symbol.is_rational)  # fmt: skip
    return bool(symbol.is_commutative) and any(fact is not None for fact in known)


def _survives_means(claim: Claim, relation: sympy.Basic) -> bool:
    """Whether a statement that holds at every outcome holds between expectations.

    Not so for unequal sides, nor for alternatives and premises that depend on the outcome.
    """
    if isinstance(relation, sympy.And):
        return all(_survives_means(claim, arg) for arg in relation.args)
    if isinstance(relation, sympy.Implies):
        premise, conclusion = relation.args
        fixed = not {s.name for s in premise.free_symbols} & claim.random_names
        return fixed and _survives_means(claim, conclusion)
    return isinstance(relation, sympy.Rel) and not isinstance(relation, sympy.Ne)
