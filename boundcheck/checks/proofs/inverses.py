"""Identities between matrices, and for which matrices their inverses exist.

An inverse exists where its base is c I plus terms that are positive semi-definite by their form,
c > 0, or where a hypothesis says that a determinant is not zero. A base of any other form may be
singular in some world, and then nothing is proved.
"""

from __future__ import annotations

from typing import Any

import sympy

from boundcheck.checks.proofs.definitions import Knowledge
from boundcheck.checks.proofs.identities import vanishes
from boundcheck.checks.proofs.system import SERIES, System, joined, requirements
from boundcheck.claim import Claim
from boundcheck.quantities.operators import identity
from boundcheck.setting import parts
from boundcheck.worlds.fields import Gram


def matrix_proof(
    claim: Claim, system: System, knowledge: Knowledge
) -> tuple[str, str] | str:
    """(method, where the inverses exist) of a proved statement, or why it is not proved."""
    relation = claim.statement.relation
    units = unit_symbols(claim)
    found = parts(relation)
    if not found or relation.has(sympy.Or, sympy.Not, sympy.Implies):
        return "no comparison of matrices"
    if relation.has(*SERIES):
        return "a sum beside matrices"
    methods: list[str | None] = []
    for part in found:
        plain = knowledge.replaced(part)
        if not isinstance(plain, sympy.Eq):
            if not all(s.is_commutative for s in plain.free_symbols):
                return "an inequality between matrices"
            if not all(system.follows([needed], valued=False) for needed in requirements(plain)):
                return f"{part} is not shown to have a value"
            methods.append(system.shows(plain))
        else:
            difference = plain.lhs - plain.rhs
            methods.append(vanishes(difference.xreplace(dict.fromkeys(units, sympy.S.One))))
        if methods[-1] is None:
            return _no_identity(part, knowledge)
    bases = sorted(_inverted(relation), key=str)
    for base in bases:
        if not invertible(claim, system, base, units):
            return f"{base} may be singular"
    scalars = [c for part in found for c in _scalar_requirements(part)]
    scalars = [*knowledge.needed(), *[knowledge.replaced(c) for c in scalars]]
    if not all(system.follows([needed], valued=False) for needed in scalars):
        return "a scalar denominator may be zero"
    where = ", ".join(str(base) for base in bases)
    method = joined(methods)
    assert method is not None
    return method, f"{where} regular under the hypotheses" if bases else ""


def _no_identity(part: sympy.Basic, knowledge: Knowledge) -> str:
    letters = sorted(s.name for s in part.free_symbols if not s.is_commutative)
    if letters:
        return f"no identity of words in {', '.join(letters)} whatever matrices they are"
    hidden = sorted({s.name for s in part.free_symbols} & set(knowledge.opaque))
    told = "; ".join(f"{name} {knowledge.opaque[name]}" for name in hidden[:3])
    return f"definitions that are no formulas: {told}" if hidden else f"no proof of {part}"


def _inverted(relation: sympy.Basic) -> set[sympy.Expr]:
    return {
        power.base for power in relation.atoms(sympy.Pow)
        if not power.base.is_commutative and not (power.exp.is_Integer and power.exp > 0)
    }  # fmt: skip


def _scalar_requirements(part: sympy.Basic) -> list[sympy.Basic]:
    powers = [p for p in part.atoms(sympy.Pow, sympy.Function) if p.is_commutative]
    stated = [sympy.Eq(power, 0, evaluate=False) for power in powers]
    return [needed for statement in stated for needed in requirements(statement)]


def invertible(
    claim: Claim, system: System, base: sympy.Expr, units: list[sympy.Symbol]
) -> bool:
    """Whether a matrix is regular in every admissible world."""
    if base.is_Symbol and _determinant_given(claim, base):
        return True
    shift, rest = sympy.S.Zero, []
    for term in sympy.Add.make_args(sympy.expand(base)):
        scalars, word = term.args_cnc()
        factor = sympy.Mul(*scalars)
        if len(word) == 1 and word[0] in units:
            shift += factor
        elif word:
            rest.append((factor, word))
    if shift == 0 or not system.positive(shift):
        return False
    return all(
        (system.nonnegative(factor) or system.positive(factor)) and semidefinite(claim, word)
        for factor, word in rest
    )


