"""`overread validate` clear, clear-attributes: CLEAR tables against experts' labels, attributes and ratings."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from overread.cli.terminal.llm_options import LlmOptions, own_views, reading_by
from overread.cli.terminal.options import By, verb
from overread.cli.terminal.output import show
from overread.cli.terminal.voice import note
from overread.errors import BadInput, UnknownName
from overread.formats import load
from overread.systems.clear.by_llm import judged
from overread.systems.clear.schema import CONDITIONS, Table
from overread.systems.clear.schema import top5 as conditions_of
from overread.systems.definitions import chosen
from overread.validation.clear import agreement, curated, labellers
from overread.validation.clear.files import load_experts, load_ratings, load_views
from overread.validation.clear.review import as_csv, differing, gold_of, load_rated, vote, vote_summary
from overread.weights.folder import use_models
from overread.whole import write


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
        tables = labellers.by_phrases(load(views), labellers.load_rules(rules))
    elif labeller != "chexbert":
        raise UnknownName("labeller", str(labeller), ["chexbert"])
    else:
        use_models(models)
        tables = labellers.by_chexbert(load(views), labellers.chexbert())
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
    return own_views(by, "clear", list(load(path)), llm)
