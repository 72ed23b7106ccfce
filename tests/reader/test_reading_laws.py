"""What holds for every text: offsets, no exception, independence of sentences, the same bytes."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.json import encode

from overread.reader import Reading, read
from overread.report import from_sections, parse

INDEPENDENT = [
    "No pleural effusion.",
    "Small left pleural effusion.",
    "The heart is enlarged.",
    "Lungs are clear bilaterally.",
    "Right lower lobe opacity, possibly pneumonia.",
    "Degenerative changes of the thoracic spine.",
    "Stable cardiomegaly without edema.",
    "A 5 mm nodule is seen in the left apex.",
    "Endotracheal tube in place.",
    "Old healed left rib fractures.",
    "The liver shows a 2 cm cyst.",
]
fragments = st.sampled_from(
    ["No ", "without ", "effusion", "left ", "and ", "or ", ", ", ". ", "; ", "may represent ", "nodule ", "lungs ",
     "are ", "clear ", "2.5 cm ", "XXXX ", "1. ", "of the ", "with ", "\n", "IMPRESSION: ", "é", "İ", "\t", "–", "but ",
     "versus ", "opacity ", "likely ", "pain ", "chest ", "cardiac ", "abnormality ", "tube ", "its tip in ",
     "not seen ", "prior ", "increased ", "this ", "stable ", "both ", "small ", "right ", "cannot be excluded "]
)  # fmt: skip
texts = st.one_of(st.text(max_size=300), st.lists(fragments, max_size=30).map("".join))


def check_offsets(reading: Reading) -> None:
    text = reading.report.text
    for finding in reading.findings:
        sentence = reading.sentences[finding.sentence].span
        assert sentence.start <= finding.span.start < finding.span.end <= sentence.end
        for a in finding.attributes:
            assert text[a.span.start : a.span.end] == a.text
        for e in finding.trace:
            assert 0 <= e.span.start < e.span.end <= len(text)
        ids = {f.id for f in reading.findings}
        assert set(finding.associate) | set(finding.evidence) <= ids - {finding.id}
        assert set(finding.evidence) <= set(finding.associate)


@given(texts)
def test_any_string_is_read_with_exact_offsets(text):
    check_offsets(read(parse(text)))


def said(reading: Reading) -> list[tuple[str, ...]]:
    return [
        (f.entity, f.status, f.certainty, *(f"{a.relation}={a.text}" for a in f.attributes))
        for f in reading.findings
    ]


@given(st.lists(st.sampled_from(INDEPENDENT), min_size=1, max_size=6))
def test_sentences_that_do_not_refer_to_each_other_are_read_alone(sentences):
    together = said(read(from_sections({"findings": " ".join(sentences)})))
    alone = [line for s in sentences for line in said(read(from_sections({"findings": s})))]
    assert together == alone


@given(texts)
def test_the_same_text_gives_the_same_bytes(text):
    assert encode(read(parse(text)).record) == encode(read(parse(text)).record)


def test_a_long_report_is_read_in_linear_time(growth):
    """Six times the report may take six times as long, with room for noise."""

    def work(times: int) -> None:
        report = parse("FINDINGS: " + "No effusion or pneumothorax. Small left nodule, stable. " * times)
        assert len(read(report).findings) == 3 * times

    assert growth(work, 100, 600, 18) < 18


ASIDES = [
    "PA and lateral views of the chest",
    "follow up is recommended",
    "discussed with the nurse",
    "two views",
]


@given(st.lists(st.one_of(fragments, st.sampled_from(ASIDES)), max_size=30).map("".join))
def test_the_outline_says_what_the_reading_says(text):
    """Made from a few cues alone, the outline agrees with the sentences as they are read in full."""
    parsed = parse(text)
    told = [(s.index, s.section, s.span, s.kind) for s in read(parsed).sentences]
    assert [(o.index, o.section, o.span, o.kind) for o in read(parsed).sentences] == told
