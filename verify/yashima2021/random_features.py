"""The Monte-Carlo kernel is an unbiased estimate of the kernel.

Setting    features with values in the complex numbers, k(x, y) the mean of
           phi(x, w) conj(phi(y, w)) over tau, k_M its average over M independent draws.
Claim      E k_M(x, y) = k(x, y) for all x, y. A shift-invariant kernel has such an expansion with
           phi = C e^{i w x}, and every such expansion gives a shift-invariant kernel.
"""

from sympy import Abs, And, Eq, Min

from boundcheck import Claim, Expected, Holds
from boundcheck.expressions import (
    define,
    index,
    indicator,
    least,
    least_principal_minor,
    table,
    total,
    world,
)
from boundcheck.settings import fourier as line
from boundcheck.settings.averaged_sgd import M, counts, tau
from boundcheck.settings.complex_features import Complex, kernel
from boundcheck.settings.fourier import circle_point, cosine_of_turns
from boundcheck.worlds import Choice, Integer, Real, Vector

from . import ARXIV

mean, drawn = kernel(tau), kernel(counts / M)


def parts(value, name):
    """Real and imaginary part of a kernel by its name."""
    real = define(f"Re {name}", value.re, latex=rf"\Re {name}")
    return real, define(f"Im {name}", value.im, latex=rf"\Im {name}")


printed = Claim(
    ARXIV.at("Section 2.2, (5)-(6); AISTATS (4)-(5)"),
    Expected(And(*[Eq(*pair) for pair in zip(parts(drawn, "k_M"), parts(mean, "k"), strict=True)])),
    domains={M: Integer(1, searched=5)},
    reading="the bars of the preprint; without them the first equation is the case of real phi",
)

N = world("N", Choice((1, 2, 3, 4, 6)), says="Order of a cyclic group.")
values = world("psi", Vector(N, searched=(-1, 1)), latex=r"\psi")
lift = world("lift", Real(0, None, searched=(0, 2)), says="Added at zero.")
i, j, w = index("i", N), index("j", N), index("w", N)


def psi_at(j):
    """An even function on the group: it reads the distance from zero."""
    return values[Min(j, N - j)] + lift * indicator(Eq(j, 0))


weight = total(psi_at(j) * cosine_of_turns(w * j / N), j) / N
circulant = define("kernel", table(psi_at(Abs(i - j)), i, j), latex=r"[\psi(x - y)]_{x,y}")
expanded = define(
    "expansion", table(total(weight * cosine_of_turns(w * (i - j) / N), w), i, j),
    latex=r"[\sum_\omega \tau_\omega e^{2\pi i\omega(x-y)/N}]_{x,y}",
)  # fmt: skip
least_weight = define("least_weight", least(weight, w), latex=r"\min_\omega \tau_\omega")

bochner = Claim(
    ARXIV.at("Section 2.2, after (6): Bochner's theorem"),
    Holds(
        And(
            Eq(circulant, expanded),
            least_weight >= 0,
        )
    ),
    given=[least_principal_minor(circulant) >= 0],
    reading="a shift-invariant positive definite kernel on a finite cyclic group, where no "
    "continuity is needed, is the mean of exponentials of integer frequencies over a finite "
    "measure; orders 1, 2, 3, 4 and 6, at which all cosines are rational",
)

slopes = world("spectrum", Vector(line.K, searched=(-3, 3)), says="tan(w / 2).")
scale = world("scale", Real(0, None, open_low=True, searched=("1/4", 4)), latex="C")
x, y = (world(name, Integer(0, searched=4)) for name in "xy")
shift = world("shift", Integer(0, searched=8), says="To the left, below zero too.")
k = line.k


def point(at):
    """e^{i w_k x}."""
    return Complex(*(circle_point(slopes[k], at)[part] for part in (0, 1)))


def expansion(x, y):
    """C^2 sum_k tau_k e^{i w_k x} conj(e^{i w_k y}) by real and imaginary part."""
    term = point(x) * point(y).conj
    sums = Complex(total(line.tau[k] * term.re, k), total(line.tau[k] * term.im, k))
    return parts(sums * scale**2, f"k({x},{y})")


shifted = zip(expansion(x, y), expansion(x - shift, y - shift), strict=True)
fourier = Claim(
    ARXIV.at("Section 2.2, after (6)"),
    Holds(And(*[Eq(*pair) for pair in shifted], Eq(expansion(x, x)[0], scale**2))),
    reading="the converse half of Bochner's theorem, on a finite spectrum at integer points",
)
