"""The covariance operator as an expectation of rank-one operators.

Setting    features phi + i psi and their conjugates, each with half the weight tau, so that the
           kernel k(x, y) = E phi(x) conj(phi(y)) is real; f real in L2(rho).
Claim      (T f)(z) = E f(X) k(X, z) = E_X[f(X) E_omega[phi(X, omega) phi(z, omega)]]
           = E_omega[<f, phi>_L2 phi(z, omega)], the second display without a conjugate as printed;
           for samples T_M = (1/M) sum phi_i (x) phi_i and E T_M = T.
"""

from sympy import And, Eq

from boundcheck import Claim, Expected, Holds
from boundcheck.expressions import at, named, total, world
from boundcheck.settings.averaged_sgd import D, M, counts, function, i, k_th, n, phi, rho, tau
from boundcheck.settings.complex_features import Complex, E_pair, features, kernel
from boundcheck.settings.covariance import T_M, E_feature, T
from boundcheck.worlds import Index

from . import ARXIV

f, z = function("f"), world("z", Index(n), rank=0, says="Any point.")


def E_X(variable):
    """Expectation over a point of an expression in the index i."""
    return total(rho[i] * variable, i)


def expansion(where, product):
    """(T f)(z), and its expansions with a product of two features in (71)."""
    feature = features[i, k_th]
    along = Complex(E_X(feature.re * f[i]), -E_X(feature.im * f[i]))
    at_z = at(named("T", kernel(tau).re * D) * f, z)
    by_products = E_X(f[i] * E_pair(product(feature, features[z, k_th])))
    by_rank_one = E_pair(along * features[z, k_th])
    return Claim(
        ARXIV.at(where),
        Holds(And(Eq(at_z, by_products), Eq(by_products, by_rank_one))),
        reading="features may be complex, as for the Fourier features that the text names, with "
        "the conjugate in the kernel of (5) and <f, phi> conjugate-linear in phi",
    )


printed = expansion("(69)-(72); AISTATS (10)", lambda x, z: x * z)
repaired = expansion(
    "(69)-(72), phi(z, omega) conjugated in (71); AISTATS (10)", lambda x, z: x * z.conj
)

by_products = E_X(f[i] * E_feature(phi[i, k_th] * phi[z, k_th]))
along = E_X(f[i] * phi[i, k_th])

real_features = Claim(
    ARXIV.at("(69)-(72); AISTATS (10), real features"),
    Holds(
        And(Eq(at(T * f, z), by_products), Eq(by_products, E_feature(along * phi[z, k_th])))
    ),
)
sampled_operator = Claim(
    ARXIV.at("(74)-(75); AISTATS Appendix B"),
    Expected(
        And(
            Eq(at(T_M * f, z), total(counts[k_th] * along * phi[z, k_th], k_th) / M),
            Eq(at(T_M * f, z), at(T * f, z)),
        )
    ),
    reading="T_M is the operator (69) of k_M",
    cost=2,
)
