"""`overread validate` injected, gaming, laws: does a metric hear errors, and can it be pleased without them?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec.json import encode

from overread.cli.terminal.llm_options import LlmOptions, reading_by
from overread.cli.terminal.options import AtLeastOne, known_writer, metrics_option, option
from overread.cli.terminal.output import show
from overread.cli.terminal.verbs import verb
from overread.cli.terminal.voice import note
from overread.cli.validate.experts import METRICS, asking
from overread.errors import BadInput

if TYPE_CHECKING:
    from overread.report import Report
    from overread.validation.injection.changes import Pair

OF_GAMING = [*METRICS[:5], "longitudinal", *METRICS[5:]]
OF_LAWS = METRICS[:6]
"""Asked about when nobody says which."""


@verb("validate injected")
def validate_injected(
    reports: Path,
    paired: bool = False,
    metric: Annotated[list[str] | None, metrics_option(METRICS)] = None,
    save: Path | None = None,
    picture: Path | None = None,
    spread: Path | None = None,
    by: Annotated[str, option(callback=known_writer)] = "rules",
    draw_seed: int = 0,
    resamples: AtLeastOne = 1000,
    jobs: AtLeastOne = 1,
    encoding: str | None = None,
    json: bool = False,
    *,
    columns: dict[str, str] | None,
    llm: LlmOptions,
) -> None:
    """Inject twelve types of errors, and harmless rewrites, into reports; show which metric notices what.

    Each report is scored against itself and against a version with one change. For lunguage-sequential, one
    study per patient is changed. With --by llm a language model words the changes; you are asked before any
    text is sent.

        overread validate injected reports.jsonl --metric overread,radsem,bleu-4 --heatmap injected.svg
        overread validate injected rexerr.csv --pairs -m lunguage,bleu-4 --distributions rexerr.svg
        overread validate injected reports.jsonl --by llm --base-url http://127.0.0.1:8000/v1 --save pairs.jsonl
    """
    from overread.formats import load
    from overread.runner.measures import choose, measure
    from overread.validation.injection import injected as question
    from overread.validation.measured import Asking

    names = choose(metric or METRICS, patients=True)
    single = [name for name in names if measure(name).unit == "report"]
    if paired:
        pairs, found = question.load_pairs(reports), []
        names = choose(metric or METRICS, patients=False)
    else:
        found = list(load(reports, columns, encoding=encoding))
        pairs = changed(found, by, draw_seed, llm)
    if not pairs:
        raise BadInput(
            f"Nothing in {reports} could be changed: no report says anything that {by} can change."
        )
    with asking(resamples, draw_seed, jobs) as how:
        outcomes = question.injected(pairs, single, how)
    others = [name for name in names if name not in single]
    outcomes += question.over_patients(found, others, Asking(resamples, draw_seed))
    if save is not None:
        save.write_bytes(b"".join(encode(pair) + b"\n" for pair in pairs))
    if picture is not None:
        picture.write_text(question.heatmap(outcomes), "utf-8")
    if spread is not None:
        spread.write_text(question.distributions(outcomes), "utf-8")
    count = len(found) or len({pair.reference for pair in pairs})
    show(outcomes, lambda: question.render(outcomes, count), json)
    for place in (save, picture, spread):
        if place is not None:
            note(f"Wrote {place}.")


def changed(reports: "list[Report]", by: str, seed: int, llm: LlmOptions) -> "list[Pair]":
    """Reports with one change each, by rules or by a language model; what a model cannot do is said."""
    from overread.validation.injection.injected import inject

    with reading_by(by, llm, len(reports)) as client:
        if client is None:
            return inject(reports, seed)
        from overread.validation.injection.changes import inject_by_llm

        pairs, failed = inject_by_llm(client, reports)
    if failed:
        note(f"{len(failed)} changes could not be made; the first: {failed[0].reason}")
    return pairs


@verb("validate gaming")
def validate_gaming(
    reports: Path,
    metric: Annotated[list[str] | None, metrics_option(OF_GAMING)] = None,
    seed: int = 0,
    resamples: AtLeastOne = 1000,
    jobs: AtLeastOne = 1,
    encoding: str | None = None,
    json: bool = False,
    *,
    columns: dict[str, str] | None,
) -> None:
    """Score candidates that try to game a metric: empty, all negated, all listed, the reference twice,
    keywords.

    Exit codes: 0 no gaming candidate reaches an honest candidate with one minor error under any metric, 1 at
    least one does.

        overread validate gaming references.jsonl --metric overread,radsem,rouge-l
    """
    from overread.formats import load
    from overread.runner.measures import choose
    from overread.validation.gaming import gaming, render

    names = choose(metric or OF_GAMING, patients=False)
    found = [report for report in load(reports, columns, encoding=encoding) if report.text.strip()]
    if not found:
        raise BadInput(f"{reports} holds no report with text.")
    with asking(resamples, seed, jobs) as how:
        outcome = gaming(found, names, how)
    show(outcome, lambda: render(outcome, len(found)), json)
    raise typer.Exit(1 if any(one.fooled_by for one in outcome) else 0)


@verb("validate laws")
def validate_laws(
    reports: Path | None = None,
    metric: Annotated[list[str] | None, metrics_option(OF_LAWS)] = None,
    function: list[str] | None = None,
    readings: bool = True,
    jobs: AtLeastOne = 1,
    encoding: str | None = None,
    json: bool = False,
    *,
    columns: dict[str, str] | None,
) -> None:
    """Count how often a reading or a metric violates a law that should hold for every text.

    Quoted words are found at their offsets; no text raises an error; identical reports score 1; omitting a
    finding never raises a score; a refusal scores nothing; and so on. Runs in the default configuration.

    Exit codes: 0 no violation, 1 violations found.

        overread validate laws

        overread validate laws reports.csv --metric overread,rouge-l -j 4

        overread validate laws --no-readings --python mypackage.metrics:my_metric
    """
    from overread.formats import load
    from overread.runner.measures import choose
    from overread.stats.bootstrap import RESAMPLES
    from overread.validation.laws.cases import bundled
    from overread.validation.laws.outcome import render
    from overread.validation.laws.readings import check_readings
    from overread.validation.laws.scores import check_scores, of_function, scorer

    texts = bundled() if reports is None else list(load(reports, columns, encoding=encoding))
    found = [report for report in texts if report.text.strip()]
    if not found:
        raise BadInput(f"{reports} holds no report with text.")
    names = choose(metric or ([] if function else OF_LAWS), patients=False) if metric or not function else ()
    outcomes = []
    with asking(RESAMPLES, 0, jobs) as how:
        if readings:
            outcomes += check_readings(found)
        asked = {
            **scorer(names, how),
            **{name: of_function(name) for name in function or ()},
        }
        for name, score in asked.items():
            outcomes += check_scores(score, found, name)
    show(outcomes, lambda: render(outcomes, len(found)), json)
    raise typer.Exit(1 if any(one.broken for one in outcomes) else 0)
