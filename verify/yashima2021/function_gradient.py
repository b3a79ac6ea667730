"""The gradient in the coefficients is the gradient in the function space.

Setting    M drawn features, differentiable convex loss, objective
           E l(beta^T phi_M(X), Y) + lambda/2 ||beta||^2 over real beta, and the same on H_M with
           the RKHS norm. Real coefficients and a real function: real features; beside it, complex
           features with those real coefficients for which the function is real.
Claim      E[l' phi_M(X) + lambda beta] is the gradient in beta, and its product with phi_M the
           gradient in H_M.
"""

from sympy import And, Eq

from boundcheck import Claim, Holds
from boundcheck.expressions import at, column, define, inner, table, world
from boundcheck.quantities.losses import SMOOTH
from boundcheck.quantities.rkhs import projection
from boundcheck.settings.averaged_sgd import eta, expected_loss, i, lam, n, rho
from boundcheck.settings.complex_features import Complex
from boundcheck.settings.margin_losses import kind, loss
from boundcheck.settings.rkhs import least_squared_norm
from boundcheck.worlds import Choice, Integer, Matrix, Vector

from . import ARXIV

M = world("M", Integer(1, searched=4), says="Number of drawn features.")
phi = world("phi", Matrix(n, M), units={"feature": 1}, says="Features, or their real parts.")
parts = world("parts", Matrix(n, M), units={"feature": 1}, says="Imaginary parts.")
is_complex = world("complex", Choice((0, 1)), says="Whether features have imaginary parts.")
psi = define("psi", is_complex * parts)
b = world("b", Vector(n, searched=(-1, 1)), says="A direction in H_M.")
any_c = world("c", Vector(M, searched=(-4, 4)), says="Coefficients, over sqrt(M).")
any_v = world("v", Vector(M, searched=(-1, 1)), says="A direction, over sqrt(M).")


def slopes(g):
    """E over labels of l'(g(x), Y), times the weight of x."""
    return table(rho[i] * loss.conditional_slope(eta[i], at(g, i)), i)


def gradient(c):
    """sqrt(M) times (13) at beta = sqrt(M) c."""
    return phi.T * slopes(phi * c) + lam * M * c


def objective(c):
    """The objective at beta = sqrt(M) c."""
    return expected_loss(phi * c) + lam * M * inner(c, c) / 2


def is_supported(c, v):
    """A gradient of a convex objective supports it in every direction."""
    start = define("start", objective(c), latex=r"J(\beta)")
    end = define("end", objective(c + v), latex=r"J(\beta+v)")
    along = define("slope_along", inner(gradient(c), v), latex=r"\langle\nabla J(\beta),v\rangle")
    return start + along <= end


def are_equal(name, shown, true, latex):
    """A displayed function and what it stands for, on the points."""
    return Eq(
        define(f"displayed_{name}", column(shown), latex=latex + r"\nabla J(\beta)^\top\varphi_M"),
        define(f"gradient_{name}", column(true), latex=latex + r"\nabla_{H_M} J(g)"),
    )


def space_objective(g):
    """The objective on H_M: the RKHS norm of k_M, not that of the coefficients."""
    return expected_loss(g) + lam * least_squared_norm(kernel, g) / 2


kernel, g = phi * phi.T / M, phi * any_c
function = phi * gradient(any_c) / M
space_start = define("space_start", space_objective(g), latex="J(g)")
space_end = define("space_end", space_objective(g + kernel * b), latex="J(g+h)")
space_slope = define("space_slope", inner(function, b), latex=r"\langle\nabla J(g),h\rangle")

printed = Claim(
    ARXIV.at("Section 2.3, (13)-(14); AISTATS Section 2.3"),
    Holds(
        And(
            is_supported(any_c, any_v),
            space_start + space_slope <= space_end,
            are_equal("re", function, kernel * slopes(g) + lam * g, ""),
        )
    ),
    given=[lam > 0],
    domains={kind: Choice(SMOOTH)},
    uses=("yashima2021/rkhs_norms:printed",),
    reading="beta is real and the loss takes a real beta^T phi_M, so the features are real; a "
    "gradient of a convex differentiable objective is what supports it in every direction",
    cost=2,
)


def for_complex_features(where, sign, reading):
    """(14) with the feature vector at X as it is (sign 1) or conjugated (sign -1)."""
    c, v = (a - projection(psi, a) for a in (any_c, any_v))  # with psi beta = 0
    weighted, ridge = slopes(phi * c), lam * phi * c
    features = Complex(phi, psi)
    kernel = features * features.H
    shown = features * Complex(phi.T * weighted, sign * psi.T * weighted)
    return Claim(
        ARXIV.at("Section 2.3, (13)-(14), " + where),
        Holds(
            And(
                is_supported(c, v),
                are_equal("re", shown.re / M + ridge, kernel.re * weighted / M + ridge, r"\Re "),
                are_equal("im", shown.im / M, kernel.im * weighted / M, r"\Im "),
            )
        ),
        given=[lam > 0],
        domains={kind: Choice(SMOOTH)},
        uses=("yashima2021/rkhs_norms:printed",),
        reading=reading,
        cost=2,
    )


complex_features = for_complex_features(
    "for complex features", 1,
    "features real or complex, as the exponentials of Section 2.2, with real coefficients for "
    "which the function is real, so that the loss has a value; no conjugate, as printed",
)  # fmt: skip
repaired = for_complex_features(
    "with the feature vector at X conjugated in (14)", -1,
    "features and coefficients as in the claim before, the feature vector at X conjugated",
)  # fmt: skip
