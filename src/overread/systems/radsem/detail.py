"""What a RadSEM score was made of: sentences and where they stand, pairs with credit, what was refused and why."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import structs

from overread.systems.radsem.schema import Atoms, Normality
from overread.systems.radsem.tags import TAG_SIDES, Findings, Refused, SentencePair, Tags, TagSide, Unmatched


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
