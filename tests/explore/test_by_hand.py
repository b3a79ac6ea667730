"""Answers over the four sources against their formulas, written down anew in mpmath.

At each answer the formula of the paper holds, and one below (or one part in 10^9 below) it fails.
"""

import mpmath
import pytest
from mpmath import exp, log, mpf, sqrt

from boundcheck.explore import require
from boundcheck.library import load_library

DIGITS = 400
LIBRARY = load_library(None, ["wang2019/theorem_1", "wu2021/theorem_4_2", "wu2021/theorem_4_3",
                              "yashima2021/theorem_3", "yashima2021/theorem_3_full",
                              "livni2017/theorem_1"])  # fmt: skip
MARGIN = "0.3"


def ridge(b, s, delta, n, lam, **_):
    """Theorem 1 of wang2019: lambda >= 2 b sqrt(log(s / delta) / n)."""
    return lam >= 2 * b * sqrt(log(s / delta) / n)


def noiseless(n, epsilon, B, L, Q, lam, delta, **_):
    """Theorem 4.2 of wu2021, repaired: B sqrt(log(1/delta) / 2n) + 2 L Q / sqrt n + lambda Q."""
    return B * sqrt(log(1 / delta) / (2 * n)) + 2 * L * Q / sqrt(n) + Q * lam <= epsilon


def noisy(n, epsilon, Q, sigma, lam, delta, **_):
    """Theorem 4.3 of wu2021 with its constants."""
    deviation = sqrt(log(2 / delta) / (2 * n)) * (sigma**2 + (sigma + 2) ** 2)
    capacity = (Q + sigma**2 / lam) * (4 * sigma + 8) / sqrt(n)
    return Q * lam + deviation + capacity <= epsilon


def margin():
    return log((1 + 2 * mpf(MARGIN)) / (1 - 2 * mpf(MARGIN)))


def descent(t, gamma, lam, L, **_):
    """(28) of yashima2021 with R = 1: 2 exp(-lambda^2 m^2 (2 gamma + t) / (2^12 9 L^2))."""
    return 2 * exp(-(lam**2) * margin() ** 2 * (2 * gamma + t) / (36864 * L**2)) <= mpf("0.01")


def samples(m, B, T, **_):
    """Theorem 1 of livni2017: m >= B^4 T log(B T)."""
    return m >= B**4 * T * log(B * T)


def repaired_samples(m, B, T, **_):
    """The same with its constant: m >= B^2 T (16 B + 1)^2 log((sqrt T + T (16 B + 1))^2)."""
    return m >= B**2 * T * (16 * B + 1) ** 2 * log((sqrt(T) + T * (16 * B + 1)) ** 2)


def rounds(T, B, epsilon, **_):
    return T >= 64 * B**2 and T >= 400 * B**2 / (9 * epsilon**2)


