"""The run document and the library joined into what pages show: one view per claim and source."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from markupsafe import Markup

from boundcheck.claim import Claim, Source
from boundcheck.library import Library
from boundcheck.report.charts import curves_svg
from boundcheck.report.domains import parameters, quantities, world_fields
from boundcheck.report.formula import condition, statement, statement_text
from boundcheck.report.prose import heading, humane, natural, paragraphs, slug, split_key
from boundcheck.report.values import finite, plain, probability
from boundcheck.report.world import World, world
from boundcheck.verdict import file_name

STATES = ("refuted", "malformed", "undecided", "supported", "proved")
OTHER_STATES = ("broken", "failed", "absent")
LONGEST_WORLD = 140  # characters of a world that is said in one line
GLYPHS = {"refuted": "✗", "malformed": "!", "undecided": "?", "supported": "✓", "proved": "∎",
          "broken": "!", "failed": "!", "absent": "–"}  # fmt: skip
WORDS = {"absent": "not run", "broken": "broken", "failed": "check failed"}
OWN = {"repaired", "sharpened"}  # in names of claims that are not printed anywhere
LOOSE = 10.0  # slack from which a bound is called loose


@dataclass(frozen=True)
class CheckView:
    """What one check said, with its curves drawn and its counts as text."""

    name: str
    outcome: str
    detail: str
    numbers: list[tuple[str, str]]
    curves: Markup


@dataclass(frozen=True)
class ClaimView:
    """One claim with its result; `claim` is None for a broken file or an unknown key.

    `as_printed` is False for corrections and further readings set beside the print.
    """

    key: str
    claim: Claim | None
    result: dict[str, Any]
    state: str
    reason: str
    title: str
    docstring: str
    world: World | None
    editions: int = 1
    as_printed: bool = True

    @property
    def source(self) -> str:
        return split_key(self.key)[0]

    @property
    def name(self) -> str:
        """The claim's attribute name in words; "" for a statement without claims."""
        return humane(split_key(self.key)[2])

    @property
    def label(self) -> str:
        """Statement and claim, for headings and graphs: "Proposition 4.1", "Lemma 1, arxiv"."""
        _, stem, claim = split_key(self.key)
        tail = "" if claim in ("", "printed") else f", {claim.replace('_', ' ')}"
        return humane(stem) + tail

    @property
    def anchor(self) -> str:
        _, stem, claim = split_key(self.key)
        return f"{slug(stem)}-{slug(claim)}" if claim else f"file-{slug(stem)}"

    @property
    def is_step(self) -> bool:
        return split_key(self.key)[2].startswith("step")

    @property
    def word(self) -> str:
        """The verdict in words."""
        return WORDS.get(self.state, self.state)

    @property
    def bad(self) -> bool:
        return self.state in ("refuted", "malformed")

    @property
    def instead(self) -> str:
        """Key of the claim that states the first repair, its own key for one found by machine."""
        repairs = self.diagnosis.get("repairs") or ()
        return str(repairs[0].get("written") or self.key) if repairs else ""

    @property
    def diagnosis(self) -> dict[str, Any]:
        """Grade, repairs, telling world and what rests on it; empty for a claim without any."""
        return self.result.get("diagnosis") or {}

    @property
    def example(self) -> str:
        """The telling world and what is compared there, in one line; "" where that is too long."""
        telling = self.diagnosis.get("telling") or {}
        values = ", ".join(f"{name} = {value}" for name, value in telling.get("values", {}).items())
        lines = telling.get("lines") or ("",)
        compared = lines[-1] if values else ", ".join(lines[-2:])  # a law is told with its family
        if not compared or len(values) > LONGEST_WORLD or len(compared) > LONGEST_WORLD:
            return ""
        return f"{values}: {compared}" if values else compared

    @property
    def where(self) -> str:
        return self.claim.source.where if self.claim else ""

    @property
    def place(self) -> str:
        """Where it is printed, with the edition."""
        if self.claim is None:
            return ""
        edition = self.claim.source.source.edition
        said = not edition or self.editions < 2 or edition in self.where
        return self.where if said else f"{self.where} ({edition})"

    @cached_property
    def statement(self) -> tuple[Markup, Markup]:
        return statement(self.claim) if self.claim else (Markup(""), Markup(""))

    @property
    def text(self) -> str:
        return statement_text(self.claim) if self.claim else self.reason

    @cached_property
    def hypotheses(self) -> list[Markup]:
        return [condition(given) for given in self.claim.given] if self.claim else []

    @property
    def domains(self) -> list[tuple[Markup, Markup]]:
        return parameters(self.claim) if self.claim else []

    @property
    def fields(self) -> list[tuple[Markup, Markup]]:
        return world_fields(self.claim) if self.claim else []

    @property
    def quantities(self) -> list[tuple[Markup, Markup]]:
        return quantities(self.claim) if self.claim else []

    @property
    def prose(self) -> list[tuple[str, str]]:
        return paragraphs(self.docstring)

    @property
    def uses(self) -> tuple[str, ...]:
        return self.claim.uses if self.claim else ()

    @property
    def summary(self) -> str:
        return self.reason or str(self.result.get("summary") or "")

    @property
    def slack(self) -> float | None:
        value = finite(self.result.get("slack"))
        return value if value and value > 0 else None

    @property
    def slack_text(self) -> str:
        return plain(self.slack) if self.slack else "–"

    @property
    def flags(self) -> list[str]:
        found = ["vacuous"] if self.result.get("vacuous") else []
        if self.result.get("by_definition"):
            found.append("by definition")
        if self.result.get("untested_part"):
            found.append("untested part")
        if self.slack and self.slack >= LOOSE:
            found.append(f"loose by {plain(self.slack)}")
        return found

    @property
    def parts(self) -> list[dict[str, Any]]:
        """Every comparison with its slack and whether a control of it was refuted."""
        return list(self.result.get("parts") or ())

    @property
    def tightest(self) -> int | None:
        """The place of the comparison that gives the slack of the claim, the first of equals."""
        return next((place for place, row in enumerate(self.parts)
                     if self.slack is not None and finite(row.get("slack")) == self.slack), None)

    @property
    def error(self) -> float:
        return finite(self.result.get("error_probability")) or 0.0

    @property
    def seconds(self) -> float | None:
        return finite(self.result.get("seconds"))

    @property
    def evidence(self) -> str:
        """Kind of the evidence, else the check that decided."""
        kind = self.result.get("evidence")
        if kind:
            return f"{kind}, error at most {probability(self.error)}" if self.error else str(kind)
        deciding = [c.name for c in self.checks if c.outcome == self.state]
        return " and ".join(deciding) or "–"

    @cached_property
    def checks(self) -> list[CheckView]:
        return [_check(item) for item in self.result.get("checks") or ()]


