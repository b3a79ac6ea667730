"""Cost of SGD with random features and with the full kernel.

Setting    one pass over n samples; unit cost per feature or kernel evaluation.
Claim      with M features a step costs O(M), the pass O(M n), memory M; with the full kernel a
           step costs O(n), the pass O(n^2), memory n. For n > M the latter is no cheaper in order.
"""

from sympy import And, Le, symbols

from boundcheck import Claim, UpToConstant
from boundcheck.quantities.sgd import (
    feature_evaluations,
    feature_total,
    kernel_evaluations,
    kernel_total,
)
from boundcheck.worlds import Family, Integer, doublings

from . import ARXIV, M, n, t

step, kernel_step, total, kernel_pass = symbols("step kernel_step total kernel_pass", real=True)
memory, kernel_memory = symbols("memory kernel_memory", real=True)

GROWTH = (
    Family("n grows, M fixed", lambda size: {"M": 3, "n": 4 * size, "t": 4 * size},
           doublings(1, 8)),
    Family("M and n grow together", lambda size: {"M": size, "n": size + 1, "t": size},
           doublings(1, 8)),
    Family("n grows as M squared", lambda size: {"M": size, "n": size**2 + 1, "t": size**2},
           doublings(1, 8)),
    Family("first steps, n grows", lambda size: {"M": 1, "n": 2 * size, "t": 1}, doublings(1, 8)),
)  # fmt: skip

SIZES = {M: Integer(1, wide=True, searched=10**6), n: Integer(1, wide=True, searched=10**6),
         t: Integer(1, wide=True, searched=10**6)}  # fmt: skip
COSTS = {
    step: feature_evaluations,
    kernel_step: kernel_evaluations,
    total: feature_total,
    kernel_pass: kernel_total,
    memory: lambda M: M,
    kernel_memory: lambda n: n,
}

printed = Claim(
    source=ARXIV.at("Section 2.3, Computational Complexity"),
    statement=UpToConstant(
        And(
            step <= M, total <= M * n, memory <= M,
            kernel_step <= n, kernel_pass <= n**2, kernel_memory <= n,
        )
    ),
    given=[M >= 1, n >= 1, t >= 1, t <= n],
    parameters=SIZES,
    measure=COSTS,
    families=GROWTH,
    reading=(
        "an evaluation of a feature or of the kernel has unit cost; memory counts coefficients, "
        "not drawn features or stored samples"
    ),
)  # fmt: skip

comparison = Claim(
    source=ARXIV.at("Section 2.3, comparison of the two methods"),
    statement=UpToConstant(And(Le(total, kernel_pass), Le(memory, kernel_memory))),
    given=[M >= 1, n > M],
    parameters={M: SIZES[M], n: SIZES[n]},
    measure={name: COSTS[name] for name in (total, kernel_pass, memory, kernel_memory)},
    families=tuple(
        Family(
            family.name,
            lambda size, rule=family.rule: {k: rule(size)[k] for k in ("M", "n")},
            family.sizes,
        )
        for family in GROWTH
    ),
    uses=("yashima2021/complexity:printed",),
    reading="the comparison is one of orders, for more samples than features",
)
