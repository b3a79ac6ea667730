"""The conditions of a claim as one system over named values: who depends on whom, what holds where.

Values are given by name: parameters, world fields, and measured symbols, which are computed when
everything they are made of is given and are plain numbers otherwise.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import sympy
from flint import fmpq

from boundcheck.claim import Claim, UpToConstant
from boundcheck.encoding import show
from boundcheck.errors import InvalidArgument, MalformedStatement, Undefined, UnknownSymbol
from boundcheck.exact import PRECISIONS, decide, precision
from boundcheck.explore.facts import facts_of, field_of, implied, is_name_of, is_whole
from boundcheck.explore.grammar import nearest, parse_value
from boundcheck.explore.ranges import Range, inside, plain_value
from boundcheck.explore.stated import level, premises, statement_parts
from boundcheck.explore.values import Expression, Truth
from boundcheck.expressions.printed import as_printed, called, typed
from boundcheck.expressions.symbols import Known
from boundcheck.setting import INEQUALITIES, Setting, flatten, parts, sides
from boundcheck.worlds.composed import Derived
from boundcheck.worlds.fields import Choice, Integer, Real

CONSTANT = "C"  # what stands for the hidden constant of a statement up to one
BEATS_TRIVIAL = "bound < trivial"
FINER = (4_096, 32_768)  # bits, for integers with thousands of digits beside a logarithm
LEVELS = ("level", "probability")  # how a target calls the probability that a claim states
SLOW = (sympy.log, sympy.Abs, sympy.Max, sympy.Min, sympy.floor, sympy.ceiling, sympy.sign)
REFUSALS = (ZeroDivisionError, ValueError, Undefined)  # a definition has no value there


class System:
    """The conditions of one claim, with substitutions and a target, over named values.

    Args:
        claim: whose hypotheses (and premises of implications) are the conditions.
        given: name or symbol to number, text or expression of other symbols.
        target: a further relation over the claim's symbols, `lhs` and `rhs` (or `bound`) of its
            statement and `trivial`, as text or SymPy relation. In text the right side of a
            statement up to a constant carries the constant, C.
        label: how errors name the claim.
    Raises: InvalidArgument for names the claim does not know and values outside their range.
    """

    def __init__(
        self,
        claim: Claim,
        given: Mapping[Any, Any] | None = None,
        target: Any = None,
        label: str = "the claim",
    ) -> None:
        self.claim, self.original, self.label = claim, claim, label
        self.symbols = self._symbols()
        self.values: dict[str, Any] = {}
        self.replaced: dict[sympy.Basic, sympy.Expr] = {}
        self.solved: dict[tuple[Any, ...], Any] = {}  # intervals that were asked for before
        self._read(given or {})
        self._define()
        listed = [r for condition in claim.given for r in flatten(condition)]
        listed += premises(claim.statement.relation)
        self.target = self._target(target) if target is not None else None
        if self.target is not None:
            listed.append(self.target)
        self.conditions = [self._substituted(rel) for rel in dict.fromkeys(listed)]
        if self.target is not None:
            self.target = self.conditions[-1]
        # A condition that a substitution settles is kept only if it is false.
        self.conditions = [rel for rel in self.conditions if rel is not sympy.true]
        if sympy.false in self.conditions:
            raise InvalidArgument(
                f"{label}: a hypothesis is false whatever the other values are; change --set"
            )
        self.facts: list[sympy.Basic] = []
        self.ranges = {name: self._range(name) for name in self.symbols}
        for name, value in self.values.items():
            self._require_in_range(name, value)
        self._require_possible()

    def _symbols(self) -> dict[str, sympy.Symbol]:
        claim, found = self.claim, {}
        used = set(claim.statement.free_symbols()).union(*(c.free_symbols for c in claim.given))
        if claim.trivial is not None:
            used |= sympy.sympify(claim.trivial).free_symbols
        for symbol in (*claim.parameters, *claim.measure, *sorted(used, key=str)):
            found[symbol.name] = symbol
        for name in claim.names:
            found.setdefault(name, sympy.Symbol(name, real=True))
        self.constant: sympy.Expr = sympy.Integer(1)
        if isinstance(claim.statement, UpToConstant) and CONSTANT not in found:
            self.constant = found[CONSTANT] = sympy.Symbol(CONSTANT, real=True)
        return found

    @cached_property
    def called(self) -> dict[str, str]:
        """How the symbols that stand for a part of the statement are printed."""
        return called(self.symbols)

    def symbol(self, name: Any) -> str:
        """The name of a symbol of the claim, which may be given as it is printed.

        Raises: InvalidArgument for a name that the claim does not know.
        """
        text = name.name if isinstance(name, sympy.Symbol) else str(name)
        if text not in self.symbols:
            for own, shown in self.called.items():
                if typed(shown) == typed(text):
                    return own
            hint = nearest(text, self.symbols)
            raise UnknownSymbol(f"{self.label}: unknown symbol {text}; {hint}", text)
        return text

    def _read(self, given: Mapping[Any, Any]) -> None:
        for key, raw in given.items():
            name = self.symbol(key)
            if isinstance(raw, (tuple, list)) or type(raw).__name__ in ("fmpq_mat", "arb_mat"):
                self.values[name] = tuple(raw) if isinstance(raw, list) else raw
                continue
            if is_name_of(self.label, name, self.field(name), raw):
                self.values[name] = raw
                continue
            value = parse_value(raw, self.symbols)
            if name in {symbol.name for symbol in value.free_symbols}:
                raise InvalidArgument(f"{self.label}: {name} is set to itself; give a number")
            if value.free_symbols or not value.is_Rational:
                self.replaced[self.symbols[name]] = value
            else:
                self.values[name] = self.number(name, fmpq(int(value.p), int(value.q)))

    def _define(self) -> None:
        """Values given as expressions define their symbols, also for the quantities made of them.

        Raises: InvalidArgument where they are defined by each other.
        """
        if not self.replaced:
            return
        known = {symbol.name: expr for symbol, expr in self.replaced.items()}
        for first in known:
            path, at = [first], [s.name for s in known[first].free_symbols]
            while at:
                name = at.pop()
                if name == first:
                    raise InvalidArgument(
                        f"{self.label}: {' and '.join(path)} are set to expressions of each "
                        f"other; give a number for one of them"
                    )
                if name in known and name not in path:
                    path.append(name)
                    at += [s.name for s in known[name].free_symbols]
        claim = self.claim
        parameters = {s: f for s, f in claim.parameters.items() if s.name not in known}
        if self.constant in self.symbols.values():
            parameters[self.constant] = Real(0, None, open_low=True)
        measure = {s: q for s, q in claim.measure.items() if s.name not in known}
        measure |= {symbol: Expression(expr) for symbol, expr in self.replaced.items()}
        self.claim = replace(claim, parameters=parameters, measure=measure)

    def _target(self, target: Any) -> sympy.Basic:
        if isinstance(target, str):
            from boundcheck.explore.grammar import parse

            target = parse(target, self.spoken())
        if not isinstance(target, sympy.Rel):
            raise InvalidArgument(
                f"{self.label}: the target {target} is no comparison; write e.g. rhs <= 0.01"
            )
        loose = {s.name for s in target.free_symbols} - set(self.symbols)
        if loose:
            self.symbol(sorted(loose)[0])
        return self._guaranteed(target)

    def spoken(self) -> dict[str, sympy.Basic]:
        """What a target or a cost may name: symbols, sides of the statement, its level."""
        known: dict[str, sympy.Basic] = dict(self.symbols)
        if parts(self.claim.statement.relation):
            low, high = statement_parts(self.claim)
            known.setdefault("lhs", low)
            known.setdefault("rhs", self.constant * high)
            known.setdefault("bound", self.constant * high)
        if self.claim.trivial is not None:
            known.setdefault("trivial", sympy.sympify(self.claim.trivial))
        stated = level(self.claim)
        for word in LEVELS if stated is not None else ():
            known.setdefault(word, stated)
        return known

    def _guaranteed(self, target: sympy.Basic) -> sympy.Basic:
        """A target on the left side of the statement, asked of the right side, which is larger.

        A left side of parameters alone is known at every point, and asked itself.
        """
        stated = parts(self.claim.statement.relation)
        if not isinstance(target, INEQUALITIES) or not stated or target in stated:
            return target
        low, high = statement_parts(self.claim)
        small, large = sides(target)
        if small == low and low.free_symbols and isinstance(stated[0], INEQUALITIES):
            plain = {symbol.name for symbol in self.claim.parameters}
            if all(s.name in self.values or s.name in plain for s in low.free_symbols):
                return target
            sign = sympy.Lt if isinstance(target, (sympy.Lt, sympy.Gt)) else sympy.Le
            return sign(self.constant * high, large, evaluate=False)
        return target

    def _substituted(self, relation: sympy.Basic) -> sympy.Basic:
        for _ in range(len(self.replaced)):
            relation = relation.subs(self.replaced)
        return relation

    def expression(self, expr: sympy.Basic) -> sympy.Basic:
        """An expression with the values that were given as expressions put in."""
        return self._substituted(sympy.sympify(expr))

    def field(self, name: str) -> Any:
        """The field of a parameter or of a world value, or None."""
        return field_of(self.claim, name)

    def number(self, name: str, value: fmpq | int) -> int | fmpq:
        """A value in the type that quantities expect: whole for integer fields, else rational."""
        ratio = fmpq(value)
        if isinstance(self.field(name), (Integer, Choice)) and ratio.q == 1:
            return int(ratio.p)
        return ratio

    def plain(self, name: str) -> Any:
        """The value of a symbol that nobody gave: 1, a tenth of the way in, or a first choice."""
        field = self.field(name)
        if isinstance(field, Choice) and isinstance(field.items[0], str):
            return field.items[0]
        return self.number(name, fmpq(plain_value(self.ranges[name])))

    def _range(self, name: str) -> Range:
        symbol = self.symbols[name]
        found = Range(whole=is_whole(self.original, name))
        if symbol == self.constant:
            found = Range(fmpq(0), open_low=True)
        for fact in facts_of(self.original, symbol):
            others = {s: v for s, v in self._numbers(fact).items() if s != symbol}
            relation = self._substituted(fact).subs(others)
            if relation in (sympy.true, sympy.false):
                self.facts += [fact] if relation is sympy.false else []
                continue
            narrowed = found.narrowed(relation, name)
            if narrowed is None:
                self.facts.append(relation)
            found = narrowed or found
        return self.narrowed_by(found, name)

    def _numbers(self, relation: sympy.Basic) -> dict[sympy.Basic, sympy.Basic]:
        """Given values of the symbols of a relation, where they are numbers."""
        return {
            s: sympy.Rational(int(fmpq(v).p), int(fmpq(v).q))
            for s in relation.free_symbols if isinstance(v := self.values.get(s.name), (int, fmpq))
        }  # fmt: skip

    def narrowed_by(self, found: Range, name: str) -> Range:
        """The range after the hypotheses that compare the symbol with a number, or with another
        symbol of which a fact says how large it can be."""
        hypotheses = [relation for relation in self.conditions if relation is not self.target]
        said = implied(self.original, self.symbols[name], hypotheses)
        for relation in (*hypotheses, *said):
            found = found.narrowed(relation, name) or found
        if found.empty:
            limits = [
                as_printed(r) for r in self.conditions if Range().narrowed(r, name) is not None
            ]
            raise InvalidArgument(
                f"{self.label}: no {name} lies in {found}: {' and '.join(limits)} contradict each "
                "other or the range of the symbol; change the statement file or --set"
            )
        return found

    def _require_in_range(self, name: str, value: Any) -> None:
        if not isinstance(value, (int, fmpq)):
            return
        allowed = self.ranges[name]
        if not allowed.contains(fmpq(value)):
            example = show(inside(allowed))
            raise InvalidArgument(
                f"{self.label}: {name} = {show(value)} is outside {allowed}; "
                f"give --set {name}={example}"
            )

    def _require_possible(self) -> None:
        """Facts hold of given values, and of a symbol that the target compares with a number.

        Raises: InvalidArgument for those that do not.
        """
        for name, allowed in self.ranges.items() if self.target is not None else ():
            wanted = allowed.narrowed(self.target, name)
            if wanted is not None and wanted.empty:
                raise InvalidArgument(
                    f"{self.label}: no admissible point: the target {as_printed(self.target)}, but "
                    f"{name} lies in {allowed} always; change the target"
                )
        for fact in self.facts:
            names = self.inputs_of_relation(fact)
            if set(names) <= set(self.values) and self.truth(fact, self.values) is Truth.FAILS:
                at = ", ".join(f"{n} = {show(self.values[n])}" for n in names)
                raise InvalidArgument(
                    f"{self.label}: no admissible point: {at}, but {as_printed(fact)} always; "
                    "change " + " or ".join(f"--set {n}" for n in names)
                )

    def settles(self, relation: sympy.Basic) -> bool:
        """Whether the relation only says in which range one symbol lies."""
        if relation is self.target:
            return False
        names = {symbol.name for symbol in relation.free_symbols}
        return len(names) == 1 and Range().narrowed(relation, next(iter(names))) is not None

    def inputs(self, names: Iterable[str], values: Mapping[str, Any] | None = None) -> list[str]:
        """Names whose values decide the given names: parameters, and measured symbols that
        cannot be computed from parameters and values alone; in order of first use."""
        known = self.values if values is None else values
        found: dict[str, None] = {}
        for name in names:
            for item in self._inputs_of(name, known):
                found[item] = None
        return list(found)

    def _inputs_of(self, name: str, known: Mapping[str, Any]) -> list[str]:
        quantity = self.claim.measured.get(name)
        if name in known or quantity is None or self.symbols[name] in self.claim.hidden:
            return [name]
        below: list[str] = []
        for argument in self.claim.arguments(quantity):
            for item in self._inputs_of(argument, known):
                if item not in known and not self._single(item):
                    return [name]
                below.append(item)
        return below if below or not self.claim.arguments(quantity) else [name]

    def _single(self, name: str) -> bool:
        """Whether a name stands for one number or one choice, which may be given by itself."""
        field = self.field(name)
        if field is None or isinstance(field, Derived):
            symbol = self.symbols.get(name)
            return isinstance(symbol, Known) and symbol.rank == 0
        return isinstance(field, (Integer, Real, Choice))

    def measured(self) -> dict[str, Any]:
        """Quantities by symbol name."""
        return self.claim.measured

    def target_beyond_trivial(self, name: str) -> str | None:
        """The target that a bound says something, if a value of the symbol can decide it."""
        claim = self.claim
        if claim.trivial is None or not parts(claim.statement.relation):
            return None
        sides_ = (statement_parts(claim)[1], sympy.sympify(claim.trivial))
        decides = any(name in self.inputs_of_relation(self.expression(side)) for side in sides_)
        return BEATS_TRIVIAL if decides else None

    def involving(self, name: str) -> list[sympy.Basic]:
        """Conditions that depend on a symbol and say more than its range."""
        return [
            relation
            for relation in self.conditions
            if not self.settles(relation) and name in self.inputs_of_relation(relation)
        ]

    def inputs_of_relation(self, relation: sympy.Basic) -> list[str]:
        """Names whose values decide a relation or an expression."""
        return self.inputs(sorted(symbol.name for symbol in relation.free_symbols))

    def decided_by(self, values: Collection[str]) -> list[sympy.Basic]:
        """Conditions and facts that the values of some names decide."""
        return [relation for relation in (*self.conditions, *self.facts)
                if set(self.inputs_of_relation(relation)) <= set(values)]  # fmt: skip

    def holds(self, relation: sympy.Basic, values: Mapping[str, Any]) -> bool | None:
        """Certified truth of a relation at values; None where it has no value or stays open."""
        return {Truth.HOLDS: True, Truth.FAILS: False}.get(self.truth(relation, values))

    def truth(self, relation: sympy.Basic, values: Mapping[str, Any]) -> Truth:
        """What is certified of a relation at values."""
        setting = Setting(self.claim, values)
        try:
            truth = setting.decide(relation)
            if truth is None:
                truth = self._cancelled(relation, setting)
            for bits in FINER if truth is None else ():
                with precision(bits):
                    truth = decide(relation, setting)
                if truth is not None:
                    break
        except REFUSALS:
            return Truth.NO_VALUE
        except Exception:  # definitions may refuse a value in any way; then nothing is certified
            return Truth.UNKNOWN
        return {True: Truth.HOLDS, False: Truth.FAILS, None: Truth.UNKNOWN}[truth]

    def _cancelled(self, relation: sympy.Basic, setting: Setting) -> bool | None:
        """Truth of an inequality whose sides agree but for terms too small for balls."""
        powers, functions = relation.atoms(sympy.Pow), relation.atoms(sympy.Function)
        steep = [p.exp for p in powers] + [f for f in functions if not isinstance(f, SLOW)]
        if not isinstance(relation, INEQUALITIES) or any(part.free_symbols for part in steep):
            return None  # SymPy would multiply out 2^(10^9), and e^(10^9)
        # Nor are large integers to be factored: under a root, and floored logarithms, stay symbols.
        kept = [p for p in powers if not p.exp.is_Integer]
        kept += [f for f in functions - relation.atoms(sympy.log) if f.has(sympy.log)]
        known = {
            s: sympy.Rational(int(fmpq(v).p), int(fmpq(v).q))
            for s in relation.free_symbols.difference(*(part.free_symbols for part in kept))
            if isinstance(v := setting.values.get(s.name), (int, fmpq))
        }
        gap = sympy.expand_mul((relation.lhs - relation.rhs).subs(known))
        return setting.decide(type(relation)(gap, 0, evaluate=False))

    def evaluate(
        self, expr: sympy.Basic, values: Mapping[str, Any], bits: int = PRECISIONS[1]
    ) -> Any:
        """Exact value or ball of an expression at values; None where it has none."""
        try:
            with precision(bits):
                return Setting(self.claim, values).evaluate(expr)
        except Exception:  # as above
            return None


def as_system(claim_or_key: Any, given: Any, target: Any, root: Any = None) -> tuple[str, System]:
    """The key (or place) and the system of a claim, found in the library if named by key."""
    if isinstance(claim_or_key, Claim):
        label = str(claim_or_key.source)
        return label, System(claim_or_key, given, target, label)
    from boundcheck.library import load_library

    key = str(claim_or_key)
    claim = load_library(root, [key])[key]
    if not isinstance(claim, Claim):
        raise MalformedStatement(f"{key} is no claim; name one that `boundcheck list` shows")
    try:
        return key, System(claim, given, target, key)
    except UnknownSymbol as error:
        library = load_library(root, [key])
        knowing = [
            other for other in library.siblings(key)
            if error.name in {s.name for s in (*library[other].parameters, *library[other].measure)}
        ]
        if not knowing:
            raise
        raise UnknownSymbol(f"{error}; {knowing[0]} has {error.name}", error.name) from error
