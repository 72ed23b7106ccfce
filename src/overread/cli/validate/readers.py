"""`overread validate` readers, encoders, search: several models or settings in one table."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import typer

from overread.cli.terminal.llm_options import LlmOptions, own_views, paired
from overread.cli.terminal.options import option, verb
from overread.cli.terminal.output import save, show
from overread.cli.terminal.voice import note, warn
from overread.cli.validate.organs import in_common
from overread.cli.validate.structuring import read_by, tables_by
from overread.encoders import load
from overread.errors import BadInput
from overread.llm.batch_folder import Waiting
from overread.llm.settings import resolve
from overread.runner.views import views_in
from overread.systems.clear.schema import top5
from overread.systems.longitudinal.schema import longitudinal_constants
from overread.systems.lunguage.likeness import lunguage_constants
from overread.systems.srrg.classifier import load_utterances
from overread.validation import readers
from overread.validation.annotated import load_gold
from overread.validation.clear import agreement as of_tables
from overread.validation.clear.files import load_experts, rows_of
from overread.validation.longitudinal import agreement as of_comparisons
from overread.validation.longitudinal.imagenome import load_compared
from overread.validation.lunguage import encoders
from overread.validation.lunguage import structuring as of_findings
from overread.validation.readers import Figures, Reader
from overread.validation.srrg import labels

Task = Literal["structuring", "clear", "longitudinal", "srr"]
Cues = Literal["with", "without", "both"]


class ReaderResult(NamedTuple):
    """What one reader comes to."""

    figures: Figures
    read: int
    """For how many items it gave an answer."""
    of: int
    published: dict[str, Figures]
    """What the papers print in these columns."""


@verb("validate readers")
def validate_readers(
    task: Task,
    gold: Path,
    llm: LlmOptions,
    reports: Path | None = None,
    shots: Annotated[list[int] | None, option(min=0)] = None,
    cues: Cues = "with",
    rules: bool = True,
    picture: Path | None = None,
    json: bool = False,
) -> None:
    """Compare several readers on one gold file: every model, number of examples, with and without cues.

    With --batch, the requests of all of them are written at once.

        overread validate readers structuring annotations.csv --model one --model two --shots 0 --shots 5 --cues both

        overread validate readers clear experts.csv reports.csv --model one --model two --picture readers.svg
    """
    if cues != "with" and task != "structuring":
        raise BadInput("Only structuring has vocabulary cues; leave out --cues.")
    if (reports is None) is (task == "clear"):
        raise BadInput(
            "clear takes two files, the experts' labels and the reports; the other tasks take one."
        )
    settings = resolve(llm.given).settings
    ask = partial(TASKS[task], gold, reports)
    both = {"with": [True], "without": [False], "both": [True, False]}[cues]
    wanted = list(readers.reader_grid(settings.models, shots or [settings.shots], both))
    asked = [(Reader("network"), ask("network", llm))] if rules else []
    asked += zip(wanted, every(wanted, ask, llm), strict=True)
    rows = [readers.ReaderRow(reader, one.read, one.figures) for reader, one in asked]
    total, known = next(((one.of, one.published) for _, one in asked), (0, {}))
    title = f"Readers on {gold.name} ({task})"
    if picture:
        save(picture, readers.reader_bars(title, rows, known))
    show({"rows": rows, "published": known}, lambda: readers.render(title, rows, known, total), json)


def every(
    wanted: Sequence[Reader], ask: Callable[[str, LlmOptions], ReaderResult], llm: LlmOptions
) -> list[ReaderResult]:
    """Every reader asked; where questions wait in batch files, all are written before that is said."""
    found: list[ReaderResult] = []
    waiting: list[Waiting] = []
    for reader in wanted:
        note(reader.label)
        given = {"model": [reader.name], "shots": reader.shots, "cues": reader.cues is not False}
        try:
            found.append(ask("llm", LlmOptions({**llm.given, **given})))
        except Waiting as one:
            waiting.append(one)
        except typer.Exit:
            if not llm.estimating:
                raise
    if waiting:
        raise waiting[-1]
    if llm.estimating:
        raise typer.Exit
    return found


def structuring(gold: Path, _: Path | None, by: str, llm: LlmOptions) -> ReaderResult:
    known = load_gold(gold)
    pairs, people = known.beside(read_by(by, known, llm))
    told = of_findings.agreement(pairs, people)
    shown = {"entity-relation": told.relations, "triplet": told.triplets} if known.reports else {}
    if known.patients:
        shown |= {"entity groups": told.entity_groups, "temporal groups": told.temporal_groups}
    figures = {f"{name} F1": one.f1 for name, one in shown.items()}
    best = {f"{name} F1": one["published"][0] for name, one in lunguage_constants()["structuring"].items()}
    total = len(known.reports) + len(known.patients)
    return ReaderResult(figures, len(pairs) + len(people), total, {"published: best of Table 1": best})


def clear(gold: Path, reports: Path | None, by: str, llm: LlmOptions) -> ReaderResult:
    assert reports is not None
    known = load_experts(gold)
    found = of_tables.validate(known, tables_by(by, reports, llm))
    told = of_tables.figures(found, top5())
    rated = {name: one["micro"] for name, one in told.accuracy.items() if one["cells"]}
    alike = {name: one["ROUGE-L"] for name, one in told.similarity.items() if one["cells"]}
    printed: dict[str, Figures] = {
        f"published: {name}": {**row} for name, row in of_tables.published_presence().items()
    }
    return ReaderResult(of_tables.presence_columns(told) | rated | alike, found.studies, len(known), printed)


def longitudinal(gold: Path, _: Path | None, by: str, llm: LlmOptions) -> ReaderResult:
    known = load_compared(gold, tell=note)
    found = own_views(by, "longitudinal", [one.report() for one in known.values()], llm)
    told = of_comparisons.agreement([of_comparisons.compare(one, view) for one, view in paired(known, found)])
    figures: Figures = {}
    printed: dict[str, Figures] = {}
    for part, rates in (("detection", told.detection), ("progression", told.progression)):
        figures |= {f"{part} accuracy": rates.accuracy, f"{part} f1": rates.f1}
        for name, one in longitudinal_constants()[part]["systems"].items():
            row = {f"{part} {key}": one[key] / 100 for key in one if key in ("accuracy", "f1")}
            printed.setdefault(f"published: {name}", {}).update(row)
    return ReaderResult(figures, told.reports, len(known), printed)


def srr(gold: Path, _: Path | None, by: str, llm: LlmOptions) -> ReaderResult:
    rows = load_utterances(gold)
    if by == "network":
        told, answered = labels.measured(rows, labels.called("rules")), len(rows)
    else:
        with llm.client(len(rows), "utterance") as client:
            told, answered = labels.by_llm(client, rows)
    figures: Figures = {f"{n} weighted F1": told[n].averages["weighted"].f1 for n in ("leaves", "upper")}
    return ReaderResult(figures | {"leaves exact": told["leaves"].exact}, answered, len(rows), {})


TASKS: dict[str, Callable[[Path, Path | None, str, LlmOptions], ReaderResult]] = {
    one.__name__: one for one in (structuring, clear, longitudinal, srr)
}


@verb("validate encoders")
def validate_encoders(
    phrases: Path,
    candidates: Path | None = None,
    encoder: list[str] | None = None,
    models: Path | None = None,
    picture: Path | None = None,
    json: bool = False,
) -> None:
    """Evaluate how well each encoder separates phrases: distributions of cosines within and across groups.

    With two files of reports or of views of `read --as lunguage` it is the LUNGUAGE paper's Figure C.1: the cosines of
    all phrases of the references with all of their candidates.

        overread validate encoders phrases.csv --encoder embedded --picture cosines.svg

        overread validate encoders references.jsonl ours.jsonl --encoder medcpt --encoder biolord --models models
    """
    names = encoder or ["embedded"]
    if "judge" in names:
        raise BadInput("The judge compares pairs and has no vectors; name encoders.")
    chosen = {name: load(name, models) for name in names}
    found: encoders.FiguresFound
    if candidates is None:
        found = encoders.compare_encoders(chosen, groups_in(phrases))
    else:
        sides = [views_in(path, "lunguage", tell=warn)[0] for path in (phrases, candidates)]
        pairs = in_common(phrases, sides[0], candidates, sides[1])
        found = encoders.across(chosen, encoders.phrases_across(list(pairs.values())))
    if picture:
        save(picture, encoders.cosine_spreads(found))
    show(found, lambda: encoders.render(found), json)


def groups_in(path: Path) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for line, row in rows_of(path):
        if "group" not in row or "phrase" not in row:
            raise BadInput(f"{path}, line {line}: the columns group and phrase are needed.")
        groups.setdefault(str(row["group"]), []).append(str(row["phrase"]))
    return groups


@verb("validate search")
def validate_search(
    results: Path,
    score: str = "score",
    lower: bool = False,
    json: bool = False,
) -> None:
    """Which setting of a search is best, by its mean over folds.

    The runs are those of search.jsonl, which `overread build clear --folds 5` writes. A setting that lacks a fold comes
    last.

    overread validate search results.jsonl --score eval_loss --lower
    """
    found = readers.ranked(readers.load_results(results, score), lower)
    show(found, lambda: readers.render_search(found), json)
