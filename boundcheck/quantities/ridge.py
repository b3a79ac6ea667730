"""Kernel ridge regression beside its random feature version, with every expectation an exact sum.

Names used throughout, in definitions:
    phi (m x K) values psi(x_a; v_k) of K feature atoms at m point atoms, tau (K) feature weights,
    rho (m) point weights, sample (n) the training set as atom indices, features (s) the drawn
    features as feature indices, y (n) targets, test an atom index, lambda_ the ridge parameter;
    the penalty of the n x n system is n lambda.
A table is the m x m kernel matrix of all atoms, exact (kernel_table) or approximate
(sampled_table); the n x n training matrices and the vectors of the test point are parts of it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.errors import Undefined
from boundcheck.quantities.base import quantity
from boundcheck.quantities.operators import column, diagonal, dot, entries, identity


def kernel_table(phi: Any, tau: Any) -> fmpq_mat:
    """kappa(x_a, x_b) = E_v psi(x_a; v) psi(x_b; v) for all pairs of atoms (m x m)."""
    return phi * diagonal(tau) * phi.transpose()


def table_of_counts(phi: Any, counts: Any) -> fmpq_mat:
    """(1/s) sum_l psi(x_a; v_l) psi(x_b; v_l) when feature k was drawn counts[k] times."""
    total = sum(counts)
    return phi * diagonal([fmpq(number, total) for number in counts]) * phi.transpose()


def sampled_table(phi: Any, features: Any) -> fmpq_mat:
    """Approximate kernel of all atoms from the drawn features (m x m)."""
    return table_of_counts(phi, [tuple(features).count(k) for k in range(phi.ncols())])


def block(table: Any, rows: Any, columns: Any) -> Any:
    """The part of a table at row and column indices, repeats allowed."""
    picked = [table[int(i), int(j)] for i in rows for j in columns]
    return type(table)(len(rows), len(columns), picked)


def training_gram(phi: Any, tau: Any, sample: Any) -> fmpq_mat:
    """K (n x n) of the training set."""
    return block(kernel_table(phi, tau), sample, sample)


def approximate_gram(phi: Any, features: Any, sample: Any) -> fmpq_mat:
    """K~ = Psi Psi^T (n x n) of the training set."""
    return block(sampled_table(phi, features), sample, sample)


def kernel_vector(phi: Any, tau: Any, sample: Any, test: Any) -> fmpq_mat:
    """k' (n x 1), the kernel between training points and the test atom."""
    return block(kernel_table(phi, tau), sample, (test,))


def approximate_vector(phi: Any, features: Any, sample: Any, test: Any) -> fmpq_mat:
    """k~' = Psi psi(x') (n x 1)."""
    return block(sampled_table(phi, features), sample, (test,))


def shifted(gram: Any, lambda_: Any) -> Any:
    """gram + n lambda I."""
    size = gram.nrows()
    return gram + type(gram)(identity(size)) * (size * fmpq(lambda_))


def solution(system: Any, right: Any) -> Any:
    """system^-1 right; Undefined for a singular system."""
    try:
        return system.solve(right)
    except ZeroDivisionError as error:
        raise Undefined("solution of a singular system") from error


def resolvent(gram: Any, lambda_: Any) -> Any:
    """(gram + n lambda I)^-1."""
    return solution(shifted(gram, lambda_), identity(gram.nrows()))


def ridge_solution(gram: Any, y: Any, lambda_: Any) -> Any:
    """alpha = (gram + n lambda I)^-1 y (n x 1)."""
    return solution(shifted(gram, lambda_), column(y))


def ridge_norm(gram: Any, alpha: Any) -> Any:
    """||K^(1/2) alpha||^2 = alpha^T K alpha for alpha (n x 1)."""
    return (alpha.transpose() * gram * alpha)[0, 0]


def krr_prediction(phi: Any, tau: Any, sample: Any, y: Any, lambda_: Any, test: Any) -> fmpq:
    """f_lambda(x') = k'^T (K + n lambda I)^-1 y."""
    alpha = ridge_solution(training_gram(phi, tau, sample), y, lambda_)
    return dot(entries(kernel_vector(phi, tau, sample, test)), entries(alpha))


def rfm_prediction(phi: Any, features: Any, sample: Any, y: Any, lambda_: Any, test: Any) -> fmpq:
    """f~_lambda(x') = k~'^T (K~ + n lambda I)^-1 y."""
    alpha = ridge_solution(approximate_gram(phi, features, sample), y, lambda_)
    return dot(entries(approximate_vector(phi, features, sample, test)), entries(alpha))


