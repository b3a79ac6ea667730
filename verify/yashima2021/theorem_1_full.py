"""Theorem 1 in full: how many random features make the minimisers agree within epsilon.

Setting    L-Lipschitz convex non-negative loss, features bounded by R, sup-norm interpolation with
           exponent p and constant C; g_* minimises the expected loss and lies in H.
Claim      with xi the least of four terms and M >= max(8/3 (R/xi)^2, 32 (R/xi)^4) times
           log(2 R^2 / (||T|| delta)), sup |g_lambda - g_{M, lambda}| <= epsilon with probability
           1 - delta (conference edition), 1 - 2 delta (preprint).

The steps speak of any functions u in H_M and v in H that are to g_lambda and g_{M, lambda} as
(104)-(107) of the preprint say: no larger norm, within xi times the norm in L2(rho).
"""

from flint import arb, arb_mat
from sympy import And, Eq, Le, Max, Min, Rational, log, sqrt, symbols

from boundcheck import Claim, Holds, WithProbability
from boundcheck.errors import Undefined
from boundcheck.exact import reciprocal, sign, square_root, to_ball
from boundcheck.quantities import facts, known
from boundcheck.quantities.losses import (
    essential_supremum,
    expected_loss,
    l2_norm,
    larger,
    lipschitz_constant,
    smoothness_constant,
)
from boundcheck.quantities.minimisers import (
    bayes_loss,
    bayes_norm,
    covariance_norm,
    distance,
    feature_kernel,
    norm_of_values,
    population_minimiser,
    sampled_kernel,
    sampled_minimiser,
    supremum_gap,
)
from boundcheck.quantities.operators import column, dot, entries
from boundcheck.quantities.sum_spaces import least_norm_sum
from boundcheck.worlds import (
    Choice,
    Counts,
    Custom,
    Derived,
    Integer,
    Matrix,
    Real,
    Space,
    Tuples,
    Vector,
    Weights,
)

from . import (
    AISTATS,
    ARXIV,
    C,
    L,
    M,
    R,
    bayes_worlds,
    delta,
    epsilon,
    interpolation_constant,
    lam,
    p,
    population_worlds,
    xi,
)

gap, norm_star, risk_star, norm_T = symbols("gap norm_star risk_star norm_T", real=True)
largest_feature = symbols("largest_feature", real=True)


def smallest_accuracy(norm_star, risk_star):
    """xi as printed in (100) and (131)."""
    return Min(
        (epsilon / (2 ** (p + 1) * C * norm_star)) ** (1 / (1 - p)),
        lam * epsilon**2 / (2**4 * 3 * R**2 * L * norm_star),
        (lam**3 * epsilon**4 / (2**7 * 3**2 * R**4 * L**2 * risk_star)) ** Rational(1, 2),
        (lam**3 * epsilon**4 / (2**7 * 3**2 * R**4 * L**3 * norm_star)) ** Rational(1, 3),
    )


accuracy = smallest_accuracy(norm_star, risk_star)
required = Max(Rational(8, 3) * (R / accuracy) ** 2, 32 * (R / accuracy) ** 4) * log(
    2 * R**2 / (norm_T * delta)
)


@facts("nonnegative")
def star_norm(phi, tau, eta, loss, height, stretch):
    """||g_*||_H."""
    return bayes_norm(feature_kernel(phi, tau), eta, loss, height, stretch)


def largest_entry(phi):
    """max |phi|."""
    return max(abs(entry) for entry in phi.entries())


BOUNDED = [R > 0, largest_feature <= R]
# The accuracy comes first: it is what a world is given up last for.
PARAMETERS = {
    epsilon: Real(0, None),
    M: Integer(1, wide=True, searched=2**61),
    delta: Real(0, 1, open_low=True),
    lam: Real(0, None),
    R: Real(0, None),
    p: Real(0, 1, open_high=True),
}

aistats = Claim(
    source=AISTATS.at("Appendix C, Theorem 1"),
    statement=WithProbability(1 - delta, gap <= epsilon),
    given=[
        norm_star > 0, *BOUNDED, lam > 0, And(delta > 0, delta <= 1), epsilon > 0, required <= M,
    ],
    worlds=bayes_worlds(),
    parameters=PARAMETERS,
    draw=Counts("counts", "tau", "M"),
    measure=known({
        gap: supremum_gap,
        C: interpolation_constant,
        L: lipschitz_constant,
        norm_star: star_norm,
        risk_star: bayes_loss,
        norm_T: lambda phi, tau, rho: covariance_norm(feature_kernel(phi, tau), rho),
        largest_feature: largest_entry,
    }, C >= 0, L >= 0, norm_star >= 0, risk_star >= 0, norm_T >= 0, norm_T <= R**2,
        largest_feature >= 0),
    uses=(
        "yashima2021/lemma_2:printed",
        *(f"yashima2021/theorem_1_full:step_{name}" for name in (
            "strong_convexity", "lipschitz", "distance", "norm_bound", "combined", "sup_norm",
            "interpolation", "sum_space_norm", "total", "solve_xi", "probability_aistats",
        )),
    ),
    reading=(
        "g_* minimises the expected loss and lies in H, as the proof uses it; the exponent is "
        "1/(1 - p); the constant C serves for every draw"
    ),
    cost=10,
)  # fmt: skip

