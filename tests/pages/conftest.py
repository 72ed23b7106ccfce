"""A finished run of the bundled example, small and made once, and its page."""

import pytest

from overread import examples
from overread.pages.build import write_page
from overread.runner.job import Job
from overread.runner.run import run
from overread.runner.summary import Draws
from overread.sources import load

METRICS = (
    "lunguage", "radsem", "clear", "f1-srr", "longitudinal", "lunguage-sequential", "bleu-4", "cider",
)  # fmt: skip


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """The folder of the run, page included."""
    place = tmp_path_factory.mktemp("example")
    with examples.folder() as folder:
        systems = {name: load(folder / f"{name}.jsonl") for name in examples.SYSTEMS}
        job = Job(
            load(folder / examples.REFERENCES), systems, METRICS, draws=Draws(resamples=50, shuffles=50)
        )
        run(job, place)
    write_page(place)
    return place
