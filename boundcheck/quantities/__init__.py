"""Quantities by field: a definition in exact arithmetic beside a batched estimator."""

from boundcheck.quantities.base import Paired, facts, known, quantity

__all__ = ["Paired", "facts", "known", "quantity"]
