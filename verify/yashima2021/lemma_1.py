"""Lemma 1: the covariance operator of sampled features against the true one.

Setting    |phi(x, omega)| <= R; T on L2(rho) with feature weights tau, T_M from M feature draws.
Claim      with probability at least 1 - delta over the features, for delta in [0, 1) as printed
           (Proposition 2 and Lemma 2 have (0, 1]),
           ||T - T_M||_op <= R^2 (2 b / (3 M) + sqrt(2 b / M)), b = log(2 R^2 / (||T||_op delta)).
Steps      X = T - phi (x) phi: bounds on X, on E X^2, on tr T, and the use of Proposition 2.
           Operators stand in the basis of function values, similar to the self-adjoint ones.
"""

from sympy import And, Eq, log, sqrt, symbols

from boundcheck import Claim, Holds, WithProbability
from boundcheck.quantities.feature_operators import (
    covariance,
    covariance_norm,
    covariance_trace,
    largest_feature,
    operator_deviation,
    spectral_radius,
)
from boundcheck.quantities.operators import identity, smallest_eigenvalue
from boundcheck.worlds import Counts, Integer, Real, feature_worlds

from . import AISTATS, ARXIV, M, R, delta

deviation, norm_T, trace_T, top = symbols("deviation norm_T trace_T top", real=True)
sup_kernel, largest_X, highest_X, lowest_X = symbols(
    "sup_kernel largest_X highest_X lowest_X", real=True
)
below_T, below_bound, lowest_floor, mean_X = symbols(
    "below_T below_bound lowest_floor mean_X", real=True
)
drop_square, cauchy, to_RT, variance_gap = symbols(
    "drop_square cauchy to_RT variance_gap", real=True
)

beta = log(2 * R**2 / (norm_T * delta))
bound = R**2 * (2 * beta / (3 * M) + sqrt(2 * beta / M))
sharper = 2 * R**2 * beta / (3 * M) + sqrt(2 * R**2 * norm_T * beta / M)
draw = Counts("counts", "tau", "M")
operators = {
    deviation: operator_deviation,
    norm_T: covariance_norm,
    trace_T: covariance_trace,
    top: largest_feature,
}


STEPS = (
    "yashima2021/proposition_2:printed",
    "yashima2021/lemma_1:step_bounded",
    "yashima2021/lemma_1:step_variance",
    "yashima2021/lemma_1:step_trace",
)


def sampled(levels):
    """Draws of M features, delta in the field `levels`, T not zero."""
    return {
        "given": [top <= R, norm_T > 0],
        "worlds": feature_worlds(),
        "parameters": {delta: levels, M: Integer(1, wide=True, searched=10**12), R: Real(0, None)},
        "measure": operators,
        "draw": draw,
    }


def lemma(edition, where):
    """The statement in an edition: both print the same domain of delta."""
    return Claim(
        source=edition.at(where),
        statement=WithProbability(1 - delta, deviation <= bound),
        **sampled(Real(0, 1, open_high=True)),
        uses=(*STEPS, "yashima2021/lemma_1:step_bernstein"),
        reading="delta ranges over [0, 1) as printed, with 0 and without 1; T is not zero",
        cost=8,
    )


aistats = lemma(AISTATS, "Lemma 1, Appendix B")
arxiv = lemma(ARXIV, "Lemma 1, (76)")

repaired = Claim(
    source=ARXIV.at("Lemma 1 with delta in (0, 1]"),
    statement=WithProbability(1 - delta, deviation <= bound),
    **sampled(Real(0, 1, open_low=True)),
    uses=("yashima2021/lemma_1:step_bernstein",),
    cost=8,
)


def centred(phi, rho, tau, k):
    """X for the k-th feature: T - phi_k (x) phi_k."""
    unit = tuple(int(j == k) for j in range(len(tau)))
    return covariance(phi, rho, tau) - covariance(phi, rho, unit)


def all_centred(phi, rho, tau):
    """X for every feature."""
    return [centred(phi, rho, tau, k) for k in range(len(tau))]


def squares(phi, rho, tau):
    """E (phi (x) phi)^2."""
    size, total = phi.nrows(), None
    for k, weight in enumerate(tau):
        unit = tuple(int(j == k) for j in range(len(tau)))
        square = covariance(phi, rho, unit) ** 2 * weight
        total = square if total is None else total + square
    assert total is not None and total.nrows() == size
    return total


def cauchy_matrix(phi, rho, tau):
    """E <phi, phi> phi (x) phi."""
    lengths = [
        sum(rho[i] * phi[i, k] ** 2 for i in range(phi.nrows())) for k in range(len(tau))
    ]
    return covariance(phi, rho, tuple(w * a for w, a in zip(tau, lengths, strict=True)))


