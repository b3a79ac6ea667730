"""The language of definitions: SymPy expressions over symbols that carry their meaning.

`symbols` holds the symbols, `nodes` the kinds of nodes, `algebra` vectors and matrices, `names`
parts that are shown by a name. Each reading is one module with one rule per kind of node: `exactly`
(rationals and balls), `batch` (floats over many worlds or outcomes), `shapes`, `units`, `signs`
(facts), `matrix_words` (identities). `binding` makes worlds, parameters, measures and draw of
a claim from the symbols that it uses.

May import what lies below, `worlds`, `quantities`, `sign_sums` and `unmerged`; knows no claim.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what the names are, for readers of types; at run time each loads when used
    from boundcheck.expressions.algebra import *  # noqa: F403
    from boundcheck.expressions.blocks import *  # noqa: F403
    from boundcheck.expressions.boxes import *  # noqa: F403
    from boundcheck.expressions.names import *  # noqa: F403
    from boundcheck.expressions.nodes import *  # noqa: F403
    from boundcheck.expressions.suprema import *  # noqa: F403
    from boundcheck.expressions.symbols import *  # noqa: F403

_HOMES = {
    **dict.fromkeys(("Known", "define", "index", "outcome", "parameter", "world"), "symbols"),
    "named": "names",
    **dict.fromkeys(("clipped", "supremum"), "suprema"),
    **dict.fromkeys(("exists", "infimum", "variable"), "boxes"),
    **dict.fromkeys(
        ("above", "at", "beside", "direct_sum", "joined", "least_principal_minor", "zeros"),
        "blocks",
    ),
    **dict.fromkeys(
        (
            "average", "greatest", "indicator", "least", "mean", "multiplied", "primitive",
            "probability", "table", "total",
        ),
        "nodes",
    ),
    **dict.fromkeys(
        (
            "block", "column", "determinant", "diagonal", "eigenvalues", "entry",
            "entrywise", "exponential", "form", "frobenius_norm", "identity", "inner",
            "largest_eigenvalue", "largest_entry", "matrix_rank", "matrix_root", "norm", "ones",
            "operator_norm", "outer", "pick", "row", "smallest_eigenvalue", "solution",
            "spectral_radius", "trace", "transpose",
        ),
        "algebra",
    ),
}  # fmt: skip
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"boundcheck.expressions.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'boundcheck.expressions' has no attribute {name!r}")
