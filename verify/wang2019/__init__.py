"""Wang 2019: out-of-sample bound for random feature ridge regression. Shared symbols and worlds.

Designs: m point atoms with weights rho, K feature atoms with weights tau, psi values phi (m x K).
A training set is a sequence of n atom indices, a feature draw a sequence of s feature indices,
a test point one atom index; the three are kept apart.
"""

from flint import arb, fmpq, fmpq_mat
from sympy import And, Expr, symbols

from boundcheck import Source
from boundcheck.exact import precision
from boundcheck.expressions import inner, named, outer
from boundcheck.quantities.features import peak
from boundcheck.settings.random_features import Regression, fixed
from boundcheck.worlds import (
    Custom,
    Index,
    Indices,
    Integer,
    Matrix,
    Real,
    Space,
    Tuples,
    Vector,
    Weights,
)

NOTES = Source(
    "Wang", 2019, "Simple and almost assumption-free out-of-sample bound for random feature mapping"
)

n, s, b, d, delta, epsilon, ridge, t, c = symbols("n s b d delta epsilon lambda t c", real=True)
top, mse, norm = symbols("peak mse norm", real=True)
unit = And(delta > 0, delta < 1)
RIDGES = (fmpq(1, 5), fmpq(1), fmpq(5))  # c of lambda = c / sqrt(n) in the experiments
FEATURES = Indices("features", "tau", "s", over="the features")


def graded(rows: str, cols: str) -> Custom:
    """Features of several sizes in one design: entries free, or of a common size in (0, 2]."""
    sizes = Real(0, 2, log=True)

    def build(source, earlier):
        if source.choice(("free", "graded", "graded")) == "free":
            return Matrix(rows, cols, searched=(-2, 2)).build(source, earlier)
        small = sizes.build(source, earlier)
        shape = earlier[rows], earlier[cols]
        values = (small, 2, -small, -2)
        return fmpq_mat(*shape, [source.choice(values) for _ in range(shape[0] * shape[1])])

    return Custom(build, Matrix(rows, cols))


def designs(points: int = 3, features: int = 3) -> Space:
    """Finite designs: laws of points and of features with any values psi in [-2, 2]."""
    return Space(
        m=Integer(1, searched=points),
        K=Integer(1, searched=features),
        rho=Weights("m"),
        tau=Weights("K"),
        phi=graded("m", "K"),
    )


def _level(source, earlier):
    """delta: free, or a power of ten away from 0 or from 1."""
    kind = source.choice(("free", "near 0", "near 1", "near 1"))
    if kind == "free":
        return Real(0, 1, open_low=True, open_high=True).build(source, earlier)
    gap = fmpq(1, 10 ** source.integer(1, 9))
    return gap if kind == "near 0" else 1 - gap


def _bound_on_features(source, earlier):
    """b: the largest psi^2, or more."""
    tightest = peak(earlier["phi"]) or fmpq(1)
    return tightest * source.choice((1, 1, 1, 3))


def _bounds_features(value, world):
    return Real(0, None, open_low=True).admits(value, world) and value >= peak(world["phi"])


LEVELS = Custom(_level, Real(0, 1, open_low=True, open_high=True))
BOUNDS = Custom(_bound_on_features, _bounds_features)


def least_ridge(factor) -> Custom:
    """lambda: a rational a little above factor b sqrt(log(s / delta) / n), or more."""

    def bound(world):
        with precision(128):
            logarithm = arb(fmpq(world["s"]) / world["delta"]).log()
            return factor * world["b"] * (logarithm / world["n"]).sqrt()

    def build(source, earlier):
        least = fmpq(int((bound(earlier).upper().fmpq() * 10**15).ceil()), 10**15)
        return least * source.choice((1, 1, 1, 1, 3, 1000))

    def is_enough(value, world):
        with precision(128):
            return Real(0, None, open_low=True).admits(value, world) and value >= bound(world)

    return Custom(build, is_enough)


def indices(length: str, size: str) -> Custom:
    """A sequence of indices below `size`: each in turn, or free."""

    def build(source, earlier):
        long, atoms = earlier[length], earlier[size]
        if source.choice(("in turn", "free")) == "in turn":
            return tuple(i % atoms for i in range(long))
        return tuple(source.integer(0, atoms - 1) for _ in range(long))

    return Custom(build, Tuples(length, Index(size)))


def training(points: int = 3, features: int = 3, length: int = 3, bound: int = 2) -> Space:
    """Designs with a fixed training set, free targets and one test atom."""
    return designs(points, features).and_fields(
        n=Integer(1, searched=length),
        sample=indices("n", "m"),
        y=Vector("n", -bound, bound),
        test=Index("m"),
    )


def fixed_training(most: int = 3) -> dict:
    """Parts of a claim on a fixed training set and up to `most` drawn features, psi^2 <= b."""
    positive = Real(0, None, open_low=True)
    return {
        "given": [top <= b],
        "worlds": training(),
        "parameters": {s: Integer(1, searched=most), b: positive, ridge: positive},
        "draw": FEATURES,
    }


def drawn_features(points: int = 3, features: int = 3, length: int = 3, most: int = 3) -> Space:
    """The same with a fixed draw of s features."""
    return training(points, features, length).and_fields(
        s=Integer(1, searched=most), features=indices("s", "K")
    )

# Section 4.4, for a fixed training set.
_gap = (fixed.K_ - fixed.K) * fixed.alpha
Delta_2 = named("Delta_2", inner(_gap, _gap), r"\Delta_2")


def Delta_1(x: Expr, at: Regression = fixed) -> Expr:
    """R~ k~' k~'^T R~ with R~ = (K~ + n lambda I)^-1."""
    return named("Delta_1", outer(at.R_ * at.k_(x), at.R_ * at.k_(x)), r"\Delta_1")


def Delta_3(x: Expr) -> Expr:
    """[(k~' - k')^T alpha]^2."""
    return named("Delta_3", inner(fixed.k_(x) - fixed.k(x), fixed.alpha) ** 2, r"\Delta_3")