def maximum(values):
    """Largest of some balls."""
    result = values[0]
    for value in values[1:]:
        result = result.max(value)
    return result


def mean_of_centred(phi, rho, tau):
    """E X as a matrix."""
    total = covariance(phi, rho, tau) * 0
    for matrix, weight in zip(all_centred(phi, rho, tau), tau, strict=True):
        total = total + matrix * weight
    return total


step_bounded = Claim(
    source=ARXIV.at("proof of Lemma 1, (77)-(80); AISTATS Appendix B"),
    statement=Holds(
        And(
            Eq(mean_X, 0),
            below_T >= 0,
            below_bound >= 0,
            lowest_X >= 0,
            lowest_floor >= 0,
            largest_X <= R**2,
        )
    ),
    given=[top <= R],
    worlds=feature_worlds(),
    parameters={R: Real(0, None)},
    measure={
        top: largest_feature,
        mean_X: lambda phi, rho, tau: sum(
            (entry * entry for entry in mean_of_centred(phi, rho, tau).entries()), 0
        ),
        below_T: lambda phi, rho, tau: -maximum(
            [
                -smallest_eigenvalue(covariance(phi, rho, tau) - X)
                for X in all_centred(phi, rho, tau)
            ]
        ),
        below_bound: lambda phi, rho, tau, R: smallest_eigenvalue(
            identity(phi.nrows()) * R**2 - covariance(phi, rho, tau)
        ),
        lowest_X: lambda phi, rho, tau: smallest_eigenvalue(covariance(phi, rho, tau)),
        lowest_floor: lambda phi, rho, tau, R: -maximum(
            [
                -smallest_eigenvalue(
                    identity(phi.nrows()) * R**2 + X - covariance(phi, rho, tau)
                )
                for X in all_centred(phi, rho, tau)
            ]
        ),
        largest_X: lambda phi, rho, tau: maximum(
            [spectral_radius(X) for X in all_centred(phi, rho, tau)]
        ),
    },
    reading="A <= B between operators is the smallest eigenvalue of B - A",
    cost=2,
)

step_variance = Claim(
    source=ARXIV.at("proof of Lemma 1, (81)-(84); AISTATS Appendix B"),
    statement=Holds(
        And(Eq(variance_gap, 0), drop_square >= 0, cauchy >= 0, to_RT >= 0)
    ),
    given=[top <= R],
    worlds=feature_worlds(),
    parameters={R: Real(0, None)},
    measure={
        top: largest_feature,
        variance_gap: lambda phi, rho, tau: _squared_entries(
            _mean_square(phi, rho, tau)
            - squares(phi, rho, tau)
            + covariance(phi, rho, tau) ** 2
        ),
        drop_square: lambda phi, rho, tau: smallest_eigenvalue(covariance(phi, rho, tau) ** 2),
        cauchy: lambda phi, rho, tau: smallest_eigenvalue(
            cauchy_matrix(phi, rho, tau) - squares(phi, rho, tau)
        ),
        to_RT: lambda phi, rho, tau, R: smallest_eigenvalue(
            covariance(phi, rho, tau) * R**2 - cauchy_matrix(phi, rho, tau)
        ),
    },
    reading="E[A]^2 is read as E[A^2], which is what (83) needs",
    cost=2,
)


def _mean_square(phi, rho, tau):
    total = covariance(phi, rho, tau) * 0
    for matrix, weight in zip(all_centred(phi, rho, tau), tau, strict=True):
        total = total + matrix * matrix * weight
    return total


def _squared_entries(matrix):
    return sum((entry * entry for entry in matrix.entries()), 0)


step_trace = Claim(
    source=ARXIV.at("proof of Lemma 1, (85); AISTATS Appendix B"),
    statement=Holds(And(Eq(trace_T, sup_kernel), sup_kernel <= R**2)),
    given=[top <= R],
    worlds=feature_worlds(),
    parameters={R: Real(0, None)},
    measure={
        top: largest_feature,
        trace_T: covariance_trace,
        sup_kernel: lambda phi, rho, tau: sum(
            rho[i] * tau[k] * phi[i, k] ** 2 for i in range(len(rho)) for k in range(len(tau))
        ),
    },
)

step_bernstein = Claim(
    source=ARXIV.at("proof of Lemma 1, (86)-(88); AISTATS Appendix B"),
    statement=WithProbability(1 - delta, And(deviation <= sharper, sharper <= bound)),
    **sampled(Real(0, 1, open_low=True)),
    uses=STEPS,
    reading="Proposition 2 with B = R^2 and S = R^2 T, where it applies (T not zero)",
    cost=8,
)
