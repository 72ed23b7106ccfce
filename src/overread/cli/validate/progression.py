"""`overread validate progression`: report generators in the tables of the longitudinal paper."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.llm_options import LlmOptions, reading_by, takes_llm_options
from overread.cli.terminal.options import By
from overread.cli.terminal.output import show


@takes_llm_options
def validate_progression(
    reference: Annotated[Path, typer.Argument(help="Follow-up reports.")],
    candidates: Annotated[
        list[Path], typer.Argument(help="One file per report generator, with the same ids.")
    ],
    single: Annotated[
        bool, typer.Option("--single", help="One disease per sentence, the first, as in the paper.")
    ] = False,
    findings: Annotated[
        bool, typer.Option("--findings", help="The findings sections alone, as in the paper.")
    ] = False,
    diagnosis: Annotated[
        str,
        typer.Option(
            help="How diseases are labelled: rules (CLEAR's conditions) or chexbert (as in the paper, if "
            "installed)."
        ),
    ] = "rules",
    by: By = "network",
    json: Annotated[bool, typer.Option("--json", help="Figures as JSON.")] = False,
    *,
    llm: LlmOptions,
) -> None:
    """Score comparing sentences, diagnosis and progression per class, one row per report generator.

    Progressions are compared as stated in both reports and, as in the paper, by querying the candidate about
    every disease that the reference compares.

    overread validate progression references.jsonl ours.jsonl theirs.jsonl
    """
    from overread.errors import BadInput, UnknownName
    from overread.formats import load
    from overread.validation.progression import compare, findings_alone, render

    if diagnosis not in ("rules", "chexbert"):
        raise UnknownName("labeller", diagnosis, ("rules", "chexbert"))
    known = {report.id: report for report in load(reference)}
    found = {}
    with reading_by(by, llm, len(known) * (1 + len(candidates))) as client:
        for path in candidates:
            pairs = [(known[one.id], one) for one in load(path, side="candidate") if one.id in known]
            if not pairs:
                raise BadInput(f"{path} has no id in common with {reference}.")
            if findings:
                pairs = [(findings_alone(one), findings_alone(two)) for one, two in pairs]
            found[path.stem] = compare(pairs, single, client, diagnosis == "chexbert")
    show(found, lambda: render(found), json)
