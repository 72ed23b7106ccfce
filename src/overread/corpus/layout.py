"""Annotated report → its text as a reader sees it, and where each sentence begins in it."""

from msgspec import Struct

from overread.corpus.records import Annotated, Sentence


class Laid(Struct, frozen=True):
    """A report as text."""

    text: str
    starts: tuple[int, ...]
    """Of each of the report's sentences and layout lines, in order."""


def lay_out(report: Annotated) -> Laid:
    """The text: exactly as written where the report has layout lines, else under the usual headings.

    >>> from overread.corpus.notation import parse
    >>> [report], _ = parse("# a\\nI Cough.\\n- cough +\\nF Clear lungs.\\n- lungs - ; mor=clear", "example")
    >>> lay_out(report)
    Laid(text='INDICATION: Cough.\\n\\nFINDINGS: Clear lungs.\\n', starts=(12, 30))
    """
    verbatim = any(not sentence.section for sentence in report.sentences)
    text, starts, before = "", [], None
    for sentence in report.sentences:
        text += gap_as_written(before, sentence) if verbatim else gap_with_heading(before, sentence)
        starts.append(len(text))
        text += sentence.text
        before = sentence
    return Laid(text + "\n", tuple(starts))


def gap_as_written(before: Sentence | None, sentence: Sentence) -> str:
    if before is None:
        return ""
    return " " if before.section == sentence.section and not sentence.new_line else "\n"


def gap_with_heading(before: Sentence | None, sentence: Sentence) -> str:
    """What stands between two sentences; a section that begins a new line begins below its heading."""
    own_line = "\n" if sentence.new_line else " "
    if before is not None and before.section == sentence.section:
        return own_line
    return ("\n\n" if before is not None else "") + f"{sentence.section.upper()}:{own_line}"
