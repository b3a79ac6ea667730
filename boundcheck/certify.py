"""The exact verdict on one setting: definitions, rationals and balls only.

Search uses these functions to certify what it found; the witness re-check uses nothing else.
"""

from __future__ import annotations

from typing import Any

import sympy
from flint import fmpq

from boundcheck import exact
from boundcheck.claim import Expected, Form, Holds, UpToConstant, WithProbability
from boundcheck.encoding import show
from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import PRECISIONS, precision
from boundcheck.setting import Setting, guarded, live, met, parts, sides


def shown_sides(relation: sympy.Basic, setting: Setting) -> dict[str, str]:
    """Both sides of every comparison of a statement that fails here, as text."""
    shown = {}
    for position, part in enumerate(parts(relation)):
        if setting.decide(part) is False:
            with precision(PRECISIONS[-1]):
                tag = f" {position + 1}" if position else ""
                shown[f"left{tag}"] = show(setting.evaluate(part.lhs))
                shown[f"right{tag}"] = show(setting.evaluate(part.rhs))
    return shown


def violation_probability(setting: Setting, relation: sympy.Basic) -> fmpq:
    """Exact probability of the outcomes at which the relation is certified false."""
    return probabilities(setting, relation)[0]


def probabilities(setting: Setting, relation: sympy.Basic) -> tuple[fmpq, fmpq]:
    """Exact probabilities of the outcomes at which the relation is certified (false, true)."""
    failing = holding = mass = fmpq(0)
    for probability, outcome in setting.draw.outcomes(setting):
        _require_chance(probability)
        mass += probability
        truth = setting.with_outcome(outcome).decide(relation)
        failing += probability if truth is False else 0
        holding += probability if truth is True else 0
    _require_law(mass)
    return failing, holding


def _require_chance(probability: Any) -> None:
    """Raises: Undecided if a probability is negative; then there is no law."""
    if exact.sign(probability) == -1:
        raise Undecided(f"{show(probability)} is no probability")


def _require_law(mass: Any) -> None:
    """Raises: Undecided if probabilities do not sum to one; then they are none."""
    if exact.sign(mass - 1) not in (0, None):
        raise Undecided(f"the probabilities of the outcomes sum to {show(mass)}")


def exceeds(setting: Setting, form: WithProbability, failure: fmpq) -> bool | None:
    """Whether a failing probability is above the allowed one; None where balls cannot tell."""
    for bits in PRECISIONS:
        with precision(bits):
            try:
                side = exact.sign(failure - (1 - setting.evaluate(form.level)))
            except Undefined:
                if bits < PRECISIONS[-1]:
                    continue
                raise
        if side is not None:
            return side > 0
    return None


def shown_probability(
    setting: Setting, form: WithProbability, failure: fmpq
) -> dict[str, str]:
    """The failing probability and what the statement allows, as text."""
    with precision(PRECISIONS[-1]):
        level = setting.evaluate(form.level)
    return {"probability of violation": show(failure), "allowed": show(1 - level)}


def _shown_level(setting: Setting, form: WithProbability) -> dict[str, str]:
    """A stated probability that none reaches, as text."""
    with precision(PRECISIONS[-1]):
        return {"stated probability": show(setting.evaluate(form.level)), "largest": "1"}


def expectation(setting: Setting, expr: sympy.Basic) -> Any:
    """Exact sum over all outcomes of probability times value; a ball or a rational."""
    claim = setting.claim
    if claim.draw is None or not {s.name for s in expr.free_symbols} & claim.random_names:
        return setting.evaluate(expr)
    total: Any = fmpq(0)
    mass: Any = fmpq(0)
    for probability, outcome in claim.draw.outcomes(setting):
        _require_chance(probability)
        mass += probability
        value = setting.with_outcome(outcome).evaluate(expr)
        term = exact.multiply(probability, value)
        first = exact.is_exact(total) and not isinstance(total, exact.MATRICES) and total == 0
        total = term if first else exact.add(total, term)
    _require_law(mass)
    return total


