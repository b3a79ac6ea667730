"""Derivatives of functions of H_M^+: (143)-(149)."""

from sympy import And, Eq, sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import define, total, world
from boundcheck.settings.complex_features import Complex
from boundcheck.settings.fourier import K, h, k, moment, power_of_i, squared_integral, w, wave
from boundcheck.worlds import Choice, Integer, Real, Vector

from .. import ARXIV

weights = world("weights", Vector(K, 0, searched=(0, 1)), latex=r"\tau^+")
real, imaginary = (world(name, Vector(K, searched=(-2, 2))) for name in ("real", "imaginary"))
order = world("order", Integer(0, searched=3), latex=r"\alpha")
size = sqrt(real[k] ** 2 + imaginary[k] ** 2)
derivative = define(
    "derivative",
    squared_integral(lambda k: Complex(real[k], imaginary[k]) * weights[k], order),
    latex=r"\|\partial^\alpha f\|_2^2",
)
with_sizes = define(
    "with_sizes",
    squared_integral(lambda at: Complex(weights[at] * size.subs(k, at), 0), order),
    says="The same with |g| for g.",
    latex=r"\int(\int|g|\,\partial^\alpha\varphi\,d\tau^+)^2 dx",
)
bound = define(
    "bound", 2 * total(weights[k] * size**2, k) * 2 * moment(lambda k: weights[k], order) * h,
    latex=r"\|g\|_2^2 \iint |\partial^\alpha\varphi|^2 d\tau^+ dx",
)  # fmt: skip
OPTIONS = {"domains": {w: Vector("K", 0, searched=(0, 4))}, "cost": 4}

step_cauchy_schwarz = Claim(
    ARXIV.at("Appendix D, (143)-(145); AISTATS Appendix D"),
    Holds(And(derivative <= with_sizes, with_sizes <= bound)),
    reading="a symmetric spectrum and g(-w) conjugate to g(w), so that all is real, d = 1",
    **OPTIONS,
)
repaired_cauchy_schwarz = Claim(
    ARXIV.at("Appendix D, (143)-(145) without the middle"), Holds(derivative <= bound), **OPTIONS
)

frequency = world("frequency", Real(None, None, searched=(-4, 4)), latex=r"\omega")
x = world("x", Real(None, None, searched=(-4, 4)))
half = world("half", Integer(0, searched=2), says="The order is twice this, or one more.")
odd = world("odd", Choice((0, 1)))
order_of_wave = define("order", 2 * half + odd, latex=r"\alpha")
printed = wave(frequency * x) * frequency**order_of_wave
true = power_of_i(half, odd) * printed
shown, derived = (
    [define(name + part, value, latex=rf"\{part} {latex} e^{{i\omega x}}")
     for part, value in (("Re", wave.re), ("Im", wave.im))]
    for name, wave, latex in (
        ("printed", printed, r"\omega^\alpha"), ("derivative", true, r"\partial_x^\alpha")
    )
)  # fmt: skip

step_derivative = Claim(
    ARXIV.at("Appendix D, (146)-(147); AISTATS Appendix D"),
    Holds(And(*[Eq(*pair) for pair in zip(derived, shown, strict=True)])),
    reading="d = 1; the derivative of e^{i w x} of order a is i^a w^a e^{i w x}",
)
step_derivative_bound = Claim(
    ARXIV.at("Appendix D, (148)-(149), which need the modulus only"),
    Holds(Eq(derived[0] ** 2 + derived[1] ** 2, shown[0] ** 2 + shown[1] ** 2)),
)
