"""Lemma 4: second moment of the approximate kernel matrix over the features.

Setting    fixed training set, s independent features with psi^2 <= b, K~ = Psi Psi^T.
Claim      E_V[K~^2] <= ((s-1)/s) K^2 + (n b / s) K in the order of semi-definite matrices; stated
           as an inequality between the quadratic forms at every vector w.
Steps      (12)-(13): the terms p != q, whose middle line reads v_p inside the expectation over
           v_q; (14)-(15): the terms p = q.
"""

from flint import fmpq, fmpq_mat
from sympy import And, Eq, symbols

from boundcheck import Claim, Expected, Holds
from boundcheck.quantities.features import peak
from boundcheck.quantities.operators import identity, quadratic_form
from boundcheck.quantities.ridge import approximate_gram, kernel_table, training_gram
from boundcheck.worlds import Index, Integer, Real, Vector

from . import FEATURES, NOTES, b, n, s, top, training

WORLDS = training().and_fields(w=Vector("n"))
INDEXED = training().and_fields(i=Index("n"), j=Index("n"))
SIZES = {s: Integer(1, searched=3), b: Real(0, None)}

second, square, form = symbols("second square form", real=True)
cross, diagonal_sum, square_ij = symbols("cross diagonal_sum square_ij", real=True)
middle, second_ij, weighted_ij = symbols("middle second_ij weighted_ij", real=True)
moment, gram, column_moment, weighted = symbols(
    "moment gram column_moment weighted", commutative=False
)


def second_form(phi, features, sample, w):
    """w^T K~^2 w."""
    gram = approximate_gram(phi, features, sample)
    return quadratic_form(gram * gram, w)


def square_form(phi, tau, sample, w):
    """w^T K^2 w."""
    gram = training_gram(phi, tau, sample)
    return quadratic_form(gram * gram, w)


def kernel_form(phi, tau, sample, w):
    """w^T K w."""
    return quadratic_form(training_gram(phi, tau, sample), w)


def off_diagonal(phi, features, sample, i, j):
    """sum over l and p != q of psi(x_l;v_p) psi(x_i;v_p) psi(x_l;v_q) psi(x_j;v_q)."""
    return sum(
        (
            phi[a, p] * phi[sample[i], p] * phi[a, q] * phi[sample[j], q]
            for a in sample
            for first, p in enumerate(features)
            for second, q in enumerate(features)
            if first != second
        ),
        fmpq(0),
    )


def middle_line(phi, tau, features, sample, i, j):
    """sum over l and p != q of kappa(x_l, x_i) psi(x_l;v_p) psi(x_j;v_p)."""
    kernel, others = kernel_table(phi, tau), len(features) - 1
    return others * sum(
        (
            kernel[a, sample[i]] * phi[a, p] * phi[sample[j], p]
            for a in sample
            for p in features
        ),
        fmpq(0),
    )


def square_entry(phi, tau, sample, i, j):
    """[K^2]_ij."""
    gram = training_gram(phi, tau, sample)
    return (gram * gram)[i, j]


def on_diagonal(phi, features, sample, i, j):
    """sum over l and p of psi(x_l;v_p)^2 psi(x_i;v_p) psi(x_j;v_p)."""
    return sum(
        (phi[a, p] ** 2 * phi[sample[i], p] * phi[sample[j], p] for a in sample for p in features),
        fmpq(0),
    )


def column_square(phi, tau, sample, s):
    """E_v[psi_:p psi_:p^T], psi_:p = s^(-1/2) (psi(x_i; v))_i (n x n)."""
    return _columns(phi, tau, sample, s, lambda values: 1)


def weighted_square(phi, tau, sample, s):
    """E_v{ [sum_l psi(x_l; v)^2] psi_:p psi_:p^T } (n x n)."""
    return _columns(phi, tau, sample, s, lambda values: sum((v**2 for v in values), fmpq(0)))


def _columns(phi, tau, sample, s, weight):
    size = len(sample)
    total = identity(size) * 0
    for k, probability in enumerate(tau):
        values = [phi[a, k] for a in sample]
        outer = fmpq_mat(size, size, [u * v for u in values for v in values])
        total += outer * (fmpq(probability) * weight(values) / s)
    return total


def weighted_entry(phi, tau, sample, s, i, j):
    """The entry of `weighted_square` at (i, j)."""
    return weighted_square(phi, tau, sample, s)[i, j]


def second_entry(phi, features, sample, i, j):
    """[K~^2]_ij."""
    return squared_gram(phi, features, sample)[i, j]


def squared_gram(phi, features, sample):
    """K~^2 (n x n)."""
    gram = approximate_gram(phi, features, sample)
    return gram * gram


def loaded_form(phi, tau, sample, s, w):
    """w^T E_v{ [sum_l psi^2] psi_:p psi_:p^T } w."""
    return quadratic_form(weighted_square(phi, tau, sample, s), w)


def column_form(phi, tau, sample, s, w):
    """w^T E_v[psi_:p psi_:p^T] w."""
    return quadratic_form(column_square(phi, tau, sample, s), w)


printed = Claim(
    source=NOTES.at("Lemma 4"),
    statement=Expected(second <= (s - 1) / s * square + n * b / s * form),
    given=[top <= b],
    worlds=WORLDS,
    parameters=SIZES,
    measure={second: second_form, square: square_form, form: kernel_form, top: peak},
    draw=FEATURES,
    uses=("wang2019/lemma_4:step_off_diagonal", "wang2019/lemma_4:step_diagonal"),
    reading="The features are independent with one law, as Section 1.1 draws them.",
)

step_off_diagonal = Claim(
    source=NOTES.at("(12)-(13)"),
    statement=Holds(Eq(middle, (s**2 - s) * square_ij)),
    worlds=INDEXED,
    parameters={s: Integer(1, searched=3)},
    measure={middle: middle_line, square_ij: square_entry},
    draw=FEATURES,
    reading="The middle line takes the mean over v_q of a function of v_p, which leaves it as it "
    "is; the equality is then between a random and a fixed value.",
)

off_diagonal_repaired = Claim(
    source=NOTES.at("(12)-(13)"),
    statement=Expected(
        And(
            Eq(second_ij, (cross + diagonal_sum) / s**2),
            Eq(cross, (s**2 - s) * square_ij),
        )
    ),
    worlds=INDEXED,
    parameters={s: Integer(1, searched=3)},
    measure={
        second_ij: second_entry, cross: off_diagonal, diagonal_sum: on_diagonal,
        square_ij: square_entry,
    },
    draw=FEATURES,
    reading="(12), then the first and last expression of (13), with v_q inside the expectation "
    "over v_q.",
)

loaded, plain = symbols("loaded plain", real=True)

step_diagonal = Claim(
    source=NOTES.at("(14)-(15) and the displays between"),
    statement=Expected(
        And(
            Eq(diagonal_sum, s * (s * weighted_ij)),
            Eq(moment, (s - 1) / s * gram * gram + weighted),
            Eq(column_moment, gram / s),
            loaded <= n * b * plain,
        )
    ),
    given=[top <= b],
    worlds=INDEXED.and_fields(w=Vector("n")),
    parameters=SIZES,
    measure={
        diagonal_sum: on_diagonal, weighted_ij: weighted_entry, moment: squared_gram,
        gram: training_gram, weighted: weighted_square, column_moment: column_square,
        loaded: loaded_form, plain: column_form, top: peak,
    },
    draw=FEATURES,
)  # fmt: skip
