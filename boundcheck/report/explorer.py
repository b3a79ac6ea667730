"""The explorer page: sliders for every claim whose conditions isolate a symbol.

The bounds are the closed forms of `boundcheck.explore`, each held against its condition at random
points before it is used, and compiled to JavaScript. The page needs no server and no other file.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import sympy
from flint import fmpq
from markupsafe import Markup

from boundcheck import exact
from boundcheck.claim import Claim
from boundcheck.errors import InvalidArgument
from boundcheck.explore.composing import composed, may_link
from boundcheck.explore.conditions import System
from boundcheck.explore.inversion import Bound, bounds
from boundcheck.explore.ranges import Range
from boundcheck.explore.wording import plain
from boundcheck.report import formula
from boundcheck.report.compile_js import NoJavaScript, javascript
from boundcheck.report.prose import split_key

if TYPE_CHECKING:
    from boundcheck.library import Library

TRIALS = 12  # random points at which a closed form must agree with its condition
MOST_SLIDERS = 8  # of the question that the page opens on
BEYOND = fmpq(1, 10**6)  # relative step to either side of a bound


@dataclass(frozen=True)
class Slider:
    """One value of the page: its admissible range, and the part of it that the slider covers."""

    name: str
    allowed: Range
    low: float
    high: float
    log: bool
    value: fmpq
    measured: bool


@dataclass(frozen=True)
class Question:
    """What a claim asks of one symbol: the largest (or smallest) of some terms."""

    symbol: str
    least: bool
    allowed: Range
    terms: tuple[sympy.Expr, ...]


@dataclass(frozen=True)
class Entry:
    """One claim on the page."""

    key: str
    place: str
    sliders: tuple[Slider, ...]
    questions: tuple[Question, ...]

    @property
    def parts(self) -> list[str]:
        """The keys of its claims: two where one rests on the other."""
        return self.key.split(" + ")


class Opening(NamedTuple):
    """A claim of the page and one of its questions, by place."""

    entry: int
    question: int


@dataclass(frozen=True)
class Known:
    """What a report says of a claim: where its page is, the verdict in words, whether it fails."""

    page: str
    verdict: str
    fails: bool


class Free(System):
    """The conditions of a claim with every measured symbol a number of its own."""

    def _inputs_of(self, name: str, known: Any) -> list[str]:
        return [name]


def write_explorer(
    library: Library, out_dir: Path, known: Mapping[str, Known] = MappingProxyType({}),
    plans: Iterable[Sequence[str]] = (),
) -> Path:  # fmt: skip
    """Write explorer.html into a folder.

    Args: known: what the report beside it says of a claim, by key; claims may be missing.
    plans: keys of statements that are asked together.
    Raises: OSError if it cannot be written.
    """
    path = Path(out_dir) / "explorer.html"
    path.write_text(page(entries(library, plans), known), encoding="utf-8")
    return path


def entries(library: Library, plans: Iterable[Sequence[str]] = ()) -> list[Entry]:
    """Every claim of a library with at least one question, in order of keys, then composed ones."""
    found = (entry(key, claim) for key, claim in library.claims.items())
    return [*(item for item in found if item is not None), *composed_entries(library, plans)]


def telling(found: list[Entry], known: Mapping[str, Known] = MappingProxyType({})) -> Opening:
    """What the page opens on: a size that several values drive, of a statement that stands."""
    best = max(
        (
            (_weight(item, question, known), -place, -asked)
            for place, item in enumerate(found)
            for asked, question in enumerate(item.questions)
        ),
        default=((), 0, 0),
    )
    return Opening(-best[1], -best[2])


def _weight(item: Entry, question: Question, known: Mapping[str, Known]) -> tuple[Any, ...]:
    """How much a reader sees at once, compared in order."""
    _, stem, name = split_key(item.parts[-1])
    driven = len(set().union(*(term.free_symbols for term in question.terms)))
    return (
        question.least and question.allowed.whole and 1 < driven <= MOST_SLIDERS,
        not any(part in known and known[part].fails for part in item.parts),
        not stem.startswith("experiment") and not name.startswith("step"),
        driven,
        len(item.parts),
        len(question.terms),
    )


def composed_entries(library: Library, plans: Iterable[Sequence[str]]) -> Iterator[Entry]:
    """Statements as one, where a conclusion of one meets a condition of another.

    Args: plans: keys that go together, beside each statement with one that its proof uses.
    """
    pairs = [(used, key) for key, claim in library.claims.items() for used in claim.uses]
    for keys in dict.fromkeys([*map(tuple, plans), *pairs]):
        claims = {key: library.claims[key] for key in keys if key in library.claims}
        if len(claims) < len(keys) or not may_link(claims):
            continue
        try:
            joint = composed(claims)
        except InvalidArgument:
            continue
        item = entry(" + ".join(keys), joint.claim) if joint.links else None
        if item is not None:
            yield item


def entry(key: str, claim: Claim) -> Entry | None:
    """Questions and sliders of one claim, or None if its conditions isolate nothing."""
    try:
        system = Free(claim, label=key)
    except ValueError:
        return None
    asked = [s.name for s in claim.parameters]
    asked += [n for n in (claim.worlds.names if claim.worlds else ()) if n in system.symbols]
    questions = [q for name in dict.fromkeys(asked) for q in _questions(system, name)]
    if not questions:
        return None
    names = sorted({s.name for q in questions for term in q.terms for s in term.free_symbols})
    sliders = tuple(slider(system, name) for name in names)
    return Entry(key, str(claim.source), sliders, tuple(questions))


def slider(system: System, name: str) -> Slider:
    """A slider over the range of a symbol: logarithmic unless the range is a bounded interval."""
    allowed = system.ranges[name]
    low = None if allowed.low is None else float(allowed.low.p) / float(allowed.low.q)
    high = None if allowed.high is None else float(allowed.high.p) / float(allowed.high.q)
    measured = name in system.measured()
    if low is not None and high is not None and (low <= 0 or high / low < 100):
        width = high - low
        first = low + width * 1e-3 if allowed.open_low else low
        last = high - width * 1e-3 if allowed.open_high else high
        return Slider(name, allowed, first, last, False, _value(system, name), measured)
    first = low if low is not None and low > 0 else (1.0 if allowed.whole else 1e-6)
    last = high if high is not None and high > first else first * 1e12
    return Slider(name, allowed, first, last, True, _value(system, name), measured)


def _value(system: System, name: str) -> fmpq:
    value = system.plain(name)
    return fmpq(value) if isinstance(value, (int, fmpq)) else fmpq(1)


def _questions(system: System, name: str) -> Iterator[Question]:
    allowed = system.ranges[name]
    found: list[Bound] = []
    for relation in system.involving(name):
        found += _checked(system, relation, name)
    for least in (True, False):
        terms = [b.expr for b in found if b.lower == least]
        parts = [arg for t in terms for arg in (t.args if isinstance(t, _join(least)) else [t])]
        kept = tuple(dict.fromkeys(p for p in parts if p.free_symbols and _prints(p)))
        if kept and len(kept) == len(dict.fromkeys(parts)):
            yield Question(name, least, allowed, kept)


def _join(least: bool) -> Any:
    return sympy.Max if least else sympy.Min


def _prints(expr: sympy.Expr) -> bool:
    try:
        javascript(expr, {s.name: 0 for s in expr.free_symbols})
    except NoJavaScript:
        return False
    return True


def _checked(system: System, relation: sympy.Basic, name: str) -> list[Bound]:
    """Bounds of a condition on a symbol that agree with it at every random point tried."""
    symbol = system.symbols[name]
    points = list(_points(system, relation, name))
    if not points:
        return []

    def sign(expr: sympy.Expr) -> int | None:
        # A sign that differs between points belongs to no branch the page could rely on.
        seen = set()
        for point in points:
            value = system.evaluate(expr, point)
            seen.add(None if value is None else exact.sign(value))
        return seen.pop() if len(seen) == 1 else None

    found = bounds(relation, symbol, sign) or []
    if all(_agrees(system, relation, name, found, point) for point in points):
        return found
    return []


def _points(system: System, relation: sympy.Basic, name: str) -> Iterator[dict[str, Any]]:
    import numpy

    names = sorted(s.name for s in relation.free_symbols if s.name != name)
    digest = hashlib.sha256(f"{system.label} {name} {relation}".encode()).digest()
    rng = numpy.random.default_rng(numpy.frombuffer(digest, dtype=numpy.uint32))
    covers = [slider(system, item) for item in names]
    for _ in range(TRIALS):
        yield {c.name: system.number(c.name, random_value(c, rng)) for c in covers}


def random_value(cover: Slider, rng: Any) -> fmpq:
    """A value the slider covers, exactly the double that the page would use."""
    share = rng.uniform()
    if cover.allowed.items is not None:
        return cover.allowed.items[int(share * len(cover.allowed.items))]
    if cover.log:
        number = math.exp(math.log(cover.low) + share * math.log(cover.high / cover.low))
        number = min(max(number, cover.low), cover.high)
    else:
        number = cover.low + share * (cover.high - cover.low)
    if cover.allowed.whole:
        number = float(round(number))
    top, bottom = float(number).as_integer_ratio()
    return fmpq(top, bottom)


def _agrees(
    system: System, relation: sympy.Basic, name: str, found: list[Bound], point: dict[str, Any]
) -> bool:
    """Whether a step beyond the tightest bound meets the condition and a step before fails it."""
    for least in (True, False):
        values = [system.evaluate(b.expr, point) for b in found if b.lower == least]
        if not values:
            continue
        if None in values:
            return False
        numbers = [exact.to_float(value) for value in values]
        if any(not math.isfinite(number) for number in numbers):
            continue  # beyond doubles: the other points decide
        edge = max(numbers) if least else min(numbers)
        end = fmpq(*edge.as_integer_ratio())
        step = abs(end) * BEYOND if end else BEYOND
        inside, outside = (end + step, end - step) if least else (end - step, end + step)
        reals = _among_reals(system.ranges[name])
        alone = len({b.lower for b in found}) == 1 and reals.contains(inside)
        if alone and system.holds(relation, {**point, name: inside}) is not True:
            return False
        beyond = reals.contains(outside) and system.holds(relation, {**point, name: outside})
        if beyond is True:
            return False
    return True


def _among_reals(allowed: Range) -> Range:
    """Where a bound is held against its condition: between the ends; of a set at any size."""
    if allowed.items is not None:
        return Range(fmpq(0), open_low=True) if allowed.items[0] > 0 else Range()
    return Range(allowed.low, allowed.high, allowed.open_low, allowed.open_high)


def page(found: list[Entry], known: Mapping[str, Known] = MappingProxyType({})) -> str:
    """The page as text."""
    from boundcheck.report.pages import TEMPLATES, environment

    source = script(found, known)
    digest = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
    template = environment().get_template("explorer.html.jinja")
    style = (TEMPLATES / "report.css").read_text(encoding="utf-8")
    return template.render(
        script=Markup(source), digest=digest, style=Markup(style), count=len(found)
    )


def script(found: list[Entry], known: Mapping[str, Known] = MappingProxyType({})) -> str:
    """The whole script: numbers, claims, page."""
    from boundcheck.report.pages import TEMPLATES

    numbers = (TEMPLATES / "explorer_numbers.js").read_text(encoding="utf-8")
    behaviour = (TEMPLATES / "explorer.js").read_text(encoding="utf-8")
    claims = ",\n".join(_entry_js(item, known) for item in found)
    first = f"const OPEN = {_text(telling(found, known))};"
    return f'"use strict";\n{numbers}\nconst CLAIMS = [\n{claims}\n];\n{first}\n{behaviour}'


def _entry_js(item: Entry, known: Mapping[str, Known]) -> str:
    names = {s.name: place for place, s in enumerate(item.sliders)}
    sliders = ",".join(_text(_slider_data(s)) for s in item.sliders)
    questions = ",\n".join(_question_js(q, names) for q in item.questions)
    said = [
        {"key": part, "page": known[part].page, "verdict": known[part].verdict,
         "fails": known[part].fails}
        for part in item.parts if part in known
    ]  # fmt: skip
    head = f"key:{_text(item.key)},place:{_text(item.place)},said:{_text(said)}"
    return f"{{{head},\nsliders:[{sliders}],\nquestions:[{questions}]}}"


def _slider_data(item: Slider) -> dict[str, Any]:
    allowed = item.allowed
    ends = [None if end is None else float(end.p) / float(end.q)
            for end in (allowed.low, allowed.high)]  # fmt: skip
    return {
        "name": item.name, "math": str(formula.symbol(item.name)),
        "low": item.low, "high": item.high, "log": item.log,
        "value": plain(item.value, 15), "measured": item.measured, "whole": allowed.whole,
        "least": ends[0], "most": ends[1], "openLow": allowed.open_low,
        "openHigh": allowed.open_high, "range": str(allowed), "items": _items(allowed),
    }  # fmt: skip


def _items(allowed: Range) -> list[float] | None:
    """The values of a finite set as the page has them."""
    items = allowed.items
    return None if items is None else [float(item.p) / float(item.q) for item in items]


def _question_js(item: Question, names: dict[str, int]) -> str:
    uses = sorted({names[s.name] for term in item.terms for s in term.free_symbols})
    terms = ",\n".join(
        f"{{text:{_text(str(term))},math:{_text(str(formula.math(term)))},"
        f"f:v=>{javascript(term, names)}}}"
        for term in item.terms
    )
    head = (
        f"symbol:{_text(item.symbol)},math:{_text(str(formula.symbol(item.symbol)))},"
        f"least:{_text(item.least)},whole:{_text(item.allowed.whole)},"
        f"items:{_text(_items(item.allowed))},range:{_text(str(item.allowed))},"
        f"uses:{_text(uses)}"
    )
    return f"{{{head},terms:[{terms}]}}"


def _text(value: Any) -> str:
    """JSON that can stand inside a script element."""
    text = json.dumps(value).replace("<", "\\u003c").replace(">", "\\u003e")
    return text.replace("&", "\\u0026").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
