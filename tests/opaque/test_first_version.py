"""Statement files of the first version, opaque definitions in Python, load and are verified.

Their verdicts are golden: the rows of the folder `first_version` are collected beside this file.
"""

from pathlib import Path

import pytest

from boundcheck.describe import describe_claim
from boundcheck.engine import verify
from boundcheck.library import load_library
from boundcheck.witness import confirm, seal

ROOT = Path(__file__).parent
OPTIONS = ("worlds", "parameters", "measure", "draw", "families", "trivial", "rescalings",
           "undefined", "hidden", "uses", "reading", "cost", "given")  # fmt: skip


@pytest.fixture(scope="module")
def library():
    return load_library(ROOT)


def test_every_file_loads_and_no_argument_is_forgotten(library):
    assert not library.broken and len(library.claims) == 11
    texts = [path.read_text() for path in (ROOT / "first_version").glob("[!_]*.py")]
    assert len(texts) == 6
    for option in OPTIONS:
        assert any(f"{option}=" in text or f'"{option}":' in text for text in texts), option
    assert not any("boundcheck.expressions" in text for text in texts)


@pytest.mark.parametrize("name", ["hadamard:diagonal", "khintchine:three_quarters",
                                  "deviation:third", "trade_off:square"])  # fmt: skip
def test_a_world_that_refutes_an_opaque_claim_is_confirmed(library, name):
    verdict = verify(f"first_version/{name}", library[f"first_version/{name}"])
    assert "confirmed" in str(confirm(seal(verdict.witness.as_json()), library))


def test_what_opaque_definitions_cost_is_said(library):
    shown = describe_claim(library, "first_version/hadamard:printed", {})
    assert "no float batch: left is code without an estimator" in shown
    assert "no float batch" not in describe_claim(library, "first_version/deviation:printed", {})
