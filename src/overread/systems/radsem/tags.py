"""Tag records: which sentences match, with the labels of each pair; read strictly, saved, edited, scored again.

A record holds the paper's fields, and the two lists of sentences the tags were made from, so that a lost
sentence is noticed: a sentence that nobody tags would silently raise the score.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct, field

from overread.errors import BadInput
from overread.systems.radsem.schema import Normality

Relationship = Literal["equivalent", "part-whole"]
Details = Literal["equivalent", "partial", "none"]
Side = Literal["Ref", "Gen"]


class Pair(Struct, frozen=True, forbid_unknown_fields=True):
    """Two sentences that can be true together and state one finding, or one that contains the other."""

    ref_sentence: str
    gen_sentence: str
    normality: Normality
    """normal only when both sentences are."""

    anatomical_relationship: Relationship
    asserted_abnormality_relationship: Relationship | None
    """None when neither sentence asserts an abnormality."""

    negated_abnormality_relationship: Relationship | None
    """None when neither sentence denies one."""

    details_of_abnormality_relationship: Details | None
    """How far size, number, degree and the like agree; None for a normal pair."""

    @property
    def part_whole(self) -> int:
        """How many of the three relationships are part-whole."""
        labels = (
            self.anatomical_relationship,
            self.asserted_abnormality_relationship,
            self.negated_abnormality_relationship,
        )
        return sum(label == "part-whole" for label in labels)


class Unmatched(Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence with no partner in the other report."""

    sentence: str
    sentence_is_from: Side
    normality: Normality


class Findings(Struct, frozen=True, forbid_unknown_fields=True):
    """What was paired, and what was not."""

    pairs: tuple[Pair, ...]
    unmatched_sentences: tuple[Unmatched, ...]


class Tags(Struct, frozen=True, forbid_unknown_fields=True):
    """The tags of one pair of reports."""

    name: str
    findings: Findings
    ref_sentences: tuple[str, ...] = field(default=())
    gen_sentences: tuple[str, ...] = field(default=())


def problems(tags: Tags) -> Iterator[str]:
    """Everything that makes a record unfit for scoring, in words; sentences are named by their number."""
    loose = tags.findings.unmatched_sentences
    for side, sentences in (("Ref", tags.ref_sentences), ("Gen", tags.gen_sentences)):
        paired = {p.ref_sentence if side == "Ref" else p.gen_sentence for p in tags.findings.pairs}
        unmatched = Counter(u.sentence for u in loose if u.sentence_is_from == side)
        yield from coverage_problems(side, sentences, paired, unmatched)
    yield from label_problems(tags.findings.pairs)


def coverage_problems(
    side: str, sentences: tuple[str, ...], paired: set[str], unmatched: Counter[str]
) -> Iterator[str]:
    if len(set(sentences)) < len(sentences):
        yield f"the {side} sentences hold the same sentence twice"
    if not set(sentences).issuperset((*paired, *unmatched)):
        yield f"a tagged {side} sentence is not one of the {len(sentences)} sentences of that report"
    for number, sentence in enumerate(sentences, 1):
        if sentence in paired and sentence in unmatched:
            yield f"{side} sentence {number} is both paired and unmatched"
        if sentence not in paired and sentence not in unmatched:
            yield f"{side} sentence {number} is neither paired nor unmatched"
        if unmatched[sentence] > 1:
            yield f"{side} sentence {number} is unmatched {unmatched[sentence]} times"


def label_problems(pairs: Iterable[Pair]) -> Iterator[str]:
    for n, pair in enumerate(pairs, 1):
        if pair.normality == "normal" and pair.details_of_abnormality_relationship is not None:
            yield f"pair {n} is normal and must have null details_of_abnormality_relationship"
        if pair.normality == "normal" and pair.asserted_abnormality_relationship is not None:
            yield f"pair {n} is normal and must have null asserted_abnormality_relationship"
        if pair.normality == "abnormal" and pair.details_of_abnormality_relationship is None:
            yield f"pair {n} is abnormal and needs a details_of_abnormality_relationship"
        if pair.normality == "abnormal" and not (
            pair.asserted_abnormality_relationship or pair.negated_abnormality_relationship
        ):
            yield f"pair {n} is abnormal and needs an asserted_ or negated_abnormality_relationship"


def checked(tags: Tags, place: str) -> Tags:
    """The record itself, or an error that names its first problem and counts the others."""
    found = list(problems(tags))
    if found:
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise BadInput(f"{place}: {found[0]}{more}. Mend the record; nothing of it was scored.")
    return tags


def decoded(line: bytes | str, place: str) -> Tags:
    """One record from its JSON line, every label one of its words."""
    try:
        tags = msgspec.json.decode(line, type=Tags)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise BadInput(
            f"{place}: not a tag record: {error}. Mend the record; nothing of it was scored."
        ) from error
    return checked(tags, place)


def read_tags(path: Path) -> list[Tags]:
    """Every record of a tag file, or an error that names the first bad line."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise BadInput(f"Cannot read the tags {path}: {error}.") from error
    found = [decoded(line, f"{path.name}, line {n}") for n, line in enumerate(lines, 1) if line.strip()]
    repeated = [name for name, n in Counter(t.name for t in found).items() if n > 1]
    if repeated:
        raise BadInput(
            f"{path.name}: the name {repeated[0]!r} stands in more than one record; names must be unique."
        )
    return found


def write_tags(path: Path, tags: Iterable[Tags]) -> None:
    """One JSON line per record."""
    path.write_bytes(b"".join(msgspec.json.encode(t) + b"\n" for t in tags))
