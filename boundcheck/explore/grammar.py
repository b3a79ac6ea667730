"""Expressions typed by users: a small grammar read by hand, so that no text is ever executed.

    relation    := sum [("<=" | "<" | ">=" | ">" | "=" | "==") sum]
    sum         := product (("+" | "-") product)*
    product     := factor (("*" | "/") factor)*
    factor      := ("-" | "+") factor | power
    power       := atom [("**" | "^") factor]
    atom        := number | name | function "(" sum ("," sum)* ")" | "(" sum ")"

Decimal numbers are read exactly: 0.1 is 1/10.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

import sympy

from boundcheck.errors import InvalidArgument

LONGEST = 2_000  # characters
DEEPEST = 40  # nested parentheses, signs and exponents
LARGEST_BITS = 200_000  # of a number that the text spells out
TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[^\W\d]\w*)|(?P<sign>\*\*|<=|>=|==|[-+*/^(),<>=]))"
)
FUNCTIONS: dict[str, tuple[Callable[..., Any], int | None]] = {
    "sqrt": (sympy.sqrt, 1), "log": (sympy.log, 1), "exp": (sympy.exp, 1),
    "abs": (sympy.Abs, 1), "floor": (sympy.floor, 1), "ceil": (sympy.ceiling, 1),
    "min": (sympy.Min, None), "max": (sympy.Max, None),
}  # fmt: skip
RELATIONS = {
    "<=": sympy.Le, "<": sympy.Lt, ">=": sympy.Ge, ">": sympy.Gt, "=": sympy.Eq, "==": sympy.Eq,
}  # fmt: skip


def parse(text: str, names: Iterable[str] | Mapping[str, sympy.Basic]) -> sympy.Basic:
    """A SymPy expression or relation from text; symbols are real.

    Args:
        text: at most 2,000 characters of the grammar above.
        names: names that may occur, or a mapping from them to expressions. `pi` is known anyway.
    Raises: InvalidArgument naming the character, the name or the size that is not allowed.

    >>> parse("max(a, 1/2)^2", ["a"])
    Max(1/2, a)**2
    >>> parse("open(a)", ["a"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    boundcheck.errors.InvalidArgument: 'open(a)': unknown function open; known are ...
    """
    try:
        return _Reader(text, names).read()
    except InvalidArgument:
        raise
    except Exception as error:  # SymPy gives up on some constants in many ways
        shown = " ".join(text[:60].split())
        raise InvalidArgument(
            f"'{shown}': SymPy cannot evaluate it ({type(error).__name__}); simplify it"
        ) from error


def parse_value(text: Any, names: Iterable[str] | Mapping[str, sympy.Basic] = ()) -> sympy.Expr:
    """A number or expression from text or from a Python or SymPy number.

    Raises: InvalidArgument for anything else, a relation and a value that is not finite included.

    >>> parse_value("1e-3"), parse_value(0.1), parse_value(10**30)
    (1/1000, 1/10, 1000000000000000000000000000000)
    """
    if isinstance(text, bool):
        raise InvalidArgument(f"{text} is no number; give a number or an expression")
    if isinstance(text, str):
        value = parse(text, names)
        if isinstance(value, sympy.Rel):
            raise InvalidArgument(f"{text!r} is a relation where a value is wanted; drop the sign")
    elif isinstance(text, float):
        # The shortest decimal that reads back as this float: 0.1 means a tenth.
        value = _finite_rational(text)
    else:
        try:
            value = sympy.Rational(int(text.p), int(text.q)) if _is_fraction(text) else None
            value = sympy.sympify(text) if value is None else value
        except (TypeError, ValueError, AttributeError, sympy.SympifyError) as error:
            raise InvalidArgument(
                f"{text!r} is no number; give a number or an expression"
            ) from error
    if not isinstance(value, sympy.Expr):
        raise InvalidArgument(f"{text!r} is no number; give a number or an expression")
    if value.has(sympy.zoo, sympy.nan, sympy.oo) or value.is_real is False:
        raise InvalidArgument(f"{text!r} is not a finite real number; give one that is")
    return value


def _is_fraction(value: Any) -> bool:
    return hasattr(value, "p") and hasattr(value, "q") and not isinstance(value, sympy.Basic)


def _finite_rational(value: float) -> sympy.Rational:
    if value != value or value in (float("inf"), float("-inf")):
        raise InvalidArgument(f"{value!r} is not a finite real number; give one that is")
    return sympy.Rational(repr(value))


def _bits(number: sympy.Expr) -> int:
    if not number.is_Rational:
        return 1
    return max(int(number.p).bit_length(), int(number.q).bit_length())


class _Reader:
    def __init__(self, text: str, names: Iterable[str] | Mapping[str, sympy.Basic]) -> None:
        self.text = text
        if len(text) > LONGEST:
            raise InvalidArgument(
                f"an expression of {len(text)} characters; at most {LONGEST} are read; shorten it"
            )
        if isinstance(names, Mapping):
            self.names = dict(names)
        else:
            self.names = {name: sympy.Symbol(name, real=True) for name in names}
        self.names.setdefault("pi", sympy.pi)
        self.tokens = self._split()
        self.at = 0
        self.depth = 0

    def _split(self) -> list[tuple[str, str]]:
        tokens, position = [], 0
        text = self.text.rstrip()
        while position < len(text):
            found = TOKEN.match(text, position)
            if not found:
                rest = text[position:].lstrip()
                self._fail(
                    f"{rest[:1]!r} is not part of an expression; use numbers, names, "
                    "+ - * / ^, parentheses and " + ", ".join(FUNCTIONS)
                )
            kind = str(found.lastgroup)
            tokens.append((kind, found.group(kind)))
            position = found.end()
        return tokens

    def _fail(self, reason: str) -> NoReturn:
        shown = self.text if len(self.text) <= 80 else self.text[:77] + "..."
        raise InvalidArgument(f"'{' '.join(shown.split())}': {reason}")

    def _peek(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def _take(self, wanted: str = "") -> str:
        token = self._peek()
        if not token:
            self._fail("the expression ends too early; complete it")
        if wanted and token != wanted:
            self._fail(f"{token!r} stands where {wanted!r} is needed; balance the parentheses")
        self.at += 1
        return token

    def read(self) -> sympy.Basic:
        if not self.tokens:
            self._fail("the expression is empty; write one")
        left = self._sum()
        relation = RELATIONS.get(self._peek())
        result = left
        if relation is not None:
            sign = self._take()
            right = self._sum()
            result = relation(left, right)
            if self._peek() in RELATIONS:
                self._fail("a chained comparison; give two, one after the other")
            if result in (sympy.true, sympy.false):
                self._fail(f"both sides of {sign} are numbers; a symbol is needed on one of them")
        if self.at < len(self.tokens):
            self._fail(f"{self._peek()!r} is left over; put an operator before it")
        return result

    def _sum(self) -> sympy.Expr:
        self.depth += 1
        if self.depth > DEEPEST:
            self._fail(f"nested deeper than {DEEPEST}; simplify it")
        result = self._product()
        while self._peek() in ("+", "-"):
            sign = 1 if self._take() == "+" else -1
            result = result + sign * self._product()
        self.depth -= 1
        return result

    def _product(self) -> sympy.Expr:
        result = self._factor()
        while self._peek() in ("*", "/"):
            if self._take() == "*":
                result = self._checked(result * self._factor())
            else:
                divisor = self._factor()
                if divisor == 0:
                    self._fail("division by zero; change the denominator")
                result = self._checked(result / divisor)
        return result

    def _factor(self) -> sympy.Expr:
        self.depth += 1
        if self.depth > DEEPEST:
            self._fail(f"nested deeper than {DEEPEST}; simplify it")
        if self._peek() in ("-", "+"):
            result = -self._factor() if self._take() == "-" else self._factor()
        else:
            result = self._power()
        self.depth -= 1
        return result

    def _power(self) -> sympy.Expr:
        base = self._atom()
        if self._peek() not in ("**", "^"):
            return base
        self._take()
        exponent = self._factor()
        if base == 0 and exponent.is_negative:
            self._fail("division by zero; change the exponent")
        if exponent.is_Rational:
            # SymPy multiplies the number in front out at once, also in (2 x)^n.
            number = base.as_coeff_Mul()[0]
            height = max(abs(int(exponent.p)), int(exponent.q))
            plain = base.is_Rational and exponent.is_Integer
            bits = (max(abs(base.p), base.q) - 1).bit_length() if plain else _bits(number)
            large = bits * height > LARGEST_BITS or (height > 10_000 and not plain)
            if large and base not in (0, 1, -1) and not base.is_Symbol:
                self._fail(f"a number of more than {LARGEST_BITS} bits; give a smaller one")
        elif exponent.is_number and abs(exponent) > 10_000:
            self._fail("an exponent beyond 10000; write it as a symbol")
        return self._checked(base**exponent)

    def _checked(self, value: sympy.Expr) -> sympy.Expr:
        if _bits(value.as_coeff_Mul()[0]) > LARGEST_BITS:
            self._fail(f"a number of more than {LARGEST_BITS} bits; give a smaller one")
        if value.has(sympy.I) or value.is_extended_real is False:
            self._fail("a root or power that is no real number; change what it is taken of")
        return value

    def _atom(self) -> sympy.Expr:
        kind, token = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
        if kind == "number":
            self._take()
            return self._number(token)
        if kind == "name":
            self._take()
            return self._call(token) if self._peek() == "(" else self._name(token)
        if token == "(":
            self._take()
            result = self._sum()
            self._take(")")
            return result
        if not token:
            self._fail("the expression ends too early; complete it")
        self._fail(f"{token!r} stands where a number or a name is needed; put one there")

    def _number(self, token: str) -> sympy.Rational:
        power = re.search(r"[eE]([+-]?[0-9]+)$", token)
        if power and (len(power.group(1)) > 6 or abs(int(power.group(1))) > 50_000):
            self._fail(f"the exponent of {token} is beyond 50000; write it as a power of a symbol")
        return sympy.Rational(token)

    def _name(self, name: str) -> sympy.Expr:
        if name in self.names:
            return self.names[name]
        if name in FUNCTIONS:
            self._fail(f"{name} needs its argument; put it in parentheses")
        self._fail(f"unknown symbol {name}; {nearest(name, self.names)}")

    def _call(self, name: str) -> sympy.Expr:
        if name not in FUNCTIONS:
            if name in self.names:
                self._fail(f"{name} is a symbol, not a function; write {name} * (...)")
            self._fail(f"unknown function {name}; known are {', '.join(FUNCTIONS)}")
        function, count = FUNCTIONS[name]
        self._take("(")
        arguments = [self._sum()]
        while self._peek() == ",":
            self._take()
            arguments.append(self._sum())
        self._take(")")
        if count is not None and len(arguments) != count:
            self._fail(f"{name} takes {count} argument, not {len(arguments)}; drop the rest")
        if name == "log" and arguments[0].is_nonpositive:
            self._fail("logarithm of zero or of a negative number; change its argument")
        if name == "sqrt" and arguments[0].is_negative:
            self._fail("square root of a negative number; change its argument")
        if name == "exp" and arguments[0].is_number and abs(arguments[0]) > 10_000:
            self._fail("exp of a constant beyond 10000; write the exponent as a symbol")
        if name in ("floor", "ceil") and arguments[0].is_irrational is not False:
            inner = arguments[0]
            if inner.is_number and abs(inner) > 10**12:
                self._fail(f"{name} of an irrational constant beyond 10^12; write the value")
        return self._checked(function(*arguments))


def nearest(name: str, known: Iterable[str]) -> str:
    """What to write in place of a name: the nearest known one and all that can be typed.

    >>> nearest("lamda", ["lambda", "n", "norm(a)"])
    'the nearest is lambda; known are lambda, n'
    """
    import difflib

    typed = sorted(each for each in known if each.isidentifier())
    near = difflib.get_close_matches(name, typed, n=1, cutoff=0.5)
    hint = f"the nearest is {near[0]}; " if near else ""
    return f"{hint}known are {', '.join(typed) or 'none'}"


def assignments(settings: list[str] | None) -> dict[str, str]:
    """NAME=VALUE pairs of a command line as text; values are parsed where their claim is known.

    Raises: InvalidArgument for a pair without a name or value, or a name given twice.
    """
    values = {}
    for text in settings or []:
        name, sign, value = text.partition("=")
        if not sign or not name.strip() or not value.strip():
            raise InvalidArgument(f"--set {text!r} is not NAME=VALUE; write e.g. --set n=10000")
        if name.strip() in values:
            raise InvalidArgument(f"--set {name.strip()} is given twice; drop one of them")
        values[name.strip()] = value.strip()
    return values
