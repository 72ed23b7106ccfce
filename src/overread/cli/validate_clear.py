"""`overread validate clear`: CLEAR tables against experts' labels and attributes."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overread.cli.llm_options import LlmOptions, takes_llm_options
from overread.cli.options import By, DefinitionSet

if TYPE_CHECKING:
    from overread.llm import Client
    from overread.systems.clear.outcomes import Outcome
    from overread.systems.clear.schema import Table
    from overread.validation.clear import Judge


@takes_llm_options
def validate_clear(
    experts: Annotated[
        Path,
        typer.Argument(
            help="Experts' rows: study id and 13 conditions as 1, 0 or -1 (CSV, TSV, JSON, JSONL)."
        ),
    ],
    views: Annotated[
        Path, typer.Argument(help="Lines of `overread read --as clear`, or reports, which are read by rules.")
    ],
    attributes: Annotated[
        Path | None,
        typer.Option(help="Experts' attributes by study and condition, when not in EXPERTS (JSON)."),
    ] = None,
    ratings: Annotated[
        Path | None,
        typer.Option(help="Experts' ratings: study id, condition, attribute, rating 0, 0.5 or 1."),
    ] = None,
    top5: Annotated[str, typer.Option(help="Conditions of @5: paper or released.")] = "paper",
    zero_division: Annotated[
        bool, typer.Option("--zero-division", help="Count an undefined F1 as 0 instead of leaving it out.")
    ] = False,
    by: By = "rules",
    judge: Annotated[
        bool, typer.Option("--judge", help="Also let a language model score location and recommendation.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Sums and figures as JSON.")] = False,
    definitions: DefinitionSet = "wide",
    *,
    llm: LlmOptions,
) -> None:
    """Compare a reader's CLEAR tables with experts, in the columns of the CLEAR paper.

    overread validate clear experts.csv clear.jsonl --ratings ratings.csv
    """
    import msgspec

    from overread.systems.clear.published import top5 as conditions_of
    from overread.systems.definitions import chosen
    from overread.validation.clear import figures, validate
    from overread.validation.clear_files import load_experts, load_ratings, load_views
    from overread.validation.clear_text import render

    five = conditions_of(top5)
    known = load_experts(experts, attributes)
    tables = load_views(views, chosen(definitions)) if by == "rules" else read_by_llm(by, views, llm)
    marks = load_ratings(ratings) if ratings else ()
    if judge:
        with llm.client() as client:
            found = validate(known, tables, marks, judging(client))
    else:
        found = validate(known, tables, marks)
    if json:
        whole = {"validation": found, "figures": figures(found, five, zero_division), "top5": five}
        typer.echo(msgspec.json.format(msgspec.json.encode(whole)).decode())
    else:
        typer.echo(render(found, five, zero_division), nl=False)


def read_by_llm(by: str, reports: Path, llm: LlmOptions) -> "dict[str, Table]":
    """The tables a language model makes; a report it could not read is left out, and counted as without a view."""
    from overread.errors import UnknownName
    from overread.llm import Failure
    from overread.sources import load
    from overread.systems.clear.by_llm import views

    if by != "llm":
        raise UnknownName("reader", by, ("rules", "llm"))
    asked = list(load(reports))
    with llm.client(len(asked)) as client:
        found = views(client, asked)
    return {one.id: one for one in found if not isinstance(one, Failure)}


def judging(client: "Client") -> "Judge":
    """The client as judge; a list it cannot score is left out and counted."""
    from overread.llm import Failure
    from overread.systems.clear.judge import judged

    def judge(asked: "Sequence[tuple[str, Outcome]]") -> list[float | None]:
        return [None if isinstance(score, Failure) else score for score in judged(client, asked)]

    return judge
