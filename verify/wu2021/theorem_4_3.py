"""Theorem 4.3: noisy data and the unsquared norm penalty with lambda = sigma / sqrt(n).

Setting    law rho on finitely many points, kernel with k(x, x) <= 1, f* in its RKHS with norm Q and
           |f*| <= 1, y = f*(x) + xi with |xi| <= sigma <= 1, n independent pairs; estimator (4.2):
           minimise (1/n) sum_i (T(f(x_i)) - y_i)^2 + lambda ||f||, T clips to [-1, 1].
Claim      with probability 1 - delta,
           ||estimator - f*||^2 in L2(rho) <= C (Q + sqrt(log(2/delta))) / sqrt(n).
Steps      norm and empirical risk of the estimator; the Lipschitz constant of the square loss;
           (4.3); the decomposition of the risk; Hoeffding for the noise; the last display.
Mended     (centred) centred noise and T on the left: the bound still fails.
Repair     the noise term sigma^2 / (lambda sqrt(n)) is kept and lambda is free.
"""

from math import isqrt

from flint import fmpq, fmpq_mat
from sympy import Abs, And, Eq, log, sqrt, symbols, sympify

from boundcheck import Claim, Holds, UpToConstant, WithProbability
from boundcheck.exact import square_root
from boundcheck.quantities import known
from boundcheck.quantities.clipped_regression import (
    clipped_estimator_error,
    estimator_empirical,
    estimator_error,
    estimator_norm,
    estimator_objective,
    estimator_risk,
    mean_noise_square,
    mean_residual,
    noise_second_moment,
    target_risk,
)
from boundcheck.quantities.operators import diagonal, dot
from boundcheck.quantities.rkhs import (
    apply,
    are_unit_features,
    gram_of,
    norm,
    solve_consistent,
    unit_features,
)
from boundcheck.worlds import (
    Choice,
    Counts,
    Custom,
    Derived,
    Family,
    Integer,
    Real,
    Space,
    Vector,
    Weights,
    doublings,
)

from . import NOTES, Q, delta, n, penalty, sigma

error, clipped_error, risk = symbols("error clipped_error risk", real=True)
attained, empirical, target, radius = symbols("attained empirical target radius", real=True)
second_moment, noise_mean, mean_square = symbols("second_moment mean_noise mean_square", real=True)
residual, largest_noise, largest_kernel = symbols("residual noise_bound kappa", real=True)
largest_target = symbols("target_bound", real=True)
epsilon = symbols("epsilon", real=True)
delta_1, delta_2, t, s, y = symbols("delta_1 delta_2 t s y", real=True)


def features_of_kind(source, earlier):
    """Features of norm at most one, orthogonal ones among them."""
    if earlier["kind"] == "orthogonal":
        return diagonal(
            tuple(source.rational(fmpq(-1), fmpq(1)) for _ in range(earlier["N"]))
        )
    return unit_features(source, earlier)


def are_of_kind(value, world):
    """Features of norm at most one, N orthogonal ones if so they are called."""
    if world["kind"] != "orthogonal":
        return are_unit_features(value, world)
    return (
        are_unit_features(value, {**world, "dimension": world["N"]})
        and diagonal(tuple(value[i, i] for i in range(world["N"]))) == value
    )


def noise_atoms(source, earlier):
    """Up to two values of the noise; one where there would be many samples."""
    return source.integer(1, 1 if earlier["N"] + earlier["n"] > 5 else 2)


def within_one(gram, raw):
    """Coefficients scaled so that |f*| <= 1."""
    top = max((abs(value) for value in apply(gram, raw)), default=fmpq(0))
    return tuple(value / max(top, fmpq(1)) for value in raw)


def pairs(rho, noise_weights):
    """Law of (x, xi): independent, noise index running fastest."""
    return tuple(p * q for p in rho for q in noise_weights)


worlds = Space(
    N=Integer(1, searched=3),
    rho=Weights("N"),
    kind=Choice(("free", "free", "orthogonal")),
    dimension=Integer(1, searched=3),
    features=Custom(features_of_kind, are_of_kind),
    gram=Derived(gram_of),
    raw=Vector("N", searched=(-3, 3)),
    alpha=Derived(within_one),
    f=Derived(lambda gram, alpha: apply(gram, alpha)),
    n=Integer(1, searched=3),
    J=Custom(noise_atoms, Integer(1, searched=2)),
    noise=Vector("J", -1, 1),
    noise_weights=Weights("J"),
    law=Derived(pairs),
)


