"""The union bound and its second-order correction.

Setting    events E_1..E_n on K atoms with weights p: event i holds at atom k iff table[i, k] = 1.
"""

from boundcheck import Claim, Holds
from boundcheck.expressions import greatest, index, total, world
from boundcheck.settings.scalar_laws import E, K, k
from boundcheck.worlds import Integer, Tuples

from . import FOLKLORE

HERE = FOLKLORE.at("union bound")
n = world("n", Integer(1, searched=3))
table = world("table", Tuples(n, Tuples(K, Integer(0, 1))), says="Which events hold where.")
i, j = index("i", n), index("j", n)
holds = table[i, k]
union = E(greatest(holds, i))
S1 = total(E(holds), i)
S2 = (total(E(holds * table[j, k]), i, j) - S1) / 2

printed = Claim(HERE, Holds(union <= S1))
lower = Claim(HERE, Holds(union >= S1 - S2))
corrected_above = Claim(HERE, Holds(union <= S1 - S2))
largest_only = Claim(HERE, Holds(union <= greatest(E(holds), i)))
