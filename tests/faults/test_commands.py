"""Worlds, constants, diagnoses, differences, templates and re-checks asked for in wrong ways."""

from __future__ import annotations

import pytest

from .forked import command, contents, forked, require_refusal
from .test_arguments import CONTROL, FALSE, LONG

WORLDS = [
    b"", b"{", b"[]", b"7", b'{"u":1}', b'{"u":1,"v":1,"n":1,"w":2}', b'{"u":null,"v":1,"n":1}',
    b'{"u":true,"v":1,"n":1}', b'{"u":{"a":1},"v":1,"n":1}', b'{"u":"1/0","v":1,"n":1}',
    b'{"u":"x","v":1,"n":1}', b'{"u":1e999,"v":1,"n":1}', b'{"u":NaN,"v":1,"n":1}',
    b'{"u":"sqrt(2)","v":1,"n":1}', b'{"u":"1","u":1,"v":1,"n":1}', b"\xff", b"[" * 100_000,
    b'{"u":"' + b"9" * 200_000 + b'","v":1,"n":1}', b'{"\\u001b[31m":1}',
    b'{"u":"10^10^10","v":1,"n":1}', b'{"u":' + b"9" * 5000 + b',"v":1,"n":1}', b"\0",
]  # fmt: skip
LISTS = ["", "[", "[1", "{}", "[" * 200, "nan", "inf", "1/0", LONG, "[1/0]", "['a']", "[,]",
         "[1,,2]", "[1 2]", CONTROL, "\x00", "pi", "I", "1+", "u"]  # fmt: skip
AT = [
    ["--witness", "missing/x.json"], ["--witness", "."], ["--witness", "n" * 300],
    ["--witness", ""], ["--world", "/dev/null"], ["--world", "."], ["--world", "missing"],
    ["--world", "n" * 300], ["--world", ""], ["--set", "u"], ["--set", "q=1"], ["--set", ""],
    ["--set", "u=2"],
]  # fmt: skip
KEYS = ["nothing", "", "mine", CONTROL, "k" * 5000, "/", "mine/lemma_2:no", "\x00"]
OPTIONS = [["--budget", "x"], ["--seed", "-1"], ["--seed", "1e3"], ["--seed", str(10**30)],
           ["--budget", CONTROL], ["--frob"], ["--budget"]]  # fmt: skip
PLANS = [
    ["nothing", "--target", "v<=1"], [FALSE, "--target", ""], [FALSE, "--target", "v"],
    [FALSE, "--target", "v <= 1/0"], [FALSE, "--target", "w <= 1"], [FALSE, "--minimise", ""],
    [FALSE, "--minimise", "w"], [FALSE, "--minimise", "u <= 1"], [FALSE, "--minimise", "1/0"],
    [FALSE, "--minimise", "(" * 70], [FALSE, "--minimise", LONG], [FALSE, "--minimise", CONTROL],
    [FALSE, "--set", "u"], [FALSE, "--set", "q=1"], [FALSE, "--set", "u=1/0"], [],
    [FALSE, "--set", "u=1", "--set", "u=2"], [FALSE, "nothing"], [FALSE, "--minimise", "\x00"],
    [FALSE, "--target", "v <= " + LONG], [FALSE, "--minimise", "n", "--set", "n=nan"],
    [FALSE, "--minimise", "n", "--set", "u=[1]"], [CONTROL], [""],
]  # fmt: skip
DIFFERENCES = [[FALSE], [FALSE, "nothing"], ["nothing", FALSE], ["", "x"], [FALSE, CONTROL],
               ["mine", FALSE], [FALSE, FALSE, FALSE]]  # fmt: skip
NEW = [
    ["--kind", "x"], ["--kind", ""], ["--kind", CONTROL], ["--latex", "\\frac{"], ["--latex", "x"],
    ["--latex", "{" * 500], ["--latex", LONG], ["--latex", "\x00"], ["--latex", "a <= "],
    ["--latex", "\\input{/etc/passwd} \\leq 1"], ["--latex", CONTROL], ["--latex"],
]  # fmt: skip
ERRATA = [
    [], ["nothing"], [""], ["mine", "--format", "pdf"], ["mine", "--format", ""],
    ["mine", "--format", CONTROL], ["mine", "--jobs", "0"], ["mine", "--seed", "-1"],
]  # fmt: skip
REPLAYS = [["x.json", "--key", ""], [".", "--key", "x"], ["."], ["missing"], [""], ["\x00"],
           ["x", "--limit", "wall=0"], ["x", "--limit", "frob"], ["x", "--frob"]]  # fmt: skip


def _cases():
    for value in LISTS:
        given = ["--set", "v=1", "--set", "n=1", "--set", f"u={value}"]
        yield f"at u={value}", ["at", FALSE, *given]
    for more in AT:
        given = ["--set", "u=1", "--set", "v=1/2", "--set", "n=9"]
        yield f"at {' '.join(more)}", ["at", FALSE, *given, *more]
    for name in ("at", "sharpen", "diagnose"):
        for key in KEYS:
            if (name, key) != ("diagnose", "mine"):  # a diagnosis is of many
                yield f"{name} {key}", [name, key]
    for options in OPTIONS:
        yield f"sharpen {' '.join(options)}", ["sharpen", FALSE, *options]
    for name, rows in (("plan", PLANS), ("diff", DIFFERENCES), ("errata", ERRATA),
                       ("replay", REPLAYS)):  # fmt: skip
        for row in rows:
            yield f"{name} {' '.join(row)}", [name, *row]
    for row in NEW:
        yield f"new {' '.join(row)}", ["new", "a/b", *row]


CASES = dict(_cases())


@pytest.mark.parametrize("name", CASES, ids=lambda name: ascii(name)[1:70].replace("/", "|"))
def test_refused_in_one_line_and_nothing_is_left(root, place, tmp_path, name):
    own = place / "own" if CASES[name][0] == "new" else root
    library = contents(root)
    ended = forked(tmp_path, command(*CASES[name], "--root", own), cwd=place)
    require_refusal(ended, 2, ())
    assert ended.out == "" and contents(place) == {} and contents(root) == library


@pytest.mark.parametrize("place_in_table", range(len(WORLDS)))
def test_a_file_that_holds_no_world_is_refused(root, place, tmp_path, place_in_table):
    path = tmp_path / "world.json"
    path.write_bytes(WORLDS[place_in_table])
    ended = forked(tmp_path, command("at", FALSE, "--world", path, "--root", root), cwd=place)
    require_refusal(ended, 2, ())
    assert ended.out == "" and contents(place) == {}
