"""Theorem 3, complete statement, and the steps of its proof.

Setting    as in Theorem 3; m = m(delta), Lipschitz constant G (L in the conference edition).
Claim      M >= max(8/3 (R/xi)^2, 32 (R/xi)^4) log(2 R^2 / (||T||_op delta)), in the logarithm
           the low-noise margin delta, and xi the least of
           (m / (2^(p+3) C(delta') ||g_*||))^(1/(1-p)), lambda m^2 / (2^8 3 R^2 G ||g_*||),
           (lambda^3 m^4 / (2^15 3^2 R^4 G^2 L(g_*)))^(1/2), the same with G^3 ||g_*|| to the 1/3.
           Then with probability 1 - 2 delta' over the features, under the condition on T, for all
           t > T the expected excess error is at most 2 exp(-lambda^2 (2 gamma + t) m^2 / (2^12 9
           G^2 R^4)): of the average at t + 1 (conference edition), at T + 1 (preprint).
"""

STEP = "yashima2021/theorem_3_full:step_"
