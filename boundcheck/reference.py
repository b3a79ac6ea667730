"""Pages of the public interface, from its docstrings.

    python -m boundcheck.reference [--out DIR]

Needs pdoc, which comes with `pip install 'boundcheck[test]'`.
"""

from __future__ import annotations

import tempfile
from importlib import import_module
from pathlib import Path

from boundcheck.boundary.tools import ToolParser, parser_of, run
from boundcheck.boundary.writing import writable_folder, write_whole
from boundcheck.errors import InvalidArgument

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


def parser() -> ToolParser:
    """The arguments of this tool."""
    made = parser_of("reference", __doc__, "--out reports/api")
    made.add_argument("--out", type=Path, metavar="DIR", default=OUT, help="default %(default)s")
    return made


def main(arguments: list[str]) -> int:
    """Writes the pages."""
    given = parser().parse_args(arguments)
    writable_folder(given.out)
    with tempfile.TemporaryDirectory() as folder:
        made = pages(Path(folder))
        for page in made:
            target = given.out / page.relative_to(folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            write_whole(target, page.read_text(encoding="utf-8"))
    print(f"wrote {len(made)} pages to {given.out}")
    return 0


if __name__ == "__main__":
    run(main)
