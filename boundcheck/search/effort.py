"""What a world costs, counted and never timed, so that the clock decides nothing."""

from __future__ import annotations

from collections.abc import Mapping
from math import isqrt, prod
from typing import Any

from boundcheck.claim import Claim
from boundcheck.expressions.exactly import LARGEST
from boundcheck.search.screening import averaged
from boundcheck.search.shrink import entries

MOST_OUTCOMES = 4096  # of one draw that are counted
AVERAGED = 40_000  # effort of averages that counts as much as another evaluation


class Effort:
    """The effort of the worlds of a claim: what a product of matrices with all of a world's
    numbers would take, for every outcome of what is drawn or averaged.

    Args: inside, drawn: outcomes that count of an average inside a world, and of the claim's draw.
    """

    def __init__(
        self, claim: Claim, *, inside: int = MOST_OUTCOMES, drawn: int = MOST_OUTCOMES
    ) -> None:
        asked = {symbol.name for given in claim.given for symbol in given.free_symbols}
        self.hypotheses = [(draw, inside) for draw in averaged(claim, asked, listed=True)]
        self.averages = [(draw, inside) for draw in averaged(claim, listed=True)]
        self.draws = [*self.averages, *([] if claim.draw is None else [(claim.draw, drawn)])]

    def __call__(self, values: Mapping[str, Any], *, assessed: bool = True) -> int:
        """The effort of one world; where it is only made, of what its hypotheses average."""
        numbers = sum(map(entries, values.values()))
        try:
            outcomes = prod(min(max(draw.count(values.__getitem__), 1), most)
                            for draw, most in (self.draws if assessed else self.hypotheses))
        except (KeyError, TypeError, ValueError):  # a law that is itself measured
            outcomes = 1
        return int(outcomes) * numbers * isqrt(numbers)

    def of_averages(self, values: Mapping[str, Any]) -> int:
        """What the averages inside a world take whose outcomes are listed, however many: more where
        their probabilities have many digits; nothing where they are too many."""
        if not self.averages:
            return 0
        look, numbers = values.__getitem__, sum(map(entries, values.values()))
        try:
            terms = prod(draw.terms(look) for draw, _ in self.averages)
        except (KeyError, TypeError, ValueError):
            return 0
        return int(terms) * numbers * isqrt(numbers) if terms <= LARGEST else 0

    def evaluations(self, values: Mapping[str, Any]) -> int:
        """How many evaluations more a world counts as for its averages."""
        return self.of_averages(values) // AVERAGED
