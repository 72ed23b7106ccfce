"""The longitudinal view: which sentences compare with an earlier study, which disease, which way."""

from collections.abc import Iterable
from functools import cache, partial
from typing import Literal, get_args

from msgspec import Struct

from overread.report.span import Span
from overread.systems import tables

Progression = Literal["improved", "no change", "worsened", "unmentioned"]
"""Which way a disease went; `unmentioned` comes from a language model that could not say."""

TRENDS: tuple[Progression, ...] = ("improved", "no change", "worsened")
"""The classes that are scored."""

ViewSection = Literal["findings", "impression"]
SECTIONS: tuple[ViewSection, ...] = get_args(ViewSection)

SUPPORT_DEVICES = "support devices"
"""The one keyword without a published progression: a moved tube is neither better nor worse."""


table = partial(tables.row_tuples, "longitudinal")
longitudinal_constants = partial(tables.constants, "longitudinal")


@cache
def keywords() -> tuple[str, ...]:
    """The fifty, in the order of the published list.

    >>> len(keywords()), keywords()[-1]
    (50, 'vascular redistribution')
    """
    return tuple(row[0] for row in table("keywords"))


class Item(Struct, frozen=True, forbid_unknown_fields=True):
    """One disease that a sentence compares."""

    disease: str
    """One of the fifty keywords."""

    progression: Progression | None
    """None for support devices, unless their trends were asked for."""

    spans: tuple[Span, ...] = ()
    """The disease's words and the words of change, in order; empty when a language model read it."""


class ComparedSentence(Struct, frozen=True, forbid_unknown_fields=True):
    """One sentence of the report: does it compare, and what."""

    section: ViewSection
    start: int
    end: int
    text: str
    longitudinal: bool
    items: tuple[Item, ...] = ()
    """Empty in a cross-sectional sentence, and where the examination as a whole is compared."""

    spans: tuple[Span, ...] = ()
    """The words that make it longitudinal."""


class LongitudinalReport(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Every sentence of findings and impression, in the order of the report."""

    id: str
    sentences: tuple[ComparedSentence, ...]
    unusable: int = 0
    """Answers of a language model that named no known disease or trend and were put down as `unmentioned`."""

    def compared(self) -> tuple[ComparedSentence, ...]:
        """The longitudinal sentences."""
        return tuple(s for s in self.sentences if s.longitudinal)


# ---- texts that word-overlap metrics are counted on: the whole, and its longitudinal sentences
def whole_text(view: LongitudinalReport) -> str:
    """Every sentence, in order."""
    return joined_text(view.sentences)


def longitudinal_text(view: LongitudinalReport) -> str:
    """The sentences that compare with an earlier study; empty when none does."""
    return joined_text(view.compared())


def joined_text(sentences: Iterable[ComparedSentence]) -> str:
    """
    >>> spoken = [("Stable cardiomegaly.", 0, 20), ("No new nodule", 21, 34)]
    >>> joined_text(ComparedSentence("findings", start, end, text, True) for text, start, end in spoken)
    'Stable cardiomegaly. No new nodule.'
    """
    spoken = (s.text.strip() for s in sentences)
    return " ".join(text if text.endswith((".", "!", "?")) else f"{text}." for text in spoken)
