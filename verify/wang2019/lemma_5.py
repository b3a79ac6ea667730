"""Lemma 5: second moment of the approximate kernel vector over the features.

Setting    fixed training set and test point, s independent features with psi^2 <= b.
Claim      E_V[(k~' - k')(k~' - k')^T] <= (b/s) K - (1/s) k' k'^T in the order of semi-definite
           matrices; stated through the quadratic forms at every vector w.
Step       (16)-(17) with the column psi_:p = (1/s) (psi(x_i; v_p))_i that the proof recalls.
Repaired   the column carries the factor 1/sqrt(s), as in the proof of Lemma 4.
"""

from flint import fmpq, fmpq_mat
from sympy import And, Eq, symbols

from boundcheck import Claim, Expected
from boundcheck.quantities.features import peak
from boundcheck.quantities.operators import column, quadratic_form
from boundcheck.quantities.ridge import (
    approximate_vector,
    kernel_vector,
    training_gram,
)
from boundcheck.worlds import Integer, Real, Vector

from . import FEATURES, NOTES, b, s, top, training

WORLDS = training().and_fields(w=Vector("n"))
SIZES = {s: Integer(1, searched=3), b: Real(0, None)}
error, form, square = symbols("error form square", real=True)
second, centred, outer, loaded, columns, gram = symbols(
    "second centred outer loaded columns gram", commutative=False
)


def error_form(phi, tau, features, sample, test, w):
    """(w^T (k~' - k'))^2."""
    gap = approximate_vector(phi, features, sample, test) - kernel_vector(phi, tau, sample, test)
    return (column(w).transpose() * gap)[0, 0] ** 2


def vector_form(phi, tau, sample, test, w):
    """(w^T k')^2."""
    return (column(w).transpose() * kernel_vector(phi, tau, sample, test))[0, 0] ** 2


def kernel_form(phi, tau, sample, w):
    """w^T K w."""
    return quadratic_form(training_gram(phi, tau, sample), w)


def second_moment(phi, features, sample, test):
    """k~' k~'^T."""
    vector = approximate_vector(phi, features, sample, test)
    return vector * vector.transpose()


def centred_moment(phi, tau, features, sample, test):
    """(k~' - k')(k~' - k')^T."""
    gap = approximate_vector(phi, features, sample, test) - kernel_vector(phi, tau, sample, test)
    return gap * gap.transpose()


def vector_outer(phi, tau, sample, test):
    """k' k'^T."""
    vector = kernel_vector(phi, tau, sample, test)
    return vector * vector.transpose()


def _columns(phi, tau, sample, factor, weight):
    """E_v[psi_:p psi_:p^T weight(v)] when psi_:p psi_:p^T = factor (psi(x_i) psi(x_j))_ij."""
    size = len(sample)
    total = fmpq_mat(size, size)
    for k, probability in enumerate(tau):
        values = [phi[a, k] for a in sample]
        outer = fmpq_mat(size, size, [u * v for u in values for v in values])
        total += outer * (fmpq(probability) * factor * weight(k))
    return total


def printed_columns(phi, tau, sample, s):
    """E_v[psi_:p psi_:p^T] with psi_:p = (1/s) (psi(x_i; v_p))_i."""
    return _columns(phi, tau, sample, fmpq(1, s**2), lambda k: 1)


def printed_loaded(phi, tau, sample, test, s):
    """E_v[psi_:p psi_:p^T psi(x'; v_p)^2] with the same column."""
    return _columns(phi, tau, sample, fmpq(1, s**2), lambda k: phi[test, k] ** 2)


def repaired_columns(phi, tau, sample, s):
    """E_v[psi_:p psi_:p^T] with psi_:p = s^(-1/2) (psi(x_i; v_p))_i."""
    return _columns(phi, tau, sample, fmpq(1, s), lambda k: 1)


def repaired_loaded(phi, tau, sample, test, s):
    """E_v[psi_:p psi_:p^T psi(x'; v_p)^2] with the same column."""
    return _columns(phi, tau, sample, fmpq(1, s), lambda k: phi[test, k] ** 2)


second_form, loaded_form = symbols("second_form loaded_form", real=True)


def second_quadratic(phi, features, sample, test, w):
    """(w^T k~')^2."""
    return (column(w).transpose() * approximate_vector(phi, features, sample, test))[0, 0] ** 2


printed = Claim(
    source=NOTES.at("Lemma 5"),
    statement=Expected(error <= b / s * form - square / s),
    given=[top <= b],
    worlds=WORLDS,
    parameters=SIZES,
    measure={error: error_form, form: kernel_form, square: vector_form, top: peak},
    draw=FEATURES,
    uses=("wang2019/lemma_5:step_second_moment",),
)

CHAIN = And(
    Eq(centred, second - outer),
    Eq(second, (s**2 - s) / s**2 * outer + 1 / s * (s * loaded)),
    second_form <= (s - 1) / s * square + b / s * form,
    Eq(b / s * (s * columns), b / s * gram),
)
COMMON = {
    second: second_moment, centred: centred_moment, outer: vector_outer, gram: training_gram,
    second_form: second_quadratic, square: vector_form, form: kernel_form, top: peak,
}  # fmt: skip

step_second_moment = Claim(
    source=NOTES.at("(16)-(17)"),
    statement=Expected(CHAIN),
    given=[top <= b],
    worlds=WORLDS,
    parameters=SIZES,
    measure={**COMMON, loaded: printed_loaded, columns: printed_columns},
    draw=FEATURES,
    reading="The column recalled before (17) carries 1/s, and (17) is read with it.",
)

second_moment_repaired = Claim(
    source=NOTES.at("(16)-(17)"),
    statement=Expected(CHAIN),
    given=[top <= b],
    worlds=WORLDS,
    parameters=SIZES,
    measure={**COMMON, loaded: repaired_loaded, columns: repaired_columns},
    draw=FEATURES,
    cost=3.0,
)
