"""Search for what sums of entries say: tangents of the goal, products of ranges, squares.

A goal D >= 0 in sums S_j = sum p f_j follows from its tangent D + sum_j dD/dS_j (f_j - S_j) >= 0 at
any place, since that has the mean D. Where this fails, sums of products of ranges and squares of
two places (Lagrange's identity) are said, and left to combinations.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from boundcheck.certificates.branches import Branch, Steps, evident, linear, shown
from boundcheck.certificates.facts import atom_term, term_of
from boundcheck.certificates.linear import EFFORTS, QUICK
from boundcheck.certificates.polynomials import atoms_of, poly_of, scaled
from boundcheck.certificates.squares import by_squares
from boundcheck.certificates.terms import (
    Rejected,
    Relation,
    Term,
    derivative,
    places,
    reindexed,
    subterms,
)

Close = Callable[[Branch], Steps | None]
ONE, OTHER = "u", "v"
INSIDE = ("terms of a sum",)  # of which no further sums are asked
LEMMAS, FUNCTIONS, TANGENTS = 24, 4, 6


@dataclass(frozen=True)
class Mean:
    """A sum over one index, as the mean of a function under a law, or as a plain sum.

    Args: function: at the index, without the weight.
    """

    term: Term
    size: str
    law: str | None
    function: Term
    index: str = ONE


def minus(left: Term, right: Term) -> Term:
    """Difference."""
    return ("+", left, ("*", "-1", right))


def means_in(branch: Branch, term: Term) -> list[Mean]:
    """The sums over one index in a term."""
    found = []
    for part in dict.fromkeys(subterms(term)):
        if not isinstance(part, str) and part[0] == "sum":
            _, size, index, body = part
            inner = [p for p in subterms(body) if not isinstance(p, str) and p[0] == "sum"]
            if not any(index in places(p) for p in inner):
                found.append(_mean(branch, part, str(size), reindexed(body, str(index), ONE)))
    return found


def _mean(branch: Branch, term: Term, size: str, body: Term) -> Mean:
    factors = list(body[1:]) if body[0] == "*" else [body]
    for law, there in branch.context.signs.laws.items():
        weight = ("at", law, ONE)
        if there == size and factors.count(weight) == 1:
            rest = [factor for factor in factors if factor != weight]
            return Mean(term, size, law, ("*", *rest) if rest else "1")
    return Mean(term, size, None, body)


def weighted(mean: Mean, body: Term, index: str = ONE) -> Term:
    """The sum of a function at an index with the weights of a mean."""
    inside: Term = body if mean.law is None else ("*", ("at", mean.law, index), body)
    return ("sum", mean.size, index, inside)


def say_signs(branch: Branch, sums: list[Term]) -> None:
    """That sums of what is positive, or nonnegative, are."""
    if INSIDE in branch.done:
        return
    for term in sums:
        if ("sum", term) in branch.done:
            continue
        branch.done.add(("sum", term))
        for mean in means_in(branch, term):
            if mean.law is not None and said(branch, weighted(mean, mean.function), evident, True):
                continue
            said(branch, weighted(mean, mean.function), evident, False)


def said(
    branch: Branch, whole: Term, close: Callable[[Branch], object], strict: bool = False,
    marks: Iterable[object] = (INSIDE,),
) -> bool:  # fmt: skip
    """Add the sign of a sum, shown by a way to close a branch; whether that succeeds."""
    body, bound = whole, []
    while not isinstance(body, str) and body[0] == "sum":
        bound.append((str(body[1]), str(body[2])))
        body = body[3]
    wrong: Relation = ("<", body, "0")
    if strict and not isinstance(body, str):
        wrong = ("<=", ("*", *body[2:]), "0")
    try:
        context = branch.context.anywhere(bound).branch(wrong)
    except Rejected:
        return False
    below = Branch(context, len(context.facts) - 1, branch.work, [], set(marks),
                   branch.splits - 1, 0, 0)  # fmt: skip
    if not close(below):
        return False
    step = {"rule": "sum", "term": whole, "strict": strict, "proof": below.steps}
    return branch.tried(step) is not None


def tangent(branch: Branch, close: Close) -> bool:
    """The goal from its tangent at any place of its rows."""
    if INSIDE in branch.done:
        return False
    for place in _goals(branch):
        gap = scaled(branch.context.gap(place), -1)
        goal = term_of(branch.context.table, gap)
        found = means_in(branch, goal)
        if not found or len({(mean.size, mean.law) for mean in found}) > 1:
            continue
        try:
            function = _tangent(branch, found, goal)
        except Rejected:
            continue
        closing = by_weight(found[0], function, close)
        if said(branch, weighted(found[0], function), closing) and linear(branch, QUICK):
            return True
    return False


def by_weight(mean: Mean, function: Term, close: Close) -> Callable[[Branch], object]:
    """To close 'weight times function < 0': the weight is zero, or the function is not negative."""
    def closing(branch: Branch) -> object:
        if mean.law is None:
            return close(branch)
        facts, weight = branch.context.facts, ("at", mean.law, mean.index)
        wrong, none = len(facts) - 1, ("=", weight, "0")
        below = branch.below(("!=", weight, "0"))
        negative = below.below(("<", function, "0"))
        negative.start = len(below.context.facts)
        steps = close(negative)
        if steps is None:
            return False
        below.tried({"rule": "have", "fact": ("<=", "0", function), "proof": steps})
        place, last = facts.index(("<=", "0", weight)), len(below.context.facts) - 1
        products = [["1", None, [wrong]], ["1", None, [place, last]]]
        below.tried({"rule": "combine", "products": products, "equations": []})
        zero = {"rule": "combine", "products": [["1", None, [wrong]]],
                "equations": [[("*", "-1", function), len(facts)]]}  # fmt: skip
        return branch.tried({"rule": "split", "on": none, "yes": [zero], "no": below.steps})

    return closing


def _goals(branch: Branch) -> Iterator[int]:
    """Strict facts of the goal, and their logarithms."""
    facts = branch.context.facts
    strict = [i for i in range(branch.start, len(facts)) if facts[i][0] == "<"]
    strict = [i for i in strict if means_in(branch, ("and", *facts[i][1:]))][:3]
    yield from strict
    for i in strict:
        if branch.tried({"rule": "logarithm", "fact": i}) is not None:
            yield len(branch.context.facts) - 1


def _tangent(branch: Branch, found: list[Mean], goal: Term) -> Term:
    """The tangent of a goal in its sums, at the index ONE."""
    mean, normal = found[0], branch.context.normal
    letters: dict[Term, Term] = {
        one.term: ("x", f"mean {place}") for place, one in enumerate(found)}  # fmt: skip
    plain = _put(goal, letters)
    back = {letter: term for term, letter in letters.items()}
    share: Term = "1" if mean.law is not None else ("^", ("x", mean.size), "-1")
    parts: list[Term] = [("*", goal, share)]
    for one in found:
        slope = _put(derivative(plain, str(letters[one.term][1])), back)
        parts.append(("*", slope, minus(one.function, ("*", one.term, share))))
    return term_of(branch.context.table, normal.of(("+", *parts)))


def _put(term: Term, found: dict[Term, Term]) -> Term:
    if term in found:
        return found[term]
    if isinstance(term, str) or term[0] in ("x", "at", "sum"):
        return term
    return (term[0], *[_put(part, found) for part in term[1:]])


def moments(branch: Branch, close: Close) -> bool:
    """Combinations of sums of products of ranges and of squares over two places."""
    goal: Relation = ("and", *branch.context.facts[branch.start :])
    found = [mean for fact in goal[1:] for part in fact[1:]
             for mean in means_in(branch, part)]  # fmt: skip
    if not found or ("moments",) in branch.done or INSIDE in branch.done:
        return False
    branch.done.add(("moments",))
    mean, count = found[0], 0
    for whole, closing in _lemmas(branch, mean, found, close):
        count += count < LEMMAS and said(branch, whole, closing)
    return bool(count) and (by_squares(branch) or linear(branch, EFFORTS[:3]))


def _lemmas(
    branch: Branch, mean: Mean, found: list[Mean], close: Close
) -> Iterator[tuple[Term, Callable[[Branch], object]]]:
    same = [one for one in found if (one.size, one.law) == (mean.size, mean.law)]
    functions = list(dict.fromkeys(
        [_base(factor) for one in same for factor in _factors(one.function)]
        + _functions_at(branch, mean)))  # fmt: skip
    functions = [f for f in functions if places(f) == {ONE}][:FUNCTIONS]
    for function in functions:
        for first, second in itertools.combinations_with_replacement(
            _ranges(branch, mean, function), 2
        ):
            product: Term = ("*", first, second)
            yield weighted(mean, product), by_weight(mean, product, close)
            if any(("^", function, "-1") in _factors(one.function) for one in same):
                product = (*product, ("^", function, "-1"))
                yield weighted(mean, product), by_weight(mean, product, close)
    centred = [minus(f, weighted(mean, f)) for f in functions] if mean.law else []
    for group in (["1", *functions], centred):
        for one, other in itertools.combinations(group, 2):
            yield _lagrange(mean, one, other), _by_square(mean, one, other)


def _functions_at(branch: Branch, mean: Mean) -> list[Term]:
    """What the sums of a goal multiply at a place, sums over other indices included."""
    context = branch.context
    found: dict[Term, None] = {}
    for i in range(branch.start, len(context.facts)):
        for atom in sorted(atoms_of([context.gap(i)])) if context.facts[i][0] == "<" else ():
            kind = context.table.atoms[atom]
            root = kind[0] == "root"
            inner = atoms_of([poly_of(kind[2])]) if root else {atom}  # type: ignore[arg-type]
            for each in sorted(inner):
                found |= dict.fromkeys(_at_slots(branch, mean, each))
    return list(found)


def _at_slots(branch: Branch, mean: Mean, atom: int) -> Iterator[Term]:
    table = branch.context.table
    if table.atoms[atom][0] != "sum":
        return
    _, sizes, factors = table.atoms[atom]
    assert isinstance(sizes, tuple) and isinstance(factors, tuple)
    for slot, size in enumerate(sizes):
        if size != mean.size:
            continue
        body = at_slot(sizes, list(factors), slot, ONE)
        ((monomial, _), *others) = branch.context.normal.of(body).items()
        for each, _ in monomial if not others else ():
            term = atom_term(table, each)
            if ONE in places(term) and term != ("at", mean.law, ONE):
                yield term


def at_slot(
    sizes: tuple[str, ...], factors: list[tuple[Term, int]], slot: int, index: str
) -> Term:
    """The body of a sum at one of its indices, summed over the others."""
    body: Term = ("*", "1", *[t if p == 1 else ("^", t, str(p)) for t, p in factors])
    names = [index if i == slot else f"{index}_{i}" for i in range(len(sizes))]
    for i, name in enumerate(names):
        body = reindexed(body, f"#{i}", name)
    for i, name in enumerate(names):
        if i != slot:
            body = ("sum", sizes[i], name, body)
    return body


def squared(branch: Branch) -> bool:
    """Say a^2 < b^2 of a goal a < b with roots and a at least zero."""
    context = branch.context
    for place in range(branch.start, len(context.facts)):
        fact = context.facts[place]
        atoms = atoms_of([context.gap(place)]) if fact[0] == "<" else set()
        roots = any(context.table.atoms[atom][0] == "root" for atom in atoms)
        if not roots or ("squared", place) in branch.done:
            continue
        branch.done.add(("squared", place))
        low, high = fact[1], fact[2]
        shown(branch, ("<=", "0", low))
        if context.facts[-1] != ("<=", "0", low):
            continue
        more, sign = len(context.facts), len(context.facts) - 1
        products = [["1", None, [more]], ["1", None, [place, place]], ["2", None, [place, sign]]]
        told: Relation = ("<", ("^", low, "2"), ("^", high, "2"))
        proof = [{"rule": "combine", "products": products, "equations": []}]
        branch.tried({"rule": "have", "fact": told, "proof": proof})
    return False


def _factors(term: Term) -> tuple[Term, ...]:
    return term[1:] if not isinstance(term, str) and term[0] == "*" else (term,)


def _base(term: Term) -> Term:
    return term[1] if not isinstance(term, str) and term[0] == "^" else term


def _ranges(branch: Branch, mean: Mean, function: Term) -> list[Term]:
    """Ends known of an entry, as what is nonnegative where the weight is positive."""
    found: list[Term] = []
    for fact in branch.context.at_places([(mean.size, ONE)]):
        for part in fact[1:] if fact[0] == "or" else (fact,):
            if part[0] in ("<", "<=") and function in part[1:]:
                found.append(minus(part[2], part[1]))
    return list(dict.fromkeys(found))


def _crossed(one: Term, other: Term) -> Term:
    return minus(
        ("*", one, reindexed(other, ONE, OTHER)), ("*", reindexed(one, ONE, OTHER), other)
    )


def _lagrange(mean: Mean, one: Term, other: Term) -> Term:
    """The sum of (f(u) g(v) - f(v) g(u))^2 over two places."""
    inner = weighted(mean, ("^", _crossed(one, other), "2"), OTHER)
    if mean.law is None:
        return ("sum", mean.size, ONE, inner)
    body = ("*", ("at", mean.law, ONE), inner[3])
    return ("sum", mean.size, ONE, ("sum", mean.size, OTHER, body))


def _by_square(mean: Mean, one: Term, other: Term) -> Callable[[Branch], object]:
    def close(branch: Branch) -> object:
        facts = branch.context.facts
        laws = [] if mean.law is None else [
            facts.index(("<=", "0", ("at", mean.law, i))) for i in (ONE, OTHER)]  # fmt: skip
        products = [["1", None, [len(facts) - 1]], ["1", _crossed(one, other), laws]]
        return branch.tried({"rule": "combine", "products": products, "equations": []})

    return close


def tangents_of_logarithms(branch: Branch) -> bool:
    """log(a/b) <= a/b - 1 for what logarithms and exponentials of the goal are of."""
    context = branch.context
    arguments: list[Term] = ["1"]
    for atom in sorted({a for i in range(branch.start, len(context.facts))
                        if context.facts[i][0] in ("<", "<=")
                        for m in context.gap(i) for a, _ in m}):  # fmt: skip
        kind = context.table.atoms[atom]
        if kind[0] == "log":
            arguments.append(term_of(context.table, poly_of(kind[1])))  # type: ignore[arg-type]
        elif kind[0] == "exp":
            arguments.append(atom_term(context.table, atom))
    arguments = list(dict.fromkeys(arguments))[:TANGENTS]
    said = 0
    ratios: list[Term] = [("*", one, ("^", other, "-1"))
                          for one, other in itertools.permutations(arguments, 2)]  # fmt: skip
    ratios += [("^", ("*", one, other), "-1")
               for one, other in itertools.combinations(arguments[1:], 2)]  # fmt: skip
    for ratio in ratios:
        said += branch.tried(
            {"rule": "axiom", "name": "log below tangent", "terms": [ratio]}
        ) is not None
    return bool(said) and linear(branch, QUICK)
