"""Errata in three formats, from diagnoses alone."""

import copy
import shutil
import subprocess
from dataclasses import replace
from html import escape
from html.parser import HTMLParser

import pytest

from boundcheck import Source
from boundcheck.cli import main
from boundcheck.diagnosis.run import diagnose_all
from boundcheck.library import load_library
from boundcheck.report.errata import FORMATS, errata, latex_text
from boundcheck.verification import silent


@pytest.fixture(scope="module")
def diagnosed_once(build_small_library, tmp_path_factory):
    library = load_library(build_small_library(tmp_path_factory.mktemp("errata")))
    found = diagnose_all(library, ["mine/lemma_2:printed"], jobs=1)
    return library, {key: item["diagnosis"] for key, item in found.items()}


@pytest.fixture
def diagnosed(diagnosed_once):
    library, found = diagnosed_once
    return library, copy.deepcopy(found)


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_says_what_is_printed_and_what_is_wrong(diagnosed, form):
    library, diagnoses = diagnosed
    text = errata(library, "mine", diagnoses, form)
    found = diagnoses["mine/lemma_2:printed"]
    assert "Lemma 2" in text
    assert found["grade"] in text
    assert found["telling"]["lines"][0].split(" ")[0] in text
    assert "1 statement fails" in text


@pytest.mark.parametrize("form", FORMATS)
def test_only_a_repair_that_stands_comes_instead(diagnosed, form):
    library, diagnoses = diagnosed
    mended = {"edit": "2 for 1", "statement": "x <= 2", "latex": "x", "verdict": "undecided"}
    diagnoses["mine/lemma_2:printed"] |= {"repairs": [mended], "constant": [2.0, 3.0]}
    text = errata(library, "mine", diagnoses, form)
    assert "Perhaps (undecided, 2 for 1)" in text
    assert "no factor below 2 serves, and search refuted none from 3 on" in text
    assert "Instead" not in text
    mended["verdict"] = "supported"
    assert "Instead (supported" in errata(library, "mine", diagnoses, form)


@pytest.mark.parametrize("form", FORMATS)
def test_a_heading_is_one_line_of_text_whatever_the_title(diagnosed, form):
    """Titles, places and names are data: no heading, fence or tag of theirs."""
    evil, key = "T\n\n# head <script>x</script> `a`", "mine/lemma_2:printed"
    library, diagnoses = diagnosed
    claim = replace(library[key], source=Source("A", 2000, evil).at(evil))
    diagnoses[key]["telling"]["lines"] += ["```", "# more", "[a] = 1"]
    text = errata(replace(library, claims={key: claim}), "mine", diagnoses, form)
    lines = text.splitlines()
    assert "<script>" not in text
    if form == "md":
        assert [line[:8] for line in lines if line.startswith("#")] == [
            "# Errata", "## Lemma", "# more"]
        assert lines.count("````") == 2
    elif form == "latex":
        titles = [line for line in lines if line.startswith((r"\title{", r"\section*{"))]
        assert len(titles) == 2 and all(line.endswith("}") and "head" in line for line in titles)
        assert r"\item {}[a] = 1" in lines


def test_html_is_balanced_and_escaped(diagnosed):
    library, diagnoses = diagnosed
    diagnoses["mine/lemma_2:printed"]["reason"] = "<script>alert(1)</script>"
    text = errata(library, "mine", diagnoses, "html")
    assert "<script>" not in text
    stack = []

    class Balance(HTMLParser):
        def handle_starttag(self, tag, attrs):
            if tag not in ("meta", "mspace"):
                stack.append(tag)

        def handle_endtag(self, tag):
            if tag != "mspace":
                assert stack.pop() == tag

    Balance().feed(text)
    assert stack == []


def test_html_follows_no_link_and_loads_nothing(diagnosed):
    library, diagnoses = diagnosed
    evil = r"\href{javascript:alert(1)}{\style{background:url(https://a.b)}{x}}"
    mended = {"edit": "2 for 1", "statement": "x <= 2", "latex": evil, "verdict": "supported"}
    diagnoses["mine/lemma_2:printed"] |= {"repairs": [mended]}
    text = errata(library, "mine", diagnoses, "html")
    assert "javascript:" not in text and "https://a.b" not in text and "<mi>x</mi>" in text
    policy = """content="default-src 'none'; style-src 'unsafe-inline'">"""
    assert f'<meta http-equiv="Content-Security-Policy" {policy}' in text.partition("<title>")[0]


def test_text_cannot_steer_latex():
    assert latex_text(r"\input{x} 5% $y$ a_b^c ~#&") == (
        r"\textbackslash{}input\{x\} 5\% \$y\$ a\_b\^{}c \~{}\#\&"
    )


