"""Hints for Lemma 3: four points of an interval, on which lambda or the Bayes rule shrinks."""

from flint import fmpq, fmpq_mat

from boundcheck.worlds import Family, doublings

POINTS = (fmpq(0), fmpq(1, 3), fmpq(2, 3), fmpq(1))
SHAPE = (fmpq(1), fmpq(2, 3), fmpq(1, 3), fmpq(1, 6))


def on_interval(regularisation, spread):
    """The rational kernel 1 / (1 + (x - y)^2), a Bayes rule of one shape."""
    values = [1 / (1 + (x - y) ** 2) for x in POINTS for y in POINTS]
    return {
        "n": 4, "gram": fmpq_mat(4, 4, values), "rho": (fmpq(1, 4),) * 4,
        "eta": tuple(fmpq(1, 2) + spread * c for c in SHAPE), "lambda": regularisation,
    }  # fmt: skip


FAMILIES = (
    Family("lambda shrinks", lambda s: on_interval(fmpq(1, s), fmpq(1, 3)), doublings(1, 12)),
    Family("the Bayes rule shrinks", lambda s: on_interval(fmpq(1, 100), fmpq(1, 3 * s)),
           doublings(1, 10)),
    Family("both shrink", lambda s: on_interval(fmpq(1, s), fmpq(1, 3 * s)), doublings(1, 10)),
)  # fmt: skip
