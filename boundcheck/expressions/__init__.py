"""The language of definitions: SymPy expressions over symbols that carry their meaning.

`symbols` holds the symbols, `nodes` the kinds of nodes, `algebra` vectors and matrices, `names`
parts that are shown by a name. Each reading is one module with one rule per kind of node: `exactly`
(rationals and balls), `batch` (floats over many worlds or outcomes), `shapes`, `units`, `signs`
(facts), `words` (identities of matrices). `binding` makes worlds, parameters, measures and draw of
a claim from the symbols that it uses.

May import `errors`, `arithmetic`, `exact`, `worlds` and `quantities.operators`; knows no claim.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what the names are, for readers of types; at run time each loads when used
    from boundcheck.expressions.algebra import (
        block as block,
        column as column,
        determinant as determinant,
        diagonal as diagonal,
        eigenvalues as eigenvalues,
        entry as entry,
        entrywise as entrywise,
        exponential as exponential,
        form as form,
        frobenius_norm as frobenius_norm,
        identity as identity,
        inner as inner,
        largest_eigenvalue as largest_eigenvalue,
        largest_entry as largest_entry,
        matrix_rank as matrix_rank,
        matrix_root as matrix_root,
        norm as norm,
        ones as ones,
        operator_norm as operator_norm,
        outer as outer,
        pick as pick,
        row as row,
        smallest_eigenvalue as smallest_eigenvalue,
        solution as solution,
        spectral_radius as spectral_radius,
        trace as trace,
        transpose as transpose,
    )
    from boundcheck.expressions.blocks import (
        above as above,
        beside as beside,
        direct_sum as direct_sum,
        joined as joined,
        least_principal_minor as least_principal_minor,
        zeros as zeros,
    )
    from boundcheck.expressions.boxes import (
        exists as exists,
        infimum as infimum,
        variable as variable,
    )
    from boundcheck.expressions.names import named as named
    from boundcheck.expressions.nodes import (
        at as at,
        average as average,
        greatest as greatest,
        indicator as indicator,
        least as least,
        mean as mean,
        multiplied as multiplied,
        primitive as primitive,
        probability as probability,
        table as table,
        total as total,
    )
    from boundcheck.expressions.suprema import clipped as clipped, supremum as supremum
    from boundcheck.expressions.symbols import (
        Known as Known,
        define as define,
        index as index,
        outcome as outcome,
        parameter as parameter,
        world as world,
    )

_HOMES = {
    **dict.fromkeys(("Known", "define", "index", "outcome", "parameter", "world"), "symbols"),
    "named": "names",
    **dict.fromkeys(("clipped", "supremum"), "suprema"),
    **dict.fromkeys(("exists", "infimum", "variable"), "boxes"),
    **dict.fromkeys(
        ("above", "beside", "direct_sum", "joined", "least_principal_minor", "zeros"), "blocks"
    ),
    **dict.fromkeys(
        (
            "at", "average", "greatest", "indicator", "least", "mean", "multiplied", "primitive",
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
