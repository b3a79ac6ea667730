"""Reading and scaling of data files."""

import gzip
from pathlib import Path

import numpy
import pytest

from boundcheck.errors import DataError
from boundcheck.worlds.data import load_data

SHARED = Path(__file__).parents[3] / "shared" / "data"
TABLE = [[1.0, 10.0, 3.0], [2.0, 30.0, 3.0], [4.0, 20.0, 3.0], [3.0, 15.0, 3.0]]
TARGET = [1.0, 2.0, 6.0, 3.0]


def rows(delimiter):
    lines = [delimiter.join(["a", "b", "c", "target"])]
    lines += [
        delimiter.join(str(v) for v in (*row, y)) for row, y in zip(TABLE, TARGET, strict=True)
    ]
    return "\n".join(lines) + "\n"


def libsvm():
    return "".join(
        f"{y} " + " ".join(f"{i + 1}:{v}" for i, v in enumerate(row)) + "\n"
        for row, y in zip(TABLE, TARGET, strict=True)
    )


FORMATS = {
    "csv": lambda: rows(","), "tsv": lambda: rows("\t"), "semicolon": lambda: rows(";"),
    "libsvm": libsvm,
}  # fmt: skip


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("kind", FORMATS)
def test_formats_read_alike(tmp_path, kind, packed):
    path, text = tmp_path / "data", FORMATS[kind]().encode()
    path.write_bytes(gzip.compress(text) if packed else text)
    world = load_data(str(path), None if kind == "libsvm" else "target")
    # min-max by hand; the constant column is dropped; mean 3 and largest deviation 3.
    assert world.x.tolist() == pytest.approx(
        numpy.array([[-1, -1], [-1 / 3, 1], [1, 0], [1 / 3, -0.5]])
    )
    assert world.y.tolist() == pytest.approx([-2 / 3, -1 / 3, 1, 0])
    assert len(world.dropped) == 1 and len(world.columns) == 2


def test_table_without_header_and_with_byte_order_mark(tmp_path):
    path = tmp_path / "plain.csv"
    path.write_text("\ufeff" + "\n".join(rows(",").splitlines()[1:]), encoding="utf-8")
    assert load_data(str(path), "column 4").x.shape == (4, 2)


@pytest.mark.parametrize("name, shape", [("diabetes", (442, 10)), ("linnerud", (20, 3))])
def test_bundled_sets(name, shape):
    world = load_data(name)
    assert world.x.shape == shape
    scaled(world)


def scaled(world):
    assert world.x.min(axis=0) == pytest.approx(-1) and world.x.max(axis=0) == pytest.approx(1)
    assert abs(world.y.mean()) < 1e-12 and abs(world.y).max() == pytest.approx(1, rel=1e-15)
    assert numpy.isfinite(world.x).all()


@pytest.mark.parametrize("name, shape", [("cadata", (20640, 8)), ("cpusmall", (8192, 12))])
def test_sets_of_the_source(name, shape):
    path = SHARED / f"{name}.tsv.gz"
    if not path.is_file():
        pytest.skip(f"{name} is not at ../shared/data; the repository does not hold it")
    world = load_data(str(path), "target")
    assert world.x.shape == shape
    scaled(world)


def test_split_is_disjoint_and_limited():
    world = load_data("diabetes")
    marked = type(world)("marked", ("row",), numpy.arange(442.0)[:, None], numpy.arange(442.0))
    x, y, x_test, y_test = marked.split(numpy.random.default_rng(0), None)
    assert len(x) == len(x_test) == 221 and not set(y) & set(y_test)
    assert (x[:, 0] == y).all() and (x_test[:, 0] == y_test).all()
    x, _, x_test, _ = marked.split(numpy.random.default_rng(0), 50)
    assert len(x) == len(x_test) == 50


@pytest.mark.parametrize(
    "text, target, words",
    [
        ("", "a", "is empty"),
        ("a,b\n1,2\n", None, "--target is missing"),
        ("a,b\n1,2\n", "z", "is no column"),
        ("a,b\n1,2\n1\n", "b", "row 3 has 1 cells"),
        ("a,b\n1,2\n1,x\n", "b", "'x' is not a number"),
        ("a,b\n1,2\n1,1_0\n", "b", "'1_0' is not a number"),
        ("a,b\n1,2\n1,\u0661\n", "b", "'\u0661' is not a number"),
        ("a,b\n1,2\n1,nan\n3,1\n4,4\n", "b", "is not finite"),
        ("a,b\n1,2\n2,2\n3,2\n4,2\n", "b", "target is constant"),
        ("a,b\n1,2\n1,3\n1,4\n1,5\n", "b", "every feature is constant"),
        ("b\n1\n2\n3\n4\n", "b", "no feature column"),
        ("a,b\n1,2\n", "b", "at least 4"),
    ],
)
def test_unusable_files_say_why(tmp_path, text, target, words):
    path = tmp_path / "data.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=words):
        load_data(str(path), target)


def test_neither_a_file_nor_a_bundled_set():
    with pytest.raises(DataError, match="neither a file nor one of cadata, cpusmall, diabetes"):
        load_data("nothing")


@pytest.mark.parametrize("name, rows, columns", [("cadata", 20_640, 8), ("cpusmall", 8_192, 12)])
def test_shipped_sets_are_read_by_name_and_scaled(name, rows, columns):
    world = load_data(name)
    assert world.x.shape == (rows, columns) and world.target == "target" and not world.dropped
    assert abs(world.x).max() == 1 and abs(world.y).max() == pytest.approx(1)
    assert abs(world.y.mean()) < 1e-12
    assert "target" not in world.columns


@pytest.mark.parametrize("values", [(0, 0, 5e-324, 0), (1, 1, 1 + 2**-52, 1), (-1e9, 0, 0, 1e9)])
def test_responses_next_to_each_other_are_centred(tmp_path, values):
    path = tmp_path / "near.csv"
    path.write_text("a,y\n" + "".join(f"{i},{float(y)!r}\n" for i, y in enumerate(values)))
    y = load_data(str(path), "y").y
    assert abs(y.mean()) < 1e-12 and abs(y).max() == 1
