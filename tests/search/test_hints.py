"""A search without hints: nothing is left of them, and the claim is the same claim."""

import json

import numpy
import pytest
from flint import fmpq
from sympy import Symbol, floor, log, symbols

from boundcheck import Claim, Holds, Source, UpToConstant, WithProbability
from boundcheck.expressions import define, parameter, world
from boundcheck.library import shipped_root
from boundcheck.search.admissible import Candidates
from boundcheck.search.blind import Row, states
from boundcheck.search.hints import DRAWN, LARGE, SMALL, plain, without_hints
from boundcheck.search.recall import main, table
from boundcheck.settings.continuous import chi_square_tail
from boundcheck.worlds import (
    Choice,
    Counts,
    Custom,
    Derived,
    Family,
    Indices,
    Integer,
    Real,
    Space,
    Tuples,
    Vector,
    Weights,
    doublings,
)
from boundcheck.worlds.kinds import Hermitian
from boundcheck.worlds.sources import Coordinates

x, total = symbols("x total", real=True)
PLACE = Source("A", 2000, "T").at("here")


def ones(source, earlier):
    return (1,) * earlier["n"]


def hinted(**more):
    fields = {
        "source": PLACE, "statement": Holds(total <= x),
        "worlds": Space(
            n=Integer(1, searched=2), v=Custom(ones, Vector("n", 0, 1)),
            odd=Custom(lambda source, earlier: 1, lambda value, earlier: value % 2 == 1),
            twice=Derived(lambda v: tuple(2 * entry for entry in v)),
        ),
        "parameters": {x: Real(0, None, searched=(5, 6))}, "measure": {total: sum_of},
    }  # fmt: skip
    return Claim(**{**fields, **more})


def sum_of(v):
    return sum(v)


def test_ranges_and_rules_go_and_predicates_keep_their_rule():
    claim = without_hints(hinted())
    rng = numpy.random.default_rng(0)
    worlds = [claim.worlds.sample(rng)[0] for _ in range(60)]
    assert max(world["n"] for world in worlds) == SMALL
    assert any(set(world["v"]) != {1} for world in worlds)
    assert all(world["odd"] == 1 for world in worlds)
    built = [plain(Real(0, None, searched=(5, 6)), 9).build(_source(seed), {}) for seed in range(9)]
    assert any(not 5 <= value <= 6 for value in built)


def _source(seed):
    from boundcheck.worlds.sources import Randomness

    return Randomness(numpy.random.default_rng(seed))


def test_a_witness_found_without_hints_is_one_of_the_claim():
    assert without_hints(hinted()).fingerprint() == hinted().fingerprint()


def test_families_go_unless_the_statement_is_about_them():
    families = (Family("grows", lambda size: {}, doublings(1, 7)),)
    free = hinted(statement=UpToConstant(total <= x), families=families)
    bound = hinted(statement=UpToConstant(total <= x, depends=("n",)), families=families)
    assert without_hints(free).families == () and without_hints(bound).families == families


def spoken(**domains):
    """A claim in the words of a setting: n entries built by a rule, t that nothing is as large as.

    The domain of the entries is a predicate that does not say how many there are.
    """
    n = world("n", Integer(1, searched=3))
    t = parameter("t", Integer(1, searched=3))
    rule = Custom(lambda source, earlier: (fmpq(1),) * earlier["n"], _is_positive)
    v = world("v", rule, rank=1, needs=(n,))
    named = {"n": n, "t": t}
    return Claim(
        PLACE, Holds(n <= t + v[0]),
        domains={named[name]: field for name, field in domains.items()},
    )  # fmt: skip


def _is_positive(value, earlier):
    return all(entry > 0 for entry in value)


def test_what_a_setting_says_of_how_much_there_is_stays_and_what_a_file_says_goes():
    found = without_hints(spoken(n=Integer(1, searched=1), t=Integer(1, searched=1)))
    fields = {**found.worlds.fields, **{s.name: field for s, field in found.parameters.items()}}
    assert fields["n"].searched == 3  # the setting's, not the file's
    assert fields["t"].searched == LARGE  # a number costs nothing, however large
    other = without_hints(spoken(n=Integer(2, searched=2)))  # another domain, so of no use here
    assert (other.worlds.fields["n"].low, other.worlds.fields["n"].searched) == (2, 3)


def test_sizes_inside_the_entries_of_a_list_are_sizes():
    laws = Space(n=Integer(1, searched=2), K=Integer(1, searched=2), p=Tuples("n", Weights("K")))
    claim = without_hints(hinted(worlds=laws, measure={total: lambda p: sum(p[0])}))
    assert [claim.worlds.fields[name].searched for name in ("n", "K")] == [SMALL, SMALL]


