"""Numbers beyond floats, and beyond what Python reads, end no attempt at a proof."""

import pytest
import sympy

from boundcheck import Claim, Holds, Source, verify
from boundcheck.certificates.problem import Inexpressible, term
from boundcheck.expressions import parameter
from boundcheck.worlds import Integer

n = parameter("n", Integer(1, searched=12))


def test_a_bound_beyond_floats_is_refuted():
    claim = Claim(Source("A", 2000, "T").at("x"), Holds(n <= sympy.Integer(10) ** 1000))
    assert verify("a/b:printed", claim).outcome == "refuted"


def test_a_certificate_holds_no_number_that_cannot_be_read_again():
    assert term(sympy.Integer(10) ** 1000) == str(10**1000)
    for number in (sympy.Integer(10) ** 5000, 1 / sympy.Integer(10) ** 5000):
        with pytest.raises(Inexpressible, match="too many digits"):
            term(number)