arxiv = Claim(
    source=ARXIV.at("Appendix C, Theorem 1, (100)-(102)"),
    statement=WithProbability(1 - 2 * delta, gap <= epsilon),
    given=aistats.given,
    worlds=aistats.worlds,
    parameters=PARAMETERS,
    draw=aistats.draw,
    measure=aistats.measure,
    uses=tuple(key.replace("_aistats", "_arxiv") for key in aistats.uses),
    reading=(
        aistats.reading + "; L is the Lipschitz constant, which Assumption 1 of this edition "
        "calls G, as the proof says"
    ),
    cost=10,
)


def forces_at_zero(phi, tau, counts, rho, eta):
    """K D (1 - 2 eta) of both kernels: not zero, so that neither minimiser is zero."""
    pull = column([w * (1 - 2 * e) for w, e in zip(rho, eta, strict=True)])
    found = [kernel * pull for kernel in (feature_kernel(phi, tau), sampled_kernel(phi, counts))]
    if any(force == force * 0 for force in found):
        raise Undefined("a minimiser is zero and the step says nothing")
    return found[0]


# Steps. The drawn features are any counts: the steps hold on every draw.

DRAWN = dict(
    counts=Custom(lambda source, earlier: tuple(
        source.integer(0, 5) if k else source.integer(1, 5) for k in range(earlier["K"])
    ), lambda value, world: Tuples("K", Integer(0, searched=5)).admits(value, world)
        and sum(value) >= 1),
    u_direction=Vector("n", -1, 1),
    v_direction=Vector("n", -1, 1),
    u_share=Real(0, 1),
    v_share=Real(0, 1),
    forces=Derived(forces_at_zero),
)  # fmt: skip
steps_world = population_worlds().and_fields(
    loss=Choice(("logistic", "hinge", "smoothed hinge", "modified huber")), **DRAWN
)
star_world = bayes_worlds().and_fields(**DRAWN)

fit, fit_M, kernel, kernel_M, u, v = symbols("fit fit_M kernel kernel_M u v")
risk_fit, risk_fit_M, risk_u, risk_v = symbols("risk_fit risk_fit_M risk_u risk_v", real=True)
norm_fit, norm_fit_M, norm_u, norm_v = symbols("norm_fit norm_fit_M norm_u norm_v", real=True)
to_v, to_u = symbols("to_v to_u", real=True)
l2_u, l2_v, l2_ratio = symbols("l2_u l2_v l2_ratio", real=True)
sup_u, sup_gap_u = symbols("sup_u sup_gap_u", real=True)


def scaled(gram, direction, share, norm):
    """Coefficients of the element of norm share * norm along a direction; zero without one."""
    length = square_root(dot(direction, entries(gram * column(direction))))
    if sign(length) != 1:
        return tuple(arb(0) for _ in direction)
    factor = to_ball(share * norm * reciprocal(length))
    return tuple(factor * entry for entry in direction)


def values(gram, coefficients):
    """Values on the points of the element with these coefficients."""
    return entries(arb_mat(gram) * column(coefficients))


@facts("nonnegative")
def rkhs_length(gram, coefficients):
    """sqrt(a^T K a)."""
    return square_root(dot(coefficients, values(gram, coefficients)))


def minus(left, right):
    """Difference of two tuples of values."""
    return [a - b for a, b in zip(left, right, strict=True)]


