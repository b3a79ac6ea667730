"""Complexity of function classes on a sample: Rademacher averages of RKHS balls.

gram is the kernel matrix of the sample (n x n), Q the radius of the ball.
"""

from __future__ import annotations

import itertools
from typing import Any

from flint import fmpq

from boundcheck.exact import square_root
from boundcheck.quantities.base import facts, quantity
from boundcheck.quantities.operators import quadratic_form, trace


def kernel_trace(gram: Any) -> Any:
    """sum_i k(x_i, x_i)."""
    return trace(gram)


def _rademacher_by_signs(gram: Any, Q: Any) -> Any:
    import numpy

    size = gram.shape[-1]
    signs = numpy.array(list(itertools.product((1.0, -1.0), repeat=size - 1)))
    signs = numpy.concatenate([numpy.ones((len(signs), 1)), signs], axis=1)
    forms = numpy.einsum("si,...ij,sj->...s", signs, gram, signs)
    return Q * numpy.sqrt(numpy.maximum(forms, 0)).mean(axis=-1) / size


@quantity(estimator=_rademacher_by_signs)
def rademacher_complexity(gram: Any, Q: Any) -> Any:
    """E sup over the RKHS ball of radius Q of (1/n) sum_i xi_i f(x_i), by enumeration of signs.

    The supremum is Q ||sum_i xi_i k(., x_i)|| / n by the reproducing property; the sign vector and
    its negative count alike, so half of the 2^n are summed.
    Source: Bartlett and Mendelson, JMLR 3 (2002) 463-482, Lemma 22.
    """
    size = gram.nrows()
    total: Any = 0
    for signs in itertools.product((1, -1), repeat=size - 1):
        total = square_root(quadratic_form(gram, (1, *signs))) + total
    return Q * total / (size * 2 ** (size - 1))


@quantity(ranks=(1,), latex=r"\operatorname{{Rad}}(B_{{C({0})}})")
def continuous_complexity(points: Any) -> Any:
    """E sup over |f| <= 1 of (1/n) sum_i xi_i f(x_i): f may follow the signs, point by point.

    >>> continuous_complexity((1, 2)), continuous_complexity((1, 1))
    (1, 1/2)
    """
    total = 0
    for signs in itertools.product((1, -1), repeat=len(points)):
        sums: dict[Any, int] = {}
        for sign, place in zip(signs, points, strict=True):
            sums[place] = sums.get(place, 0) + sign
        total += sum(abs(value) for value in sums.values())
    return fmpq(total, len(points) * 2 ** len(points))


@quantity(ranks=(2, 1, 0), latex=r"\operatorname{{Rad}}(B_{{ {2} }})")
@facts("nonnegative")
def sample_complexity(gram: Any, counts: Any, Q: Any) -> Any:
    """Rademacher complexity of the ball of radius Q on a sample given by counts of its atoms."""
    from boundcheck.quantities.rkhs import submatrix

    drawn = [i for i, count in enumerate(counts) for _ in range(count)]
    return rademacher_complexity(submatrix(gram, drawn, drawn), Q)


@quantity(ranks=(2, 2, 1, 0), rational=True, latex=r"\operatorname{{Rad}}({1} \circ B_{{ {3} }})")
def composed_complexity(knots: Any, losses: Any, features: Any, Q: Any) -> Any:
    """E sup over |t| <= Q of (1/n) sum_i xi_i l_i(t u_i): losses on a ball in a one-line RKHS.

    The sum is piecewise linear in t, so the supremum is at an end or where some t u_i is a knot.

    Args: knots, losses: n x m, row i for point i; features: the n numbers u_i.
    """
    from boundcheck.quantities.regularised import piecewise_linear
    from boundcheck.quantities.rkhs import row

    size = losses.nrows()
    places = {-Q, Q, 0 * Q}
    for i in range(size):
        if features[i] != 0:
            places |= {knot / features[i] for knot in row(knots, i)}
    curves = [
        [piecewise_linear(row(knots, i), row(losses, i), t * features[i]) for i in range(size)]
        for t in places
        if -Q <= t <= Q
    ]
    total: Any = 0
    for signs in itertools.product((1, -1), repeat=size):
        total += max(
            sum(sign * value for sign, value in zip(signs, curve, strict=True)) for curve in curves
        )
    return total / (size * 2**size)