@dataclass
class SourceView:
    """A source folder: its editions and claims in natural order."""

    name: str
    editions: list[Source] = field(default_factory=list)
    claims: list[ClaimView] = field(default_factory=list)
    about: str = ""
    calibrates: bool = False

    @property
    def page(self) -> str:
        return f"sources/{slug(self.name)}.html"

    def statement_page(self, stem: str) -> str:
        """The page that holds the claims of a statement in full."""
        return f"sources/{slug(self.name)}/{slug(stem)}.html"

    @property
    def collects(self) -> bool:
        """Whether statements of several works lie in the folder."""
        return len({(edition.authors, edition.title) for edition in self.editions}) > 1

    @property
    def title(self) -> str:
        if self.collects:
            return self.about.partition("\n")[0].rstrip(".") or humane(self.name)
        return self.editions[0].title if self.editions else self.name

    @property
    def byline(self) -> str:
        if not self.editions or self.collects:
            return humane(self.name) if self.collects else ""
        first = self.editions[0]
        editions = [source.edition for source in self.editions if source.edition]
        return f"{first.authors}, {first.year}" + (f" ({', '.join(editions)})" if editions else "")

    @property
    def links(self) -> list[tuple[str, str]]:
        """(text, address) of editions with a web address."""
        return [(s.edition or "text", s.link) for s in self.editions
                if s.link.startswith(("https://", "http://"))]  # fmt: skip

    @property
    def totals(self) -> dict[str, int]:
        return totals(self.claims)

    @property
    def statements(self) -> list[tuple[str, list[ClaimView]]]:
        """Claims grouped by statement file."""
        groups: dict[str, list[ClaimView]] = {}
        for view in self.claims:
            groups.setdefault(split_key(view.key)[1], []).append(view)
        return list(groups.items())


def totals(claims: Sequence[ClaimView]) -> dict[str, int]:
    """How many claims are in each state that occurs, and in all five verdicts."""
    counts = dict.fromkeys(STATES, 0)
    for view in claims:
        counts[view.state] = counts.get(view.state, 0) + 1
    return counts


def order(key: str) -> tuple[Any, ...]:
    """Sources by name, statements in natural order; the print, then proof steps, then our own."""
    source, stem, claim = split_key(key)
    own = bool(OWN & set(claim.split("_")))
    return (
        source, natural(stem), own, claim.startswith("step"), claim != "printed", natural(claim)
    )  # fmt: skip


def printed(key: str, others: Iterable[str]) -> bool:
    """Whether a claim is the print itself, an edition or a proof step, told by its name.

    Beside `printed`, other names than `step...` are readings of our own, and so is a name that
    goes on after that of another claim of the statement.

    >>> printed("a/lemma_1:step_sum", ["a/lemma_1:printed"])
    True
    >>> printed("a/lemma_1:arxiv_scaled", ["a/lemma_1:arxiv", "a/lemma_1:aistats"])
    False
    >>> printed("a/lemma_1:strict", ["a/lemma_1:printed"])
    False
    """
    name = split_key(key)[2]
    names = {split_key(other)[2] for other in others}
    if OWN & set(name.split("_")) or any(name.startswith(f"{other}_") for other in names):
        return False
    return name.startswith("step") or name == "printed" or "printed" not in names


