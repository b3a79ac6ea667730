"""The benchmark of wu2021 runs, scaled down, and both its ways fit the same functions."""

import pytest

from boundcheck.figures import companion
from boundcheck.library import Library, shipped_root


@pytest.fixture
def module():
    return companion(Library(shipped_root().resolve()), "wu2021", "_benchmark")


def test_tables_and_agreement(module, monkeypatch):
    for name, value in {"ROWS": 40, "REPEATS": 4, "SAMPLES": 6}.items():
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr("boundcheck.experiments.throughput.SECONDS", 0.01)
    lines = list(module.lines(0.5))
    assert sum(line.startswith("|---") for line in lines) == 2
    # Fits of norms below 30 at condition numbers below 10^5, the root to 10^-10.
    assert float(lines[0].split("within ")[1].split(";")[0]) < 1e-8


def test_a_penalty_that_is_too_heavy_leaves_nothing(module):
    kernel, responses, _ = module.task(10, 2)
    assert module.direct_norm(kernel, responses, 1e3) == pytest.approx(0)
