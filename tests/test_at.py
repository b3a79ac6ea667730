"""A claim at a world of one's own: what is printed, what is sealed, what is refused."""

import dataclasses
import json

import pytest
import sympy
from flint import fmpq, fmpq_mat
from sympy import log
from typer.testing import CliRunner

from boundcheck.at import at, setting_of
from boundcheck.claim import Claim, Expected, Holds, Source, UpToConstant, WithProbability
from boundcheck.cli import app
from boundcheck.errors import BoundcheckError, InvalidArgument
from boundcheck.expressions import parameter, trace
from boundcheck.golden import read_golden
from boundcheck.library import load_library, shipped_root
from boundcheck.quantities import quantity
from boundcheck.recheck import confirm
from boundcheck.settings.matrices import semidefinite
from boundcheck.settings.scalar_laws import E, P, k, t, values
from boundcheck.witness import seal
from boundcheck.worlds import Counts, Real, Space, Weights
from boundcheck.worlds.composed import Derived
from boundcheck.worlds.fields import Choice, Integer

PLACE = Source("A", 2000, "T").at("here")
X, Y = values(low=0)[k], values()[k]
LAW = {"x": [0, 1], "p": ["1/2", 0.5]}
u, v = (parameter(name, Real(None, None)) for name in "uv")


@quantity(estimator=lambda counts, tau, M: abs(counts[:, 0] / M - tau[0]))
def gap(counts, tau, M):
    return abs(fmpq(counts[0], M) - tau[0])


def drawn(form):
    """A statement on the empirical frequency of the first of two atoms in M draws."""
    from sympy import symbols

    deviation, M = symbols("deviation M", real=True)
    return Claim(
        PLACE, form(deviation, M), parameters={M: Integer(1, searched=9)},
        worlds=Space(K=Integer(2, 2), tau=Weights("K")), measure={deviation: gap},
        draw=Counts("counts", "tau", "M"),
    )  # fmt: skip


def text(claim, given):
    return str(at("mine/x:printed", claim, given))


def test_both_sides_hypotheses_and_verdict_where_it_holds():
    claim = Claim(PLACE, Holds(P(X >= t) <= E(X) / t), given=[E(X) > 0])
    found = at("mine/x:printed", claim, {**LAW, "t": 2})
    assert found.verdict == "holds here" and not found.violated and found.witness is None
    for line in ("value       K = 2", "hypothesis  sum_k(p[k]*x[k]) > 0: holds",
                 "left        0", "right       1/4"):  # fmt: skip
        assert line in str(found)


def test_a_violation_is_a_witness_and_only_under_the_hypotheses():
    claim = Claim(PLACE, Holds(P(X >= t) < E(X) / t), given=[E(X) > 0])
    found = at("mine/x:printed", claim, {**LAW, "t": 1})
    assert found.violated and found.verdict == "violates: a witness"
    assert found.witness is not None and found.witness.shown == {"left": "1/2", "right": "1/2"}
    none = at("mine/x:printed", claim, {**LAW, "x": [0, 0], "t": 1})
    assert not none.violated and "a hypothesis fails: sum_k" in none.verdict
    assert "hypothesis  sum_k(p[k]*x[k]) > 0: fails" in str(none)


@pytest.mark.parametrize(
    ("change", "name"), [({"t": 0}, "t"), ({"p": ["1/2", "1/3"]}, "p"), ({"x": [0, -1]}, "x"),
                         ({"x": [0, 1, 2]}, "x")],
)  # fmt: skip
def test_what_the_statement_does_not_speak_of_is_named(change, name):
    claim = Claim(PLACE, Holds(P(X >= t) < E(X) / t))
    found = at("mine/x:printed", claim, {**LAW, "K": 2, "t": 1, **change})
    assert found.verdict == f"outside the domain: {name}" and not found.violated


def test_several_comparisons_are_shown_one_by_one():
    from sympy import And

    claim = Claim(PLACE, Holds(And(u <= v, u**2 <= v**2, evaluate=False)))
    shown = text(claim, {"u": -2, "v": 1})
    assert "u <= v: holds" in shown and "u**2 <= v**2: fails" in shown and "a witness" in shown


