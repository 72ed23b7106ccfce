"""The two notebooks: the cells of their script, with the outputs they have when they are run."""

import json
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def script():
    sys.path.insert(0, str(DOCS))
    try:
        import make_notebooks
    finally:
        sys.path.remove(str(DOCS))
    return make_notebooks


@pytest.mark.parametrize("name", script().NOTEBOOKS)
def test_notebooks_hold_the_cells_of_their_script_with_outputs(name):
    cells = json.loads((DOCS / "notebooks" / f"{name}.ipynb").read_text("utf-8"))["cells"]
    assert [cell["source"] for cell in cells] == script().NOTEBOOKS[name]
    assert all(cell["outputs"] for cell in cells if cell["cell_type"] == "code")


@pytest.mark.parametrize("name", ["score_my_model", pytest.param("build_a_data_set", marks=pytest.mark.slow)])
def test_outputs_are_those_of_today(name):
    made = script()
    done = made.run(made.NOTEBOOKS[name])
    assert (DOCS / "notebooks" / f"{name}.ipynb").read_text("utf-8") == made.notebook(done), "run `make docs`"
    assert (DOCS / "notebooks" / f"{name}.md").read_text("utf-8") == made.page(name, done), "run `make docs`"


@pytest.mark.slow
@pytest.mark.parametrize("name", script().NOTEBOOKS)
def test_notebooks_run(name):
    nbformat = pytest.importorskip("nbformat", reason="nbclient is not installed")
    client = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    notebook = nbformat.read(DOCS / "notebooks" / f"{name}.ipynb", as_version=4)
    client.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    assert all(cell.outputs for cell in notebook.cells if cell.cell_type == "code")
