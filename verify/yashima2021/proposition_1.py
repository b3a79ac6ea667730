"""Proposition 1: square roots of two positive semi-definite operators.

Setting    S = A^2 and S' = B^2 for positive semi-definite A, B (every S has such a root).
Claim      ||S^(1/2) - S'^(1/2)||_op <= ||S - S'||_op^(1/2).
Steps      v is a unit eigenvector of A - B for its eigenvalue l of largest modulus, l > 0; the
           expansion of <v, S v> as printed; and the norm inequality that follows from it.
"""

from sympy import And, Eq, sqrt, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.feature_operators import extreme_form, signed_extreme
from boundcheck.quantities.operators import identity, operator_norm
from boundcheck.worlds import Gram, Integer, Space

from . import ARXIV

root_gap, gap, extreme = symbols("root_gap gap extreme", real=True)
form_first, form_second, form_gap = symbols("form_first form_second form_gap", real=True)
form_root, form_other_root, form_shifted = symbols(
    "form_root form_other_root form_shifted", real=True
)
roots = Space(d=Integer(1, searched=3), A=Gram("d"), B=Gram("d"))


def root_gap_norm(A, B):
    """||S^(1/2) - S'^(1/2)||_op."""
    return operator_norm(A - B)


def gap_norm(A, B):
    """||S - S'||_op."""
    return operator_norm(A * A - B * B)


def shifted_form(A, B, extreme):
    """||S'^(1/2) v + l v||^2 = <v, (B + l)^2 v>."""
    direction = A - B
    return (
        extreme_form(B * B, direction)
        + 2 * extreme * extreme_form(B, direction)
        + extreme * extreme * extreme_form(identity(A.nrows()), direction)
    )


eigenvector = {
    extreme: lambda A, B: signed_extreme(A - B),
    form_first: lambda A, B: extreme_form(A * A, A - B),
    form_second: lambda A, B: extreme_form(B * B, A - B),
    form_root: lambda A, B: extreme_form(A, A - B),
    form_other_root: lambda A, B: extreme_form(B, A - B),
    form_shifted: shifted_form,
}

printed = Claim(
    source=ARXIV.at("Proposition 1, (57); AISTATS Appendix A"),
    statement=Holds(root_gap <= sqrt(gap)),
    worlds=roots,
    measure={root_gap: root_gap_norm, gap: gap_norm},
    uses=("yashima2021/proposition_1:step_norm",),
)

step_expansion = Claim(
    source=ARXIV.at("proof of Proposition 1, (59)-(62); AISTATS Appendix A"),
    statement=Holds(
        And(
            Eq(form_first, form_shifted),
            Eq(form_shifted, form_second + extreme**2 + 2 * extreme * form_root),
            form_second + extreme**2 + 2 * extreme * form_root >= form_second + extreme**2,
        )
    ),
    given=[extreme > 0],
    worlds=roots,
    measure=eigenvector,
    reading="both editions print S^(1/2) without tilde in the cross term",
    cost=2,
)

repaired_expansion = Claim(
    source=ARXIV.at("proof of Proposition 1, (59)-(62), the other root in the cross term"),
    statement=Holds(
        And(
            Eq(form_first, form_shifted),
            Eq(form_shifted, form_second + extreme**2 + 2 * extreme * form_other_root),
            form_second + extreme**2 + 2 * extreme * form_other_root
            >= form_second + extreme**2,
        )
    ),
    given=[extreme > 0],
    worlds=roots,
    measure=eigenvector,
    cost=2,
)

step_norm = Claim(
    source=ARXIV.at("proof of Proposition 1, (63)-(64); AISTATS Appendix A"),
    statement=Holds(
        And(
            gap >= form_first - form_second,
            form_first - form_second >= extreme**2,
            Eq(extreme**2, root_gap**2),
        )
    ),
    given=[extreme > 0],
    worlds=roots,
    measure={**eigenvector, root_gap: root_gap_norm, gap: gap_norm},
    uses=("yashima2021/proposition_1:step_expansion",),
    reading="the conclusion <v, S v> >= <v, S' v> + l^2 of the step before holds in every world",
    cost=2,
)
