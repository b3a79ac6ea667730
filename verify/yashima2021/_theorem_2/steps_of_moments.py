"""Moments of the drawn frequencies: (150)-(153)."""

from sympy import And, Max, erf, sqrt

from boundcheck import Claim, Holds, WithProbability
from boundcheck.expressions import define, index, outcome, parameter, total, world
from boundcheck.settings.averaged_sgd import M, delta
from boundcheck.settings.fourier import moment, tau
from boundcheck.worlds import Counts, Integer

from .. import ARXIV

d = parameter("d", Integer(1, searched=40), says="Dimension.")
order = world("order", Integer(0, searched=3), latex=r"\alpha")
counts = outcome("counts", Counts("counts", tau, M), says="How often each frequency is drawn.")

step_markov = Claim(
    ARXIV.at("Appendix D, (150)-(151) as summed in (152); AISTATS before (27)"),
    Holds(erf(sqrt(1 / (2 * delta))) ** d >= 1 - delta),
    given=[And(delta > 0, delta < 1), d >= 1],
    reading="one Gaussian feature: the left side is the probability that the inequality holds for "
    "the d multi-indices of order one; (152) uses it for these and more at once",
)


def moments(order):
    """Moments of the spectrum and of the drawn frequencies."""
    return moment(lambda k: tau[k], order), moment(lambda k: counts[k] / M, order)


expected, drawn = moments(order)
step_markov_single = Claim(
    ARXIV.at("Appendix D, (150), for one multi-index"),
    WithProbability(1 - delta, delta * drawn <= expected),
    given=[And(delta > 0, delta <= 1)],
)

a = index("a", define("orders", Max(order, 1) + 1, says="Orders up to m, and up to one."))
all_expected, all_drawn = (total(each, a) for each in moments(a))
step_sobolev_norm = Claim(
    ARXIV.at("Appendix D, (152)-(153); AISTATS (27)"),
    WithProbability(1 - delta, all_expected + all_drawn <= (1 + 1 / delta) * all_expected),
    given=[And(delta > 0, delta <= 1)],
    uses=tuple(f"yashima2021/theorem_2:step_{step}" for step in (
        "cauchy_schwarz", "derivative", "markov",
    )),
    reading="the bound over its common factor C'^2 vol ||f||^2: the inequality for all f follows "
    "from this one of moments, d = 1",
)  # fmt: skip
