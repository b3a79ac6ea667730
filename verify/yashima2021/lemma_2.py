"""Lemma 2: functions of H and of H_M approximate each other in L2(rho).

Setting    |phi(x, omega)| <= R; H with feature weights tau, H_M from M feature draws.
Claim      if M >= max(8/3 (R/xi)^2, 32 (R/xi)^4) log(2 R^2 / (||T||_op delta)), delta in (0, 1],
           then with probability at least 1 - delta over the features, for every g in H there is
           g' in H_M with ||g - g'||_L2 <= xi ||g||_H and ||g'||_HM <= ||g||_H, and for every g' in
           H_M such a g in H. Both halves say that the unit balls have Hausdorff distance <= xi.
Steps      g = T^(1/2) h with h in the range of T, g' = T_M^(1/2) P h with the projection P on the
           range of T_M; w are the weights counts/M of any sample, the zero ones included.
"""

from sympy import And, Max, Rational, log, sqrt, symbols

from boundcheck import Claim, Holds, WithProbability
from boundcheck.quantities.feature_operators import (
    covariance,
    covariance_norm,
    largest_feature,
    operator_square_root,
    spectral_radius,
    symmetrised,
    unit_ball_distance,
)
from boundcheck.quantities.losses import squared_l2
from boundcheck.quantities.operators import column, entries, operator_norm
from boundcheck.quantities.rkhs import row_space, squared_norm_of_values
from boundcheck.worlds import Counts, Integer, Real, Vector, Weights, feature_worlds

from . import ARXIV, M, R, delta, xi

distance, norm_T, top = symbols("distance norm_T top", real=True)
norm_image, norm_projected, norm_h, norm_g, norm_extra = symbols(
    "norm_image norm_projected norm_h norm_g norm_extra", real=True
)
l2_gap, l2_roots, root_gap, operator_gap = symbols(
    "l2_gap l2_roots root_gap operator_gap", real=True
)
beta = symbols("beta", real=True)

printed = Claim(
    source=ARXIV.at("Lemma 2; AISTATS Appendix B"),
    statement=WithProbability(1 - delta, distance <= xi),
    given=[
        top <= R,
        xi > 0,
        Max(Rational(8, 3) * (R / xi) ** 2, 32 * (R / xi) ** 4)
        * log(2 * R**2 / (norm_T * delta))
        <= M,
    ],
    worlds=feature_worlds(),
    parameters={
        M: Integer(1, wide=True, searched=10**15),
        R: Real(0, None),
        xi: Real("1/100", 10, log=True),
        delta: Real(0, 1, open_low=True),
    },
    measure={distance: unit_ball_distance, norm_T: covariance_norm, top: largest_feature},
    draw=Counts("counts", "tau", "M"),
    uses=(
        "yashima2021/lemma_1:arxiv",
        "yashima2021/proposition_1:printed",
        "yashima2021/proposition_3:printed",
        "yashima2021/lemma_2:step_norm",
        "yashima2021/lemma_2:step_square_root",
        "yashima2021/lemma_2:step_split",
        "yashima2021/lemma_2:step_solve",
    ),
    reading="for every g there is g' means the distance of unit balls, by support functions; the "
    "condition on M has a value only where T is not zero",
    cost=12,
)

samples = feature_worlds().and_fields(w=Weights("K", zeros=True), a=Vector("K"), b=Vector("K"))


def hidden(phi, a):
    """h = sum_k a_k phi_k, any element of the range of T."""
    return entries(phi * column(a))


def projected(phi, rho, w, a):
    """P h: projection in L2(rho) on the span of the sampled features."""
    kept = [k for k, weight in enumerate(w) if weight]
    sampled = phi.transpose().tolist()
    rows = type(phi)([sampled[k] for k in kept])
    basis = row_space(rows)
    h = hidden(phi, a)
    if basis.nrows() == 0:
        return tuple(value * 0 for value in h)
    weighted = type(phi)(
        basis.nrows(),
        basis.ncols(),
        [basis[i, j] * rho[j] for i in range(basis.nrows()) for j in range(basis.ncols())],
    )
    solution = (weighted * basis.transpose()).solve(weighted * column(h))
    return entries(basis.transpose() * solution)


def root_of(phi, rho, weights):
    """Square root of the covariance operator on function values."""
    return operator_square_root(covariance(phi, rho, weights))


def image(phi, rho, w, a):
    """g' = T_M^(1/2) P h."""
    h = projected(phi, rho, w, a)
    matrix = root_of(phi, rho, w)
    size = len(h)
    return tuple(sum(matrix[i, j] * h[j] for j in range(size)) for i in range(size))


def original(phi, rho, tau, a):
    """g = T^(1/2) h."""
    h, matrix = hidden(phi, a), root_of(phi, rho, tau)
    return tuple(sum(matrix[i, j] * h[j] for j in range(len(h))) for i in range(len(h)))


def smooth_l2(rho, phi, w, a):
    """||T_M^(1/2) (T_M^(1/2) P h)||_HM^2 by the kernel: T_M P h has norm^2 <P h, T_M P h>."""
    h = projected(phi, rho, w, a)
    operator = covariance(phi, rho, w)
    values = entries(operator * column(h))
    gram = phi * type(phi)(
        len(w), len(w), [w[i] if i == j else 0 for i in range(len(w)) for j in range(len(w))]
    ) * phi.transpose()
    return squared_norm_of_values(gram, values)


