"""Dependency graphs as inline SVG: layers from premises to conclusions, coloured by verdict.

Sugiyama's scheme: layers by longest path, dummy nodes on long edges, order by barycentres, heights
by averaging over neighbours. Components are laid out one below the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from markupsafe import Markup

BOX, GAP, ROW, LANE, HEIGHT, MARGIN = 170, 44, 60, 14, 46, 10
SWEEPS = 12

Premises = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Node:
    """A box: two lines of text, a state that colours it, a link and a full title.

    `shaken` marks a conclusion that rests on a refuted or malformed step.
    """

    key: str
    title: str
    line: str
    note: str
    state: str
    link: str
    shaken: bool = False


@dataclass
class _Layers:
    """A layered component: keys and dummies by layer, edges between adjacent layers only."""

    layers: list[list[str]] = field(default_factory=list)
    below: dict[str, list[str]] = field(default_factory=dict)
    above: dict[str, list[str]] = field(default_factory=dict)
    chains: list[list[str]] = field(default_factory=list)


def ancestors(key: str, premises: Premises) -> set[str]:
    """Everything a claim rests on, directly or not; never itself, also in a cycle."""
    seen: set[str] = set()
    open_ = list(premises.get(key, ()))
    while open_:
        current = open_.pop()
        if current not in seen:
            seen.add(current)
            open_ += premises.get(current, ())
    return seen - {key}


def acyclic(premises: Premises) -> dict[str, list[str]]:
    """The same edges without those that close a cycle, over every key that occurs."""
    keys = sorted(set(premises) | {p for used in premises.values() for p in used})
    kept: dict[str, list[str]] = {key: [] for key in keys}
    for key in keys:
        for premise in dict.fromkeys(premises.get(key, ())):
            if premise != key and key not in ancestors(premise, kept):
                kept[key].append(premise)
    return kept


def reduced(edges: Premises) -> dict[str, list[str]]:
    """An acyclic graph without the edges that follow from others, for drawing."""
    return {
        key: [p for p in used if not any(p in ancestors(q, edges) for q in used if q != p)]
        for key, used in edges.items()
    }


def topological(keys: Sequence[str], premises: Premises) -> list[str]:
    """Keys with premises before conclusions, otherwise in the order given."""
    edges, done = acyclic(premises), []

    def visit(key: str) -> None:
        if key in done or key not in edges:
            return
        for premise in edges[key]:
            visit(premise)
        done.append(key)

    for key in keys:
        visit(key)
    return [key for key in done if key in set(keys)]


def components(edges: Premises) -> list[list[str]]:
    """Connected components with at least one edge, the largest first."""
    neighbours: dict[str, set[str]] = {key: set() for key in edges}
    for key, used in edges.items():
        for premise in used:
            neighbours[key].add(premise)
            neighbours[premise].add(key)
    found, seen = [], set()
    for key in edges:
        if key in seen or not neighbours[key]:
            continue
        group, open_ = [], [key]
        while open_:
            current = open_.pop()
            if current not in seen:
                seen.add(current)
                group.append(current)
                open_ += sorted(neighbours[current])
        found.append(sorted(group))
    return sorted(found, key=lambda group: (-len(group), group))


def _layered(group: Sequence[str], edges: Premises) -> _Layers:
    depth: dict[str, int] = {}
    for key in topological(group, edges):
        depth[key] = max((depth[p] + 1 for p in edges[key]), default=0)
    # A premise stands directly before its first use, so that edges stay short.
    for key in reversed(topological(group, edges)):
        users = [depth[other] for other in group if key in edges[other]]
        if users:
            depth[key] = min(users) - 1
    result = _Layers([[] for _ in range(max(depth.values()) + 1)])
    for key in group:
        result.layers[depth[key]].append(key)
    for key in group:
        for premise in edges[key]:
            chain = [premise]
            for level in range(depth[premise] + 1, depth[key]):
                dummy = f"\0{premise}\0{key}\0{level}"
                result.layers[level].append(dummy)
                chain.append(dummy)
            chain.append(key)
            result.chains.append(chain)
            for left, right in pairwise(chain):
                result.above.setdefault(left, []).append(right)
                result.below.setdefault(right, []).append(left)
    return result


def _order(graph: _Layers) -> None:
    for sweep in range(SWEEPS):
        forward = sweep % 2 == 0
        near = graph.below if forward else graph.above
        levels = range(len(graph.layers)) if forward else range(len(graph.layers) - 1, -1, -1)
        place = {key: i for layer in graph.layers for i, key in enumerate(layer)}
        for level in levels:
            layer = graph.layers[level]

            def centre(key: str, near: Premises = near, place: Mapping[str, int] = place) -> float:
                around = [place[other] for other in near.get(key, ())]
                return sum(around) / len(around) if around else place[key]

            layer.sort(key=centre)
            place.update({key: i for i, key in enumerate(layer)})


def _heights(graph: _Layers) -> dict[str, float]:
    y: dict[str, float] = {}
    for layer in graph.layers:
        _stack(layer, {key: 0.0 for key in layer}, y)
    for sweep in range(2 * SWEEPS):
        layers = graph.layers if sweep % 2 == 0 else graph.layers[::-1]
        for layer in layers:
            wish = {}
            for key in layer:
                around = [y[o] for o in (*graph.below.get(key, ()), *graph.above.get(key, ()))]
                wish[key] = sum(around) / len(around) if around else y[key]
            _stack(layer, wish, y)
    return _without_gaps(y)


def _without_gaps(y: dict[str, float]) -> dict[str, float]:
    """The same heights from zero on, with empty bands across the whole drawing closed."""
    shift, before, moved = -min(y.values()), min(y.values()), {}
    for key, value in sorted(y.items(), key=lambda item: item[1]):
        shift -= max(value - before - ROW, 0.0)
        before = value
        moved[key] = value + shift
    return moved


def _stack(layer: list[str], wish: dict[str, float], y: dict[str, float]) -> None:
    """Heights as near to the wishes as order and spacing allow."""
    if not layer:
        return
    down, up = [wish[layer[0]]], [wish[layer[-1]]]
    for before, key in pairwise(layer):
        down.append(max(wish[key], down[-1] + _space(before, key)))
    for key, after in zip(layer[-2::-1], layer[:0:-1], strict=False):
        up.append(min(wish[key], up[-1] - _space(key, after)))
    for key, low, high in zip(layer, up[::-1], down, strict=True):
        y[key] = (low + high) / 2


def _space(first: str, second: str) -> float:
    return (_size(first) + _size(second)) / 2


def _size(key: str) -> float:
    return LANE if key.startswith("\0") else ROW


def dependency_svg(nodes: Mapping[str, Node], premises: Premises, label: str) -> Markup:
    """The graph over all nodes with an edge; empty markup when there is none."""
    known = {key: [p for p in used if p in nodes] for key, used in premises.items() if key in nodes}
    edges = reduced(acyclic(known))
    lines: list[Markup] = []
    boxes: list[Markup] = []
    top, width = float(MARGIN), 0.0
    for group in components(edges):
        graph = _layered(group, edges)
        _order(graph)
        y = _heights(graph)
        x = {key: MARGIN + i * (BOX + GAP) for i, layer in enumerate(graph.layers) for key in layer}
        middle = {key: top + HEIGHT / 2 + value for key, value in y.items()}
        lines += [_edge(chain, x, middle, nodes) for chain in graph.chains]
        boxes += [_box(nodes[key], x[key], middle[key]) for key in group]
        top = max(middle.values()) + HEIGHT / 2 + 26
        width = max(width, max(x.values()) + BOX + MARGIN)
    if not boxes:
        return Markup("")
    height = top - 26 + MARGIN
    head = Markup(
        '<svg class="graph" viewBox="0 0 {:.0f} {:.0f}" width="{:.0f}" height="{:.0f}" '
        'role="group" aria-label="{}"><defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" '
        'markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>'
    ).format(width, height, width, height, label)
    return head + Markup("").join(lines) + Markup("").join(boxes) + Markup("</svg>")


def _edge(
    chain: list[str], x: Mapping[str, int], y: Mapping[str, float], nodes: Mapping[str, Node]
) -> Markup:
    start = chain[0]
    path = f"M{x[start] + BOX} {y[start]:.1f}"
    here = (x[start] + BOX, y[start])
    for key in chain[1:]:
        there = (x[key] - (3 if key == chain[-1] else 0), y[key])
        bend = (there[0] - here[0]) / 2
        path += (
            f"C{here[0] + bend:.1f} {here[1]:.1f} {there[0] - bend:.1f} {there[1]:.1f} "
            f"{there[0]:.1f} {there[1]:.1f}"
        )
        here = there
        if key != chain[-1]:
            path += f"H{x[key] + BOX}"
            here = (x[key] + BOX, y[key])
    broken = " bad" if nodes[start].state in ("refuted", "malformed") else ""
    return Markup('<path class="edge{}" d="{}" marker-end="url(#tip)"/>').format(broken, path)


def _box(node: Node, x: float, middle: float) -> Markup:
    y = middle - HEIGHT / 2
    body = Markup(
        '<title>{}</title><rect class="box" x="{:.0f}" y="{:.1f}" width="{}" height="{}" rx="6"/>'
        '<rect class="stripe" x="{:.0f}" y="{:.1f}" width="5" height="{}" rx="2"/>'
        '<text class="name" x="{:.0f}" y="{:.1f}">{}</text>'
        '<text class="note" x="{:.0f}" y="{:.1f}">{}</text>'
    ).format(
        node.title, x, y, BOX, HEIGHT, x + 4, y + 5, HEIGHT - 10,
        x + 16, middle - 4, shorten(node.line, 19), x + 16, middle + 14, shorten(node.note, 23),
    )  # fmt: skip
    kind = Markup("node state-{}{}").format(node.state, " shaken" if node.shaken else "")
    group = Markup('<g class="{}">{}</g>').format(kind, body)
    return Markup('<a href="{}">{}</a>').format(node.link, group) if node.link else group


def shorten(text: str, length: int) -> str:
    """Text of at most `length` characters, cut with an ellipsis."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
