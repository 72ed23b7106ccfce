"""A sentence met before is not read again; what was read of it is moved, and never shared between reports."""

import pytest
from msgspec import structs

from overread.lexicon.lexicon import lexicon
from overread.reader import Finding, read
from overread.report import parse
from overread.report.span import Span

SENTENCE = (
    "Small left pleural effusion with adjacent atelectasis, possibly pneumonia in the upper and lower lobes."
)


def findings(text: str) -> tuple[Finding, ...]:
    return read(parse(text)).findings


def placed(finding: Finding, back: int) -> Finding:
    """The finding with every place so many characters before."""

    def moved(span: Span) -> Span:
        return span.shift(-back)

    return structs.replace(
        finding,
        span=moved(finding.span),
        trace=tuple(structs.replace(e, span=moved(e.span)) for e in finding.trace),
        attributes=tuple(
            structs.replace(
                a,
                span=moved(a.span),
                places=tuple(structs.replace(p, span=moved(p.span)) for p in a.places),
            )
            for a in finding.attributes
        ),
    )


@pytest.fixture(autouse=True)
def nothing_read_before():
    lexicon().forget_sentences()


def test_the_same_words_elsewhere_are_the_same_findings_there():
    before = "FINDINGS: "
    new = findings(before + SENTENCE)
    again = findings("Chest radiograph.\n\n" + before + SENTENCE)
    back = len("Chest radiograph.\n\n")
    assert [structs.replace(placed(f, back), sentence=new[0].sentence) for f in again] == list(new)


def test_what_later_sentences_say_stays_with_their_report():
    told = findings(f"FINDINGS: {SENTENCE} It is unchanged. This may represent infection.")
    alone = findings(f"FINDINGS: {SENTENCE}")
    lexicon().forget_sentences()
    assert alone == findings(f"FINDINGS: {SENTENCE}")
    assert told[: len(alone)] != alone


def test_a_question_behind_the_sentence_is_not_forgotten():
    said, asked = findings("FINDINGS: Left effusion."), findings("FINDINGS: Left effusion?")
    assert (said[0].certainty, asked[0].certainty) == ("definitive", "tentative")


def test_an_indication_asks_where_findings_tell():
    (told,) = findings("FINDINGS: Pneumonia.")
    (asked,) = findings("INDICATION: Pneumonia.")
    assert (told.category, asked.category) == ("CF", "PATIENT INFO")
