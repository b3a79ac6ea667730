"""Theorem 3, complete statement, and the steps of its proof.

Setting    as in Theorem 3; m = m(delta), Lipschitz constant G (L in the conference edition).
Claim      M >= max(8/3 (R/xi)^2, 32 (R/xi)^4) log(2 R^2 / (||T||_op delta)), in the logarithm
           the low-noise margin delta, and xi the least of
           (m / (2^(p+3) C(delta') ||g_*||))^(1/(1-p)), lambda m^2 / (2^8 3 R^2 G ||g_*||),
           (lambda^3 m^4 / (2^15 3^2 R^4 G^2 L(g_*)))^(1/2), the same with G^3 ||g_*|| to the 1/3.
           Then with probability 1 - 2 delta' over the features, under the condition on T, for all
           t > T the expected excess error is at most 2 exp(-lambda^2 (2 gamma + t) m^2 / (2^12 9
           G^2 R^4)): of the average at t + 1 (conference edition), at T + 1 (preprint).
"""

from functools import lru_cache

import flint
from flint import arb, fmpq, fmpq_mat
from sympy import And, Eq, Le, Max, Min, Rational, exp, log, sqrt, symbols

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.errors import Undecided
from boundcheck.exact import exponential, square_root, to_ball
from boundcheck.quantities import known
from boundcheck.quantities.averaged_sgd import least_excess_on_line, unlucky_excess
from boundcheck.quantities.feature_operators import covariance_norm
from boundcheck.quantities.losses import link, lipschitz_constant, smoothness_constant
from boundcheck.quantities.minimisers import bayes_loss
from boundcheck.quantities.operators import column, entries, quadratic_form
from boundcheck.worlds import (
    Choice,
    Derived,
    Family,
    Gram,
    Integer,
    Matrix,
    Real,
    Space,
    Vector,
    Weights,
    doublings,
)

from . import AISTATS, ARXIV, C, G, L, M, R, T, delta, delta_prime, gamma, lam, m, p, t
from .theorem_3 import (
    MEASURE,
    classification_space,
    hypotheses,
    norm_star,
    simplified,
    start_gap,
)

norm_T, risk_star, rarity, bits = symbols("norm_T risk_star rarity bits", real=True)
tail_bound = symbols("tail_bound", real=True)


def xi_of(accuracy, G):
    """xi of Theorem 1 at an accuracy: the least of four terms."""
    return [
        (accuracy / (2 ** (p + 1) * C * norm_star)) ** (1 / (1 - p)),
        lam * accuracy**2 / (2**4 * 3 * R**2 * G * norm_star),
        sqrt(lam**3 * accuracy**4 / (2**7 * 3**2 * R**4 * G**2 * risk_star)),
        (lam**3 * accuracy**4 / (2**7 * 3**2 * R**4 * G**3 * norm_star)) ** Rational(1, 3),
    ]


def printed_xi(G):
    """The four terms of (157)."""
    return [
        (m / (2 ** (p + 3) * C * norm_star)) ** (1 / (1 - p)),
        lam * m**2 / (2**8 * 3 * R**2 * G * norm_star),
        sqrt(lam**3 * m**4 / (2**15 * 3**2 * R**4 * G**2 * risk_star)),
        (lam**3 * m**4 / (2**15 * 3**2 * R**4 * G**3 * norm_star)) ** Rational(1, 3),
    ]


def features_needed(G, level):
    """Right side of (156) at a level in the logarithm.

    Nothing in it can be compared, and asking SymPy takes half a second.
    """
    xi = Min(*printed_xi(G), evaluate=False)
    largest = Max(Rational(8, 3) * (R / xi) ** 2, 32 * (R / xi) ** 4, evaluate=False)
    return largest * log(2 * R**2 / (norm_T * level))


