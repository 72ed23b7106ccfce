"""`overread validate`: is a metric right? Questions of one kind stand in one file, named after the first of them."""

import typer

from overread.cli.validate import clear, injected, organs, readers, ssree, structuring

app = typer.Typer(
    name="validate",
    help="Evaluate readings and metrics against people, papers and stress tests.\n\n"
    "overread validate injected references.jsonl --metric overread,rouge-l\n"
    "overread validate gaming references.jsonl --metric overread,rouge-l",
    no_args_is_help=True,
)

for command in (
    structuring.validate_structuring, clear.validate_clear, clear.validate_clear_attributes,
    structuring.validate_sentences, structuring.validate_template, structuring.validate_longitudinal,
    ssree.validate_ssree, ssree.validate_rewrites, ssree.validate_trend_flips, injected.validate_experts,
    injected.validate_injected, injected.validate_gaming, injected.validate_laws, organs.validate_progression,
    organs.validate_srr, organs.validate_organs, organs.validate_ranks, readers.validate_encoders,
    readers.validate_readers, readers.validate_search,
):  # fmt: skip
    app.command(command.__name__.removeprefix("validate_").replace("_", "-"))(command)
