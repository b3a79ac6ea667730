"""Section 2, the reduced model: norm and values of a combination of feature vectors.

Setting    b = sum_j a_j Phi(x_j) with features in R^p, k(x, x') = <Phi(x), Phi(x')>.
Claim      f(x; b) = sum_j a_j k(x_j, x) and ||b||^2 = sum_ij k(x_i, x_j) a_i a_j = a^T K a.
"""

from flint import fmpq
from sympy import And, Eq, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.operators import dot
from boundcheck.quantities.rkhs import combination, gram_of, row, squared_norm
from boundcheck.worlds import Integer, Matrix, Space, Vector

from . import NOTES

value, expansion, length, double_sum, form = symbols(
    "value expansion length double_sum form", real=True
)


def kernel_expansion(features, a, at):
    return sum((a[j] * dot(row(features, j), at) for j in range(len(a))), fmpq(0))


def norm_double_sum(features, a):
    gram = gram_of(features)
    pairs = ((i, j) for i in range(len(a)) for j in range(len(a)))
    return sum((gram[i, j] * a[i] * a[j] for i, j in pairs), fmpq(0))


def squared_length(features, a):
    b = combination(features, a)
    return dot(b, b)


printed = Claim(
    source=NOTES.at("Section 2, the reduced model"),
    statement=Holds(And(Eq(value, expansion), Eq(length, double_sum), Eq(double_sum, form))),
    worlds=Space(
        n=Integer(1, searched=4), p=Integer(1, searched=3), features=Matrix("n", "p"),
        a=Vector("n", searched=(-2, 2)),
        at=Vector("p", -1, 1),
    ),
    measure={
        value: lambda features, a, at: dot(combination(features, a), at),
        expansion: kernel_expansion,
        length: squared_length,
        double_sum: norm_double_sum,
        form: lambda features, a: squared_norm(gram_of(features), a),
    },
    uses=("wu2021/theorem_2_1:printed",),
    cost=0.4,
)  # fmt: skip
