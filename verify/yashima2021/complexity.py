"""Cost of SGD with random features and with the full kernel.

Setting    one pass over n samples; unit cost per feature or kernel evaluation.
Claim      with M features a step costs O(M), the pass O(M n), memory M; with the full kernel a
           step costs O(n), the pass O(n^2), memory n. For n > M the latter is no cheaper in order.
"""

from sympy import And

from boundcheck import Claim, UpToConstant
from boundcheck.expressions import define, parameter
from boundcheck.worlds import Family, Integer, doublings

from . import ARXIV

M, n, t = (parameter(name, Integer(1, wide=True, searched=10**6)) for name in "Mnt")
step = define("step", M, says="Features evaluated at one sample.")
kernel_step = define("kernel_step", t, says="Kernel values k(x_t, x_s), s <= t, at time t.")
total = define("total", n * step, says="Features evaluated in one pass.")
kernel_total = define("kernel_total", n * (n + 1) / 2, says="1 + 2 + ... + n kernel values.")
memory, kernel_memory = define("memory", M), define("kernel_memory", n)


def grow(name, M, n, t):
    return Family(name, lambda size: {"M": M(size), "n": n(size), "t": t(size)}, doublings(1, 8))


GROWTH = (
    grow("n grows, M fixed", lambda s: 3, lambda s: 4 * s, lambda s: 4 * s),
    grow("M and n grow together", lambda s: s, lambda s: s + 1, lambda s: s),
    grow("n grows as M squared", lambda s: s, lambda s: s**2 + 1, lambda s: s**2),
    grow("first steps, n grows", lambda s: 1, lambda s: 2 * s, lambda s: 1),
)

printed = Claim(
    ARXIV.at("Section 2.3, Computational Complexity; AISTATS Section 2.4"),
    UpToConstant(
        And(
            And(step <= M, total <= M * n, memory <= M),
            And(kernel_step <= n, kernel_total <= n**2, kernel_memory <= n),
        )
    ),
    given=[t <= n],
    families=GROWTH,
    reading=(
        "an evaluation of a feature or of the kernel has unit cost; memory counts coefficients, "
        "not drawn features or stored samples"
    ),
)
comparison = Claim(
    ARXIV.at("Section 2.3, comparison of the two methods"),
    UpToConstant(And(total <= kernel_total, memory <= kernel_memory)),
    given=[n > M, t <= n],
    families=GROWTH,
    uses=("yashima2021/complexity:printed",),
    reading="the comparison is one of orders, for more samples than features",
)
