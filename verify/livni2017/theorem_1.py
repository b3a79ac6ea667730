"""Theorem 1: regret, run time and prediction of Algorithm 1.

Setting    Algorithm 1 with T, B >= 1, eta = B / sqrt(T), m = O(B^4 T log(B T)); rho the time to
           draw one feature.
Claim      1. E sum_t l_t(f_t) - min over ||f*|| < B of sum_t l_t(f*) = O(B sqrt(T)).
           2. The run time is O(rho B^4 T^2) up to logarithms in B and T.
           3. Algorithm 2 with m = O(B^4 T / eps^2 log(1/delta)) draws gives <f_t, Phi(x)> within
              eps with probability at least 1 - delta.
"""

from flint import fmpq, fmpq_mat
from sympy import Abs, And, E, Rational, log, sqrt, symbols

from boundcheck import Claim, Expected, UpToConstant, WithProbability
from boundcheck.errors import Undecided
from boundcheck.exact import square_root
from boundcheck.quantities.online import DESCENT, PRINTED, coefficient_norm, estimate_law, row
from boundcheck.quantities.online_comparators import best_in_ball
from boundcheck.quantities.online_simulation import simulate
from boundcheck.worlds import Custom, Family, Integer, Real, Sampled, doublings
from boundcheck.worlds.space import float_value

from . import (
    AT_LEAST_ONE,
    FEATURES,
    NOTES,
    POSITIVE,
    RUN_FIELDS,
    B,
    Estimates,
    T,
    combinations,
    delta,
    enough_samples,
    epsilon,
    estimate,
    eta,
    m,
    one_point,
    product,
    product_of_given,
    proof_samples,
    regret,
    regret_of,
    rho,
    runs,
    theorem_step,
)
from ._adversaries import (
    FIXED,
    NOISY,
    REGRETS,
    SEEING,
    long_contests,
    positive_regret,
)
from ._long import cut_excess, long_runs, scaled_features

time, needed, best, cap, l1 = symbols("time needed best cap l1", real=True)

SAMPLES = Integer(1, wide=True, searched=10**9)
stated_samples = B**4 * T * log(B * T)
# The m of the proof at the step of the theorem, where B / eta = sqrt(T).
samples = ((16 * B + 1) * B) ** 2 * T * log(((16 * B + 1) * T + sqrt(T)) ** 2)
ROUNDS = (20 * B / (3 * epsilon)) ** 2  # at which 20/3 B sqrt(T) is epsilon T


def noise_free(rounds, radius, **more):
    """A run on one point at more samples than theorem or proof ask for."""
    return one_point(rounds, radius, m=enough_samples(radius, rounds), **more)


regret_bound = dict(
    statement=UpToConstant(regret <= B * sqrt(T)),
    worlds=runs(rounds=2),
    parameters={B: AT_LEAST_ONE, m: SAMPLES},
    families=(
        Family(
            "T grows, B = 1, one point with label 1/4",
            lambda size: noise_free(4 * size, 1, feature="1/2", label="1/4"),
            sizes=(1, 4, 16, 64, 128, 256),
        ),
        Family(
            "B grows at T = 2, one point with label 1",
            lambda size: noise_free(2, size),
            sizes=doublings(8, 7),
        ),
    ),
    cost=30,
)

printed = Claim(
    source=NOTES.at("Theorem 1, part 1"),
    given=[B >= 1, m >= stated_samples],
    measure={eta: theorem_step, regret: regret_of(PRINTED)},
    uses=(
        "livni2017/algorithm_1:printed", "livni2017/proof_16:printed",
        "livni2017/proof_17:printed", "livni2017/proof_18:printed",
        "livni2017/proof_final:printed",
    ),
    reading="m = O(...) is at least the stated order, written with constant 1; the growing worlds "
    "take no less than the proof does, and their estimates are exact. An open ball's minimum is "
    "its infimum; every B >= 1 and T. The text speaks of every sequence: one that is fixed before "
    "the run, blind to its draws; sequences that see them are claims of their own.",
    **regret_bound,
)  # fmt: skip

descent_every_step = Claim(
    source=NOTES.at("Theorem 1, part 1, with a descent step"),
    given=[B >= 1, m >= samples],
    measure={eta: theorem_step, regret: regret_of(DESCENT)},
    uses=("livni2017/algorithm_1:repaired", "livni2017/proof_final:printed"),
    reading="As printed, but for the sign of the update and the m of the proof: any B >= 1 and T.",
    **regret_bound,
)


def passes(look, rng, size):
    """Total loss of independent runs of Algorithm 1 with a descent step."""
    world = {name: float_value(look(name)) for name in RUN_FIELDS}
    found = simulate(**world, runs=size, rng=rng, update=DESCENT)
    return {"total": ((found["products"] - world["y"]) ** 2 / 2).sum(axis=1)}


def stated_regret(B, T):
    """20/3 B sqrt(T)."""
    return B * square_root(T) * 20 / 3


