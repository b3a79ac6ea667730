"""Sums over rows of any size: one normal form, signs from their terms, and nothing false."""

import itertools
import json
import random
from dataclasses import replace

import pytest
from flint import fmpq
from sympy import Abs, log

from boundcheck import Claim, Holds, Source
from boundcheck.certificates.document import certificate, recheck
from boundcheck.certificates.facts import Context, term_of
from boundcheck.certificates.search import prove
from boundcheck.certificates.statement import Problem, read_problem, verify
from boundcheck.certificates.terms import Rejected, read_term, replaced
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.checks.proofs.attempt import Case
from boundcheck.checks.proofs.certified import problems_of
from boundcheck.checks.proofs.definitions import cases
from boundcheck.errors import WitnessError
from boundcheck.settings.scalar_laws import Cov, E, P, Var, k, largest, smallest, t, values

PLACE = Source("Test", 2026, "Sums").at("here")
x = values()
X, Y, Z = x[k], values(low=0)[k], values(low=0, open_low=True)[k]
W = values(name="y")[k]
a, b = smallest(x), largest(x)
TRUE = {
    "Markov": P(Y >= t) <= E(Y) / t,
    "Jensen": E(log(Z)) <= log(E(Z)),
    "Cauchy-Schwarz": Cov(X, W) ** 2 <= Var(X) * Var(W),
    "Bhatia-Davis": Var(X) <= (b - E(X)) * (E(X) - a),
    "Popoviciu": Var(X) <= (b - a) ** 2 / 4,
    "a mean": E(X + 3 * W) >= E(X) + 3 * E(W),
}  # fmt: skip
FALSE = {
    "Markov of any sign": P(X >= t) <= E(X) / t,
    "Markov halved": P(Y >= t) <= E(Y) / (2 * t),
    "Jensen reversed": E(log(Z)) >= log(E(Z)),
    "one centring": E(X * W) ** 2 <= Var(X) * E(W**2),
    "Popoviciu too small": Var(X) <= (b - a) ** 2 / 5,
    "a mean of squares": E(X**2) <= E(X) ** 2,
    "strict": Var(X) > 0,
    "a sum for a term": E(Y) >= E(Y**2),
    "Bhatia-Davis reversed": Var(X) >= (b - E(X)) * (E(X) - a),
    "no sign": E(Abs(X)) <= E(X),
}  # fmt: skip


def claim(relation):
    return Claim(PLACE, Holds(relation))


def stated(relation) -> Problem:
    tested = claim(relation)
    case = Case(Task("", tested, BUDGETS["quick"]), next(cases(tested)))
    return next(iter(problems_of(case)), None)


@pytest.fixture(scope="module")
def proved():
    found = {name: stated(relation) for name, relation in TRUE.items()}
    return {name: (what, json.loads(json.dumps(prove(what, work=12_000))))
            for name, what in found.items()}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_have_certificates(name, proved):
    what, proofs = proved[name]
    assert proofs is not None
    assert verify(read_problem(json.loads(json.dumps(what.as_json()))), proofs) > 0


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_have_none(name, proved):
    what = stated(FALSE[name])
    assert prove(what, work=1_500) is None
    for _, proofs in proved.values():
        with pytest.raises((Rejected, KeyError, ValueError)):
            verify(what, proofs)


def test_the_terms_of_a_sum_cannot_be_exchanged(proved):
    what, proofs = proved["Markov"]
    for step in [s for s in itertools.chain(*proofs) if s["rule"] == "sum"]:
        for wrong in ({**step, "proof": []}, {**step, "strict": True},
                      {**step, "term": ["sum", "n", *step["term"][2:]]}):  # fmt: skip
            edited = [[wrong if s == step else s for s in proof] for proof in proofs]
            with pytest.raises(Rejected):
                verify(what, edited)


