"""Worlds and symbols shared by the tests of the language."""

import numpy
import pytest

from boundcheck.expressions import index, outcome, parameter, world
from boundcheck.worlds import (
    Counts,
    Gram,
    Indices,
    Integer,
    Matrix,
    Real,
    Signs,
    Space,
    Vector,
    Weights as Law,
)


class Symbols:
    """A vocabulary with one symbol of every kind."""

    def __init__(self) -> None:
        self.n = world("n", Integer(2, 3))
        self.K = world("K", Integer(2, 3))
        self.rho = world("rho", Law(self.n))
        self.tau = world("tau", Law(self.K))
        self.phi = world("phi", Matrix(self.n, self.K), units={"feature": 1})
        self.gram = world("gram", Gram(self.n), units={"kernel": 1})
        self.x = world("x", Vector(self.n), units={"label": 1})
        self.y = world("y", Vector(self.n), units={"label": 1})
        self.t = parameter("t", Real(0, None, open_low=True))
        self.M = parameter("M", Integer(1, 4))
        self.counts = outcome("counts", Counts("counts", self.tau, self.M))
        self.signs = outcome("xi", Signs("xi", self.n))
        self.sample = outcome("sample", Indices("sample", self.rho, self.M))
        self.i, self.j = index("i", self.n), index("j", self.n)
        self.k = index("k", self.K)


@pytest.fixture(scope="session")
def s() -> Symbols:
    return Symbols()


@pytest.fixture(scope="session")
def settings(s) -> list[dict]:
    """Worlds of one shape with parameters and outcomes, exact."""
    rng = numpy.random.default_rng(7)
    space = Space(
        n=Integer(3, 3), K=Integer(2, 2), rho=Law("n"), tau=Law("K"), phi=Matrix("n", "K"),
        gram=Gram("n"), x=Vector("n"), y=Vector("n"), t=Real("1/10", 4), M=Integer(2, 2),
    )  # fmt: skip
    made = []
    for _ in range(6):
        values, _ = space.sample(rng)
        made.append({**values, "counts": (1, 1), "xi": (1, -1, 1), "sample": (2, 0)})
    return made
