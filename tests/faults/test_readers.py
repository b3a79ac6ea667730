"""Readers under thousands of mutated and random inputs: a stated error or a sound value."""

from __future__ import annotations

import gzip
import json
import random

import pytest

from .test_witness_files import mutated

CSV = b"a,b,c\n1,2,3\n2,3,4.5\n3,5,-1e3\n4,4,0\n5,1,7\n6,3,2\n"
SVM = b"1 1:2 2:3\n2 1:3\n3.5 2:4 3:1\n4 1:5 3:2\n-1 1:1\n"


@pytest.mark.parametrize("data", [CSV, SVM, gzip.compress(CSV), CSV.replace(b"\n", b"\r")])
def test_mutated_data_files_are_refused_or_sound(tmp_path, data):
    import numpy

    from boundcheck.errors import DataError
    from boundcheck.worlds.data import load_data

    rng, path, read = random.Random(2), tmp_path / "data", 0
    for _ in range(700):
        path.write_bytes(mutated(data, rng))
        try:
            world = load_data(str(path), None if data is SVM else "b")
        except DataError as error:
            assert str(error).startswith(str(path)) or "--target" in str(error)
            continue
        read += 1
        assert world.x.shape == (len(world.y), len(world.columns))
        assert numpy.isfinite(world.x).all() and abs(world.x).max() <= 1 + 1e-12
        assert abs(numpy.abs(world.y).max() - 1) <= 1e-12
    assert read >= 3  # the reader is not one that refuses everything


TOKENS = [
    "u", "v", "1", "0", "2.5", "1e3", "1e49999", "10", "9999999", "+", "-", "*", "/", "^", "**",
    "(", ")", "((", "))", ",", "<=", "<", "=", "sqrt", "log", "exp", "abs", "floor", "ceil", "min",
    "max", "pi", "(u)", "(1)", "(-1)", "(0)", " ", "e", ".", "1/3",
]  # fmt: skip


def test_random_expressions_are_refused_or_read():
    """What is read is a real expression or a relation in the names that were given."""
    import sympy

    from boundcheck.errors import InvalidArgument
    from boundcheck.explore.grammar import parse

    rng, read = random.Random(3), 0
    names = {name: sympy.Symbol(name, real=True) for name in "uv"}
    for _ in range(4_000):
        text = "".join(rng.choice(TOKENS) for _ in range(rng.randint(1, 8)))
        try:
            found = parse(text, names)
        except InvalidArgument:
            continue
        read += 1
        assert isinstance(found, (sympy.Expr, sympy.Rel)), text
        assert found.free_symbols <= set(names.values()), text
    assert read >= 100


SAMPLE = {"key": "a/b:c", "values": ["1/2", 3, None, True, {"x": [1.5, "é"]}]}


def test_mutated_json_is_refused_or_read_as_python_reads_it(tmp_path):
    from boundcheck.boundary.documents import Misshapen, Unreadable, read_json

    rng, path = random.Random(4), tmp_path / "x.json"
    for _ in range(3_000):
        data = mutated(json.dumps(SAMPLE).encode(), rng)
        path.write_bytes(data)
        try:
            found = read_json(path)
        except (Misshapen, Unreadable) as error:
            assert str(error) and "\n" not in str(error)
            continue
        assert found == json.loads(data)


@pytest.mark.parametrize(
    "text",
    ["", "\x00", "{", "7", "[]", '{"claim": "a", "vectors": 3}', '{"vectors": [[1.0]]}',
     '{"claim": "a", "vectors": [["x"]]}', '{"claim": "a", "vectors": [[1e999]]}', "[" * 99999],
)  # fmt: skip
def test_kept_worlds_that_something_else_wrote_are_not_used(tmp_path, text):
    from boundcheck.search.memory import Memory

    memory = Memory(tmp_path)
    memory.keep("a/b:c", "f", [[0.5, 1.0]])
    assert memory.recall("a/b:c", "f") == [[0.5, 1.0]]
    (path,) = tmp_path.glob("*.json")
    path.write_text(text)
    assert memory.recall("a/b:c", "f") == []
