"""Data files for `audit`: damaged, malformed, too large; each is refused in one line."""

from __future__ import annotations

import gzip
import os

import pytest

from .forked import command, contents, forked, require_refusal

WANG = "wang2019/theorem_1"
GOOD = "a,b\n1,2\n2,3\n3,5\n4,4\n5,1\n6,3\n"
ZEROS = gzip.compress(b"0," * 2**20, 9)


def table(*rows: str, end: str = "\n") -> bytes:
    return end.join(("a,b", *rows, "")).encode()


BAD = {
    "empty": (b"", "empty"), "newlines": (b"\n\n\n", "empty"), "spaces": (b"  \n  \n", "empty"),
    "byte order mark alone": (b"\xef\xbb\xbf", "empty"),
    "one line": (b"a,b\n", "0 rows"), "three rows": (table("1,2", "2,3", "3,5"), "3 rows"),
    "word": (table("1,2", "2,x", "3,5", "4,4"), "row 3, column 'b': 'x'"),
    "word under CR": (table("1,2", "2,x", "3,5", "4,4", end="\r"), "row 3, column 'b': 'x'"),
    "word under CR LF": (table("1,2", "2,x", "3,5", "4,4", end="\r\n"), "row 3"),
    "empty cell": (table("1,2", "2,", "3,5", "4,4"), "''"),
    "hexadecimal": (table("1,2", "2,0x10", "3,5", "4,4"), "'0x10'"),
    "decimal comma": (table("1,5,2", "2,3", "3,5", "4,4"), "3 cells"),
    "missing cell": (table("1,2", "2", "3,5", "4,4"), "1 cells"),
    "more cells": (table("1,2", "2,3,4", "3,5", "4,4"), "3 cells"),
    "nan": (table("1,2", "2,nan", "3,5", "4,4"), "not finite"),
    "infinite feature": (table("1,2", "inf,3", "3,5", "4,4"), "not finite"),
    "1e999": (table("1,2", "2,1e999", "3,5", "4,4"), "not finite"),
    "spans 1e308": (table("1,1e308", "2,-1e308", "3,5", "4,4"), "1e308"),
    "constant target": (table("1,2", "2,2", "3,2", "4,2"), "constant"),
    "constant feature": (table("1,2", "1,3", "1,4", "1,5"), "every feature is constant"),
    "no feature": (b"b\n1\n2\n3\n4\n", "no feature"),
    "target twice": (b"a,b,b\n1,2,3\n2,3,4\n3,5,6\n4,4,4\n", "several columns"),
    "other names": (b"x,y\n1,2\n2,3\n3,5\n4,4\n", "'b' is no column"),
    "spaces between": (b"a b\n1 2\n2 3\n", "separate columns"),
    "numbers without names": (b"1,2\n2,3\n3,4\n5,6\n", "'b' is no column"),
    "huge cell": (table("1,2", "2," + "9" * 200_000, "3,5", "4,4"), "field"),
    "huge header": (b"a" * 150_000 + b",b\n1,2\n2,3\n3,4\n5,6\n", "field"),
    "long word": (table("1,2", "2," + "x" * 50_000, "3,5", "4,4"), "characters"),
    "control characters": (table("1,2", "2,\x1b[31mred", "3,5", "4,4"), "\\x1b"),
    "open quote": (table("1,2", '2,"3', "3,5", "4,4"), "row 3"),
    "null character": (table("1,2", "2,\0", "3,5", "4,4"), "null character"),
    "utf-16": (GOOD.encode("utf-16"), "UTF-8"), "utf-32": (GOOD.encode("utf-32-be"), "null"),
    "latin-1": ("größe,b\n1,2\n".encode("latin-1"), "UTF-8"), "bytes": (bytes(range(256)), "UTF-8"),
    "png": (b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "UTF-8"),
    "zip": (b"PK\x03\x04" + b"\xff" * 9, "UTF-8"),
    "html": (b"<!DOCTYPE html>\n<p>404</p>\n", "'b' is no column"),
    "json": (b'{"a": [1, 2], "b": [3, 4]}\n', "'b' is no column"),
    "gzip of nothing": (gzip.compress(b""), "empty"),
    "gzip magic alone": (b"\x1f\x8b", "gzip"),
    "gzip header alone": (gzip.compress(b"1")[:10], "gzip"),
    "gzip cut": (gzip.compress(GOOD.encode())[:-9], "gzip"),
    "gzip without checksum": (gzip.compress(GOOD.encode())[:-8], "gzip"),
    "gzip damaged": (gzip.compress(GOOD.encode() * 9)[:20] + b"\xff" * 40, "gzip"),
    "gzip with wrong checksum": (gzip.compress(GOOD.encode())[:-8] + b"\0" * 8, "gzip"),
    "gzip with a tail": (gzip.compress(GOOD.encode()) + b"tail", "gzip"),
    "gzip in gzip": (gzip.compress(gzip.compress(GOOD.encode())), "UTF-8"),
    "gzip bomb": (ZEROS * 200, "unpacks to more than"),
    "libsvm word": (b"1 1:2\n2 1:3\n3 1:x\n4 1:5\n", "line 3"),
    "libsvm label": (b"1 1:2\nx 1:3\n3 1:4\n4 1:5\n", "line 2"),
    "libsvm index 1e9": (b"1 1:2\n2 1000000000:3\n3 1:4\n4 1:5\n", "table of 4 rows"),
    "libsvm index 1e30": (b"1 1:2\n2 1" + b"0" * 30 + b":3\n3 1:4\n4 1:5\n", "line 2"),
    "libsvm underscore": (b"1 1:2\n2 1:1_0\n3 1:4\n4 1:5\n", "line 2"),
    "libsvm negative index": (b"1 1:2\n2 -7:3\n3 1:4\n4 1:5\n", "LIBSVM"),
    "libsvm falling indices": (b"1 2:2 1:3\n2 1:3\n3 1:4\n4 1:5\n", "LIBSVM"),
    "libsvm nan": (b"1 1:2\n2 1:nan\n3 1:4\n4 1:5\n", "not finite"),
    "libsvm without features": (b"1 1:1\n2 1:1\n3 1:1\n4 1:1\n", "constant"),
    "libsvm three rows": (b"1 1:1\n2 1:2\n3 1:4\n", "3 rows"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused(place, tmp_path, name):
    data, word = BAD[name]
    path = tmp_path / "data file"
    path.write_bytes(data)
    target = () if name.startswith("libsvm") else ("--target", "b")
    ended = forked(tmp_path, command("audit", WANG, "--data", path, *target), cwd=place)
    require_refusal(ended, 2, (word,))
    assert ended.out == "" and contents(place) == {}


def pipe(path):
    os.mkfifo(path)


def folder(path):
    path.mkdir()


def loop(path):
    path.symlink_to(path.name)


def hole(path):
    """A file that claims 8 GB and takes none."""
    with path.open("wb") as file:
        file.truncate(8 * 2**30)


@pytest.mark.parametrize("make", [pipe, folder, loop, hole])
@pytest.mark.parametrize("arguments", [("audit", WANG, "--data"), ("replay",)], ids=" ".join)
def test_what_is_no_file_of_usual_size_is_refused_without_reading(place, tmp_path, make, arguments):
    path = tmp_path / "strange"
    make(path)
    more = ("--target", "b") if arguments[0] == "audit" else ()
    ended = forked(tmp_path, command(*arguments, path, *more), cwd=place, memory=2 * 2**30)
    require_refusal(ended, 2, ("strange",))


def test_more_rows_than_memory_holds_are_refused_before_they_are_multiplied(place, tmp_path):
    path = tmp_path / "long.csv"
    rows = "".join(f"{i % 97},{i % 89}\n" for i in range(100_000))
    path.write_text("a,b\n" + rows)
    asked = command("audit", WANG, "--data", path, "--target", "b", "--rows", "50000")
    ended = forked(tmp_path, asked, cwd=place)
    require_refusal(ended, 2, ("50000 training rows", "--rows"))


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("zipped", [False, True])
def test_a_good_file_is_read_whatever_ends_its_lines(tmp_path, end, zipped):
    """Else the refusals above could come from a reader that refuses everything."""
    from boundcheck.worlds.data import load_data

    data = GOOD.replace("\n", end).encode()
    path = tmp_path / "data"
    path.write_bytes(gzip.compress(data[:9]) + gzip.compress(data[9:]) if zipped else data)
    world = load_data(str(path), "b")
    # A difference, a product, a quotient and a sum of numbers up to 2 round by 2^-53 of it each.
    expected = pytest.approx([-1, -0.6, -0.2, 0.2, 0.6, 1], abs=8 * 2.0**-53, rel=0)
    assert world.columns == ("a",) and world.x[:, 0].tolist() == expected
