"""Section 1.2: the continuum limit of l1-penalised random features.

Setting    n points with responses y, a law pi of w, features phi(x; w);
           discrete problem  min_b (1/n) sum_i (sum_{j<=m} b_j phi(x_i; w_j) - y_i)^2
                                   + (lambda/m) sum_j |b_j|,  w_1..w_m independent from pi;
           continuum problem min_b (1/n) sum_i (integral b phi(x_i; .) d pi - y_i)^2
                                   + lambda integral |b| d pi.
Claim      the second problem is the limit of the first as m grows: their values agree in the limit.
Proof of what is computed: for pi on finitely many atoms, all of them drawn, only the total
coefficient of each atom matters and equal signs are best, so the discrete problem is the lasso with
weight lambda/m and the continuum problem the lasso with weight lambda. The value of a lasso is
continuous in its weight, so the discrete value tends to that at weight zero: least squares.
(discrete_values) checks both steps at finite m: the value with all m columns is that of the merged
atoms, and it exceeds least squares by (lambda/m) ||b||_1 at most, b a least-squares solution.
Repair     divide the sum over j by m: the discrete problem is then the continuum problem.
"""

from sympy import Abs, And, Eq, floor

from boundcheck import Claim, Holds
from boundcheck.expressions import block, index, table, total, world
from boundcheck.quantities.lasso import lasso_value
from boundcheck.quantities.rkhs import least_squares_distance, solve_consistent
from boundcheck.settings.rkhs import Phi, l, n, p, penalty, responses
from boundcheck.worlds import Integer

from . import NOTES

y = responses()
copies = world("copies", Integer(1, searched=2), says="How often each of the p atoms is drawn.")
m = copies * p
i, j = index("i", n), index("j", m)
drawn = block(Phi, table(i, i), table(j - p * floor(j / p), j))
least_squares = solve_consistent(Phi.T * Phi, Phi.T * y)

limit = least_squares_distance(Phi, y) / n
continuum = lasso_value(Phi, y, penalty)
merged = lasso_value(Phi, y, penalty / m)
few = {n: Integer(1, searched=2), p: Integer(1, searched=2)}

printed = Claim(
    NOTES.at("Section 1.2"),
    Holds(Eq(limit, continuum)),
    domains=few,
    reading="problems agree in the limit if their least values do, whatever the scale of b_j",
    cost=1.0,
)
discrete_values = Claim(
    NOTES.at("Section 1.2, the discrete problem"),
    Holds(
        And(
            Eq(lasso_value(drawn, y, penalty / m), merged),
            limit <= merged,
            merged <= limit + penalty / m * total(Abs(least_squares[l]), l),
        )
    ),
    domains=few,
    reading="the discrete problem as printed, every atom drawn equally often",
    cost=8.0,
)
repaired = Claim(
    NOTES.at("Section 1.2, repaired"),
    Holds(Eq(lasso_value(drawn / m, y, penalty / m), continuum)),
    domains=few,
    reading="(1/m) sum_j in the fit; every atom drawn equally often",
    cost=8.0,
)
