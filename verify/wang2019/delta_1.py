"""(20): mean of Delta_1 over the test point, on the event (18).

Setting    on the event (18) E_{x'} Delta_1 is at most
           (1/n) U (S^2 + n l)^-1 S (S^2 + n l [I_s (+) 0_{n-s}]) S (S^2 + n l)^-1 U^T <= I / n,
           with Psi = U S V^T, U and S of size n x n, V of size s x n.
Claim      the display as printed; order of matrices through the quadratic forms at U w.
More points  the same display for s <= n, where it has a value.
Conclusion on (18), E_{x'} Delta_1 <= I / n.
"""

from flint import fmpq
from sympy import And, symbols

from boundcheck import Claim, Holds
from boundcheck.errors import ShapeMismatch
from boundcheck.quantities.features import drawn_excess
from boundcheck.quantities.operators import diagonal, dot, identity, quadratic_form
from boundcheck.quantities.ridge import mean_feature_term
from boundcheck.worlds import Integer, Real, Space, Vector

from . import NOTES, drawn_features, n, ridge

first, second, length, form, excess = symbols("first second length form excess", real=True)


def direct_sum(ones, zeros):
    """I_ones (+) 0_zeros."""
    if zeros < 0:
        raise ShapeMismatch(f"I_{ones} (+) 0_{zeros}: a block of negative size")
    return diagonal((1,) * ones + (0,) * zeros)


def _between(singular, middle, lambda_):
    """(S^2 + n l)^-1 S middle S (S^2 + n l)^-1 for S = diag(singular)."""
    outer = diagonal([v / (v**2 + len(singular) * fmpq(lambda_)) for v in singular])
    return outer * middle * outer


def printed_form(singular, n, s, lambda_, w):
    """w^T ... w with the middle factor S^2 + n l [I_s (+) 0_{n-s}]."""
    middle = diagonal([v**2 for v in singular]) + direct_sum(s, n - s) * (n * fmpq(lambda_))
    return quadratic_form(_between(singular, middle, lambda_), w)


def enlarged_form(singular, n, lambda_, w):
    """w^T ... w with the middle factor S^2 + n l I_n."""
    middle = diagonal([v**2 for v in singular]) + identity(n) * (n * fmpq(lambda_))
    return quadratic_form(_between(singular, middle, lambda_), w)


def squared_length(w):
    """||w||^2."""
    return dot(w, w)


def mean_form(phi, rho, features, sample, lambda_, w):
    """w^T E_{x'}[Delta_1] w."""
    return quadratic_form(mean_feature_term(phi, rho, features, sample, lambda_), w)


SETTING = {
    "source": NOTES.at("(20)"),
    "statement": Holds(And(first / n <= second / n, second / n <= length / n)),
    "parameters": {ridge: Real(0, None, open_low=True)},
    "measure": {first: printed_form, second: enlarged_form, length: squared_length},
}

printed = Claim(
    worlds=Space(
        n=Integer(1, searched=3), s=Integer(1, searched=3), singular=Vector("n", 0, 2),
        w=Vector("n")
    ),
    uses=("wang2019/event_18:as_used",),
    reading="S holds the n diagonal entries of the decomposition with the shapes of the text.",
    **SETTING,
)

more_points = Claim(
    worlds=Space(
        n=Integer(1, searched=3), s=Integer(1, "n"), singular=Vector("n", 0, 2), w=Vector("n")
    ),
    reading="With no more features than points, which the text does not ask for.",
    **SETTING,
)

conclusion = Claim(
    source=NOTES.at("(20)"),
    statement=Holds(form <= length / n),
    given=[excess <= ridge],
    worlds=drawn_features().and_fields(w=Vector("n")),
    parameters={ridge: Real(0, None, open_low=True)},
    measure={form: mean_form, length: squared_length, excess: drawn_excess},
    uses=("wang2019/event_18:printed",),
    cost=4.0,
)