ELEMENTS = {
    kernel: lambda phi, tau: feature_kernel(phi, tau),
    kernel_M: lambda phi, counts: sampled_kernel(phi, counts),
    fit: population_minimiser,
    fit_M: sampled_minimiser,
    norm_fit: facts("nonnegative")(lambda fit: fit.norm),
    norm_fit_M: facts("nonnegative")(lambda fit_M: fit_M.norm),
    u: lambda kernel_M, u_direction, u_share, norm_fit: scaled(
        kernel_M, u_direction, u_share, norm_fit
    ),
    v: lambda kernel, v_direction, v_share, norm_fit_M: scaled(
        kernel, v_direction, v_share, norm_fit_M
    ),
    norm_u: lambda kernel_M, u: rkhs_length(kernel_M, u),
    norm_v: lambda kernel, v: rkhs_length(kernel, v),
    to_v: lambda kernel, fit, v: distance(kernel, fit, v),
    to_u: lambda kernel_M, fit_M, u: distance(kernel_M, fit_M, u),
    risk_fit: lambda rho, eta, loss, height, stretch, fit: expected_loss(
        rho, eta, loss, height, stretch, fit.values
    ),
    risk_fit_M: lambda rho, eta, loss, height, stretch, fit_M: expected_loss(
        rho, eta, loss, height, stretch, fit_M.values
    ),
    risk_u: lambda rho, eta, loss, height, stretch, kernel_M, u: expected_loss(
        rho, eta, loss, height, stretch, values(kernel_M, u)
    ),
    risk_v: lambda rho, eta, loss, height, stretch, kernel, v: expected_loss(
        rho, eta, loss, height, stretch, values(kernel, v)
    ),
    l2_u: lambda rho, fit, kernel_M, u: l2_norm(rho, minus(values(kernel_M, u), fit.values)),
    l2_v: lambda rho, fit_M, kernel, v: l2_norm(rho, minus(values(kernel, v), fit_M.values)),
    l2_ratio: lambda l2_u, l2_v, norm_fit, norm_fit_M: larger(
        l2_u * reciprocal(norm_fit), l2_v * reciprocal(norm_fit_M)
    ),
    L: lipschitz_constant,
}
CLOSE = [lam > 0, xi > 0, l2_ratio <= xi]
FREE = {lam: Real(0, None), xi: Real(0, None)}
STEP = "yashima2021/theorem_1_full:step_"
APPROXIMANTS = "u and v are any approximants with the properties that Lemma 2 is used for"

squares = to_v**2 + to_u**2
base = lam / 2

step_strong_convexity = Claim(
    source=ARXIV.at("Appendix C, (108)-(109)"),
    statement=Holds(
        And(
            risk_fit + base * norm_fit**2 + base * to_v**2 <= risk_v + base * norm_v**2,
            risk_fit_M + base * norm_fit_M**2 + base * to_u**2 <= risk_u + base * norm_u**2,
        )
    ),
    given=[lam > 0],
    worlds=steps_world.and_fields(u_share=Real(0, None), v_share=Real(0, None)),
    parameters={lam: FREE[lam]},
    measure=ELEMENTS,
    reading="u and v are any elements of the two spaces",
    cost=4,
)

step_lipschitz = Claim(
    source=ARXIV.at("Appendix C, (110)-(113)"),
    statement=Holds(
        And(
            risk_v <= risk_fit_M + L * l2_v,
            risk_fit_M + L * l2_v <= risk_fit_M + L * xi * norm_fit_M,
            risk_u <= risk_fit + L * l2_u,
            risk_fit + L * l2_u <= risk_fit + L * xi * norm_fit,
        )
    ),
    given=CLOSE,
    worlds=steps_world,
    parameters=FREE,
    measure=ELEMENTS,
    uses=("yashima2021/assumption_1:printed", "yashima2021/lemma_2:printed"),
    reading=APPROXIMANTS + "; L is the Lipschitz constant of Assumption 1 in both editions",
    cost=4,
)

step_lipschitz_smoothness = Claim(
    source=ARXIV.at("Appendix C, (110)-(113), with L as Assumption 4 of this edition defines it"),
    statement=step_lipschitz.statement,
    given=CLOSE,
    worlds=steps_world.and_fields(loss=Choice(("logistic", "smoothed hinge", "modified huber"))),
    parameters=FREE,
    measure={**ELEMENTS, L: smoothness_constant},
    uses=step_lipschitz.uses,
    reading="the letter L as defined in this edition: the smoothness constant of the loss",
    cost=4,
)

step_distance = Claim(
    source=ARXIV.at("Appendix C, (114)-(119)"),
    statement=Holds(
        And(
            risk_fit + base * norm_fit**2 + base * squares
            <= risk_v + base * norm_v**2 + base * to_u**2,
            risk_v + base * norm_v**2 + base * to_u**2
            <= risk_fit_M + L * xi * norm_fit_M + base * norm_fit_M**2 + base * to_u**2,
            risk_fit_M + L * xi * norm_fit_M + base * norm_fit_M**2 + base * to_u**2
            <= risk_u + base * norm_u**2 + L * xi * norm_fit_M,
            risk_u + base * norm_u**2 + L * xi * norm_fit_M
            <= risk_fit + base * norm_fit**2 + L * xi * (norm_fit + norm_fit_M),
            squares <= 2 * L * xi / lam * (norm_fit + norm_fit_M),
        )
    ),
    given=CLOSE,
    worlds=steps_world,
    parameters=FREE,
    measure=ELEMENTS,
    uses=(STEP + "strong_convexity", STEP + "lipschitz"),
    reading=APPROXIMANTS,
    cost=4,
)

