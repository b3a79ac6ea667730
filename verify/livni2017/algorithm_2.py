"""Algorithm 2: estimating a scalar product from sampled features.

Setting    coefficients alpha, points x_1..x_N, a point x, m draws of an index i with probability
           |alpha_i| / ||alpha||_1 and of a feature w from mu.
"""

from sympy import Eq

from boundcheck import Claim, Expected
from boundcheck.settings.sampled_features import output, product

from . import NOTES

printed = Claim(NOTES.at("Algorithm 2"), Expected(Eq(output, product)), cost=8)