base = {eta: theorem_step, best: best_in_ball, regret: cut_excess("total", "best")}
ROUNDS_RUN = (64, 100, 144, 256)
simulated = dict(
    worlds=long_runs(ROUNDS_RUN, points=3, atoms=3).and_fields(
        psi=Custom(scaled_features, FEATURES), T=Integer(64, searched=256)
    ),
    draw=Sampled(("total",), passes, over="the draws of Algorithms 1 and 2"),
    uses=("livni2017/algorithm_1:repaired", "livni2017/proof_final:repaired_theorem_step"),
    cost=4,
)

repaired = Claim(
    source=NOTES.at("Theorem 1, part 1, with a descent step, T >= 64 B^2 and its constant"),
    statement=Expected(regret <= Rational(20, 3) * B * sqrt(T)),
    given=[B >= 1, T >= 64 * B**2, m >= samples],
    parameters={B: AT_LEAST_ONE, m: SAMPLES},
    measure=base | {cap: stated_regret},
    reading="The regret of a run is cut at four times the bound, so that its mean can be tested.",
    **simulated,
)

mean_regret = Claim(
    source=NOTES.at("Theorem 1, part 1, with its constant: T and m for a mean regret of epsilon"),
    statement=Expected(regret <= epsilon * T),
    given=[B >= 1, epsilon > 0, T >= 64 * B**2, T >= ROUNDS, m >= samples],
    parameters={B: AT_LEAST_ONE, epsilon: POSITIVE, m: SAMPLES},
    measure=base | {cap: lambda epsilon, T: epsilon * T},
    reading="With a descent step: the rounds and samples per round at which the bound of the "
    "repaired theorem is at most epsilon T. A regret is cut at four times that.",
    **simulated,
)

adaptive_constant = Claim(
    source=NOTES.at("Theorem 1, part 1, repaired, against an adversary that sees the run"),
    statement=Expected(regret <= Rational(20, 3) * B * sqrt(T)),
    given=[B >= 1, T >= 64 * B**2, m >= samples],
    worlds=long_contests((64, 81, 100), psi=Custom(scaled_features, FEATURES)),
    parameters={B: AT_LEAST_ONE, m: SAMPLES},
    measure={
        eta: theorem_step,
        cap: lambda B, T: stated_regret(B, T) / 2,
        regret: positive_regret,
    },
    draw=REGRETS,
    uses=("livni2017/algorithm_1:repaired", "livni2017/lemma_1:adaptive_hindsight"),
    reading="Point and label of a round depend on the draws of the rounds before it (section 2 has "
    "an adversary reveal them after f_t is chosen), and the minimum is taken after the run, inside "
    "the expectation. What is bounded is the positive part of the regret, which is larger, cut at "
    "twice the bound.",
    cost=1.5,
)


def beyond_the_order(share):
    """share B T^(3/4): a cut there leaves room for a regret of more than the order B sqrt(T)."""
    return lambda B, T: B * square_root(T * square_root(T)) * share


ordered = dict(
    statement=UpToConstant(Expected(regret <= B * sqrt(T))),
    given=[B >= 1, T >= 64 * B**2, m >= stated_samples],
    parameters={B: AT_LEAST_ONE, m: SAMPLES},
    measure={
        eta: theorem_step,
        cap: beyond_the_order(fmpq(1, 4)),
        regret: positive_regret,
    },
    draw=REGRETS,
    cost=3,
)
POSITIVE_PART = (
    "With a descent step, T >= 64 B^2 and m from the stated order with constant 1. What is bounded "
    "is the positive part of the regret, which is larger, cut at B T^(3/4), so that no constant "
    "is enough by itself."
)

oblivious = Claim(
    source=NOTES.at("Theorem 1, part 1, with a descent step, on hard fixed sequences"),
    worlds=long_contests(ROUNDS_RUN, seeing=False).and_fields(T=Integer(64, searched=256)),
    families=FIXED,
    uses=("livni2017/algorithm_1:repaired",),
    reading=POSITIVE_PART,
    **ordered,
)

adaptive = Claim(
    source=NOTES.at("Theorem 1, part 1, with a descent step, on sequences that depend on the run"),
    worlds=long_contests(ROUNDS_RUN).and_fields(T=Integer(64, searched=256)),
    families=SEEING,
    uses=("livni2017/algorithm_1:repaired", "livni2017/lemma_1:adaptive_hindsight"),
    reading=f"{POSITIVE_PART} Points and labels depend on the draws so far, the minimum is taken "
    "after the run.",
    **ordered,
)

few_samples = Claim(
    source=NOTES.at("Theorem 1, part 1, with a descent step and any m of at most the stated order"),
    worlds=long_contests(ROUNDS_RUN, seeing=False).and_fields(T=Integer(64, searched=256)),
    families=NOISY,
    uses=("livni2017/algorithm_1:repaired",),
    reading="m = O(...) as it stands, an order from above, so that m = 1 will do. What is bounded "
    "is the positive part of the regret, which along the family is the regret: its labels are "
    "those of a function in the ball. It is cut at 6 B T^(3/4).",
    **(ordered | dict(
        given=[B >= 1, T >= 64 * B**2, m >= 1, m <= stated_samples],
        measure=ordered["measure"] | {cap: beyond_the_order(fmpq(3, 2))},
        cost=2,
    )),
)  # fmt: skip


