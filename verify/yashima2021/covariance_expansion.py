"""The covariance operator as an expectation of rank-one operators.

Setting    features phi + i psi and their conjugates, each with half the weight tau, so that the
           kernel k(x, y) = E phi(x) conj(phi(y)) is real; f real in L2(rho).
Claim      (T f)(z) = E f(X) k(X, z) = E_X[f(X) E_omega[phi(X, omega) phi(z, omega)]]
           = E_omega[<f, phi>_L2 phi(z, omega)], the second display without a conjugate as printed;
           for samples T_M = (1/M) sum phi_i (x) phi_i and E T_M = T.
"""

from sympy import And, Eq, symbols

from boundcheck import Claim, Expected, Holds
from boundcheck.quantities.feature_operators import covariance, frequencies
from boundcheck.quantities.operators import column, dot, entries
from boundcheck.worlds import Counts, Integer, Vector, complex_feature_worlds, feature_worlds

from . import ARXIV, M

at_z, by_products, by_rank_one = symbols("at_z by_products by_rank_one", real=True)
sampled, expanded, true = symbols("sampled expanded true", real=True)


def by_kernel(phi, psi, rho, tau, f, u):
    """sum_z u(z) (T f)(z) with k = Re(phi conj phi)."""
    real, imaginary = covariance(phi, rho, tau), covariance(psi, rho, tau)
    return dot(u, entries((real + imaginary) * column(f)))


def without_conjugate(phi, psi, rho, tau, f, u):
    """The same with E phi(X) phi(z), which is real by symmetry of the feature law."""
    real, imaginary = covariance(phi, rho, tau), covariance(psi, rho, tau)
    return dot(u, entries((real - imaginary) * column(f)))


def with_conjugate(phi, psi, rho, tau, f, u):
    """The same with E phi(X) conj(phi(z))."""
    total = 0
    for i, mass in enumerate(rho):
        for j, test in enumerate(u):
            product = sum(
                weight * (phi[i, k] * phi[j, k] + psi[i, k] * psi[j, k])
                for k, weight in enumerate(tau)
            )
            total += mass * f[i] * test * product
    return total


def rank_one_sum(phi, psi, rho, tau, f, u):
    """E <phi, f>_L2 phi(z), the inner product conjugate-linear in phi."""
    total = 0
    for k, weight in enumerate(tau):
        for matrix in (phi, psi):
            against = sum(rho[i] * f[i] * matrix[i, k] for i in range(len(rho)))
            along = sum(u[i] * matrix[i, k] for i in range(len(rho)))
            total += weight * against * along
    return total


def real_products(phi, rho, tau, f, u):
    """sum_z u(z) E_X f(X) E_omega phi(X, omega) phi(z, omega)."""
    return dot(u, entries(covariance(phi, rho, tau) * column(f)))


def real_rank_one(phi, rho, weights, f, u):
    """sum_z u(z) E_omega <f, phi> phi(z, omega)."""
    total = 0
    for k, weight in enumerate(weights):
        against = sum(rho[i] * f[i] * phi[i, k] for i in range(len(rho)))
        total += weight * against * sum(u[i] * phi[i, k] for i in range(len(rho)))
    return total


printed = Claim(
    source=ARXIV.at("(69)-(72); AISTATS (10)"),
    statement=Holds(And(Eq(at_z, by_products), Eq(by_products, by_rank_one))),
    worlds=complex_feature_worlds().and_fields(f=Vector("n"), u=Vector("n")),
    measure={
        at_z: by_kernel,
        by_products: without_conjugate,
        by_rank_one: rank_one_sum,
    },
    reading="features may be complex, as for the Fourier features that the text names, with the "
    "conjugate in the kernel of (5); u tests the functions of z",
)

repaired = Claim(
    source=ARXIV.at("(69)-(72), phi(z, omega) conjugated in (71); AISTATS (10)"),
    statement=printed.statement,
    worlds=printed.worlds,
    measure={**printed.measure, by_products: with_conjugate},
    reading=printed.reading,
)

real_features = Claim(
    source=ARXIV.at("(69)-(72); AISTATS (10), real features"),
    statement=Holds(And(Eq(at_z, by_products), Eq(by_products, by_rank_one))),
    worlds=feature_worlds().and_fields(f=Vector("n"), u=Vector("n")),
    measure={
        at_z: real_products,
        by_products: lambda phi, rho, tau, f, u: dot(
            u, entries(covariance(phi, rho, tau) * column(f))
        ),
        by_rank_one: lambda phi, rho, tau, f, u: real_rank_one(phi, rho, tau, f, u),
    },
)

sampled_operator = Claim(
    source=ARXIV.at("(74)-(75); AISTATS Appendix B"),
    statement=Expected(And(Eq(sampled, expanded), Eq(sampled, true))),
    worlds=feature_worlds().and_fields(f=Vector("n"), u=Vector("n")),
    parameters={M: Integer(1, searched=6)},
    measure={
        sampled: lambda phi, rho, counts, M, f, u: real_products(
            phi, rho, frequencies(counts, M), f, u
        ),
        expanded: lambda phi, rho, counts, M, f, u: real_rank_one(
            phi, rho, frequencies(counts, M), f, u
        ),
        true: real_products,
    },
    draw=Counts("counts", "tau", "M"),
    reading="T_M is the operator (69) of k_M",
    cost=2,
)
