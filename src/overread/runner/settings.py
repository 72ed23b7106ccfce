"""All that decides how pairs are scored, as one value: made from options, arguments or a request, sent to workers."""

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from overread.report import Report, SectionName

if TYPE_CHECKING:
    from overread.llm import Client

SCORED_SECTIONS: tuple[SectionName, ...] = ("findings", "impression")
"""What report generators write, and what published scores are counted on."""


def body(report: Report, sections: tuple[SectionName, ...] = SCORED_SECTIONS) -> str:
    """The bodies of the chosen sections; the whole text where none is chosen or the report has no headings.

    >>> from overread.report import parse
    >>> body(parse("INDICATION: Cough. FINDINGS: Clear lungs. IMPRESSION: Normal."))
    'Clear lungs.\\nNormal.'
    """
    if not sections or not report.headed:
        return report.text
    return "\n".join(section.span.of(report.text).strip() for section in report.section(*sections))


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """All that a worker must be told, small enough to send."""

    metrics: tuple[str, ...] = ()
    """Empty: the default ones, until a run settles which."""

    by: str = "network"
    """Who reads: `network`, or `llm` with a client given to the run."""

    model: str | None = None
    """The language model asked, where one is."""

    asked: dict[str, str] = {}
    """How it was asked: endpoint, temperature, seed and whatever else decides an answer."""

    lexicon: str | None = None
    """A user's own lexicon rows."""

    tokenisation: str | None = None
    sections: tuple[SectionName, ...] = SCORED_SECTIONS
    explain: bool = True
    """Keep what every score was made of, for the page."""

    definitions: str = "wide"
    """What counts as a condition: the name of a set, or a file."""

    labels: str = "rules"
    """Who gives SRRG its labels: rules, model, vote, or model:FOLDER."""

    encoder: str = "embedded"
    """How LUNGUAGESCORE compares phrases."""

    models: str | None = None
    """Folder of trained encoders."""

    error_weights: str | None = None
    """A hospital's own weights of errors, for the metric `overread`."""

    context: bool = True
    """May indication and age move the significance of a finding?"""

    check: bool = False
    """Is every reading that is explained held against the judge?"""

    given: dict[str, str] = {}
    """`reference`, or the name of a system → the file of views that stands for its reports."""

    def asking(self, client: "Client | None") -> "Settings":
        """As this client will do it: model, endpoint and sampling are part of what is scored."""
        if client is None:
            return self
        asked = client.described
        return replace(self, model=asked.pop("model"), asked=asked)
