"""Witness files: every kind confirms, and no number of one can be changed unnoticed."""

import copy
import json

import pytest

from boundcheck import recheck, witness
from boundcheck.engine import verify
from boundcheck.errors import WitnessError
from boundcheck.library import load_library
from boundcheck.verdict import ERROR_PROBABILITY

STATEMENTS = '''"""Claims that fail in every way a claim can fail."""

from flint import fmpq
from sympy import log, sqrt, symbols

from boundcheck import Claim, Holds, UpToConstant, WithProbability
from boundcheck.quantities import quantity
from boundcheck.worlds import Counts, Family, Integer, Real, Space, Weights, doublings

from . import WORK

u, n, C, deviation, M = symbols("u n C deviation M", real=True)
PLACE = WORK.at("here")


@quantity(estimator=lambda counts, tau, M: abs(counts[:, 0] / M - tau[0]))
def gap(counts, tau, M):
    return abs(fmpq(counts[0], M) - tau[0])


exact = Claim(source=PLACE, statement=Holds(u**2 <= u), parameters={u: Real(0, 3)})
malformed = Claim(source=PLACE, statement=Holds(log(u) <= u), parameters={u: Real(-1, 3)})
undefined = Claim(source=PLACE, statement=Holds(u <= C), parameters={u: Real(0, 1)}, undefined={C})
trend = Claim(
    source=PLACE, statement=UpToConstant(n <= sqrt(n)), parameters={n: Integer(1, searched=9)},
    families=(Family("n grows", lambda size: {"n": size}, doublings(1, 8)),),
)
v = symbols("v", real=True)
dependent = Claim(
    source=PLACE, statement=UpToConstant(n <= v, depends=("v",)),
    parameters={n: Integer(1, searched=9), v: Real(0, 1, open_low=True)},
    families=(Family("n grows", lambda size: {"n": size, "v": fmpq(1)}, doublings(1, 8)),),
)
statistical = Claim(
    source=PLACE, statement=WithProbability("9/10", deviation <= 1 / M),
    worlds=Space(K=Integer(2, 2), tau=Weights("K")), parameters={M: Integer(3000, searched=4000)},
    measure={deviation: gap}, draw=Counts("counts", "tau", "M"),
)
'''


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    root = tmp_path_factory.mktemp("library")
    (root / "mine").mkdir()
    (root / "mine" / "__init__.py").write_text(
        'from boundcheck import Source\n\nWORK = Source("A", 2000, "T")\n'
    )
    (root / "mine" / "failures.py").write_text(STATEMENTS)
    return load_library(root)


@pytest.fixture(scope="module")
def documents(library):
    assert library.broken == {}
    found = {}
    for key, claim in library.claims.items():
        verdict = verify(key, claim, controls=False)
        assert verdict.witness is not None, str(verdict)
        found[key.partition(":")[2]] = json.loads(
            json.dumps(witness.seal(verdict.witness.as_json()))
        )
    return found


KINDS = ["exact", "malformed", "undefined", "trend", "statistical"]


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_confirms(name, documents, library):
    assert documents[name]["kind"] == {"undefined": "malformed"}.get(name, name)
    assert "confirmed" in str(witness.confirm(documents[name], library))


def leaves(document, path=()):
    if isinstance(document, dict):
        for key, value in document.items():
            yield from leaves(value, (*path, key))
    elif isinstance(document, list):
        for position, value in enumerate(document):
            yield from leaves(value, (*path, position))
    else:
        yield path


def changed(document, path):
    result = copy.deepcopy(document)
    place = result
    for step in path[:-1]:
        place = place[step]
    value = place[path[-1]]
    if isinstance(value, str):
        place[path[-1]] = value.replace("1", "2") if "1" in value else "1" + value
    else:
        place[path[-1]] = value + 1
    return result


@pytest.mark.parametrize("name", KINDS)
def test_tampering_breaks_the_seal(name, documents, tmp_path):
    for path in leaves(documents[name]):
        file = tmp_path / "w.json"
        file.write_text(json.dumps(changed(documents[name], path)))
        with pytest.raises(WitnessError):
            recheck.documents(file)


@pytest.mark.parametrize("name", ["exact", "trend", "statistical"])
def test_tampering_with_a_fresh_seal_fails_the_recheck(name, documents, library):
    for path in leaves(documents[name]):
        if path[0] in ("values", "shown"):
            with pytest.raises(WitnessError):
                witness.confirm(changed(documents[name], path), library)


def test_a_witness_of_a_changed_claim_is_refused(documents, library):
    document = {**documents["exact"], "fingerprint": "0" * 16}
    with pytest.raises(WitnessError, match="changed since"):
        witness.confirm(document, library)


def test_a_setting_that_violates_nothing_is_refused(documents, library):
    document = {**documents["exact"], "values": {"u": "1/2"}}
    with pytest.raises(WitnessError, match="not certified false"):
        witness.confirm(document, library)


def test_a_value_in_place_of_a_quantity_is_refused(documents, library):
    """The recorded deviation would be believed instead of computed."""
    document = copy.deepcopy(documents["statistical"])
    document["values"]["deviation"] = "5/1"
    with pytest.raises(WitnessError, match="deviation"):
        witness.confirm(document, library)


@pytest.mark.parametrize("value", ["-3/1", "4/1"])
def test_a_parameter_outside_its_domain_is_refused(documents, library, value):
    document = {**documents["exact"], "values": {"u": value}}
    with pytest.raises(WitnessError, match=r"u = .* is no value that it can take"):
        witness.confirm(document, library)


def test_weights_that_are_no_law_are_refused(documents, library):
    document = copy.deepcopy(documents["statistical"])
    document["values"]["tau"] = ["1/2", "3/4"]
    with pytest.raises(WitnessError, match="tau"):
        witness.confirm(document, library)


@pytest.mark.parametrize("name", ["alpha", "draws", "seed", "stream"])
def test_a_test_that_is_not_said_whole_is_named(documents, library, name):
    document = copy.deepcopy(documents["statistical"])
    del document["extra"][name]
    with pytest.raises(WitnessError, match=f"the test does not say its {name}; restore the file"):
        witness.confirm(document, library)


def test_fresh_draws_must_reject_as_well(documents, library, monkeypatch):
    from boundcheck.checks import sampling

    real = sampling.decide_setting

    def only_recorded(task, setting, rng, alpha, draws):
        recorded = draws == int(documents["statistical"]["extra"]["draws"])
        assert recorded or alpha <= ERROR_PROBABILITY
        return real(task, setting, rng, alpha, draws) if recorded else None

    monkeypatch.setattr(sampling, "decide_setting", only_recorded)
    with pytest.raises(WitnessError, match="fresh draws do not reject"):
        witness.confirm(documents["statistical"], library)


def test_a_ray_that_moves_what_the_constant_depends_on_refutes_nothing(documents, library):
    document = copy.deepcopy(documents["dependent"])
    assert "confirmed" in str(witness.confirm(document, library))
    document["extra"]["ray"]["v"] = ["-1", "0"]
    with pytest.raises(WitnessError, match="no law says that left outgrows right"):
        witness.confirm(document, library)
