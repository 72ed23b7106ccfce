"""`overread validate` injected, gaming, laws, experts: does a metric hear errors, and as radiologists do?"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.llm_options import LlmOptions, reading_by
from overread.cli.terminal.options import (
    AtLeastOne,
    By,
    Columns,
    argument,
    known_writer,
    metrics_option,
    option,
    verb,
)
from overread.cli.terminal.output import json_lines, show
from overread.cli.terminal.voice import meter_for, note
from overread.errors import BadInput
from overread.report import Report
from overread.runner.measures import askable, choose, measure
from overread.stats.bootstrap import RESAMPLES
from overread.validation import gaming
from overread.validation.experts import agreement
from overread.validation.experts.files import Flags, load_judgements, targets
from overread.validation.injection import injected as question
from overread.validation.injection.changes import inject_by_llm
from overread.validation.laws.law import bundled, render
from overread.validation.laws.readings import check_readings
from overread.validation.laws.scores import check_scores, of_function, scorer
from overread.validation.measured import Asking

METRICS = ["overread", "radsem", "lunguage", "clear", "f1-srr-statuses", "bleu-4", "rouge-l"]
OF_GAMING = [*METRICS[:5], "longitudinal", *METRICS[5:]]
OF_LAWS = METRICS[:6]
"""Asked about when nobody says which."""


@verb("validate injected")
def validate_injected(
    reports: Path,
    columns: Columns,
    llm: LlmOptions,
    paired: bool = False,
    metric: Annotated[list[str] | None, metrics_option(METRICS)] = None,
    save: Path | None = None,
    picture: Path | None = None,
    spread: Path | None = None,
    by: Annotated[str, option(callback=known_writer)] = "rules",
    draw_seed: int = 0,
    resamples: AtLeastOne = 1000,
    jobs: AtLeastOne = 1,
    json: bool = False,
) -> None:
    """Inject twelve types of errors, and harmless rewrites, into reports; show which metric notices what.

    Each report is scored against itself and against a version with one change. For lunguage-sequential, one
    study per patient is changed. With --by llm a language model words the changes; you are asked before any
    text is sent.

        overread validate injected reports.jsonl --metric overread,radsem,bleu-4 --heatmap injected.svg
        overread validate injected rexerr.csv --pairs -m lunguage,bleu-4 --distributions rexerr.svg
        overread validate injected reports.jsonl --by llm --base-url http://127.0.0.1:8000/v1 --save pairs.jsonl
    """
    names = choose(metric or METRICS, patients=True)
    found: list[Report] = []
    if paired:
        pairs = question.load_pairs(reports)
        names = choose(metric or METRICS, patients=False)
    else:
        found = list(columns.load(reports))
        with reading_by(by, llm, len(found)) as client:
            pairs, failed = (
                (question.inject(found, draw_seed), []) if client is None else inject_by_llm(client, found)
            )
        if failed:
            note(f"{len(failed)} changes could not be made; the first: {failed[0].reason}")
    if not pairs:
        raise BadInput(
            f"Nothing in {reports} could be changed: no report says anything that {by} can change."
        )
    with asking(resamples, draw_seed, jobs) as how:
        outcomes = question.injected(pairs, [one for one in names if measure(one).unit == "report"], how)
    others = [name for name in names if measure(name).unit != "report"]
    outcomes += question.over_patients(found, others, Asking(resamples, draw_seed))
    count = len(found) or len({pair.reference for pair in pairs})
    show(outcomes, lambda: question.render(outcomes, count), json)
    keep(save, lambda: json_lines(pairs))
    keep(picture, lambda: question.heatmap(outcomes).encode())
    keep(spread, lambda: question.distributions(outcomes).encode())


def keep(place: Path | None, content: Callable[[], bytes]) -> None:
    if place is not None:
        place.write_bytes(content())
        note(f"Wrote {place}.")


@verb("validate gaming")
def validate_gaming(
    reports: Path,
    columns: Columns,
    metric: Annotated[list[str] | None, metrics_option(OF_GAMING)] = None,
    seed: int = 0,
    resamples: AtLeastOne = 1000,
    jobs: AtLeastOne = 1,
    json: bool = False,
) -> None:
    """Score candidates that try to game a metric: empty, all negated, all listed, the reference twice,
    keywords.

    Exit codes: 0 no gaming candidate reaches an honest candidate with one minor error under any metric, 1 at
    least one does.

        overread validate gaming references.jsonl --metric overread,radsem,rouge-l
    """
    names = choose(metric or OF_GAMING, patients=False)
    found = with_text(reports, columns.load(reports))
    with asking(resamples, seed, jobs) as how:
        tried = gaming.gaming(found, names, how)
    show(tried, lambda: gaming.render(tried, len(found)), json)
    raise typer.Exit(1 if any(one.fooled_by for one in tried) else 0)


def with_text(path: Path | None, reports: Iterable[Report]) -> list[Report]:
    found = [report for report in reports if report.text.strip()]
    if not found:
        raise BadInput(f"{path} holds no report with text.")
    return found


@verb("validate laws")
def validate_laws(
    columns: Columns,
    reports: Path | None = None,
    metric: Annotated[list[str] | None, metrics_option(OF_LAWS)] = None,
    function: list[str] | None = None,
    readings: bool = True,
    jobs: AtLeastOne = 1,
    json: bool = False,
) -> None:
    """Count how often a reading or a metric violates a law that should hold for every text.

    Quoted words are found at their offsets; no text raises an error; identical reports score 1; omitting a
    finding never raises a score; a refusal scores nothing; and so on. Runs in the default configuration.

    Exit codes: 0 no violation, 1 violations found.

        overread validate laws

        overread validate laws reports.csv --metric overread,rouge-l -j 4

        overread validate laws --no-readings --python mypackage.metrics:my_metric
    """
    found = with_text(reports, bundled() if reports is None else columns.load(reports))
    asked = metric or ([] if function else OF_LAWS)
    names = choose(asked, patients=False) if asked else ()
    outcomes = check_readings(found) if readings else []
    with asking(RESAMPLES, 0, jobs) as how:
        scores = scorer(names, how) | {name: of_function(name) for name in function or ()}
        for name, score in scores.items():
            outcomes += check_scores(score, found, name)
    show(outcomes, lambda: render(outcomes, len(found)), json)
    raise typer.Exit(1 if any(one.broken for one in outcomes) else 0)


@verb("validate experts")
def validate_experts(
    found: Annotated[list[Path], argument(metavar="FILE…")],
    llm: LlmOptions,
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
) -> None:
    """Correlate metrics with radiologists' error counts: Kendall, Spearman, Pearson, and inter-rater
    agreement as ceiling.

    overread validate experts 50_samples_gt_and_candidates.csv 6_valid_raters_per_rater_error_categories.csv

        overread validate experts pairs.csv errors.csv -m radsem --by llm --model MODEL
    """
    flags = Flags(reference, candidate, split(errors), split(significant), rating, study, source, rater)
    layout, judged = load_judgements(found, flags)
    usual = METRICS if by == "network" else [name for name in METRICS if askable(name)]
    names = choose(metric or usual, patients=False)
    texts = {text for item in judged for text in (item.reference, item.candidate)}
    with asking(resamples, draw_seed, jobs, by, llm, len(texts)) as how:
        figures, points = agreement.experts(layout, judged, names, how)
    show(figures, lambda: agreement.render(figures), json)
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)
        for name, drawn in points.items():
            if drawn:
                (pictures / f"{name}.svg").write_text(
                    agreement.scatter(name, targets(judged)[0], drawn), "utf-8"
                )
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
) -> Iterator[Asking]:
    """How metrics are asked, below a bar; where a language model reads, it has a bar of its own."""
    with (
        reading_by(by, llm or LlmOptions({}), texts) as client,
        meter_for(bar=client is None) as meter,
    ):
        yield Asking(resamples, seed, jobs, meter, client)
