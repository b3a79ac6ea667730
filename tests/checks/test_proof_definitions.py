"""Definitions read as formulas, facts, powers by logarithms; what must stay open."""

import pytest
import sympy
from sympy import Abs, And, Eq, Implies, Le, Max, Min, Ne, Piecewise, Rational, exp, sqrt, symbols

from boundcheck import Claim, Holds, Source
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.checks.proof import run
from boundcheck.checks.proofs.definitions import Formula, cases
from boundcheck.checks.proofs.soundness import listable, unsound
from boundcheck.claim import UpToConstant, WithProbability
from boundcheck.expressions import (
    define,
    determinant,
    greatest,
    identity,
    index,
    indicator,
    least,
    norm,
    outcome,
    parameter,
    primitive,
    total,
    world,
)
from boundcheck.expressions.binding import Definition
from boundcheck.quantities.base import facts
from boundcheck.worlds import Gram, Indices, Integer, Matrix, Real, Signs, Vector, Weights

ANY, POSITIVE = Real(None, None), Real(0, None, open_low=True)
PLACE = Source("A", 2024, "Example").at("1")
x, y, z, p = (parameter(name, ANY) for name in "xyzp")
n = parameter("n", Integer(1, searched=9))
lam = parameter("lambda", POSITIVE)
size = sympy.Symbol("size", real=True)
law, loose_law = world("w", Weights(3)), world("w", Weights(3, zeros=True))
pair, three = world("w", Vector(2)), world("w", Vector(3))
rows, cols = (world(name, Integer(1, searched=3)) for name in ("rows", "d"))
F, A, B = (world(name, Matrix(r, cols)) for name, r in (("F", rows), ("A", cols), ("B", cols)))
K, S = world("K", Gram(cols)), world("S", Matrix(cols, cols))
I = identity(cols)
many = world("v", Vector(9))


def task(statement, **fields):
    return Task("a/b:c", Claim(PLACE, statement, **fields), BUDGETS["quick"])


def prove(statement, **fields):
    return run(task(statement, **fields))


@primitive(facts=("nonnegative",))
def declared(v):
    """A primitive of a statement file says what it likes of itself."""
    return v[0]


def test_what_a_statement_file_declares_of_its_own_quantity_proves_nothing():
    for of_its_own in (declared(many), define("size", declared(many), facts=("nonnegative",))):
        found = prove(Holds(of_its_own + 1 > 0))
        assert found.outcome != "proved", found.detail


PYTHON = {
    "a formula": lambda u: abs(u),
    "a constant": lambda u: 1,
    "largest entries": lambda u: max(u, 0),
    "a package's own": facts("nonnegative")(lambda u: u * u),
}


@pytest.mark.parametrize("name", PYTHON)
def test_definitions_in_python_are_not_read(name):
    """They may do more than they say; search tests them."""
    found = prove(
        Holds(size >= 0), parameters={symbols("u", real=True): ANY}, measure={size: PYTHON[name]}
    )
    assert found.outcome is None and "size is Python code" in found.detail


# What closes.

