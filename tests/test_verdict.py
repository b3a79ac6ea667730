"""Verdicts as documents: what is written is JSON that any program reads."""

import json
import math

from boundcheck.verdict import Evidence, conclude


def test_no_infinity_and_no_nan_reaches_a_document():
    numbers = {"constant": math.inf, "curve": [[1, math.nan], (2, -math.inf)], "kept": 0.5}
    item = Evidence("trend", "supported", "as seen", slack=math.inf, numbers=numbers)
    entry = conclude("a/b:c", [item], 0.1).as_json()
    text = json.dumps(entry, allow_nan=False)
    found = json.loads(text)
    assert found["slack"] is None and found["seconds"] == 0.1
    kept = found["checks"][0]["numbers"]
    assert kept == {"constant": None, "curve": [[1, None], [2, None]], "kept": 0.5}


def test_the_tightest_check_gives_the_slack():
    near, far = (Evidence(f"check {s}", "supported", "", slack=s) for s in (2.0, 9.0))
    assert conclude("a/b:c", [far, near], 0.0).slack == 2.0
