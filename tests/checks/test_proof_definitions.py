"""Definitions read as formulas, declared facts, powers by logarithms; what must stay open."""

import types

import pytest
import sympy
from flint import arb, fmpq
from sympy import And, Eq, Implies, Le, Max, Min, Ne, Rational, exp, sqrt, symbols

from boundcheck import Claim, Holds, Source
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.checks.proof import run
from boundcheck.checks.proofs.definitions import cases
from boundcheck.checks.proofs.formulas import formula
from boundcheck.checks.proofs.soundness import listable, unsound
from boundcheck.checks.proofs.tracing import Traced, Unknown, Untraceable
from boundcheck.claim import UpToConstant, WithProbability
from boundcheck.exact import exponential, is_exact, logarithm, sign, square_root
from boundcheck.expressions import greatest, index, least, world
from boundcheck.expressions.binding import Definition
from boundcheck.quantities.base import facts, quantity
from boundcheck.quantities.operators import identity
from boundcheck.worlds import (
    Choice,
    Derived,
    Gram,
    Indices,
    Integer,
    Matrix,
    Real,
    Signs,
    Space,
    Vector,
    Weights,
)

x, y, z, p, n, lam = symbols("x y z p n lambda", real=True)
size, other = symbols("size other", real=True)
A, B, I, X, Xt, Y = symbols("A B I X Xt Y", commutative=False)
ANY, POSITIVE = Real(None, None), Real(0, None, open_low=True)
PLACE = Source("A", 2024, "Example").at("1")
LINE = Space(u=Real(None, None), v=Real(None, None))


def task(statement, **fields):
    return Task("a/b:c", Claim(source=PLACE, statement=statement, **fields), BUDGETS["quick"])


def of_the_library(decorate, function):
    """A quantity as if written in the package, whose declarations proofs believe."""
    space = {**function.__globals__, "__name__": "boundcheck.quantities.example"}
    made = types.FunctionType(function.__code__, space, "example", None, function.__closure__)
    return decorate(made)


def test_what_a_statement_file_declares_of_its_own_quantity_proves_nothing():
    declared = facts("nonnegative")(lambda v: sum(e * e for e in v))
    found = prove(Holds(size + 1 > 0), worlds=Space(v=Vector(9)), measure={size: declared})
    assert found.outcome != "proved", found.detail


def prove(statement, **fields):
    return run(task(statement, **fields))


# Formulas.


def clipped(x):
    return max(min(x, 1), -1)


def sided(x):
    return x * ((x > 0) - (x < 0))


def by_sign(x):
    return {1: 2 * x, 0: 0, -1: -x}[sign(x)]


def with_loop(x):
    total = fmpq(0)
    for k in range(1, 4):
        total += fmpq(x) ** k / k
    return total


READ = [
    (clipped, (-3, fmpq(1, 2), 7)),
    (sided, (-2, 0, 5)),
    (by_sign, (-2, 0, 5)),
    (with_loop, (-1, 0, fmpq(2, 3))),
    (lambda x: 1 / x if x != 0 else 0, (0, 2, -4)),
    (lambda x: square_root(x * x + 1) * arb(2) if is_exact(x) else x, (0, 1, 3)),
    (lambda x: exponential(x) + logarithm(1 + x * x), (0, 1, -1)),
    (lambda x: sum((w * x for w in (1, 2)), fmpq(0)) / 2, (0, 1, 3)),
]


@pytest.mark.parametrize("case", range(len(READ)))
def test_formulas_agree_with_the_code_they_were_read_from(case):
    from boundcheck.exact import compiled, to_ball

    definition, values = READ[case]
    found = formula(definition, [Traced(x)])
    for value in values:
        there = compiled(found.expr)({"x": fmpq(value)}.__getitem__)
        assert (to_ball(there) - to_ball(definition(fmpq(value)))).contains(0), (value, found)


