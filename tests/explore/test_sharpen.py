"""Constants bracketed on statements whose best constants are known by hand."""

import json
from fractions import Fraction

import pytest
import sympy
from sympy import symbols

from boundcheck import Claim, Holds
from boundcheck.certify import certify
from boundcheck.claim import UpToConstant
from boundcheck.encoding import decode
from boundcheck.errors import InvalidArgument
from boundcheck.explore import sharpen, turned
from boundcheck.explore.constants_page import PAGE, Page, main, rows_of, stands_by_golden
from boundcheck.explore.knobs import hypotheses, knobs
from boundcheck.explore.simple import simplest_between
from boundcheck.library import load_library
from boundcheck.setting import Setting
from boundcheck.worlds import Real

from .conftest import PLACE

a, b, x, y = symbols("a b x y", real=True)
UNIT = {x: Real(0, 1), y: Real(0, 1)}


def product(constant, given=(), **changes):
    """x y <= constant (x^2 + y^2): the best constant is 1/2."""
    fields = {
        "source": PLACE, "statement": Holds(x * y <= constant * (x**2 + y**2)),
        "given": list(given), "parameters": UNIT,
    }  # fmt: skip
    return Claim(**{**fields, **changes})


def test_a_loose_factor_is_bracketed_and_the_best_one_proved():
    found = sharpen(product(3), kinds=("factor",))
    bracket = found.brackets[0]
    assert bracket.knob.printed == 3 and bracket.evidence == "exact"
    assert Fraction(499, 1000) < Fraction(str(bracket.lower)) < Fraction(1, 2)
    assert bracket.best == sympy.Rational(1, 2) == bracket.proved and bracket.sharper
    assert found.claim is not None
    assert found.claim.statement.relation.subs({x: 1, y: 1}) == sympy.true
    assert json.loads(json.dumps(found.as_json()))["constants"][0]["proved"] == "1/2"
    assert "fails at 0.49" in str(found) and "proved at 1/2" in str(found)


def test_the_value_below_fails_in_its_world():
    bracket = sharpen(product(3), kinds=("factor",)).brackets[0]
    claim = bracket.knob.turned(bracket.lower)
    values = {name: decode(value) for name, value in bracket.witness.values.items()}
    assert certify(Setting(claim, values))[0]
    with_half = bracket.knob.turned(sympy.Rational(1, 2))
    assert not certify(Setting(with_half, values))[0]


def test_the_best_constant_is_left_alone():
    found = sharpen(product(sympy.Rational(1, 2)), kinds=("factor",))
    assert not found.brackets[0].sharper and found.claim is None
    assert found.brackets[0].lower < sympy.Rational(1, 2)
    with pytest.raises(InvalidArgument, match="there is no new claim"):
        found.source()


def test_hypotheses_are_needed_or_not():
    # y^2 <= y holds on [0, 1] anyway; x <= y does not, and the statement needs it.
    claim = product(1, given=[x * x <= 2 * y + 1, x <= y],
                    statement=Holds(2 * x**2 <= x**2 + y**2))  # fmt: skip
    found = sharpen(claim, kinds=("factor", "hypothesis"))
    assert found.needed == (x <= y,) and found.superfluous == (x * x <= 2 * y + 1,)
    assert [str(c) for c, _ in hypotheses(claim)] == ["x**2 <= 2*y + 1", "x <= y"]


def test_the_new_claim_is_saved_as_it_stood(tmp_path):
    found = sharpen(product(3), kinds=("factor",))
    text = found.source("sharper", "base")
    scope = {"base": product(3)}
    exec(compile(text, "statement", "exec"), scope)
    assert scope["sharper"].fingerprint() == found.claim.fingerprint()
    assert "# x*y <= x**2/2 + y**2/2" in text and "'1/2'" in text


def test_what_cannot_be_sharpened_is_refused_in_one_line():
    with pytest.raises(InvalidArgument, match="it is refuted, and constants are sharpened of what"):
        sharpen(product(sympy.Rational(1, 3)), kinds=("factor",))
    for statement in (Holds(sympy.Eq(x, y)), UpToConstant(x <= sympy.exp(y))):
        with pytest.raises(InvalidArgument, match="no constant to sharpen"):
            sharpen(product(1, statement=statement))
    with pytest.raises(InvalidArgument, match="it has no exponent number 7"):
        turned(product(3), "exponent", 1, place=7)


