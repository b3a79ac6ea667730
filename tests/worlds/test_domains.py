"""What a field promises: each refuses a value outside it, and the library says all its domains."""

from fractions import Fraction
from pathlib import Path

import numpy
import pytest
import sympy
from flint import fmpq, fmpq_mat

from boundcheck import Claim, Holds, Source
from boundcheck.engine import verify
from boundcheck.errors import InvalidArgument, MalformedStatement
from boundcheck.expressions import define, index, parameter
from boundcheck.library import load_library
from boundcheck.setting import Setting, fits
from boundcheck.worlds import (
    Choice,
    Custom,
    Derived,
    Gram,
    Increasing,
    Independent,
    Index,
    Integer,
    Matrix,
    NoiseLaws,
    Probabilities,
    Real,
    Space,
    Symmetric,
    Tuples,
    Vector,
    Weights,
)
from boundcheck.worlds.kinds import Hermitian

HALF, THIRD = fmpq(1, 2), fmpq(1, 3)
SIZES = {"n": 2, "K": 2, "R": fmpq(2)}


def square(*entries):
    return fmpq_mat(2, 2, list(entries))


# Field, values it admits, values it refuses.
DOMAINS = {
    "an integer with a top": (Integer(1, 3), [1, 3], [0, 4, fmpq(3, 2), True, "2"]),
    "a searched top": (Integer(1, searched=3), [3, 10**30], [0, fmpq(1, 2)]),
    "a named top": (Integer(1, "n"), [2], [3]),
    "a closed interval": (Real(0, 1), [0, HALF, 1], [fmpq(-1, 9), fmpq(10, 9), "1", False]),
    "an open interval": (Real(0, 1, open_low=True, open_high=True), [HALF], [0, fmpq(1)]),
    "a half-line": (Real(0, None), [fmpq(10**9)], [-1]),
    "a searched interval": (Real(0, None, searched=(1, 2)), [HALF, 3], [-HALF]),
    "a choice": (Choice((1, "a")), [1, "a"], [2, "b", fmpq(1), True]),
    "a searched choice": (Choice((1, 2), searched=(1,)), [2], [3]),
    "weights": (Weights("n"), [(HALF, HALF), (0, 1)],
                [(HALF, THIRD), (2, -1), (1,), [HALF, HALF]]),
    "probabilities": (Probabilities("n"), [(0, 1)], [(0, fmpq(9, 8)), (0,), (0, -HALF)]),
    "a vector": (Vector("n", 0, 1), [(0, 1)], [(0, 2), (-1, 0), (0,), (0, 0, 0), ("0", 0)]),
    "an open vector": (Vector("n", 0, 1, open_low=True), [(HALF, 1)], [(0, 1)]),
    "any vector": (Vector("n", searched=(-1, 1)), [(10, -10)], [(0,)]),
    "a bound by name": (Vector("n", 0, "R"), [(2, 2)], [(3, 0)]),
    "a table": (Matrix("n", "K", 0, 1), [square(0, 1, 1, 0)],
                [square(10, 0, 0, 0), fmpq_mat(1, 4, [0, 0, 1, 1]), ((0, 1), (1, 0))]),
    "any table": (Matrix("n", "K"), [square(10, 0, 0, -7)], [fmpq_mat(4, 1, [0, 0, 0, 0])]),
    "a kernel": (Gram("n"), [square(1, 1, 1, 1), square(9, 0, 0, 0)],
                 [square(1, 2, 2, 1), square(0, 1, 1, 1), square(1, 1, 0, 1), square(-1, 0, 0, 1)]),
    "a regular kernel": (Gram("n", regular=True), [square(2, 1, 1, 2)], [square(1, 1, 1, 1)]),
    "independent columns": (Independent("n", "K"), [square(1, 1, 1, 2)], [square(1, 2, 2, 4)]),
    "increasing": (Increasing("n", 0, 1), [(0, 1)], [(1, 1), (1, 0), (0, 2), (0,)]),
    "increasing without ends": (Increasing("n"), [(-9, 9)], [(HALF, HALF)]),
    "a bounded kernel": (Gram("n", 1), [square(1, 0, 0, 1)], [square(2, 0, 0, 1)]),
    "a symmetric matrix": (Symmetric("n", -1, 1), [square(1, 1, 1, 0)],
                           [square(1, 1, 0, 1), square(2, 0, 0, 0)]),
    "noise": (NoiseLaws("n", 2, 1, centred=True), [(((1, -1), (HALF, HALF)),) * 2],
              [(((1, 0), (HALF, HALF)),) * 2, (((2, -2), (HALF, HALF)),) * 2,
               (((1, -1), (HALF, THIRD)),) * 2, (((1, -1), (HALF, HALF)),)]),
    "noise of any mean": (NoiseLaws("n", 2, 1), [(((1, 0), (HALF, HALF)),) * 2],
                          [(((1, 0), (HALF, THIRD)),) * 2, (((1, 0), (1, 0, 0)),) * 2]),
    "a derived value": (Derived(lambda n: n + 1), [3], [2]),
    "a custom value": (Custom(lambda source, w: 1, lambda v, w: v == 1), [1], [2]),
    "a custom value of a field": (Custom(lambda source, w: 1, Integer(1, 2)), [2], [3]),
    "an index": (Index("n"), [0, 1], [2, -1, HALF]),
    "a tuple": (Tuples("n", Index("K")), [(0, 1)], [(0, 2), (0,), [0, 1]]),
}  # fmt: skip


