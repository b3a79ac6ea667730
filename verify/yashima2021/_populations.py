"""Populations of two points that families of Theorem 1 grow from."""

from sympy import Integer, Rational

HALF, LIKELY = (Rational(1, 2),) * 2, (Rational(3, 4),) * 2


def population(phi, rho=HALF, tau=HALF, eta=LIKELY, **more):
    """Two points with features in the rows of phi, a loss of height and stretch one.

    Args: more: further values, or others; sizes become numbers of SymPy.
    """
    world = {
        "n": 2, "K": 2, "rho": rho, "tau": tau, "eta": eta, "phi": phi, "loss": "logistic",
        "height": Integer(1), "stretch": Integer(1), "lambda": Integer(1),
    }  # fmt: skip
    return {**world, **more}


def own_features(size=1):
    """A feature of this size for each point."""
    return [[size, 0], [0, size]]