def test_no_value_is_a_malformed_witness():
    found = at("mine/x:printed", Claim(PLACE, Holds(log(u) <= v)), {"u": -1, "v": 0})
    assert found.violated and found.witness is not None and found.witness.kind == "malformed"
    assert found.verdict == "has no value here and violates: a witness"


def test_probabilities_are_exact():
    claim = drawn(lambda gap, M: WithProbability("9/10", gap <= 0))
    shown = text(claim, {"tau": [0.5, 0.5], "M": 2})
    assert "violated    with probability 1/2" in shown and "allowed     with probability 1/10" in (
        shown) and "violates: a witness" in shown  # fmt: skip
    fine = drawn(lambda gap, M: WithProbability("1/2", gap <= 0))
    assert at("mine/x:printed", fine, {"tau": [0.5, 0.5], "M": 2}).verdict == "holds here"
    many = at("mine/x:printed", claim, {"tau": [0.5, 0.5], "M": 10**9})
    assert "too many to be listed" in many.verdict and not many.violated


def test_expectations_and_sure_statements_over_a_draw():
    shown = text(drawn(lambda gap, M: Expected(gap <= 1 / (5 * M))), {"tau": [0.5, 0.5], "M": 2})
    # |counts/2 - 1/2| is 1/2, 0, 1/2 with probabilities 1/4, 1/2, 1/4.
    assert "left        1/4" in shown and "right       1/10" in shown and "a witness" in shown
    sure = at("mine/x:printed", drawn(lambda gap, M: Holds(4 * gap <= 1)),
              {"tau": [0.5, 0.5], "M": 2})  # fmt: skip
    assert sure.violated and "violated    with probability 1/2" in str(sure)


def test_a_constant_is_said_and_excluded_only_without_end():
    claim = Claim(PLACE, UpToConstant(u <= v), given=[u >= 0])
    assert "holds here for constants of 7 and more" in text(claim, {"u": 7, "v": 1})
    assert "a witness" in text(claim, {"u": 7, "v": 0})


def test_matrices_choices_and_sizes():
    A = semidefinite("A")
    size = next(iter(Claim(PLACE, Holds(trace(A) >= 0)).worlds.fields))
    claim = Claim(PLACE, Holds(trace(A) >= 0))
    setting = setting_of("k", claim, {"A": [[1, "1/2"], [0.5, 1]]})
    assert setting.values == {size: 2, "A": fmpq_mat(2, 2, [1, fmpq(1, 2), fmpq(1, 2), 1])}
    assert setting_of("k", claim, {"A": "[[1, 1/2], [0.5, 1]]"}).values == setting.values
    assert text(claim, {"A": [[1, 2], [2, 1]]}).endswith("outside the domain: A")
    kind = parameter("kind", Choice((1, 2)))
    assert setting_of("k", Claim(PLACE, Holds(kind <= u)), {"kind": 2, "u": "0.1"}).values == {
        "kind": 2, "u": fmpq(1, 10)}  # fmt: skip


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"p": [1]}, "x is missing; give --set x=VALUE"),
        ({**LAW, "tt": 1}, "takes no value 'tt'; did you mean 't'?"),
        ({**LAW, "t": "open(1)"}, "unknown function open"),
        ({**LAW, "t": "2^(1/2)"}, "is irrational"),
        ({**LAW, "t": True}, "no exact value"),
        ({**LAW, "t": {"a": 1}}, "no exact value"),
        ({**LAW, "x": [0, None], "t": 1}, "no exact value"),
        ({**LAW, "x": "[0, 1", "t": 1}, "brackets that do not pair"),
    ],
)
def test_bad_values_are_named_in_one_line(given, said):
    with pytest.raises(InvalidArgument) as refused:
        at("mine/x:printed", Claim(PLACE, Holds(P(X >= t) <= E(X) / t)), given)
    assert said in str(refused.value) and "\n" not in str(refused.value)


