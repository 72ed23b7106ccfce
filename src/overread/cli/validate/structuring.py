"""`overread validate` structuring, sentences, template, longitudinal, clear: views and timelines against people's."""

from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

from overread import formats, sources
from overread.cli.terminal.llm_options import LlmOptions, own_views, paired, reading_by
from overread.cli.terminal.options import By, verb
from overread.cli.terminal.output import save, show, write_tsv
from overread.cli.terminal.voice import note, warn
from overread.errors import BadInput, UnknownName
from overread.llm import Failure
from overread.runner.timelines import follow_by_llm, follow_by_rules
from overread.systems.clear.by_llm import judged
from overread.systems.clear.schema import CONDITIONS, Table
from overread.systems.clear.schema import top5 as conditions_of
from overread.systems.definitions import chosen
from overread.systems.lunguage.by_llm import views as views_by_llm
from overread.validation import sentences as of_sentences
from overread.validation.annotated import Annotated as Lines
from overread.validation.annotated import from_views, joined, lines_by_id, load_gold, studies_of, with_texts
from overread.validation.clear import agreement, curated, labellers
from overread.validation.clear.files import load_experts, load_ratings, load_views
from overread.validation.clear.review import as_csv, differing, gold_of, load_rated, vote, vote_summary
from overread.validation.longitudinal import agreement as of_comparisons
from overread.validation.longitudinal.imagenome import load_compared
from overread.validation.lunguage import structuring
from overread.validation.srrg import template
from overread.weights.folder import use_models
from overread.whole import write


@verb("validate structuring")
def validate_structuring(
    gold: Path,
    llm: LlmOptions,
    reports: Path | None = None,
    views: Path | None = None,
    groups: Path | None = None,
    picture: Path | None = None,
    by: By = "network",
    json: bool = False,
) -> None:
    """Compare findings, relations, entity groups and episodes with human annotations, next to the published
    figures.

    overread validate structuring gold.jsonl

        overread validate structuring timelines.jsonl --groups groups.tsv
    """
    known = joined(load_gold(gold), formats.load(reports)) if reports else load_gold(gold)
    found = load_gold(views) if views else read_by(by, known, llm)
    pairs, patients = known.beside(found)
    result = structuring.agreement(pairs, patients)
    unmatched = len(known.reports) + len(known.patients) - len(pairs) - len(patients)
    if groups:
        write_tsv(groups, structuring.group_rows(patients))
    if picture:
        write(picture, structuring.picture(patients).encode())
    show(result, lambda: structuring.render(result, unmatched), json)


def read_by(by: str, known: Lines, llm: LlmOptions) -> Lines:
    """Our own views and timelines of the gold file; what a language model could not read is left out."""
    reports = [one.report() for one in known.reports.values()]
    studies = [study for one in known.patients.values() for study in studies_of(one)]
    people = sources.patients(studies)
    if by == "network":
        own: Any = own_views(by, "lunguage", reports, llm).values()
        return from_views(own, follow_by_rules(people, 90.0, None, warn))
    with llm.client(len(reports) + len(studies)) as client:
        outcomes = views_by_llm(client, reports)
        timelines, _ = follow_by_llm(client, people, 90.0, note) if people else ([], [])
    return from_views((one for one in outcomes if not isinstance(one, Failure)), timelines)


@verb("validate sentences")
def validate_sentences(
    gold: Path,
    llm: LlmOptions,
    reports: Path | None = None,
    views: Path | None = None,
    by: By = "network",
    json: bool = False,
) -> None:
    """Compare atomic sentences with human annotations: precision, recall and F1, overall and by normality.

    overread validate sentences gold.jsonl

    An example line; instead of the text it may list sentences, each with section and text:

    \b
        {"id": "1", "text": "FINDINGS: Left effusion.",
         "atoms": [{"text": "Left pleura has effusion.", "normality": "abnormal"}]}
    """
    known = gold_with_texts(of_sentences, gold, reports)
    show_agreement(of_sentences, "radsem", known, attrgetter("atoms"), views, by, json, llm)


@verb("validate template")
def validate_template(
    gold: Path,
    llm: LlmOptions,
    reports: Path | None = None,
    views: Path | None = None,
    by: By = "network",
    json: bool = False,
) -> None:
    """Compare structured findings with human annotations: which headers have bullets, and their ROUGE-L.

    overread validate template gold.jsonl

    An example line; instead of the text it may list sentences, each with section and text:

    \b
        {"id": "1", "text": "FINDINGS: No pleural effusion.",
         "structured": {"findings": {"Pleura": ["No pleural effusion"]}}}
    """
    known = gold_with_texts(template, gold, reports)
    show_agreement(template, "srrg", known, attrgetter("structured.findings"), views, by, json, llm)


def gold_with_texts(question: Any, gold: Path, reports: Path | None) -> dict[str, Any]:
    """What people wrote down, as the module of the question has it, with the texts of a file of their own."""
    known = lines_by_id(gold, question.GoldReport, question.SHAPE)
    return with_texts(known, formats.load(reports) if reports else ())


