"""Files of the report: everything is made in a draft, which is then put in place as a whole."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from boundcheck.boundary.documents import Misshapen, Unreadable, read_json, shaped
from boundcheck.boundary.messages import reason
from boundcheck.boundary.writing import drafted
from boundcheck.errors import OutputError
from boundcheck.explore.plans_page import worked_plans
from boundcheck.library import Library
from boundcheck.report.drawn import coverage, figures
from boundcheck.report.explorer import Known, write_explorer
from boundcheck.report.markdown import markdown
from boundcheck.report.pages import (
    claims_page,
    evidence_page,
    index_page,
    links,
    source_page,
    statement_pages,
)
from boundcheck.report.prose import slug, split_key
from boundcheck.report.views import SourceView, relative, views
from boundcheck.verdict import file_name, without_infinities
from boundcheck.witness import seal

EXPLORER = "explorer.html"


def write_report(document: dict[str, Any], library: Library, out: Path) -> list[Path]:
    """Write the pages (overview, all claims, evidence, sources, statements), report.json, report.md
    and the evidence into `out`.

    Args:
        document: what `verify --json` writes, with optional "account" (key, spent) and "controls"
            (key, mutant, caught, reason).
        library: where formulas, docstrings and dependencies come from.
        out: folder, made if missing; figures in `out`/figures named after a source
            (`<source>.<name>.svg` or `<source>/<name>.svg`) are embedded on its page.
    Returns: the files written, sorted.
    Raises: OutputError if `out` cannot be written; no file of an earlier report is then touched,
        and after a kill the next report finishes this one or drops it.
    """
    out = Path(out)
    try:
        with drafted(out) as draft:
            _draft(document, library, out, draft.content)
            draft.stale |= _earlier(out)
    except OSError as error:
        raise OutputError(_reason(out, error)) from error
    return draft.written


def _reason(out: Path, error: OSError) -> str:
    text = reason(error)
    return f"the report cannot be written to {out} ({text}); give a folder that can be written"


def _draft(document: dict[str, Any], library: Library, out: Path, draft: Path) -> None:
    """Every file of the report, in `draft`."""
    if "broken" in document:
        broken = {key: relative(str(why), library) for key, why in document["broken"].items()}
        document = {**document, "broken": broken}
    sources = views(document, library, out.resolve().name)
    explorer, trouble = _explorer(library, draft, sources)
    whole = {
        "index.html": index_page(document, sources, explorer=explorer, trouble=trouble),
        "claims.html": claims_page(document, sources, explorer),
        "evidence.html": evidence_page(document, sources, explorer),
    }
    for name, page in whole.items():
        (draft / name).write_text(page, encoding="utf-8")
    (draft / "report.json").write_text(_json(document), encoding="utf-8")
    (draft / "report.md").write_text(markdown(document, sources), encoding="utf-8")
    for source in sources:
        target = draft / source.page
        target.parent.mkdir(exist_ok=True)
        shown = out / "figures"
        page = source_page(
            document, source, sources, figures(source.name, shown), coverage(source.name, shown),
            explorer,
        )  # fmt: skip
        target.write_text(page, encoding="utf-8")
        for name, page in statement_pages(document, source, sources, explorer):
            (draft / name).parent.mkdir(exist_ok=True)
            (draft / name).write_text(page, encoding="utf-8")
    for entry in document.get("claims") or ():
        if isinstance(entry.get("witness"), dict):
            write_witness(entry["witness"], draft / "witnesses" / file_name(str(entry["key"])))
        if isinstance(entry.get("certificate"), dict):
            target = draft / "certificates" / file_name(str(entry["key"]))
            target.parent.mkdir(exist_ok=True)
            target.write_text(json.dumps(entry["certificate"]) + "\n", encoding="utf-8")


def write_witness(document: dict[str, Any], path: Path) -> Path:
    """One witness document, sealed, as a file of its own."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_json(seal(document)), encoding="utf-8")
    return path


def _json(document: Any) -> str:
    return json.dumps(without_infinities(document), indent=1, ensure_ascii=False) + "\n"


def _explorer(library: Library, draft: Path, sources: Sequence[SourceView]) -> tuple[str, str]:
    """(file name of the explorer page or "", why there is none or "")."""
    try:
        pages = links(sources)
        known = {
            view.key: Known(pages[view.key], view.word, view.bad)
            for source in sources for view in source.claims
        }  # fmt: skip
        write_explorer(library, draft, known, [plan.keys for plan in worked_plans(library)])
    except OSError:
        raise  # a disk that is full is not the explorer's trouble
    except Exception as error:  # the verdicts do not depend on the explorer: say so and go on
        return "", " ".join(f"{type(error).__name__}: {error}".split())
    return (EXPLORER, "") if (draft / EXPLORER).is_file() else ("", "")


def _earlier(out: Path) -> set[Path]:
    """Pages and witnesses of the report that `out` holds already, by its own report.json."""
    try:
        found = shaped(read_json(out / "report.json"), _Report, "report")
    except (Unreadable, Misshapen):
        return set()
    keys = [entry.key for entry in found.claims]
    parts = {split_key(key)[:2] for key in keys}
    pages = {out / "sources" / f"{slug(source)}.html" for source, _ in parts}
    pages |= {out / "sources" / slug(source) / f"{slug(stem)}.html" for source, stem in parts}
    evidence = {out / folder / file_name(key) for key in keys
                for folder in ("witnesses", "certificates")}  # fmt: skip
    return pages | evidence


class _Claim(Struct):
    key: Annotated[str, Meta(pattern=r"^[^/\\]+/[^/\\]+$")]


class _Report(Struct):
    """What is read of an earlier report."""

    claims: list[_Claim]