def decide_expected(setting: Setting, relation: sympy.Basic) -> tuple[bool | None, dict[str, str]]:
    """Truth of the relation between expectations, and the failing sides as text.

    A comparison under a premise counts where the premise is certified; one under a premise that
    depends on the draw says nothing about expectations and stays undecided.
    """
    truths: list[bool | None] = []
    shown: dict[str, str] = {}
    for premises, part in guarded(relation):
        truth = None
        asserted = met(premises, setting)
        if not asserted:
            truths.append(True if asserted is False else None)
            continue
        for bits in PRECISIONS:
            with precision(bits):
                try:
                    left, right = expectation(setting, part.lhs), expectation(setting, part.rhs)
                except Undefined:
                    if bits < PRECISIONS[-1]:
                        continue
                    raise
                truth = exact.compare(part, left, right)
            if truth is not None:
                break
        truths.append(truth)
        if truth is False:
            shown = {"expected left": show(left), "expected right": show(right)}
    if False in truths:
        return False, shown
    return (None if None in truths else True), {}


def checked_form(form: Form, constant: int | fmpq | None = None) -> Form:
    """The form whose failure in a single world refutes the statement.

    For statements up to a constant: lhs > 0 while rhs <= 0, which no constant can mend; with
    `constant`, lhs > 0 and lhs > constant * rhs, which no constant up to this one can mend.
    """
    if not isinstance(form, UpToConstant):
        return form
    hopeless: list[sympy.Basic] = []
    for premises, part in guarded(form.relation):
        mendable = _mendable(part, constant)
        for premise in reversed(premises):
            mendable = sympy.Implies(premise, mendable, evaluate=False)
        hopeless.append(mendable)
    relation: sympy.Basic = sympy.And(*hopeless, evaluate=False)
    if isinstance(form.inner, WithProbability):
        return WithProbability(form.inner.level, relation)
    return Holds(relation)


def _mendable(part: sympy.Rel, constant: int | fmpq | None) -> sympy.Basic:
    """What a constant (up to the given one) can still mend; unevaluated, because a right side
    that is a number would settle the relation for SymPy."""
    smaller, larger = sides(part)
    small = sympy.Le(smaller, 0, evaluate=False)
    if constant is None:
        return sympy.Or(small, sympy.Gt(larger, 0, evaluate=False), evaluate=False)
    enough = sympy.Le(smaller, _times(constant, larger), evaluate=False)
    return sympy.Or(small, enough, evaluate=False)


def _times(constant: int | fmpq, expr: sympy.Basic) -> sympy.Basic:
    ratio = fmpq(constant)
    return sympy.Mul(sympy.Rational(int(ratio.p), int(ratio.q)), expr, evaluate=False)


def certify(setting: Setting) -> tuple[bool, dict[str, str]]:
    """Whether the claim's statement is certified false in this setting, and the failing numbers.

    Hypotheses are the caller's business (`Setting.admissible`).
    """
    return _failure(setting, None)


def exclude(setting: Setting, constant: int | fmpq) -> bool:
    """Whether every constant up to a positive one is certified not to serve in this setting.

    Args: setting: of a statement up to a constant. Hypotheses are the caller's business.
    """
    return _failure(setting, constant, told=False)[0]


SHORT = 10**6  # relative to the constant needed, what is given away for a constant with few digits


def certified_below(setting: Setting, needed: float) -> fmpq:
    """A constant just below the one needed here that is certified not to serve; 0 without one."""
    if not 0 < needed < float("inf"):
        return fmpq(0)
    digits = f"{needed * (1 - 1 / SHORT):.9e}"
    constant = exact.ratio_of(sympy.Rational(digits))
    try:
        return constant if exclude(setting, constant) else fmpq(0)
    except (Undefined, Undecided):
        return fmpq(0)


