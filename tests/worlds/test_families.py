"""Families of worlds."""

import sympy
from flint import fmpq, fmpq_mat

from boundcheck.worlds import Family


def test_rationals_tuples_and_rows_of_sympy_become_exact_values():
    family = Family("rows", lambda size: {"x": sympy.Rational(1, size), "n": size, "v": (
        sympy.Integer(2),), "A": [[sympy.Rational(1, 3), 0]], "loss": "hinge"}, (1, 2))  # fmt: skip
    found = family.at(2)
    assert found == {"x": fmpq(1, 2), "n": 2, "v": (fmpq(2),), "A": fmpq_mat([[fmpq(1, 3), 0]]),
                     "loss": "hinge"}  # fmt: skip
    assert isinstance(found["x"], fmpq) and isinstance(found["v"][0], fmpq)