@pytest.mark.parametrize("name", DOMAINS)
def test_a_field_admits_its_domain_and_nothing_else(name):
    field, inside, outside = DOMAINS[name]
    for value in inside:
        assert fits(field, "x", {**SIZES, "x": value}), value
    for value in outside:
        assert not fits(field, "x", {**SIZES, "x": value}), value


def test_an_end_that_names_no_field_admits_nothing():
    assert not fits(Integer(1, "N"), "x", {"x": 1})


@pytest.fixture(scope="module")
def library():
    return load_library(Path(__file__).parents[2] / "verify")


def test_every_field_of_the_library_says_its_domain(library):
    silent = [
        (key, name)
        for key, claim in library.claims.items()
        for name, field in {
            **(claim.worlds.fields if claim.worlds else {}),
            **{s.name: f for s, f in claim.parameters.items()},
        }.items()
        if not field.says_domain
    ]
    assert silent == []


def test_search_stays_in_the_domains_of_the_library(library):
    rng = numpy.random.default_rng(5)
    for key, claim in library.claims.items():
        for _ in range(6 if claim.worlds is not None else 0):
            try:
                world = claim.worlds.sample(rng)[0]
            except Exception:  # a world that cannot be built is no world
                continue
            for name, field in claim.worlds.fields.items():
                assert fits(field, name, world), (key, name, world[name])


def test_the_families_of_the_library_stay_in_its_domains(library):
    for key, claim in library.claims.items():
        for family in claim.families:
            setting = Setting(claim, family.at(family.sizes[2]))
            assert setting.misfit() == "", (key, family.name)


@pytest.mark.parametrize("searched", [3, (1,), "3", Gram(2)])
def test_a_place_of_search_that_is_no_pair_is_refused_where_it_is_written(searched):
    for made in (lambda: Real(0, None, searched=searched), lambda: Vector(2, 0, 1, searched),
                 lambda: Matrix(2, 2, searched=searched),
                 lambda: Symmetric(2, searched=searched)):  # fmt: skip
        with pytest.raises(InvalidArgument, match="is no pair; give two ends"):
            made()
    assert Vector(2, searched=(0, 1)).searched == (0, 1)