def test_letters_and_signs_of_formulas_are_written_in_latex():
    assert latex_text("‖w‖ ≤ a⊤ f\u0302") == (
        r"\ensuremath{\Vert}w\ensuremath{\Vert} \ensuremath{\leq} a\ensuremath{\top} \^{f}"
    )


@pytest.mark.parametrize("form", FORMATS)
def test_where_a_corner_fails_is_said_once(diagnosed, form):
    library, diagnoses = diagnosed
    said = {"reason": "fails only at ends of the domain, for n = 1", "constant": None}
    diagnoses["mine/lemma_2:printed"] |= said | {"fails_on": "fails only for n = 1"}
    assert errata(library, "mine", diagnoses, form).count("for n = 1") == 1


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX engine")
def test_latex_compiles(diagnosed, tmp_path):
    library, diagnoses = diagnosed
    (tmp_path / "errata.tex").write_text(errata(library, "mine", diagnoses, "latex"))
    done = subprocess.run(["pdflatex", "-halt-on-error", "errata.tex"], cwd=tmp_path,
                          capture_output=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stdout[-800:]


def test_latex_groups_and_environments_close(diagnosed):
    library, diagnoses = diagnosed
    text = errata(library, "mine", diagnoses, "latex")
    bare = text.replace(r"\{", "").replace(r"\}", "")
    assert bare.count("{") == bare.count("}")
    assert text.count(r"\begin{") == text.count(r"\end{")
    assert text.count(r"\[") == text.count(r"\]")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["mine", "--format", "pdf"], "--format 'pdf' is none of html, md, latex; choose one"),
        (["yours"], "no source 'yours'; the library has mine"),
    ],
)
def test_wrong_use_is_one_line(small_library, capsys, arguments, said):
    with pytest.raises(SystemExit) as stop:
        main(["errata", *arguments, "--root", str(small_library)])
    assert stop.value.code == 2
    assert said in capsys.readouterr().err


def test_the_command_prints_the_errata(small_library, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["errata", "mine", "--root", str(small_library), "--jobs", "1"])
    assert stop.value.code == 0
    assert capsys.readouterr().out.startswith("# Errata of ")


def test_the_report_holds_the_diagnosis(small_library, tmp_path):
    from boundcheck.report import write_report
    from boundcheck.runner import run

    library = load_library(small_library)
    document = run(library, list(library.claims), jobs=1, diagnosed=silent)
    found = {entry["key"]: entry["diagnosis"] for entry in document["claims"]}
    assert found["mine/theorem_1:printed"] is None
    grade = found["mine/lemma_2:printed"]["grade"]
    write_report(document, library, tmp_path / "out")
    overview = (tmp_path / "out" / "index.html").read_text()
    assert f'<section id="grade-{grade}">' in overview
    telling = found["mine/lemma_2:printed"]["telling"]
    values = ", ".join(f"{name} = {value}" for name, value in telling["values"].items())
    assert f'At <code>{escape(values)}: {escape(telling["lines"][-1])}</code>' in overview
    page = (tmp_path / "out" / "sources" / "mine" / "lemma_2.html").read_text()
    assert f"<strong>{grade.capitalize()}</strong>" in page
    assert "A world to check by hand" in page
    assert f"  {grade}: " in (tmp_path / "out" / "report.md").read_text()


def test_the_errata_take_what_a_report_of_the_folder_found(
    small_library, tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(["report", "--root", str(small_library), "--jobs", "1"])
    capsys.readouterr()

    def refuse(*_):
        raise AssertionError("a process was asked for what the report knows")

    monkeypatch.setattr("boundcheck.supervision.pool.Pool.__call__", lambda self, work: iter(
        refuse() if work.take(0) is not None else ()))  # fmt: skip
    with pytest.raises(SystemExit) as stop:
        main(["errata", "mine", "--root", str(small_library)])
    assert stop.value.code == 0
    assert capsys.readouterr().out.startswith("# Errata of ")


def test_long_work_tells_of_every_tenth_part_where_there_is_no_bar(capsys):
    from boundcheck.terminal import Stages

    told = Stages()("diagnosed", 40)
    for place in range(40):
        told(f"s/t:c{place}", {})
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "boundcheck: diagnosed 4 of 40 claims"
    assert lines[-1] == "boundcheck: diagnosed 40 of 40 claims" and len(lines) == 10
    Stages()("verified", 1)("s/t:c", {})  # what is short is not told of
    assert capsys.readouterr().err == ""
