"""Values that nobody gave and that had to be moved to where some answer is: they may not decide it.

Where plain values admit no answer, others are moved until a million, or a plain value, of the
symbol that was asked would do. Free choices among them are then put where the answer is best; an
answer that is no more than the value they were moved for is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from flint import fmpq

from boundcheck.encoding import show
from boundcheck.errors import InvalidArgument
from boundcheck.explore.rounding import rounded
from boundcheck.explore.values import Truth
from boundcheck.explore.wording import short
from boundcheck.worlds.fields import Real

if TYPE_CHECKING:
    import sympy

    from boundcheck.explore.question import Question

LARGE = fmpq(10) ** 6
FACTORS = (fmpq(16), fmpq(2), fmpq(5, 4))  # steps of a search for the best value
MOST = 20  # answers that are compared
GAIN = fmpq(999, 1000)  # of an answer that counts as better
SAME = fmpq(1, 100)  # part by which an answer may differ from what values were moved for
ROOM = 2  # times the end of a condition at which an accuracy is taken


def moved_names(question: Question) -> list[str]:
    """Names of values that nobody gave and that are not the plain ones."""
    system = question.system
    return [name for name, value in question.values.items()
            if name not in system.values and isinstance(value, (int, fmpq))
            and value != system.plain(name)]  # fmt: skip


def improve(question: Question, answer: fmpq) -> None:
    """Puts moved values that are free choices where the answer is best, accuracies off their ends.

    Args: answer: as it is with the values of the question, which are changed.
    """
    if question.sense not in ("least", "greatest"):
        return
    system, best, left = question.system, answer, MOST
    for name in moved_names(question):
        field = {s.name: f for s, f in system.claim.parameters.items()}.get(name)
        if not isinstance(field, Real) or not _is_asked(question, name):
            continue
        for factor in (fmpq(ROOM),) if _stands_alone(question, name) else FACTORS:
            for step in (1 / factor, factor):
                while left > 0:
                    left -= 1
                    found = _answer_at(question, name, step)
                    if found is None or not _better(question, found, best):
                        break
                    question.values[name], best = _stepped(question, name, step), found
                    if factor == ROOM:
                        break


def _is_asked(question: Question, name: str) -> bool:
    inputs = question.system.inputs_of_relation
    return any(name in inputs(relation) for relation in question.relations)


def _stands_alone(question: Question, name: str) -> bool:
    """Whether a condition compares the symbol with something, as an accuracy is."""
    return any(name in {getattr(side, "name", "") for side in relation.args}
               for relation in question.relations)  # fmt: skip


def _stepped(question: Question, name: str, step: fmpq) -> Any:
    return question.system.number(name, rounded(fmpq(question.values[name]) * step))


def _answer_at(question: Question, name: str, step: fmpq) -> fmpq | None:
    """The answer with a value multiplied; None where there is none, or a hypothesis fails."""
    value = _stepped(question, name, step)
    if not question.system.ranges[name].contains(fmpq(value)):
        return None
    kept, sense = dict(question.values), question.sense
    question.values[name] = value
    try:
        found, _, _ = question.settled()
        as_set = question.values == {**kept, name: value}  # nothing else was moved for it
        return found if as_set and _hypotheses_hold(question) else None
    except InvalidArgument:
        return None
    finally:
        question.values, question.sense = kept, sense


def _hypotheses_hold(question: Question) -> bool:
    system, values = question.system, question.values
    return all(system.truth(relation, values) is Truth.HOLDS
               for relation in system.decided_by(values))  # fmt: skip


def _better(question: Question, found: fmpq, best: fmpq) -> bool:
    if question.sense == "least":
        return bool(found < best * GAIN if best > 0 else found < best)
    return bool(found > best / GAIN if best > 0 else found > best)


def require_own(question: Question, value: fmpq, binding: tuple[sympy.Basic, ...]) -> None:
    """Raises: InvalidArgument for an answer that is what values were moved for."""
    at = question.begun
    if at is None or abs(value - at) > SAME * abs(at):
        return
    moved = set(moved_names(question))
    for relation in binding:
        names = [n for n in question.system.inputs_of_relation(relation) if n in moved]
        for name in names:
            raise InvalidArgument(
                f"{question.label}: {question.name} is limited by {short(relation)}, where "
                f"{name} = {show(question.values[name], 6)} would be chosen for "
                f"{question.name} = {show(at, 6)}; give --set {name}=... or ask for {name}"
            )


def starts(question: Question) -> Iterator[fmpq | None]:
    """Values of the symbol for which others are moved: a size in millions, then the plain one."""
    if question.allowed.whole and question.allowed.contains(LARGE):
        yield LARGE
    yield None
