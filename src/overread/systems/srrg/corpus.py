"""From views to a training corpus: labelled utterances, splits that keep patients together, and statistics."""

from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import sha256

from msgspec import Struct, field

from overread.systems.srrg.labels import NO_FINDING, Label, Status, category, facts, space, upper
from overread.systems.srrg.schema import HEADERS, SectionOfInterest, SrrgView
from overread.systems.srrg.template import show_alone

SPLIT_SHARES = {"train": 0.8, "validate": 0.1, "test": 0.1}
"""Share of the patients in each part, as in the paper's utterances."""


class Labelled(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One line of the utterance file: words and labels, ready for training."""

    text: str
    labels: list[Label]
    report: str = ""
    section: str = ""
    header: str | None = None
    split: str = ""


def labelled(view: SrrgView, split: str = "") -> Iterator[Labelled]:
    """The utterances of a view as training lines."""
    for one in view.utterances:
        labels = [Label(label.label, label.status) for label in one.labels]
        yield Labelled(one.text, labels, view.id, one.section, one.header, split)


REVIEWED = "test-reviewed"
"""The part of the test reports that people went over."""


class Example(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One line of SRRG-Findings or SRRG-Impression: a report's section in the template, what a generator must write."""

    id: str
    text: str
    split: str = ""
    patient: str = ""


def example(view: SrrgView, section: SectionOfInterest, split: str, patient: str) -> Example | None:
    """The section of a report; None where it has no line in it."""
    text = show_alone(view.structured, section).strip()
    return Example(view.id, text, split, patient) if text else None


def split_of(key: str, shares: Mapping[str, float] = SPLIT_SHARES, seed: int = 0) -> str:
    """The part a patient (or a report without one) belongs to: always the same, whatever else is in the corpus.

    >>> split_of("patient 7") == split_of("patient 7")
    True
    """
    number = int.from_bytes(sha256(f"{seed}|{key}".encode()).digest()[:8], "big") / 2**64
    reached = 0.0
    for name, share in shares.items():
        reached += share / sum(shares.values())
        if number < reached:
            return name
    return list(shares)[-1]


class Statistics(Struct, forbid_unknown_fields=True):
    """Counts of a corpus; add views one by one."""

    reports: Counter[str] = field(default_factory=Counter)
    """By split."""

    utterances: Counter[str] = field(default_factory=Counter)
    """By split."""

    unique: dict[str, str] = field(default_factory=dict)
    """Fingerprint of an utterance → the split in which it was said first."""

    examples: dict[str, Counter[str]] = field(
        default_factory=lambda: {"findings": Counter(), "impression": Counter()}
    )
    """Reports with such a section, by split: SRRG-Findings and SRRG-Impression."""

    empty: int = 0
    """Reports without a statement in findings or impression."""

    sections: Counter[str] = field(default_factory=Counter)
    """Utterances of findings and impression."""

    headers: Counter[str] = field(default_factory=Counter)
    """Bullets by header of the template."""

    reports_with: Counter[str] = field(default_factory=Counter)
    """Reports that have a header."""

    labels: Counter[tuple[str, Status | None]] = field(default_factory=Counter)
    discussed: int = 0
    """Utterances that discuss a disease: not labelled No Finding."""

    leafless: int = 0
    """Utterances whose only labels are parents: no target for a classifier of leaves."""

    refused: int = 0
    """Lines a language model wrote that have no source in their report."""

    dropped: int = 0
    """Lines on whose labels the models did not agree."""

    failed: int = 0
    """Reports no model could structure or label."""

    def add(self, view: SrrgView, split: str = "") -> None:
        self.reports[split] += 1
        self.refused += view.refused
        self.dropped += view.dropped
        self.empty += not view.utterances
        self.reports_with.update({u.header for u in view.utterances if u.header})
        for section in {u.section for u in view.utterances}:
            self.examples[section][split] += 1
        for one in view.utterances:
            self.utterances[split] += 1
            self.unique.setdefault(fingerprint(one.text), split)
            self.sections[one.section] += 1
            if one.header:
                self.headers[one.header] += 1
            self.labels.update((label.label, label.status) for label in one.labels)
            self.discussed += any(label.label != NO_FINDING for label in one.labels)
            self.leafless += not space("leaves").of(one.labels)


def fingerprint(text: str) -> str:
    """Twelve bytes in place of a text, whatever its case, spaces and last full stop: millions of utterances fit.

    >>> fingerprint("No  effusion.") == fingerprint("no effusion")
    True
    """
    return sha256(" ".join(text.lower().split()).rstrip(".").encode()).hexdigest()[:24]


def per_upper(found: Statistics) -> dict[str, dict[str, int]]:
    """Heading → upper label → how many labels, as the paper breaks its corpus down (Table 9)."""
    table = {name: Counter[str]() for name in (*HEADERS, NO_FINDING)}
    for (label, _), count in found.labels.items():
        table[category(label) or NO_FINDING][upper(label)] += count
    return {head: dict(rows.most_common()) for head, rows in table.items() if rows}


def per_status(found: Statistics) -> dict[str, dict[str, int]]:
    """Label → status → how many, in the order of the leaves, parents last."""
    table = {}
    for name in dict.fromkeys([*facts().leaves, *(label for label, _ in found.labels)]):
        counts = {status or "": found.labels[name, status] for status in (*facts().statuses, None)}
        table[name] = {str(status): count for status, count in counts.items() if count}
    return {name: row for name, row in table.items() if row}


def per(amount: int, of: int) -> float | None:
    return round(amount / of, 3) if of else None


def summary(found: Statistics) -> dict[str, object]:
    """Everything as plain JSON values."""
    told = sum(found.utterances.values())
    given = sum(found.labels.values())
    return {
        "reports": dict(found.reports),
        "utterances": dict(found.utterances),
        "unique_utterances": dict(Counter(found.unique.values())),
        "examples": {name: dict(counts) for name, counts in found.examples.items()},
        "reports_without_statement": found.empty,
        "reports_failed": found.failed,
        "lines_refused_without_source": found.refused,
        "lines_without_agreed_labels": found.dropped,
        "utterances_by_section": dict(found.sections),
        "utterances_that_discuss_a_disease": found.discussed,
        "utterances_with_parents_only": found.leafless,
        "labels": given,
        "labels_per_utterance": per(given, told),
        "labels_per_utterance_that_discusses_a_disease": per(
            given - found.labels[NO_FINDING, None], found.discussed
        ),
        "bullets_by_header": {name: found.headers[name] for name in HEADERS},
        "reports_by_header": {name: found.reports_with[name] for name in HEADERS},
        "labels_by_upper": per_upper(found),
        "labels_by_status": per_status(found),
    }
