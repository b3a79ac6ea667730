"""What people type: commands, options, numbers, expressions, keys and names."""

from __future__ import annotations

import pytest

from .forked import command, contents, forked, require_refusal

LONG = "9" * 5000
CONTROL = "\x1b[31mred\x07"
FALSE = "mine/lemma_2"
WANG = "wang2019/theorem_1"

USAGE = [
    (["frobnicate"], "frobnicate"), (["--frobnicate"], "--frobnicate"), (["show"], "key"),
    (["diff", FALSE], "second"), (["require", FALSE], "symbol"), (["replay"], "witness"),
    (["audit", WANG], "--data"), (["new"], "STATEMENT"),
    (["list", "--root"], "--root"), (["verify", "--jobs"], "--jobs"), (["list", "-x"], "-x"),
    (["verify", "--seed", "1", "--frob"], "--frob"), (["show", "a", "b"], "b"),
    (["diff", "a", "b", "c"], "c"), (["show", "--root", "@root", "--json", FALSE], "--json"),
    (["report", "--out"], "--out"), (["verify", "--memory"], "--memory"),
]  # fmt: skip
LIMITS = ["", "x", "wall", "wall=", "wall=x", "wall=-1", "wall=0", "wall=nan", "wall=inf",
          "processor=1e400", "memory=x", "memory=-1", "memory=0", "memory=" + LONG, "frob=1",
          "memory=9" + "9" * 40 + "G", CONTROL]  # fmt: skip
