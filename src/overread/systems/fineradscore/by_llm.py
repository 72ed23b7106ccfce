"""Two reports' lines + client → corrections with severities."""

from collections.abc import Sequence

from overread.errors import AskFailed
from overread.llm import Client, Failure, Item, ask_many, load_prompt
from overread.report import Report
from overread.systems.base import Score
from overread.systems.fineradscore.score import Corrections, Lines, added, inverse, lines_of

PACKAGE = "overread.systems.fineradscore"


def views(client: Client, reports: Sequence[Report]) -> list[Lines | Failure]:
    """The lines of each report; nothing is asked for that."""
    return [lines_of(report) for report in reports]


def score(client: Client, name: str, reference: Lines, candidate: Lines) -> Score:
    """The severities of what the model corrects, added up, or 1 over that."""
    found = Score(None, why="neither report has a line", higher_is_better=False)
    if reference.lines or candidate.lines:
        inputs = {"reference": numbered_view(reference), "candidate": numbered_view(candidate)}
        item = Item(reference.id, inputs, source=(len(reference.lines), len(candidate.lines)))
        (told,) = ask_many(client, load_prompt(PACKAGE, "corrections"), [item], Corrections, check=problems)
        if isinstance(told, Failure):
            raise AskFailed(f"{told.stage}: {told.reason}")
        found = added(reference, candidate, told.value.corrections)
    return inverse(found) if name == "fineradscore-inverse" else found


def numbered_view(view: Lines) -> str:
    return "\n".join(f"{n}. {line.text}" for n, line in enumerate(view.lines, 1)) or "(no lines)"


def problems(item: Item, answer: Corrections) -> list[str]:
    """Lines that are not there, or corrected twice."""
    reference, candidate = item.source
    told, seen = [], set()
    for one in answer.corrections:
        side, last = ("reference", reference) if one.action == "add" else ("candidate", candidate)
        if not 1 <= one.line <= last:
            told.append(f"The {side} has no line {one.line}.")
        elif (side, one.line) in seen:
            told.append(f"Line {one.line} of the {side} is corrected twice; give one correction.")
        if one.action != "remove" and not one.text.strip():
            told.append(f"The correction of line {one.line} has no text.")
        seen.add((side, one.line))
    return told
