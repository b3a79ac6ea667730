"""Readings without worlds: shapes that cannot fit, units that cannot balance, facts that hold."""

import importlib
import pkgutil

import pytest
import sympy

from boundcheck import exact, quantities
from boundcheck.errors import MalformedStatement
from boundcheck.expressions import (
    define,
    diagonal,
    form,
    identity,
    index,
    inner,
    mean,
    multiplied,
    norm,
    operator_norm,
    outcome,
    parameter,
    primitive,
    probability,
    supremum,
    total,
    trace,
    variable,
    world,
)  # fmt: skip
from boundcheck.expressions.nodes import PRIMITIVES
from boundcheck.expressions.shapes import shape_of
from boundcheck.expressions.signs import facts_of
from boundcheck.expressions.units import Unbalanced, Units, UnknownUnits, units_of
from boundcheck.worlds import Counts, Integer, Real, Vector


@pytest.mark.parametrize("build, words", [
    (lambda s: trace(s.phi * s.phi), "phi"),
    (lambda s: norm(s.phi * s.x), "multiplies"),
    (lambda s: operator_norm(s.phi + s.gram), "adds"),
    (lambda s: trace(s.phi**2), "only square"),
    (lambda s: s.gram * s.x * s.gram, "from the right|multiplies"),
    (lambda s: trace(s.gram * s.x), "takes a matrix"),
])  # fmt: skip
def test_what_does_not_fit_is_named(build, words, s):
    with pytest.raises(MalformedStatement, match=words):
        shape_of(build(s))


def test_shapes_that_fit(s):
    assert shape_of(s.phi * diagonal(s.tau) * s.phi.T * s.x) == ("n",)
    assert shape_of(s.gram + s.t * identity(s.n)) == ("n", "n")
    assert shape_of(form(s.gram, s.x)) == ()


def test_units_follow_the_formula(s):
    T = s.phi * diagonal(s.tau) * s.phi.T * diagonal(s.rho)
    assert repr(units_of(operator_norm(T))) == "feature^2"
    assert repr(units_of(sympy.sqrt(form(s.gram, s.x)) / norm(s.y))) == "kernel^1/2"
    assert repr(units_of(mean(s.x[s.i] ** 2, s.i, s.rho))) == "label^2"


def test_units_that_do_not_balance_name_the_node(s):
    with pytest.raises(Unbalanced, match="label"):
        units_of(norm(s.x) + norm(s.x) ** 2)
    with pytest.raises(Unbalanced, match="log"):
        units_of(sympy.log(norm(s.x)))

    @primitive()
    def silent(x):
        return x

    with pytest.raises(UnknownUnits, match="silent"):
        units_of(silent(s.x))


def test_products_and_extremes_have_units(s):
    assert repr(units_of(multiplied(s.x[index("k", 3)], index("k", 3)))) == "label^3"
    assert repr(units_of(multiplied(s.t, s.i))) == "1"
    with pytest.raises(Unbalanced, match="label, no fixed number"):
        units_of(multiplied(s.x[s.i], s.i))
    assert repr(units_of(supremum(s.x[0] * s.signs[0], s.signs))) == "label"
    u = variable("u")
    assert repr(units_of(supremum(u * s.x[0], (u, 0, norm(s.y))))) == "label^2"
    with pytest.raises(Unbalanced, match="label of"):
        units_of(supremum(u + 1, (u, 0, norm(s.y))))


def test_a_node_without_units_rule_is_named_with_its_reading(s):
    with pytest.raises(UnknownUnits, match=r"reading of units has no rule for zeta in zeta\(t\)"):
        units_of(sympy.zeta(s.t) + 1)

    @primitive(units=lambda first, second: first - second)
    def narrow(first):
        return first

    with pytest.raises(UnknownUnits, match="narrow do not fit its operands"):
        units_of(narrow(s.x))


def test_rules_of_units_fit_the_operands_of_every_primitive():
    for info in pkgutil.iter_modules(quantities.__path__):
        importlib.import_module(f"boundcheck.quantities.{info.name}")
    own = {name: p for name, p in PRIMITIVES.items() if name.startswith("boundcheck.")}
    ruled = [p for p in own.values() if callable(p.units)]
    assert len(ruled) >= 20
    for each in ruled:
        assert isinstance(each.units(*[Units({"label": 2})] * each.fewest), Units), each


FACTS = [
    (lambda s: norm(s.x), "nonnegative", True),
    (lambda s: norm(s.x) + sympy.exp(s.x[0]), "positive", True),
    (lambda s: mean(s.x[s.i] ** 2, s.i, s.rho), "nonnegative", True),
    (lambda s: mean(s.x[s.i], s.i, s.rho), "nonnegative", False),
    (lambda s: total(sympy.exp(s.x[s.i]), s.i), "positive", False),  # a sum over nothing is zero
    (lambda s: s.x[0] * s.x[1], "nonnegative", False),
    (lambda s: probability(s.counts[0] >= 1, s.counts), "probability", True),
    (lambda s: s.rho[0], "probability", True),
    (lambda s: s.t, "positive", True),
    (lambda s: sympy.log(s.t), "nonnegative", False),
    (lambda s: s.t - 1, "nonnegative", False),
]


@pytest.mark.parametrize("case", range(len(FACTS)))
def test_facts_are_claimed_where_they_hold_and_nowhere_else(case, s, settings):
    build, fact, expected = FACTS[case]
    expr = build(s)
    assert (fact in facts_of(expr)) is expected
    for setting in settings:
        value = exact.to_float(exact.compiled(expr)(setting.__getitem__))
        if "positive" in facts_of(expr):
            assert value > 0
        if "nonnegative" in facts_of(expr):
            assert value >= 0
        if "probability" in facts_of(expr):
            assert 0 <= value <= 1


def test_an_index_needs_something_that_binds_it(s):
    with pytest.raises(MalformedStatement, match=r"index i .* bind it"):
        define("loose", s.x[s.i])


def test_sums_run_over_indices_only(s):
    with pytest.raises(MalformedStatement, match="no index"):
        total(s.t, s.t)


def test_an_outcome_is_named_as_its_draw_names_it(s):
    with pytest.raises(MalformedStatement, match="yields counts and no drawn"):
        outcome("drawn", Counts("counts", s.tau, s.M))


def test_operands_are_counted(s):
    with pytest.raises(MalformedStatement, match="takes left, right"):
        inner(s.x)


def test_latex_is_what_the_symbol_says():
    n = world("n", Vector(2), latex=r"\vec n")
    t = parameter("t", Real(0, 1))
    assert sympy.latex(norm(n) ** 2 * t) == r"t \left\|\vec n\right\|^{2}"
    i = index("i", 2)
    assert str(total(n[i], i)) == "total(n[i], i)"


def test_what_a_statement_file_declares_proves_nothing(s):
    @primitive(facts=("nonnegative",))
    def wrong(x):
        return x - 5

    boasting = define("boasting", s.t - 5, facts=("positive",))
    assert facts_of(wrong(s.t)) == () and facts_of(boasting) == ()


def test_entries_of_a_field_with_a_least_value():
    from boundcheck.expressions import entry

    assert "positive" in facts_of(entry(world("v", Vector(2, 0, open_low=True)), 0))
    assert facts_of(entry(world("v", Vector(2, -1)), 0)) == ()


def test_a_number_is_no_sequence_and_has_no_entries():
    n = world("n", Integer(1, 5))
    assert str(sympy.Mod(n, 2)) == "Mod(n, 2)"
    with pytest.raises(TypeError):
        n[0]
