"""Branches of a proof under search, and what is said in them before any route is tried.

Roots become letters, denominators are cleared, what is known of absolute values, extremes, roots,
exponentials and constants is added, and whole numbers are rounded.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import flint
from flint import fmpq

from boundcheck.arithmetic import midpoint
from boundcheck.certificates import balls, checker
from boundcheck.certificates.facts import Context, atom_term, term_of
from boundcheck.certificates.linear import QUICK, Effort, Work, combination, relevant
from boundcheck.certificates.polynomials import (
    added,
    atoms_of,
    common_powers,
    constant,
    divided,
    poly_of,
    scaled,
)
from boundcheck.certificates.terms import (
    COMPARISONS,
    TRUE,
    Rejected,
    Relation,
    Term,
    negated,
    subterms,
    symbols,
)
from boundcheck.errors import Undecided

Steps = list[dict[str, object]]
SPLITS, SLOPES = 5, 4


@dataclass
class Branch:
    """A context with the steps that led to it.

    Args: start: where the facts of the goal begin. work: what all branches of one search share.
    splits, slopes, inductions: how many more cases, derivatives, inductions may be taken.
    """

    context: Context
    start: int
    work: Work
    steps: Steps = field(default_factory=list)
    done: set[object] = field(default_factory=set)
    splits: int = SPLITS
    slopes: int = SLOPES
    inductions: int = 1

    def apply(self, step: dict[str, object]) -> bool:
        """Add a step if the checker takes it; whether it ends the branch."""
        ended = checker.check(self.context, [step])
        self.steps.append(step)
        return ended

    def tried(self, step: dict[str, object]) -> bool | None:
        """The same, or None if the checker rejects the step."""
        try:
            return self.apply(step)
        except Rejected:
            return None

    def below(self, *relations: Relation) -> Branch:
        """A branch with more facts, from here."""
        context = self.context.branch(*relations)
        return Branch(context, self.start, self.work, [], set(self.done),
                      self.splits - 1, self.slopes, self.inductions)  # fmt: skip

    def exhausted(self) -> bool:
        """Whether the work of its search is done."""
        return self.work.left <= 0


def evident(branch: Branch) -> bool:
    """Whether a fact contradicts signs; the step is then taken."""
    return any(
        branch.tried({"rule": "evident", "fact": i})
        for i, fact in enumerate(branch.context.facts)
        if (i >= branch.start or not branch.steps) and fact[0] in COMPARISONS
    )


def linear(branch: Branch, efforts: tuple[Effort, ...]) -> bool:
    """Whether facts add up to a contradiction within some efforts; the step is then taken."""
    context = branch.context
    indices = relevant(context, branch.start)
    if not indices:
        return False
    for effort in efforts:
        if branch.exhausted():
            return False
        step = combination(context, indices, effort, branch.work)
        if step is not None and branch.tried(step):
            return True
    return False


def prepare(branch: Branch) -> None:
    """Say what is known of the atoms of a branch, until nothing is new."""
    for _ in range(3):
        before = len(branch.context.facts)
        _roots(branch)
        _say_of_atoms(branch)
        _put_values(branch)
        _divide(branch)
        _clear(branch)
        _whole(branch)
        if len(branch.context.facts) == before:
            return


def _put_values(branch: Branch) -> None:
    """Facts with the number that a piecewise expression is in this branch put in."""
    context = branch.context
    values: dict[int, tuple[int, fmpq]] = {}
    for i, fact in enumerate(context.facts):
        if fact[0] == "=" and not isinstance(fact[1], str) and fact[1][0] == "piecewise":
            number = constant(context.normal.of(fact[2]))
            if number is not None:
                values[context.table.number(fact[1])] = i, number
    for place in range(len(context.facts) if values else 0):
        for atom, (i, number) in values.items():
            if context.facts[place][0] in ("<", "<=") and ("put", place, atom) not in branch.done:
                branch.done.add(("put", place, atom))
                _put_value(branch, place, atom, i, number)


def _put_value(branch: Branch, place: int, atom: int, equation: int, number: fmpq) -> None:
    context = branch.context
    gap, kind = context.gap(place), context.facts[place][0]
    slope = {tuple(p for p in m if p[0] != atom): c for m, c in gap.items() if (atom, 1) in m}
    rest = {m: c for m, c in gap.items() if atom not in dict(m)}
    if not slope or len(slope) + len(rest) < len(gap):
        return
    told: Relation = (str(kind), "0", term_of(context.table, added(rest, scaled(slope, number))))
    products = [["1", None, [place]], ["1", None, [len(context.facts)]]]
    step = {"rule": "combine", "products": products,
            "equations": [[term_of(context.table, slope), equation]]}  # fmt: skip
    branch.tried({"rule": "have", "fact": told, "proof": [step]})


def _terms(branch: Branch) -> list[Term]:
    """Parts of all comparisons, each once."""
    found: dict[Term, None] = {}
    for fact in branch.context.facts:
        for part in subterms(fact) if TRUE not in fact else ():
            if not isinstance(part, str) and part[0] not in (*COMPARISONS, "and", "or"):
                found[part] = None
    return list(found)


AXIOM_OF = {
    "abs": "absolute value", "max": "maximum", "min": "minimum", "floor": "rounding",
    "ceiling": "rounding", "sin": "bounded", "cos": "bounded", "tanh": "bounded",
    "erf": "bounded", "piecewise": "pieces",
}  # fmt: skip


def _say_of_atoms(branch: Branch) -> None:
    for part in _terms(branch):
        name = AXIOM_OF.get(str(part[0])) if not isinstance(part, str) else None
        if name is None or ("axiom", part) in branch.done:
            continue
        branch.done.add(("axiom", part))
        inner = [part] if name in ("bounded", "pieces") else list(part[1:])
        if branch.tried({"rule": "axiom", "name": name, "terms": inner}) is not None:
            _sign_of_extreme(branch, part)
    say_of_forms(branch)


def _sign_of_extreme(branch: Branch, part: Term) -> None:
    """0 < max where a member is positive, 0 < min where all are."""
    if isinstance(part, str) or part[0] not in ("max", "min"):
        return
    normal = branch.context.normal
    positive = [term for term in part[1:] if normal.sign(normal.of(term)) == 2]
    if not positive or (part[0] == "min" and len(positive) < len(part) - 1):
        return
    place = len(branch.context.facts) - 1  # the axiom's last fact: which member it is
    for term in positive:
        shown(branch, ("<", "0", term))
    wanted: Relation = ("<", "0", part)
    if part[0] == "max":
        proof = by_combination(branch, wanted)
    else:
        below = branch.below(negated(wanted))
        proofs = [_added_up(below.below(member)) for member in branch.context.facts[place][1:]
                  if isinstance(member, tuple)]  # fmt: skip
        proof = [{"rule": "cases", "fact": place, "proofs": proofs}]
    if proof is not None:
        branch.tried({"rule": "have", "fact": wanted, "proof": proof})


def _added_up(branch: Branch) -> Steps:
    branch.start = len(branch.context.facts) - 1
    linear(branch, QUICK)
    return branch.steps


def say_of_forms(branch: Branch) -> None:
    """Say what is known of roots, exponentials and constants, as they stand in normal forms."""
    from boundcheck.certificates.means import say_signs

    context = branch.context
    kinds = [(atom, context.table.atoms[atom][0]) for atom in sorted(atoms_in(context))]
    say_signs(branch, [atom_term(context.table, atom) for atom, kind in kinds if kind == "sum"])
    for atom in sorted(atoms_in(context)):
        kind = context.table.atoms[atom]
        if ("form", atom) in branch.done:
            continue
        branch.done.add(("form", atom))
        if kind[0] == "root":
            _say_of_root(branch, atom)
        elif kind[0] == "pow":
            terms = [term_of(context.table, poly_of(key)) for key in kind[1:]]  # type: ignore[arg-type]
            branch.tried({"rule": "axiom", "name": "next power", "terms": terms})
        elif kind[0] in ("exp", "log", "pi"):
            term = atom_term(context.table, atom)
            if not symbols(term):
                _enclose(branch, term)
            elif kind[0] == "exp":
                shown(branch, ("<", "0", term))


def _say_of_root(branch: Branch, atom: int) -> None:
    table = branch.context.table
    _, order, key = table.atoms[atom]
    term = atom_term(table, atom)
    if not symbols(term):
        _enclose(branch, term)
    branch.tried({"rule": "axiom", "name": "root",
                  "terms": [term_of(table, poly_of(key)), str(order)]})  # type: ignore[arg-type]  # fmt: skip


def atoms_in(context: Context) -> set[int]:
    """Atoms of all comparisons of a context."""
    return atoms_of(context.gap(i) for i, f in enumerate(context.facts) if f[0] in COMPARISONS)


def shown(branch: Branch, relation: Relation) -> None:
    """A fact that signs show."""
    place = len(branch.context.facts)
    branch.tried({"rule": "have", "fact": relation,
                  "proof": [{"rule": "evident", "fact": place}]})  # fmt: skip


def _enclose(branch: Branch, term: Term) -> None:
    before, flint.ctx.prec = flint.ctx.prec, checker.BITS
    try:
        value = midpoint(balls.ball(term, {}))
    except (balls.NoValue, Undecided):
        return
    finally:
        flint.ctx.prec = before
    unit = 10**6
    low = fmpq((value * unit).floor(), unit)
    ends = low - fmpq(1, unit), low + fmpq(2, unit)
    branch.tried({"rule": "enclose", "term": term, "low": str(ends[0]), "high": str(ends[1])})


def _roots(branch: Branch) -> None:
    """Nonnegative symbols under roots become powers of letters."""
    context = branch.context
    orders: dict[str, int] = {}
    for atom in atoms_in(context):
        kind = context.table.atoms[atom]
        if kind[0] == "root":
            inner = poly_of(kind[2])  # type: ignore[arg-type]
            ((monomial, _), *rest) = inner.items()
            if rest or len(monomial) != 1:
                continue
            base = context.table.atoms[monomial[0][0]]
            if base[0] == "x" and context.normal.atom_sign(monomial[0][0]):
                name = str(base[1])
                orders[name] = max(orders.get(name, 1), int(kind[1]))  # type: ignore[call-overload]
    for name, order in sorted(orders.items()):
        branch.tried({"rule": "root", "symbol": name, "letter": f"root of {name}", "power": order})


def _clear(branch: Branch) -> None:
    """Facts without denominators, beside those with."""
    context = branch.context
    for i, fact in enumerate(list(context.facts)):
        if fact[0] not in COMPARISONS or ("clear", fact) in branch.done:
            continue
        poly = context.gap(i)
        powers: dict[int, int] = {}
        for monomial in poly:
            for atom, power in monomial:
                if context.table.atoms[atom][0] == "inv" or power < 0:
                    powers[atom] = max(powers.get(atom, 0), abs(power))
        if not powers or len(powers) > 6:
            continue
        branch.done.add(("clear", fact))
        by = [_denominator(branch, atom, power) for atom, power in powers.items()]
        step = {"rule": "clear", "fact": i, "by": [row for row in by if row is not None]}
        if None not in by and branch.tried(step) is not None:
            branch.done.add(("clear", context.facts[-1]))


def _divide(branch: Branch) -> None:
    """Strict facts of the goal without a common factor that is known not to be negative."""
    context = branch.context
    for i in range(branch.start, len(context.facts)):
        gap = context.gap(i) if context.facts[i][0] == "<" else {}
        if len(gap) < 2 or ("divide", i) in branch.done:
            continue
        branch.done.add(("divide", i))
        normal = context.normal
        common = {a: p for a, p in common_powers(gap).items() if normal.atom_sign(a)}
        if not common:
            continue
        factor = term_of(context.table, {tuple(sorted(common.items())): fmpq(1)})
        shown(branch, ("<=", "0", factor))
        told: Relation = ("<", "0", term_of(context.table, divided(gap, common)))
        sign, more = len(context.facts) - 1, len(context.facts)
        products = [["1", None, [i]], ["1", None, [sign, more]]]
        proof = [{"rule": "combine", "products": products, "equations": []}]
        branch.tried({"rule": "have", "fact": told, "proof": proof})


def _log_of_order(branch: Branch) -> None:
    """The logarithms of what one symbol or number is below another, once."""
    if ("order",) in branch.done:
        return
    branch.done.add(("order",))
    for i, fact in enumerate(list(branch.context.facts)):
        plain = all(isinstance(side, str) or side[0] == "x" for side in fact[1:])
        if fact[0] in ("<", "<=") and plain:
            branch.tried({"rule": "logarithm", "fact": i})


def _denominator(branch: Branch, atom: int, power: int) -> list[object] | None:
    context = branch.context
    kind = context.table.atoms[atom]
    if kind[0] != "inv":
        if context.normal.atom_sign(atom) != 2:
            power += power % 2
        return [atom_term(context.table, atom), power]
    base = poly_of(kind[1])  # type: ignore[arg-type]
    term = term_of(context.table, base)
    sign = context.normal.sign(base)
    if any(context.table.atoms[a][0] == "log" for a in atoms_of([base])):
        _log_of_order(branch)
    if sign != 2 and ("sign", term) not in branch.done:
        branch.done.add(("sign", term))
        for relation in (("<", "0", term), ("<", term, "0"), ("!=", term, "0")):
            proof = by_combination(branch, relation)
            if proof is not None:
                branch.tried({"rule": "have", "fact": relation, "proof": proof})
                break
    if context.normal.sign(base) == 2:
        return [term, power]
    if context.normal.sign({m: -c for m, c in base.items()}) == 2:
        return [("*", "-1", term), power]
    return [term, power + power % 2]


def by_combination(branch: Branch, relation: Relation) -> Steps | None:
    """Steps that show a relation by signs or a short combination of facts, or None."""
    below = branch.below(negated(relation))
    below.start = len(branch.context.facts)
    if evident(below) or linear(below, QUICK):
        return below.steps
    return None


def _whole(branch: Branch) -> None:
    for i, fact in enumerate(list(branch.context.facts)):
        if fact[0] == "<" and ("whole", fact) not in branch.done and symbols(fact):
            branch.done.add(("whole", fact))
            if symbols(fact) <= branch.context.integers:
                branch.tried({"rule": "integer", "fact": i})
