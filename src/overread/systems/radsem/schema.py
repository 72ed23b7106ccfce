"""The RadSEM view: the findings of a report as atomic sentences, each one site and one finding."""

from typing import Literal

from msgspec import Struct

Normality = Literal["normal", "abnormal"]
Side = Literal["left", "right", "-"]


class Atom(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One statement in plain English, with what matching needs to know of it."""

    text: str
    normality: Normality
    start: int
    """Where the sentence it was read from stands in the report; -1 when nobody knows."""

    end: int
    side: Side = "-"
    sites: tuple[str, ...] = ()
    """Places from the body down, `thorax/lung/lower-lobe`; the most special ones only."""

    parts: tuple[str, ...] = ()
    """Parts and directions that narrow the place: wall, tip, anterior."""

    finding: tuple[str, ...] = ()
    """Abnormal: what is there. Normal: what is not there, or which aspect is as it should be."""

    details: tuple[str, ...] = ()
    """Size, number, degree, spread and doubt."""

    denied: bool = False
    """Said by denying an abnormality (`no effusion`), not by calling something normal."""

    said: str = ""
    """The sentence it was read from, as written; empty when nobody knows."""


class Atoms(Struct, frozen=True, forbid_unknown_fields=True):
    """The findings of one report, in the order of the text, identical sentences once."""

    id: str
    atoms: tuple[Atom, ...]
    area: tuple[str, ...] = ()
    """Regions of the body the atoms speak of: head, thorax, abdomen …"""

    type: str = "-"
    """CT, MR, film, ultrasound, or `-` where the report does not say."""

    unread: tuple[Atom, ...] = ()
    """Where no sentence could be read: the sentences as they stand, for the judge to hear."""

    dropped: int = 0
    """Sentences of a language model that the report does not hold, left out."""

    @property
    def statements(self) -> tuple[Atom, ...]:
        """What is matched."""
        return self.atoms or self.unread
