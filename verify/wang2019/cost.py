"""Section 1.1: arithmetic cost of kernel ridge regression and of its random feature version.

Setting    n training points in R^d, s random features; multiplications are counted.
Claim      kernel matrix O(n^2 d), training O(n^3), prediction O(n d); with random features
           training O(n s^2) and prediction O(s d).
Cost model  a kernel value or a feature costs d multiplications, a p x p system p^3, a Gram matrix
           of an n x s matrix n s^2; with random features the cheaper of the s x s and the n x n
           system is solved.
Given features  with the features formed beforehand the printed training cost is right.
Repaired   forming the n s features costs n s d: training O(n s (s + d)).
"""

from sympy import And, Min

from boundcheck import Claim, UpToConstant
from boundcheck.expressions import define, parameter
from boundcheck.worlds import Integer, Space, doublings
from boundcheck.worlds.families import growing, size_symbol

from . import NOTES

n, d, s = (parameter(name, Integer(1, wide=True, searched=10**6)) for name in "nds")
kernel = define("kernel", n * (n + 1) / 2 * d, says="Distinct entries of the kernel matrix.")
training_krr = define("training_krr", n**3, says="One n x n system.")
test_krr = define("test_krr", n * d + n, says="n kernel values and an inner product.")
system_rfm = define(
    "system_rfm", Min(n * s**2 + n * s + s**3, n**2 * s + n**3 + n * s),
    says="The cheaper of the two systems once the n x s features are there.",
)  # fmt: skip
training_rfm = define("training_rfm", n * s * d + system_rfm, says="Features, then the system.")
test_rfm = define("test_rfm", s * d + s, says="s features and an inner product.")
krr = And(kernel <= n**2 * d, training_krr <= n**3, test_krr <= n * d)
size = size_symbol()
FAMILIES = tuple(
    growing(Space(), doublings(4, 6), name=name, n=points, d=dimension, s=features)
    for name, points, dimension, features in (
        ("n grows", size, 4, 4),
        ("s grows up to n", size, 4, size),
        ("s grows beyond n", 4, 4, size),
        ("d grows", 16, size, 2),
        ("n and d grow", size, size, 2),
    )
)

printed = Claim(
    NOTES.at("Section 1.1"),
    UpToConstant(And(krr, training_rfm <= n * s**2, test_rfm <= s * d)),
    families=FAMILIES,
    reading="Training starts from the points in R^d, as the sentence does, so it includes forming "
    "the features, as the first part includes forming the kernel matrix and as the printed cost of "
    "a prediction includes the feature of the test point. Without it: `given_features`.",
)
given_features = Claim(
    NOTES.at("Section 1.1"),
    UpToConstant(And(krr, system_rfm <= n * s**2, test_rfm <= s * d)),
    families=FAMILIES,
    reading="Training is the solution of the linear system alone.",
)
repaired = Claim(
    NOTES.at("Section 1.1"),
    UpToConstant(And(krr, training_rfm <= n * s * (s + d), test_rfm <= s * d)),
    families=FAMILIES,
)
