"""The table of proof steps: counted by outcome and reason."""

from boundcheck.report.markdown import markdown
from boundcheck.report.proofs import step_table
from boundcheck.report.views import ClaimView, SourceView


def view(key, state, **check):
    checks = [{"check": "proof", "outcome": None, **check}] if check else []
    return ClaimView(key, None, {"checks": checks}, state, "", "", "", None)


VIEWS = [
    view("a/lemma_1:printed", "proved"),
    view("a/lemma_1:step_split", "proved"),
    view("a/lemma_1:step_sum", "refuted"),
    view("a/lemma_1:step_norm", "supported", detail="no proof found: no formula: size uses phi",
         numbers={"reason": "definitions that are no formulas"}),
    view("a/lemma_2:step_norm", "supported", detail="no proof found: no formula: gap uses rho",
         numbers={"reason": "definitions that are no formulas"}),
    view("a/lemma_2:step_tail", "supported", detail="a probability",
         numbers={"reason": "a probability over a draw"}),
    view("a/lemma_2:step_new", "absent"),
]  # fmt: skip


def test_steps_are_counted_by_outcome_and_reason():
    table = step_table(VIEWS)
    assert table.heading == "Proof steps: 1 of 6 proved, 1 fail"
    assert [(group.word, len(group.steps)) for group in table.groups] == [
        ("proved", 1), ("definitions that are no formulas", 2), ("a probability over a draw", 1),
        ("not tried in this run", 1), ("fails", 1),
    ]  # fmt: skip
    assert table.groups[1].steps[0][1] == "no formula: size uses phi"


def test_the_markdown_page_lists_them():
    page = markdown({}, [SourceView("a", claims=VIEWS)])
    assert "## Proof steps\n\n1 of 6 proved, 1 fail." in page
    assert "| a probability over a draw | 1 | `a/lemma_2:step_tail` |" in page


def test_without_steps_there_is_no_table():
    assert step_table(VIEWS[:1]).total == 0
    assert "Proof steps" not in markdown({}, [SourceView("a", claims=VIEWS[:1])])