UNREAD = {
    "a loop up to the number": lambda x: sum(k for k in range(x)),
    "rounding": lambda x: int(x),
    "a float": lambda x: x * 0.5,
    "a ball that is no number": lambda x: x * BALL,
    "the type of a number": lambda x: 1 if type(x) is int else 2,
    "how a number is stored": lambda x: 1 if isinstance(x, int) else 2,
    "a look-up": lambda x: {1: 2}[x],
    "its digits": lambda x: x.p,
    "a branch for every value": lambda x: sum(1 for k in range(40) if x > k),
}
BALL = arb(1, 1)


@pytest.mark.parametrize("name", UNREAD)
def test_code_that_is_no_formula_is_not_read_as_one(name):
    with pytest.raises(Untraceable):
        formula(UNREAD[name], [Traced(x)])


def test_unknown_values_end_the_reading():
    for use in (lambda v: v[0], lambda v: len(v), lambda v: sum(v), lambda v: v == 1, lambda v: v):
        with pytest.raises(Untraceable, match="no size"):
            formula(use, [Unknown("no size")])


# What closes.

TRUE = {
    "a definition": (
        Holds(size <= Max(1, x**2)), {"parameters": {x: ANY}, "measure": {size: lambda x: abs(x)}}),
    "a convex loss": (
        Holds(size >= other * (y - x)),
        {"parameters": {x: ANY, y: ANY},
         "measure": {size: lambda x, y: abs(y) - abs(x), other: lambda x: (x > 0) - (x < 0)}}),
    "entries of a law": (
        Holds(size <= 1),
        {"worlds": Space(w=Weights(3)), "measure": {size: lambda w: w[0] + w[2]}}),
    "derived fields": (
        Holds(Eq(size, x**2)),
        {"worlds": Space(x=Real(None, None), t=Derived(lambda x: 2 * x)),
         "measure": {size: lambda t: t * t / 4}}),
    "every kind": (
        Holds(size >= 0),
        {"worlds": Space(kind=Choice(("square", "absolute")), u=Real(None, None)),
         "measure": {size: lambda kind, u: u * u if kind == "square" else abs(u)}}),
    "a fact": (
        Holds(size + 1 > 0),
        {"worlds": Space(v=Vector(9)),
         "measure": {size: of_the_library(facts("nonnegative"), lambda v: sum(e * e for e in v))}}),
    "bounds": (
        Holds(size <= 3),
        {"worlds": Space(v=Weights(9)),
         "measure": {size: of_the_library(quantity(bounds=lambda: (0, 1)), lambda v: v[0])}}),
    "a real exponent": (
        Holds(x * y ** (1 - p) <= z),
        {"given": [x > 0, y > 0, z > 0, y <= (z / x) ** (1 / (1 - p)), p >= 0, p < 1],
         "parameters": {s: ANY for s in (x, y, z, p)}}),
    "a strict exponential": (
        Holds(exp(-2 * x) < exp(-x)), {"given": [x > 0], "parameters": {x: ANY}}),
    "a power at zero": (
        Holds(x * y**p <= z * y**p), {"given": [x >= 0, z >= x, y > 0],
                                      "parameters": {s: ANY for s in (x, y, z, p)}}),
    "coefficients": (
        Holds((x**3 + x * y) / (1 + x) >= 1), {"given": [x >= 1, y >= 1],
                                               "parameters": {x: ANY, y: ANY}}),
    "Bernoulli": (
        Holds((1 + x) ** n >= 1 + n * x), {"given": [x > -1],
                                           "parameters": {x: ANY, n: Integer(1, searched=9)}}),
    "up to a constant under a premise": (
        UpToConstant(Implies(x >= 1, x + y <= x * y)),
        {"given": [y >= 1], "parameters": {x: ANY, y: ANY}}),
    "a design": (
        Holds(Eq((lam * I + Xt * X / n) ** -1 * Xt * X * n**-1 + lam * (lam * I + Xt * X / n) ** -1,
                 I)),
        {"worlds": Space(n=Integer(1, searched=3), d=Integer(1, searched=3), F=Matrix("n", "d")),
         "parameters": {lam: POSITIVE},
         "measure": {X: lambda F: F, Xt: lambda F: F.transpose(), I: lambda d: identity(d)}}),
    "determinants": (
        Holds(Eq(A**-1 - B**-1, A**-1 * (B - A) * B**-1)),
        {"given": [Ne(size, 0), Ne(other, 0)],
         "worlds": Space(d=Integer(1, searched=3), A=Matrix("d", "d"), B=Matrix("d", "d")),
         "measure": {size: lambda A: A.det(), other: lambda B: B.det()}}),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_close(name):
    statement, fields = TRUE[name]
    found = prove(statement, **fields)
    assert found.outcome == "proved", found.detail


def test_the_certificate_is_the_same_on_every_machine():
    statement, fields = TRUE["a design"]
    first, second = (prove(statement, **fields) for _ in range(2))
    assert first.detail == second.detail and first.numbers == second.numbers
    assert "regular under the hypotheses" in first.numbers["domain"]
    assert not any(word.endswith("s") and word[:1].isdigit() for word in first.detail.split())


# What must never close.

GRAMS = {"worlds": Space(d=Integer(1, searched=3), K=Gram("d"), S=Matrix("d", "d")),
         "parameters": {lam: ANY}}  # fmt: skip
INVERSE = Holds(Eq((A + lam * I) ** -1 * A + lam * (A + lam * I) ** -1, I))
FALSE = {
    "a branch that fails": (
        Holds(size >= 0), {"parameters": {x: ANY},
                           "measure": {size: lambda x: x if x > -1 else x * x}}),
    "a value that may be missing": (
        Holds(size * x <= 1), {"parameters": {x: ANY}, "measure": {size: lambda x: 1 / x}}),
    "a root that may be missing": (
        Holds(size >= 0), {"parameters": {x: ANY}, "measure": {size: lambda x: square_root(x)}}),
    "one kind fails": (
        Holds(size >= 0),
        {"worlds": Space(kind=Choice(("square", "cube")), u=Real(None, None)),
         "measure": {size: lambda kind, u: u**2 if kind == "square" else u**3}}),
    "a law that is none": (
        Holds(size <= 1), {"worlds": Space(w=Vector(3)), "measure": {size: lambda w: w[0] + w[2]}}),
    "a smaller sum": (
        Holds(size <= Rational(99, 100)),
        {"worlds": Space(w=Weights(3, zeros=True)), "measure": {size: lambda w: w[0] + w[2]}}),
    "sizes searched only up to three": (
        Holds(size <= 3),
        {"worlds": Space(d=Integer(1, searched=3)), "measure": {size: lambda d: d}}),
    "entries of a vector searched only up to one": (
        Holds(size <= 2), {"worlds": Space(w=Vector(2)), "measure": {size: lambda w: w[0] + w[1]}}),
    "a free exponent": (
        Holds(x * y ** (1 - p) <= z),
        {"given": [x > 0, y > 0, z > 0, y <= (z / x) ** (1 / (1 - p))],
         "parameters": {s: ANY for s in (x, y, z)} | {p: Real(2, 3)}}),
    "a base that may be negative": (
        Holds(x**p >= 0), {"parameters": {x: ANY, p: Real(0, 1)}}),
    "an exponential at zero": (
        Holds(exp(-2 * x) < exp(-x)), {"given": [x >= 0], "parameters": {x: ANY}}),
    "a minimum for a maximum": (
        Holds(x <= Min(y, z)), {"given": [x <= Max(y, z), x > 0, y > 0, z > 0],
                                "parameters": {s: ANY for s in (x, y, z)}}),
    "coefficients without the bound": (
        Holds((x**3 + x * y) / (1 + x) >= 1), {"given": [x >= 0, y >= 1],
                                               "parameters": {x: ANY, y: ANY}}),
    "a rate the wrong way": (
        UpToConstant(x * y <= x + y), {"given": [x >= 1, y >= 1], "parameters": {x: ANY, y: ANY}}),
    "Bernoulli below one": (
        Holds((1 + x) ** p >= 1 + p * x), {"given": [x > -1],
                                           "parameters": {x: ANY, p: Real(0, 1)}}),
    "a shift that may vanish": (
        INVERSE, {**GRAMS, "given": [lam >= 0],
                  "measure": {A: lambda K: K, I: lambda d: identity(d)}}),
    "a matrix of either sign": (
        INVERSE, {**GRAMS, "given": [lam > 0],
                  "measure": {A: lambda S: S, I: lambda d: identity(d)}}),
    "the determinant of another matrix": (
        Holds(Eq(A**-1 - B**-1, A**-1 * (B - A) * B**-1)),
        {"given": [Ne(size, 0)],
         "worlds": Space(d=Integer(1, searched=3), A=Matrix("d", "d"), B=Matrix("d", "d")),
         "measure": {size: lambda B: B.det()}}),
    "a probability above the level": (
        WithProbability(Rational(3, 4), size >= 0),
        {"draw": Signs("eps", "k"), "worlds": Space(k=Integer(1, 1)),
         "measure": {size: lambda eps: eps[0]}}),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_and_missing_values_stay_open(name):
    statement, fields = FALSE[name]
    found = prove(statement, **fields)
    assert found.outcome != "proved", found.detail
    assert found.outcome == "refuted" or found.numbers["reason"]


@pytest.mark.parametrize("name", ["a definition", "entries of a law", "a real exponent",
                                  "a convex loss", "coefficients", "a design"])  # fmt: skip
def test_turned_around_nothing_closes(name):
    statement, fields = TRUE[name]
    relation = statement.relation
    if isinstance(relation, sympy.Eq):
        turned = Eq(relation.lhs, -relation.rhs)
    else:
        turned = Le(relation.gts + 1, relation.lts)
    assert prove(Holds(turned), **fields).outcome != "proved"


# Facts.

FALSE_FACTS = {
    "nonnegative": lambda u: u, "positive": lambda u: u * u if u > 1 else fmpq(0),
    "probability": lambda u: u * u,
}  # fmt: skip


def hidden(definition):
    """The same values by code that cannot be read."""
    return lambda u: definition(fmpq(str(u)) if "/" not in str(u) else _split(str(u)))


def _split(text):
    top, bottom = text.split("/")
    return fmpq(int(top), int(bottom))


@pytest.mark.parametrize("fact", FALSE_FACTS)
def test_a_false_fact_is_caught_on_worlds(fact):
    wrong = of_the_library(facts(fact), hidden(FALSE_FACTS[fact]))
    goal = {"nonnegative": size >= 0, "positive": size > 0, "probability": size <= 1}[fact]
    found = prove(Holds(goal), worlds=LINE, measure={size: wrong})
    assert found.outcome is None
    assert "in a sampled world" in found.detail or "sampled world contradicts" in found.detail


def test_false_bounds_are_caught_on_worlds():
    wrong = quantity(bounds=lambda: (0, 1))(hidden(lambda u: u))
    found = prove(Holds(size <= 2), worlds=LINE, measure={size: wrong})
    assert found.outcome is None


def test_a_formula_that_differs_from_its_definition_is_caught():
    example = task(Holds(size <= 1), worlds=LINE, measure={size: lambda u: min(u, 1)})
    (known,) = cases(example.claim)
    assert unsound(example, [known]) == ""
    known.formulas[size] = formula(lambda u: max(u, 1), [Traced(sympy.Symbol("u", real=True))])
    assert "is not its definition" in unsound(example, [known])


def test_unknown_facts_are_refused():
    with pytest.raises(ValueError, match="'round' is no known fact"):
        facts("round")


def declared_in_the_library():
    """One claim of the library for every quantity with facts."""
    from boundcheck.library import load_library, shipped_root

    library, found = load_library(shipped_root()), {}
    for key in library.select([]):
        for symbol, measured in library[key].measure.items():
            known = getattr(measured, "facts", ())
            if known:
                found.setdefault((measured.__module__, measured.__name__, known), (key, symbol))
    return library, sorted(set(found.values()), key=str)


def test_facts_of_the_library_hold_on_random_worlds():
    from boundcheck.checks.proofs.definitions import FACTS
    from boundcheck.search.admissible import Candidates

    library, claims = declared_in_the_library()
    assert len(claims) >= 8
    for key, symbol in claims:
        claim = library[key]
        if claim.undefined:  # no world meets a hypothesis without a value
            continue
        candidates, seen = Candidates(claim), 0
        rng = Task(key, claim, BUDGETS["quick"]).rng("facts")
        known = getattr(claim.measured[symbol.name], "facts", ())
        conditions = [c for fact in known if fact in FACTS for c in FACTS[fact](symbol)]
        for _ in range(40):
            candidate = candidates.random(rng)
            if candidate is None or not listable(claim, candidate.setting):
                continue
            here = candidate.setting
            if symbol.name in claim.random_names:
                here = here.with_outcome(next(iter(claim.draw.outcomes(here)))[1])
            for condition in conditions:
                assert here.decide(condition) is not False, (key, symbol, here.values)
            seen += 1
            if seen >= 4:
                break
        measured = claim.measured[symbol.name]
        derived = isinstance(measured, Definition) and not measured.declared
        assert seen or not conditions or derived, key


def test_largest_entries_of_expressions_are_read_as_such():
    n = world("n", Integer(1, searched=3))
    u, v = (world(name, Vector(n)) for name in "uv")
    i = index("i", n)
    top = greatest(u[i], i) + greatest(v[i], i)
    assert prove(Holds(greatest(u[i] + v[i], i) <= top)).outcome == "proved"
    assert prove(Holds(least(u[i], i) <= greatest(u[i], i))).outcome == "proved"
    assert prove(Holds(greatest(u[i] + v[i], i) >= top)).outcome != "proved"
    assert prove(Holds(least(u[i], i) >= greatest(u[i], i))).outcome != "proved"


def test_entries_of_a_field_of_few_are_numbers_of_their_own():
    law = world("law", Weights(3, zeros=True))
    assert prove(Holds(law[0] + law[1] <= 1)).outcome == "proved"
    assert prove(Holds(law[0] + law[1] <= law[2])).outcome != "proved"


# Proof steps of the library.

STEPS = (
    "livni2017/comparison_rahimi:step_section_4",
    "livni2017/experiment_assumptions:step_dimension",
    "livni2017/lemma_1:step_convexity",
    "livni2017/lemma_1:step_event",
    "livni2017/lemma_2:step_exponents",
    "livni2017/proof_third_term:step_used",
    "wu2021/theorem_4_3:step_lipschitz",
    "yashima2021/lemma_2:step_solve",
    "yashima2021/lemma_3:step_sup",
    "yashima2021/theorem_1_full:step_probability_arxiv",
    "yashima2021/theorem_1_full:step_solve_xi",
    "yashima2021/theorem_3_full:step_split",
    "yashima2021/theorem_3_full:step_xi",
)


@pytest.fixture(scope="module")
def library():
    from boundcheck.library import load_library, shipped_root

    return load_library(shipped_root())


@pytest.mark.parametrize("key", STEPS)
def test_elementary_steps_of_the_library_are_proved(library, key):
    found = run(Task(key, library[key], BUDGETS["quick"]))
    assert found.outcome == "proved", found.detail


@pytest.mark.parametrize("key", ["yashima2021/lemma_3:step_sup", "livni2017/lemma_1:step_convexity",
                                 "yashima2021/theorem_1_full:step_solve_xi",
                                 "livni2017/lemma_2:step_exponents"])  # fmt: skip
def test_a_step_with_its_bound_shrunk_is_not_proved(library, key):
    """step_solve_xi has slack 1, the others are tight somewhere in their ranges."""
    from dataclasses import replace

    claim = library[key]
    relation = claim.statement.relation
    first = relation.args[0] if isinstance(relation, And) else relation
    shrunk = Le(first.lts, first.gts * Rational(9, 10) - sqrt(2) / 10**6, evaluate=False)
    found = run(Task(key, replace(claim, statement=Holds(shrunk)), BUDGETS["quick"]))
    assert found.outcome != "proved"


def test_outcomes_of_a_draw_are_no_formulas():
    found = prove(
        Holds(size >= 0), draw=Indices("k", "w", "one", over="the round"),
        worlds=Space(w=Weights(2), one=Integer(1, 1)), measure={size: lambda k, w: w[k[0]] - 1},
    )  # fmt: skip
    assert found.outcome is None and "uses k[0], an outcome of the draw" in found.detail


# Rows of any size.

ROWS = Space(n=Integer(1, searched=3), k=Integer(1, searched=3), v=Vector("n"), w=Vector("n"),
    far=Vector("k"),
             law=Weights("n"), near=Vector("n", -1, 1))  # fmt: skip


def sup(values):
    return max(abs(value) for value in values)


def sup_gap(v, w):
    return sup([a - b for a, b in zip(v, w, strict=True)])


def counted(v):
    """Its count is no formula, though the entries are used up by an extreme."""
    values, count = [entry for entry in v], 0
    for _ in values:
        count += 1
    return max(values) * 0 + count


ON_ROWS = {
    "triangle": (size <= other + z, {size: sup_gap, other: lambda v: sup(v), z: lambda w: sup(w)}),
    "extremes of a law": (size <= 1, {size: lambda law: max(law)}),
    "least and largest": (size <= other, {size: lambda v: min(v), other: lambda v: max(v)}),
    "entries within a range": (size <= 1, {size: lambda near: sup(near)}),
    "scaled": (size <= 3 * other,
               {size: lambda v: sup([2 * e for e in v]), other: lambda v: sup(v)}),
}  # fmt: skip


@pytest.mark.parametrize("name", ON_ROWS)
def test_extremes_over_rows_of_any_size(name):
    relation, measure = ON_ROWS[name]
    found = prove(Holds(relation), worlds=ROWS, measure=measure)
    assert found.outcome == "proved", found.detail


NOT_ON_ROWS = {
    "half of the triangle": (size <= other, {size: sup_gap, other: lambda v: sup(v)}),
    "the other extreme": (size >= other, {size: lambda v: min(v), other: lambda v: max(v)}),
    "entries searched in a range": (size <= 1, {size: lambda v: sup(v)}),
    "rows of different sizes": (
        size <= other, {size: lambda v: min(v), other: lambda far: max(far)}),
    "a sum": (size <= 1, {size: lambda near: sum(near)}),
    "a number of entries": (size <= 1, {size: lambda v: sum(1 for _ in v)}),
    "a length": (size <= 1, {size: lambda v: len([e for e in v])}),
    "a loop that counts": (size <= 1, {size: counted}),
    "a single entry": (size >= other, {size: lambda v: max(v), other: lambda v: v[0]}),
    "an extreme and its entry": (size <= 0, {size: lambda v: _spread(v)}),
    "indicators counted": (size <= 1, {size: lambda v: sum(int(e > 0) for e in v)}),
}  # fmt: skip


def _spread(v):
    values = [entry for entry in v]
    return max(values) - min(values)


@pytest.mark.parametrize("name", NOT_ON_ROWS)
def test_what_rows_do_not_show_stays_open(name):
    relation, measure = NOT_ON_ROWS[name]
    assert prove(Holds(relation), worlds=ROWS, measure=measure).outcome != "proved"


def test_an_entry_at_a_drawn_place_is_any_entry():
    chosen = dict(
        draw=Indices("pick", "law", "one", over="the round"),
        worlds=ROWS.and_fields(one=Integer(1, 1)),
        measure={size: lambda near, pick: near[pick[0]], other: lambda v, pick: v[pick[0]]},
    )
    assert prove(Holds(size**2 <= 1), **chosen).outcome == "proved"
    assert prove(Holds(other**2 <= 1), **chosen).outcome != "proved"
    assert prove(Holds(size <= other), **chosen).outcome != "proved"
