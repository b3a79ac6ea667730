"""Quantities of balls: what a comparison of balls cannot tell is undecided, not the other case.

A definition written for rationals takes `a > b` for false where balls meet. Eigenvalues were once
in the order of their floats, and an index below zero counted from the end.
"""

import importlib
import pkgutil
import random

import pytest
from flint import arb, arb_mat, fmpq, fmpq_mat
from sympy import Product, Sum, Symbol, exp, floor, sqrt

from boundcheck import Claim, Holds, Source, quantities, settings
from boundcheck.arithmetic import FUNCTIONS, MATRICES
from boundcheck.balls import integer_in
from boundcheck.certify import certify, why_undefined
from boundcheck.checker import judge
from boundcheck.errors import ShapeMismatch, Undecided, Undefined
from boundcheck.expressions import (
    block,
    eigenvalues,
    index,
    least_principal_minor,
    parameter,
    pick,
    row,
    spectral_radius,
    supremum,
    table,
    trace,
    variable,
    world,
)
from boundcheck.expressions.nodes import PRIMITIVES
from boundcheck.quantities.feature_operators import extreme_eigenvalue, extreme_eigenvector
from boundcheck.quantities.laws import median
from boundcheck.setting import Setting
from boundcheck.worlds import Integer, Matrix, Real, Symmetric, Tuples, Vector

for package in (quantities, settings):
    for found in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{found.name}")

PLACE = Source("A", 2024, "Example").at("1")
LOSSES = ("logistic", "hinge", "smoothed hinge", "modified huber")
WHOLE = ("T", "n", "s", "size", "degree", "place", "places")
UNFIT = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
MANY = ("block", "pick")  # which take a vector of places
n = world("n", Integer(1, searched=3))
i = index("i", n)
S, A, v = world("S", Symmetric(n)), world("A", Matrix(n, n)), world("v", Vector(n))
places = world("places", Tuples(n, Integer(-3, 3)))
level = parameter("level", Real(None, None))
TINY = fmpq(1, 10**30)


def operands(one, source):
    """Operands as the names and ranks of a primitive ask for, or None."""
    size, made = source.randint(1, 3), []

    def number(low=-8, high=8):
        return fmpq(source.randint(low, high), 4)

    ranks = [*one.ranks, *(None for _ in one.parameters[len(one.ranks) :])]
    for name, rank in zip(one.parameters, ranks, strict=True):
        if name == "loss":
            made.append(source.choice(LOSSES))
        elif one.name in MANY and rank == 1 and name != "vector":
            made.append(tuple(source.randrange(size) for _ in range(size)))
        elif name in WHOLE and rank in (0, None):
            made.append(source.randrange(size))
        elif rank == 0 or name in ("value", "low", "high", "turn"):
            positive = name in ("mu", "delta", "p", "height", "stretch", "lambda_", "gamma")
            made.append(number(1, 3) if positive else number())
        elif name in ("rho", "p", "weights", "eta"):
            shares = [source.randint(1, 4) for _ in range(size)]
            made.append(tuple(fmpq(share, sum(shares)) for share in shares))
        elif rank == 1:
            made.append(tuple(number() for _ in range(size)))
        elif rank == 2:
            half = fmpq_mat(size, size, [number() for _ in range(size * size)])
            made.append(half * half.transpose() if name in ("gram", "kernel", "first", "second")
                        else half + half.transpose())  # fmt: skip
        else:
            return None
    return made


def blurred(value, radius, source):
    """Balls around the same numbers; whole numbers and words stay."""
    if isinstance(value, tuple):
        return tuple(blurred(each, radius, source) for each in value)
    if isinstance(value, fmpq_mat):
        balls = [blurred(each, radius, source) for each in value.entries()]
        return arb_mat(value.nrows(), value.ncols(), balls)
    if not isinstance(value, fmpq):
        return value
    return arb(value) + arb(source.uniform(-radius, radius), radius)


def numbers(value):
    if isinstance(value, MATRICES):
        return value.entries()
    return (
        [each for part in value for each in numbers(part)] if isinstance(value, tuple) else [value]
    )


OWN = sorted(token for token in PRIMITIVES if token.startswith("boundcheck."))


@pytest.mark.parametrize("token", OWN)
def test_the_value_at_balls_contains_the_value_at_their_numbers(token):
    """Or is undecided; what is no definition for balls at all may break, which is no verdict."""
    one, source = PRIMITIVES[token], random.Random(token)
    for _ in range(40):
        given = operands(one, source)
        if given is None:
            return
        try:
            true = numbers(one.value(*given))
        except (Undecided, Undefined, ShapeMismatch, *UNFIT):
            continue
        radius = source.choice((1e-25, 0.05, 0.5, 1.0))
        near = [blurred(each, radius, source) if source.random() < 0.8 else each for each in given]
        try:
            found = numbers(one.value(*near))
        except (Undecided, *UNFIT):
            continue
        assert len(found) == len(true), near
        for ball, exact in zip(found, true, strict=True):
            gap = arb(ball) - exact
            assert gap.contains(0) or not gap.is_finite(), (near, exact, ball)


