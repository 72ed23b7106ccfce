"""Views of reports as overread or a language model reads them, for the verbs that compare and count them."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from overread.cli.terminal.llm_options import LlmOptions, reading_by
from overread.cli.terminal.voice import warn
from overread.errors import AskFailed, BadInput
from overread.llm import Failure
from overread.reader import read
from overread.report import Report
from overread.runner.limits import unfailed
from overread.runner.views import views_by_llm
from overread.systems.registry import system

G = TypeVar("G")


def own_views(by: str, name: str, reports: Sequence[Report], llm: LlmOptions) -> dict[str, Any]:
    """The views of a system by id; reports that could not be read are left out."""
    found = system(name)
    with reading_by(by, llm, len(reports)) as client:
        if client is None:
            return dict(
                unfailed(reports, lambda one: (one.id, found.by_rules(read(one))), lambda one: one.id, warn)
            )
        answers = views_by_llm(found)(client, reports)
    outcomes = {one.id: one for one in answers if not isinstance(one, Failure)}
    if not outcomes:
        raise AskFailed("The model answered nothing that can be used; the lines above say why.")
    return outcomes


def paired(gold: Mapping[str, G], found: Mapping[str, Any]) -> list[tuple[G, Any]]:
    """(gold, view) of every report that has both."""
    pairs = [(one, found[id]) for id, one in gold.items() if id in found]
    if not pairs:
        raise BadInput("No report of the gold file has a view: the ids of the two files must be the same.")
    return pairs
