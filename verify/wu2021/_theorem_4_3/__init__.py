"""Worlds, estimators and hypotheses that the files of Theorem 4.3 share."""

from math import isqrt

from flint import fmpq, fmpq_mat
from sympy import Abs, And, Eq, sqrt

from boundcheck.expressions import (
    define,
    form,
    greatest,
    index,
    inner,
    mean,
    outcome,
    parameter,
    world,
)
from boundcheck.quantities.clipped_regression import clipped_estimator_error, target_risk
from boundcheck.quantities.operators import diagonal
from boundcheck.worlds import (
    Counts,
    Custom,
    Derived,
    Family,
    Gram,
    Integer,
    Real,
    Vector,
    Weights,
    doublings,
)

UNIT = Real(0, 1, open_low=True, open_high=True)

N = world("N", Integer(1, searched=3), says="Number of points of the law.")
rho = world("rho", Weights(N), latex=r"\rho", says="Law of x.")
K = world("K", Gram(N), facts=("positive semi-definite",), says="Kernel matrix of the points.")
alpha = world("alpha", Vector(N))
f = define("f", K * alpha, latex="f^*", says="The target, by its values on the points.")
n = world("n", Integer(1, searched=3), says="Sample size.")
J = world("J", Integer(1, searched=2), says="Number of values of the noise.")
noise = world("noise", Vector(J, searched=(-1, 1)), latex=r"\xi", says="Values of the noise.")
noise_weights = world("noise_weights", Weights(J), says="Their probabilities.")


def pairs(rho, noise_weights):
    """Law of (x, xi): independent, noise index running fastest."""
    return tuple(p * q for p in rho for q in noise_weights)


law = world("law", Derived(pairs), rank=1, needs=(rho, noise_weights), says="Law of (x, xi).")
cells = outcome(
    "cells", Counts("cells", law, n, over="the training sample"), says="Draws of each (x, xi)."
)
a, j = index("a", N), index("j", J)

sigma = parameter("sigma", Real(0, 1), latex=r"\sigma", says="Bound of the noise.")
delta = parameter("delta", UNIT, latex=r"\delta")
penalty = parameter("lambda", Real(0, None, open_low=True), latex=r"\lambda")
Q = define("Q", sqrt(form(K, alpha)), says="Norm of the target.")

quiet = greatest(Abs(noise[j]), j) <= sigma
assumptions = [greatest(K[a, a], a) <= 1, greatest(Abs(f[a]), a) <= 1, quiet, sigma <= 1]
level = And(delta > 0, delta < 1)
second_moment = mean(noise[j] ** 2, j, noise_weights)
centred_noise = Eq(inner(noise_weights, noise), 0)
target = target_risk(cells, f, noise)
clipped_error = clipped_estimator_error(K, cells, f, noise, rho, penalty)


def symmetric_noise(source, earlier):
    """Two opposite values and zeros: fair weights centre them."""
    height = source.rational(fmpq(0), fmpq(1))
    zeros = (fmpq(0),) * earlier["J"]
    return (height, -height, *zeros[2:]) if len(zeros) > 1 else zeros


def fair_weights(source, earlier):
    return (fmpq(1, earlier["J"]),) * earlier["J"]


centred_worlds = {
    noise: Custom(symmetric_noise, Vector("J")),
    noise_weights: Custom(fair_weights, Weights("J")),
}


def member(K, alpha, n, rho, noise, sigma, **parameters):
    """A member of a family: noise with equal weights."""
    weights = (fmpq(1, len(noise)),) * len(noise)
    return {
        "N": len(rho), "rho": rho, "K": K, "alpha": alpha, "n": n, "J": len(noise), "noise": noise,
        "noise_weights": weights, "law": pairs(rho, weights), "sigma": sigma, **parameters,
    }  # fmt: skip


def unrelated_points(size, **parameters):
    """As many points as draws, kernel 1[x = x'], f* = 0, fair signs as noise."""
    zero, one = fmpq(0), fmpq(1)
    return member(diagonal((one,) * size), (zero,) * size, size, (one / size,) * size, (-one, one),
                  one, **parameters)  # fmt: skip


def constant_noise(size, **parameters):
    """One point, f* = 0, noise always 1."""
    one = fmpq(1)
    return member(fmpq_mat(1, 1, [1]), (fmpq(0),), size, (one,), (one,), one, **parameters)


def small_feature(size, **parameters):
    """n = 1, sigma = 1/size; features (2 sigma, 0) and (3/5, 4/5), f* = 1 and 0 there."""
    low, half = fmpq(1, size), (fmpq(1, 2),) * 2
    features = fmpq_mat(2, 2, [2 * low, 0, fmpq(3, 5), fmpq(4, 5)])
    kernel = features * features.transpose()
    alpha = kernel.solve(fmpq_mat(2, 1, [1, 0])).entries()
    return member(kernel, tuple(alpha), 1, half, (-low, low), low, **parameters)


def rare_point(height):
    """Two orthogonal points; f* = 1 on the rarer one, whose weight lambda / 2 is too little to be
    learnt, and 0 on the other; noise of the given height with fair signs."""

    def rule(size, **parameters):
        rare = parameters["lambda"] / 2
        return member(diagonal((1, 1)), (fmpq(0), fmpq(1)), size, (1 - rare, rare),
                      (-height, height), height, **parameters)  # fmt: skip

    return rule


def along(name, rule, sizes, decided=(), **parameters):
    """A family with parameters that are functions of the size."""
    def of(size):
        return rule(size, **{key: value(size) for key, value in parameters.items()})

    return Family(name, of, sizes, decided)


def two_fifths(size):
    """Below 1/2, so that one of two equally likely outcomes is too much."""
    return fmpq(2, 5)


def one_over_size(size):
    return fmpq(1, size)


def root_rate(size):
    """1 / sqrt(n) as a rational, to a millionth."""
    return fmpq(10**6, isqrt(size * 10**12))


def unrelated(what="", **parameters):
    name = "as many unrelated points as draws, " + (what or "fair signs as noise")
    return along(name, unrelated_points, doublings(8, 6), () if what else (512, 1024),
                 **parameters)  # fmt: skip


def one_point(**parameters):
    return along("one point, noise constant one, n grows", constant_noise, doublings(4, 8),
                 **parameters)  # fmt: skip


def one_draw(**parameters):
    return along("one draw, two points, sigma tends to zero", small_feature, doublings(8, 8),
                 **parameters)  # fmt: skip
