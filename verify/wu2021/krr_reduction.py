"""(2.1) with square loss and r(t) = t^2 against (1.3) and (2.5).

Setting    features in R^p, responses y, lambda > 0;
           (2.1)  (1/(2n)) sum_i (<b, Phi(x_i)> - y_i)^2 + lambda ||b||^2,
           (1.3)  (1/n)    sum_i (<b, Phi(x_i)> - y_i)^2 + lambda ||b||^2,
           (2.5)  (1/n) ||K a - y||^2 + lambda a^T K a.
Claim      (2.1) is the problem (1.3), and it reduces to (2.5): all three have the same solution.
Repair     (1.3) and (2.5) have the same solution and the same least value.
"""

from sympy import And, Eq

from boundcheck import Claim, Holds
from boundcheck.expressions import form, identity, inner
from boundcheck.settings.rkhs import Phi, n, p, penalty, responses

from . import NOTES

y, K = responses(), Phi * Phi.T


def ridge(weight):
    """Minimiser of weight ||Phi b - y||^2 + lambda ||b||^2."""
    return (weight * Phi.T * Phi + penalty * identity(p)) ** -1 * (weight * Phi.T * y)


a = (K + n * penalty * identity(n)) ** -1 * y
b = ridge(1 / n)
least_ridge = inner(Phi * b - y, Phi * b - y) / n + penalty * inner(b, b)
least_reduced = inner(K * a - y, K * a - y) / n + penalty * form(K, a)

printed = Claim(
    NOTES.at("(1.3), (2.1), (2.5)"),
    Holds(And(Eq(ridge(1 / (2 * n)), b), Eq(b, Phi.T * a))),
    uses=("wu2021/theorem_2_1:printed", "wu2021/reduced_model:printed"),
    reading="one lambda throughout, as printed; problems agree if their solutions do",
    cost=0.6,
)
repaired = Claim(
    NOTES.at("(1.3), (2.5)"),
    Holds(And(Eq(b, Phi.T * a), Eq(least_ridge, least_reduced))),
    cost=0.6,
)