WRONG = {
    "a float": (lambda: Real(0.1, 1), "is no rational number"),
    "no number": (lambda: Real(float("nan"), 1), "is no rational number"),
    "a text": (lambda: Integer("1/x", 3), "is no rational number"),
    "a formula": (lambda: Vector(2, sympy.sqrt(2)), "is no rational number"),
    "a computed size": (lambda: Vector(sympy.Symbol("n") + 1), "neither a whole number"),
    "a negative size": (lambda: Matrix(-1, 2), "neither a whole number"),
    "nothing to choose": (lambda: Choice(()), "a Choice of nothing"),
    "a float to choose": (lambda: Choice((1, 0.5)), "the item 0.5 is no exact value and no text"),
    "a root to choose": (lambda: Choice([sympy.sqrt(2)]), "no exact value and no text"),
    "a choice of what is searched": (lambda: Choice((1, 2), searched=(True,)), "the item True"),
    "a law of nothing": (lambda: Weights(0), "sum to nothing"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_field_is_refused_where_it_is_written(name):
    make, words = WRONG[name]
    with pytest.raises(InvalidArgument, match=words) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_numbers_of_sympy_are_chosen_as_exact_values():
    half = sympy.Rational(1, 2)
    chosen = Choice([half, sympy.Integer(3), Fraction(1, 3)], searched=[half])
    assert chosen == Choice((HALF, 3, THIRD), searched=(HALF,))
    assert [type(item) for item in chosen.items] == [fmpq, int, fmpq]
    assert Choice([(half, half)]).items == ((HALF, HALF),)
    assert Choice([1, "a"]).items == [1, "a"]
    h = parameter("h", chosen)
    claim = Claim(Source("A", 2000, "T").at("1"), Holds((h - 3) * (h - 1) >= 0))
    assert verify("a/b:printed", claim, controls=False).outcome == "proved"


@pytest.mark.parametrize("ends", [{"q": "abc"}, {"q": "q"}, {"q": "w", "w": "q"}])
def test_ranges_end_at_fields_and_not_at_themselves(ends):
    q = {name: sympy.Symbol(name, real=True) for name in ends}
    fields = {q[name]: Real(end, None) for name, end in ends.items()}
    with pytest.raises(InvalidArgument, match="the range of q ends at"):
        Claim(Source("A", 2000, "T").at("1"), Holds(q["q"] <= 1), parameters=fields)


def test_a_range_ends_at_what_is_made_before_it():
    """Nothing could be built, and a statement said nothing on no world."""
    q = sympy.Symbol("q", real=True)
    worlds, top = Space(v=Vector(2, 0, "q")), {q: Real(0, 1)}
    with pytest.raises(InvalidArgument, match=r"the range of v ends at 'q', .* list q first"):
        Claim(Source("A", 2000, "T").at("1"), Holds(q <= 1), parameters=top, worlds=worlds)


@pytest.mark.parametrize("field", [
    Symmetric("d"), Matrix(2, "d"), Tuples(3, Vector("d")), Hermitian("d"),
    Custom(lambda source, earlier: (), Weights("d")),
])  # fmt: skip
def test_the_size_of_a_field_is_a_number_or_a_field(field):
    """A size that is a text brings no field with it, as its symbol would."""
    q, place = sympy.Symbol("q", real=True), Source("A", 2000, "T").at("1")
    with pytest.raises(InvalidArgument, match=r"field A has the size 'd'.* d = world") as caught:
        Claim(place, Holds(q <= 1), parameters={q: Real(0, 1)}, worlds=Space(A=field))
    assert "\n" not in str(caught.value)
    with pytest.raises(InvalidArgument, match=r"size 'd\\nd'.* n = world") as caught:
        Claim(place, Holds(q <= 1), parameters={q: Real(0, 1)}, worlds=Space(A=Vector("d\nd")))
    assert "\n" not in str(caught.value)
    sized = Space(d=Integer(1, searched=4), A=field)
    Claim(place, Holds(q <= 1), parameters={q: Real(0, 1)}, worlds=sized)


@pytest.mark.parametrize("name", ["", " ", "a\nb", "a\tb", "a\x1b[31m", "a\u202eb", "a\u2028b"])
def test_names_of_symbols_are_visible(name):
    for make in (lambda: parameter(name, Real(0, 1)), lambda: define(name, sympy.S.One),
                 lambda: index(name, 3)):  # fmt: skip
        with pytest.raises(MalformedStatement, match="is no name of a symbol") as caught:
            make()
        assert str(caught.value).isprintable()
    plain = sympy.Symbol(name, real=True)
    with pytest.raises(MalformedStatement, match="is no name of a symbol"):
        Claim(Source("A", 2000, "T").at("1"), Holds(plain <= 1), parameters={plain: Real(0, 1)})
    assert parameter("λ of f", Real(0, 1)).name == "λ of f"