step_norm_bound = Claim(
    source=ARXIV.at("Appendix C, (120)-(121)"),
    statement=Holds(
        And(
            base * norm_fit_M**2 <= risk_u + base * norm_u**2,
            risk_u + base * norm_u**2 <= risk_fit + L * xi * norm_fit + base * norm_fit**2,
        )
    ),
    given=CLOSE,
    worlds=steps_world,
    parameters=FREE,
    measure=ELEMENTS,
    uses=(STEP + "strong_convexity", STEP + "lipschitz"),
    reading=APPROXIMANTS + "; losses are non-negative, as Section 2.1 has them",
    cost=4,
)

STAR = {
    **ELEMENTS,
    norm_star: lambda kernel, eta, loss, height, stretch: bayes_norm(
        kernel, eta, loss, height, stretch
    ),
    risk_star: bayes_loss,
    sup_u: lambda rho, fit_M, kernel_M, u: essential_supremum(
        rho, minus(fit_M.values, values(kernel_M, u))
    ),
    sup_gap_u: lambda rho, fit, kernel_M, u: essential_supremum(
        rho, minus(fit.values, values(kernel_M, u))
    ),
    gap: lambda rho, fit, fit_M: essential_supremum(rho, minus(fit.values, fit_M.values)),
}


def combined_bound(norm, risk):
    """The right sides of (122) and (123)."""
    return (2 * L * xi / lam) * (
        norm + sqrt(2 / lam * risk + 2 * L * xi / lam * norm + norm**2)
    )


split_bound = (2 * L * xi / lam) * (
    2 * norm_star + sqrt(2 / lam * risk_star) + sqrt(2 * L * xi / lam * norm_star)
)

step_combined = Claim(
    source=ARXIV.at("Appendix C, (122)-(124)"),
    statement=Holds(
        And(
            squares <= combined_bound(norm_fit, risk_fit),
            combined_bound(norm_fit, risk_fit) <= combined_bound(norm_star, risk_star),
            combined_bound(norm_star, risk_star) <= split_bound,
        )
    ),
    given=[norm_star > 0, *CLOSE],
    worlds=star_world,
    parameters=FREE,
    measure=STAR,
    uses=(STEP + "distance", STEP + "norm_bound"),
    reading=APPROXIMANTS + "; g_* minimises the expected loss and lies in H",
    cost=4,
)

sup_bound = R * Max(
    (12 * L * xi / lam * norm_star) ** Rational(1, 2),
    (72 * L**2 * xi**2 / lam**3 * risk_star) ** Rational(1, 4),
    (72 * L**3 * xi**3 / lam**3 * norm_star) ** Rational(1, 4),
)

step_sup_norm = Claim(
    source=ARXIV.at("Appendix C, (125)"),
    statement=Holds(sup_u <= sup_bound),
    given=[norm_star > 0, *CLOSE, *BOUNDED],
    worlds=star_world,
    parameters={**FREE, R: Real(0, None)},
    measure={**STAR, largest_feature: largest_entry},
    uses=(STEP + "combined", "yashima2021/assumption_2:printed"),
    reading=step_combined.reading,
    cost=4,
)

sum_norm = symbols("sum_norm", real=True)

step_interpolation = Claim(
    source=ARXIV.at("Appendix C, (126)"),
    statement=Holds(
        And(
            sup_gap_u <= C * sum_norm**p * l2_u ** (1 - p),
            C * sum_norm**p * l2_u ** (1 - p)
            <= C * (norm_fit + norm_u) ** p * (xi * norm_fit) ** (1 - p),
            C * (norm_fit + norm_u) ** p * (xi * norm_fit) ** (1 - p)
            <= 2**p * C * xi ** (1 - p) * norm_star,
        )
    ),
    given=[norm_star > 0, *CLOSE, *BOUNDED],
    worlds=star_world,
    parameters={**FREE, R: Real(0, None), p: Real(0, 1, open_high=True)},
    measure={
        **STAR,
        largest_feature: largest_entry,
        C: interpolation_constant,
        sum_norm: lambda kernel, kernel_M, fit, u: norm_of_values(
            kernel + kernel_M, minus(fit.values, values(kernel_M, u))
        ),
    },
    uses=(STEP + "sum_space_norm", "yashima2021/lemma_2:printed"),
    reading=step_combined.reading + "; C serves for every draw",
    cost=4,
)