def show_agreement(
    question: Any,
    system: str,
    known: dict[str, Any],
    part: Callable[[Any], Any],
    views: Path | None,
    by: str,
    json: bool,
    llm: LlmOptions,
    picture: Path | None = None,
) -> None:
    """Compare one part of the views of a system, report by report, as the module of the question does."""
    found = (
        lines_by_id(views, question.View, question.SHAPE)
        if views
        else own_views(by, system, [one.report() for one in known.values()], llm)
    )
    pairs = paired(known, found)
    result = question.agreement([question.compare(part(one), part(ours)) for one, ours in pairs])
    if picture:
        save(picture, question.picture(result))
    show(result, lambda: question.render(result, len(known) - len(pairs)), json)


@verb("validate longitudinal")
def validate_longitudinal(
    gold: Path,
    llm: LlmOptions,
    sentences: Path | None = None,
    views: Path | None = None,
    by: By = "network",
    picture: Path | None = None,
    json: bool = False,
) -> None:
    """Compare detected sentences and progressions with human annotations, next to the published figures.

    overread validate longitudinal gold.jsonl

        overread validate longitudinal gold_comparisons.txt --sentences gold_all_sentences.txt
    """
    known = load_compared(gold, sentences, note)
    show_agreement(of_comparisons, "longitudinal", known, lambda one: one, views, by, json, llm, picture)


@verb("validate clear")
def validate_clear(
    experts: Path,
    views: Path,
    llm: LlmOptions,
    attributes: Path | None = None,
    ratings: Path | None = None,
    annotators: list[Path] | None = None,
    save_labels: Path | None = None,
    save_differing: Path | None = None,
    top5: str = "paper",
    zero_division: bool = False,
    rules: Path | None = None,
    labeller: str | None = None,
    models: Path | None = None,
    by: By = "network",
    judge: bool = False,
    json: bool = False,
    definitions: str = "wide",
) -> None:
    """Compare a reader's CLEAR tables with experts, in the columns of the CLEAR paper.

    overread validate clear experts.csv clear.jsonl --ratings ratings.csv

        overread validate clear one.csv reports.csv --annotators two.csv --annotators three.csv
    """
    five = conditions_of(top5)
    known = load_experts(experts, attributes)
    if rules is None and labeller is None:
        tables = tables_by(by, views, llm, definitions)
    elif by != "network" or definitions != "wide" or (rules and labeller):
        raise BadInput(
            "--phrases and --labeller label by themselves; give one, without --by or --definitions."
        )
    elif rules is not None:
        tables = labellers.by_phrases(formats.load(views), labellers.load_rules(rules))
    elif labeller != "chexbert":
        raise UnknownName("labeller", str(labeller), ["chexbert"])
    else:
        use_models(models)
        tables = labellers.by_chexbert(formats.load(views), labellers.chexbert())
    if save_labels and not annotators:
        raise BadInput(
            "--save-labels writes the majority of several annotators; name them with --annotators."
        )
    if annotators:
        votes = vote([known, *map(load_experts, annotators)])
        note(vote_summary(votes))
        if save_labels:
            write_rows(save_labels, ("study_id", *CONDITIONS), votes.rows())
        known, tables = votes.experts, votes.without_open(tables)
    if save_differing:
        write_rows(save_differing, ("study_id", "condition", "experts", "reader"), differing(known, tables))
    marks = load_ratings(ratings) if ratings else ()
    with reading_by("llm" if judge else "rules", llm) as client:
        found = agreement.validate(known, tables, marks, partial(judged, client) if client else None)
    whole = {"validation": found, "figures": agreement.figures(found, five, zero_division), "top5": five}
    show(whole, lambda: agreement.render(found, five, zero_division), json)


@verb("validate clear-attributes")
def validate_clear_attributes(
    rated: Path,
    llm: LlmOptions,
    experts: Path | None = None,
    judge: bool = False,
    json: bool = False,
) -> None:
    """Tables 3 and 4 of the CLEAR paper: experts' ratings, accuracy, similarity, and their correlation.

    A rating is correct, partially correct or incorrect (1, 0.5 or 0). Phrases of a list are separated by
    bars: left base | right apex. Pearson's r is over the means of models and attributes, as in the paper.

        overread validate clear-attributes review/
    """
    marks = load_rated(rated)
    gold = gold_of(load_experts(experts)) if experts else None
    with reading_by("llm" if judge else "rules", llm) as client:
        found = curated.curated(marks, gold, partial(judged, client) if client else None)
    show(found, lambda: curated.render(found), json)


def write_rows(path: Path, columns: Sequence[str], rows: list[dict[str, str]]) -> None:
    write(path, as_csv(columns, rows))
    note(f"wrote {path}: {len(rows)} rows")


def tables_by(by: str, path: Path, llm: LlmOptions, definitions: str = "wide") -> dict[str, Table]:
    """Tables as they stand in a file, or made of its reports; what a model could not read is without a view."""
    if by == "network":
        return load_views(path, chosen(definitions))
    return own_views(by, "clear", list(formats.load(path)), llm)
