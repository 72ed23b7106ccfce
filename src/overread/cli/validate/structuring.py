"""`overread validate` structuring, sentences, template, longitudinal: views and timelines against people's."""

from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import Any

from overread import formats, sources
from overread.cli.terminal.llm_options import LlmOptions, own_views, paired
from overread.cli.terminal.options import By, verb
from overread.cli.terminal.output import save, show, write_tsv
from overread.cli.terminal.voice import note, warn
from overread.llm import Failure
from overread.runner.timelines import follow_by_llm, follow_by_rules
from overread.systems.lunguage.by_llm import views as views_by_llm
from overread.validation import sentences as of_sentences
from overread.validation.annotated import Annotated as Lines
from overread.validation.annotated import from_views, joined, lines_by_id, load_gold, studies_of, with_texts
from overread.validation.longitudinal import agreement as of_comparisons
from overread.validation.longitudinal.imagenome import load_compared
from overread.validation.lunguage import structuring
from overread.validation.srrg import template
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
