"""Witness files: damaged, of other types, too deep, too large, sealed anew after a change."""

from __future__ import annotations

import copy
import json
import random

import pytest

from .forked import command, contents, forked, require_refusal

DEEP = 100_000
BIG = "9" * 1_000_001


@pytest.fixture(scope="session")
def good(root):
    """The witness of the false claim, as `report` writes it."""
    from boundcheck.engine import verify
    from boundcheck.library import load_library
    from boundcheck.witness import seal

    key = "mine/lemma_2:printed"
    claim = load_library(root, [key])[key]
    verdict = verify(key, claim, controls=False)
    assert verdict.witness is not None
    return json.loads(json.dumps(seal(verdict.witness.as_json())))


RAW = {
    "empty": b"", "space": b" ", "word": b"witness", "cut": b'{"format": 1', "null": b"null",
    "number": b"7", "text": b'"x"', "list": b"[]", "object": b"{}", "not utf-8": b"\xff\xfe{}",
    "null character": b'{"a": "\0"}', "nan": b'{"a": NaN}', "infinity": b'{"a": -Infinity}',
    "two documents": b"{}{}", "comment": b"// {}", "single quotes": b"{'a': 1}",
    "digits": b'{"format": ' + b"9" * 5000 + b"}", "float": b'{"format": 1e999}',
    "deep lists": b"[" * DEEP + b"]" * DEEP, "deep open": b"[" * DEEP,
    "deep objects": b'{"a":' * DEEP + b"1" + b"}" * DEEP, "depth 100": b"[" * 100 + b"]" * 100,
    "twice": b'{"format": 1, "format": 1}', "page": b"<!DOCTYPE html>", "csv": b"a,b\n1,2\n",
    "byte order mark": b"\xef\xbb\xbf{}", "utf-16": '{"format": 1}'.encode("utf-16"),
    "large": b"[" + b"1," * 9_000_000 + b"1]",
}  # fmt: skip


@pytest.mark.parametrize("name", RAW)
def test_what_is_no_witness_is_wrong_use(root, place, tmp_path, name):
    path = tmp_path / "w.json"
    path.write_bytes(RAW[name])
    ended = forked(tmp_path, command("replay", path, "--root", root), cwd=place)
    require_refusal(ended, 2, ("w.json",))
    assert contents(place) == {}


DROP = object()
WRONG = [None, True, 1.5, -1, "x", [], {}, [[1]], DROP]
FIELDS = ("format", "claim", "fingerprint", "kind", "values", "shown", "extra", "seal")
MATRICES = [
    {"matrix": [], "shape": [1, -1]}, {"matrix": [], "shape": [100_000, 100_000]},
    {"matrix": [["1/1"]], "shape": [1, 2]}, {"matrix": [["1/1"]], "shape": [10**30, 10**30]},
    {"matrix": [["1/1"], []], "shape": [2, 1]}, {"matrix": "1/1", "shape": [1, 1]},
    {"matrix": [["1/1"]], "shape": "1"}, {"matrix": [["1/1"]], "shape": [1.0, 1]},
    {"matrix": [["1/1"]], "shape": [True, True]}, {"matrix": [[None]], "shape": [1, 1]},
    {"matrix": [["1/0"]], "shape": [1, 1]}, {"matrix": [["1/1"]], "shape": [1]},
    {"matrix": [["1/1"]], "shape": [1, 1]}, {"matrix": [[]], "shape": [0, 10**18]},
    {"matrix": [["a"]], "shape": [1, 1]}, {"matrix": {"a": 1}, "shape": [1, 1]},
    {"matrix": [[{"name": "a"}]], "shape": [1, 1]}, {"matrix": [], "shape": [0, 0]},
]  # fmt: skip
VALUES = [
    None, True, False, 1, 1.5, "", " ", "x", "1/0", "1/", "/1", "1/2/3", "1.5", "1e3", "+1", " 1",
    "1_0", "0x1", "\u0661", "-", "--1", "1/-2", "nan", "inf", BIG, f"1/{BIG}", f"-{BIG}/3", "7/1",
    "-3/1", [], ["1"], [["1"]], {}, {"name": "a"}, {"name": 1}, {"name": "u", "more": 1},
    {"other": 1}, *MATRICES,
]  # fmt: skip
EXTRAS = [
    {"seed": -1}, {"seed": 10**20}, {"seed": "1"}, {"alpha": 0}, {"alpha": 2}, {"alpha": "x"},
    {"draws": 0}, {"draws": 10**15}, {"draws": 1.5}, {"scale": "2^999999999"},
    {"scale": "3"}, {"scale": 2}, {"size": -1}, {"size": 10**30}, {"family": 1}, {"rescaling": []},
    {"stream": None}, {"budget": 1},
]  # fmt: skip


def _changes():
    for field in FIELDS:
        for value in WRONG:
            if (field, value) == ("extra", {}):  # an exact witness needs none
                continue
            yield f"{field} {value!r:.20}", (field,), value
    for place, value in enumerate(VALUES):
        for name in ("u", "n") if value != "7/1" else ("u",):  # 7 is an n like any other
            yield f"{name} {place} {value!r:.20}", ("values", name), value
    for name in ("w", "", "__class__", "\x1b[31m", "w" * 5000):
        yield f"another name {name!r:.20}", ("values", name), "1/1"
    for name in ("u", "v", "n"):
        yield f"no {name}", ("values", name), DROP
    for extra in EXTRAS:
        yield f"extra {extra}", ("extra",), extra
    for value in (None, 1, [], {}):
        yield f"shown {value}", ("shown", "left"), value
    for key in ("", "x", "mine/lemma_9:printed", "mine/theorem_1:printed", "../x:y", "*"):
        yield f"claim {key:.20}", ("claim",), key


