"""The gradient in the coefficients is the gradient in the function space.

Setting    M drawn features, differentiable convex loss, objective E l(beta^T phi_M(X), Y) +
           lambda/2 ||beta||^2, and the same on H_M with the RKHS norm.
Claim      E[l' phi_M(X) + lambda beta] is the gradient in beta, and its product with phi_M the
           gradient in H_M.
"""

from flint import fmpq, fmpq_mat
from sympy import And, Eq, Le, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.losses import SMOOTH, conditional_slope, expected_loss
from boundcheck.quantities.operators import column, dot, entries
from boundcheck.quantities.rkhs import apply, gram_of, squared_norm_of_values
from boundcheck.worlds import Choice, Integer, Matrix, Real, Space, Vector, Weights

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
    source=ARXIV.at("Section 2.3, (13)-(14)"),
    statement=Holds(
        And(
            Le(start + slope_along, end),
            Le(space_start + space_slope, space_end),
            Eq(function, riesz),
        )
    ),
    given=[lam > 0],
    worlds=Space(
        n=Integer(1, 3),
        M=Integer(1, 4),
        phi=Matrix("n", "M"),
        rho=Weights("n"),
        eta=Vector("n", 0, 1),
        loss=Choice(SMOOTH),
        c=Vector("M", -4, 4),
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
        "real features, which real coefficients and a real-valued loss need; a gradient of a "
        "convex differentiable objective is what supports it in every direction"
    ),
    cost=2,
)


def complex_functions(phi, psi, rho, eta, conjugate):
    """At beta = 0: sum_x r_x (1/M) sum_i phi(x, i) phi(., i), conjugated in x or not.

    Returns real and imaginary parts as columns; r_x = E[l'(0, Y)|x] rho(x) for logistic loss.
    """
    n, size = phi.nrows(), phi.ncols()
    weighted = fmpq_mat(
        n, 1, [rho[j] * (1 - 2 * eta[j]) / 2 for j in range(n)]
    )  # fmt: skip
    sign = -1 if conjugate else 1
    real = phi.transpose() * weighted
    imaginary = psi.transpose() * weighted * sign
    return (
        (phi * real - psi * imaginary) / size,
        (psi * real + phi * imaginary) / size,
    )


complex_features = Claim(
    source=ARXIV.at("Section 2.3, (14), for complex features"),
    statement=Holds(And(Eq(function_re, riesz_re), Eq(function_im, riesz_im))),
    worlds=Space(
        n=Integer(1, 3),
        M=Integer(1, 3),
        phi=Matrix("n", "M"),
        psi=Matrix("n", "M"),
        rho=Weights("n"),
        eta=Vector("n", 0, 1),
    ),
    measure={
        function_re: lambda phi, psi, rho, eta: complex_functions(phi, psi, rho, eta, False)[0],
        function_im: lambda phi, psi, rho, eta: complex_functions(phi, psi, rho, eta, False)[1],
        riesz_re: lambda phi, psi, rho, eta: complex_functions(phi, psi, rho, eta, True)[0],
        riesz_im: lambda phi, psi, rho, eta: complex_functions(phi, psi, rho, eta, True)[1],
    },
    uses=("yashima2021/function_gradient:printed",),
    reading="complex features, as the text proposes, at beta = 0 with logistic loss",
)

repaired = Claim(
    source=ARXIV.at("Section 2.3, (14), with the feature vector at X conjugated"),
    statement=complex_features.statement,
    worlds=complex_features.worlds,
    measure={
        **complex_features.measure,
        function_re: lambda phi, psi, rho, eta: complex_functions(phi, psi, rho, eta, True)[0],
        function_im: lambda phi, psi, rho, eta: complex_functions(phi, psi, rho, eta, True)[1],
        riesz_re: lambda phi, psi, rho, eta: kernel_gradient(phi, psi, rho, eta)[0],
        riesz_im: lambda phi, psi, rho, eta: kernel_gradient(phi, psi, rho, eta)[1],
    },
)


def kernel_gradient(phi, psi, rho, eta):
    """sum_x r_x k_M(., x) from the kernel matrix."""
    n, size = phi.nrows(), phi.ncols()
    weighted = fmpq_mat(n, 1, [fmpq(rho[j]) * (1 - 2 * eta[j]) / 2 for j in range(n)])
    real = phi * phi.transpose() + psi * psi.transpose()
    imaginary = psi * phi.transpose() - phi * psi.transpose()
    return real * weighted / size, imaginary * weighted / size
