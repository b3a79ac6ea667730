"""The Kantorovich inequality.

Setting    a positive definite matrix with eigenvalues x_k, p_k the squared coordinates of a unit
           vector u; a and b the least and greatest eigenvalue.
"""

from sympy import sqrt

from boundcheck import Claim, Holds
from boundcheck.settings.scalar_laws import E, k, largest, smallest, values

from . import KANTOROVICH

HERE = KANTOROVICH.at("Section 3")
x = values(low=0, searched=("1/100", 1), open_low=True)
X, a, b = x[k], smallest(x), largest(x)
forms = E(X) * E(1 / X)

printed = Claim(HERE, Holds(forms <= (a + b) ** 2 / (4 * a * b)))
square_lost = Claim(HERE, Holds(forms <= (a + b) / (2 * sqrt(a * b))))