def kernel_bound(gram):
    return max(gram[j, j] for j in range(gram.nrows()))


def stated_penalty(sigma, n):
    """lambda = sigma / sqrt(n)."""
    return sigma / square_root(n)


norms = known({
    Q: lambda gram, alpha: norm(gram, alpha),
    largest_kernel: kernel_bound,
    largest_target: lambda f: max(abs(value) for value in f),
    largest_noise: lambda noise: max(abs(value) for value in noise),
}, Q >= 0, largest_kernel >= 0, largest_target >= 0, largest_noise >= 0)  # fmt: skip
assumptions = [largest_kernel <= 1, largest_target <= 1, largest_noise <= sigma, sigma <= 1]
level = And(delta > 0, delta < 1)
unit = Real(0, 1, open_low=True, open_high=True)
sample = Counts("cells", "law", "n", over="the training sample")


def world(features, values, n, rho, noise, sigma, **parameters):
    """A member of a family: f* by its values, noise with equal weights."""
    gram = gram_of(features)
    alpha = solve_consistent(gram, values)
    weights = (fmpq(1, len(noise)),) * len(noise)
    return {
        "N": len(rho), "rho": rho, "kind": "free", "dimension": features.ncols(),
        "features": features, "gram": gram,
        "raw": alpha, "alpha": alpha, "f": tuple(values), "n": n, "J": len(noise),
        "noise": tuple(noise), "noise_weights": weights, "law": pairs(rho, weights),
        "sigma": sigma, **parameters,
    }  # fmt: skip


def unrelated_points(size, **parameters):
    """As many points as draws, kernel 1[x = x'], f* = 0, fair signs as noise."""
    one = fmpq(1)
    return world(
        diagonal((1,) * size), (fmpq(0),) * size, size, (fmpq(1, size),) * size, (-one, one), one,
        **parameters,
    )  # fmt: skip


def constant_noise(size, **parameters):
    """One point, f* = 0, noise always 1."""
    one = fmpq(1)
    return world(fmpq_mat(1, 1, [1]), (fmpq(0),), size, (one,), (one,), one, **parameters)


def small_feature(size, **parameters):
    """n = 1, sigma = 1/size; a point with feature (2 sigma, 0) and one with feature (3/5, 4/5)."""
    low = fmpq(1, size)
    features = fmpq_mat(2, 2, [2 * low, 0, fmpq(3, 5), fmpq(4, 5)])
    half = (fmpq(1, 2),) * 2
    return world(features, (fmpq(1), fmpq(0)), 1, half, (-low, low), low, **parameters)


def rare_point(height):
    """Two orthogonal points; f* = 1 on the rarer one, whose weight lambda / 2 is too little to be
    learnt, and 0 on the other; noise of the given height with fair signs."""

    def rule(size, **parameters):
        rare = parameters["lambda"] / 2
        return world(
            diagonal((1, 1)), (fmpq(0), fmpq(1)), size, (1 - rare, rare), (-height, height),
            height, **parameters,
        )  # fmt: skip

    return rule


def along(rule, **parameters):
    return lambda size: rule(size, **{k: p(size) for k, p in parameters.items()})


def two_fifths(size):
    """Below 1/2, so that one of two equally likely outcomes is too much."""
    return fmpq(2, 5)


def one_over_size(size):
    return fmpq(1, size)


def unit_weight(size):
    return fmpq(1)


def root_rate(size):
    """1 / sqrt(n) as a rational, to a millionth."""
    return fmpq(10**6, isqrt(size * 10**12))


def best_rate(size):
    """n^(-1/4), the order of the best lambda, as a rational, to a millionth."""
    return fmpq(10**6, isqrt(isqrt(size * 10**24)))


def families(**parameters):
    """The three families with the given parameter rules."""
    return (
        Family(
            "as many unrelated points as draws, fair signs as noise",
            along(unrelated_points, **parameters), doublings(8, 6), (512, 1024),
        ),
        Family(
            "one point, noise constant one, n grows",
            along(constant_noise, **parameters), doublings(4, 8),
        ),
        Family(
            "one draw, two points, sigma tends to zero",
            along(small_feature, **parameters), doublings(8, 8),
        ),
    )  # fmt: skip


shared = {"worlds": worlds, "draw": sample, "cost": 4.0}
rate = (Q + sqrt(log(2 / delta))) / sqrt(n)

