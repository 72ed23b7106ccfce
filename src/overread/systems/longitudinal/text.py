"""The texts of a view that word-overlap metrics are counted on: the whole, and its longitudinal sentences."""

from collections.abc import Iterable

from overread.systems.longitudinal.schema import SECTIONS, ComparedSentence, LongitudinalReport, ViewSection


def whole_text(view: LongitudinalReport, sections: Iterable[ViewSection] = SECTIONS) -> str:
    """Every sentence of these sections, in order."""
    wanted = frozenset(sections)
    return joined(s for s in view.sentences if s.section in wanted)


def longitudinal_text(view: LongitudinalReport, sections: Iterable[ViewSection] = SECTIONS) -> str:
    """The sentences that compare with an earlier study; empty when none does."""
    return joined(view.compared(*sections))


def joined(sentences: Iterable[ComparedSentence]) -> str:
    """
    >>> spoken = [("Stable cardiomegaly.", 0, 20), ("No new nodule", 21, 34)]
    >>> joined(ComparedSentence("findings", start, end, text, True) for text, start, end in spoken)
    'Stable cardiomegaly. No new nodule.'
    """
    return " ".join(ended(s.text.strip()) for s in sentences)


def ended(text: str) -> str:
    """A sentence with its full stop, so that it stays one when joined with others."""
    return text if text.endswith((".", "!", "?")) else f"{text}."
