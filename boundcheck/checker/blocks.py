"""Matrices of few parts written out: sums, products, inverses, determinants, eigenvalues.

Each is constant within copies, but for a multiple of the unit matrix: c I + B, B the entries of the
parts. With T, how often each part stands there, the product of two is
c c' I + c B' + c' B + B T B', and the inverse I / c - (c I + B T)^-1 B / c, by a system of as many
equations as there are parts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING

import sympy
from flint import fmpq
from sympy import Abs, Max, Min, Rational, exp, sqrt

from boundcheck.arithmetic import is_exact
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import Apply, rank_of

if TYPE_CHECKING:
    from boundcheck.checker.writing import Key, Places, Writing

MOST = 3  # parts of a matrix that is inverted, and experts
HIGHEST = 4  # power of a matrix
ZERO, ONE = sympy.Integer(0), sympy.Integer(1)
HALF = Rational(1, 2)
Lines = list[list[sympy.Expr]]


@dataclass(frozen=True)
class Block:
    """c I + B. Args: grid: the entries of B, one of each pair of parts; unit: c."""

    rows: Key
    cols: Key
    grid: Lines
    unit: sympy.Expr = ZERO


def block(writing: Writing, expr: sympy.Basic, at: Places) -> Block:
    """A matrix written out. Raises: Unwritten where no rule does."""
    if isinstance(expr, Named):
        return block(writing, expr.body, at)
    if isinstance(expr, sympy.Symbol) and expr.name not in writing.fields:
        return block(writing, writing.definition(expr), at)
    rule = BLOCKS.get(expr.primitive.standard) if isinstance(expr, Apply) else None
    if rule is not None:
        return rule(writing, expr, at)
    if isinstance(expr, sympy.Add):
        return reduce(lambda one, other: _sum(writing, one, other),
                      [block(writing, arg, at) for arg in expr.args])  # fmt: skip
    if isinstance(expr, sympy.Mul) and all(rank_of(arg) in (0, 2) for arg in expr.args):
        return _product(writing, expr, at)
    if isinstance(expr, sympy.Pow) and rank_of(expr.base) == 2:
        return _power(writing, expr, at)
    return Block(*writing.table(expr, at))


def _identity(writing: Writing, node: Apply, at: Places) -> Block:
    key = writing.key(node.operands[0])
    count = writing.parts.count(key)
    return Block(key, key, [[ZERO] * count for _ in range(count)], ONE)


def _diagonal(writing: Writing, node: Apply, at: Places) -> Block:
    key, row = writing.vector(node.operands[0], at)
    if key == writing.parts.grown:
        raise writing.unwritten(node)
    return Block(key, key, [[entry if a == b else ZERO for b in range(len(row))]
                            for a, entry in enumerate(row)])  # fmt: skip


def _outer(writing: Writing, node: Apply, at: Places) -> Block:
    (rows, left), (cols, right) = (writing.vector(each, at) for each in node.operands)
    return Block(rows, cols, [[a * b for b in right] for a in left])


def _transposed(writing: Writing, node: Apply, at: Places) -> Block:
    found = block(writing, node.operands[0], at)
    turned = [list(line) for line in zip(*found.grid, strict=True)]
    return Block(found.cols, found.rows, turned, found.unit)


def _root(writing: Writing, node: Apply, at: Places) -> Block:
    """(A + sqrt(det A) I) / sqrt(tr A + 2 sqrt(det A)) for A of two rows that is no zero."""
    found = block(writing, node.operands[0], at)
    grid = _whole(writing, node, at)
    if len(grid) == 1:
        writing.needed.append(sympy.Ge(grid[0][0], 0))
        return replace(found, grid=[[sqrt(grid[0][0])]], unit=ZERO)
    _require_symmetric(writing, grid, node)
    det, whole = determinant_of(grid), grid[0][0] + grid[1][1]
    writing.needed += [sympy.Ge(det, 0), sympy.Gt(whole, 0)]
    shift = sqrt(det)
    scale = sqrt(whole + 2 * shift)
    return replace(found, unit=ZERO, grid=[
        [(entry + (shift if a == b else ZERO)) / scale for b, entry in enumerate(line)]
        for a, line in enumerate(grid)])  # fmt: skip


BLOCKS: dict[str, Callable[[Writing, Apply, Places], Block]] = {
    "identity": _identity, "diagonal": _diagonal, "outer": _outer, "transpose": _transposed,
    "matrix_root": _root,
}  # fmt: skip


def folded(writing: Writing, found: Block, expr: sympy.Basic) -> Lines:
    """The entries of a matrix, one of each pair of parts.

    Raises: Unwritten where entries of copies differ.
    """
    if found.unit == 0:
        return found.grid
    if found.rows == writing.parts.grown:
        raise writing.unwritten(expr)
    return [[entry + (found.unit if a == b else ZERO) for b, entry in enumerate(line)]
            for a, line in enumerate(found.grid)]  # fmt: skip


def times(writing: Writing, found: Block, row: list[sympy.Expr]) -> list[sympy.Expr]:
    """The product with a vector."""
    counts = writing.parts.times(found.cols)
    made = [sympy.Add(*(m * a * b for m, a, b in zip(counts, line, row, strict=True)))
            for line in found.grid]  # fmt: skip
    if found.unit == 0:
        return made
    return [entry + found.unit * own for entry, own in zip(made, row, strict=True)]


def _sum(writing: Writing, one: Block, other: Block) -> Block:
    if (one.rows, one.cols) != (other.rows, other.cols):
        raise writing.unwritten(sympy.Symbol("a sum of matrices of different sizes"))
    grid = [[a + b for a, b in zip(*lines, strict=True)]
            for lines in zip(one.grid, other.grid, strict=True)]  # fmt: skip
    return replace(one, grid=grid, unit=one.unit + other.unit)


def _product(writing: Writing, expr: sympy.Mul, at: Places) -> Block:
    scalar = sympy.Mul(*(writing.number(arg, at) for arg in expr.args if rank_of(arg) == 0))
    found: Block | None = None
    waiting: list[sympy.Expr] | None = None  # a diagonal that multiplies what comes
    for arg in (arg for arg in expr.args if rank_of(arg) == 2):
        lines = isinstance(arg, Apply) and arg.primitive.standard == "diagonal"
        if lines and (arg != expr.args[-1] or found is not None):
            _, row = writing.vector(arg.operands[0], at)
            if found is not None:
                found = _scaled(writing, found, row, expr)
            elif waiting is None:
                waiting = row
            else:
                waiting = [a * b for a, b in zip(waiting, row, strict=True)]
            continue
        made = block(writing, arg, at)
        if waiting is not None:
            made, waiting = _of_lines(writing, made, waiting, expr), None
        found = made if found is None else multiplied(writing, found, made)
    if found is None or waiting is not None:
        raise writing.unwritten(expr)
    grid = [[scalar * entry for entry in line] for line in found.grid]
    return replace(found, grid=grid, unit=scalar * found.unit)


def _scaled(writing: Writing, found: Block, row: list[sympy.Expr], expr: sympy.Basic) -> Block:
    """Columns multiplied by numbers."""
    grid = folded(writing, found, expr)
    return replace(found, unit=ZERO, grid=[
        [entry * factor for entry, factor in zip(line, row, strict=True)] for line in grid])


def _of_lines(writing: Writing, found: Block, row: list[sympy.Expr], expr: sympy.Basic) -> Block:
    """Rows multiplied by numbers."""
    grid = folded(writing, found, expr)
    return replace(found, unit=ZERO, grid=[
        [entry * factor for entry in line] for line, factor in zip(grid, row, strict=True)])


def multiplied(writing: Writing, one: Block, other: Block) -> Block:
    """c c' I + c B' + c' B + B T B'."""
    if one.cols != other.rows:
        raise writing.unwritten(sympy.Symbol("a product of matrices of different sizes"))
    counts = writing.parts.times(one.cols)
    columns = list(zip(*other.grid, strict=True))
    grid = [[sympy.Add(*(m * a * b for m, a, b in zip(counts, line, column, strict=True)))
             for column in columns] for line in one.grid]  # fmt: skip
    for factor, rest in ((one.unit, other.grid), (other.unit, one.grid)):
        if factor != 0:
            grid = [[a + factor * b for a, b in zip(*lines, strict=True)]
                    for lines in zip(grid, rest, strict=True)]  # fmt: skip
    return Block(one.rows, other.cols, grid, one.unit * other.unit)


def _power(writing: Writing, expr: sympy.Pow, at: Places) -> Block:
    found = block(writing, expr.base, at)
    if found.rows != found.cols or not expr.exp.is_Integer or not 0 < abs(expr.exp) <= HIGHEST:
        raise writing.unwritten(expr)
    base = inverse(writing, found, expr) if expr.exp < 0 else found
    return reduce(lambda one, other: multiplied(writing, one, other), [base] * int(abs(expr.exp)))


def inverse(writing: Writing, found: Block, expr: sympy.Basic) -> Block:
    """I / c - (c I + B T)^-1 B / c. Raises: Unwritten for many parts, or copies without unit."""
    if len(found.grid) > MOST:
        raise writing.unwritten(expr)
    if found.rows != writing.parts.grown:
        return replace(found, grid=_inverted(writing, folded(writing, found, expr)), unit=ZERO)
    if found.unit == 0:
        raise writing.unwritten(expr)
    writing.needed.append(sympy.Ne(found.unit, 0))
    counts = writing.parts.times(found.rows)
    system = [[entry * m + (found.unit if a == b else ZERO)
               for b, (entry, m) in enumerate(zip(line, counts, strict=True))]
              for a, line in enumerate(found.grid)]  # fmt: skip
    solved = _inverted(writing, system)
    columns = list(zip(*found.grid, strict=True))
    grid = [[-sympy.Add(*(a * b for a, b in zip(line, column, strict=True))) / found.unit
             for column in columns] for line in solved]  # fmt: skip
    return replace(found, grid=grid, unit=1 / found.unit)


def _inverted(writing: Writing, grid: Lines) -> Lines:
    """By minors over the determinant, which must not vanish."""
    det = determinant_of(grid)
    writing.needed.append(sympy.Ne(det, 0))
    size = range(len(grid))
    return [[(-1) ** (a + b) * determinant_of(_without(grid, b, a)) / det for b in size]
            for a in size]  # fmt: skip


def _without(grid: Lines, row: int, col: int) -> Lines:
    return [[entry for b, entry in enumerate(line) if b != col]
            for a, line in enumerate(grid) if a != row]  # fmt: skip


def determinant_of(grid: Lines) -> sympy.Expr:
    """By the first row."""
    if not grid:
        return ONE
    return sympy.Add(*((-1) ** b * entry * determinant_of(_without(grid, 0, b))
                       for b, entry in enumerate(grid[0])))  # fmt: skip


def _require_symmetric(writing: Writing, grid: Lines, expr: sympy.Basic) -> None:
    """Raises: Unwritten unless a matrix has two parts a side and is seen to be symmetric."""
    if len(grid) != 2 or len(grid[0]) != 2 or sympy.expand(grid[0][1] - grid[1][0]) != 0:
        raise writing.unwritten(expr)


# Numbers.


def trace(writing: Writing, node: Apply, at: Places) -> sympy.Expr:
    """With copies counted."""
    found = block(writing, node.operands[0], at)
    if found.rows != found.cols:
        raise writing.unwritten(node)
    counts = writing.parts.times(found.rows)
    return sympy.Add(*(m * (found.grid[a][a] + found.unit) for a, m in enumerate(counts)))


def frobenius_norm(writing: Writing, node: Apply, at: Places) -> sympy.Expr:
    """With copies counted."""
    found = block(writing, node.operands[0], at)
    down, across = writing.parts.times(found.rows), writing.parts.times(found.cols)
    square = sympy.Add(*(m * k * found.grid[a][b] ** 2 for a, m in enumerate(down)
                         for b, k in enumerate(across)))  # fmt: skip
    if found.unit != 0:
        square += sympy.Add(*(m * (2 * found.unit * found.grid[a][a] + found.unit**2)
                              for a, m in enumerate(down)))  # fmt: skip
    return sqrt(square)


def form(writing: Writing, node: Apply, at: Places) -> sympy.Expr:
    """v^T A v."""
    found = block(writing, node.operands[0], at)
    key, row = writing.vector(node.operands[1], at)
    if (found.rows, found.cols) != (key, key):
        raise writing.unwritten(node)
    counts = writing.parts.times(key)
    return sympy.Add(*(m * a * b for m, a, b in zip(
        counts, row, times(writing, found, row), strict=True)))  # fmt: skip


def determinant(writing: Writing, node: Apply, at: Places) -> sympy.Expr:
    """Of a matrix none of whose parts is copied."""
    grid = _whole(writing, node, at)
    if len(grid) > MOST:
        raise writing.unwritten(node)
    return determinant_of(grid)


def largest_entry(writing: Writing, node: Apply, at: Places) -> sympy.Expr:
    """Of copies that of one."""
    found = block(writing, node.operands[0], at)
    return Max(*(Abs(entry) for line in folded(writing, found, node) for entry in line))


def largest_eigenvalue(writing: Writing, node: Apply, at: Places) -> sympy.Expr:
    """Of a symmetric matrix of one or two rows."""
    grid = _whole(writing, node, at)
    return grid[0][0] if len(grid) == 1 else _middle(writing, grid, node)[0]


def smallest_eigenvalue(writing: Writing, node: Apply, at: Places) -> sympy.Expr:
    """Of a symmetric matrix of one or two rows."""
    grid = _whole(writing, node, at)
    return grid[0][0] if len(grid) == 1 else _middle(writing, grid, node)[1]


def _middle(
    writing: Writing, grid: Lines, node: Apply
) -> tuple[sympy.Expr, sympy.Expr]:
    _require_symmetric(writing, grid, node)
    middle = (grid[0][0] + grid[1][1]) * HALF
    spread = sqrt(((grid[0][0] - grid[1][1]) * HALF) ** 2 + grid[0][1] ** 2)
    return middle + spread, middle - spread


def _whole(writing: Writing, node: Apply, at: Places) -> Lines:
    """The entries of a square matrix none of whose parts is copied."""
    found = block(writing, node.operands[0], at)
    if found.rows != found.cols or found.rows == writing.parts.grown:
        raise writing.unwritten(node)
    return folded(writing, found, node)


def hedge_regret(writing: Writing, node: Apply, at: Places) -> sympy.Expr:
    """Of few experts in few rounds: sum_t w_t . l_t - min_k sum_t l_tk, w_t = exp(-eta so far) over
    their sum; of two, the mean of their losses less d tanh(eta D / 2) / 2, d the gap between these
    and D that between what both have lost so far."""
    found = block(writing, node.operands[0], at)
    if writing.parts.grown == found.cols or len(found.grid[0]) > MOST:
        raise writing.unwritten(node)
    eta, grid = writing.number(node.operands[1], at), folded(writing, found, node)
    if writing.parts.grown == found.rows:
        return _of_rounds_in_turn(writing, grid, eta, node)
    total = [sympy.Add(*column) for column in zip(*grid, strict=True)]
    if len(total) == 2:
        return HALF * sympy.Add(*total) + _behind(grid, eta) - Min(*total)
    so_far, played = [ZERO] * len(total), ZERO
    for line in grid:
        least = _least(writing, so_far)
        weights = [exp(-eta * (loss - least)) for loss in so_far]
        mixed = sympy.Add(*(w * loss for w, loss in zip(weights, line, strict=True)))
        played += mixed / sympy.Add(*weights)
        so_far = [a + b for a, b in zip(so_far, line, strict=True)]
    return played - Min(*total)


def _of_rounds_in_turn(
    writing: Writing, grid: Lines, eta: sympy.Expr, node: Apply
) -> sympy.Expr:
    """Of two experts in rounds that come in turn and after which both are level: what both have
    lost alike changes no weight, so that these rounds cost the same every time.

    Raises: Unwritten where they are not level, or not all rounds are copied.
    """
    rounds = writing.parts.times(writing.parts.grown)
    grid = [held(writing, line) for line in grid]
    total = [sympy.Add(*column) for column in zip(*grid, strict=True)]
    level = all(entry.is_Rational for line in grid for entry in line) and len(set(total)) == 1
    if ONE in rounds or len(grid[0]) != 2 or not level:
        raise writing.unwritten(node)
    return rounds[0] * _behind(grid, eta)


def _behind(grid: Lines, eta: sympy.Expr) -> sympy.Expr:
    """By how much Hedge loses more, in all rounds, than the mean of two experts."""
    apart, behind = ZERO, ZERO
    for one, other in grid:
        behind -= HALF * (one - other) * sympy.tanh(HALF * eta * apart)
        apart += one - other
    return behind


def held(writing: Writing, numbers: list[sympy.Expr]) -> list[sympy.Expr]:
    """Numbers with what stays put in."""
    held = {symbol: Rational(str(fmpq(value))) for name, value in writing.held.items()
            if is_exact(value) and (symbol := sympy.Symbol(name, real=True))}  # fmt: skip
    return [sympy.expand(each.xreplace(held)) for each in numbers]


def _least(writing: Writing, numbers: list[sympy.Expr]) -> sympy.Expr:
    """The least of some numbers where they stay, else the first."""
    values = held(writing, numbers)
    if not all(value.is_Rational for value in values):
        return numbers[0]
    return numbers[values.index(min(values))]


NUMBERS: dict[str, Callable[[Writing, Apply, Places], sympy.Expr]] = {
    "trace": trace, "frobenius_norm": frobenius_norm, "form": form, "determinant": determinant,
    "largest_entry": largest_entry, "largest_eigenvalue": largest_eigenvalue,
    "smallest_eigenvalue": smallest_eigenvalue, "hedge_regret": hedge_regret,
}  # fmt: skip