def rarity_of_failure(phi, rho, tau, eta, M, tail_bound):
    """-log2 of the probability that all M draws are one feature whose best multiple fails.

    Every function of H_M is then a multiple of that feature, so the excess error is above the
    bound whatever the algorithm does. The likeliest such feature counts; without one the world
    says nothing.
    """
    found = None
    for k, weight in enumerate(tau):
        feature = [phi[i, k] for i in range(phi.nrows())]
        least = least_excess_on_line(rho, eta, feature)
        if least > 0 and tail_bound < least:
            rarity = int(M) * (arb(1) / fmpq(weight)).log() / arb(2).log()
            found = rarity if found is None else found.min(rarity)
    if found is None:
        raise Undecided("no single feature fails")
    return found


def level_of(bits):
    """delta' = 2^-bits."""
    return arb(2) ** (-int(bits))


def star_loss(rho, eta, loss, height, stretch):
    """L(g_*)."""
    return bayes_loss(rho, eta, loss, height, stretch)


def bound_at(lambda_, gamma, t, m, G, R):
    """2 exp(-lambda^2 (2 gamma + t) m^2 / (2^12 9 G^2 R^4))."""
    rate = lambda_ * lambda_ * (2 * gamma + t) * m * m / (2**12 * 9 * G * G * R**4)
    return 2 * exponential(-rate)


def conference_bound(lambda_, gamma, t, m, L, R):
    """The same where the Lipschitz constant is called L."""
    return bound_at(lambda_, gamma, t, m, L, R)


WORLDS = Space(
    **{
        name: field
        for name, field in classification_space(least="1/1000", largest_p="9/10").fields.items()
        if name != "delta_prime"
    }
)
COMPLETE = known({
    **{s: q for s, q in MEASURE.items() if s.name not in ("start_norm", "start_gap", "excess")},
    norm_T: covariance_norm,
    risk_star: star_loss,
}, norm_T >= 0, norm_T <= R**2, risk_star >= 0)  # fmt: skip
PARAMETERS = {
    gamma: Real(1, 10**15, log=True),
    T: Integer(1, searched=3),
    t: Integer(2, wide=True, searched=10**30),
    M: Integer(1, wide=True, searched=10**60),
    bits: Integer(1, wide=True, searched=10**90),
}
READING = (
    "a consequence, at delta' = 2^-bits: M equal draws of a feature whose every multiple fails "
    "have probability at most 2 delta'; in logarithms it can be weighed at any M; "
    "lambda is any with ||g_lambda - g_*|| <= m/2, as the proof takes it; C(delta') is a constant "
    "that serves for every sample of features"
)


def complete(G, step_cap, level):
    """Hypotheses of the complete statement."""
    return [*hypotheses(G, features_needed(G, level), step_cap), t > T]


def rests_on(edition):
    """What the proof of an edition uses."""
    steps = ("split", "sign", "expectation", "probability", "excess", "xi")
    return (
        *(f"yashima2021/theorem_3_full:step_{step}" for step in steps),
        f"yashima2021/theorem_1_full:{edition}",
        "yashima2021/proposition_4:printed",
        f"yashima2021/proposition_5:{edition}",
        f"yashima2021/proposition_6:{edition}",
    )


aistats = Claim(
    source=AISTATS.at("Theorem 3 in Appendix E, (28)"),
    statement=Holds(bits - 1 <= rarity),
    given=complete(L, Min(1 / L, 1 / (2 * lam)), delta),
    worlds=WORLDS,
    parameters=PARAMETERS,
    measure={
        **COMPLETE,
        L: lipschitz_constant,
        delta_prime: level_of,
        tail_bound: conference_bound,
        rarity: rarity_of_failure,
    },
    uses=rests_on("aistats"),
    reading=READING,
    cost=3,
)