def _failure(
    setting: Setting, constant: int | fmpq | None, *, told: bool = True
) -> tuple[bool, dict[str, str]]:
    """Whether the statement fails with a constant, and the sides, dear at many digits, if told."""
    statement = setting.claim.statement
    form = checked_form(statement, constant)
    if isinstance(statement, UpToConstant) and isinstance(statement.inner, Expected):
        return _expected_failure(setting, constant)
    if isinstance(form, WithProbability) and exceeds(setting, form, fmpq(0)):
        return True, _shown_level(setting, form)
    if setting.claim.draw is None:
        # Without a draw a probability is 0 or 1.
        if isinstance(form, WithProbability) and not exceeds(setting, form, fmpq(1)):
            return False, {}
        if setting.decide(form.relation) is not False:
            return False, {}
        return True, shown_sides(statement.relation, setting) if told else {}
    if isinstance(form, WithProbability):
        failure = violation_probability(setting, form.relation)
        if not exceeds(setting, form, failure):
            return False, {}
        return True, shown_probability(setting, form, failure)
    if isinstance(form, Expected):
        truth, shown = decide_expected(setting, form.relation)
        return truth is False, shown
    for probability, outcome in setting.draw.outcomes(setting):
        here = setting.with_outcome(outcome)
        if probability and here.decide(form.relation) is False:
            seen = {name: show(value) for name, value in outcome.items()}
            return True, {**shown_sides(form.relation, here), **seen} if told else {}
    return False, {}


def _expected_failure(
    setting: Setting, constant: int | fmpq | None
) -> tuple[bool, dict[str, str]]:
    """E[lhs] > 0 while E[rhs] <= 0, or E[lhs] > constant E[rhs], between expectations."""
    for part in live(setting.claim.statement.relation, setting):
        smaller, larger = sides(part)
        with precision(PRECISIONS[-1]):
            left, right = expectation(setting, smaller), expectation(setting, larger)
            if constant is None:
                short = exact.sign(right) in (0, -1)
            else:
                short = exact.sign(left - exact.multiply(fmpq(constant), right)) == 1
            if exact.sign(left) == 1 and short:
                return True, {"expected left": show(left), "expected right": show(right)}
    return False, {}


LISTED = 60_000  # outcomes beyond which a statement over a draw is not enumerated here


def _always_asked(expr: sympy.Basic) -> set[sympy.Symbol]:
    """Symbols of whose value an expression makes use whatever others are: none of its pieces."""
    from boundcheck.expressions.nodes import Node

    if isinstance(expr, sympy.Symbol):
        return {expr}
    if isinstance(expr, (sympy.Piecewise, sympy.logic.boolalg.Boolean, Node)):
        return set()
    return set().union(*map(_always_asked, expr.args))


def why_undefined(setting: Setting, listed: int = LISTED) -> str:
    """Why the statement has no value in a setting, in words; "" if it has one.

    Args: listed: outcomes of the draw beyond which they are not enumerated.
    """
    claim = setting.claim
    if claim.undefined:
        names = ", ".join(sorted(symbol.name for symbol in claim.undefined))
        return f"the source never defines {names}"
    form = getattr(claim.statement, "inner", claim.statement)
    try:
        with precision(PRECISIONS[-1]):
            # What stands behind a premise needs a value only where the premise holds.
            used = [side for part in live(form.relation, setting) for side in (part.lhs, part.rhs)]
            used += [form.level] if isinstance(form, WithProbability) else []
            for side in used:
                if not {s.name for s in side.free_symbols} & claim.random_names:
                    setting.evaluate(side)
                    continue
                for name in sorted({s.name for s in _always_asked(side)} - claim.random_names):
                    setting(name)
        if claim.draw is None or claim.draw.count(setting) <= listed:
            certify(setting)
    except Undefined as error:
        return str(error)
    except Undecided:
        return ""
    return ""
