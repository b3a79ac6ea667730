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
    )
    from boundcheck.expressions.algebra import (
        column as column,
    )
    from boundcheck.expressions.algebra import (
        determinant as determinant,
    )
    from boundcheck.expressions.algebra import (
        diagonal as diagonal,
    )
    from boundcheck.expressions.algebra import (
        eigenvalues as eigenvalues,
    )
    from boundcheck.expressions.algebra import (
        entry as entry,
    )
    from boundcheck.expressions.algebra import (
        entrywise as entrywise,
    )
    from boundcheck.expressions.algebra import (
        exponential as exponential,
    )
    from boundcheck.expressions.algebra import (
        form as form,
    )
    from boundcheck.expressions.algebra import (
        frobenius_norm as frobenius_norm,
    )
    from boundcheck.expressions.algebra import (
        identity as identity,
    )
    from boundcheck.expressions.algebra import (
        inner as inner,
    )
    from boundcheck.expressions.algebra import (
        largest_eigenvalue as largest_eigenvalue,
    )
    from boundcheck.expressions.algebra import (
        largest_entry as largest_entry,
    )
    from boundcheck.expressions.algebra import (
        matrix_rank as matrix_rank,
    )
    from boundcheck.expressions.algebra import (
        matrix_root as matrix_root,
    )
    from boundcheck.expressions.algebra import (
        norm as norm,
    )
    from boundcheck.expressions.algebra import (
        ones as ones,
    )
    from boundcheck.expressions.algebra import (
        operator_norm as operator_norm,
    )
    from boundcheck.expressions.algebra import (
        outer as outer,
    )
    from boundcheck.expressions.algebra import (
        pick as pick,
    )
    from boundcheck.expressions.algebra import (
        row as row,
    )
    from boundcheck.expressions.algebra import (
        smallest_eigenvalue as smallest_eigenvalue,
    )
    from boundcheck.expressions.algebra import (
        solution as solution,
    )
    from boundcheck.expressions.algebra import (
        spectral_radius as spectral_radius,
    )
    from boundcheck.expressions.algebra import (
        trace as trace,
    )
    from boundcheck.expressions.algebra import (
        transpose as transpose,
    )
    from boundcheck.expressions.blocks import (
        above as above,
    )
    from boundcheck.expressions.blocks import (
        beside as beside,
    )
    from boundcheck.expressions.blocks import (
        direct_sum as direct_sum,
    )
    from boundcheck.expressions.blocks import (
        joined as joined,
    )
    from boundcheck.expressions.blocks import (
        least_principal_minor as least_principal_minor,
    )
    from boundcheck.expressions.blocks import (
        zeros as zeros,
    )
    from boundcheck.expressions.boxes import (
        exists as exists,
    )
    from boundcheck.expressions.boxes import (
        infimum as infimum,
    )
    from boundcheck.expressions.boxes import (
        variable as variable,
    )
    from boundcheck.expressions.names import (
        named as named,
    )
    from boundcheck.expressions.nodes import (
        at as at,
    )
    from boundcheck.expressions.nodes import (
        average as average,
    )
    from boundcheck.expressions.nodes import (
        greatest as greatest,
    )
    from boundcheck.expressions.nodes import (
        indicator as indicator,
    )
    from boundcheck.expressions.nodes import (
        least as least,
    )
    from boundcheck.expressions.nodes import (
        mean as mean,
    )
    from boundcheck.expressions.nodes import (
        multiplied as multiplied,
    )
    from boundcheck.expressions.nodes import (
        primitive as primitive,
    )
    from boundcheck.expressions.nodes import (
        probability as probability,
    )
    from boundcheck.expressions.nodes import (
        table as table,
    )
    from boundcheck.expressions.nodes import (
        total as total,
    )
    from boundcheck.expressions.suprema import (
        clipped as clipped,
    )
    from boundcheck.expressions.suprema import (
        supremum as supremum,
    )
    from boundcheck.expressions.symbols import (
        Known as Known,
    )
    from boundcheck.expressions.symbols import (
        define as define,
    )
    from boundcheck.expressions.symbols import (
        index as index,
    )
    from boundcheck.expressions.symbols import (
        outcome as outcome,
    )
    from boundcheck.expressions.symbols import (
        parameter as parameter,
    )
    from boundcheck.expressions.symbols import (
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
