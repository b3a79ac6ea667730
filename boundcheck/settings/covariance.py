"""Operators on L2(rho): integral operators of the kernels of `averaged_sgd`, their norms and order.

An operator is the matrix by which it acts on function values. T = E phi (x) phi is that of all
features, T_M = (1/M) sum_i phi_i (x) phi_i that of the drawn ones; both are self-adjoint.
"""

from __future__ import annotations

import sympy
from sympy import latex

from boundcheck.expressions import define, form, identity, mean, named, outer, row, world
from boundcheck.settings.averaged_sgd import (
    D,
    K,
    covariance_norm,
    function,
    k,
    k_M,
    k_th,
    l2_norm,
    n,
    phi,
    tau,
)
from boundcheck.worlds import Index

omega = world("omega", Index(K), rank=0, latex=r"\omega", says="Any feature.")
v = function("v")
I = identity(n)
T, T_M = named("T", k * D), named("T_M", k_M * D)
deviation = define("deviation", covariance_norm(k - k_M), latex=r"\|T-T_M\|_{op}")


def feature(omega: sympy.Expr = omega) -> sympy.Expr:
    """phi(., omega): the values of one feature on the points."""
    return named(f"phi({omega})", row(phi.T, omega), rf"\varphi(\cdot,{latex(omega)})")


def rank_one(f: sympy.Expr) -> sympy.Expr:
    """f (x) f: g -> <f, g> f in L2(rho)."""
    return named(f"{f} (x) {f}", outer(f, f) * D, rf"{latex(f)}\otimes{latex(f)}")


def quadratic(A: sympy.Expr) -> sympy.Expr:
    """<A v, v> in L2(rho), v any function: A <= B is quadratic(A) <= quadratic(B)."""
    shown = rf"\langle {latex(A)}v,v\rangle_{{L^2(\rho_X)}}"
    return named(f"<({A}) v, v>", form(D * A, v), shown)


def norm(f: sympy.Expr) -> sympy.Expr:
    """Norm of f in L2(rho), shown as that."""
    return named(f"||{f}||", l2_norm(f), rf"\left\|{latex(f)}\right\|_{{L^2(\rho_X)}}")


def squared_norm(f: sympy.Expr) -> sympy.Expr:
    """Squared norm of f in L2(rho): rational for rational values."""
    shown = rf"\left\|{latex(f)}\right\|_{{L^2(\rho_X)}}^2"
    return named(f"||{f}||^2", l2_norm(f) ** 2, shown)


def operator_norm(T: str, kernel: sympy.Expr) -> sympy.Expr:
    """||T||_op of the integral operator of a kernel, shown as T."""
    return named(f"||{T}||", covariance_norm(kernel), rf"\left\|{T}\right\|_{{op}}")


def E_feature(variable: sympy.Expr) -> sympy.Expr:
    """Expectation over one feature of an expression in the index `k_th`."""
    return mean(variable, k_th, tau)
