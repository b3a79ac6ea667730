"""Sums, products and maxima over an index: how far what they bind goes."""

from __future__ import annotations

from boundcheck.formulas.cursor import CLOSING, product_of, told
from boundcheck.formulas.declaring import WHOLE
from boundcheck.formulas.divergences import Divergences
from boundcheck.formulas.tree import Node, Range

OPERATORS = {r"\sum": "total", r"\prod": "multiplied"}
EXTREMES = {r"\max": "greatest", r"\sup": "greatest", r"\min": "least", r"\inf": "least"}
BOUND = {*OPERATORS.values(), *EXTREMES.values(), "supremum", "infimum"}
WHOLE_BY_CUSTOM = ("i", "j", "k", "l", "ell", "m", "n")
NEVER_NEGATIVE = {"norm", "modulus", "size", "probability", "variance", "indicator", "divergence"}


class Sums(Divergences):
    """The rules of what binds an index. Print after it that may belong to it or not is refused."""

    def _factors(self) -> list[Node]:
        """The members of a product, as far as it goes."""
        raise NotImplementedError

    def total(self) -> Node:
        """\\sum_{i=1}^n of the factors that follow."""
        kind = OPERATORS[self.take()]
        return self._bound(kind, self._range())

    def extreme(self) -> Node:
        """\\max(a, b), \\max_{i} ..., \\sup_{f \\in F} ..., \\sup_{x \\in [0, 1]} ..."""
        kind = EXTREMES[self.take()]
        if self.here != "_":
            close = CLOSING.get(self.here)
            if close is None:
                raise self.refusal("a maximum without brackets or subscript")
            self.take()
            parts = [self.sum()]
            while self.here == ",":
                self.take()
                parts.append(self.sum())
            if len(parts) == 1:
                raise self.refusal("a maximum or minimum of one member",
                                   r"write over which index, as \max_{i \in [n]} x_i")  # fmt: skip
            self.take(close)
            return Node("function", "Max" if kind == "greatest" else "Min", tuple(parts))
        found = self._bound(kind, self._range())
        if self.here in ("+", "-"):
            raise self.refusal("what stands after a maximum", "put it or the maximum into brackets")
        return found

    def _bound(self, kind: str, over: Range) -> Node:
        outer, around = self.scope, self.open
        if over.name in outer:
            raise self.refusal(f"the index {over.name} twice", "give the inner one another letter")
        self.scope, self.open = {**outer, over.name: over}, {**around, over.name: kind}
        begin, body = self.place, self._indexed_body()
        self.scope, self.open = outer, around
        if over.is_class and _is_bare(body, over.name):
            raise self.refusal(f"the values of {over.name}, which its range does not list",
                               r"write the range as i=1 to n, or x \in [0, 1]")  # fmt: skip
        if over.ordered and kind in EXTREMES.values():
            self._require_whole(body, over, begin)
        if over.ends is not None and any(
            part.text == over.name for node in body.all() if node.kind in ("entry", "member")
            for part in node.parts
        ):  # fmt: skip
            self.place = begin
            raise self.refusal(f"entries at {over.name}, which ranges over an interval",
                               "give them an index, or bind the function in the file")  # fmt: skip
        if over.ends is not None:
            kind = "supremum" if kind == "greatest" else "infimum"
            return Node(kind, over.name, (body, *over.ends))
        limits = () if over.is_class else (over.low or Node("number", "1"), over.high)
        return Node(kind, over.name, (body, *limits), over=over.over)

    def _require_whole(self, body: Node, over: Range, begin: int) -> None:
        """Refuse an order that may be an interval or its whole numbers."""
        process = over.low == Node("number", "0") and (over.high or over.low).kind == "number"
        if process or (over.name not in WHOLE_BY_CUSTOM and _is_bare(body, over.name)):
            self.place = begin
            raise self.refusal(
                f"the range of {over.name} by an order, which may be an interval or whole numbers",
                rf"write {over.name} \in [a, b], or {over.name}=1 to n, or {over.name}=0 to n",
            )

    def _binds_again(self, ahead: int = 0) -> bool:
        """Whether a sum comes next over an index whose body goes on: it is a factor beside it."""
        if self.next(ahead) not in OPERATORS or self.next(ahead + 1) != "_":
            return False
        inside = ahead + 2 + (self.next(ahead + 2) == "{")
        if self.next(inside).isdigit():  # 1 <= i
            inside += 2
        return self.next(inside).removeprefix("\\") in self.open

    def _indexed_body(self) -> Node:
        """The factors that an index is bound in, or that commute with what binds it."""
        begin, found = self.place, self._factors()
        read = [(begin, "", part) for part in found]
        while self.here in ("/", r"\cdot") and not self._binds_again(1):
            start, sign = self.place, self.take()
            after = self._divisor() if sign == "/" else self._factors()
            read += [(start, sign, part) for part in after]
            found = [_over(found, after)] if sign == "/" else found + after
        for name, kind in self.open.items():
            self._require_inside(name, kind, read)
        return product_of(found)

    def _divisor(self) -> list[Node]:
        """The one factor after a slash."""
        around, self.open = self.open, {**self.open, "/": "quotient"}
        found = self._factors()
        self.open = around
        if len(found) > 1:
            raise self.refusal("a product after /", r"write \frac{...}{...} or brackets")
        return found

    def _require_inside(self, name: str, kind: str, read: list[tuple[int, str, Node]]) -> None:
        """Refuse factors after the last one of an index, unless both readings have one value."""
        last = max((at for at, (_, _, part) in enumerate(read) if _speaks_of(part, name)),
                   default=0)  # fmt: skip
        for start, sign, part in read[last + 1 :]:
            beside = not sign and kind != "multiplied" and not (
                part.kind in BOUND and kind in ("quotient", *EXTREMES.values())
            )  # side by side goes under a maximum, unless it is bound for itself
            agree = kind == "total" or (kind in EXTREMES.values() and _is_never_negative(part))
            if not beside and not agree:
                self.place = start
                what = {"multiplied": "product", "quotient": "divisor", "greatest": "maximum",
                        "least": "minimum"}.get(kind, f"argument of {name}")  # fmt: skip
                shown = told(sign) if sign else "a factor"
                raise self.refusal(f"{shown} that may be in the {what} or after it",
                                   f"put it or the {what} into brackets")  # fmt: skip


def _over(found: list[Node], after: list[Node]) -> Node:
    return Node("quotient", "", (product_of(found), product_of(after)))


def _speaks_of(node: Node, name: str) -> bool:
    return any(part.text == name for part in node.all() if part.kind == "name")


def _is_never_negative(node: Node) -> bool:
    """Whether the print shows that a factor is never negative."""
    if node.kind in NEVER_NEGATIVE or node.kind == "number":
        return True
    if node.kind == "name":
        return node.text in (*WHOLE, "delta")
    if node.kind == "function":
        return node.text in ("sqrt", "exp", "cosh", "binomial")
    if node.kind == "power" and node.parts[1].kind == "number":
        power = node.parts[1].text
        return (power.isdigit() and int(power) % 2 == 0) or _is_never_negative(node.parts[0])
    if node.kind in ("product", "quotient"):
        return all(map(_is_never_negative, node.parts))
    if node.kind in ("total", "multiplied", "greatest", "least", "expectation", "power"):
        return _is_never_negative(node.parts[0])
    return False


def _is_bare(node: Node, name: str) -> bool:
    """Whether a letter stands for a number, not only as the place of an entry or an argument."""
    if node.kind in ("entry", "member"):
        return False
    return (node.kind, node.text) == ("name", name) or any(
        _is_bare(part, name) for part in node.parts
    )
