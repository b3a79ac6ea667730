"""Both notebooks run from top to bottom, and what their cells show is HTML."""

import ast
import json
import time
from pathlib import Path

import matplotlib
import pytest

import boundcheck.explore

NOTEBOOKS = sorted(Path(boundcheck.explore.__file__).parent.joinpath("notebooks").glob("*.ipynb"))


def run(path):
    """Runs the code cells in one namespace; what the last line of each shows."""
    matplotlib.use("Agg")
    scope, shown = {}, []
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == []  # the committed file holds no results
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, path.name, "exec"), scope)
        if last is not None:
            shown.append(eval(compile(ast.Expression(last.value), path.name, "eval"), scope))
    return shown


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run_quickly_and_show_formulas(path):
    start = time.process_time()
    html = [item._repr_html_() for item in run(path) if hasattr(item, "_repr_html_")]
    assert len(html) >= 3 and all("<table>" in text for text in html)
    assert sum("$" in text for text in html) >= 3
    assert time.process_time() - start < 60


def test_there_are_two():
    assert len(NOTEBOOKS) == 2
