"""What each letter of a formula is: a number, a vector, a matrix, a random variable, a set."""

from __future__ import annotations

from dataclasses import dataclass, field

from boundcheck.errors import InvalidArgument
from boundcheck.formulas.ranges import ranges_of, require_ends, require_one_class, shared
from boundcheck.formulas.tree import Node

SIGNS = ("epsilon", "sigma", "xi")
RANDOM = ("expectation", "variance", "probability")
SPECTRAL = ("trace", "determinant", "eigenvalue")
VALUED = ("norm", "inner", *SPECTRAL)  # numbers of vectors and matrices
EMPIRICAL = ("_hat", "_bar", "_n", "_m", "_S", "_emp")
GREEK = {"Sigma", "Lambda", "Gamma", "Phi", "Psi", "Theta", "Omega", "Xi"}  # that are matrices
TAKEN = {
    "atoms": {"K", "p", "k", "counts"}, "sample": {"K", "p", "k", "counts"},
    "independent": {"K", "X", "table", "chances", "n", "x", "p"}, "signs": {"xi"},
    "classes": {"H", "Z", "F", "p", "m", "h", "z", "s", "counts"}, "": set(),
}  # fmt: skip


@dataclass
class Roles:
    """Letters by what they are. `mode` says which setting gives the randomness, "" for none."""

    mode: str = ""
    random: set[str] = field(default_factory=set)
    several: set[str] = field(default_factory=set)
    boxed: set[str] = field(default_factory=set)
    vectors: set[str] = field(default_factory=set)
    matrices: set[str] = field(default_factory=set)
    symmetric: set[str] = field(default_factory=set)
    entries: dict[str, tuple[str, ...]] = field(default_factory=dict)
    members: dict[str, str] = field(default_factory=dict)
    ranges: dict[str, Node] = field(default_factory=dict)
    same: dict[str, str] = field(default_factory=dict)
    drawn: set[str] = field(default_factory=set)
    linked: dict[str, set[str]] = field(default_factory=dict)
    laws: set[str] = field(default_factory=set)
    length: str = "d"  # of vectors and matrices without an index
    spaces: set[str] = field(default_factory=set)  # letters of which the print says it
    reals: set[str] = field(default_factory=set)  # numbers that are said to be real


def roles_of(relation: Node, promised: bool) -> Roles:
    """What the letters of a relation are.

    Args: promised: whether it is claimed with a probability only, so that it is random as a whole.
    Raises: InvalidArgument for letters that would have to be two things.
    """
    found = Roles()
    nodes = relation.all()
    found.ranges = ranges_of(nodes)
    found.laws = {law.text for node in nodes if node.kind == "divergence" for law in node.parts}
    _randomness(relation, promised, found)
    for _ in range(2):  # a function of what is a matrix elsewhere is a matrix
        _shapes(relation, found)
    for node in nodes:
        if node.kind == "entry" and node.text not in found.random:
            _entry(node, found)
        elif node.kind == "member":
            found.members[node.text] = node.parts[0].text
    require_ends(nodes, found.ranges, found.vectors | found.matrices | {*found.entries})
    found.same = shared(nodes, found.ranges, found.matrices, found.random)
    found.drawn = {found.same[place.text] for node in nodes
                   if node.kind == "entry" and node.text in found.random
                   for place in node.parts}  # fmt: skip
    found.linked = _linked(relation, found)
    if found.mode == "classes":
        require_one_class(relation, found.members)
    return found


def _linked(relation: Node, found: Roles) -> dict[str, set[str]]:
    """For each vector and matrix those that stand in one norm, product or trace with it."""
    whole = {node.text for node in relation.all() if node.kind == "name"}
    groups = {name: {name} for name in found.vectors | found.matrices}
    for node in relation.all():
        if node.kind in VALUED or (node.kind == "product" and any(map(turned, node.parts))):
            own = set().union(*(_standing(part, found, whole) for part in node.parts))
            union = set().union(*(groups[name] for name in own))
            groups |= dict.fromkeys(union, union)
    return groups


def _standing(node: Node, found: Roles, whole: set[str]) -> set[str]:
    """The vectors and matrices that a part is made of, not those within its numbers."""
    if node.kind in VALUED:
        return set()
    if node.kind == "name":
        return {node.text} & (found.vectors | found.matrices)
    if node.kind == "entry":
        listed = found.vectors - whole | found.matrices
        return {node.text} & listed if len(node.parts) == 1 else set()
    return set().union(*(_standing(part, found, whole) for part in node.parts))


def _entry(node: Node, found: Roles) -> None:
    places = tuple(place.text for place in node.parts)
    if len(places) > 2:
        raise InvalidArgument(f"--latex has {node.text} with {len(places)} indices; at most two")
    known = found.entries.setdefault(node.text, places)
    if len(known) != len(places):
        raise InvalidArgument(
            f"--latex has {node.text} with {len(known)} and with {len(places)} indices; "
            "rename one of the two"
        )