def squared_difference(
    phi: Any, tau: Any, features: Any, sample: Any, y: Any, lambda_: Any, test: Any
) -> fmpq:
    """(f~_lambda(x') - f_lambda(x'))^2 at one test atom and one feature draw."""
    approximate = rfm_prediction(phi, features, sample, y, lambda_, test)
    return (approximate - krr_prediction(phi, tau, sample, y, lambda_, test)) ** 2


def primal_prediction(rows: Any, y: Any, lambda_: Any, row: Any) -> fmpq:
    """row^T (F^T F + n lambda I)^-1 F^T y for an explicit n x p feature matrix F."""
    penalty = identity(rows.ncols()) * (rows.nrows() * fmpq(lambda_))
    weights = solution(rows.transpose() * rows + penalty, rows.transpose() * column(y))
    return dot(row, entries(weights))


def dual_prediction(rows: Any, y: Any, lambda_: Any, row: Any) -> fmpq:
    """row^T F^T (F F^T + n lambda I)^-1 y for an explicit n x p feature matrix F."""
    alpha = ridge_solution(rows * rows.transpose(), y, lambda_)
    return dot(row, entries(rows.transpose() * alpha))


def ridge_minimiser(rows: Any, y: Any, lambda_: Any) -> tuple[fmpq, ...]:
    """(F^T F + n lambda I)^-1 F^T y (p)."""
    penalty = identity(rows.ncols()) * (rows.nrows() * fmpq(lambda_))
    return entries(solution(rows.transpose() * rows + penalty, rows.transpose() * column(y)))


def ridge_objective(rows: Any, y: Any, lambda_: Any, weights: Any) -> fmpq:
    """(1/n) sum_i (F_i w - y_i)^2 + lambda ||w||^2."""
    residuals = rows * column(weights) - column(y)
    loss = sum((value**2 for value in residuals.entries()), fmpq(0)) / rows.nrows()
    return loss + fmpq(lambda_) * dot(weights, weights)


def labels(targets: Any, sample: Any) -> tuple[fmpq, ...]:
    """Targets of the training points when each atom carries one target."""
    return tuple(targets[int(index)] for index in sample)


def feature_draws(tau: Any, s: Any) -> Iterator[tuple[fmpq, tuple[int, ...]]]:
    """Probability and counts of every multiset of s independent features.

    >>> [(str(p), c) for p, c in feature_draws((fmpq(1, 2), fmpq(1, 2)), 2)]
    [('1/4', (2, 0)), ('1/2', (1, 1)), ('1/4', (0, 2))]
    """
    atoms = [k for k, weight in enumerate(tau) if weight]
    for chosen in itertools.combinations_with_replacement(atoms, int(s)):
        counts = tuple(chosen.count(k) for k in range(len(tau)))
        probability, left = fmpq(1), int(s)
        for k in atoms:
            probability *= math.comb(left, counts[k]) * fmpq(tau[k]) ** counts[k]
            left -= counts[k]
        yield probability, counts


def predictions(table: Any, sample: Any, y: Any, lambda_: Any) -> Any:
    """Ridge predictions at all m atoms from a table (m x 1)."""
    alpha = ridge_solution(block(table, sample, sample), y, lambda_)
    return block(table, range(table.nrows()), sample) * alpha


def _difference_estimate(
    phi: Any, rho: Any, tau: Any, sample: Any, y: Any, s: Any, lambda_: Any
) -> Any:
    import numpy

    sample = numpy.asarray(sample)
    n, steps = sample.shape[-1], int(s)
    y = numpy.broadcast_to(y, sample.shape)

    def predict(table: Any) -> Any:
        square = table[sample[..., :, None], sample[..., None, :]]
        alpha = numpy.linalg.solve(square + n * lambda_ * numpy.eye(n), y[..., None])
        return (numpy.moveaxis(table[:, sample], 0, -2) @ alpha)[..., 0]

    exact = predict((phi * tau) @ phi.T)
    total = numpy.zeros(sample.shape[:-1])
    for chosen in itertools.combinations_with_replacement(range(len(tau)), steps):
        counts = numpy.bincount(chosen, minlength=len(tau))
        orders = math.factorial(steps) / math.prod(math.factorial(int(c)) for c in counts)
        probability = orders * numpy.prod(numpy.asarray(tau) ** counts)
        total += probability * ((predict((phi * counts / steps) @ phi.T) - exact) ** 2 @ rho)
    return total


@quantity(estimator=_difference_estimate)
def mean_squared_difference(
    phi: Any, rho: Any, tau: Any, sample: Any, y: Any, s: Any, lambda_: Any
) -> fmpq:
    """E over x' ~ rho and s features ~ tau of (f~ - f)^2, the training set held fixed."""
    exact = predictions(kernel_table(phi, tau), sample, y, lambda_)
    total = fmpq(0)
    for probability, counts in feature_draws(tau, s):
        gap = predictions(table_of_counts(phi, counts), sample, y, lambda_) - exact
        total += probability * dot(rho, [value**2 for value in gap.entries()])
    return total


