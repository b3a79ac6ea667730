"""Complex features phi + i psi on the points of `averaged_sgd`: matrices, kernels, functions.

`Complex` is a number, vector or matrix by its two parts, each an expression. Features of a real
kernel come with their conjugates, each with half the weight: the mean of such a pair is the real
part, `E_pair`.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from sympy import sqrt

from boundcheck.expressions import (
    above,
    at,
    beside,
    diagonal,
    greatest,
    inner,
    mean,
    transpose,
    world,
)
from boundcheck.settings.averaged_sgd import K, i, j, k_th, n, phi, tau
from boundcheck.worlds import Matrix, Vector

psi = world(
    "psi", Matrix(n, K, searched=(-1, 1)), units={"feature": 1},
    says="Imaginary part of the features.",
)  # fmt: skip


@dataclass(frozen=True)
class Complex:
    """re + i im; products keep their order."""

    re: sympy.Expr
    im: sympy.Expr

    def __mul__(self, other: Complex | sympy.Expr) -> Complex:
        if not isinstance(other, Complex):
            return Complex(self.re * other, self.im * other)
        return Complex(
            self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re
        )

    @property
    def conj(self) -> Complex:
        """The conjugate."""
        return Complex(self.re, -self.im)

    @property
    def H(self) -> Complex:
        """The conjugate transpose of a matrix."""
        return Complex(transpose(self.re), -transpose(self.im))

    @property
    def modulus(self) -> sympy.Expr:
        """|z| of a number."""
        return sqrt(self.re**2 + self.im**2)

    @property
    def realified(self) -> sympy.Expr:
        """The real matrix [[A, -B], [B, A]] of A + i B: it acts on vectors (a, b) of a + i b."""
        return above(beside(self.re, -self.im), beside(self.im, self.re))

    def __getitem__(self, places: tuple[sympy.Expr, ...] | sympy.Expr) -> Complex:
        places = places if isinstance(places, tuple) else (places,)
        return Complex(at(self.re, *places), at(self.im, *places))


features = Complex(phi, psi)


def kernel(weights: sympy.Expr) -> Complex:
    """The kernel matrix of the features with weights: tau, or counts / M."""
    weighted: Complex = features * diagonal(weights)
    return weighted * features.H


def E_pair(variable: Complex) -> sympy.Expr:
    """Expectation over one feature and its conjugate of an expression in the index `k_th`."""
    return mean(variable.re, k_th, tau)


def coefficients(name: str) -> Complex:
    """Any complex coefficients, one for each point."""
    a, b = (world(name + end, Vector(n, searched=(-2, 2)), units={"value": 1}) for end in ("", "'"))
    return Complex(a, b)


def supremum(f: Complex) -> sympy.Expr:
    """Largest |f| on the points."""
    return greatest(f[i].modulus, i)


def largest_modulus(matrix: Complex, *indices: sympy.Expr) -> sympy.Expr:
    """Largest modulus of the entries of a matrix, n x n unless its indices are given."""
    over = indices or (i, j)
    return greatest(matrix[over].modulus, *over)


def rkhs_norm(kernel: Complex, a: Complex) -> sympy.Expr:
    """Norm of sum_j a_j k(., x_j): the root of a^H K a."""
    values = kernel * a
    return sqrt(inner(a.re, values.re) + inner(a.im, values.im))
