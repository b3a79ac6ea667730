"""What the steps of Theorem 1 share: drawn features, approximants u in H_M and v in H, letters."""

from dataclasses import replace

from sympy import Max, Rational, sqrt

from boundcheck.expressions import define, diagonal, named, world
from boundcheck.settings.averaged_sgd import (
    K,
    Minimiser,
    combination,
    constant,
    expected_loss,
    interpolation_constant,
    k as of_all,
    l2_norm,
    lam,
    n,
    p,
    phi,
    rkhs_norm,
    supremum,
    xi,
)
from boundcheck.worlds import Real, Vector, Weights

from .._theorem_3 import CONFERENCE, FREE

STEP = "yashima2021/theorem_1_full:step_"
constants = replace(CONFERENCE, C=define("C", interpolation_constant, latex=r"C(\delta)"))
letters = replace(FREE, G=constant("L"))
L = constants.G

drawn = world("drawn", Weights(K, zeros=True), says="Shares of the features among the drawn ones.")
k, k_M = named("k", of_all), named("k_M", phi * diagonal(drawn) * phi.T)
g, g_M = Minimiser(k), Minimiser(k_M)


def approximant(name, kernel, norm):
    """Coefficients of an element of the RKHS of a kernel: any direction, a share of a norm."""
    direction = world(f"{name}_direction", Vector(n, -1, 1))
    share = world(f"{name}_share", Real(0, 1), says=f"Norm of {name} over the largest allowed.")
    return define(name, share * norm / rkhs_norm(kernel, direction) * direction)


def shown(name, definition, latex):
    """A quantity by the name that it has in print."""
    return define(name, definition, latex=latex)


norm_g = shown("norm_g", g.norm, r"\|g_\lambda\|")
norm_g_M = shown("norm_g_M", g_M.norm, r"\|g_{M,\lambda}\|_{H_M}")
u, v = approximant("u", k_M, norm_g), approximant("v", k, norm_g_M)
u_values, v_values = combination(k_M, u), combination(k, v)
norm_u = shown("norm_u", rkhs_norm(k_M, u), r"\|\tilde{g}_\lambda\|_{H_M}")
norm_v = shown("norm_v", rkhs_norm(k, v), r"\|\tilde{g}_{M,\lambda}\|")
risk = shown("risk", expected_loss(g.values), r"L(g_\lambda)")
risk_M = shown("risk_M", expected_loss(g_M.values), r"L(g_{M,\lambda})")
risk_u = shown("risk_u", expected_loss(u_values), r"L(\tilde{g}_\lambda)")
risk_v = shown("risk_v", expected_loss(v_values), r"L(\tilde{g}_{M,\lambda})")
l2_u = shown("l2_u", l2_norm(u_values - g.values), r"\|\tilde{g}_\lambda-g_\lambda\|_2")
l2_v = shown(
    "l2_v", l2_norm(v_values - g_M.values), r"\|\tilde{g}_{M,\lambda}-g_{M,\lambda}\|_2"
)
sup_u = shown(
    "sup_u", supremum(g_M.values - u_values), r"\|g_{M,\lambda}-\tilde{g}_\lambda\|_\infty"
)
sup_gap_u = shown(
    "sup_gap_u", supremum(g.values - u_values), r"\|g_\lambda-\tilde{g}_\lambda\|_\infty"
)
to_u = shown("to_u", g_M.distance(u), r"\|g_{M,\lambda}-\tilde{g}_\lambda\|_{H_M}")
to_v = shown("to_v", g.distance(v), r"\|g_\lambda-\tilde{g}_{M,\lambda}\|")
CLOSE = [lam > 0, xi > 0, Max(l2_u / norm_g, l2_v / norm_g_M) <= xi]
APPROXIMANTS = "u and v are any approximants with the properties that Lemma 2 is used for"
STAR = APPROXIMANTS + "; g_* minimises the expected loss and lies in H"


def combined_bound(norm, loss):
    """The right sides of (122) and (123)."""
    inside = 2 / lam * loss + 2 * L * xi / lam * norm + norm**2
    return 2 * L * xi / lam * (norm + sqrt(inside))


def total_bound(of):
    """(129)-(130)."""
    star, root = of.norm_star, Rational(1, 4)
    return Max(
        2 ** (p + 1) * of.C * star * xi ** (1 - p),
        of.R * sqrt(2**4 * 3 * of.G * xi / lam * star),
        of.R * (2**7 * 3**2 * of.G**2 * xi**2 / lam**3 * of.risk_star) ** root,
        of.R * (2**7 * 3**2 * of.G**3 * xi**3 / lam**3 * star) ** root,
    )