def test_the_command_seals_what_replay_confirms(tmp_path):
    world, sealed = tmp_path / "world.json", tmp_path / "witness.json"
    world.write_text(json.dumps(LAW))
    runner = CliRunner()
    arguments = ["--world", str(world), "--set", "t=1", "--witness", str(sealed)]
    fine = runner.invoke(app, ["at", "classical/markov:printed", *arguments])
    assert fine.exit_code == 0 and "nothing to seal" in fine.output and not sealed.exists()
    found = runner.invoke(app, ["at", "classical/markov:strict", *arguments])
    assert found.exit_code == 1 and "sealed in" in found.output
    again = runner.invoke(app, ["replay", str(sealed)])
    assert again.exit_code == 0 and "false here (exact)" in again.output
    text = sealed.read_text()
    assert json.loads(text)["values"]["x"] == ["0/1", "1/1"]
    sealed.write_text(text.replace('"0/1"', '"1/2"'))
    assert runner.invoke(app, ["replay", str(sealed)]).exit_code == 1


def test_the_command_takes_lists_and_the_file_gives_way(tmp_path):
    world = tmp_path / "world.json"
    world.write_text("[1]")
    found = CliRunner().invoke(app, ["at", "classical/markov:printed", "--world", str(world)])
    assert isinstance(found.exception, InvalidArgument) and "no object" in str(found.exception)
    world.write_text(json.dumps({**LAW, "t": 5}))
    found = CliRunner().invoke(app, ["at", "classical/markov:printed", "--world", str(world),
                                     "--set", "t=1/2", "--set", "x=[1, 1e0 + 2]",
                                     "--set", 'p=[1/4, "3/4"]'])  # fmt: skip
    assert found.exit_code == 0, found.exception
    assert "t = 1/2" in found.output and "right       5" in found.output


def test_values_are_read_as_they_are_shown():
    library = load_library(shipped_root(), ["classical/markov:strict", "classical/weyl:average"])
    found = [at(key, library[key], values).witness.values for key, values in (
        ("classical/markov:strict", {"x": "(0, 1)", "p": "(1/2, 1/2)", "t": "1"}),
        ("classical/markov:strict", {"x": "[0, 1]", "p": "[1/2, 1/2]", "t": "1"}),
        ("classical/weyl:average", {"A": "[0, 0; 0, 0]", "B": "[2, 0; 0, 0]", "k": "2"}),
        ("classical/weyl:average", {"A": "[[0, 0], [0, 0]]", "B": "[[2, 0], [0, 0]]", "k": "2"}),
    )]  # fmt: skip
    assert found[0] == found[1] and found[2] == found[3]


def test_shipped_witnesses_are_violations_where_they_stand():
    key = "classical/markov:signed"
    claim = load_library(shipped_root(), [key])[key]
    found = at(key, claim, {"x": [-1, 1], "p": ["1/2", "1/2"], "t": 1})
    assert found.violated and "left        1/2" in str(found) and "right       0" in str(found)


def test_rules_take_whole_numbers_as_integers():
    """A path of indices of a world made by a rule, as search makes it: entries are ints."""
    from boundcheck.worlds import Custom

    def path(source, earlier):
        return tuple(source.integer(0, 1) for _ in range(earlier["n"]))

    domain = Custom(path, lambda value, earlier: all(step in (0, 1) for step in value))
    from sympy import symbols

    n, first = symbols("n first", real=True)
    claim = Claim(
        PLACE, Holds(first <= n), worlds=Space(n=Integer(1, searched=3), steps=domain),
        measure={first: lambda steps: (5, 7)[steps[0]]},
    )  # fmt: skip
    found = setting_of("k", claim, {"n": 2, "steps": [1, "0"]})
    assert [type(step) for step in found.values["steps"]] == [int, int]
    assert "right       2" in text(claim, {"n": 2, "steps": [1, 0]})
    with pytest.raises(BoundcheckError, match="out of range"):
        at("k", dataclasses.replace(claim, worlds=Space(n=Integer(0, searched=3), steps=domain)),
           {"n": 0, "steps": []})  # fmt: skip
    silent = Space(n=Integer(1, searched=3), steps=Custom(path))  # promises nothing of its values
    none = at("k", dataclasses.replace(claim, worlds=silent), {"n": 2, "steps": [1, 0]})
    assert not none.violated and "no witness: the field steps does not say" in none.verdict


def as_typed(value):
    """An exact value as a user writes it."""
    if isinstance(value, fmpq_mat):
        return [[str(entry) for entry in row] for row in value.tolist()]
    if isinstance(value, tuple):
        return [as_typed(entry) for entry in value]
    return str(value) if isinstance(value, fmpq) else value