def prediction_map(table: Any, sample: Any, lambda_: Any) -> Any:
    """The m x n matrix that takes targets to predictions at all atoms."""
    inverse = resolvent(block(table, sample, sample), lambda_)
    return block(table, range(table.nrows()), sample) * inverse


def difference_form(
    phi: Any, rho: Any, tau: Any, sample: Any, s: Any, lambda_: Any
) -> fmpq_mat:
    """M (n x n) with `mean_squared_difference` = y^T M y for all targets y."""
    exact = prediction_map(kernel_table(phi, tau), sample, lambda_)
    total = fmpq_mat(len(sample), len(sample))
    for probability, counts in feature_draws(tau, s):
        gap = prediction_map(table_of_counts(phi, counts), sample, lambda_) - exact
        total += gap.transpose() * diagonal(rho) * gap * probability
    return total


def norm_form(phi: Any, tau: Any, sample: Any, lambda_: Any) -> fmpq_mat:
    """N (n x n) with ||K^(1/2) (K + n lambda I)^-1 y||^2 = y^T N y for all targets y."""
    gram = training_gram(phi, tau, sample)
    inverse = resolvent(gram, lambda_)
    return inverse * gram * inverse


def uniform_on(sample: Any, m: Any) -> tuple[fmpq, ...]:
    """Weights on m atoms of a point drawn uniformly from the training set."""
    return tuple(fmpq(tuple(sample).count(a), len(sample)) for a in range(int(m)))


def in_sample_difference(phi: Any, tau: Any, sample: Any, y: Any, s: Any, lambda_: Any) -> fmpq:
    """The same with x' uniform on the training set."""
    rho = uniform_on(sample, phi.nrows())
    return mean_squared_difference(phi, rho, tau, sample, y, s, lambda_)


def feature_term(phi: Any, features: Any, sample: Any, lambda_: Any, test: Any) -> fmpq_mat:
    """Delta_1 = R~ k~' k~'^T R~ with R~ = (K~ + n lambda I)^-1 (n x n)."""
    inverse = resolvent(approximate_gram(phi, features, sample), lambda_)
    vector = inverse * approximate_vector(phi, features, sample, test)
    return vector * vector.transpose()


def matrix_gap_term(
    phi: Any, tau: Any, features: Any, sample: Any, y: Any, lambda_: Any
) -> fmpq:
    """Delta_2 = ||(K~ - K)(K + n lambda I)^-1 y||^2."""
    gram = training_gram(phi, tau, sample)
    image = (approximate_gram(phi, features, sample) - gram) * ridge_solution(gram, y, lambda_)
    return dot(entries(image), entries(image))


def vector_gap_term(
    phi: Any, tau: Any, features: Any, sample: Any, y: Any, lambda_: Any, test: Any
) -> fmpq:
    """Delta_3 = [(k~' - k')^T (K + n lambda I)^-1 y]^2."""
    alpha = ridge_solution(training_gram(phi, tau, sample), y, lambda_)
    gap = approximate_vector(phi, features, sample, test) - kernel_vector(phi, tau, sample, test)
    return dot(entries(gap), entries(alpha)) ** 2


def training_norm(phi: Any, tau: Any, sample: Any, y: Any, lambda_: Any) -> fmpq:
    """||K^(1/2) (K + n lambda I)^-1 y||^2 on the training set."""
    gram = training_gram(phi, tau, sample)
    return ridge_norm(gram, ridge_solution(gram, y, lambda_))


def square_norm(phi: Any, tau: Any, sample: Any, y: Any, lambda_: Any) -> fmpq:
    """||K (K + n lambda I)^-1 y||^2 on the training set."""
    gram = training_gram(phi, tau, sample)
    return ridge_norm(gram * gram, ridge_solution(gram, y, lambda_))


def mean_feature_term(phi: Any, rho: Any, features: Any, sample: Any, lambda_: Any) -> fmpq_mat:
    """E over x' ~ rho of Delta_1 (n x n)."""
    size = len(sample)
    total = fmpq_mat(size, size)
    for a, weight in enumerate(rho):
        total += feature_term(phi, features, sample, lambda_, a) * weight
    return total


def mean_vector_gap(
    phi: Any, rho: Any, tau: Any, features: Any, sample: Any, y: Any, lambda_: Any
) -> fmpq:
    """E over x' ~ rho of Delta_3."""
    terms = [
        weight * vector_gap_term(phi, tau, features, sample, y, lambda_, a)
        for a, weight in enumerate(rho)
    ]
    return sum(terms, fmpq(0))
