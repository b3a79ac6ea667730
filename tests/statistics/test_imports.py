import subprocess
import sys

import pytest

import boundcheck.statistics as statistics


def test_scipy_loads_only_when_used():
    code = (
        "import sys, boundcheck.statistics as s\n"
        "s.ViolationTest(0.05, 0.05).update([0, 1]); s.MeanSequence(0, 1).update([0.5])\n"
        "s.Account(); assert not any(m.split('.')[0] == 'scipy' for m in sys.modules)\n"
        "s.clopper_pearson(1, 2); assert 'scipy' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_public_name_exists():
    assert set(statistics.__all__) <= set(dir(statistics))
    for name in statistics.__all__:
        assert getattr(statistics, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'guess'"):
        _ = statistics.guess
