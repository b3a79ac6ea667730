"""The Monte-Carlo kernel is an unbiased estimate of the kernel.

Setting    features with values in the complex numbers, k(x, y) the mean of
           phi(x, w) conj(phi(y, w)) over tau, k_M its average over M independent draws.
Claim      E k_M(x, y) = k(x, y) for all x, y. A shift-invariant kernel has such an expansion with
           phi = C e^{i w x}, and every such expansion gives a shift-invariant kernel.
"""

from itertools import combinations

from flint import fmpq, fmpq_mat
from sympy import And, Eq, Ge, symbols

from boundcheck import Claim, Expected, Holds
from boundcheck.quantities.minimisers import frequencies
from boundcheck.quantities.operators import diagonal
from boundcheck.quantities.rkhs import submatrix
from boundcheck.worlds import (
    Choice,
    Counts,
    Derived,
    Integer,
    Real,
    Space,
    Vector,
    Weights,
    complex_feature_worlds,
)

from . import ARXIV, M

kernel_re, kernel_im = symbols("kernel_re kernel_im", commutative=False)
average_re, average_im = symbols("average_re average_im", commutative=False)


def real_part(phi, psi, weights):
    """Real part of sum_w weight (phi + i psi)(x) conj (phi + i psi)(y)."""
    middle = diagonal(tuple(weights))
    return phi * middle * phi.transpose() + psi * middle * psi.transpose()


def imaginary_part(phi, psi, weights):
    """Imaginary part of the same kernel."""
    middle = diagonal(tuple(weights))
    return psi * middle * phi.transpose() - phi * middle * psi.transpose()


printed = Claim(
    source=ARXIV.at("Section 2.2, (5)-(6)"),
    statement=Expected(And(Eq(average_re, kernel_re), Eq(average_im, kernel_im))),
    worlds=complex_feature_worlds(),
    parameters={M: Integer(1, searched=5)},
    draw=Counts("counts", "tau", "M"),
    measure={
        kernel_re: lambda phi, psi, tau: real_part(phi, psi, tau),
        kernel_im: lambda phi, psi, tau: imaginary_part(phi, psi, tau),
        average_re: lambda phi, psi, counts: real_part(phi, psi, frequencies(counts)),
        average_im: lambda phi, psi, counts: imaginary_part(phi, psi, frequencies(counts)),
    },
    reading="the bars of the preprint; without them the first equation is the case of real phi",
)


def circle_power(s, x):
    """(cos(w x), sin(w x)) for the angle w with tan(w / 2) = s and an integer x >= 0."""
    scale = 1 + s * s
    c, d = (1 - s * s) / scale, 2 * s / scale
    power = (fmpq(1), fmpq(0))
    for _ in range(abs(x)):
        power = (power[0] * c - power[1] * d, power[0] * d + power[1] * c)
    return power if x >= 0 else (power[0], -power[1])


def fourier_kernel(scale, spectrum, tau, x, y):
    """k(x, y) of the features scale e^{i w x}: a column (real part, imaginary part)."""
    total = [fmpq(0), fmpq(0)]
    for s, weight in zip(spectrum, tau, strict=True):
        (a, b), (c, d) = circle_power(s, x), circle_power(s, y)
        total[0] += weight * (a * c + b * d) * scale**2
        total[1] += weight * (b * c - a * d) * scale**2
    return fmpq_mat(2, 1, total)


COSINES = {
    1: (1,), 2: (1, -1), 3: (1, fmpq(-1, 2), fmpq(-1, 2)), 4: (1, 0, -1, 0),
    6: (1, fmpq(1, 2), fmpq(-1, 2), -1, fmpq(-1, 2), fmpq(1, 2)),
}  # fmt: skip


def even_function(N, psi):
    """psi(j) on the cyclic group of order N, made even: the kernel is real and symmetric."""
    return [(psi[j] + psi[(N - j) % N]) / 2 for j in range(N)]


def circulant(N, psi):
    """The matrix k(x, y) = psi(x - y)."""
    even = even_function(N, psi)
    return fmpq_mat(N, N, [even[(i - j) % N] for i in range(N) for j in range(N)])


def spectrum_of(N, psi):
    """The weights w -> (1/N) sum_j psi(j) cos(2 pi w j / N) of the characters."""
    even = even_function(N, psi)
    return [
        sum((even[j] * COSINES[N][w * j % N] for j in range(N)), fmpq(0)) / N for w in range(N)
    ]


def expansion(N, psi):
    """sum_w weight_w Re e^{2 pi i w (x - y) / N}; the imaginary parts cancel for even weights."""
    weights = spectrum_of(N, psi)
    return fmpq_mat(N, N, [
        sum((weights[w] * COSINES[N][w * (i - j) % N] for w in range(N)), fmpq(0))
        for i in range(N) for j in range(N)
    ])  # fmt: skip


kernel, expanded = symbols("kernel expanded", commutative=False)
least_minor, least_weight = symbols("least_minor least_weight", real=True)


def smallest_principal_minor(N, psi):
    """The least determinant of a principal block: not negative iff the kernel is positive."""
    whole = circulant(N, psi)
    return min(
        submatrix(whole, kept, kept).det()
        for size in range(1, N + 1)
        for kept in combinations(range(N), size)
    )


bochner = Claim(
    source=ARXIV.at("Section 2.2, after (6): Bochner's theorem"),
    statement=Holds(And(Eq(kernel, expanded), Ge(least_weight, 0))),
    given=[least_minor >= 0],
    worlds=Space(
        N=Choice((1, 2, 3, 4, 6)), psi=Vector(6, -1, 1), lift=Real(0, 2),
        raised=Derived(lambda psi, lift: (psi[0] + lift, *psi[1:])),
    ),
    measure={
        kernel: lambda N, raised: circulant(N, raised),
        expanded: lambda N, raised: expansion(N, raised),
        least_weight: lambda N, raised: min(spectrum_of(N, raised)),
        least_minor: lambda N, raised: smallest_principal_minor(N, raised),
    },
    reading=(
        "a shift-invariant positive definite kernel on a finite cyclic group, where no continuity "
        "is needed, is the mean of exponentials of integer frequencies over a finite measure"
    ),
)  # fmt: skip

at_pair, at_shift, at_point, constant = symbols(
    "at_pair at_shift at_point constant", commutative=False
)

fourier = Claim(
    source=ARXIV.at("Section 2.2, after (6)"),
    statement=Holds(And(Eq(at_pair, at_shift), Eq(at_point, constant))),
    worlds=Space(
        K=Integer(1, searched=3),
        tau=Weights("K"),
        spectrum=Vector("K", -3, 3),
        scale=Real("1/4", 4),
        x=Integer(-4, 4),
        y=Integer(-4, 4),
        shift=Integer(-3, 3),
    ),
    measure={
        at_pair: fourier_kernel,
        at_shift: lambda scale, spectrum, tau, x, y, shift: fourier_kernel(
            scale, spectrum, tau, x + shift, y + shift
        ),
        at_point: lambda scale, spectrum, tau, x: fourier_kernel(scale, spectrum, tau, x, x),
        constant: lambda scale: fmpq_mat(2, 1, [scale**2, 0]),
    },
    reading="the converse half of Bochner's theorem, on a finite spectrum at integer points",
)