def test_the_dimension_of_hermitian_matrices_is_a_size():
    listed = Space(d=Integer(1, searched=2), A=Tuples(2, Hermitian("d")))
    claim = without_hints(hinted(worlds=listed, measure={total: lambda A: sum(A[0].entries())}))
    assert claim.worlds.fields["d"].searched == SMALL


def test_a_number_that_a_rule_reads_is_a_size():
    plainly = Space(n=Integer(1, searched=2), odd=Custom(ones, _is_positive))
    claim = without_hints(hinted(worlds=plainly, measure={total: lambda odd: sum(odd)}))
    assert claim.worlds.fields["n"].searched == SMALL


def test_kinds_and_arguments_of_logarithms_are_searched_whole():
    """A choice of kinds is a range of the file; a logarithm of points costs no more for many."""
    kind, n = world("kind", Choice((0, 1), searched=(0,))), parameter("n", Integer(2, searched=9))
    cost = define("cost", chi_square_tail(floor(log(n)), 1))
    claim = without_hints(Claim(PLACE, Holds(cost <= kind + x), parameters={x: Real(0, 1)}))
    assert claim.worlds.fields["kind"].searched == () and claim.parameters[n].top == LARGE
    direct = define("cost", chi_square_tail(floor(n), 1))
    counted = without_hints(Claim(PLACE, Holds(direct <= kind + x), parameters={x: Real(0, 1)}))
    assert counted.parameters[n].top < LARGE


@pytest.mark.parametrize(("draw", "top"), [
    (Indices("places", "p", "n"), DRAWN), (Counts("places", "p", "n"), LARGE),
])  # fmt: skip
def test_draws_that_are_held_one_by_one_fit_into_memory(draw, top):
    """A sequence of 10^12 places does not; how often each comes is as short as ever."""
    n = Symbol("n", real=True)
    laws = Space(p=Weights(2), z=Real(1, 2))
    claim = without_hints(hinted(
        worlds=laws, measure={total: lambda places: places[0]}, draw=draw, given=[n >= 1 / x],
        parameters={n: Integer(1, searched=9), x: Real(0, 1, open_low=True)},
        statement=WithProbability(x, total <= n),
    ))  # fmt: skip
    assert claim.parameters[n].searched == top and claim.parameters[n].wide


def test_what_a_hypothesis_asks_to_be_large_may_be_as_large():
    t = parameter("t", Integer(1, searched=3))
    n = world("n", Integer(1, searched=3))
    law = world("p", Weights("n"), needs=(n,))
    claim = Claim(PLACE, Holds(law[0] <= t), given=[t >= 10**6 * n], domains={t: Integer(1, 5)})
    assert without_hints(claim).parameters[t].high == 5  # the printed end stays
    free = without_hints(Claim(PLACE, Holds(law[0] <= t), given=[t >= 10**6 * n]))
    rng = numpy.random.default_rng(0)
    found = [Candidates(free).random(rng) for _ in range(20)]
    assert sum(candidate is not None for candidate in found) == 20


def test_a_witness_serves_although_two_names_shared_one_field():
    shared, y = Real(0, None), symbols("y", real=True)
    claim = hinted(statement=Holds(total <= x + y), parameters={x: shared, y: shared})
    assert without_hints(claim).fingerprint() == claim.fingerprint()


def test_the_table_counts_by_source_and_names_what_needs_a_hint():
    expected = {"a/s:p": "refuted (exact)", "a/s:q": "refuted (exact)", "b/s:p": "malformed"}
    said = {"a/s:p": "refuted (trend)", "a/s:q": "supported", "b/s:p": "malformed"}
    found = {key: [Row(key, verdict, "held", 1.0)] for key, verdict in said.items()}
    lines = list(table(expected, found, ["quick"]))
    assert "| a | refuted (exact) | 2 | 1 | 1 |" in lines and "| all | | 3 | 2 | |" in lines
    assert lines[-1] == "- `a/s:q`: at quick supported; held"


def test_what_falls_at_quick_counts_as_fallen_at_the_price_of_standard():
    expected = {f"a/s:{name}": "refuted (exact)" for name in "pqr"}
    rows = {key: [Row(key, "supported", "held", 1.0)] for key in expected}
    rows["a/s:p"] = [Row("a/s:p", "refuted (exact)", "", 1.0)]
    rows["a/s:q"].append(Row("a/s:q", "refuted (trend)", "", 1.0, "standard"))
    rows["a/s:r"].append(Row("a/s:r", "undecided", "open", 1.0, "standard"))
    lines = list(table(expected, rows, ["quick", "standard"]))
    assert "| a | refuted (exact) | 3 | 1 | 2 | 1 |" in lines
    assert lines[-1] == "- `a/s:r`: at standard undecided; open"


