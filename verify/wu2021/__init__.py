"""Wu 2021: kernel methods, representer theorem and RKHSs. Symbols shared by its statements.

lambda is the weight of a penalty and is taken to be positive throughout.
"""

from sympy import symbols

from boundcheck import Source

NOTES = Source("Wu", 2021, "Lecture 4: kernel methods, representer theorem and RKHSs")

n, m, Q, delta, L, B, sigma = symbols("n m Q delta L B sigma", real=True)
penalty = symbols("lambda", real=True)
