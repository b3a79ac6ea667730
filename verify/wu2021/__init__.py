"""Wu 2021: kernel methods, representer theorem and RKHSs; two kernels of its counterexamples.

lambda is the weight of a penalty and is taken to be positive throughout.
"""

from flint import fmpq, fmpq_mat

from boundcheck import Source

NOTES = Source("Wu", 2021, "Lecture 4: kernel methods, representer theorem and RKHSs")


def same(x, z):
    """The kernel 1[x = x']."""
    return int(x == z)


def kernel_of_integers(kernel, size):
    """The kernel matrix of the points 1, ..., size."""
    points = range(1, size + 1)
    return fmpq_mat(size, size, [fmpq(kernel(x, z)) for x in points for z in points])
