"""`overread validate`: is a metric right? Questions of one kind stand in one file, named after the first of them."""

from overread.cli.terminal.options import verb


@verb("validate")
def validate() -> None:
    """Evaluate readings and metrics against people, papers and stress tests.

    overread validate injected references.jsonl --metric overread,rouge-l
    overread validate gaming references.jsonl --metric overread,rouge-l
    """
