"""Tag records: which sentences match, with the labels of each pair, and what makes a record unfit for scoring.

A record holds the paper's fields, and the two lists of sentences the tags were made from, so that a lost
sentence is noticed: a sentence that nobody tags would silently raise the score.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

from msgspec import Struct, structs

from overread.systems.radsem.schema import Atoms, Normality

Relationship = Literal["equivalent", "part-whole"]
Details = Literal["equivalent", "partial", "none"]
TagSide = Literal["Ref", "Gen"]
TAG_SIDES: tuple[TagSide, ...] = get_args(TagSide)
ProblemKind = Literal[
    "syntax", "field", "label", "class", "name", "lost sentence", "unknown sentence", "tagged twice", "listed twice",
]  # fmt: skip
"""What can be wrong with a record."""


class Problem(NamedTuple):
    """One thing that makes a record unfit for scoring."""

    kind: ProblemKind
    text: str
    """In words, without a word of the report."""


class SentencePair(Struct, frozen=True, forbid_unknown_fields=True):
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

    reason: str = "given"
    """Why they were paired: equal words, the network with its probability, or given by a model or a person."""

    sure: float = 1.0
    """How likely the two say one thing; the rest of each sentence counts as unmatched."""

    @property
    def sentences(self) -> tuple[str, str]:
        """The reference's and the candidate's."""
        return self.ref_sentence, self.gen_sentence

    @property
    def part_whole(self) -> int:
        """How many of the three relationships are part-whole."""
        labels = (
            self.anatomical_relationship,
            self.asserted_abnormality_relationship,
            self.negated_abnormality_relationship,
        )
        return sum(label == "part-whole" for label in labels)


class Perhaps(Struct, frozen=True, forbid_unknown_fields=True):
    """A pair that is more likely none, and its place among all."""

    place: int
    pair: SentencePair


class Unmatched(Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence with no partner in the other report."""

    sentence: str
    sentence_is_from: TagSide
    normality: Normality


class Findings(Struct, frozen=True, forbid_unknown_fields=True):
    """What was paired, and what was not."""

    pairs: tuple[SentencePair, ...]
    unmatched_sentences: tuple[Unmatched, ...]


class Refused(Struct, frozen=True, forbid_unknown_fields=True):
    """Two sentences that were kept apart because they cannot both be true."""

    ref_sentence: str
    gen_sentence: str
    reason: str


