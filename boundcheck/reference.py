"""Pages of the public interface, from its docstrings.

    python -m boundcheck.reference [--out DIR]

Needs pdoc, which comes with `pip install 'boundcheck[test]'`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from importlib import import_module
from pathlib import Path

from boundcheck.boundary.writing import write_whole
from boundcheck.errors import BoundcheckError, InvalidArgument

PUBLIC = ("boundcheck", "boundcheck.expressions", "boundcheck.settings", "boundcheck.worlds",
          "boundcheck.explore")  # fmt: skip
OUT = Path("reports") / "api"
INSIDE = (
    r"!boundcheck\.(?!settings|worlds|expressions|explore)",
    r"!boundcheck\.(worlds|expressions|explore)\.",
    r"!boundcheck\.settings\._",
)


def pages(folder: Path) -> list[Path]:
    """One page for every public module, written into a folder; the pages.

    Raises: InvalidArgument without pdoc.
    """
    try:
        from pdoc import pdoc, render
    except ImportError as error:
        raise InvalidArgument(
            "the reference needs pdoc, which is not installed; pip install 'boundcheck[test]'"
        ) from error
    for name in PUBLIC:  # what a module imports on first use is bound, so that it is found
        module = import_module(name)
        for each in getattr(module, "__all__", ()):
            setattr(module, each, getattr(module, each))
    render.configure(docformat="google", show_source=False, search=False)
    pdoc(*PUBLIC, *INSIDE, output_directory=folder)
    return sorted(folder.rglob("*.html"))


def main(arguments: list[str]) -> int:
    """Writes the pages."""
    parser = argparse.ArgumentParser(prog="python -m boundcheck.reference")
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        try:
            made = pages(Path(folder))
        except BoundcheckError as error:
            print(f"boundcheck: {error}", file=sys.stderr)
            return 2
        for page in made:
            target = given.out / page.relative_to(folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            write_whole(target, page.read_text(encoding="utf-8"))
    print(f"wrote {len(made)} pages to {given.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
