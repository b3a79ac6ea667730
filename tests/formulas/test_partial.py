"""A printed part without a value everywhere is kept by SymPy, or the formula is refused."""

import pytest

from boundcheck.errors import InvalidArgument
from boundcheck.library import load_library
from boundcheck.skeleton import write_skeleton


@pytest.mark.parametrize("latex, words", [
    (r"\sqrt{x}\sqrt{x} \geq 0", r"has sqrt\(x\), .* unless x >= 0; "),
    (r"e^{\log x} \leq 1 + x^2", r"has log\(x\), .* unless x > 0; "),
    (r"x^2/x \leq 1 + x^2", r"has x\*\*2 / x, .* unless x != 0; "),
    (r"x^{a} x^{-a} y \leq 1 + y^2", r"has x\*\*a, .* unless x > 0 or a is whole; "),
    (r"\log x - \log x + x \geq -10", r"has log\(x\), .* unless x > 0; "),
    (r"(x^a)^2 \geq 0", r"unless x > 0 or a is whole"),
    (r"x^{0.5} x^{0.5} \geq -1", "unless x >= 0"),
    (r"\frac{x}{\sqrt{x}} \leq 1 + x", "unless x > 0"),
    (r"\frac{x}{y} \cdot \frac{y}{x} \leq z", r"has x / y, .* unless y != 0; "),
    (r"0 \cdot \log x \leq y", "unless x > 0"), (r"e^{-\log x} \leq 1", "unless x > 0"),
    (r"\frac{\|x\|^2}{\|x\|} \leq 1", r"unless norm\(x\) != 0"),
    (r"x^{-n} x^{n} y \leq 1", "unless x != 0"), (r"\mathbb{E}[X / X] \leq 2", "X.k. != 0"),
    (r"\tan x - \tan x \leq y", r"unless cos\(x\) != 0"),
    (r"\frac{\mathbb{E}[X]}{t} \cdot t \leq 1", "unless t != 0"),
    (r"\bar{X} \leq y \text{ with probability at least } 1 - \frac{\delta}{x} x", "unless x != 0"),
])  # fmt: skip
def test_what_sympy_cancels_is_refused(latex, words, tmp_path):
    with pytest.raises(InvalidArgument, match=words) as caught:
        write_skeleton("mine/formula", tmp_path, "scalar", latex)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize("latex, part", [
    (r"|\log(-2)| \leq 4 + x^2", r"log\(-2\)"), (r"\cos(\sqrt{-x^2}) \geq 1", r"sqrt\(-x\*\*2\)"),
    (r"|\sqrt{-x^2}| \leq 1 + x^2", r"sqrt\(-x\*\*2\)"),
    (r"|\sqrt{-|x|}| \leq 1 + x^2", r"sqrt\(-Abs\(x\)\)"),
    (r"|(-x^2)^{1/3}| \leq 4 + x^2", r"\(-x\*\*2\)\*\*Rational"),
    (r"\mathbb{P}(X \geq |\sqrt{-2}|) \leq 1", r"sqrt\(-2\)"),
    (r"x^{\sqrt{-2}^2} \leq 1", r"sqrt\(-2\)"), (r"y + \frac{x}{|\log 0|} \leq 1", r"log\(0\)"),
])  # fmt: skip
def test_a_part_that_is_no_real_number_is_refused(latex, part, tmp_path):
    """Moduli and cosines make reals of complex numbers again."""
    with pytest.raises(InvalidArgument, match=f"has {part}.*, which is no real number; correct it"):
        write_skeleton("mine/formula", tmp_path, "scalar", latex)


@pytest.mark.parametrize("latex", [
    r"\frac{x}{2 \cdot 3} + \frac{y}{1 + 1} \leq 1", r"\frac{\log n}{\log 2} \leq n + 2^{-3}",
    r"|x| \leq 2^{1/2} + 0.5^{0.5}", r"\log_2(3) x \leq \tan 1", r"|(-1)^n x| \leq 1 + x^2",
    r"|\sqrt{-x}| \leq 1 + x^2",
])  # fmt: skip
def test_parts_that_are_real_numbers_or_may_be_are_written(latex, tmp_path):
    assert write_skeleton("mine/formula", tmp_path, "scalar", latex)


@pytest.mark.parametrize("latex", [
    r"\frac{x^2 - 1}{x - 1} \leq x + 1", r"e^{\log n} \leq 1 + n^2", r"\sqrt{x^2} \leq 1 + x^2",
    r"\frac{1}{\sqrt{n}} \sqrt{n} \leq x", r"\sqrt{\frac{x}{y}} \leq 1 + x", r"(x/y)^2 \geq 0",
    r"|1/x| \geq 0", r"\log(1/x) \leq 1/x", r"\frac{x}{1 + x^2} (1 + x^2) \leq y",
    r"(1 - \eta)^T \leq e^{-\eta T}", r"\sum_{t=1}^T \rho \rho^t \leq 1", r"2^{x} 2^{-x} \leq y",
    r"\left(\sqrt{\sum_{i=1}^n x_i^2}\right)^2 \leq n", r"\frac{x^2}{x (x - y)} + \frac1x \leq z",
    r"\frac{1}{1 - x} + \frac{x - 1}{x - 1} \leq 2", r"\log x + \frac{x}{\sqrt{x}} \leq y",
])  # fmt: skip
def test_what_keeps_its_meaning_is_written(latex, tmp_path):
    write_skeleton("mine/formula", tmp_path, "scalar", latex)
    assert "mine/formula:printed" in load_library(tmp_path).claims