def test_a_certificate_of_sums_is_bound_to_its_claim(proved):
    what, proofs = proved["Markov"]
    mine = claim(TRUE["Markov"])
    made = certificate("sums/markov", mine, 1, [
        {"fixed": {}, "problem": what.as_json(), "proofs": proofs}])  # fmt: skip
    assert "no solver" in str(recheck(made, mine))
    for name in ("Markov of any sign", "Markov halved"):
        with pytest.raises(WitnessError, match="is not the claim"):
            recheck(made, claim(FALSE[name]))
    rows = [*made["cases"][0]["problem"]["rows"]]
    made["cases"][0]["problem"]["rows"] = [[row[0], row[1], 2, row[3]] for row in rows]
    with pytest.raises(WitnessError, match="other premises"):
        recheck(made, mine)


# Normal forms against sums that are added up.

ROWS = {"p": [fmpq(1, 6), fmpq(1, 3), fmpq(1, 2)], "x": [fmpq(2), fmpq(-1, 3), fmpq(5)],
        "z": [fmpq(1, 4), fmpq(3), fmpq(7, 2)]}  # fmt: skip
MATRIX = [[fmpq(3 * i - 2 * j + 1, 1 + i + j) for j in range(3)] for i in range(3)]


def context():
    found = Context(set())
    found.signs.entries, found.signs.laws = {"p": 1, "z": 2}, {"p": "K"}
    found.signs.sizes = frozenset({"K", "n"})
    return found


def worth(term, here):
    if isinstance(term, str):
        return fmpq(*map(int, term.split("/"))) if "/" in term else fmpq(int(term))
    head, *rest = term
    if head == "x":
        return {"K": fmpq(3), "t": fmpq(-2, 7)}[rest[0]]
    if head == "at":
        first, *more = [here[place] for place in rest[1:]]
        return MATRIX[first][more[0]] if more else ROWS[rest[0]][first]
    if head == "sum":
        return sum((worth(rest[2], {**here, rest[1]: i}) for i in range(3)), fmpq(0))
    if head == "^":
        return worth(rest[0], here) ** int(rest[1])
    found = fmpq(0 if head == "+" else 1)
    for value in (worth(part, here) for part in rest):
        found = found + value if head == "+" else found * value
    return found


def any_term(rng, indices, depth):
    kind = rng.choice(["at", "at", "t", "number", "+", "*", "*", "sum", "sum", "^"])
    if depth == 0 or kind in ("at", "t", "number"):
        if kind == "number" or (kind == "at" and not indices):
            return str(fmpq(rng.randint(-3, 3), rng.randint(1, 3)))
        if kind == "t" or not indices:
            return ("x", "t")
        if rng.random() < 0.3:
            return ("at", "m", rng.choice(indices), rng.choice(indices))
        return ("at", rng.choice("pxz"), rng.choice(indices))
    if kind == "sum":
        index = rng.choice("ijl")  # may hide one of the same name
        return ("sum", "K", index, any_term(rng, [*{*indices, index}], depth - 1))
    if kind == "^":
        base = ("at", "z", rng.choice(indices)) if indices else ("x", "t")
        return ("^", base, rng.choice(["2", "-1"]))
    return (kind, *[any_term(rng, indices, depth - 1) for _ in range(rng.randint(1, 3))])


@pytest.mark.parametrize("seed", range(60))
def test_normal_forms_keep_the_value(seed):
    # Two values of random rationals agree by accident with probability far below 10^-9.
    term = any_term(random.Random(seed), [], 4)
    found = context()
    try:
        plain = term_of(found.table, found.normal.of(read_term(term)))
    except Rejected as error:
        assert "a sum over more than" in str(error) or "need more than" in str(error)
        return
    assert worth(plain, {}) == worth(term, {})


SAME = {
    "names": (("sum", "K", "i", ("at", "x", "i")), ("sum", "K", "j", ("at", "x", "j"))),
    "order": (("sum", "K", "i", ("sum", "K", "j", ("*", ("at", "m", "i", "j"), ("at", "x", "i")))),
              ("sum", "K", "i", ("sum", "K", "j", ("*", ("at", "m", "j", "i"), ("at", "x", "j"))))),
    "products": (("sum", "K", "i", ("sum", "K", "j", ("*", ("at", "x", "i"), ("at", "z", "j")))),
                 ("*", ("sum", "K", "j", ("at", "z", "j")), ("sum", "K", "j", ("at", "x", "j")))),
    "a law": (("sum", "K", "i", ("*", "3", ("at", "p", "i"))), "3"),
    "a constant": (("sum", "K", "i", ("x", "t")), ("*", ("x", "K"), ("x", "t"))),
    "an inverse": (("sum", "K", "i", ("*", ("at", "z", "i"), ("^", ("at", "z", "i"), "-1"))),
                   ("x", "K")),
}  # fmt: skip


