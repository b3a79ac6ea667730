"""What the golden files of a library say of its claims, for answers that rest on them.

What a statement asks is asked by a refuted one too; then its conclusion does not follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from boundcheck.golden import read_golden

STANDING = ("proved", "supported")
WRONG = ("refuted", "malformed")
STEP = "step_"  # how names of steps of a proof begin
SHOWN = 2  # statements that are named in place of a refuted one


class Ground(NamedTuple):
    """A statement that an answer rests on and that does not stand.

    Args: key: of the statement. word: its verdict, such as "refuted (exact)". of: whose proof uses
    it, or "" for the statement that was asked. instead: keys of its forms that stand.
    """

    key: str
    word: str
    of: str = ""
    instead: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.of:
            text = f"{self.of} rests on {self.key}, which is {self.word} as printed"
        else:
            text = (
                f"{self.key} is {self.word} as printed; this number rests on its conditions and "
                "its conclusion does not follow"
            )
        return f"{text}; {' and '.join(self.instead)} stand{'s' * (len(self.instead) == 1)}" if (
            self.instead
        ) else text  # fmt: skip

    def as_json(self) -> dict[str, Any]:
        """JSON-ready form."""
        return {"claim": self.key, "verdict": self.word, "of": self.of or None,
                "instead": list(self.instead)}  # fmt: skip


_listed = cache(read_golden)  # read once: a run of a page asks it for every claim


def golden(root: Path, key: str) -> str:
    """What the golden file of a source says of a claim, such as "refuted (exact)"; "" for nothing.

    A short search may miss what a larger one has found.
    """
    return _listed(Path(root) / key.partition("/")[0]).get(key, "")


def golden_word(root: Path, key: str) -> str:
    """The outcome alone, such as "supported"; "" for nothing."""
    return " ".join(golden(root, key).split()[:1])


def stands_by_golden(root: Path, key: str) -> bool:
    """Whether the golden file of a source lists a claim as proved or supported."""
    return golden_word(root, key) in STANDING


def standing_forms(root: Path, key: str) -> tuple[str, ...]:
    """Other claims of the same statement that stand, without steps of its proof; a few.

    None for a step: the others are no forms of it.
    """
    statement = key.partition(":")[0] + ":"
    if key.startswith(statement + STEP):
        return ()
    forms = (other for other in _listed(Path(root) / key.partition("/")[0])
             if other.startswith(statement) and other != key
             and not other.startswith(statement + STEP))  # fmt: skip
    return tuple(form for form in forms if stands_by_golden(root, form))[:SHOWN]


def grounds(keys: Iterable[str], root: Any, *, deep: bool = False) -> tuple[Ground, ...]:
    """Statements among some, and those that their proofs use, that do not stand.

    Args: keys: of a library. deep: whether also what those rest on is looked at, and so on.
    """
    from boundcheck.library import find_root

    return tuple(_grounds(list(keys), find_root(root), deep))


def _grounds(keys: list[str], folder: Path, deep: bool) -> Iterator[Ground]:
    from boundcheck.library import load_library

    waiting = [(key, "") for key in keys]
    seen = set(keys)
    while waiting:
        key, of = waiting.pop(0)
        word = golden(folder, key)
        if word.startswith(WRONG):
            yield Ground(key, word, of, standing_forms(folder, key))
        if word.startswith(WRONG) or (of and not deep):
            continue  # what a refuted statement rests on does not matter any more
        claims = load_library(folder, [key]).claims
        for used in claims[key].uses if key in claims else ():
            if used not in seen:
                seen.add(used)
                waiting.append((used, key))
