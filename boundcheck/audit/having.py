"""Which claims have an audit: each is tried on a handful of made-up rows."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterable

from boundcheck.audit.request import AuditRequest
from boundcheck.audit.ridge import compares_predictors
from boundcheck.audit.supply import NumbersWanted
from boundcheck.audit.worlds import audit_of
from boundcheck.errors import InvalidArgument
from boundcheck.library import Library
from boundcheck.worlds.data import DataWorld

ROWS, COLUMNS, FEATURES = 6, 2, 8


def audited(library: Library, keys: Iterable[str]) -> dict[str, list[str]]:
    """Names of the numbers that --set has to give, none for most, by key of a claim with an audit.

    Where numbers are wanted, data may still be refused once they are given.
    """
    world = _rows()
    found: dict[str, list[str]] = {}
    for key in keys:
        request = AuditRequest(key, "", None, "rbf", FEATURES, 0.1, 0.1, 2, ROWS, 0)
        with contextlib.suppress(InvalidArgument), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of made-up rows, about which nothing is said
            try:
                if not compares_predictors(library[key]):
                    audit_of(request, library[key], "", world, 0.0)
                found[key] = []
            except NumbersWanted as error:
                found[key] = error.names
    return found


def _rows() -> DataWorld:
    import numpy

    rng = numpy.random.default_rng(0)
    x = rng.uniform(-1, 1, (ROWS, COLUMNS))
    y = x[:, 0] + 0.1 * rng.standard_normal(ROWS)
    return DataWorld("rows", ("a", "b"), x, y / abs(y).max())
