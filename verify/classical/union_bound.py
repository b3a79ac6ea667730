"""The union bound and its second-order correction.

Setting    events E_1..E_n on K atoms with weights p: event i holds at atom k iff table[i, k] = 1.
Claim      S_1 - S_2 <= P(some E_i) <= S_1, S_1 = sum P(E_i), S_2 = sum over pairs.
False      P(some E_i) <= S_1 - S_2, and P(some E_i) <= max P(E_i).
"""

from flint import fmpq_mat
from sympy import symbols

from boundcheck import Claim, Holds
from boundcheck.worlds import Custom, Integer, Matrix, Space, Weights

from . import FOLKLORE, total

union, S1, S2, largest = symbols("union S1 S2 largest", real=True)


def events(source, earlier):
    """An n x K table of zeros and ones."""
    rows, cols = int(earlier["n"]), int(earlier["K"])
    return fmpq_mat(rows, cols, [source.integer(0, 1) for _ in range(rows * cols)])


def is_event_table(value, world):
    zeros_and_ones = Matrix("n", "K", 0, 1).admits(value, world)
    return zeros_and_ones and all(entry in (0, 1) for entry in value.entries())


def chance(table, p, *which):
    """Probability that all the events listed hold."""
    return total(w for k, w in enumerate(p) if all(table[i, k] for i in which))


def some(table, p):
    """P(some E_i)."""
    return total(w for k, w in enumerate(p) if any(table[i, k] for i in range(table.nrows())))


def first_sum(table, p):
    """S_1."""
    return total(chance(table, p, i) for i in range(table.nrows()))


def second_sum(table, p):
    """S_2."""
    rows = table.nrows()
    return total(chance(table, p, i, j) for i in range(rows) for j in range(i))


SETTING = {
    "source": FOLKLORE.at("union bound"),
    "worlds": Space(
        n=Integer(1, searched=3), K=Integer(1, searched=4), table=Custom(events, is_event_table),
        p=Weights("K", zeros=True)
    ),
    "measure": {
        union: some, S1: first_sum, S2: second_sum,
        largest: lambda table, p: max(chance(table, p, i) for i in range(table.nrows())),
    },
}  # fmt: skip

printed = Claim(statement=Holds(union <= S1), **SETTING)
lower = Claim(statement=Holds(union >= S1 - S2), **SETTING)
corrected_above = Claim(statement=Holds(union <= S1 - S2), **SETTING)
largest_only = Claim(statement=Holds(union <= largest), **SETTING)
