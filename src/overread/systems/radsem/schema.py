"""The RadSEM view: the findings of a report as atomic sentences, each one site and one finding."""

from typing import Literal

from msgspec import Struct

from overread.report.span import Span

Normality = Literal["normal", "abnormal"]
AtomSide = Literal["left", "right", "-"]
AtomChange = Literal["better", "worse", "-"]


class Atom(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One finding as a sentence in the report's own words."""

    text: str
    normality: Normality
    start: int
    """Where the sentence it was read from stands in the report; -1 when nobody knows."""

    end: int
    side: AtomSide = "-"
    change: AtomChange = "-"
    """Better or worse, where the report says so."""

    spans: tuple[Span, ...] = ()
    """The words of the report that it is made of."""

    finding: str = ""
    """Id of the finding it was made of; empty where a sentence stands as it is."""

    sentence: str = ""
    """The whole sentence that it was read from."""


class Atoms(Struct, frozen=True, forbid_unknown_fields=True):
    """The findings of one report, in the order of the text, identical sentences once."""

    id: str
    atoms: tuple[Atom, ...]
    area: tuple[str, ...] = ()
    """Regions of the body the atoms speak of: head, thorax, abdomen …"""

    type: str = "-"
    """CT, MR, film, ultrasound, or `-` where the report does not say."""

    dropped: int = 0
    """Sentences of a language model that the report does not hold, left out."""

    told: tuple[str, ...] = ()
    """The sentences that report the findings, where they are known."""
