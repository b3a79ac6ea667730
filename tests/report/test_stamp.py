"""A report is left as it stands only if a run would write the same."""

import pytest

from boundcheck.report import stamp as module
from boundcheck.report.stamp import LEDGER, Stamp


@pytest.fixture
def made(tmp_path):
    """A stamped report of one page."""
    out, root = tmp_path / "out", tmp_path / "root"
    for folder in (out / ".boundcheck", out / "figures", root):
        folder.mkdir(parents=True)
    (out / LEDGER).write_text("rows")
    (out / "index.html").write_text("page")
    (root / "theorem.py").write_text("a = 1")
    stamp = Stamp(out, root, ["quick", 0])
    stamp.put([out / "index.html"], "1 claim")
    assert stamp.found() == "1 claim"
    return stamp


CHANGES = {
    "statement": lambda s: (s.root / "theorem.py").write_text("a = 2"),
    "new statement": lambda s: (s.root / "lemma.py").write_text(""),
    "page": lambda s: (s.out / "index.html").write_text("edited"),
    "no page": lambda s: (s.out / "index.html").unlink(),
    "figure": lambda s: (s.out / "figures" / "one.svg").write_text("<svg/>"),
    "no ledger": lambda s: (s.out / LEDGER).unlink(),
    "no stamp": lambda s: (s.out / module.STAMP).write_text("[]"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_noticed(made, name):
    CHANGES[name](made)
    assert made.found() == ""


def test_another_command_place_or_environment_is_noticed(made, tmp_path, monkeypatch):
    assert Stamp(made.out, made.root, ["quick", 1]).found() == ""
    with monkeypatch.context() as patch:
        patch.setattr(module, "environment", lambda: {"sympy": "0.1"})
        assert made.found() == ""
    with monkeypatch.context() as patch:
        patch.chdir(tmp_path)
        assert made.found() == ""
    assert made.found() == "1 claim"
