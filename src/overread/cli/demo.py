"""`overread demo`: the bundled example, scored."""

from functools import partial
from pathlib import Path

from overread import examples
from overread.cli.terminal.options import OutputFolder, verb
from overread.cli.terminal.runs import run_to_page, show_summary
from overread.cli.terminal.voice import open_page
from overread.runner.files import Wanted, sources_named
from overread.runner.run.job import Job
from overread.runner.settings import Settings

METRICS = (
    "overread", "lunguage", "radsem", "clear", "f1-srr-statuses", "longitudinal", "lunguage-sequential",
    "radsem-alt", "bleu-1", "bleu-2", "bleu-3", "bleu-4", "rouge-1", "rouge-2", "rouge-l", "meteor-stem", "cider",
)  # fmt: skip

PRINTED = ("overread", "radsem", "lunguage", "clear", "bleu-4", "rouge-l")
"""The page has the rest."""


@verb("demo")
def demo(
    output: OutputFolder = Path("overread-demo"),
    browser: bool = True,
    restart: bool = False,
    json: bool = False,
) -> None:
    """Score the bundled example with the built-in metrics and open the HTML page.

    Three invented systems: `steady` paraphrases the reference, `fluent` copies its wording and reverses the
    findings, `hasty` is poor. Word overlap prefers `fluent`; clinical metrics do not.
    """
    with examples.folder() as place:
        wanted = Wanted(place / examples.REFERENCES, [place / f"{name}.jsonl" for name in examples.SYSTEMS])
        job = Job(*sources_named(wanted), Settings(METRICS))
        shown = partial(show_summary, json=json, only=PRINTED)
        page = run_to_page(job, output, show=shown, restart=restart)
    if page is not None and browser:
        open_page(page.resolve().as_uri())