def inner_image(rho, phi, w, a):
    """<P h, T_M P h>_L2: the squared L2 norm of T_M^(1/2) P h."""
    h = projected(phi, rho, w, a)
    image_values = entries(covariance(phi, rho, w) * column(h))
    return sum(r * u * v for r, u, v in zip(rho, h, image_values, strict=True))


step_norm = Claim(
    source=ARXIV.at("proof of Lemma 2, (89)-(92); AISTATS Appendix B"),
    statement=Holds(And(norm_image <= norm_projected, norm_projected <= norm_h, norm_h <= norm_g)),
    worlds=samples,
    measure={
        norm_image: lambda rho, phi, w, a: _dual_norm(rho, phi, w, a),
        norm_projected: lambda rho, phi, w, a: squared_l2(rho, projected(phi, rho, w, a)),
        norm_h: lambda rho, phi, a: squared_l2(rho, hidden(phi, a)),
        norm_extra: lambda b: sum(value * value for value in b),
        norm_g: lambda norm_h, norm_extra: norm_h + norm_extra,
    },
    uses=("yashima2021/proposition_3:printed",),
    reading="squared norms; the part of g in the kernel of Sigma is orthogonal and adds its own "
    "squared norm; the first equality is tested on the smoother T_M^(1/2) P h",
)


def _dual_norm(rho, phi, w, a):
    # ||T_M^(1/2) u||_HM = ||u||_L2 for u = P h; written for T_M^(1/2) u in place of u it is the
    # identity of the two rational forms below, and ||P h||^2 itself is their common scale.
    left, right = smooth_l2(rho, phi, w, a), inner_image(rho, phi, w, a)
    length = squared_l2(rho, projected(phi, rho, w, a))
    return length if right == 0 else length * left / right


step_square_root = Claim(
    source=ARXIV.at("proof of Lemma 2, (93)-(97); AISTATS Appendix B"),
    statement=Holds(
        And(
            l2_gap <= l2_roots + Rational(1, 10**9),
            l2_roots <= root_gap * norm_h,
            root_gap * norm_h <= sqrt(operator_gap) * norm_h,
            norm_h <= norm_g,
        )
    ),
    worlds=samples,
    measure={
        l2_gap: lambda rho, phi, tau, w, a: _l2(
            rho,
            [
                x - y
                for x, y in zip(
                    original(phi, rho, tau, a), image(phi, rho, w, a), strict=True
                )
            ],
        ),
        l2_roots: lambda rho, phi, tau, w, a: _l2(rho, _roots_apart(phi, rho, tau, w, a)),
        root_gap: lambda rho, phi, tau, w: operator_norm(
            symmetrised(root_of(phi, rho, tau) - root_of(phi, rho, w), rho)
        ),
        operator_gap: lambda rho, phi, tau, w: spectral_radius(
            covariance(phi, rho, tuple(p - q for p, q in zip(tau, w, strict=True)))
        ),
        norm_h: lambda rho, phi, a: _l2(rho, hidden(phi, a)),
        norm_extra: lambda b: sum(value * value for value in b),
        norm_g: lambda norm_h, norm_extra: _l2((1, 1), (norm_h, _l2((1,), (norm_extra**2,)))),
    },
    uses=("yashima2021/proposition_1:printed", "yashima2021/lemma_1:arxiv"),
    reading="the first display is an equality of balls, tested to 10^-9",
    cost=5,
)


def _l2(rho, values):
    from boundcheck.exact import to_ball

    total = to_ball(0)
    for weight, value in zip(rho, values, strict=True):
        total += to_ball(weight) * to_ball(value) * to_ball(value)
    return total.nonnegative_part().sqrt()


def _roots_apart(phi, rho, tau, w, a):
    h = hidden(phi, a)
    matrix = root_of(phi, rho, tau) - root_of(phi, rho, w)
    return [sum(matrix[i, j] * h[j] for j in range(len(h))) for i in range(len(h))]


step_split = Claim(
    source=ARXIV.at("proof of Lemma 2, (98)-(99); AISTATS Appendix B"),
    statement=Holds(
        sqrt(R**2 * (2 * beta / (3 * M) + sqrt(2 * beta / M)))
        <= R * (sqrt(2 * beta / (3 * M)) + (2 * beta / M) ** Rational(1, 4))
    ),
    given=[R > 0, beta > 0, M >= 1],
    parameters={R: Real(0, None), beta: Real(0, None), M: Integer(1, wide=True, searched=10**18)},
)

step_solve = Claim(
    source=ARXIV.at("proof of Lemma 2, after (99); AISTATS Appendix B"),
    statement=Holds(
        And(
            Max(sqrt(2 * beta / (3 * M)), (2 * beta / M) ** Rational(1, 4)) <= xi / (2 * R),
            R * (sqrt(2 * beta / (3 * M)) + (2 * beta / M) ** Rational(1, 4)) <= xi,
        )
    ),
    given=[
        R > 0,
        beta > 0,
        xi > 0,
        Max(Rational(8, 3) * (R / xi) ** 2, 32 * (R / xi) ** 4) * beta <= M,
        M >= 1,
    ],
    parameters={
        M: Integer(1, wide=True, searched=10**30),
        R: Real(0, None),
        beta: Real(0, None),
        xi: Real("1/1000", 10, log=True),
    },
)
