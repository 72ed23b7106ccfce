"""`overread lexicon`: what a word or a concept means to the reader."""

from typing import Annotated

from overread.cli.terminal.options import LexiconFile, argument, option


def lexicon(
    term: Annotated[str, argument("A word, a phrase or a concept, e.g. effusion or pleural-effusion.")],
    lexicon: LexiconFile = None,
    json: Annotated[bool, option("Concepts, rows and cues as JSON.", "--json")] = False,
) -> None:
    """Look up a term in the lexicon: its rows, its concept and related concepts.

    overread lexicon effusion
    """
    from rich.console import Console
    from rich.table import Table

    from overread.lexicon.lexicon import lexicon as shipped
    from overread.lexicon.lexicon import with_user_rows
    from overread.lexicon.look_up import look_up

    found = look_up(term, with_user_rows(lexicon) if lexicon else shipped())
    if json:
        from msgspec.json import encode

        print(encode({"concepts": found.concepts, "rows": found.rows, "cues": found.cues}).decode())
        return
    console = Console()
    for concept in found.concepts:
        line = " > ".join([*found.lineage(concept), concept.name])
        console.print(
            f"[bold]{line}[/]  {concept.kind}, {concept.category}, site {concept.site or 'not fixed'}"
        )
    table = Table("id", "table", "form", "means", "path", "unless", "source")
    for row in found.rows:
        table.add_row(
            row.id, row.table, row.form, row.concept, " > ".join(row.path), " | ".join(row.unless), row.source
        )
    for cue in found.cues:
        table.add_row(
            cue.id,
            "cues",
            cue.form,
            f"{cue.kind} {cue.sense}".strip(" -"),
            f"reaches {cue.reach}",
            "",
            cue.source,
        )
    console.print(table)