total_bound = Max(
    2 ** (p + 1) * C * norm_star * xi ** (1 - p),
    R * (2**4 * 3 * L * xi / lam * norm_star) ** Rational(1, 2),
    R * (2**7 * 3**2 * L**2 * xi**2 / lam**3 * risk_star) ** Rational(1, 4),
    R * (2**7 * 3**2 * L**3 * xi**3 / lam**3 * norm_star) ** Rational(1, 4),
)

step_total = Claim(
    source=ARXIV.at("Appendix C, (128)-(130)"),
    statement=Holds(And(gap <= sup_gap_u + sup_u, sup_gap_u + sup_u <= total_bound)),
    given=step_interpolation.given,
    worlds=star_world,
    parameters=step_interpolation.parameters,
    measure={**STAR, largest_feature: largest_entry, C: interpolation_constant},
    uses=(STEP + "sup_norm", STEP + "interpolation"),
    reading=step_interpolation.reading,
    cost=4,
)


step_solve_xi = Claim(
    source=ARXIV.at("Appendix C, (131)"),
    statement=Holds(Le(total_bound.subs(xi, accuracy), epsilon)),
    given=[
        R > 0, L > 0, lam > 0, epsilon > 0, C > 0, norm_star > 0, risk_star > 0,
        And(p >= 0, p < 1),
    ],
    parameters={
        symbol: Real(0, None) for symbol in (R, L, lam, epsilon, C, norm_star, risk_star)
    } | {p: Real(0, 1, open_high=True)},
    uses=(STEP + "total",),
    reading="the exponent is 1/(1 - p)",
)  # fmt: skip

both, first, second = symbols("both first second", real=True)
EVENTS = Space(law=Weights(4, zeros=True))
EVENT_MEASURE = {
    both: lambda law: law[0],
    first: lambda law: law[0] + law[1],
    second: lambda law: law[0] + law[2],
}

step_probability_aistats = Claim(
    source=AISTATS.at("Appendix C, last line: the probability"),
    statement=Holds(both >= 1 - delta),
    given=[And(delta > 0, delta <= 1), first >= 1 - delta, second >= 1 - delta],
    worlds=EVENTS,
    parameters={delta: Real(0, 1, open_low=True)},
    measure=EVENT_MEASURE,
    uses=(STEP + "total", "yashima2021/lemma_2:printed"),
    reading=(
        "the events of Lemma 2 and of Assumption 3, each of probability at least 1 - delta, are "
        "both used"
    ),
)

step_probability_arxiv = Claim(
    source=ARXIV.at("Appendix C, last line: the probability"),
    statement=Holds(both >= 1 - 2 * delta),
    given=step_probability_aistats.given,
    worlds=EVENTS,
    parameters=step_probability_aistats.parameters,
    measure=EVENT_MEASURE,
    uses=step_probability_aistats.uses,
    reading=step_probability_aistats.reading,
)

least_sum = symbols("least_sum", real=True)

step_sum_space_norm = Claim(
    source=ARXIV.at("Appendix C, (127)"),
    statement=Holds(Eq(sum_norm, least_sum)),
    worlds=Space(
        n=Integer(1, searched=2),
        K=Integer(1, searched=3),
        tau=Weights("K"),
        phi=Matrix("n", "K"),
        counts=steps_world.fields["counts"],
        a=Vector("n", -1, 1),
    ),
    measure={
        kernel: ELEMENTS[kernel],
        kernel_M: ELEMENTS[kernel_M],
        sum_norm: lambda kernel, kernel_M, a: norm_of_values(
            kernel + kernel_M, sum_values(kernel, kernel_M, a)
        ),
        least_sum: lambda kernel, kernel_M, a: least_norm_sum(
            kernel, kernel_M, sum_values(kernel, kernel_M, a)
        ),
    },
    cost=4,
)


def sum_values(kernel, kernel_M, a):
    """sum_x a_x (k + k_M)(., x) on the points."""
    return entries((kernel + kernel_M) * column(a))


repaired_sum_space_norm = Claim(
    source=ARXIV.at("Appendix C, (127) as the inequality that (126) needs"),
    statement=Holds(And(sum_norm <= least_sum, least_sum <= sqrt(2) * sum_norm)),
    worlds=step_sum_space_norm.worlds,
    measure=step_sum_space_norm.measure,
    reading="the norm of the sum space is the least root of the sum of squares (Aronszajn 1950)",
    cost=4,
)
