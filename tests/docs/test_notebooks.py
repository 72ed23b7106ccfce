"""The two notebooks: as their script writes them, and they run."""

import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def test_notebooks_are_what_their_script_writes():
    sys.path.insert(0, str(DOCS))
    try:
        import make_notebooks
    finally:
        sys.path.remove(str(DOCS))
    for name, cells in make_notebooks.NOTEBOOKS.items():
        assert (DOCS / "notebooks" / f"{name}.ipynb").read_text("utf-8") == make_notebooks.notebook(cells)
        assert (DOCS / "notebooks" / f"{name}.md").read_text("utf-8") == make_notebooks.page(name, cells)


@pytest.mark.parametrize("name", ["score_my_model", pytest.param("build_a_data_set", marks=pytest.mark.slow)])
def test_notebooks_run(name):
    nbformat = pytest.importorskip("nbformat", reason="nbclient is not installed")
    client = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    notebook = nbformat.read(DOCS / "notebooks" / f"{name}.ipynb", as_version=4)
    client.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    assert all(cell.outputs for cell in notebook.cells if cell.cell_type == "code")
