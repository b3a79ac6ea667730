r"""What a theorem requires of one symbol: the least (or greatest) value that meets all conditions.

>>> import sympy
>>> from boundcheck import Claim, Holds, Source
>>> from boundcheck.worlds import Integer, Real
>>> M, xi, delta = sympy.symbols("M xi delta", real=True)
>>> claim = Claim(
...     source=Source("A", 2024, "Example").at("Theorem 1"),
...     statement=Holds(1 / M <= xi),
...     given=[M >= sympy.Max(8 / xi**2, 32 / xi**4) * sympy.log(2 / delta)],
...     parameters={M: Integer(1, searched=10**6), xi: Real(0, None), delta: Real(0, 1)},
... )
>>> need = require(claim, M, {xi: "0.1", delta: 0.05})
>>> need.answer, need.branch
(1180442, 32*log(2/delta)/xi**4)
>>> {name: round(rate, 2) for name, rate in need.elasticities.items()}
{'delta': -0.27, 'xi': -4.0}
>>> round(need.halved_by["xi"], 6), [trial.holds for trial in need.trials]
(1.189207, [True, False, True])

In a notebook the result shows as a formula with its value:

>>> print(need._repr_latex_()[-15:])
 M \ge 1180442$
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from boundcheck.claim import Claim
from boundcheck.errors import InvalidArgument
from boundcheck.explore.answers import Requirement
from boundcheck.explore.conditions import as_system
from boundcheck.explore.direct import computed_value
from boundcheck.explore.freeing import freed, told
from boundcheck.explore.golden import grounds
from boundcheck.explore.question import Question
from boundcheck.explore.wording import formula_text
from boundcheck.expressions.printed import called


def require(
    claim: Any,
    symbol: Any,
    given: Mapping[Any, Any] | None = None,
    target: Any = None,
    *,
    sense: str | None = None,
    assume: bool = True,
    root: Any = None,
) -> Requirement:
    """The least (or greatest) value of a symbol at which every condition of a claim holds.

    Args:
        claim: a Claim, or its key (looked up under `root`).
        symbol: SymPy symbol or name.
        given: name or symbol to number, text ("1e-3", "2^20") or expression of other symbols.
            Measured symbols (norms, R) are given by name like parameters.
        target: a further condition, e.g. "rhs <= 0.01" or "level >= 0.99"; `lhs` and `rhs` are the
            statement's sides, `level` its probability. A target on the left side is asked of the
            right side, which the theorem puts above it.
        sense: "least" or "greatest"; by default the end that a condition fixes, the least first.
        assume: fill values that are not given with 1 (or a tenth of the way into their range),
            moved until the hypotheses hold, and say so; otherwise the answer is a formula only.
    Where no condition involves the symbol and no target is given, the question is at which values
    the bound beats `trivial` of the claim, if it states that; for a number that the source fixes,
    at which values the statement itself holds.

    The answer is certified: all conditions hold at it and one fails one below (a part in 10^9
    below, or at the next value of a finite set), as `proof` says. Where no condition sets an end,
    the sense is "any".

    Raises: InvalidArgument for unknown symbols, values outside their range, contradictory or
        unsolvable conditions, naming the conditions.
    """
    need = _answered(claim, symbol, given, target, sense, assume, root)
    return need if isinstance(claim, Claim) else replace(need, grounds=grounds([need.label], root))


def _answered(
    claim: Any, symbol: Any, given: Mapping[Any, Any] | None, target: Any, sense: str | None,
    assume: bool, root: Any,
) -> Requirement:  # fmt: skip
    label, system = as_system(claim, given, target, root)
    name = system.symbol(symbol)
    if name in system.values or system.symbols[name] in system.replaced:
        raise InvalidArgument(f"{label}: {name} is asked for and given; drop --set {name}")
    if sense not in (None, "least", "greatest"):
        raise InvalidArgument(f"{label}: sense {sense!r} is neither 'least' nor 'greatest'")
    if isinstance(system.plain(name), str):
        raise InvalidArgument(f"{label}: {name} is a name, not a number; ask for a number")
    relations = system.involving(name)
    if not relations and name in system.measured():
        found = freed(system, name, root)
        if found is not None:
            need = _answered(found[0], name, given, found[1], sense, assume, None)
            return replace(need, label=label, note=told(system, name, found[1]))
        if system.inputs([name]) != [name]:
            return computed_value(label, system, name, assume)
    beyond = None if relations or target is not None else system.target_beyond_trivial(name)
    if beyond is not None:
        need = _answered(claim, symbol, given, beyond, sense, assume, root)
        note = f"no condition involves {name}; where the bound beats what is true anyway"
        return replace(need, note=note)
    if not relations:
        others = sorted({n for n in system.symbols if n != name and system.involving(n)})
        hint = f"conditions are on {', '.join(others)}" if others else "it has no conditions"
        ranged = f" beyond its range, {system.ranges[name]}" if name in system.ranges else ""
        raise InvalidArgument(f"{label}: no condition involves {name}{ranged}; {hint}")
    need = Question(label, system, name, relations, sense, assume).answer()
    if target is not None and system.target not in relations:
        need = replace(need, note=f"{formula_text(system.target)} does not depend on {name}")
    # Only what is listed: to print every part of a statement would take longer than to answer.
    listed = {*need.given, *need.assumed, *need.computed} & set(system.symbols)
    return replace(need, called=called({item: system.symbols[item] for item in listed}))