WANG, E_42, E_43 = "wang2019/theorem_1:printed", "wu2021/theorem_4_2:accuracy", (
    "wu2021/theorem_4_3:accuracy"
)  # fmt: skip
CASES = [
    (WANG, "lambda", "n=10^12 s=1000 delta=0.01 b=3", ridge),
    (WANG, "lambda", "n=10^400 s=10^300 delta=1e-50 b=10^100", ridge),
    (WANG, "s", "n=10^6 delta=0.01 b=3 lambda=0.02", ridge),
    (WANG, "n", "s=10^30 delta=1e-20 b=7 lambda=1e-9", ridge),
    (WANG, "-b", "n=100 s=1000 delta=0.01 lambda=1/7", ridge),
    (WANG, "delta", "s=50 b=1 n=10^5 lambda=1/70", ridge),
    (E_42, "n", "epsilon=1e-6 B=2 L=3 Q=5 delta=1e-9 lambda=1e-8", noiseless),
    (E_42, "lambda", "epsilon=1/2 B=2 L=3 Q=5 delta=1e-9 n=10^6", noiseless),
    (E_42, "epsilon", "n=12345 B=2 L=3 Q=5 delta=0.05 lambda=1e-3", noiseless),
    (E_42, "-Q", "n=12345 B=2 L=3 epsilon=0.4 delta=0.05 lambda=1e-3", noiseless),
    (E_43, "n", "epsilon=1e-5 Q=2 sigma=0.3 delta=1e-3 lambda=1e-6", noisy),
    (E_43, "lambda", "epsilon=0.3 Q=2 sigma=0.3 delta=1e-3 n=10^7", noisy),
    (E_43, "-lambda", "epsilon=0.3 Q=2 sigma=0.3 delta=1e-3 n=10^7", noisy),
    (E_43, "-sigma", "epsilon=0.15 Q=2 delta=1e-3 n=10^7 lambda=0.05", noisy),
    ("wu2021/theorem_4_3:explicit", "n", "Q=2 sigma=1 delta=0.1 lambda=Q/1000 epsilon:0.1", noisy),
    ("wu2021/theorem_4_3:explicit", "n", "Q=2 sigma=1 delta=0.1 lambda=n^(-1/4)/100 epsilon:0.1",
     noisy),
    ("yashima2021/theorem_3_full:aistats", "t",
     "gamma=500000 delta=0.3 R=1 height=1 stretch=1 lambda=m/40 L:1 tail:0.01", descent),
    ("yashima2021/theorem_3:aistats", "t",
     "gamma=500 delta=0.3 R=1 height=1/4 stretch=1 lambda=0.001 T=10^8 start_gap=1 L:1/4 "
     "epsilon:0.01", descent),
    ("livni2017/theorem_1:printed", "m", "B=3 T=10^9", samples),
    ("livni2017/theorem_1:printed", "T", "B=3 m=10^15", samples),
    ("livni2017/theorem_1:mean_regret", "m", "B=2 T=17778 epsilon=0.1", repaired_samples),
    ("livni2017/theorem_1:mean_regret", "T", "B=2 epsilon=1e-7 m=10^60", rounds),
]  # fmt: skip


def asked(words):
    """Values for `require` and its target from NAME=VALUE; NAME:VALUE is for the formula alone."""
    given = dict(word.split("=") for word in words.split() if "=" in word)
    beside = dict(word.split(":") for word in words.split() if ":" in word)
    bound = beside.get("tail") or beside.get("epsilon")
    side = "tail_bound" if "tail" in beside else "rhs"
    return given, beside, f"{side} <= {bound}" if bound else None


@pytest.mark.parametrize(("key", "symbol", "words", "formula"), CASES)
def test_the_formula_holds_at_the_answer_and_fails_beside_it(key, symbol, words, formula):
    given, beside, target = asked(words)
    name, sense = symbol.lstrip("-"), "greatest" if symbol.startswith("-") else None
    need = require(LIBRARY[key], name, given, target, sense=sense)
    with mpmath.workdps(DIGITS):
        answer = mpf(str(need.answer))
        step = -1 if need.sense == "least" else 1
        whole = isinstance(need.answer, int)
        beyond = answer + step if whole else answer * (1 + step * mpf("1e-9"))
        assert formula(**numbers({**given, **beside}, name, answer))
        assert not formula(**numbers({**given, **beside}, name, beyond))


def numbers(words, name, value):
    """Names of a formula to numbers, the value asked for among them."""
    known = {"m": margin(), name: value}
    for key, text in words.items():
        known[key] = number_of(text, known)
    known["lam"] = known.pop("lambda") if "lambda" in known else None
    return known


def number_of(text, known):
    """The few forms of values that the cases have."""
    if text == "m/40":
        return known["m"] / 40
    if text == "Q/1000":
        return known["Q"] / 1000
    if text == "n^(-1/4)/100":
        return known["n"] ** (-mpf(1) / 4) / 100
    base, _, power = text.partition("^")
    top, _, bottom = base.partition("/")
    return (mpf(top) / mpf(bottom or 1)) ** int(power or 1)


def test_an_end_beyond_what_was_tried_is_not_denied():
    """The greatest s is floor(exp(348974/4)/10), a number of more than 2^125000."""
    known = {"n": 348974, "delta": "0.1", "b": 1, "lambda": 1}
    found = require("wang2019/theorem_1:printed", "s", known)
    assert "that was tried will do, over the magnitudes up to 2^8000" in str(found)
