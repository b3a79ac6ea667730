"""Further arguments of a claim: what is undefined, hidden or true anyway, and its cost.

Claim      t / (1 + t) <= c log(1 + t) with a c that the paper leaves undefined; and the norm of
           the mean of vectors in a ball is at most the radius.
"""

from flint import fmpq
from sympy import log, sqrt, symbols

from boundcheck import Claim, Holds
from boundcheck.worlds import Custom, Integer, Matrix, Real, Space

from . import WORK, t, total

c, square, R, hidden = symbols("c square R hidden", real=True)


def mean_square(x):
    """Squared norm of the mean of the rows."""
    columns = x.transpose().tolist()
    return total((total(column) / x.nrows()) ** 2 for column in columns)


def inside(value, world):
    """Rows of norm at most one."""
    return all(total(v * v for v in row) <= 1 for row in value.tolist())


def rows_of_a_ball(source, earlier):
    """Each row divided by the sum of its moduli."""
    free = Matrix("n", "d").build(source, earlier)
    rows = [[v / (1 + total(map(abs, row))) for v in row] for row in free.tolist()]
    return type(free)(rows)


undefined = Claim(
    source=WORK.at("Remark 6"),
    statement=Holds(t / (1 + t) <= c * log(1 + t)),
    given=[t > 0],
    parameters={t: Real(0, None, open_low=True)},
    undefined={c},
)

printed = Claim(
    source=WORK.at("Lemma 7"),
    statement=Holds(sqrt(square) <= R * hidden),
    given=[R >= 1],
    worlds=Space(
        n=Integer(1, searched=3), d=Integer(1, searched=2), x=Custom(rows_of_a_ball, inside)
    ),
    parameters={R: Real(1, None)},
    measure={square: mean_square, hidden: lambda x: fmpq(1)},
    hidden={hidden},
    trivial=R,
    cost=2.0,
    reading="the constant of the print is one",
)
