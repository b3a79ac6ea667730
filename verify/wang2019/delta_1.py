"""(20): mean of Delta_1 over the test point, on the event (18).

Setting    on the event (18) E_{x'} Delta_1 is at most
           (1/n) U (S^2 + n l)^-1 S (S^2 + n l [I_s (+) 0_{n-s}]) S (S^2 + n l)^-1 U^T <= I / n,
           with Psi = U S V^T, U and S of size n x n, V of size s x n.
Claim      the display as printed; order of matrices through the quadratic forms at U w.
More points  the same display for s <= n, where it has a value.
Conclusion on (18), E_{x'} Delta_1 <= I / n.
"""

from sympy import And

from boundcheck import Claim, Holds
from boundcheck.expressions import diagonal, direct_sum, form, identity, inner, world, zeros
from boundcheck.settings.random_features import E_test, fixed, fixed_draw, ridge, s, x
from boundcheck.worlds import Vector

from . import NOTES, Delta_1

n = fixed.n
w = world("w", Vector(n), says="Any vector.")
values = world(
    "sigma", Vector(n, 0, searched=(0, 2)), latex=r"\sigma", says="Singular values of Psi."
)
S, shift = diagonal(values), n * ridge * identity(n)
outside = (S**2 + shift) ** -1 * S


def bound(middle):
    """w^T (1/n) (S^2 + n l)^-1 S (S^2 + middle) S (S^2 + n l)^-1 w."""
    return form(S**2 + middle, outside * w) / n


padded = direct_sum(identity(s), zeros(n - s))
display = And(
    bound(n * ridge * padded) <= bound(shift),
    bound(shift) <= inner(w, w) / n,
)

printed = Claim(
    NOTES.at("(20)"),
    Holds(display),
    uses=("wang2019/event_18:printed",),
    reading="S holds the n diagonal entries of the decomposition with the shapes of the text.",
)
more_points = Claim(
    NOTES.at("(20)"),
    Holds(display),
    given=[s <= n],
    reading="With no more features than points, which the text does not ask for.",
)
conclusion = Claim(
    NOTES.at("(20)"),
    Holds(E_test(form(Delta_1(x, fixed_draw), w)) <= inner(w, w) / n),
    given=[fixed_draw.excess <= ridge],
    uses=("wang2019/event_18:printed",),
    cost=4.0,
)
