"""The lemma of Sauer and Shelah on the growth of a class of sets.

Setting    a class of sets of VC dimension d on m points.
"""

from sympy import binomial

from boundcheck import Claim, Holds
from boundcheck.expressions import index, indicator, total
from boundcheck.settings.classes import H, Z, distinct_rows, patterns, vc_dimension
from boundcheck.worlds import Integer

from . import SAUER

HERE = SAUER.at("Theorem 1")
B = patterns()
d, i = vc_dimension(B), index("i", Z + 1)
LARGER = {H: Integer(1, searched=9)}

printed = Claim(
    HERE, Holds(distinct_rows(B) <= total(indicator(i <= d) * binomial(Z, i), i)), domains=LARGER
)
power = Claim(HERE, Holds(distinct_rows(B) <= Z**d), domains=LARGER)
