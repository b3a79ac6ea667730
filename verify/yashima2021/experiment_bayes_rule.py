"""Is the Bayes rule of section 5 in the Gaussian RKHS?

Setting    g_* = log 4 on two squares and -log 4 on the other two; Gaussian kernel of any width.
Claim      (Assumption on the Bayes rule) ||g_*||_H is finite: the norms of its interpolants at ever
           more points stay below one number.
"""

from flint import arb, fmpq
from sympy import symbols

from boundcheck import Claim, UpToConstant
from boundcheck.quantities.four_cells import interpolation_norm
from boundcheck.worlds import Family, Integer, Real, doublings

from . import ARXIV

norm, nodes, width = symbols("norm nodes width", real=True)


def star_norm(nodes, width):
    """Lower bound of ||g_*||_H from the given number of points in each of two squares."""
    return interpolation_norm(int(nodes), fmpq(width), arb(4).log())


FAMILIES = tuple(
    Family(
        f"{first} + log2(size) points in each square, width {width_text}",
        lambda size, value=value, first=first: {
            "nodes": first + size.bit_length() - 1,
            "width": value,
        },
        doublings(1, 10),
    )
    for width_text, value, first in (
        ("1/10", fmpq(1, 10), 24),
        ("3/10", fmpq(3, 10), 10),
        ("1", fmpq(1), 6),
        ("4", fmpq(4), 6),
    )
)

printed = Claim(
    source=ARXIV.at("section 5 under Assumption 7; AISTATS section 5 under Assumption 6"),
    statement=UpToConstant(norm <= 1),
    given=[width > 0],
    parameters={nodes: Integer(1, searched=12), width: Real("1/20", 4)},
    measure={norm: star_norm},
    families=FAMILIES,
    reading="points on a line that crosses two squares with different labels, which every choice "
    "of the two squares has; the width of the kernel is not printed",
    cost=20,
)