def semidefinite(claim: Claim, word: list[sympy.Expr]) -> bool:
    """Whether a product of matrices is positive semi-definite by its form: K, or X^T ... X."""
    letters = [letter for power in word for letter in _repeated(power)]
    if None in letters:
        return False
    while len(letters) > 2 and _transposed(claim, letters[0], letters[-1]):
        letters = letters[1:-1]
    if len(letters) == 2:
        return _transposed(claim, letters[0], letters[1])
    return len(letters) == 1 and _is_gram(claim, letters[0])


def _repeated(power: sympy.Expr) -> list[sympy.Expr | None]:
    base, exponent = power.as_base_exp()
    if not base.is_Symbol or not exponent.is_Integer or exponent < 1 or exponent > 4:
        return [None]
    return [base] * int(exponent)


def _quantity(claim: Claim, symbol: sympy.Expr) -> Any:
    return claim.measured.get(getattr(symbol, "name", ""))


def _code(quantity: Any) -> Any:
    return getattr(getattr(quantity, "definition", quantity), "__code__", None)


def _is_gram(claim: Claim, symbol: sympy.Expr) -> bool:
    """Declared positive semi-definite, or the value of a field that only holds such matrices."""
    quantity = _quantity(claim, symbol)
    if "positive semi-definite" in getattr(quantity, "facts", ()):
        return True
    fields = dict(claim.worlds.fields) if claim.worlds is not None else {}
    if quantity is None:
        return isinstance(fields.get(getattr(symbol, "name", "")), Gram)
    return _returns_its_argument(quantity) and isinstance(
        fields.get(claim.arguments(quantity)[0]), Gram
    )


def _returns_its_argument(quantity: Any) -> bool:
    """Whether a definition is `return x` of its single argument: run on an object of its own."""
    code = _code(quantity)
    if code is None or code.co_argcount != 1:
        return False
    marker = object()
    try:
        return getattr(quantity, "definition", quantity)(marker) is marker
    except Exception:  # any other code may do anything with a bare object
        return False


class _Transpose:
    """Run through a definition to see whether it returns the transpose of its argument."""

    def transpose(self) -> _Transpose:
        return _Transposed(self)


class _Transposed(_Transpose):
    def __init__(self, of: _Transpose) -> None:
        self.of = of


def _transposed(claim: Claim, left: sympy.Expr, right: sympy.Expr) -> bool:
    """Whether two letters are one matrix and its transpose, in either order, or one symmetric."""
    if left == right and _is_gram(claim, left):
        return True
    first, second = _quantity(claim, left), _quantity(claim, right)
    if first is None or second is None:
        return False
    if claim.arguments(first) != claim.arguments(second) or len(claim.arguments(first)) != 1:
        return False
    marker = _Transpose()
    try:
        values = [getattr(q, "definition", q)(marker) for q in (first, second)]
    except Exception:  # any other code may do anything with a bare object
        return False
    plain = [v for v in values if v is marker]
    turned = [v for v in values if isinstance(v, _Transposed) and v.of is marker]
    return len(plain) == len(turned) == 1


def _determinant_given(claim: Claim, base: sympy.Expr) -> bool:
    """Whether a hypothesis says that the determinant of this very matrix is not zero."""
    for condition in claim.given:
        if not isinstance(condition, sympy.Ne) or condition.rhs != 0:
            continue
        quantity = _quantity(claim, condition.lhs)
        if quantity is None or claim.arguments(quantity) != (getattr(base, "name", ""),):
            continue
        marker = _Determinant()
        try:
            if getattr(quantity, "definition", quantity)(marker) is marker.value:
                return True
        except Exception:  # any other code may do anything with a bare object
            continue
    return False


class _Determinant:
    def __init__(self) -> None:
        self.value = object()

    def det(self) -> object:
        return self.value


def _unit(size: Any) -> Any:  # only its code is looked at
    return identity(size)


def unit_symbols(claim: Claim) -> list[sympy.Symbol]:
    """Symbols measured by a function that returns `identity(size)` and nothing else."""
    found = []
    for symbol, quantity in claim.measure.items():
        code = getattr(quantity, "__code__", None)
        if quantity is identity or (
            code is not None
            and code.co_names == ("identity",)
            and quantity.__globals__.get("identity") is identity
            and len(code.co_varnames) == code.co_argcount == 1
            and code.co_code == _unit.__code__.co_code
        ):
            found.append(symbol)
    return [symbol for symbol in found if not symbol.is_commutative]
