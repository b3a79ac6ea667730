"""Wu 2021: kernel methods, representer theorem and RKHSs. Symbols shared by its statements."""

from sympy import symbols

from boundcheck import Source

NOTES = Source("Wu", 2021, "Lecture 4: kernel methods, representer theorem and RKHSs")

n, Q, delta, L, B = symbols("n Q delta L B", real=True)
