"""Proposition 1: square roots of two positive semi-definite operators.

Setting    S and S~ positive semi-definite, given by their roots (every S has one).
Steps      v is a unit eigenvector of the difference of the roots for its eigenvalue l of largest
           modulus, l > 0; the expansion of <v, S v> as printed; and the norm inequality that
           follows from it.
"""

from sympy import And, Eq, sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import form, inner, named, operator_norm
from boundcheck.quantities.feature_operators import extreme_eigenvalue, extreme_eigenvector
from boundcheck.settings.matrices import semidefinite

from . import ARXIV

root, root_ = semidefinite("A", r"S^{1/2}"), semidefinite("B", r"\tilde{S}^{1/2}")
S, S_ = named("S", root**2), named("S~", root_**2, r"\tilde{S}")
root_gap, gap = operator_norm(root - root_), operator_norm(S - S_)
v = named("v", extreme_eigenvector(root - root_))
extreme = named("lambda_max", extreme_eigenvalue(root - root_), r"\lambda_{\max}")
bound = form(S_, v) + extreme**2

printed = Claim(
    ARXIV.at("Proposition 1, (57); AISTATS Appendix A"),
    Holds(root_gap <= sqrt(gap)),
    uses=("yashima2021/proposition_1:step_norm",),
)


def expansion(where, cross, reading=""):
    """(59)-(62) with a root in the cross term."""
    image, shifted = root * v, root_ * v + extreme * v
    expanded = form(S_, v) + extreme**2 + 2 * extreme * form(cross, v)
    return Claim(
        ARXIV.at(where),
        Holds(
            And(
                Eq(form(S, v), inner(image, image)),
                Eq(inner(image, image), inner(shifted, shifted)),
                Eq(inner(shifted, shifted), expanded),
                expanded >= bound,
            )
        ),
        given=[extreme > 0],
        reading=reading,
        cost=2,
    )


step_expansion = expansion(
    "proof of Proposition 1, (59)-(62); AISTATS Appendix A", root,
    "both editions print S^(1/2) without tilde in the cross term",
)  # fmt: skip
repaired_expansion = expansion(
    "proof of Proposition 1, (59)-(62), the other root in the cross term", root_
)
step_norm = Claim(
    ARXIV.at("proof of Proposition 1, (63)-(64); AISTATS Appendix A"),
    Holds(
        And(
            gap >= form(S - S_, v),
            form(S - S_, v) >= extreme**2,
            Eq(extreme**2, root_gap**2),
        )
    ),
    given=[extreme > 0],
    uses=("yashima2021/proposition_1:step_expansion",),
    reading="the conclusion <v, S v> >= <v, S' v> + l^2 of the step before holds in every world",
    cost=2,
)
