"""A defect is never a verdict: broken statements, failed checks, the contract of quantities."""

import random

import pytest
import sympy
from flint import arb, fmpq, fmpq_mat

from boundcheck import Claim, Holds, Source
from boundcheck.checks import enumeration, proof
from boundcheck.contract import defect, require_repeatable, same
from boundcheck.engine import verify
from boundcheck.errors import Broken, Undecided, Undefined
from boundcheck.faults import Fault, fault_of, said
from boundcheck.setting import Setting
from boundcheck.verdict import Evidence, conclude
from boundcheck.worlds import Integer, Matrix, Real
from boundcheck.worlds.draws import Listed
from boundcheck.worlds.fields import Field
from boundcheck.worlds.space import Space

PLACE = Source("A. Author", 2020, "A work").at("Lemma 1")
u, w = sympy.symbols("u w", real=True)


def measured(value, relation=w <= 1, **more):
    return Claim(
        source=PLACE, statement=Holds(relation), parameters={u: Real(0, 1)}, measure={w: value},
        **more,
    )  # fmt: skip


def raising(error):
    def value(u):
        raise error

    return value


@pytest.mark.parametrize(
    ("value", "exception", "words"),
    [
        (raising(ValueError("no such thing")), "ValueError", "no such thing"),
        (raising(SystemExit(0)), "SystemExit", "raised it"),
        (raising(KeyboardInterrupt()), "KeyboardInterrupt", "raised it"),
        (raising(GeneratorExit()), "GeneratorExit", "raised it"),
        (raising(ZeroDivisionError("division by zero")), "ZeroDivisionError", "by zero"),
        (lambda u: undefined_name, "NameError", "undefined_name"),  # noqa: F821
        (lambda u: None, "contract", "is None"),
        (lambda u: 0.5, "contract", "the float 0.5"),
        (lambda u: float("nan"), "contract", "the float nan"),
        (lambda u: u > 2, "contract", "the bool False"),
        (lambda u: (u,), "contract", "where a relation reads a number"),
        (lambda u: "one", "contract", "where a relation reads a number"),
        (lambda u: arb("nan"), "contract", "not finite"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_defective_quantity_is_broken_with_the_place_and_the_world(value, exception, words):
    verdict = verify("mine/a:printed", measured(value), controls=False)
    assert verdict.outcome == "broken", str(verdict)
    assert verdict.fault.exception == exception and words in verdict.fault.message
    assert verdict.fault.file == __file__ and verdict.fault.line > 0
    assert list(verdict.fault.world) == ["u"]
    entry = verdict.as_json()
    assert entry["verdict"] == "broken" and entry["fault"]["world"] and entry["witness"] is None
    assert entry["error_probability"] == 0 and entry["slack"] is None


W = sympy.Symbol("W", commutative=False)
SQUARE = sympy.MatrixSymbol("S", 2, 2)
n = sympy.Symbol("n", integer=True)
SIZED = sympy.MatrixSymbol("S", n, n)


def filled(rows, cols):
    return lambda u: fmpq_mat(rows, cols, [u] * (rows * cols))


@pytest.mark.parametrize(
    ("symbol", "value", "relation", "words"),
    [
        (w, filled(2, 1), w <= 1, "a 2 x 1 matrix, where w is declared a number"),
        (w, filled(1, 1), sympy.Eq(w, 0), "a 1 x 1 matrix, where w is declared a number"),
        (w, filled(0, 0), sympy.Eq(w, u), "a 0 x 0 matrix, where w is declared a number"),
        (W, lambda u: u, sympy.Eq(W, 0), "the number"),
        (W, lambda u: arb(2).sqrt(), sympy.Eq(W * W, W), "where W is declared a matrix"),
        (W, lambda u: (u, u), sympy.Eq(W, 0), "the tuple"),
        (SQUARE, filled(2, 3), sympy.Eq(SQUARE, SQUARE.T), "a 2 x 3 matrix, where S is declared 2"),
        (SQUARE, filled(1, 1), sympy.Eq(SQUARE, 2 * SQUARE), "declared 2 x 2"),
    ],
)  # fmt: skip
def test_a_value_of_another_shape_than_its_symbol_is_broken(symbol, value, relation, words):
    claim = Claim(
        source=PLACE, statement=Holds(relation), parameters={u: Real(0, 1)}, measure={symbol: value}
    )
    verdict = verify("mine/a:printed", claim, controls=False)
    assert verdict.outcome == "broken", str(verdict)
    assert words in verdict.fault.message and ";" in verdict.fault.message
    assert verdict.fault.file == __file__ and verdict.fault.world


def test_a_size_that_a_symbol_states_may_be_one_of_the_world():
    def claim(more):
        return Claim(
            source=PLACE, statement=Holds(sympy.Eq(SIZED * SIZED, SIZED)),
            parameters={n: Integer(1, 3)},
            measure={SIZED: lambda n: fmpq_mat(n + more, n, [0] * (n * (n + more)))},
        )  # fmt: skip

    assert verify("mine/a:printed", claim(0), controls=False).outcome != "broken"
    verdict = verify("mine/a:printed", claim(1), controls=False)
    assert verdict.outcome == "broken" and "S is declared" in verdict.fault.message


@pytest.mark.parametrize("given", [(), (u >= 0,)])
def test_a_field_of_another_shape_than_its_symbol_is_broken(given):
    """Even where no world meets the hypotheses, which have no value."""
    claim = Claim(
        source=PLACE, statement=Holds(u <= 1), given=given, parameters={u: Matrix(2, 2)}
    )
    verdict = verify("mine/a:printed", claim, controls=False)
    assert verdict.outcome == "broken" and "u is a 2 x 2 matrix" in verdict.fault.message


@pytest.mark.parametrize(("symbol", "outcome"), [(w, "broken"), (W, "refuted")])
def test_an_outcome_of_another_shape_than_its_symbol_is_broken(symbol, outcome):
    both = [(fmpq(1, 2), {symbol.name: filled(1, 1)(side)}) for side in (1, 2)]
    claim = Claim(
        source=PLACE, statement=Holds(sympy.Eq(symbol, 0)),
        draw=Listed((symbol.name,), lambda: both, over="signs"),
    )  # fmt: skip
    assert verify("mine/a:printed", claim, controls=False).outcome == outcome


def test_matrices_compared_by_order_are_malformed_and_no_defect():
    """The statement's own fault: the value is what its symbol promises."""
    claim = Claim(
        source=PLACE, statement=Holds(sympy.Le(W, 1, evaluate=False)),
        parameters={u: Real(0, 1)}, measure={W: filled(2, 2)},
    )  # fmt: skip
    verdict = verify("mine/a:printed", claim, controls=False)
    assert verdict.outcome == "malformed" and "compared by order" in verdict.summary


def test_where_a_quantity_says_that_it_has_no_value_the_statement_is_malformed():
    verdict = verify("mine/a:printed", measured(raising(Undefined("no value"))), controls=False)
    assert verdict.outcome == "malformed" and verdict.fault is None


@pytest.mark.parametrize("value", [lambda u: fmpq(1, 3), lambda u: 1, lambda u: arb(1) / 3])
def test_a_quantity_that_keeps_the_contract_is_supported(value):
    assert verify("mine/a:printed", measured(value), controls=False).outcome in (
        "supported", "proved",
    )  # fmt: skip


def test_an_impure_quantity_is_broken_and_not_refuted():
    verdict = verify("mine/a:printed", measured(lambda u: random.randrange(4)), controls=False)
    assert verdict.outcome == "broken" and verdict.fault.exception == "impure"


def test_what_changes_once_in_a_while_is_caught_before_it_refutes(monkeypatch):
    """Pure in the worlds looked at first, so that only the look before a refutation is left."""
    calls = []

    def value(u):
        calls.append(u)
        return 2 if len(calls) > 200 and len(calls) % 3 else 0

    verdict = verify("mine/a:printed", measured(value), controls=False)
    assert verdict.outcome == "broken", str(verdict)
    assert verdict.fault.exception == "impure"


def test_a_violation_that_is_gone_at_its_witness_is_a_failed_check_and_no_refutation(monkeypatch):
    def forged(task):
        witness = task.witness("exact", Setting(task.claim, {"u": fmpq(1, 2)}), {"left": "2"})
        return Evidence("enumeration", "refuted", "fails", kind="exact", witness=witness)

    monkeypatch.setattr(enumeration, "run", forged)
    verdict = verify("mine/a:printed", measured(lambda u: u**2 / 2 + u**3 / 2), controls=False)
    assert verdict.outcome == "failed" and "not found again" in verdict.summary


def test_a_crash_of_ours_is_a_failed_check_whatever_the_others_say(monkeypatch):
    def crash(task):
        raise ModuleNotFoundError("No module named 'pkg_resources'")

    claim = Claim(source=PLACE, statement=Holds(u / 2 <= 1), parameters={u: Real(0, 1)})
    assert verify("mine/a:printed", claim).outcome == "proved"
    # The frame of this test file would count as the statement's own code.
    monkeypatch.setattr("boundcheck.faults.of_the_statement", lambda file: False)
    monkeypatch.setattr("boundcheck.checks.proofs.attempt.Attempt", crash)
    verdict = verify("mine/a:printed", claim)
    assert verdict.outcome == "failed" and "pkg_resources" in verdict.summary
    assert verdict.fault.state == "failed" and verdict.fault.check == "proof"


def test_a_certified_refutation_stands_beside_a_failed_check_which_is_still_said(monkeypatch):
    def crash(task):
        raise RuntimeError("ours")

    monkeypatch.setattr(proof, "run", crash)
    monkeypatch.setattr("boundcheck.faults.of_the_statement", lambda file: False)
    verdict = verify("mine/a:printed", measured(lambda u: 2 * u), controls=False)
    assert verdict.outcome == "refuted" and verdict.fault.state == "failed"
    assert verdict.as_json()["fault"]["message"] == "ours"


def test_a_defect_of_the_statement_outweighs_a_refutation():
    kept = Evidence("enumeration", "refuted", "fails", kind="exact")
    broken = Evidence("controls", None, "", fault=Fault("broken", "ValueError", "text"))
    assert conclude("a/b:c", [kept, broken], 0.0).outcome == "broken"
    failed = Evidence("controls", None, "", fault=Fault("failed", "ValueError", "text"))
    assert conclude("a/b:c", [kept, failed], 0.0).outcome == "refuted"


def test_worlds_left_undecided_are_not_counted_as_held():
    """Undecided for u above 1/2, where the gap of 2^-2000 is below what balls can see."""
    tiny = fmpq(1, 2**2000)

    def value(u):
        return arb(2).sqrt() ** 2 / 2 - tiny if u > fmpq(1, 2) else fmpq(1, 2)

    item = _enumeration(measured(value, w < 1))
    left, held = item.numbers["left undecided"], item.numbers["tested"]
    assert item.outcome == "supported" and left > 10 and held > 10
    assert left + held == item.numbers["evaluated"]
    assert f"held in {held} worlds, {left} left undecided" in item.detail
    none = _enumeration(measured(lambda u: arb(2).sqrt() ** 2 / 2 - tiny, w < 1))
    assert none.outcome == "undecided" and "left undecided" in none.detail
    raised = _enumeration(measured(raising(Undecided("too wide")), w < 1))
    assert raised.outcome == "undecided" and raised.numbers["left undecided"] > 10


def _enumeration(claim):
    found = verify("mine/a:printed", claim, controls=False)
    return next(item for item in found.evidence if item.check == "enumeration")


def test_a_field_of_rows_of_different_lengths_is_no_crash():
    class Ragged(Field):
        def build(self, source, earlier):
            return tuple(tuple([fmpq(1)] * k) for k in range(1, source.integer(2, 4)))

        def admits(self, value, earlier):
            return True

    claim = Claim(
        source=PLACE, statement=Holds(w <= 10), worlds=Space(rows=Ragged()),
        measure={w: lambda rows: sum(map(len, rows))},
    )  # fmt: skip
    verdict = verify("mine/a:printed", claim, controls=False)
    assert verdict.outcome == "undecided"
    assert "decided in 3 different worlds only" in verdict.summary


def test_the_contract_names_what_is_wrong():
    assert defect(fmpq_mat(1, 1), True) == "" and defect((fmpq(1), ("a", 2)), False) == ""
    assert defect((fmpq(1), (0.5,)), False) == "a tuple with a tuple with the float 0.5"
    assert same((arb(2).sqrt(), 1), (arb(2).sqrt(), 1)) and not same(arb(1), fmpq(1))
    assert not same(arb(2).sqrt(), arb(2).sqrt() + arb(0, 1e-9))
    with pytest.raises(Broken, match="is 1 and then 2"):
        values = iter([1, 2])
        setting = Setting(measured(lambda u: next(values)), {"u": fmpq(0)})
        setting("w")
        require_repeatable(setting)


def test_what_no_relation_reads_is_not_evaluated_for_the_contract():
    x = sympy.Symbol("x", real=True)
    claim = Claim(
        source=PLACE, statement=Holds(w <= 1), parameters={u: Real(0, 1)},
        measure={w: lambda u: 2 * u, x: raising(RuntimeError("too dear"))},
    )  # fmt: skip
    assert verify("mine/a:printed", claim, controls=False).outcome == "refuted"


def test_a_message_is_one_printable_line_even_if_its_text_fails():
    class Silent(Exception):
        def __str__(self):
            raise SystemExit(0)

    assert said(Silent()) == "Silent"
    assert said(ValueError("a\nb\x1b[31m")) == "a b\\x1b[31m"
    assert len(said(ValueError("x" * 10_000))) <= 400
    assert fault_of(Silent()).exception == "Silent"
