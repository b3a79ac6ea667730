"""Quantities by field: a definition in exact arithmetic beside a batched estimator.

`base` has the decorator `quantity`; the other modules hold one field each, and `batched_*` the
float forms of the longer ones. May import what lies below and `expressions`; knows no claim and no
world.
"""

from boundcheck.quantities.base import Paired, facts, known, quantity

__all__ = ["Paired", "facts", "known", "quantity"]
