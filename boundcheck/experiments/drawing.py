"""Figures as SVG whose text is text, with a title and a description, and a table beside each."""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SVG = "http://www.w3.org/2000/svg"
Row = Mapping[str, str | int | float]


def save(figure: Figure, path: Path, title: str, caption: str, rows: Sequence[Row]) -> list[Path]:
    """Write a figure (.svg), its caption (.txt) and its numbers (.csv); the paths written.

    Args: rows: one per point shown, all with the same columns. The same figure gives the same file.
    """
    texts = {
        path: described(_svg(figure), title, caption),
        path.with_suffix(".txt"): caption + "\n",
        path.with_suffix(".csv"): table(rows),
    }
    for target, text in texts.items():
        target.write_text(text, encoding="utf-8", newline="\n")
    return list(texts)


def _svg(figure: Figure) -> str:
    import matplotlib

    buffer = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "boundcheck"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return buffer.getvalue()


def described(svg: str, title: str, caption: str) -> str:
    """An SVG document with the title and description that screen readers announce.

    >>> described('<svg xmlns="http://www.w3.org/2000/svg"/>', "Error", "Falls.")[-66:]
    '<title id="title">Error</title><desc id="desc">Falls.</desc></svg>'
    """
    for prefix, name in (("", SVG), ("xlink", "http://www.w3.org/1999/xlink")):
        ElementTree.register_namespace(prefix, name)
    root = ElementTree.fromstring(svg)
    root.set("role", "img")
    root.set("aria-labelledby", "title desc")
    for place, (name, text) in enumerate((("title", title), ("desc", caption))):
        entry = ElementTree.Element(f"{{{SVG}}}{name}", {"id": name})
        entry.text = text
        root.insert(place, entry)
    return ElementTree.tostring(root, encoding="unicode")


def table(rows: Iterable[Row]) -> str:
    """Rows as comma-separated values, numbers to six digits.

    >>> print(table([{"M": 100, "error": 1 / 3}]), end="")
    M,error
    100,0.333333
    """
    listed = list(rows)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(listed[0]) if listed else [], lineterminator="\n")
    writer.writeheader()
    for row in listed:
        writer.writerow({
            name: f"{value:.6g}" if isinstance(value, float) else value
            for name, value in row.items()
        })  # fmt: skip
    return out.getvalue()
