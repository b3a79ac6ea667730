"""The reference has every public name, also those that modules import on first use."""

import pytest

import boundcheck.explore
from boundcheck.errors import InvalidArgument
from boundcheck.reference import main


def test_every_public_name_has_its_place(tmp_path, capsys):
    assert main(["--out", str(tmp_path)]) == 0
    assert "pages to" in capsys.readouterr().out
    page = (tmp_path / "boundcheck" / "explore.html").read_text()
    for name in boundcheck.explore.__all__:
        assert f'id="{name}"' in page
    front = (tmp_path / "boundcheck.html").read_text()
    assert 'id="Claim"' in front and 'id="UpToConstant"' in front
    words = (tmp_path / "boundcheck" / "settings" / "scalar_laws.html").read_text()
    assert "Expectation of an expression in k." in words
    assert not (tmp_path / "boundcheck" / "ledger.html").exists()


def test_without_its_tool_it_says_so(tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pdoc", None)
    with pytest.raises(InvalidArgument, match="pip install"):
        main(["--out", str(tmp_path)])
    assert not list(tmp_path.iterdir())