arxiv = Claim(
    source=ARXIV.at("Theorem 3 in Appendix E, (156)-(159)"),
    statement=Holds(bits - 1 <= rarity),
    given=complete(G, Min(1 / L, 1 / (2 * lam)), delta),
    worlds=WORLDS,
    parameters=PARAMETERS,
    measure={
        **COMPLETE,
        G: lipschitz_constant,
        L: smoothness_constant,
        delta_prime: level_of,
        tail_bound: bound_at,
        rarity: rarity_of_failure,
    },
    uses=rests_on("arxiv"),
    reading=READING,
    cost=3,
)

log_unlucky = symbols("log_unlucky", real=True)
second_condition = gamma * (gamma - 1) * start_gap**2 / ((2 * gamma + T) * (T + 1))


def log_unlucky_part(R, eta, lambda_, gamma, T, loss):
    """log of a part of E R(average at T + 1) - R(Bayes): g_1 = 0 and only unlikely labels."""
    return _log_unlucky(R, eta, lambda_, gamma, T, loss, flint.ctx.prec)


@lru_cache(maxsize=256)
def _log_unlucky(R, eta, lambda_, gamma, T, loss, bits):
    gram, one = fmpq_mat(1, 1, [R * R]), (fmpq(1),)
    part = unlucky_excess(
        gram, one, eta, (fmpq(0),), lambda_, gamma, T, loss, fmpq(1), fmpq(1)
    )
    if not part > 0:
        raise Undecided("the average after unlikely labels has no certified sign")
    return to_ball(part).log()


fixed_average = Claim(
    source=ARXIV.at("Theorem 3 in Appendix E, (159): average at T + 1, bound at every t > T"),
    statement=Holds(
        log_unlucky
        <= log(2) - lam**2 * (2 * gamma + t) * m**2 / (2**12 * 9 * G**2 * R**4)
    ),
    given=[
        *complete(G, Min(1 / L, 1 / (2 * lam)), delta),
        second_condition <= m**2 / (64 * R**2),
    ],
    worlds=Space(
        n=Choice((1,)),
        rho=Choice(((fmpq(1),),)),
        tau=Choice(((fmpq(1),),)),
        counts=Choice(((1,),)),
        phi=Matrix(1, 1, "1/2", 1),
        eta=Vector(1, "3/4", "999/1000"),
        loss=Choice(("modified huber",)),
        height=Choice((fmpq(1),)),
        stretch=Choice((fmpq(1),)),
        share=Choice((0,)),
        p=Real(0, "1/2"),
        delta_prime=Real(0, "1/2", open_low=True, open_high=True),
        closeness=Real("1/2", 1, open_high=True),
        delta=Derived(lambda eta, closeness: (eta[0] - fmpq(1, 2)) * closeness),
        R=Derived(lambda phi: phi[0, 0]),
        relative=Real("1/2", 1),
        **{
            # Up to the lambda at which g_lambda is m/2 = delta away from g_* = 2 eta - 1.
            "lambda": Derived(
                lambda eta, delta, R, relative: (
                    relative * R * R * 2 * delta / (2 * eta[0] - 1 - delta)
                )
            )
        },
    ),
    parameters={
        T: Integer(1, wide=True, searched=20_000),
        gamma: Real(3, 1000, log=True),
        t: Integer(2, wide=True, searched=10**60),
        M: Integer(1, wide=True, searched=10**200),
    },
    measure={
        **COMPLETE,
        G: lipschitz_constant,
        L: smoothness_constant,
        start_gap: MEASURE[start_gap],
        log_unlucky: log_unlucky_part,
    },
    uses=arxiv.uses,
    reading="one point and one feature, so that H_M is H for every sample, the loss whose g_* is "
    "2 eta - 1, and g_1 = 0; the left side is at least what the sample paths with only unlikely "
    "labels add, in logarithms; t is free while T stays",
    cost=2,
)

