"""Worlds under changed statements: the same answers as anew, and less work."""

import sympy
from flint import fmpq
from sympy import Eq, symbols

from boundcheck import Claim, Holds, Source, WithProbability
from boundcheck.diagnosis.trial import fails_at
from boundcheck.diagnosis.views import Views
from boundcheck.setting import Setting
from boundcheck.worlds import Counts, Integer, Real, Space, Weights

WORK = Source("Folklore", 1900, "Statements")
x, square, M, heads = symbols("x square M heads", real=True)


def test_a_quantity_is_computed_once_for_all_changes():
    asked = []

    def squared(x):
        asked.append(x)
        return x * x

    def claim(relation):
        return Claim(source=WORK.at("1"), statement=Holds(relation), measure=measure,
                     parameters={x: Real(0, 9)})  # fmt: skip

    measure = {square: squared}
    views = Views(claim(Eq(square, x)), 100)
    views.add([{"x": fmpq(2)}])
    assert [views.refute(claim(Eq(square, value))) for value in (3, 4, 2 * x, x + 1)] == [
        True, False, False, True
    ]  # fmt: skip
    assert len(asked) == 1


def test_another_definition_is_not_taken_for_the_same():
    views = Views(Claim(source=WORK.at("1"), statement=Holds(Eq(square, x)),
                        measure={square: lambda x: x * x}, parameters={x: Real(0, 9)}), 100)
    views.add([{"x": fmpq(2)}])
    other = Claim(source=WORK.at("1"), statement=Holds(Eq(square, 4)),
                  measure={square: lambda x: x + 7}, parameters={x: Real(0, 9)})  # fmt: skip
    assert not views.refute(Claim(source=WORK.at("1"), statement=Holds(Eq(square, 4)),
                                  measure={square: lambda x: x * x}, parameters={x: Real(0, 9)}))
    assert views.refute(other)


def test_draws_too_many_to_list_are_not_listed():
    claim = Claim(
        source=WORK.at("1"), statement=WithProbability(sympy.Rational(1, 2), Eq(heads, 0)),
        worlds=Space(K=Integer(2, 2), tau=Weights("K")), draw=Counts("counts", "tau", "M"),
        measure={heads: lambda counts: counts[0]},
        parameters={M: Integer(1, wide=True, searched=9)},
    )  # fmt: skip
    huge = {"K": 2, "tau": (fmpq(1, 2), fmpq(1, 2)), "M": 10**15}
    assert not fails_at(Setting(claim, huge), 100)
    assert fails_at(Setting(claim, {**huge, "M": 3}), 100)
