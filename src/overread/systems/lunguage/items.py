"""Findings as the score sees them: a phrase to compare, attribute words, and a place in time."""

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from overread.report.span import Span
from overread.systems.lunguage.constants import phrase_relations
from overread.systems.lunguage.schema import Relation, StructuredReport
from overread.systems.lunguage.timeline import Observation, Timeline

COUNTER = re.compile(r" \(\d+\)$")


class Item(Struct, frozen=True):
    """One finding of one side."""

    id: str
    entity: str
    phrase: str
    """What the semantic factor compares."""

    status: str
    certainty: str
    words: dict[str, str]
    """Attribute → its words; attributes without words are left out."""

    study: str = ""
    episode: int = 0
    spans: Mapping[str, Sequence[Span]] = {}
    report: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """Sorting by it makes the score blind to the order of findings."""
        return (
            self.phrase,
            self.study,
            self.episode,
            self.status,
            self.certainty,
            sorted(self.words.items()),
        )


def of_report(view: StructuredReport) -> list[Item]:
    """The findings of one report; the phrase is the entity with its descriptive words."""
    return [
        Item(
            f.id, f.entity, phrase(f.entity, f.attributes), f.status, f.certainty, attribute_words(f.attributes),
            spans=f.spans, report=view.id,
        )
        for f in view.findings
    ]  # fmt: skip


def of_timeline(timeline: Timeline, over_time: bool = True) -> list[Item]:
    """All findings of a patient pooled; the phrase is the name of the entity group.

    Of a single study (T = 1 in the paper) it is the entity with its descriptive words, as for a report.
    """
    return [
        Item(
            o.id, o.entity, plain(COUNTER.sub("", o.entity_group)) if over_time else phrase(o.entity, whole(o)),
            o.status, o.certainty, attribute_words(whole(o)), o.study, o.temporal_group, o.spans, o.report,
        )
        for o in timeline.observations
    ]  # fmt: skip


def whole(observation: Observation) -> dict[Relation, list[str]]:
    """Every attribute, the location with the others."""
    return {"location": observation.location, **observation.attributes}


def phrase(entity: str, attributes: Mapping[Relation, Sequence[str]]) -> str:
    """Entity, then the words of the describing attributes in their published order.

    >>> phrase("Effusion", {"severity": ["small"], "location": ["left"]})
    'effusion left small'
    """
    described = [
        word for name in phrase_relations() for r, words in attributes.items() if r == name for word in words
    ]
    return plain(" ".join([entity, *described]))


def attribute_words(attributes: Mapping[Relation, Sequence[str]]) -> dict[str, str]:
    return {name: words for name, values in attributes.items() if (words := plain(", ".join(values)))}


def plain(text: str) -> str:
    """Lower case, single spaces: what must not count as a difference."""
    return " ".join(text.lower().split())
