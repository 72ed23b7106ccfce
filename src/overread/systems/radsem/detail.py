"""What a RadSEM score was made of: sentences and where they stand, pairs with credit, what was refused and why."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import structs

from overread.systems.radsem.schema import Atom, Atoms, Normality
from overread.systems.radsem.tags import TAG_SIDES, Findings, Refused, SentencePair, Tags, TagSide, Unmatched


def score_detail(
    tags: Tags,
    pairs: list[dict[str, Any]],
    loose: Sequence[Unmatched],
    classes: Mapping[Normality, Mapping[str, Any]],
    views: tuple[Atoms, Atoms] | None,
) -> dict[str, Any]:
    """The detail of a score. Where its sentences stand a tag record does not know: the views do, if they are given."""
    refused = [structs.asdict(one) for one in tags.refused]
    return {
        "reference": tagged_sentences(tags, "Ref") if views is None else atom_details(views[0].atoms),
        "candidate": tagged_sentences(tags, "Gen") if views is None else atom_details(views[1].atoms),
        "pairs": pairs,
        "missed": [u.sentence for u in loose if u.sentence_is_from == "Ref"],
        "invented": [u.sentence for u in loose if u.sentence_is_from == "Gen"],
        "contradicted": refused,
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
    return [sentence_detail(text, known[text]) for text in listed if text in known]


def sentence_detail(text: str, normality: Normality, start: int = -1, end: int = -1) -> dict[str, Any]:
    """A sentence and the span it was read from; -1 when nobody knows."""
    return {"text": text, "normality": normality, "start": start, "end": end}


def pair_detail(pair: SentencePair, heavy: int, given: int, unit: int) -> dict[str, Any]:
    """A pair with its weight and its credit, out of `unit`."""
    return {**structs.asdict(pair), "weight": heavy / unit, "credit": given / unit}


def atom_details(atoms: Iterable[Atom]) -> list[dict[str, Any]]:
    return [sentence_detail(a.text, a.normality, a.start, a.end) for a in atoms]
