"""Certificate files: confirmed as written, refused when edited or used for another claim."""

import copy
import json

import pytest
from sympy import Rational, symbols

from boundcheck import Claim, Holds, Source, UpToConstant, recheck as files
from boundcheck.certificates.document import recheck
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.checks.proof import run
from boundcheck.errors import WitnessError
from boundcheck.expressions import define, world
from boundcheck.quantities.losses import minimal_risk
from boundcheck.verdict import conclude
from boundcheck.witness import seal
from boundcheck.worlds import Choice, Integer, Real

x, y, n = symbols("x y n", real=True)
PLACE = Source("A", 2024, "Example").at("1")


def claim(statement, **fields):
    fields.setdefault("parameters", {x: Real(0, None), y: Real(None, None)})
    return Claim(source=PLACE, statement=statement, **fields)


risk = minimal_risk(world("side", Choice(("logistic", "hinge"))), 1, 1, Rational(1, 3))
CLAIMS = {
    "plain": claim(Holds(y**2 + x >= 2 * y - 1)),
    "up to a constant": claim(UpToConstant(x + 1 <= (x + 2) / 5)),
    "two texts": claim(
        Holds(define("risk", risk) * x >= 0), parameters={x: Real(0, None)},
    ),
    "whole numbers": claim(Holds(n**2 >= n), parameters={n: Integer(-5, searched=9)}),
}  # fmt: skip


@pytest.fixture(scope="module")
def documents():
    return {name: run(Task(f"a/b:{name}", item, BUDGETS["quick"])).certificate
            for name, item in CLAIMS.items()}  # fmt: skip


@pytest.mark.parametrize("name", CLAIMS)
def test_certificates_are_confirmed_from_their_file(name, documents, tmp_path):
    path = tmp_path / "proof.json"
    path.write_text(json.dumps(documents[name]))
    assert "no solver" in str(recheck(files.documents(path)[0], CLAIMS[name]))


def numbers(value, path=()):
    """Paths of all numbers and texts in a document."""
    if isinstance(value, dict):
        for key in value:
            yield from numbers(value[key], (*path, key))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from numbers(item, (*path, place))
    elif isinstance(value, (int, str)):
        yield path


def edited(document, path):
    changed = copy.deepcopy(document)
    *head, last = path
    here = changed
    for key in head:
        here = here[key]
    here[last] = here[last] + 1 if isinstance(here[last], int) else here[last] + "1"
    return changed


@pytest.mark.parametrize("name", CLAIMS)
def test_every_edit_is_noticed(name, documents, tmp_path):
    path = tmp_path / "proof.json"
    for place in numbers(documents[name]):
        path.write_text(json.dumps(edited(documents[name], place)))
        with pytest.raises(WitnessError) as refusal:
            files.documents(path)
        assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", CLAIMS)
def test_a_new_seal_does_not_help_against_another_problem(name, documents):
    for place in numbers(documents[name]):
        if "problem" in place or "constant" in place or "fixed" in place:
            with pytest.raises(WitnessError):
                recheck(seal(edited(documents[name], place)), CLAIMS[name])


@pytest.mark.parametrize("name", CLAIMS)
def test_no_certificate_serves_another_claim(name, documents):
    for other, document in documents.items():
        if other != name:
            with pytest.raises(WitnessError):
                recheck(document, CLAIMS[name])
            forged = seal({**document, "fingerprint": CLAIMS[name].fingerprint()})
            with pytest.raises(WitnessError):
                recheck(forged, CLAIMS[name])


def test_the_certificate_stands_in_the_json_of_a_verdict():
    task = Task("a/b:plain", CLAIMS["plain"], BUDGETS["quick"])
    document = conclude(task.key, [run(task)], 0.0).as_json()["certificate"]
    assert recheck(document, task.claim).key == task.key
