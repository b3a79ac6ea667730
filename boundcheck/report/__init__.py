"""The report: a self-contained site of HTML pages, a Markdown summary, JSON and witness files.

`write` puts the report in place, `views` holds what pages say, `pages` and `markdown` how, `errata`
what fails and what mends it. May import everything below it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boundcheck.library import Library

__all__ = ["write_report", "write_witness"]


def write_report(document: dict[str, Any], library: Library, out: Path) -> list[Path]:
    """Write the report of a run; see `boundcheck.report.write.write_report`."""
    from boundcheck.report.write import write_report as write

    return write(document, library, out)


def write_witness(document: dict[str, Any], path: Path) -> Path:
    """Write one sealed witness file; see `boundcheck.report.write.write_witness`."""
    from boundcheck.report.write import write_witness as write

    return write(document, path)