quotient = (lam * I + F.T * F / n) ** -1
TRUE = {
    "a definition": (Holds(define("size", Abs(x)) <= Max(1, x**2)), []),
    "a convex loss": (
        Holds(define("gap", Abs(y) - Abs(x))
              >= define("side", Piecewise((1, x > 0), (-1, x < 0), (0, True))) * (y - x)), []),
    "entries of a law": (Holds(law[0] + law[2] <= 1), []),
    "an indicator": (Holds(x * indicator(x > y) <= Max(x, 0)), []),
    "an indicator of a definition": (
        Holds(define("event", indicator(x**2 > y)) * y <= x**2), [y >= 0]),
    "a fact": (Holds(norm(many) + 1 > 0), []),
    "a real exponent": (
        Holds(x * y ** (1 - p) <= z),
        [x > 0, y > 0, z > 0, y <= (z / x) ** (1 / (1 - p)), p >= 0, p < 1]),
    "a strict exponential": (Holds(exp(-2 * x) < exp(-x)), [x > 0]),
    "a power at zero": (Holds(x * y**p <= z * y**p), [x >= 0, z >= x, y > 0]),
    "coefficients": (Holds((x**3 + x * y) / (1 + x) >= 1), [x >= 1, y >= 1]),
    "Bernoulli": (Holds((1 + x) ** n >= 1 + n * x), [x > -1]),
    "up to a constant under a premise": (
        UpToConstant(Implies(x >= 1, x + y <= x * y)), [y >= 1]),
    "a design": (Holds(Eq(quotient * F.T * F / n + lam * quotient, I)), []),
    "determinants": (
        Holds(Eq(A**-1 - B**-1, A**-1 * (B - A) * B**-1)),
        [Ne(determinant(A), 0), Ne(determinant(B), 0)]),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_close(name):
    statement, given = TRUE[name]
    found = prove(statement, given=given)
    assert found.outcome == "proved", found.detail


def test_the_certificate_is_the_same_on_every_machine():
    statement, given = TRUE["a design"]
    first, second = (prove(statement, given=given) for _ in range(2))
    assert first.detail == second.detail and first.numbers == second.numbers
    assert "regular under the hypotheses" in first.numbers["domain"]
    assert not any(word.endswith("s") and word[:1].isdigit() for word in first.detail.split())


# What must never close.

free = parameter("lambda", ANY)
k = world("k", Integer(1, 1))
eps = outcome("eps", Signs("eps", k))


def split(A):
    """(A + lambda I)^-1 A + lambda (A + lambda I)^-1 = I."""
    return Holds(Eq((A + free * I) ** -1 * A + free * (A + free * I) ** -1, I))


FALSE = {
    "a branch that fails": (
        Holds(define("size", Piecewise((x, x > -1), (x**2, True))) >= 0), []),
    "a value that may be missing": (Holds(define("size", 1 / x) * x <= 1), []),
    "a root that may be missing": (Holds(define("size", sqrt(x)) >= 0), []),
    "an indicator without a value": (Holds(indicator(1 / x > 0) >= 0), []),
    "an indicator below one": (Holds(indicator(x > y) <= Rational(1, 2)), []),
    "a law that is none": (Holds(three[0] + three[2] <= 1), []),
    "a smaller sum": (Holds(loose_law[0] + loose_law[2] <= Rational(99, 100)), []),
    "sizes searched only up to three": (Holds(define("size", rows + 0) <= 3), []),
    "entries of a vector searched only up to one": (Holds(pair[0] + pair[1] <= 2), []),
    "a free exponent": (
        Holds(x * y ** (1 - p) <= z),
        [x > 0, y > 0, z > 0, y <= (z / x) ** (1 / (1 - p)), p >= 2, p <= 3]),
    "a base that may be negative": (Holds(x**p >= 0), [p >= 0, p <= 1]),
    "an exponential at zero": (Holds(exp(-2 * x) < exp(-x)), [x >= 0]),
    "a minimum for a maximum": (
        Holds(x <= Min(y, z)), [x <= Max(y, z), x > 0, y > 0, z > 0]),
    "coefficients without the bound": (
        Holds((x**3 + x * y) / (1 + x) >= 1), [x >= 0, y >= 1]),
    "a rate the wrong way": (UpToConstant(x * y <= x + y), [x >= 1, y >= 1]),
    "Bernoulli below one": (Holds((1 + x) ** p >= 1 + p * x), [x > -1, p >= 0, p <= 1]),
    "a shift that may vanish": (split(K), [free >= 0]),
    "a matrix of either sign": (split(S), [free > 0]),
    "the determinant of another matrix": (
        Holds(Eq(A**-1 - B**-1, A**-1 * (B - A) * B**-1)), [Ne(determinant(B), 0)]),
    "a probability above the level": (
        WithProbability(Rational(3, 4), define("size", eps[0]) >= 0), []),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_and_missing_values_stay_open(name):
    statement, given = FALSE[name]
    found = prove(statement, given=given)
    assert found.outcome != "proved", found.detail
    assert found.outcome == "refuted" or found.numbers["reason"]


@pytest.mark.parametrize("name", ["a definition", "entries of a law", "a real exponent",
                                  "a convex loss", "coefficients", "a design",
                                  "an indicator of a definition"])  # fmt: skip
def test_turned_around_nothing_closes(name):
    statement, given = TRUE[name]
    relation = statement.relation
    if isinstance(relation, sympy.Eq):
        turned = Eq(relation.lhs, -relation.rhs)
    else:
        turned = Le(relation.gts + 1, relation.lts)
    assert prove(Holds(turned), given=given).outcome != "proved"


# Facts.


def test_a_formula_that_differs_from_its_definition_is_caught():
    level = define("level", Min(x, 1))
    example = task(Holds(level <= 1))
    (known,) = cases(example.claim)
    assert unsound(example, [known]) == ""
    known.formulas[level] = Formula(Max(x, 1))
    assert "is not its definition" in unsound(example, [known])


def test_a_false_fact_is_caught_on_worlds():
    level = define("level", x + 0)
    example = task(Holds(level <= x + 1))
    (known,) = cases(example.claim)
    known.conditions.append(level >= 0)
    assert "does not hold in a sampled world" in unsound(example, [known])


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


@pytest.mark.long
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
    two, one = world("w", Weights(2)), world("one", Integer(1, 1))
    place = outcome("k", Indices("k", two, one, over="the round"))
    found = prove(Holds(two[place[0]] - 1 >= 0))
    assert found.outcome is None and found.numbers["reason"]


# Rows of any size.

m = world("m", Integer(1, searched=3))
u, v = (world(name, Vector(m)) for name in "uv")
near, weights = world("near", Vector(m, -1, 1)), world("weights", Weights(m))
other_size = world("q", Integer(1, searched=3))
far = world("far", Vector(other_size))
i, j = index("i", m), index("j", other_size)


def sup(row):
    return greatest(Abs(row[i]), i)


ON_ROWS = {
    "triangle": greatest(Abs(u[i] - v[i]), i) <= sup(u) + sup(v),
    "extremes of a law": greatest(weights[i], i) <= 1,
    "least and largest": least(u[i], i) <= greatest(u[i], i),
    "entries within a range": sup(near) <= 1,
    "scaled": greatest(Abs(2 * u[i]), i) <= 3 * sup(u),
}  # fmt: skip


@pytest.mark.parametrize("name", ON_ROWS)
def test_extremes_over_rows_of_any_size(name):
    found = prove(Holds(ON_ROWS[name]))
    assert found.outcome == "proved", found.detail


NOT_ON_ROWS = {
    "half of the triangle": greatest(Abs(u[i] - v[i]), i) <= sup(u),
    "the other extreme": least(u[i], i) >= greatest(u[i], i),
    "entries searched in a range": sup(u) <= 1,
    "rows of different sizes": least(u[i], i) <= greatest(far[j], j),
    "a sum": total(near[i], i) <= 1,
    "indicators counted": total(indicator(u[i] > 0), i) <= 1,
    "an extreme and an entry": greatest(u[i], i) <= u[0],
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_ON_ROWS)
def test_what_rows_do_not_show_stays_open(name):
    assert prove(Holds(NOT_ON_ROWS[name])).outcome != "proved"


def test_an_entry_at_a_drawn_place_is_any_entry():
    one = world("one", Integer(1, 1))
    pick = outcome("pick", Indices("pick", weights, one, over="the round"))
    within, free = near[pick[0]], u[pick[0]]
    assert prove(Holds(within**2 <= 1)).outcome == "proved"
    assert prove(Holds(free**2 <= 1)).outcome != "proved"
    assert prove(Holds(within <= free)).outcome != "proved"
    # The second of one drawn place is not there, and a place of other rows may lie outside.
    assert prove(Holds(near[pick[1]] ** 2 <= 1)).outcome != "proved"
    outside = world("near", Vector(other_size, -1, 1))
    assert prove(Holds(outside[pick[0]] ** 2 <= 1)).outcome != "proved"
