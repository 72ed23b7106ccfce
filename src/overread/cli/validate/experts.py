"""`overread validate experts`: does a metric agree with radiologists?"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from overread.cli.terminal.llm_options import LlmOptions, reading_by
from overread.cli.terminal.options import AtLeastOne, By, argument, metrics_option
from overread.cli.terminal.output import show
from overread.cli.terminal.verbs import verb
from overread.cli.terminal.voice import note

if TYPE_CHECKING:
    from overread.validation.measured import Asking

METRICS = ["overread", "radsem", "lunguage", "clear", "f1-srr-statuses", "bleu-4", "rouge-l"]
"""Asked about when nobody says which."""


@verb("validate experts")
def validate_experts(
    found: Annotated[list[Path], argument(metavar="FILE…")],
    metric: Annotated[list[str] | None, metrics_option(METRICS)] = None,
    reference: str | None = None,
    candidate: str | None = None,
    errors: str | None = None,
    significant: str | None = None,
    rating: str | None = None,
    study: str | None = None,
    source: str | None = None,
    rater: str | None = None,
    pictures: Path | None = None,
    draw_seed: int = 0,
    resamples: AtLeastOne = 1000,
    jobs: AtLeastOne = 1,
    json: bool = False,
    by: By = "network",
    *,
    llm: LlmOptions,
) -> None:
    """Correlate metrics with radiologists' error counts: Kendall, Spearman, Pearson, and inter-rater
    agreement as ceiling.

    overread validate experts 50_samples_gt_and_candidates.csv 6_valid_raters_per_rater_error_categories.csv

        overread validate experts pairs.csv errors.csv -m radsem --by llm --model MODEL
    """
    from overread.runner.measures import askable, choose
    from overread.validation.experts.agreement import experts, render, scatter
    from overread.validation.experts.files import Flags, items, load_judgements, targets

    flags = Flags(reference, candidate, split(errors), split(significant), rating, study, source, rater)
    layout, judgements = load_judgements(found, flags)
    judged = items(judgements)
    usual = METRICS if by == "network" else [name for name in METRICS if askable(name)]
    names = choose(metric or usual, patients=False)
    texts = {text for item in judged for text in (item.reference, item.candidate)}
    with asking(resamples, draw_seed, jobs, by, llm, len(texts)) as how:
        figures, points = experts(layout, judged, names, how)
    show(figures, lambda: render(figures), json)
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)
        for name, drawn in points.items():
            if drawn:
                (pictures / f"{name}.svg").write_text(scatter(name, targets(judged)[0], drawn), "utf-8")
        note(f"Wrote a picture per metric to {pictures}.")


def split(written: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in (written or "").split(",") if part.strip())


@contextmanager
def asking(
    resamples: int,
    seed: int,
    jobs: int,
    by: str = "network",
    llm: LlmOptions | None = None,
    texts: int | None = None,
) -> "Iterator[Asking]":
    """How metrics are asked, below a bar; where a language model reads, it has a bar of its own."""
    from overread.cli.terminal.progress import meter_for
    from overread.validation.measured import Asking

    with (
        reading_by(by, llm or LlmOptions({}), texts) as client,
        meter_for(bar=client is None) as meter,
    ):
        yield Asking(resamples, seed, jobs, meter, client)
