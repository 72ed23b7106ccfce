"""`overread tags`: which sentences match, as a file to look at, mend by hand and score again."""

from overread.cli.terminal.verbs import verb


@verb("tags")
def tags() -> None:
    """RadSEM's matched sentences as files: write, check and rescore them.

    overread tags write references.csv ours.csv -o tags.jsonl
    overread tags score tags.jsonl
    """
