"""One error budget over a whole report: weighted e-Bonferroni with alpha spending.

Claim k gets the level w_k * total with sum w_k <= 1 and is refuted when its e-value reaches
1 / (w_k * total), that is when w_k E_k >= 1 / total. If its statement is true this has probability
at most w_k * total (Markov, or Ville for the supremum), however the claims depend on each other,
so by the union bound a report holds one wrong statistical refutation or more with probability at
most `total`.

Weights come first. What named weights leave is cut into blocks: the first `capacity` claims
without a name share half of it equally, the next 2 * capacity claims a quarter, and so on, which
sums to the rest and leaves a level for every claim that is ever added. Up to `capacity` claims
the level of a key is one constant: it depends neither on which other claims run, nor on their
order or number, so workers can ask for levels independently and a replay finds the same one.

Sources: Wang and Ramdas, J. R. Stat. Soc. B 84 (2022) 822-852 (e-values under arbitrary
dependence); Foster and Stine, J. R. Stat. Soc. B 70 (2008) 429-444 (alpha spending).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from boundcheck.errors import InvalidArgument
from boundcheck.statistics.arguments import open_unit


@dataclass(frozen=True)
class Spending:
    """One row of the account: a key, the level it spent, log of its e-value if reported."""

    key: str
    level: float
    log_e: float | None = None

    @property
    def rejects(self) -> bool:
        """Whether the e-value reaches 1 / level."""
        return self.log_e is not None and self.log_e >= math.log(1 / self.level)

    def __str__(self) -> str:
        seen = "-" if self.log_e is None else f"{self.log_e:.2f}"
        verdict = "refuted" if self.rejects else "not refuted"
        return f"{self.key}  level {self.level:.3g}  log e {seen}  {verdict}"


class Account:
    """The error budget of one report and who spent it.

    Args:
        total: error probability of the whole report, in (0, 1).
        weights: shares of `total` by key, for claims that deserve more; positive, sum at most
            1/2 so that later claims are left something.
        capacity: number of claims without a named weight that share the first block equally.
    Raises: InvalidArgument.

    Use one key for one test. A claim with several tests (two sides, two quantities) asks for a
    key each, such as `wu2021/theorem_4_2:printed#support`.

    >>> account = Account(1e-6, capacity=500)
    >>> account.spend("wu2021/theorem_4_2:printed")
    1e-09
    >>> account.spend("wu2021/theorem_4_2:printed", log_e=25.0)   # the same test, reported
    1e-09
    >>> [str(row) for row in account.rows()]
    ['wu2021/theorem_4_2:printed  level 1e-09  log e 25.00  refuted']
    >>> account.spent
    1e-09
    """

    def __init__(
        self,
        total: float = 1e-6,
        *,
        weights: Mapping[str, float] | None = None,
        capacity: int = 1024,
    ) -> None:
        self.total = open_unit("total", total, example=1e-6)
        if capacity != int(capacity) or capacity < 1:
            raise InvalidArgument(f"capacity = {capacity} is not a positive integer; give 1024")
        self.capacity = int(capacity)
        self.weights = MappingProxyType(_checked_weights(weights or {}))
        self._rest = 1 - math.fsum(self.weights.values())
        self._rows: dict[str, Spending] = {}
        self._unnamed = 0

    def level(self, key: str) -> float:
        """Level of the test named `key`: what it spent, or would spend if it ran now."""
        if key in self._rows:
            return self._rows[key].level
        if key in self.weights:
            return self.total * self.weights[key]
        return self.total * self._rest * block_weight(self._unnamed, self.capacity)

    def spend(self, key: str, *, log_e: float | None = None) -> float:
        """Books the test named `key` and returns its level; a second call spends nothing more.

        Args:
            key: a non-empty name, one for each test.
            log_e: largest log e-value of the test, once known (infinity is allowed).
        Raises: InvalidArgument on an empty key or a NaN e-value.
        """
        if not key:
            raise InvalidArgument("key = '' is empty; give the key of the claim that spends")
        if log_e is not None and math.isnan(log_e):
            raise InvalidArgument(f"log_e = {log_e} of {key} is not a number; give log_e of a test")
        level = self.level(key)
        if key not in self._rows and key not in self.weights:
            self._unnamed += 1
        before = self._rows[key].log_e if key in self._rows else None
        known = [value for value in (before, log_e) if value is not None]
        self._rows[key] = Spending(key, level, max(known) if known else None)
        return level

    @property
    def spent(self) -> float:
        """Sum of the levels booked; never above `total`."""
        return math.fsum(row.level for row in self._rows.values())

    def rows(self) -> tuple[Spending, ...]:
        """Everything booked, sorted by key."""
        return tuple(self._rows[key] for key in sorted(self._rows))

    def __str__(self) -> str:
        head = f"error probability {self.spent:.3g} spent of {self.total:.3g}"
        return "\n".join([head, *map(str, self.rows())])


def block_weight(position: int, capacity: int) -> float:
    """Weight of the claim at `position` 0, 1, 2, ...; the weights of all positions sum to 1.

    Block b = 0, 1, ... holds capacity * 2^b positions and shares 2^-(b + 1) among them.

    >>> [block_weight(k, 2) for k in range(4)]
    [0.25, 0.25, 0.0625, 0.0625]
    """
    block = (position // capacity + 1).bit_length() - 1
    return 0.5 ** (2 * block + 1) / capacity


def e_bonferroni(
    log_e: Mapping[str, float], total: float = 1e-6, *, weights: Mapping[str, float] | None = None
) -> frozenset[str]:
    """Keys whose e-values refute them at family-wise error `total`, given all at once.

    Args:
        log_e: log e-values by key, at least one; any dependence between them is allowed.
        total: in (0, 1). weights: by key, positive, sum at most 1; equal if not given. They must
            be fixed before the e-values are seen.
    Raises: InvalidArgument.

    >>> sorted(e_bonferroni({"a": 4.0, "b": 3.5}, 0.05))
    ['a']
    """
    open_unit("total", total, example=1e-6)
    if not log_e:
        raise InvalidArgument("no e-values are given; give at least one")
    if weights is None:
        weights = dict.fromkeys(log_e, 1 / len(log_e))
    shares = _checked_weights(weights, most=1.0)
    missing = sorted(set(log_e) - set(shares))
    if missing:
        raise InvalidArgument(f"key {missing[0]!r} has no weight; give one for every e-value")
    return frozenset(
        key for key, value in log_e.items() if value >= math.log(1 / (total * shares[key]))
    )


def _checked_weights(weights: Mapping[str, float], most: float = 0.5) -> dict[str, float]:
    for key, weight in weights.items():
        if not 0 < weight <= most:
            raise InvalidArgument(
                f"weight {weight} of {key!r} is outside (0, {most}]; give a share of the total"
            )
    total = math.fsum(weights.values())
    # Equal weights 1/n may sum to 1 plus rounding, which no error probability can notice.
    if total > most * (1 + 1e-12):
        raise InvalidArgument(f"weights sum to {total}, above {most}; scale them down")
    return dict(weights)
