"""What verdicts rest on, counted: kinds of proofs and refutations, mutants by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

Entry = Mapping[str, Any]
KINDS = ("certified proof", "proof by two solvers", "exact refutation", "statistical refutation",
         "trend refutation", "malformed, demonstrated")  # fmt: skip


def kind_of(entry: Entry) -> str:
    """What the verdict of one claim rests on; "" where nothing is decided.

    >>> kind_of({"verdict": "refuted", "evidence": "trend"})
    'trend refutation'
    """
    verdict = entry.get("verdict")
    if verdict == "proved":
        return KINDS[0] if entry.get("certificate") else KINDS[1]
    if verdict == "refuted":
        return f"{entry.get('evidence') or 'exact'} refutation"
    return KINDS[5] if verdict == "malformed" else ""


def evidence_counts(claims: Sequence[Entry]) -> list[tuple[str, int]]:
    """How many verdicts rest on each kind of evidence, the strongest first."""
    found = Counter(kind_of(entry) for entry in claims)
    return [(kind, found[kind]) for kind in KINDS if found[kind]]


def bookkeeping(claims: Sequence[Entry]) -> list[tuple[str, list[str]]]:
    """(key, comparisons of its proof that are true by definition), where there are any.

    >>> bookkeeping([{"key": "a/b:c", "checks": [{"numbers": {"same": ["x <= x"]}}]}, {"key": "d"}])
    [('a/b:c', ['x <= x'])]
    """
    found = [(str(entry.get("key")), [str(part) for check in entry.get("checks") or ()
                                      for part in (check.get("numbers") or {}).get("same") or ()])
             for entry in claims]  # fmt: skip
    return [row for row in found if row[1]]


def mutant_counts(controls: Sequence[Entry]) -> list[tuple[str, int, int]]:
    """(kind of mutant, caught, made) by kind; removed hypotheses are one kind.

    >>> mutant_counts([{"mutant": "hypothesis x > 0 removed", "caught": False}])
    [('hypothesis removed', 0, 1)]
    """
    made: Counter[str] = Counter()
    caught: Counter[str] = Counter()
    for row in controls:
        name = str(row.get("mutant") or "")
        kind = "hypothesis removed" if name.startswith("hypothesis ") else name
        place = row.get("part")
        kind += f", comparison {place + 1}" if isinstance(place, int) and place else ""
        made[kind] += 1
        caught[kind] += bool(row.get("caught"))
    return [(kind, caught[kind], count) for kind, count in sorted(made.items())]