printed = Claim(
    source=NOTES.at("Theorem 4.3"),
    statement=UpToConstant(WithProbability(1 - delta, error <= rate)),
    given=[*assumptions, sigma > 0, level],
    parameters={sigma: Real(0, 1), delta: unit},
    measure={**norms, penalty: stated_penalty, error: estimator_error},
    families=families(delta=two_fifths),
    uses=(
        "wu2021/theorem_4_3:step_norm",
        "wu2021/theorem_4_3:step_rademacher",
        "wu2021/theorem_4_3:step_decomposition",
        "wu2021/theorem_4_3:step_hoeffding",
        "wu2021/theorem_4_3:step_final",
    ),
    # |estimator - f*| <= ||estimator|| + Q, and the norm is at most Q + sigma^2 / lambda.
    trivial=(2 * Q + sigma * sqrt(n)) ** 2,
    reading="with probability 1 - delta, as delta is quantified; sigma > 0 because lambda is a "
    "positive weight; the left side without T, as printed",
    **shared,
)


def fair_weights(J):
    return (fmpq(1, J),) * J


def symmetric_noise(source, earlier):
    """Zero, or two opposite values."""
    height = source.rational(fmpq(0), fmpq(1))
    return (height, -height) if earlier["J"] == 2 else (fmpq(0),)


def is_symmetric_noise(value, world):
    return Vector("J", -1, 1).admits(value, world) and sorted(value) == sorted(-v for v in value)


centred_worlds = worlds.and_fields(
    noise=Custom(symmetric_noise, is_symmetric_noise), noise_weights=Derived(fair_weights)
)

centred = Claim(
    source=NOTES.at("Theorem 4.3, with centred noise and T on the left"),
    statement=UpToConstant(WithProbability(1 - delta, clipped_error <= rate)),
    given=[*assumptions, sigma > 0, level, Eq(noise_mean, 0)],
    parameters={sigma: Real(0, 1), delta: unit},
    measure={
        **norms,
        penalty: stated_penalty,
        clipped_error: clipped_estimator_error,
        noise_mean: lambda noise, noise_weights: dot(noise_weights, noise),
    },
    families=families(delta=two_fifths)[:1],
    trivial=sympify(4),
    **{**shared, "worlds": centred_worlds},
)

repaired = Claim(
    source=NOTES.at("Theorem 4.3, repaired"),
    statement=UpToConstant(
        WithProbability(
            1 - delta,
            clipped_error
            <= penalty * Q + (Q + sigma**2 / penalty) / sqrt(n) + sqrt(log(2 / delta) / n),
        )
    ),
    given=[*assumptions, penalty > 0, level, Eq(noise_mean, 0)],
    parameters={sigma: Real(0, 1), delta: unit, penalty: Real(0, None, open_low=True)},
    measure={
        **norms,
        clipped_error: clipped_estimator_error,
        noise_mean: lambda noise, noise_weights: dot(noise_weights, noise),
    },
    families=(
        Family(
            "as many unrelated points as draws, lambda = 1 / n",
            along(unrelated_points, **{"delta": two_fifths, "lambda": one_over_size}),
            doublings(8, 6),
        ),
        Family(
            "as many unrelated points as draws, lambda = 1 / sqrt(n)",
            along(unrelated_points, **{"delta": two_fifths, "lambda": root_rate}),
            doublings(8, 6),
        ),
        Family(
            "one draw, two points, sigma tends to zero",
            along(small_feature, **{"delta": two_fifths, "lambda": one_over_size}),
            doublings(8, 8),
        ),
        # Along this one the right side tends to zero.
        Family(
            "f* = 1 on a point of weight lambda / 2, lambda = n^(-1/4)",
            along(rare_point(fmpq(1, 2)), **{"delta": two_fifths, "lambda": best_rate}),
            doublings(64, 8),
        ),
    ),
    trivial=sympify(4),
    **{**shared, "worlds": centred_worlds},
)

constants = (
    penalty * Q
    + 4 * (2 + sigma) * (Q + sigma**2 / penalty) / sqrt(n)
    + ((2 + sigma) ** 2 + sigma**2) * sqrt(log(2 / delta) / (2 * n))
)
with_constants = {
    "parameters": {
        sigma: Real(0, 1),
        delta: unit,
        penalty: Real(0, None, open_low=True),
    },
    "measure": repaired.measure,
    "draw": sample,
    "worlds": centred_worlds.and_fields(
        n=Integer(1, wide=True, searched=60), J=Integer(1, searched=2)
    ),
    "trivial": sympify(4),
    "cost": 40.0,
}

