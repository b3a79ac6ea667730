"""Quantities by field: a definition in exact arithmetic beside a batched estimator."""

from boundcheck.quantities.base import Paired, facts, quantity, renamed

__all__ = ["Paired", "facts", "quantity", "renamed"]
