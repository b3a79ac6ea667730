"""Worlds: finite probability spaces with everything a theorem speaks of, in exact rationals.

`fields`, `kinds` and `composed` say what values may be, `space` makes worlds of them, `draws` and
`walks` the randomness, `families` worlds that grow, `data` and `continuous` worlds that are
sampled. May import what lies below; knows no expression and no claim.
"""

from boundcheck.worlds.composed import Custom, Derived, Index, NoiseLaws, Tuples
from boundcheck.worlds.draws import Counts, Draw, Each, Indices, Jointly, Listed, Sampled, Signs
from boundcheck.worlds.families import Family, doublings, growing, size_symbol
from boundcheck.worlds.fields import (
    Choice,
    Field,
    Gram,
    Increasing,
    Integer,
    Matrix,
    Probabilities,
    Real,
    Symmetric,
    Vector,
    Weights,
)
from boundcheck.worlds.kinds import Independent
from boundcheck.worlds.space import Space, World, as_floats
from boundcheck.worlds.standard import (
    classification_worlds,
    feature_worlds,
    gram_matrices,
    heteroscedastic_worlds,
    noisy_regression_worlds,
    regression_worlds,
    scalar_laws,
    symmetric_matrices,
)
from boundcheck.worlds.walks import Walk

__all__ = [
    "Choice", "Counts", "Custom", "Derived", "Draw", "Each", "Family", "Field", "Gram",
    "Increasing", "Independent", "Index", "Indices", "Integer", "Jointly", "Listed", "Matrix",
    "NoiseLaws", "Probabilities", "Real", "Sampled", "Signs", "Space", "Symmetric",
    "Tuples", "Vector", "Walk", "Weights", "World", "as_floats", "classification_worlds",
    "doublings", "feature_worlds", "gram_matrices", "growing", "heteroscedastic_worlds",
    "noisy_regression_worlds", "regression_worlds", "scalar_laws", "size_symbol",
    "symmetric_matrices",
]  # fmt: skip