explicit = Claim(
    source=NOTES.at("Theorem 4.3, repaired, with its constants"),
    statement=WithProbability(1 - delta, clipped_error <= constants),
    given=repaired.given,
    reading="one-sided deviations: contraction with 2 (2 + sigma) on the ball of radius "
    "Q + sigma^2 / lambda, losses in [0, (2 + sigma)^2], Hoeffding for the noise",
    **with_constants,
)

accuracy = Claim(
    source=NOTES.at("Theorem 4.3, repaired: n and lambda for an error of epsilon"),
    statement=WithProbability(1 - delta, clipped_error <= epsilon),
    given=[*repaired.given, epsilon > 0, constants <= epsilon],
    reading="the sample size and the range of lambda at which the explicit bound is at most "
    "epsilon; the best lambda is of order n^(-1/4), not n^(-1/2)",
    **{
        **with_constants,
        "parameters": {
            **with_constants["parameters"],
            epsilon: Real(0, None, open_low=True),
        },
    },
)

step_norm = Claim(
    source=NOTES.at("Theorem 4.3, proof, first display"),
    statement=Holds(
        And(
            attained <= target + penalty * Q,
            empirical <= target + penalty * Q,
            radius <= Q + target / penalty,
        )
    ),
    given=[*assumptions, penalty > 0],
    parameters={sigma: Real(0, 1), penalty: Real(0, None, open_low=True)},
    measure={
        **norms,
        attained: estimator_objective,
        empirical: estimator_empirical,
        target: target_risk,
        radius: estimator_norm,
    },
    reading="the empirical risk is the first term of (4.2), with T",
    **{**shared, "cost": 4.0},
)

step_lipschitz = Claim(
    source=NOTES.at("Theorem 4.3, proof, Lipschitz constant"),
    statement=Holds(Abs((t - y) ** 2 - (s - y) ** 2) <= 2 * (2 + sigma) * Abs(t - s)),
    given=[
        sigma >= 0, sigma <= 1, Abs(y) <= 1 + sigma, t >= -1, t <= 1, s >= -1, s <= 1,
    ],
    parameters={sigma: Real(0, 1), y: Real(-2, 2), t: Real(-1, 1), s: Real(-1, 1)},
    reading="on [-1, 1], the range of T, as phi_i is put after T and the constant is sharp there",
    cost=1.0,
)  # fmt: skip

step_lipschitz_whole_line = Claim(
    source=NOTES.at("Theorem 4.3, proof, Lipschitz constant, without T"),
    statement=Holds(Abs((t - y) ** 2 - (s - y) ** 2) <= 2 * (2 + sigma) * Abs(t - s)),
    given=[sigma >= 0, sigma <= 1, Abs(y) <= 1 + sigma],
    parameters={
        sigma: Real(0, 1), y: Real(-2, 2), t: Real(None, None), s: Real(None, None),
    },
    reading="t on the whole line, which the print does not exclude",
    cost=0.3,
)  # fmt: skip

chain = target + penalty * Q + (Q + target / penalty) / sqrt(n)

step_rademacher = Claim(
    source=NOTES.at("(4.3)"),
    statement=UpToConstant(
        WithProbability(1 - delta_1, risk <= chain + sqrt(log(2 / delta_1) / n))
    ),
    given=[*assumptions, penalty > 0, And(delta_1 > 0, delta_1 < 1)],
    parameters={sigma: Real(0, 1), delta_1: unit, penalty: Real(0, None, open_low=True)},
    measure={**norms, risk: estimator_risk, target: target_risk},
    families=(
        Family(
            "as many unrelated points as draws, lambda = 1 / n",
            along(unrelated_points, **{"delta_1": two_fifths, "lambda": one_over_size}),
            doublings(8, 6),
        ),
        Family(
            "as many unrelated points as draws, lambda = 1",
            along(unrelated_points, **{"delta_1": two_fifths, "lambda": unit_weight}),
            doublings(8, 6),
        ),
        *families(**{"delta_1": two_fifths, "lambda": one_over_size})[1:],
        # Along this one the right side tends to zero.
        Family(
            "no noise, f* = 1 on a point of weight lambda / 2, lambda = 1 / sqrt(n)",
            along(rare_point(fmpq(0)), **{"delta_1": two_fifths, "lambda": root_rate}),
            doublings(64, 8),
        ),
    ),
    uses=(
        "wu2021/theorem_4_3:step_norm",
        "wu2021/theorem_4_3:step_lipschitz",
        "wu2021/contraction:printed",
    ),
    reading="first against last member of the chain; R with T like the empirical risk of (4.2)",
    **shared,
)

