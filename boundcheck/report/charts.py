"""Charts as inline SVG: slack along a chain, and the constant needed along growing families."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from boundcheck.report.graph import shorten
from boundcheck.report.values import finite, plain, superscript

LABEL, PLOT, VALUE, BAR = 280, 480, 110, 26


@dataclass(frozen=True)
class Bar:
    """One bar of a slack chart; `slack` None is drawn as a note without a bar."""

    label: str
    state: str
    slack: float | None
    link: str
    main: bool = False


def slack_svg(bars: Sequence[Bar], label: str) -> Markup:
    """Bars on a logarithmic axis through 1; empty markup unless some bar has a length to show."""
    known = [bar.slack for bar in bars if bar.slack]
    if not known:
        return Markup("")
    low = min(0, math.floor(math.log10(min(known)) + 1e-9))
    high = max(1, math.ceil(math.log10(max(known)) - 1e-9))
    scale = PLOT / (high - low)

    def at(slack: float) -> float:
        return LABEL + (math.log10(slack) - low) * scale

    step = max(1, math.ceil((high - low) / 8))
    bottom = len(bars) * BAR + 4
    pieces = []
    for power in range(low, high + 1):
        if power % step == 0:
            x = LABEL + (power - low) * scale
            pieces.append(
                Markup('<line class="{}" x1="{:.1f}" x2="{:.1f}" y1="0" y2="{}"/>').format(
                    "zero" if power == 0 else "grid", x, x, bottom
                )
                + Markup('<text class="tick" x="{:.1f}" y="{}">{}</text>').format(
                    x, bottom + 16, "1" if power == 0 else f"10{superscript(power)}"
                )
            )
    for row, bar in enumerate(bars):
        pieces.append(_slack_bar(bar, row * BAR, at(1.0), at))
    width, height = LABEL + PLOT + VALUE, bottom + 24
    return Markup(
        '<svg class="chart" viewBox="0 0 {} {}" width="{}" height="{}" role="img" '
        'aria-label="{}">{}</svg>'
    ).format(width, height, width, height, label, Markup("").join(pieces))


def _slack_bar(bar: Bar, top: float, origin: float, at: object) -> Markup:
    name = Markup('<text class="{}" x="{}" y="{}">{}</text>').format(
        "label main" if bar.main else "label", LABEL - 10, top + 18, shorten(bar.label, 34)
    )
    if bar.link:
        name = Markup('<a href="{}">{}</a>').format(bar.link, name)
    if not bar.slack:
        return name + Markup('<text class="none" x="{:.1f}" y="{}">no figure</text>').format(
            origin + 8, top + 18
        )
    end = at(bar.slack)  # type: ignore[operator]
    left, width = min(origin, end), max(abs(end - origin), 2.5)
    return name + Markup(
        '<rect class="bar state-{}" x="{:.1f}" y="{}" width="{:.1f}" height="{}" rx="2">'
        "<title>{}: slack {}</title></rect>"
        '<text class="value" x="{:.1f}" y="{}">{}</text>'
    ).format(
        bar.state, left, top + 6, width, BAR - 10, bar.label, plain(bar.slack),
        max(end, origin) + 8, top + 18, plain(bar.slack),
    )  # fmt: skip


def curves_svg(curves: Mapping[str, Sequence[Sequence[float]]], label: str) -> Markup:
    """Constant needed against size, both logarithmic, one line per family; at most six lines."""
    lines: list[tuple[str, list[tuple[float, float]]]] = []
    for name, points in list(curves.items())[:6]:
        usable = [(x, y) for x, y in _pairs(points) if x > 0 and y > 0]
        if len(usable) > 1:
            lines.append((name, usable))
    if not lines:
        return Markup("")
    xs = [math.log10(x) for _, points in lines for x, _ in points]
    ys = [math.log10(y) for _, points in lines for _, y in points]
    box = (min(xs), max(xs), math.floor(min(ys)), max(math.ceil(max(ys)), math.floor(min(ys)) + 1))
    width, height, left, bottom = 620, 250, 60, 40
    plot_width, plot_height = width - left - 20, height - bottom - 14

    def place(x: float, y: float) -> tuple[float, float]:
        across = (math.log10(x) - box[0]) / ((box[1] - box[0]) or 1)
        return left + across * plot_width, 14 + (box[3] - math.log10(y)) / (
            box[3] - box[2]
        ) * plot_height

    pieces = []
    for power in range(box[2], box[3] + 1):
        _, y = place(10 ** box[0], 10.0**power)
        pieces.append(
            Markup('<line class="grid" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>').format(
                left, width - 20, y, y
            )
            + Markup('<text class="axis" x="{}" y="{:.1f}">{}</text>').format(
                left - 8, y + 4, "1" if power == 0 else f"10{superscript(power)}"
            )
        )
    sizes = sorted({x for _, points in lines for x, _ in points})
    for size in sizes[:: max(1, len(sizes) // 7)]:
        x, _ = place(size, 10.0 ** box[2])
        pieces.append(
            Markup('<text class="tick" x="{:.1f}" y="{}">{:g}</text>').format(
                x, height - bottom + 18, size
            )
        )
    for number, (name, points) in enumerate(lines):
        places = [place(x, y) for x, y in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        pieces.append(
            Markup('<polyline class="curve c{}" points="{}"><title>{}</title></polyline>').format(
                number, path, name
            )
        )
        pieces += [
            Markup('<circle class="c{}" cx="{:.1f}" cy="{:.1f}" r="3"/>').format(number, x, y)
            for x, y in places
        ]
    pieces.append(
        Markup('<text class="tick" x="{}" y="{}">size</text>').format(width / 2, height - 4)
    )
    svg = Markup(
        '<svg class="chart" viewBox="0 0 {} {}" width="{}" height="{}" role="img" '
        'aria-label="{}">{}</svg>'
    ).format(width, height, width, height, label, Markup("").join(pieces))
    legend = Markup("").join(
        Markup('<li><span class="key c{}"></span>{}</li>').format(number, name)
        for number, (name, _) in enumerate(lines)
    )
    return svg + Markup('<ul class="key-list">{}</ul>').format(legend)


def _pairs(points: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
    found = []
    for point in points:
        if len(point) == 2 and (x := finite(point[0])) and (y := finite(point[1])):
            found.append((x, y))
    return found
