"""Where the judge was followed against rules: what rules alone read, as a claim to put to it once more."""

from collections.abc import Iterator, Sequence

from overread.reader.claims import changed, changes, placed, sides, stated, there
from overread.reader.doubts import About
from overread.reader.questions import Question, reasons, said
from overread.reader.reading import Finding, Reading
from overread.reader.reconsider import SIDES


def overruled(reading: Reading, by_rules: Reading, sentence: int) -> Iterator[Question]:
    """Only what rules said and is said no more; what the judge added to it is no contradiction."""
    now = reading.in_sentence(sentence)
    for before in by_rules.in_sentence(sentence):
        same = [f for f in now if f.entity == before.entity or f.span.overlaps(before.span)]
        after = likest(before, same)
        if after is None:
            yield dropped(by_rules, before)
        else:
            yield from turned(by_rules, before, after)


def likest(before: Finding, now: Sequence[Finding]) -> Finding | None:
    """What has become of a finding: of two sides, the one it told."""
    return min(now, key=lambda f: (sides(f) != sides(before), f.status != before.status), default=None)


def dropped(by_rules: Reading, f: Finding) -> Question:
    why = reasons(by_rules, f)
    claim = there(f.entity, f.status == "positive")
    return Question("presence", None, f.entity, f.span, stated(f), why, claim, said)


def turned(by_rules: Reading, before: Finding, after: Finding) -> Iterator[Question]:
    def ask(about: About, read: str, claim: str, *relations: str) -> Question:
        why = reasons(by_rules, before, *relations)
        return Question(about, after.id, before.entity, before.span, read, why, claim, said)

    words = before.entity
    if before.status != after.status:
        yield ask("presence", stated(before), there(words, before.status == "positive"))
    elif before.certainty != after.certainty:
        yield ask("certainty", stated(before), there(words, before.status == "positive"))
    if sides(before) in SIDES and sides(after) not in (sides(before), "both"):
        yield ask("side", placed(words, sides(before)), placed(words, sides(before)), "location")
    lost = changes(before) - changes(after)
    if lost and changes(after):
        claim = changed(words, min(lost))
        yield ask("change", claim, claim, "improved", "worsened", "no_change", "onset")