@pytest.mark.parametrize("name", SAME)
def test_equal_sums_have_one_normal_form(name):
    left, right = SAME[name]
    found = context()
    assert found.normal.of(read_term(left)) == found.normal.of(read_term(right))


def test_laws_add_up_over_their_own_size_only():
    found = context()
    normal = found.normal.of
    assert normal(("sum", "n", "i", ("at", "p", "i"))) != normal("1")
    assert normal(("sum", "K", "i", ("at", "x", "i"))) != normal("1")
    assert normal(("sum", "K", "i", ("^", ("at", "p", "i"), "2"))) != normal("1")


# The rule.


def step(term, proof=(), **more):
    from boundcheck.certificates.checker import check

    found = context()
    found.each = ((("K",), ("<=", "0", ("at", "p", "_0"))),)
    found.add(("<=", "0", ("at", "x", "j")))
    check(found, [{"rule": "sum", "term": term, "proof": list(proof), **more}])
    return found.facts[-1]


EVIDENT = [{"rule": "evident", "fact": 2}]


def test_a_sum_of_what_is_nonnegative_is():
    term = ("sum", "K", "u", ("at", "p", "u"))
    assert step(term, EVIDENT) == ("<=", "0", term)
    strict = ("sum", "K", "u", ("*", ("at", "p", "u"), ("at", "z", "u")))
    assert step(strict, EVIDENT, strict=True) == ("<", "0", strict)


@pytest.mark.parametrize(("term", "more", "said"), [
    (("sum", "K", "u", ("at", "x", "u")), {}, "contradicts no sign"),
    (("sum", "n", "u", ("at", "p", "u")), {"proof": [{"rule": "evident", "fact": 3}]}, "no fact 3"),
    (("at", "p", "u"), {}, "over no index"),
    (("sum", "K", "j", ("at", "p", "j")), {}, "something is known"),
    (("sum", "K", "u", ("sum", "K", "u", ("at", "p", "u"))), {}, "over no index"),
    (("sum", "K", "#0", ("at", "p", "#0")), {}, "normal forms"),
    (("sum", "K", "u", ("*", ("at", "z", "u"), ("at", "z", "u"))), {"strict": True}, "law weighs"),
    (("sum", "n", "u", ("*", ("at", "p", "u"), ("at", "z", "u"))), {"strict": True}, "law weighs"),
    (("sum", "K", "u", ("*", ("at", "p", "j"), ("at", "z", "u"))), {"strict": True}, "law weighs"),
    (("sum", "K", "u", ("*", ("at", "p", "u"), ("at", "x", "u"))), {"strict": True}, "no sign"),
])  # fmt: skip
def test_no_other_sum_is_said_to_be(term, more, said):
    with pytest.raises(Rejected, match=said):
        step(term, more.pop("proof", EVIDENT), **more)


def test_what_is_known_at_one_place_says_nothing_of_others():
    from boundcheck.certificates.checker import check

    found = context()
    found.each = ((("K",), ("<=", "0", ("at", "p", "_0"))),)
    inner = {"rule": "sum", "term": ("sum", "K", "u", ("at", "x", "u")), "proof": EVIDENT}
    negative = {"rule": "split", "on": ("<=", "0", ("at", "x", "u")), "yes": [inner], "no": []}
    with pytest.raises(Rejected, match="something is known"):
        check(found, [negative])


# Forged steps about what is no size, or no size any more.

NEGATIVE = Problem((), (), (), ("<=", "0", ("x", "x")))  # false of a symbol without range
MASS = ("sum", "n", "i", ("at", "p", "i"))
MANY = Problem(("n",), (("<=", "1", ("x", "n")),), (), ("<=", MASS, "0"),
               rows=(("p", ("n",), 1, True),))  # fmt: skip


