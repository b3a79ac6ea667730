"""(1)-(5): functions integrated over features, their inner product and the feature norm.

Setting    features w with law mu, |psi(w; x)| < 1, Phi(x)[w] = psi(w; x),
           <f, g> = integral of f g under mu.
Claim      the kernel <Phi(x), Phi(x')> is E_w psi(x; w) psi(x'; w); the regression function of f
           at x, E_w psi(x; w) f(w), is <f, Phi(x)>; and ||Phi(x)|| < 1.
"""

from sympy import And, Eq, symbols

from boundcheck import Claim, Expected
from boundcheck.quantities.online import gram, inner, norm, row
from boundcheck.worlds import Listed, Vector

from . import NOTES, feature_space

kernel, kernel_sample, value, value_sample, feature_norm = symbols(
    "kernel kernel_sample value value_sample feature_norm", real=True
)


def features(mu):
    """The law of one feature."""
    return [(weight, {"w": w}) for w, weight in enumerate(mu)]


printed = Claim(
    source=NOTES.at("(1)-(5)"),
    statement=Expected(
        And(Eq(kernel, kernel_sample), Eq(value, value_sample), feature_norm < 1)
    ),
    worlds=feature_space(points=3, atoms=3).and_fields(f=Vector("K", searched=(-5, 5))),
    measure={
        kernel: lambda psi, mu: gram(psi, mu)[0, psi.nrows() - 1],
        kernel_sample: lambda psi, w: psi[0, w] * psi[psi.nrows() - 1, w],
        value: lambda psi, mu, f: inner(f, row(psi, 0), mu),
        value_sample: lambda psi, f, w: psi[0, w] * f[w],
        feature_norm: lambda psi, mu: norm(row(psi, 0), mu),
    },
    draw=Listed(("w",), features, over="the feature"),
    reading="The two orders of the arguments of psi, (1) against section 2, name one function.",
)
