"""Distances of the minimisers from the approximants: (108)-(121)."""

from sympy import And

from boundcheck import Claim, Holds
from boundcheck.expressions import define
from boundcheck.quantities.losses import SMOOTH
from boundcheck.settings.averaged_sgd import (
    combination,
    expected_loss,
    function,
    lam,
    rkhs_norm,
    xi,
)
from boundcheck.settings.margin_losses import kind, loss
from boundcheck.worlds import Choice

from .. import ARXIV
from . import (
    APPROXIMANTS,
    CLOSE,
    STEP,
    L,
    g,
    g_M,
    k,
    k_M,
    l2_u,
    l2_v,
    norm_g,
    norm_g_M,
    norm_u,
    norm_v,
    risk,
    risk_M,
    risk_u,
    risk_v,
    shown,
    to_u,
    to_v,
)

squares, base = to_v**2 + to_u**2, lam / 2


def minimal(minimiser, kernel, name, risk, norm, minimum, other):
    """Strong convexity of a regularised risk, at any coefficients."""
    a = function(name)
    of_a = shown(f"risk_{name}", expected_loss(combination(kernel, a)), f"L({other})")
    norm_of_a = shown(f"norm_{name}", rkhs_norm(kernel, a), rf"\|{other}\|")
    distance = shown(f"to_{name}", minimiser.distance(a), rf"\|{minimum}-{other}\|")
    return risk + base * norm**2 + base * distance**2 <= of_a + base * norm_of_a**2


step_strong_convexity = Claim(
    ARXIV.at("Appendix C, (108)-(109); AISTATS (15)-(16)"),
    Holds(
        And(
            minimal(g, k, "v", risk, norm_g, r"g_\lambda", r"\tilde{g}_{M,\lambda}"),
            minimal(g_M, k_M, "u", risk_M, norm_g_M, r"g_{M,\lambda}", r"\tilde{g}_\lambda"),
        )
    ),
    given=[lam > 0],
    reading="u and v are any elements of the two spaces",
    cost=4,
)


def lipschitz(where, L, **options):
    return Claim(
        ARXIV.at(where),
        Holds(
            And(
                risk_v <= risk_M + L * l2_v,
                risk_M + L * l2_v <= risk_M + L * xi * norm_g_M,
                risk_u <= risk + L * l2_u,
                risk + L * l2_u <= risk + L * xi * norm_g,
            )
        ),
        given=CLOSE,
        uses=("yashima2021/assumption_1:printed", "yashima2021/lemma_2:printed"),
        cost=4,
        **options,
    )


step_lipschitz = lipschitz(
    "Appendix C, (110)-(113); AISTATS (17)-(18)", L,
    reading=APPROXIMANTS + "; L is the Lipschitz constant of Assumption 1 in both editions",
)  # fmt: skip
step_lipschitz_smoothness = lipschitz(
    "Appendix C, (110)-(113), with L as Assumption 4 of this edition defines it",
    define("L", loss.smoothness),
    domains={kind: Choice(SMOOTH)},
    reading="the letter L as defined in this edition: the smoothness constant of the loss",
)

start = risk + base * norm_g**2
with_v = risk_v + base * norm_v**2 + base * to_u**2
with_M = risk_M + L * xi * norm_g_M + base * norm_g_M**2 + base * to_u**2
with_u = risk_u + base * norm_u**2 + L * xi * norm_g_M
BOTH = (STEP + "strong_convexity", STEP + "lipschitz")

step_distance = Claim(
    ARXIV.at("Appendix C, (114)-(119); AISTATS (19)"),
    Holds(
        And(
            start + base * squares <= with_v,
            with_v <= with_M,
            with_M <= with_u,
            with_u <= start + L * xi * (norm_g + norm_g_M),
            squares <= 2 * L * xi / lam * (norm_g + norm_g_M),
        )
    ),
    given=CLOSE,
    uses=BOTH,
    reading=APPROXIMANTS,
    cost=4,
)

step_norm_bound = Claim(
    ARXIV.at("Appendix C, (120)-(121); AISTATS (20)"),
    Holds(
        And(
            base * norm_g_M**2 <= risk_u + base * norm_u**2,
            risk_u + base * norm_u**2 <= risk + L * xi * norm_g + base * norm_g**2,
        )
    ),
    given=CLOSE,
    uses=BOTH,
    reading=APPROXIMANTS + "; losses are non-negative, as Section 2.1 has them",
    cost=4,
)