def test_no_symbol_of_another_kind_is_a_size():
    counted = {"rule": "sum", "term": ["sum", "x", "i", "1"],
               "proof": [{"rule": "evident", "fact": 1}]}  # fmt: skip
    closing = {"rule": "combine", "products": [["1", None, [0]], ["1", None, [1]]], "equations": []}
    with pytest.raises(Rejected, match="no size"):
        verify(NEGATIVE, [[counted, closing]])


@pytest.mark.parametrize("moving", [
    {"rule": "induction", "symbol": "n", "fact": ["<=", ["x", "n"], "-5"], "first": -5},
    {"rule": "monotone", "symbol": "n", "side": "from", "end": "-5", "other": [], "regular": [],
     "term": ["+", "-5", ["*", "-1", ["x", "n"]]]},
])  # fmt: skip
def test_a_size_that_may_be_any_number_is_no_size(moving):
    branch = MANY.context()
    apart = branch.branch(("<=", "-5", ("x", "n")), without="n")
    with pytest.raises(Rejected, match="no size"):
        apart.add(("<=", "0", ("sum", "n", "i", "1")))
    assert branch.branch(("<=", "0", ("sum", "n", "i", "1"))).facts
    counted = {"rule": "sum", "term": ["sum", "n", "i", "1"],
               "proof": [{"rule": "evident", "fact": 3}]}  # fmt: skip
    combine = {"rule": "combine", "equations": []}
    below = {**combine, "products": [["1", None, [0]], ["1", None, [1]]]}
    for place, inside in itertools.product(range(2, 5), ([counted], [counted, below])):
        outside = [{**combine, "products": [["1", None, [place]]]}]
        step = {**moving, "inside": outside, "base": [{"rule": "evident", "fact": 0}],
                "step": inside, "slope": inside}  # fmt: skip
        with pytest.raises(Rejected):
            verify(MANY, [[step, below]])


def test_a_letter_that_entries_are_bounded_by_is_not_new():
    bounded = Problem(
        ("n",), (("<=", "1", ("x", "n")), ("<=", "0", ("x", "y"))), (), ("<=", "0", "0"),
        rows=(("v", ("n",), 0, False),), each=((("n",), ("<=", ("at", "v", "_0"), ("x", "B"))),),
    )  # fmt: skip
    from boundcheck.certificates.checker import check

    root = {"rule": "root", "symbol": "y", "power": 2}
    for letter in ("B", "n"):
        with pytest.raises(Rejected, match="no new symbol"):
            check(bounded.context(), [{**root, "letter": letter}])
    check(bounded.context(), [{**root, "letter": "r"}])


@pytest.mark.parametrize("term", [
    ["at", "x", "#0"], ["sum", "K", "#0", ["at", "x", "#1"]], ["at", "x"], ["at", "x", "1"],
    ["sum", "K", "i j", "1"], ["sum", "K", "#10", "1"], ["sum", "K", "i"],
])  # fmt: skip
def test_places_that_are_none_are_refused(term):
    with pytest.raises(Rejected):
        read_term(term)


def test_sizes_of_sums_are_not_replaced_and_nothing_is_captured():
    term = ("sum", "n", "i", ("*", ("x", "t"), ("at", "x", "i")))
    with pytest.raises(Rejected, match="size of a sum"):
        replaced(term, "n", ("+", ("x", "n"), "1"))
    with pytest.raises(Rejected, match="mean another"):
        replaced(term, "t", ("at", "z", "i"))
    assert replaced(term, "t", ("at", "z", "j"))[3] == ("*", ("at", "z", "j"), ("at", "x", "i"))


def test_a_row_of_unknown_size_is_no_row():
    from boundcheck.expressions import index, total, world
    from boundcheck.worlds import Integer, Vector

    n = world("n", Integer(0, searched=3))
    i, v = index("i", n), world("v", Vector(n))
    found = replace(claim(total(v[i] ** 2, i) >= 0), reading="")
    case = Case(Task("", found, BUDGETS["quick"]), next(cases(found)))
    assert not case.knowledge.sums.terms