step_decomposition = Claim(
    source=NOTES.at("Theorem 4.3, proof, display of the risk"),
    statement=Holds(
        And(
            Eq(empirical, residual),
            Eq(residual, error + second_moment),
            Eq(target, mean_square),
        )
    ),
    given=[*assumptions, penalty > 0],
    parameters={sigma: Real(0, 1), penalty: Real(0, None, open_low=True)},
    measure={
        **norms,
        empirical: estimator_empirical,
        residual: mean_residual,
        error: estimator_error,
        second_moment: noise_second_moment,
        target: target_risk,
        mean_square: mean_noise_square,
    },
    reading="the left side is the empirical risk, with T, as its symbol says; no square inside the "
    "expectation, as displayed",
    **{**shared, "cost": 6.0},
)

step_decomposition_repaired = Claim(
    source=NOTES.at("Theorem 4.3, proof, display of the risk, repaired"),
    statement=Holds(And(Eq(risk, clipped_error + second_moment), Eq(target, mean_square))),
    given=[*assumptions, penalty > 0, Eq(noise_mean, 0)],
    parameters={sigma: Real(0, 1), penalty: Real(0, None, open_low=True)},
    measure={
        **norms,
        risk: estimator_risk,
        clipped_error: clipped_estimator_error,
        second_moment: noise_second_moment,
        target: target_risk,
        mean_square: mean_noise_square,
        noise_mean: lambda noise, noise_weights: dot(noise_weights, noise),
    },
    reading="population risk on the left, the square inside the expectation, T, centred noise",
    **{**shared, "worlds": centred_worlds, "cost": 6.0},
)

noise_laws = Space(
    n=Integer(1, searched=15), J=Integer(1, searched=3), noise=Vector("J", -1, 1),
    noise_weights=Weights("J")
)
noise_sample = Counts("cells", "noise_weights", "n", over="the noise")

step_hoeffding = Claim(
    source=NOTES.at("Theorem 4.3, proof, Hoeffding"),
    statement=WithProbability(
        1 - delta_2, mean_square - second_moment <= sigma * sqrt(log(1 / delta_2) / n)
    ),
    given=[largest_noise <= sigma, sigma <= 1, And(delta_2 > 0, delta_2 < 1)],
    worlds=noise_laws,
    draw=noise_sample,
    parameters={sigma: Real(0, 1), delta_2: unit},
    measure={
        largest_noise: norms[largest_noise],
        mean_square: mean_noise_square,
        second_moment: noise_second_moment,
    },
    cost=4.0,
)

first_line = (
    mean_square - second_moment + penalty * Q + mean_square / (penalty * sqrt(n)) + Q / sqrt(n)
    + sqrt(log(1 / delta_1) / n)
)  # fmt: skip
second_line = (
    penalty * Q + sigma * sqrt(log(1 / delta_2)) / (penalty * n) + Q / sqrt(n)
    + sqrt(log(1 / delta_1) / n)
)  # fmt: skip


def constant_unit_noise(size):
    """Noise always one, lambda = 1 / sqrt(n), f* = 0; n a square."""
    one = fmpq(1)
    return {
        "n": size**2, "J": 1, "noise": (one,), "noise_weights": (one,),
        "Q": fmpq(0), "sigma": one, "lambda": fmpq(1, size), "delta_1": fmpq(1, 4),
        "delta_2": fmpq(1, 4),
    }  # fmt: skip


step_final = Claim(
    source=NOTES.at("Theorem 4.3, proof, last display"),
    statement=UpToConstant(WithProbability(1 - delta_2, first_line <= second_line)),
    given=[
        largest_noise <= sigma, sigma <= 1, penalty > 0, Q >= 0,
        And(delta_1 > 0, delta_1 < 1), And(delta_2 > 0, delta_2 < 1),
    ],
    worlds=noise_laws,
    draw=noise_sample,
    parameters={
        sigma: Real(0, 1), delta_1: unit, delta_2: unit, Q: Real(0, None),
        penalty: Real(0, None, open_low=True),
    },
    measure={
        largest_noise: norms[largest_noise],
        mean_square: mean_noise_square,
        second_moment: noise_second_moment,
    },
    families=(
        Family("noise of constant size, lambda = sigma / sqrt(n)", constant_unit_noise,
               doublings(2, 6)),
    ),
    uses=("wu2021/theorem_4_3:step_hoeffding", "wu2021/theorem_4_3:step_rademacher"),
    reading="the second sign of the display, where Hoeffding's inequality enters",
    cost=4.0,
)  # fmt: skip
