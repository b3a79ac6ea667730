"""Integral operators of kernels on L2(rho): norms, roots, ranges, distances of unit balls.

A kernel is a symmetric n x n matrix of values on points with weights rho; its operator
f -> E f(X) k(X, .) acts on function values as K D with D = diag(rho). That matrix is similar to the
symmetric D^(1/2) K D^(1/2) but rational, so spectra are taken from it. Estimators use the symmetric
form, with a batch axis first.
Source: Dieuleveut and Bach, Annals of Statistics 44 (2016) 1363-1399, section 2.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import flint
from flint import arb, arb_mat, fmpq, fmpq_mat

from boundcheck.arithmetic import key_of, sign
from boundcheck.errors import Undecided
from boundcheck.quantities.base import facts, quantity
from boundcheck.quantities.losses import largest
from boundcheck.quantities.operators import diagonal, eigenvalues, identity
from boundcheck.quantities.rkhs import row_space


def _numpy() -> Any:
    import numpy

    return numpy


def spectral_projectors(matrix: fmpq_mat) -> list[tuple[arb, arb_mat]]:
    """(eigenvalue, projector) pairs of a diagonalisable rational matrix with real spectrum.

    Lagrange's formula: P_mu is the product over the other eigenvalues nu of (A - nu)/(mu - nu).
    Source: Horn and Johnson, Matrix Analysis (2nd ed.), section 3.3.
    """
    size = matrix.nrows()
    found: Any = matrix.charpoly().complex_roots()
    roots = [root.real for root, _ in found]
    pairs = []
    for position, value in enumerate(roots):
        projector = arb_mat(identity(size))
        for other in roots[:position] + roots[position + 1 :]:
            factor = arb_mat(matrix) - arb_mat(identity(size)) * other
            projector = projector * factor * (1 / (value - other))
        pairs.append((value, projector))
    return pairs


def operator_square_root(matrix: fmpq_mat) -> arb_mat:
    """Square root of a rational matrix that is similar to a positive semi-definite one."""
    total = arb_mat(matrix.nrows(), matrix.nrows())
    for value, projector in spectral_projectors(matrix):
        total = total + projector * value.nonnegative_part().sqrt()
    return total


def _weighted_kernel(kernel: Any, rho: Any) -> Any:
    """D^(1/2) K D^(1/2) in floats."""
    root = _numpy().sqrt(rho)
    return kernel * root[..., :, None] * root[..., None, :]


def _largest_modulus(spectrum: Any) -> Any:
    return _numpy().maximum(spectrum[..., -1], -spectrum[..., 0])


@quantity(
    estimator=lambda kernel, rho: _largest_modulus(
        _numpy().linalg.eigvalsh(_weighted_kernel(kernel, rho))
    ),
    ranks=(2, 1), units="same", latex=r"\left\|{0}\right\|_{{op}}",
    text=lambda shown: f"integral_norm({shown[0]})",
)  # fmt: skip
@facts("nonnegative")
def integral_norm(kernel: Any, rho: Any) -> arb:
    """Norm of f -> E f(X) k(X, .) on L2(rho), of a symmetric kernel."""
    matrix: Any
    if isinstance(kernel, fmpq_mat):
        matrix = kernel * diagonal(rho)
    else:
        roots = [arb(weight).sqrt() for weight in rho]
        size = len(roots)
        values = [roots[i] * kernel[i, j] * roots[j] for i in range(size) for j in range(size)]
        matrix = arb_mat(size, size, values)
    return largest([abs(value) for value in eigenvalues(matrix)])


def _float_root(kernel: Any, rho: Any) -> Any:
    numpy = _numpy()
    values, vectors = numpy.linalg.eigh(_weighted_kernel(kernel, rho))
    root = numpy.sqrt(numpy.where(rho > 0, rho, numpy.inf))
    half = vectors * numpy.sqrt(numpy.maximum(values, 0))[..., None, :] @ vectors.swapaxes(-1, -2)
    return half / root[..., :, None] / root[..., None, :]


def _support(rho: Any) -> fmpq_mat:
    """The columns of the identity at points that have mass: L2 does not see the others."""
    places = [place for place, weight in enumerate(rho) if weight]
    return fmpq_mat([[int(i == place) for place in places] for i in range(len(rho))])


@quantity(
    estimator=_float_root, rank=2, ranks=(2, 1), units=lambda kernel, rho: kernel / 2,
    shape=lambda kernel, rho: kernel, latex=r"{{{0:b}}}^{{1/2}}",
    text=lambda shown: f"root_kernel({shown[0]})",
)  # fmt: skip
def root_kernel(kernel: fmpq_mat, rho: Any) -> arb_mat:
    """The symmetric q with T^(1/2) f = E f(X) q(X, .), for T f = E f(X) k(X, .); zero at points
    without mass."""
    on = _support(rho)
    mass = on.transpose() * diagonal(rho) * on
    root = operator_square_root(on.transpose() * kernel * on * mass) * arb_mat(mass.inv())
    return arb_mat(on) * root * arb_mat(on.transpose())


def _float_projection(kernel: Any, rho: Any) -> Any:
    numpy = _numpy()
    symmetric, root = _weighted_kernel(kernel, rho), numpy.sqrt(rho)
    onto = symmetric @ numpy.linalg.pinv(symmetric, rcond=1e-12, hermitian=True)
    return onto / numpy.where(root > 0, root, numpy.inf)[..., :, None] * root[..., None, :]


@quantity(
    estimator=_float_projection, rank=2, ranks=(2, 1), units="none",
    shape=lambda kernel, rho: kernel, latex=r"\mathcal{{P}}_{{\mathrm{{Ker}}({0})^\perp}}",
    text=lambda shown: f"range_projection({shown[0]})",
)  # fmt: skip
def range_projection(kernel: fmpq_mat, rho: Any) -> fmpq_mat:
    """Projection in L2(rho) on the range of f -> E f(X) k(X, .), zero at points without mass."""
    on = _support(rho)
    basis = row_space(on.transpose() * kernel * on) * on.transpose()
    if basis.nrows() == 0:
        return kernel * 0
    weighted = basis * diagonal(rho)
    return basis.transpose() * (weighted * basis.transpose()).inv() * weighted


def _float_extreme(matrix: Any) -> tuple[Any, Any]:
    numpy = _numpy()
    values, vectors = numpy.linalg.eigh(matrix)
    low = -values[..., 0] > values[..., -1]
    value = numpy.where(low, values[..., 0], values[..., -1])
    return value, numpy.where(low[..., None], vectors[..., 0], vectors[..., -1])


@quantity(
    estimator=lambda matrix: _float_extreme(matrix)[0], ranks=(2,), units="same", rational=True,
    latex=r"\lambda_{{\max}}",
)  # fmt: skip
def extreme_eigenvalue(matrix: fmpq_mat) -> arb:
    """The eigenvalue of largest modulus of a symmetric matrix; the positive one on a tie.

    Raises: Undecided where balls do not tell which of the two ends is larger.
    """
    spectrum = eigenvalues(matrix)
    low, high = spectrum[0], spectrum[-1]
    side = sign(-low - high)
    if side is None and not _is_mirrored(matrix):
        raise Undecided("which eigenvalue has the largest modulus")
    return low if side == 1 else high


def _is_mirrored(matrix: fmpq_mat) -> bool:
    """Whether the negative of every eigenvalue is one."""
    return not any(matrix.charpoly().coeffs()[matrix.nrows() - 1 :: -2])


@quantity(
    estimator=lambda matrix: _float_extreme(matrix)[1], rank=1, ranks=(2,), units="none",
    rational=True, shape=lambda matrix: (matrix[0],), latex="v",
)  # fmt: skip
def extreme_eigenvector(matrix: fmpq_mat) -> tuple[arb, ...]:
    """A unit eigenvector of a symmetric matrix for its eigenvalue of largest modulus.

    With P the spectral projector and e_i the coordinate with the largest P_ii it is
    P e_i / sqrt(P_ii).
    """
    value = extreme_eigenvalue(matrix)
    near = [found for each, found in spectral_projectors(matrix) if each.overlaps(value)]
    if len(near) != 1:
        raise Undecided("which eigenvector belongs to the largest modulus")
    projector = near[0]
    size = matrix.nrows()
    best = max(range(size), key=lambda i: float(projector[i, i].mid()))
    length = projector[best, best].sqrt()
    return tuple(projector[i, best] / length for i in range(size))


@quantity(
    estimator=lambda *arguments: _float_distance(*arguments), ranks=(2, 2, 1),
    units=lambda first, second, rho: first / 2,
    latex=r"\operatorname{{dist}}\left(B_{{\mathcal{{H}}}}, B_{{\mathcal{{H}}_M}}\right)",
    text=lambda shown: "unit_ball_distance",
)  # fmt: skip
@facts("nonnegative")
def unit_ball_distance(first: fmpq_mat, second: fmpq_mat, rho: Any) -> arb:
    """Hausdorff distance in L2(rho) of the unit balls of the RKHSs H and H_M of two kernels.

    It is the least xi such that every g in H has a g' in H_M with ||g - g'||_L2 <= xi ||g||_H and
    ||g'||_HM <= ||g||_H, and the other way round. The support functions of the balls are
    ||T^(1/2) u|| and ||T_M^(1/2) u||, so the distance is the largest difference of the two over
    the unit sphere, and xi bounds one side iff for all s > 0
    <u, T u> <= (1 + xi/s) <u, T_M u> + xi s + xi^2, that is with c = xi/s
    lambda_max(T - (1 + c) T_M) <= xi^2 (1 + 1/c) for all c > 0. On a cell [a, b] of c the left
    side falls and 1 + 1/c falls, which encloses the supremum; the ball returned contains it.
    Source: Schneider, Convex Bodies (2nd ed.), Lemma 1.8.14 for the support functions.
    """
    key = key_of(first, second, rho, flint.ctx.prec)
    if key not in _KEPT:
        if len(_KEPT) > MOST_KEPT:
            _KEPT.clear()
        _KEPT[key] = _distance(first * diagonal(rho), second * diagonal(rho))
    return _KEPT[key]


_KEPT: dict[tuple[Any, ...], arb] = {}  # mutants of a claim meet the same worlds again
MOST_KEPT = 4000


def _distance(true: fmpq_mat, sampled: fmpq_mat) -> arb:
    low, high = arb(0), arb(0)
    for one, other in ((true, sampled), (sampled, true)):
        below, above = _one_sided(one, other)
        low, high = low.max(below), high.max(above)
    return low.sqrt().union(high.sqrt())


CELLS = (fmpq(0), *(fmpq(2) ** k for k in range(-8, 9, 2)))
REFINEMENTS = 14


def _one_sided(first: fmpq_mat, second: fmpq_mat) -> tuple[arb, arb]:
    """Enclosure of sup over c > 0 of lambda_max(first - (1 + c) second)_+ c / (1 + c)."""

    def top(c: fmpq) -> arb:
        return eigenvalues(first - second * (1 + c))[-1].nonnegative_part()

    points = [(c, top(c)) for c in CELLS]
    low = arb(0)
    for c, value in points:
        low = low.max(value * c / (1 + c))
    # Beyond the last cell c / (1 + c) is below one.
    beyond = points[-1][1]
    cells = [(left, right, value, value * right / (1 + right))
             for (left, value), (right, _) in pairwise(points)]  # fmt: skip
    for _ in range(REFINEMENTS):
        worst = max(cells, key=lambda cell: float(cell[3].mid()))
        if worst[3] < low * fmpq(101, 100):
            break
        cells.remove(worst)
        left, right, value, _ = worst
        middle = (left + right) / 2
        inside = top(middle)
        low = low.max(inside * middle / (1 + middle))
        cells.append((left, middle, value, value * middle / (1 + middle)))
        cells.append((middle, right, inside, inside * right / (1 + right)))
    high = beyond
    for cell in cells:
        high = high.max(cell[3])
    return low.lower().nonnegative_part(), high.upper()


def _float_distance(first: Any, second: Any, rho: Any) -> Any:
    """Lower estimates of the distance: the same supremum over a grid of c."""
    numpy = _numpy()
    true, sampled = _weighted_kernel(first, rho), _weighted_kernel(second, rho)
    best: Any = 0.0
    for c in 2.0 ** numpy.arange(-8, 9, 2):
        for stack in (true - (1 + c) * sampled, sampled - (1 + c) * true):
            top = numpy.linalg.eigvalsh(stack)[..., -1]
            best = numpy.maximum(best, top * c / (1 + c))
    return numpy.sqrt(best)
