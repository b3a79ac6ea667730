"""(10): regret of online gradient descent with unbiased gradient estimates.

Setting    convex losses l_1..l_T on the line, f_1 = 0, f_{t+1} = f_t - eta g_t with E[g_t | past]
           the gradient of l_t at f_t; V_t = E ||g_t - gradient||^2.
"""

from sympy import Abs

from boundcheck import Claim, Expected
from boundcheck.settings.noisy_descent import B, NoisyDescent, eta, f_star

from . import NOTES

run = NoisyDescent()
bound = B**2 / eta + eta * run.squares + eta * run.variances
setting = dict(given=[eta > 0, B > 0, Abs(f_star) <= B], cost=10)

printed = Claim(
    NOTES.at("(10)"),
    Expected(run.regret(f_star) <= bound),
    reading="Descent starts at 0, as Algorithm 1 does, and estimates are unbiased given the past; "
    "functions of one feature, that is on the line, and losses (a/2)(f - b)^2 + c |f - e|.",
    **setting,
)

sharpened = Claim(
    NOTES.at("(10), every term halved"), Expected(2 * run.regret(f_star) <= bound), **setting
)
