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

from sympy import And, symbols

from boundcheck import Claim, UpToConstant
from boundcheck.worlds import Family, Integer, doublings

from . import NOTES, d, n, s

kernel, training_krr, test_krr = symbols("kernel training_krr test_krr", real=True)
training_rfm, test_rfm = symbols("training_rfm test_rfm", real=True)
system_rfm = symbols("system_rfm", real=True)


def kernel_cost(n, d):
    """Distinct entries of the kernel matrix times d."""
    return n * (n + 1) // 2 * d


def system_cost(n):
    """One n x n system."""
    return n**3


def kernel_prediction_cost(n, d):
    """n kernel values and an inner product."""
    return n * d + n


def feature_system_cost(n, s):
    """The cheaper of the two systems once the n x s features are there."""
    primal = n * s**2 + n * s + s**3
    dual = n**2 * s + n**3 + n * s
    return min(primal, dual)


def feature_training_cost(n, d, s):
    """The n x s features from the points, then the cheaper of the two systems."""
    return n * s * d + feature_system_cost(n, s)


def feature_prediction_cost(d, s):
    """s features and an inner product."""
    return s * d + s


def _family(name, **rules):
    return Family(
        name, lambda size: {key: int(rule(size)) for key, rule in rules.items()}, doublings(4, 6)
    )


FAMILIES = (
    _family("n grows", n=lambda N: N, d=lambda N: 4, s=lambda N: 4),
    _family("s grows up to n", n=lambda N: N, d=lambda N: 4, s=lambda N: N),
    _family("s grows beyond n", n=lambda N: 4, d=lambda N: 4, s=lambda N: N),
    _family("d grows", n=lambda N: 16, d=lambda N: N, s=lambda N: 2),
    _family("n and d grow", n=lambda N: N, d=lambda N: N, s=lambda N: 2),
)
KRR = And(kernel <= n**2 * d, training_krr <= n**3, test_krr <= n * d)
SETTING = {
    "parameters": {
        n: Integer(1, wide=True, searched=10**6), d: Integer(1, wide=True, searched=10**6),
        s: Integer(1, wide=True, searched=10**6),
    },
    "measure": {
        kernel: kernel_cost, training_krr: system_cost, test_krr: kernel_prediction_cost,
        training_rfm: feature_training_cost, system_rfm: feature_system_cost,
        test_rfm: feature_prediction_cost,
    },
    "families": FAMILIES,
}  # fmt: skip

printed = Claim(
    source=NOTES.at("Section 1.1"),
    statement=UpToConstant(And(KRR, training_rfm <= n * s**2, test_rfm <= s * d)),
    reading="Training starts from the points in R^d, as the sentence does, so it includes forming "
    "the features, as the first part includes forming the kernel matrix and as the printed cost of "
    "a prediction includes the feature of the test point. Without it: `given_features`.",
    **SETTING,
)

given_features = Claim(
    source=NOTES.at("Section 1.1"),
    statement=UpToConstant(And(KRR, system_rfm <= n * s**2, test_rfm <= s * d)),
    reading="Training is the solution of the linear system alone.",
    **SETTING,
)

repaired = Claim(
    source=NOTES.at("Section 1.1"),
    statement=UpToConstant(And(KRR, training_rfm <= n * s * (s + d), test_rfm <= s * d)),
    **SETTING,
)