def views(document: dict[str, Any], library: Library, folder: str) -> list[SourceView]:
    """Every claim of the library and of the document, by source; `folder` is the report's name."""
    results = {str(entry.get("key")): entry for entry in document.get("claims") or ()}
    named = {*results, *library.claims}
    unnamed = set(library.broken) - {key.partition(":")[0] for key in named}
    keys = sorted(named | unnamed, key=order)
    sources: dict[str, SourceView] = {}
    for key in keys:
        name = split_key(key)[0]
        source = sources.setdefault(name, SourceView(
            name, about=library.about.get(name, ""), calibrates=name in library.calibrating))
        claim = library.claims.get(key)
        if claim and claim.source.source not in source.editions:
            source.editions.append(claim.source.source)
    for key in keys:
        source = sources[split_key(key)[0]]
        source.claims.append(_view(key, results.get(key), library, folder, len(source.editions)))
    return list(sources.values())


def _view(
    key: str, result: dict[str, Any] | None, library: Library, folder: str, editions: int
) -> ClaimView:
    statement_key = key.partition(":")[0]
    claim = library.claims.get(key)
    docstring = library.titles.get(statement_key, "")
    reason = library.broken.get(statement_key, "") if claim is None else ""
    reason = relative(reason, library)
    if claim is None and not reason:
        reason = "the library that this report was written with has no claim of this key"
    state = "broken" if claim is None else "absent"
    verdict = str((result or {}).get("verdict"))
    if verdict in (*STATES, *OTHER_STATES) and statement_key not in library.broken:
        state = verdict
    document = (result or {}).get("witness")
    shown = None
    if isinstance(document, dict):
        file = file_name(key)
        command = str((result or {}).get("replay"))
        if not command.startswith("boundcheck replay "):
            command = f"boundcheck replay {folder}/witnesses/{file}"
        shown = world(document, claim, file, command)
    title = heading(docstring) or humane(split_key(key)[1]) or key
    return ClaimView(
        key, claim, result or {}, state, reason, title, docstring, shown, editions,
        printed(key, library.siblings(key)),
    )  # fmt: skip


def relative(text: str, library: Library) -> str:
    """A reason without the folder that the library happens to be in."""
    return text.replace(f"{library.root}/", "").replace(str(library.root), "the library")


def _check(item: dict[str, Any]) -> CheckView:
    numbers = dict(item.get("numbers") or {})
    curves = numbers.pop("curves", None)
    numbers.pop("coordinates", None)  # for search to resume from, not for reading
    drawn = Markup("")
    if isinstance(curves, dict):
        drawn = curves_svg(curves, "constant needed against the size of the family")
    return CheckView(
        name=str(item.get("check")),
        outcome=str(item.get("outcome") or "nothing to say"),
        detail=str(item.get("detail") or ""),
        numbers=[(humane(str(name)), _text(value)) for name, value in numbers.items()],
        curves=drawn,
    )


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{name}: {_text(entry)}" for name, entry in value.items()) or "none"
    if isinstance(value, (list, tuple)):
        return ", ".join(_text(entry) for entry in value) or "none"
    if isinstance(value, float):
        return f"{value:.6g}"
    return {True: "yes", False: "no", None: "–"}.get(value, str(value)) if not isinstance(
        value, int) or isinstance(value, bool) else str(value)  # fmt: skip


@dataclass(frozen=True)
class Rest:
    """A conclusion that rests on refuted or malformed claims."""

    view: ClaimView
    on: list[ClaimView]

    @property
    def survival(self) -> str:
        """Whether the conclusion itself survived, in words."""
        if self.view.bad:
            return f"No: it is {self.view.word} itself."
        return {
            "proved": "Yes: it is proved by another route.",
            "supported": "Yes: the search found no failure of the conclusion itself.",
        }.get(self.view.state, "Open: no verdict on the conclusion itself.")


def resting(claims: Sequence[ClaimView], everywhere: dict[str, ClaimView]) -> list[Rest]:
    """Claims that rest on a refuted or malformed claim, with the first such on every path."""
    found = []
    for view in claims:
        seen: set[str] = {view.key}
        open_, broken = list(view.uses), []
        while open_:
            premise = everywhere.get(open_.pop())
            if premise is None or premise.key in seen:
                continue
            seen.add(premise.key)
            if premise.bad:
                broken.append(premise)
            else:
                open_ += premise.uses
        if broken:
            found.append(Rest(view, sorted(broken, key=lambda item: order(item.key))))
    return found
