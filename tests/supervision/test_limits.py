"""Limits from the budget, the environment and options, in this order."""

import pytest

from boundcheck.errors import InvalidArgument
from boundcheck.supervision import LIMITS, limits_for


def test_options_go_before_the_environment_and_the_environment_before_the_budget(monkeypatch):
    assert limits_for("quick", environ="") == LIMITS["quick"]
    monkeypatch.setenv("BOUNDCHECK_LIMITS", "wall=50, memory=1G")
    found = limits_for("standard", ["wall=2.5", "processor=1.2"])
    assert (found.wall, found.processor, found.memory) == (2.5, 2, 2**30)


@pytest.mark.parametrize(
    "text",
    ["wall", "wall=", "wall=-1", "wall=0", "wall=1G", "wall=nan", "wall=1e3", "time=3", "memory=1M",
     "memory=1T", "processor=9999999999", "wall=" + "9" * 5000, "memory=٣G"],
)  # fmt: skip
def test_anything_else_is_one_line_with_the_remedy(text):
    with pytest.raises(InvalidArgument, match="give ") as error:
        limits_for("quick", [text], environ="")
    assert "--limit" in str(error.value) and len(str(error.value)) < 300
    with pytest.raises(InvalidArgument, match="BOUNDCHECK_LIMITS"):
        limits_for("quick", environ=text)
