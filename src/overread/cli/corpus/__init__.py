"""`overread corpus`: the open corpus of invented, annotated reports."""

from overread.cli.terminal.verbs import verb


@verb("corpus")
def corpus() -> None:
    """The open corpus of invented, annotated reports: check, build and count it, compare annotations.

    overread corpus check corpus/
    overread corpus build corpus/ -o built/
    """
