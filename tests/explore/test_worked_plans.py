"""Every plan that the page works out composes."""

import pytest

from boundcheck.explore.composing import composed
from boundcheck.library import load_library, shipped_root

SOURCES = ("livni2017", "wang2019", "wu2021", "yashima2021")


@pytest.mark.parametrize("source", SOURCES)
def test_worked_plans_compose(source):
    library = load_library(shipped_root(), [source])
    for worked in library.companion(source, "_plan").WORKED:
        joint = composed({key: library[key] for key in worked.keys})
        assert joint.claim.parameters
