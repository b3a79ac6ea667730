"""The gradient in the coefficients is the gradient in the function space.

Setting    M drawn features, differentiable convex loss, objective
           E l(beta^T phi_M(X), Y) + lambda/2 ||beta||^2 over real beta, and the same on H_M with
           the RKHS norm. Real coefficients and a real function: real features; beside it, complex
           features with those real coefficients for which the function is real.
Claim      E[l' phi_M(X) + lambda beta] is the gradient in beta, and its product with phi_M the
           gradient in H_M.
"""

from sympy import And, Eq, Le, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.losses import SMOOTH, conditional_slope, expected_loss
from boundcheck.quantities.minimisers import regular_points
from boundcheck.quantities.operators import column, dot, entries
from boundcheck.quantities.rkhs import apply, gram_of, squared_norm_of_values, submatrix
from boundcheck.worlds import Choice, Derived, Integer, Matrix, Real, Space, Vector, Weights

from . import ARXIV, lam

start, end, slope_along = symbols("start end slope_along", real=True)
space_start, space_end, space_slope = symbols("space_start space_end space_slope", real=True)
function, riesz = symbols("function riesz", commutative=False)
function_re, riesz_re, function_im, riesz_im = symbols(
    "function_re riesz_re function_im riesz_im", commutative=False
)


def plus(left, right):
    """Sum of two tuples."""
    return tuple(a + b for a, b in zip(left, right, strict=True))


def slopes(rho, eta, loss, values):
    """E over labels of l'(g(x), Y), times the weight of x."""
    return [
        weight * conditional_slope(loss, 1, 1, probability, value)
        for weight, probability, value in zip(rho, eta, values, strict=True)
    ]


def gradient(phi, c, rho, eta, loss, lambda_):
    """sqrt(M) times the printed gradient, for beta = sqrt(M) c, so that all is rational."""
    size = phi.ncols()
    weighted = slopes(rho, eta, loss, apply(phi, c))
    return [
        dot(weighted, [phi[j, i] for j in range(phi.nrows())]) + lambda_ * size * c[i]
        for i in range(size)
    ]


def objective(phi, c, rho, eta, loss, lambda_):
    """The objective in beta at beta = sqrt(M) c."""
    risk = expected_loss(rho, eta, loss, 1, 1, apply(phi, c))
    return risk + lambda_ * phi.ncols() * dot(c, c) / 2


def space_objective(phi, values, rho, eta, loss, lambda_):
    """The objective on H_M: the RKHS norm of k_M, not that of the coefficients."""
    kernel = gram_of(phi) / phi.ncols()
    risk = expected_loss(rho, eta, loss, 1, 1, values)
    return risk + lambda_ * squared_norm_of_values(kernel, values) / 2


def printed_function(phi, c, rho, eta, loss, lambda_):
    """The printed gradient times phi_M on the points."""
    found = gradient(phi, c, rho, eta, loss, lambda_)
    return [dot(found, [phi[j, i] for i in range(phi.ncols())]) / phi.ncols()
            for j in range(phi.nrows())]  # fmt: skip


def riesz_function(phi, c, rho, eta, loss, lambda_):
    """E[l' k_M(., X)] + lambda g."""
    kernel = gram_of(phi) / phi.ncols()
    weighted = slopes(rho, eta, loss, apply(phi, c))
    values = apply(phi, c)
    return [dot(weighted, [kernel[j, i] for i in range(phi.nrows())]) + lambda_ * values[j]
            for j in range(phi.nrows())]  # fmt: skip


def direction(phi, b):
    """sum_x b_x k_M(., x) on the points."""
    return entries(gram_of(phi) * column(b) / phi.ncols())


printed = Claim(
    source=ARXIV.at("Section 2.3, (13)-(14); AISTATS Section 2.3"),
    statement=Holds(
        And(
            Le(start + slope_along, end),
            Le(space_start + space_slope, space_end),
            Eq(function, riesz),
        )
    ),
    given=[lam > 0],
    worlds=Space(
        n=Integer(1, searched=3),
        M=Integer(1, searched=4),
        phi=Matrix("n", "M"),
        rho=Weights("n"),
        eta=Vector("n", 0, 1),
        loss=Choice(SMOOTH),
        c=Vector("M", searched=(-4, 4)),
        v=Vector("M", -1, 1),
        b=Vector("n", -1, 1),
    ),
    parameters={lam: Real(0, None)},
    measure={
        start: objective,
        end: lambda phi, c, v, rho, eta, loss, lambda_: objective(
            phi, plus(c, v), rho, eta, loss, lambda_
        ),
        slope_along: lambda phi, c, v, rho, eta, loss, lambda_: dot(
            gradient(phi, c, rho, eta, loss, lambda_), v
        ),
        space_start: lambda phi, c, rho, eta, loss, lambda_: space_objective(
            phi, apply(phi, c), rho, eta, loss, lambda_
        ),
        space_end: lambda phi, c, b, rho, eta, loss, lambda_: space_objective(
            phi, plus(apply(phi, c), direction(phi, b)), rho, eta, loss, lambda_
        ),
        space_slope: lambda phi, c, b, rho, eta, loss, lambda_: dot(
            printed_function(phi, c, rho, eta, loss, lambda_), b
        ),
        function: lambda phi, c, rho, eta, loss, lambda_: column(
            printed_function(phi, c, rho, eta, loss, lambda_)
        ),
        riesz: lambda phi, c, rho, eta, loss, lambda_: column(
            riesz_function(phi, c, rho, eta, loss, lambda_)
        ),
    },
    uses=("yashima2021/rkhs_norms:printed",),
    reading=(
        "beta is real and the loss takes a real beta^T phi_M, so the features are real; a gradient "
        "of a convex differentiable objective is what supports it in every direction"
    ),
    cost=2,
)


