"""Is the Bayes rule of section 5 in the Gaussian RKHS?

Setting    g_* = log 4 on two squares and -log 4 on the other two; Gaussian kernel of any width.
Claim      (Assumption on the Bayes rule) ||g_*||_H is finite: one constant is above the lower bound
           that Taylor's formula of every order k gives for a function that is constant on one
           square and jumps by 2 log 4 to the next, 1/5 away.
Without end  that bound at least doubles from k to k + 1 as soon as k >= 8 / (25 width^2), so no
           constant serves. (Functions in H are analytic: constant on a square, constant anywhere.)
"""

from flint import fmpq

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.expressions import define, parameter
from boundcheck.settings.four_squares import GAP, HEIGHT, jump_norm
from boundcheck.worlds import Family, Integer, Real, doublings

from . import ARXIV

order = parameter("k", Integer(1, searched=60), says="Order of Taylor's formula.")
width = parameter("width", Real(0, None, open_low=True, searched=("1/20", 4)))
norm = define(
    "norm", jump_norm(order, width, GAP, 2 * HEIGHT), says="Lower bound of ||g_*||_H."
)
FAMILIES = tuple(
    Family(
        f"order {first} + log2(size), width {name}",
        lambda size, value=value, first=first: {
            "k": first + size.bit_length() - 1,
            "width": value,
        },
        doublings(1, 10),
    )
    for name, value, first in (
        ("1/10", fmpq(1, 10), 33),
        ("3/10", fmpq(3, 10), 4),
        ("1", fmpq(1), 1),
        ("4", fmpq(4), 1),
    )
)

printed = Claim(
    ARXIV.at("section 5 under Assumption 7; AISTATS section 5 under Assumption 6"),
    UpToConstant(norm <= 1, depends=("width",)),
    given=[width > 0],
    families=FAMILIES,
    reading="along a line that crosses two squares with different labels, which every choice of "
    "the two squares has; the width of the kernel is not printed",
    cost=2,
)

without_end = Claim(
    printed.source,
    # (k + 1) (5 width) / (2 k + 1)^(1/2), the factor from k to k + 1, squared.
    Holds(25 * width**2 * (order + 1) ** 2 >= 4 * (2 * order + 1)),
    given=[width > 0, 25 * width**2 * order >= 8],
    domains={order: Integer(1, searched=200), width: Real(0, None, open_low=True)},
)
