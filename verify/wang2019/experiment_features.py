"""Section 6.1: the feature maps of the experiments.

Setting    A (d x s) with independent normal (RBF) or Cauchy (Laplace) entries, phases b uniform,
           kappa = exp(-||x - x'||_2^2 / (2 sigma^2)) or exp(-||x - x'||_1 / sigma).
Unbiased   with A^T x, the features s^(-1/2) cos(.) are unbiased for kappa.
Repaired   sqrt(2) times these features are.

The product of two such features is (cos(a^T (x - z) / sigma) + cos(a^T (x + z) / sigma + 2 b)) / 2;
the second term has mean zero over the phase, the first is half the characteristic function of a:
a factor exp(-t^2 / 2) for each normal entry, exp(-|t|) for each Cauchy entry.
"""

from sympy import Abs, And, Eq, exp

from boundcheck import Claim, Holds
from boundcheck.expressions import column, index, multiplied, parameter, total, world
from boundcheck.worlds import Integer, Matrix, Real, Vector

from . import NOTES

d, s = world("d", Integer(1, searched=3)), world("s", Integer(1, searched=4))
sigma = parameter("sigma", Real(0, None, open_low=True), units={"point": 1})
A = world("A", Matrix(d, s, searched=(-2, 2)), says="Frequencies, one column a feature.")
x, z = (world(name, Vector(d), units={"point": 1}) for name in "xz")
b = world("b", Vector(s, 0, searched=(0, 6)), says="Phases; whole turns do not count.")
k = index("k", d)
gap = x[k] - z[k]
rbf = exp(-total(gap**2, k) / (2 * sigma**2))
laplace = exp(-total(Abs(gap), k) / sigma)
mean_rbf = multiplied(exp(-((gap / sigma) ** 2) / 2), k) / 2
mean_laplace = multiplied(exp(-Abs(gap / sigma)), k) / 2

printed = Claim(
    NOTES.at("Section 6.1"),
    Holds(Eq(A.T * column(x) / sigma + column(b), 1 / sigma * A * column(x) + column(b))),
    reading="The product of the d x s matrix with the point in R^d, as printed; the entries of the "
    "argument are (1/sigma) a_l^T x + b_l.",
)
unbiased = Claim(
    NOTES.at("Section 6.1"),
    Holds(And(Eq(mean_rbf, rbf), Eq(mean_laplace, laplace))),
    reading="With A^T x; Section 2.1 calls unbiasedness a property of any valid feature map.",
)
repaired = Claim(
    NOTES.at("Section 6.1"), Holds(And(Eq(2 * mean_rbf, rbf), Eq(2 * mean_laplace, laplace)))
)