NO_INTEGERS = ["x", "", "1.5", "1e3", "nan", "inf", "0x10", " ", CONTROL, "١٢x", "--", LONG + "x"]
INTEGERS = [
    *[([name, "--seed", value], value) for name in ("verify", "report") for value in NO_INTEGERS],
    *[(["verify", "--jobs", value], value) for value in ("x", "1.5", "")],
    *[(["figures", "livni2017", "--runs", value], value) for value in ("x", "2.5")],
    *[(["audit", WANG, "--data", "diabetes", "--rows", value], value) for value in ("x", "1e2")],
]
NO_FLOATS = ["x", "", "1/2", "1,5", "0.5.5", CONTROL]
FLOATS = [
    (["audit", WANG, "--data", "diabetes", option, value], value)
    for option in ("--lambda", "--delta") for value in NO_FLOATS
]  # fmt: skip
RANGES = [
    (["verify", "--seed", "-1"], "--seed -1"), (["verify", "--seed", str(10**20)], str(10**20)),
    (["verify", "--seed", str(2**63)], "2^63"), (["report", "--seed", str(10**300)], "--seed"),
    (["verify", "--jobs", "0"], "--jobs 0"), (["verify", "--jobs", "-3"], "--jobs -3"),
    (["verify", "--jobs", str(10**9)], "--jobs"), (["verify", "--budget", ""], "''"),
    (["verify", "--budget", "huge"], "huge"), (["verify", "--budget", CONTROL], "quick"),
    (["verify", "--budget", "q" * 5000], "quick"), (["report", "--budget", "QUICK"], "QUICK"),
    (["replay", "x.json", "--seed", "-1"], "--seed -1"),
    (["replay", "x.json", "--seed", str(10**20)], "--seed"),
    (["figures", "livni2017", "--seed", "-1"], "--seed -1"),
    (["figures", "yashima2021", "--seed", str(10**20)], "--seed"),
    (["figures", "livni2017", "--runs", "0"], "--runs 0"),
    (["figures", "livni2017", "--runs", str(10**12)], "--runs"),
    (["figures", "livni2017", "--jobs", "-1"], "--jobs -1"),
    (["figures", "livni2017", "--jobs", str(10**7)], "--jobs"),
    (["figures", "yashima2021", "--iterations", "-5"], "--iterations -5"),
    (["figures", "yashima2021", "--iterations", str(10**18)], "--iterations"),
    (["figures", "wang2019", "--iterations", "5"], "--iterations"),
    (["figures", "livni2017", "--data", "x.csv"], "--data"),
    (["figures", "--data", "x.csv"], "name it"), (["figures", "--iterations", "9"], "name it"),
    (["figures", "wang2019", "--data", "missing.csv:y"], "missing.csv"),
    (["figures", "wang2019", "--data", ""], "''"),
    (["figures", "nowhere"], "'nowhere'"), (["figures", ""], "''"), (["figures", ".."], "'..'"),
    (["benchmark", "nowhere"], "'nowhere'"), (["benchmark", "yashima2021", "--share", "0"], "0"),
    *[(["benchmark", "yashima2021", "--share", v], "(0, 1]") for v in ("-1", "2", "nan", "inf")],
]  # fmt: skip
AUDIT = [
    ("--lambda", "0", "--lambda"), ("--lambda", "-1", "--lambda"), ("--lambda", "nan", "--lambda"),
    ("--lambda", "inf", "--lambda"), ("--lambda", "1e-320", "--lambda"),
    ("--lambda", "1e308", "--lambda"), ("--lambda", "1e-300", "--lambda"),
    ("--lambda", "1e400", "--lambda"), ("--delta", "0", "--delta"), ("--delta", "1", "--delta"),
    ("--delta", "nan", "--delta"), ("--delta", "-0.1", "--delta"), ("--delta", "1e-320", "--delta"),
    ("--delta", "inf", "--delta"), ("--features", "0", "--features"),
    ("--features", "-7", "--features"), ("--features", str(10**20), "--features"),
    ("--features", str(10**7), "--features"), ("--repeats", "1", "--repeats"),
    ("--repeats", str(10**12), "--repeats"), ("--rows", "1", "--rows"),
    ("--rows", str(-(10**30)), "--rows"), ("--seed", "-1", "--seed"),
    ("--seed", str(10**20), "--seed"), ("--kernel", "", "rbf"), ("--kernel", CONTROL, "rbf"),
    ("--kernel", "k" * 5000, "rbf"), ("--target", "nothing", "nothing"), ("--target", "", "''"),
    ("--target", CONTROL, "column"),
]  # fmt: skip
VALUES = [
    "", " ", "=", "x", "nan", "inf", "-inf", "1e", "1..2", "1e999999", "1e-999999", "1e60000",
    "10^10^10", "10^(10^5)", "9^9^9^9", "2^200001", "(2)^(-300000)", LONG, "1/" + LONG, "0." + LONG,
    "1/0", "0^-1", "log(0)", "log(-1)", "sqrt(-1)", "exp(20000)", "floor(exp(50))", "max()", "1 2",
    "1,2", "(", ")", "(1", "1)", "((((1", "(" * 60 + "1" + ")" * 60, "-" * 100 + "1", "1 <= 2",
    "u < v < 1", "open(1)", "__import__('os')", "lambda: 1", "u.__class__", "u[0]", "{1}", "'1'",
    "1;2", "1\n2", CONTROL, "\x00", "１e9_", "1_000", "0x10", "pi(1)", "sqrt",
    "sqrt(1,2)", "u", "v", "-1", "3", "2.0000001", "10^4000", "1e4000", "1+1+1" * 900, "\ud800",
    "🙂", "\u202e1",
]  # fmt: skip
TARGETS = [
    "", "v", "1", "1 <= 2", "v >= 3", "v <= -1", "v = 7", "v <= w", "v <= 1 <= 2", "v <=", "<= v",
    "v ! 1", "v <= 1/0", "v <= 10^10^10", "v <= " + LONG, "v <= 1e99999", "v <= log(0)", "v == nan",
    "rhs <= -10^4000", "v >= 10^4000", "v <= " + "(" * 50 + "1" + ")" * 50, CONTROL, "v <= \x00",
    "lhs", "v <= open('/etc/passwd')", "v =< 1", "v in (0, 1)", "v and 1", "v <= 1; v >= 2",
]  # fmt: skip
SYMBOLS = ["w", "", " ", "lambda", "1", "u+v", CONTROL, "v" * 5000, "\x00", "🙂", "__class__"]
KEYS = [
    "", " ", "/", ":", "mine", "mine/", "mine/lemma", "mine/lemma_2:", "mine/lemma_2:nothing",
    "mine/lemma_9", "nothing/at_all", "../mine/lemma_2", "/etc/passwd", "mine\\lemma_2", "*", "?*",
    "[", "[z]*", "mine/lemma_2:printed ", CONTROL, "k" * 5000, "\x00", "🙂", "\ud800", "**", "-1",
]  # fmt: skip
ACCEPTED = {
    "show": ["mine/lemma"],
    "verify": ["mine", "mine/", "mine/lemma", "mine/lemma_2:", "*", "?*", "**"],
}
NAMES = [
    "", "/", "a", "a/", "/b", "a/b/c", "a//b", "../x/y", "a/../b", "1a/b", "a/1b", "a-b/c", "a/b.c",
    "class/x", "x/class", "_a/b", "a/_b", "a/__init__", "a/conftest", "a b/c", "a/b c", CONTROL,
    "a/" + "b" * 300, "a" * 300 + "/b", "a/b:c", "a/\x00", "🙂/x", "a/None",
]  # fmt: skip
ROOTS = [
    "", "missing", "/dev/null", "/etc/hostname", "missing/deeper", "r" * 300, "r/" * 3000,
    CONTROL, "\x00", "\ud800",
]  # fmt: skip