def run_time(T, m, rho):
    """Rounds 2..T: an alias table over t coefficients, then m draws of (i, w) and two features."""
    return sum(range(1, T)) + (T - 1) * m * (rho + 4)


part_2 = Claim(
    source=NOTES.at("Theorem 1, part 2"),
    statement=UpToConstant(time <= rho * B**4 * T**2 * log(E + B * T)),
    given=[B >= 1, rho >= 1],
    parameters={B: AT_LEAST_ONE, T: Integer(1, wide=True, searched=10**6), rho: AT_LEAST_ONE},
    measure={eta: theorem_step, m: proof_samples, time: run_time},
    families=(
        Family("T grows", lambda n: {"B": 1, "T": n, "rho": 1}, sizes=doublings(2, 10)),
        Family("B grows", lambda n: {"B": n, "T": 4, "rho": 1}, sizes=doublings(1, 8)),
        Family("both grow", lambda n: {"B": n, "T": n * n, "rho": n}, sizes=doublings(2, 8)),
    ),
    reading="Drawing a feature takes rho >= 1, evaluating it and drawing an index a constant; one "
    "logarithm stands for those that the notation hides.",
    cost=4,
)


def needed_draws(alpha, psi, x, mu, epsilon, delta):
    """Least m >= 1 for which Algorithm 2 is within epsilon with probability 1 - delta."""
    single = estimate_law(alpha, [row(psi, i) for i in range(psi.nrows())], x, mu, 1)
    centre, sums = product_of_given(alpha, psi, x, mu), {fmpq(0): fmpq(1)}
    for count in range(1, 60):
        following = {}
        for value, chance in sums.items():
            for share, more in single:
                following[value + more] = following.get(value + more, fmpq(0)) + chance * share
        sums = following
        near = (p for value, p in sums.items() if abs(value / count - centre) <= epsilon)
        if sum(near, fmpq(0)) >= 1 - delta:
            return count
        if len(sums) > 200:
            break
    raise Undecided("the law of the estimate grows too large")


def after_one_round(delta, epsilon="1/4"):
    """t = 2 after y_1 = 1 at B = 1, T = 4: one coefficient eta; the test point has fair signs."""
    near = fmpq(9, 10)
    return {
        "N": 1, "K": 2, "mu": (fmpq(1, 2),) * 2, "psi": fmpq_mat(1, 2, [near, near]),
        "alpha": (fmpq(-1, 2),), "x": (near, -near), "B": fmpq(1), "T": 4, "delta": delta,
        "epsilon": fmpq(*map(int, epsilon.split("/"))),
    }  # fmt: skip


towards_one = Family(
    "delta -> 1, one coefficient, fair signs",
    lambda n: after_one_round(1 - fmpq(1, n)),
    sizes=doublings(8, 8),
)
towards_zero = Family(
    "delta -> 0, one coefficient, fair signs",
    lambda n: after_one_round(fmpq(1, n)),
    sizes=doublings(4, 8),
)
draws = dict(
    given=[
        B >= 1, epsilon > 0, delta > 0, delta < 1, l1 <= (16 * B + 1) * B * sqrt(T),
    ],
    worlds=combinations(),
    parameters={
        B: AT_LEAST_ONE, T: Integer(1, searched=100), epsilon: POSITIVE,
        delta: Real(0, 1, open_low=True, open_high=True),
    },
    measure={needed: needed_draws, l1: coefficient_norm},
    families=(towards_one, towards_zero),
    cost=60,
)  # fmt: skip

part_3 = Claim(
    source=NOTES.at("Theorem 1, part 3"),
    statement=UpToConstant(needed - 1 <= B**4 * T / epsilon**2 * log(1 / delta)),
    uses=("livni2017/lemma_4:printed", "livni2017/lemma_5:printed"),
    reading="The draws needed beyond the first one (a number of draws is rounded up) are at most a "
    "constant times the stated order, for every delta in (0, 1). alpha^(t) is any vector within "
    "Lemma 5, whether the sequence behind it saw the run or not.",
    **draws,
)

repaired_part_3 = Claim(
    source=NOTES.at("Theorem 1, part 3, with log(2/delta)"),
    statement=UpToConstant(needed - 1 <= B**4 * T / epsilon**2 * log(2 / delta)),
    uses=("livni2017/lemma_4:repaired", "livni2017/lemma_5:printed"),
    **draws,
)

repaired_constant = Claim(
    source=NOTES.at("Theorem 1, part 3, with its constant"),
    statement=WithProbability(1 - delta, Abs(estimate - product) <= epsilon),
    given=[
        And(delta > 0, delta < 1), epsilon > 0, m >= 2 * l1**2 / epsilon**2 * log(2 / delta),
    ],
    worlds=combinations(),
    parameters={
        m: Integer(1, searched=24), epsilon: POSITIVE,
        delta: Real(0, 1, open_low=True, open_high=True),
    },
    measure={product: product_of_given, l1: coefficient_norm},
    draw=Estimates(),
    uses=("livni2017/lemma_4:repaired",),
    cost=40,
)  # fmt: skip