def changed(document, path, value):
    document = copy.deepcopy(document)
    spot = document
    for step in path[:-1]:
        spot = spot[step]
    if value is DROP:
        spot.pop(path[-1], None)
    else:
        spot[path[-1]] = value
    return document


CHANGES = list({case[0]: case for case in _changes()}.values())


@pytest.mark.parametrize(
    ("path", "value"), [case[1:] for case in CHANGES], ids=[ascii(case[0]) for case in CHANGES]
)
def test_a_changed_witness_with_a_fresh_seal_is_refused(root, place, tmp_path, good, path, value):
    """A file that is no witness exits 2; one that claims what is not so is a finding, exit 1."""
    from boundcheck.witness import digest

    document = changed(good, path, value)
    if document == good:
        return
    if path != ("seal",):
        document["seal"] = digest(document)
    file = tmp_path / "w.json"
    file.write_text(json.dumps(document))
    ended = forked(tmp_path, command("replay", file, "--root", root), cwd=place)
    assert ended.code in (1, 2), ended.err
    require_refusal(ended, ended.code, ())
    assert ended.out == "" and contents(place) == {}


def test_the_witness_itself_is_confirmed(root, place, tmp_path, good):
    """Else the refusals above could come from a reader that refuses everything."""
    file = tmp_path / "w.json"
    file.write_text(json.dumps(good))
    ended = forked(tmp_path, command("replay", file, "--root", root), cwd=place)
    assert (ended.code, ended.err) == (0, "") and "confirmed" in ended.out


@pytest.fixture(scope="session")
def proof():
    """A certificate of a shipped claim, as `report` writes it."""
    from boundcheck.engine import verify
    from boundcheck.library import load_library

    claim = load_library(None, [PROVED])[PROVED]
    found = verify(PROVED, claim, controls=False).as_json()["certificate"]
    assert found is not None
    return json.loads(json.dumps(found))


PROVED = "classical/nesbitt:printed"
INNER = [
    (("cases", 0, name), value)
    for name in ("fixed", "problem", "proofs") for value in (None, 1, "x", [], {}, [[]], DROP)
] + [(("cases", 0, "more"), 1), (("cases", 0), 7), (("cases", 0), []), (("more",), 1)]
CONSTANTS = [0, -1, 2, 10**9, 10**10, 10**30, 1.5]
PROOFS = [
    ((name,), value)
    for name in ("format", "kind", "claim", "fingerprint", "constant", "cases", "seal")
    for value in WRONG
    if (name, value) != ("claim", "x")  # looks through the whole library for its name
] + INNER + [(("constant",), value) for value in CONSTANTS]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "value"), PROOFS, ids=[ascii(f"{path} {value!r:.20}") for path, value in PROOFS]
)
def test_a_changed_certificate_with_a_fresh_seal_is_refused(place, tmp_path, proof, path, value):
    from boundcheck.witness import digest

    document = changed(proof, path, value)
    if document == proof:
        return
    if path != ("seal",):
        document["seal"] = digest(document)
    file = tmp_path / "c.json"
    file.write_text(json.dumps(document))
    ended = forked(tmp_path, command("replay", file), cwd=place)
    assert ended.code in (1, 2), ended.err
    require_refusal(ended, ended.code, ())
    assert ended.out == "" and contents(place) == {}


def test_steps_of_a_certificate_cannot_be_changed(place, tmp_path, proof):
    """Every leaf of the proofs in turn: the checker rejects it, or it was not needed."""
    from boundcheck.certificates.document import recheck
    from boundcheck.errors import WitnessError
    from boundcheck.library import load_library

    claim, rng, refused = load_library(None, [PROVED])[PROVED], random.Random(5), 0
    paths = list(leaves(proof["cases"][0]["proofs"], ("cases", 0, "proofs")))
    for path in rng.sample(paths, min(60, len(paths))):
        for value in (None, "x", -1, [], {"a": 1}):
            try:
                recheck(changed(proof, path, value), claim)
            except WitnessError as error:
                assert "\n" not in str(error)
                refused += 1
    assert refused >= 4 * min(60, len(paths))


def leaves(value, path):
    if isinstance(value, (dict, list)):
        for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, name))
    else:
        yield path


def mutated(data: bytes, rng: random.Random) -> bytes:
    """A few bytes flipped, removed, doubled or replaced by what JSON treats specially."""
    found = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        spot = rng.randrange(len(found))
        end = min(len(found), spot + rng.randint(1, 9))
        kind = rng.randrange(5)
        if kind == 0:
            found[spot] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del found[spot:end]
        elif kind == 2:
            found[spot:spot] = found[spot:end]
        elif kind == 3:
            found[spot:end] = rng.choice([b"null", b"-", b"1e9", b"[]", b"{}", b'"', b"\\u0000"])
        else:
            found[spot:end] = bytes(rng.randrange(256) for _ in range(end - spot))
        if not found:
            return b""
    return bytes(found)


def test_no_mutated_witness_gets_past_the_reader(good, tmp_path):
    """Raw mutants either read as the same document or raise the two errors that are meant."""
    from boundcheck.errors import WitnessError
    from boundcheck.recheck import documents

    rng, data, file = random.Random(1), json.dumps(good).encode(), tmp_path / "w.json"
    for _ in range(2_000):
        file.write_bytes(mutated(data, rng))
        try:
            assert documents(file) == [good]
        except WitnessError as error:
            assert "\n" not in str(error)