def kinds(value):
    return [kinds(entry) for entry in value] if isinstance(value, tuple) else type(value)


@pytest.mark.parametrize("source", ["classical/m", "livni2017/algorithm"])
def test_worlds_of_search_typed_in_are_the_same_and_violate_only_what_is_false(source):
    import numpy

    library, rng, violated = load_library(shipped_root(), [source]), numpy.random.default_rng(1), 0
    for key, claim in library.claims.items():
        fields = dict(claim.worlds.fields) if claim.worlds is not None else {}
        fields |= {symbol.name: domain for symbol, domain in claim.parameters.items()}
        if claim.cost > 10:
            continue
        for _ in range(3):
            world, _coordinates = Space(**fields).sample(rng)
            given = {name: as_typed(value) for name, value in world.items()}
            values = setting_of(key, claim, given).values
            assert values == world and all(kinds(values[n]) == kinds(world[n]) for n in world), key
            found = at(key, claim, given)
            if found.violated:
                violated += 1
                golden = read_golden(shipped_root() / key.split("/")[0])[key]
                assert golden.split()[0] in ("refuted", "malformed"), key
                document = json.loads(json.dumps(seal(found.witness.as_json())))
                assert "confirmed" in str(confirm(document, library))
    assert violated or source != "classical/m"


@pytest.mark.parametrize(("key", "shown"), [
    ("classical/markov:strict", {"p": "(1)", "x": "(2)", "t": "2"}),
    ("classical/square_root_perturbation:smaller_constant", {"R": "[1]", "S": "[0]"}),
    ("classical/union_bound:corrected_above", {"p": "(1)", "table": "((1), (1), (1))"}),
    ("classical/hoeffding:without_factor",
     {"n": "1", "K": "2", "table": "[0, 1]", "chances": "((1/2, 1/2))", "t": "1/2"}),
    ("gallery_learning/hedge:sixteenth", {"losses": "[0, 1]", "eta": "(3)"}),
    ("gallery_concentration/tropp_freedman:without_range",
     {"d": "2", "n": "1", "K": "2", "nodes": "1", "edges": "2", "t": "1", "v": "3/32768",
      "chances": "((131072/131073, 1/131073))", "X": "([0, 0; 0, 0], [0, 1; 1, 1])"}),
])  # fmt: skip
def test_vectors_of_one_entry_and_matrices_of_one_row_are_read_as_shown(key, shown):
    assert at(key, load_library(shipped_root(), [key])[key], shown).violated


@pytest.mark.parametrize("value", ["[" * 5000, "([1, 2)", "[1], [2]", "[1,, 2]", "(", "[)", "()"])
def test_brackets_that_say_nothing_are_refused_in_one_line(value):
    key = "classical/markov:strict"
    claim = load_library(shipped_root(), [key])[key]
    try:
        found = at(key, claim, {"p": "[1]", "K": 1, "t": 1, "x": value})
    except InvalidArgument as error:
        assert "x " in str(error) and "\n" not in str(error)
    else:
        assert found.verdict == "outside the domain: x" and not found.violated


def test_a_negative_size_is_outside_the_domain_before_anything_is_built():
    """python-flint ends the process where it is asked for a matrix of a negative size."""
    key = "livni2017/equation_20:repaired"
    claim = load_library(shipped_root(), [key])[key]
    world = {"N": 2, "psi": "[1/2; 0]", "t": 3, "sequence": [0, 1, 0], "y": [1, 1, 1], "m": 2,
             "mu": [1], "epsilon": "1/3", "B": 1, "eta": 3}  # fmt: skip
    assert at(key, claim, {**world, "K": 1}).verdict != "outside the domain: K"
    assert at(key, claim, {**world, "K": -1}).verdict == "outside the domain: K"


def test_a_negative_size_of_a_derived_field_is_named():
    size = sympy.Symbol("n", real=True)
    claim = Claim(PLACE, Holds(size <= 1), worlds=Space(
        n=Integer(1, searched=2), half=Derived(lambda n: fmpq(n, 2))))  # fmt: skip
    with pytest.raises(InvalidArgument, match="n = -1 leaves half without a value"):
        at("mine/x:printed", claim, {"n": -1})
    assert at("mine/x:printed", claim, {"n": 1}).verdict == "holds here"