def test_constants_are_found_in_the_tree():
    claim = Claim(
        source=PLACE,
        statement=Holds(sympy.And(x <= 3 * sympy.sqrt(y) + 4 * x, x * y <= 5 * x)),
        given=[x**2 <= 2 * y], parameters=UNIT,
    )  # fmt: skip
    kinds = [(k.kind, str(k.printed), k.place) for k in knobs(claim)]
    order = [k.printed for k in knobs(claim) if k.kind == "factor"]
    assert {str(c) for c in order} == {"1", "5"}
    assert {k[1] for k in kinds if k[0] == "summand"} == {"3", "4"}
    assert ("exponent", "1/2", 0) in kinds and ("threshold", "2", 0) in kinds
    place = next(k[2] for k in kinds if k[:2] == ("summand", "4"))
    half = turned(claim, "summand", "1/2", place=place)
    assert str(half.statement.relation) == "x <= x/2 + 3*sqrt(y)"
    assert str(turned(claim, "threshold", 1).given[0]) == "x**2 <= y"


@pytest.mark.parametrize(("low", "high", "best"), [
    ("1/3", "1/2", "1/2"), ("0.333", "0.334", "1/3"), ("2.1", "7", "3"),
    ("0.701", "0.702", "40/57"),
])  # fmt: skip
def test_simplest_numbers(low, high, best):
    found = simplest_between(sympy.Rational(low), sympy.Rational(high))
    assert found == sympy.Rational(best)
    smaller = [Fraction(p, q) for q in range(1, found.q) for p in range(1, 8 * q)]
    assert not any(Fraction(str(sympy.Rational(low))) <= f <= Fraction(str(sympy.Rational(high)))
                   for f in smaller)  # fmt: skip


def test_rows_of_the_page_stay_where_nothing_was_asked(tmp_path):
    row = rows_of("classical/example:printed", product(3))[0]
    assert row.startswith("| classical/example:printed | 3 |") and "| **1/2** |" in row
    page = tmp_path / "page.md"
    page.write_text("# Constants\n\n| claim | x |\n|---|---|\n" + row + "\n| gone/a:b | 1 |\n")
    kept = Page.read(page, ["classical/example:printed"])
    assert kept.rows == {"classical/example:printed": [row]} and not kept.asked
    kept.rows["a/b:c"] = ["| a/b:c | 1 | `x` | 0.9 | 1 |  |"]
    kept.asked["a/b:c"] = "0123"
    page.write_text(str(kept))
    text = page.read_text()
    sharper, printed = text.index("## Sharper than printed"), text.index("## As printed")
    assert sharper < text.index(row) < printed < text.index("| a/b:c |")
    assert Page.read(page, ["a/b:c"]).asked == {"a/b:c": "0123"}


def test_a_run_drops_claims_that_no_longer_stand(tmp_path, capsys):
    page, refuted = tmp_path / "page.md", "gallery_concentration/tropp_chernoff:without_dimension"
    kept, library = "classical/cantelli:printed", load_library(None)
    marks = f"<!-- asked {kept} {library[kept].fingerprint()} -->\n<!-- asked {refuted} 12 -->\n"
    rows = [f"| {key} | 1 | `x` | 0.9 | 1 |  |" for key in (kept, refuted)]
    page.write_text("\n".join([*rows, marks]))
    assert main([kept, "--out", str(page)]) == 0
    text = page.read_text()
    assert rows[0] in text and f"asked {kept}" in text and refuted not in text
    assert "1 constants; 0 claims asked" in capsys.readouterr().out


def test_the_committed_page_lists_only_what_stands():
    root = load_library(None).root
    keys = [line.split("|")[1].strip() for line in PAGE.read_text().splitlines()
            if line.startswith("| ") and "/" in line.split("|")[1]]  # fmt: skip
    assert len(keys) >= 40 and all(stands_by_golden(root, key) for key in keys)
    assert not stands_by_golden(root, "wang2019/theorem_1:printed")
