"""The report as files: complete, escaped, well-formed, atomic, the same for the same document."""

import json
import re
import shutil
from html.parser import HTMLParser

import pytest

from boundcheck.errors import DataError, OutputError
from boundcheck.report import write_report
from boundcheck.verdict import file_name

VOID = {"wbr", "meta", "input", "img", "br", "hr", "link"}


class Page(HTMLParser):
    """Text, tags and attributes of a page; fails on tags that do not nest."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.ids, self.links, self.words = [], [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        assert len(values) == len(attributes), f"an attribute of {tag} occurs twice"
        self.tags.append((tag, values))
        self.ids += [values["id"]] if "id" in values else []
        self.links += [values[name] for name in ("href", "src") if name in values]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> closes another tag"

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


def written(document, library, out):
    paths = write_report(document, library, out)
    return {str(path.relative_to(out)): path for path in paths}


@pytest.fixture(scope="module")
def site(tmp_path_factory, library, new_document):
    out = tmp_path_factory.mktemp("site") / "reports"
    return out, written(new_document(), library, out)


STATEMENTS = ["broken", "corollary_1", "lemma_1", "lemma_10", "lemma_2", "theorem_1"]


def text_of(site, *pages):
    """Text of some pages, of all statements of the example for none."""
    pages = pages or [f"sources/example/{stem}.html" for stem in STATEMENTS]
    return " ".join(Page(site[1][name].read_text()).text for name in pages)


def test_every_file_is_there(site):
    out, files = site
    assert (
        sorted(files)
        == [
            "claims.html",
            "evidence.html",
            "index.html",
            "report.json",
            "report.md",
            "sources/example.html",
            *[f"sources/example/{stem}.html" for stem in STATEMENTS],
            "witnesses/example.corollary_1.printed.json",
            "witnesses/example.lemma_1.printed.json",
            "witnesses/example.lemma_10.printed.json",
            "witnesses/example.theorem_1.second.json",
        ]
        or "explorer.html" in files
    )
    assert not list(out.glob(".report-*"))


def test_pages_are_well_formed_and_links_arrive(site):
    out, files = site
    pages = {n: Page(p.read_text()) for n, p in files.items()
             if n.endswith(".html") and n != "explorer.html"}  # fmt: skip
    for name, page in pages.items():
        assert len(page.ids) == len(set(page.ids)), name
        for link in page.links:
            if link.startswith(("https://example.org", "data:")):
                continue
            path, _, fragment = link.partition("#")
            target = (files[name].parent / path).resolve() if path else files[name]
            assert target.is_file(), f"{name}: {link}"
            if fragment:
                assert fragment in pages[str(target.relative_to(out.resolve()))].ids, link


def test_nothing_is_fetched(site):
    _, files = site
    for name, path in files.items():
        if name.endswith(".html") and name != "explorer.html":
            page = Page(path.read_text())
            assert not [tag for tag, _ in page.tags if tag in ("link", "iframe", "object")]
            assert not re.search(r"@import|url\((?!#)", path.read_text())
            assert "default-src 'none'" in path.read_text()


def test_index_says_what_a_stranger_needs(site):
    text = text_of(site, "index.html")
    for part in (
        "4 of 8 printed claims fail",
        "Not graded: this run made no diagnosis",
        "over the <signs>",
        "up to an absolute constant",
        "statistical, error at most 10⁻⁹",
        "SyntaxError in example/broken.py, line 1",
    ):
        assert part in text, part
    assert "loose by 1.50 × 10⁹" in text_of(site, "claims.html")
    assert "vacuous" in text_of(site, "claims.html")


def test_statement_pages_say_everything(site):
    text = text_of(site)
    for part in (
        "with probability at least 1 − δ over the <signs>",
        "boundcheck replay reports/witnesses/example.lemma_1.printed.json",
        "The world, every number exact",
        "undefined: c",
        "left side 7/6 right side 5/8",
        "Sum of the diagonal of the kernel matrix",
        "Setting a kernel matrix on n points, of any rank.",
        "other/gone:printed (not in the library)",
    ):
        assert part in text, part


def test_evidence_says_what_was_spent_and_caught(site):
    text = text_of(site, "evidence.html")
    for part in ("out of an allowance of 10⁻⁶", "1 of 2 were caught", "sign <flipped>",
                 "Kinds of evidence", "exact refutation"):
        assert part in text, part


def test_the_world_is_written_exactly(site):
    html = site[1]["sources/example/lemma_1.html"].read_text()
    assert "<mfrac><mn>7</mn><mn>3</mn></mfrac>" in html
    assert '<table class="matrix" role="table" aria-label="2 × 2 matrix">' in html
    assert "123456789/9876543212" in html


def test_source_page_names_what_rests_on_a_failing_step(site):
    page = Page(site[1]["sources/example.html"].read_text())
    assert "Theorem 1, first ✓ supported Lemma 1 ✗ refuted Yes: the search found" in page.text
    assert "Theorem 1, second ✗ refuted Lemma 1 ✗ refuted No: it is refuted itself." in page.text
    nodes = [a["class"] for tag, a in page.tags if tag == "g" and "node" in a.get("class", "")]
    assert sorted(nodes) == [
        "node state-absent",  # what is not in the library
        "node state-absent shaken",
        "node state-proved",
        "node state-refuted",
        "node state-refuted shaken",
        "node state-refuted shaken",
        "node state-supported shaken",
        "node state-supported shaken",
    ]
    assert "They differ in the relation, the kind of statement or its level, the hyp" in page.text


def test_tables_have_headers(site):
    for name in (name for name in site[1] if name.endswith(".html") and name != "explorer.html"):
        page = Page(site[1][name].read_text())
        assert all("scope" in a for tag, a in page.tags if tag == "th")


def test_json_and_witnesses_are_json(site):
    files = site[1]
    document = json.loads(files["report.json"].read_text(), parse_constant=pytest.fail)
    assert document["claims"][6]["slack"] is None  # infinity has no JSON form
    witness = json.loads(files["witnesses/example.lemma_1.printed.json"].read_text())
    assert witness["values"]["Q"] == "7/3"


def test_witnesses_are_sealed(site):
    from boundcheck.recheck import documents

    for name, path in site[1].items():
        if name.startswith("witnesses/"):
            (document,) = documents(path)
            assert document["claim"].startswith("example/")


def test_markdown_is_compact_and_complete(site, library):
    text = site[1]["report.md"].read_text()
    for key in library.claims:
        assert key.partition("/")[2] in text
    assert "| **all** | **3** | **1** |" in text
    assert "Replay: `boundcheck replay reports/witnesses/example.theorem_1.second.json`" in text
    assert "`example/broken` (broken)" in text


def test_the_same_document_gives_the_same_bytes(tmp_path, library, document, site):
    again = written(document, library, tmp_path / "reports")
    for name, path in site[1].items():
        assert again[name].read_bytes() == path.read_bytes(), name


def test_every_page_says_on_which_versions_its_verdicts_rest(tmp_path, library, document):
    versions = {"python": "3.11.7", "machine": "x86_64", "sympy": "1.13.3", "z3-solver": "4.13.3"}
    write_report({**document, "environment": versions}, library, tmp_path)
    pages = [tmp_path / "report.md", *tmp_path.rglob("*.html")]
    pages.remove(tmp_path / "explorer.html")
    assert len(pages) >= 10
    for page in pages:
        text = page.read_text()
        assert "Python 3.11.7" in text and "sympy 1.13.3" in text and "4.13.3" in text, page
        assert "--seed 0" in text or page.suffix == ".md"


def test_no_machine_path_reaches_the_report(site, library):
    for path in site[1].values():
        assert str(library.root) not in path.read_text()


def test_hostile_text_stays_text(tmp_path, hostile, document):
    document["claims"] += [
        {"key": "hostile/theorem_9:printed", "verdict": "refuted", "evidence": "exact",
         "summary": "<script>alert(8)</script>", "seconds": 1,
         "witness": {"values": {"<script>alert(9)</script>": "<b>"},
                     "shown": {"<script>alert(10)</script>": "<script>alert(11)</script>"},
                     "extra": {"<i>": ["<script>alert(12)</script>"]}},
         "checks": [{"check": "<script>alert(13)</script>", "outcome": "</td>", "detail": "<b>",
                     "numbers": {"<u>": "<script>alert(14)</script>",
                                 "curves": {"<script>alert(15)</script>": [[1, 1], [2, 2]]}}}]},
        {"key": "../../<script>alert(16)</script>/x:y", "verdict": "supported"},
    ]  # fmt: skip
    document["version"] = document["seed"] = "<script>alert(17)</script>"
    out = tmp_path / "deep" / "reports"
    files = written(document, hostile, out)
    assert all(path.resolve().is_relative_to(out.resolve()) for path in files.values())
    for name, path in files.items():
        if name.endswith(".html") and name != "explorer.html":
            page = Page(path.read_text())
            assert [tag for tag, _ in page.tags].count("script") == 1
            assert not [t for t, a in page.tags if t == "img" or any(k[:2] == "on" for k in a)]
            assert not [link for link in page.links if link.startswith("javascript:")]
    outside_code = re.sub(r"(`+)[^`]*\1", "", files["report.md"].read_text())
    assert "<" not in outside_code
    names = [name for name in files if name.startswith("sources/hostile")]
    text = " ".join(Page(files[name].read_text()).text for name in names)
    for number in (1, 3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15):
        assert f"<script>alert({number})</script>" in text


def test_names_that_look_alike_share_no_file(tmp_path, library, document):
    """A page or a witness that took the place of another would tell of another claim."""
    stems = ("a b", "a-b", "a_b", "a\u0301", "\u65e5\u672c", "\u6771\u4eac", "-a-b", "a:b")
    keys = [f"{source}/{stem}:printed" for source in ("\u4e00", "\u4e8c") for stem in stems]
    document["claims"] = [
        {"key": key, "verdict": "supported", "summary": f"of {key}",
         "seconds": 1, "checks": [], "witness": {"claim": key}} for key in keys
    ]  # fmt: skip
    files = written(document, library, tmp_path)
    found = [json.loads(path.read_text())["claim"] for name, path in files.items()
             if name.startswith("witnesses/")]  # fmt: skip
    assert sorted(found) == sorted(keys)
    assert {f"witnesses/{file_name(key)}" for key in keys} <= set(files)
    pages = [name for name in files if name.startswith("sources/") and "example" not in name]
    assert len(pages) == 2 * (1 + len(stems))


def test_a_file_in_the_way_is_one_line(tmp_path, library, document):
    target = tmp_path / "taken"
    target.write_text("mine")
    with pytest.raises(OutputError, match=r"cannot be written to .*taken .*give a folder") as error:
        write_report(document, library, target)
    assert "\n" not in str(error.value)
    assert target.read_text() == "mine"


def test_a_folder_where_a_file_goes_leaves_the_earlier_report(tmp_path, library, document):
    (tmp_path / "index.html").mkdir()
    with pytest.raises(OutputError, match=r"index\.html is a folder|cannot be written"):
        write_report(document, library, tmp_path)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == []
    assert not list(tmp_path.glob(".report-*"))


def test_a_failure_while_writing_leaves_nothing(tmp_path, library, document, monkeypatch):
    from boundcheck.report import write

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(write, "markdown", full)
    with pytest.raises(OutputError, match="No space left on device"):
        write_report(document, library, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_an_earlier_witness_does_not_outlive_its_refutation(tmp_path, library, document):
    written(document, library, tmp_path)
    mine = tmp_path / "witnesses" / "mine.json"
    mine.write_text("{}")
    for entry in document["claims"]:
        entry |= {"witness": None, "verdict": "supported"}
    written(document, library, tmp_path)
    assert list((tmp_path / "witnesses").iterdir()) == [mine]


def test_figures_are_embedded_on_the_page_of_their_source(tmp_path, library, document):
    folder = tmp_path / "figures"
    folder.mkdir()
    (folder / "example.figure_2.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (folder / "example.figure_2.txt").write_text("Error <against> iterations")
    (folder / "examples.figure_3.svg").write_text("<svg/>")
    page = Page(written(document, library, tmp_path)["sources/example.html"].read_text())
    images = [a for tag, a in page.tags if tag == "img"]
    assert [image["alt"] for image in images] == ["Error <against> iterations"]
    assert images[0]["src"].startswith("data:image/svg+xml;base64,")
    assert "Numbers" not in page.text and "would need" not in page.text


def test_numbers_and_coverage_stand_with_the_figures(tmp_path, library, document):
    folder = tmp_path / "figures"
    folder.mkdir()
    (folder / "example.figure_2.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (folder / "example.figure_2.csv").write_text("t,error\n1,2\n")
    (folder / "example.coverage.csv").write_text('symbol,needed\n"T, <all>",256\n')
    (folder / "example.coverage.txt").write_text("0 of 1 met.")
    page = Page(written(document, library, tmp_path)["sources/example.html"].read_text())
    links = {a.get("href") for tag, a in page.tags if tag == "a"}
    assert {"../figures/example.figure_2.csv", "../figures/example.coverage.csv"} <= links
    assert "T, <all>" in page.text and "0 of 1 met." in page.text
    (folder / "example.coverage.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match=r"example\.coverage\.csv .*; mend or remove it"):
        written(document, library, tmp_path)


def test_an_empty_run_still_makes_a_report(tmp_path, library):
    files = written({"claims": []}, library, tmp_path)
    assert "this run did not include the claim" in Page(files["index.html"].read_text()).text
    shutil.rmtree(tmp_path)