repaired = Claim(
    source=ARXIV.at("Theorem 3 in Appendix E with delta' in (156), t + 1 in (159), 1/(L R^2)"),
    statement=Holds(bits - 1 <= rarity),
    given=complete(G, Min(1 / (L * R**2), 1 / (2 * lam)), delta_prime),
    worlds=WORLDS,
    parameters={
        **PARAMETERS,
        M: Integer(1, wide=True, searched=10**400),
        bits: Integer(1, wide=True, searched=10**30),
    },
    measure=arxiv.measure,
    uses=arxiv.uses,
    reading=READING,
    cost=6,
)

# Steps. Functions are tuples of values on n points.

first_gap, second_gap, whole_gap = symbols("first_gap second_gap whole_gap", real=True)
h_gap, signs_differ, noise = symbols(
    "h_gap signs_differ noise", real=True
)


def supremum(values):
    """Largest modulus."""
    return max(abs(value) for value in values)


step_split = Claim(
    source=ARXIV.at("proof of Theorem 3, (160)-(161); AISTATS Appendix E"),
    statement=Holds(And(whole_gap <= first_gap + second_gap, whole_gap <= Rational(3, 4) * m)),
    given=[first_gap <= m / 4, second_gap <= m / 2],
    worlds=Space(
        n=Integer(1, searched=3), sampled=Vector("n", searched=(-4, 4)),
        fitted=Vector("n", searched=(-4, 4)),
        best=Vector("n", searched=(-4, 4)),
    ),
    parameters={m: Real(0, None)},
    measure={
        first_gap: lambda sampled, fitted: supremum(
            [a - b for a, b in zip(sampled, fitted, strict=True)]
        ),
        second_gap: lambda fitted, best: supremum(
            [a - b for a, b in zip(fitted, best, strict=True)]
        ),
        whole_gap: lambda sampled, best: supremum(
            [a - b for a, b in zip(sampled, best, strict=True)]
        ),
    },
    uses=("yashima2021/theorem_1_full:arxiv", "yashima2021/proposition_4:printed"),
    reading="the conclusions of Theorem 1 at accuracy m/4 and of Proposition 4 are given; on which "
    "event Theorem 1 gives its part is not said in this step",
)  # fmt: skip


def star_values(eta):
    """g_* of the logistic loss."""
    return [link("logistic", fmpq(1), fmpq(1), value) for value in eta]


def near_star(eta, closer, m):
    """g_{M,lambda}: within 3m/4 of g_*."""
    return [g + 3 * m / 4 * c for g, c in zip(star_values(eta), closer, strict=True)]


def shift_norm(gram, a):
    """||g - g_{M,lambda}||_HM for the difference sum a_j k(., x_j)."""
    return square_root(quadratic_form(gram, a))


def wrong_signs(eta, closer, m, gram, a):
    """Number of points where sgn g differs from sgn g_*, sgn(0) = -1."""
    shift = entries(gram * column(a))
    wrong = 0
    for value, base, probability in zip(shift, near_star(eta, closer, m), eta, strict=True):
        total = base + value
        predicted = 1 if total > 0 else -1
        if not total > 0 and not total <= 0:
            continue
        wrong += predicted != (1 if 2 * probability > 1 else -1)
    return wrong


step_sign = Claim(
    source=ARXIV.at("proof of Theorem 3, (162)-(164); AISTATS Appendix E"),
    statement=Holds(Eq(signs_differ, 0)),
    given=[And(delta > 0, noise > delta), h_gap <= m / (4 * R)],
    worlds=Space(
        n=Integer(1, searched=3), eta=Vector("n", "1/1000", "999/1000"), closer=Vector("n"),
        gram=Gram("n"), a=Vector("n"), delta=Real(0, "1/2", open_low=True, open_high=True),
    ),
    measure={
        m: lambda delta: 2 * _log_odds(delta),
        noise: lambda eta: min(abs(2 * value - 1) / 2 for value in eta),
        R: lambda gram: square_root(max(gram[i, i] for i in range(gram.nrows()))),
        h_gap: shift_norm,
        signs_differ: wrong_signs,
    },
    reading="logistic loss; |g_*| > m strictly, as the low-noise condition gives it, though the "
    "proof cites only |g_*| >= m; signs that a ball leaves open are not counted",
)  # fmt: skip