def null_part(psi, raw):
    """The part of real coefficients that psi maps to zero: with it beta^T phi_M is real."""
    if psi == psi * 0:
        return raw
    pivots = regular_points(psi.transpose() * psi)
    columns = submatrix(psi.transpose() * psi, range(psi.ncols()), pivots)
    inner = (columns.transpose() * columns).inv() * (columns.transpose() * column(raw))
    return tuple(r - f for r, f in zip(raw, entries(columns * inner), strict=True))


def real_part_gradient(phi, c, rho, eta, loss, lambda_, v):
    """The printed gradient (13) along real v; psi v = 0 leaves the real part of phi_M only."""
    return dot(gradient(phi, c, rho, eta, loss, lambda_), v)


def rows_of(matrix):
    """The rows of a matrix as lists."""
    return [[matrix[i, j] for j in range(matrix.ncols())] for i in range(matrix.nrows())]


def complex_functions(phi, psi, c, rho, eta, loss, lambda_, conjugate):
    """(1/M) sum_i [E l' phi(X, i) + lambda beta_i] phi(., i), the first phi conjugated or not.

    Columns on the points: real part, imaginary part. beta = sqrt(M) c has psi c = 0.
    """
    size = phi.ncols()
    weighted = slopes(rho, eta, loss, apply(phi, c))
    real = [dot(weighted, line) for line in rows_of(phi.transpose())]
    imaginary = [dot(weighted, line) for line in rows_of(psi.transpose())]
    if conjugate:
        imaginary = [-value for value in imaginary]
    ridge = [lambda_ * value for value in apply(phi, c)]
    pairs = list(zip(rows_of(phi), rows_of(psi), strict=True))
    return (
        column([(dot(a, real) - dot(b, imaginary)) / size + r
                for (a, b), r in zip(pairs, ridge, strict=True)]),
        column([(dot(b, real) + dot(a, imaginary)) / size for a, b in pairs]),
    )  # fmt: skip


def kernel_gradient(phi, psi, c, rho, eta, loss, lambda_):
    """E[l' k_M(., X)] + lambda g from the kernel matrix: real part, imaginary part."""
    size = phi.ncols()
    weighted = slopes(rho, eta, loss, apply(phi, c))
    real = (phi * phi.transpose() + psi * psi.transpose()) / size
    imaginary = (psi * phi.transpose() - phi * psi.transpose()) / size
    ridge = [lambda_ * value for value in apply(phi, c)]
    return (
        column([dot(weighted, line) + r for line, r in zip(rows_of(real), ridge, strict=True)]),
        column([dot(weighted, line) for line in rows_of(imaginary)]),
    )


def displayed(part, conjugate):
    """One part of (14) as printed, or with the feature vector at X conjugated."""
    return lambda phi, psi, c, rho, eta, loss, lambda_: complex_functions(
        phi, psi, c, rho, eta, loss, lambda_, conjugate
    )[part]


def represented(part):
    """One part of the gradient in H_M."""
    return lambda phi, psi, c, rho, eta, loss, lambda_: kernel_gradient(
        phi, psi, c, rho, eta, loss, lambda_
    )[part]


complex_features = Claim(
    source=ARXIV.at("Section 2.3, (13)-(14), for complex features"),
    statement=Holds(
        And(
            Le(start + slope_along, end),
            Eq(function_re, riesz_re),
            Eq(function_im, riesz_im),
        )
    ),
    given=[lam > 0],
    worlds=Space(
        n=Integer(1, searched=3),
        M=Integer(1, searched=4),
        phi=Matrix("n", "M"),
        complex=Choice((False, True)),
        imaginary=Matrix("n", "M"),
        psi=Derived(lambda imaginary, complex: imaginary * int(complex)),
        rho=Weights("n"),
        eta=Vector("n", 0, 1),
        loss=Choice(SMOOTH),
        raw_c=Vector("M", searched=(-4, 4)),
        raw_v=Vector("M", -1, 1),
        c=Derived(lambda psi, raw_c: null_part(psi, raw_c)),
        v=Derived(lambda psi, raw_v: null_part(psi, raw_v)),
    ),
    parameters={lam: Real(0, None)},
    measure={
        start: objective,
        end: printed.measure[end],
        slope_along: real_part_gradient,
        function_re: displayed(0, False),
        function_im: displayed(1, False),
        riesz_re: represented(0),
        riesz_im: represented(1),
    },
    uses=("yashima2021/rkhs_norms:printed",),
    reading=(
        "features real or complex, as the exponentials of Section 2.2, with real coefficients "
        "for which the function is real, so that the loss has a value; no conjugate, as printed"
    ),
    cost=2,
)

repaired = Claim(
    source=ARXIV.at("Section 2.3, (13)-(14), with the feature vector at X conjugated in (14)"),
    statement=complex_features.statement,
    given=complex_features.given,
    worlds=complex_features.worlds,
    parameters=complex_features.parameters,
    measure={
        **complex_features.measure,
        function_re: displayed(0, True),
        function_im: displayed(1, True),
    },
    uses=complex_features.uses,
    reading=(
        "features and coefficients as in the claim before, the feature vector at X conjugated"
    ),
    cost=2,
)
