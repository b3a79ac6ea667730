"""A failing claim under diagnosis: its verdict, worlds, and what refuted its changed forms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import sympy

from boundcheck.certify import why_undefined
from boundcheck.claim import Claim, Form, UpToConstant, WithProbability
from boundcheck.diagnosis.beyond import MOST, carried
from boundcheck.diagnosis.columns import Free
from boundcheck.diagnosis.edits import level_of
from boundcheck.diagnosis.pool import ROWS, Seen, Table, explore, size_of
from boundcheck.diagnosis.trial import Bench, setting_of
from boundcheck.diagnosis.views import Views
from boundcheck.expressions.nodes import Greatest, nodes
from boundcheck.search.admissible import Candidate, Candidates
from boundcheck.search.effort import Effort
from boundcheck.search.growth import ATTRIBUTES
from boundcheck.search.objective import PASSED, SILENT, Assessment, assess
from boundcheck.search.portfolio import Search, SearchResult
from boundcheck.setting import INEQUALITIES, Setting, parts, sides
from boundcheck.verdict import Evidence, Verdict
from boundcheck.worlds.composed import promised_field
from boundcheck.worlds.fields import Integer

KNOWN = 16  # of the worst violations of the claim, tried on every change of it
DRAWN = 40  # worlds in which it is asked whether a statement has a value
STRICT = {sympy.Le: sympy.Lt, sympy.Lt: sympy.Lt, sympy.Ge: sympy.Gt, sympy.Gt: sympy.Gt}
DEAR = 400_000  # effort of the averages of one world: some seconds
PART = 0.25  # of the effort of a search is the most that one world may take
POOL = 400  # worlds of a pool, divided by the root of the claim's cost


@dataclass
class Case:
    """What the parts of a diagnosis share.

    Args: key, claim: what fails. verdict: how. bench: trials. killers: worlds that refuted a
    changed claim, newest last. told: a simple world in which the claim fails, once it is known.
        kept_by: least values of an integer from which on nothing failed, once they are known.
        parts: conditions on one number under which nothing failed, once they are known, and
        whether they hold wherever nothing did.
        refuted_rates: how many of the slowest lost rates some growth refuted. too_dear: enlarged
        worlds that took more than a look may.
    """

    key: str
    claim: Claim
    verdict: Verdict
    bench: Bench
    killers: list[dict[str, object]] = field(default_factory=list)
    told: Setting | None = None
    kept_by: list[sympy.Basic] = field(default_factory=list)
    parts: dict[sympy.Basic, bool] = field(default_factory=dict)
    refuted_rates: int = 0
    too_dear: set[str] = field(default_factory=set)
    _seen: tuple[bool, int] | None = None

    @cached_property
    def witness(self) -> Setting | None:
        """The world of the verdict; None where the claim fails nowhere in particular."""
        found = self.verdict.witness
        if found is None or (self.claim.undefined and not found.values):
            return None
        return setting_of(self.claim, found)

    @cached_property
    def defined(self) -> Claim:
        """The claim without hypotheses that use undefined symbols."""
        loose = self.claim.undefined
        if not loose:
            return self.claim
        kept = [condition for condition in self.claim.given if not condition.free_symbols & loose]
        return replace(self.claim, given=kept)

    @cached_property
    def worlds(self) -> list[Seen]:
        """Worlds of the claim, violations first, the same for every seed."""
        count = int(POOL / math.sqrt(max(self.claim.cost, 0.25)))
        if self.claim.undefined:
            return self._random(max(count // 4, 12))
        return explore(replace(self.bench, seed=0).task(self.claim, "pool"), max(count, 24))

    def _random(self, count: int) -> list[Seen]:
        rng = self.bench.task(self.claim, "pool").rng("random worlds")
        candidates = Candidates(self.defined)
        drawn = (candidates.random(rng) for _ in range(count))
        return [Seen(math.nan, False, "", found) for found in drawn if found is not None]

    @cached_property
    def seldom_defined(self) -> bool:
        """Whether an inequality has no value in most worlds and equal sides in the others."""
        outcomes = self.bench.budget.outcomes
        drawn = [seen.setting for seen in self._random(DRAWN)]
        told = [setting for setting in drawn if not why_undefined(setting, outcomes)]
        if not self.has_inequality or self.claim.draw is not None or 2 * len(told) > len(drawn):
            return False
        strict = [STRICT[type(part)](*part.args, evaluate=False)
                  for part in parts(self.claim.statement.relation) if type(part) in STRICT]
        return not any(setting.decide(part) for setting in told for part in strict)

    @cached_property
    def table(self) -> Table:
        """The worlds in floats, that of the verdict first."""
        settings = [seen.setting for seen in self.worlds]
        settings[:0] = [Setting(self.claim, values) for values in self.far]
        if self.witness is not None:
            settings.insert(0, self.witness)
        return Table(self.claim, settings, int(ROWS / math.sqrt(max(self.claim.cost, 1.0))))

    @cached_property
    def failing(self) -> Any:
        """Worlds of the table in which the claim fails; None where floats do not tell."""
        return self.table.violated(self.claim.statement, self.claim.given)

    @cached_property
    def free(self) -> Free:
        """The symbols at will inside their domains."""
        return Free(self.claim, self.bench.task(self.claim, "domain").rng("free"))

    @cached_property
    def sizes(self) -> set[str]:
        """Names of the integers that the claim is about."""
        return {name for name, field in self.claim.fields.items()
                if isinstance(promised_field(field), Integer)}  # fmt: skip

    @cached_property
    def lost_sizes(self) -> set[str]:
        """Sizes without end of which the print bounds a maximum by what does not depend on them."""
        claim, lost = self.claim, set[str]()
        for part in parts(claim.statement.relation):
            if isinstance(part, INEQUALITIES):
                bounded, bound = sides(part)
                lost |= _of_maxima(claim, bounded) - _used(claim, bound)
        level = level_of(claim.statement)
        lost -= set() if level is None else _used(claim, level)
        fields = {name: promised_field(claim.fields[name]) for name in lost & set(claim.fields)}
        return {name for name, field in fields.items()
                if isinstance(field, Integer) and field.high is None}  # fmt: skip

    @property
    def shown(self) -> str:
        """The statement as pages write it."""
        return shown(self.claim)

    @property
    def explicit(self) -> bool:
        """Whether the statement has all its constants."""
        return not isinstance(self.claim.statement, UpToConstant)

    @property
    def concrete(self) -> bool:
        """Whether there is one world only: a statement about given numbers."""
        return len({str(seen.setting.values) for seen in self.worlds[:4]}) <= 1

    @property
    def has_inequality(self) -> bool:
        """Whether some comparison is an inequality."""
        relation = self.claim.statement.relation
        return any(not isinstance(part, (sympy.Eq, sympy.Ne)) for part in parts(relation))

    @property
    def failures(self) -> list[dict[str, object]]:
        """Worlds in which the claim itself fails: of its verdict, a telling one, the worst met."""
        known = [] if self.told is None else [dict(self.told.values)]
        return self._met + known + self.far

    @cached_property
    def _met(self) -> list[dict[str, object]]:
        known = [dict(self.witness.values)] if self.witness is not None else []
        return known + [dict(s.setting.values) for s in self.worlds[:KNOWN] if s.violated]

    @cached_property
    def far(self) -> list[dict[str, object]]:
        """Worlds outside the range of search in which the claim still fails."""
        if self.verdict.outcome != "refuted" or not self.explicit:
            return []
        rng = self.bench.task(self.claim, "beyond").rng("walks")
        told = [] if self.told is None else [dict(self.told.values)]
        return carried(self.claim, told + self._met, self.bench.budget.outcomes, rng)

    @cached_property
    def creeping(self) -> float:
        """Left over right in the largest worlds of those in which it creeps up with a size, with no
        end in sight; 0 for none."""
        from boundcheck.diagnosis.creeping import creeping_up

        return creeping_up(self)

    @cached_property
    def unreached(self) -> set[str]:
        """Sizes without end that are small in every world in which the claim was seen to fail.

        What a change mends at such sizes it need not mend at larger ones.
        """
        fields = {name: promised_field(field) for name, field in self.claim.fields.items()}
        endless = {name for name in self.sizes if getattr(fields[name], "high", None) is None}
        largest = {name: max((size_of(values.get(name)) for values in self.failures), default=0)
                   for name in endless}  # fmt: skip
        return {name for name in endless if largest[name] < MOST}

    @cached_property
    def refutable(self) -> bool:
        """Whether the search that lets a change stand refutes the print itself, from new seeds.

        Where it does not, that it refutes no change says nothing.
        """
        witness, first = self.verdict.witness, "enumeration"
        if witness is not None and "rescaling" in witness.extra:
            first = "invariance"
        elif witness is not None and witness.kind == "trend":
            first = "trend"
        return self.bench.searched(self.claim, "the print again", first=first)[0] is not None

    @cached_property
    def views(self) -> Views:
        """The failing worlds that changes are put to."""
        return Views(self.claim, self.bench.budget.outcomes)

    def killed(self, claim: Claim) -> bool:
        """Whether the witness or a world that refuted an earlier change refutes this one."""
        if self._seen != (self.told is None, len(self.killers)):
            self._seen = (self.told is None, len(self.killers))
            self.views.add([*self.failures, *self.killers])
        return self.views.refute(claim)

    def remember(self, evidence: Evidence) -> None:
        """Keep the world of a refutation."""
        if evidence.witness is not None and evidence.witness.values:
            self.killers.append(dict(setting_of(self.claim, evidence.witness).values))

    def search(
        self, claim: Claim, purpose: str, share: float, *, missing: bool = False,
        warm: Sequence[Sequence[float]] = (), most: float = math.inf,
    ) -> SearchResult:  # fmt: skip
        """A search for a violation that passes over worlds without a value.

        Where balls do not tell, what has no score is doubtful, and a tie that is excluded: sides
        that no precision tells apart are as good as equal, which a weak sign admits.

        Args: missing: look for a world without a value instead. warm: where to begin. most: effort
        of a world beyond which it is passed over too, as one is whose averages take too long.
        """
        task = self.bench.task(claim, purpose, share)
        effort, most = Effort(claim), min(most, PART * task.budget.effort)
        strict = claim.statement.relation.has(sympy.Lt, sympy.Gt, sympy.Ne)
        doubtful = 0

        def objective(candidate: Candidate) -> Assessment:
            if missing:
                lost = bool(why_undefined(candidate.setting, task.budget.outcomes))
                return Assessment(2.0 if lost else 0.5, lost, {})
            values = candidate.setting.values
            if effort.of_averages(values) > DEAR or effort(values) > most:
                return PASSED
            found = assess(candidate.setting, outcomes=task.budget.outcomes)
            nonlocal doubtful
            doubtful += found.undecided and (strict or math.isnan(found.score))
            return SILENT if found.undefined else found

        met = Search(
            Candidates(claim), objective, task.rng("part"), evaluations=task.evaluations,
            seconds=task.budget.seconds, effort=task.budget.effort, warm=warm,
            listed=task.budget.outcomes,
        ).run()  # fmt: skip
        return replace(met, doubtful=doubtful)


def _of_maxima(claim: Claim, side: sympy.Expr) -> set[str]:
    """Names of sizes over which a side takes the largest value."""
    bodies = (getattr(claim.measure.get(symbol), "expression", sympy.S.Zero)
              for symbol in side.free_symbols)  # fmt: skip
    return {str(index.meaning.size) for body in bodies for node in nodes(body)
            if isinstance(node, Greatest) for index in node.indices}  # fmt: skip


def _used(claim: Claim, side: sympy.Expr) -> set[str]:
    """Names of what a side is made of, sizes of its vectors and matrices among them."""
    used = {symbol.name for symbol in side.free_symbols}
    for symbol in side.free_symbols & set(claim.measure):
        used |= set(claim.arguments(claim.measure[symbol]))
    shapes = {str(getattr(promised_field(claim.fields[name]), way, ""))
              for name in used & set(claim.fields) for way in ATTRIBUTES}  # fmt: skip
    return used | shapes


def weakened(form: Form) -> Form:
    """The form with every strict inequality made weak."""
    return form.with_relation(weak(form.relation))


def weak(relation: sympy.Basic) -> sympy.Basic:
    """A relation with every strict inequality made weak."""
    if isinstance(relation, (sympy.And, sympy.Implies)):
        return relation.func(*map(weak, relation.args), evaluate=False)
    looser = {sympy.Lt: sympy.Le, sympy.Gt: sympy.Ge}.get(type(relation))
    return looser(*relation.args, evaluate=False) if looser else relation


def shown(claim: Claim) -> str:
    """What a claim states, as pages write it."""
    from boundcheck.report.formula import statement_text as written
    return written(claim)


def statement_text(form: Form) -> str:
    """A statement in one line of text."""
    if isinstance(form, UpToConstant):
        return "up to a constant: " + statement_text(form.inner)
    if isinstance(form, WithProbability):
        return f"P({form.relation}) >= {level_of(form)}"
    return f"{'in expectation: ' if form.name == 'Expected' else ''}{form.relation}"