def _log_odds(delta):
    # Half the logarithm of (1 + 2 delta)/(1 - 2 delta), from the link function at 1/2 + delta.
    return link("logistic", fmpq(1), fmpq(1), fmpq(1, 2) + delta) / 2


drop, move = symbols("drop move", real=True)
step_sign_as_argued = Claim(
    source=ARXIV.at("proof of Theorem 3, (164) with |g_*| >= m; AISTATS Appendix E"),
    statement=Holds(Eq(signs_differ, 0)),
    given=[m > 0, noise >= delta, And(drop >= 0, drop <= 3 * m / 4), move <= m / 4],
    worlds=Space(
        eta=Real("1/2", "999/1000", open_low=True), closeness=Real(0, 1, open_low=True),
        delta=Derived(lambda eta, closeness: (eta - fmpq(1, 2)) * closeness),
    ),
    parameters={drop: Real(0, None), move: Real(0, None)},
    measure={
        m: lambda delta: 2 * delta,
        noise: lambda eta: eta - fmpq(1, 2),
        signs_differ: lambda eta, drop, move: int(2 * eta - 1 - drop - move <= 0),
    },
    uses=("yashima2021/margin:printed",),
    reading="the two inequalities the proof gives as its reason, neither strict; one point, the "
    "loss whose g_* is 2 eta - 1 and m(delta) = 2 delta; a tie has sgn(0) = -1",
)  # fmt: skip

distance, start = symbols("distance start", real=True)
first_part = 36 * G**2 * R**2 / (lam**2 * (2 * gamma + T))
second_part = gamma * (gamma - 1) * start**2 / ((2 * gamma + T) * (T + 1))
scalars = {
    distance: Real(0, None), start: Real(0, None), m: Real(0, None),
    gamma: Real(3, 10**6, log=True), T: Integer(1, wide=True, searched=10**6),
    lam: Real("1/1000", 10, log=True), G: Real("1/100", 10, log=True),
    R: Real("1/100", 10, log=True),
}  # fmt: skip
conclusion_of_5 = (
    distance**2
    <= 2 / lam * (
        18 * G**2 * R**2 / (lam * (2 * gamma + T))
        + lam * gamma * (gamma - 1) / (2 * (2 * gamma + T) * (T + 1)) * start**2
    )
)  # fmt: skip

step_expectation = Claim(
    source=ARXIV.at("proof of Theorem 3, (165); AISTATS Appendix E, (29)"),
    statement=Holds(distance <= m / (8 * R)),
    given=[m > 0, Max(first_part, second_part) <= m**2 / (64 * R**2), conclusion_of_5],
    parameters=scalars,
    uses=("yashima2021/proposition_5:aistats", "yashima2021/proposition_5:arxiv"),
    reading="the step as argued: the condition on T makes the bound of Proposition 5 small enough; "
    "AISTATS refers to Proposition 6; gamma >= 3 from eta_1 <= 1/(2 lambda)",
)

repaired_expectation = Claim(
    source=ARXIV.at("proof of Theorem 3, (165), with the sum in place of the maximum"),
    statement=Holds(distance <= m / (8 * R)),
    given=[m > 0, first_part + second_part <= m**2 / (64 * R**2), conclusion_of_5],
    parameters=scalars,
    uses=step_expectation.uses,
    cost=4,
)

close_mass, far_mass, mean_gap = symbols("close_mass far_mass mean_gap", real=True)
probability_rate = lam**2 * (2 * gamma + T) * m**2 / (2**12 * 3**2 * G**2 * R**4)
law = Space(
    d=Integer(1, searched=2),
    J=Integer(1, searched=4),
    weights=Weights("J"),
    first=Vector("J", searched=(-2, 2)),
    second=Vector("J", searched=(-2, 2)),
    target=Vector(2, searched=(-2, 2)),
)