def test_prints_are_counted_apart_from_readings_and_steps():
    keys = ["a/s:printed", "a/s:strict", "a/s:step_sum", "b/t:first", "b/t:second", "b/t:first_own"]
    rows = {key: [Row(key, "supported", "held", 1.0)] for key in keys[1:]}
    rows |= {keys[0]: [Row(keys[0], "malformed", "", 1.0)]}
    lines = list(table(dict.fromkeys(keys, "malformed"), rows, ["quick"], keys))
    assert "| all | | 6 | 1 | |" in lines
    assert "| of them the print or a step of a printed proof | | 4 | 1 | |" in lines
    assert "| of these the print itself | | 3 | 1 | |" in lines


def test_without_hints_search_stays_inside_open_ends():
    """A search range inside (0, oo) is a hint; without it no world may touch the end left out."""
    field = Vector(3, 0, searched=("1/100", 1), open_low=True)
    open_end = plain(field, 4)
    for position in (0.0, 0.5, 1.0):
        value = open_end.build(Coordinates((position,) * 3), {})
        assert open_end.admits(value, {})
    assert open_end.build(Coordinates((0.5,) * 3), {}) == (fmpq(1, 2),) * 3
    assert field.build(Coordinates((0.0,) * 3), {}) == (fmpq(1, 100),) * 3


KEPT = {"budget": "quick", "seed": 0, "key": "classical/markov:signed", "verdict": "supported",
        "summary": "made up", "seconds": 1.0}  # fmt: skip


def recalled(folder, capsys, *rows, options=()):
    """(what a recall of one statement prints, its page) with rows in its file."""
    kept, page = folder / "rows.jsonl", folder / "RECALL.md"
    kept.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    main(["classical/markov", "--jobs", "1", "--kept", str(kept), "--out", str(page),
          "--root", str(shipped_root()), *options])  # fmt: skip
    return capsys.readouterr().out, page.read_text(encoding="utf-8")


def test_a_recall_makes_what_is_missing_or_stale_and_says_so(tmp_path, capsys):
    """One row of now, one of another seed: the first is not made again, the other claim is found;
    then the first without its digest: it is made again, and the other, kept, is not."""
    own = {**KEPT, "state": states(shipped_root(), [KEPT["key"]])[KEPT["key"]]}
    other = {**own, "key": "classical/markov:strict", "seed": 1}
    said, text = recalled(tmp_path, capsys, own, other)
    assert "classical/markov:strict: refuted (exact) (quick)" in said
    assert "| classical | refuted (exact) | 2 | 1 | 0 |" in text and "supported; made up" in text
    assert "2 of them by this state of the code and the statements." in text
    rows = (tmp_path / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 3
    said, text = recalled(tmp_path, capsys, KEPT, json.loads(rows[-1]))
    assert "markov:signed: refuted" in said and "markov:strict: refuted" not in said
    assert "| classical | refuted (exact) | 2 | 2 | 0 |" in text and "made up" not in text


def test_a_recall_without_time_shows_older_rows_as_such(tmp_path, capsys):
    said, text = recalled(tmp_path, capsys, KEPT, options=["--minutes", "0"])
    assert "refuted" not in said.partition("# Recall")[0]
    assert "on 1 of the 2 claims" in text and "0 of them by this state" in text
    assert "the next run makes them again" in text
    assert text.partition("Not searched in time:")[2].split("\n") == [
        "", "", "- `classical/markov:strict` at quick", ""
    ]  # fmt: skip


def test_older_rows_may_stand_and_a_larger_budget_goes_to_what_escaped(tmp_path, capsys):
    fallen = {**KEPT, "key": "classical/markov:strict", "verdict": "refuted (exact)"}
    options = ["--older", "--budget", "standard"]
    said, text = recalled(tmp_path, capsys, KEPT, fallen, options=options)
    assert said.partition("# Recall")[0].split("\n") == [
        "classical/markov:signed: refuted (exact) (standard)", ""
    ]  # fmt: skip
    assert "| classical | refuted (exact) | 2 | 1 | 2 | 0 |" in text
    assert "1 of them by this state" in text and "Not searched" not in text
    _, text = recalled(tmp_path, capsys, KEPT, fallen, options=[*options, "--minutes", "0"])
    assert text.endswith("- `classical/markov:signed` at standard\n")