EXTREMES = [
    (["--lambda", "1e-12", "--features", "300", "--rows", "50"], 2, "singular"),
    (["--lambda", "1e12", "--rows", "2"], 0, "measured"),
    (["--delta", "1e-100", "--rows", "20"], 0, "NOT met"),
    (["--delta", "0.999999", "--rows", "20", "--features", "1"], 0, "measured"),
]


@pytest.mark.parametrize(("options", "code", "word"), EXTREMES)
def test_ends_of_the_ranges_of_audit_end_in_an_answer_or_a_line(
    root, place, tmp_path, options, code, word
):
    arguments = ["audit", WANG, "--data", "diabetes", "--repeats", "2", *options]
    ended = forked(tmp_path, command(*arguments), cwd=place)
    if code:
        require_refusal(ended, code, (word,))
    else:
        assert (ended.code, ended.err) == (0, "") and word in ended.out


def _cases():
    for group, rows in (
        ("usage", USAGE), ("integer", INTEGERS), ("float", FLOATS), ("range", RANGES),
    ):  # fmt: skip
        for arguments, word in rows:
            yield f"{group} {' '.join(arguments)}", arguments, word
    for value in LIMITS:
        yield f"limit {value}", ["verify", FALSE, "--limit", value], ""
    for arguments in (
        ["diagnose"], ["diagnose", "nothing"], ["diagnose", FALSE, "--budget", "x"],
        ["diagnose", FALSE, "--seed", "-1"], ["diagnose", FALSE, "--seed", str(10**20)],
        ["diagnose", FALSE, "--jobs", "0"], ["diagnose", FALSE, "--json", "missing/x.json"],
        ["diagnose", FALSE, "--json", "n" * 300], ["diagnose", ""],
    ):  # fmt: skip
        yield f"diagnose {' '.join(arguments[1:])}", arguments, ""
    for option, value, word in AUDIT:
        yield f"audit {option} {value}", ["audit", WANG, "--data", "diabetes", option, value], word
    for value in VALUES:
        yield f"set u={value}", ["require", FALSE, "v", "--set", f"u={value}"], ""
    for value in sorted(set(VALUES) - {"u", "v", "3", "10^4000", "1e4000"}):  # of use
        yield f"set n={value}", ["show", FALSE, "--set", f"n={value}"], ""
    for pair in ("u", "=1", "u==1", "==", "", "u=1=2", "w=1", "u =", " =1", CONTROL, "u" * 5000):
        yield f"pair {pair}", ["require", FALSE, "v", "--set", pair], ""
    yield "twice", ["require", FALSE, "v", "--set", "u=1", "--set", "u=1"], "u is given twice"
    for text in TARGETS:
        yield f"target {text}", ["require", FALSE, "v", "--set", "u=1", "--target", text], ""
    for name in SYMBOLS:
        yield f"symbol {name}", ["require", FALSE, name, "--set", "u=1"], ""
    for key in KEYS:
        for name in ("show", "verify"):
            if key not in ACCEPTED[name]:
                yield f"{name} {key}", [name, key], ""
    for name in NAMES:
        yield f"new {name}", ["new", name, "--root", "@place/own"], ""
    for folder in ROOTS:
        yield f"root {folder}", ["list", "--root", folder], ""
        yield f"new root {folder}", ["new", "a/b", "--root", f"/dev/null/{folder}"], ""


CASES = list({case[0]: case for case in _cases()}.values())


def _id(text: str) -> str:
    return ascii(text)[1:70].replace("/", "|")


@pytest.mark.parametrize(
    ("arguments", "word"), [case[1:] for case in CASES], ids=[_id(case[0]) for case in CASES]
)
def test_refused_in_one_line_and_nothing_is_left(root, place, tmp_path, arguments, word):
    """Exit 2, one line that names the value, the rule and a remedy, and no file anywhere."""
    arguments = [t.replace("@place", str(place)).replace("@root", str(root)) for t in arguments]
    if "--root" not in arguments and not {"audit", "figures", "benchmark"} & set(arguments):
        arguments[1:1] = ["--root", str(root)]
    library = contents(root)
    ended = forked(tmp_path, command(*arguments), cwd=place)
    require_refusal(ended, 2, (word,) if word.isprintable() and len(word) < 200 else ())
    assert ended.out == ""
    assert contents(place) == {} and contents(root) == library