def law_mean(weights, first, second):
    """Mean of a law in the plane."""
    return (
        sum(w * a for w, a in zip(weights, first, strict=True)),
        sum(w * a for w, a in zip(weights, second, strict=True)),
    )


def mass_within(weights, first, second, centre, radius, inside):
    """Mass within (inside) or at least at a distance from a centre."""
    total = fmpq(0)
    for w, a, b in zip(weights, first, second, strict=True):
        square = (a - centre[0]) ** 2 + (b - centre[1]) ** 2
        if (square <= radius**2) if inside else (square >= radius**2):
            total += w
    return total


step_probability = Claim(
    source=ARXIV.at("proof of Theorem 3, (166); AISTATS Appendix E"),
    statement=Holds(close_mass >= 1 - 2 * exp(-probability_rate)),
    given=[
        m > 0,
        mean_gap <= (m / (8 * R)) ** 2,
        far_mass
        <= 2 * exp(-(lam**2) * (2 * gamma + T) / (2**6 * 3**2 * G**2 * R**2) * (m / (8 * R)) ** 2),
    ],
    worlds=law,
    parameters={
        m: Real(0, None), gamma: Real(3, 10**6, log=True), T: Integer(1, wide=True, searched=10**6),
        lam: Real("1/1000", 10, log=True), G: Real("1/100", 10, log=True),
        R: Real("1/100", 10, log=True),
    },
    measure={
        mean_gap: lambda weights, first, second, target: sum(
            (a - b) ** 2
            for a, b in zip(law_mean(weights, first, second), target, strict=True)
        ),
        far_mass: lambda weights, first, second, m, R: mass_within(
            weights, first, second, law_mean(weights, first, second), m / (8 * R), False
        ),
        close_mass: lambda weights, first, second, target, m, R: mass_within(
            weights, first, second, target, m / (4 * R), True
        ),
    },
    uses=("yashima2021/proposition_6:arxiv", "yashima2021/theorem_3_full:step_expectation"),
    reading="any law of averages in the plane for which (165) and Proposition 6 at m/(8R) hold",
)  # fmt: skip

right_mass, rate = symbols("right_mass rate", real=True)
mean_excess = symbols("mean_excess", real=True)
excess_law = Space(
    J=Integer(1, searched=4), weights=Weights("J", zeros=True), excesses=Vector("J", 0, 1)
)
excess_measure = {
    right_mass: lambda weights, excesses: sum(
        (w for w, e in zip(weights, excesses, strict=True) if e == 0), fmpq(0)
    ),
    mean_excess: lambda weights, excesses: sum(
        w * e for w, e in zip(weights, excesses, strict=True)
    ),
}
step_excess = Claim(
    source=ARXIV.at("proof of Theorem 3, (167); AISTATS Appendix E, last display"),
    statement=Holds(mean_excess <= 1 - 2 * exp(-rate)),
    given=[right_mass >= 1 - 2 * exp(-rate), rate >= Rational(1, 16)],
    worlds=excess_law,
    parameters={rate: Real(0, None)},
    measure=excess_measure,
    uses=("yashima2021/theorem_3_full:step_probability",),
    reading="any law of the excess error in [0, 1] that vanishes with the probability of the step "
    "before; the condition on T makes the exponent at least 36 * 64 / (2^12 * 9) = 1/16",
)

repaired_excess = Claim(
    source=ARXIV.at("proof of Theorem 3, (167), without 1 -"),
    statement=Holds(mean_excess <= 2 * exp(-rate)),
    given=[right_mass >= 1 - 2 * exp(-rate), rate >= Rational(1, 16)],
    worlds=excess_law,
    parameters={rate: Real(0, None)},
    measure=excess_measure,
    uses=("yashima2021/theorem_3_full:step_probability",),
)