def setting(relation, **values):
    return Setting(Claim(PLACE, Holds(relation)), values)


def is_accused(relation, **values):
    here = setting(relation, **values)
    return certify(here)[0] or judge.is_false(here.claim, here.values)


def test_eigenvalues_that_floats_do_not_tell_apart_are_in_order():
    spectrum = eigenvalues(S)
    near = fmpq_mat(3, 3, [1 + TINY, 0, 0, 0, 1, 0, 0, 0, 1])
    far = fmpq_mat(3, 3, [2 * 10**400, 0, 0, 0, 10**400, 0, 0, 0, 10**400])
    for matrix in (near, far):
        for true in (spectrum[0] <= S[1, 1], spectrum[1] <= spectrum[2], spectrum[2] >= S[0, 0]):
            assert not is_accused(true, n=3, S=matrix)
        assert is_accused(spectrum[2] <= S[1, 1], n=3, S=matrix)


def test_which_end_of_a_spectrum_is_larger():
    close = fmpq_mat(2, 2, [-1 - TINY, 0, 0, 1])
    assert not is_accused(extreme_eigenvalue(S) <= 0, n=2, S=close)
    assert not is_accused(extreme_eigenvector(S)[1] ** 2 <= 0, n=2, S=close)
    tie = fmpq_mat(2, 2, [1, 1, 1, -1])  # plus and minus the root of two
    assert is_accused(extreme_eigenvalue(S) <= 1, n=2, S=tie)
    below = fmpq_mat(2, 2, [-2, 0, 0, 1])
    assert is_accused(extreme_eigenvalue(S) >= -1, n=2, S=below)


def test_a_minor_of_balls_is_the_least():
    """A minor that is about -2 in a ball wider than a thousand, beside one that is narrow."""
    size = fmpq(10**12)
    matrix = fmpq_mat(2, 2, [1, size, size, size * size - 1])
    least = least_principal_minor(exp(level) * A)
    assert not is_accused(least <= 0, n=2, A=matrix, level=fmpq(1, 3))
    assert is_accused(least >= 0, n=2, A=matrix, level=fmpq(1, 3))


def test_half_the_mass_in_balls_is_no_less_than_half():
    half = exp(-2) / (exp(-2) + exp(-2) ** level)  # 1/2 at level 1
    middle = median(v, table(half + 0 * i, i))
    assert not is_accused(middle <= v[0], n=2, v=(fmpq(1), fmpq(2)), level=fmpq(1))
    assert median((fmpq(1), fmpq(2)), (fmpq(1, 2), fmpq(1, 2))) == 1


@pytest.mark.parametrize("part", [pick(v, places)[0], trace(block(A, places, places)),
                                  row(A, places[0])[0]])  # fmt: skip
def test_an_index_below_zero_has_no_value(part):
    here = {"n": 1, "v": (fmpq(1),), "A": fmpq_mat(1, 1, [1]), "places": (-1,)}
    claim = Claim(PLACE, Holds(part <= 0))
    values = {name: here[name] for name in claim.fields}
    assert "counted from zero" in why_undefined(Setting(claim, values))


def test_a_spectral_radius_of_balls():
    here = {"n": 2, "A": fmpq_mat(2, 2, [1, 2, -2, 1])}  # of modulus the root of five
    assert is_accused(spectral_radius(sqrt(2) * A) <= 3, **here)
    assert not is_accused(spectral_radius(sqrt(2) * A) <= 4, **here)


def test_a_supremum_of_a_series():
    x, k = variable("x"), Symbol("k", integer=True)
    for inside, top in ((Sum(x * k, (k, 1, 3)), 6), (Product(x + k, (k, 1, 2)), 6)):
        greatest = supremum(inside + level, (x, 0, 1))
        assert is_accused(greatest <= top - 1, level=fmpq(0))
        assert not is_accused(greatest <= top, level=fmpq(0))


@pytest.mark.parametrize("size", [10**9, 10**12])
def test_the_integer_part_of_a_number_that_no_memory_holds_is_undecided(size):
    for ball in (arb(2) ** size, -(arb(2) ** size), arb(size).exp()):
        with pytest.raises(Undecided, match="too many bits"):
            FUNCTIONS[floor](ball)
    assert integer_in(arb(0, arb(2) ** size)) is None
    assert integer_in(arb(2) ** 100) == 2**100
