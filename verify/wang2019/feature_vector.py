"""(4) and Section 2.1: the feature vector and what unbiasedness gives.

Setting    psi(x; v) with E_v psi(x; v) psi(x'; v) = kappa(x, x'), features v_1..v_s of one law.
Claim      (4): psi(x; V) = s^(-1/2) [psi(x_i; v_1), ..., psi(x_i; v_s)], with a free index i.
Repaired   with x in place of x_i, E_V psi(x; V)^T psi(x'; V) = kappa(x, x') and
           E_V[Psi Psi^T] = K.
"""

from flint import fmpq
from sympy import And, Eq, Function, symbols

from boundcheck import Claim, Expected, Holds
from boundcheck.quantities.ridge import approximate_gram, kernel_table, training_gram
from boundcheck.worlds import Integer

from . import FEATURES, NOTES, s, training

i = symbols("i", real=True)
entry, inner, kernel = symbols("entry inner kernel", real=True)
psi_of_x_i = Function("psi_of_x", real=True)
approximate, gram = symbols("approximate gram", commutative=False)


def first_entry(phi, test):
    """psi(x; v_1), without the factor s^(-1/2) that both sides of (4) share."""
    return phi[test, 0]


def feature_product(phi, features, sample, test):
    """psi(x; V)^T psi(x_1; V)."""
    products = [phi[test, k] * phi[sample[0], k] for k in features]
    return sum(products, fmpq(0)) / len(features)


def kernel_value(phi, tau, sample, test):
    """kappa(x, x_1)."""
    return kernel_table(phi, tau)[test, sample[0]]


printed = Claim(
    source=NOTES.at("(4)"),
    statement=Holds(Eq(entry, psi_of_x_i(i))),
    worlds=training(),
    measure={entry: first_entry},
    undefined={i},
    reading="Both sides of (4) at the first entry; the right side is the feature of x_i for an "
    "index i that nothing binds. The consequences of unbiasedness are the claim `repaired`.",
)

repaired = Claim(
    source=NOTES.at("(4) and the displays after it"),
    statement=Expected(And(Eq(inner, kernel), Eq(approximate, gram))),
    worlds=training(),
    parameters={s: Integer(1, searched=3)},
    measure={
        inner: feature_product, kernel: kernel_value, approximate: approximate_gram,
        gram: training_gram,
    },
    draw=FEATURES,
    cost=2.0,
)  # fmt: skip