def _randomness(relation: Node, promised: bool, found: Roles) -> None:
    inside = [part for node in relation.all() if node.kind in RANDOM for part in node.all()[1:]]
    if promised:
        inside += relation.all()
    if not inside:
        return
    if any(node.kind == "member" for node in inside):
        found.mode = "classes"
        return
    signs = {node.text for node in inside if node.kind == "entry" and node.text in SIGNS}
    plain = {node.text for node in inside if node.kind == "name" and _is_variable(node.text)}
    means = {node.text for node in inside
             if node.kind == "name" and _is_variable(node.text.removesuffix("_bar"))
             and "bar" in node.marks}  # fmt: skip
    several = {node.text for node in inside if node.kind == "entry" and _is_variable(node.text)}
    kinds = bool(signs) + bool(several) + bool(means)
    if kinds > 1 or len(several) > 1 or (signs and plain):
        names = ", ".join(sorted(signs | several | means | plain))
        raise InvalidArgument(
            f"--latex has several kinds of random variables ({names}); start from one kind and "
            "bind the others in the file"
        )
    found.random, found.several = signs | plain | several | means, several
    found.mode = ("signs" if signs else "sample" if means or (several and plain & several)
                  else "independent" if several else "atoms")  # fmt: skip
    if not found.random:
        raise InvalidArgument(
            "--latex has a probability or an expectation of nothing random; random variables are "
            r"capital letters X, Y, Z, signs \sigma_i, or risks \hat{R}(f)"
        )


def under(subscript: str) -> str:
    """The law that the subscript of an expectation names: P of "P" and of "X\\\\sim P"."""
    return subscript.rpartition(r"\sim")[2]


def _is_variable(name: str) -> bool:
    return len(name) == 1 and name.isupper() and name not in "ABCDEGKLMNPT"


def _shapes(relation: Node, found: Roles) -> None:
    for node in relation.all():
        if node.kind == "norm":
            body = node.parts[0]
            matrix = node.text in ("F", "op", "nuclear") or is_matrix(body)
            _assign(body, "matrix" if matrix else "vector", found)
        elif node.kind == "inner":
            for part in node.parts:
                _assign(part, "vector", found)
        elif node.kind in SPECTRAL:
            _assign(node.parts[0], "matrix", found)
        elif node.kind == "product" and any(map(turned, node.parts)):
            _assign(node, "scalar", found)
    clash = found.vectors & found.matrices
    if clash:
        raise InvalidArgument(
            f"--latex has {min(clash)} as a vector and as a matrix; rename one of the two"
        )


def turned(node: Node) -> bool:
    """Whether a factor is transposed: x^\\top, or x^T."""
    return node.kind == "transpose" or (
        node.kind == "power" and node.parts[1] == Node("name", "T")
        and node.parts[0].kind in ("name", "sum", "entry")
        and not any(part.kind in ("number", "quotient") for part in node.parts[0].all())
    )  # fmt: skip


def is_matrix(body: Node) -> bool:
    """Whether the print speaks of a matrix: by its capital letter, the last factor of a product."""
    if body.kind in ("sum", "negative"):
        return any(map(is_matrix, body.parts))
    if body.kind in ("product", "total"):
        return is_matrix(body.parts[-1] if body.kind == "product" else body.parts[0])
    if body.kind in ("power", "transpose", "quotient", "function"):
        return is_matrix(body.parts[0])
    stem = body.text.split("_")[0]
    return body.kind in ("name", "entry") and (stem in GREEK or (len(stem) == 1 and stem.isupper()))


def _assign(node: Node, shape: str, found: Roles) -> None:
    """Say of the letters of an expression of a shape what they are."""
    if node.kind in ("name", "entry"):
        if shape != "scalar" and node.text not in found.random:
            (found.vectors if shape == "vector" else found.matrices).add(node.text)
    elif node.kind in ("sum", "negative"):
        for part in node.parts:
            _assign(part, shape, found)
    elif node.kind in ("quotient", "total", "transpose", "function") or (
        node.kind == "power" and (turned(node) or shape == "matrix")
    ):
        _assign(node.parts[0], shape, found)
    elif node.kind == "product":
        _assign_product(list(node.parts), shape, found)


def _is_number(factor: Node, found: Roles) -> bool:
    """Whether a function in front of an array is no matrix: sqrt(K), log(T), e^{-T}."""
    letters = {part.text for part in factor.all()}
    return factor.kind == "function" and not letters & found.matrices and (
        factor.text != "exp" or bool(letters & {"N", "M", "T", "K"})
    )  # fmt: skip


def _assign_product(factors: list[Node], shape: str, found: Roles) -> None:
    """x^T A y, A x, A B: matrices stand before the last factor, numbers before these."""
    flipped = [place for place, factor in enumerate(factors) if turned(factor)]
    if shape == "scalar" and flipped:
        left = factors[flipped[0]].parts[0]
        _assign(left, "matrix" if is_matrix(left) else "vector", found)
        rest = factors[flipped[0] + 1 :]
        if rest:
            _assign_product(rest, "matrix" if is_matrix(rest[-1]) else "vector", found)
        return
    _assign(factors[-1], shape, found)
    for factor in factors[:-1]:
        body = factor.parts[0] if turned(factor) else factor
        if turned(factor) or (is_matrix(body) and not _is_number(body, found)):
            _assign(body, "matrix" if is_matrix(body) else "vector", found)