class Tags(Struct, frozen=True, forbid_unknown_fields=True):
    """The tags of one pair of reports."""

    name: str
    findings: Findings
    ref_sentences: tuple[str, ...] = ()
    gen_sentences: tuple[str, ...] = ()
    refused: tuple[Refused, ...] = ()
    """Sentences without a partner, and what denies them."""

    perhaps: tuple[Perhaps, ...] = ()
    """In files alone: pairs that are more likely none, their sentences unmatched, so that others read yes and no."""

    @property
    def sentences(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """All of the reference's and of the candidate's."""
        return self.ref_sentences, self.gen_sentences


def record(
    reference: Atoms,
    candidate: Atoms,
    pairs: Iterable[tuple[int, int, SentencePair]],
    refused: Iterable[Refused] = (),
) -> Tags:
    """The tags of two views by the positions of the atoms that belong together; all others are unmatched."""
    found, atoms = tuple(pairs), (reference.atoms, candidate.atoms)
    taken = [{one[n] for one in found} for n in (0, 1)]
    loose = (
        Unmatched(atom.text, side, atom.normality)
        for n, side in enumerate(TAG_SIDES)
        for place, atom in enumerate(atoms[n])
        if place not in taken[n]
    )
    refs, gens = (tuple(atom.text for atom in own) for own in atoms)
    findings = Findings(tuple(pair for _, _, pair in found), tuple(loose))
    return Tags(reference.id, findings, refs, gens, tuple(refused))


def keeping(tags: Tags, kept: Sequence[SentencePair]) -> Tags:
    """With these pairs alone; sentences that had another and now have none are unmatched."""
    loose = list(tags.findings.unmatched_sentences)
    for n, side in enumerate(TAG_SIDES):
        lost = {pair.sentences[n]: pair.normality for pair in tags.findings.pairs[::-1]}
        seen = {pair.sentences[n] for pair in kept}
        every = dict.fromkeys(pair.sentences[n] for pair in tags.findings.pairs)
        loose += [Unmatched(text, side, lost[text]) for text in every if text not in seen]
    return structs.replace(tags, findings=Findings(tuple(kept), tuple(loose)))


def problems(tags: Tags, listed: bool = True) -> Iterator[Problem]:
    """Everything that makes a record unfit for scoring, in words; sentences and pairs are named by their number.

    Without `listed` a record may lack its two lists of sentences; then a lost sentence goes unnoticed.
    """
    for side in TAG_SIDES:
        yield from coverage_problems(tags, side, listed)
    yield from label_problems(tags.findings.pairs)


def coverage_problems(tags: Tags, side: TagSide, listed: bool) -> Iterator[Problem]:
    """Is every sentence of one report tagged, and as one thing only?"""
    field, own = f"{side.lower()}_sentence", TAG_SIDES.index(side)
    sentences = tags.sentences[own]
    paired = [p.sentences[own] for p in tags.findings.pairs]
    unmatched = enumerate(tags.findings.unmatched_sentences, 1)
    loose = {n: u.sentence for n, u in unmatched if u.sentence_is_from == side}
    if not sentences and not listed:
        sentences = tuple(dict.fromkeys((*paired, *loose.values())))
    for sentence, times in Counter(sentences).items():
        if times > 1:
            number = sentences.index(sentence) + 1
            yield Problem("listed twice", f"{side} sentence {number} stands {times} times in {field}s")
    tagged = [(f"the {field} of pair {n}", one) for n, one in enumerate(paired, 1)]
    tagged += [(f"unmatched sentence {n}", one) for n, one in loose.items()]
    for told, one in tagged:
        if one not in sentences:
            yield Problem("unknown sentence", f"{told} is not one of the {len(sentences)} in {field}s")
    for n, one in enumerate(sentences, 1):
        yield from status(f"{side} sentence {n}", one, paired, [*loose.values()])


def status(told: str, sentence: str, paired: Sequence[str], loose: Sequence[str]) -> Iterator[Problem]:
    """A sentence is paired, or unmatched once."""
    times = loose.count(sentence)
    if sentence in paired and times:
        yield Problem("tagged twice", f"{told} is both paired and unmatched")
    elif times > 1:
        yield Problem("tagged twice", f"{told} is unmatched {times} times")
    elif sentence not in paired and not times:
        yield Problem("lost sentence", f"{told} is neither paired nor unmatched")


def label_problems(pairs: Sequence[SentencePair]) -> Iterator[Problem]:
    """Labels that do not fit the class of their pair, and a pair in two classes."""
    first: dict[tuple[str, str], int] = {}
    for n, pair in enumerate(pairs, 1):
        earlier = first.setdefault(pair.sentences, n)
        if pairs[earlier - 1].normality != pair.normality:
            yield Problem("class", f"pair {n} is pair {earlier} again with another normality")
        yield from (Problem("label", f"pair {n} {what}") for what in misfits(pair))


def misfits(pair: SentencePair) -> Iterator[str]:
    if pair.normality == "normal":
        if pair.details_of_abnormality_relationship is not None:
            yield "is normal and must have null details_of_abnormality_relationship"
        if pair.asserted_abnormality_relationship is not None:
            yield "is normal and must have null asserted_abnormality_relationship"
        return
    if pair.details_of_abnormality_relationship is None:
        yield "is abnormal and needs a details_of_abnormality_relationship"
    if not (pair.asserted_abnormality_relationship or pair.negated_abnormality_relationship):
        yield "is abnormal and needs an asserted_ or negated_abnormality_relationship"


def rewritten(view: Atoms) -> dict[str, str]:
    """The record of the first stage as the paper stores it.

    >>> rewritten(Atoms("7", (), ("thorax",), "CT"))
    {'name': '7', 'Examined_Area': 'thorax', 'Examined_Type': 'CT', 'rewritten_report': ''}
    """
    return {
        "name": view.id,
        "Examined_Area": ", ".join(view.area),
        "Examined_Type": view.type,
        "rewritten_report": " ".join(atom.text for atom in view.atoms),
    }


# ---- the detail of a score
def score_detail(
    tags: Tags,
    pairs: list[dict[str, Any]],
    loose: Sequence[Unmatched],
    classes: Mapping[Normality, Mapping[str, Any]],
    views: tuple[Atoms, Atoms] | None,
) -> dict[str, Any]:
    """The detail of a score. Where its sentences stand a tag record does not know: the views do, if they are given."""
    sides = (
        [tagged_sentences(tags, side) for side in TAG_SIDES] if views is None else map(view_sentences, views)
    )
    return {
        **dict(zip(("reference", "candidate"), sides, strict=True)),
        "pairs": pairs,
        "missed": [u.sentence for u in loose if u.sentence_is_from == "Ref"],
        "invented": [u.sentence for u in loose if u.sentence_is_from == "Gen"],
        "contradicted": [structs.asdict(one) for one in tags.refused],
        "classes": dict(classes),
    }


def tags_of(detail: Mapping[str, Any], name: str) -> Tags:
    """The tag record behind the detail of a `radsem` score: the inverse of `score_detail`."""
    refs, gens = ({s["text"]: s["normality"] for s in detail[side]} for side in ("reference", "candidate"))
    pairs = tuple(
        SentencePair(*(pair[field] for field in SentencePair.__struct_fields__)) for pair in detail["pairs"]
    )
    loose = [Unmatched(text, "Ref", refs[text]) for text in detail["missed"]]
    loose += [Unmatched(text, "Gen", gens[text]) for text in detail["invented"]]
    refused = tuple(Refused(**one) for one in detail["contradicted"])
    return Tags(name, Findings(pairs, tuple(loose)), tuple(refs), tuple(gens), refused)


def tagged_sentences(tags: Tags, side: TagSide) -> list[dict[str, Any]]:
    """The sentences of one report, as the tags class them."""
    own, found = TAG_SIDES.index(side), tags.findings
    known = {p.sentences[own]: p.normality for p in found.pairs}
    known |= {u.sentence: u.normality for u in found.unmatched_sentences if u.sentence_is_from == side}
    listed = tags.sentences[own] or tuple(known)
    return [
        {"text": text, "normality": known[text], "start": -1, "end": -1} for text in listed if text in known
    ]


def view_sentences(view: Atoms) -> list[dict[str, Any]]:
    return [{"text": a.text, "normality": a.normality, "start": a.start, "end": a.end} for a in view.atoms]