constants = {
    m: Real(0, None, open_low=True), C: Real(0, None, open_low=True),
    norm_star: Real(0, None, open_low=True), risk_star: Real(0, None, open_low=True),
    lam: Real(0, None, open_low=True), R: Real(0, None, open_low=True),
    G: Real(0, None, open_low=True), p: Real(0, "19/20"),
}  # fmt: skip
step_xi = Claim(
    source=ARXIV.at("proof of Theorem 3, (157) against (100); AISTATS Appendix E"),
    statement=Holds(
        And(*[Eq(a, b) for a, b in zip(xi_of(m / 4, G), printed_xi(G), strict=True)])
    ),
    given=[m > 0, C > 0, norm_star > 0, risk_star > 0, lam > 0, R > 0, G > 0],
    parameters=constants,
    uses=("yashima2021/theorem_1_full:arxiv",),
    reading="L of (100) is the Lipschitz constant, called G in (157)",
)


def scaled(**changes):
    """One world of constants, all hypotheses of the theorem met, with some of them changed."""
    values = {
        "m": fmpq(1), "C": fmpq(2), "norm_star": fmpq(2), "risk_star": fmpq(1, 2),
        "lambda": fmpq(1, 100), "R": fmpq(1), "G": fmpq(1), "p": fmpq(0), "norm_T": fmpq(1, 4),
        "delta_prime": fmpq(1, 10), "delta": fmpq(1, 5),
    }  # fmt: skip
    values.update({name: fmpq(value) for name, value in changes.items()})
    return values


step_simplify = Claim(
    source=ARXIV.at("Theorem 3, (43) against (156); AISTATS Theorem 3 against Appendix E"),
    statement=UpToConstant(Le(features_needed(G, delta_prime), simplified(G))),
    given=[
        m > 0, C > 0, norm_star > 0, risk_star > 0, lam > 0, R > 0, G > 0, norm_T > 0,
        norm_T <= R**2, m <= R * norm_star, And(delta_prime > 0, 2 * delta_prime <= 1),
    ],
    parameters={
        **constants,
        norm_T: Real(0, None, open_low=True),
        delta_prime: Real(0, "1/2", open_low=True),
        delta: Real(0, "1/2", open_low=True, open_high=True),
    },
    families=(
        Family(
            "features grow by s, lambda by s^2, norms by 1/s",
            lambda s: scaled(
                R=s, norm_star=fmpq(2, s), **{"lambda": fmpq(s * s, 100)}, norm_T=fmpq(s * s, 4)
            ),
            doublings(1, 8),
        ),
        Family(
            "margins shrink by s: m, g_* by 1/s, slope by s, lambda by s^2",
            lambda s: scaled(
                m=fmpq(1, s), norm_star=fmpq(2, s), G=s, **{"lambda": fmpq(s * s, 100)}
            ),
            doublings(1, 8),
        ),
        Family(
            "the low-noise margin shrinks with the Bayes rule, lambda fixed",
            lambda s: scaled(m=fmpq(1, s), norm_star=fmpq(2, s)),
            doublings(1, 8),
        ),
        Family("lambda shrinks", lambda s: scaled(**{"lambda": fmpq(1, 100 * s)}),
               doublings(1, 8)),
    ),
    uses=("yashima2021/theorem_3_full:step_xi",),
    reading="the log is read with delta', for which both editions print delta in the complete "
    "statement",
)  # fmt: skip

step_simplify_normalised = Claim(
    source=ARXIV.at("Theorem 3, (43) against (156), features bounded by R >= 1"),
    statement=step_simplify.statement,
    given=[*step_simplify.given, R >= 1],
    parameters=step_simplify.parameters,
    families=step_simplify.families,
    uses=step_simplify.uses,
    reading="as before, where the logarithm of the simplified display is at least log 2",
)
