"""Whether a claim is false in one world, by its definitions and nothing else.

A second judge beside `certify`, which search uses: a violation counts when both certify it, so that
an error in one of them confirms nothing. Knows the exact reading of the language, what draws list
and python-flint.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import sympy
from flint import fmpq

from boundcheck import exact
from boundcheck.arithmetic import PRECISIONS, Value, precision, sign
from boundcheck.claim import Claim, Expected, Form, Holds, UpToConstant, WithProbability
from boundcheck.errors import Undecided, Undefined
from boundcheck.wholes import handed


class Place:
    """Values of names in one world at one outcome and one precision; nothing outlives it.

    Args: values: of the world and the parameters. outcome: of the draw. whole: the place without
    outcome, which keeps what does not depend on the draw.
    """

    def __init__(
        self, claim: Claim, values: Mapping[str, Value], outcome: Mapping[str, Value] | None = None,
        whole: Place | None = None,
    ) -> None:
        self.claim, self.values, self.whole = claim, values, whole
        self.outcome = outcome or {}
        self.found: dict[str, Value] = {}

    def __call__(self, name: str) -> Value:
        for given in (self.values, self.outcome, self.found):
            if name in given:
                return given[name]
        if self.whole is not None and name not in self.claim.random_names:
            return self.whole(name)
        quantity = self.claim.measured.get(name)
        if quantity is None:
            raise Undefined(f"the symbol {name} is undefined")
        value = quantity(*handed(map(self, self.claim.arguments(quantity))))
        self.found[name] = value
        return value

    def at(self, outcome: Mapping[str, Value]) -> Place:
        """The same world at an outcome."""
        return Place(self.claim, self.values, outcome, self)

    def value(self, expr: sympy.Basic) -> Value:
        """The value of an expression, a vector as a column."""
        return exact.as_column(exact.value_of(sympy.sympify(expr), self))

    def outcomes(self) -> Iterator[tuple[fmpq, Place]]:
        """Every outcome with its probability; the world itself where nothing is drawn.

        Raises: Undecided if a probability is negative or they do not sum to one.
        """
        if self.claim.draw is None:
            yield fmpq(1), self
            return
        mass = fmpq(0)
        for probability, outcome in self.claim.draw.outcomes(self):
            if sign(probability) == -1:
                raise Undecided("a probability is negative")
            mass += probability
            yield probability, self.at(outcome)
        if sign(mass - 1) not in (0, None):
            raise Undecided("probabilities do not sum to one")


def is_false(claim: Claim, values: Mapping[str, Value]) -> bool:
    """Whether the statement is certified false in this world, up to a constant with every one.

    Hypotheses and domains are the caller's business.
    Raises: Undefined where the statement has no value, at the highest precision too.
    """
    for bits in PRECISIONS:
        with precision(bits):
            try:
                if _false(claim.statement, Place(claim, values)):
                    return True
            except Undecided:
                continue
            except Undefined:
                if bits == PRECISIONS[-1]:
                    raise
    return False


def is_admissible(claim: Claim, values: Mapping[str, Value]) -> bool:
    """Whether these are a world of the claim and parameters in their domains, hypotheses certain.

    Every name has a value and no other has; a hypothesis without a value is not certain.
    """
    fields = dict(claim.worlds.fields) if claim.worlds is not None else {}
    fields |= {symbol.name: field for symbol, field in claim.parameters.items()}
    if set(fields) != set(values):
        return False
    if not all(field.says_domain and field.admits(values[name], values)
               for name, field in fields.items()):  # fmt: skip
        return False
    return all(_certain_at_some_precision(claim, values, given) for given in claim.given)


def _certain_at_some_precision(
    claim: Claim, values: Mapping[str, Value], condition: sympy.Basic
) -> bool:
    for bits in PRECISIONS:
        with precision(bits):
            try:
                if _certain(condition, Place(claim, values)):
                    return True
            except (Undecided, Undefined):
                continue
    return False


def has_no_value(claim: Claim, values: Mapping[str, Value]) -> bool:
    """Whether evaluating the statement in this world meets something without a value."""
    if claim.undefined:
        return True
    form = getattr(claim.statement, "inner", claim.statement)
    sides = [side for part in form.relation.atoms(sympy.Rel) for side in part.args]
    with precision(PRECISIONS[-1]):
        place = Place(claim, values)
        try:
            for side in [*sides, *([form.level] if isinstance(form, WithProbability) else [])]:
                if not {symbol.name for symbol in side.free_symbols} & claim.random_names:
                    place.value(side)
        except Undefined:
            return True
        except Undecided:
            pass
    try:
        is_false(claim, values)
    except Undefined:
        return True
    return False


def _false(form: Form, place: Place) -> bool:
    mendable = isinstance(form, UpToConstant)
    inner = form.inner if isinstance(form, UpToConstant) else form
    if isinstance(inner, Expected):
        return any(
            _fails(part, _mean(part.lhs, place), _mean(part.rhs, place), mendable)
            for premises, part in _asserted(inner.relation)
            if all(_certain(premise, place) for premise in premises)
        )
    if isinstance(inner, WithProbability):
        if sign(place.value(inner.level) - 1) == 1:
            return True
        failing = sum((p for p, here in place.outcomes()
                       if _relation_false(inner.relation, here, mendable)), fmpq(0))
        return sign(failing - (1 - place.value(inner.level))) == 1
    assert isinstance(inner, Holds)
    return any([p > 0 and _relation_false(inner.relation, here, mendable)
                for p, here in place.outcomes()])


def _relation_false(relation: sympy.Basic, place: Place, mendable: bool) -> bool:
    """Whether a relation is certified false; up to a constant, whatever that is.

    Raises: Undefined if a member has no value and no other is false.
    """
    if isinstance(relation, sympy.And):
        missing: Undefined | None = None
        for member in relation.args:
            try:
                if _relation_false(member, place, mendable):
                    return True
            except Undefined as error:
                missing = error
        if missing is not None:
            raise missing
        return False
    if isinstance(relation, sympy.Implies):
        premise, conclusion = relation.args
        return _certain(premise, place) and _relation_false(conclusion, place, mendable)
    if not mendable:
        return exact.decide(relation, place) is False
    if not isinstance(relation, sympy.Rel):
        return False
    try:
        left, right = place.value(relation.lhs), place.value(relation.rhs)
    except Undecided:
        return False
    return _fails(relation, left, right, mendable)


def _fails(relation: sympy.Rel, left: Value, right: Value, mendable: bool) -> bool:
    if not mendable:
        return exact.compare(relation, left, right) is False
    if isinstance(relation, (sympy.Ge, sympy.Gt)):
        left, right = right, left
    return sign(left) == 1 and sign(right) in (-1, 0)


def _certain(condition: sympy.Basic, place: Place) -> bool:
    return exact.decide(condition, place) is True


def _asserted(
    relation: sympy.Basic, premises: tuple[sympy.Basic, ...] = ()
) -> Iterator[tuple[tuple[sympy.Basic, ...], sympy.Rel]]:
    """The comparisons that a relation asserts, each under its premises."""
    if isinstance(relation, sympy.And):
        for member in relation.args:
            yield from _asserted(member, premises)
    elif isinstance(relation, sympy.Implies):
        yield from _asserted(relation.args[1], (*premises, relation.args[0]))
    elif isinstance(relation, sympy.Rel):
        yield premises, relation


def _mean(expr: sympy.Basic, place: Place) -> Value:
    """The expectation of an expression over the draw."""
    terms = [exact.multiply(p, here.value(expr)) for p, here in place.outcomes()]
    total = terms[0]
    for term in terms[1:]:
        total = exact.add(total, term)
    return total
